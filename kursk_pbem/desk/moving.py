"""Everything of a player in one zip: saved, and opened in another private folder (docs/formats.md, 6.2).

The zip is a private folder with all keys and game folders inside. Opening makes a new private folder next to the old
one and exchanges both: :func:`finish` completes an interrupted exchange.
"""

from __future__ import annotations

import io
import json
import os
import posixpath
import re
import shutil
import zipfile
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import IO, Any

from kursk_pbem.desk import clock, elsewhere, jsonfiles, machine
from kursk_pbem.desk.desks import SECOND
from kursk_pbem.desk.games.register import DEMONSTRATIONS
from kursk_pbem.errors import DiskError, FileError, UsageError
from kursk_pbem.formats import files, zipped
from kursk_pbem.formats.canonical import REFEREE, is_too_deep, shorten
from kursk_pbem.formats.text import show
from kursk_pbem.game import disk, folders, journal
from kursk_pbem.trust import keys

FORM, MANIFEST, SAVED = "1", "kursk-saved.json", "saved.json"
"""Format and first file of a saved folder; the file in a private folder with the times of saving."""
MAX_BYTES, MAX_FILES = 128 << 20, 20_000
"""Limits of a saved folder, packed and unpacked."""
_PART = r"[\w@+=,-][\w@+=,. -]*(?<![. ])"
_NAME = re.compile(rf"{_PART}(/{_PART})*", re.ASCII)
_RECORD = re.compile(rf"({SECOND}/)?games/[0-9a-f]{{16}}/game\.json|player\.json")
_ENTRY = re.compile(rf"(({SECOND}/)?games/[0-9a-f]{{16}})/journal/[0-9]{{4}}\.json")
_STAYS = re.compile(rf"{elsewhere.MOVED}|{SAVED}|board-[0-9]+\.html|post/account\.toml|(.*/)?(lock|verified)")
"""Marks, caches, and the mail account, because its settings can name programs."""


def save_everything(home: Path, *, move: bool = False) -> bytes:
    """Return a zip of a private folder and its games. ``move``: from now on this private folder signs nothing."""
    folders.make(home)
    if move:
        jsonfiles.write_object(home / elsewhere.MOVED, {"time": clock.now()})
    packed = _collect(Path(os.path.realpath(home)))
    if len(packed) > MAX_FILES or sum(map(len, packed.values())) > MAX_BYTES:
        raise UsageError(f"your games are too large for one file ({MAX_BYTES >> 20} MB): move finished games away")
    kind = "move" if (home / elsewhere.MOVED).exists() else "copy"
    told = {"kursk-saved": FORM, "kind": kind, "time": clock.now(), "games": _list_newest(packed)}
    saved = io.BytesIO()
    with zipfile.ZipFile(saved, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in [(MANIFEST, json.dumps(told).encode("ascii")), *sorted(packed.items())]:
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)  # with a fixed date
    note_saved(home, "everything")
    return saved.getvalue()


def note_saved(home: Path, what: str) -> None:
    """Save the time of saving: of everything, or of a key by its fingerprint."""
    jsonfiles.write_object(home / SAVED, {**jsonfiles.read_object(home / SAVED), what: clock.now()})


def _collect(home: Path) -> dict[str, bytes]:
    """Return the files for the zip. Records name places in the zip. Keys of SSH itself never leave."""
    packed = dict(_read_folder(home, "**/*"))
    for name in sorted(filter(_RECORD.fullmatch, packed)):
        base, data = _find_base(name), _parse(packed[name])
        for kind in sorted({"key", "folder"} & set(data)):
            place = Path(os.path.realpath(home / base / data[kind]))
            inside = f"board/game-{name[-26:-10]}" if kind == "folder" else f"keys/{place.name}"
            if home in place.parents and place.name == posixpath.basename(inside):
                inside = place.relative_to(home).as_posix()
            elif kind == "folder":
                packed |= {f"{inside}/{each}": text for each, text in _read_folder(place, "*")}
            elif ".ssh" not in place.parts and place.is_file():
                private, number = place.read_bytes(), count(2)
                while not _NAME.fullmatch(inside) or packed.get(inside, private) != private:
                    inside = f"keys/key-{next(number)}"
                public = place.with_name(f"{place.name}.pub")
                packed |= {inside: private, **({f"{inside}.pub": public.read_bytes()} if public.is_file() else {})}
            data[kind] = posixpath.relpath(inside, base)
        packed[name] = json.dumps(data, sort_keys=True).encode("ascii")
    return packed


