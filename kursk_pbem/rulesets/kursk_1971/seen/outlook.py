"""3.0, 7.0, 9.0: possible actions of a side or a unit in a position: moves in every phase, missions, targets.

Moves come from the search of the rules, targets from their arithmetic, so every listed action is legal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import reduce

from kursk_pbem.errors import UsageError
from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.brief import Part
from kursk_pbem.kernel.events import Fought, Placed, apply
from kursk_pbem.kernel.hexes import ways
from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.hexes.ways import Way
from kursk_pbem.kernel.outlook import LATER, Destination, MovePhase, Mover, Outlook, Sign, Target
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.kursk_1971 import air, battles, combat, movement, raids, sequence
from kursk_pbem.rulesets.kursk_1971.movement import INITIAL, MOTOR
from kursk_pbem.rulesets.kursk_1971.odds import Odds, assess, count_results, drop_unmatched
from kursk_pbem.rulesets.kursk_1971.orders import Battle, Raid
from kursk_pbem.rulesets.kursk_1971.position import INTERDICTION, PATROL, Position, position
from kursk_pbem.rulesets.kursk_1971.retreat import NO_SUPPLY, supply_distance
from kursk_pbem.rulesets.kursk_1971.seen.wording import Wording
from kursk_pbem.rulesets.kursk_1971.setting import ENEMY, Setting

ZOC = Sign("zoc", "*", "after a hex: in an enemy zone of control or interdicted; leaving costs 2 MP more.", "beside")
WANT = Sign("want", "!", "after a hex: out of supply there, if no other unit moves.", "out of")
HEADING = "Possible attacks from the present hexes, by every adjacent unit [7.0]"
COMBAT, AIR, LEFT = "combat", "air", "points-left"
VERBS = {INITIAL: "move", MOTOR: "motor"}
RULES = {INITIAL: "3.0-movement", MOTOR: "3.0-b"}


def make_outlook(setting: Setting, state: State, unit: str) -> Outlook:
    """Return a forecast: what the next writer, or one ``unit``, can do.

    ``state``: the position after the duties of the message. Raises UsageError if the unit is unknown or not on the map.
    """
    pos = position(setting, state)
    if unit and unit not in setting.counters:
        raise UsageError(f"there is no unit {unit!r}; 'kursk map' shows the ids of units")
    if unit and unit not in pos.where:
        raise UsageError(f"{unit} is not on the map: {state.units[unit].place}")
    side = setting.counters[unit].side if unit else state.side
    now = list_phases(setting, state) if side == state.side else ()
    keys = now or ((INITIAL, COMBAT, MOTOR, AIR) if unit else ())
    far: dict[str, tuple[Destination, ...]] = {}
    phases = tuple(_make_phase(pos, side, key, unit, far) for key in (INITIAL, MOTOR) if key in keys)
    targets = (*_make_targets(pos, side, unit), *_make_raid_targets(pos, side, unit)) if COMBAT in keys else ()
    notes = tuple(_make_notes(keys, unit, ahead=not now))
    about = _describe_unit(pos, unit) if unit else tuple(_describe_side(pos, side, keys))
    return Outlook(side, phases, targets, notes, HEADING, attacks="declaration", about=about)


def list_phases(setting: Setting, state: State) -> tuple[str, ...]:
    """Return the phases of the next message in which at least one unit can do something."""
    keys = {phase.key for phase in sequence.list_stages(setting)[state.stage].phases}
    phases = [INITIAL, COMBAT] if INITIAL in keys else []
    over = state.turn == setting.turns[-1] and state.side == setting.second  # S-63: before take-off
    return (*phases, MOTOR, *(() if over else (AIR,))) if MOTOR in keys else tuple(phases)


def _make_notes(keys: tuple[str, ...], unit: str, *, ahead: bool) -> Iterator[str]:
    if ahead:
        yield (
            LATER if unit else "No unit moves in the message that is due; name a unit to see its moves in other phases."
        )
    if COMBAT in keys and MOTOR in keys:
        rest = ", patrols and interdiction come" if AIR in keys else " comes"
        yield f"If you declare attacks, motorized movement{rest} after the attacks' dice [2.0-phases]."


def _describe_side(pos: Position, side: str, keys: tuple[str, ...]) -> Iterator[str]:
    """9.0-d, 13.0: yield free aircraft and arriving units of a side."""
    if COMBAT in keys or AIR in keys:
        able = air.list_ready(pos, side)
        yield f"Aircraft that are free to fly and within range: {', '.join(able) or 'none'} [9.0-d]"
    if INITIAL in keys and (coming := movement.list_reinforcements(pos.setting, pos, side)):
        yield f"Reinforcements: {', '.join(coming)} [13.0]"


def _describe_unit(pos: Position, uid: str) -> tuple[str, ...]:
    """7.0-g, 10.0-b, 11.0: return the details of a unit: type, army, supply, missions."""
    counter = pos.setting.counters[uid]
    what = (counter.type, counter.figures, counter.limited, counter.formation, counter.army and f"army {counter.army}")
    lines = [", ".join(filter(None, what))]
    if not pos.is_supplied(uid):
        lines.append(f"Out of supply: {find_supply_fault(pos, uid)}. Movement and strength are halved [6.0-a].")
    missions = [f"{table} over {over}" for table in (PATROL, INTERDICTION) if (over := pos.state.mark(table, uid))]
    return (*lines, *missions)


def find_supply_fault(pos: Position, uid: str) -> str:
    """6.0-range, 6.0-d, 11.0-b: return why a unit is out of supply."""
    if not pos.is_near_army(uid):
        return "too far from the rest of the army [11.0-b]"
    open_map = pos.setting.lines_of_supply(pos.side(uid), pos.setting.board.all)
    if sum(open_map) >> pos.where[uid] & 1:
        return "enemy units or zones of control cut the line to a railway off your edge [6.0-d]"
    return "no railway off your edge is near enough [6.0-range]"


def find_ends(pos: Position, uid: str, key: str) -> dict[int, Way]:
    """3.0-b, 6.0-when: return the hexes where a unit's move can end, with paths, if a phase begins now."""
    return {} if movement.find_move_fault(pos, uid, key) else find_reach(pos, uid)


