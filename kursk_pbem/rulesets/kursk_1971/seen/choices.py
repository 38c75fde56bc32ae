"""Choices for the parts of an order, for input by mouse (``verbs`` write the orders).

Every listed choice is legal in an order by itself; the rules still check the draft.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from kursk_pbem.kernel.hexes import phrases
from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.hexes.plans import WAYS
from kursk_pbem.kernel.hexes.policies import BATTLES
from kursk_pbem.kernel.state import OFF_MAP
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
    Edit,
    OrderContext,
    edit_draft,
    list_entries,
)
from kursk_pbem.rulesets.kursk_1971 import air, battles, combat, movement, raids, sequence
from kursk_pbem.rulesets.kursk_1971.odds import drop_unmatched
from kursk_pbem.rulesets.kursk_1971.orders import ATTACK, SKIP
from kursk_pbem.rulesets.kursk_1971.position import INTERDICTION, PATROL, Position, position
from kursk_pbem.rulesets.kursk_1971.seen import hints, outlook
from kursk_pbem.rulesets.kursk_1971.setting import ENEMY

_FLIGHTS = (movement.INITIAL, air.INTERCEPTION, raids.RAIDS, BATTLES, PATROL, INTERDICTION)
_AFTER = "after the dice of the declared attacks: give this order in your next message [2.0-phases]"
FROM_THE_AIR = (
    "this attack comes from the air, so no unit retreats; type 'share' to assign patrols to the base [9.0-d4]"
)
_SHUT = "None: no unit advances into an enemy fortified line [8.0-advance]."
_UNSUPPORTED = ((ATTACK, "attack without the aircraft"), (SKIP, "skip the attack (default)"))


def _find_position(ask: OrderContext, phase: str) -> Position:
    return position(ask.setting, ask.at(ask.draft, phase))


def _name_units(pos: Position, uids: Iterable[str]) -> Among:
    """Return units with name, figures, hex and lack of supply."""
    among = []
    for uid in uids:
        counter = pos.setting.counters[uid]
        here = hints.name_place(pos, pos.where[uid]) if uid in pos.where else ""
        cut = "out of supply" if here and not pos.is_supplied(uid) else ""
        among.append((uid, ", ".join(filter(None, (counter.short, counter.figures, here, cut)))))
    return tuple(among)


def _name_hexes(pos: Position, hexes: Iterable[int]) -> Among:
    """Return hexes with town and units; hexes without either come last."""
    towns, counters = {**pos.setting.towns, **pos.setting.cities}, pos.setting.counters
    among = []
    for hex_ in hexes:
        who = ", ".join(counters[uid].short for uid in pos.stack(hex_))
        among.append((pos.setting.board.labels[hex_], ": ".join(filter(None, (towns.get(hex_, ""), who)))))
    return tuple(sorted(among, key=lambda spot: not spot[1]))


def offer_move(ask: OrderContext, words: Sequence[str], *, key: str) -> tuple[Clause, ...]:
    """3.0-c: return the units that can move in a phase; for a named unit, return the hexes in its reach."""
    first = position(ask.setting, ask.at(edit_draft(ask.draft, (Edit(("orders", key)),)), key))

    def list_ends(uid: str) -> Iterator[tuple[str, str]]:
        before = edit_draft(ask.draft, phrases.remove_orders(ask, key, uid))
        ends = movement.find_reach(position(ask.setting, ask.at(before, key)), uid, count_points(ask, first, uid, key))
        return ((ask.setting.board.labels[there], f"{way.mp} MP") for there, way in ends.items())

    able = [uid for uid in first.units(ask.state.side) if outlook.can_move(first, uid, key)]
    return phrases.offer_moves(words, _name_units(first, able), list_ends, phrases.list_moved(ask, key))


def count_points(ask: OrderContext, first: Position, uid: str, key: str) -> int:
    """6.0-when, 13.0: return a unit's movement points in a phase. ``first``: the position before the phase's moves."""
    comes = key == movement.INITIAL and ask.state.units[uid].place == OFF_MAP
    return outlook.count_first_points(first, uid, comes=comes)


def offer_deployment(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """12.0: return the hexes on or behind the side's line; for a named hex, return the units to place there."""
    setting, pos, side = ask.setting, _find_position(ask, "deployment"), ask.state.side
    if not words or not setting.own_side[side] >> setting.board.index.get(words[0], 10_000) & 1:
        return (Clause("", "hex", PLACE, _name_hexes(pos, bits(setting.own_side[side]))),)
    there = tuple(
        uid for order in list_entries(ask, "deployment") if order["hex"] == words[0] for uid in order["units"]
    )
    stack = [uid for uid in pos.stack(setting.board.index[words[0]]) if uid not in there]
    able = [
        uid for uid in pos.units(side) if uid in setting.start and uid not in stack and pos.can_stack((*stack, uid))
    ]
    text = f"units besides {', '.join(setting.counters[uid].short for uid in stack)}" if stack else "units"
    return (
        Clause(
            "with", text, UNITS, _name_units(pos, able), there, budgets=_count_room(pos, stack, able), needed="with"
        ),
    )


