"""Entries and offers to take over a number. Each waits as a file until accepted: by the director, or automatically.

Any stranger can mail entries, and the log keeps an acknowledgment of each entry. ``quotas`` limits the waiting papers.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from kursk_pbem.errors import FileError, UsageError
from kursk_pbem.formats import files
from kursk_pbem.formats.canonical import MAX_BYTES
from kursk_pbem.formats.text import show
from kursk_pbem.kernel.words import some
from kursk_pbem.post.mailbox import arrival, people, post_folder, quotas
from kursk_pbem.post.mailbox.envelope import Mail
from kursk_pbem.tournament.papers import fields, forms
from kursk_pbem.tournament.papers.forms import Paper

_DIGITS = 8


def _folder(home: Path, id_: str) -> Path:
    return post_folder.locate(home) / "in" / "papers" / id_[:16]


def _path(home: Path, paper: Paper) -> Path:
    """Return the file of a waiting paper."""
    return _folder(home, tournament_of(paper)) / f"{paper.id[:32]}.yaml"


def tournament_of(paper: Paper) -> str:
    """Return the id of the tournament that a paper belongs to."""
    return paper.id if paper.type == fields.RULES else str(paper.said("tournament"))


def keep_paper(home: Path, paper: Paper, mail: Mail) -> bool:
    """Save a tournament paper until the director accepts it. Return False if there is no room. Raises DiskError."""
    path, raw = _path(home, paper), forms.emit_paper(paper).encode("ascii")
    if not path.exists():
        there = post_folder.list_names(path.parent)
        size = sum((path.parent / name).stat().st_size for name in there)
        if quotas.PAPERS.is_full(len(there) + 1, len(raw) + size):
            return False
        post_folder.write_file(path, raw)
    arrival.save_arrival(home, tournament_of(paper), 0, paper.id, **mail.said)
    return True


def list_papers(home: Path, id_: str) -> Iterator[Paper]:
    """Yield the waiting papers of a tournament, sorted by id."""
    folder = _folder(home, id_)
    for name in post_folder.list_names(folder):
        with suppress(OSError, FileError):
            yield _read(files.read(folder / name, MAX_BYTES), name)


_read = files.cache_reader(forms.read_paper)  # many may wait, for weeks, and are looked through in each round


def put_away(home: Path, papers: Iterable[Paper], received: Container[str]) -> None:
    """Delete waiting papers. For ``received`` papers, save the sender's address, to ask the director about it."""
    for paper in (paper for paper in papers if not paper.of_log):
        address = arrival.load_arrival(home, tournament_of(paper), 0, paper.id).get("sender", "")
        if paper.id in received:
            name = paper.text("name")[: people.NAME] if paper.type in fields.STRANGERS else ""
            people.add_seen_address(home, paper.sender, address, f"sender of their {paper.type}", name)
        else:
            arrival.delete_arrival(home, tournament_of(paper), 0, paper.id)
        _path(home, paper).unlink(missing_ok=True)


def find_paper(there: Sequence[Paper], typed: str) -> Paper:
    """Return the paper with a sender's name, or with these 8 digits of its id. Raises UsageError."""
    ids = [paper for paper in there if len(typed) >= _DIGITS and paper.id.startswith(typed.lower())]
    alike = [paper for paper in there if paper.text("name").casefold() == typed.casefold() or paper in ids]
    if len(alike) != 1:
        named = some([f"{show(paper.text('name'))} {paper.id[:_DIGITS]}" for paper in alike or there], 8)
        why = "several papers have this name: type the digits" if alike else "no waiting paper has this name"
        raise UsageError(f"no file {typed}, and {why}: {named or 'nobody waits'}")
    return alike[0]
