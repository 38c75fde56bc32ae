"""The facts of a verified game for a tournament: agreement, messages, end, margin and clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from kursk_pbem.frozen import frozen
from kursk_pbem.game.histories import History
from kursk_pbem.trust import referee
from kursk_pbem.trust.papers import LOG, Paper


@frozen
class Timed:
    """One receipt: number of the message, its arrival, deadline of the answer, side that owes the answer, and ``log``.

    ``log``: number and id of the tournament's log paper that the receipt names, or ().
    """

    seq: int
    received: str
    due: str
    side: str
    log: tuple[int, str] | tuple[()]


@frozen
class Forfeited:
    """A forfeit: the side, the missed deadline, the time of the declaration, and ``log`` as in :class:`Timed`."""

    side: str
    seq: int
    due: str
    declared: str
    log: tuple[int, str] | tuple[()]


@frozen
class Played:
    """One verified game. ``head``: the content of message 0; ``ids``: the ids of all messages.

    ``over``: whether the game has ended, with ``winner`` ('' for a draw) and ``how``. ``bound``: whether silence can
    lose the game. ``owes``: the next writer, or ''. ``margin``: victory points of the first side minus the other
    side's, at the end of the game or of the last finished turn; ``None`` without points.
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


def collect_facts(history: History) -> Played:
    """Return the facts that a tournament needs about a verified game."""
    game = history.game
    chain, verdict = game.chain, game.verdict
    receipts = tuple(
        Timed(seq, paper.text("received"), paper.text("due"), chain.writer(seq + 1), _read_log(paper))
        for seq, paper in sorted(game.papers.receipts.items())
    )
    extensions = tuple(
        Timed(paper.seq, paper.text("declared"), paper.text("due"), chain.writer(paper.seq + 1), _read_log(paper))
        for receipt in receipts
        for paper in game.papers.extensions(receipt.seq)
    )
    lost = game.papers.forfeit
    forfeit = (
        Forfeited(lost.text("side"), lost.seq, lost.text("due"), lost.text("declared"), _read_log(lost))
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
        _compute_margin(history),
        receipts,
        extensions,
        forfeit,
    )


def _compute_margin(history: History) -> int | None:
    """Return the margin at the end of the game by the rules, otherwise at the end of the last finished turn."""
    game = history.game
    states = [step.after.state for step in history.steps]
    state = states[-1]
    if game.ruleset.play.verdict(game.setting, state) is None:
        state = next(earlier for earlier in states if earlier.turn == state.turn)
    margin: int | None = game.ruleset.play.margin(game.setting, state)
    return margin


def _read_log(paper: Paper) -> tuple[int, str] | tuple[()]:
    named = paper.content.get(LOG)
    return (int(str(named["seq"])), str(named["id"])) if isinstance(named, dict) else ()
