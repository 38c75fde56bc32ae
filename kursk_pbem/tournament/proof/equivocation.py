"""Comparison of logs: two log papers with one number convict the director (docs/directors.md 11)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from kursk_pbem.errors import KurskError, TrustError, UsageError
from kursk_pbem.formats.canonical import shorten
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders as game_folders
from kursk_pbem.tournament.director import intake
from kursk_pbem.tournament.papers import fields, forms, mails, store
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.trust import sshsig


@frozen
class Outcome:
    """The result of a comparison: the first contradictory papers, if any, and paper 0."""

    text: str
    rules: Paper | None = None
    pair: tuple[Paper, Paper] | None = None


def compare_logs(places: Sequence[Path]) -> Outcome:
    """Compare the log papers in folders, files and mails. Raises UsageError for papers of several tournaments."""
    papers = list(_read_papers(places))
    first = {paper.id: paper for paper in papers if paper.type == fields.RULES}
    if len(first) != 1:
        raise UsageError("the files must contain the rules of exactly one tournament")
    (rules,) = first.values()
    by_number: dict[int, Paper] = {}
    for paper in sorted(_list_signed(rules, papers), key=lambda paper: paper.seq):
        before = by_number.setdefault(paper.seq, paper)
        if before.id != paper.id:
            return Outcome(_describe_pair(rules, before, paper), rules, (before, paper))
    lengths = sorted({len(list(_read_log(place))) for place in places if place.is_dir()})
    cut = f"; the shortest copy has {lengths[0]} papers, the longest {lengths[-1]}" if len(lengths) > 1 else ""
    return Outcome(f"no conviction: {len(by_number)} log papers, without a second paper of a number{cut}", rules)


def _read_papers(places: Sequence[Path]) -> Iterator[Paper]:
    for place in places:
        if store.is_tournament(place):
            yield from _read_log(place)
            yield from store.read_evidence(place)
        else:
            yield from intake.read_files([place]).papers


def _read_log(place: Path) -> Iterator[Paper]:
    for path in sorted((place / store.LOG).glob("*.yaml")):
        try:
            yield store.read_paper(path)
        except KurskError:
            continue  # 'verify' reports the error


def _list_signed(rules: Paper, papers: Sequence[Paper]) -> Iterator[Paper]:
    """Yield the log papers of this tournament with the director's signature."""
    for paper in papers:
        ours = paper.of_log and (paper.id == rules.id or paper.said("tournament") == rules.id)
        try:
            if ours:
                forms.check_signature(paper, rules.text("key"))
                yield paper
        except TrustError:
            continue


def _describe_pair(rules: Paper, one: Paper, other: Paper) -> str:
    two = " and ".join(shorten(one.id, other.id))
    key = sshsig.fingerprint(rules.text("key"))
    types = f"{one.type}, {other.type}"
    return f"the director (key {key}) is convicted: two log papers {one.seq} are signed, {two} ({types})"


def write_proof(path: Path, outcome: Outcome) -> None:
    """Write paper 0 and the two papers as one file, as a proof for other people."""
    if outcome.pair is None or outcome.rules is None:
        raise UsageError("nothing is proved: the log papers do not contradict each other")
    game_folders.write(path, mails.bundle_papers([outcome.rules, *outcome.pair]))
