"""Turns that came before their predecessor, and proposals that nobody has accepted yet: kept until their time comes.

Only what a key of the game has signed is kept, so no stranger fills the disk (T49): of each side of a game 64, 2 MiB,
60 days. What one side writes takes no room from the other's, and what is proposed none from what is played.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kursk_pbem.desk import clock
from kursk_pbem.errors import FileError
from kursk_pbem.formats import files, times
from kursk_pbem.formats.canonical import MAX_BYTES
from kursk_pbem.post import place, seat
from kursk_pbem.trust import mail, messages, papers
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper
from kursk_pbem.trust.slip import Slip

MOST, MOST_BYTES, MOST_DAYS = 64, 2 * 1024 * 1024, 60
MOST_GAMES = 256
"""Games that are proposed and not accepted."""


def folder(home: Path) -> Path:
    """Where turns wait."""
    return place.root(home) / "in" / "waiting"


def path_of(home: Path, game: str, turn: Message | Paper) -> Path:
    """Where a turn of a game waits."""
    return folder(home) / game[:16] / f"{turn.seq:04d}-{turn.id[:16]}.yaml"


def games(home: Path) -> list[str]:
    """The first 16 digits of the ids of games of which something waits."""
    return [name for name in place.names(folder(home)) if len(name) == 16]


def keep(home: Path, game: str, turn: Message | Paper) -> str:
    """Keep a turn; why there is no room for it, '' if there is. UsageError."""
    path = path_of(home, game, turn)
    if path.exists():
        return ""
    if isinstance(turn, Message):
        raw = messages.mailed(turn.content, turn.armour or "", turn.state).encode("ascii")
    else:
        raw = papers.emit(turn).encode("ascii")
    beside = (path.parent / name for name in place.names(path.parent))
    theirs = [other for other in beside if seat.sender_of(other) == turn.sender]
    if len(theirs) >= MOST or sum(other.stat().st_size for other in theirs) + len(raw) > MOST_BYTES:
        return f"{len(theirs)} turns of the same side wait already"
    place.once(path, raw)
    return ""


def crowded(home: Path, game: str) -> str:
    """Why a game that is proposed here has no room to wait, '' if it has."""
    if (folder(home) / game[:16]).is_dir():
        return ""
    proposed = sum(any(name.startswith("0000-") for name in place.names(folder(home) / short)) for short in games(home))
    return f"{MOST_GAMES} proposals wait already" if proposed >= MOST_GAMES else ""


def turns(home: Path, game: str) -> Iterator[Message | Paper]:
    """What waits of a game, in order of the numbers; what has waited too long is gone."""
    there = folder(home) / game[:16]
    for name in place.names(there):
        path = there / name
        if times.between(clock.of_file(path), clock.now()) > MOST_DAYS * times.DAY:
            path.unlink(missing_ok=True)
            continue
        try:
            turn = mail.read(files.read(path, MAX_BYTES), str(path))
        except (OSError, FileError):
            continue
        if not isinstance(turn, Slip):
            yield turn


def drop(home: Path, game: str, turn: Message | Paper) -> None:
    """A turn waits no longer."""
    path = path_of(home, game, turn)
    if path.exists():
        path.unlink(missing_ok=True)
        if not any(path.parent.iterdir()):
            path.parent.rmdir()
