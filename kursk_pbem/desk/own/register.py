"""Games of a player: games of the private records, and game folders nearby.

This module reads message files without verification.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

from kursk_pbem.errors import FileError, KurskError, UsageError, Where
from kursk_pbem.formats import files, strictyaml
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.formats.text import to_utf8
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders, journal
from kursk_pbem.game.journal import Record
from kursk_pbem.kernel.state import OVER
from kursk_pbem.trust.papers import FORFEIT

DEMONSTRATIONS, HOT_SEAT, PRACTICE, WHAT_IF = "demonstrations", "hot-seat", "practice", "what-if"
"""Folders inside the private folder: demonstrations, games of both sides, games against the program, what-if games."""
GAMES_INSIDE = (DEMONSTRATIONS, HOT_SEAT, PRACTICE, WHAT_IF)
OPPONENT = "opponent.json"
"""The file in the private folder of a practice opponent, with its level."""
_OF_GAME = re.compile(r"game-[0-9a-f]{16}")
_FILE = re.compile(r"[0-9]{4}(\.draft\.yaml|\.yaml|\.json(\.sig)?)")
_FIELD = re.compile(rb'^"?kursk-pbem"?:|^\{.*"kursk-pbem":', re.MULTILINE)
_LOOKED_AT = 500
"""Maximum number of searched folders without a game's name."""


@frozen
class Known:
    """A game: id, folder and private record (None for auditors and relaying referees).

    ``here``: whether the folder exists.
    """

    game: str
    folder: Path
    own: Record | None
    here: bool = True

    @cached_property
    def head(self) -> Mapping[str, Any]:
        """The fields of message 0, not verified; {} if message 0 is unreadable."""
        return read_fields(folders.message_path(self.folder, 0))

    def has_key(self, public: str) -> bool:
        """Return whether message 0 names this public key. Message 0 is not verified here."""
        keys = self.head.get("keys")
        return isinstance(keys, dict) and public in keys.values()

    @cached_property
    def newest(self) -> int:
        """The number of the newest message file, -1 without a file."""
        with suppress(KurskError):
            return len(folders.message_files(self.folder)) - 1
        return -1

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the other players: first the player's private name for the opponent, then the names in message 0."""
        names = self.head.get("names")
        side = self.own.side if self.own else ""
        others = (
            [_join_lines(str(name)) for who, name in names.items() if who != side] if isinstance(names, dict) else []
        )
        return tuple(dict.fromkeys(([self.own.opponent] if self.own and self.own.opponent else []) + others))

    @property
    def opponent(self) -> str:
        """The opponent's name. For a referee: the names of both players."""
        if self.own is None or self.own.side == REFEREE:
            return " against ".join(self.names)
        return self.names[0] if self.names else ""

    @cached_property
    def writer(self) -> str:
        """The side that seems to write next; '' if the game seems to be over."""
        last = read_fields(folders.message_path(self.folder, self.newest)) if self.newest > 0 else self.head
        state = last.get("state")
        over = (
            last.get("type") == "resign"
            or last.get("reply") == "accept"
            or (isinstance(state, dict) and state.get("stage") == OVER)
            or (self.folder / f"{FORFEIT}.yaml").exists()
        )
        sender = str(last.get("from", ""))
        if over or not sender:
            return ""
        if self.head.get("dice-from") == REFEREE:
            return str(last.get("next", "")) if sender == REFEREE else REFEREE
        keys = self.head.get("keys")
        sides = [who for who in keys if who not in (REFEREE, sender)] if isinstance(keys, dict) else []
        return sides[0] if sides else ""

    @property
    def waits(self) -> bool:
        """Whether this player seems to write the next message."""
        return self.own is not None and self.writer == self.own.side

    @property
    def proposed(self) -> bool:
        """Whether the game is a proposal of this player that seems to have no answer."""
        return self.own is not None and self.newest == 0 and self.head.get("from") == self.own.side

    @property
    def hidden(self) -> bool:
        """Whether lists leave the game out: a withdrawn proposal, or a dismissed game without a folder.

        Also left out: a what-if game that lacks messages, because its creation was interrupted.
        """
        own = self.own
        if own is None:
            return False
        unfinished = own.what_if is not None and self.newest < own.what_if
        return unfinished or (own.withdrawn and self.newest <= 0) or (not self.here and own.forgotten)

    @property
    def unwanted(self) -> bool:
        """Whether the opponent accepted a withdrawn proposal, and the player has written nothing since."""
        return self.newest == 1 and self.own is not None and self.own.withdrawn

    @property
    def practice(self) -> bool:
        """Whether the game is a demonstration or a practice game."""
        return self.own is not None and is_inside(self.own.home, self.folder, GAMES_INSIDE)

    @property
    def short(self) -> str:
        """The first digits of the game's id."""
        return self.game[:8]

    def __str__(self) -> str:
        between = " against " if self.own and self.own.side != REFEREE else ", "
        return folders.folder_name(self.game) + (between + _join_lines(self.opponent) if self.opponent else "")


def fold_name(text: str) -> str:
    """Return a name in lower case with each accented letter as one code point, for comparison."""
    return unicodedata.normalize("NFC", text).casefold().strip()


def is_inside(home: Path, path: Path, names: Iterable[str]) -> bool:
    """Return whether a path is inside one of the folders called ``names`` in the private folder ``home``."""
    return not {home.resolve() / name for name in names}.isdisjoint(path.resolve().parents)


