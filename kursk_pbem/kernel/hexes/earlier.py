"""Battles that are fought one after the other: what those before a battle can make of its odds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from kursk_pbem.kernel.account.lines import joined
from kursk_pbem.kernel.outlook import FIRST

NO_ATTACK = "no attack"
ABOVE = "; each may change those below it"
"""Said of odds in a list of several battles, in the order in which they are fought."""
_NAMED = 3
"""Battles before one that are named even if none is known to change it."""


@dataclass
class Earlier:
    """Battles in the order in which they are fought: ``names``, and the columns of their odds ``now``.

    ``left``: how many more columns are worked out, so that sixty battles take no minute; then none is named.
    """

    names: Sequence[str]
    now: Sequence[str]
    found: dict[tuple[int, int], dict[str, None]] = field(default_factory=dict)
    left: int = 500

    def note(self, number: int, columns: Iterable[tuple[int, str]]) -> None:
        """Take down the columns that later battles have after one way in which battle ``number`` can end."""
        for later, column in islice(columns, self.left):
            self.left -= 1
            if column != self.now[later]:
                self.found.setdefault((number, later), {})[column] = None

    def caveat(self, number: int) -> str:
        """Return what can still change the odds of a battle; '' where no other battle is declared."""
        before = self.names[:number]
        if not before:
            return FIRST if self.names[1:] else ""
        changes = [
            f"{name}, fought before it, can make it {' or '.join(columns)}"
            for at, name in enumerate(before)
            if (columns := self.found.get((at, number)))
        ]
        if not changes:
            who = joined(before) if len(before) <= _NAMED else f"{len(before)} battles"
            changes = [f"{who} {'is' if len(before) == 1 else 'are'} fought before it and may change it"]
        return f"as the position stands now; {'; '.join(changes)}"
