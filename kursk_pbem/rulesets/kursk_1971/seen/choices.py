"""What can be chosen for the parts of an order, for whoever composes it by mouse (``verbs`` write it in words).

Lists only: what stands there would be accepted, as far as one order by itself shows it; the draft is checked anyway.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.hexes.plans import WAYS
from kursk_pbem.kernel.hexes.policies import BATTLES
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
    list_entries,
)
from kursk_pbem.rulesets.kursk_1971 import air, battles, combat, movement, raids, sequence
from kursk_pbem.rulesets.kursk_1971.odds import together
from kursk_pbem.rulesets.kursk_1971.orders import ATTACK, SKIP
from kursk_pbem.rulesets.kursk_1971.position import INTERDICTION, PATROL, Position, position
from kursk_pbem.rulesets.kursk_1971.seen import hints, outlook
from kursk_pbem.rulesets.kursk_1971.setting import ENEMY

_FLIGHTS = (movement.INITIAL, air.INTERCEPTION, raids.RAIDS, BATTLES, PATROL, INTERDICTION)
_AFTER = "it comes after the dice of the attacks declared, and is ordered in your next message [2.0-phases]"
FROM_THE_AIR = "it comes from the air, and nobody retreats; 'share' is for patrols over that base [9.0-d4]"
_SHUT = "Nobody: no advance enters an enemy fortified line [8.0-advance]."
_UNSUPPORTED = ((ATTACK, "it takes place without them"), (SKIP, "it does not, as when nothing is said"))


def _at(ask: OrderContext, phase: str) -> Position:
    return position(ask.setting, ask.at(ask.draft, phase))


def _named(pos: Position, uids: Iterable[str]) -> Among:
    """Units with their name, their figures, where they stand and whether they lack supply."""
    among = []
    for uid in uids:
        counter = pos.setting.counters[uid]
        here = hints.place(pos, pos.where[uid]) if uid in pos.where else ""
        cut = "out of supply" if here and not pos.supplied(uid) else ""
        among.append((uid, ", ".join(filter(None, (counter.short, counter.figures, here, cut)))))
    return tuple(among)


def _spots(pos: Position, hexes: Iterable[int]) -> Among:
    """Hexes with their town and whoever stands there, those of which nothing is to be told last."""
    towns, counters = {**pos.setting.towns, **pos.setting.cities}, pos.setting.counters
    among = []
    for hex_ in hexes:
        who = ", ".join(counters[uid].short for uid in pos.stack(hex_))
        among.append((pos.setting.board.labels[hex_], ": ".join(filter(None, (towns.get(hex_, ""), who)))))
    return tuple(sorted(among, key=lambda spot: not spot[1]))


def deploy(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """12.0: a hex on or behind the own line; then who goes there."""
    setting, pos, side = ask.setting, _at(ask, "deployment"), ask.state.side
    if not words or not setting.own_side[side] >> setting.board.index.get(words[0], 10_000) & 1:
        return (Clause("", "hex", PLACE, _spots(pos, bits(setting.own_side[side]))),)
    there = tuple(
        uid for order in list_entries(ask, "deployment") if order["hex"] == words[0] for uid in order["units"]
    )
    stack = [uid for uid in pos.stack(setting.board.index[words[0]]) if uid not in there]
    able = [uid for uid in pos.units(side) if uid in setting.start and uid not in stack and pos.fits((*stack, uid))]
    text = f"units besides {', '.join(setting.counters[uid].short for uid in stack)}" if stack else "units"
    return (Clause("with", text, UNITS, _named(pos, able), there, budgets=_room(pos, stack, able)),)


def _room(pos: Position, stack: Sequence[str], able: Iterable[str]) -> tuple[Budget, ...]:
    """5.0, 5.0-b: how many more may stand with a stack, where they are counted one by one."""
    setting, known = pos.setting, tuple(able)
    if setting.printed:
        return ()
    large = sum(setting.counters[uid].large for uid in stack)
    prices = {uid: 1 for uid in known if setting.counters[uid].large}
    return (
        Budget("units in the hex", setting.limits["stack"] - len(stack), dict.fromkeys(known, 1)),
        Budget("divisions and corps", setting.limits["stack-large"] - large, prices),
    )


def reinforce(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """13.0: who comes; then the hexes in which that unit can."""
    pos, side = _at(ask, air.INTERCEPTION), ask.state.side
    coming = movement.waiting(ask.setting, pos, side)
    labels = pos.setting.board.labels
    free = {
        uid: [
            hex_ for hex_ in bits(pos.setting.entry[side]) if movement.entry_slip(pos, side, uid, labels[hex_]) is None
        ]
        for uid in coming
    }
    if not words or words[0] not in free:
        return (Clause("", "unit", UNIT, _named(pos, (uid for uid in coming if free[uid]))),)
    chosen = tuple(order["hex"] for order in list_entries(ask, "reinforcements") if order["unit"] == words[0])
    return (Clause("in", "hex in which it appears", PLACE, _spots(pos, free[words[0]]), chosen),)


# Aircraft


def _flyers(ask: OrderContext, pos: Position, key: str, known: Any = None) -> list[str]:
    """9.0-d: aircraft that may fly in ``pos`` and have no other order than those under ``key``, or than ``known``."""
    other = [
        order for every in _FLIGHTS for order in list_entries(ask, every) if every != key or (known and order != known)
    ]
    taken = {uid for order in other for uid in (order.get("unit"), order.get("support"), *order.get("aircraft", ()))}
    return [uid for uid in air.ready(pos, ask.state.side) if uid not in taken]


def _mission(
    ask: OrderContext, words: Sequence[str], key: str, pos: Position, spots: Iterable[int]
) -> tuple[Clause, ...]:
    """Over which hex; then by which aircraft."""
    near = {uid: air.near(pos, uid) for uid in _flyers(ask, pos, key)}
    there = {pos.setting.board.labels[hex_]: hex_ for hex_ in spots if any(mask >> hex_ & 1 for mask in near.values())}
    if not words or words[0] not in there:
        notes = (_AFTER,) if key != air.INTERCEPTION and _later(ask) else ()
        return (Clause("", "hex", PLACE, _spots(pos, there.values()), notes=notes),)
    able = [uid for uid, mask in near.items() if mask >> there[words[0]] & 1]
    flying = tuple(order["unit"] for order in list_entries(ask, key) if order["hex"] == words[0])
    return (Clause("with", "aircraft", UNITS, _named(pos, able), flying),)


def intercept(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """9.0-d5: over which hex enemies can be turned back; then by whom."""
    pos = position(ask.setting, ask.state)
    flown = {label for table in (PATROL, INTERDICTION) for label in pos.state.marks.get(table, {}).values()}
    spots = sorted(pos.setting.board.index[label] for label in flown)
    prey = [hex_ for hex_ in spots if air.prey(pos, ask.state.side, hex_)]
    return _mission(ask, words, air.INTERCEPTION, pos, prey)


def patrol(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """9.0-d3: over which units of one's own; then by whom."""
    pos = _at(ask, movement.MOTOR)
    return _mission(ask, words, PATROL, pos, () if _later(ask) else bits(pos.occupied[ask.state.side]))


