"""Early turns, and proposals without acceptance: one file each until processed.

Only turns signed by a key of the game are kept, up to the quota of each side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from kursk_pbem.errors import FileError
from kursk_pbem.formats import files
from kursk_pbem.formats.canonical import MAX_BYTES
from kursk_pbem.post.mailbox import post_folder
from kursk_pbem.post.mailbox.quotas import Quota
from kursk_pbem.trust import messages, papers, turns
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper

UNDER_WAY = 4
"""Maximum number of consecutive messages of a game under way to a referee at once."""


def waiting_folder(home: Path) -> Path:
    """Return the folder of waiting turns."""
    return post_folder.locate(home) / "in" / "waiting"


def waiting_path(home: Path, game: str, turn: Message | Paper) -> Path:
    """Return the path of a waiting turn."""
    return waiting_folder(home) / game[:16] / f"{turn.seq:04d}-{turn.id[:16]}.yaml"


def list_games(home: Path) -> list[str]:
    """Return the first 16 digits of the id of each game that has waiting turns."""
    return [name for name in post_folder.list_names(waiting_folder(home)) if len(name) == 16]


def keep_turn(home: Path, game: str, turn: Message | Paper, quota: Quota) -> str:
    """Save a turn until it can be processed. Return '', or why there is no room for the turn. Raises DiskError."""
    path, raw = waiting_path(home, game, turn), _turn_bytes(turn)
    if not path.exists():
        theirs = [other for other in list_turns(home, game) if other.sender == turn.sender]
        size = sum(waiting_path(home, game, other).stat().st_size for other in theirs)
        if quota.is_full(len(theirs) + 1, size + len(raw)):
            return f"{len(theirs)} turns of the same side wait already"
        post_folder.write_file(path, raw)
    return ""


def _turn_bytes(turn: Message | Paper) -> bytes:
    """Return a turn's bytes without the position, because the game contains the position."""
    if isinstance(turn, Message):
        below = turn.state if turn.seq == 0 else None
        return messages.emit_for_mail(turn.content, turn.armour or "", below).encode("ascii")
    return papers.emit_paper(turn).encode("ascii")


def list_turns(home: Path, game: str) -> list[Message | Paper]:
    """Return the waiting turns of a game, in order of their message numbers."""
    root = waiting_folder(home) / game[:16]
    return list(_read_turns(root / name for name in post_folder.list_names(root) if name[:4].isdigit()))


def list_proposals(home: Path) -> Iterator[Message]:
    """Yield the waiting game proposals."""
    paths = (waiting_folder(home) / short / f"0000-{short}.yaml" for short in list_games(home))
    return (turn for turn in _read_turns(paths) if isinstance(turn, Message))


def delete_turn(home: Path, game: str, turn: Message | Paper) -> None:
    """Delete a waiting turn."""
    path = waiting_path(home, game, turn)
    path.unlink(missing_ok=True)
    if path.parent.is_dir() and not any(path.parent.iterdir()):
        path.parent.rmdir()


def _read_turns(paths: Iterable[Path]) -> Iterator[Message | Paper]:
    for path in paths:
        with suppress(OSError, FileError):
            turn = _read(files.read(path, MAX_BYTES), str(path))
            if isinstance(turn, Message | Paper):
                yield turn


_read = files.cache_reader(turns.read_turn)
