"""What a signed paper is held to besides its schema: the fields of its type, and times that the calendar has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kursk_pbem.errors import FileError
from kursk_pbem.formats import times
from kursk_pbem.formats.strictyaml import Document
from kursk_pbem.formats.text import show


def need_fields(document: Document, what: str, missing: Sequence[str], surplus: Sequence[str]) -> None:
    """FileError if fields are missing or too many. ``what`` names the paper, with its article."""
    if missing:
        raise FileError(f"{what} must hold {', '.join(missing)}", document.where())
    if surplus:
        raise FileError(f"{what} holds no field {surplus[0]!r}", document.where((surplus[0],)))


def need_times(document: Document, names: Iterable[str]) -> None:
    """FileError if one of these fields stands there and is no time. The schema has seen that it is a text."""
    for name in names:
        if name in document.data and not times.is_time(str(document.data[name])):
            why = f"{show(str(document.data[name]))} is no time that there is, such as {times.EXAMPLE}"
            raise FileError(why, document.where((name,)))
