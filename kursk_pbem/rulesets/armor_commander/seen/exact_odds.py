"""5.5, 6.1 to 6.9, 7.2: exact odds of every known fire order alone, from the present position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import lcm
from typing import Any

from kursk_pbem.kernel.branches import EACH, Groups, group_faces
from kursk_pbem.kernel.forecast import Turn
from kursk_pbem.kernel.outlook import Chances, Outcome
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.umpire import Umpire, first_ripe, other
from kursk_pbem.kernel.words import plural
from kursk_pbem.rulesets.armor_commander import action, fire, morale, plotting, victory
from kursk_pbem.rulesets.armor_commander.fire import Shot
from kursk_pbem.rulesets.armor_commander.orders import RED, Order
from kursk_pbem.rulesets.armor_commander.position import INITIATIVE, OPEN, PLOT, SHOWN, Field, make_field
from kursk_pbem.rulesets.armor_commander.saves import Effect, add_event, count_successes
from kursk_pbem.rulesets.armor_commander.setting import GUN, SIDES, Setting

DESTROYED, IMMOBILE, PINNED = "destroyed", "immobilised", "pinned"
MOST = 2_000
"""The maximum number of joint states. With more states the outcomes are printed by model."""
NOW = "computed from the present positions, without earlier casualties and pins"

One = dict[int, Fraction]
"""Remaining crew, 0 for destroyed; for a tank 1 for mobile, -1 for immobile."""
Joint = dict[tuple[int, ...], Fraction]


def list_chances(setting: Setting, state: State, sealed: Mapping[str, Any]) -> tuple[Chances, ...]:
    """Return the odds of each order to fire that this computer knows."""
    table = make_field(setting, state)
    known = [order for side in setting.sides for order in _list_known(table, side, sealed)]
    return tuple(
        _compute_odds(table, order.unit, fire.list_shots(table, order)) for order in known if order.chip == RED
    )


def _list_known(table: Field, side: str, sealed: Mapping[str, Any]) -> Iterator[Order]:
    """Yield the orders of a side that are known on this computer, in written order."""
    sealer, agenda = side == table.setting.sealer, table.state.agenda
    hidden = sealed.get(plotting.name_seal(table.state.turn), []) if sealer else []
    yield from plotting.judge_orders(table, side, agenda.get(SHOWN if sealer else OPEN, hidden))[0].values()


def make_turn(setting: Setting, state: State, sealed: Mapping[str, Any]) -> Turn | None:
    """3.3: return the orders that this computer knows, in the order of the action, to compute a forecast."""
    first, table = state.mark(INITIATIVE, "first"), make_field(setting, state)
    sides = (first, other(SIDES, first))
    orders = {order.unit: order for side in sides for order in _list_known(table, side, sealed)}
    if PLOT not in state.agenda or not orders:
        return None

    def resolve(umpire: Umpire[Setting], left: tuple[str, ...]) -> tuple[str, ...]:
        waiting = {uid: orders[uid] for uid in left[1:]}
        action.carry_out_order(umpire, orders[left[0]], waiting)
        return tuple(waiting)

    def groups(umpire: Umpire[Setting], left: tuple[str, ...], label: str) -> Groups:
        shooter, what, mid = f"{label}/".split("/")[:3]
        for shot in fire.list_shots(make_field(setting, umpire.state), orders[left[0]]):
            if shot.shooter == shooter and what == "hit":
                return group_faces(shot.needs.__le__)
            for effect in shot.effects if shot.shooter == shooter else ():
                if effect.model == mid and what in ("save", "blast", "crew"):
                    return group_faces(partial(_is_saved, effect))
        return EACH

    def holds(state: State, side: str) -> bool:
        now = make_field(setting, state)
        held = [victory.find_holder(now, objective) for objective in setting.objectives]
        return held.count(side) > held.count(other(SIDES, side))

    return Turn(Umpire(setting, state, first_ripe(state.agenda)), tuple(orders), resolve, groups, holds)


def _is_saved(effect: Effect, die: int) -> bool:
    return effect.is_saved(str(die))


def _compute_odds(table: Field, uid: str, shots: Sequence[Shot]) -> Chances:
    """5.5 to 7.2: compute the odds of a fire order."""
    shots = [shot for shot in shots if shot.target or shot.why]
    models = sorted({effect.model for shot in shots for effect in shot.effects})
    joint = follow_models(table, shots, models)
    hits = _count_hits(shots)
    singles = {mid: follow_model(table, shots, mid) for mid in models}
    outcomes = tuple(_list_outcomes(table, models, joint)) if joint else ()
    told = [f"{shot.shooter}{f' at {shot.target}' if shot.target else ''}, {shot.description}" for shot in shots]
    title = f"{uid} fires: {'; '.join(told) or 'no model left with orders to fire'}"
    sums: list[tuple[str, Fraction]] = []
    for mid, ends in singles.items():
        pins, crew = sum_pins(table, mid, ends), table.state.units[mid].steps
        gun = table.setting.models[mid].kind == GUN
        falls = sum((chance for left, chance in ends.items() if 0 < left < crew), Fraction(0)) if gun else Fraction(0)
        ways = (
            (f"{mid} is destroyed", ends.get(0, Fraction(0))),
            (f"{mid} is immobilised", ends.get(-1, Fraction(0)) if find_state(table, mid) == 1 else Fraction(0)),
            (f"a part of the crew of {mid} falls", falls),
            (f"{mid} is pinned", pins),
        )
        sums += [pair for pair in ways if pair[1]]
    sums += [
        (f"there {'is' if number == 1 else 'are'} {plural(number, 'hit')}", chance)
        for number, chance in enumerate(hits)
        if len(hits) > 1
    ]
    destroyed = sum((ends.get(0, Fraction(0)) for ends in singles.values()), Fraction(0))
    means = (("hits", sum((shot.hit_chance for shot in shots), Fraction(0))), ("models destroyed", destroyed))
    return Chances(uid, None, f"{title} [5.1]", (NOW,), outcomes, tuple(sums), means)


def _count_hits(shots: Sequence[Shot]) -> list[Fraction]:
    """5.5: return the chances of 0, 1, ... hits."""
    line = [Fraction(1)]
    for shot in (shot for shot in shots if shot.band):
        line = add_event(line, shot.hit_chance)
    return line


def find_state(table: Field, mid: str) -> int:
    """Return a model's state before the shots: the crew of a gun; 1 for a mobile tank, -1 for an immobile tank."""
    if table.setting.models[mid].kind == GUN:
        return table.state.units[mid].steps
    return 1 if table.is_mobile(mid) else -1


