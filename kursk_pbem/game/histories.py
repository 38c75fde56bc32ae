"""A game as a sequence of verified messages.

A :class:`History` is a value. It answers questions about reports and earlier positions without verifying again. A
player's own computer may keep only the newest steps in memory (:mod:`kursk_pbem.game.verified`). The earlier steps are
read and verified when they are needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path

from kursk_pbem.errors import FileError, KurskError, RulesError, TrustError, UsageError, VoidError, Where, shell_word
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders, games, receipts
from kursk_pbem.game.copies import Copies, Uncounted, join_numbers
from kursk_pbem.game.games import Game
from kursk_pbem.kernel.adjudicate import Adjudication
from kursk_pbem.trust import referee
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper
from kursk_pbem.trust.referee import Papers

_FEW = 4
"""Number of missing messages to name one by one."""


@frozen
class Step:
    """One verified message. ``before``, ``after``: the game before and after the message; ``result``: what happened.

    Message 0 has no result, and ``before`` equals ``after``.
    """

    message: Message
    before: Game = field(repr=False)
    after: Game = field(repr=False)
    result: Adjudication | None = field(default=None, repr=False)


@frozen
class History:
    """A verified game: the referee's ``papers``, and the ``newest`` steps (one for each message), at least one.

    ``past``: the folder with the earlier messages, verified by an earlier command on this computer. Without ``past``,
    the steps begin with message 0.
    """

    newest: tuple[Step, ...]
    papers: Papers = field(default=referee.NONE, repr=False)
    past: Path | None = None

    @property
    def game(self) -> Game:
        """The game after the last message, with the referee's papers."""
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
        """The step of the last message. Earlier messages are not read from the disk."""
        return self.newest[-1]

    def step(self, number: int) -> Step:
        """Return the step of message ``number``. Raises like :attr:`steps` if the step is not in memory."""
        first = self.newest[0].message.seq
        return self.newest[number - first] if number >= first else self.steps[number]

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The steps from message 0 on. Raises the errors of :func:`walk`, and UsageError if the folder has changed."""
        if self.past is None:
            return self.newest
        first = self.newest[0].before.chain
        earlier = tuple(walk(self.past, first.next_seq, what_if=self.newest[0].before.what_if))
        if earlier[-1].after.chain.ids != first.ids:
            raise UsageError(f"{self.past} was changed meanwhile; give the command again")
        return (*earlier, *self.newest)

    @property
    def in_memory(self) -> tuple[Step, ...]:
        """All steps from message 0 on if they are in memory, otherwise an empty sequence."""
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
    """Verify the first ``most`` messages of a folder (None: all) in order; yield their steps.

    ``known``: steps verified earlier, reused while the folder contains the same messages. ``what_if``: as in
    `games.begin`. Raises FileError, TrustError, RulesError or UsageError.
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
    """Verify the messages of a folder after the game ``before``, up to number ``until``. Return the history.

    At least one message must follow ``before``. The earlier messages are not verified. Raises like :func:`walk`.
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
    """Return the history of a game folder. If ``path`` is a message's file, end with this message.

    Raises UsageError if the file is not a message of that game; otherwise raises like :func:`walk`.
    """
    if path.is_dir():
        return load(path, what_if=what_if)
    message = folders.read_message(path)
    return need_end(History(tuple(walk(path.parent, message.seq + 1, what_if=what_if))), message, path)


def need_end(history: History, message: Message, path: Path) -> History:
    """Return the history if ``message`` is its last message. Otherwise raise UsageError with the file ``path``."""
    if history.game.chain.head_id != message.id:
        raise UsageError(f"{path} is not message {message.seq} of the game in {path.parent}; 'kursk inbox' adds it")
    return history


def order_messages(copies: Copies, game_id: str, public: str | None = None) -> History:
    """Return a game's messages in order. Leave out duplicates, and messages without a valid signature.

    If the opponent's last message is illegal, leave it out, because the opponent may send another one. ``public``: the
    player's own key, None for a spectator. Raises TrustError for a gap, KurskError for an illegal message, and
    UsageError if two messages have one number and it is unknown which message counts.
    """
    line, signed = _sort_messages(copies, game_id)
    _need_all(signed, public, copies)
    depths = measure_lines(signed)
    for seq, candidates in signed.items():
        try:
            line = _extend_history(line, candidates, depths, copies)
        except (RulesError, FileError) as error:
            own = public is None or any(line.game.chain.keys[m.sender] == public for m in candidates)
            if seq < max(signed) or own:
                raise
            copies.faults += [_describe_void(m, error) for m in candidates]
    return line


def judge_messages(copies: Copies, game_id: str) -> History:
    """Return the game after all its messages in ``copies``, which were found in mails.

    Raises UsageError if a message is missing, or if two messages have one number and nothing shows which counts. Raises
    KurskError for an illegal message.
    """
    signed: Mapping[int, list[Message]] = {}
    there = {message.seq: message for message in copies.of_game(game_id)}
    if 0 in there:
        line, signed = _sort_messages(copies, game_id)
        there = {seq: there[seq] for seq in (0, *signed)}
    turns: list[Message | Paper] = [*there.values(), *copies.papers]
    newest = max(turns, key=lambda turn: turn.seq)
    if lost := _name_gaps(sorted({*there, newest.seq + isinstance(newest, Paper)})):
        why = f"message {newest.seq} of the game {game_id[:8]} cannot be decided yet, because {lost} missing"
        how = "name these files, too, or put them beside the file; if you play the game, type 'kursk inbox --report"
        how += f" {shell_word(newest.document.name)}'{copies.hint()}"
        raise UsageError(f"{why}: {how}", Where(newest.document.name))
    depths = measure_lines(signed)
    for candidates in signed.values():
        line = _extend_history(line, candidates, depths, copies)
    return line


def need_counted(message: Message, line: Sequence[Message]) -> None:
    """Raise VoidError or FileError if ``message`` does not count. ``line``: the game's messages that count."""
    seq, ids = message.seq, [each.id for each in line]
    if message.id in ids:
        return
    if seq < len(line) and message.content.get("prev") in ids:
        why = f"another message {seq} counts, {line[seq].document.name}, so this message is void"
        raise VoidError(f"{why}; this is no fraud", message.where("seq"))
    why = f"message {seq} cannot be decided: its signature does not fit the text, or the key of the writer"
    raise FileError(f"{why}; ask for the file again", message.where("signature"))


