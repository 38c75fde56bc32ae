"""A position: frozen, complete for the rules, the same few tables for every system, hashed the same everywhere.

From a state and the next message alone the next state follows. Printed values live in the scenario; only what can
change is here. Numbers are ints inside and decimal strings in the canonical form.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

from kursk_pbem.errors import FileError
from kursk_pbem.formats.canonical import canon, ordered, sha256_hex

Plain = Any  # str, list of Plain or dict of str to Plain, as the strict reader gives it

ELIMINATED = "eliminated"
OFF_MAP = "off-map"
OVER = "over"
"""The last stage of every system: the game has ended."""
VERDICT = "verdict"
"""The table of marks in which it stands how the game ended: ``winner`` (a side, or draw) and ``how``."""
DECLARED, ANSWERED, STANDING, PENDING = "declared", "answered", "policy-", "pending"
"""Agenda: where what waits was declared and answered; a side's open standing answers; the decision dice stopped at."""

_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,8})")


@dataclass(frozen=True, slots=True)
class Unit:
    """What can change about a unit: its place (hex label, ``eliminated`` or ``off-map``) and its steps."""

    place: str
    steps: int


@dataclass(frozen=True)
class State:
    """A position between two messages: ``side`` writes the next one, which is of the ruleset's stage ``stage``.

    Where a referee rolls the stage may be theirs; ``side`` is then the side whose turn it is.

    ``marks``: table -> key -> word; ``tracks``: name -> whole number; ``agenda``: what has been declared and is not
    yet resolved. A table without entries is left out, so that equal positions are equal bytes.
    """

    turn: str
    side: str
    stage: str
    units: Mapping[str, Unit]
    marks: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    tracks: Mapping[str, int] = field(default_factory=dict)
    agenda: Mapping[str, Plain] = field(default_factory=dict)

    def mark(self, table: str, key: str, default: str = "") -> str:
        """One entry of the marks, or ``default``."""
        return self.marks.get(table, {}).get(key, default)

    def with_(self, **changes: Any) -> State:
        """The same position with some tables exchanged."""
        had = vars(self)  # dataclasses.replace takes three times as long, and this is done at every event
        return State(**{name: had[name] for name in _FIELDS} | changes)

    def to_plain(self) -> dict[str, Plain]:
        """The mapping that is hashed and mailed, its keys in one order whatever led to the position."""
        units = {uid: {"place": u.place, "steps": str(u.steps)} for uid, u in sorted(self.units.items())}
        return {**self._but_units(), "units": units}

    def _but_units(self) -> dict[str, Plain]:
        return {
            "type": "state",
            "turn": self.turn,
            "side": self.side,
            "stage": self.stage,
            "marks": {table: ordered(entries) for table, entries in sorted(self.marks.items()) if entries},
            "tracks": {name: str(value) for name, value in sorted(self.tracks.items())},
            "agenda": ordered(self.agenda),
        }

    def sha256(self) -> str:
        """The hash of the canonical form, 64 hex digits: ``state-in`` and ``state-out`` of a message."""
        return self._sha256

    @cached_property
    def _sha256(self) -> str:
        """Where a message changes nothing ``state-in`` is the ``state-out`` before it: one position, hashed once."""
        return sha256_hex(self.canonical())

    def canonical(self) -> bytes:
        """The canonical form of :meth:`to_plain`. Units are nine tenths of it; written here they take half the time."""
        units = sorted(self.units.items())
        text = ",".join([f'"{uid}":{{"place":"{unit.place}","steps":"{unit.steps}"}}' for uid, unit in units])
        if not text.isprintable() or "\\" in text or text.count('"') != _QUOTES * len(units):  # something to escape
            return canon(self.to_plain())
        rest = canon(self._but_units())  # "units" comes last in the order of the keys
        return b'%b,"units":{%b}}' % (rest[:-1], text.encode("utf-8"))


_FIELDS = tuple(slot.name for slot in fields(State))
_QUOTES = 10
"""Quotation marks of one unit in the canonical form, where none need to be escaped."""


def _bad(name: str, what: str) -> FileError:
    return FileError(f"{name}: {what}; ask for the file again")


def _number(value: Plain, name: str, what: str) -> int:
    if not isinstance(value, str) or not _NUMBER.fullmatch(value):
        raise _bad(name, f"{what} is not a whole number")
    return int(value)


def _units(data: Mapping[str, Plain], name: str) -> dict[str, Unit]:
    units: dict[str, Unit] = {}
    for uid, entry in data.items():
        if not isinstance(entry, dict) or set(entry) != {"place", "steps"} or not isinstance(entry["place"], str):
            raise _bad(name, f"unit {uid} needs exactly place and steps")
        units[uid] = Unit(entry["place"], _number(entry["steps"], name, f"steps of {uid}"))
    return units


def from_plain(data: Plain, name: str = "state") -> State:
    """A state from its mapping, in canonical order; FileError if its form is wrong. The rules are not asked."""
    keys = {"type", "turn", "side", "stage", "marks", "tracks", "agenda", "units"}
    if not isinstance(data, dict) or set(data) != keys or data.get("type") != "state":
        raise _bad(name, "a position needs exactly the keys " + ", ".join(sorted(keys)))
    data = ordered(data)
    for key in ("turn", "side", "stage"):
        if not isinstance(data[key], str):
            raise _bad(name, f"{key} is not a word")
    for key in ("marks", "tracks", "agenda", "units"):
        if not isinstance(data[key], dict):
            raise _bad(name, f"{key} is not a mapping")
    for table, entries in data["marks"].items():
        if not isinstance(entries, dict) or not all(isinstance(word, str) for word in entries.values()):
            raise _bad(name, f"marks of {table} are not words")
    tracks = {track: _number(value, name, f"track {track}") for track, value in data["tracks"].items()}
    return State(
        data["turn"], data["side"], data["stage"], _units(data["units"], name), data["marks"], tracks, data["agenda"]
    )
