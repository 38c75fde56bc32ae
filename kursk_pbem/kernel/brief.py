"""What is said of a message in few words, whatever is played: its parts, and what its orders leave unused.

Plain values that a ruleset fills in; nothing here changes a position.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kursk_pbem.kernel.events import Event, PhaseBegan, apply
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
    phase, side, start, now = "", "", before, before
    told: list[Event] = []
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
    """Something that the orders of a message leave unused or unsaid: the paragraph, and a sentence that says it."""

    rule: str
    text: str