def _count_room(pos: Position, stack: Sequence[str], able: Iterable[str]) -> tuple[Budget, ...]:
    """5.0, 5.0-b: return the number of units that may join a stack, where units are counted singly."""
    setting, known = pos.setting, tuple(able)
    if setting.printed:
        return ()
    large = sum(setting.counters[uid].large for uid in stack)
    prices = {uid: 1 for uid in known if setting.counters[uid].large}
    return (
        Budget("units in the hex", setting.limits["stack"] - len(stack), dict.fromkeys(known, 1)),
        Budget("divisions and corps", setting.limits["stack-large"] - large, prices),
    )


def offer_arrival(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """13.0: return the units that can arrive; for a named unit, return the hexes where it can enter."""
    pos, side = _find_position(ask, air.INTERCEPTION), ask.state.side
    coming = movement.list_reinforcements(ask.setting, pos, side)
    labels = pos.setting.board.labels
    free = {
        uid: [
            hex_
            for hex_ in bits(pos.setting.entry[side])
            if movement.find_entry_fault(pos, side, uid, labels[hex_]) is None
        ]
        for uid in coming
    }
    if not words or words[0] not in free:
        return (Clause("", "unit", UNIT, _name_units(pos, (uid for uid in coming if free[uid]))),)
    chosen = tuple(order["hex"] for order in list_entries(ask, "reinforcements") if order["unit"] == words[0])
    return (Clause("in", "entry hex", PLACE, _name_hexes(pos, free[words[0]]), chosen, needed="in"),)


# Aircraft


def _list_flyers(ask: OrderContext, pos: Position, key: str, known: Any = None) -> list[str]:
    """9.0-d: return aircraft free in ``pos``, without orders except under ``key`` (or except ``known``)."""
    other = [
        order for every in _FLIGHTS for order in list_entries(ask, every) if every != key or (known and order != known)
    ]
    taken = {uid for order in other for uid in (order.get("unit"), order.get("support"), *order.get("aircraft", ()))}
    return [uid for uid in air.list_ready(pos, ask.state.side) if uid not in taken]


def _offer_mission(
    ask: OrderContext, words: Sequence[str], key: str, pos: Position, spots: Iterable[int]
) -> tuple[Clause, ...]:
    """Offer hexes of a mission, then aircraft."""
    near = {uid: air.find_range(pos, uid) for uid in _list_flyers(ask, pos, key)}
    there = {pos.setting.board.labels[hex_]: hex_ for hex_ in spots if any(mask >> hex_ & 1 for mask in near.values())}
    if not words or words[0] not in there:
        notes = (_AFTER,) if key != air.INTERCEPTION and _waits_for_dice(ask) else ()
        return (Clause("", "hex", PLACE, _name_hexes(pos, there.values()), notes=notes),)
    able = [uid for uid, mask in near.items() if mask >> there[words[0]] & 1]
    flying = tuple(order["unit"] for order in list_entries(ask, key) if order["hex"] == words[0])
    return (Clause("with", "aircraft", UNITS, _name_units(pos, able), flying, needed="with"),)


def offer_interception(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """9.0-d5: return the hexes with enemy aircraft to turn back; for a named hex, return the aircraft for this."""
    pos = position(ask.setting, ask.state)
    flown = {label for table in (PATROL, INTERDICTION) for label in pos.state.marks.get(table, {}).values()}
    spots = sorted(pos.setting.board.index[label] for label in flown)
    prey = [hex_ for hex_ in spots if air.find_prey(pos, ask.state.side, hex_)]
    return _offer_mission(ask, words, air.INTERCEPTION, pos, prey)


def offer_patrol(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """9.0-d3: return the hexes with own units; for a named hex, return the aircraft that can patrol it."""
    pos = _find_position(ask, movement.MOTOR)
    return _offer_mission(ask, words, PATROL, pos, () if _waits_for_dice(ask) else bits(pos.occupied[ask.state.side]))


def offer_interdiction(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """9.0-d2: return the hexes without own units and enemy patrols; for a named hex, return the aircraft for it."""
    pos, side = _find_position(ask, movement.MOTOR), ask.state.side
    free = (hex_ for hex_ in bits(pos.setting.board.all & ~pos.occupied[side]) if not air.is_blocked(pos, side, hex_))
    return _offer_mission(ask, words, INTERDICTION, pos, () if _waits_for_dice(ask) else free)


def _waits_for_dice(ask: OrderContext) -> bool:
    """2.0-phases: return whether the phases after combat belong to a later message."""
    return bool(list_entries(ask, BATTLES) or list_entries(ask, raids.RAIDS))


def offer_raid(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """9.0-d4: return the enemy bases, by unit or hex; for a named base, return the aircraft that can attack it."""
    pos = _find_position(ask, movement.INITIAL)
    orders = {order["base"]: order for order in list_entries(ask, raids.RAIDS)}
    reached = {
        base.base: [
            uid
            for uid in _list_flyers(ask, pos, raids.RAIDS, orders.get(base.base, {"base": ""}))
            if uid in base.aircraft
        ]
        for base in outlook.find_raids(pos, ask.state.side)
    }
    meant = [uid for uid in reached if uid in words[:1] or pos.state.units[uid].place in words[:1]]
    if len(meant) != 1:
        return (Clause("", "base", UNIT, _name_units(pos, meant or (uid for uid, able in reached.items() if able))),)
    flying = tuple(orders.get(meant[0], {}).get("aircraft", ()))
    return (Clause("with", "aircraft", UNITS, _name_units(pos, reached[meant[0]]), flying, needed="with"),)


# Attacks and answers


def offer_attack(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """7.0: return the hexes to attack; for a named hex, return attackers, support and parts of a plan."""
    pos, side, labels = _find_position(ask, raids.RAIDS), ask.state.side, ask.setting.board.labels
    orders = {order["hex"]: order for order in list_entries(ask, BATTLES)}
    attacks = {labels[offer.battle.hex]: offer for offer in outlook.find_strong_attacks(pos, side)}
    busy = {uid: order["hex"] for order in orders.values() for uid in order["attackers"]}
    free = {
        label: [uid for uid in outlook.find_attackers(pos, side, offer.battle.hex) if busy.get(uid, label) == label]
        for label, offer in attacks.items()
    }
    if not words or words[0] not in attacks:
        able = (offer.battle.hex for label, offer in attacks.items() if drop_unmatched(pos, free[label]))
        among = tuple(
            (label, f"{who}; by all {hints.tell_odds(attacks[label].odds)}") for label, who in _name_hexes(pos, able)
        )
        return (Clause("", "hex that is attacked", PLACE, among),)
    known: Mapping[str, Any] = orders.get(words[0], {"hex": words[0]})
    return _offer_plan(ask, pos, attacks[words[0]].battle.hex, known, free[words[0]])


def _offer_plan(
    ask: OrderContext, pos: Position, hex_: int, known: Mapping[str, Any], free: Sequence[str]
) -> tuple[Clause, ...]:
    """7.0: return the attackers, support and plan of an attack."""
    side = ask.state.side
    flyers = [uid for uid in _list_flyers(ask, pos, BATTLES, known) if air.is_in_range(pos, uid, hex_)]
    stack = pos.stack(hex_)
    heads = (*WAYS, *(stack if len(stack) > 1 else ()))
    units, near = _name_units(pos, free), _name_units(pos, combat.find_followers(pos, side, 1 << hex_))
    shut = ask.setting.forts[ENEMY[side]] >> hex_ & 1
    chosen = {key: (value,) if isinstance(value, str) else tuple(value) for key, value in known.items()}
    return (
        Clause(
            "with", "attackers", UNITS, units, chosen.get("attackers", tuple(drop_unmatched(pos, free))), needed="with"
        ),
        Clause("support", "close support", UNIT, _name_units(pos, flyers), chosen.get("support", ())),
        Clause(
            "unsupported",
            "if a patrol keeps the aircraft away",
            CHOICE,
            _UNSUPPORTED if flyers else (),
            chosen.get("unsupported", ()),
        ),
        Clause("losses", "pays for an exchange, in this order", ORDER, units, chosen.get("losses", ()), of=("with",)),
        Clause(
            "advance",
            "enters the emptied hex, in this order",
            ORDER,
            () if shut else near,
            chosen.get("advance", ()),
            notes=(_SHUT,) if shut else (),
        ),
        Clause(
            "retreat", "retreat of the defenders", WISHES, _list_ways(pos, [hex_]), chosen.get("retreat", ()), heads
        ),
    )


def _list_ways(pos: Position, hexes: Sequence[int]) -> Among:
    """8.0-ar: return the hexes around ``hexes`` for a retreat."""
    around = pos.setting.board.spread(sum(1 << hex_ for hex_ in {*hexes}))
    return _name_hexes(pos, (hex_ for hex_ in bits(around) if hex_ not in hexes))


def offer_answer(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """8.0, S-58: return what to answer for (attack, hex or all); after this word, return retreats and advances."""
    pos, policy, attacked = position(ask.setting, ask.state), ask.draft.get("policy", {}), _find_attacked(ask)
    if not words or words[0] not in (ALL, *attacked):
        waiting = battles.list_battles(ask.setting, ask.state.agenda) if is_answer(ask) else ()
        odds = {battle.id: f": {hints.tell_waiting(pos, battle, sixths=False)}" for battle in waiting}
        rows = tuple(
            (name, hints.name_place(pos, hex_) + odds.get(name, "")) for name, (hex_, _origins) in attacked.items()
        )
        whole = ((ALL, "all attacks"),) if attacked else ()
        flown = tuple(
            f"{raid.id}: {FROM_THE_AIR}"
            for raid in raids.list_raids(ask.state.agenda)
            if is_answer(ask) and raid.id not in odds
        )
        return (Clause("", "attack", CHOICE if is_answer(ask) else PLACE, (*whole, *rows), notes=flown),)
    name, lines = words[0], ask.setting.forts[ENEMY[ask.state.side]]
    table = policy.get(BATTLES if is_answer(ask) else "hexes", {})
    said = policy if name == ALL else table.get(name, {})
    meant = attacked.values() if name == ALL else [attacked[name]]
    hexes = list(dict.fromkeys(hex_ for hex_, _origins in meant))
    spots = {origin for _hex, origins in meant for origin in origins if not lines >> origin & 1}
    units = combat.find_followers(pos, ask.state.side, sum(1 << origin for origin in spots))
    left = sorted(pos.setting.board.labels[origin] for origin in spots)
    into = tuple(left) if len(left) > 1 and name != ALL else ()
    return (
        Clause(
            "retreat",
            "retreat of your units, and of attackers on AR or BR",
            WISHES,
            _list_ways(pos, hexes),
            tuple(said.get("retreat", ())),
            WAYS,
            needed="answer",
        ),
        Clause(
            "advance",
            "enters a hex left by attackers, in this order",
            ORDER,
            _name_units(pos, units) if left else (),
            tuple(said.get("advance", ())),
            into,
            notes=() if left else (_SHUT,),
            needed="answer",
        ),
    )


def is_answer(ask: OrderContext) -> bool:
    """Return whether the message answers declared attacks. Other messages contain standing answers."""
    return sequence.REPLY in sequence.list_stages(ask.setting)[ask.state.stage].phases


def _find_attacked(ask: OrderContext) -> dict[str, tuple[int, tuple[int, ...]]]:
    """Return attack, or hex adjacent to enemies -> its hex, and hexes of its attackers."""
    pos, side = position(ask.setting, ask.state), ask.state.side
    if is_answer(ask):
        return {
            battle.id: (battle.hex, tuple(pos.where[uid] for uid in battle.attackers))
            for battle in battles.list_battles(ask.setting, ask.state.agenda)
        }
    near = pos.setting.board.near
    return {
        pos.setting.board.labels[hex_]: (hex_, tuple(bits(near[hex_] & pos.enemies(side))))
        for hex_ in bits(pos.occupied[side])
        if near[hex_] & pos.enemies(side)
    }


def offer_share(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """9.0-d4, S-25: return the bases; for a named base, return the patrols not yet assigned to another base."""
    pos, side = position(ask.setting, ask.state), ask.state.side
    own = air.list_air_units(pos, side)
    bases = [declared.base for declared in raids.list_raids(ask.state.agenda)] if is_answer(ask) else own
    patrols = {uid: pos.list_aircraft(PATROL, side, pos.where[uid]) if is_answer(ask) else own for uid in bases}
    if not words or words[0] not in patrols:
        notes = () if any(patrols.values()) else ("none of your patrols is over an attacked base [9.0-d4]",)
        return (
            Clause("", "base", UNIT, _name_units(pos, (uid for uid, uids in patrols.items() if uids)), notes=notes),
        )
    shared = ask.draft.get("policy", {}).get(PATROL, {})
    taken = {uid for base, uids in shared.items() if base != words[0] for uid in uids}
    able = [uid for uid in patrols[words[0]] if uid not in taken]
    return (Clause("with", "patrols", UNITS, _name_units(pos, able), tuple(shared.get(words[0], ())), needed="with"),)
