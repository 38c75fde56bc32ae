"""Forms of lines on cards: ``attack <hex> with <attackers*> [retreat <plan.retreat,>]``.

A field in angles is a value of an entry: ``<hex>`` one word, ``<attackers*>`` any number of words,
``<plan.retreat,>`` texts between commas, in the mapping ``plan``. ``<.>`` is the whole entry. A part in brackets may be
missing. The parts after the first may have any order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kursk_pbem.audit.cards import values
from kursk_pbem.errors import UsageError
from kursk_pbem.frozen import frozen

_ONE, _MANY, _TEXTS = "", "*", ","
_PARTS = re.compile(r"\[([^\[\]]*)\]|([^\[\]]+)")
_FIELD = re.compile(r"<([\w.-]+)([*,]?)>")
_WHOLE = "."


@frozen
class Field:
    """A field in the form of a card's line, such as ``<hex>``: the keys of its value in the entry, how many values."""

    path: tuple[str, ...]
    kind: str

    def find(self, value: Any) -> Any:
        """Return this field's value in an entry (the data of a card's line), or None."""
        if self.path == (_WHOLE,):
            return value
        for key in self.path:
            value = value.get(key) if isinstance(value, Mapping) else None
        return value

    def write(self, value: Any) -> str:
        """Return a value of this field as words for a line of a card."""
        listed = value if isinstance(value, list) else [value]
        if self.kind == _TEXTS:
            return values.write_value(listed)[1:-1]
        return " ".join(map(values.write_value, listed))


@frozen
class Part:
    """A part in the form of a card's line, such as ``with <attackers*>``. ``needed``: every line has the part."""

    word: str
    fields: tuple[Field, ...]
    needed: bool

    def read(self, given: Sequence[Any]) -> Iterator[tuple[Field, Any]]:
        """Yield each field of this part with its value in a line's words. Raises UsageError if a word does not fit."""
        left = list(given)
        for field in self.fields:
            if field.kind != _ONE:
                texts = [values.join(text) for text in values.split(left, values.COMMA)]
                yield field, left if field.kind == _MANY else texts
                return
            if not left:
                raise UsageError(f"a word is missing after {self.word!r}")
            yield field, left.pop(0)
        if left:
            raise UsageError(f"delete {left[0]!r}: too many words follow {self.word!r}")


@frozen
class Form:
    """The form of a line of a conformance card, with the parts of the line."""

    parts: tuple[Part, ...]

    def read(self, line: Sequence[Any]) -> Any:
        """Return the plain data that a card's line expresses. Raises UsageError if the line does not fit the form."""
        entry: dict[str, Any] = {}
        for part, given in self._part_line(line):
            for field, value in part.read(given):
                inner = entry
                for key in field.path[:-1]:
                    inner = inner.setdefault(key, {})
                inner[field.path[-1]] = value
        return entry.get(_WHOLE, entry)

    def _part_line(self, line: Sequence[Any]) -> list[tuple[Part, list[Any]]]:
        """Return the parts of a line with their values. Raises UsageError."""
        parts, found = {part.word: part for part in self.parts}, list[tuple[Part, list[Any]]]()
        for value in line:
            if isinstance(value, str) and value in parts:
                found.append((parts.pop(value), []))
            elif not found:
                raise UsageError(f"the line must begin with {self.parts[0].word!r}, not with {value!r}")
            else:
                found[-1][1].append(value)
        missing = [part.word for part in parts.values() if part.needed]
        if missing:
            raise UsageError(f"{missing[0]!r} is missing")
        return found

    def write(self, entry: Any) -> str:
        """Return the card's line that expresses an entry (plain data), or '' if this form cannot express the entry."""
        words: list[str] = []
        for part in self.parts:
            found = [(field, field.find(entry)) for field in part.fields]
            if part.needed or all(value is not None for _field, value in found):
                words += [part.word, *(text for field, value in found if (text := field.write(value)))]
        line = " ".join(words)
        try:
            return line if self.read(values.read_line(line)) == entry else ""
        except UsageError:
            return ""


def read_form(text: str) -> Form:
    """Return the form of a card's line, described by a text such as ``attack <hex> with <attackers*>``."""
    parts: list[Part] = []
    for optional, needed in _PARTS.findall(text):
        for word in (optional or needed).split():
            if match := _FIELD.fullmatch(word):
                path = (_WHOLE,) if match[1] == _WHOLE else tuple(match[1].split("."))
                last = parts.pop()
                parts.append(Part(last.word, (*last.fields, Field(path, match[2])), last.needed))
            else:
                parts.append(Part(word, (), not optional))
    return Form(tuple(parts))
