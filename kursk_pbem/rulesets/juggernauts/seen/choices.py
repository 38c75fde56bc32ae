"""Choices for the parts of an order on the board; ``verbs`` turns the choices into commands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from typing import Any

from kursk_pbem.kernel import names
from kursk_pbem.kernel.hexes import phrases, plans
from kursk_pbem.kernel.hexes.board import Mask, bits
from kursk_pbem.kernel.hexes.grid import POINTY_NAMES
from kursk_pbem.kernel.hexes.policies import BATTLES, BY_UNIT
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
from kursk_pbem.rulesets.juggernauts import air, arrivals, marks, movement, readiness, setup
from kursk_pbem.rulesets.juggernauts.answers import CROWD, INTERCEPT, NO_RETREAT, RETREAT, WITHDRAW
from kursk_pbem.rulesets.juggernauts.odds import name_column
from kursk_pbem.rulesets.juggernauts.orders import FORCED, GERMAN_ONLY
from kursk_pbem.rulesets.juggernauts.position import Position, position
from kursk_pbem.rulesets.juggernauts.seen import possible
from kursk_pbem.rulesets.juggernauts.setting import ARTILLERY, ENEMY, GERMAN, RUSSIAN

STEPS = (
    ("0", "no unit withdraws"),
    ("1", "on a D the units go one hex back"),
    ("2", "on a D the units go two hexes back"),
)
CROWDS = (
    ("stay", "all units of the hex stay, Disrupted"),
    ("lose", "a unit without room in the hex is eliminated"),
    ("on", "the units retreat to a second hex with room, if possible"),
)
PART = "answer"
"""An answer needs one of its parts."""
HOLD = (("yes", "the units stay: a D1 counts as a D, a D2 as a DE"), ("no", "results can drive the units back"))
PUSH = (("0", "the defenders stay"), ("1", ""), ("2", "as far as possible"))
PRESSED = {
    GERMAN: "three faces of the die a column higher, three a column lower",
    RUSSIAN: "three faces of the die a column higher, three two columns lower",
}
INTO = "into the hex"


def _words(words: Iterable[str]) -> Among:
    return tuple((word, "") for word in words)


def _named(pos: Position, uids: Iterable[str]) -> Among:
    return tuple((uid, f"{pos.counter(uid).short}, {pos.state.units[uid].place}") for uid in uids)


def own(ask: OrderContext) -> dict[str, tuple[str, ...]]:
    """Return other names of the player's units, by id. So a player can type '48 pz' for g-48pzk."""
    return {uid: (*others, re.sub("([0-9]+)", r" \1 ", uid)) for uid, others in phrases.list_own(ask).items()}


def places(ask: OrderContext) -> dict[str, tuple[str, ...]]:
    """Return the names of the cities in each hex of the map, by hex label."""
    return phrases.name_hexes(ask.setting.board, ask.setting.cities)


def keil(ask: OrderContext, _said: Sequence[str]) -> tuple[Clause, ...]:
    """14.1: return what a player can choose for a Panzerkeil: a panzerkorps and its facing."""
    pos = position(ask.setting, ask.state)
    ordered = {order["unit"]: order["facing"] for order in list_entries(ask, "panzerkeil")}
    faces = {**pos.state.marks.get(marks.KEIL, {}), **ordered}
    able = tuple(
        (uid, f"{text}, faces {faces[uid]}" if uid in faces else text)
        for uid, text in _named(pos, (uid for uid in sorted(pos.where) if readiness.can_form(pos, uid)))
    )
    ways = _words(POINTY_NAMES if able else ())
    return (Clause("", "panzerkorps", UNIT, able), Clause("", "the facing", CHOICE, ways))


def guns(key: str) -> Any:
    """14.2: return a function that offers the artillery korps for an order: to emplace, or to put on the road."""

    def offered(ask: OrderContext, _said: Sequence[str]) -> tuple[Clause, ...]:
        pos, done = position(ask.setting, ask.state), list_entries(ask, key)
        able = [uid for uid in possible.guns(pos, ask.state.side, emplaced=key == "road") if uid not in done]
        return (Clause("", "artillery korps", UNITS, _named(pos, able)),)

    return offered


