"""Comparison of logs: two different draws under one number convict the director (docs/directors.md 11)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from kursk_pbem.errors import UsageError
from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.words import plural
from kursk_pbem.tournament.book import reading
from kursk_pbem.tournament.director import intake
from kursk_pbem.tournament.pairing import solve as solving
from kursk_pbem.tournament.papers import fields, lines, store
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.proof import void
from kursk_pbem.trust import sshsig


@frozen
class Outcome:
    """The result of comparing logs: two contradictory papers, if any, and all papers that prove the contradiction."""

    text: str
    proof: tuple[Paper, ...] = ()
    pair: tuple[Paper, Paper] | None = None


def compare_logs(places: Sequence[Path]) -> Outcome:
    """Compare the log papers in folders, files and mails. Raises UsageError if they belong to several tournaments."""
    papers = {paper.id: paper for paper in _read_papers(places)}
    first = [paper for paper in papers.values() if paper.type == fields.RULES]
    if len(first) != 1:
        raise UsageError("the files must contain the rules of exactly one tournament")
    players = {id_: paper for id_, paper in papers.items() if not paper.of_log}
    empty = reading.open_log(first, {})
    signed = {id_: paper for id_, paper in papers.items() if paper.of_log and reading.is_signed(empty, paper)}
    signed[first[0].id] = first[0]
    every = lines.list_lines(signed)
    log = lines.choose_line(every[0], every[1:])
    ours = {paper.id for paper in log}
    book = reading.open_log(log, players, {id_: paper for id_, paper in signed.items() if id_ not in ours})
    main = void.read_matters(book, log[1:], solving.solve_round)
    told = void.read_lines(book, main, players.values(), solving.solve_round)
    if (pair := void.find_pair(told)) is not None:
        key = sshsig.fingerprint(book.rules.key)
        text = f"the director (key {key}) is convicted: {void.describe_pair(*pair)}"
        proof = (first[0], *(paper for paper in papers.values() if paper.type != fields.RULES))
        return Outcome(text, proof, (pair[0].paper, pair[1].paper))
    void_papers = f"{plural(len(book.others), 'void paper')}" if book.others else "no void paper"
    return Outcome(f"no conviction: {plural(len(log), 'log paper')}, {void_papers}")


def _read_papers(places: Sequence[Path]) -> Iterator[Paper]:
    for place in places:
        if store.is_tournament(place):  # 'verify' reports unreadable papers
            for part in (store.LOG, store.PAPERS, store.EVIDENCE):
                yield from store.read_evidence(place, part)
        else:
            yield from intake.read_files([place]).papers
