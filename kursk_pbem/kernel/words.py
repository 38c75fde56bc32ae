"""Shared words of every system: names of a setting, and plain values in one line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.kernel.events import Event


class Words(Protocol):
    """The names and sentences of a setting for reports."""

    def unit(self, uid: str) -> str:
        """Return the name of a unit, such as 'II SS Panzer Corps'."""

    def place(self, label: str) -> str:
        """Return the name of a place, such as 'Belgorod', or its label."""

    def side(self, side: str) -> str:
        """Return the name of a side, such as 'German'."""

    def owner(self, uid: str) -> str:
        """Return the side to which a unit belongs."""

    def phase(self, key: str) -> str:
        """Return the title of a phase, such as 'Combat Phase'."""

    def tell(self, event: Event) -> list[str] | None:
        """Return the sentences for an event; [] if other text tells the event, None for the usual sentences."""

    def describe_idle(self, key: str) -> str:
        """Return the sentence for a phase in which the side ordered nothing."""
        del key
        return "Nothing was ordered."


class Names(Words, Protocol):
    """The names of a system, from three tables. The system itself supplies ``tell``.

    ``things``: id -> object with ``name`` and ``side``. ``places``: label -> name. ``phases``: key -> title.
    """

    things: Mapping[str, Any]
    places: Mapping[str, str]
    phases: Mapping[str, str]

    def unit(self, uid: str) -> str:
        """Return the name of a unit. An unknown unit keeps its id."""
        return str(self.things[uid].name) if uid in self.things else uid

    def place(self, label: str) -> str:
        """Return label and name of a place, such as '2116 Belgorod', or the label if there is no name."""
        return f"{label} {self.places[label]}" if label in self.places else label

    def side(self, side: str) -> str:
        """Return the name of a side, such as 'German'."""
        return side.capitalize()

    def owner(self, uid: str) -> str:
        """Return the side to which a unit belongs, such as 'german'."""
        return str(self.things[uid].side)

    def phase(self, key: str) -> str:
        """Return the title of a phase, such as 'Combat Phase: battles fought'."""
        return self.phases.get(key, key)


def party(writer: str, name: str = "") -> str:
    """Return a writer in words: 'the referee' or 'the German side'. ``name``: the name of a side, '' for its id."""
    return "the referee" if writer == REFEREE else f"the {name or writer} side"


def unit(words: Words, uid: str) -> str:
    """Return name and id of a unit, such as 'XLVIII Panzer Corps (g-48-pz)', or the id if there is no name."""
    name = words.unit(uid)
    return f"{name} ({uid})" if name != uid else uid


def units(words: Words, uids: Iterable[str]) -> str:
    """Return names and ids of several units, joined by commas."""
    return ", ".join(unit(words, uid) for uid in uids)


def plural(number: int, what: str) -> str:
    """Return a number with its noun: '1 marker', '2 markers'."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def some(names: Sequence[str], most: int = 4) -> str:
    """Return the first names of a list, and how many more there are: 'a, b, c and 7 more'."""
    rest = len(names) - most
    return ", ".join(names) if rest <= 0 else f"{', '.join(names[:most])} and {rest} more"


def flat(value: Any) -> str:
    """Return a nested value as text on one line: 'units (g-52 (stand-fast always)); retreat 2113, toward 2114'."""
    if isinstance(value, Mapping):
        entries = [
            f"{key} ({flat(inner)})" if isinstance(inner, Mapping) else f"{key} {flat(inner)}"
            for key, inner in value.items()
        ]
        return "; ".join(entries) or "nothing"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(flat, value)) or "nothing"
    return str(value)
