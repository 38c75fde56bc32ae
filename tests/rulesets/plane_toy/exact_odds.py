"""3.0: the possible losses from each ordered shot, by convolution, because a tree of so many dice is too large."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from kursk_pbem.kernel.outcomes import mean
from kursk_pbem.kernel.outlook import Chances, Outcome
from kursk_pbem.kernel.state import State, Unit
from rulesets.plane_toy.orders import OPEN, PLOT, SHOWN, Shot, readable, shot
from rulesets.plane_toy.setting import NORTH, Setting


def odds(setting: Setting, state: State, sealed: Mapping[str, Any]) -> tuple[Chances, ...]:
    """Return the chances of each locally known shot, from the places after all ordered moves."""
    label = state.agenda.get(PLOT, {}).get("label", "")
    known = label in sealed or SHOWN in state.agenda
    plotted = state.agenda.get(SHOWN, readable(setting, state, NORTH, sealed.get(label, [])))
    orders = [*plotted, *state.agenda.get(OPEN, ())]
    units = dict(state.units)
    for each in orders:
        if "to" in each:
            units[each["id"]] = Unit(each["to"], units[each["id"]].steps)
    there = state.with_(units=units)
    missing = [] if known else ["north stands still, for its orders are not known here"]
    missing += [] if OPEN in state.agenda else ["south stands still, for it has no orders yet"]
    standing = [each for each in orders if "fire" in each and there.units[each["fire"]].steps]
    shots = [shot(setting, there, each["id"], each["fire"]) for each in standing]
    return tuple(_of(there, each, tuple(missing)) for each in shots)


def convolved(found: Shot) -> list[Fraction]:
    """3.0, 3.1: return the chance of 0, 1, ... steps: each die hits without a save, or has no effect."""
    each = Fraction(7 - found.needs, 6) * Fraction(6 - found.saves, 6)
    line = [Fraction(1)]
    for _die in range(found.dice):
        line = [a * (1 - each) + b * each for a, b in zip([*line, Fraction(0)], [Fraction(0), *line], strict=True)]
    return line


def _of(state: State, found: Shot, assumed: tuple[str, ...]) -> Chances:
    line = convolved(found)
    outcomes = tuple(
        Outcome(chance, (), f"{steps}", (f"{found.target} loses {steps}",), {"steps": str(steps)})
        for steps, chance in enumerate(line)
    )
    falls = sum(line[state.units[found.target].steps :], Fraction(0))
    title = f"{found.shooter} fires at {found.target}, {found.told} [3.0]"
    return Chances(
        found.shooter,
        None,
        title,
        assumed,
        outcomes,
        (("it falls", falls),),
        (("steps lost", mean(outcomes, "steps")),),
    )
