"""Checks of signed papers beyond their schema: the fields of a type, and times."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kursk_pbem.errors import FileError
from kursk_pbem.formats import times
from kursk_pbem.formats.strictyaml import Document
from kursk_pbem.formats.text import show


def need_fields(document: Document, what: str, missing: Sequence[str], surplus: Sequence[str]) -> None:
    """Raise FileError if fields are missing or surplus. ``what``: the paper with its article."""
    if missing:
        raise FileError(f"{what} must hold {', '.join(missing)}", document.where())
    if surplus:
        raise FileError(f"{what} holds no field {surplus[0]!r}", document.where((surplus[0],)))


def need_times(document: Document, names: Iterable[str]) -> None:
    """Raise FileError if one of these fields exists and is no time. The schema has checked for a text."""
    for name in names:
        if name in document.data and not times.is_time(str(document.data[name])):
            why = f"{show(str(document.data[name]))} is no valid time; an example is {times.EXAMPLE}"
            raise FileError(why, document.where((name,)))
