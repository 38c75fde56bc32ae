"""Reading of a tournament's folder without its private record."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kursk_pbem.tournament.book import reading
from kursk_pbem.tournament.pairing import solve as solving
from kursk_pbem.tournament.pairing.solve import Solved
from kursk_pbem.tournament.papers import store
from kursk_pbem.tournament.records import Book
from kursk_pbem.tournament.rules import MATCH


def accept_logged(given: Mapping[str, Any]) -> Solved | None:
    """Return None: pairs of a Swiss are accepted as logged. Only signing and verifying compute pairs."""
    return None if given["method"] == MATCH else solving.solve_round(given)


def book(folder: Path) -> Book:
    """Return the state (book) of a tournament's folder, with each paper checked. Swiss pairs are accepted as logged."""
    contents = store.load_papers(folder)
    return reading.read_log(contents.log, contents.papers, accept_logged, contents.others)
