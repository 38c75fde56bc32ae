"""Choices for the parts of an order, for forms used by mouse (``verbs`` turns the choices into words)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kursk_pbem.kernel.hexes import phrases
from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.hexes.plans import WAYS
from kursk_pbem.kernel.hexes.policies import BATTLES
from kursk_pbem.kernel.state import ELIMINATED, PENDING
from kursk_pbem.kernel.verbs import (
    ALL,
    CHOICE,
    ORDER,
    PLACE,
    UNIT,
    UNITS,
    WISHES,
    Among,
    Budget,
    Clause,
    OrderContext,
    edit_draft,
    list_entries,
)
from kursk_pbem.kernel.words import plural
from kursk_pbem.rulesets.battle_for_kursk import posture, replacements, sequence
from kursk_pbem.rulesets.battle_for_kursk.answers import DEFAULT_POLICY
from kursk_pbem.rulesets.battle_for_kursk.combat import list_declared, list_rights
from kursk_pbem.rulesets.battle_for_kursk.orders import GUARDS
from kursk_pbem.rulesets.battle_for_kursk.position import Position, position
from kursk_pbem.rulesets.battle_for_kursk.seen import outlook, tables
from kursk_pbem.rulesets.battle_for_kursk.setting import REDUCED

MEANT = (
    ("never", ""),
    ("doomed", "if the unit would be eliminated"),
    ("full", "at full strength"),
    ("reduced", "when reduced"),
    ("always", ""),
)
REACTION = (("reaction", "after 'pause': a marker for an emergency reaction"),)
RIGHTS = {
    "stand-fast": "On a DR, do you stay and lose a step (Stand Fast)?",
    "exchange-dr": "On a DR, do you turn the retreat into an exchange of losses?",
    "exchange-drl": "On a DRL, do you turn the loss into an exchange of losses?",
}
"""When a right is used (``answers.WHEN``), and what that means; what the reaction and the rights are."""


def _name_units(ask: OrderContext, pos: Position, uids: Iterable[str]) -> Among:
    """Return units with short facts for players."""
    among = []
    for uid in uids:
        counter, unit = ask.setting.counters[uid], pos.state.units[uid]
        figures, where = f"{ask.setting.strength(uid, unit.steps or 1)}-{counter.move}", unit.place.replace("-", " ")
        among.append((uid, f"{counter.short}, {figures}, {where}"))
    return tuple(among)


def _position_at(ask: OrderContext, phase: str) -> Position:
    return position(ask.setting, ask.at(ask.draft, phase))


def list_open_phases(ask: OrderContext, keys: Iterable[str]) -> list[str]:
    """12.0 (4): return the phases of a message that the posture allows, even phases after declared battles."""
    here = {phase.key for phase in sequence.list_stages(ask.setting)[ask.state.stage].phases}
    chosen = ask.at(ask.draft, "posture").mark(ask.state.side, "posture")
    return [key for key in keys if key in here and (not chosen or key in ask.setting.phases[chosen])]


def _tell_wait(ask: OrderContext, what: str = "Orders") -> str:
    """12.0 (2): return the note that orders wait for the Russian posture, or ''."""
    waits = ask.state.stage == "posture" and "waive" not in ask.draft
    return f"{what} wait for the Russian posture; {sequence.WAIVE} [12.0-2]." if waits else ""


def find_position_before(ask: OrderContext, uid: str, key: str) -> Position:
    """Return the position in a phase after the draft's moves. The moves of one unit are left out."""
    return position(ask.setting, ask.at(edit_draft(ask.draft, phrases.remove_orders(ask, key, uid)), key))


def offer_moves(ask: OrderContext, words: Sequence[str], *, keys: Sequence[str]) -> tuple[Clause, ...]:
    """8.0, 8.1: offer the units that can move, or one unit's hexes, each in its first possible phase."""
    why = _tell_wait(ask)
    if why or (list_entries(ask, BATTLES) and [*keys] == [outlook.MOVE_PHASE]):
        return (Clause("", "unit that moves", UNIT, (), notes=(why or f"{sequence.AFTER_DICE} [9.0]",)),)
    phases = [key for key in list_open_phases(ask, keys) if key != outlook.MOVE_PHASE or not list_entries(ask, BATTLES)]

    def list_ends(uid: str) -> Iterator[tuple[str, str]]:
        told: dict[str, str] = {}
        for key in phases:
            ends = outlook.find_ends(find_position_before(ask, uid, key), uid, key)[1]
            told = {**{ask.setting.board.labels[there]: f"{way.mp} MP" for there, way in ends.items()}, **told}
        return iter(sorted(told.items()))

    able = dict[str, str]()
    for key in phases:
        pos = _position_at(ask, key)
        units = (uid for uid in pos.units(ask.state.side) if outlook.find_ends(pos, uid, key)[1])
        able = dict(_name_units(ask, pos, units)) | able
    return phrases.offer_moves(words, tuple(sorted(able.items())), list_ends, phrases.list_moved(ask, *phases))


