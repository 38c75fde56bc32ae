"""The words of ``kursk order``: set-up, moves, missions, attacks with their plans, answers.

A word writes what its player said, legal or not: the draft is checked behind it by the rules. It asks back where it
would have to guess. Ways and odds that it tells come from the search and the arithmetic that also decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel import names
from kursk_pbem.kernel.hexes import phrases, plans, ways
from kursk_pbem.kernel.hexes.policies import BATTLES
from kursk_pbem.kernel.hexes.ways import Move, Way
from kursk_pbem.kernel.orders import Path
from kursk_pbem.kernel.verbs import Asking, Edit, Verb, edited
from kursk_pbem.rulesets.kursk_1971 import air, battles, movement, raids, sequence
from kursk_pbem.rulesets.kursk_1971.answers import ANSWERS
from kursk_pbem.rulesets.kursk_1971.odds import assess, chances, together
from kursk_pbem.rulesets.kursk_1971.orders import ATTACK, PLAN_KEYS, SKIP, Battle
from kursk_pbem.rulesets.kursk_1971.position import INTERDICTION, PATROL, Position, position
from kursk_pbem.rulesets.kursk_1971.seen import choices, drafts, outlook
from kursk_pbem.rulesets.kursk_1971.seen.choices import ALL, listed
from kursk_pbem.rulesets.kursk_1971.setting import ENEMY, Setting

UNIT = "unit of yours"
EXAMPLE = "attack 1823 with gd 11 pz support air 6 losses gd advance 11 pz"
_HEADS = ("with", "support", "unsupported", "as", *PLAN_KEYS)
_WISHES = ("toward", "away")


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
            "intercept 1823 with air 6",
            partial(_mission, name="intercept", key=air.INTERCEPTION),
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
            "move gd 1823",
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
            "motor gd 1723",
            partial(_go, key=movement.MOTOR),
            ("orders/motorized",),
        ),
        Verb(
            "patrol",
            "HEX with UNITS",
            "aircraft keep enemy aircraft out of a hex",
            "patrol orel with air 1",
            partial(_mission, name="patrol", key=PATROL),
            ("orders/patrol",),
            choices.patrol,
        ),
        Verb(
            "interdict",
            "HEX with UNITS",
            "an aircraft controls a hex against movement and supply",
            "interdict 1717 with air 1",
            partial(_mission, name="interdict", key=INTERDICTION),
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


def own(ask: Asking) -> dict[str, tuple[str, ...]]:
    """The units of the writer's side by id, with their other names."""
    return _of(ask, ask.state.side)


def _of(ask: Asking, side: str) -> dict[str, tuple[str, ...]]:
    counters = ask.setting.counters.items()
    return {uid: (counter.short, counter.name) for uid, counter in counters if counter.side == side}


def places(ask: Asking) -> dict[str, tuple[str, ...]]:
    """The hexes of the map, with the names of cities and towns."""
    setting = ask.setting
    named = {**setting.towns, **setting.cities}
    return {label: (named[hex_],) if hex_ in named else () for label, hex_ in setting.board.index.items()}


def _old(ask: Asking, key: str, uid: str) -> tuple[Edit, ...]:
    """What takes out the orders that stand for a unit under a key, the last first."""
    at = [number for number, order in enumerate(listed(ask, key)) if order.get("unit") == uid]
    return tuple(Edit(("orders", key, number)) for number in reversed(at))


def _spot(ask: Asking, words: Sequence[str]) -> str:
    return names.find(" ".join(words), places(ask), "hex")


def _told(ask: Asking, uids: Iterable[str]) -> str:
    return ", ".join(f"{ask.setting.counters[uid].short} ({uid})" for uid in uids)


def _split(ask: Asking, words: Sequence[str], example: str) -> tuple[str, tuple[str, ...]]:
    """The name of units and the hexes behind it; UsageError with the example if one of the two is missing."""
    said = [word for word in words if word.lower() not in ("to", "via", "by", "in")]
    count = min(names.last(said, places(ask)), len(said) - 1)
    if len(said) < 2 or not count:
        raise phrases.no_place(said, own(ask), places(ask), example)
    return " ".join(said[:-count]), tuple(_spot(ask, [word]) for word in said[-count:])


# Set-up, movement


