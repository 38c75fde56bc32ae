"""What players have signed and nobody has decided yet: it waits for the director, and until then no term ends a board.

Everything here is read from the log and its acknowledged papers.
"""

from __future__ import annotations

from collections.abc import Iterator

from kursk_pbem.tournament.book import outcomes
from kursk_pbem.tournament.book.records import Board, Book, Entrant
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.forms import Paper


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
        entrant = book.by_key(paper.sender)
        if last > after and entrant is not None and entrant.left < 0 and not _granted(book, entrant, last):
            yield entrant, paper


def _granted(book: Book, entrant: Entrant, last: str) -> bool:
    return any(clock.who == entrant.number and clock.until >= last[:10] for clock in book.clocks)


def withdrawal(book: Book, entrant: Entrant) -> Paper | None:
    """The withdrawal that an entrant has signed, not one whom they stand in for; None without one."""
    taken_over = [at for at, (seq, _key) in enumerate(entrant.keys) if book.log[seq].type == fields.SUBSTITUTE]
    own = {key for _seq, key in entrant.keys[max(taken_over, default=0) :]}
    return next((paper for paper in book.of_kind(fields.WITHDRAW, entrant.number) if paper.sender in own), None)


def why(book: Book, board: Board, late: str, key: str, due: str) -> str:
    """Why the missed term of a side does not end a board by itself, in words; '' if it does.

    ``late``, ``key``: that side, and its key in the game. ``due``: when the term was over.
    """
    if outcomes.agreement(book, board) is not None:
        return f"both have signed how it ended: judge {board.name} agree"
    for number in board.numbers:
        entrant = book.entrant(number)
        if entrant.left >= 0:
            return f"number {number} ({entrant.name}) has withdrawn: pair judges the board"
        if withdrawal(book, entrant) is not None:
            return f"number {number} ({entrant.name}) has signed a withdrawal: withdraw {number}"
    silent = book.entrant(board.sides[late])
    if silent.key != key:
        return f"number {silent.number} ({silent.name}) has another key now than in this game: vacate {board.name}"
    if any(claim.text("board") == board.name for claim in claims(book)):
        return "a claim about the board waits for a decision"
    if any(away is silent and paper.text("first") <= due for away, paper in absences(book, due)):
        return f"{silent.name} is absent: grant {silent.number} DAYS WHY --holiday"
    return ""
