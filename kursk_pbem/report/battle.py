"""A battle like a worked example: strengths, ratio, shifts, column, die, result and chance.

The rules supply all figures. This module knows no table, no result and no paragraph.
"""

from __future__ import annotations

from collections.abc import Iterator

from kursk_pbem.kernel.events import COLUMN, DIE, Force, Fought, Row, Shift, Tested
from kursk_pbem.kernel.words import Words, unit, units


def describe_battle(event: Fought, words: Words, *, fresh: bool = True) -> Iterator[tuple[int, str]]:
    """Yield lines about a battle as (depth, line). Depth 0 is the title; 1 and 2 are indented.

    ``fresh``: the dice fell in this message, not in an earlier message that stopped for a decision.
    """
    title = f"Battle {event.battle}: attack on {units(words, event.defence.units)} in {words.place(event.place)}"
    yield 0, f"{title} [{event.rule}]"
    yield from _list_force("Attack strength", event.attack, words, several=True)
    if event.roles:
        yield 1, describe_roles(event, words)
    yield from _list_force("Defence strength", event.defence, words, several=False)
    if event.ratio:
        columns = [shift for shift in event.shifts if shift.on == COLUMN]
        yield 1, f"Ratio: {event.attack.total}:{event.defence.total} = {event.ratio}"
        yield from _list_shifts("Shifts", columns, none=not event.shifts)
        yield 1, _show_column(event)
    elif event.note:
        yield 1, event.note
    several = len(event.dice) > 1
    yield from _list_shifts("Modifiers of the dice", [shift for shift in event.shifts if shift.on == DIE], none=False)
    if event.dice:
        counts = f", counts as {event.die}" if event.die else ""
        label = event.label if fresh else "thrown before the decision"
        yield 1, f"{'Dice' if several else 'Die'} ({label}): {list_dice(event.dice)}{counts}"
        yield 1, f"Result: {event.result}, {event.meaning}; chance of the result: {event.chance}"


def describe_roles(event: Fought, words: Words) -> str:
    """Return the units with a special role, as in 'Offensive led by XLVIII Panzer Corps (g-48-pz), in support ...'."""
    return ", ".join(f"{what} {units(words, who)}" for what, who in event.roles)


def describe_odds(event: Fought) -> str:
    """Return the odds, the shifts and the column used, as '3:1 -1 +1 = 3:1, taken as ...'."""
    capped = "" if event.column in ("", event.reached) else f", taken as {event.column}"
    sums = "".join(f" {shift.by:+d}" for shift in event.shifts if shift.on == COLUMN)
    return f"{event.ratio}{sums} = {event.reached}{capped}" if sums else f"{event.reached}{capped}"


def explain_odds(fought: Fought, *, cited: bool = False) -> str:
    """Return the odds with their shifts: '27:8 = 3:1, shifted to 2:1: -1 defender in forest'. Without odds, return why.

    ``cited``: with the paragraph of each shift.
    """
    if not fought.ratio and fought.note:
        return fought.note
    told = {
        on: ", ".join(f"{s.by:+d} {s.why}{f' [{s.rule}]' * cited}" for s in fought.shifts if s.on == on)
        for on in (COLUMN, DIE)
    }
    column = fought.column or f"{fought.reached}, no attack"
    if fought.column and fought.column != fought.reached:
        column = f"{fought.reached}, taken as {fought.column}"
    moved = "stays" if column == fought.ratio else "shifted to"
    after = f", {moved} {column}: {told[COLUMN]}" if told[COLUMN] else column.removeprefix(fought.ratio)
    dice = f"; dice {told[DIE]}" if told[DIE] else ""
    return f"{fought.attack.total}:{fought.defence.total} = {fought.ratio}{after}{dice}"


def describe_test(event: Tested, words: Words) -> str:
    """Return a sentence about a die roll that must reach a number."""
    what = f"{event.what} of {unit(words, event.subject)}" if event.subject else event.what
    dice = list_dice(event.dice)
    return f"{what} ({event.label}): {dice}, {event.needs}: {event.text}; chance: {event.chance}"


def list_dice(digits: str) -> str:
    """Return digits of dice as words: '36' gives '3 and 6', and '6213' gives '6, 2, 1 and 3'."""
    first, last = ", ".join(digits[:-1]), digits[-1:]
    return f"{first} and {last}" if first else last


def _list_force(title: str, force: Force, words: Words, *, several: bool) -> Iterator[tuple[int, str]]:
    """Yield the rows of a force; a single plain row shares the line of the title."""
    if not several and len(force.rows) == 1 and not force.rows[0].changes:
        row = force.rows[0]
        yield 1, f"{title}: {unit(words, row.unit)} {row.counts}"
        return
    if not force.rows:
        yield 1, f"{title}: none"
        return
    yield 1, f"{title}:"
    for row in force.rows:
        yield 2, _show_strength(row, words)
    if len(force.rows) > 1:
        yield 2, f"sum {force.total}"


def _show_strength(row: Row, words: Words) -> str:
    place = f" from {words.place(row.place)}" if row.place else ""
    text = f"{unit(words, row.unit)}{place}: {row.printed}"
    return text + "".join(f", {change}" for change in row.changes) + (f" = {row.counts}" if row.changes else "")


def _list_shifts(title: str, shifts: list[Shift], *, none: bool) -> Iterator[tuple[int, str]]:
    if shifts:
        yield 1, f"{title}:"
        for shift in shifts:
            yield 2, f"{shift.by:+d} {shift.why} [{shift.rule}]"
    elif none:
        yield 1, f"{title}: none"


def _show_column(event: Fought) -> str:
    if event.column:
        return f"Final column: {describe_odds(event)}"
    shifted = any(shift.on == COLUMN for shift in event.shifts)  # '1:6 = 1:6' alone would lie beyond the table
    return f"Final column: {describe_odds(event)}, {event.note}" if shifted else event.note
