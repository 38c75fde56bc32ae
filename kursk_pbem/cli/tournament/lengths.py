"""The days of a round, and one-sided systems, by the games of programs in docs/balance.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kursk_pbem.game import pins
from kursk_pbem.rulebook import balance
from kursk_pbem.tournament.director.setup import BEGIN
from kursk_pbem.tournament.rules import Rules

UNKNOWN = 90
"""Days of a round without figures."""


def propose_days(systems: Sequence[str], days: int) -> int:
    """Return how many days a round needs for nine games in ten of the longest system to end."""
    rows = [row for row in map(balance.find_length, systems) if row]
    return max((BEGIN + days * row.messages[2] for row in rows), default=UNKNOWN)


def advise(systems: Sequence[str], days: int, round_: int, begin: int = BEGIN) -> Iterator[str]:
    """Yield a sentence for every system: the time for nine games in ten, and the games that ``round_`` days cut off."""
    for scenario in dict.fromkeys(systems):
        row, messages = balance.find_length(scenario), max(0, round_ - begin) // days
        if row is None:
            yield f"{scenario}: the length of its games is unknown; check that {round_} days are enough for a round"
            continue
        needed = begin + days * row.messages[2]
        fits = f"nine games in ten end in {needed} days ({begin} to begin, {row.messages[2]} messages, {days} each)"
        late = balance.count_longer(scenario, messages) if round_ < needed else 0
        how = "judged by points" if pins.has_margin(scenario) else "decided by your word"
        short = f"; with round: '{round_}' about {late} of 100 boards will be {how}" if late else ""
        yield f"{scenario}: {fits}, by {row.by}{short}"


def advise_sides(systems: Sequence[str]) -> Iterator[str]:
    """Yield a sentence for every system with unequal sides, with the remedies."""
    for scenario in dict.fromkeys(systems):
        row, best = next(iter(balance.list_rows(scenario)), None), balance.find_row(scenario)
        if row is None or best is None or not row.one_sided:
            continue
        even = [pins.give(side.lower(), number) for side, number in best.even[:1]]
        given = [f", or options: {{{key}: {value}}} (by {best.by})" for each in even for key, value in each.items()]
        yield f"{scenario} favors one side ({row.wins}, by {row.by}): write mirror: 'yes' (--mirror){''.join(given)}"


def advise_rules(rules: Rules) -> Iterator[str]:
    """Yield the sentences of ``advise`` and ``advise_sides`` about edited rules, before the rules are signed."""
    terms = rules.terms
    yield from advise([each.scenario for each in rules.systems], terms.days, terms.round, terms.begin)
    if not (rules.mirror or rules.bids):
        yield from advise_sides(
            [each.scenario for each in rules.systems if not pins.give("", "").keys() & each.options.keys()]
        )