def offer_postures(ask: OrderContext, _words: Sequence[str]) -> tuple[Clause, ...]:
    """12.0: return the postures that the side can pay, and the reaction; () if no posture must be chosen."""
    then = ask.at({**ask.draft, "orders": {}}, "turn")  # a message that ends the turn has the next turn's posture
    if not posture.posture_due(then):  # the weather die comes first (K-85), or no turn follows
        return ()
    prices = posture.list_affordable(then, ask.state.side)
    written: Any = {**ask.draft.get("choice", {}), **ask.draft.get("seal", {})}
    chosen: Any = next((choice for key, choice in written.items() if key.startswith(posture.label(""))), {})
    have = Budget("Offensive markers", then.tracks[f"offensives-{ask.state.side}"], prices)
    phases = {name: ", ".join(tables.list_phases(ask.setting, name)) for name in prices}
    among = tuple(
        (name, f"{plural(price, 'Offensive marker') if price else 'free'}: {phases[name]}")
        for name, price in prices.items()
    )
    return (
        Clause("", "posture", CHOICE, among, (chosen.get("posture", ""),), budgets=(have,)),
        Clause(
            "",
            "reaction",
            UNITS,
            REACTION if have.most else (),
            ("reaction",) if chosen.get("reaction") == "yes" else (),
        ),
    )


def offer_objective(ask: OrderContext, _words: Sequence[str]) -> tuple[Clause, ...]:
    """12.1: return the hexes to which the objective marker can move."""
    spots = posture.objective_choices(ask.setting, ask.at(ask.draft, "posture"), ask.state.side)
    names, index = ask.setting.city_names, ask.setting.board.index
    return (Clause("", "city", PLACE, tuple((label, names.get(index[label], "")) for label in spots)),)


def offer_distribution(ask: OrderContext, _words: Sequence[str]) -> tuple[Clause, ...]:
    """6.0-short-scenario: return the units that can get a step before play begins."""
    pos, chosen, left = position(ask.setting, ask.state), list_entries(ask, "distribution"), ask.setting.distribution
    mine = pos.units(ask.state.side) if left else []
    able = [uid for uid in mine if pos.state.units[uid].steps == REDUCED]
    budgets = _step_budgets(ask, {kind: left.get(word, 0) for kind, word in replacements.WORD.items()}, "step")
    return (Clause("", "units at full strength", UNITS, _name_units(ask, pos, able), tuple(chosen), budgets=budgets),)


def _step_budgets(ask: OrderContext, most: Mapping[str, int], what: str) -> tuple[Budget, ...]:
    """10.5: return the budget of every type of replacement, and the prices of units."""
    kinds = {uid: replacements.point_type(ask.setting, uid) for uid in ask.setting.counters}
    return tuple(
        Budget(
            f"{replacements.WORD[kind]} {what}s", max(0, left), {uid: 1 for uid, own in kinds.items() if own == kind}
        )
        for kind, left in most.items()
    )


def _point_budgets(ask: OrderContext, *, owed: bool = False) -> tuple[Budget, ...]:
    """10.6: return the unspent points of the draft, or the owed steps; nothing before the posture is known."""
    state = ask.at(ask.draft, "posture")
    if not state.mark(state.side, "posture"):
        return ()
    net = replacements.count_points(ask.setting, state, state.side)
    if owed:
        return _step_budgets(ask, {kind: -points for kind, points in net.items() if points < 0}, "step")
    spent = [replacements.point_type(ask.setting, order["unit"]) for order in list_entries(ask, "replacements")]
    return _step_budgets(ask, {kind: points - spent.count(kind) for kind, points in net.items()}, "point")


def _can_pay(uid: str, budgets: Sequence[Budget]) -> bool:  # 10.5; prices are unknown before the posture
    return not budgets or any(budget.most and uid in budget.prices for budget in budgets)


def offer_gains(ask: OrderContext, _words: Sequence[str]) -> tuple[Clause, ...]:
    """10.0 (2), 10.5: return the units that the remaining replacement points can bring to full strength."""
    if why := _tell_wait(ask):
        return (Clause("", "units to gain a step", UNITS, (), notes=(why,)),)
    pos, side, budgets = _position_at(ask, "replacement"), ask.state.side, _point_budgets(ask)
    given = {order["unit"] for order in list_entries(ask, "replacements")}
    flips = (
        uid
        for uid in sorted(pos.where)
        if pos.side(uid) == side
        and uid not in given
        and pos.state.units[uid].steps == REDUCED
        and replacements.in_communication(pos, uid)
        and _can_pay(uid, budgets)
    )
    return (Clause("", "units to gain a step", UNITS, _name_units(ask, pos, flips), budgets=budgets),)


