"""Reading of a tournament's folder without its private record."""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.tournament.book import reading
from kursk_pbem.tournament.book.records import Book
from kursk_pbem.tournament.director.desk import accept_logged
from kursk_pbem.tournament.papers import store


def book(folder: Path) -> Book:
    """Return the book of a folder, with every paper checked. Swiss pairings are accepted as logged."""
    contents = store.load_papers(folder)
    return reading.read_log(contents.log, contents.papers, accept_logged)
