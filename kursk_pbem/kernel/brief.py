"""What people are told in short, whatever is played: a message in its parts, what its orders leave unused, tables.

Plain values that a ruleset fills in; nothing here changes a position.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from kursk_pbem.kernel.events import Event, PhaseBegan, apply
from kursk_pbem.kernel.scenario import Provenance
from kursk_pbem.kernel.state import State


@dataclass(frozen=True)
class Part:
    """One phase of a message: its key ('' before the first), whose it is, the positions around it, what happened."""

    phase: str
    side: str
    before: State
    events: tuple[Event, ...]
    after: State


def parts(before: State, events: Iterable[Event]) -> Iterator[Part]:
    """The phases of a message in order, each from its announcement to the next one's."""
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


@dataclass(frozen=True)
class Left:
    """Something that the orders of a message leave unused or unsaid: the paragraph, and a sentence that says it.

    ``vain``: something is ordered that cannot happen, which is said as soon as it is ordered.
    """

    rule: str
    text: str
    vain: bool = False


@dataclass(frozen=True)
class Table:
    """A table as players know it, all of it text: ``rule`` is its paragraph, ``head`` names the columns.

    Rows may be shorter than the head. ``notes`` are sentences under it; ``provenance`` says how well its data stand,
    '' where they follow from the position or from the rules alone (`standing`).
    """

    title: str
    rule: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    provenance: str = ""


def standing(provenance: Sequence[Provenance], *parts: str) -> str:
    """How well the data of some parts of a scenario stand, and of all below them: 'reconstructed: our own figures'.

    What has the same status and note is said once, with the names of the parts it holds for where there are several.
    """
    by_status: dict[tuple[str, str], list[str]] = {}
    for entry in provenance:
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
