"""8.0, 9.0, 9.2.1: possible actions from a position: moves in every phase, targets, Offensives.

The rules' own search and arithmetic find moves and targets, so shown actions are legal.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from fractions import Fraction

from kursk_pbem.errors import UsageError
from kursk_pbem.frozen import frozen
from kursk_pbem.kernel import names
from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.hexes.stands import kept
from kursk_pbem.kernel.hexes.ways import Way
from kursk_pbem.kernel.outlook import LATER, Destination, MovePhase, Mover, Outlook, Sign, Target
from kursk_pbem.kernel.state import PENDING, State
from kursk_pbem.rulesets.battle_for_kursk import movement, sequence
from kursk_pbem.rulesets.battle_for_kursk.combat import make_fought
from kursk_pbem.rulesets.battle_for_kursk.movement import MOVE, RAIL
from kursk_pbem.rulesets.battle_for_kursk.odds import Odds, assess
from kursk_pbem.rulesets.battle_for_kursk.odds import count_results as faces_of
from kursk_pbem.rulesets.battle_for_kursk.orders import Battle
from kursk_pbem.rulesets.battle_for_kursk.position import Position, is_mud, position
from kursk_pbem.rulesets.battle_for_kursk.seen import formations
from kursk_pbem.rulesets.battle_for_kursk.seen.wording import PHASES as PHASE_NAMES
from kursk_pbem.rulesets.battle_for_kursk.setting import ENEMY, POSTURES, Setting

RAIL_PHASE, COMBAT, MOVE_PHASE = "armor-and-rail", "combat", "movement"
PHASES = (RAIL_PHASE, COMBAT, MOVE_PHASE)
EZOC = Sign("ezoc", "*", "after a hex: in an enemy zone of control; a move ends on entry.", "EZOC of")
VERBS = {RAIL_PHASE: "rail", MOVE_PHASE: "march"}
_RULES = {RAIL_PHASE: "8.1", COMBAT: "9.0", MOVE_PHASE: "8.0"}
_NAMES = {RAIL_PHASE: "Armor and rail movement", COMBAT: "Attacks", MOVE_PHASE: "Movement"}
_MANNERS = {MOVE: "", RAIL: "by rail"}
_ONLY_BY_RAIL = "in this phase infantry moves only by rail, from a railway on its own side of the Start Line"
_HEADING = "Possible attacks from the present hexes, by all adjacent units [9.0]"


def make_outlook(setting: Setting, state: State, unit: str) -> Outlook:
    """Return a forecast: what the next writer, or one ``unit``, can do.

    ``state``: the position after the message's duties. Raises UsageError if the unit is unknown or not on the map.
    """
    pos = position(setting, state)
    if unit:
        if unit not in setting.counters:
            near = names.near(unit, {uid: (counter.short, counter.name) for uid, counter in setting.counters.items()})
            raise UsageError(f"there is no unit {unit!r}{near or ';'} 'kursk map' shows the ids of units")
        if unit not in pos.where:
            raise UsageError(f"{unit} is not on the map: {state.units[unit].place}")
    side = setting.counters[unit].side if unit else state.side
    due = _find_keys(setting, state)
    keys = PHASES if unit and not (due and side == state.side) else due  # other side, or out of turn: all
    notes = [] if keys else ["The due message has no movement; name a unit to see possible moves."]
    notes += [LATER] if unit and keys and keys != due else []
    performed = [key for key in keys if (unit and key != COMBAT) or may_perform(pos, side, key)]
    chosen = state.mark(side, "posture")
    missing = [key for key in keys if not may_perform(pos, side, key) and (key not in performed or key == COMBAT)]
    notes += [f"{_NAMES[key]}: not with the posture {chosen} of this turn [12.0-4]" for key in missing]
    phases = tuple(_list_moves(pos, side, key, unit) for key in performed if key != COMBAT)
    targets = tuple(_list_targets(pos, side, unit)) if COMBAT in performed else ()
    if COMBAT in performed:
        if not chosen:
            notes.append(f"Attacks: only with {_name_postures(setting, COMBAT)} [12.0-4]")
        notes.append(f"Offensive markers available: {state.tracks[f'offensives-{side}']} [9.2.1]")
    about = formations.describe_unit(pos, unit) if unit else formations.of_side(pos, side)
    return Outlook(side, phases, targets, tuple(notes), _HEADING, attacks="declaration", about=about)


def _find_keys(setting: Setting, state: State) -> tuple[str, ...]:
    """Return the phases of the due message with actions of units."""
    keys = {phase.key for phase in sequence.list_stages(setting)[state.stage].phases}
    if "declaration" in keys:
        return PHASES
    return (MOVE_PHASE,) if MOVE_PHASE in keys and PENDING not in state.agenda else ()


def may_perform(pos: Position, side: str, key: str) -> bool:
    """12.0 (4): return whether a side's posture includes a phase. Before the posture is chosen, every phase counts."""
    chosen = pos.state.mark(side, "posture")
    return not chosen or key in pos.setting.phases[chosen]


