"""Everything of a player in one zip: saved, and opened in another private folder (docs/formats.md, 6.2).

The zip is a private folder with all keys and game folders inside. Opening makes a new private folder next to the old
one and exchanges both: :func:`finish` completes an interrupted exchange.
"""

from __future__ import annotations

import os
import posixpath
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import field
from itertools import count
from pathlib import Path
from typing import IO

from kursk_pbem.desk.deals import passing
from kursk_pbem.desk.ground import clock, jsonfiles, machine
from kursk_pbem.desk.own import remembered
from kursk_pbem.desk.rescue import arriving, saved
from kursk_pbem.desk.rescue.saved import MAX_BYTES, MAX_FILES, SAVED, Saved
from kursk_pbem.desk.turn import prepared
from kursk_pbem.errors import DiskError, FileError, UsageError
from kursk_pbem.formats import files
from kursk_pbem.formats.canonical import REFEREE, canon
from kursk_pbem.frozen import frozen
from kursk_pbem.game import disk, folders, journal
from kursk_pbem.trust import keys


def save_everything(home: Path, *, key: Path | None = None) -> tuple[bytes, str]:
    """Return a zip of a private folder and its games, and the reason if it is unsigned.

    ``key``: the key to sign if no key is remembered.
    """
    folders.make(home)
    packed = _collect(Path(os.path.realpath(home)))
    if len(packed) > MAX_FILES or sum(map(len, packed.values())) > MAX_BYTES:
        raise UsageError(f"your games are too large for one file ({MAX_BYTES >> 20} MB): move finished games away")
    made = saved.write_zip(packed, {"kind": "copy", "time": clock.now()}, home, key)
    note_saved(home, "everything")
    return made


def note_saved(home: Path, what: str) -> None:
    """Save the time of saving: of everything, or of a key by its fingerprint."""
    jsonfiles.write_object(home / SAVED, {**jsonfiles.read_object(home / SAVED), what: clock.now()})


def _collect(home: Path) -> dict[str, bytes]:
    """Return the files for the zip. Records name places in the zip. Keys of SSH itself never leave."""
    packed = dict(_read_folder(home, "**/*"))
    for name in sorted(filter(saved.RECORD.fullmatch, packed)):
        base, data = saved.find_base(name), saved.parse(packed[name])
        for kind in sorted({"key", "folder"} & set(data)):
            place = Path(os.path.realpath(home / base / str(data[kind])))
            inside = f"board/game-{name[-26:-10]}" if kind == "folder" else f"keys/{place.name}"
            within = place.relative_to(home).as_posix() if home in place.parents else ""
            if saved.can_travel(within) and place.name == posixpath.basename(inside):
                inside = within
            elif kind == "folder":
                packed |= {f"{inside}/{each}": text for each, text in _read_folder(place, "*")}
            elif ".ssh" not in place.parts and place.is_file():
                private, number = place.read_bytes(), count(2)
                while not saved.can_travel(inside) or packed.get(inside, private) != private:
                    inside = f"keys/key-{next(number)}"
                public = place.with_name(f"{place.name}.pub")
                packed |= {inside: private, **({f"{inside}.pub": public.read_bytes()} if public.is_file() else {})}
            data[kind] = posixpath.relpath(inside, base)
        if data or name == remembered.FILE:  # a damaged record travels, but is not opened
            packed[name] = canon(data)
    return packed


def _read_folder(folder: Path, pattern: str) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.glob(pattern)):
        name = path.relative_to(folder).as_posix()
        if saved.can_travel(name) and path.is_file() and not path.is_symlink():
            yield name, files.read(path, MAX_BYTES)


@frozen
class Opening:
    """The effect of opening a saved folder. ``taken``: records that are new or newer than here.

    ``left``: records that are not whole, with the reason; ``names``: files to write; ``before``: the journals here;
    ``lines``: text for the player.
    """

    home: Path
    folder: Saved = field(repr=False)
    taken: tuple[str, ...]
    left: Mapping[str, str]
    names: tuple[str, ...] = field(repr=False)
    before: Mapping[tuple[str, int], str] = field(repr=False)
    lines: tuple[str, ...]