def list_results(effect: Effect, now: int) -> Iterator[tuple[int, Fraction]]:
    """6.1 to 6.8: yield the possible states of a model after a hit, with chances. ``now``: the state before the hit."""
    if effect.by_crew:
        for fallen, chance in enumerate(count_successes(max(now, 0), 1 - effect.chance)):
            yield now - fallen, chance
        return
    yield now, effect.chance
    worse = (min(now, -1) if now else 0) if effect.blast else 0
    yield worse, 1 - effect.chance


def follow_model(table: Field, shots: Sequence[Shot], mid: str) -> One:
    """Return the possible states of a model after all shots, with their chances."""
    ends = {find_state(table, mid): Fraction(1)}
    for shot in shots:
        for effect in (effect for effect in shot.effects if effect.model == mid):
            ways: One = {}
            for now, chance in ends.items():
                ways[now] = ways.get(now, Fraction(0)) + chance * (1 - shot.hit_chance)
                for then, way in list_results(effect, now):
                    ways[then] = ways.get(then, Fraction(0)) + chance * shot.hit_chance * way
            ends = ways
    return ends


def follow_models(table: Field, shots: Sequence[Shot], models: Sequence[str]) -> Joint:
    """Return the combined states of several models after all shots, with chances; {} for more states than ``MOST``."""
    start = tuple(find_state(table, mid) for mid in models)
    ends, whole = {start: 1}, 1
    for shot in (shot for shot in shots if shot.band):
        hit, parts = ends, 1
        for effect in shot.effects:
            place, spread = models.index(effect.model), dict[tuple[int, ...], int]()
            ways, of = _ways(effect, start[place])
            parts *= of
            for now, chance in hit.items():
                for then, way in ways[now[place]]:
                    key = (*now[:place], then, *now[place + 1 :])
                    spread[key] = spread.get(key, 0) + chance * way
            hit = spread
            if len(hit) > MOST:
                return {}
        hits, throws = shot.hit_chance.as_integer_ratio()
        joined = {key: chance * (throws - hits) * parts for key, chance in ends.items()}
        for key, chance in hit.items():
            joined[key] = joined.get(key, 0) + chance * hits
        ends, whole = joined, whole * throws * parts
    return {key: Fraction(chance, whole) for key, chance in ends.items() if chance}


def _ways(effect: Effect, first: int) -> tuple[dict[int, list[tuple[int, int]]], int]:
    """Return the results of a hit for every state, as integer parts, and the number of parts."""
    outcomes = {now: list(list_results(effect, now)) for now in range(-1, max(first, 1) + 1)}
    of = lcm(*(chance.denominator for ways in outcomes.values() for _then, chance in ways))
    return {now: [(then, int(chance * of)) for then, chance in ways] for now, ways in outcomes.items()}, of


def sum_pins(table: Field, mid: str, ends: One) -> Fraction:
    """7.2: return the chance that a gun must test its morale and fails. ``ends``: chances by remaining crew."""
    return sum((chance * find_pin_chance(table, mid, left) for left, chance in ends.items()), Fraction(0))


def find_pin_chance(table: Field, mid: str, left: int) -> Fraction:
    """7.2, 7.3: return the chance that a gun with this remaining crew is pinned. Without new losses the chance is 0."""
    new = table.setting.models[mid].kind == GUN and 0 < left < table.state.units[mid].steps
    return 1 - morale.PASSES if new and morale.must_test(table.setting, mid, left) else Fraction(0)


def _list_outcomes(table: Field, models: Sequence[str], joint: Joint) -> Iterator[Outcome]:
    """Yield the outcomes by the numbers of destroyed, immobilised and pinned models, the likeliest first."""
    counted: dict[tuple[int, int, int], Fraction] = {}
    for state, chance in joint.items():
        gone = sum(not left for left in state)
        stuck = sum(left == -1 and find_state(table, mid) == 1 for mid, left in zip(models, state, strict=True))
        chances = [Fraction(1)]
        for mid, left in zip(models, state, strict=True):
            if falls := find_pin_chance(table, mid, left):
                chances = add_event(chances, falls)
        for pins, way in enumerate(chances):
            if way:
                key = gone, stuck, pins
                counted[key] = counted.get(key, Fraction(0)) + chance * way
    for (gone, stuck, pins), chance in sorted(counted.items(), key=lambda item: (-item[1], item[0])):
        figures = {DESTROYED: gone, IMMOBILE: stuck, PINNED: pins}
        told = ", ".join(f"{number} {what}" for what, number in figures.items() if number)
        yield Outcome(
            chance,
            (),
            told or f"no model {DESTROYED}, {IMMOBILE} or {PINNED}",
            (),
            {key: str(value) for key, value in figures.items()},
        )
