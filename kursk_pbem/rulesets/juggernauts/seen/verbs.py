"""The commands of ``kursk order``: typed words become changes of a draft, which the rules then check."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import pairwise, zip_longest
from typing import Any

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel import names
from kursk_pbem.kernel.hexes import phrases, plans
from kursk_pbem.kernel.hexes.grid import POINTY_NAMES
from kursk_pbem.kernel.hexes.policies import BATTLES
from kursk_pbem.kernel.hexes.ways import Move, Slip, Way
from kursk_pbem.kernel.verbs import Edit, OrderContext, Verb, describe_removal, list_entries
from kursk_pbem.rulesets.juggernauts import battles, movement
from kursk_pbem.rulesets.juggernauts.answers import CROWD, INTERCEPT, LOSE, NO_RETREAT, ON, RETREAT, STAY, WITHDRAW
from kursk_pbem.rulesets.juggernauts.odds import find_odds, name_column
from kursk_pbem.rulesets.juggernauts.orders import FORCED, GERMAN_ONLY, PLAN_KEYS, Battle
from kursk_pbem.rulesets.juggernauts.position import Position
from kursk_pbem.rulesets.juggernauts.seen import choices
from kursk_pbem.rulesets.juggernauts.seen.wording import SAID
from kursk_pbem.rulesets.juggernauts.setting import ENEMY, RUSSIAN, Setting

YES_NO = ("yes", "no")
_NOT_PRESSED = {("pressed", word) for word in names.NOTHING}
_PLAN = " ".join(f"[{key} ...]" for key in PLAN_KEYS if key not in GERMAN_ONLY)
_GERMAN = f"of German attacks also {' '.join(f'[{key} ...]' for key in GERMAN_ONLY)}"
_ANSWER = (
    "[BATTLE|HEX|UNIT] [no-retreat yes|no] [withdraw 0|1|2] [retreat HEX|toward HEX|away HEX] [crowd stay|lose|on]"
)
_MEET = " [intercept PLANES]"
_ATTACK = f"HEX [with] UNITS|all [pressed yes] {_PLAN} [as NAME]; {_GERMAN}"
_TEXTS = {
    "keil": ("UNIT DIRECTION", "a panzerkorps becomes a Panzerkeil, or turns", "keil 2 ss NE"),
    "emplace": ("UNITS", "artillery korps are emplaced", "emplace 4 art"),
    "road": ("UNITS", "artillery korps move to the road", "road 4 art"),
    "move": ("UNIT [to] HEX ...", "a unit moves to a hex, or by the hexes named", "move 48 pz n7"),
    "attack": (_ATTACK, "a new attack, or a change of an attack", "attack i9 with 41 pz 47 pz advance 41 pz"),
    "strike": ("HEX with PLANES", "an air strike", "strike i9 with g-lf6"),
    "return": ("UNIT [to] HEX", "a tank unit returns for saved factors", "return 1 tk voronezh"),
    "answer": (_ANSWER, "the defender's answer", "answer b1 no-retreat yes"),
    "place": ("UNIT [to] HEX", "armour is placed before the game", "place 5 pz e6"),
}
"""Command -> usage, text, example."""


def list_verbs(setting: Setting) -> tuple[Verb, ...]:
    """Return the command words of ``kursk order``, one word for each field of a message."""
    written = (
        ("keil", _keil, ("orders/panzerkeil",), choices.keil),
        ("emplace", _mode("emplace"), ("orders/emplace",), choices.guns("emplace")),
        ("road", _mode("road"), ("orders/road",), choices.guns("road")),
        ("move", _move, ("orders/movement",), choices.move),
        ("attack", _attack, ("orders/battles",), choices.attack),
        ("strike", _strike, ("orders/aircraft",), choices.strike),
        ("return", _return, ("orders/replacements",), choices.returns),
        ("answer", _answer, ("policy",), choices.answer),
        ("place", _place, ("orders/placement", "half-sealed", "rest-sealed"), choices.place),
    )
    known = {**_TEXTS, "answer": (_ANSWER + _MEET * setting.air, *_TEXTS["answer"][1:])}
    return tuple(
        Verb(name, *known[name], write, fields, clauses, label="Panzerkeil" if name == "keil" else "")
        for name, write, fields, clauses in written
        if setting.air or name != "strike"
    )


def planes(ask: OrderContext) -> dict[str, tuple[str, ...]]:
    """Return the air units of the player's side."""
    return {pid: (plane.name,) for pid, plane in ask.setting.planes.items() if plane.side == ask.state.side}


