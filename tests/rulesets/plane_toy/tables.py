"""The tables of Plane Toy: models and turns."""

from __future__ import annotations

from kursk_pbem.kernel.brief import Table, rate_data
from kursk_pbem.kernel.state import State
from rulesets.plane_toy.setting import Setting, inches


def tables(setting: Setting) -> tuple[Table, ...]:
    """2.2, 3.0: return the table of models."""
    rows = tuple(
        (model.name, inches(model.speed), inches(model.range), *map(str, (model.dice, model.hit, model.save)))
        for model in setting.models.values()
    )
    head = ("model", "speed", "range", "dice", "hits from", "saves up to")
    return (Table("Models", "3.0", head, rows, (), rate_data(setting.scenario, "units")),)


def track(setting: Setting, state: State) -> tuple[Table, ...]:
    """1.2: return the turns."""
    rows = tuple((f"{'>' if turn == state.turn else ' '} {turn}",) for turn in setting.turns)
    return (Table("Turns", "1.2", ("turn",), rows),)
