"""4.0: all outcomes of an assault, from the real rules with all dice."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any

from kursk_pbem.kernel.branches import run_branches
from kursk_pbem.kernel.events import Fought
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.outcomes import chance, mean, merge_outcomes
from kursk_pbem.kernel.outlook import Chances, Outcome
from kursk_pbem.kernel.state import DECLARED, State
from kursk_pbem.kernel.umpire import Dice, GameEnded, Umpire, first_ripe
from rulesets.hex_toy import assaults
from rulesets.hex_toy.assaults import ASSAULTS, LATE, STEADY, label
from rulesets.hex_toy.setting import FALLEN, Setting


def odds(setting: Setting, state: State, sealed: Mapping[str, Any]) -> tuple[Chances, ...]:
    """Return the chances of the waiting assaults."""
    stances = sealed.get(label(state.agenda.get(DECLARED, "")), {})
    return tuple(_of(setting, state, each, stances) for each in state.agenda.get(ASSAULTS, ()))


def _of(setting: Setting, state: State, order: Mapping[str, Any], stances: Mapping[str, str]) -> Chances:
    stance = stances.get(order["id"]) or order.get("stance", STEADY)
    seq, side = first_ripe(state.agenda), setting.counters[order["units"][0]].side
    start = state.with_(agenda={**state.agenda, ASSAULTS: [{**order, "stance": stance}]})

    def run(dice: Dice) -> Outcome:
        umpire: Umpire[Setting] = Umpire(setting, start, seq, dice)
        with suppress(GameEnded):
            assaults.fight(umpire, Filing(seq, side))
        return _outcome(setting, state, order, umpire)

    outcomes = merge_outcomes(run_branches(seq, run) or ())
    volley = assaults.volley_of(setting, state, order)
    told = assaults.fought(setting, state, order, list(order["units"]), stance, volley)
    known = stance if stances or "stance" in order else f"{STEADY}, as far as is known here"
    assumed = (f"the stance: {known}", f"the volley: {volley}{'' if volley != LATE else ', unless another is filed'}")
    return Chances(
        order["id"],
        told,
        "",
        assumed,
        outcomes,
        (("the hex is left", chance(outcomes, "left")),),
        (("steps lost by the defence", mean(outcomes, "defence-steps")),),
    )


def _outcome(setting: Setting, before: State, order: Mapping[str, Any], umpire: Umpire[Setting]) -> Outcome:
    side = setting.counters[order["units"][0]].side
    lost = {who: umpire.state.tracks[FALLEN.format(who)] - before.tracks[FALLEN.format(who)] for who in setting.sides}
    left = order["hex"] not in setting.standing(umpire.state, setting.foe(side))
    told = [event for event in umpire.events if isinstance(event, Fought)][-1]
    stayed = len(order["units"]) - len(told.attack.rows)
    text = [f"{stayed} of the units stay behind"] if stayed else []
    text.append(f"steps lost: {lost[side]} by the assault, {lost[setting.foe(side)]} by the defence")
    figures = {"left": "yes" if left else "no", "defence-steps": str(lost[setting.foe(side)])}
    return Outcome(Fraction(0), (), told.result, (*text, *(["the hex is left"] if left else [])), figures)
