"""What a tournament asks of a verified game: what it agreed on, its messages, its end, its margin, its clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kursk_pbem.game.histories import History
from kursk_pbem.trust import referee
from kursk_pbem.trust.papers import LOG, Paper


@dataclass(frozen=True)
class Timed:
    """One receipt: message ``seq``, when it came, when the answer is due, which side owes it; what the log held then.

    ``log`` is (number, id), () where the paper says nothing of a log.
    """

    seq: int
    received: str
    due: str
    side: str
    log: tuple[int, str] | tuple[()]


@dataclass(frozen=True)
class Forfeited:
    """A forfeit: the side, the term that it missed, when it was declared, what the log held then.

    ``successor``: the game in which somebody else takes that side, '' if it is lost.
    """

    side: str
    seq: int
    due: str
    declared: str
    log: tuple[int, str] | tuple[()]
    successor: str = ""


@dataclass(frozen=True)
class Played:
    """One verified game. ``head``: the content of message 0; ``ids``: those of all messages.

    ``over``: whether it has ended, with ``winner`` ('' for a draw) and ``how``; ``bound``: whether anybody could lose
    it by silence. ``owes``: the side that writes next, '' where nobody does. ``margin``: victory points of the first
    side less the other's, at the end or else at the end of the last finished turn; None where the rules count none.
    """

    head: Mapping[str, Any] = field(repr=False)
    ids: tuple[str, ...] = field(repr=False)
    over: bool
    winner: str
    how: str
    bound: bool
    owes: str
    margin: int | None
    receipts: tuple[Timed, ...] = ()
    extensions: tuple[Timed, ...] = ()
    forfeit: Forfeited | None = None


def of(history: History) -> Played:
    """What there is to say of a game."""
    game = history.game
    chain, verdict = game.chain, game.verdict
    receipts = tuple(
        Timed(seq, paper.text("received"), paper.text("due"), chain.writer(seq + 1), _log(paper))
        for seq, paper in sorted(game.papers.receipts.items())
    )
    extensions = tuple(
        Timed(paper.seq, paper.text("declared"), paper.text("due"), chain.writer(paper.seq + 1), _log(paper))
        for receipt in receipts
        for paper in game.papers.extensions(receipt.seq)
    )
    lost = game.papers.forfeit
    forfeit = (
        Forfeited(lost.text("side"), lost.seq, lost.text("due"), lost.text("declared"), _log(lost), game.vacated)
        if lost
        else None
    )
    return Played(
        chain.head,
        chain.ids,
        game.over,
        verdict.winner if verdict else "",
        verdict.how if verdict else "",
        chain.next_seq > referee.binding_seq(chain),
        "" if game.over else chain.writer(chain.next_seq),
        _margin(history),
        receipts,
        extensions,
        forfeit,
    )


def until(history: History, seq: int) -> Played:
    """The same of a game as it was after message ``seq``, before anybody received anything later."""
    return of(History(history.steps[: seq + 1]))


def _margin(history: History) -> int | None:
    """The margin at the end of a game that its rules ended; of any other at the end of its last finished turn."""
    game = history.game
    states = [step.after.state for step in history.steps]
    state = states[-1]
    if game.ruleset.play.verdict(game.setting, state) is None:
        state = next(earlier for earlier in states if earlier.turn == state.turn)
    margin: int | None = game.ruleset.play.margin(game.setting, state)
    return margin


def _log(paper: Paper) -> tuple[int, str] | tuple[()]:
    named = paper.content.get(LOG)
    return (int(str(named["seq"])), str(named["id"])) if isinstance(named, dict) else ()
