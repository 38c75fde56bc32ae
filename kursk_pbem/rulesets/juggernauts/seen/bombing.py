"""20.0: the odds of an air strike alone, and its dice in the odds of the attack on its hex."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from kursk_pbem.kernel.branches import Groups, run_branches
from kursk_pbem.kernel.events import Removed, Tested
from kursk_pbem.kernel.hexes.policies import POLICY, filed_policy
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.outcomes import chance, merge_outcomes
from kursk_pbem.kernel.outlook import UNFOLLOWED, Chances, Outcome
from kursk_pbem.kernel.state import ANSWERED, STANDING, State
from kursk_pbem.kernel.umpire import Dice, Umpire, first_ripe
from kursk_pbem.rulesets.juggernauts import air, marks
from kursk_pbem.rulesets.juggernauts.answers import INTERCEPT
from kursk_pbem.rulesets.juggernauts.odds import find_row
from kursk_pbem.rulesets.juggernauts.position import Position, position
from kursk_pbem.rulesets.juggernauts.setting import ENEMY, GERMAN, Setting

Strike = Mapping[str, Any]
HIT, UNHURT, MOST = "a unit is lost or newly Disrupted", "no unit is lost or newly Disrupted", 600
"""``MOST``: maximum number of ways of one strike's dice to follow."""


def over(state: State, label: str) -> list[Strike]:
    """Return the air strikes on a hex that are declared, and whose dice are not rolled yet."""
    return [strike for strike in state.agenda.get(air.STRIKES, ()) if strike["hex"] == label]


def alone(setting: Setting, state: State, strikes: list[Strike]) -> State:
    """Return the position with only these air strikes, and only the air units that can intercept them."""
    agenda = {key: value for key, value in state.agenda.items() if key != air.STRIKES}
    if strikes:
        pos, said = position(setting, state), filed_policy(state.agenda, ENEMY[side_of(setting, strikes[0])])
        met = [plane for strike in strikes for plane in meeting(pos, strike["id"])]
        agenda |= {air.STRIKES: strikes, POLICY: {**said, INTERCEPT: met}}
    return state.with_(agenda=agenda)


def meeting(pos: Position, strike: str) -> list[str]:
    """20.2: return the interceptors that meet a strike if all bombers fly on. Spare Germans meet the first strike."""
    strikes, planes, index = pos.state.agenda[air.STRIKES], pos.setting.planes, pos.setting.board.index
    side = ENEMY[planes[strikes[0]["planes"][0]].side]
    named = dict.fromkeys(filed_policy(pos.state.agenda, side).get(INTERCEPT, ()))
    able = [plane for plane in named if plane in planes and air.is_ready(pos.state, plane, "meet")]
    near = [each for each in strikes if able and air.is_in_range(pos, able[0], index[each["hex"]])]
    flying = [each["id"] for each in near for _plane in each["planes"]]
    if side == GERMAN and flying:
        flying += [flying[0]] * (len(able) - len(flying))
    return [plane for plane, met in zip(able, flying, strict=False) if met == strike]


def groups(setting: Setting, side: str, label: str) -> Groups:
    """20.2, 20.4: return the die faces of a bomber or interceptor, grouped by equal results."""
    met = ["-".join(side if word == "bomber" else word for word in row.split("-")) for row in setting.meeting]
    table = met if label.rpartition("/")[2].startswith("met-") else setting.bombing[side]
    results = {str(die): table[find_row(setting, die) - 1] for die in range(1, 7)}
    return tuple("".join(die for die in results if results[die] == told) for told in dict.fromkeys(results.values()))


def ways(setting: Setting, state: State, strike: Strike) -> int:
    """Return how many combinations of dice an air strike can have at most."""
    side, pos, hex_ = side_of(setting, strike), position(setting, state), setting.board.index[strike["hex"]]
    fall, meets = len(strike["planes"]) * len(pos.here(hex_, ENEMY[side])), len(meeting(pos, strike["id"]))
    bombs, met = (len(groups(setting, side, label)) for label in ("s/1-1", "s/met-1"))
    return int(bombs**fall * met**meets)


def side_of(setting: Setting, strike: Strike) -> str:
    """Return the side that declared an air strike."""
    return setting.planes[strike["planes"][0]].side


def odds(setting: Setting, state: State) -> tuple[Chances, ...]:
    """Return the odds of each declared air strike, as if no other strike were declared."""
    return tuple(_chances(setting, state, strike) for strike in state.agenda.get(air.STRIKES, ()))


def _chances(setting: Setting, state: State, strike: Strike) -> Chances:
    """20.1, 20.2: return all ends of a strike, with the air units listed to meet it."""
    side, before = side_of(setting, strike), alone(setting, state, [strike])
    title = f"Air strike {strike['id']} on {strike['hex']} by {', '.join(strike['planes'])} [20.1]"
    met = f"air units that intercept, by the answer: {', '.join(before.agenda[POLICY][INTERCEPT]) or 'none'}"
    unknown = (
        "" if {ANSWERED, STANDING + ENEMY[side]} & {*state.agenda} else "no answer yet: no air unit meets the strike"
    )

    def run(dice: Dice) -> Outcome:
        umpire: Umpire[Setting] = Umpire(setting, before, dice.seq, dice)
        air.resolve_strikes(umpire, Filing(dice.seq, side))
        return _outcome(before, umpire)

    alike, few = partial(groups, setting, side), ways(setting, state, strike) <= MOST
    followed = run_branches(first_ripe(state.agenda), run, groups=alike) if few else None
    if followed is None:
        return Chances(strike["id"], None, title, (unknown or met, UNFOLLOWED), (), (), ())
    outcomes = merge_outcomes(followed)
    return Chances(strike["id"], None, title, (unknown or met,), outcomes, ((HIT, chance(outcomes, "hit")),), ())


def disrupted(before: State, after: State) -> list[str]:
    """Return in words the units that are Disrupted after an action, and the units that have recovered."""
    old, new = ({*state.marks.get(marks.DISRUPTED, {})} for state in (before, after))
    told = ("Disrupted", new - old), ("recovers", {uid for uid in old - new if after.units[uid].steps})
    return [f"{what}: {', '.join(sorted(uids))}" for what, uids in told if uids]


def _outcome(before: State, umpire: Umpire[Setting]) -> Outcome:
    """Return the outcome of a throw."""
    lost = ", ".join(event.unit for event in umpire.events if isinstance(event, Removed))
    hurt = [*[f"lost: {lost}"] * bool(lost), *disrupted(before, umpire.state)]
    flown, resting = before.marks.get(marks.FLOWN, {}), umpire.state.marks.get(marks.FLOWN, {})
    rests = ", ".join(use.split("/")[0] for use in sorted(resting) if resting[use] == "next" != flown.get(use))
    met = [event.text for event in umpire.events if isinstance(event, Tested) and event.rule == "20.2"]
    told = (*met, *hurt, *[f"no strike in the next turn: {rests}"] * bool(rests)) or (UNHURT,)
    return Outcome(Fraction(0), (), "", told, {"hit": "yes" if hurt else "no"})
