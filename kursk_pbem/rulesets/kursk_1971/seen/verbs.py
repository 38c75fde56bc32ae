"""Verbs of ``kursk order``: set-up, moves, missions, attacks with plans, answers.

A verb writes the order of its player, legal or not; the rules check the draft afterwards. Ambiguous words raise an
error that asks for more. Ways and odds come from the search and the arithmetic of the rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel import names
from kursk_pbem.kernel.hexes import phrases, plans, ways
from kursk_pbem.kernel.hexes.phrases import UNIT, list_own
from kursk_pbem.kernel.hexes.policies import BATTLES
from kursk_pbem.kernel.hexes.ways import Move, Way
from kursk_pbem.kernel.orders import Path
from kursk_pbem.kernel.verbs import Edit, OrderContext, Verb, describe_removal, edit_draft, list_entries
from kursk_pbem.rulesets.kursk_1971 import air, battles, combat, movement, raids
from kursk_pbem.rulesets.kursk_1971.answers import ANSWERS
from kursk_pbem.rulesets.kursk_1971.odds import drop_unmatched
from kursk_pbem.rulesets.kursk_1971.orders import ATTACK, PLAN_KEYS, SKIP, Battle
from kursk_pbem.rulesets.kursk_1971.position import INTERDICTION, PATROL, Position, position
from kursk_pbem.rulesets.kursk_1971.seen import choices, hints, outlook
from kursk_pbem.rulesets.kursk_1971.setting import ENEMY, Setting

EXAMPLE = "attack 1823 with gd 11 pz support air 6 losses gd advance 11 pz"
_ATTACK = (
    "HEX [with] UNITS|all [support UNIT] [unsupported attack|skip] [losses UNITS] [advance UNITS] "
    "[retreat HEX|toward HEX|away HEX] [as NAME]"
)
_ANSWER = "[all|ATTACK|HEX] [retreat HEX|toward HEX|away HEX] [advance UNIT [HEX] ...]"
_CONTROL = "an aircraft controls a hex against movement and supply"
_TEXTS = (
    ("deploy", "deployment", "UNITS HEX | HEX with UNITS", "sets up units", "deploy gd 11 pz 1724"),
    ("intercept", air.INTERCEPTION, "HEX with UNITS", "aircraft turn enemies back", "intercept 1823 with air 6"),
    ("reinforce", "reinforcements", "UNIT HEX", "places a reinforcement", "reinforce 10 t 3416"),
    ("move", movement.INITIAL, "UNIT [HEX...] HEX", "moves a unit to the last hex, through the others", "move gd 1823"),
    ("raid", raids.RAIDS, "UNIT|HEX with UNITS", "aircraft attack an enemy base", "raid air 3 with air 5 air 6"),
    ("attack", BATTLES, _ATTACK, "declares an attack, or changes a declared attack", EXAMPLE),
    ("motor", movement.MOTOR, "UNIT [HEX...] HEX", "a motorized unit moves again after combat", "motor gd 1723"),
    ("patrol", PATROL, "HEX with UNITS", "aircraft keep enemy aircraft out of a hex", "patrol orel with air 1"),
    ("interdict", INTERDICTION, "HEX with UNITS", _CONTROL, "interdict 1717 with air 1"),
    ("answer", "", _ANSWER, "how your defenders retreat and advance", "answer retreat away kursk"),
    ("share", "", "UNIT with UNITS", "assigns patrols to a base", "share air 3 with air 4"),
)
"""Name, list of the orders ('' for the policy), usage, text, example; in the order of the sequence of play."""
EXAMPLES = {key: example for _name, key, _usage, _text, example in _TEXTS}
_HEADS = ("with", "support", "unsupported", "as", *PLAN_KEYS)


def list_verbs(_setting: Setting) -> tuple[Verb, ...]:
    """Return the command words of ``kursk order``, in the sequence of play."""
    functions: tuple[tuple[Any, Any], ...] = (
        (_order_deployment, choices.offer_deployment),
        (partial(_order_mission, key=air.INTERCEPTION), choices.offer_interception),
        (_order_arrival, choices.offer_arrival),
        (partial(_order_move, key=movement.INITIAL), partial(choices.offer_move, key=movement.INITIAL)),
        (_order_raid, choices.offer_raid),
        (_order_attack, choices.offer_attack),
        (partial(_order_move, key=movement.MOTOR), partial(choices.offer_move, key=movement.MOTOR)),
        (partial(_order_mission, key=PATROL), choices.offer_patrol),
        (partial(_order_mission, key=INTERDICTION), choices.offer_interdiction),
        (_order_answer, choices.offer_answer),
        (_order_share, choices.offer_share),
    )
    return tuple(
        Verb(name, usage, text, example, write, (f"orders/{key}" if key else "policy",), clauses)
        for (name, key, usage, text, example), (write, clauses) in zip(_TEXTS, functions, strict=True)
    )


def name_places(ask: OrderContext) -> dict[str, tuple[str, ...]]:
    """Return the names of the city or town in each hex of the map, by hex label."""
    return phrases.name_hexes(ask.setting.board, {**ask.setting.towns, **ask.setting.cities})


def _read_ways(ask: OrderContext, words: Sequence[str]) -> list[str]:
    """S-13, S-40: read wishes for retreats of units of either side, units on the map first."""
    units = {uid: others for side in ask.setting.sides for uid, others in phrases.side_units(ask, side).items()}
    return phrases.read_ways(words, name_places(ask), units, first=phrases.on_map(ask.setting.board, ask.state, units))


def _find_hex(ask: OrderContext, words: Sequence[str]) -> str:
    return names.find(" ".join(words), name_places(ask), "hex")


# Set-up, movement


def _order_deployment(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """12.0: remove units from earlier orders and add them here; 'HEX with UNITS' replaces the hex's order."""
    parted, hex_ = names.split_clauses(words, ("with",)), ""
    if "with" not in parted and " ".join(parted[""][1:][-1:]) in names.NOTHING:
        uids = list(names.find_several(words[:-1], list_own(ask), UNIT))
    elif parted[""] and "with" in parted:
        hex_ = _find_hex(ask, parted[""])
        uids = list(names.find_several(parted["with"], list_own(ask), UNIT))
    # 'deploy 1717 15'
    elif words[1:] and words[0] in name_places(ask) and not names.find_last(words[1:], name_places(ask)):
        hex_, uids = words[0], list(names.find_several(words[1:], list_own(ask), UNIT))
    else:
        who, spots = phrases.split_places(words, list_own(ask), name_places(ask), "deploy gd 11 pz 1724")
        uids, hex_ = list(names.find_several(who.split(), list_own(ask), UNIT)), _find_hex(ask, spots)
    before = [order for order in list_entries(ask, "deployment") if order["hex"] == hex_ and "with" in parted]
    kept = [
        {**order, "units": [uid for uid in order["units"] if uid not in uids]}
        for order in list_entries(ask, "deployment")
        if order not in before
    ]
    return (
        Edit(
            ("orders", "deployment"),
            [*(order for order in kept if order["units"]), *([{"hex": hex_, "units": uids}] if uids and hex_ else [])],
            said=f"{phrases.name_units(ask, uids) or 'no other unit'} set up "
            + (f"in {hex_}" if hex_ else "nowhere by this draft")
            + _tell_replaced(ask, [uid for order in before for uid in order["units"]], uids),
        ),
    )


