"""2.0 to 6.0: marches, assaults with answers and dice, pursuit, and the end of the game."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

from kursk_pbem.kernel.events import (
    DIE,
    LOW,
    Force,
    Fought,
    Marked,
    Moved,
    Noted,
    Removed,
    Row,
    Scheduled,
    Shift,
    StepsLost,
    Tested,
    Tracked,
)
from kursk_pbem.kernel.hexes import fights, ways
from kursk_pbem.kernel.hexes.ways import March, Move, Refusal, Slip, Way
from kursk_pbem.kernel.orders import Filing, Path
from kursk_pbem.kernel.state import ANSWERED, DECLARED, ELIMINATED, STANDING, State
from kursk_pbem.kernel.umpire import Umpire
from rulesets.hex_toy.setting import FALLEN, HELD, HORSE, Setting

ASSAULTS, VOLLEY, BROKEN = "assaults", "volley", "broken"  # agenda
BOLD, STEADY = "bold", "steady"
EARLY, LATE = "early", "late"
MEANING = {
    "A2": "the assault loses two steps",
    "A1": "the assault loses a step",
    "NO": "nothing happens",
    "D1": "the defence loses a step",
    "D2": "the defence loses two steps",
}
WAYS = 36  # results of two dice


# Marching


def march(setting: Setting, state: State, uid: str) -> March:
    """2.0, 3.0: return a unit's possible march: never into an enemy or a full stack."""
    counter, here = setting.counters[uid], state.units[uid].place
    own = setting.standing(state, counter.side)
    full = setting.board.mask(label for label, who in own.items() if len(who) >= setting.stack and label != here)
    enemy = setting.mask(state, setting.foe(counter.side))
    return March(setting.board.index[here], counter.move, setting.by_land, closed=enemy, full=full)


def refusal(setting: Setting, state: State, uid: str, slip: Slip) -> Refusal:
    """2.0, 3.0: return the reason against a march."""
    unit, foe, labels = march(setting, state, uid), setting.foe(setting.counters[uid].side), setting.board.labels
    if slip.why is not None:
        behind = refusal(setting, state, uid, slip.why)
        return Refusal(behind.rule, f"{ways.describe_slip(setting.board, unit, slip)}: {behind.why}")
    if slip.kind == ways.FULL:
        return Refusal("2.0", f"{labels[slip.there]} holds {setting.stack} units already")
    holder = setting.standing(state, foe).get(labels[slip.there], [])
    return Refusal("3.0", ways.describe_slip(setting.board, unit, slip, ", ".join(holder)))


def march_all(umpire: Umpire[Setting], filing: Filing) -> None:
    """3.0: march units in written order."""
    setting = umpire.setting

    def ready(uid: str) -> March | Refusal:
        counter = setting.counters.get(uid)
        if counter is None or counter.side != filing.writer:
            return Refusal("3.0", "is no unit of yours")
        if umpire.state.units[uid].place not in setting.board.index:
            return Refusal("3.0", "is not on the map")
        return march(setting, umpire.state, uid)

    def go(move: Move, unit: March) -> Refusal | None:
        way = ways.find_way(setting.board, unit, move)
        if not isinstance(way, Way):
            return refusal(setting, umpire.state, move.unit, way)
        enter(umpire, "3.0", move.unit, tuple(setting.board.labels[hex_] for hex_ in way.path), "move", str(way.mp))
        return None

    ways.run_moves(umpire, ways.read_moves(filing, "march"), "3.0", ready, go)


def enter(umpire: Umpire[Setting], rule: str, uid: str, path: tuple[str, ...], how: str, mp: str = "") -> None:
    """6.1: move a unit; its side gains the fords on the way."""
    umpire.emit(Moved(rule, uid, umpire.state.units[uid].place, path, how, mp))
    side = umpire.setting.counters[uid].side
    for label in path:
        if label in umpire.setting.fords and umpire.state.mark(HELD, label) != side:
            umpire.emit(Marked("6.1", HELD, label, side))


# Declared, sealed, answered


def declare(umpire: Umpire[Setting], filing: Filing) -> None:
    """4.0: declare assaults by units adjacent to an enemy hex; each unit and hex has one assault."""
    engaged: set[str] = set()
    declared = []
    for order, path in umpire.each(filing, ASSAULTS, "4.0", "two assaults have this id"):
        before = len(umpire.violations)
        _check(umpire, filing.writer, order, path, engaged)
        if len(umpire.violations) == before:
            declared.append(dict(order))
    for aid, stance in filing.sealed.get(label(filing.seq), {}).items():
        if stance not in (BOLD, STEADY):
            umpire.refuse("4.4", f"a stance is {BOLD} or {STEADY}", aid, ("orders", ASSAULTS))
    if declared:
        umpire.declare("4.0", ASSAULTS, declared)


