"""A game message by message, each verified once.

A :class:`History` is a value. It answers questions about reports and earlier positions without verifying again. A
player's own computer may keep only the newest steps in memory (:mod:`kursk_pbem.game.verified`). The earlier steps are
read and verified when they are needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from functools import cached_property
from pathlib import Path

from kursk_pbem.errors import UsageError
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders, games, receipts
from kursk_pbem.game.games import Game
from kursk_pbem.kernel.adjudicate import Adjudication
from kursk_pbem.trust import referee
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.referee import Papers


@frozen
class Step:
    """One verified message: the game ``before`` and ``after`` the message, and the ``result``.

    Message 0 has no result, and ``before`` equals ``after``.
    """

    message: Message
    before: Game = field(repr=False)
    after: Game = field(repr=False)
    result: Adjudication | None = field(default=None, repr=False)


@frozen
class History:
    """The ``newest`` steps of a game, at least one, and the referee's ``papers``.

    ``past``: the folder with the earlier messages, verified by an earlier command on this computer. Without
    ``past``, the steps begin with message 0.
    """

    newest: tuple[Step, ...]
    papers: Papers = field(default=referee.NONE, repr=False)
    past: Path | None = None

    @property
    def game(self) -> Game:
        """The game now."""
        game = self.newest[-1].after
        return game if game.papers is self.papers else replace(game, papers=self.papers)

    @property
    def games(self) -> tuple[Game, ...]:
        """The game after each message; the last game includes the papers."""
        return (*(step.after for step in self.steps[:-1]), self.game)

    @property
    def last(self) -> Message:
        """The last message."""
        return self.newest[-1].message

    @property
    def last_step(self) -> Step:
        """The step of the last message; no earlier message is read."""
        return self.newest[-1]

    def step(self, number: int) -> Step:
        """Return the step of message ``number``. Raises like :attr:`steps` if the step is not in memory."""
        first = self.newest[0].message.seq
        return self.newest[number - first] if number >= first else self.steps[number]

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The steps from message 0 on. Raises like :func:`walk`, and UsageError if the folder has changed meanwhile."""
        if self.past is None:
            return self.newest
        first = self.newest[0].before.chain
        earlier = tuple(walk(self.past, first.next_seq, what_if=self.newest[0].before.what_if))
        if earlier[-1].after.chain.ids != first.ids:
            raise UsageError(f"{self.past} was changed meanwhile; give the command again")
        return (*earlier, *self.newest)

    @property
    def in_memory(self) -> tuple[Step, ...]:
        """The steps from message 0 on if all are in memory, otherwise no step."""
        return self.steps if self.past is None or "steps" in vars(self) else ()

    def extend(self, message: Message) -> History:
        """Return the history with one more message. Raises like :func:`kursk_pbem.game.games.extend`."""
        step = _verify_step(self.game, message)
        if self.in_memory:
            return History((*self.steps, step), self.papers)
        return replace(self, newest=(*self.newest, step))


def begin(message: Message, what_if: int | None = None) -> History:
    """Begin a history with message 0. Raises like :func:`kursk_pbem.game.games.begin`."""
    return History((_begin_step(message, what_if),))


def _begin_step(message: Message, what_if: int | None = None) -> Step:
    game = games.begin(message, what_if)
    return Step(message, game, game)


def _verify_step(before: Game, message: Message) -> Step:
    after, result = games.extend(before, message)
    return Step(message, before, after, result)


def walk(
    folder: Path, most: int | None = None, known: Sequence[Step] = (), what_if: int | None = None
) -> Iterator[Step]:
    """Verify the messages of a folder in order, at most ``most`` messages; yield the steps.

    ``known``: steps verified before. They are reused as long as the folder contains the same messages. Raises
    FileError, TrustError, RulesError or UsageError.
    """
    step: Step | None = None
    for number, path in enumerate(folders.message_files(folder)[:most]):
        if number < len(known) and _is_unchanged(path, known[number].message):
            step = known[number]
            yield step
            continue
        message = folders.read_numbered(path, number)
        if number < len(known) and known[number].message == message:
            step = known[number]
        else:
            known = ()
            step = _begin_step(message, what_if) if step is None else _verify_step(step.after, message)
        yield step


def _is_unchanged(path: Path, message: Message) -> bool:
    """Return whether a mailed file still has the bytes read before. Archives have a second file and are always read."""
    raw = message.document.raw
    return bool(raw) and path.suffix != ".json" and folders.read_bytes(path) == raw


def continue_history(folder: Path, before: Game, until: int | None = None) -> History:
    """Verify the messages after a verified game, at least one, up to number ``until``; return the history.

    The caller has checked the earlier messages. Raises like :func:`walk`.
    """
    newest: list[Step] = []
    start = before.chain.next_seq
    for number, path in enumerate(folders.message_files(folder)[start : until and until + 1], start):
        newest.append(_verify_step(newest[-1].after if newest else before, folders.read_numbered(path, number)))
    return History(tuple(newest), past=folder)


def load(folder: Path, known: Sequence[Step] = (), end: int | None = None, what_if: int | None = None) -> History:
    """Verify every message of a folder and return the history with the referee's papers. Raises like :func:`walk`.

    ``end``: the number of the last message; later messages and their papers are left out.
    """
    steps = tuple(walk(folder, None if end is None else end + 1, known, what_if))
    return add_papers(folder, History(steps), end)


def add_papers(folder: Path, history: History, end: int | None = None) -> History:
    """Return the history with the papers in the folder. Raises FileError, TrustError."""
    game = history.newest[-1].after
    return replace(history, papers=receipts.load(folder, game.chain, over=game.played_out, end=end))


def load_until(path: Path, what_if: int | None = None) -> History:
    """Return the history of a game folder, or of a message file's folder up to that message.

    Raises UsageError if the file is not a message of that game; otherwise raises like :func:`walk`.
    """
    if path.is_dir():
        return load(path, what_if=what_if)
    message = folders.read_message(path)
    return need_end(History(tuple(walk(path.parent, message.seq + 1, what_if=what_if))), message, path)


def need_end(history: History, message: Message, path: Path) -> History:
    """Return the history if the message is the last one. Raises UsageError otherwise. ``path``: the message's file."""
    if history.game.chain.head_id != message.id:
        raise UsageError(f"{path} is not message {message.seq} of the game in {path.parent}; 'kursk inbox' takes it")
    return history
