"""Log papers in words, for the page of decisions, the feed and the first page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from kursk_pbem.formats import times
from kursk_pbem.kernel.words import plural
from kursk_pbem.tournament import boards
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.records import WITHDREW
from kursk_pbem.tournament.site import layout
from kursk_pbem.tournament.site.view import View, name_people

NEWS = ("rules", "round", "standings", "result", "judged", "withdrawn", "substitute", "clock", "correct", "end")
"""The types of papers in the feed and on the first page."""

FORMATS = {"swiss": "Swiss", "round-robin": "Round robin", "pods": "Pods", "knock-out": "Knock-out"}
"""The formats of tournaments, for people."""
BREAKS = {
    "direct": ("Direct", "Direct encounter: the place among entrants with equal points, by their own games."),
    "buchholz": ("Buchholz", "The sum of the opponents' points."),
    "buchholz-1": ("Buchholz cut", "The sum of the opponents' points without the smallest."),
    "berger": ("Sonneborn", "Sonneborn-Berger: the points of each game times the opponent's points, added up."),
    "wins": ("Wins", "Games won on the board."),
    "weak": ("Weak side", "Games won with the weaker side by points in this tournament."),
    "margin": ("Margin", "The sum of the margins in victory points."),
    "par": ("Par", "Victory points above the mean of the side."),
    "first-loss": ("First loss", "The round of the first loss; later is better."),
    "lot": ("Lot", "The place by the last lots, used if every other tie-break is equal."),
}
"""Tie-break -> its heading in a table and its meaning."""


_NO_WINNER = {"draw": "a draw", "nobody": "both players lose"}


def describe_paper(view: View, paper: Paper) -> str:
    """Return a log paper as a sentence."""
    return _SAYING[paper.type](view, paper)


def page_of_paper(paper: Paper) -> str:
    """Return the file name of the page about a log paper."""
    if paper.type == fields.ROUND:
        return layout.ROUND.format(paper.number("round"))
    if paper.type in (fields.RESULT, fields.JUDGED):
        return layout.BOARD.format(paper.text("board"))
    if paper.type in (fields.STANDINGS, fields.END):
        return layout.INDEX
    return f"{layout.DECISIONS}#p{paper.seq}"


def _entrant_name(view: View, id_: str) -> str:
    entrant = view.book.entrants.get(id_)
    return entrant.called if entrant is not None else "a paper"


def _join_entrants(view: View, ids: list[str]) -> str:
    return ", ".join(_entrant_name(view, id_) for id_ in ids) or "nobody"


def _describe_received(view: View, paper: Paper) -> str:
    kinds = Counter(view.book.papers[id_].type for id_ in paper.texts("papers"))
    named = (f"{fields.NOUNS.get(kind, kind)} ({number})" for kind, number in sorted(kinds.items()))
    return f"Received: {', '.join(named)}"


def _describe_closed(view: View, paper: Paper) -> str:
    missing = paper.texts("absentees")
    absent = f"; {_join_entrants(view, missing)} did not reveal" if missing else ""
    return f"Lots {paper.text('draw')} are closed with {plural(len(paper.texts('openings')), 'reveal')}{absent}"


def _describe_round(view: View, paper: Paper) -> str:
    bye = str(paper.said("bye"))
    rest = f", {view.name(bye)} has the bye" if bye else ""
    return f"Round {paper.text('round')} is paired: {plural(len(paper.said('pairs')), 'board')}{rest}"


def _describe_bids(_view: View, paper: Paper) -> str:
    kind = "sealed" if "sealed" in paper.content else "opened"
    return f"Bids are {kind} for boards {', '.join(bid['board'] for bid in paper.said(kind))}"


def _describe_clock(view: View, paper: Paper) -> str:
    who = "everybody" if paper.text("who") == "all" else view.name(paper.text("who"))
    days, until = paper.said("days"), paper.said("until")
    time = f"{plural(int(days), 'day')} more" if days else f"time until {times.tell_day(until)}"
    return f"{who}: {time}{_tell_reason(paper)}"


def _describe_outcome(view: View, paper: Paper) -> str:
    """Return the result of a board: 'anna wins with the Germans by resignation'."""
    winner, board = paper.text("winner"), view.book.boards.get(paper.text("board"))
    how = f" {boards.describe_manner(str(paper.said('by')), str(paper.said('how')))}".rstrip()
    if board is None or winner not in board.sides:
        return f"{_NO_WINNER.get(winner, winner)}{how}"
    return f"{view.name(board.sides[winner])} wins with the {name_people(winner)}{how}"


def _tell_reason(paper: Paper) -> str:
    """Return a director's reason, or '' if the reason only repeats the method of a judgement."""
    why, by = str(paper.said("why")), paper.said("by")
    return "" if by in (why, WITHDREW) or not why else f". Reason: {why}"


def _number_name(view: View, paper: Paper) -> str:
    return view.name(paper.text("number"))


def _describe_correction(view: View, paper: Paper) -> str:
    old = view.book.log[paper.number("corrects")]
    now: Mapping[str, object] = paper.said("now")
    different = {name: value for name, value in now.items() if old.said(name) != value and isinstance(value, str)}
    changed = ", ".join(f"{name} {value}" for name, value in different.items())
    return f"Log paper {old.seq} ({old.type}) is corrected: {changed or 'as it stands now'}{_tell_reason(paper)}"


def _describe_end(view: View, paper: Paper) -> str:
    first = view.name(view.table.rows[0].number)
    return f"The tournament has ended, first is {first}; {paper.text('played')} boards had a game"


_SAYING: Mapping[str, Callable[[View, Paper], str]] = {
    fields.RULES: lambda view, _paper: f"The rules of {view.book.rules.title} are signed",
    fields.RECEIVED: _describe_received,
    fields.REFUSED: lambda view, paper: f"Refused: {_entrant_name(view, paper.text('paper'))}{_tell_reason(paper)}",
    fields.FIELD: lambda _view, paper: (
        f"The field of lots {paper.text('draw')} is closed with {plural(len(paper.texts('entrants')), 'entrant')}"
    ),
    fields.MISSING: lambda view, paper: (
        f"Lots {paper.text('draw')}: no reveal of {_join_entrants(view, paper.texts('entrants'))} has come yet"
    ),
    fields.CLOSED: _describe_closed,
    fields.DRAWN: lambda _view, paper: (
        f"Lots {paper.text('draw')} are drawn{', with the secret of the witness' * bool(paper.said('reveal'))}"
    ),
    fields.ROUND: _describe_round,
    fields.BIDS: _describe_bids,
    fields.GAME: lambda _view, paper: f"Board {paper.text('board')} has begun",
    fields.CLOCK: _describe_clock,
    fields.RESULT: lambda view, paper: f"Board {paper.text('board')}: {_describe_outcome(view, paper)}",
    fields.JUDGED: lambda view, paper: (
        f"Board {paper.text('board')} is judged: {_describe_outcome(view, paper)}{_tell_reason(paper)}"
    ),
    fields.WITHDRAWN: lambda view, paper: f"{_number_name(view, paper)} has withdrawn{_tell_reason(paper)}",
    fields.SUBSTITUTE: lambda view, paper: (
        f"Number {paper.text('number')} is played on by {_number_name(view, paper)}{_tell_reason(paper)}"
    ),
    fields.KEY: lambda view, paper: f"{_number_name(view, paper)} has a new key",
    fields.STANDINGS: lambda _view, paper: f"The standings after round {paper.text('round')} are announced",
    fields.CORRECT: _describe_correction,
    fields.END: _describe_end,
}