def _read_folder(folder: Path, pattern: str) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.glob(pattern)):
        name = path.relative_to(folder).as_posix()
        if _NAME.fullmatch(name) and not _STAYS.fullmatch(name) and path.is_file() and not path.is_symlink():
            yield name, files.read(path, MAX_BYTES)


def _find_base(name: str) -> str:
    """Return the private folder of a record in the zip: of the player, or of the second seat."""
    return SECOND if name.startswith(f"{SECOND}/") else "."


def _list_entries(packed: Mapping[str, bytes]) -> dict[tuple[str, int], str]:
    """Return the message ids in the journals by record and number."""
    found = {name: match[1] for name in sorted(packed) if (match := _ENTRY.fullmatch(name))}
    return {(record, int(name[-9:-5])): str(_parse(packed[name]).get("id")) for name, record in found.items()}


def _list_newest(packed: Mapping[str, bytes]) -> dict[str, Any]:
    """Return number and id of the newest message by record."""
    return {record: {"number": str(seq), "head": id_} for (record, seq), id_ in _list_entries(packed).items()}


def _parse(data: bytes) -> dict[str, Any]:
    try:
        return {} if is_too_deep(data) else dict(json.loads(data))
    except (ValueError, TypeError):
        raise FileError("a private file is damaged; nothing was changed") from None


def open_saved(file: IO[bytes], home: Path) -> tuple[dict[str, str], list[str]]:
    """Open a saved folder in a private folder, empty or older.

    Return the opened games with their newest numbers, and the games that ask for their newest mail. Raises FileError
    for a damaged or hostile zip, UsageError for an older state. Nothing is changed then.
    """
    finish(home)
    home, packed = Path(os.path.realpath(home)), _read_zip(file.read(MAX_BYTES + 1))
    if machine.get_machine().page:
        _refuse_keys(packed)
    before = _list_entries(dict(_read_folder(home, "**/journal/*")))
    newer = _compare(before, _list_entries(packed), moved=(home / elsewhere.MOVED).exists())
    listed = _list_newest(packed)
    places = {record: _find_place(packed, f"{record}/game.json", "folder") for record in listed}
    twice = [record for record in listed if record.startswith(SECOND) or f"{SECOND}/{record}" in listed]
    asking = [each for each in newer if each not in twice and not places[each].startswith(DEMONSTRATIONS)]
    new = home.with_name(f"{home.name}.kursk-opening")
    try:
        shutil.rmtree(new, ignore_errors=True)
        shutil.copytree(home, new, symlinks=True) if home.is_dir() else new.mkdir(0o700, parents=True)
        for name, data in packed.items():
            record = next((each for each in places if name.startswith((f"{each}/", f"{places[each]}/"))), "")
            here = home / name
            if name.startswith("keys/") and here.exists() and here.read_bytes() != data:
                raise UsageError(f"another key is in {here}: move it away, or give it another name in its games")
            mail = name.startswith(("post/", "tournaments/")) and (home / name.split("/")[0]).exists()
            if record in newer or not (record or mail or here.exists()):
                folders.make((new / name).parent)
                disk.replace(new / name, data, 0o600)
        for record in asking:
            jsonfiles.write_object(new / record / elsewhere.OPENED, listed[record])
        (new / elsewhere.MOVED).unlink(missing_ok=True)
        if _list_entries(dict(_read_folder(home, "**/journal/*"))) != before:
            raise UsageError("another program has written in your games: end the program, and open the folder again")
        new.rename(home.with_name(f"{home.name}.kursk-opened"))
    except OSError as error:
        raise DiskError(f"the saved folder cannot be opened here, and nothing was changed: {error}") from None
    finally:
        shutil.rmtree(new, ignore_errors=True)
    finish(home)
    return {record[-16:]: listed[record]["number"] for record in newer}, [record[-16:] for record in asking]


