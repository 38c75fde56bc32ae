"""A game message by message, every one verified: what a command needs to know of the past, found out once.

A :class:`History` is a value. Code that holds one never reads or verifies those messages again: reports, earlier
positions and the game before a message are looked up in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from kursk_pbem.errors import UsageError
from kursk_pbem.game import folders, games, receipts
from kursk_pbem.game.games import Game
from kursk_pbem.kernel.adjudicate import Adjudication
from kursk_pbem.trust import referee
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.referee import Papers


@dataclass(frozen=True)
class Step:
    """One verified message: the game ``before`` and ``after`` it, and what it did.

    Message 0 does nothing: its ``result`` is None, and ``before`` is the game that it begins, as ``after`` is.
    """

    message: Message
    before: Game = field(repr=False)
    after: Game = field(repr=False)
    result: Adjudication | None = field(default=None, repr=False)


@dataclass(frozen=True)
class History:
    """The steps of a game from message 0 on, and the ``papers`` that a referee has signed beside them."""

    steps: tuple[Step, ...]
    papers: Papers = field(default=referee.NONE, repr=False)

    @property
    def game(self) -> Game:
        """The game as it is now."""
        last = self.steps[-1].after
        return last if last.papers is self.papers else replace(last, papers=self.papers)

    @property
    def games(self) -> tuple[Game, ...]:
        """The game after each message; the last one with its papers."""
        return (*(step.after for step in self.steps[:-1]), self.game)

    @property
    def last(self) -> Message:
        """The last message."""
        return self.steps[-1].message

    def extend(self, message: Message) -> History:
        """The history with one more message. Raises as :func:`kursk_pbem.game.games.extend`."""
        return replace(self, steps=(*self.steps, _step(self.game, message)))


def begin(message: Message) -> History:
    """The history that begins with a message 0. Raises as :func:`kursk_pbem.game.games.begin`."""
    return History((_first(message),))


def _first(message: Message) -> Step:
    game = games.begin(message)
    return Step(message, game, game)


def _step(before: Game, message: Message) -> Step:
    after, result = games.extend(before, message)
    return Step(message, before, after, result)


def walk(folder: Path, most: int | None = None, known: Sequence[Step] = ()) -> Iterator[Step]:
    """Verify the messages of a folder one after the other, at most ``most`` of them.

    ``known``: steps verified before. As long as the folder holds the very same messages they are not verified again.
    Raises FileError, TrustError, RulesError or UsageError.
    """
    step: Step | None = None
    for number, path in enumerate(folders.message_files(folder)[:most]):
        message = folders.read_numbered(path, number)
        if number < len(known) and known[number].message == message:
            step = known[number]
        else:
            known = ()
            step = _first(message) if step is None else _step(step.after, message)
        yield step


def load(folder: Path, known: Sequence[Step] = ()) -> History:
    """The history of a folder, every message verified, with a referee's papers. Raises as :func:`walk`."""
    return with_papers(folder, walk(folder, known=known))


def with_papers(folder: Path, steps: Iterator[Step] | Sequence[Step]) -> History:
    """The history of these steps with the papers that lie in the folder. FileError, TrustError."""
    found = tuple(steps)
    game = found[-1].after
    return History(found, receipts.load(folder, game.chain, over=game.played_out))


def at(path: Path) -> History:
    """The history of a game folder; or of the folder in which a message file lies, up to and with that message.

    UsageError if the file is no message of that game; otherwise raises as :func:`walk`.
    """
    if path.is_dir():
        return load(path)
    message = folders.read_message(path)
    history = History(tuple(walk(path.parent, message.seq + 1)))
    if history.game.chain.head_id != message.id:
        raise UsageError(
            f"{path} is not message {message.seq} of the game in {path.parent}; 'kursk adjudicate' takes it"
        )
    return history
