"""3.0, 7.0, 9.0: what a side or one unit may do from a position: moves in each phase, missions, targets.

Moves come from the search that also checks them, targets from the arithmetic that also fights them, so what is shown
is what would be accepted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel.brief import Part
from kursk_pbem.kernel.events import Fought, Placed, apply
from kursk_pbem.kernel.hexes import ways
from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.hexes.ways import Way
from kursk_pbem.kernel.outlook import LATER, Destination, MovePhase, Mover, Outlook, Sign, Target
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.kursk_1971 import air, battles, combat, movement, raids, sequence
from kursk_pbem.rulesets.kursk_1971.movement import INITIAL, MOTOR
from kursk_pbem.rulesets.kursk_1971.odds import Odds, assess, chances, together
from kursk_pbem.rulesets.kursk_1971.orders import Battle, Raid
from kursk_pbem.rulesets.kursk_1971.position import INTERDICTION, PATROL, Position, position
from kursk_pbem.rulesets.kursk_1971.retreat import NO_SUPPLY, supply_distance
from kursk_pbem.rulesets.kursk_1971.seen.wording import Wording
from kursk_pbem.rulesets.kursk_1971.setting import ENEMY, Setting

ZOC = Sign("zoc", "*", "after a hex: in an enemy zone of control or interdicted; 2 MP more to leave it.", "beside")
WANT = Sign("want", "!", "after a hex: out of supply there, as everybody else stands now.", "out of")
HEADING = "What can be attacked from where units stand now, by all beside it [7.0]"
COMBAT, AIR, LEFT = "combat", "air", "points-left"
VERBS = {INITIAL: "move", MOTOR: "motor"}
RULES = {INITIAL: "3.0-movement", MOTOR: "3.0-b"}


def outlook(setting: Setting, state: State, unit: str) -> Outlook:
    """What the side that writes next may do from ``state`` (after its duties); with ``unit`` what that unit may do.

    UsageError if there is no such unit, or if it does not stand on the map.
    """
    pos = position(setting, state)
    if unit and unit not in setting.counters:
        raise UsageError(f"there is no unit {unit!r}; 'kursk map' shows them by their ids")
    if unit and unit not in pos.where:
        raise UsageError(f"{unit} is not on the map: {state.units[unit].place}")
    side = setting.counters[unit].side if unit else state.side
    now = due(setting, state) if side == state.side else ()
    keys = now or ((INITIAL, COMBAT, MOTOR, AIR) if unit else ())
    far: dict[str, tuple[Destination, ...]] = {}
    phases = tuple(_moves(pos, side, key, unit, far) for key in (INITIAL, MOTOR) if key in keys)
    targets = (*_targets(pos, side, unit), *_raids(pos, side, unit)) if COMBAT in keys else ()
    notes = tuple(_notes(keys, unit, ahead=not now))
    about = _about(pos, unit) if unit else tuple(_besides(pos, side, keys))
    return Outlook(side, phases, targets, notes, HEADING, attacks="declaration", about=about)


def due(setting: Setting, state: State) -> tuple[str, ...]:
    """The phases of the message that is due in which units act."""
    keys = {phase.key for phase in sequence.stages(setting)[state.stage].phases}
    phases = [INITIAL, COMBAT] if INITIAL in keys else []
    over = state.turn == setting.turns[-1] and state.side == setting.second  # S-63: before anybody takes off
    return (*phases, MOTOR, *(() if over else (AIR,))) if MOTOR in keys else tuple(phases)


def _notes(keys: tuple[str, ...], unit: str, *, ahead: bool) -> Iterator[str]:
    if ahead:
        yield (LATER if unit else "Nothing moves in the message that is due; name a unit to see where it could go.")
    if COMBAT in keys and MOTOR in keys:
        rest = ", patrols and interdiction follow" if AIR in keys else " follows"
        yield f"With attacks declared the motorized movement{rest} their dice [2.0-phases]."


def _besides(pos: Position, side: str, keys: tuple[str, ...]) -> Iterator[str]:
    """9.0-d, 13.0: of a whole side what is no move; no note, for notes are told of a single place too."""
    if COMBAT in keys or AIR in keys:
        able = air.ready(pos, side)
        yield f"Aircraft that may fly, each within its range: {', '.join(able) or 'none'} [9.0-d]"
    if INITIAL in keys and (coming := movement.waiting(pos.setting, pos, side)):
        yield f"Reinforcements: {', '.join(coming)} [13.0]"


def _about(pos: Position, uid: str) -> tuple[str, ...]:
    """7.0-g, 10.0-b, 11.0: the card of a unit: what it is, its army, supply, what its aircraft do."""
    counter = pos.setting.counters[uid]
    what = (counter.type, counter.figures, counter.limited, counter.formation, counter.army and f"army {counter.army}")
    lines = [", ".join(filter(None, what))]
    if not pos.supplied(uid):
        lines.append(f"Out of supply: {supply_fault(pos, uid)}. Movement and strength are halved [6.0-a].")
    missions = [f"{table} over {over}" for table in (PATROL, INTERDICTION) if (over := pos.state.mark(table, uid))]
    return (*lines, *missions)


def supply_fault(pos: Position, uid: str) -> str:
    """6.0-range, 6.0-d, 11.0-b: return why a unit is out of supply."""
    if not pos.together(uid):
        return "it is too far from the rest of its army [11.0-b]"
    open_map = pos.setting.lines_of_supply(pos.side(uid), pos.setting.board.all)
    if sum(open_map) >> pos.where[uid] & 1:
        return "enemy units or their zones of control cut its line to a railway off your edge [6.0-d]"
    return "no railway off your edge is near enough [6.0-range]"


def ends(pos: Position, uid: str, key: str) -> dict[int, Way]:
    """3.0-b, 6.0-when: where a unit may end a move in a phase that begins now; nowhere if it does not move in it."""
    return {} if movement.may_move(pos, uid, key) else reach(pos, uid)


def reach(pos: Position, uid: str) -> dict[int, Way]:
    """3.0-a, 6.0-a: where a unit may end a move in any phase that begins now."""
    return movement.reach(pos, uid, points(pos, uid))


def stirs(pos: Position, uid: str, key: str) -> bool:
    """3.0-b: whether a unit can move at all in a phase that begins now."""
    return not movement.may_move(pos, uid, key) and ways.can_move(movement.march(pos, uid, points(pos, uid)))


def points(pos: Position, uid: str) -> int:
    """6.0-a: the points of a unit in a phase that begins now, or began as `begun` has it."""
    told = pos.state.mark(LEFT, uid)
    return int(told) if told else movement.allowance(pos.setting, uid, supplied=pos.supplied(uid))


def started(first: Position, uid: str, *, comes: bool) -> int:
    """6.0-when, 13.0, S-60: the points of a unit as a phase begins; who ``comes`` in it is supplied, and pays."""
    price = movement.entry_price(first, uid, first.where[uid]) if comes else 0
    return movement.allowance(first.setting, uid, supplied=comes or first.supplied(uid)) - price


def begun(setting: Setting, part: Part) -> State:
    """6.0-when: the position behind a phase, with the points of those who have others than it shows."""
    came = {event.unit: event for event in part.events if isinstance(event, Placed)}
    first, pos = position(setting, reduce(apply, came.values(), part.before)), position(setting, part.after)
    had = {uid: started(first, uid, comes=uid in came) for uid in pos.units(part.side)}
    left = {uid: str(had[uid]) for uid in had if had[uid] != points(pos, uid)}
    return part.after.with_(marks={**part.after.marks, LEFT: left}) if left else part.after


def why(setting: Setting, state: State, unit: str, to: str) -> tuple[str, ...]:
    """3.0, 4.0: why a unit may not end a move in a hex, phase by phase as `outlook` has them; () where it may.

    UsageError if there is no such unit on the map, or no such hex.
    """
    pos, shown = position(setting, state), outlook(setting, state, unit)
    if to not in setting.board.index:
        raise UsageError(f"{to!r} is not a hex of this map")
    there, told = setting.board.index[to], []
    for phase in shown.phases:
        if there not in ends(pos, unit, phase.key):
            refused = movement.why_not(pos, unit, phase.key, there, points(pos, unit))
            told.append(f"{Wording(setting).phase(phase.key)}: {refused.why} [{refused.rule}]")
    return tuple(told)


def _moves(pos: Position, side: str, key: str, unit: str, far: dict[str, tuple[Destination, ...]]) -> MovePhase:
    """A phase that begins now; ``far``: how far units come, which is the same in every phase in which they move."""
    movers = []
    for uid in (unit,) if unit else pos.units(side):
        moves = not movement.may_move(pos, uid, key)
        if moves and uid not in far:
            far[uid] = tuple(_destinations(pos, side, uid, wants=bool(unit)))
        there = far[uid] if moves else ()
        if there or unit:
            movers.append(Mover(uid, pos.state.units[uid].place, "", there))
    notes = ["Supply is judged as the phase begins; out of it the allowance is halved [6.0-a]."]
    if unit and (why := movement.may_move(pos, unit, key)):
        notes.append(f"{unit} stays: {why}.")
    return MovePhase(key, RULES[key], tuple(notes), tuple(movers), (ZOC, WANT) if unit else (ZOC,), verb=VERBS[key])


def _destinations(pos: Position, side: str, uid: str, *, wants: bool) -> Iterator[Destination]:
    """Where a unit may end a move; ``wants``: it is found out too where it would want supply, which takes long."""
    danger = pos.controlled(side)
    for hex_, way in reach(pos, uid).items():
        beside = _beside(pos, side, hex_) if danger >> hex_ & 1 else ()
        yield _destination(pos, hex_, way, beside, wants=wants and _cut_off(pos, uid, hex_))


def _cut_off(pos: Position, uid: str, there: int) -> bool:
    """6.0-e, 11.0: whether a unit that moves to a hex will be out of supply in it."""
    return supply_distance(pos, uid, there) == NO_SUPPLY or not pos.together(uid, there)


def _beside(pos: Position, side: str, there: int) -> tuple[str, ...]:
    """4.0, 9.0-d2: who controls a hex against a side."""
    around = bits(pos.setting.board.near[there] & pos.enemies(side))
    return tuple(uid for hex_ in around for uid in pos.stack(hex_) if uid in pos.setting.controlling) or (
        "interdiction",
    )


def _destination(pos: Position, there: int, way: Way, beside: tuple[str, ...], *, wants: bool) -> Destination:
    labels = pos.setting.board.labels
    path = tuple([labels[hex_] for hex_ in way.path])
    return Destination(labels[there], str(way.mp), path, {ZOC.key: beside, WANT.key: ("supply",) if wants else ()})


@dataclass(frozen=True)
class Attack:
    """7.0: a hex with everybody beside it who may attack it: the attack and its odds; ``flyer`` may support it."""

    battle: Battle
    odds: Odds
    flyer: str


def beside(pos: Position, side: str, hex_: int) -> list[str]:
    """7.0-a, 7.0-d: the units of ``side`` that may attack a hex, if need be with partners, by id."""
    around = bits(pos.setting.board.near[hex_] & pos.occupied[side])
    near = (uid for here in around for uid in pos.stack(here))
    return sorted(uid for uid in near if battles.attacker_slip(pos, side, uid, hex_) is None)


def attacks(pos: Position, side: str) -> Iterator[Attack]:
    """7.0-a, 7.0-i: every enemy hex beside units of ``side``, with all of them that can take part together."""
    able = air.ready(pos, side)
    for hex_ in bits(pos.occupied[ENEMY[side]]):
        who = together(pos, beside(pos, side, hex_))
        if who:
            battle = Battle("b1", hex_, tuple(who))
            near = [] if air.blocked(pos, side, hex_) else able
            flyer = next((uid for uid in near if air.in_range(pos, uid, hex_)), "")
            yield Attack(battle, assess(pos, battle), flyer)


def strong(pos: Position, side: str) -> list[Attack]:
    """7.0-procedure: those of them that have any strength."""
    return [attack for attack in attacks(pos, side) if not attack.odds.powerless]


def supported(pos: Position, attack: Attack) -> tuple[Battle, Odds]:
    """9.0-d1: the same with close support."""
    battle = replace(attack.battle, support=attack.flyer)
    return battle, assess(pos, battle)


def exact(pos: Position, odds: Odds) -> tuple[tuple[str, Fraction], ...]:
    """8.0: the chance of each result; one without a defence is sure."""
    if odds.automatic:
        return (("DX", Fraction(1)),)
    return tuple((told, Fraction(number, 6)) for told, number in chances(pos.setting, odds).items())


def _fought(pos: Position, battle: Battle, odds: Odds) -> Fought:
    return combat.fought(pos, battle, odds, note=combat.NO_DIE if odds.automatic else "")


def _targets(pos: Position, side: str, unit: str) -> Iterator[Target]:
    """7.0: the attacks of ``side``; with ``unit`` those in which it can take part."""
    for attack in attacks(pos, side):
        battle, odds = attack.battle, attack.odds
        if unit and unit not in battle.attackers:
            continue
        stack, label = pos.stack(battle.hex), pos.setting.board.labels[battle.hex]
        if odds.powerless:
            yield Target(stack, label, None, (), (), ("no strength to attack with",))
            continue
        flown = attack.flyer and not odds.automatic
        variants = ((f"close support by {attack.flyer}", _fought(pos, *supported(pos, attack))),) if flown else ()
        yield Target(
            stack, label, _fought(pos, battle, odds), exact(pos, odds), variants, verb="attack", price="close support"
        )


def bases(pos: Position, side: str) -> Iterator[Raid]:
    """9.0-d4: every enemy ground element with all aircraft that reach it."""
    able = air.ready(pos, side)
    for base in air.bases(pos, ENEMY[side]):
        near = tuple(uid for uid in able if air.in_range(pos, uid, pos.where[base]))
        if near:
            yield Raid("r1", base, near)


def _raids(pos: Position, side: str, unit: str) -> Iterator[Target]:
    """9.0-d4: attacks from the air, against the patrols that would share in the defence if this were the only one."""
    for raid in bases(pos, side):
        if unit and unit not in raid.aircraft:
            continue
        shared = raids.shares(pos, (raid,), {})[raid.base]
        faces = raids.chances(pos.setting, raids.column(pos.setting, raid, shared))
        told = raids.fought(pos, raid, shared)
        sixths = tuple((result, Fraction(number, 6)) for result, number in faces.items())
        yield Target((raid.base,), pos.state.units[raid.base].place, told, sixths, verb="raid")