def survey_saved(file: IO[bytes], home: Path) -> Opening:
    """Return the effect of opening a saved folder here; change nothing.

    Raises FileError for a damaged or hostile zip, UsageError for an older state.
    """
    finish(home)
    home, folder = Path(os.path.realpath(home)), saved.read_zip(file.read(MAX_BYTES + 1))
    if machine.get_machine().page:
        _refuse_keys(folder.files)
    before = _list_journals(home)
    newer = _compare(before, saved.list_entries(folder.files))
    games = {record[-16:] for record in newer}
    looked = games | {arriving.get_game(name) for name in folder.faults}
    own, signer = arriving.find_signer(home, folder, fresh=not before)
    listed = [each for each in folder.newest if each[-16:] in looked]
    with _make_neighbour(home) as new:
        faults = [(each, arriving.find_fault(home, folder, each, new, own=own)) for each in listed]
    left = {record: why for record, why in faults if why}
    games -= {record[-16:] for record in left}  # the records of both seats at one machine belong together
    taken = tuple(record for record in folder.newest if record[-16:] in games)
    if left and not taken:
        reasons = [f"game {record[-16:-8]}: {why}" for record, why in left.items()]
        raise FileError("; ".join(["nothing was opened", *reasons]))
    names = tuple(arriving.choose_files(home, folder, taken, own=own))
    lines = (signer, *arriving.describe(folder, dict(sorted(before)), left, names))
    return Opening(home, folder, taken, left, names, before, lines)


def _list_journals(home: Path) -> dict[tuple[str, int], str]:
    return saved.list_entries(dict(_read_folder(home, "**/journal/*")))


@contextmanager
def _make_neighbour(home: Path) -> Iterator[Path]:
    """Give the place for a new folder next to a private folder, and remove the folder if it is still there."""
    new = home.with_name(f"{home.name}.kursk-opening")
    try:
        shutil.rmtree(new, ignore_errors=True)
        yield new
    except OSError as error:
        raise DiskError(f"the saved folder cannot be opened here, and nothing was changed: {error}") from None
    finally:
        shutil.rmtree(new, ignore_errors=True)


def open_saved(opening: Opening) -> dict[str, str]:
    """Open a saved folder as described; return the opened games with their newest numbers.

    Raises UsageError if the games here have changed meanwhile. Nothing is changed then.
    """
    home, folder = opening.home, opening.folder
    with _make_neighbour(home) as new:
        if home.is_dir():
            shutil.copytree(home, new, symlinks=True, ignore=shutil.ignore_patterns(f"{disk.PREFIX}*"))
        arriving.write_files(new, folder, opening.names)
        for record in opening.taken:
            prepared.forbid_signing(new / record)
        if _list_journals(home) != opening.before:
            raise UsageError("another program has written in your games: end the program, and open the folder again")
        new.rename(home.with_name(f"{home.name}.kursk-opened"))
    finish(home)
    return {record[-16:]: folder.newest[record]["number"] for record in opening.taken}


def finish(home: Path) -> None:
    """Exchange a private folder for an opened one; complete an interrupted exchange. Raises DiskError."""
    home = Path(os.path.realpath(home))
    new, old = (home.with_name(f"{home.name}.kursk-{ending}") for ending in ("opened", "before"))
    try:
        if new.is_dir():
            if home.exists():
                with suppress(OSError):  # a later folder could get the file number of this one
                    passing.forbid_passing(home)
                shutil.rmtree(old, ignore_errors=True)
                home.rename(old)
            new.rename(home)
        shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        raise DiskError(f"the saved folder in {new} cannot take the place of {home}: {error.strerror}") from None


def _compare(here: Mapping[tuple[str, int], str], there: Mapping[tuple[str, int], str]) -> list[str]:
    """Return the games to take from a saved folder: those that are not here, or longer than here."""
    mine, theirs = (dict(sorted(entries)) for entries in (here, there))
    return [record for record, newest in theirs.items() if newest > mine.get(record, -1)]


def _refuse_keys(packed: Mapping[str, bytes]) -> None:
    """Raise UsageError for keys that a page must not have: a referee's, a director's, or one with a passphrase."""
    records = [name for name in packed if name.startswith(("games/", "tournaments/")) and name.count("/") == 2]
    told = [saved.parse(packed[name]) for name in records if name.endswith(("/game.json", "/tournament.json"))]
    if any(each.get("side") == REFEREE or each.get("role") == "director" for each in told):
        machine.refuse_officials()
    for name in filter(saved.RECORD.fullmatch, packed):
        key = saved.find_place(packed, name, "key") if "key" in saved.parse(packed[name]) else ""
        if key and not keys.is_open(packed.get(key, b"")):
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
