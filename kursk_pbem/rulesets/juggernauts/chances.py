"""2.0, 6.0, 7.0, 14.4: every way in which a declared attack can end, with its exact chance.

Nothing is reckoned a second time here: each throw is put into the real resolution, on a copy of the position. Where the
defender has not answered yet, the attack is shown twice, with No Retreat! orders and without.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any

from kursk_pbem.kernel.branches import branches
from kursk_pbem.kernel.events import Fought, Moved, Removed
from kursk_pbem.kernel.hexes import plans
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.outlook import Chances, Outcome
from kursk_pbem.kernel.state import ANSWERED, DECLARED, ELIMINATED, STANDING, State
from kursk_pbem.kernel.umpire import Dice, GameEnded, Umpire, ripe
from kursk_pbem.rulesets.juggernauts import combat, marks, movement
from kursk_pbem.rulesets.juggernauts.answers import NO_RETREAT, Answer, answer_of
from kursk_pbem.rulesets.juggernauts.movement import PATHS
from kursk_pbem.rulesets.juggernauts.odds import assess, fought
from kursk_pbem.rulesets.juggernauts.orders import BATTLES, POLICY, Battle, Plan, declared
from kursk_pbem.rulesets.juggernauts.position import Position
from kursk_pbem.rulesets.juggernauts.setting import ENEMY, Setting

WITHDRAWN = ("nowhere", "one hex", "two hexes")


def odds(setting: Setting, state: State, sealed: Mapping[str, Any]) -> tuple[Chances, ...]:
    """The chances of every attack that waits, and of every Panther on the move, each by itself."""
    found = [_panther(setting, state, uid) for uid in sorted(state.agenda.get(PATHS, {}))]
    for battle in declared(setting, state.agenda):
        found += _cases(setting, state, battle, sealed)
    return tuple(found)


def _panther(setting: Setting, state: State, uid: str) -> Chances:
    """14.4: how far a Panther comes."""
    path, umpire = state.agenda[PATHS][uid], Umpire(setting, state, 0)
    found: dict[int, Outcome] = {}
    for die in range(1, 7):
        far = movement.as_far(umpire, uid, path[1:], die)[0]
        text = f"reaches {path[far]}" if far == len(path) - 1 else f"breaks down in {path[far]}, Disrupted"
        had = found.get(far, Outcome(Fraction(0), (), "", (text,), {"place": path[far]}))
        found[far] = replace(had, chance=had.chance + Fraction(1, 6), faces=(*had.faces, str(die)))
    name = setting.counters[uid].name
    return Chances(uid, None, f"Movement of {name} ({uid}) to {path[-1]} [14.4]", (), tuple(found.values()), (), ())


def _cases(setting: Setting, state: State, battle: Battle, sealed: Mapping[str, Any]) -> Iterator[Chances]:
    side = setting.counters[battle.attackers[0]].side
    owner, label = ENEMY[side], setting.board.labels[battle.hex]
    given = answer_of(state.agenda, owner, battle.id, label)
    defenders = movement.planned(setting, state).here(battle.hex, owner)
    if not defenders:
        yield _chances(setting, state, battle, sealed, "case: nobody is there to answer")
        return
    if ANSWERED in state.agenda or STANDING + owner in state.agenda:
        yield _chances(setting, state, battle, sealed, f"the defenders' answer: {_answered(given, defenders)}")
        return
    for word in ("no", "yes"):
        case = {**state.agenda, POLICY: {NO_RETREAT: word}}
        text = "with No Retreat! orders" if word == "yes" else "without No Retreat! orders, and nobody withdraws"
        yield _chances(setting, state.with_(agenda=case), battle, sealed, f"case: {text}")


def _answered(given: Answer, defenders: tuple[str, ...]) -> str:
    """6.0, J-70: 'they withdraw one hex'; where they do not all do the same, who does what."""
    if given.no_retreat:
        return "they have No Retreat! orders"
    far = {uid: WITHDRAWN[given.of(uid).withdraw] for uid in defenders}
    if len({*far.values()}) == 1:
        return f"they withdraw {far[defenders[0]]}"
    return ", ".join(f"{uid} withdraws {where}" for uid, where in far.items())


def _chances(setting: Setting, state: State, battle: Battle, sealed: Mapping[str, Any], case: str) -> Chances:
    """Every way in which one attack can end, fought alone, after the die of a Panther that takes part."""
    label = plans.label(state.agenda[DECLARED])
    hidden = plans.of_battle(sealed.get(label), battle.id)
    plan = Plan.from_plain(hidden) if hidden else battle.plan
    known = not (f"sealed/{label}" in state.agenda and label not in sealed)
    said = plan.text() or "none written: greatest retreat, cheapest losses, exchange, no advance"
    assumed = (case, f"the attacker's plan: {said}" if known else "the attacker's plan is sealed and not known here")
    alone = replace(battle, plan=replace(plan, cancel=()), binds=())
    paths = {uid: path for uid, path in state.agenda.get(PATHS, {}).items() if uid in battle.attackers}
    agenda = {key: value for key, value in state.agenda.items() if key != PATHS}
    agenda |= {BATTLES: [alone.to_plain(setting.board.labels[battle.hex])], **({PATHS: paths} if paths else {})}
    start = state.with_(agenda=agenda)
    found: dict[tuple[str, tuple[str, ...]], Outcome] = {}
    for chance, faces, umpire in branches(ripe(state.agenda), lambda dice: _resolve(setting, start, dice, battle)):
        one = _outcome(state, battle, umpire)
        had = found.get((one.result, one.text), one)
        thrown = (*had.faces, faces) if faces else ()
        found[one.result, one.text] = replace(had, chance=had.chance + chance, faces=thrown)
    pos = movement.planned(setting, state)
    told, defended = fought(setting, battle, assess(pos, battle)), bool(pos.at.get(battle.hex))
    return _summed(battle, told, assumed, tuple(found.values()), defended=defended)


def _resolve(setting: Setting, start: State, dice: Dice, battle: Battle) -> Umpire[Setting]:
    umpire: Umpire[Setting] = Umpire(setting, start, dice.seq, dice)
    filing = Filing(dice.seq, setting.counters[battle.attackers[0]].side)
    with suppress(GameEnded):
        if PATHS in start.agenda:
            movement.panthers(umpire, filing)
        combat.resolve(umpire, filing)
    return umpire


def _outcome(before: State, battle: Battle, umpire: Umpire[Setting]) -> Outcome:
    """What the throw led to."""
    setting, after, events = umpire.setting, umpire.state, umpire.events
    pos = Position(setting, after, {}, {}, {})
    told = [event.result or "DE" for event in events if isinstance(event, Fought) and event.column]
    label, side = setting.board.labels[battle.hex], setting.counters[battle.attackers[0]].side
    lost = {who: [event.unit for event in events if isinstance(event, Removed) and pos.side(event.unit) == who]
            for who in (side, ENEMY[side])}  # fmt: skip
    stays = [uid for uid, unit in after.units.items() if unit.place == label and pos.side(uid) == ENEMY[side]]
    text = [f"lost: {', '.join(lost[who])} ({who})" for who in lost if lost[who]]
    text += [f"{uid} goes back to {after.units[uid].place}" for uid, unit in before.units.items()
             if unit.place == label and after.units[uid].place not in (label, ELIMINATED)]  # fmt: skip
    shaken = sorted(uid for uid in after.marks.get(marks.DISRUPTED, {}) if not before.mark(marks.DISRUPTED, uid))
    text += [f"Disrupted: {', '.join(shaken)}"] if shaken else []
    gone = [f"{event.unit} to {event.path[-1]}" for event in events
            if isinstance(event, Moved) and event.how == "advance"]  # fmt: skip
    text += [f"advances: {', '.join(gone)}"] if gone else []
    attack, defence = (sum(setting.counters[uid].attack for uid in lost[side]),
                       sum(setting.counters[uid].defence for uid in lost[ENEMY[side]]))  # fmt: skip
    entered = any(unit.place == label and pos.side(uid) == side for uid, unit in after.units.items())
    figures = {"emptied": "no" if stays else "yes", "entered": "yes" if entered else "no",
               "attack-factors": str(attack), "defence-factors": str(defence)}  # fmt: skip
    return Outcome(Fraction(0), (), told[0] if told else "", tuple(text) or ("nothing changes",), figures)


def _summed(
    battle: Battle, told: Fought, assumed: tuple[str, ...], outcomes: tuple[Outcome, ...], *, defended: bool
) -> Chances:
    def mean(key: str) -> Fraction:
        return sum((each.chance * int(each.figures[key]) for each in outcomes), Fraction(0))

    def chance(key: str) -> Fraction:
        return sum((each.chance for each in outcomes if each.figures[key] == "yes"), Fraction(0))

    sums: tuple[tuple[str, Fraction], ...] = (("the attackers enter the hex", chance("entered")),)
    if defended:
        sums = (("the defenders leave the hex", chance("emptied")), *sums)
    means = (("defence factors lost", mean("defence-factors")), ("attack factors lost", mean("attack-factors")))
    return Chances(battle.id, told, "", assumed, outcomes, sums, means)
