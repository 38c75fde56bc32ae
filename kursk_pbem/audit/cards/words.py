"""The words of a rule system on cards: the header of its file, with defaults and the forms of orders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from kursk_pbem.audit.cards import forms
from kursk_pbem.audit.cards.forms import Form
from kursk_pbem.errors import FileError, UsageError
from kursk_pbem.formats import strictyaml
from kursk_pbem.frozen import frozen

_LISTED = "[]"
"""The end of a key whose value is a list; a line has one entry of the list."""
_NUMBER = "id"


@frozen
class Kind:
    """The forms of the lines for a ``key`` of orders or agenda. ``listed``: each line is an entry of a list.

    ``number``: the first ``id`` of the entries, such as ``b1``, if they are numbered; otherwise ''.
    """

    key: str
    listed: bool
    number: str
    forms: tuple[Form, ...]

    def write(self, value: Any) -> list[str]:
        """Return the lines of a card that express a value; no lines if no form of this kind can express the value."""
        if self.listed and (not isinstance(value, list) or not value):
            return []
        entries = [self._drop_number(entry, at) for at, entry in enumerate(value, 1)] if self.listed else [value]
        lines = [next(filter(None, (form.write(entry) for form in self.forms)), "") for entry in entries]
        return lines if all(lines) else []

    def _drop_number(self, entry: Any, at: int) -> Any:
        if self.number and isinstance(entry, Mapping) and entry.get(_NUMBER) == f"{self.number}{at}":
            return {key: value for key, value in entry.items() if key != _NUMBER}
        return entry

    def add(self, table: dict[str, Any], entry: Any) -> None:
        """Add an entry, read from a line of a card, to a table under this kind's key."""
        if self.listed:
            entries = table.setdefault(self.key, [])
            entries.append({_NUMBER: f"{self.number}{len(entries) + 1}", **entry} if self.number else entry)
        else:
            table[self.key] = entry


@frozen
class Words:
    """The words of a rule system for cards.

    ``usual``: default fields of a case. ``position``: default fields of a position. ``stages``: stage -> its writer
    ``side``, the usual ``agenda`` and ``message``, and ``next``, the usual changes by the choices. ``others``: place
    and steps of the units that a card does not name. ``done``: patterns of the agenda entries that duties usually
    remove. ``short``: word -> the long text that the word stands for. ``orders``, ``agenda``: the forms of lines.
    """

    system: str
    usual: Mapping[str, Any]
    position: Mapping[str, Any]
    stages: Mapping[str, Mapping[str, Any]]
    others: tuple[str, str]
    done: tuple[str, ...]
    short: Mapping[str, str]
    orders: tuple[Kind, ...]
    agenda: tuple[Kind, ...]

    def find(self, stage: str, key: str) -> Any:
        """Return the usual value of ``key`` in a stage of the game, or an empty mapping."""
        return self.stages.get(stage, {}).get(key, {})

    def shorten(self, card: str) -> str:
        """Return a card with the system's long texts replaced by their short words."""
        for word, text in self.short.items():
            card = card.replace(text, word)
        return card

    def lengthen(self, line: str) -> str:
        """Return a line of a card with short words replaced by the long texts that they stand for."""
        for word, text in self.short.items():
            line = line.replace(word, text)
        return line

    def is_done(self, key: str) -> bool:
        """Return whether duties (steps without a choice) usually remove the entry ``key`` from the agenda."""
        return any(fnmatchcase(key, pattern) for pattern in self.done)


def add_line(kinds: Sequence[Kind], table: dict[str, Any], line: Sequence[Any]) -> bool:
    """Add a card line's entry to a table. Return False if no form begins with its first word. Raises UsageError."""
    why: UsageError | None = None
    for kind in kinds:
        for form in kind.forms:
            if form.parts[0].word == line[0]:
                try:
                    kind.add(table, form.read(line))
                except UsageError as error:
                    why = error
                else:
                    return True
    if why:
        raise why
    return False


def write_lines(kinds: Sequence[Kind], table: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Yield each key of a table with the card lines for its value; no lines if no form fits the value."""
    known = {kind.key: kind for kind in kinds}
    for key, value in table.items():
        yield key, known[key].write(value) if key in known else []


def read_words(system: str, text: str) -> Words:
    """Return a rule system's words from the header of a card file; no words for an empty text. Raises FileError."""
    name = f"{system}/hand.cards"
    said: Any = strictyaml.read(text.encode(), name).data if text.strip() else {}
    try:
        place, steps = said.get("others", ("", ""))
        numbers = said.get("numbers", {})
        orders, agenda = (
            tuple(
                Kind(
                    key.removesuffix(_LISTED),
                    key.endswith(_LISTED),
                    numbers.get(key.removesuffix(_LISTED), ""),
                    tuple(map(forms.read_form, lines)),
                )
                for key, lines in said.get(part, {}).items()
            )
            for part in ("orders", "agenda")
        )
        usual, position, stages = (said.get(part, {}) for part in ("usual", "position", "stages"))
        done, short = tuple(said.get("done", ())), said.get("short", {})
        return Words(system, usual, position, stages, (place, steps), done, short, orders, agenda)
    except (AttributeError, TypeError, ValueError, IndexError):
        raise FileError(f"the header of {name} cannot be read; get a new copy of the conformance suite") from None
