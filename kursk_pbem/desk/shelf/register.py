"""The games of a player: those of their private records, and the folders of games that lie at hand.

Message files are only looked at here, to choose among games; nothing is verified.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from kursk_pbem.errors import DiskError, FileError, KurskError, UsageError, Where
from kursk_pbem.formats import files, strictyaml
from kursk_pbem.formats.canonical import REFEREE, state_hash
from kursk_pbem.formats.text import to_utf8
from kursk_pbem.game import folders, journal
from kursk_pbem.game.journal import Record
from kursk_pbem.kernel.state import OVER
from kursk_pbem.trust import chains, sshsig
from kursk_pbem.trust.papers import FORFEIT

_TOURNAMENT = b"kursk-tournament:"
_OF_GAME = re.compile(r"game-[0-9a-f]{16}")
_FILE = re.compile(r"[0-9]{4}(\.draft\.yaml|\.yaml|\.json(\.sig)?)")
_FIELD = re.compile(rb'^"?kursk-pbem"?:|^\{.*"kursk-pbem":', re.MULTILINE)
_LOOKED_AT = 500
"""Folders that are looked through for games, besides those that are called like one."""


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
        return said(folders.message_path(self.folder, 0))

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
        others = [_one_line(str(name)) for who, name in names.items() if who != side] if isinstance(names, dict) else []
        return tuple(dict.fromkeys(([self.own.opponent] if self.own and self.own.opponent else []) + others))

    @property
    def opponent(self) -> str:
        """Whom this player plays; of a referee's game both players."""
        if self.own is None or self.own.side == REFEREE:
            return " against ".join(self.names)
        return self.names[0] if self.names else ""

    @cached_property
    def writer(self) -> str:
        """Who seems to write next; '' if the game seems to be over."""
        last = said(folders.message_path(self.folder, self.newest)) if self.newest > 0 else self.head
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
        """Whether the game seems to wait for this player."""
        return self.own is not None and self.writer == self.own.side

    @property
    def short(self) -> str:
        """What names it among a player's few games: the first digits of its id."""
        return self.game[:8]

    def __str__(self) -> str:
        between = " against " if self.own and self.own.side != REFEREE else ", "
        return folders.folder_name(self.game) + (between + _one_line(self.opponent) if self.opponent else "")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def said(path: Path) -> Mapping[str, Any]:
    """The plain data of a file, unverified; nothing if it cannot be read."""
    try:
        return _plain(folders.read_bytes(path), str(path))
    except FileError:
        return {}


@files.remembered
def _plain(raw: bytes, name: str) -> Mapping[str, Any]:
    return strictyaml.read_edited(raw, name).data


def every(home: Path, here: Path) -> tuple[Known, ...]:
    """The games of this player; where no private record is, those in and directly below the current folder.

    One that the player has forgotten is among them only if its folder is there again.
    """
    records, _faults = journal.every(home)
    games = [placed(own, here) for own in records]
    return tuple(known for known in games if known.here or not known.own or not known.own.forgotten) or at_hand(here)


def at_hand(here: Path) -> tuple[Known, ...]:
    """The game folders in and directly below a folder, whoever plays there."""
    games = [known for known in _walk(here) if isinstance(known, Known)]
    called = [known for known in games if known.folder.resolve().name == folders.folder_name(known.game)]
    played = {known.game for known in called}
    # where mails are saved among the folders of games, the first of them look like a game too
    return tuple(known for known in games if known in called or known.game not in played)


def met(home: Path, here: Path) -> tuple[Known, ...]:
    """All games that a desk has to do with, each once: its player's, and those at hand, which it may relay."""
    return tuple({known.game: known for known in (*at_hand(here), *every(home, here))}.values())


def damaged(here: Path) -> Iterator[KurskError]:
    """What is wrong with the folders of games in and directly below a folder whose message 0 cannot be read."""
    return (error for error in _walk(here) if isinstance(error, KurskError))


def _walk(here: Path) -> Iterator[Known | KurskError]:
    """The games in and directly below a folder; for one that is called like a game what is wrong with its message 0."""
    for place in (here, *_below(here)):
        first = folders.proposal_path(place)
        called = _OF_GAME.fullmatch(place.resolve().name) is not None
        try:
            if is_game(place) or (called and (closed(place) or any(place.glob("*.yaml")))):
                folders.need_one_line(place)
                yield Known(folders.read_message(first).id, short(place), None)
        except KurskError as error:
            if called:
                heal = "nothing is done in this game: put message 0, as it was mailed, back in its place"
                yield FileError(f"{error.message}; {heal}", error.where or Where(str(first)))


