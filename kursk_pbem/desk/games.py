"""Which game a player means: nothing typed, part of an id, the opponent's name, a folder, a message or a draft file.

``boris/3`` is message 3 of the game with Boris, wherever its folder lies.

The games of a player are those of their private records; without any, those in the current folder. What is read here
only chooses among them, and nothing is verified: a command verifies the game that was chosen, and says which it is.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from kursk_pbem.errors import FileError, KurskError, UsageError
from kursk_pbem.formats import strictyaml
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import folder as folders
from kursk_pbem.game import journal
from kursk_pbem.game.journal import Record
from kursk_pbem.kernel.state import OVER
from kursk_pbem.trust.paper import FORFEIT

LEAST = 4
"""Digits of an id that name a game, where ``game-`` does not stand before them."""
_PATH = re.compile(r"[\\/]|\.(ya?ml|json|eml|mbox|txt)\Z")
_LOOKED_AT = 500
"""Folders that are looked through for one that was moved."""


@dataclass(frozen=True)
class Known:
    """A game: its id, its folder, the private record of it (None: an onlooker's or a relaying referee's).

    ``here``: whether its folder is there.
    """

    game: str
    folder: Path
    own: Record | None
    here: bool = True

    @cached_property
    def head(self) -> Mapping[str, Any]:
        """What message 0 says, unverified; nothing if it cannot be read."""
        return _said(folders.message_path(self.folder, 0))

    @cached_property
    def newest(self) -> int:
        """The number of the newest message in the folder; -1: there is none."""
        with suppress(KurskError):
            return len(folders.message_files(self.folder)) - 1
        return -1

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What the others are called: as this player calls the opponent, then as message 0 does."""
        names = self.head.get("names")
        side = self.own.side if self.own else ""
        found = [str(name) for who, name in names.items() if who != side] if isinstance(names, dict) else []
        return tuple(dict.fromkeys(([self.own.opponent] if self.own and self.own.opponent else []) + found))

    @property
    def opponent(self) -> str:
        """Whom this player plays; of a referee's game both players."""
        if self.own is None or self.own.side == REFEREE:
            return " against ".join(self.names)
        return self.names[0] if self.names else ""

    @cached_property
    def writer(self) -> str:
        """Who seems to write next; '' if the game seems to be over."""
        last = _said(folders.message_path(self.folder, self.newest)) if self.newest > 0 else self.head
        state = last.get("state")
        over = (
            last.get("type") == "resign"
            or last.get("reply") == "accept"
            or (isinstance(state, dict) and state.get("stage") == OVER and self.head.get("dice-from") != REFEREE)
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
        """Whether the game seems to wait for this player."""
        return self.own is not None and self.writer == self.own.side

    @property
    def short(self) -> str:
        """What names it among a player's few games: the first digits of its id."""
        return self.game[:8]

    def __str__(self) -> str:
        against = f" against {self.opponent}" if self.own and self.own.side != REFEREE else f", {self.opponent}"
        return folders.folder_name(self.game) + (_one_line(against) if self.opponent else "")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _said(path: Path) -> Mapping[str, Any]:
    """The plain data of a file, unverified; nothing if it cannot be read."""
    try:
        return strictyaml.read(folders.read_bytes(path), str(path)).data
    except FileError:
        return {}


class NoGameError(UsageError):
    """No game is meant by what was typed; perhaps the private folder is the wrong one."""


class SeveralGamesError(UsageError):
    """Several games may be meant: ``found``. The player is asked, or told what to type."""

    def __init__(self, found: Sequence[Known], why: str) -> None:
        listed = "".join(f"\n  {each.short}  {each}, {_due(each)}" for each in found)
        super().__init__(f"{why}; name one by the first digits of its id, such as {found[0].short!r}:{listed}")
        self.found = tuple(found)
        self.why = why


def _due(known: Known) -> str:
    if known.waits:
        return f"message {known.newest + 1} is yours"
    return f"message {known.newest + 1} is for {known.writer} to write" if known.writer else "over"


def every(home: Path, here: Path) -> tuple[Known, ...]:
    """The games of this player; where no private record is, those in and directly below the current folder."""
    records, _faults = journal.every(home)
    return tuple(_placed(own, here) for own in records) or at_hand(here)


def at_hand(here: Path) -> tuple[Known, ...]:
    """The game folders in and directly below a folder, whoever plays there."""
    found = []
    for place in (here, *_below(here)):
        if is_game(place):
            with suppress(KurskError):
                found.append(Known(folders.read_message(folders.proposal_path(place)).id, _short(place), None))
    return tuple(found)


def _below(here: Path) -> list[Path]:
    with suppress(OSError):
        return sorted(each for each in here.iterdir() if each.is_dir())[:_LOOKED_AT]
    return []


def is_game(place: Path) -> bool:
    """Whether a folder holds a game."""
    with suppress(OSError):
        return folders.proposal_path(place).is_file()
    return False


def _placed(own: Record, here: Path) -> Known:
    """A game of a record, its folder found again in the current one if it is gone from where it was."""
    last = Path(own.folder)
    if folders.message_path(last, 0).is_file():
        return Known(own.game, _short(last), own)
    for place in (here, *_below(here)):
        if folders.message_path(place, 0).is_file() and _holds(place, own.game):
            with suppress(UsageError):  # a private folder that cannot be written is no reason not to look
                own = journal.move(own.home, own, os.path.realpath(own.key), os.path.realpath(place))
            return Known(own.game, _short(place), own)
    return Known(own.game, last, own, here=False)


def _holds(place: Path, game: str) -> bool:
    with suppress(KurskError):
        return folders.read_message(folders.message_path(place, 0)).id == game
    return False


def _short(path: Path) -> Path:
    """A path as people like to read it: relative, if it lies below the current folder."""
    with suppress(ValueError, OSError):
        return path.resolve().relative_to(Path.cwd())
    return path


def find(typed: str, home: Path, here: Path) -> Path:
    """What was typed, as a path: a game folder, or the message or draft file that was named.

    '' is the game folder that one stands in, otherwise the one game that waits for this player. NoGameError,
    SeveralGamesError; UsageError if its folder is gone.
    """
    if not typed and is_game(here):
        return Path()
    path = _path(typed, home, here) if typed else None
    if path is not None:
        return path
    games = every(home, here)
    found = _matching(typed, games) if typed else list(games)
    if typed and not found:
        found = _matching(typed, at_hand(here))
    if not found:
        raise _none(typed, games)
    return there(narrow(found, typed))


def _none(typed: str, games: Sequence[Known]) -> UsageError:
    """Why nothing was found."""
    if not typed:
        return NoGameError("there is no game here")
    why = f"{typed}: there is no such file or folder, and no game is called so"
    return UsageError(f"{why}; 'kursk status' lists your games") if games else NoGameError(why)


def there(known: Known) -> Path:
    """The folder of a game. UsageError if it is gone."""
    if known.here:
        return known.folder
    raise UsageError(
        f"{known}: its folder is not in {known.folder} any more. If you have moved it, go to the folder that it lies "
        f"in now and give the command again; if it is lost, 'kursk restore {known.folder} MAILS' makes it anew"
    )


def _path(typed: str, home: Path, here: Path) -> Path | None:
    """A path that was typed; None if it is rather the name of a game."""
    path = Path(typed)
    try:
        if path.is_dir():
            return path if is_game(path) or not _matching(typed, every(home, here)) else None
        if path.exists():
            return _own_copy(path, home, here)
    except (OSError, ValueError):  # a name too long, a NUL
        return path
    if not _PATH.search(typed):
        return None
    within, name = os.path.split(typed)
    if not within or path.parent.exists():
        return path
    games = every(home, here)
    found = [each for each in games if path.parent.name == folders.folder_name(each.game)] or _matching(within, games)
    if not found:
        return path
    name = f"{int(name):04d}.yaml" if re.fullmatch("[0-9]{1,4}", name) else name
    return there(narrow(found, within)) / name


def _own_copy(path: Path, home: Path, here: Path) -> Path:
    """The file of a game folder that says the very same as this copy of it from a mail; the copy, if there is none."""
    if is_game(path.parent):
        return path
    with suppress(KurskError):
        message = folders.read_message(path)
        game = message.id if message.seq == 0 else str(message.content.get("game", ""))
        for known in every(home, here):
            mine = folders.message_path(known.folder, message.seq)
            if known.game == game and mine.is_file() and folders.read_message(mine).id == message.id:
                return mine
    return path


def _matching(typed: str, games: Sequence[Known]) -> list[Known]:
    """The games that a word names: by the beginning of the id, or of a word of a name; the whole name comes first."""
    word = typed.casefold().strip()
    digits = word.removeprefix("game-")
    is_id = bool(re.fullmatch("[0-9a-f]{1,64}", digits)) and (digits != word or len(digits) >= LEAST)
    exact = [each for each in games if word in {name.casefold() for name in each.names}]
    if exact or not word:
        return exact
    return [each for each in games if (is_id and each.game.startswith(digits)) or _called(word, each.names)]


def _called(word: str, names: Sequence[str]) -> bool:
    return len(word) > 1 and any(re.search(rf"(?:\A|\W){re.escape(word)}", name.casefold()) for name in names)


def narrow(found: Sequence[Known], typed: str = "") -> Known:
    """Of several games the one that waits for this player; if none waits the only one that goes on.

    SeveralGamesError if that is not one.
    """
    if len(found) == 1:
        return found[0]
    waiting = [each for each in found if each.waits]
    going = waiting or [each for each in found if each.writer] or list(found)
    if len(going) == 1:
        return going[0]
    what = f"{len(going)} games are called {typed!r}" if typed else f"{len(going)} games"
    how = " and wait for you" if typed and waiting else " wait for you" if waiting else ""
    raise SeveralGamesError(going, what + (how or (" go on" if going[0].writer and not typed else "")))


def names(word: str, home: Path, here: Path) -> bool:
    """Whether a word names a game, where it might be something else. UsageError where it names a game and a file."""
    called = bool(_matching(word, every(home, here)))
    try:
        path = Path(word)
        if path.is_dir():
            return called or is_game(path)
        if not path.is_file() or "kursk-pbem" in _said(path):
            return called or path.is_file()
    except (OSError, ValueError):
        return called
    if called:
        raise UsageError(f"{word} is a file here, and a game is called so: write './{word}' if the file is meant")
    return False


def draft(path: Path) -> Path:
    """The draft of the message that is due in a game, there or not; any file stays as it is. UsageError, TrustError."""
    return folders.draft_path(path, len(folders.message_files(path))) if path.is_dir() else path


def ahead(path: Path, home: Path) -> Path:
    """The draft in a game folder, if this player has one there; otherwise the folder. Any file stays as it is."""
    if not path.is_dir():
        return path
    known = next((each for each in every(home, path) if _same(each.folder, path)), None)
    if known is None or known.own is None or not known.waits:
        return path
    due = folders.draft_path(path, known.newest + 1)
    return due if due.is_file() else path


def _same(one: Path, other: Path) -> bool:
    with suppress(OSError):
        return one.resolve() == other.resolve()
    return False
