"""The choice between two logs (docs/directors.md 11): the director and the entrants use the same rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from kursk_pbem.tournament.book import reading
from kursk_pbem.tournament.book.rounds import Solve
from kursk_pbem.tournament.papers import fields, lines, store
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.records import Book


def follow_line(
    folder: Path, book: Book, incoming: Iterable[Paper], players: Mapping[str, Paper], solve: Solve
) -> Book:
    """Add the director's log papers to a folder; return the state (book) by the valid version of the log.

    Papers of other versions become evidence. ``players``: papers to be acknowledged by a log. Raises KurskError, and
    changes no file of the log, if this version is false or incomplete.
    """
    every, own = book.signed_log, book.log
    own_ids = {paper.id for paper in own}
    every |= {paper.id: paper for paper in incoming if paper.id not in every}
    line = lines.choose_line(own, (line for line in lines.list_lines(every) if line[-1].id != own[-1].id))
    ours = {paper.id for paper in line}
    others = {id_: paper for id_, paper in every.items() if id_ not in ours}
    for paper in others.values():
        if paper.id not in book.others and paper.id not in own_ids:
            store.keep_evidence(folder, paper)
    told = {id_ for paper in others.values() if paper.type == fields.RECEIVED for id_ in paper.texts("papers")}
    for id_ in sorted(told & set(players)):
        store.write_paper(store.paper_path(folder, players[id_]), players[id_])
    if line is own:
        book.others = others
        return book
    kept = {paper.id: paper for paper in store.read_evidence(folder) if not paper.of_log}
    new = reading.read_log(line, {**kept, **players, **book.papers}, solve, others)
    here = {*new.received, *book.papers, *told}
    new.papers = {id_: paper for id_, paper in new.papers.items() if id_ in here}
    for id_ in new.received:
        store.write_paper(store.paper_path(folder, new.papers[id_]), new.papers[id_])
    store.replace_log(folder, lines.find_fork(own, line), line)
    return new


def describe_change(before: Book, after: Book) -> list[str]:
    """Return a sentence for the director about a changed log: papers were replaced, or papers were only added."""
    fork = lines.find_fork(before.log, after.log)
    new, old = after.log[fork:], before.log[fork:]
    if not new:
        return []
    told = [f"{_name_papers(new)}, signed by you elsewhere, came back"]
    return [*told, f"{_name_papers(old)} here: void"] if old else told


def _name_papers(papers: list[Paper]) -> str:
    first, last = papers[0].seq, papers[-1].seq
    return f"log paper {first}" if first == last else f"log papers {first} to {last}"