def _deploy(ask: Asking, words: Sequence[str]) -> tuple[Edit, ...]:
    """12.0: units leave the orders in which they stood; with 'HEX with UNITS' whoever else was ordered there, too."""
    parted = names.clauses(words, ("with",))
    if parted[""] and "with" in parted:
        hex_ = _spot(ask, parted[""])
        uids = list(names.several(parted["with"], own(ask), UNIT))
    else:
        who, spots = _split(ask, words, "deploy gd 11 pz 1724")
        uids, hex_ = list(names.several(who.split(), own(ask), UNIT)), spots[-1]
    kept = [
        {**order, "units": [uid for uid in order["units"] if uid not in uids]}
        for order in listed(ask, "deployment")
        if order["hex"] != hex_ or "with" not in parted
    ]
    orders = [*(order for order in kept if order["units"]), *([{"hex": hex_, "units": uids}] if uids else [])]
    return (Edit(("orders", "deployment"), orders, said=f"{_told(ask, uids) or 'nobody else'} set up in {hex_}"),)


def _reinforce(ask: Asking, words: Sequence[str]) -> tuple[Edit, ...]:
    """13.0."""
    who, spots = _split(ask, words, "reinforce 10 t 3416")
    coming = movement.waiting(ask.setting, position(ask.setting, ask.state), ask.state.side)
    uid = names.find(who, own(ask), UNIT, {each: own(ask)[each] for each in coming})
    order = {"unit": uid, "hex": spots[-1]}
    said = f"{_told(ask, [uid])} arrives in {spots[-1]}"
    return (*_old(ask, "reinforcements", uid), Edit(("orders", "reinforcements"), order, add=True, said=said))


def _go(ask: Asking, words: Sequence[str], *, key: str) -> tuple[Edit, ...]:
    """3.0-c: a move, in place of the one that the unit had in this phase."""
    who, spots = _split(ask, words, "move gd 1823")
    on_map = {uid: each for uid, each in own(ask).items() if ask.state.units[uid].place in ask.setting.board.index}
    uid = names.find(who, own(ask), UNIT, on_map)
    old = _old(ask, key, uid)
    pos = position(ask.setting, ask.at(edited(ask.draft, old), key))
    order = {"unit": uid, "to": spots[0]} if len(spots) == 1 else {"unit": uid, "path": list(spots)}
    said = f"{_told(ask, [uid])} to {drafts.place(pos, pos.setting.board.index[spots[-1]])}"
    if uid in pos.where:
        points = movement.allowance(ask.setting, uid, supplied=pos.supplied(uid))
        way = ways.asked(pos.setting.board, movement.march(pos, uid, points), Move.from_plain(order, ()))
        if isinstance(way, Way):
            path = " ".join(pos.setting.board.labels[hex_] for hex_ in way.path)
            said += f": {path}, {way.mp} of {points} MP"
    return (*old, Edit(("orders", key), order, add=True, said=said))


# Aircraft


def _mission(ask: Asking, words: Sequence[str], *, name: str, key: str) -> tuple[Edit, ...]:
    """9.0-d: the aircraft over a hex are these, in place of those ordered there, and of what they were ordered to."""
    said = names.clauses(words, ("with",))
    hex_ = _spot(ask, said[""]) if said[""] else ""
    there = [each["unit"] for each in listed(ask, key) if each["hex"] == hex_]
    if not said.get("with") and not ("with" in said and there):
        raise UsageError(f"say where and who, as in '{name} 1717 with air 1'")
    flyers = _flyers(ask, said["with"])
    kept = [each for each in listed(ask, key) if each["unit"] not in (*there, *flyers)]
    orders = [*kept, *({"unit": uid, "hex": hex_} for uid in flyers)]
    return (Edit(("orders", key), orders, said=f"{name} {hex_}: {_told(ask, flyers) or 'nobody'}"),)


def _flyers(ask: Asking, words: Sequence[str]) -> tuple[str, ...]:
    able = {uid: each for uid, each in own(ask).items() if ask.setting.counters[uid].air}
    return names.several(words, own(ask), "air unit of yours", able)


def _raid(ask: Asking, words: Sequence[str]) -> tuple[Edit, ...]:
    """9.0-d4: an attack on a base, by its name or its hex, in place of the one that is ordered on it."""
    said = names.clauses(words, ("with",))
    if not said[""] or not said.get("with"):
        raise UsageError("say which base and who, as in 'raid air 3 with air 5 air 6'")
    foes = _of(ask, ENEMY[ask.state.side]).items()
    bases = {uid: (*each, ask.state.units[uid].place) for uid, each in foes if ask.setting.counters[uid].air}
    base = names.find(" ".join(said[""]), bases, "enemy air unit")
    orders = listed(ask, raids.RAIDS)
    at = next((number for number, each in enumerate(orders) if each["base"] == base), -1)
    taken = {order["id"] for order in orders}
    name = orders[at]["id"] if at >= 0 else next(f"r{n}" for n in range(1, 999) if f"r{n}" not in taken)
    flyers = list(_flyers(ask, said["with"]))
    order = {"id": name, "base": base, "aircraft": flyers}
    text = f"{name}: base of {base} by {_told(ask, flyers)}"
    path: Path = ("orders", raids.RAIDS, at) if at >= 0 else ("orders", raids.RAIDS)
    return (Edit(path, order, add=at < 0, said=text),)


