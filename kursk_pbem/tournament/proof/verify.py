"""A tournament proved from its folder: log, draws, pairings, games, results, standings (docs/directors.md 10).

The first thing that differs is named with paper and field; what is missing is named with whom to ask for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from kursk_pbem.audit import batch, units
from kursk_pbem.audit.batch import Way
from kursk_pbem.audit.one_file import Finding
from kursk_pbem.audit.units import Task
from kursk_pbem.errors import EXIT_RULES, KurskError, TrustError, UsageError
from kursk_pbem.game import folders as game_folders
from kursk_pbem.tournament import remembered
from kursk_pbem.tournament.book import reading, rounds
from kursk_pbem.tournament.book.records import Book
from kursk_pbem.tournament.faults import FalsePaperError
from kursk_pbem.tournament.pairing import solve as solving
from kursk_pbem.tournament.pairing.solve import Solved
from kursk_pbem.tournament.papers import store
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.papers.store import Contents
from kursk_pbem.tournament.proof import choices, games
from kursk_pbem.tournament.rules import MATCHES
from kursk_pbem.tournament.score import listing, table


@dataclass(frozen=True)
class Proof:
    """What came of it. ``status``, an exit status: 0 all holds, 1 something is missing, 2 unreadable, 3 false.

    ``text``: one line; ``missing``: what is missing and whom to ask; ``notes``: what a reader should know. ``paper``
    and ``place`` (a field in it): where the first false thing stands. ``book``, ``findings``: where they came about.
    """

    status: int
    text: str
    paper: str = ""
    place: str = ""
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    book: Book | None = field(default=None, repr=False)
    findings: Mapping[str, Finding] = field(default_factory=dict, repr=False)


def verify(
    folder: Path, way: Way = batch.ALONE, done: Callable[[int], object] = lambda _number: None, home: Path | None = None
) -> Proof:
    """Verify the tournament in a folder; what is refused is the verdict and raises nothing.

    ``way``: how the games are verified; its processes share the pairings, too. ``done`` is called after each game with
    how many there are. ``home``: the private folder that remembers pairings, if any.
    """
    try:
        contents = store.load(folder)
        book = papers_hold(contents, way.jobs, home)
        findings = _games(folder, way, done)
        missing = games.hold(book, findings)
    except KurskError as error:
        paper = error.paper if isinstance(error, FalsePaperError) else error.where.file if error.where else ""
        return Proof(error.exit_status, f"{folder}: {error}", paper, getattr(error, "field", ""))
    notes = (*games.notes(book, findings), *choices.lines(book, store.evidence(folder)))
    where = f"log paper {book.head.seq}, head {book.head.id[:32]}"
    if missing:
        text = f"{folder}: all that is here holds, and {len(missing)} things are missing ({where})"
        return Proof(EXIT_RULES, text, missing=tuple(missing), notes=notes, book=book, findings=findings)
    return Proof(0, f"{folder}: verified, {_said(book)}, {where}", notes=notes, book=book, findings=findings)


def _said(book: Book) -> str:
    decided = sum(board.decided for board in book.boards.values())
    leader = ""
    if book.round and not book.undecided():
        first = table.standings(book).rows[0]
        leader = f", first is {book.entrants[first.entry].name} with {first.points} points"
    over = "ended" if book.ended else listing.when(book, book.round) if book.round else "not begun"
    entrants = len(book.numbers) or sum(not entrant.out for entrant in book.entrants.values())
    return f"{over}: {entrants} entrants, {decided} of {len(book.boards)} boards decided{leader}"


def papers_hold(contents: Contents, jobs: int = 1, home: Path | None = None) -> Book:
    """Steps a to e and h, and what of g the log shows: the book of a folder. KurskError for the first fault."""
    _equivocation(contents)
    pairings: list[tuple[Paper, Mapping[str, Any]]] = []

    def later(given: Mapping[str, Any]) -> Solved | None:
        if given["method"] not in MATCHES:
            return solving.solve(given)
        pairings.append((contents.log[len(done) + 1], given))
        return None

    done: list[Paper] = []
    fault: KurskError | None = None
    first = contents.log[0]
    book = reading.begin(first, contents.papers)
    reading.check_players(contents.papers)
    for before, paper in zip(contents.log, contents.log[1:], strict=False):
        reading.check(book.rules.key, before, paper)
    _seen(contents)
    try:
        for paper in contents.log[1:]:
            reading.take(book, paper, later)
            done.append(paper)
    except KurskError as error:
        fault = error
    _pairings_hold(book, pairings, jobs, home)
    if fault is not None:
        raise fault
    return book


def _pairings_hold(
    book: Book, pairings: Sequence[tuple[Paper, Mapping[str, Any]]], jobs: int, home: Path | None
) -> None:
    """Each round of a Swiss computed again from its input, whose hash the book has held against the log already."""
    inputs = [given for _paper, given in pairings]
    solve = solving.solve if home is None else remembered.solver(home)
    if jobs < 2 or len(inputs) < 2:
        solutions = list(map(solve, inputs))
    else:
        from multiprocessing import get_context  # noqa: PLC0415  only where several processes are wanted

        with get_context("spawn").Pool(min(jobs, len(inputs))) as pool:
            solutions = pool.map(solve, inputs)
    for (paper, given), solved in zip(pairings, solutions, strict=True):
        rounds.compare_pairs(paper, book.rules.systems[int(given["system"]) - 1].sides, solved)


def _equivocation(contents: Contents) -> None:
    """Step b, first: no two log papers of one number that the director signed, here or among the evidence."""
    first = contents.log[0]
    for paper in store.evidence(contents.folder):
        if paper.of_log and paper.seq < len(contents.log) and paper.id != contents.log[paper.seq].id:
            try:
                reading.check_director(first, paper)
            except TrustError:
                continue
            why = f"the director has signed another log paper {paper.seq} than the one in the log: two logs are abroad"
            raise FalsePaperError(paper.name, "seq", why, paper.where("seq"), "chain")


def _seen(contents: Contents) -> None:
    """Step b: every log paper that a player's paper names is in the log at that number."""
    for paper in contents.papers.values():
        if paper.text("tournament") != contents.log[0].id:
            raise FalsePaperError(
                paper.name, "tournament", "it belongs to another tournament", paper.where("tournament")
            )
        named = paper.said("seen")
        seq = int(named["seq"])
        if seq >= len(contents.log):
            last = len(contents.log) - 1
            why = f"its writer had seen log paper {seq}, and the log here ends with {last}: it is cut short"
            raise FalsePaperError(paper.name, "seen", why, paper.where("seen"), "chain")
        if contents.log[seq].id != named["id"]:
            why = f"its writer had seen another log paper {seq} than the one here: two logs were shown"
            raise FalsePaperError(paper.name, "seen", why, paper.where("seen"), "chain")


def _games(folder: Path, way: Way, done: Callable[[int], object]) -> dict[str, Finding]:
    """The verdict on every game in the folder, by its id; those that cannot be read by their path."""
    place = folder / store.GAMES
    if not place.is_dir() or not any(place.iterdir()):
        return {}
    tasks = units.tasks([place], "", "", None)
    work = [replace(finding, account=True) if isinstance(finding, Task) else finding for finding in tasks]
    if not work:
        raise UsageError(f"{place} holds no games")
    findings = {}
    with closing(batch.verify_each(work, way)) as verdicts:
        for finding in verdicts:
            findings[finding.game or _game_of(Path(finding.path))] = finding
            done(len(work))
    return findings


def _game_of(path: Path) -> str:
    """The game of a folder that does not hold, as its message 0 says; otherwise its path."""
    try:
        return game_folders.read_message(game_folders.proposal_path(path)).id
    except KurskError:
        return str(path)
