"""Words that every system shares: what a setting is asked for names, and plain values said on one line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.kernel.events import Event


class Words(Protocol):
    """What a report needs to know of a setting: names as players say them, and its events in words."""

    def unit(self, uid: str) -> str:
        """'II SS Panzer Corps'."""

    def place(self, label: str) -> str:
        """'Belgorod' or the bare label."""

    def side(self, side: str) -> str:
        """'German'."""

    def owner(self, uid: str) -> str:
        """The side of a unit."""

    def phase(self, key: str) -> str:
        """'Combat Phase'."""

    def tell(self, event: Event) -> list[str] | None:
        """What an event says in this game, an entry each, none if it is told otherwise; None: the usual words do."""

    def describe_idle(self, key: str) -> str:
        """Return the sentence for a phase of one side without an order."""
        del key
        return "Nothing was ordered."


class Names(Words, Protocol):
    """The naming half of the words of a system, from three tables; ``tell`` is its own.

    ``things``: id -> what has a ``name`` and a ``side``; ``places``: label -> its name; ``phases``: key -> its title.
    """

    things: Mapping[str, Any]
    places: Mapping[str, str]
    phases: Mapping[str, str]

    def unit(self, uid: str) -> str:
        """Its name; an unknown id is itself."""
        return str(self.things[uid].name) if uid in self.things else uid

    def place(self, label: str) -> str:
        """'2116 Belgorod', or the label alone."""
        return f"{label} {self.places[label]}" if label in self.places else label

    def side(self, side: str) -> str:
        """'German'."""
        return side.capitalize()

    def owner(self, uid: str) -> str:
        """'german'."""
        return str(self.things[uid].side)

    def phase(self, key: str) -> str:
        """'Combat Phase: battles fought'."""
        return self.phases.get(key, key)


def party(writer: str, name: str = "") -> str:
    """Who writes, in words: 'the referee', or 'the German side' by the ``name`` of a side, otherwise its id."""
    return "the referee" if writer == REFEREE else f"the {name or writer} side"


def unit(words: Words, uid: str) -> str:
    """'XLVIII Panzer Corps (g-48-pz)'; what has no name is itself."""
    name = words.unit(uid)
    return f"{name} ({uid})" if name != uid else uid


def units(words: Words, uids: Iterable[str]) -> str:
    """Several units one after the other."""
    return ", ".join(unit(words, uid) for uid in uids)


def plural(number: int, what: str) -> str:
    """'1 marker', '2 markers'."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def some(names: Sequence[str], most: int = 4) -> str:
    """The first of a list, and how many more there are: 'a, b, c and 7 more'."""
    rest = len(names) - most
    return ", ".join(names) if rest <= 0 else f"{', '.join(names[:most])} and {rest} more"


def flat(value: Any) -> str:
    """Nested words on one line: 'units (g-52 (stand-fast always)); retreat 2113, toward 2114'."""
    if isinstance(value, Mapping):
        entries = [
            f"{key} ({flat(inner)})" if isinstance(inner, Mapping) else f"{key} {flat(inner)}"
            for key, inner in value.items()
        ]
        return "; ".join(entries) or "nothing"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(flat, value)) or "nothing"
    return str(value)
