"""A battle in the manner of a worked example: strengths, ratio, shifts, column, die, result and its chance."""

from __future__ import annotations

from collections.abc import Iterator

from kursk_pbem.kernel.events import Attacker, Fought, Rolled
from kursk_pbem.kernel.ruleset import Names
from kursk_pbem.report.lines import unit, units

RESULTS = {
    "AL": "attacker's loss",
    "NE": "no effect",
    "DR": "defender retreats",
    "EX": "exchange: the defender loses a step and retreats, the attacker pays as much",
    "DRL": "defender loses a step and retreats",
    "DE": "defender eliminated",
}


def battle(event: Fought, rolled: Rolled | None, names: Names) -> Iterator[tuple[int, str]]:
    """The entries of a battle with their depth: 0 for its title, 1 and 2 for what is under it."""
    title = f"Battle {event.battle}: attack on {unit(names, event.defender)} in {names.place(event.place)}"
    yield 0, f"{title} [{event.rule}]"
    yield 1, "Attack strength:"
    for attacker in event.attackers:
        yield 2, _strength(attacker, names)
    if len(event.attackers) > 1:
        yield 2, f"sum {event.attack}"
    if event.lead:
        support = f", in support {units(names, event.supporters)}" if event.supporters else ""
        yield 1, f"Offensive led by {unit(names, event.lead)}{support}"
    yield 1, f"Defence strength: {unit(names, event.defender)} {event.defence}"
    yield 1, f"Ratio: {event.attack}:{event.defence} = {event.ratio}"
    if event.shifts:
        yield 1, "Shifts:"
        for shift in event.shifts:
            yield 2, f"{shift.columns:+d} {shift.why} [{shift.rule}]"
    else:
        yield 1, "Shifts: none"
    yield 1, _column(event)
    if event.die:
        label = f" ({rolled.label})" if rolled else " (thrown before the decision)"
        yield 1, f"Die{label}: {event.die}"
        meaning = RESULTS.get(event.result, "")
        yield 1, f"Result: {event.result}, {meaning}; this result had a chance of {event.chance}"


def _strength(attacker: Attacker, names: Names) -> str:
    text = f"{unit(names, attacker.unit)} from {names.place(attacker.place)}: {attacker.printed}"
    if attacker.halvings:
        text += "".join(f", halved ({why})" for why in attacker.halvings) + f" = {attacker.counts}"
    return text


def level(ratio: str) -> int:
    """'3:1' -> 3, '1:1' -> 1, '1:2' -> 0, '1:3' -> -1: the columns one after the other."""
    attack, _colon, defence = ratio.partition(":")
    return int(attack) if defence == "1" else 2 - int(defence)


def _column(event: Fought) -> str:
    found = level(event.ratio) + sum(shift.columns for shift in event.shifts)
    shifted = f"{found}:1" if found >= 1 else f"1:{2 - found}"
    sums = "".join(f" {shift.columns:+d}" for shift in event.shifts)
    if not event.column:
        return f"Final column: {event.ratio}{sums} = {shifted}, below 1:1: no attack takes place, no die falls [9.1]"
    capped = "" if shifted == event.column else f", taken as {event.column}"
    if not sums:
        return f"Final column: {shifted}{capped}"
    return f"Final column: {event.ratio}{sums} = {shifted}{capped}"
