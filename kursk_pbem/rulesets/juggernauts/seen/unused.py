"""Unused possibilities of a draft, the most costly first: attacks, formations, advances, moves, factors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from kursk_pbem.kernel.brief import Part, Unused, split_phases
from kursk_pbem.kernel.events import Event, Moved, Placed
from kursk_pbem.kernel.hexes import plans, policies
from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.words import plural, some, unit
from kursk_pbem.rulesets.juggernauts import air, arrivals, battles, combat, marks, movement, readiness
from kursk_pbem.rulesets.juggernauts.answers import CROWD, INTERCEPT, NO_RETREAT, ON
from kursk_pbem.rulesets.juggernauts.odds import find_odds, name_column
from kursk_pbem.rulesets.juggernauts.orders import Battle, Plan, read_battles
from kursk_pbem.rulesets.juggernauts.position import Position, position
from kursk_pbem.rulesets.juggernauts.seen import bombing, possible, useless_answers
from kursk_pbem.rulesets.juggernauts.seen.wording import Wording
from kursk_pbem.rulesets.juggernauts.setting import Setting

REQUIRED = ", unless an earlier attack requires it"
GOOD = 6  # 2:1: minimum odds of a suggested attack


def find_unused(setting: Setting, before: State, events: Sequence[Event], filing: Filing) -> tuple[Unused, ...]:
    """Return what a message could do and does not. ``before``: the position before the message."""
    return tuple(_find_unused(setting, before, {part.phase: part for part in split_phases(before, events)}, filing))


def _find_unused(setting: Setting, before: State, done: dict[str, Part], filing: Filing) -> Iterator[Unused]:
    moved = done.get("movement")
    if moved:
        after = (done.get("allocation") or moved).after
        yield from _attacks(movement.place_panthers(setting, after), filing, second=movement.second_step(before))
        yield from _formations(position(setting, moved.before), filing)
        yield from _idle(setting, moved, filing)
    if "answer" in done:
        yield from _answers(setting, before, filing)
    if "turn" in done:
        yield from _replacements(setting, done["turn"])


def _answers(setting: Setting, before: State, filing: Filing) -> Iterator[Unused]:
    """6.0, J-53, J-70: yield answers without an attack, and answers for units that must stay."""
    pos, policy, board = movement.place_panthers(setting, before), filing.policy, setting.board
    broken = [battle.hex for battle in read_battles(setting, before.agenda) if combat.find_wedges(pos, battle)]
    waiting = {battle["hex"]: battle["id"] for battle in before.agenda.get(policies.BATTLES, ())}
    attacks = {label: bid for label, bid in waiting.items() if pos.here(board.index[label], filing.writer)}
    mine = bits(pos.occupied[filing.writer])  # 2.0-breakthrough: a Panzerkeil attacks again from one hex further
    near = {board.labels[hex_] for hex_ in mine if any(board.distance(hex_, at) < 3 for at in broken)}
    near |= waiting.keys() if attacks else set()  # units may be driven into an attacked empty line
    if attacks and not policy:
        yield Unused("6.0", f"you gave no answer: without '{NO_RETREAT}' your units do not hold, and no unit withdraws")
    still = [uid for uid, said in policy.get(policies.BY_UNIT, {}).items() if said.get(CROWD) != ON]  # J-45
    if idle := [
        *(label for label in policy.get(policies.BY_HEX, {}) if label not in near),
        *(policy.get(policies.BATTLES, ()) if not attacks else ()),
        *(uid for uid in still if before.units[uid].place not in near),
    ]:
        yield Unused(
            "6.0", f"your answer has no effect, because your units are not attacked {', '.join(idle)}", vain=True
        )
    listed, strikes = policy.get(INTERCEPT, ()), before.agenda.get(air.STRIKES, ())
    said = position(setting, before.with_(agenda={**before.agenda, policies.POLICY: policy}))
    meets = {plane for strike in strikes for plane in bombing.meeting(said, strike["id"])}
    if spare := [plane for plane in listed if plane not in meets]:
        why = "no bomber is left, or the air unit cannot fly now" if strikes else "your opponent ordered no strike"
        yield Unused("20.2", f"{why}: intercept {', '.join(spare)}", vain=True)
    yield from (Unused("6.0", text, vain=True) for text in useless_answers.find_useless(pos, policy, filing.writer))


def _named(setting: Setting, uids: Sequence[str]) -> str:
    return some([unit(Wording(setting), uid) for uid in uids])


def _attacks(pos: Position, filing: Filing, *, second: bool) -> Iterator[Unused]:
    """3.0, 3.0-must, 9.0: yield possible attacks at good odds, and attacks with a useless or missing plan."""
    fought = read_battles(pos.setting, pos.state.agenda)
    yield from _targets(pos, filing.writer, fought, second=second)
    hidden = filing.sealed.get(plans.label(filing.seq), {})
    shown = {order["id"]: plans.of_battle(hidden, order["id"]) or order for order in filing.order(policies.BATTLES)}
    fought = tuple(replace(battle, plan=Plan.from_plain(shown.get(battle.id))) for battle in fought)
    joined = {one.id: [each for each in fought if f"join {one.id}" in each.plan.breakthrough] for one in fought}
    unknown = [useless_answers.is_open(pos, battle, joined[battle.id]) for battle in fought]
    if without := [
        battle.id
        for at, battle in enumerate(fought)
        if not battle.plan.advance
        and not _too_bad(pos, battle)
        and not any(other.plan.exploit for other in joined[battle.id])  # a joining Panzerkeil may enter
        and useless_answers.ask_plan(pos, fought, at, Plan(), unknown=unknown[at])(Plan(advance=battle.attackers))
    ]:
        yield Unused(
            "9.0", f"you planned no advance in {', '.join(without)}: after a win your units do not enter the hex"
        )
    for number in range(len(fought)):
        yield from _vain(pos, fought, number, joined)
        found = useless_answers.check_plan(pos, fought, number, unknown=unknown[number])
        yield from (Unused("2.0", told, vain=True) for told in found)


def _targets(pos: Position, side: str, fought: Sequence[Battle], *, second: bool) -> Iterator[Unused]:
    """3.0, 3.0-must: yield the best possible attack by free units at good odds."""
    engaged, hexes = {uid for battle in fought for uid in battle.attackers}, {battle.hex for battle in fought}
    free = [
        chance
        for chance in possible.attacks(pos, side, second=second)
        if chance.battle.hex not in hexes and not engaged & {*chance.battle.attackers} and chance.odds.reached >= GOOD
    ]
    labels, index = pos.setting.board.labels, pos.setting.board.index
    needs = {
        chance.battle.hex: [label for label in battles.find_required(pos, chance.battle) if index[label] not in hexes]
        for chance in free
    }
    order = sorted(free, key=lambda chance: (len(needs[chance.battle.hex]), -chance.odds.reached, chance.battle.hex))
    for chance in order[:1]:
        label, needed = labels[chance.battle.hex], needs[chance.battle.hex]
        more = sum(not needs[other.battle.hex] for other in order[1:])
        others = f"; {more} other {'hexes' if more > 1 else 'hex'} at {name_column(pos.setting, GOOD)} or better"
        by = f"{name_column(pos.setting, chance.odds.reached)} by {', '.join(chance.battle.attackers)}"
        # do not check whether units remain for the required attacks
        bound = f"an attack on {label} at {by} requires an attack on {' and on '.join(needed)}"
        yield Unused("3.0", bound if needed else f"{label} could be attacked at {by}{others if more else ''}")


def _vain(pos: Position, fought: tuple[Battle, ...], number: int, joined: dict[str, list[Battle]]) -> Iterator[Unused]:
    """2.0-breakthrough, 3.0-cancel, 9.0: yield vain wishes of a plan; ``joined``: the attacks that join each attack."""
    battle, before = fought[number], [other.id for other in fought[:number]]
    plan = battle.plan
    # a joined attack comes before the attacks listed between
    listed_so = not any(other is not battle for others in joined.values() for other in others)
    why = _stays(pos, battle) or (_nowhere(pos, battle, fought, before) if listed_so else "")
    if plan.breakthrough and why:
        yield Unused("2.0-breakthrough", f"{battle.id} can lead to no breakthrough: {why}", vain=True)
    for first in (wish.removeprefix("unless ") for wish in plan.cancel if wish.startswith("unless ")):
        if first in joined and first not in before and listed_so:
            off = f"the plan cancels {battle.id}, because {first} is not fought earlier{REQUIRED}"
            yield Unused("3.0-cancel", off, vain=True)
    if told := _too_bad(pos, battle):
        yield Unused("3.0-cancel", told, vain=True)
    yield from (Unused("9.0", f"{battle.id}: {slip}", vain=True) for slip in _crowded(pos, battle))


def _too_bad(pos: Position, battle: Battle) -> str:
    """3.0-cancel: return a warning if the plan cancels the attack at the present odds, otherwise ''."""
    columns, reached = pos.setting.columns, find_odds(pos, battle).reached
    bad = any(wish == f"below {odds}" for odds in columns[max(reached + 1, 0) :] for wish in battle.plan.cancel)
    text = f"{battle.id} is now at {name_column(pos.setting, reached)}, and the plan cancels the attack at these odds"
    return f"{text}{REQUIRED}" if bad else ""


def _stays(pos: Position, battle: Battle) -> str:
    """2.0-breakthrough, J-32: return why a plan allows no breakthrough, or ''."""
    goes = {wish.partition(" ")[0] for wish in battle.plan.advance}
    if not (wedges := combat.find_wedges(pos, battle)):
        return "no Panzerkeil takes part"
    stay = [uid for wedge in wedges for uid in wedge if uid not in goes]
    does_not = f"{', '.join(dict.fromkeys(stay))} {'does' if len({*stay}) == 1 else 'do'} not"
    return f"a whole Panzerkeil must advance, but {does_not}" if all({*stay} & {*wedge} for wedge in wedges) else ""


def _crowded(pos: Position, battle: Battle) -> Iterator[str]:
    """12.0, J-27: yield units over the stacking limit after all planned advances."""
    setting, board = pos.setting, pos.setting.board
    stands = {uid: pos.where[uid] for uid in pos.units(pos.side(battle.attackers[0]))}
    for uid, *words in (wish.split(" ") for wish in battle.plan.advance):
        if uid not in battle.attackers or stands.get(uid) != pos.where.get(uid, -1):
            continue  # no attacker, or a unit with an earlier wish
        stands[uid] = board.index.get(words[-1], battle.hex) if words else battle.hex
        path = (stands[uid],) if words[:-1] else (battle.hex, stands[uid])
        stacks = {hex_: [other for other, there in stands.items() if there == hex_ and other != uid] for hex_ in path}
        if full := [board.labels[hex_] for hex_, stack in stacks.items() if not setting.can_stack([*stack, uid])]:
            yield f"after the planned advances {uid} exceeds the stacking limit in {', '.join(full)}: Disrupted"


def _nowhere(pos: Position, battle: Battle, fought: Sequence[Battle], before: Sequence[str]) -> str:
    """2.0-breakthrough, J-66: return why no second attack of the plan can follow, or ''."""
    board, after = pos.setting.board, {other.id: other for other in fought if other.id not in (*before, battle.id)}
    ends = {battle.hex, *(board.index.get(wish.rpartition(" ")[2], battle.hex) for wish in battle.plan.advance)}
    slips = []
    for wish in battle.plan.breakthrough:
        joined = wish.removeprefix("join ")
        hex_ = after[joined].hex if joined in after else board.index.get(wish, -1)
        if wish != joined and joined not in after:
            slips.append(f"{joined} is fought earlier" if joined in before else f"{joined} is the attack itself")
        elif not any(board.near[end] >> hex_ & 1 for end in ends):
            slips.append(f"{board.labels[hex_]} is not beside {', '.join(board.labels[end] for end in sorted(ends))}")
        elif wish == joined and hex_ in {other.hex for other in after.values()}:
            slips.append(f"{wish} is attacked later in your message and can only be joined")
        elif wish == joined and not before and (why := battles.check_target(pos, pos.side(battle.attackers[0]), hex_)):
            slips.append(why.format(hex=wish))  # the first attack drives no unit there
        else:
            return ""
    return "; ".join(slips)


def _formations(pos: Position, filing: Filing) -> Iterator[Unused]:
    """14.1: yield possible Panzerkeile."""
    if not movement.second_step(pos.state) and (
        able := [
            uid
            for uid in sorted(pos.where)
            if pos.side(uid) == filing.writer and readiness.can_form(pos, uid) and not pos.is_marked(marks.KEIL, uid)
        ]
    ):
        yield Unused("14.1", f"could be a Panzerkeil: {_named(pos.setting, able)}")


def _idle(setting: Setting, part: Part, filing: Filing) -> Iterator[Unused]:
    """13.0: yield movable units that neither move nor attack."""
    pos, acts = position(setting, part.before), {event.unit for event in part.events if isinstance(event, Moved)}
    acts.update(
        part.after.agenda.get(movement.PATHS, {}), *(battle["attackers"] for battle in filing.order(policies.BATTLES))
    )
    if idle := [
        uid
        for uid in sorted(pos.where)
        if pos.side(uid) == filing.writer
        and uid not in acts
        and setting.counters[uid].move > 2
        and not movement.check_unit(pos, filing.writer, uid)
    ]:
        yield Unused("13.0", f"{plural(len(idle), 'mobile unit')} neither moved nor attacked: {_named(setting, idle)}")


def _replacements(setting: Setting, part: Part) -> Iterator[Unused]:
    """11.2: yield factors that are enough to return a unit."""
    pos, saved = position(setting, part.after), part.after.tracks[arrivals.FACTORS]
    able = [uid for uid in arrivals.list_lost_tanks(pos) if pos.counter(uid).attack <= saved]
    came = [event for event in part.events if isinstance(event, Placed) and event.how == "return"]
    if able and not came and any(arrivals.can_return_to(pos, label) for label in setting.arrivals["replacements"]):
        yield Unused("11.2", f"{plural(saved, 'factor')} saved up; could return: {_named(setting, able)}")