# Attacks


def _attack(ask: Asking, words: Sequence[str]) -> tuple[Edit, ...]:
    """7.0: a new attack, or clauses in place of those of the attack that is declared on this hex."""
    said = names.clauses(words, _HEADS)
    if "with" not in said and (size := phrases.target(said[""], places(ask))) < len(said[""]):
        said |= {"": said[""][:size], "with": said[""][size:]}  # 'attack 1823 gd 11 pz'
    pos = position(ask.setting, ask.at(ask.draft, "superiority"))
    hex_ = _target(ask, pos, said[""])
    at = next((number for number, each in enumerate(listed(ask, BATTLES)) if each["hex"] == hex_), -1)
    known = listed(ask, BATTLES)[at] if at >= 0 else {}
    order = _clauses(ask, pos, {"id": known.get("id") or _name(ask, hex_), **known, "hex": hex_}, said)
    if not order.get("attackers"):
        raise UsageError(_who(pos, hex_, free=list(said.get("with", ())) != [ALL]))
    keys = ("id", "hex", "attackers", "support", "unsupported", *PLAN_KEYS)
    ordered = {key: order[key] for key in keys if order.get(key)}
    path: Path = ("orders", BATTLES, at) if at >= 0 else ("orders", BATTLES)
    return (Edit(path, ordered, add=at < 0, said=_reckoned(pos, ordered) + plans.told(ordered, PLAN_KEYS)),)


def _target(ask: Asking, pos: Position, words: Sequence[str]) -> str:
    """A hex by its number, its town, or an enemy in it."""
    if not words:
        raise UsageError(f"say what is attacked, as in '{EXAMPLE}'")
    foes = {uid: each for uid, each in _of(ask, ENEMY[ask.state.side]).items() if uid in pos.where}
    found = names.find(" ".join(words), {**places(ask), **foes}, "hex or enemy unit")
    return pos.state.units[found].place if found in foes else found


def _name(ask: Asking, hex_: str) -> str:
    """The id of an attack: the name of the town, or of the hex; another where it is taken."""
    town = (*places(ask)[hex_], "")[0]
    base = "".join(each if each.isalnum() else "-" for each in town.lower() if each.isascii())[:28] or f"b{hex_}"
    taken = {each["id"] for each in listed(ask, BATTLES)}
    return next(name for name in (base, *(f"{base}-{number}" for number in range(2, 999))) if name not in taken)


def _clauses(ask: Asking, pos: Position, order: dict[str, Any], said: Mapping[str, list[str]]) -> dict[str, Any]:
    """The attack with what its clauses say."""
    target, side = pos.setting.board.index[order["hex"]], ask.state.side
    busy = {uid for each in listed(ask, BATTLES) if each["id"] != order["id"] for uid in each["attackers"]}
    able = {
        uid: each
        for uid, each in own(ask).items()
        if uid not in busy and battles.attacker_slip(pos, side, uid, target) is None
    }
    if "as" in said:
        order["id"] = "-".join(said["as"]).lower()
    if "with" in said:
        everybody = [word.lower() for word in said["with"]] == [ALL]
        named = together(pos, able) if everybody else names.several(said["with"], own(ask), UNIT, able)
        order["attackers"] = list(named)
    if "support" in said:  # 'none' takes back what stands there
        order["support"] = (*_flyers(ask, said["support"]), "")[0]
    if "unsupported" in said:
        which = " ".join(said["unsupported"])
        order["unsupported"] = names.one_of(which, (ATTACK, SKIP), "unsupported") if which else ""
    there = {uid: each for uid, each in own(ask).items() if uid in order.get("attackers", ())}
    for key in ("losses", "advance"):
        if key in said:
            order[key] = list(names.several(said[key], own(ask), UNIT, there))
    if "retreat" in said:
        order["retreat"] = _ways(ask, said["retreat"])
    return order


