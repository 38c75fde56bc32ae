"""A tournament's folder read into its book, for whoever only looks."""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.tournament.book import reading
from kursk_pbem.tournament.book.records import Book
from kursk_pbem.tournament.office.office import as_logged
from kursk_pbem.tournament.papers import store


def book(folder: Path) -> Book:
    """The book of a folder, every paper held against all before it; pairings are taken as logged. KurskError."""
    contents = store.load(folder)
    return reading.read(contents.log, contents.papers, as_logged)