def _below(here: Path) -> list[Path]:
    """The folders in a folder: all that are called like a game, and of others no more than can be looked through."""
    with suppress(OSError):
        there = sorted(path for path in here.iterdir() if path.is_dir())
        others = [path for path in there if not _OF_GAME.fullmatch(path.name)]
        return sorted({*there} - {*others[_LOOKED_AT:]})
    return []


def closed(place: Path) -> bool:
    """Whether nobody may look into a folder that is there: what lies in it is not known, and is not gone."""
    return os.path.lexists(place) and not os.access(place, os.R_OK | os.X_OK)


def of_game(path: Path) -> bool:
    """Whether a file is one of a game: called like a message or a draft, or with the field that each of them has."""
    try:
        if not path.is_file() or _FILE.fullmatch(path.name) is not None:
            return path.is_file()
        return _FIELD.search(to_utf8(folders.read_bytes(path))) is not None
    except (KurskError, OSError, ValueError):
        return False


def is_game(place: Path) -> bool:
    """Whether a folder holds a game, and not the papers of a tournament, which begin with 0000.yaml, too."""
    with suppress(OSError, ValueError):
        first = folders.proposal_path(place)
        if first.is_file():
            with first.open("rb") as file:
                return file.read(len(_TOURNAMENT)) != _TOURNAMENT
    return False


def placed(own: Record, here: Path) -> Known:
    """A game of a record, its folder found again in the current one if it is gone from where it was."""
    last = Path(own.folder)
    held = _held(own, last)
    if held == (len(own.seqs) + 1, True):
        return Known(own.game, short(last), own)
    copies = [(_moved_to(own, place), place) for place in (here, *_below(here))]
    most, best = max(copies, key=lambda copy: copy[0])
    if most <= held:
        return Known(own.game, short(last) if held[0] else last, own, here=bool(held[0]))
    with suppress(UsageError):  # a private folder that cannot be written is no reason not to look
        own = journal.move(own.home, own, os.path.realpath(own.key), os.path.realpath(best))
    return Known(own.game, short(best), own)


def _held(own: Record, place: Path) -> tuple[int, bool]:
    """How many messages of the journal a folder holds, and one; whether it is played in: saved mails have no report.

    (0, False) for a folder without message 0.
    """
    with suppress(OSError):
        if folders.message_path(place, 0).is_file():
            held = sum(folders.message_path(place, seq).is_file() for seq in own.seqs)
            return held + 1, any(place.glob("report-*.txt")) or any(place.glob("*.draft.yaml"))
    return 0, False


def _moved_to(own: Record, place: Path) -> tuple[int, bool]:
    """What a folder holds (:func:`_held`) that may be the one that was moved; nothing where it cannot be that.

    It is not the place where nothing but the opponent's mails was saved. A draft is written into the folder found here,
    so a wrong one would hide the orders that lie in the right one.
    """
    held, played = _held(own, place)
    if not held or not holds(folders.message_path(place, 0), own.game):
        return 0, False
    there = played or place.resolve().name == folders.folder_name(own.game) or _proposed_alone(own)
    return (held, played) if there else (0, False)


def _proposed_alone(own: Record) -> bool:
    """Whether its player has proposed a game, and nothing came yet: nothing else lies in its folder.

    Of a damaged entry nobody can tell: it stops its own game alone.
    """
    with suppress(DiskError):
        slot = own.slot(0) if own.seqs == (0,) else None
        return slot is not None and slot.kind in journal.OWN
    return False


def holds(path: Path, message: str) -> bool:
    """Whether a file can be read, and is the message of this id."""
    with suppress(KurskError, OSError):
        return folders.read_message(path).id == message
    return False


def is_whole(path: Path, message: str) -> bool:
    """Return whether a file is the message of this id as it was signed: signature and position too."""
    with suppress(KurskError, OSError):
        held = folders.read_message(path)
        keys = chains.start_chain(folders.read_message(folders.message_path(path.parent, 0))).keys
        sshsig.verify(keys.get(held.sender, ""), sshsig.NAMESPACE, held.signed, held.armour or "")
        return held.id == message and (held.state is None or state_hash(held.state) == held.content.get("state-out"))
    return False


def short(path: Path) -> Path:
    """A path as people like to read it: relative, if it lies below the current folder."""
    with suppress(ValueError, OSError):
        return path.resolve().relative_to(Path.cwd())
    return path
