"""When an answer is due: the term of a receipt, and extensions of it (protocol 2.10, decision 55).

An extension names the paper whose term it replaces, by its id. It gives time and never takes any, and it is signed
while the term still runs. So the term is the latest that anybody was told, in whatever order the papers came.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NoReturn

from kursk_pbem.errors import TrustError
from kursk_pbem.formats import times
from kursk_pbem.trust.chains import Chain
from kursk_pbem.trust.papers import BANK, EXTENSION, HOLIDAY, RECEIPT, Paper

LIMITED = {BANK: "bank", HOLIDAY: "holidays"}
"""The causes whose days message 0 may bound, and the field of its ``terms`` that does."""


class ContradictionError(TrustError):
    """What the referee has signed contradicts a message here or another paper of the referee: evidence."""


def latest(receipts: Mapping[int, Paper], extensions: Iterable[Paper]) -> dict[int, str]:
    """When the answer to each message is due: the latest of the receipt that counts and of every extension (X2)."""
    dues = {seq: paper.text("due") for seq, paper in receipts.items()}
    for paper in extensions:
        dues[paper.seq] = max(dues.get(paper.seq, ""), paper.text("due"))
    return dues


def check(every: Iterable[Paper]) -> None:
    """Hold every extension to the paper that it replaces, where that is here (X1). ContradictionError."""
    by_id = {paper.id: paper for paper in every}
    for paper in by_id.values():
        if paper.type == EXTENSION and (before := by_id.get(paper.text("replaces"))) is not None:
            _check(before, paper)


def _check(before: Paper, paper: Paper) -> None:
    """An extension and the paper that it replaces."""
    if before.type not in (RECEIPT, EXTENSION) or before.seq != paper.seq:
        why = f"it replaces {before.document.name}, which sets no term for the answer to message {paper.seq}"
        _contradict(why, paper, "replaces")
    due, declared = before.text("due"), paper.text("declared")
    if paper.text("due") <= due:
        _contradict(f"the answer was due {due} by {before.document.name}: nobody shortens a term", paper, "due")
    signed = before.text("received" if before.type == RECEIPT else "declared")
    if declared < signed:
        _contradict(f"it replaces {before.document.name}, which is later: {signed}", paper, "declared")
    if declared > due:
        why = f"by {before.document.name} the term was over at {due}: what is over is not extended"
        _contradict(why, paper, "declared")


def missing(every: Iterable[Paper]) -> list[Paper]:
    """The extensions that name a paper which is not here; they count all the same (X3)."""
    papers = tuple(every)
    ids = {paper.id for paper in papers}
    return [paper for paper in papers if paper.type == EXTENSION and paper.text("replaces") not in ids]


def twofold(every: Iterable[Paper]) -> list[tuple[Paper, Paper]]:
    """Pairs of different extensions that replace one paper: two tales (X4). Both count."""
    first: dict[str, Paper] = {}
    pairs: list[tuple[Paper, Paper]] = []
    for paper in sorted((paper for paper in every if paper.type == EXTENSION), key=lambda paper: paper.id):
        before = first.setdefault(paper.text("replaces"), paper)
        if before.id != paper.id:
            pairs.append((before, paper))
    return pairs


def used(chain: Chain, every: Iterable[Paper]) -> dict[tuple[str, str], int]:
    """Days that each side has had by each cause, begun ones count; of an extension of nothing here, none."""
    papers = tuple(every)
    by_id = {paper.id: paper for paper in papers}
    sums: dict[tuple[str, str], int] = {}
    for paper in by_id.values():
        if paper.type == EXTENSION and (before := by_id.get(paper.text("replaces"))) is not None:
            had = chain.writer(paper.seq + 1), paper.text("cause")
            sums[had] = sums.get(had, 0) + times.days(before.text("due"), paper.text("due"))
    return sums


def _contradict(why: str, paper: Paper, *path: str) -> NoReturn:
    raise ContradictionError("order", why, paper.where(*path))
