"""Papers that wait for the director's decision about a board. Such a paper speaks against a forfeit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kursk_pbem.tournament.book import outcomes
from kursk_pbem.tournament.book.records import Board, Book, Entrant
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.forms import Paper


def list_claims(book: Book) -> Iterator[Paper]:
    """Yield the claims without a refusal or a later decision of their board."""
    for id_ in book.received:
        paper = book.papers[id_]
        if paper.type == fields.CLAIM and id_ not in book.refused and not _is_answered(book, paper):
            yield paper


def _is_answered(book: Book, claim: Paper) -> bool:
    """Return whether the board of a claim was decided after the claim was acknowledged."""
    outcome = book.boards[claim.text("board")].outcome if claim.text("board") in book.boards else None
    return outcome is not None and outcome.final and outcome.seq > book.received[claim.id]


def list_absences(book: Book, after: str) -> Iterator[tuple[Entrant, Paper]]:
    """Yield announced absences that last beyond a time and have no holiday."""
    for id_ in book.received:
        paper = book.papers[id_]
        last = paper.text("last") if paper.type == fields.ABSENT else ""
        if last <= after:
            continue
        for entrant in book.entrants.values():
            if paper.sender in _own_keys(book, entrant) and entrant.left < 0 and not _is_granted(book, entrant, paper):
                yield entrant, paper


def _is_granted(book: Book, entrant: Entrant, paper: Paper) -> bool:
    """Return whether a holiday covers or answers an absence; earlier grants are no answer."""
    seq = book.received[paper.id]
    given = [clock for clock in book.clocks if clock.who == entrant.number and clock.until > paper.text("first")]
    since = (clock for clock in given if clock.seq > seq and clock.time >= book.log[seq].text("time"))
    return any(clock.until >= paper.text("last")[:10] for clock in given) or any(since)


def _own_keys(book: Book, entrant: Entrant) -> set[str]:
    """Return the keys of an entrant, without the keys of a predecessor."""
    taken_over = [at for at, (seq, _key) in enumerate(entrant.keys) if book.log[seq].type == fields.SUBSTITUTE]
    return {key for _seq, key in entrant.keys[max(taken_over, default=0) :]}


def find_withdrawal(book: Book, entrant: Entrant) -> Paper | None:
    """Return the withdrawal signed by the present player of a number, or None."""
    own = _own_keys(book, entrant)
    return next((paper for paper in book.of_entrant(fields.WITHDRAW, entrant) if paper.sender in own), None)


def list_offers(book: Book, entrant: Entrant) -> list[Paper]:
    """Return the valid offers to stand in for an entrant."""
    return [paper for paper in book.of_kind(fields.STAND_IN, entrant.number) if paper.id not in book.void]


@dataclass(frozen=True)
class Missed:
    """A missed deadline in a board's game: the late side, the times, and the game's keys by side."""

    late: str
    since: str
    due: str
    keys: Mapping[str, str]


def find_objection(book: Book, board: Board, missed: Missed) -> str:
    """Return the objection to a forfeit of a board, or ''."""
    if outcomes.find_agreement(book, board) is not None:
        return f"both players have signed the result: judge {board.name} agree, unless the game continued"
    for side, number in board.sides.items():
        entrant = book.entrant(number)
        if entrant.left >= 0:
            return f"number {number} ({entrant.name}) has withdrawn: pair judges the board"
        if find_withdrawal(book, entrant) is not None:
            return f"number {number} ({entrant.name}) has signed a withdrawal: withdraw {number}"
        if entrant.key != missed.keys.get(side):
            return f"number {number} ({entrant.name}) has a new key, and a different key in the game"
    if any(claim.text("board") == board.name for claim in list_claims(book)):
        return "a claim about the board waits for a decision"
    silent = book.entrant(board.sides[missed.late])
    if any(away is silent and paper.text("first") <= missed.due for away, paper in list_absences(book, missed.since)):
        return f"{silent.name} signed an absence, and no grant reaches back: 'kursk referee pass' takes a late turn"
    return ""
