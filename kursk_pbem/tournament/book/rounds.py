"""Checks of a pairing against the log, and the boards of a round (docs/directors.md 8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from kursk_pbem.formats import times
from kursk_pbem.tournament import records
from kursk_pbem.tournament.book import plan
from kursk_pbem.tournament.faults import need, refuse
from kursk_pbem.tournament.pairing.sides import number_order
from kursk_pbem.tournament.pairing.solve import DECIDER, Solved
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.records import Board, Book, Entrant, Round
from kursk_pbem.tournament.rules import MATCH
from kursk_pbem.tournament.score import stages
from kursk_pbem.tournament.score.counted import find_spent
from kursk_pbem.tournament.score.table import find_finalists

Solve: TypeAlias = Callable[[Mapping[str, Any]], Solved | None]
"""A function that returns the pairs for an input, or None to accept the pairs in the log."""


def due_round(book: Book, given: Mapping[str, Any], solved: Solved, time: str) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the fields of a ``round`` paper, and the numbers without a game, each with its reason.

    ``given``: the pairing's data. ``time``: the time of signing.
    """
    round_ = int(given["round"])
    boards = list(_make_boards(book, given, solved))
    playing = {number for board in boards for number in board["sides"].values()}
    how = _explain_rest(book, given, solved, playing)
    absent = [number for number, spends in how.items() if spends in (records.ASKED, records.ANNOUNCED, records.MISSED)]
    said: dict[str, Any] = {
        "round": str(round_),
        "method": given["method"],
        "input": plan.hash_input(dict(given)),
        "pairs": boards,
        "absent": sorted(absent, key=number_order),
        "due": times.add_most(time, book.rules.terms.round),
    }
    if solved.bye:
        said["bye"] = solved.bye
    return said, how


def _make_boards(book: Book, given: Mapping[str, Any], solved: Solved) -> list[dict[str, Any]]:
    """Return the boards of a round in order: one for each meeting, or two if both players play both sides."""
    system = book.rules.systems[int(given["system"]) - 1]
    boards: list[dict[str, Any]] = []
    decider = given["method"] == DECIDER
    for place, (first, second) in enumerate(solved.pairs, 1):
        name = f"{given['round']}-{place}"
        if decider:
            earlier = next(board for board in book.of_round(int(given["round"])) if {first, second} == {*board.numbers})
            name = earlier.meeting
        letters = ["c"] if decider else ["a", "b"] if book.rules.mirror else [""]
        for letter in letters:
            one, other = (second, first) if letter == "b" else (first, second)
            sides = dict(zip(system.sides, (one, other), strict=True))
            boards.append({"board": f"{name}{letter}", "system": given["system"], "sides": sides})
    return boards


def _explain_rest(book: Book, given: Mapping[str, Any], solved: Solved, playing: set[str]) -> dict[str, str]:
    how: dict[str, str] = {}
    if given["method"] == DECIDER:
        return how
    if solved.bye:
        how[solved.bye] = records.BYE
    how |= dict.fromkeys(solved.free, records.FREE) | dict.fromkeys(solved.walkovers, records.WALKOVER)
    for entrant in book.ranked():
        if entrant.number in playing or entrant.number in how:
            continue
        if entrant.gone(int(given["round"])):
            how[entrant.number] = records.GONE
        elif given["method"] == MATCH:
            how[entrant.number] = _explain_absence(book, entrant)
    return how


def _explain_absence(book: Book, entrant: Entrant) -> str:
    """Return the reason for a round without a game: a requested bye (once), an announced or unannounced absence."""
    draw = book.draws[-1]
    if entrant.entry not in draw.openings:
        return records.MISSED
    before = any(find_spent(book, entrant.number, round_) == records.ASKED for round_ in range(1, book.round + 1))
    return records.ASKED if entrant.plays.get(draw.number) == "bye" and not before else records.ANNOUNCED


