"""What waits for a director's word about a board: then no missed term ends it by itself.

Everything here is read from the log and its acknowledged papers: what players have signed and nobody has decided yet,
and what was signed or decided while a term ran. A decision frees nobody from a term that was over before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kursk_pbem.tournament.book import clocks, outcomes
from kursk_pbem.tournament.book.records import Board, Book, Entrant
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.forms import Paper

_ABOUT = (fields.AGREE, fields.CLAIM, fields.ABSENT, fields.WITHDRAW, fields.NEW_KEY, fields.STAND_IN, fields.RULING)
"""What players and assistants sign that may be about a game under way."""
_DECIDES = (fields.CLOCK, fields.JUDGED, fields.CORRECT, fields.WITHDRAWN, fields.SUBSTITUTE, fields.KEY)
"""What a director decides that may be about one."""


def claims(book: Book) -> Iterator[Paper]:
    """The claims that are neither refused nor behind a decision of their board."""
    for id_ in book.received:
        paper = book.papers[id_]
        if paper.type == fields.CLAIM and id_ not in book.refused and not _answered(book, paper):
            yield paper


def _answered(book: Book, claim: Paper) -> bool:
    """Whether the board of a claim was decided after the claim had been acknowledged."""
    outcome = book.boards[claim.text("board")].outcome if claim.text("board") in book.boards else None
    return outcome is not None and outcome.final and outcome.seq > book.received[claim.id]


def absences(book: Book, after: str) -> Iterator[tuple[Entrant, Paper]]:
    """Who is absent beyond a time, and has had no holiday for it."""
    for id_ in book.received:
        paper = book.papers[id_]
        last = paper.text("last") if paper.type == fields.ABSENT else ""
        if last <= after:
            continue
        for entrant in book.entrants.values():
            if paper.sender in _own(book, entrant) and entrant.left < 0 and not _granted(book, entrant, paper):
                yield entrant, paper


def _granted(book: Book, entrant: Entrant, paper: Paper) -> bool:
    """Whether a holiday covers an absence, or has answered it: nobody has as many days as one may announce.

    One that ends before an absence begins was given for another, and so was one that was given before, though it was
    corrected since.
    """
    seq = book.received[paper.id]
    given = [clock for clock in book.clocks if clock.who == entrant.number and clock.until > paper.text("first")]
    since = (clock for clock in given if clock.seq > seq and clock.time >= book.log[seq].text("time"))
    return any(clock.until >= paper.text("last")[:10] for clock in given) or any(since)


def _own(book: Book, entrant: Entrant) -> set[str]:
    """The keys of an entrant, not those of one whom they stand in for."""
    taken_over = [at for at, (seq, _key) in enumerate(entrant.keys) if book.log[seq].type == fields.SUBSTITUTE]
    return {key for _seq, key in entrant.keys[max(taken_over, default=0) :]}


def withdrawal(book: Book, entrant: Entrant) -> Paper | None:
    """The withdrawal that an entrant has signed, not one whom they stand in for; None without one."""
    own = _own(book, entrant)
    return next((paper for paper in book.of_entrant(fields.WITHDRAW, entrant) if paper.sender in own), None)


def offers(book: Book, entrant: Entrant) -> list[Paper]:
    """The papers of those who would stand in for an entrant, without what came to nothing."""
    return [paper for paper in book.of_kind(fields.STAND_IN, entrant.number) if paper.id not in book.void]


@dataclass(frozen=True)
class Missed:
    """A term that was missed in the game of a board: by which side, from when to when, and the game's keys by side."""

    late: str
    since: str
    due: str
    keys: Mapping[str, str]


def why(book: Book, board: Board, missed: Missed) -> str:
    """Why a missed term does not end a board by itself, in words; '' if it does."""
    if outcomes.agreement(book, board) is not None:
        return f"both have signed how it ended: judge {board.name} agree, unless it went on since"
    for side, number in board.sides.items():
        entrant = book.entrant(number)
        if entrant.left >= 0:
            return f"number {number} ({entrant.name}) has withdrawn: pair judges the board"
        if withdrawal(book, entrant) is not None:
            return f"number {number} ({entrant.name}) has signed a withdrawal: withdraw {number}"
        if entrant.key != missed.keys.get(side):
            way = f": vacate {board.name}" if side == missed.late and entrant.substituted else ""
            return f"number {number} ({entrant.name}) has another key now than in this game{way}"
    if any(claim.text("board") == board.name for claim in claims(book)):
        return "a claim about the board waits for a decision"
    silent = book.entrant(board.sides[missed.late])
    if any(away is silent and paper.text("first") <= missed.due for away, paper in absences(book, missed.since)):
        return f"{silent.name} signed an absence, and no grant reaches back: 'kursk referee pass' takes a late turn"
    seq = next(_meanwhile(book, board, missed), None)
    return f"log paper {seq} came since its term began, and may be about it" if seq is not None else ""


def _meanwhile(book: Book, board: Board, missed: Missed) -> Iterator[int]:
    """The log papers since a term began that acknowledge or decide something about a board or one of its players.

    Not a grant that was in time: the term is as much longer.
    """
    keys = {key for number in board.numbers for _seq, key in book.entrant(number).keys}
    about = {board.name, *board.numbers, clocks.ALL}
    for log in reversed(book.log):
        if (time := log.text("time")) < missed.since:
            return
        if log.type in _DECIDES and not (log.type == fields.CLOCK and time <= missed.due):
            meant = book.log[log.number("corrects")] if log.type == fields.CORRECT else log
            if about & {meant.said(name) for name in ("board", "number", "who")}:
                yield log.seq
        signed = log.texts("papers") if log.type == fields.RECEIVED else [log.said("paper")]
        for paper in (book.papers[id_] for id_ in signed if id_ in book.papers):
            named = {paper.said("board"), paper.said("number")}
            if paper.type in _ABOUT and (paper.sender in keys or about & named):
                yield log.seq