def _join_lines(text: str) -> str:
    return " ".join(text.split())


def read_fields(path: Path) -> Mapping[str, Any]:
    """Return the fields of a message file, not verified; {} if the file is unreadable."""
    try:
        return _parse_fields(folders.read_bytes(path), str(path))
    except FileError:
        return {}


@files.cache_reader
def _parse_fields(raw: bytes, name: str) -> Mapping[str, Any]:
    return strictyaml.read_edited(raw, name).data


def list_games(home: Path, here: Path, nearby: tuple[Known, ...] | None = None) -> tuple[Known, ...]:
    """Return the games of this player; without private records, the games in and directly below ``here``.

    A dismissed game is left out unless the folder exists again, a withdrawn proposal unless the opponent accepted.
    ``nearby``: the games in and directly below ``here``, if already known.
    """
    records, _faults = journal.load_records(home)
    games = [locate_game(own, here) for own in records]
    hidden = {known.game for known in games if known.hidden}
    shown = tuple(known for known in games if known.game not in hidden)
    if shown:
        return shown
    return tuple(known for known in (list_nearby(here) if nearby is None else nearby) if known.game not in hidden)


def find_latest(home: Path, here: Path, name: str, *, over: bool = False) -> str:
    """Return the id of the newest running game in the folder ``name`` of the private folder; '' if none.

    ``over``: include games that are over.
    """
    games = [known for known in list_games(home, here) if known.here and (over or known.writer)]
    going = [known for known in games if is_inside(home, known.folder, (name,))]
    return max(going, key=lambda known: known.folder.stat().st_mtime_ns).game if going else ""


def list_nearby(here: Path) -> tuple[Known, ...]:
    """Return the games in and directly below a folder."""
    games = [known for known in _walk_folders(here) if isinstance(known, Known)]
    called = [known for known in games if Path(os.path.realpath(known.folder)).name == folders.folder_name(known.game)]
    played = {known.game for known in called}
    # the first folder of saved mails looks like a game, too
    return tuple(known for known in games if known in called or known.game not in played)


def every(home: Path, here: Path) -> tuple[Known, ...]:
    """Return the player's games, and the games in and directly below ``here``, each game once."""
    nearby = list_nearby(here)
    return tuple({known.game: known for known in (*nearby, *list_games(home, here, nearby))}.values())


def list_damaged(here: Path) -> Iterator[KurskError]:
    """Yield an error for each game with an unreadable message 0, in and directly below a folder."""
    return (error for error in _walk_folders(here) if isinstance(error, KurskError))


def _walk_folders(here: Path) -> Iterator[Known | KurskError]:
    """Yield the games in and directly below a folder, and the faults of folders named like a game."""
    for place in (here, *_list_subfolders(here)):
        first = folders.proposal_path(place)
        called = _OF_GAME.fullmatch(os.path.realpath(place).rpartition(os.sep)[2]) is not None
        try:
            if folders.is_game_folder(place) or (called and (is_unreadable(place) or any(place.glob("*.yaml")))):
                folders.need_one_line(place)
                yield Known(folders.read_message(first).id, shorten_path(place), None)
        except KurskError as error:
            if called:
                heal = "the game cannot continue: put message 0 back, as received by mail"
                yield FileError(f"{error.message}; {heal}", error.where or Where(str(first)))


def _list_subfolders(here: Path) -> list[Path]:
    """Return the subfolders: all folders named like a game, and a limited number of others."""
    with suppress(OSError):
        there = sorted(path for path in here.iterdir() if path.is_dir())
        others = [path for path in there if not _OF_GAME.fullmatch(path.name)]
        return sorted({*there} - {*others[_LOOKED_AT:]})
    return []


def is_unreadable(place: Path) -> bool:
    """Return whether a folder exists but cannot be read."""
    return os.path.lexists(place) and not os.access(place, os.R_OK | os.X_OK)


def is_game_file(path: Path) -> bool:
    """Return whether a file is a game file, judged by its name or its first field."""
    try:
        if not path.is_file() or _FILE.fullmatch(path.name) is not None:
            return path.is_file()
        return _FIELD.search(to_utf8(folders.read_bytes(path))) is not None
    except (KurskError, OSError, ValueError):
        return False


def locate_game(own: Record, here: Path) -> Known:
    """Return the game of a private record. If the game's folder is missing, search in and below ``here``."""
    last = Path(own.folder)
    if folders.message_path(last, 0).is_file():
        return Known(own.game, shorten_path(last), own)
    moved = next((place for place in (here, *_list_subfolders(here)) if _is_moved(own, place)), None)
    if moved is None:
        return Known(own.game, last, own, here=False)
    with suppress(UsageError):  # reading must work with a read-only private folder
        own = journal.move(own.home, own, os.path.realpath(own.key), os.path.realpath(moved))
    return Known(own.game, shorten_path(moved), own)


def _is_moved(own: Record, place: Path) -> bool:
    """Return whether a folder is the moved folder of a game.

    A folder of saved mails has no reports. It must not be selected: a draft there would hide the real draft.
    """
    if not folders.has_message(folders.message_path(place, 0), own.game):
        return False
    played = any(place.glob("report-*.txt")) or any(place.glob("*.draft.yaml"))
    return played or place.resolve().name == folders.folder_name(own.game)


def shorten_path(path: Path) -> Path:
    """Return a path relative to the current folder if possible."""
    with suppress(ValueError, OSError):
        return Path(os.path.realpath(path)).relative_to(Path.cwd())
    return path