def before_move(ask: OrderContext, uid: str) -> tuple[Position, Mask]:
    """13.0, 10.0-friends: return the position after the draft's other moves, and the hexes that had friends."""
    pos = position(ask.setting, ask.at(edit_draft(ask.draft, phrases.remove_orders(ask, "movement", uid)), "movement"))
    return pos, pos.occupied[ask.state.side] | position(ask.setting, ask.state).occupied[ask.state.side]


def move(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """13.0: return the units that can move; for a named unit, return the hexes where its move can end."""
    pos, side, labels = position(ask.setting, ask.at(ask.draft, "movement")), ask.state.side, ask.setting.board.labels
    able = [uid for uid in sorted(pos.where) if pos.side(uid) == side and not movement.check_unit(pos, side, uid)]

    def list_ends(uid: str) -> Iterator[tuple[str, str]]:
        before, held = before_move(ask, uid)
        ways = movement.find_ends(before, uid, second=movement.second_step(ask.state), held=held)
        return ((labels[there], f"{way.mp} MP") for there, way in ways.items())

    return phrases.offer_moves(words, _named(pos, able), list_ends, phrases.list_moved(ask, "movement"))


def strike(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """20.1, 20.3: return the targets in range; for a named target, return the air units that can strike it."""
    pos, side = movement.place_panthers(ask.setting, ask.at(ask.draft, "movement")), ask.state.side
    known: Any = next((order for order in list_entries(ask, "aircraft") if words and order["hex"] == words[0]), {})
    flown = {plane for order in list_entries(ask, "aircraft") if order is not known for plane in order["planes"]}
    able = {
        ask.setting.board.labels[hex_]: ready
        for hex_ in bits(pos.occupied[ENEMY[side]])
        if (ready := [plane for plane in possible.strikers(pos, side, hex_) if plane not in flown])
    }
    if not words or words[0] not in able:
        among = tuple((label, ", ".join(pos.at[ask.setting.board.index[label]])) for label in able)
        return (Clause("", "hex of the strike", PLACE, among),)
    named = tuple((plane, ask.setting.planes[plane].name) for plane in able[words[0]])
    return (
        Clause(
            "with", "air units", UNITS if side == GERMAN else UNIT, named, tuple(known.get("planes", ())), needed="with"
        ),
    )


def returns(ask: OrderContext, _said: Sequence[str]) -> tuple[Clause, ...]:
    """11.2: if this message ends the turn, return the lost tank units that can come back, with their hexes."""
    pos = position(ask.setting, ask.at(ask.draft, "replacements"))
    ended, saved = pos.state.turn != ask.state.turn, pos.state.tracks[arrivals.FACTORS]
    able = tuple(
        (uid, f"{pos.counter(uid).short}, {pos.counter(uid).attack} of {plural(saved, 'factor')}")
        for uid in arrivals.list_lost_tanks(pos)
        if ended and pos.counter(uid).attack <= saved
    )
    places = [label for label in ask.setting.arrivals["replacements"] if able and arrivals.can_return_to(pos, label)]
    among = tuple((label, ask.setting.cities.get(ask.setting.board.index[label], "")) for label in places)
    have = Budget("replacement factors", saved, {uid: pos.counter(uid).attack for uid, _text in able})
    return (Clause("", "tank unit", UNIT, able, budgets=(have,)), Clause("to", "hex", PLACE, among, needed="to"))


def placed(ask: OrderContext) -> tuple[tuple[str, ...], dict[str, str]]:
    """17.2: return the placement in a draft as (path, contents)."""
    label = setup.HALF if ask.state.stage == "german-half" else setup.REST
    path = ("seal", label) if ask.state.side == GERMAN else ("orders", "placement")
    return path, dict(ask.draft.get(path[0], {}).get(path[1], {}))


def place(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """17.2: return the tank units to place; for a named unit, return its possible hexes."""
    setting, state, (_path, chosen) = ask.setting, ask.state, placed(ask)
    left = [uid for uid in setup.list_free_units(setting, state.side) if not state.mark(marks.PLACED, uid)]
    if not words or words[0] not in left:
        among = []
        for uid in left:
            counter = setting.counters[uid]
            where = f"in {chosen[uid]}" if uid in chosen else f"not placed, {counter.hex} in history"
            among.append((uid, ", ".join(filter(None, (counter.short, counter.sector, where)))))
        return (Clause("", "armour", UNIT, tuple(among)),)
    spots = setup.list_spots(setting, state, words[0], chosen)
    return (Clause("to", "hex", PLACE, _words(spots), tuple(chosen.get(words[0], "").split()), needed="to"),)


def attack(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """3.0, 19.1, J-64: return the hexes to attack; for a named hex, return its attackers and the parts of a plan."""
    side, labels = ask.state.side, ask.setting.board.labels
    pos = movement.place_panthers(ask.setting, ask.at(ask.draft, "movement"))
    held = {uid: order["hex"] for order in list_entries(ask, BATTLES) for uid in order["attackers"]}
    chances = {labels[chance.battle.hex]: chance for chance in possible.attacks(pos, side, held=held)}
    if words and words[0] not in chances:  # show the form of a named hex even without free units
        chances = {labels[chance.battle.hex]: chance for chance in possible.attacks(pos, side)}
    if not words or words[0] not in chances:
        # the message that ends the turn has no attacks
        found = () if list_entries(ask, "replacements") else chances.items()
        return (Clause("", "hex of the attack", PLACE, tuple((at, _who(pos, one)) for at, one in found)),)
    chance = chances[words[0]]
    free = _named(pos, (uid for uid in chance.battle.attackers if held.get(uid, words[0]) == words[0]))
    return _offer_plan(ask, pos, words[0], chance, free)


def _offer_plan(ask: OrderContext, pos: Position, at: str, chance: possible.Chance, free: Among) -> tuple[Clause, ...]:
    """3.0, J-64: return the attackers and the plan of an attack on a hex."""
    side = ask.state.side
    others = [order for order in list_entries(ask, BATTLES) if order["hex"] != at]
    known: Any = next((order for order in list_entries(ask, BATTLES) if order["hex"] == at), {})
    past = [ask.setting.board.labels[hex_] for hex_ in bits(ask.setting.board.near[chance.battle.hex])]
    ways = (*past, *(f"only {label}" for label in past))
    within = ask.setting.columns[1 : max(chance.odds.reached, 0) + 4]  # a joining Panzerkeil raises it
    stops = (*(f"unless {other['id']}" for other in others), *(f"below {column}" for column in within))
    chosen = {key: (value,) if isinstance(value, str) else tuple(value) for key, value in known.items()}
    chosen.setdefault("attackers", tuple(uid for uid, _text in free))
    able = tuple((uid, text) for uid, text in free if pos.counter(uid).kind != ARTILLERY)  # 14.2: never advances
    parts: Any = (
        ("with", "attackers", UNITS, free, ()),
        ("pressed", "Pressed Attack", CHOICE, (("yes", PRESSED[side]),), ()),
        ("push", "hexes that a D1 or D2 drives them", CHOICE, PUSH, ()),
        ("losses", "preferred losses, in order", ORDER, free, ()),
        ("advance", "advancing units, with hexes", ORDER, able, ways),
        ("exchange", "an exchange (X)", CHOICE, (("no", "is declined"),), ()),
        ("forced", "results with an exchange forced by No Retreat! orders", UNITS, _words(FORCED), ()),
        ("cancel", "the attack is called off", CHOICE, _words(stops), ()),
        ("breakthrough", "second attack of a Panzerkeil after a DE", WISHES, _words(past), ("join",)),
        ("exploit", "units advancing after the second attack", ORDER, able, ways),
    )
    for key in ("pressed", "exchange"):  # hide values that equal the default
        chosen[key] = tuple(word for word in chosen.get(key, ()) if word == ("yes" if key == "pressed" else "no"))
    return tuple(
        Clause(
            word,
            text,
            kind,
            among,
            chosen.get("attackers" if word == "with" else word, ()),
            more,
            INTO,
            rare=word not in ("with", "pressed", "advance"),
            of=("with",) if kind == ORDER else (),
            needed=word if word == "with" else "",
        )
        for word, text, kind, among, more in parts
        if side == GERMAN or word not in GERMAN_ONLY
    )


def _who(pos: Position, chance: possible.Chance) -> str:
    """Return the defenders of a hex, and the odds by all adjacent units."""
    who = " and ".join(pos.counter(uid).name for uid in pos.at.get(chance.battle.hex, ())) or "an empty line"
    return f"{who}, {name_column(pos.setting, chance.odds.reached)}{'' if chance.odds.allowed else ': too weak'}"


def answer(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """6.0, 2.0-d, 8.0: return the attacks, hexes and units to answer for; for a named one, the parts of an answer."""
    policy, among = ask.draft.get("policy", {}), _answered(ask)
    if not words or words[0] not in dict(among):
        empty = tuple(
            f"{order['id']}: only a line defends {order['hex']} [15.2]; answer for units in retreat to the hex"
            for order in (() if ask.setting.refereed else ask.state.agenda.get(BATTLES, ()))
            if order["id"] not in dict(among)
        )
        return (Clause("", "hex or unit" if ask.setting.refereed else "attack or unit", PLACE, among, notes=empty),)
    path = answering(ask, words[0])
    said = reduce(lambda table, key: table.get(key, {}), path, policy)
    mine = tuple((plane, ask.setting.planes[plane].name) for plane in meeting(ask))
    met = Clause(
        INTERCEPT, "intercepting air units, in order", ORDER, mine, tuple(said.get(INTERCEPT, ())), needed=PART
    )
    steady, most, full = (tuple(said.get(key, "").split()) for key in (NO_RETREAT, WITHDRAW, CROWD))
    return (
        Clause(NO_RETREAT, "Do the units stay (No Retreat! orders)?", CHOICE, HOLD, steady, needed=PART),
        Clause(
            WITHDRAW,
            "How many hexes do the units withdraw?",
            CHOICE,
            STEPS,
            most,
            notes=("With No Retreat! orders no unit withdraws [6.0].",),
            needed=PART,
        ),
        Clause(RETREAT, "the way", WISHES, _around(ask, path), tuple(said.get(RETREAT, ())), plans.WAYS, needed=PART),
        Clause(CROWD, "if a retreat overfills a hex", CHOICE, CROWDS, full, rare=True, needed=PART),
        *((met,) if mine and words[0] == ALL else ()),
    )


def _around(ask: OrderContext, path: tuple[str, ...]) -> Among:
    """8.0: return hexes without enemies within two hexes of the defenders of an answer."""
    pos, board = position(ask.setting, ask.state), ask.setting.board
    attacked = {order["id"]: order["hex"] for order in ask.state.agenda.get(BATTLES, ())}
    where = {uid: pos.state.units[uid].place for uid in pos.units(ask.state.side)} | attacked
    here = board.mask(where.get(name, name) for name in path[-1:] or attacked)
    return _words(board.names(board.spread(board.spread(here)) & ~here & ~pos.occupied[ENEMY[ask.state.side]]))


def meeting(ask: OrderContext) -> list[str]:
    """20.2: return the air units that can intercept enemy bombers."""
    come = ask.setting.refereed or air.STRIKES in ask.state.agenda
    return possible.planes(ask.setting, ask.state, ask.state.side, "meet") if come else []


def answering(ask: OrderContext, which: str) -> tuple[str, ...]:
    """6.0, J-70: return the path of an answer in the policy (standing answers). () means the entire side."""
    if which in ("", ALL):
        return ()
    if which in [battle["id"] for battle in ask.state.agenda.get(BATTLES, ())]:
        return BATTLES, which
    known = {**places(ask), **own(ask)}
    named = (
        which.upper() if which.upper() in ask.setting.board.index else names.find(which, known, "hex or unit of yours")
    )
    return BY_UNIT if named in ask.setting.counters else "hexes", named


def _answered(ask: OrderContext) -> Among:
    """6.0, J-70: return the possible subjects of an answer, with descriptions."""
    pos, side, labels = position(ask.setting, ask.state), ask.state.side, ask.setting.board.labels
    among = [(ALL, "whatever is attacked")]
    if ask.setting.refereed:  # standing answers are for hexes, not for attacks
        among += [(labels[hex_], ", ".join(pos.at[hex_])) for hex_ in bits(pos.occupied[side])]
        hexes = [*bits(pos.occupied[side])]
    else:
        attacked = [(order["id"], ask.setting.board.index[order["hex"]]) for order in ask.state.agenda.get(BATTLES, ())]
        hexes = [hex_ for _name, hex_ in attacked]
        among += [(name, labels[hex_]) for name, hex_ in attacked if pos.here(hex_, side)]
    stacks = [pos.here(hex_, side) for hex_ in hexes]
    return (*among, *_named(pos, (uid for stack in stacks if len(stack) > 1 for uid in stack)))
