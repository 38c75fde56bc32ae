"""Everything of a player in one zip: saved, and opened in another private folder (docs/formats.md, 6.2).

The zip has keys, names, notes, settings and turn files, at the places of a private folder. Opening brings what is
absent here, and makes each record anew from key and messages.
"""

from __future__ import annotations

import os
import posixpath
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import field
from itertools import count
from pathlib import Path
from typing import IO

from kursk_pbem.desk.ground import clock, jsonfiles, machine
from kursk_pbem.desk.own import remembered
from kursk_pbem.desk.rescue import arriving, saved
from kursk_pbem.desk.rescue.saved import MAX_BYTES, MAX_FILES, SAVED, Saved
from kursk_pbem.errors import DiskError, KurskError, UsageError
from kursk_pbem.formats import files
from kursk_pbem.formats.canonical import REFEREE, canon
from kursk_pbem.frozen import frozen
from kursk_pbem.game import disk, journal
from kursk_pbem.trust import keys


def save_everything(home: Path, *, key: Path | None = None) -> tuple[bytes, str]:
    """Return a zip of a private folder and its games, and the reason if the zip is unsigned ('' if signed).

    ``key``: the key to sign with if the folder remembers none.
    """
    disk.make_private(home)
    packed = _collect(Path(os.path.realpath(home)))
    if len(packed) > MAX_FILES or sum(map(len, packed.values())) > MAX_BYTES:
        raise UsageError(f"your games are too large for one file ({MAX_BYTES >> 20} MB): move finished games away")
    made = saved.write_zip(packed, {"kind": "copy", "time": clock.now()}, home, key)
    note_saved(home, "everything")
    return made


def note_saved(home: Path, what: str) -> None:
    """Record the time at which ``what`` was saved: everything, or the fingerprint of a key."""
    jsonfiles.write_object(home / SAVED, {**jsonfiles.read_object(home / SAVED), what: clock.now()})


def _collect(home: Path) -> dict[str, bytes]:
    """Return the files for the zip. Records name places in the zip. Keys of SSH itself never leave."""
    packed = dict(_read_folder(home, "**/*"))
    secret = [name for name in packed if saved.SECRETS.match(name) and b"what-if" not in packed[_find_record(name)]]
    own = {name: saved.parse(packed.pop(name)) for name in secret}
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
            for seq in (each for each in own if kind == "folder" and each.startswith(f"{name[:-10]}/journal/")):
                if text := str(own[seq].get("text", "")):
                    packed.setdefault(f"{inside}/{seq[-9:-5]}.yaml", text.encode("utf-8"))
        if "what-if" not in data:
            data.pop("secret", None)
        if data or name == remembered.FILE:  # a damaged record travels, but is not opened
            packed[name] = canon(data)
    return packed


def _find_record(name: str) -> str:
    """Return the name of the record's file for a file of its journal."""
    return f"{name.partition('/journal/')[0]}/game.json"


def _read_folder(folder: Path, pattern: str) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.glob(pattern)):
        name = path.relative_to(folder).as_posix()
        if saved.can_travel(name) and path.is_file() and not path.is_symlink():
            yield name, files.read(path, MAX_BYTES)


@frozen
class Opening:
    """A saved folder that can be opened. ``own``: the player's own key signed the folder. ``signer``: who signed.

    ``games``: first digits of the id, name and treatment of each record. ``left_out``: lines about unopened files.
    """

    home: Path
    folder: Saved = field(repr=False)
    own: bool
    signer: str
    keys: tuple[str, ...]
    games: tuple[tuple[str, str, str], ...]
    left_out: tuple[str, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """The description for a terminal."""
        games = [f"game {short}, {name}: {treatment}" for short, name, treatment in self.games]
        return (self.signer, *self.keys, *games, *self.left_out)


@frozen
class Opened:
    """The opened games: first digits of the id -> newest message number. ``left``: why other games were not opened."""

    games: Mapping[str, str]
    left: Mapping[str, str]


def survey_saved(file: IO[bytes], home: Path) -> Opening:
    """Return what opening a saved folder would change on this machine. Raises FileError for a damaged zip."""
    home, folder = Path(os.path.realpath(home)), saved.read_zip(file.read(MAX_BYTES + 1))
    if machine.get_machine().page:
        _refuse_keys(folder.files)
    own, signer = arriving.find_signer(home, folder)
    games = tuple(arriving.list_games(home, folder, own=own))
    listed, left_out = arriving.list_keys(folder, own=own), arriving.list_left_out(folder, own=own)
    return Opening(home, folder, own, signer, tuple(listed), games, tuple(left_out))


def open_saved(opening: Opening) -> Opened:
    """Open a saved folder: write missing files, rebuild records, and accept newer messages. Raises DiskError.

    After an interruption, another call completes the work.
    """
    home, folder = opening.home, opening.folder
    games, left, turns = dict[str, str](), dict[str, str](), arriving.list_turns(folder)
    remade = arriving.find_remade(folder) if opening.own else {}
    try:
        disk.make_private(home)
        if opening.own:
            shutil.rmtree(home / f"{disk.PREFIX}opening", ignore_errors=True)
            arriving.write_others(home, folder)
    except (OSError, DiskError) as error:
        raise DiskError(f"{error}; open the file again") from None
    for record, place in remade.items():
        game = str(saved.parse(folder.files[f"{record}/game.json"]).get("game", ""))
        base = home / saved.find_base(f"{record}/")
        try:
            if not arriving.is_whole(base, game):
                desk = arriving.make_game(home, folder, record, place, turns.get(game, ()))
                arriving.take_papers(base, folder, desk)
                games[record[-16:]] = str(desk.last.seq)
        except KurskError as error:
            left[record[-16:]] = str(error)
    for game, found in turns.items():
        for base, own in arriving.list_seats(home, game):
            try:
                before = arriving.open_desk(base, own)
                desk = arriving.take_turns(before, found)
                arriving.take_papers(base, folder, desk)
                if desk.last.id != before.last.id:
                    games[game[:16]] = str(desk.last.seq)
            except KurskError as error:
                left.setdefault(game[:16], str(error))
    return Opened(games, left)


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
                "nothing was opened: a key in the saved folder has a passphrase, but a page cannot ask for a "
                "passphrase. Open the folder with the installed program: 'kursk open FILE'"
            )


def delete_everything(home: Path) -> None:
    """Delete the private folder's content and the folders of its games. Raises DiskError."""
    places = [Path(own.folder) for own in journal.load_records(home)[0]] + disk.list_folder(home)
    try:
        for place in filter(os.path.lexists, places):
            shutil.rmtree(place) if place.is_dir() and not place.is_symlink() else place.unlink()
    except OSError as error:
        raise DiskError(f"{error.filename} cannot be deleted: {error.strerror}") from None
