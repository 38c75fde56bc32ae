"""Unused possibilities of a message, the most costly first: attacks, aircraft, reinforcements, moves, answers.

The writer of a draft reads this list before signing; no rule uses the list. Possibilities come from ``outlook``,
``air`` and ``movement``, like offers and checks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from kursk_pbem.kernel.brief import Part, Unused, split_phases
from kursk_pbem.kernel.events import Event, Moved, Placed
from kursk_pbem.kernel.hexes.fights import odds_text
from kursk_pbem.kernel.hexes.plans import label as plans_label
from kursk_pbem.kernel.hexes.plans import of_battle
from kursk_pbem.kernel.hexes.policies import BATTLES, POLICY, find_overridden
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.words import plural, some, unit
from kursk_pbem.rulesets.kursk_1971 import air, answers, battles, movement, raids, sequence
from kursk_pbem.rulesets.kursk_1971.odds import assess
from kursk_pbem.rulesets.kursk_1971.orders import Battle, Plan
from kursk_pbem.rulesets.kursk_1971.position import INTERDICTION, PATROL, Position, position
from kursk_pbem.rulesets.kursk_1971.seen import outlook, useless_answers
from kursk_pbem.rulesets.kursk_1971.seen.wording import Wording
from kursk_pbem.rulesets.kursk_1971.setting import Setting


def find_unused(setting: Setting, before: State, events: Sequence[Event], filing: Filing) -> tuple[Unused, ...]:
    """Return what a message could do and does not. ``before``: the position before the message."""
    return tuple(_find_unused(setting, before, tuple(split_phases(before, events)), filing))


def _find_unused(setting: Setting, before: State, phases: tuple[Part, ...], filing: Filing) -> Iterator[Unused]:
    here = {phase.key for phase in sequence.list_stages(setting)[before.stage].phases}
    done, side = {part.phase: part for part in phases}, filing.writer
    if "deployment" in done:
        yield from _find_unsupplied(position(setting, done["deployment"].after), side)
    if "movement" in done:
        last = done.get("declaration") or done.get("superiority") or done["movement"]
        yield from _find_idle_attackers(position(setting, last.after), filing)
        yield from _find_arrivals(position(setting, done["movement"].after), side)
    if "answer" in done:
        yield from _find_unanswered(position(setting, before), filing)
    if "air" in done and (able := air.list_ready(position(setting, done["air"].after), side)):
        yield Unused("9.0-d", f"{plural(len(able), 'air unit')} could patrol or interdict: {some(able)}")
    vain = [order["unit"] for key in (PATROL, INTERDICTION) for order in filing.order(key)]
    if vain and "victory-points" in done:
        yield Unused("3.0", f"the game ends before they take off (S-63): {some(vain)}", vain=True)
    for phase in (movement.INITIAL, movement.MOTOR):
        if phase in done and phase in here:
            yield from _find_unmoved(setting, done[phase], side)


def _find_unsupplied(pos: Position, side: str) -> Iterator[Unused]:
    """6.0, 12.0: yield units set up out of supply."""
    for uid in pos.units(side):
        if not pos.is_supplied(uid):
            where = pos.setting.board.labels[pos.where[uid]]
            why = outlook.find_supply_fault(pos, uid)
            yield Unused("6.0", f"{unit(Wording(pos.setting), uid)} in {where} is out of supply: {why}")


def _name_units(setting: Setting, uids: Iterable[str]) -> str:
    words = Wording(setting)
    return some([unit(words, uid) for uid in uids])


def _mark_useless(slips: Iterable[tuple[str, str]]) -> Iterator[Unused]:
    return (Unused(rule, text, vain=True) for rule, text in slips)


def _find_idle_attackers(pos: Position, filing: Filing) -> Iterator[Unused]:
    """7.0, 9.0-d1: yield attackable hexes, idle units, free aircraft, and attacks without an advance."""
    waiting = battles.list_battles(pos.setting, pos.state.agenda)
    busy = {uid for battle in waiting for uid in battle.attackers}
    hexes = {battle.hex for battle in waiting}
    idle: set[str] = set()
    best: tuple[int, str] = (-99, "")
    for attack in outlook.find_attacks(pos, filing.writer):
        free = tuple(uid for uid in attack.battle.attackers if uid not in busy)
        idle.update(free)
        if attack.battle.hex not in hexes and free and battles.find_partner_fault(pos, free) is None:
            odds = assess(pos, replace(attack.battle, attackers=free))
            place = Wording(pos.setting).place(pos.setting.board.labels[attack.battle.hex])
            reached = "without a die" if odds.automatic else f"at {odds_text(odds.column)}"
            if not odds.powerless:
                best = max(best, (99 if odds.automatic else odds.column, f"{place} could be attacked {reached}"))
    if idle:
        take = "takes" if len(idle) == 1 else "take"
        who = f"{plural(len(idle), 'unit')} beside the enemy {take} part in no attack"
        yield Unused("7.0", "; ".join(filter(None, (f"{who}: {_name_units(pos.setting, sorted(idle))}", best[1]))))
    able = air.list_ready(pos, filing.writer)
    sure = {battle.id for battle in waiting if assess(pos, battle).automatic}
    alone = {
        battle.id: [uid for uid in able if air.is_in_range(pos, uid, battle.hex)]
        for battle in waiting
        if not battle.support and battle.id not in sure and not air.is_blocked(pos, filing.writer, battle.hex)
    }
    if could := [f"{name} ({some(reach)})" for name, reach in alone.items() if reach]:
        yield Unused("9.0-d1", f"aircraft could support {some(could)}")
    if spent := [battle.id for battle in waiting if battle.support and battle.id in sure]:
        yield Unused("7.0-g", f"close support has no effect in {some(spent)}, because no die falls", vain=True)
    yield from _check_plans(pos, filing, waiting)


def _check_plans(pos: Position, filing: Filing, waiting: Sequence[Battle]) -> Iterator[Unused]:
    """8.0: yield useless wishes of plans, and attacks without an advance."""
    hidden = filing.sealed.get(plans_label(filing.seq), {})
    shown = {order["id"]: order for order in filing.order(BATTLES)}
    differ = useless_answers.ask_rules(pos)
    planned = [
        replace(battle, plan=Plan.from_plain(of_battle(hidden, battle.id) or shown.get(battle.id, {})))
        for battle in waiting
    ]
    yield from _mark_useless(slip for battle in planned for slip in useless_answers.check_plan(pos, battle, differ))
    if without := [
        battle.id for battle in planned if not battle.plan.advance and useless_answers.can_advance(pos, battle, differ)
    ]:
        yield Unused(
            "8.0-advance", f"you planned no advance in {some(without)}: if you win, your units stay where they are"
        )


def _find_arrivals(pos: Position, side: str) -> Iterator[Unused]:
    """13.0: yield reinforcements that could arrive."""
    if coming := movement.list_reinforcements(pos.setting, pos, side):
        yield Unused("13.0", f"{plural(len(coming), 'reinforcement')} could come: {_name_units(pos.setting, coming)}")


def _find_unanswered(pos: Position, filing: Filing) -> Iterator[Unused]:
    """8.0, 9.0-d4, S-58: yield attacks without an answer, and useless answers."""
    agenda, labels = {**pos.state.agenda, POLICY: filing.policy}, pos.setting.board.labels
    waiting = battles.list_battles(pos.setting, agenda)
    places = [answers.list_places(battle.id, labels[battle.hex]) for battle in waiting]
    for text in find_overridden(filing.policy, answers.ANSWERS, places):
        yield Unused("8.0", text, vain=True)
    differ = useless_answers.ask_rules(pos)
    yield from _mark_useless(useless_answers.find_useless(pos, filing.policy, differ))
    for key, usual in (("retreat", "the lowest hex nearest to supply is taken"), ("advance", "no unit advances")):
        if silent := [
            battle.id
            for battle in waiting
            if not answers.find_wishes(agenda, filing.writer, battle.id, labels[battle.hex], key)
            and useless_answers.is_asked(pos, battle, useless_answers.name_all(pos, battle, key), differ)
        ]:
            yield Unused("8.0", f"you gave no answer about the {key} in {some(silent)}: {usual}")
    bases = [raid.base for raid in raids.list_raids(pos.state.agenda)]
    shared = filing.policy.get(PATROL, {})
    if safe := [base for base in shared if base not in bases]:
        told = f"the base of {some(safe)} is not attacked, so your share has no effect"
        yield Unused("9.0-d4", told, vain=True)
    for base, over in ((base, pos.list_aircraft(PATROL, filing.writer, pos.where[base])) for base in bases):
        if idle := [uid for uid in shared.get(base, ()) if uid not in over]:
            does, there = "does" if len(idle) == 1 else "do", labels[pos.where[base]]
            so = f"so shares there have no effect{', and its patrols are shared equally' if over else ''}"
            told = f"{', '.join(idle)} {does} not patrol over the base of {base} in {there}: {so}"
            yield Unused("9.0-d4", told, vain=True)
    if not shared and (open_ := [base for base in bases if pos.list_aircraft(PATROL, filing.writer, pos.where[base])]):
        yield Unused("9.0-d4", f"you shared out no patrols: patrols defend {some(open_)} equally")


def _find_unmoved(setting: Setting, part: Part, side: str) -> Iterator[Unused]:
    """3.0-movement, 3.0-b: yield movable units without an order."""
    ordered = {event.unit for event in part.events if isinstance(event, Moved | Placed)}
    pos = position(setting, outlook.mark_points(setting, part))
    able = [
        uid
        for uid in pos.units(side)
        if uid not in ordered and not setting.counters[uid].air and outlook.can_move(pos, uid, part.phase)
    ]
    if able:
        could = f"{plural(len(able), 'ground unit')} could move and {'has' if len(able) == 1 else 'have'} no order"
        rule, name = outlook.RULES[part.phase], Wording(setting).phase(part.phase)
        yield Unused(rule, f"{name}: {could}: {_name_units(setting, able)}")