def _hex(ask: OrderContext, word: str) -> str:
    return names.find(word, choices.places(ask), "hex")


def _split(ask: OrderContext, words: Sequence[str], example: str) -> tuple[str, list[str]]:
    """Return a unit, and the hexes after it."""
    who, spots = phrases.split_places(words, choices.own(ask), choices.places(ask), example)
    return names.find(who, choices.own(ask), phrases.UNIT), list(spots)


def _keil(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """14.1: read the facing of a Panzerkeil."""
    if len(words) < 2 or words[-1].upper() not in POINTY_NAMES:
        raise UsageError(f"type a korps and one of the facings {', '.join(POINTY_NAMES)}, as in 'keil 2 ss NE'")
    order = {"unit": names.find(" ".join(words[:-1]), choices.own(ask), phrases.UNIT), "facing": words[-1].upper()}
    return phrases.replace_order(ask, "panzerkeil", order, f"{order['unit']} faces {order['facing']}")


def _mode(key: str) -> Any:
    def write(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
        """14.2: read artillery to emplace or put on the road; 'road 4 art none' removes the order."""
        off = " ".join(words[-1:]).lower() in names.NOTHING
        uids = names.find_several(words[:-1] if off else words, choices.own(ask), phrases.UNIT)
        other = key if off else "road" if key == "emplace" else "emplace"
        back = [uid for uid in uids if uid in list_entries(ask, other)]
        if not uids or (off and len(back) < len(uids)):
            raise UsageError(f"type the artillery, as in '{key} 4 art'")
        there = [uid for uid in list_entries(ask, other) if uid not in uids]
        taken = [Edit(("orders", other), there, said=f"{', '.join(back)}: {other} taken back")] if back else []
        return (
            *taken,
            *(
                Edit(("orders", key), uid, add=True, said=f"{uid}: {key}")
                for uid in uids
                if uid not in (*back, *list_entries(ask, key))
            ),
        )

    return write


def _move(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """13.0: read a move, from the position after the other moves."""
    uid, hexes = _split(ask, words, "move 48 pz n7")
    (pos, held), order = choices.before_move(ask, uid), phrases.make_move(uid, hexes)
    said, second = f"{uid} to {' '.join(hexes)}", movement.second_step(pos.state)
    if not movement.check_unit(pos, ask.state.side, uid):
        pair = movement.make_marches(pos, uid, held, second=second)
        way = movement.find_ordered_way(pos, uid, Move.from_plain(order, ()), pair)
        said += "" if isinstance(way, Slip) else _cost(pos, uid, way, second=second)
    return phrases.replace_order(ask, "movement", order, said)


def _cost(pos: Position, uid: str, way: Way, *, second: bool) -> str:
    """13.2, 12.0, 16.2: describe the cost and the effects of a move."""
    full = [pos.setting.board.labels[hex_] for hex_ in way.path if not pos.has_room(uid, hex_)]
    foe = ENEMY[pos.side(uid)]
    told = (
        ", with the bonus: the unit does not attack" * (way.mp > movement.allowance(pos, uid, second=second)),
        f"; over the stacking limit in {', '.join(full)}, and therefore Disrupted" if full else "",
        *(
            f"; entering {pos.setting.board.labels[hex_]} runs over {', '.join(pos.here(hex_, foe))}"
            for hex_ in way.path
            if pos.weak(foe) >> hex_ & 1
        ),
        "" if pos.is_supplied(uid) else "; out of supply, and therefore Disrupted after the move",
    )
    return f", {way.mp} MP{''.join(told)}"


def _attack(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """3.0: read a new attack, or changes of the attack on this hex."""
    said = _split_attack(ask, words)
    pos = movement.place_panthers(ask.setting, ask.at(ask.draft, "movement"))
    foes = phrases.on_map(ask.setting.board, pos.state, phrases.side_units(ask, ENEMY[ask.state.side]))
    label = phrases.find_hex(pos.state, said[""], choices.places(ask), foes, "hex or enemy")
    at, order = phrases.find_entry(ask, BATTLES, "hex", label)
    order = order or {"id": f"b-{label.lower()}", "hex": label}
    busy = {
        uid for number, order in enumerate(list_entries(ask, BATTLES)) if number != at for uid in order["attackers"]
    }
    able = {
        uid: choices.own(ask)[uid]
        for uid in sorted(pos.where)
        if not battles.check_attacker(
            pos, ask.state.side, uid, ask.setting.board.index[label], second=movement.second_step(ask.state)
        )
    }
    free = {uid: known for uid, known in able.items() if uid not in busy}
    if "with" in said:
        order["attackers"] = phrases.find_units(said["with"], choices.own(ask), free)
    if not order.get("attackers"):
        raise UsageError(_attackers(pos, ask.state.side, label, free))
    if "as" in said:
        order["id"] = "-".join(said["as"]).lower()
    if "pressed" in said:
        order["pressed"] = names.choose_one(" ".join(said["pressed"]) or "yes", YES_NO, "pressed")
    order |= {key: _wishes(ask, order, key, said[key]) for key in PLAN_KEYS if key in said}
    order = {key: value for key, value in order.items() if value != []}  # 'losses none' removes the key
    text = _describe_attack(ask, pos, order, possible=able.keys() >= {*order["attackers"]})
    return (phrases.put_entry(BATTLES, at, order, text),)


def _split_attack(ask: OrderContext, words: Sequence[str]) -> dict[str, list[str]]:
    """3.0: return the words of an attack by clause, those of the hex under ''."""
    if RETREAT in words:  # the word of answers
        raise UsageError(
            f"{RETREAT!r} is a word of answers; an attack has 'push 0', 'push 1' or 'push 2', the hexes of the retreat"
        )
    words = ["no" if (before, word) in _NOT_PRESSED else word for before, word in pairwise(("", *words))]
    said = names.split_clauses(words, ("with", "pressed", "as", *PLAN_KEYS), {"forced": FORCED}, bare=("pressed",))
    said[""] = phrases.by_id(ask, BATTLES, said[""], choices.places(ask))
    if "with" not in said and (size := phrases.count_target(said[""], choices.places(ask))) < len(said[""]):
        said |= {"": said[""][:size], "with": said[""][size:]}  # 'attack i9 41 pz'
    if not said[""]:
        raise UsageError("type a hex and attackers, as in 'attack i9 with 41 pz 47 pz advance 41 pz'")
    return said


def _describe_attack(ask: OrderContext, pos: Position, order: Mapping[str, Any], *, possible: bool) -> str:
    """3.0: return an attack in words. ``possible``: all its attackers can attack the hex."""
    text = f"{order['hex']} by {', '.join(order['attackers'])}"
    if possible:
        odds = find_odds(pos, Battle.from_plain(order, ask.setting.board.index))
        text += f": {name_column(ask.setting, odds.reached)}" * bool(odds.attack and odds.defence.total)
        possible = bool(odds.attack)
    pressed, plan = order.get("pressed") == "yes", plans.describe_plan(order, PLAN_KEYS, possible=possible)
    forced = "; a Russian who forces one result forces all: D1, D, X and AD [6.0-forced]"
    return text + "; pressed" * pressed + plan + forced * (ask.state.side == RUSSIAN and "forced" in order)


def _attackers(pos: Position, side: str, label: str, able: names.Known) -> str:
    """3.0: return the error for an attack without units: the units that could make it."""
    if why := battles.check_target(pos, side, pos.setting.board.index[label]):
        return why.format(hex=label)
    if not able and not pos.setting.board.near[pos.setting.board.index[label]] & pos.occupied[side]:
        return f"you cannot attack {label}: you have no adjacent unit"
    if not able:
        return f"no unit adjacent to {label} may attack now; type 'attack {label} with UNIT' for the reason"
    who = ", ".join(names.name_with_id(uid, able) for uid in able)
    return f"type the attackers of {label}; adjacent and free: {who}"


def _wishes(ask: OrderContext, order: dict[str, Any], key: str, words: Sequence[str]) -> list[str]:
    """J-64: read a list of wishes; a plan's sentences stay as they are."""
    there = {uid: choices.own(ask)[uid] for uid in order["attackers"] if uid in choices.own(ask)}
    if key in ("losses", "advance", "exploit") and phrases.means_all(words):
        return list(order["attackers"])
    if key == "losses":
        return list(names.find_several(words, choices.own(ask), phrases.UNIT, there))
    if read := {"cancel": _conditions, "breakthrough": _onward}.get(key):
        return list(read(ask, words))
    if key not in ("advance", "exploit"):
        return list(words)
    return phrases.read_wishes(_through(ask, words), choices.own(ask), there)


def _through(ask: OrderContext, words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the words of '41 pz only k9', each with the ending of its wish: ' only'."""
    only = ""
    for word in words:
        if word == "only":
            only = " only"
        elif word.upper() in choices.places(ask):
            yield word, f"{only} {word.upper()}"
            only = ""
        else:
            yield word, ""


def _conditions(ask: OrderContext, words: Sequence[str]) -> Iterator[str]:
    """3.0-cancel: yield the conditions that cancel an attack: 'unless i9 below 2:1'."""
    said, odds = " ".join(words), ask.setting.columns
    for condition in re.split(r"\s+(?=unless\b|below\b)", said, flags=re.IGNORECASE) if said else ():
        head, _space, what = condition.partition(" ")
        meant = {"unless": _called(ask)(what), "below": what if what in odds else ""}.get(head.lower(), "")
        if not meant or " " in meant or meant in names.NOTHING:
            example = "'cancel unless i9' or 'cancel below 2:1'; 'cancel none' removes the condition"
            raise UsageError(f"'cancel {said}' has no condition: write {example}")
        yield f"{head.lower()} {meant}"


def _called(ask: OrderContext) -> Callable[[str], str]:
    """Return a function from a word to an attack's name: the word itself, or the attack on this hex."""
    attacks = {order["hex"]: order["id"] for order in list_entries(ask, BATTLES)}

    def called(word: str) -> str:
        hexes = () if word in attacks.values() else names.match(word, choices.places(ask))
        return attacks.get(hexes[0], f"b-{hexes[0].lower()}") if len(hexes) == 1 else word

    return called


def _onward(ask: OrderContext, words: Sequence[str]) -> Iterator[str]:
    """2.0-breakthrough: yield hexes and joined attacks: 'k9 join k10 join b2'."""
    called, before = _called(ask), ""
    for word in (word.lower() for word in words):
        if before == "join":
            yield f"join {called(word)}"
        elif word != "join":
            yield _hex(ask, word)
        before = word
    if before == "join":
        raise UsageError("type the attack to join, by its hex or name, as in 'breakthrough join i8'")


def _strike(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """20.1: read an air strike."""
    said = names.split_clauses(words, ("with",))
    if not said[""] or not said.get("with"):
        raise UsageError("type a hex and air units, as in 'strike i9 with g-lf6'")
    label, flown = _hex(ask, " ".join(said[""])), [*names.find_several(said["with"], planes(ask), "air unit")]
    order = {"id": f"s-{label.lower()}", "hex": label, "planes": flown}
    there = phrases.find_entry(ask, "aircraft", "hex", label)[1].get("planes", ())
    return phrases.replace_order(
        ask, "aircraft", order, f"{label} by {', '.join(flown)}{_instead(there, flown)}", "hex"
    )


def _instead(before: Sequence[str], now: Sequence[str]) -> str:
    """Return a note of replaced units, '' if none is replaced."""
    return f", instead of {', '.join(before)}" if {*before}.difference(now) else ""


def _return(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """11.2: read the return of a tank unit."""
    uid, hexes = _split(ask, words, "return 1 tk voronezh")
    return phrases.replace_order(ask, "replacements", {"unit": uid, "hex": hexes[-1]}, f"{uid} to {hexes[-1]}")


def _answer(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """6.0, 2.0-d, 8.0, 20.2: read an answer for one attack, one hex, one unit, or all."""
    heads = (NO_RETREAT, WITHDRAW, RETREAT, CROWD, INTERCEPT)
    if strange := next((word for word in words if word.lower() in PLAN_KEYS), ""):
        raise UsageError(f"{strange!r} is a word of attacks; the words of an answer are {', '.join(heads)}")
    said = names.split_clauses([*_joined(words)], heads, {NO_RETREAT: YES_NO})  # 'no' begins 'no-retreat'
    whom = said.pop("")
    off = not said and len(whom) > 1 and whom[-1].lower() in names.NOTHING  # 'answer p9 none' removes the answer
    whose = choices.answering(ask, " ".join(whom[:-1] if off else whom))
    stands = reduce(lambda table, key: table.get(key, {}), whose, ask.draft.get("policy", {}))
    answer: dict[str, Any] = dict.fromkeys(stands) if off else _values(ask, said)
    if not answer:
        raise UsageError("type an answer, as in 'answer b1 no-retreat yes' or 'answer withdraw 2'")
    where = {key: whose if key != INTERCEPT else () for key in answer}
    told = {
        key: (value if isinstance(value, str) else ", ".join(value or ()))
        or describe_removal(ask, ("policy", *where[key], key))
        for key, value in answer.items()
    }
    if answer.get(INTERCEPT):
        told[INTERCEPT] += _instead(ask.draft.get("policy", {}).get(INTERCEPT, ()), answer[INTERCEPT])
    if whose and stands and not any((stands | answer).values()):  # remove an empty answer
        return (Edit(("policy", *whose), None, said=f"{whose[-1]}: {', '.join(answer)} taken back"),)
    return tuple(
        Edit(
            ("policy", *path, key),
            answer[key],
            said=(f"{path[-1]}: " if path else "") + SAID.get((key, str(answer[key])), f"{key} {told[key]}"),
        )
        for key, path in where.items()
    )


def _values(ask: OrderContext, said: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """6.0: return the values of an answer; 'none' removes a value."""
    answer: dict[str, Any] = {}
    for key, known in ((NO_RETREAT, YES_NO), (WITHDRAW, ("0", "1", "2")), (CROWD, (STAY, LOSE, ON))):
        if key in said:
            answer[key] = names.choose_one(" ".join(said[key]), known, key) if said[key] else None
    if RETREAT in said:
        answer[RETREAT] = phrases.read_ways(said[RETREAT], choices.places(ask)) or None
    if INTERCEPT in said:
        answer[INTERCEPT] = [*names.find_several(said[INTERCEPT], planes(ask), "air unit")] or None
    return answer


def _joined(words: Sequence[str]) -> Iterator[str]:
    """Yield the words with 'no retreat' or 'noretreat' as 'no-retreat'."""
    before = ""
    for word, after in zip_longest(words, words[1:], fillvalue=""):
        if (word.lower(), after.lower()) == ("no", RETREAT) and before != NO_RETREAT:
            before = NO_RETREAT
            yield NO_RETREAT
        elif before == NO_RETREAT and word.lower() == RETREAT:
            before = ""
        else:
            before = NO_RETREAT if word.lower() == "noretreat" else word.lower()
            yield NO_RETREAT if before == NO_RETREAT else word


def _place(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """17.2: read a placement of armour; German placements are sealed, Russian ones are open."""
    uid, hexes = _split(ask, words, "place 5 pz e6")
    return (Edit((*choices.placed(ask)[0], uid), hexes[-1], said=f"{uid} in {hexes[-1]}"),)
