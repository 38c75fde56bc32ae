"""The words of ``kursk order`` for battles: attackers, leader, support (9.0, 9.2.1), and plans (K-76 to K-78)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel import names
from kursk_pbem.kernel.hexes import phrases, plans
from kursk_pbem.kernel.hexes.phrases import UNIT, list_own
from kursk_pbem.kernel.hexes.plans import label as plans_label
from kursk_pbem.kernel.hexes.policies import BATTLES
from kursk_pbem.kernel.verbs import Edit, OrderContext, list_entries
from kursk_pbem.rulesets.battle_for_kursk import sequence
from kursk_pbem.rulesets.battle_for_kursk.odds import assess, count_results
from kursk_pbem.rulesets.battle_for_kursk.orders import GUARDS, PLAN_KEYS, Battle
from kursk_pbem.rulesets.battle_for_kursk.position import Position, position
from kursk_pbem.rulesets.battle_for_kursk.seen import attack_hints, choices, outlook
from kursk_pbem.rulesets.battle_for_kursk.setting import ENEMY

EXAMPLE = "attack 2015 with 48 pz 3 pz g-52 lead 3 pz support 11 2 ss losses g-52 advance 48 pz"
USAGE = (
    "HEX [with] UNITS|all [lead UNIT support UNITS|all] [losses UNITS] [advance UNITS] [retreat HEX|"
    "toward HEX|away HEX] [as NAME]"
)
_HEADS = ("with", "lead", "support", "as", *PLAN_KEYS)


def name_places(ask: OrderContext) -> dict[str, tuple[str, ...]]:
    """Return the hexes of the map by name: labels and city names."""
    return phrases.name_hexes(ask.setting.board, ask.setting.city_names)


def order_attack(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """9.0, 9.2.1: write a new battle into the draft, or change parts of the battle against this hex."""
    said = names.split_clauses(words, _HEADS)
    said[""] = phrases.by_id(ask, BATTLES, said[""], name_places(ask))
    if "with" not in said and (size := phrases.count_target(said[""], name_places(ask))) < len(said[""]):
        said |= {"": said[""][:size], "with": said[""][size:]}  # 'attack 2015 all'
    pos = position(ask.setting, ask.at(ask.draft, "declaration"))  # without the markers that the draft spends
    hex_ = _find_target(ask, pos, said[""])
    at, known = phrases.find_entry(ask, BATTLES, "hex", hex_)
    battle = _complete(ask, pos, {"id": known.get("id") or _name(ask, hex_), **known, "hex": hex_}, said)
    if not battle.get("attackers"):
        raise UsageError(_describe_choices(ask, pos, hex_))
    ordered = {key: battle[key] for key in ("id", "hex", "attackers", "offensive", *PLAN_KEYS) if battle.get(key)}
    text = _describe_battle(pos, ordered)
    return (phrases.put_entry(BATTLES, at, ordered, text), *(() if at >= 0 else _without_seal(ask)))


def _without_seal(ask: OrderContext) -> tuple[Edit, ...]:
    """12.0-2: remove a proposed seal, because after a declared battle the posture is sealed after the dice."""
    sealed = ask.draft.get("seal", {})
    labels = [label for label in sealed if label.startswith("posture/")]
    if not labels or sequence.SEALED not in sequence.list_stages(ask.setting)[ask.state.stage].phases:
        return ()
    path = ("seal",) if len(sealed) == len(labels) else ("seal", labels[0])
    return (
        Edit(path, said=f"{labels[0]} is removed: seal it in your next message, {attack_hints.tell_when(ask.setting)}"),
    )


def _find_target(ask: OrderContext, pos: Position, words: Sequence[str]) -> str:
    """Return a hex by its number, its city, or its enemy unit."""
    if not words:
        raise UsageError(f"name the target, as in '{EXAMPLE}'")
    foes = phrases.on_map(pos.setting.board, pos.state, phrases.side_units(ask, ENEMY[ask.state.side]))
    return phrases.find_hex(pos.state, words, name_places(ask), foes)


def _name(ask: OrderContext, hex_: str) -> str:
    """Return the id of a battle: the name of the city, or the hex."""
    return phrases.battle_id(ask, BATTLES, (*name_places(ask)[hex_], "")[0], f"b{hex_}")


def _complete(
    ask: OrderContext, pos: Position, battle: dict[str, Any], said: Mapping[str, list[str]]
) -> dict[str, Any]:
    """Return the battle with its clauses."""
    near = pos.setting.board.near[pos.setting.board.index[battle["hex"]]]
    busy = {
        uid: order["id"]
        for order in list_entries(ask, BATTLES)
        if order["id"] != battle["id"]
        for uid in _list_participants(order)
    }
    beside = (uid for uid in sorted(list_own(ask)) if uid in pos.where and near >> pos.where[uid] & 1)
    free = {uid: list_own(ask)[uid] for uid in beside if uid not in busy}
    if "as" in said:
        battle["id"] = "-".join(said["as"]).lower()
    if "with" in said:
        battle["attackers"] = phrases.find_units(said["with"], list_own(ask), free)
    if [] in (said.get("lead"), said.get("support")):  # 'none': a battle without an Offensive
        battle.pop("offensive", None)
    elif "lead" in said or "support" in said:
        battle["offensive"] = _read_offensive(ask, pos, battle, said, busy, free)
    for key in PLAN_KEYS:
        if key in said:
            battle[key] = _read_wishes(ask, battle, key, said[key])
    return battle


def _list_participants(battle: Mapping[str, Any]) -> list[str]:
    return [*battle.get("attackers", ()), *battle.get("offensive", {}).get("support", ())]


def _read_offensive(
    ask: OrderContext,
    pos: Position,
    battle: Mapping[str, Any],
    said: Mapping[str, list[str]],
    busy: Mapping[str, str],
    free: Collection[str],
) -> dict[str, Any]:
    """9.2.1: return leader and supporters; errors list the possible units among the ``free``."""
    held = battle.get("offensive", {})
    lead = held.get("lead", "")
    if "lead" in said:
        front = {uid: list_own(ask)[uid] for uid in battle.get("attackers", ()) if uid in list_own(ask)}
        lead = names.find(" ".join(said["lead"]), list_own(ask), UNIT, front)
    if not lead:
        raise UsageError(f"type the leader, a unit that attacks {battle['hex']}, as in '... lead UNIT support all'")
    target = pos.setting.board.index[battle["hex"]]
    able = {uid: list_own(ask)[uid] for uid in outlook.find_behind(pos, lead, target) if uid not in busy}
    if "support" not in said and not held.get("support"):
        fit = tuple(uid for uid in battle.get("attackers", (lead,)) if uid in free)
        led = outlook.find_supports(pos, Battle("", target, "", fit), busy)
        why = (
            f"fights in {busy[lead]}"
            if lead in busy
            else f"does not attack {battle['hex']}"
            if lead not in battle.get("attackers", (lead,))
            else f"is not adjacent to {battle['hex']}"
            if lead not in fit
            else "is neither armor nor shock"
            if not pos.setting.counters[lead].leads
            else "has no free unit in support"
            if not able
            else "needs an Offensive marker, and no marker is left"
        )
        raise UsageError(
            f"name the support of {lead}, as in '... lead {lead} support all': {phrases.name_units(ask, able)}"
            if lead in (leads := [uid for uid, _support in led if pos.state.tracks[f"offensives-{ask.state.side}"]])
            else f"{lead} cannot lead an Offensive: the unit {why}"
            + (f"; attackers able to lead: {', '.join(leads)}" if leads else "")
        )
    support = phrases.find_units(said["support"], list_own(ask), able) if "support" in said else list(held["support"])
    return {"lead": lead, "support": support}


def _read_wishes(ask: OrderContext, battle: Mapping[str, Any], key: str, words: Sequence[str]) -> list[str]:
    """K-76 to K-78: return a list of wishes from words."""
    if key == "retreat":
        return phrases.read_ways(words, name_places(ask), steps=2)
    known = list_own(ask)
    there = {uid: known[uid] for uid in _list_participants(battle) if uid in known}
    return phrases.read_wishes(_split_guards(words, key), known, there)


def _split_guards(words: Sequence[str], key: str) -> Iterator[tuple[str, str]]:
    """Return the words of '48 pz if-f', each with its ending: ' if-free'."""
    for word in words:
        if word.lower().startswith("if-"):
            guard = names.choose_one(word, GUARDS, f"the condition of an advance ({key})")
            yield guard, f" {guard}"
        else:
            yield word, ""


def _describe_choices(ask: OrderContext, pos: Position, hex_: str) -> str:
    """Describe the units free for an attack on a hex, with odds, for an order without units."""
    if barred := choices.offer_battle(ask, ())[0].notes:
        return barred[0]
    spot, target = attack_hints.place(pos.setting, hex_), pos.setting.board.index[hex_]
    busy = {uid: order["id"] for order in list_entries(ask, BATTLES) for uid in _list_participants(order)}
    attacks = [each for each in outlook.find_attacks(pos, ask.state.side, busy) if each.battle.hex == target]
    if not pos.enemies(ask.state.side) >> target & 1:
        return f"no enemy is in {spot}; 'kursk order attack' alone lists possible targets"
    if not attacks:
        near, where = pos.setting.board.near[target], pos.where
        if taken := [f"{uid} is in {bid}" for uid, bid in busy.items() if uid in where and near >> where[uid] & 1]:
            return f"no unit is free to attack {spot}: {', '.join(taken)}"
        return f"no unit of yours is adjacent to the enemy in {spot}; 'kursk moves --to {hex_}' lists units in reach"
    beside = [attack_hints.describe_unit(pos, uid) for uid in attacks[0].battle.attackers]
    leads = [f"{led.lead} can lead, {', '.join(led.support)} in support" for led, _odds in attacks[0].offensives]
    head = f"name the attackers of {spot}, as in 'attack {hex_} all'; adjacent are"
    return "\n  ".join((head, *beside, f"together {attack_hints.odds_line(attacks[0].odds)}", *leads))


def _describe_battle(pos: Position, order: Mapping[str, Any]) -> str:
    """Return '40 Army in 2015 Oboyan by g-48-pz: 24:8 = 3:1 (in sixths: DR 3, EX 2, DRL 1)', with name and plan."""
    battle = Battle.from_plain(order, pos.setting.board.index)
    foes = pos.enemies(pos.state.side) >> max(battle.hex, 0) & 1
    if not foes or not all(uid in pos.where for uid in battle.participants):
        where, who = attack_hints.place(pos.setting, order["hex"]), ", ".join(battle.participants)
        return f"{battle.id}: {where} by {who}{plans.describe_plan(order, PLAN_KEYS, possible=False)}"
    odds = assess(pos, replace(battle, defender=pos.unit(battle.hex)))
    faces = ", ".join(f"{result} {number}" for result, number in count_results(pos.setting, odds.column).items())
    sixths = f" (in sixths: {faces})" if odds.column else ""
    told = f"{attack_hints.describe_unit(pos, pos.unit(battle.hex))} by {attack_hints.describe_attackers(battle)}"
    plan = plans.describe_plan(order, PLAN_KEYS, possible=bool(odds.column))
    return f"{battle.id}: {told}: {attack_hints.odds_line(odds)}{sixths}{plan}"


def order_plan(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """K-73, K-75: write the plan of a battle in this draft, or a new plan for a battle before its dice."""
    said = names.split_clauses(words, PLAN_KEYS)
    orders = choices.find_planned(ask)
    phases = sequence.list_stages(ask.setting)[ask.state.stage].phases
    if not orders and not any("orders/battles" in phase.reads for phase in phases):
        raise UsageError("no plan is possible: this message declares no battle, and no earlier battle awaits dice")
    if not orders:
        raise UsageError(f"no battle is declared yet: '{EXAMPLE}' declares a battle with a plan")
    known = {bid: (order["hex"], *name_places(ask).get(order["hex"], ())) for bid, order in orders.items()}
    bid = names.find(" ".join(said[""]), known, "battle")
    battle = orders[bid]
    wishes = {key: _read_wishes(ask, battle, key, said[key]) for key in PLAN_KEYS if key in said}
    if not wishes:
        raise UsageError(f"type a part of the plan of {bid}, as in 'plan {bid} losses {battle['attackers'][0]}'")
    own = [order["id"] for order in list_entries(ask, BATTLES)]
    path = ("orders", BATTLES, own.index(bid)) if bid in own else ("seal", plans_label(ask.seq), bid)
    told = {key: f"{bid}: {key} {', '.join(named) or 'none'}" for key, named in wishes.items()}
    return tuple(Edit((*path, key), named, said=told[key]) for key, named in wishes.items())