def back_from(place: str) -> Callable[[OrderContext, Sequence[str]], tuple[Clause, ...]]:
    """10.0 (1), 9.3-dr-off-the-map: return a function that offers units in ``place`` and the hexes of their return."""

    def offered(ask: OrderContext, _words: Sequence[str]) -> tuple[Clause, ...]:
        if why := _tell_wait(ask):
            return (Clause("", "unit", UNIT, (), notes=(why,)), Clause("", "hex", PLACE, ()))
        # after the phase, possible returns have taken place even without orders
        phase, budgets = ("replacement", _point_budgets(ask)) if place == ELIMINATED else ("posture", ())
        pos, side = _position_at(ask, phase), ask.state.side
        able = [
            uid
            for uid, unit in sorted(pos.state.units.items())
            if unit.place == place and ask.setting.counters[uid].side == side and _can_pay(uid, budgets)
        ]
        spots = {ask.setting.board.labels[hex_] for uid in able for hex_ in replacements.find_placements(pos, uid)}
        return (
            Clause("", "unit", UNIT, _name_units(ask, pos, able), budgets=budgets),
            Clause("", "hex", PLACE, tuple((spot, "") for spot in sorted(spots))),
        )

    return offered


def offer_give_ups(ask: OrderContext, _words: Sequence[str]) -> tuple[Clause, ...]:
    """10.6: return the units that can give up a step."""
    pos, side = _position_at(ask, "posture"), ask.state.side
    if why := _tell_wait(ask):
        return (Clause("", "units to give up a step", UNITS, (), notes=(why,)),)
    able = [uid for kind in (replacements.IRP, replacements.ARP) for uid in replacements.find_givers(pos, side, kind)]
    given, owed = tuple(list_entries(ask, "give-ups")), _point_budgets(ask, owed=True)
    if pos.state.mark(side, "posture"):
        able = [uid for uid in able if any(uid in budget.prices for budget in owed)]
    return (Clause("", "units to give up a step", UNITS, _name_units(ask, pos, able), given, budgets=owed),)