def finish(home: Path) -> None:
    """Exchange a private folder for an opened one; complete an interrupted exchange. Raises DiskError."""
    home = Path(os.path.realpath(home))
    new, old = (home.with_name(f"{home.name}.kursk-{ending}") for ending in ("opened", "before"))
    try:
        if new.is_dir():
            if home.exists():
                shutil.rmtree(old, ignore_errors=True)
                home.rename(old)
            new.rename(home)
        shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        raise DiskError(f"the saved folder in {new} cannot take the place of {home}: {error.strerror}") from None


def _compare(here: Mapping[tuple[str, int], str], there: Mapping[tuple[str, int], str], *, moved: bool) -> list[str]:
    """Return the games of a saved folder that are newer than here. Raises UsageError if a game is older or differs."""
    numbers = [dict(sorted(entries)) for entries in (here, there)]
    for (record, seq), id_ in here.items():
        mine, saved = (known.get(record, -1) for known in numbers)
        if mine > saved and (moved or saved >= 0):
            old = f"its message {saved}" if saved >= 0 else "no such game"
            raise UsageError(
                f"nothing was opened, because game {record[-16:-8]} is newer here: message {mine} is here, and the "
                f"saved folder has {old}. Open a newer saved folder"
            )
        if there.get((record, seq), id_) != id_:
            both = ", in the saved folder ".join(shorten(id_, there[record, seq]))
            raise UsageError(
                f"nothing was opened, because game {record[-16:-8]} has another message {seq} here: {both}"
            )
    return [record for record, newest in numbers[1].items() if moved or newest > numbers[0].get(record, -1)]


def _find_place(packed: Mapping[str, bytes], name: str, kind: str) -> str:
    """Return the folder or key of a record in the zip. Raises FileError for another place."""
    place = posixpath.normpath(posixpath.join(_find_base(name), str(_parse(packed.get(name, b"")).get(kind))))
    if not _NAME.fullmatch(place) or (kind == "folder" and place.rpartition("/")[2] != f"game-{name[-26:-10]}"):
        raise FileError(f"the saved folder names a place outside: {show(place)}; nothing was changed")
    return place


def _read_zip(raw: bytes) -> dict[str, bytes]:
    """Return the files of a saved folder by name. Raises FileError."""
    folded, damaged = set[str](), "the file is no zip, or it is damaged: save everything again. Nothing was changed"

    def want(info: zipfile.ZipInfo) -> bool:
        name = info.orig_filename
        if not zipped.is_ordinary(info) or not _NAME.fullmatch(name) or name.casefold() in folded:
            raise FileError(f"the saved folder contains {show(name)}, an unsafe name or link; nothing was changed")
        folded.add(name.casefold())
        return True

    packed = dict(zipped.read_zip(raw, MAX_BYTES, MAX_FILES, want, damaged))
    told = _parse(packed.pop(MANIFEST, b"{}"))
    packed = {name: data for name, data in packed.items() if not _STAYS.fullmatch(name)}
    if told.get("kursk-saved") != FORM or told.get("games") != _list_newest(packed):
        raise FileError("the zip is no complete saved folder of this version; 'Save everything' makes one")
    for name in filter(_RECORD.fullmatch, packed):
        _find_place(packed, name, "key")
    return packed


def _refuse_keys(packed: Mapping[str, bytes]) -> None:
    """Raise UsageError for keys that a page must not have: a referee's, a director's, or one with a passphrase."""
    records = [name for name in packed if name.startswith(("games/", "tournaments/")) and name.count("/") == 2]
    told = [_parse(packed[name]) for name in records if name.endswith(("/game.json", "/tournament.json"))]
    if any(each.get("side") == REFEREE or each.get("role") == "director" for each in told):
        machine.refuse_officials()
    for name in filter(_RECORD.fullmatch, packed):
        if not keys.is_open(packed.get(_find_place(packed, name, "key"), b"")):
            raise UsageError(
                "nothing was opened: a key in the saved folder has a passphrase, which a page cannot ask for. Open the "
                "folder with the installed program: 'kursk open FILE'"
            )


def delete_everything(home: Path) -> None:
    """Delete the private folder's content and the folders of its games. Raises DiskError."""
    places = [Path(own.folder) for own in journal.load_records(home)[0]] + disk.list_folder(home)
    try:
        for place in filter(os.path.lexists, places):
            shutil.rmtree(place) if place.is_dir() and not place.is_symlink() else place.unlink()
    except OSError as error:
        raise DiskError(f"{error.filename} cannot be deleted: {error.strerror}") from None
