"""2.0, 19.2-4: the waiting dice of a message, one action after the other, for whole-turn odds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kursk_pbem.kernel.branches import EACH, Groups, group_faces
from kursk_pbem.kernel.forecast import Turn
from kursk_pbem.kernel.hexes import plans
from kursk_pbem.kernel.hexes.policies import BATTLES
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import DECLARED, State
from kursk_pbem.kernel.umpire import Umpire, first_ripe
from kursk_pbem.rulesets.juggernauts import air, combat, movement
from kursk_pbem.rulesets.juggernauts.odds import find_odds, read_result
from kursk_pbem.rulesets.juggernauts.orders import Battle, read_battles
from kursk_pbem.rulesets.juggernauts.position import view
from kursk_pbem.rulesets.juggernauts.setting import Setting

Left = tuple[tuple[str, ...], tuple[Battle, ...], tuple[Battle, ...], frozenset[str], frozenset[str]]
"""Dice before the attacks; attacks waiting and fought; attacks that emptied their hex; units after a breakthrough."""


def make_turn(setting: Setting, state: State, sealed: Mapping[str, Any]) -> Turn | None:
    """19.2-4: return the Panthers, air strikes and attacks that wait for dice, for a forecast."""
    agenda = state.agenda
    before = tuple(key for key in (movement.PATHS, air.STRIKES) if key in agenda)
    if not before and BATTLES not in agenda:
        return None
    start, opened = Umpire(setting, state, first_ripe(agenda)), sealed.get(plans.label(agenda[DECLARED]), {})
    waiting = [replace(each, plan=each.plan.unless(opened, each.id)) for each in read_battles(setting, agenda)]
    view(start)

    def resolve(umpire: Umpire[Setting], left: Left) -> Left | tuple[()]:
        dice, now, fought, emptied, through = left
        if dice:
            filing = Filing(umpire.seq, umpire.state.side)
            (movement.roll_panthers if dice[0] == movement.PATHS else air.resolve_strikes)(umpire, filing)
            return (dice[1:], *left[1:]) if dice[1:] or now else ()
        ids = frozenset(each.id for each in waiting)
        field = combat.Field(umpire, [*now[1:]], ids, [*fought], {*emptied}, {*through})
        combat.fight_attack(field, now[0])
        rest = (tuple(field.waiting), tuple(field.fought), frozenset(field.emptied), frozenset(field.through))
        return ((), *rest) if field.waiting else ()

    def groups(umpire: Umpire[Setting], left: Left, label: str) -> Groups:
        if left[0] or label != f"{left[1][0].id}/combat":
            return ("12", "34", "56") if label.endswith("/move") else EACH
        battle = combat.keep_able_attackers(view(umpire), left[1][0])
        found = find_odds(view(umpire), battle)
        return group_faces(lambda face: read_result(setting, found, face))

    return Turn(start, (before, tuple(waiting), (), frozenset(), frozenset()), resolve, groups)