def _ways(ask: Asking, words: Sequence[str]) -> list[str]:
    """'away kursk g-gd toward 1717' as wishes for retreats."""
    known, everybody = places(ask), {**_of(ask, ask.state.side), **_of(ask, ENEMY[ask.state.side])}
    wishes, head = [], ""
    for word in words:
        if word.lower() in _WISHES:
            head += f"{word.lower()} "
        elif word in everybody:
            head = f"{word} "
        else:
            wishes.append(head + names.find(word, known, "hex"))
            head = ""
    if head:
        raise plans.no_way(head)
    return wishes


def _who(pos: Position, hex_: str, *, free: bool) -> str:
    """Who could attack a hex, and at which odds, for a player who has not said; not ``free``: all of them attack."""
    target = pos.setting.board.index[hex_]
    spot = drafts.place(pos, target)
    found = [attack for attack in outlook.attacks(pos, pos.state.side) if attack.battle.hex == target]
    if not found:
        return f"nobody of yours stands beside an enemy in {spot}"
    if not free:
        return f"whoever could attack {spot} attacks elsewhere, or has no partner left"
    able = "; ".join(drafts.named(pos, uid) for uid in found[0].battle.attackers)
    return f"say who attacks {spot}, as in 'attack {hex_} with all': {able}; together {drafts.odds_line(found[0].odds)}"


def _reckoned(pos: Position, order: Mapping[str, Any]) -> str:
    """'b1823: 1823 by g-gd, g-11pz: 11:3 = 3:1 (in sixths: AR 1, BR 3, DR 1, EX 1)'."""
    battle = Battle.from_plain(order, pos.setting.board.index)
    text = f"{battle.id}: {drafts.place(pos, battle.hex)} by {', '.join(battle.attackers)}"
    if not pos.enemies(pos.state.side) >> battle.hex & 1 or not all(uid in pos.where for uid in battle.attackers):
        return text
    odds = assess(pos, battle)
    faces = ", ".join(f"{told} {number}" for told, number in chances(pos.setting, odds).items())
    return f"{text}: {drafts.odds_line(odds)}" + ("" if odds.automatic else f" (in sixths: {faces})")


# Answers


def _answer(ask: Asking, words: Sequence[str]) -> tuple[Edit, ...]:
    """S-58: for an attack, for a hex, or for all."""
    said = names.clauses(words, ANSWERS)
    if len(said) < 2:
        raise UsageError("say what, as in 'answer retreat away kursk' or 'answer 1823 advance 6 g'")
    path: Path = ("policy",)
    about = "all attacks"
    if said[""] and [word.lower() for word in said[""]] != [ALL]:
        waiting = {battle["id"]: (battle["hex"],) for battle in ask.state.agenda.get(BATTLES, ())}
        waiting = waiting if sequence.REPLY in sequence.stages(ask.setting)[ask.state.stage].phases else {}
        about = names.find(" ".join(said[""]), {**places(ask), **waiting}, "attack or hex", waiting)
        path = ("policy", BATTLES if about in waiting else "hexes", about)
    found: dict[str, list[str]] = {}
    if "retreat" in said:
        found["retreat"] = _ways(ask, said["retreat"])
    if "advance" in said:
        found["advance"] = _followers(ask, said["advance"])
    return tuple(
        Edit((*path, key), value or None, said=f"{about}: {key} {', '.join(value) or 'taken back'}")
        for key, value in found.items()
    )


def _followers(ask: Asking, words: Sequence[str]) -> list[str]:
    """'6 g 1724 10 t' as wishes for advances: a unit, perhaps with the hex that it enters."""
    found: list[str] = []
    left = list(words)
    while left:
        at = next((number for number, word in enumerate(left) if word in ask.setting.board.index), len(left))
        found += names.several(left[: at or 1], own(ask), UNIT)
        found[-1] = " ".join((found[-1], *left[at : at + 1]))
        left = left[at + 1 :]
    return found


def _share(ask: Asking, words: Sequence[str]) -> tuple[Edit, ...]:
    """9.0-d4, S-25."""
    said = names.clauses(words, ("with",))
    if not said[""] or "with" not in said:
        raise UsageError("say which base and which patrols, as in 'share air 3 with air 4'")
    (base,) = _flyers(ask, said[""])[:1]
    flyers = list(_flyers(ask, said["with"]))
    told = f"{_told(ask, flyers) or 'no patrol'} for the base of {base}"
    return (Edit(("policy", PATROL, base), flyers or None, said=told),)
