"""Short information for players, for any ruleset: the phases of a message, unused possibilities, tables.

A ruleset fills in these plain values; no function here changes a position.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.events import Event, PhaseBegan, apply
from kursk_pbem.kernel.scenario import Scenario
from kursk_pbem.kernel.state import State


@frozen
class Part:
    """A phase of a message: its key ('' before the first), active side, events, and the positions before and after."""

    phase: str
    side: str
    before: State
    events: tuple[Event, ...]
    after: State


def split_phases(before: State, events: Iterable[Event]) -> Iterator[Part]:
    """Yield the phases of a message in order."""
    phase, side, start, now, told = "", "", before, before, list[Event]()
    for event in events:
        if isinstance(event, PhaseBegan):
            if phase or told:
                yield Part(phase, side, start, tuple(told), now)
            phase, side, start, told = event.phase, event.side, now, []
        else:
            told.append(event)
            now = apply(now, event)
    if phase or told:
        yield Part(phase, side, start, tuple(told), now)


@frozen
class Unused:
    """A possibility that a draft does not use: the paragraph, and a sentence for the player.

    ``vain``: the text is about an order that cannot have an effect. The program tells the player at once.
    """

    rule: str
    text: str
    vain: bool = False


@frozen
class Table:
    """A table for players, as text: ``rule`` is the paragraph, ``head`` contains the titles of the columns.

    Rows may be shorter than the head. ``notes``: sentences below the table. ``provenance``: the reliability of the data
    (from `rate_data`), '' if the data come from the position or the rules.
    """

    title: str
    rule: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    provenance: str = ""


def rate_data(scenario: Scenario, *parts: str) -> str:
    """Return how reliable some parts of a scenario's data are, such as 'reconstructed: our own figures'.

    A part includes its subparts. Parts with equal status and equal note share one text, which names the subparts.
    """
    by_status: dict[tuple[str, str], list[str]] = {}
    for entry in scenario.provenance:
        for part in parts:
            if entry.part == part or entry.part.startswith(f"{part}/"):
                by_status.setdefault((entry.status, entry.note), []).append(
                    entry.part.removeprefix(part).strip("/").replace("/", " ")
                )
    texts = []
    for (status, note), names in by_status.items():
        what = ", ".join(name for name in names if name)
        texts.append(status + (f" ({what})" if what else "") + (f": {note.rstrip('.')}" if note else ""))
    return "; ".join(texts)