def _tell_replaced(ask: OrderContext, there: Sequence[str], now: Sequence[str]) -> str:
    return f", in place of {phrases.name_units(ask, there)}" if {*there}.difference(now) else ""


def _order_arrival(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    who, spots = phrases.split_places(words, list_own(ask), name_places(ask), "reinforce 10 t 3416")
    coming = movement.list_reinforcements(ask.setting, position(ask.setting, ask.state), ask.state.side)
    if not coming:
        raise UsageError("no reinforcement of yours can come now; 'kursk tables --track' lists arrivals")
    uid = names.find(who, list_own(ask), UNIT, {arriving: list_own(ask)[arriving] for arriving in coming})
    hex_ = _find_hex(ask, spots)
    said = f"{phrases.name_units(ask, [uid])} arrives in {hex_}"
    return phrases.replace_order(ask, "reinforcements", {"unit": uid, "hex": hex_}, said)


def _order_move(ask: OrderContext, words: Sequence[str], *, key: str) -> tuple[Edit, ...]:
    """3.0-c: order a move, in place of the unit's move in this phase."""
    who, spots = phrases.split_places(words, list_own(ask), name_places(ask), EXAMPLES[key])
    uid = names.find(who, list_own(ask), UNIT, phrases.on_map(ask.setting.board, ask.state, list_own(ask)))
    without = phrases.remove_orders(ask, key, uid), (Edit(("orders", key)),)  # this unit's moves, or all moves
    pos, first = (position(ask.setting, ask.at(edit_draft(ask.draft, edits), key)) for edits in without)
    order = phrases.make_move(uid, spots)
    said = f"{phrases.name_units(ask, [uid])} to {hints.name_place(pos, pos.setting.board.index[spots[-1]])}"
    if uid in pos.where:
        points = choices.count_points(ask, first, uid, key)
        way = ways.find_way(pos.setting.board, movement.make_march(pos, uid, points), Move.from_plain(order, ()))
        if isinstance(way, Way):
            path = " ".join(pos.setting.board.labels[hex_] for hex_ in way.path)
            said += f": {path}, {way.mp} of {points} MP"
    return phrases.replace_order(ask, key, order, said)


# Aircraft


def _order_mission(ask: OrderContext, words: Sequence[str], *, key: str) -> tuple[Edit, ...]:
    """9.0-d: order these aircraft over a hex, in place of earlier orders."""
    said = _split_clauses(words, name_places(ask))
    hex_ = _find_hex(ask, said[""]) if said[""] else ""
    there = [order["unit"] for order in list_entries(ask, key) if order["hex"] == hex_]
    if not hex_ or not (said.get("with") or ("with" in said and there)):
        raise UsageError(f"type a hex and aircraft, as in '{EXAMPLES[key]}'")
    flyers = _find_flyers(ask, said["with"])
    orders = [order for order in list_entries(ask, key) if order["unit"] not in (*there, *flyers)]
    orders += [{"unit": uid, "hex": hex_} for uid in flyers]
    left = [order["hex"] for order in list_entries(ask, key) if order["unit"] in flyers and order["hex"] != hex_]
    told = f"{EXAMPLES[key].split()[0]} {hex_}: "
    told += phrases.name_units(ask, flyers) or "nobody"
    told += _tell_replaced(ask, there, flyers)
    return (Edit(("orders", key), orders, said=told + (f", no longer {', '.join(left)}" if left else "")),)


def _split_clauses(words: Sequence[str], known: names.Known) -> dict[str, list[str]]:
    """Split words at 'with'; 'patrol 1724 air 6' and 'patrol air 6 1724' work without."""
    said = names.split_clauses(words, ("with",))
    if "with" in said or len(said[""]) < 2:
        return said
    size = phrases.count_target(said[""], known)
    if size < len(said[""]):
        return {"": said[""][:size], "with": said[""][size:]}
    spot = names.find_last(said[""], known)[-1:]
    units = len(said[""]) - names.count_words(spot)
    return {"": said[""][units:], "with": said[""][:units]} if spot and units else said


def _list_air_units(ask: OrderContext) -> dict[str, tuple[str, ...]]:
    return {uid: others for uid, others in list_own(ask).items() if ask.setting.counters[uid].air}


def _find_flyers(ask: OrderContext, words: Sequence[str]) -> tuple[str, ...]:
    return names.find_several(words, list_own(ask), "air unit of yours", _list_air_units(ask))


def _order_raid(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """9.0-d4: order an attack on a base, by name or hex, in place of an earlier order."""
    foes = phrases.side_units(ask, ENEMY[ask.state.side]).items()
    bases = {uid: (*others, ask.state.units[uid].place) for uid, others in foes if ask.setting.counters[uid].air}
    said = _split_clauses(words, bases)
    base = names.find(" ".join(said[""]), bases, "enemy air unit") if said[""] else ""
    at, known = phrases.find_entry(ask, raids.RAIDS, "base", base)
    if known and " ".join(said.get("with", "-")) in ("", *names.NOTHING):
        return (Edit(("orders", raids.RAIDS, at), said=f"{known['id']} is taken out: base of {base}"),)
    if not base or not said.get("with"):
        raise UsageError("type a base and aircraft, as in 'raid air 3 with air 5 air 6'")
    name = known.get("id") or next(
        f"r{n}" for n in range(1, 999) if not phrases.find_entry(ask, raids.RAIDS, "id", f"r{n}")[1]
    )
    flyers = list(_find_flyers(ask, said["with"]))
    text = f"{name}: base of {base} by {phrases.name_units(ask, flyers)}"
    return (phrases.put_entry(raids.RAIDS, at, {"id": name, "base": base, "aircraft": flyers}, text),)


# Attacks


def _order_attack(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """7.0: order an attack, or replace clauses of an attack on this hex."""
    said = names.split_clauses(words, _HEADS)
    said[""] = phrases.by_id(ask, BATTLES, said[""], name_places(ask))
    if "with" not in said and (size := phrases.count_target(said[""], name_places(ask))) < len(said[""]):
        said |= {"": said[""][:size], "with": said[""][size:]}  # 'attack 1823 gd 11 pz', 'attack 22 g all'
    pos = position(ask.setting, ask.at(ask.draft, "superiority"))
    hex_ = _find_target(ask, pos, said[""])
    at, known = phrases.find_entry(ask, BATTLES, "hex", hex_)
    name = known.get("id") or phrases.battle_id(ask, BATTLES, (*name_places(ask)[hex_], "")[0], f"b{hex_}")
    order = _apply_clauses(ask, pos, {"id": name, **known, "hex": hex_}, said)
    if not order.get("attackers"):
        orders = list_entries(ask, BATTLES) if phrases.means_all(said.get("with", ())) else ()
        raise UsageError(
            _ask_attackers(pos, hex_, {uid: other["id"] for other in orders for uid in other["attackers"]})
        )
    keys = ("id", "hex", "attackers", "support", "unsupported", *PLAN_KEYS)
    ordered = {key: order[key] for key in keys if order.get(key)}
    return (phrases.put_entry(BATTLES, at, ordered, _tell_order(pos, ordered)),)


def _find_target(ask: OrderContext, pos: Position, words: Sequence[str]) -> str:
    """Return a hex by number, town, or enemy unit."""
    if not words:
        raise UsageError(f"name the target, as in '{EXAMPLE}'")
    foes = phrases.on_map(pos.setting.board, pos.state, phrases.side_units(ask, ENEMY[ask.state.side]))
    known, spots = {**name_places(ask), **foes}, names.count_words(names.find_last(words, name_places(ask)))
    if names.match(" ".join(words), known) or not words[1:]:
        try:
            return phrases.find_hex(pos.state, words, name_places(ask), foes)
        except UsageError as error:
            more = "" if names.match(" ".join(words), known) else f"; {_describe_targets(pos)}"
            raise UsageError(f"{error.message}{more}") from None
    stands = "write the target first, then the units"
    if spots:
        raise UsageError(f"{stands}: {' '.join(('attack', *words[-spots:], 'with', *words[:-spots]))!a}")
    raise UsageError(f"there is no hex or enemy unit {' '.join(words)!a}; {stands}, as in '{EXAMPLE}'")


def _apply_clauses(
    ask: OrderContext, pos: Position, order: dict[str, Any], said: Mapping[str, list[str]]
) -> dict[str, Any]:
    """Return the attack changed by the typed clauses."""
    target, side = pos.setting.board.index[order["hex"]], ask.state.side
    everybody, foes = phrases.means_all(said.get("with", ())), pos.enemies(side) >> target & 1
    busy = {uid for attack in list_entries(ask, BATTLES) if attack["id"] != order["id"] for uid in attack["attackers"]}
    able = {
        uid: others
        for uid, others in list_own(ask).items()
        if uid not in busy and (foes or not everybody) and battles.find_attacker_fault(pos, side, uid, target) is None
    }
    if "as" in said:
        order["id"] = "-".join(said["as"]).lower()
    if "with" in said:
        meant = drop_unmatched(pos, able) if everybody else able
        order["attackers"] = phrases.find_units(said["with"], list_own(ask), {uid: able[uid] for uid in meant})
    if "support" in said:  # 'none' removes the support
        order["support"] = (*_find_flyers(ask, said["support"]), "")[0]
    if "unsupported" in said:
        which = " ".join(said["unsupported"])
        order["unsupported"] = names.choose_one(which, (ATTACK, SKIP), "unsupported") if which else ""
    attackers = order.get("attackers", ())
    for key, who in (("losses", attackers), ("advance", (*attackers, *combat.find_followers(pos, side, 1 << target)))):
        if key in said:
            there = {uid: others for uid, others in list_own(ask).items() if uid in who}
            order[key] = list(names.find_several(said[key], list_own(ask), UNIT, there))
    if "retreat" in said:
        order["retreat"] = _read_ways(ask, said["retreat"])
    return order


def _ask_attackers(pos: Position, hex_: str, busy: Mapping[str, str]) -> str:
    """Return the question for attackers, with possible units and odds; ``busy``: unit -> other attack."""
    spot = hints.name_place(pos, target := pos.setting.board.index[hex_])
    attacks = [attack for attack in outlook.find_strong_attacks(pos, pos.state.side) if attack.battle.hex == target]
    if not attacks:
        return _explain_none(pos, target)
    if busy:
        near = attacks[0].battle.attackers
        who = (f"{uid} {f'attacks in {busy[uid]}' if uid in busy else 'has no partner left'}" for uid in near)
        return f"no unit is free to attack {spot}: {', '.join(who)}"
    able = "; ".join(hints.name_unit(pos, uid) for uid in attacks[0].battle.attackers)
    return (
        f"name attackers of {spot}, as in 'attack {hex_} with all': {able}; together {hints.tell_odds(attacks[0].odds)}"
    )


def _explain_none(pos: Position, target: int) -> str:
    """7.0-a, 7.0-d, 7.0-e: return why no unit can attack a hex, and the possible targets."""
    side, label, spot = pos.state.side, pos.setting.board.labels[target], hints.name_place(pos, target)
    alone, near = outlook.find_attackers(pos, side, target), pos.setting.board.near[target] & pos.occupied[side]
    reasons = {
        f"{spot} contains no enemy": not pos.enemies(side) >> target & 1,
        f"{', '.join(drop_unmatched(pos, alone))} near {spot}: no strength to attack": bool(drop_unmatched(pos, alone)),
        f"{', '.join(alone)} cannot attack {spot} without a regular unit from the same hex": bool(alone),
        f"your units adjacent to {spot} can only defend": bool(near),
        f"none of your units is adjacent to {spot}; 'kursk moves --to {label}' lists units that can get there": True,
    }
    return f"{next(reason for reason, holds in reasons.items() if holds)}; {_describe_targets(pos)}"


def _describe_targets(pos: Position) -> str:
    able = [pos.setting.board.labels[attack.battle.hex] for attack in outlook.find_strong_attacks(pos, pos.state.side)]
    return f"you can attack {', '.join(able)}" if able else "no hex can be attacked now"


def _tell_order(pos: Position, order: Mapping[str, Any]) -> str:
    """Return 'b1823: 1823 by g-gd, g-11pz: 11:3 = 3:1 (in sixths: AR 1, BR 3, DR 1, EX 1); advance g-gd'."""
    battle = Battle.from_plain(order, pos.setting.board.index)
    known = pos.enemies(pos.state.side) >> battle.hex & 1 and all(uid in pos.where for uid in battle.attackers)
    text = f"{battle.id}: {hints.name_place(pos, battle.hex)} by {', '.join(battle.attackers)}"
    possible = bool(known and not hints.is_skipped(pos, battle))
    odds = f": {hints.tell_waiting(pos, battle)}" * known
    return text + odds + plans.describe_plan(order, PLAN_KEYS, possible=possible)


# Answers


def _order_answer(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """S-58: answer an attack, a hex, or all attacks."""
    said = names.split_clauses(words, ANSWERS)
    named = " ".join(said[""])
    waiting = {battle["id"]: (battle["hex"],) for battle in ask.state.agenda.get(BATTLES, ()) if choices.is_answer(ask)}
    flown = named not in waiting and named in [raid.id for raid in raids.list_raids(ask.state.agenda)]
    if flown or len(said) < 2:
        raise UsageError(
            f"{named}: {choices.FROM_THE_AIR}"
            if flown
            else "add a retreat or an advance, as in 'answer retreat away kursk'"
        )
    path: Path = ("policy",)
    about = "all attacks"
    if said[""] and not phrases.means_all(said[""]):
        about = names.find(
            named, {**name_places(ask), **waiting}, "ground attack or hex" if waiting else "hex", waiting
        )
        path = ("policy", BATTLES if about in waiting else "hexes", about)
    reads = {"retreat": _read_ways, "advance": _read_followers}
    return tuple(
        Edit(
            (*path, key),
            value or None,
            said=f"{about}: {key} {', '.join(value) or describe_removal(ask, (*path, key))}",
        )
        for key, value in ((key, reads[key](ask, said[key])) for key in ANSWERS if key in said)
    )


def _read_followers(ask: OrderContext, words: Sequence[str]) -> list[str]:
    """Read '6 g 1724 10 t' as wishes for advances: units, each with an optional hex."""
    meant: list[str] = []
    left = list(words)
    while left:
        at = next((number for number, word in enumerate(left) if word in ask.setting.board.index), len(left))
        meant += names.find_several(left[: at or 1], list_own(ask), UNIT)
        meant[-1] = " ".join((meant[-1], *left[at : at + 1]))
        left = left[at + 1 :]
    return meant


def _order_share(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    said = _split_clauses(words, _list_air_units(ask))
    if not said[""] or "with" not in said:
        raise UsageError("type a base and patrols, as in 'share air 3 with air 4'")
    (base,) = _find_flyers(ask, said[""])[:1]
    flyers = list(_find_flyers(ask, said["with"]))
    gone = _tell_replaced(ask, ask.draft.get("policy", {}).get(PATROL, {}).get(base, ()), flyers)
    told = f"{phrases.name_units(ask, flyers) or 'no share is filed'} for the base of {base}{gone}"
    return (Edit(("policy", PATROL, base), flyers or None, said=told),)
