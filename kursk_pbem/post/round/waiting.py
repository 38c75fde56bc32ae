"""Turns that came before their predecessor, and proposals that nobody has accepted yet: kept until their time comes.

Only what a key of the game has signed is kept, and of each side so much as ``quotas`` says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from kursk_pbem.errors import FileError
from kursk_pbem.formats import files, strictyaml
from kursk_pbem.formats.canonical import MAX_BYTES
from kursk_pbem.post.mailbox import came, place, quotas
from kursk_pbem.post.round import seat
from kursk_pbem.trust import mail, messages, papers
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper

UNDER_WAY = 4
"""Messages of a game that may be on their way to a referee at once, each of which answers the one before."""


def folder(home: Path) -> Path:
    """Where turns wait."""
    return place.root(home) / "in" / "waiting"


def path_of(home: Path, game: str, turn: Message | Paper) -> Path:
    """Where a turn of a game waits."""
    return folder(home) / game[:16] / f"{turn.seq:04d}-{turn.id[:16]}.yaml"


def games(home: Path) -> list[str]:
    """The first 16 digits of the ids of games of which something waits."""
    return [name for name in place.names(folder(home)) if len(name) == 16]


def told(turn: Message | Paper, owed: int, *, own: bool) -> str:
    """For what a turn waits where message ``owed`` is the next one, in words; ``own``: whoever reads them writes it."""
    missing = f"messages {owed} to {turn.seq - 1}, which have"
    if isinstance(turn, Paper) or turn.seq == owed + 1:
        missing = f"message {turn.seq if isinstance(turn, Paper) else owed}, which has"
    twice = f"if you signed your message {owed} elsewhere, sign no second one"
    also = f": {twice}; 'kursk restore GAME MAILS' takes it from a copy of its mail" if own else ""
    return f"it waits for {missing} not come yet{also}"


def keep(home: Path, game: str, turn: Message | Paper, quota: str) -> str:
    """Keep a turn; why there is no room for it, '' if there is. DiskError."""
    path, raw = path_of(home, game, turn), _raw(turn)
    if not path.exists():
        theirs = [there for there in _files(home, game[:16]) if seat.sender_of(there) == turn.sender]
        if quotas.full(quota, len(theirs) + 1, sum(there.stat().st_size for there in theirs) + len(raw)):
            return f"{len(theirs)} turns of the same side wait already"
        place.once(path, raw)
    return ""


def _raw(turn: Message | Paper) -> bytes:
    """The bytes of a turn as it waits: without the position below it, which is not signed, and the game says anyway."""
    if isinstance(turn, Message):
        below = turn.state if turn.seq == 0 else None
        return messages.mailed(turn.content, turn.armour or "", below).encode("ascii")
    return papers.emit(turn).encode("ascii")


def _proposes(path: Path) -> bool:
    """Whether a proposal waits there, whose id is the game's: papers about it wait beside it."""
    return path.name == f"0000-{path.parent.name}.yaml"


def signer(turn: object) -> str:
    """The key that has signed a message 0, as it pins it; '' for anything else."""
    return str(turn.mapping("keys").get(turn.sender, "")) if isinstance(turn, Message) else ""


def proposers(home: Path) -> dict[str, str]:
    """The keys that have signed the proposals that wait, by the first digits of their games."""
    return {path.parent.name: signer(turn) for path, turn in _read(home, games(home), _proposes)}


def forget(home: Path, short: str) -> None:
    """Nothing of a game that nobody has accepted waits any longer, and when it came is forgotten."""
    came.forget(home, short)
    for path in _files(home, short):
        path.unlink(missing_ok=True)
    with suppress(OSError):
        (folder(home) / short).rmdir()


def any_there(home: Path, game: str, wanted: Callable[[int, str], bool]) -> bool:
    """Whether something waits of a game that is ``wanted``; of what cannot be read the sender is ''."""
    return any(wanted(_number(path), seat.sender_of(path)) for path in _files(home, game[:16]))


def turns(
    home: Path, game: str, wanted: Callable[[int, str], bool] = lambda _number, _sender: True
) -> Iterator[Message | Paper]:
    """What waits of a game, in order of the numbers. Only what is ``wanted``, by number and sender, is read."""
    for _path, turn in _read(home, [game[:16]], lambda path: wanted(_number(path), seat.sender_of(path))):
        yield turn


def proposals(home: Path, field: str) -> Iterator[tuple[str, object]]:
    """The proposals that wait: the first digits of the game, and what stands in a field of message 0, None if nothing.

    No more of them is read: many may wait, with long scenarios of their own.
    """
    block = re.compile(rb"^%b:[^\n]*\n(?: [^\n]*\n)*" % field.encode("ascii"), re.MULTILINE)
    for short in games(home):
        for path in filter(_proposes, _files(home, short)):
            with suppress(OSError, FileError):
                said = block.search(files.read(path, MAX_BYTES))
                yield short, strictyaml.read(said[0], str(path)).data.get(field) if said else None


def drop(home: Path, game: str, turn: Message | Paper) -> None:
    """A turn waits no longer."""
    path = path_of(home, game, turn)
    if path.exists():
        path.unlink(missing_ok=True)
        if not any(path.parent.iterdir()):
            path.parent.rmdir()


def _files(home: Path, short: str) -> list[Path]:
    root = folder(home) / short
    return [root / name for name in place.names(root) if name[:4].isdigit()]


def _number(path: Path) -> int:
    return int(path.name[:4])


def _read(home: Path, shorts: list[str], wanted: Callable[[Path], bool]) -> Iterator[tuple[Path, Message | Paper]]:
    for path in (path for short in shorts for path in _files(home, short) if wanted(path)):
        with suppress(OSError, FileError):
            turn = _mail(files.read(path, MAX_BYTES), str(path))
            if isinstance(turn, Message | Paper):
                yield path, turn


_mail = files.remembered(mail.read)
