"""13.0, 3.0: what a side or one unit may do from a position: moves, and attacks from where units stand now.

Moves come from the search that also checks them, attacks from the arithmetic that also fights them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel.hexes.board import Mask, bits
from kursk_pbem.kernel.hexes.ways import Way
from kursk_pbem.kernel.outlook import LATER, Destination, MovePhase, Mover, Outlook, Sign, Target
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.juggernauts import marks, movement, sequence
from kursk_pbem.rulesets.juggernauts.combat import make_fought
from kursk_pbem.rulesets.juggernauts.odds import describe_pressed, list_results
from kursk_pbem.rulesets.juggernauts.orders import read_battles
from kursk_pbem.rulesets.juggernauts.position import Position, position
from kursk_pbem.rulesets.juggernauts.seen import possible
from kursk_pbem.rulesets.juggernauts.setting import ENEMY, FULL, PAIR, PANTHER, Setting

ZONE = Sign("zone", "*", "after a hex: in an enemy zone of control; the move ends on entry.", "zone of")
BONUS = Sign(
    "bonus", "+", "after a hex: only with the bonus; the unit does not attack afterwards.", "with the bonus of"
)
OVER = Sign(
    "over",
    "!",
    "after a hex: over the stacking limit at the end or on the way; the unit is Disrupted.",
    "over the limit with",
)
RUN = Sign("run", "x", "after a hex: a lone enemy with brackets at the end or on the way is run over.", "running over")
SIGNS = (ZONE, BONUS, OVER, RUN)
HEADING = "Possible attacks from present hexes, by all adjacent units [3.0]"


def make_outlook(setting: Setting, state: State, unit: str) -> Outlook:
    """Return a forecast: what the next side, or one unit, can do. Raises UsageError if the unit is not on the map."""
    pos = position(setting, state)
    if unit and unit not in setting.counters:
        raise UsageError(f"unit {unit!r} is unknown; 'kursk map' shows the units' names")
    if unit and unit not in pos.where:
        raise UsageError(f"{unit} is not on the map: {state.units[unit].place}")
    side = setting.counters[unit].side if unit else state.side
    if state.stage.endswith(("-half", "-rest")):
        return Outlook(side, (), (), ("Units move after all armour is placed [17.2].",), HEADING)
    due = side == state.side and "allocation" in {p.key for p in sequence.list_stages(setting)[state.stage].phases}
    acts = unit or due
    notes = (
        ()
        if due
        else (LATER,)
        if unit
        else ("The next message has no movement; name a unit to see its possible hexes.",)
    )
    phases, targets = ((_moves(pos, side, unit),), tuple(_targets(pos, side, unit))) if acts else ((), ())
    return Outlook(side, phases, targets, notes, HEADING, attacks="movement")


def explain_refusal(setting: Setting, state: State, unit: str, to: str) -> tuple[str, ...]:
    """13.0, 10.0: return why a unit may not end a move in a hex; () if allowed. Raises UsageError for unknown hexes."""
    shown = make_outlook(setting, state, unit)
    if to not in setting.board.index:
        raise UsageError(f"{to!r} is not a hex of this map")
    if not shown.phases:
        return shown.notes
    pos, second = position(setting, state), movement.second_step(state)
    if any(to == end.place for phase in shown.phases for mover in phase.movers for end in mover.ends):
        return ()
    refused = movement.check_unit(pos, pos.side(unit), unit) or possible.why_not(pos, unit, to, second=second)
    return (f"{refused.why} [{refused.rule}]",)


def _moves(pos: Position, side: str, unit: str) -> MovePhase:
    second = movement.second_step(pos.state)
    notes = ["Blitzkrieg or Proriv: 1 MP less, for units without a move or an attack [13.3]."] if second else []
    if any(pos.counter(uid).kind == PANTHER and pos.side(uid) == side for uid in ((unit,) if unit else pos.where)):
        notes.append("How far a Panther moves is rolled after you have signed the order [14.4].")
    movers = []
    busy = {uid for battle in read_battles(pos.setting, pos.state.agenda) for uid in battle.attackers}
    if waiting := sorted(uid for uid in busy if uid == unit or (not unit and pos.side(uid) == side)):
        notes.append(f"In an attack before its dice, and cannot move afterwards: {', '.join(waiting)} [13.3].")
    for uid in (unit,) if unit else sorted(pos.where):
        if pos.side(uid) == side:
            why = None if uid in busy else movement.check_unit(pos, side, uid)
            ways = {} if why or uid in busy else movement.find_ends(pos, uid, second=second)
            if ways or unit:
                crowded = pos.full(uid)
                ends = tuple(_destination(pos, uid, there, way, crowded, second=second) for there, way in ways.items())
                movers.append(Mover(uid, pos.state.units[uid].place, "", ends))
                notes += [f"{uid} {why.why} [{why.rule}]."] if why else []
    return MovePhase("movement", "13.0", tuple(notes), tuple(movers), SIGNS, "MP", "move")


def _destination(pos: Position, uid: str, there: int, way: Way, crowded: Mask, *, second: bool) -> Destination:
    labels, side = pos.setting.board.labels, pos.side(uid)
    zone = pos.zone(ENEMY[side])
    held = zone.holders(there) if zone.mask >> there & 1 else 0
    holders = [
        uid
        for uid in (uid for hex_ in bits(held) for uid in pos.at[hex_])
        if pos.counter(uid).zone == FULL
        or (pos.counter(uid).zone == PAIR and zone.twice >> there & 1 and not pos.is_marked(marks.DISRUPTED, uid))
    ]
    bonus = way.mp > movement.allowance(pos, uid, second=second)
    over = tuple(other for hex_ in way.path if crowded >> hex_ & 1 for other in pos.here(hex_, side))
    signs = {
        "zone": tuple(holders),
        "bonus": (uid,) if bonus else (),
        "over": over,
        "run": tuple(pos.at[hex_][0] for hex_ in way.path if pos.weak(ENEMY[side]) >> hex_ & 1),
    }
    return Destination(labels[there], str(way.mp), tuple(labels[hex_] for hex_ in way.path), signs)


def _targets(pos: Position, side: str, unit: str) -> Iterator[Target]:
    """3.0, 7.0: the attacks of ``side``; with ``unit`` those in which it takes part."""
    setting = pos.setting
    busy = {uid: "" for battle in read_battles(setting, pos.state.agenda) for uid in battle.attackers}
    for chance in possible.attacks(pos, side, held=busy):
        battle, odds = chance.battle, chance.odds
        if unit and unit not in battle.attackers:
            continue
        rolled = list_results(setting, odds)
        harder = replace(odds, pressed=True)
        can = ", ".join(f"{result} {len(dice)}/6" for result, dice in list_results(setting, harder).items())
        variant = f"{describe_pressed(setting, odds)}: {can}", make_fought(setting, battle, harder)
        yield Target(
            pos.at.get(battle.hex, ()),
            setting.board.labels[battle.hex],
            make_fought(setting, battle, odds),
            tuple((result, Fraction(len(dice), 6)) for result, dice in rolled.items()),
            (variant,) if chance.pressable else (),
            () if pos.at.get(battle.hex) else ("an empty line hex",),
            "attack",
        )
