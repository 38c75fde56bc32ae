"""Every slip of form in a draft at once: what cannot be read, unknown keys, wrong forms.

A text that cannot be read as a whole is read in parts: key by key, and once more inside of each. So one slip hides only
the part it stands in.
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
"""Bytes of a draft that is looked at in parts."""
_MOST = 100
"""Parts that are looked at; a draft has a dozen."""


@dataclass
class _Reading:
    """What could be read: ``data``, the documents that its keys come from (by path), and what is wrong, by line."""

    name: str
    data: dict[str, Any] = field(default_factory=dict)
    documents: dict[Path, Document] = field(default_factory=dict)
    wrong: list[tuple[int, str]] = field(default_factory=list)

    def add(self, document: Document) -> None:
        """Put in what a part of the text says."""
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
        """The line of a value, or of what is nearest above it."""
        document = self.documents.get(path[:2]) or self.documents.get(path[:1])
        return document.where(path) if document is not None else Where(self.name)


def every(raw: bytes, name: str, schema_name: str, first: FileError) -> FileError:
    """The error that names every slip of form in a draft; ``first``, which was found first, where there are no more.

    ``schema_name``: the form of the choices.
    """
    reading, raw = _Reading(name), to_utf8(raw)
    whole = _read(raw, name, reading)
    choices = {key: reading.data[key] for key in CHOICE_FIELDS if key in reading.data}
    forms = [*schema.problems(reading.data, "message"), *schema.problems(choices, schema_name)]
    for path, words in forms:
        if path or whole:  # what is missing may stand in a part that cannot be read
            where = reading.where(path)
            reading.wrong.append((where.line, f"{where}: {words}"))
    lines = list(dict.fromkeys(text for _line, text in sorted(reading.wrong)))
    if len(lines) < 2 or not _fit_to_part(raw):
        return first
    more = ["and more"] if len(lines) > schema.MAX_PROBLEMS else []
    return FileError("\n".join(lines[: schema.MAX_PROBLEMS] + more))


def _read(raw: bytes, name: str, reading: _Reading) -> bool:
    """Read a draft, in parts if need be; whether all of it could be read."""
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
    if not reading.wrong:  # each part is good, and together they are not
        _note(reading, whole)
    return False


def _fit_to_part(raw: bytes) -> bool:
    """Whether a text has slips that one can name one by one: it is plain text, and no longer than drafts are."""
    return len(raw) <= _LONGEST and not _ODD.search(raw) and (raw.isascii() or odd_at(raw) is None)


def _read_inside(part: bytes, name: str, reading: _Reading, fault: FileError) -> None:
    """The same of one key whose value cannot be read, if it is a mapping over several lines."""
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
    """Note why a part cannot be read, but for what only says that it is one."""
    if "does not begin with a line" not in error.message:
        reading.wrong.append((error.where.line if error.where else 0, str(error)))


def _parts(raw: bytes, begins: re.Pattern[bytes], head: bytes) -> Iterator[bytes]:
    """The text in parts that begin like this, each in its own lines, below ``head`` and empty lines."""
    lines = raw.split(b"\n")
    starts = [number for number, line in enumerate(lines) if begins.match(line)][:_MOST]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=False):
        above = [b""] * (start - 1) + [head] if head and start else [b""] * start
        yield b"\n".join([*above, *lines[start:end], b""])
