"""Lines: versions of a log. A line is a log paper with all papers before it (docs/directors.md 11).

A director who lost papers signs other papers with their numbers. Every desk follows one line by the same rule. The
papers of the other lines are void, and lie in ``evidence/``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.forms import Paper

Line = list[Paper]


def find_line(papers: Mapping[str, Paper], head: str) -> Line:
    """Return the log paper ``head`` (an id) and all papers before it, paper 0 first. If one is missing, return []."""
    line = Line()
    while (paper := papers.get(head)) is not None:
        line.append(paper)
        head = paper.said("prev")
    line.reverse()
    return line if [paper.seq for paper in line] == list(range(len(line))) else []


def list_lines(papers: Mapping[str, Paper]) -> list[Line]:
    """Return the complete lines of log papers that no further paper continues, sorted by id of the newest paper."""
    continued = {paper.said("prev") for paper in papers.values()}
    lines = (find_line(papers, id_) for id_ in sorted(papers) if id_ not in continued)
    return [line for line in lines if line]


def list_detached(papers: Mapping[str, Paper]) -> list[Paper]:
    """Return the papers without their predecessor, in order of their numbers."""
    there = (paper for paper in papers.values() if paper.seq and paper.said("prev") not in papers)
    return sorted(there, key=lambda paper: (paper.seq, paper.id))


def choose_line(own: Line, others: Iterable[Line]) -> Line:
    """Return the line of log papers that counts: no other line voids it. Ties: most closed fields, then most papers.

    If two lines are still equal, ``own`` counts.
    """
    every = [own, *others]
    void = {id_ for line in every for paper in line for id_ in paper.texts("void")}
    return max(every, key=lambda line: (void.isdisjoint(paper.id for paper in line), *_count_draws(line), len(line)))


def _count_draws(line: Line) -> tuple[int, int]:
    kinds = Counter(paper.type for paper in line)
    return kinds[fields.FIELD], kinds[fields.CLOSED] + kinds[fields.DRAWN]


def find_fork(one: Line, other: Line) -> int:
    """Return the number of the first paper that differs in two lines, or the length of the shorter line."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (ours, theirs) in pairs if ours.id != theirs.id), min(len(one), len(other)))
