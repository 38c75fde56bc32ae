"""Standings, corrections and the end (docs/directors.md 6.6)."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace
from typing import Any

from kursk_pbem.errors import FileError
from kursk_pbem.formats.strictyaml import Document
from kursk_pbem.tournament.book import clocks, outcomes, plan, rounds
from kursk_pbem.tournament.faults import need, refuse
from kursk_pbem.tournament.papers import fields, forms
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.records import Board, Book
from kursk_pbem.tournament.score import table

CORRECTED = (fields.RESULT, fields.JUDGED, fields.CLOCK, fields.ROUND, fields.STANDINGS, fields.END)
"""Papers that can be corrected: results, clocks, a pairing without games, and announcements of results."""


def apply_standings(book: Book, log: Paper) -> None:
    """Check a ``standings`` paper: each board of the newest round is decided, and the hash of the table is right."""
    number = log.number("round")
    need(number == book.round and number, log, "round", f"the newest round is {book.round}")
    if open_ := book.undecided():
        refuse(log, "round", f"board {open_[0].name} has neither a result nor a judgement")
    _save_table(book, log, number)


def _save_table(book: Book, log: Paper, number: int) -> None:
    """Save the announced table of a round."""
    book.announced.pop(number, None)
    announced = _check_table(book, log, number)
    book.tables[number] = log.text("sha256")
    book.announced[number] = announced


def _check_table(book: Book, log: Paper, number: int) -> table.Table:
    right = table.compute_standings(book, number)
    why = f"the table after round {number} has the hash {right.sha256[:16]}"
    need(log.text("sha256") == right.sha256, log, "sha256", why)
    return right


def apply_end(book: Book, log: Paper) -> None:
    """Check an ``end`` paper: the tournament is over. After this paper the log accepts only corrections."""
    why = plan.find_hindrance(book)
    need(why == plan.NO_ROUND, log, "type", f"the tournament is not over: {why or 'a round is to come'}")
    for board in book.boards.values():
        need(board.outcome is not None and board.outcome.final, log, "type", f"board {board.name} is not decided")
    _check_end(book, log)


def _check_end(book: Book, log: Paper) -> None:
    _check_table(book, log, book.round)
    played = sum(bool(board.game) for board in book.boards.values())
    need(log.number("played") == played, log, "played", f"{played} boards have a game")
    book.ended = True


def apply_correction(book: Book, log: Paper, solve: rounds.Solve) -> None:
    """Check a ``correct`` paper, and put its new values into an earlier paper, which it names by number and id."""
    seq = log.number("corrects")
    need(seq < len(book.log), log, "corrects", f"the log has no paper {seq} yet")
    old = book.log[seq]
    need(old.id == log.said("id"), log, "id", f"log paper {seq} is {old.id[:16]}")
    need(old.type in CORRECTED, log, "corrects", f"a paper of type {old.type} cannot be corrected")
    new = _corrected_paper(log, old)
    ours = {seq, *(other.seq for other in book.log if other.type == fields.CORRECT and other.number("corrects") == seq)}
    if old.type in (fields.RESULT, fields.JUDGED):
        _correct_outcome(book, log, book.boards[old.text("board")], new, ours)
    elif old.type == fields.CLOCK:
        _correct_clock(book, log, new, ours)
    elif old.type == fields.ROUND:
        newest = book.rounds[-1]
        need(newest.seq in ours, log, "corrects", "only the newest round can be paired again")
        begun = [name for name in newest.boards if book.boards[name].game]
        need(not begun, log, "corrects", f"board {begun[0] if begun else ''} has a game: the pairing cannot change")
        rounds.remove_round(book)
        rounds.apply_round(book, new, solve)
    elif old.type == fields.STANDINGS:
        number = new.number("round")
        need(number == old.number("round"), new, "round", f"the corrected table is of round {old.text('round')}")
        _save_table(book, new, number)
    else:
        _check_end(book, new)


def _corrected_paper(log: Paper, old: Paper) -> Paper:
    """Return the corrected paper: fields by the correction, number and time of the correction."""
    required, optional = fields.LOG[old.type]
    now: Mapping[str, Any] = log.said("now")
    for name in now:
        need(name in (*required, *optional), log, "now", f"a paper of type {old.type} holds no field {name!r}")
    head = {name: log.content[name] for name in ("kursk-tournament", "tournament", "seq", "prev", "from", "time")}
    why = {"why": log.text("why")} if "why" in required else {}
    document = Document({**head, "type": old.type, **why, **now}, log.name)
    try:
        content = forms.check_content(document)
    except FileError as error:
        refuse(log, "now", error.message)
    return replace(log, content=content, document=document)


def _correct_outcome(book: Book, log: Paper, board: Board, new: Paper, ours: Container[int]) -> None:
    """Correct the result or judgement of a board. ``ours``: the old paper and its corrections, by number."""
    need(new.text("board") == board.name, log, "now", f"the corrected paper is about board {board.name}")
    by_this = board.outcome is not None and board.outcome.seq in ours
    need(by_this, log, "corrects", f"a different paper decided board {board.name}")
    for round_ in [round_ for round_ in book.announced if round_ >= board.round]:
        del book.announced[round_]
    board.outcome = None
    (outcomes.apply_result if new.type == fields.RESULT else outcomes.apply_judged)(book, new)


def _correct_clock(book: Book, log: Paper, new: Paper, ours: Container[int]) -> None:
    """Correct added time. For later checks the time was added at the original number and time."""
    place = next((at for at, clock in enumerate(book.clocks) if clock.seq in ours), None)
    if place is None:
        refuse(log, "corrects", "the corrected paper gives no time now")
    before = book.clocks.pop(place)
    clocks.apply_clock(book, new)
    book.clocks.insert(place, replace(book.clocks.pop(), seq=before.seq, time=before.time, said=log.seq))
