"""What programs of others may import: read, verify, adjudicate, position, odds (``docs/library.md``).

All else in the package may change with any version. Nothing here asks, prints, writes a file, or needs a key or a
private folder: what is computed follows from the signed files alone, and is the same on every machine. Whatever is
refused raises a :class:`KurskError` whose text says to a person what is wrong, where, and what to do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kursk_pbem.errors import FileError, KurskError, OutdatedError, RulesError, TrustError, UsageError, Violation, Where
from kursk_pbem.game import folders, histories, inbox, reports
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
    "odds",
    "position",
    "read",
    "step",
    "verify",
]


@dataclass(frozen=True)
class Game:
    """A verified game as it stands after its last message: a value, which no function changes.

    ``id`` and ``head`` are the ids of message 0 and of the last message, 64 hex digits each; ``messages`` counts from
    1. ``scenario`` is the title, ``writer`` the side that writes the next message (``referee`` where one rolls), ``''``
    when the game is over; ``winner`` a side, ``''`` for a draw or a game that goes on; ``verdict`` how it ended, in a
    sentence, or ``''``.
    """

    history: History = field(repr=False)
    """Not for other programs."""
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


@dataclass(frozen=True)
class Step:
    """What one message did, and the ``game`` after it.

    ``headlines`` and ``report`` are what players read; ``events`` what happened, each a mapping whose ``event`` names
    its kind (numbers are decimal text); ``dice`` label -> digits that fell, in the order of their labels.
    """

    game: Game
    message: Message
    headlines: tuple[str, ...]
    report: str
    events: tuple[Mapping[str, Any], ...]
    dice: Mapping[str, str]


def read(path: Path | str) -> Message:
    """The one signed message in a file: as mailed, a mail with it, or archived (``.json``). FileError.

    Its form is checked; signature and rules are not: :func:`verify` and :func:`adjudicate` do that. Of a message
    ``seq`` (from 0), ``sender``, ``type``, ``id`` (64 hex digits) and ``content`` (plain data, as signed) may be read.
    """
    file = Path(path)
    if file.suffix == ".json":
        return folders.read_message(file)
    return inbox.read(inbox.read_bytes(file), str(path))


def verify(folder: Path | str) -> Game:
    """A game folder, or an archive of one, with every message verified: signatures, order, dice, rules, positions.

    Raises FileError (a file cannot be read), TrustError (``fault`` says what does not hold), RulesError
    (``violations``: paragraph, file and line of each), OutdatedError (another release began the game: it decides a
    place of it otherwise, or has other data of the scenario), or UsageError (no game lies there).
    """
    return _game(histories.load(Path(folder)))


def adjudicate(game: Game | None, message: Message) -> Step:
    """What one more message does to a game; None: the message is number 0, which begins it.

    The message is verified first. Raises as :func:`verify`, and then ``game`` is what it was.
    """
    return _step(histories.begin(message) if game is None else game.history.extend(message))


def step(game: Game, seq: int) -> Step:
    """What message ``seq`` of a game did, from 0. UsageError if there is no such message."""
    if not 0 <= seq < game.messages:
        raise UsageError(f"the game has the messages 0 to {game.messages - 1}, and no message {seq}")
    whole = game.history
    return _step(whole if seq == game.messages - 1 else History(whole.steps[: seq + 1]))


def position(game: Game) -> dict[str, Any]:
    """The position of a game, as ``state`` in a mail has it (``docs/formats.md``, section 3).

    ``turn``, ``side``, ``stage``; ``units``: id -> ``place`` and ``steps``; ``marks``, ``tracks``, ``agenda``. All
    leaves are text; numbers are decimal.
    """
    return game.history.game.state.to_plain()


def odds(game: Game) -> list[dict[str, Any]]:
    """The exact chances of what is declared and waits for dice; an empty list if nothing does.

    As ``declared`` of ``kursk odds --json`` (``docs/formats.md``, section 8). A chance is a fraction as text, such as
    ``1/3``; those of ``outcomes`` add up to 1. Plans that are still sealed are not known: ``assumed`` says what was
    assumed in their place.
    """
    now = game.history.game
    return chances.to_json(now.ruleset.seen.odds(now.setting, now.state, {}))


def _game(history: History) -> Game:
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


def _step(history: History) -> Step:
    last = history.last_step
    result = last.result
    return Step(
        _game(history),
        last.message,
        reports.headlines(last.before, last.after, last.message, result),
        reports.of_step(last),
        tuple(lines.to_json(event) for event in result.events) if result else (),
        dict(sorted(result.dice.items())) if result else {},
    )