def _name_postures(setting: Setting, key: str) -> str:
    *names, last = (name for name in POSTURES if key in setting.phases[name])
    return f"{', '.join(names)} or {last}" if names else last


@kept
def find_ends(pos: Position, uid: str, key: str) -> tuple[str, dict[int, Way]]:
    """8.0, 8.1, K-33: return a unit's movement in a phase, and the hexes where it can end (none if it cannot move)."""
    how = MOVE
    if key == RAIL_PHASE and pos.setting.counters[uid].infantry:
        how = RAIL
        if not movement.rail_riders(pos, pos.side(uid)) >> pos.where[uid] & 1:
            return how, {}
    return how, movement.reach(pos, uid, how)


def explain_refusal(setting: Setting, state: State, unit: str, to: str) -> tuple[str, ...]:
    """8.0 to 8.3: return why a move cannot end in a hex, by phase, or () if the move is possible.

    Raises UsageError for a unit or a hex that is not on the map.
    """
    pos, shown = position(setting, state), make_outlook(setting, state, unit)
    if to not in setting.board.index:
        raise UsageError(f"{to!r} is not a hex of this map")
    there, told = setting.board.index[to], []
    for phase in shown.phases:
        how, ways = find_ends(pos, unit, phase.key)
        if there in ways:
            continue
        if how == RAIL and not movement.rail_riders(pos, pos.side(unit)) >> pos.where[unit] & 1:
            told.append(f"{PHASE_NAMES[phase.key]}: {_ONLY_BY_RAIL} [8.1]")
        else:
            refused = movement.why_not(pos, unit, how, there)
            told.append(f"{PHASE_NAMES[phase.key]}: {refused.why} [{refused.rule}]")
    return tuple(told)


def _list_moves(pos: Position, side: str, key: str, unit: str) -> MovePhase:
    movers = []
    for uid in (unit,) if unit else sorted(pos.where):
        if pos.side(uid) == side:
            how, ways = find_ends(pos, uid, key)
            if ways or unit:
                mud = how == MOVE and is_mud(pos.state)
                destinations = tuple(
                    _make_destination(pos, side, there, way, mud=mud) for there, way in sorted(ways.items())
                )
                movers.append(Mover(uid, pos.state.units[uid].place, _MANNERS[how], destinations))
    return MovePhase(
        key, _RULES[key], tuple(_phase_notes(pos, side, key, unit)), tuple(movers), (EZOC,), verb=VERBS[key]
    )


def _make_destination(pos: Position, side: str, there: int, way: Way, *, mud: bool) -> Destination:
    labels, near = pos.setting.board.labels, pos.setting.board.near
    beside = tuple(sorted(pos.unit(hex_) for hex_ in bits(near[there] & pos.enemies(side))))
    path = tuple(labels[hex_] for hex_ in way.path)
    return Destination(labels[there], "" if mud else str(way.mp), path, {EZOC.key: beside})


