"""The busiest positions of the finished games of a system, for the effort and the time of a level."""

from __future__ import annotations

from helpers import finished_games, registry
from kursk_pbem.game import histories
from kursk_pbem.game.histories import Step
from kursk_pbem.practice.systems import find_ideas

MOST = 12


def list_busiest(ruleset: str, most: int = MOST) -> list[Step]:
    """Return the messages with orders whose positions have most units in contact, at most one in a turn."""
    found: dict[tuple[str, str, str], tuple[int, Step]] = {}
    for kit, name in finished_games.list_games(ruleset):
        for step in histories.load(finished_games.folder_of(kit, name)).steps:
            if step.result is not None and step.message.content.get("orders"):
                key = name, step.before.state.turn, step.message.sender
                found[key] = max(found.get(key, (0, step)), (_count_contacts(step), step), key=lambda each: each[0])
    return [step for _count, step in sorted(found.values(), key=lambda each: -each[0])[:most]]


def _count_contacts(step: Step) -> int:
    """Return the number of units adjacent to an enemy; without hexes, of units on the table."""
    assert step.result is not None
    setting, units = step.after.setting, step.result.middle.units
    if not hasattr(setting, "board"):
        return len(units)
    board, counters = setting.board, setting.counters
    where = [(counters[uid].side, board.index[at.place]) for uid, at in units.items() if at.place in board.index]
    masks = {side: sum({1 << hex_ for each, hex_ in where if each == side}) for side in step.after.ruleset.sides}
    foes = {side: board.spread(masks[step.after.ruleset.other(side)]) for side in masks}
    return sum(foes[side] >> hex_ & 1 for side, hex_ in where)


def list_searching() -> list[str]:
    """Return the systems whose ideas have a search."""
    return [rid for rid in registry.KITS if find_ideas(registry.kit(rid).ruleset).efforts]
