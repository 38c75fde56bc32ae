"""What verified games came to: which paragraphs their events cite, which decisions and results there were."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from kursk_pbem.kernel.events import Decided, Event, Fought, Tested


@dataclass
class Reached:
    """How often each paragraph was cited by an event, each kind of decision was made, each result came."""

    paragraphs: Counter[str] = field(default_factory=Counter)
    decisions: Counter[str] = field(default_factory=Counter)
    results: Counter[str] = field(default_factory=Counter)

    def add(self, events: Iterable[Event]) -> None:
        """Count what happened in a message."""
        for event in events:
            self.paragraphs.update(rule for rule in [getattr(event, "rule", "")] if rule)
            if isinstance(event, Decided):
                self.decisions[event.kind] += 1
            elif isinstance(event, Fought) and event.result:
                self.results[event.result] += 1
            elif isinstance(event, Tested):
                self.results[event.text] += 1

    def join(self, other: Reached) -> None:
        """Count what another game came to, too."""
        self.paragraphs.update(other.paragraphs)
        self.decisions.update(other.decisions)
        self.results.update(other.results)