def measure_lines(signed: Mapping[int, Sequence[Message]]) -> dict[tuple[int, str], int]:
    """Return for each message (number, id) the length of the longest chain of signed messages after it."""
    depths = dict[tuple[int, str], int]()
    for seq in sorted(signed, reverse=True):
        for message in signed[seq]:
            before = (seq - 1, str(message.content.get("prev")))
            depths[before] = max(depths.get(before, 0), depths.get((seq, message.id), 0) + 1)
    return depths


def _name_gaps(numbers: Sequence[int]) -> str:
    """Return the numbers that are missing between 0 and the last, such as ``messages 2 and 5 to 9 are``; or ``""``."""
    gaps = list[str]()
    for before, after in pairwise((-1, *numbers)):
        few = range(before + 1, after)
        gaps += map(str, few) if len(few) <= _FEW else [f"{few[0]} to {few[-1]}"]
    return f"{join_numbers(gaps)} {'is' if gaps[0].isdecimal() and not gaps[1:] else 'are'}" if gaps else ""


def list_messages(copies: Copies, game_id: str) -> Iterator[Message]:
    """Yield a game's messages in order. If two have one number, the protocol decides. Raises like `order_messages`."""
    line, signed = _sort_messages(copies, game_id)
    _need_all(signed, None, copies)
    if any(len({message.id for message in good}) > 1 for good in signed.values()):
        line, signed = order_messages(copies, game_id), {}
    yield from (step.message for step in line.steps)
    yield from (max(good, key=lambda message: message.is_whole) for good in signed.values())