def interdict(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """9.0-d2: over which hex without units of one's own, and without enemy patrols; then by whom."""
    pos, side = _at(ask, movement.MOTOR), ask.state.side
    free = (hex_ for hex_ in bits(pos.setting.board.all & ~pos.occupied[side]) if not air.blocked(pos, side, hex_))
    return _mission(ask, words, INTERDICTION, pos, () if _later(ask) else free)


def _later(ask: OrderContext) -> bool:
    """2.0-phases: whether what follows the combat phase comes after dice, in another message."""
    return bool(list_entries(ask, BATTLES) or list_entries(ask, raids.RAIDS))


def raid(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """9.0-d4: which base, by its unit or its hex; then by whom."""
    pos = _at(ask, movement.INITIAL)
    orders = {order["base"]: order for order in list_entries(ask, raids.RAIDS)}
    reached = {
        base.base: [
            uid for uid in _flyers(ask, pos, raids.RAIDS, orders.get(base.base, {"base": ""})) if uid in base.aircraft
        ]
        for base in outlook.bases(pos, ask.state.side)
    }
    meant = [uid for uid in reached if uid in words[:1] or pos.state.units[uid].place in words[:1]]
    if len(meant) != 1:
        return (Clause("", "base", UNIT, _named(pos, meant or (uid for uid, able in reached.items() if able))),)
    flying = tuple(orders.get(meant[0], {}).get("aircraft", ()))
    return (Clause("with", "aircraft", UNITS, _named(pos, reached[meant[0]]), flying),)


# Attacks and answers


def attack(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """7.0: what is attacked; then by whom, with which aircraft, and the plan."""
    pos, side, labels = _at(ask, raids.RAIDS), ask.state.side, ask.setting.board.labels
    orders = {order["hex"]: order for order in list_entries(ask, BATTLES)}
    attacks = {labels[offer.battle.hex]: offer for offer in outlook.strong(pos, side)}
    busy = {uid: order["hex"] for order in orders.values() for uid in order["attackers"]}
    free = {
        label: [uid for uid in outlook.beside(pos, side, offer.battle.hex) if busy.get(uid, label) == label]
        for label, offer in attacks.items()
    }
    if not words or words[0] not in attacks:
        able = (offer.battle.hex for label, offer in attacks.items() if together(pos, free[label]))
        among = tuple(
            (label, f"{who}; by all {hints.odds_line(attacks[label].odds)}") for label, who in _spots(pos, able)
        )
        return (Clause("", "hex that is attacked", PLACE, among),)
    label, hex_ = words[0], attacks[words[0]].battle.hex
    known: Mapping[str, Any] = orders.get(label, {"hex": label})
    flyers = [uid for uid in _flyers(ask, pos, BATTLES, known) if air.in_range(pos, uid, hex_)]
    stack = pos.stack(hex_)
    heads = (*WAYS, *(stack if len(stack) > 1 else ()))
    units, near = _named(pos, free[label]), _named(pos, combat.followers(pos, side, 1 << hex_))
    shut = ask.setting.forts[ENEMY[side]] >> hex_ & 1
    chosen = {key: (value,) if isinstance(value, str) else tuple(value) for key, value in known.items()}
    return (
        Clause("with", "attackers", UNITS, units, chosen.get("attackers", tuple(together(pos, free[label])))),
        Clause("support", "close support", UNIT, _named(pos, flyers), chosen.get("support", ())),
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
            "enters the hex if it is left, in this order",
            ORDER,
            () if shut else near,
            chosen.get("advance", ()),
            notes=(_SHUT,) if shut else (),
        ),
        Clause(
            "retreat", "where their defenders retreat", WISHES, _ways(pos, [hex_]), chosen.get("retreat", ()), heads
        ),
    )


def _ways(pos: Position, hexes: Sequence[int]) -> Among:
    """8.0-ar: hexes into which somebody in ``hexes`` could retreat."""
    around = pos.setting.board.spread(sum(1 << hex_ for hex_ in {*hexes}))
    return _spots(pos, (hex_ for hex_ in bits(around) if hex_ not in hexes))


def answer(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """8.0, S-58: for which attack, where a referee rolls for which hex, or for all; then who retreats and follows."""
    pos, policy, attacked = position(ask.setting, ask.state), ask.draft.get("policy", {}), _attacked(ask)
    if not words or words[0] not in (ALL, *attacked):
        waiting = battles.battles_of(ask.setting, ask.state.agenda) if replies(ask) else ()
        odds = {battle.id: f": {hints.told(pos, battle, sixths=False)}" for battle in waiting}
        rows = tuple((name, hints.place(pos, hex_) + odds.get(name, "")) for name, (hex_, _origins) in attacked.items())
        whole = ((ALL, "whatever is attacked"),) if attacked else ()
        flown = tuple(
            f"{raid.id}: {FROM_THE_AIR}"
            for raid in raids.raids_of(ask.state.agenda)
            if replies(ask) and raid.id not in odds
        )
        return (Clause("", "attack", CHOICE if replies(ask) else PLACE, (*whole, *rows), notes=flown),)
    name, lines = words[0], ask.setting.forts[ENEMY[ask.state.side]]
    table = policy.get(BATTLES if replies(ask) else "hexes", {})
    said = policy if name == ALL else table.get(name, {})
    meant = attacked.values() if name == ALL else [attacked[name]]
    hexes = list(dict.fromkeys(hex_ for hex_, _origins in meant))
    spots = {origin for _hex, origins in meant for origin in origins if not lines >> origin & 1}
    units = combat.followers(pos, ask.state.side, sum(1 << origin for origin in spots))
    left = sorted(pos.setting.board.labels[origin] for origin in spots)
    into = tuple(left) if len(left) > 1 and name != ALL else ()
    return (
        Clause(
            "retreat",
            "where units retreat, theirs too on AR or BR",
            WISHES,
            _ways(pos, hexes),
            tuple(said.get("retreat", ())),
            WAYS,
        ),
        Clause(
            "advance",
            "follows into a hex that they leave, in this order",
            ORDER,
            _named(pos, units) if left else (),
            tuple(said.get("advance", ())),
            into,
            notes=() if left else (_SHUT,),
        ),
    )


def replies(ask: OrderContext) -> bool:
    """Whether the message answers attacks that are declared; otherwise it may file standing answers."""
    return sequence.REPLY in sequence.stages(ask.setting)[ask.state.stage].phases


def _attacked(ask: OrderContext) -> dict[str, tuple[int, tuple[int, ...]]]:
    """What can be answered: attack, or a hex beside the enemy -> its hex, and where its attackers stand."""
    pos, side = position(ask.setting, ask.state), ask.state.side
    if replies(ask):
        return {
            battle.id: (battle.hex, tuple(pos.where[uid] for uid in battle.attackers))
            for battle in battles.battles_of(ask.setting, ask.state.agenda)
        }
    near = pos.setting.board.near
    return {
        pos.setting.board.labels[hex_]: (hex_, tuple(bits(near[hex_] & pos.enemies(side))))
        for hex_ in bits(pos.occupied[side])
        if near[hex_] & pos.enemies(side)
    }


def share(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """9.0-d4, S-25: which base; then the patrols that defend it, where no other base has them."""
    pos, side = position(ask.setting, ask.state), ask.state.side
    own = air.bases(pos, side)
    bases = [declared.base for declared in raids.raids_of(ask.state.agenda)] if replies(ask) else own
    patrols = {uid: pos.over(PATROL, side, pos.where[uid]) if replies(ask) else own for uid in bases}
    if not words or words[0] not in patrols:
        notes = () if any(patrols.values()) else ("no patrol of yours flies over a base that is attacked [9.0-d4]",)
        return (Clause("", "base", UNIT, _named(pos, (uid for uid, uids in patrols.items() if uids)), notes=notes),)
    shared = ask.draft.get("policy", {}).get(PATROL, {})
    taken = {uid for base, uids in shared.items() if base != words[0] for uid in uids}
    able = [uid for uid in patrols[words[0]] if uid not in taken]
    return (Clause("with", "patrols", UNITS, _named(pos, able), tuple(shared.get(words[0], ()))),)
