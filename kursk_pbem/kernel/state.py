"""A position: frozen, complete for the rules, with the same few tables and the same hash form for every system.

The next state follows from a state and the next message alone. Printed values are in the scenario; a state contains
only variable data. Numbers are ints in memory and decimal strings in the canonical form.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field, fields
from functools import cached_property
from typing import Any

from kursk_pbem.errors import FileError
from kursk_pbem.formats.canonical import canon, ordered, sha256_hex
from kursk_pbem.frozen import frozen

Plain = Any  # str, list of Plain or dict of str to Plain, from the strict reader

ELIMINATED = "eliminated"
OFF_MAP = "off-map"
OVER = "over"
"""The last stage of every system: the game has ended."""
VERDICT = "verdict"
"""The table of marks with the end of the game: ``winner`` (a side, or draw) and ``how``."""
DECLARED, ANSWERED, STANDING, PENDING = "declared", "answered", "policy-", "pending"
"""Keys of the agenda: messages of the declaration and the answer, a side's standing answers, the pending decision."""

_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,8})")


@frozen(slots=True)
class Unit:
    """Where a unit is (hex label, ``eliminated`` or ``off-map``), and how many steps it has."""

    place: str
    steps: int


@frozen
class State:
    """A position between two messages. ``side`` writes the next message; ``stage`` names the kind of this message.

    If a referee rolls and the referee writes next, ``side`` is the active side.

    ``marks``: table -> key -> word. ``tracks``: name -> whole number. ``agenda``: declared actions that are not
    resolved. Empty tables are left out, because equal positions must have equal bytes.
    """

    turn: str
    side: str
    stage: str
    units: Mapping[str, Unit]
    marks: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    tracks: Mapping[str, int] = field(default_factory=dict)
    agenda: Mapping[str, Plain] = field(default_factory=dict)

    def mark(self, table: str, key: str, default: str = "") -> str:
        """Return the word of a mark, or ``default`` if the mark is not set."""
        return self.marks.get(table, {}).get(key, default)

    def with_(self, **changes: Any) -> State:
        """Return the position with some tables replaced by others."""
        made, had = object.__new__(State), vars(self)  # every event comes here, so without the slow checks of frozen
        table = vars(made)
        for name in _FIELDS:
            table[name] = had[name]
        table.update(changes)
        return made

    def __getstate__(self) -> dict[str, Any]:
        """Return the tables for a copy, without values derived from them."""
        return {name: vars(self)[name] for name in _FIELDS}

    @cached_property
    def views(self) -> dict[Any, Any]:
        """Values computed from this position and kept for later calls, by view (`umpire.View.of`)."""
        return {}

    def to_plain(self) -> dict[str, Plain]:
        """Return the position as a mapping with sorted keys, for hashes and mails."""
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
        """Return the hash of the canonical form, 64 hex digits, as in ``state-in`` and ``state-out`` of a message."""
        return self._sha256

    @cached_property
    def _sha256(self) -> str:
        """The cached hash, because ``state-in`` is often the preceding ``state-out``."""
        return sha256_hex(self.canonical())

    def canonical(self) -> bytes:
        """Return the canonical form of :meth:`to_plain`. Units, nine tenths of the text, are written here for speed."""
        units = sorted(self.units.items())
        text = ",".join([f'"{uid}":{{"place":"{unit.place}","steps":"{unit.steps}"}}' for uid, unit in units])
        if not text.isprintable() or "\\" in text or text.count('"') != _QUOTES * len(units):  # something to escape
            return canon(self.to_plain())
        rest = canon(self._but_units())  # "units" comes last in the order of the keys
        return b'%b,"units":{%b}}' % (rest[:-1], text.encode("utf-8"))


_FIELDS = tuple(slot.name for slot in fields(State))
_QUOTES = 10
"""Quotation marks of one unit in the canonical form without escapes."""


def _reject_form(name: str, what: str) -> FileError:
    return FileError(f"{name}: {what}; ask for the file again")


def _read_number(value: Plain, name: str, what: str, of: str) -> int:
    if not isinstance(value, str) or not _NUMBER.fullmatch(value):
        raise _reject_form(name, f"{what} {of} is not a whole number")
    return int(value)


def _read_units(data: Mapping[str, Plain], name: str) -> dict[str, Unit]:
    units: dict[str, Unit] = {}
    for uid, entry in sorted(data.items()):
        if not isinstance(entry, dict) or entry.keys() != {"place", "steps"} or not isinstance(entry["place"], str):
            raise _reject_form(name, f"unit {uid} needs exactly place and steps")
        units[uid] = Unit(entry["place"], _read_number(entry["steps"], name, "steps of", uid))
    return units


def from_plain(data: Plain, name: str = "state") -> State:
    """Return a position from its mapping. Rules are not checked. Raises FileError if the form is wrong."""
    keys = {"type", "turn", "side", "stage", "marks", "tracks", "agenda", "units"}
    if not isinstance(data, dict) or set(data) != keys or data.get("type") != "state":
        raise _reject_form(name, "a position needs exactly the keys " + ", ".join(sorted(keys)))
    data = {key: value if key == "units" else ordered(value) for key, value in data.items()}
    for key in ("turn", "side", "stage"):
        if not isinstance(data[key], str):
            raise _reject_form(name, f"{key} is not a word")
    for key in ("marks", "tracks", "agenda", "units"):
        if not isinstance(data[key], dict):
            raise _reject_form(name, f"{key} is not a mapping")
    for table, entries in data["marks"].items():
        if not isinstance(entries, dict) or not all(isinstance(word, str) for word in entries.values()):
            raise _reject_form(name, f"marks of {table} are not words")
    tracks = {track: _read_number(value, name, "track", track) for track, value in data["tracks"].items()}
    units = _read_units(data["units"], name)
    return State(data["turn"], data["side"], data["stage"], units, data["marks"], tracks, data["agenda"])
