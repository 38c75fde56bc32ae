"""Other versions of a log, called lines (docs/directors.md 11). A second paper under a number is void.

The matter of a draw is the field with all wishes and commitments, the reveals that count, the secrets, and the
pairing. Two matters of one draw, both named by other people, convict the director, who could choose the better one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from kursk_pbem.errors import TrustError
from kursk_pbem.frozen import frozen
from kursk_pbem.tournament.book import reading
from kursk_pbem.tournament.book.rounds import Solve
from kursk_pbem.tournament.faults import IncompleteError, refuse
from kursk_pbem.tournament.papers import fields, forms, lines
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.records import Book

MOST = 64
"""Maximum number of lines of a log that an auditor reads."""
_DRAWS = (fields.FIELD, fields.CLOSED, fields.DRAWN, fields.ROUND)
_DECISIONS = (fields.RESULT, fields.JUDGED)
_PAIRED = ("method", "input", "pairs", "absent", "bye")
_DECIDED = ("winner", "how", "by", "margin")
_GIVEN = ("who", "days", "until")
_ABOUT = {fields.OPEN: fields.CLOSED, fields.REVEAL: fields.DRAWN}
"""The paper that fixes which papers of a type count in a draw; for all others the field."""


@frozen
class Matter:
    """What a log paper decides about a subject: a draw, a round or a board."""

    paper: Paper
    kind: str
    subject: str
    said: Any


@frozen
class Lines:
    """All versions of a log, with what each version decides. ``missing``: sentences about missing papers."""

    book: Book
    players: Mapping[str, Paper]
    matters: Sequence[Matter]
    named: frozenset[str]
    missing: Sequence[str]


def describe_matter(book: Book, paper: Paper) -> Matter | None:
    """Return what the newest log paper decides about a draw, or None if the paper cannot influence a draw."""
    kind, draw = paper.type, book.draws[-1] if book.draws else None
    if kind in _DECISIONS:
        return Matter(paper, kind, paper.text("board"), [paper.said(name) for name in _DECIDED])
    if kind == fields.GAME:
        return Matter(paper, kind, paper.text("board"), paper.text("game"))
    if kind == fields.ROUND:
        return Matter(paper, kind, paper.text("round"), [paper.said(name) for name in _PAIRED])
    if draw is None or kind not in _DRAWS:
        return None
    said: list[Any] = [paper.said("open"), paper.said("commit"), draw.reveal and draw.reveal.text("open")]
    if kind == fields.FIELD:
        there = [(entry, book.entrants[entry]) for entry in draw.entries]
        fixed = [(entry, who.commits[draw.number], who.plays.get(draw.number, "")) for entry, who in there]
        said = [fixed, draw.witness, book.commit]
    elif kind == fields.CLOSED:
        said = sorted((entry, opening.text("open")) for entry, opening in draw.openings.items())
    return Matter(paper, kind, str(draw.number), said)


def read_matters(book: Book, rest: Iterable[Paper], solve: Solve) -> list[Matter]:
    """Apply the log papers ``rest`` to the state after paper 0. Return what these papers decide about draws."""
    told = list[Matter | None]()
    for paper in rest:
        reading.apply_paper(book, paper, solve)
        told.append(describe_matter(book, paper))
    return [one for one in told if one is not None]


def read_lines(book: Book, main: Sequence[Matter], kept: Iterable[Paper], solve: Solve) -> Lines:
    """Read and check the other versions of a log like the log itself. Raises FalsePaperError for a false paper.

    ``main``: what the log decides about draws. ``kept``: papers of players that the log has not acknowledged.
    """
    every, players = book.signed_log, {**{paper.id: paper for paper in kept if not paper.of_log}, **book.papers}
    ours, told, missing = {paper.id for paper in book.log}, list(main), list[str]()
    others = [line for line in lines.list_lines(every) if line[-1].id not in ours]
    if len(others) > MOST:
        missing.append(f"{len(others) - MOST} versions of the log are not tested: at most {MOST} are")
    read = set(ours)
    for line in others[:MOST]:
        one = Book(book.rules, players, [line[0]], commit=line[0].text("commit"))
        one.others = {id_: paper for id_, paper in every.items() if paper not in line}
        try:
            for before, paper in pairwise(line):
                reading.check_link(book.rules.key, before, paper)
            told += [matter for matter in read_matters(one, line[1:], solve) if matter.paper.id not in read]
        except IncompleteError as error:
            missing.append(str(error))
        read |= {paper.id for paper in line}
    for paper in lines.list_detached(every):
        missing.append(f"log paper {paper.seq} ({paper.id[:16]}) is here, and its predecessor is missing: ask for it")
    return Lines(book, players, told, _list_named(book, players.values(), every), missing)


def _list_named(book: Book, papers: Iterable[Paper], every: Mapping[str, Paper]) -> frozenset[str]:
    """Return the log papers that people of the tournament have seen, by the papers that they signed."""
    part = {key for entrant in book.entrants.values() for _since, key in entrant.keys}
    part |= {*book.rules.assistants, book.rules.witness}
    named = set[str]()
    for paper in (paper for paper in papers if paper.sender in part):
        try:
            forms.check_signature(paper, paper.sender)
        except TrustError:
            continue
        id_ = paper.said("seen")["id"]
        while id_ in every and id_ not in named:
            named.add(id_)
            id_ = every[id_].said("prev")
    return frozenset(named)


def find_pair(told: Lines) -> tuple[Matter, Matter] | None:
    """Return the first two papers that decide a draw differently, or None. Each is logged, or others name it."""
    ours, first = {paper.id for paper in told.book.log}, dict[tuple[str, str], Matter]()
    for matter in told.matters:
        if matter.kind in _DRAWS and (matter.paper.id in ours or matter.paper.id in told.named):
            before = first.setdefault((matter.kind, matter.subject), matter)
            if before.said != matter.said:
                return before, matter
    return None


def describe_pair(one: Matter, other: Matter) -> str:
    """Return a sentence about two papers that decide a draw differently."""
    what = f"{one.kind} of {'round' if one.kind == fields.ROUND else 'lots'} {one.subject}"
    two = f"log papers {one.paper.seq} and {other.paper.seq} ({one.paper.id[:16]} and {other.paper.id[:16]})"
    return f"the director has signed two papers of different matter, {what}: {two}, and others have named both"


def list_faults(told: Lines) -> Iterator[str]:
    """Yield doubts about other versions of the log. Raises FalsePaperError if the director used two versions."""
    if (pair := find_pair(told)) is not None:
        later = max((matter.paper for matter in pair), key=lambda paper: paper.id in told.book.others)
        refuse(later, "draw" if later.said("draw") else "round", describe_pair(*pair))
    yield from told.missing
    known = _find_known(told.book)
    yield from _list_decisions(told, known)
    for paper in told.book.others.values():
        if paper.type == fields.RECEIVED and lines.find_line(told.book.signed_log, paper.id):
            yield from _list_unlogged(told, paper, known.get(paper.id, len(told.book.log)))
        if paper.type == fields.CLOCK and not any(_is_like(paper, log, _GIVEN) for log in told.book.log):
            yield f"the void paper {paper.name} gives time (who: {paper.text('who')}), but this log does not"


def _is_like(one: Paper, other: Paper, names: Iterable[str]) -> bool:
    return one.type == other.type and all(one.said(name) == other.said(name) for name in names)


def _find_known(book: Book) -> dict[str, int]:
    """Return the papers of other lines that the log knows, with the first log paper that shows so."""
    known, every = dict(book.voided), book.signed_log
    for id_, seq in book.received.items():
        seen = book.papers[id_].said("seen")["id"]
        while seen in book.others and known.get(seen, len(book.log)) > seq:
            known[seen] = seq
            seen = every[seen].said("prev")
    return known


def _list_decisions(told: Lines, known: Mapping[str, int]) -> Iterator[str]:
    """Yield the void decisions about boards that the log decides otherwise."""
    ours = {paper.id for paper in told.book.log}
    for other in told.matters:
        if other.kind in _DRAWS or other.paper.id in ours:
            continue
        same = _DECISIONS if other.kind in _DECISIONS else (other.kind,)
        log = [one for one in told.matters if one.paper.id in ours and one.kind in same]
        here = [one for one in log if one.subject == other.subject]
        if not here or any(one.said == other.said for one in here):
            continue
        first, void = here[0].paper, other.paper
        why = f"{void.name} ({void.type}) decides board {other.subject} otherwise than {first.name}"
        if known.get(void.id, len(told.book.log)) < first.seq:
            refuse(first, "board", f"{why}, which needed a correction: the log knew the other paper")
        yield f"{why}, and is void"


def _list_unlogged(told: Lines, void: Paper, known: int) -> Iterator[str]:
    """Yield the papers that a void paper acknowledged, and that the log has not acknowledged again in time.

    ``known``: the first log paper that shows that the log knows the void paper.
    """
    book = told.book
    for id_ in void.texts("papers"):
        paper = told.players.get(id_)
        if paper is None:
            yield f"the void paper {void.name} acknowledged {id_[:16]}: ask the director for this missing paper"
            continue
        fixed = _find_fixed(book, paper)
        if any(seq < fixed and _repeats(book.papers[one], paper) for one, seq in book.received.items()):
            continue
        name = next((who.name for who in book.entrants.values() if who.key == paper.sender), "a person")
        why = f"{void.name}, void, acknowledged the {fields.NOUNS.get(paper.type, paper.type)} of {name}"
        if known < fixed < len(book.log):
            refuse(book.log[fixed], "draw", f"{why}: the log knew it, and left the paper out")
        yield f"{why}; this log acknowledged the paper too late, or not at all"


def _repeats(one: Paper, other: Paper) -> bool:
    required, optional = fields.PLAYERS[other.type]
    names = [name for name in (*required, *optional) if name != "games"]
    return one.id == other.id or (one.sender == other.sender and _is_like(one, other, names))


def _find_fixed(book: Book, paper: Paper) -> int:
    """Return the log paper that fixed whether a paper counts in its draw; the length of the log without one."""
    kind, number = _ABOUT.get(paper.type, fields.FIELD), paper.said("draw")
    fixed = (log.seq for log in book.log if log.type == kind and number and log.text("draw") == number)
    return next(fixed, len(book.log))
