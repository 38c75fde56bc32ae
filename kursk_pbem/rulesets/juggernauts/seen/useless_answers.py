"""Wishes of answers and plans that a die may call for, as units are placed now; for warnings before signing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.hexes import plans, policies
from kursk_pbem.kernel.hexes.usual.precedence import find_effective
from kursk_pbem.kernel.words import some
from kursk_pbem.rulesets.juggernauts import air, marks, movement, odds, retreat
from kursk_pbem.rulesets.juggernauts.answers import RETREAT, WITHDRAW, Answer, find_answer
from kursk_pbem.rulesets.juggernauts.orders import FORCED, Battle, Plan, read_battles
from kursk_pbem.rulesets.juggernauts.position import Position
from kursk_pbem.rulesets.juggernauts.setting import ARTILLERY, RESULTS, RUSSIAN

LEAVES = {"D": 0, "X": 0, "D/AE": 0, "D1": 1, "D2": 2}
"""2.0: results after which defenders may leave their hex, and the hexes that attackers can drive them."""
NEEDS = {
    "push": {"D1", "D2"},
    "losses": {"AE", "D/AE", "X"},
    "advance": {*LEAVES, "DE"},
    "exchange": {"X"},
    "breakthrough": {"D2", "DE"},
}
"""2.0: kinds of wishes of a plan, and the results that call for them; a Forced Exchange also needs losses."""
TABLES = (policies.BATTLES, policies.BY_HEX, policies.BY_UNIT)
NEAR = 2  # hexes from an attack in which its Panzerkeil may join another


@frozen
class Case:
    """One defender in one attack: its answer, and the possible results."""

    attack: retreat.Attack
    uid: str
    name: str
    answer: Answer
    rolled: frozenset[str]

    def ways(self, pos: Position, *, further: bool = False) -> set[retreat.Way]:
        """2.0-dn, 8.0: return all possible ways back; ``further``: only ways beyond the hexes driven."""
        board, own = pos.setting.board, self.answer.for_unit(self.uid).withdraw
        can = frozenset[str]() if self.answer.for_unit(self.uid).no_retreat else self.rolled
        limits = {
            (far, far + 2 - LEAVES[result]) for result in can & LEAVES.keys() for far in range(LEAVES[result] + 1)
        }
        lengths = {(far, max(far, min(own, most))) for far, most in limits}
        lengths = {(far, length) for far, length in lengths if length > far or not further}
        # an exchange or D/AE removes attackers and their zones
        wide = board.index.values() if own and can & {"X", "D/AE"} else ()
        several = len(pos.here(self.attack.hex, pos.side(self.uid))) > 1  # the first unit may take the room
        who, hex_ = (pos, self.uid, self.attack), self.attack.hex
        return {
            *(way for far, length in lengths for way in retreat.find_candidates(*who, length, far)),
            *((to,) for to in wide if 0 < board.distance(hex_, to) <= own and (several or pos.has_room(self.uid, to))),
            *(
                (to, past)[:far]
                for far in sorted({length for _far, length in lengths} - {0})
                if several
                for to in retreat.list_steps(*who, hex_)
                for past in retreat.list_steps(*who, to) or [to]
            ),
        }


def guns(pos: Position, battle: Battle) -> bool:
    """14.2: return whether artillery attacks alone."""
    return all(pos.counter(uid).kind == ARTILLERY for uid in battle.attackers)


def rolled(pos: Position, battle: Battle, waiting: Sequence[Battle]) -> frozenset[str]:
    """2.0, 14.2: return the possible results of an attack: all if a strike, Panther or Panzerkeil may change it."""
    agenda, board = pos.state.agenda, pos.setting.board
    if guns(pos, battle):
        return frozenset({"D"})
    others = [other for other in waiting if other.id != battle.id and board.distance(other.hex, battle.hex) <= NEAR]
    if (
        any(strike["hex"] == board.labels[battle.hex] for strike in agenda.get(air.STRIKES, ()))
        or not agenda.get(movement.PATHS, {}).keys().isdisjoint(battle.attackers)
        or any(pos.is_marked(marks.KEIL, uid) for other in others for uid in other.attackers)
    ):
        return frozenset(RESULTS)
    return frozenset(odds.list_results(pos.setting, odds.find_odds(pos, battle)))


def in_vain(pos: Position, policy: Mapping[str, Any], side: str) -> Iterator[str]:
    """2.0-d, 6.0, 8.0, J-53, J-70: yield the parts of an answer on retreats that no die calls for."""
    cases, waiting = [*_cases(pos, policy, side)], read_battles(pos.setting, pos.state.agenda)
    # 2.0-breakthrough, 8.0: a later attack, by a Panzerkeil or on units in an empty line, may use the answer
    again = any(
        not pos.here(battle.hex, side) or any(pos.is_marked(marks.KEIL, uid) for uid in battle.attackers)
        for battle in waiting
    )
    asked = [((policies.BY_UNIT, case.uid), *case.answer.places) for case in cases]
    for path, key, what, speaks in find_effective(policy, (WITHDRAW, RETREAT), TABLES, asked):
        whose = f"{key} of {path[-1]}:" if policies.BY_UNIT in path else key
        said = [what] if key == WITHDRAW else what
        if speaks and said != ["0"]:
            yield from _told(pos, whose, said, [cases[at] for at in speaks])
        elif not (speaks or (again and policies.BATTLES not in path)) and any(
            not path or path in places for places in asked
        ):
            before = "more specific answers apply"
            yield f"{whose} {', '.join(said)} for {path[-1] if path else 'all'} has no effect: {before}"


def _cases(pos: Position, policy: Mapping[str, Any], side: str) -> Iterator[Case]:
    agenda, labels = {**pos.state.agenda, policies.POLICY: policy}, pos.setting.board.labels
    waiting = read_battles(pos.setting, agenda)
    for number, battle in enumerate(waiting):
        origins = sum({1 << pos.where[uid] for uid in battle.attackers})
        attack = retreat.Attack(battle.hex, origins, sum({1 << other.hex for other in waiting[number + 1 :]}))
        answer, can = find_answer(agenda, side, battle.id, labels[battle.hex]), rolled(pos, battle, waiting)
        yield from (Case(attack, uid, battle.id, answer, can) for uid in pos.here(battle.hex, side))


def _told(pos: Position, key: str, wishes: Sequence[str], cases: Sequence[Case]) -> Iterator[str]:
    """Yield the wishes without effect in these attacks, and why."""
    names, labels = some([*dict.fromkeys(case.name for case in cases)]), pos.setting.board.labels
    ways = {way for case in cases for way in case.ways(pos, further=key.startswith(WITHDRAW))}
    ends = {label for way in ways for label in (labels[way[-1]], "-".join(labels[hex_] for hex_ in way))}
    vain = [
        wish
        for wish in wishes
        if wish.split(" ")[0] not in plans.WAYS and wish not in ends and wish.split("-")[-1] not in ends
    ]
    if not ways:
        yield f"{key} {', '.join(wishes)} has no effect in {names}: {_why_none(cases)}"
    elif vain and key.startswith(RETREAT):
        yield f"{key} {', '.join(vain)} has no effect in {names}: no way back ends there now"


def _why_none(cases: Sequence[Case]) -> str:
    """2.0-d, 6.0, 8.0: return why no unit goes back in these attacks."""
    can = frozenset[str]().union(*(case.rolled for case in cases)) & LEAVES.keys()
    if all(case.answer.for_unit(case.uid).no_retreat for case in cases):
        return "with No Retreat! orders no unit goes back"
    if not can:
        return "no die roll lets a unit go back now"
    if not any(LEAVES[result] or case.answer.for_unit(case.uid).withdraw for case in cases for result in can):
        return f"no die roll drives a unit back now, and without '{WITHDRAW}' no unit goes"
    if all(LEAVES[result] == 2 for result in can):
        return "no die roll lets a unit go further than driven now"
    return "no unit has a way back now"


def planned(pos: Position, battle: Battle, plan: Plan, can: frozenset[str]) -> Iterator[str]:
    """2.0, 6.0-forced: yield the parts of a plan that no die calls for, if these results ``can`` occur."""
    russian = pos.side(battle.attackers[0]) == RUSSIAN
    forced = {*FORCED} if "yes" in plan.forced or (russian and plan.forced) else {*plan.forced}
    on = NEEDS["breakthrough"] if plan.breakthrough else set[str]()
    for key, needed in {**NEEDS, "forced": forced, "exploit": on}.items():
        if (said := vars(plan)[key]) and not can & (needed | forced if key in ("losses", "advance") else needed):
            yield f"{key} {', '.join(said)} has no effect in {battle.id}: " + (
                "no die roll calls for it now" if needed else "the plan has no breakthrough"
            )