def find_reach(pos: Position, uid: str) -> dict[int, Way]:
    """3.0-a, 6.0-a: return the hexes where a unit's move can end, with paths, if any kind of phase begins now."""
    return movement.find_reach(pos, uid, count_points(pos, uid))


def can_move(pos: Position, uid: str, key: str) -> bool:
    """3.0-b: return whether a unit can move if a phase begins now."""
    return not movement.find_move_fault(pos, uid, key) and ways.can_move(
        movement.make_march(pos, uid, count_points(pos, uid))
    )


def count_points(pos: Position, uid: str) -> int:
    """6.0-a: return a unit's movement points: as saved by `mark_points`, or as in a phase that begins now."""
    told = pos.state.mark(LEFT, uid)
    return int(told) if told else movement.count_allowance(pos.setting, uid, supplied=pos.is_supplied(uid))


def count_first_points(first: Position, uid: str, *, comes: bool) -> int:
    """6.0-when, 13.0, S-60: return a unit's points at the start of a phase. An arriving unit has paid for its entry."""
    price = movement.entry_price(first, uid, first.where[uid]) if comes else 0
    return movement.count_allowance(first.setting, uid, supplied=comes or first.is_supplied(uid)) - price


def mark_points(setting: Setting, part: Part) -> State:
    """6.0-when: return the position after a phase. If supply changed a unit's points, a marker keeps the old ones."""
    came = {event.unit: event for event in part.events if isinstance(event, Placed)}
    first, pos = position(setting, reduce(apply, came.values(), part.before)), position(setting, part.after)
    had = {uid: count_first_points(first, uid, comes=uid in came) for uid in pos.units(part.side)}
    left = {uid: str(had[uid]) for uid in had if had[uid] != count_points(pos, uid)}
    return part.after.with_(marks={**part.after.marks, LEFT: left}) if left else part.after


def explain_refusal(setting: Setting, state: State, unit: str, to: str) -> tuple[str, ...]:
    """3.0, 4.0: return why a unit cannot end a move in a hex, one reason for each phase; () if it can.

    Raises UsageError if the unit or the hex is unknown.
    """
    pos, shown = position(setting, state), make_outlook(setting, state, unit)
    if to not in setting.board.index:
        raise UsageError(f"{to!r} is not a hex of this map")
    there, told = setting.board.index[to], []
    for phase in shown.phases:
        if there not in find_ends(pos, unit, phase.key):
            refused = movement.explain_unreachable(pos, unit, phase.key, there, count_points(pos, unit))
            told.append(f"{Wording(setting).phase(phase.key)}: {refused.why} [{refused.rule}]")
    return tuple(told)


def _make_phase(pos: Position, side: str, key: str, unit: str, far: dict[str, tuple[Destination, ...]]) -> MovePhase:
    """Return the moves of a phase that begins now; ``far``: cache of destinations."""
    movers = []
    for uid in (unit,) if unit else pos.units(side):
        moves = not movement.find_move_fault(pos, uid, key)
        if moves and uid not in far:
            far[uid] = tuple(_find_destinations(pos, side, uid, wants=bool(unit)))
        there = far[uid] if moves else ()
        if there or unit:
            movers.append(Mover(uid, pos.state.units[uid].place, "", there))
    notes = ["Supply is judged as the phase begins; without supply the allowance is halved [6.0-a]."]
    if unit and (why := movement.find_move_fault(pos, unit, key)):
        notes.append(f"{unit} stays: {why}.")
    return MovePhase(key, RULES[key], tuple(notes), tuple(movers), (ZOC, WANT) if unit else (ZOC,), verb=VERBS[key])


