"""Verification of a tournament's folder: log, draws, pairings, games, results, standings (docs/directors.md 10)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from kursk_pbem.audit import batch, units
from kursk_pbem.audit.batch import Way
from kursk_pbem.audit.one_file import Finding
from kursk_pbem.audit.units import Task
from kursk_pbem.errors import EXIT_RULES, KurskError
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders as game_folders
from kursk_pbem.kernel.words import plural
from kursk_pbem.tournament import sights
from kursk_pbem.tournament.book import people, plan, reading
from kursk_pbem.tournament.book.rounds import Solve
from kursk_pbem.tournament.faults import FalsePaperError
from kursk_pbem.tournament.pairing import solve as solving
from kursk_pbem.tournament.pairing.solve import Solved
from kursk_pbem.tournament.papers import store
from kursk_pbem.tournament.proof import choices, games, held, void
from kursk_pbem.tournament.records import Book
from kursk_pbem.tournament.score import listing, table


@frozen
class Proof:
    """A verdict. ``status``: 0 valid, 1 incomplete, 2 unreadable, 3 false; ``paper``, ``place``: the first fault."""

    status: int
    text: str
    paper: str = ""
    place: str = ""
    missing: tuple[str, ...] = ()  # sentences with the people to ask
    notes: tuple[str, ...] = ()  # remarks for the reader
    book: Book | None = field(default=None, repr=False)
    findings: Mapping[str, Finding] = field(default_factory=dict, repr=False)


def verify_tournament(
    folder: Path, way: Way = batch.THIS_PROCESS, done: Callable[[int], object] = lambda _number: None
) -> Proof:
    """Return the verdict on a tournament's folder. ``done``: called after each game, with the number of games."""
    try:
        book, open_ = read_papers(folder)
        findings = _verify_games(folder, way, done)
        held_games = held.hold_games(book, findings)
        findings |= {game: one.finding for game, one in held_games.items()}
        missing = [*open_, *games.check_games(book, findings, held_games)]
    except KurskError as error:
        paper = error.paper if isinstance(error, FalsePaperError) else error.where.file if error.where else ""
        return Proof(error.exit_status, f"{folder}: {error}", paper, getattr(error, "field", ""))
    chosen = choices.list_choices(book, store.read_evidence(folder))
    told = (*sights.describe_sights(book), *sights.describe_clocks(book))
    notes = (*games.list_remarks(book, findings, held_games), *chosen, *told)
    where = f"log paper {book.head.seq}, head {book.head.id[:32]}"
    if missing:
        text = f"{folder}: valid, but {plural(len(missing), 'item')} missing ({where})"
        return Proof(EXIT_RULES, text, missing=tuple(missing), notes=notes, book=book, findings=findings)
    return Proof(0, f"{folder}: verified, {_summarize(book)}, {where}", notes=notes, book=book, findings=findings)


def _summarize(book: Book) -> str:
    decided = sum(board.decided for board in book.boards.values())
    leader = ""
    if book.round and not book.undecided():
        first = table.compute_standings(book).rows[0]
        leader = f", first is {book.entrants[first.entry].name} with {first.points} points"
    over = "ended" if book.ended else listing.describe_time(book, book.round) if book.round else "not begun"
    entrants = len(book.numbers) or sum(not entrant.out for entrant in book.entrants.values())
    return f"{over}: {entrants} entrants, {decided} of {len(book.boards)} boards decided{leader}"


def read_papers(folder: Path) -> tuple[Book, list[str]]:
    """Return the state after the checks a to e, h and a part of g, and the open questions about other log versions.

    docs/directors.md 11 lists the checks. Check g is done for the log only. Raises KurskError for a fault.
    """
    contents, solve = store.load_papers(folder), _cache_pairs()
    book = reading.open_log(contents.log, contents.papers, contents.others)
    main = void.read_matters(book, contents.log[1:], solve)
    for paper in contents.papers.values():
        people.check_seen(book, paper)
    return book, list(void.list_faults(void.read_lines(book, main, store.read_evidence(folder), solve)))


def _cache_pairs() -> Solve:
    """Return a function that computes each pairing once, because the lines of a log have rounds in common."""
    known: dict[str, Solved] = {}

    def solve_once(given: Mapping[str, Any]) -> Solved:
        key = plan.hash_input(dict(given))
        if key not in known:
            known[key] = solving.solve_round(given)
        return known[key]

    return solve_once


def _verify_games(folder: Path, way: Way, done: Callable[[int], object]) -> dict[str, Finding]:
    """Return the verdicts on the games in the folder by game id; unreadable games by path."""
    place = folder / store.GAMES
    if not place.is_dir() or not any(place.iterdir()):
        return {}
    tasks = units.list_tasks([place], "", "", None)
    work = [replace(finding, account=True) if isinstance(finding, Task) else finding for finding in tasks]
    findings = {}
    with closing(batch.verify_each(work, way)) as verdicts:
        for finding in verdicts:
            findings[finding.game or _find_game(Path(finding.path))] = finding
            done(len(work))
    return findings


def _find_game(path: Path) -> str:
    """Return the game of a folder by its message 0, or the path if message 0 cannot be read."""
    try:
        return game_folders.read_message(game_folders.proposal_path(path)).id
    except KurskError:
        return str(path)