def _check(umpire: Umpire[Setting], side: str, order: Mapping[str, Any], path: Path, engaged: set[str]) -> None:
    setting, state, aid = umpire.setting, umpire.state, order["id"]
    if order["hex"] not in setting.standing(state, setting.foe(side)):
        umpire.refuse("4.0", f"no enemy stands in {order['hex']}", aid, (*path, "hex"))
        return
    if order["hex"] in engaged:
        umpire.refuse("4.0", f"{order['hex']} is assaulted already", aid, (*path, "hex"))
    engaged.add(order["hex"])
    near = setting.board.names(setting.beside(order["hex"]))
    for number, uid in enumerate(order["units"]):
        at = (*path, "units", number)
        if uid not in setting.counters or setting.counters[uid].side != side:
            umpire.refuse("4.0", f"{uid} is no unit of yours", aid, at)
        elif state.units[uid].place not in near:
            umpire.refuse("4.0", f"{uid} in {state.units[uid].place} is not adjacent to {order['hex']}", aid, at)
        elif uid in engaged:
            umpire.refuse("4.0", f"{uid} assaults already", aid, at)
        engaged.add(uid)


def label(seq: int | str) -> str:
    """Return the label of the sealed stances in a message."""
    return f"stance/{seq}"


def seal(orders: Mapping[str, Any], seq: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """4.4: separate stances from assaults: (public orders, hidden values)."""
    listed = orders.get(ASSAULTS) or ()
    hidden = {each["id"]: each["stance"] for each in listed if "stance" in each}
    shown = [{key: value for key, value in each.items() if key != "stance"} for each in listed]
    return ({**orders, ASSAULTS: shown} if shown else dict(orders)), ({label(seq): hidden} if hidden else {})


def seals(umpire: Umpire[Setting], filing: Filing) -> None:
    """4.4: refuse seals other than stances of declared assaults."""
    declares = umpire.state.agenda.get(DECLARED) == str(filing.seq) and not umpire.setting.refereed
    for name in filing.secret:
        if not (declares and name == label(filing.seq)) and not umpire.violations:
            where = "seal" if name in filing.sealed else "secret"
            umpire.refuse("4.4", "nothing of this name is to be sealed now", name, (where, name))


def answer(umpire: Umpire[Setting], filing: Filing) -> None:
    """4.5: record the volleys against the declared assaults; an empty answer is an answer, too."""
    _check_policy(umpire, filing, [each["id"] for each in umpire.state.agenda[ASSAULTS]])
    if filing.policy:
        umpire.emit(Scheduled("4.5", VOLLEY, dict(filing.policy)))
    umpire.answer("4.5")


def files_policy(_umpire: Umpire[Setting], filing: Filing) -> bool:
    return bool(filing.policy)


def standing(umpire: Umpire[Setting], filing: Filing) -> None:
    """4.5: record open volleys against all later assaults."""
    _check_policy(umpire, filing, [])
    umpire.emit(Scheduled("4.5", STANDING + filing.writer, {"seq": str(filing.seq), "policy": dict(filing.policy)}))


def _check_policy(umpire: Umpire[Setting], filing: Filing, known: list[str]) -> None:
    for aid in filing.policy.get(ASSAULTS, {}):
        if aid not in known:
            umpire.refuse("4.5", "no assault of that name is declared", aid, ("policy", ASSAULTS, aid))


def policy_slips(policy: Mapping[str, Any]) -> tuple[tuple[str, ...], str] | None:
    """4.5: return the error of a standing answer."""
    return ((ASSAULTS,), "assaults are named in the answer to them, not beforehand") if ASSAULTS in policy else None


# Fought


def waits(umpire: Umpire[Setting], _filing: Filing) -> bool:
    return ASSAULTS in umpire.state.agenda


def fight(umpire: Umpire[Setting], filing: Filing) -> None:
    """4.0: fight the assaults in declared order, and remove the declarations."""
    agenda = umpire.state.agenda
    stances = filing.reveal.get(label(agenda[DECLARED]), {})
    for each in agenda[ASSAULTS]:
        shown = stances.get(each["id"]) if isinstance(stances, dict) else None
        assault(umpire, each, shown if shown == BOLD else each.get("stance", STEADY))
    umpire.settle("4.0", (ASSAULTS, VOLLEY, DECLARED, ANSWERED))


def assault(umpire: Umpire[Setting], order: Mapping[str, Any], stance: str) -> None:
    """4.0 to 4.3: nerve tests, then two dice with modifiers, then losses."""
    setting = umpire.setting
    brave = [uid for uid in order["units"] if _nerve(umpire, order["id"], uid)]
    volley = volley_of(setting, umpire.state, order)
    told = fought(setting, umpire.state, order, brave, stance, volley)
    if not brave:
        umpire.emit(told)
        return
    side = setting.counters[brave[0]].side
    if stance == BOLD:
        umpire.repaired(3, "4.4")  # adjudication 2 gave a bold assault no bonus
    name = f"{order['id']}/assault"
    dice = umpire.roll(name, "4.3", of=ASSAULTS, n=2, whose=side)
    by = sum(shift.by for shift in told.shifts)
    found = results(setting, told.column, by)
    total = clamped(sum(map(int, dice)) + by)
    result = setting.results[told.column][total - 2]
    umpire.emit(fought(setting, umpire.state, order, brave, stance, volley, (name, dice, str(total), result, found)))
    _losses(umpire, order, brave, result, volley)


def _nerve(umpire: Umpire[Setting], aid: str, uid: str) -> bool:
    """4.1: horse passes the test with its nerve or less."""
    counter = umpire.setting.counters[uid]
    if counter.kind != HORSE or umpire.setting.steel:
        return True
    name = f"{aid}/nerve-{uid}"
    die = umpire.roll(name, "4.1", of=ASSAULTS, whose=counter.side, good=LOW)
    passed = int(die) <= counter.nerve
    chance = f"{counter.nerve if passed else 6 - counter.nerve}/6"
    needs, text = f"goes in at {counter.nerve} or less", "goes in" if passed else "stays behind"
    umpire.emit(Tested("4.1", uid, "Nerve", name, die, needs, passed, text, chance))
    return passed


def volley_of(setting: Setting, state: State, order: Mapping[str, Any]) -> str:
    """4.5: return the defenders' volley: for the assault, its hex, or all; otherwise late."""
    owner = next(side for side in setting.sides if order["hex"] in setting.standing(state, side))
    policy = state.agenda.get(VOLLEY) or state.agenda.get(STANDING + owner, {}).get("policy", {})
    named = policy.get(ASSAULTS, {}).get(order["id"]) or policy.get("hexes", {}).get(order["hex"])
    return str(named or policy.get(VOLLEY, LATE))


def results(setting: Setting, column: str, by: int) -> Mapping[str, Fraction]:
    """4.3: return result -> chance, for two dice with this modifier."""
    return _results(setting.results[column], by)


def clamped(total: int) -> int:
    """4.3: return a sum of dice within the table."""
    return max(2, min(total, 12))


@cache
def _results(row: tuple[str, ...], by: int) -> Mapping[str, Fraction]:
    totals = (clamped(way // 6 + way % 6 + 2 + by) for way in range(WAYS))
    found = [row[total - 2] for total in totals]
    return {result: Fraction(found.count(result), WAYS) for result in MEANING if result in found}


def fought(
    setting: Setting,
    state: State,
    order: Mapping[str, Any],
    brave: list[str],
    stance: str,
    volley: str,
    thrown: tuple[str, str, str, str, Mapping[str, Fraction]] = ("", "", "", "", {}),
) -> Fought:
    """4.2, 4.3: return the arithmetic of an assault, with its dice if rolled."""
    side = setting.counters[order["units"][0]].side
    foe = setting.foe(side)
    defenders = setting.standing(state, foe)[order["hex"]]
    attack, defence = (sum(setting.worth(state, uid) for uid in who) for who in (brave, defenders))
    terrain = setting.terrain[setting.board.index[order["hex"]]]
    shifts = [Shift("4.2", setting.cover[terrain], f"defence in {terrain}", DIE)] if setting.cover.get(terrain) else []
    shifts += [Shift("4.4", 1, "the assault is bold", DIE)] if stance == BOLD else []
    shifts += [Shift("4.5", -1, "an early volley", DIE)] if volley == EARLY else []
    shifts = shifts if brave else []
    number = fights.column_of(attack, defence, setting.columns)
    column = setting.columns[max(number, 0)] if brave else ""
    name, dice, total, result, found = thrown
    chance = f"{found[result] * WAYS}/{WAYS}" if result else ""
    rows, others = ([_row(setting, state, uid) for uid in who] for who in (brave, defenders))
    note = "" if brave else "no unit passed its test of nerve: no assault takes place"
    return Fought(
        "4.0",
        order["id"],
        order["hex"],
        Force(side, tuple(rows), str(attack)),
        Force(foe, tuple(others), str(defence)),
        column,
        tuple(shifts),
        column,
        column,
        (),
        name,
        dice,
        total,
        result,
        MEANING.get(result, ""),
        chance,
        note,
    )


def _row(setting: Setting, state: State, uid: str) -> Row:
    worth = str(setting.worth(state, uid))
    return Row(uid, state.units[uid].place, worth, (), worth)


def _losses(umpire: Umpire[Setting], order: Mapping[str, Any], brave: list[str], result: str, volley: str) -> None:
    """4.3, 4.5: remove steps of the strongest units; an early volley costs the defense another step. 5.0: vacate."""
    setting, foe = umpire.setting, umpire.setting.foe(umpire.setting.counters[brave[0]].side)
    if result.startswith("A"):
        _bleed(umpire, brave, int(result[1:]))
    elif result.startswith("D"):
        _bleed(umpire, setting.standing(umpire.state, foe)[order["hex"]], int(result[1:]) + (volley == EARLY))
    if order["hex"] not in setting.standing(umpire.state, foe):
        broken = umpire.state.agenda.get(BROKEN, [])
        umpire.emit(Scheduled("5.0", BROKEN, [*broken, {"hex": order["hex"], "units": brave}]))


def _bleed(umpire: Umpire[Setting], who: list[str], steps: int) -> None:
    for _step in range(steps):
        alive = [uid for uid in who if umpire.state.units[uid].steps]
        if not alive:
            return
        uid = max(alive, key=lambda each: (umpire.state.units[each].steps, each))
        side, left = umpire.setting.counters[uid].side, umpire.state.units[uid].steps - 1
        umpire.emit(StepsLost("4.3", uid, 1, left, "assault") if left else Removed("4.3", uid, ELIMINATED, "assault"))
        track = FALLEN.format(side)
        umpire.emit(Tracked("4.3", track, umpire.state.tracks[track] + 1))
        if not umpire.setting.standing(umpire.state, side):
            umpire.finish("6.2", umpire.setting.foe(side), "rout")


# Afterwards


def may_pursue(umpire: Umpire[Setting], filing: Filing) -> bool:
    """5.0: return whether the enemy left a hex."""
    if BROKEN not in umpire.state.agenda and filing.order("pursuit"):
        umpire.refuse("5.0", "no hex was left by the enemy", "pursuit", ("orders", "pursuit"))
    return BROKEN in umpire.state.agenda


def pursue(umpire: Umpire[Setting], filing: Filing) -> None:
    """5.0: move units into a hex that they won."""
    left = {each["hex"]: each["units"] for each in umpire.state.agenda[BROKEN]}
    for number, order in enumerate(filing.order("pursuit")):
        uid, to, path = order["unit"], order["to"], ("orders", "pursuit", number)
        if uid not in left.get(to, ()) or not umpire.state.units[uid].steps:
            umpire.refuse("5.0", f"did not fight for {to}", uid, path)
        elif len(umpire.setting.standing(umpire.state, filing.writer).get(to, ())) >= umpire.setting.stack:
            umpire.refuse("2.0", f"{to} holds {umpire.setting.stack} units already", uid, path)
        elif umpire.state.units[uid].place == to:
            umpire.refuse("5.0", "has pursued already", uid, path)
        else:
            enter(umpire, "5.0", uid, (to,), "pursuit")
    umpire.emit(Scheduled("5.0", BROKEN, None))


def score(setting: Setting, state: State, side: str) -> int:
    """6.0: count three for each ford, and one for each lost enemy step."""
    held = sum(state.mark(HELD, label) == side for label in setting.fords)
    return 3 * held + state.tracks[FALLEN.format(setting.foe(side))]


def reckon(umpire: Umpire[Setting], _filing: Filing) -> None:
    """6.0: count the points after the last turn."""
    points = {side: score(umpire.setting, umpire.state, side) for side in umpire.setting.sides}
    one, other = umpire.setting.sides
    umpire.emit(Noted("6.0", ", ".join(f"{side} {number}" for side, number in points.items())))
    winner = "" if points[one] == points[other] else max(points, key=lambda side: points[side])
    umpire.finish("6.0", winner, "points" if winner else "even")
