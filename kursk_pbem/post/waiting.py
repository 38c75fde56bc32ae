"""Turns that came before their predecessor, and proposals that nobody has accepted yet: kept until their time comes.

Only what a key of the game has signed is kept, so no stranger fills the disk (T49): of each side of a game 64, 2 MiB,
and 512 KiB before it is accepted. What one side writes takes no room from the other's, and what is proposed none from
what is played. A proposal that is older than 60 days makes room for another one, of strangers or of the same player.
Nothing else goes with time: a clock that jumps would take it away for good.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import count
from pathlib import Path

from kursk_pbem.desk import clock
from kursk_pbem.errors import FileError
from kursk_pbem.formats import files, strictyaml, times
from kursk_pbem.formats.canonical import MAX_BYTES, REFEREE
from kursk_pbem.game import disk
from kursk_pbem.post import came, place, seat
from kursk_pbem.trust import mail, messages, papers
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper

MOST, MOST_BYTES, MOST_DAYS = 64, 2 * 1024 * 1024, 60
MOST_PROPOSED = 2 * MAX_BYTES
"""Bytes of each side of a game that is proposed and not accepted: anybody may propose many."""
MOST_ALIKE = 4
"""Messages of a player with the same number: a player who is late could sign many, each looked at in every round."""
UNDER_WAY = 4
"""Messages of a game that may be on their way to a referee at once, each of which answers the one before."""
MOST_GAMES, MOST_EACH = 256, 16
"""Games that are proposed by strangers and not accepted; where there are so many, of somebody who is known here."""


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


def keep(
    home: Path, game: str, turn: Message | Paper, *, proposed: bool = False, first: Callable[[], None] = lambda: None
) -> str:
    """Keep a turn; why there is no room for it, '' if there is. UsageError.

    ``proposed``: nobody has accepted the game. ``first``: puts down what is known of it before it waits.
    """
    path = path_of(home, game, turn)
    if why := _full(home, game, turn, proposed=proposed):
        return why
    first()
    if not path.exists():
        place.once(path, _raw(turn))
    elif isinstance(turn, Message) and turn.seq > 0:
        _doubled(path, turn, _raw(turn))
    return ""


def _full(home: Path, game: str, turn: Message | Paper, *, proposed: bool) -> str:
    """Why there is no room for a turn to wait, '' if there is, or it waits already."""
    path = path_of(home, game, turn)
    root, names, alike = path.parent, tuple(place.names(path.parent)), f"{turn.seq:04d}-"
    if path.name in names:
        return ""
    theirs = [name for name, sender in zip(names, _senders(root, names), strict=True) if sender == turn.sender]
    room = MOST_PROPOSED if proposed else MOST_BYTES
    if len(theirs) >= MOST or sum((root / name).stat().st_size for name in theirs) + len(_raw(turn)) > room:
        return f"{len(theirs)} turns of the same side wait already"
    if turn.sender != REFEREE and sum(name.startswith(alike) for name in theirs) >= MOST_ALIKE:
        return f"{MOST_ALIKE} others with its number wait already"
    return ""


@lru_cache(4)
def _senders(root: Path, names: tuple[str, ...]) -> tuple[str, ...]:
    """Who has written each of the turns that wait of a game: looked for once, however many more come of it (T49).

    What somebody has signed gives its file the name: under the same name nobody else's stands later.
    """
    return tuple(seat.sender_of(root / name) for name in names)


def _raw(turn: Message | Paper) -> bytes:
    """The bytes of a turn as it waits."""
    if isinstance(turn, Message):
        return messages.mailed(turn.content, turn.armour or "", turn.state).encode("ascii")
    return papers.emit(turn).encode("ascii")


def _doubled(path: Path, turn: Message, raw: bytes) -> None:
    """Of two copies of a turn none waits with the position below it: that is not signed, and the game says it anyway.

    Whoever has the turn could mail a copy with another one, which is refused once its time comes. DiskError.
    """
    try:
        if place.read(path) != raw:
            disk.replace(path, messages.mailed(turn.content, turn.armour or "", None).encode("ascii"), 0o600)
    except OSError as error:
        raise place.fault(error) from None


def crowded(
    home: Path, game: str, key: str, circle: Callable[[], Container[str]], full: dict[str, str] | None = None
) -> str:
    """Why a game that is proposed here by the owner of a key has no room to wait, '' if it has.

    ``circle``: the keys of people who are known here. They have places of their own: strangers share the others.
    ``full``: for whom there was none before in this round, and why; '' stands for all strangers.
    """
    full = {} if full is None else full
    if (folder(home) / game[:16]).is_dir():
        return ""
    if len(shorts := games(home)) < MOST_GAMES:
        return ""
    who = key if key in (known := circle()) else ""
    if who in full:  # one mail may hold many more
        return full[who]
    there = {short: _files(home, short) for short in shorts}
    proposed = {short: paths for short, paths in there.items() if any(map(_proposes, paths))}
    if len(proposed) < MOST_GAMES:
        return ""
    by = {short: _proposer(paths) for short, paths in proposed.items()}
    if who:
        same, most, whose = [short for short, other in by.items() if other == who], MOST_EACH, "the same player"
    else:
        same, most = [short for short, other in by.items() if other not in known], MOST_GAMES
        whose = "people who are not known here"
    if len(same) >= most and not _made_room(home, {short: there[short] for short in same}):
        full[who] = f"{most} proposals of {whose} wait already"
    return full.get(who, "")


def _proposes(path: Path) -> bool:
    """Whether a proposal waits there, whose id is the game's: papers about it wait beside it."""
    return path.name == f"0000-{path.parent.name}.yaml"


