"""Battles in sequence: the possible effect of earlier battles on the odds of a later one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from kursk_pbem.kernel.account.lines import joined
from kursk_pbem.kernel.outlook import FIRST

NO_ATTACK = "no attack"
ABOVE = "; earlier battles may change later odds"
"""The note about odds in a list of several battles, in order of resolution."""
_NAMED = 3
"""Maximum number of earlier battles named without a known effect."""


@dataclass
class Earlier:
    """How earlier battles can change the odds of later battles. ``names``: the battles in order. ``now``: present odds.

    ``left``: how many odds may still be computed. Without this limit, sixty battles would take a minute.
    """

    names: Sequence[str]
    now: Sequence[str]
    found: dict[tuple[int, int], dict[str, None]] = field(default_factory=dict)
    left: int = 500

    def note(self, number: int, columns: Iterable[tuple[int, str]]) -> None:
        """Record the odds of later battles after one result of battle ``number``. ``columns``: (later battle, odds)."""
        for later, column in islice(columns, self.left):
            self.left -= 1
            if column != self.now[later]:
                self.found.setdefault((number, later), {})[column] = None

    def caveat(self, number: int) -> str:
        """Return a warning that results of other battles can change the odds of battle ``number``, or ''."""
        before = self.names[:number]
        if not before:
            return FIRST if self.names[1:] else ""
        changes = [
            f"{name}, fought earlier, can change the odds to {' or '.join(columns)}"
            for at, name in enumerate(before)
            if (columns := self.found.get((at, number)))
        ]
        if not changes:
            who = joined(before) if len(before) <= _NAMED else f"{len(before)} battles"
            changes = [f"{who} {'is' if len(before) == 1 else 'are'} fought earlier and may change the odds"]
        return f"as the position stands now; {'; '.join(changes)}"
