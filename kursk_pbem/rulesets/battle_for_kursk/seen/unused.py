"""Unused possibilities of a message, most costly first: battles, points, markers, advances, moves.

The writer of a draft sees this list before signing; no rule depends on the list. ``outlook``, ``replacements`` and
``posture`` find the possibilities.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from kursk_pbem.kernel.brief import Part, Unused, split_phases
from kursk_pbem.kernel.events import Event, Moved, Placed
from kursk_pbem.kernel.hexes import policies
from kursk_pbem.kernel.hexes.fights import odds_text
from kursk_pbem.kernel.hexes.plans import label as plans_label
from kursk_pbem.kernel.hexes.plans import of_battle
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import ELIMINATED, State
from kursk_pbem.kernel.words import plural, some, unit
from kursk_pbem.rulesets.battle_for_kursk import posture, replacements, retreat, sequence
from kursk_pbem.rulesets.battle_for_kursk.answers import DEFAULT_POLICY, find_condition, list_answer_places
from kursk_pbem.rulesets.battle_for_kursk.combat import list_declared
from kursk_pbem.rulesets.battle_for_kursk.odds import assess
from kursk_pbem.rulesets.battle_for_kursk.orders import Battle, Plan
from kursk_pbem.rulesets.battle_for_kursk.position import Position, position
from kursk_pbem.rulesets.battle_for_kursk.seen import attack_hints, outlook
from kursk_pbem.rulesets.battle_for_kursk.seen.wording import RIGHTS, SAID, Wording
from kursk_pbem.rulesets.battle_for_kursk.setting import REDUCED, Setting

MOVES = (("armor-and-rail", "8.1", "armor and rail movement"), ("movement", "8.0", "movement"))


def find_unused(setting: Setting, before: State, events: Sequence[Event], filing: Filing) -> tuple[Unused, ...]:
    """Return what a message could do and does not. ``before``: the position before the message."""
    return tuple(_find_unused(setting, before, tuple(split_phases(before, events)), filing))


def _find_unused(setting: Setting, before: State, phases: tuple[Part, ...], filing: Filing) -> Iterator[Unused]:
    here = {phase.key for phase in sequence.list_stages(setting)[before.stage].phases}
    done = {part.phase: part for part in phases}
    if "replacement" in done:
        last = done.get("declaration") or done.get("armor-and-rail") or done["replacement"]
        if sequence.PLAYER_TURN[-1].key in here and sequence.has_phase(setting, last.after, filing.writer, "combat"):
            yield from _find_battles(position(setting, last.after), filing, declares="declaration" in done)
        yield from _find_points(setting, done["replacement"], filing.writer)
        yield from _find_objective(setting, done["replacement"].before, filing)
    if "answer" in done:
        yield from _find_answers(position(setting, before), filing)
    yield from _find_moves(setting, done, filing.writer)
    if "replacement" in done:
        yield from _find_returns(setting, done["replacement"], filing)
    for why in posture.vain_reactions(phases[-1].after if phases else before, filing, setting.turns):
        yield Unused("12.0-3", f"the reaction has no effect: {why}", vain=True)


def _name(setting: Setting, uids: Iterable[str]) -> str:
    """Return 'XLVIII Panzer Corps (g-48-pz), LII Corps (g-52) and 7 more'."""
    words = Wording(setting)
    return some([unit(words, uid) for uid in uids])


def _find_battles(pos: Position, filing: Filing, *, declares: bool) -> Iterator[Unused]:
    """9.0, 9.2.1: yield idle attackers, possible Offensives, and battles without an advance."""
    side, fought = filing.writer, list_declared(pos.setting, pos.state.agenda) if declares else ()
    engaged = {uid for battle in fought for uid in battle.participants}
    hexes = {battle.hex for battle in fought}
    idle: set[str] = set()
    best: tuple[int, str] = (0, "")
    for attack in outlook.find_attacks(pos, side):
        free = tuple(uid for uid in attack.battle.attackers if uid not in engaged)
        if attack.battle.hex in hexes:
            idle.update(free)
        elif free and (column := assess(pos, replace(attack.battle, attackers=free)).column):
            idle.update(free)
            best = max(best, (column, _describe_target(pos, attack.battle.defender, free, column)))
    if idle:
        who = f"{plural(len(idle), 'unit')} could attack"
        if declares:
            who += f" and {'takes' if len(idle) == 1 else 'take'} part in no battle: {_name(pos.setting, sorted(idle))}"
        else:
            who = f"the posture {pos.state.mark(side, 'posture')} includes combat, and no battle is ordered: {who}"
        yield Unused("9.0", f"{who}; {best[1]}" if best[1] else who)
    if declares:
        yield from _find_offensives(pos, side, fought, engaged)
        yield from _find_plans(pos, fought, filing)


def _describe_target(pos: Position, defender: str, free: tuple[str, ...], column: int) -> str:
    name = f"{_name(pos.setting, [defender])} in {Wording(pos.setting).place(pos.state.units[defender].place)}"
    return f"{name} could be attacked at {odds_text(column)} by {', '.join(free)}"


def _find_offensives(pos: Position, side: str, fought: Sequence[Battle], engaged: set[str]) -> Iterator[Unused]:
    """9.2.1: yield unused markers with a possible Offensive."""
    markers = pos.state.tracks[f"offensives-{side}"]
    for battle in fought if markers else ():
        for lead, support in () if battle.lead else outlook.find_supports(pos, battle):
            free = [uid for uid in support if uid not in engaged]
            if free:
                have = f"{plural(markers, 'Offensive marker')} {'is' if markers == 1 else 'are'} left"
                yield Unused(
                    "9.2.1", f"{have}: {battle.id} could be an Offensive led by {lead}, in support {', '.join(free)}"
                )
                return


def _find_plans(pos: Position, fought: Sequence[Battle], filing: Filing) -> Iterator[Unused]:
    """9.3: yield battles without an advance in their plan, and paths that fit no retreat."""
    open_, hidden = {each["id"]: each for each in filing.order("battles")}, filing.sealed.get(plans_label(filing.seq))
    plans = {battle: Plan.from_plain(of_battle(hidden, battle.id) or open_.get(battle.id, {})) for battle in fought}
    if without := [battle.id for battle, plan in plans.items() if not plan.advance]:
        yield Unused("9.3", f"you planned no advance in {', '.join(without)}: if you win, your units stay in place")
    for battle, plan in plans.items():
        if vain := ", ".join(retreat.find_unmet(pos, battle.defender, plan.retreat)):
            yield Unused(
                "9.3-dr", f"retreat {vain} has no effect in {battle.id}: no permitted retreat fits now", vain=True
            )


def _find_points(setting: Setting, part: Part, side: str) -> Iterator[Unused]:
    """10.4, K-19: yield points that expire despite possible uses."""
    net, pos = replacements.count_points(setting, part.before, side), position(setting, part.after)
    gained = {event.unit for event in part.events if isinstance(event, Placed) and event.how in ("flip", "place")}
    for kind, points in net.items():
        spare = points - sum(replacements.point_type(setting, uid) == kind for uid in gained)
        able = [uid for uid in find_takers(pos, side, kind) if uid not in gained]
        if spare > 0 and able:
            what = plural(spare, f"{replacements.WORD[kind]} replacement point")
            lapse = "is unspent and lapses" if spare == 1 else "are unspent and lapse"
            yield Unused("10.4", f"{what} {lapse} with the turn; a step could go to {_name(setting, able)}")


def find_takers(pos: Position, side: str, kind: str) -> list[str]:
    """10.0: return the units that could gain a step of a type, the unit with the greatest gain first."""
    setting, units = pos.setting, pos.state.units
    bound = []
    for uid, counter in setting.counters.items():
        if counter.side == side and replacements.point_type(setting, uid) == kind:
            steps = units[uid].steps
            flips = uid in pos.where and steps == REDUCED and replacements.in_communication(pos, uid)
            comes = units[uid].place == ELIMINATED and bool(replacements.find_placements(pos, uid))
            if flips or comes:
                bound.append((setting.strength(uid, steps) - setting.strength(uid, steps + 1), uid))
    return [uid for _gain, uid in sorted(bound)]


def _find_objective(setting: Setting, state: State, filing: Filing) -> Iterator[Unused]:
    """12.1: yield a possible move of the marker."""
    if not filing.order("objective") and posture.objective_choices(setting, state, filing.writer):
        where = Wording(setting).place(state.mark("objective", "hex"))
        yield Unused("12.1", f"the Strategic Objective could be moved, and stays in {where}")


def _find_answers(pos: Position, filing: Filing) -> Iterator[Unused]:
    """9.3, K-73 to K-75: yield battles with an unanswered choice of the defender."""
    battles, labels = list_declared(pos.setting, pos.state.agenda), pos.setting.board.labels
    places = [list_answer_places(battle, labels[battle.hex]) for battle in battles]
    for text in policies.find_overridden(filing.policy, tuple(DEFAULT_POLICY), places):
        yield Unused("9.3", text, vain=True)
    called = [attack_hints.list_usable(pos, battle) for battle in battles]
    for path, part in policies.split_parts(filing.policy, (policies.BATTLES, policies.BY_UNIT, policies.BY_HEX)):
        able = [key for places_of, keys in zip(places, called, strict=True) if path in ((), *places_of) for key in keys]
        if idle := [key for key in DEFAULT_POLICY if key in part and key not in able]:
            what = f"{', '.join(idle)} {'in' if policies.BATTLES in path else 'for'} {path[-1] if path else 'all'}"
            yield Unused("9.3", f"{what} has no effect: no die roll gives this choice now", vain=True)
    for battle, able in zip(battles, called, strict=True):
        if open_ := [key for key in able if not find_condition(filing.policy, key, battle, labels[battle.hex])[1]]:
            usual = ", ".join(RIGHTS[key] if pos.setting.ask else SAID[key, DEFAULT_POLICY[key]] for key in open_)
            holds = "the dice will ask" if pos.setting.ask else "the default applies"
            yield Unused("9.3", f"{battle.id}: your answer leaves choices open, so {holds}: {usual}")


def _find_moves(setting: Setting, done: dict[str, Part], side: str) -> Iterator[Unused]:
    """8.0, 8.1: yield movable units without an order. Moving and fighting units have an order."""
    fought = list_declared(setting, done["declaration"].after.agenda) if "declaration" in done else ()
    busy = {uid for battle in fought for uid in battle.participants} | {
        event.unit
        for key, _rule, _name in MOVES
        if key in done
        for event in done[key].events
        if isinstance(event, Moved)
    }
    for key, rule, name in MOVES:
        if key in done:
            pos = position(setting, done[key].after)
            mine = (uid for uid in sorted(pos.where) if pos.side(uid) == side and uid not in busy)
            if able := [uid for uid in mine if outlook.find_ends(pos, uid, key)[1]]:
                could = f"{plural(len(able), 'unit')} could move and {'has' if len(able) == 1 else 'have'} no order"
                yield Unused(rule, f"{name}: {could}: {_name(setting, able)}")


def _find_returns(setting: Setting, part: Part, filing: Filing) -> Iterator[Unused]:
    """9.3, K-20: yield units that returned without an ordered place."""
    ordered = {order["unit"] for order in filing.order("returns")}
    for event in part.events:
        if isinstance(event, Placed) and event.how == "return" and event.unit not in ordered:
            who, where = _name(setting, [event.unit]), Wording(setting).place(event.place)
            yield Unused("9.3", f"{who} returns in {where}, because no place is ordered")