def _phase_notes(pos: Position, side: str, key: str, unit: str) -> list[str]:
    notes = []
    if not pos.state.mark(side, "posture"):
        notes.append(f"Only with {_name_postures(pos.setting, key)} [12.0-4].")
    elif not may_perform(pos, side, key):
        notes.append(f"Not with the posture {pos.state.mark(side, 'posture')} of this turn [12.0-4].")
    if is_mud(pos.state):
        notes.append("Mud: one hex, except infantry by rail [11.1].")
    if unit and key == RAIL_PHASE and not find_ends(pos, unit, key)[1] and pos.setting.counters[unit].infantry:
        notes.append(f"{_ONLY_BY_RAIL[0].upper()}{_ONLY_BY_RAIL[1:]}.")
    return notes


@frozen
class Attack:
    """9.0: a target with all adjacent units: the battle with its odds, and every possible Offensive."""

    battle: Battle
    odds: Odds
    offensives: tuple[tuple[Battle, Odds], ...]

    @property
    def best(self) -> tuple[Battle, Odds]:
        """The Offensive with the most supporters, or the plain attack if no Offensive is possible."""
        return max(self.offensives, key=lambda offensive: len(offensive[0].support), default=(self.battle, self.odds))


def find_attacks(pos: Position, side: str, busy: Collection[str] = ()) -> Iterator[Attack]:
    """9.0, 9.2.1: yield attacks by units that are not ``busy``; with an Offensive marker, also Offensives."""
    marker = pos.state.tracks[f"offensives-{side}"]
    for hex_ in bits(pos.occupied[ENEMY[side]]):
        beside = map(pos.unit, bits(pos.setting.board.near[hex_] & pos.occupied[side]))
        if near := sorted(uid for uid in beside if uid not in busy):
            battle = Battle("b1", hex_, pos.unit(hex_), tuple(near))
            led = [replace(battle, lead=lead, support=who) for lead, who in find_supports(pos, battle, busy) if marker]
            yield Attack(battle, assess(pos, battle), tuple((battle, assess(pos, battle)) for battle in led))


def _list_targets(pos: Position, side: str, unit: str) -> Iterator[Target]:
    """9.0: yield the attacks of ``side``; with ``unit`` the attacks with this unit."""
    setting = pos.setting
    for attack in find_attacks(pos, side):
        battle, column = attack.battle, attack.odds.column
        if unit and not any(
            unit in version.participants for version in (battle, *(led for led, _odds in attack.offensives))
        ):
            continue
        faces = faces_of(setting, column) if column else {}
        variants = [make_fought(setting, led, odds) for led, odds in attack.offensives]
        yield Target(
            (battle.defender,),
            setting.board.labels[battle.hex],
            make_fought(setting, battle, attack.odds),
            tuple((result, Fraction(number, 6)) for result, number in faces.items()),
            tuple((_describe_lead(led), told) for (led, _odds), told in zip(attack.offensives, variants, strict=True)),
            verb="attack",
            price="an Offensive marker",
        )


def _describe_lead(battle: Battle) -> str:
    return f"Offensive led by {battle.lead}, in support {', '.join(battle.support)}"


def find_supports(pos: Position, battle: Battle, busy: Collection[str] = ()) -> list[tuple[str, tuple[str, ...]]]:
    """9.2.1, K-42, K-43: return each possible leader with its supporting units. ``busy``: units that do not count."""
    leads = [uid for uid in battle.attackers if pos.setting.counters[uid].leads]
    able = [(lead, tuple(uid for uid in find_behind(pos, lead, battle.hex) if uid not in busy)) for lead in leads]
    return [(lead, support) for lead, support in able if support]


def find_behind(pos: Position, lead: str, hex_: int) -> list[str]:
    """9.2.1, K-43: return the units of a leader's formation that are next to the leader, but not next to the enemy."""
    if lead not in pos.where:
        return []
    near, counters = pos.setting.board.near, pos.setting.counters
    around = map(pos.unit, bits(near[pos.where[lead]] & pos.occupied[pos.side(lead)] & ~near[hex_]))
    return sorted(uid for uid in around if counters[uid].formation == counters[lead].formation)