def signer(turn: object) -> str:
    """The key that has signed a message 0, as it pins it; '' for anything else."""
    return str(turn.mapping("keys").get(turn.sender, "")) if isinstance(turn, Message) else ""


def proposer(home: Path, short: str) -> str:
    """The key that has signed the proposal which waits of a game; '' where that cannot be read."""
    return _proposer(_files(home, short))


def _proposer(paths: list[Path]) -> str:
    for path in paths:
        if _proposes(path):
            with suppress(OSError, FileError):
                as_it_is = path.stat()
                return _read_once(path, as_it_is.st_size, as_it_is.st_mtime_ns)
    return ""


@lru_cache(2 * MOST_GAMES)
def _read_once(path: Path, _size: int, _changed: int) -> str:
    """Who has signed a proposal: each is read once, however many more come (T49). OSError, FileError."""
    return signer(mail.read(files.read(path, MAX_BYTES), str(path)))


def _files(home: Path, short: str) -> list[Path]:
    root = folder(home) / short
    return [root / name for name in place.names(root)]


def _made_room(home: Path, games: dict[str, list[Path]]) -> bool:
    """Whether all that waits of one of these games was too old, and is gone now: of the oldest one alone.

    A clock that jumps would take all of them away.
    """
    came_at = {short: max(map(clock.of_file, paths)) for short, paths in games.items()}
    oldest = min(games, key=came_at.__getitem__)
    if times.between(came_at[oldest], clock.now()) <= MOST_DAYS * times.DAY:
        return False
    forget(home, oldest)
    return True


def forget(home: Path, short: str) -> None:
    """Nothing of a game that nobody has accepted waits any longer, and when it came is forgotten."""
    came.forget(home, short)
    for path in _files(home, short):
        path.unlink(missing_ok=True)
    with suppress(OSError):
        (folder(home) / short).rmdir()


def any_there(home: Path, game: str, wanted: Callable[[int, str], bool]) -> bool:
    """Whether something waits of a game that is ``wanted``; of what cannot be read the sender is ''."""
    return any(True for _path in _wanted(home, game, wanted))


def _wanted(home: Path, game: str, wanted: Callable[[int, str], bool]) -> Iterator[Path]:
    for path in _files(home, game[:16]):
        if path.name[:4].isdigit() and wanted(int(path.name[:4]), seat.sender_of(path)):
            yield path


def turns(
    home: Path, game: str, wanted: Callable[[int, str], bool] = lambda _number, _sender: True
) -> Iterator[Message | Paper]:
    """What waits of a game, in order of the numbers. Only what is ``wanted``, by number and sender, is read."""
    for path in _wanted(home, game, wanted):
        try:
            turn = _mail(files.read(path, MAX_BYTES), str(path))
        except (OSError, FileError):
            continue
        if isinstance(turn, Message | Paper):
            yield turn


def next_up(home: Path, game: str, seq: int, arrived: Container[int]) -> int:
    """The number of the message that is due once those that ``arrived`` and those that wait are taken; now ``seq`` is.

    What waits behind it costs nothing in this round.
    """
    there = {int(path.name[:4]) for path in _files(home, game[:16]) if path.name[:4].isdigit()}
    return next(number for number in count(seq) if number not in there and number not in arrived)


def proposals(home: Path, field: str) -> Iterator[tuple[str, object]]:
    """The proposals that wait: the first digits of the game, and what stands in a field of message 0, None if nothing.

    No more of them is read: anybody may propose many with long scenarios of their own (T49).
    """
    block = re.compile(rb"^%b:[^\n]*\n(?: [^\n]*\n)*" % field.encode("ascii"), re.MULTILINE)
    for short in games(home):
        for path in _files(home, short):
            if _proposes(path):
                with suppress(OSError, FileError):
                    said = block.search(files.read(path, MAX_BYTES))
                    yield short, strictyaml.read(said[0], str(path)).data.get(field) if said else None


_mail = files.remembered(mail.read)


def drop(home: Path, game: str, turn: Message | Paper) -> None:
    """A turn waits no longer."""
    path = path_of(home, game, turn)
    if path.exists():
        path.unlink(missing_ok=True)
        if not any(path.parent.iterdir()):
            path.parent.rmdir()
