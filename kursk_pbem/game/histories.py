"""A game message by message, every one verified: what a command needs to know of the past, found out once.

A :class:`History` is a value. Code that holds one never reads or verifies those messages again: reports, earlier
positions and the game before a message are looked up in it. A player's own desk may hold only the newest of them in
memory (:mod:`kursk_pbem.game.verified`); the others are read and verified when somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
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
    """The ``newest`` steps of a game, at least one, and the ``papers`` that a referee has signed beside them.

    They begin with message 0 unless ``past`` is a folder: there lie the messages before them, which were verified by
    this very program at this very desk in an earlier command.
    """

    newest: tuple[Step, ...]
    papers: Papers = field(default=referee.NONE, repr=False)
    past: Path | None = None

    @property
    def game(self) -> Game:
        """The game as it is now."""
        game = self.newest[-1].after
        return game if game.papers is self.papers else replace(game, papers=self.papers)

    @property
    def games(self) -> tuple[Game, ...]:
        """The game after each message; the last one with its papers."""
        return (*(step.after for step in self.steps[:-1]), self.game)

    @property
    def last(self) -> Message:
        """The last message."""
        return self.newest[-1].message

    @property
    def last_step(self) -> Step:
        """What the last message did: the last of the steps, for which no earlier one is read."""
        return self.newest[-1]

    def step(self, number: int) -> Step:
        """What message ``number`` did. Raises as :attr:`steps` where it is none of the newest."""
        first = self.newest[0].message.seq
        return self.newest[number - first] if number >= first else self.steps[number]

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The steps from message 0 on. Raises as :func:`walk`; UsageError where the folder has changed meanwhile."""
        if self.past is None:
            return self.newest
        first = self.newest[0].before.chain
        earlier = tuple(walk(self.past, first.next_seq))
        if earlier[-1].after.chain.ids != first.ids:
            raise UsageError(f"{self.past} was changed meanwhile; give the command again")
        return (*earlier, *self.newest)

    @property
    def in_memory(self) -> tuple[Step, ...]:
        """The steps from message 0 on if nothing need be read for them, otherwise none."""
        return self.steps if self.past is None or "steps" in vars(self) else ()

    def extend(self, message: Message) -> History:
        """The history with one more message. Raises as :func:`kursk_pbem.game.games.extend`."""
        step = _step(self.game, message)
        if self.in_memory:
            return History((*self.steps, step), self.papers)
        return replace(self, newest=(*self.newest, step))


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
        if number < len(known) and _unchanged(path, known[number].message):
            step = known[number]
            yield step
            continue
        message = folders.read_numbered(path, number)
        if number < len(known) and known[number].message == message:
            step = known[number]
        else:
            known = ()
            step = _first(message) if step is None else _step(step.after, message)
        yield step


def _unchanged(path: Path, message: Message) -> bool:
    """Whether a mailed form holds the bytes that were read before; an archive has its signature in another file."""
    raw = message.document.raw
    return bool(raw) and path.suffix != ".json" and folders.read_bytes(path) == raw


def onwards(folder: Path, before: Game, until: int | None = None) -> History:
    """The history of the messages of a folder that follow a verified game, at least one, up to number ``until``.

    The messages before them must be those of that game: the caller has compared them. Raises as :func:`walk`.
    """
    newest: list[Step] = []
    start = before.chain.next_seq
    for number, path in enumerate(folders.message_files(folder)[start : until and until + 1], start):
        newest.append(_step(newest[-1].after if newest else before, folders.read_numbered(path, number)))
    return History(tuple(newest), past=folder)


def load(folder: Path, known: Sequence[Step] = ()) -> History:
    """The history of a folder, every message verified, with a referee's papers. Raises as :func:`walk`."""
    return with_papers(folder, walk(folder, known=known))


def with_papers(folder: Path, steps: Iterator[Step] | Sequence[Step]) -> History:
    """The history of these steps with the papers that lie in the folder. FileError, TrustError."""
    return and_papers(folder, History(tuple(steps)))


def and_papers(folder: Path, history: History) -> History:
    """The same history with the papers that lie in the folder. FileError, TrustError."""
    game = history.newest[-1].after
    return replace(history, papers=receipts.load(folder, game.chain, over=game.played_out))


def at(path: Path) -> History:
    """The history of a game folder; or of the folder in which a message file lies, up to and with that message.

    UsageError if the file is no message of that game; otherwise raises as :func:`walk`.
    """
    if path.is_dir():
        return load(path)
    message = folders.read_message(path)
    return need_end(History(tuple(walk(path.parent, message.seq + 1))), message, path)


def need_end(history: History, message: Message, path: Path) -> History:
    """The history if it ends with this message, which lies in ``path``; otherwise UsageError."""
    if history.game.chain.head_id != message.id:
        raise UsageError(f"{path} is not message {message.seq} of the game in {path.parent}; 'kursk inbox' takes it")
    return history