def offer_battle(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """9.0, 9.2.1, K-76 to K-78: return the targets; for a named target return attackers, leaders, supporters, plan."""
    pos, side = _position_at(ask, outlook.RAIL_PHASE), ask.state.side
    board, chosen = ask.setting.board, pos.state.mark(side, "posture")
    barred = (
        f"Not with the posture {chosen} [12.0-4]."
        if chosen and outlook.COMBAT not in ask.setting.phases[chosen]
        else _tell_wait(ask, "Attacks")
        or ("Moves after combat wait for the dice: take them back first [9.0]." * bool(list_entries(ask, "movement")))
    )
    if barred:
        return (Clause("", "hex to attack", PLACE, (), notes=(barred,)),)
    attacks = {board.labels[attack.battle.hex]: attack for attack in outlook.find_attacks(pos, side)}
    if not words or words[0] not in attacks:
        among = tuple((label, ask.setting.counters[offer.battle.defender].name) for label, offer in attacks.items())
        return (Clause("", "hex to attack", PLACE, among),)
    return _offer_plan(ask, pos, words[0], attacks[words[0]])


def _offer_plan(ask: OrderContext, pos: Position, label: str, attack: outlook.Attack) -> tuple[Clause, ...]:
    """9.0, 9.2.1: return the attackers, leaders, supporters and plan of the battle in a hex."""
    side = ask.state.side
    known: Any = next((order for order in list_entries(ask, "battles") if order["hex"] == label), {})
    busy = {
        uid
        for order in list_entries(ask, "battles")
        if order is not known
        for uid in (*order["attackers"], *order.get("offensive", {}).get("support", ()))
    }
    free = [uid for uid in attack.battle.attackers if uid not in busy]
    able = {led.lead: tuple(uid for uid in led.support if uid not in busy) for led, _odds in attack.offensives}
    most_first = sorted(able.items(), key=lambda each: -len(each[1]))
    led_by = {lead: uids for lead, uids in most_first if uids and lead in free}
    leads, support = list(led_by), sorted({uid for uids in led_by.values() for uid in uids})
    offensive = known.get("offensive", {})
    led = sum("offensive" in order for order in list_entries(ask, "battles") if order is not known)
    markers = Budget("Offensive markers", max(0, pos.state.tracks[f"offensives-{side}"] - led), dict.fromkeys(leads, 1))
    tick = "with an Offensive (costs 1 marker)" if markers.most else ""
    return (
        Clause(
            "with", "attackers", UNITS, _name_units(ask, pos, free), tuple(known.get("attackers", free)), needed="with"
        ),
        Clause(
            "lead",
            "leads an Offensive",
            UNIT,
            _name_units(ask, pos, leads),
            tuple(offensive.get("lead", "").split()),
            budgets=(markers,) if leads else (),
            tick=tick,
        ),
        Clause(
            "support",
            "supports it",
            UNITS,
            _name_units(ask, pos, support),
            tuple(offensive.get("support", ())),
            tick=tick,
            fits=tuple(led_by.items()),
        ),
        *_plan_clauses(ask, pos, label, (free, support), known, (("with", "support"), ("with",))),
    )


def _plan_clauses(
    ask: OrderContext, pos: Position, at: str, fight: tuple[list[str], list[str]], known: Any, of: Any = ((), ())
) -> tuple[Clause, ...]:
    """K-76 to K-78: return the clauses of a battle's plan; ``of``: the clauses that list its units."""
    board, (free, support) = ask.setting.board, fight
    losses, advance, retreat = (tuple(known.get(key, ())) for key in ("losses", "advance", "retreat"))
    ways = tuple((board.labels[hex_], "") for hex_ in bits(board.near[board.index[at]]) if hex_ not in pos.at)
    able, front = _name_units(ask, pos, [*free, *support]), _name_units(ask, pos, free)
    return (
        Clause("advance", "enters the hex if it is left: the first that can", ORDER, front, advance, GUARDS, of=of[1]),
        Clause("losses", "takes losses, in order", ORDER, able, losses, of=of[0]),
        Clause("retreat", "the path of the enemy", WISHES, ways, retreat, WAYS),
    )


def find_planned(ask: OrderContext) -> dict[str, Any]:
    """K-73, K-75: return the battles that can get a plan now: battles of this draft, and battles not yet fought."""
    left = ask.state.agenda.get(BATTLES, ())[1:] if PENDING in ask.state.agenda else ()
    return {order["id"]: order for order in (*left, *list_entries(ask, BATTLES))}


def offer_plan(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """K-73: return the battles that can get a plan; for a named battle return the wishes of its plan."""
    orders = find_planned(ask)
    if not words or words[0] not in orders:
        return (Clause("", "battle", CHOICE, tuple((bid, order["hex"]) for bid, order in orders.items())),)
    order, sealed = orders[words[0]], ask.draft.get("seal", {})
    known = next((plans[words[0]] for plans in sealed.values() if words[0] in plans), order)
    fight = order["attackers"], order.get("offensive", {}).get("support", [])
    clauses = _plan_clauses(ask, _position_at(ask, outlook.RAIL_PHASE), order["hex"], fight, known)
    return tuple(replace(clause, needed="plan") for clause in clauses)


def offer_answers(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """9.3, K-73: return what can be answered: all units or a battle; for a named battle return the conditions."""
    pos, policy = position(ask.setting, ask.state), ask.draft.get("policy", {})
    mine = {each.id: each for each in list_declared(ask.setting, ask.state.agenda) if list_rights(pos, each)}
    if not words or words[0] not in (ALL, *mine):
        among = tuple(
            (bid, f"{ask.setting.counters[waiting.defender].name}, attacked by {', '.join(waiting.attackers)}")
            for bid, waiting in mine.items()
        )
        others = [waiting for waiting in list_declared(ask.setting, ask.state.agenda) if waiting.id not in mine]
        notes = tuple(
            f"{waiting.id}: {ask.setting.counters[waiting.defender].name} has no choice; only a defender "
            "in a Major City or in its own active fortification has a choice [9.3]"
            for waiting in others
        )
        return (Clause("", "battle", CHOICE, ((ALL, "whichever is attacked"), *among), notes=notes),)
    said = policy if words[0] == ALL else policy.get("battles", {}).get(words[0], {})
    offered = tuple(DEFAULT_POLICY) if words[0] == ALL else list_rights(pos, mine[words[0]])
    usual = {
        right: tuple((word, text + " (by default)" * (word == when)) for word, text in MEANT)
        for right, when in DEFAULT_POLICY.items()
    }
    chosen = {right: (said.get(right, ""),) for right in offered}
    return tuple(
        Clause(right, RIGHTS[right], CHOICE, usual[right], chosen[right], needed="answer") for right in offered
    )


def offer_decision(ask: OrderContext, _words: Sequence[str]) -> tuple[Clause, ...]:
    """K-75: return the decisions that the player can choose."""
    options = ask.state.agenda.get(PENDING, {}).get("options", ())
    return (Clause("", "decision", CHOICE, tuple((option, "") for option in options)),)
