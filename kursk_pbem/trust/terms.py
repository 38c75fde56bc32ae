"""Deadlines of answers: the term of a receipt, and its extensions (protocol 2.10, decision 55).

An extension names the paper with the previous term by its id. The referee signs the extension before the previous term
ends, and only for a later term. So the latest term applies, in any order of arrival.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

from kursk_pbem.errors import TrustError
from kursk_pbem.trust.papers import EXTENSION, RECEIPT, Paper


class ContradictionError(TrustError):
    """A referee's paper contradicts a message or another paper. The paper is evidence of the referee's mistake."""


def find_deadlines(every: Iterable[Paper]) -> dict[int, str]:
    """Return the deadline of the answer to each message: the latest time in receipts and extensions (X2).

    The referee cannot take back a signed time, so a second receipt never shortens a deadline.
    """
    dues: dict[int, str] = {}
    for paper in every:
        if paper.type in (RECEIPT, EXTENSION):
            dues[paper.seq] = max(dues.get(paper.seq, ""), paper.text("due"))
    return dues


def describe_receipts(every: Iterable[Paper], seq: int) -> str:
    """Return a sentence if two receipts of message ``seq`` set different deadlines, otherwise ''."""
    dues = sorted({paper.text("due") for paper in every if paper.type == RECEIPT and paper.seq == seq})
    if len(dues) < 2:
        return ""
    return f"the referee has signed {len(dues)} terms for message {seq + 1}, {' and '.join(dues)}: the latest counts"


def check_extensions(every: Iterable[Paper]) -> None:
    """Raise ContradictionError if an extension contradicts the paper that it extends (X1). Skip missing papers."""
    by_id = {paper.id: paper for paper in every}
    for paper in by_id.values():
        if paper.type == EXTENSION and (before := by_id.get(paper.text("replaces"))) is not None:
            _check_extension(before, paper)


def _check_extension(before: Paper, paper: Paper) -> None:
    """Check an extension against the replaced paper."""
    if before.type not in (RECEIPT, EXTENSION) or before.seq != paper.seq:
        why = f"{before.document.name}, the replaced paper, sets no deadline for the answer to message {paper.seq}"
        _contradict(why, paper, "replaces")
    due, declared = before.text("due"), paper.text("declared")
    if paper.text("due") <= due:
        _contradict(
            f"the answer was due {due} by {before.document.name}: an extension cannot shorten a deadline", paper, "due"
        )
    signed = before.text("received" if before.type == RECEIPT else "declared")
    if declared < signed:
        _contradict(f"the extension replaces a later paper, {before.document.name} of {signed}", paper, "declared")
    if declared > due:
        why = f"by {before.document.name} the deadline passed at {due}: a passed deadline cannot be extended"
        _contradict(why, paper, "declared")


def find_orphaned(every: Iterable[Paper]) -> list[Paper]:
    """Return the extensions that extend a missing paper. Such an extension is valid anyway (X3)."""
    papers = tuple(every)
    ids = {paper.id for paper in papers}
    return [paper for paper in papers if paper.type == EXTENSION and paper.text("replaces") not in ids]


def find_rivals(every: Iterable[Paper]) -> list[tuple[Paper, Paper]]:
    """Return each pair of different extensions of the same paper (X4). Both extensions are valid."""
    first: dict[str, Paper] = {}
    pairs: list[tuple[Paper, Paper]] = []
    for paper in sorted((paper for paper in every if paper.type == EXTENSION), key=lambda paper: paper.id):
        before = first.setdefault(paper.text("replaces"), paper)
        if before.id != paper.id:
            pairs.append((before, paper))
    return pairs


def _contradict(why: str, paper: Paper, *path: str) -> NoReturn:
    raise ContradictionError("order", why, paper.where(*path))
