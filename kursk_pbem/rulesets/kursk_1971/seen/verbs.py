"""The words of ``kursk order``: set-up, moves, missions, attacks with their plans, answers.

A word writes what its player said, legal or not: the draft is checked behind it by the rules. It asks back where it
would have to guess. Ways and odds that it tells come from the search and the arithmetic that also decide.
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
from kursk_pbem.kernel.state import OFF_MAP
from kursk_pbem.kernel.verbs import Edit, OrderContext, Verb, describe_removal, edit_draft, list_entries
from kursk_pbem.rulesets.kursk_1971 import air, battles, combat, movement, raids
from kursk_pbem.rulesets.kursk_1971.answers import ANSWERS
from kursk_pbem.rulesets.kursk_1971.odds import together
from kursk_pbem.rulesets.kursk_1971.orders import ATTACK, PLAN_KEYS, SKIP, Battle
from kursk_pbem.rulesets.kursk_1971.position import INTERDICTION, PATROL, Position, position
from kursk_pbem.rulesets.kursk_1971.seen import choices, hints, outlook
from kursk_pbem.rulesets.kursk_1971.setting import ENEMY, Setting

EXAMPLE = "attack 1823 with gd 11 pz support air 6 losses gd advance 11 pz"
EXAMPLES = {
    air.INTERCEPTION: "intercept 1823 with air 6",
    movement.INITIAL: "move gd 1823",
    movement.MOTOR: "motor gd 1723",
    PATROL: "patrol orel with air 1",
    INTERDICTION: "interdict 1717 with air 1",
}
"""An example of each of these kinds of orders."""
_HEADS = ("with", "support", "unsupported", "as", *PLAN_KEYS)


def verbs(_setting: Setting) -> tuple[Verb, ...]:
    """Every word, in the order of the sequence of play."""
    return (
        Verb(
            "deploy",
            "UNITS HEX | HEX with UNITS",
            "where units are set up",
            "deploy gd 11 pz 1724",
            _deploy,
            ("orders/deployment",),
            choices.deploy,
        ),
        Verb(
            "intercept",
            "HEX with UNITS",
            "aircraft turn enemies back",
            EXAMPLES[air.INTERCEPTION],
            partial(_mission, key=air.INTERCEPTION),
            ("orders/interception",),
            choices.intercept,
        ),
        Verb(
            "reinforce",
            "UNIT HEX",
            "where a reinforcement appears",
            "reinforce 10 t 3416",
            _reinforce,
            ("orders/reinforcements",),
            choices.reinforce,
        ),
        Verb(
            "move",
            "UNIT [HEX...] HEX",
            "a unit goes to the last hex by way of the others",
            EXAMPLES[movement.INITIAL],
            partial(_go, key=movement.INITIAL),
            ("orders/movement",),
        ),
        Verb(
            "raid",
            "UNIT|HEX with UNITS",
            "aircraft attack an enemy base",
            "raid air 3 with air 5 air 6",
            _raid,
            ("orders/superiority",),
            choices.raid,
        ),
        Verb(
            "attack",
            "HEX [with] UNITS|all [support UNIT] [unsupported attack|skip] [losses UNITS] [advance UNITS] "
            "[retreat HEX|toward HEX|away HEX] [as NAME]",
            "an attack, or more about one that is declared",
            EXAMPLE,
            _attack,
            ("orders/battles",),
            choices.attack,
        ),
        Verb(
            "motor",
            "UNIT [HEX...] HEX",
            "a motorized unit goes on after combat",
            EXAMPLES[movement.MOTOR],
            partial(_go, key=movement.MOTOR),
            ("orders/motorized",),
        ),
        Verb(
            "patrol",
            "HEX with UNITS",
            "aircraft keep enemy aircraft out of a hex",
            EXAMPLES[PATROL],
            partial(_mission, key=PATROL),
            ("orders/patrol",),
            choices.patrol,
        ),
        Verb(
            "interdict",
            "HEX with UNITS",
            "an aircraft controls a hex against movement and supply",
            EXAMPLES[INTERDICTION],
            partial(_mission, key=INTERDICTION),
            ("orders/interdiction",),
            choices.interdict,
        ),
        Verb(
            "answer",
            "[all|ATTACK|HEX] [retreat HEX|toward HEX|away HEX] [advance UNIT [HEX] ...]",
            "what your defenders do",
            "answer retreat away kursk",
            _answer,
            ("policy",),
            choices.answer,
        ),
        Verb(
            "share",
            "UNIT with UNITS",
            "which patrols defend a base",
            "share air 3 with air 4",
            _share,
            ("policy",),
            choices.share,
        ),
    )


def places(ask: OrderContext) -> dict[str, tuple[str, ...]]:
    """The hexes of the map, with the names of cities and towns."""
    return phrases.name_hexes(ask.setting.board, {**ask.setting.towns, **ask.setting.cities})


def _ways(ask: OrderContext, words: Sequence[str]) -> list[str]:
    """S-13, S-40: wishes for retreats, of units of either side, those on the map first."""
    units = {uid: others for side in ask.setting.sides for uid, others in phrases.side_units(ask, side).items()}
    return phrases.read_ways(words, places(ask), units, first=phrases.on_map(ask.setting.board, ask.state, units))


def _spot(ask: OrderContext, words: Sequence[str]) -> str:
    return names.find(" ".join(words), places(ask), "hex")


# Set-up, movement


def _deploy(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """12.0: units leave the orders in which they stood; with 'HEX with UNITS' whoever else was ordered there, too."""
    parted, hex_ = names.split_clauses(words, ("with",)), ""
    if "with" not in parted and " ".join(parted[""][1:][-1:]) in names.NOTHING:
        uids = list(names.find_several(words[:-1], list_own(ask), UNIT))
    elif parted[""] and "with" in parted:
        hex_ = _spot(ask, parted[""])
        uids = list(names.find_several(parted["with"], list_own(ask), UNIT))
    elif words[1:] and words[0] in places(ask) and not names.find_last(words[1:], places(ask)):  # 'deploy 1717 15'
        hex_, uids = words[0], list(names.find_several(words[1:], list_own(ask), UNIT))
    else:
        who, spots = phrases.split_places(words, list_own(ask), places(ask), "deploy gd 11 pz 1724")
        uids, hex_ = list(names.find_several(who.split(), list_own(ask), UNIT)), _spot(ask, spots)
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
            said=f"{phrases.name_units(ask, uids) or 'nobody else'} set up "
            + (f"in {hex_}" if hex_ else "nowhere by this draft")
            + _instead(ask, [uid for order in before for uid in order["units"]], uids),
        ),
    )


def _instead(ask: OrderContext, there: Sequence[str], now: Sequence[str]) -> str:
    return f", in place of {phrases.name_units(ask, there)}" if {*there}.difference(now) else ""


def _reinforce(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """13.0."""
    who, spots = phrases.split_places(words, list_own(ask), places(ask), "reinforce 10 t 3416")
    coming = movement.waiting(ask.setting, position(ask.setting, ask.state), ask.state.side)
    if not coming:
        raise UsageError("no reinforcement of yours can come now; 'kursk tables --track' says when some come")
    uid = names.find(who, list_own(ask), UNIT, {arriving: list_own(ask)[arriving] for arriving in coming})
    hex_ = _spot(ask, spots)
    said = f"{phrases.name_units(ask, [uid])} arrives in {hex_}"
    return phrases.replace_order(ask, "reinforcements", {"unit": uid, "hex": hex_}, said)


def _go(ask: OrderContext, words: Sequence[str], *, key: str) -> tuple[Edit, ...]:
    """3.0-c: a move, in place of the one that the unit had in this phase."""
    who, spots = phrases.split_places(words, list_own(ask), places(ask), EXAMPLES[key])
    uid = names.find(who, list_own(ask), UNIT, phrases.on_map(ask.setting.board, ask.state, list_own(ask)))
    without = phrases.remove_orders(ask, key, uid), (Edit(("orders", key)),)  # the others' moves, and nobody's
    pos, first = (position(ask.setting, ask.at(edit_draft(ask.draft, edits), key)) for edits in without)
    order = phrases.make_move(uid, spots)
    said = f"{phrases.name_units(ask, [uid])} to {hints.place(pos, pos.setting.board.index[spots[-1]])}"
    if uid in pos.where:
        comes = key == movement.INITIAL and ask.state.units[uid].place == OFF_MAP
        points = outlook.started(first, uid, comes=comes)
        way = ways.find_way(pos.setting.board, movement.march(pos, uid, points), Move.from_plain(order, ()))
        if isinstance(way, Way):
            path = " ".join(pos.setting.board.labels[hex_] for hex_ in way.path)
            said += f": {path}, {way.mp} of {points} MP"
    return phrases.replace_order(ask, key, order, said)


# Aircraft


def _mission(ask: OrderContext, words: Sequence[str], *, key: str) -> tuple[Edit, ...]:
    """9.0-d: the aircraft over a hex are these, in place of those ordered there, and of what they were ordered to."""
    said = _apart(words, places(ask))
    hex_ = _spot(ask, said[""]) if said[""] else ""
    there = [order["unit"] for order in list_entries(ask, key) if order["hex"] == hex_]
    if not hex_ or not (said.get("with") or ("with" in said and there)):
        raise UsageError(f"say where and who, as in '{EXAMPLES[key]}'")
    flyers = _flyers(ask, said["with"])
    orders = [order for order in list_entries(ask, key) if order["unit"] not in (*there, *flyers)]
    orders += [{"unit": uid, "hex": hex_} for uid in flyers]
    left = [order["hex"] for order in list_entries(ask, key) if order["unit"] in flyers and order["hex"] != hex_]
    told = f"{EXAMPLES[key].split()[0]} {hex_}: "
    told += phrases.name_units(ask, flyers) or "nobody"
    told += _instead(ask, there, flyers)
    return (Edit(("orders", key), orders, said=told + (f", no longer {', '.join(left)}" if left else "")),)


def _apart(words: Sequence[str], known: names.Known) -> dict[str, list[str]]:
    """What stands before 'with' and behind it; 'patrol 1724 air 6' and 'patrol air 6 1724' do without."""
    said = names.split_clauses(words, ("with",))
    if "with" in said or len(said[""]) < 2:
        return said
    size = phrases.count_target(said[""], known)
    if size < len(said[""]):
        return {"": said[""][:size], "with": said[""][size:]}
    spot = names.find_last(said[""], known)[-1:]
    units = len(said[""]) - names.count_words(spot)
    return {"": said[""][units:], "with": said[""][:units]} if spot and units else said


def _air(ask: OrderContext) -> dict[str, tuple[str, ...]]:
    return {uid: others for uid, others in list_own(ask).items() if ask.setting.counters[uid].air}


def _flyers(ask: OrderContext, words: Sequence[str]) -> tuple[str, ...]:
    return names.find_several(words, list_own(ask), "air unit of yours", _air(ask))


def _raid(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """9.0-d4: an attack on a base, by its name or its hex, in place of the one that is ordered on it."""
    foes = phrases.side_units(ask, ENEMY[ask.state.side]).items()
    bases = {uid: (*others, ask.state.units[uid].place) for uid, others in foes if ask.setting.counters[uid].air}
    said = _apart(words, bases)
    base = names.find(" ".join(said[""]), bases, "enemy air unit") if said[""] else ""
    at, known = phrases.find_entry(ask, raids.RAIDS, "base", base)
    if known and " ".join(said.get("with", "-")) in ("", *names.NOTHING):
        return (Edit(("orders", raids.RAIDS, at), said=f"{known['id']} is taken out: base of {base}"),)
    if not base or not said.get("with"):
        raise UsageError("say which base and who, as in 'raid air 3 with air 5 air 6'")
    name = known.get("id") or next(
        f"r{n}" for n in range(1, 999) if not phrases.find_entry(ask, raids.RAIDS, "id", f"r{n}")[1]
    )
    flyers = list(_flyers(ask, said["with"]))
    text = f"{name}: base of {base} by {phrases.name_units(ask, flyers)}"
    return (phrases.put_entry(raids.RAIDS, at, {"id": name, "base": base, "aircraft": flyers}, text),)


# Attacks


def _attack(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """7.0: a new attack, or clauses in place of those of the attack that is declared on this hex."""
    said = names.split_clauses(words, _HEADS)
    said[""] = phrases.by_id(ask, BATTLES, said[""], places(ask))
    if "with" not in said and (size := phrases.count_target(said[""], places(ask))) < len(said[""]):
        said |= {"": said[""][:size], "with": said[""][size:]}  # 'attack 1823 gd 11 pz'
    elif "with" not in said and phrases.means_all(said[""][-1:]) and said[""][1:]:
        said |= {"": said[""][:-1], "with": said[""][-1:]}  # 'attack 22 g all'
    pos = position(ask.setting, ask.at(ask.draft, "superiority"))
    hex_ = _target(ask, pos, said[""])
    at, known = phrases.find_entry(ask, BATTLES, "hex", hex_)
    name = known.get("id") or phrases.battle_id(ask, BATTLES, (*places(ask)[hex_], "")[0], f"b{hex_}")
    order = _clauses(ask, pos, {"id": name, **known, "hex": hex_}, said)
    if not order.get("attackers"):
        orders = list_entries(ask, BATTLES) if phrases.means_all(said.get("with", ())) else ()
        raise UsageError(_who(pos, hex_, {uid: other["id"] for other in orders for uid in other["attackers"]}))
    keys = ("id", "hex", "attackers", "support", "unsupported", *PLAN_KEYS)
    ordered = {key: order[key] for key in keys if order.get(key)}
    return (phrases.put_entry(BATTLES, at, ordered, _reckoned(pos, ordered) + plans.describe_plan(ordered, PLAN_KEYS)),)


def _target(ask: OrderContext, pos: Position, words: Sequence[str]) -> str:
    """A hex by its number, its town, or an enemy in it."""
    if not words:
        raise UsageError(f"say what is attacked, as in '{EXAMPLE}'")
    foes = phrases.on_map(pos.setting.board, pos.state, phrases.side_units(ask, ENEMY[ask.state.side]))
    known, spots = {**places(ask), **foes}, names.count_words(names.find_last(words, places(ask)))
    if names.match(" ".join(words), known) or not words[1:]:
        try:
            return phrases.find_hex(pos.state, words, places(ask), foes)
        except UsageError as error:
            more = "" if names.match(" ".join(words), known) else f"; {_attacked(pos)}"
            raise UsageError(f"{error.message}{more}") from None
    stands = "what is attacked stands before the units"
    if spots:
        raise UsageError(f"{stands}: {' '.join(('attack', *words[-spots:], 'with', *words[:-spots]))!a}")
    raise UsageError(f"there is no hex or enemy unit {' '.join(words)!a}; {stands}, as in '{EXAMPLE}'")


def _clauses(ask: OrderContext, pos: Position, order: dict[str, Any], said: Mapping[str, list[str]]) -> dict[str, Any]:
    """The attack with what its clauses say."""
    target, side = pos.setting.board.index[order["hex"]], ask.state.side
    everybody, foes = phrases.means_all(said.get("with", ())), pos.enemies(side) >> target & 1
    busy = {uid for attack in list_entries(ask, BATTLES) if attack["id"] != order["id"] for uid in attack["attackers"]}
    able = {
        uid: others
        for uid, others in list_own(ask).items()
        if uid not in busy and (foes or not everybody) and battles.attacker_slip(pos, side, uid, target) is None
    }
    if "as" in said:
        order["id"] = "-".join(said["as"]).lower()
    if "with" in said:
        meant = together(pos, able) if everybody else able
        order["attackers"] = phrases.find_units(said["with"], list_own(ask), {uid: able[uid] for uid in meant})
    if "support" in said:  # 'none' takes back what stands there
        order["support"] = (*_flyers(ask, said["support"]), "")[0]
    if "unsupported" in said:
        which = " ".join(said["unsupported"])
        order["unsupported"] = names.choose_one(which, (ATTACK, SKIP), "unsupported") if which else ""
    attackers = order.get("attackers", ())
    for key, who in (("losses", attackers), ("advance", (*attackers, *combat.followers(pos, side, 1 << target)))):
        if key in said:
            there = {uid: others for uid, others in list_own(ask).items() if uid in who}
            order[key] = list(names.find_several(said[key], list_own(ask), UNIT, there))
    if "retreat" in said:
        order["retreat"] = _ways(ask, said["retreat"])
    return order


def _who(pos: Position, hex_: str, busy: Mapping[str, str]) -> str:
    """Who could attack a hex, and at which odds, for a player who has not said; of all who are ``busy``: where."""
    spot = hints.place(pos, target := pos.setting.board.index[hex_])
    attacks = [attack for attack in outlook.strong(pos, pos.state.side) if attack.battle.hex == target]
    if not attacks:
        return _nobody(pos, target)
    if busy:
        near = attacks[0].battle.attackers
        who = (f"{uid} {f'attacks in {busy[uid]}' if uid in busy else 'has no partner left'}" for uid in near)
        return f"nobody is free to attack {spot}: {', '.join(who)}"
    able = "; ".join(hints.named(pos, uid) for uid in attacks[0].battle.attackers)
    return (
        f"say who attacks {spot}, as in 'attack {hex_} with all': {able}; together {hints.odds_line(attacks[0].odds)}"
    )


def _nobody(pos: Position, target: int) -> str:
    """7.0-a, 7.0-d, 7.0-e: why nobody can attack a hex, and which hexes can be attacked."""
    side, label, spot = pos.state.side, pos.setting.board.labels[target], hints.place(pos, target)
    alone, near = outlook.beside(pos, side, target), pos.setting.board.near[target] & pos.occupied[side]
    reasons = {
        f"no enemy stands in {spot}": not pos.enemies(side) >> target & 1,
        f"{', '.join(together(pos, alone))} beside {spot}: no strength to attack with": bool(together(pos, alone)),
        f"{', '.join(alone)} cannot attack {spot} without a regular unit from the same hex": bool(alone),
        f"whoever of yours stands beside {spot} may only defend": bool(near),
        f"nobody of yours stands beside {spot}; 'kursk moves --to {label}' says who can get there": True,
    }
    return f"{next(reason for reason, holds in reasons.items() if holds)}; {_attacked(pos)}"


def _attacked(pos: Position) -> str:
    able = [pos.setting.board.labels[attack.battle.hex] for attack in outlook.strong(pos, pos.state.side)]
    return f"attackers of yours stand beside {', '.join(able)}" if able else "no hex can be attacked now"


def _reckoned(pos: Position, order: Mapping[str, Any]) -> str:
    """'b1823: 1823 by g-gd, g-11pz: 11:3 = 3:1 (in sixths: AR 1, BR 3, DR 1, EX 1)'."""
    battle = Battle.from_plain(order, pos.setting.board.index)
    known = pos.enemies(pos.state.side) >> battle.hex & 1 and all(uid in pos.where for uid in battle.attackers)
    text = f"{battle.id}: {hints.place(pos, battle.hex)} by {', '.join(battle.attackers)}"
    return f"{text}: {hints.told(pos, battle)}" if known else text


# Answers


def _answer(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """S-58: for an attack, for a hex, or for all."""
    said = names.split_clauses(words, ANSWERS)
    named = " ".join(said[""])
    waiting = {battle["id"]: (battle["hex"],) for battle in ask.state.agenda.get(BATTLES, ()) if choices.replies(ask)}
    flown = named not in waiting and named in [raid.id for raid in raids.raids_of(ask.state.agenda)]
    if flown or len(said) < 2:
        raise UsageError(f"{named}: {choices.FROM_THE_AIR}" if flown else "say what, as in 'answer retreat away kursk'")
    path: Path = ("policy",)
    about = "all attacks"
    if said[""] and not phrases.means_all(said[""]):
        about = names.find(named, {**places(ask), **waiting}, "ground attack or hex" if waiting else "hex", waiting)
        path = ("policy", BATTLES if about in waiting else "hexes", about)
    reads = {"retreat": _ways, "advance": _followers}
    return tuple(
        Edit(
            (*path, key),
            value or None,
            said=f"{about}: {key} {', '.join(value) or describe_removal(ask, (*path, key))}",
        )
        for key, value in ((key, reads[key](ask, said[key])) for key in ANSWERS if key in said)
    )


def _followers(ask: OrderContext, words: Sequence[str]) -> list[str]:
    """'6 g 1724 10 t' as wishes for advances: a unit, perhaps with the hex that it enters."""
    meant: list[str] = []
    left = list(words)
    while left:
        at = next((number for number, word in enumerate(left) if word in ask.setting.board.index), len(left))
        meant += names.find_several(left[: at or 1], list_own(ask), UNIT)
        meant[-1] = " ".join((meant[-1], *left[at : at + 1]))
        left = left[at + 1 :]
    return meant


def _share(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """9.0-d4, S-25."""
    said = _apart(words, _air(ask))
    if not said[""] or "with" not in said:
        raise UsageError("say which base and which patrols, as in 'share air 3 with air 4'")
    (base,) = _flyers(ask, said[""])[:1]
    flyers = list(_flyers(ask, said["with"]))
    gone = _instead(ask, ask.draft.get("policy", {}).get(PATROL, {}).get(base, ()), flyers)
    told = f"{phrases.name_units(ask, flyers) or 'no share is filed'} for the base of {base}{gone}"
    return (Edit(("policy", PATROL, base), flyers or None, said=told),)