def _sort_messages(copies: Copies, game_id: str) -> tuple[History, dict[int, list[Message]]]:
    """Return the beginning of a game, and the signed messages by number."""
    heap = dict[int, list[Message]]()
    for message in sorted(copies.of_game(game_id), key=lambda message: message.seq):
        heap.setdefault(message.seq, []).append(message)
    line = _begin_history(heap.pop(0, ()), game_id)
    return line, {seq: good for seq, each in heap.items() if (good := _filter_signed(line, each, copies))}


def _need_all(signed: Mapping[int, Sequence[Message]], public: str | None, copies: Copies) -> None:
    """Raise TrustError if a number before the last one is missing."""
    for seq, (number, good) in enumerate(signed.items(), 1):
        if number != seq:
            why = f"message {seq} is missing, and {good[0].document.name} is message {number}"
            how = "ask a player" if public is None else "look in your mails, also sent mails, or ask your opponent"
            raise TrustError("chain", f"{why}: {how} for message {seq}{copies.hint()}")


def _filter_signed(line: History, candidates: Sequence[Message], copies: Copies) -> list[Message]:
    """Return the copies signed by a side that may write this number."""
    chain, good = line.game.chain, []
    for message in candidates:
        if chain.may_write(message.seq, message.sender) and message.is_signed_by(chain.keys[message.sender]):
            good.append(message)
        else:
            where = message.where("signature")
            why = TrustError("signature", f"this copy of message {message.seq} differs from the signed text", where)
            copies.leave_out(Uncounted(why, line.game.chain.game, str(message.seq)))
    return good


def _begin_history(candidates: Sequence[Message], game_id: str) -> History:
    why = f"message 0 of the game {game_id[:16]} is not among the files: earlier messages are missing"
    fault: KurskError = UsageError(f"{why}; if you play the game, type 'kursk inbox --report FILE'")
    for message in candidates:
        try:
            return begin(message)
        except KurskError as error:
            fault = error
    raise fault


def _describe_void(message: Message, error: KurskError) -> str:
    return f"{message.document.name} is void: {str(error).split(chr(10), 1)[0]}"


def _extend_history(
    line: History, candidates: Sequence[Message], depths: Mapping[tuple[int, str], int], copies: Copies
) -> History:
    """Return the game with the only valid message, or with the message of the longest line (protocol 2.6)."""
    good: dict[str, History] = {}
    faults: dict[str, KurskError] = {}
    for message in candidates:
        if message.id in good:
            continue
        try:
            good[message.id] = line.extend(message)
        except KurskError as error:
            faults[_describe_void(message, error)] = error
    if not good:
        raise next(iter(faults.values()))
    chosen = _choose_line(line, good, depths, copies)
    last = chosen.last
    copies.faults += faults
    copies.faults += [
        f"{other.last.document.name} is another message {last.seq}, and void, because {last.document.name} counts"
        for other in good.values()
        if other.last is not last
    ]
    return chosen


def _choose_line(
    line: History, good: Mapping[str, History], depths: Mapping[tuple[int, str], int], copies: Copies
) -> History:
    """Return the longest line; of equal lines, the line that the desk or the referee names, or that came first.

    Raises UsageError if nothing tells which message counts.
    """
    length = {mid: depths.get((each.last.seq, mid), 0) for mid, each in good.items()}
    longest = [mid for mid in good if length[mid] == max(length.values())]
    chain = line.game.chain
    named = {paper.text("id") for paper in copies.papers if referee.is_signed(chain, paper)} if longest[1:] else set()
    for ids in (copies.counting, named):
        longest = [mid for mid in longest if mid in ids] or longest
    chosen = [good[mid] for mid in longest]
    verdicts = {each.game.verdict.text if each.game.verdict is not None else "" for each in chosen}
    if "" not in verdicts and len(verdicts) == 1:  # two ends with one result
        return chosen[0]
    boxes = {copies.boxes.get(mid, mid) for mid in longest}
    if len(longest) > 1 and (len(boxes) > 1 or boxes & {each.last.document.name for each in chosen}):
        files = " and ".join(each.last.document.name for each in chosen)
        why = f"{len(chosen)} different messages {chosen[0].last.seq} are here, {files}, and nothing follows them"
        raise UsageError(f"{why}: give only the message that came first; the other messages prove no fraud")
    return chosen[0]
