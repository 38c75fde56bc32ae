"""The search of places for units: the units take the best places one by one, the most endangered unit first.

The effort is a number of compared positions, never a time, so every computer finds the same places.
"""

from __future__ import annotations

from dataclasses import dataclass

from kursk_pbem.kernel.ideas import Places

LEAST = 15
"""Least gain of a move, in hundredths of a point."""
PASSES = 2
"""Maximum number of times that the search looks at a unit."""


@dataclass
class Search:
    """A search for good places. ``effort``: how many positions it may compare; ``spent``: how many it has compared."""

    effort: int
    spent: int = 0

    def solve(self, places: Places) -> None:
        """Find good places for the units, then write the orders to march there."""
        start = {unit: places.list_ends(unit)[0] for unit in places.list_units()}
        found = dict(start)
        worth = self._measure_places(places)
        for number in range(PASSES):
            before = dict(found)
            for unit in places.list_units():
                if self.spent < self.effort:
                    found[unit], worth = self._place_unit(places, unit, found[unit], worth)
                elif not number:  # quickly, without a comparison
                    found[unit] = max(places.list_ends(unit), key=lambda end: places.draw(unit, end))
                    places.put(unit, found[unit])
            if found == before:
                break
        goals = {unit: end for unit, end in found.items() if end != start[unit]}
        while done := {unit for unit, end in sorted(goals.items()) if places.march(unit, end)}:
            # a unit may wait for the room of another unit
            goals = {unit: end for unit, end in goals.items() if unit not in done}

    def _measure_places(self, places: Places) -> int:
        self.spent += 1
        return places.measure_worth()

    def _place_unit(self, places: Places, unit: str, here: int, worth: int) -> tuple[int, int]:
        """Return the best place of a unit, and the worth of all places then."""
        best = worth + LEAST, here
        for end in places.list_ends(unit):
            if end != here:
                places.put(unit, end)
                best = max(best, (self._measure_places(places), end), key=lambda each: each[0])
        places.put(unit, best[1])
        return best[1], best[0] if best[1] != here else worth
