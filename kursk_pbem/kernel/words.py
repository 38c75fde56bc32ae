"""Shared words of every system: names of a setting, and plain values in one line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.kernel.events import Event


class Words(Protocol):
    """The words of a setting for reports: the players' names of things, and sentences for events."""

    def unit(self, uid: str) -> str:
        """Return a name such as 'II SS Panzer Corps'."""

    def place(self, label: str) -> str:
        """Return a name such as 'Belgorod', or the label."""

    def side(self, side: str) -> str:
        """Return a name such as 'German'."""

    def owner(self, uid: str) -> str:
        """Return the side of a unit."""

    def phase(self, key: str) -> str:
        """Return a title such as 'Combat Phase'."""

    def tell(self, event: Event) -> list[str] | None:
        """Return the entries for an event, an empty list if described elsewhere; None: use the usual words."""

    def describe_idle(self, key: str) -> str:
        """Return the sentence for a phase of one side without an order."""
        del key
        return "Nothing was ordered."


class Names(Words, Protocol):
    """The names of a system from three tables; ``tell`` remains the system's own.

    ``things``: id -> object with ``name`` and ``side``. ``places``: label -> name. ``phases``: key -> title.
    """

    things: Mapping[str, Any]
    places: Mapping[str, str]
    phases: Mapping[str, str]

    def unit(self, uid: str) -> str:
        """Return the name, or the id of an unknown unit."""
        return str(self.things[uid].name) if uid in self.things else uid

    def place(self, label: str) -> str:
        """Return label and name, such as '2116 Belgorod', or the label alone."""
        return f"{label} {self.places[label]}" if label in self.places else label

    def side(self, side: str) -> str:
        """Return a name such as 'German'."""
        return side.capitalize()

    def owner(self, uid: str) -> str:
        """Return a side such as 'german'."""
        return str(self.things[uid].side)

    def phase(self, key: str) -> str:
        """Return a title such as 'Combat Phase: battles fought'."""
        return self.phases.get(key, key)


def party(writer: str, name: str = "") -> str:
    """Return the writer in words: 'the referee', or 'the German side' by the ``name`` of a side or by its id."""
    return "the referee" if writer == REFEREE else f"the {name or writer} side"


def unit(words: Words, uid: str) -> str:
    """Return name and id, such as 'XLVIII Panzer Corps (g-48-pz)'; the id alone without a name."""
    name = words.unit(uid)
    return f"{name} ({uid})" if name != uid else uid


def units(words: Words, uids: Iterable[str]) -> str:
    """Return names and ids of several units."""
    return ", ".join(unit(words, uid) for uid in uids)


def plural(number: int, what: str) -> str:
    """Return a number with its noun: '1 marker', '2 markers'."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def some(names: Sequence[str], most: int = 4) -> str:
    """Return the first names of a list and the number of the rest: 'a, b, c and 7 more'."""
    rest = len(names) - most
    return ", ".join(names) if rest <= 0 else f"{', '.join(names[:most])} and {rest} more"


def flat(value: Any) -> str:
    """Return nested values on one line: 'units (g-52 (stand-fast always)); retreat 2113, toward 2114'."""
    if isinstance(value, Mapping):
        entries = [
            f"{key} ({flat(inner)})" if isinstance(inner, Mapping) else f"{key} {flat(inner)}"
            for key, inner in value.items()
        ]
        return "; ".join(entries) or "nothing"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(flat, value)) or "nothing"
    return str(value)
