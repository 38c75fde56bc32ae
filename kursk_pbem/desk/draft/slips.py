"""All form errors of a draft at once: unreadable text, unknown keys and wrong values.

An unreadable text is read by key, and then inside each key. So an error hides only its own part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from kursk_pbem.errors import FileError, Where
from kursk_pbem.formats import schema, strictyaml
from kursk_pbem.formats.strictyaml import Document, Path
from kursk_pbem.formats.text import odd_at, to_utf8
from kursk_pbem.game.games import CHOICE_FIELDS

_TOP = re.compile(rb"[^\s#\-]")
_INNER = re.compile(rb"  [^\s#\-]")
_ODD = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_LONGEST = 50_000
"""Maximum size of a draft that is read in parts."""
_MOST = 100
"""Maximum number of parts of a draft."""


@dataclass
class _Reading:
    """Readable parts: ``data``, the document of each key, and errors by line."""

    name: str
    data: dict[str, Any] = field(default_factory=dict)
    documents: dict[Path, Document] = field(default_factory=dict)
    wrong: list[tuple[int, str]] = field(default_factory=list)

    def add(self, document: Document) -> None:
        """Add the content of a part."""
        for key, value in document.data.items():
            held = self.data.get(key)
            if isinstance(held, dict) and isinstance(value, dict):
                for name, inner in value.items():
                    self._put(held, (key, name), inner, document)
            else:
                self._put(self.data, (key,), value, document)

    def _put(self, into: dict[str, Any], path: Path, value: Any, document: Document) -> None:
        if (key := str(path[-1])) not in into:
            into[key] = value
            self.documents[path] = document
            return
        where = document.where(path)
        column = 2 * len(path) - 1
        text = f"{where}: the key {path[-1]!r} stands twice; keep one of them (column {column})"
        self.wrong.append((where.line, text))

    def where(self, path: Path) -> Where:
        """Return the line of a value or of its nearest parent."""
        document = self.documents.get(path[:2]) or self.documents.get(path[:1])
        return document.where(path) if document is not None else Where(self.name)


def every(raw: bytes, name: str, schema_name: str, first: FileError) -> FileError:
    """Return an error with all form errors of a draft; ``first`` if there is only one error.

    ``schema_name``: the schema of the choices.
    """
    reading, raw = _Reading(name), to_utf8(raw)
    whole = _read(raw, name, reading)
    choices = {key: reading.data[key] for key in CHOICE_FIELDS if key in reading.data}
    forms = [*schema.find_problems(reading.data, "message"), *schema.find_problems(choices, schema_name)]
    for path, words in forms:
        if path or whole:  # a missing field may be in an unreadable part
            where = reading.where(path)
            reading.wrong.append((where.line, f"{where}: {words}"))
    lines = list(dict.fromkeys(text for _line, text in sorted(reading.wrong)))
    if len(lines) < 2 or not _fit_to_part(raw):
        return first
    more = ["and more"] if len(lines) > schema.MAX_PROBLEMS else []
    return FileError("\n".join(lines[: schema.MAX_PROBLEMS] + more))


def _read(raw: bytes, name: str, reading: _Reading) -> bool:
    """Read a draft, in parts if necessary; return whether the whole text was readable."""
    try:
        reading.add(strictyaml.read_edited(raw, name))
    except FileError as error:
        whole = error
    else:
        return True
    for part in _parts(raw, _TOP, b"") if _fit_to_part(raw) else ():
        try:
            reading.add(strictyaml.read_edited(part, name))
        except FileError as error:
            _read_inside(part, name, reading, error)
    if not reading.wrong:  # the parts are readable, but not the whole
        _note(reading, whole)
    return False


def _fit_to_part(raw: bytes) -> bool:
    """Return whether a text can be read in parts: plain text of a draft's size."""
    return len(raw) <= _LONGEST and not _ODD.search(raw) and (raw.isascii() or odd_at(raw) is None)


def _read_inside(part: bytes, name: str, reading: _Reading, fault: FileError) -> None:
    head = next(line for line in part.split(b"\n") if line)
    inner = list(_parts(part, _INNER, head)) if head.rstrip().endswith(b":") else []
    if not inner:
        _note(reading, fault)
    for entry in inner:
        try:
            reading.add(strictyaml.read_edited(entry, name))
        except FileError as error:
            _note(reading, error)


def _note(reading: _Reading, error: FileError) -> None:
    """Add an error, except the error that the text is a part."""
    if "does not begin with a line" not in error.message:
        reading.wrong.append((error.where.line if error.where else 0, str(error)))


def _parts(raw: bytes, begins: re.Pattern[bytes], head: bytes) -> Iterator[bytes]:
    """Yield the parts of a text at the pattern ``begins``, at their own lines, below ``head``."""
    lines = raw.split(b"\n")
    starts = [number for number, line in enumerate(lines) if begins.match(line)][:_MOST]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=False):
        above = [b""] * (start - 1) + [head] if head and start else [b""] * start
        yield b"\n".join([*above, *lines[start:end], b""])
