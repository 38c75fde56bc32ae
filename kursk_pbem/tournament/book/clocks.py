"""Deadlines, and the time that the director adds in public before a deadline is over (docs/directors.md 6.5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from kursk_pbem.formats import times
from kursk_pbem.tournament.faults import need
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.records import Board, Book, Clock

ALL = "all"


def apply_clock(book: Book, log: Paper) -> None:
    """Apply a ``clock`` paper, within the rules: add days to a deadline, or set a day before which no answer is due."""
    who = log.text("who")
    need(who == ALL or who in book.numbers, log, "who", f"no entrant has the number {who}")
    need(("days" in log.content) != ("until" in log.content), log, "", "the paper must give either days or a last day")
    days, until, time = int(log.said("days") or 0), str(log.said("until")), log.text("time")
    need(days or until > time, log, "until" if until else "days", "the paper gives no time")
    if who != ALL:
        terms = book.rules.terms
        used = sum(grant.days for grant in book.clocks if grant.who == who) + days
        need(used <= terms.bank, log, "days", f"the bank has {terms.bank} days, not {used}")
        left = count_holidays_left(book, who)
        why = f"paper 0 gives {terms.holidays} days of holidays, and {left} are left"
        need(not until or times.days(time, until) <= left, log, "until", why)
    book.clocks.append(Clock(log.seq, time, who, days, until))


def count_holidays_left(book: Book, number: str) -> int:
    """Return how many days of holiday the director can still give to an entrant. Paper 0 sets the limit."""
    given = (at for at in book.clocks if at.who == number and at.until)
    return max(book.rules.terms.holidays - sum(times.days(at.time, at.until) for at in given), 0)


def compute_due(book: Book, number: str, since: str, due: str, upto: int | None = None) -> str:
    """Return the deadline ``due`` plus the time granted after ``since``. ``upto``: the last log paper that counts."""
    for grant in book.clocks:
        if grant.who not in (ALL, number) or grant.time > due or (upto is not None and grant.seq > upto):
            continue
        if grant.until and grant.until > since:  # an earlier holiday covers a later deadline too
            due = max(due, grant.until)
        elif grant.days and grant.time >= since:
            due = times.add_most(due, grant.days)
    return due


def latest_due(book: Book, named: Mapping[str, Any]) -> Callable[[str, str], str] | None:
    """Return a function of (side, time of receipt) for the latest deadline; None if the log lacks the board."""
    board = book.boards.get(str(named.get("board")))
    if board is None:
        return None
    date = partial(date_paper, book, named)
    return lambda side, received: answer_due(book, board.sides.get(side, ""), received, int(date(received)[1]["seq"]))


def answer_due(book: Book, number: str, received: str, upto: int | None = None) -> str:
    """Return the deadline of a player's answer. ``received``: when the message to answer was received."""
    return compute_due(book, number, received, times.add_most(received, book.rules.terms.days), upto)


def date_paper(book: Book, named: Mapping[str, Any], time: str) -> tuple[str, dict[str, str]]:
    """Return the time of a referee's paper mailed now, and the newest log paper before this time (6.5).

    The time is never before the time of the log paper in ``named``, which message 0 names.
    """
    first = min(int(named.get("seq", 0)), len(book.log) - 1)  # an assistant's copy may be older than message 0
    time = max(time, book.log[first].text("time"))
    mailed = (paper for paper in reversed(book.log) if paper.type not in (fields.RECEIVED, fields.GAME))
    newest = next(paper for paper in mailed if paper.text("time") <= time)
    return time, {"seq": str(newest.seq), "id": newest.id}


def round_due(book: Book, number: int) -> str:
    """Return the deadline of all games of a round."""
    first = next(round_ for round_ in book.rounds if round_.number == number)
    last = [round_ for round_ in book.rounds if round_.number == number][-1]
    return compute_due(book, "", first.time, last.due)


def pairing_time(book: Book, board: Board) -> str:
    """Return the time when the players of a board learned their sides."""
    return book.log[max(board.seq, board.bids_seq)].text("time")


def begin_by(book: Book, board: Board) -> str:
    """Return the deadline for beginning a board's game."""
    since = pairing_time(book, board)
    return compute_due(book, "", since, times.add_most(since, book.rules.terms.begin))
