"""Counts of cited paragraphs, decisions and results in verified games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from kursk_pbem.kernel.events import Decided, Event, Fought, Tested


@dataclass
class Reached:
    """Number of citations by paragraph, of decisions by kind, and of results."""

    paragraphs: Counter[str] = field(default_factory=Counter)
    decisions: Counter[str] = field(default_factory=Counter)
    results: Counter[str] = field(default_factory=Counter)

    def add(self, events: Iterable[Event]) -> None:
        """Count the events of a message."""
        for event in events:
            self.paragraphs.update(rule for rule in [getattr(event, "rule", "")] if rule)
            if isinstance(event, Decided):
                self.decisions[event.kind] += 1
            elif isinstance(event, Fought) and event.result:
                self.results[event.result] += 1
            elif isinstance(event, Tested):
                self.results[event.text] += 1

    def join(self, other: Reached) -> None:
        """Add the counts of another game."""
        self.paragraphs.update(other.paragraphs)
        self.decisions.update(other.decisions)
        self.results.update(other.results)
