"""The tables of Hex Toy: ratios, ground, and the turns."""

from __future__ import annotations

from kursk_pbem.kernel.brief import Table, rate_data
from kursk_pbem.kernel.state import State
from rulesets.hex_toy.setting import Setting


def tables(setting: Setting) -> tuple[Table, ...]:
    """Return 4.3: results of two dice by ratio; 3.0, 4.2: costs and effects of ground."""
    data = rate_data(setting.scenario, "tables")
    ratios = tuple((column, *setting.results[column]) for column in setting.columns)
    ground = tuple((kind, str(cost), f"{setting.cover[kind]:+d}") for kind, cost in setting.cost.items())
    notes = ("A: steps that the attacker loses; D: the defender.",)
    return (
        Table("Assaults", "4.3", ("ratio", *map(str, range(2, 13))), ratios, notes, data),
        Table("Ground", "4.2", ("ground", "paces", "dice"), ground, (), data),
    )


def track(setting: Setting, state: State) -> tuple[Table, ...]:
    """1.2: return the turns."""
    rows = tuple((f"{'>' if turn == state.turn else ' '} {turn}",) for turn in setting.turns)
    return (Table("Turns", "1.2", ("turn",), rows),)