def apply_round(book: Book, log: Paper, solve: Solve) -> None:
    """Check a ``round`` paper: the log leads to this pairing. Add the round."""
    why = plan.find_hindrance(book)
    need(not why, log, "round", f"no round can be paired here: {why}")
    given = plan.make_input(book)
    need(log.text("round") == given["round"], log, "round", f"round {given['round']} comes next")
    need(log.text("method") == given["method"], log, "method", f"the method of the round is {given['method']}")
    right = plan.hash_input(given)
    why = f"the input has the hash {right[:16]}: points, meetings, sides, byes or the seed were different"
    need(log.text("input") == right, log, "input", why)
    solved = solve(given)
    if solved is None:
        solved = logged_pairs(book, log, given)
    due, spent = due_round(book, given, solved, log.text("time"))
    _compare_fields(log, due)
    _add_boards(book, log, given)
    facts = (given["method"], due["due"], [said["board"] for said in due["pairs"]], spent, dict(solved.walkovers))
    book.rounds.append(Round(log.number("round"), log.seq, log.text("time"), *facts))


def logged_pairs(book: Book, log: Paper, given: Mapping[str, Any]) -> Solved:
    """Return the pairs that the newest round in the log states."""
    system = book.rules.systems[int(given["system"]) - 1]
    pairs = []
    for place, said in enumerate(log.said("pairs")):
        where = f"pairs/{place}/sides"
        need(set(said["sides"]) == set(system.sides), log, where, f"the sides are {' and '.join(system.sides)}")
        if not said["board"].endswith("b"):
            first, second = (said["sides"][side] for side in system.sides)
            need({first, second} <= set(book.numbers), log, where, "the number is unknown")
            pairs.append((first, second))
    return Solved(pairs, str(log.said("bye")))


def _compare_fields(log: Paper, right: Mapping[str, Any]) -> None:
    """Check each field of a pairing. The error names the first different board."""
    pairs = log.said("pairs")
    for place, (said, due_) in enumerate(zip(pairs, right["pairs"], strict=False)):
        if said != due_:
            here, must = f"{said['board']} with {_format_sides(said)}", f"{due_['board']} must be {_format_sides(due_)}"
            refuse(log, f"pairs/{place}", f"board {must}, not {here}")
    need(len(pairs) == len(right["pairs"]), log, "pairs", f"{len(right['pairs'])} boards are due, not {len(pairs)}")
    bye, named = right.get("bye", ""), log.said("bye")
    need(named == bye, log, "bye", f"the bye is {f'number {bye}' if bye else 'nobody'}, not {named or 'nobody'}")
    need(log.texts("absent") == right["absent"], log, "absent", f"absent are {', '.join(right['absent']) or 'none'}")
    need(log.said("due") == right["due"], log, "due", f"by paper 0 the round is due {right['due']}")


def _format_sides(said: Mapping[str, Any]) -> str:
    return ", ".join(f"{side} {number}" for side, number in sorted(said["sides"].items()))


def _add_boards(book: Book, log: Paper, given: Mapping[str, Any]) -> None:
    """Add the boards of a checked pairing to the book, and for finals the ties and finalists."""
    number = log.number("round")
    if given["method"] not in (MATCH, DECIDER) and "ties" in given:
        book.ties[number] = [(one, other) for one, other in given["ties"]]
    start = stages.first_final_round(book)
    if start and number >= start and not book.finalists:
        book.finalists = find_finalists(book)
    for said in log.said("pairs"):
        board = Board(said["board"], number, int(said["system"]), dict(said["sides"]), log.seq)
        guest = any(number.startswith("g") for number in board.numbers)
        board.sides_known = guest or not book.rules.bids  # in a game with a guest, no player bids
        book.boards[board.name] = board


def remove_round(book: Book) -> None:
    """Remove the newest round from the tournament's state, before a correction pairs the round again."""
    last = book.rounds.pop()
    for name in last.boards:
        del book.boards[name]
    book.ties.pop(last.number, None)
