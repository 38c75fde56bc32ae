"""Reading of a log into a book, paper by paper. A paper must follow from the earlier papers.

The director's program runs the same checks before each signature (:func:`take`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from kursk_pbem.errors import TrustError
from kursk_pbem.tournament import rules
from kursk_pbem.tournament.book import bidding, clocks, closing, draws, outcomes, people, rounds
from kursk_pbem.tournament.book.rounds import Solve
from kursk_pbem.tournament.faults import need
from kursk_pbem.tournament.pairing import solve as solving
from kursk_pbem.tournament.pairing.solve import Solved
from kursk_pbem.tournament.papers import fields, forms, store
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.records import Book
from kursk_pbem.tournament.rules import MATCH

_TAKING: Mapping[str, Callable[[Book, Paper], None]] = {
    fields.RECEIVED: people.apply_received,
    fields.REFUSED: people.apply_refused,
    fields.FIELD: draws.apply_field,
    fields.MISSING: draws.apply_missing,
    fields.CLOSED: draws.apply_closed,
    fields.DRAWN: draws.apply_drawn,
    fields.BIDS: bidding.apply_bids,
    fields.GAME: outcomes.apply_game,
    fields.CLOCK: clocks.apply_clock,
    fields.RESULT: outcomes.apply_result,
    fields.JUDGED: outcomes.apply_judged,
    fields.WITHDRAWN: people.apply_withdrawn,
    fields.SUBSTITUTE: people.apply_substitute,
    fields.KEY: people.apply_key,
    fields.STANDINGS: closing.apply_standings,
    fields.END: closing.apply_end,
}


def check_link(key: str, before: Paper | None, paper: Paper) -> None:
    """Check a log paper only against its predecessor: link, signature, time (docs/directors.md 11, step a)."""
    if before is not None:
        need(paper.type != fields.RULES, paper, "type", "only paper 0 contains rules")
        named = before.id if before.seq == 0 else before.text("tournament")
        need(paper.text("tournament") == named, paper, "tournament", "the paper belongs to a different tournament")
        need(paper.seq == before.seq + 1, paper, "seq", f"log paper {before.seq + 1} comes next")
        need(paper.text("prev") == before.id, paper, "prev", f"the predecessor is a different paper {before.seq}")
        later = paper.text("time") >= before.text("time")
        need(later, paper, "time", "the time is before the time of the preceding paper")
    need(paper.sender == fields.DIRECTOR, paper, "from", "the log is the director's")
    forms.check_signature(paper, key)


def apply_paper(book: Book, paper: Paper, solve: Solve = solving.solve_round) -> None:
    """Apply the next log paper to the tournament's state (book). After an error the book is unusable."""
    may_follow = not book.ended or paper.type == fields.CORRECT
    need(may_follow, paper, "type", "the tournament has ended: only corrections follow")
    people.apply_void(book, paper)
    if paper.type == fields.ROUND:
        rounds.apply_round(book, paper, solve)
    elif paper.type == fields.CORRECT:
        closing.apply_correction(book, paper, solve)
    else:
        _TAKING[paper.type](book, paper)
    book.log.append(paper)


def open_log(log: Sequence[Paper], players: Mapping[str, Paper], others: Mapping[str, Paper] | None = None) -> Book:
    """Return a tournament's state (book) after paper 0, with signature and link of each log paper checked.

    ``players``: all available papers of players. ``others``: papers of other logs; those signed by the director count.
    """
    book = Book(rules.read_rules(log[0]), dict(players), [log[0]], commit=log[0].text("commit"))
    check_link(book.rules.key, None, log[0])
    for paper in players.values():
        forms.check_signature(paper, paper.sender)
    for before, paper in pairwise(log):
        check_link(book.rules.key, before, paper)
    book.others = {id_: paper for id_, paper in (others or {}).items() if is_signed(book, paper)}
    return book


def is_signed(book: Book, paper: Paper) -> bool:
    """Return whether a paper is a log paper of this tournament, signed by its director."""
    if paper.type == fields.RULES or paper.said("tournament") != book.id:
        return False
    try:
        forms.check_signature(paper, book.rules.key)
    except TrustError:
        return False
    return True


def read_log(
    log: Sequence[Paper],
    players: Mapping[str, Paper],
    solve: Solve = solving.solve_round,
    others: Mapping[str, Paper] | None = None,
) -> Book:
    """Return a tournament's state (book) from a whole log. Each paper of the log is checked."""
    book = open_log(log, players, others)
    for paper in log[1:]:
        apply_paper(book, paper, solve)
    return book


def accept_logged(given: Mapping[str, Any]) -> Solved | None:
    """Return None: pairs of a Swiss are accepted as logged. Only signing and verifying compute pairs."""
    return None if given["method"] == MATCH else solving.solve_round(given)


def read_folder(folder: Path) -> Book:
    """Return the state (book) of a tournament's folder, with each paper checked. Swiss pairs are accepted as logged."""
    contents = store.load_papers(folder)
    return read_log(contents.log, contents.papers, accept_logged, contents.others)
