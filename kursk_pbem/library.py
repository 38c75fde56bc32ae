"""The interface for other programs: read, verify, adjudicate, position, odds (``docs/library.md``).

Other modules of the package may change with every version. These functions ask nothing, print nothing, write no file,
and need no key or private folder. Results follow from the signed files alone, so they are equal on every machine.
Failures raise a :class:`KurskError` with the problem, the place and the next step.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from kursk_pbem.errors import FileError, KurskError, OutdatedError, RulesError, TrustError, UsageError, Violation, Where
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders, histories, inbox, questions, reports
from kursk_pbem.game.histories import History
from kursk_pbem.report import lines
from kursk_pbem.report import odds as chances
from kursk_pbem.trust.messages import Message

__all__ = [
    "FileError",
    "Game",
    "KurskError",
    "Message",
    "OutdatedError",
    "RulesError",
    "Step",
    "TrustError",
    "UsageError",
    "Violation",
    "Where",
    "adjudicate",
    "decide",
    "odds",
    "position",
    "read",
    "step",
    "verify",
]


@frozen
class Game:
    """A verified game after its last message. No function changes a Game.

    ``id``, ``head``: ids of message 0 and of the last message, 64 hex digits. ``messages``: the number of messages.
    ``scenario``: its title. ``writer``: the side that writes the next message, ``referee`` for a referee's message,
    ``''`` after the end. ``winner``: a side, ``''`` after a draw or before the end. ``verdict``: the result of the game
    in a sentence, or ``''``.
    """

    history: History = field(repr=False)
    """The messages and positions of the game, for this package only. Other programs must not use this field."""
    id: str
    head: str
    messages: int
    ruleset: str
    scenario: str
    turn: str
    writer: str
    over: bool
    winner: str
    verdict: str


@frozen
class Step:
    """The effect of one message. ``game``: the game after this message.

    ``headlines`` and ``report``: texts for players. ``events``: mappings; the key ``event`` names the kind, and numbers
    are decimal text. ``dice``: the label of a roll -> its dice as digits, sorted by label.
    """

    game: Game
    message: Message
    headlines: tuple[str, ...]
    report: str
    events: tuple[Mapping[str, Any], ...]
    dice: Mapping[str, str]


def read(path: Path | str) -> Message:
    """Return the only signed message in a file: as mailed, in a mail, or archived (``.json``). Raises FileError.

    The function checks the form only; :func:`verify` and :func:`adjudicate` check signature and rules. Public
    attributes of a message: ``seq`` (from 0), ``sender``, ``type``, ``id`` (64 hex digits) and ``content`` (plain data,
    as signed).
    """
    file = Path(path)
    if file.suffix == ".json":
        return folders.read_message(file)
    return inbox.read(inbox.read_bytes(file), str(path))


def verify(folder: Path | str) -> Game:
    """Verify a game folder or an archived game: signatures, order, dice, rules, and the position of every message.

    Raises FileError (unreadable file), TrustError (``fault`` names the wrong part), RulesError (``violations``:
    paragraph, file and line of each), OutdatedError (a different release began the game, with a different decision,
    different scenario data, or before release 1.0), or UsageError (the folder contains no game).
    """
    return _read_game(histories.load(Path(folder)))


def adjudicate(game: Game | None, message: Message) -> Step:
    """Return the effect of a further message on a game. ``game`` is None for message 0, which begins a game.

    The message is verified first. Raises the errors of :func:`verify` without changing ``game``.
    """
    return _play_step(histories.begin(message) if game is None else game.history.extend(message))


def step(game: Game, seq: int) -> Step:
    """Return the effect of message ``seq`` of a game, counted from 0. Raises UsageError if no such message exists."""
    if not 0 <= seq < game.messages:
        raise UsageError(f"the game has no message {seq}, only the messages 0 to {game.messages - 1}")
    whole = game.history
    return _play_step(whole if seq == game.messages - 1 else History(whole.steps[: seq + 1]))


def position(game: Game) -> dict[str, Any]:
    """Return the position of a game in the form of ``state`` in a mail (``docs/formats.md``, section 3).

    Keys: ``turn``, ``side``, ``stage``; ``units``: id -> ``place`` and ``steps``; ``marks``, ``tracks``, ``agenda``.
    Leaves are text; numbers are decimal.
    """
    return game.history.game.state.to_plain()


def odds(game: Game) -> list[dict[str, Any]]:
    """Return the exact chances of each declared action before its dice are rolled; [] if no action is declared.

    The form is ``declared`` of ``kursk odds --json`` (``schemas/output.schema.json``). A chance is a fraction as text,
    such as ``1/3``; the chances of ``outcomes`` add up to 1. Sealed plans are unknown, so ``assumed`` lists the
    assumptions about them.
    """
    now = game.history.game
    return chances.to_json(now.ruleset.seen.odds(now.setting, now.state, {}))


def decide(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer to a question in the form of the conformance suite, about any position.

    ``conformance/runner.md`` describes questions and answers. Raises UsageError if the question does not fit the rules.
    """
    return questions.decide(question)


def _read_game(history: History) -> Game:
    game = history.game
    verdict = game.verdict
    return Game(
        history,
        id=game.chain.game,
        head=game.chain.head_id,
        messages=game.chain.next_seq,
        ruleset=game.ruleset.id,
        scenario=str(game.setting.scenario.title),
        turn=game.state.turn,
        writer="" if game.over else game.chain.writer(game.chain.next_seq),
        over=game.over,
        winner=verdict.winner if verdict else "",
        verdict=verdict.text if verdict else "",
    )


def _play_step(history: History) -> Step:
    last = history.last_step
    result = last.result
    return Step(
        _read_game(history),
        last.message,
        reports.make_headlines(last.before, last.after, last.message, result),
        reports.report_step(last),
        tuple(lines.to_json(event) for event in result.events) if result else (),
        dict(sorted(result.dice.items())) if result else {},
    )