def _find_destinations(pos: Position, side: str, uid: str, *, wants: bool) -> Iterator[Destination]:
    """Yield the ends of a unit's moves; ``wants``: check supply there, which is slow."""
    danger, labels = pos.find_controlled(side), pos.setting.board.labels
    for hex_, way in find_reach(pos, uid).items():
        beside = _find_controllers(pos, side, hex_) if danger >> hex_ & 1 else ()
        cut = wants and (supply_distance(pos, uid, hex_) == NO_SUPPLY or not pos.is_near_army(uid, hex_))  # 6.0-e, 11.0
        signs = {ZOC.key: beside, WANT.key: ("supply",) if cut else ()}
        yield Destination(labels[hex_], str(way.mp), tuple([labels[step] for step in way.path]), signs)


def _find_controllers(pos: Position, side: str, there: int) -> tuple[str, ...]:
    """4.0, 9.0-d2: return the units that control a hex against a side, or interdiction."""
    around = bits(pos.setting.board.near[there] & pos.enemies(side))
    units = tuple(uid for hex_ in around for uid in pos.stack(hex_) if uid in pos.setting.controlling)
    return units or ("interdiction",)


@frozen
class Attack:
    """7.0: an attack on a hex by all units that can take part. ``flyer``: the aircraft that can support, or ''."""

    battle: Battle
    odds: Odds
    flyer: str


def find_attackers(pos: Position, side: str, hex_: int) -> list[str]:
    """7.0-a, 7.0-d: return the units of ``side`` that may attack a hex, by id. Some of them may need a partner."""
    around = bits(pos.setting.board.near[hex_] & pos.occupied[side])
    near = (uid for here in around for uid in pos.stack(here))
    return sorted(uid for uid in near if battles.find_attacker_fault(pos, side, uid, hex_) is None)


def find_attacks(pos: Position, side: str) -> Iterator[Attack]:
    """7.0-a, 7.0-i: yield one attack on each possible hex, by all units that can take part."""
    able = air.list_ready(pos, side)
    for hex_ in bits(pos.occupied[ENEMY[side]]):
        who = drop_unmatched(pos, find_attackers(pos, side, hex_))
        if who:
            battle = Battle("b1", hex_, tuple(who))
            near = [] if air.is_blocked(pos, side, hex_) else able
            flyer = next((uid for uid in near if air.is_in_range(pos, uid, hex_)), "")
            yield Attack(battle, assess(pos, battle), flyer)


def find_strong_attacks(pos: Position, side: str) -> list[Attack]:
    """7.0-procedure: return the attacks whose attackers have any strength."""
    return [attack for attack in find_attacks(pos, side) if not attack.odds.powerless]


def _find_chances(pos: Position, odds: Odds) -> tuple[tuple[str, Fraction], ...]:
    """8.0: return the chance of every result; without a defense the result is certain."""
    if odds.automatic:
        return (("DX", Fraction(1)),)
    return tuple((told, Fraction(number, 6)) for told, number in count_results(pos.setting, odds).items())


def _make_targets(pos: Position, side: str, unit: str) -> Iterator[Target]:
    """7.0: yield the attacks of ``side``, or of ``unit`` alone."""
    for attack in find_attacks(pos, side):
        battle, odds = attack.battle, attack.odds
        if unit and unit not in battle.attackers:
            continue
        stack, label = pos.stack(battle.hex), pos.setting.board.labels[battle.hex]
        if odds.powerless:
            yield Target(stack, label, None, (), (), ("no strength to attack with",))
            continue
        variants: tuple[tuple[str, Fought], ...] = ()
        if attack.flyer and not odds.automatic:
            flown = replace(battle, support=attack.flyer)
            variants = (
                (f"close support by {attack.flyer}", combat.make_fought(pos.setting, flown, assess(pos, flown))),
            )
        fought = combat.make_fought(pos.setting, battle, odds, note=combat.NO_DIE if odds.automatic else "")
        yield Target(stack, label, fought, _find_chances(pos, odds), variants, verb="attack", price="close support")


def find_raids(pos: Position, side: str) -> Iterator[Raid]:
    """9.0-d4: yield one attack on each enemy base, by all aircraft in range."""
    able = air.list_ready(pos, side)
    for base in air.list_air_units(pos, ENEMY[side]):
        near = tuple(uid for uid in able if air.is_in_range(pos, uid, pos.where[base]))
        if near:
            yield Raid("r1", base, near)


def _make_raid_targets(pos: Position, side: str, unit: str) -> Iterator[Target]:
    """9.0-d4: yield attacks from the air, with the patrols of a single attack."""
    for raid in find_raids(pos, side):
        if unit and unit not in raid.aircraft:
            continue
        shared = raids.share_patrols(pos, (raid,), {})[raid.base]
        faces = raids.count_results(pos.setting, raids.find_column(pos.setting, raid, shared))
        told = raids.make_fought(pos, raid, shared)
        sixths = tuple((result, Fraction(number, 6)) for result, number in faces.items())
        yield Target((raid.base,), pos.state.units[raid.base].place, told, sixths, verb="raid")
