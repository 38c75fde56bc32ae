"""What a draft tells its writer: for each key of the message, what is possible there, so that nobody needs the manual.

Computed on the position at the start of the message; units that move or appear change what comes after them.
"""

from __future__ import annotations

from collections.abc import Iterator

from kursk_pbem.kernel.board import bits
from kursk_pbem.kernel.ruleset import Hint
from kursk_pbem.kernel.state import ELIMINATED, OFF_MAP, State
from kursk_pbem.rulesets.battle_for_kursk import combat, movement, posture, replacements
from kursk_pbem.rulesets.battle_for_kursk.odds import Battle, Odds, assess, fraction_text, odds_text
from kursk_pbem.rulesets.battle_for_kursk.position import Position, position
from kursk_pbem.rulesets.battle_for_kursk.setting import FULL, MAJOR, REDUCED, RUSSIAN, SIDES, Kursk

ORDER_STAGES = ("posture", "german-orders", "russian-orders")
ANSWER_STAGES = ("german-answer", "russian-answer")
DICE_STAGES = ("german-dice", "russian-dice")


def hints(kursk: Kursk, state: State, seq: int) -> tuple[Hint, ...]:
    """Everything that may stand in the message that ``state`` (after its duties) calls for, with what is possible."""
    return tuple(_hints(kursk, position(kursk, state), seq))


def _hints(kursk: Kursk, pos: Position, seq: int) -> Iterator[Hint]:
    state, side = pos.state, pos.state.side
    if state.stage == "opening" and kursk.distribution:
        yield _distribution(pos)
    if state.stage == "posture":
        yield from _posture(state, side)
    if state.stage in ORDER_STAGES:
        yield from _orders(kursk, pos, side, seq)
    elif state.stage in DICE_STAGES:
        yield _moves(pos, side, "movement")
    elif state.stage in ANSWER_STAGES:
        yield _answers(pos)
    if state.stage in ("opening", "russian-orders", "russian-dice"):
        yield _seal(kursk, state, side)


def _performs(kursk: Kursk, state: State, side: str, phase: str) -> bool:
    chosen = state.mark(side, "posture")
    return not chosen or phase in kursk.phases[chosen]


def _orders(kursk: Kursk, pos: Position, side: str, seq: int) -> Iterator[Hint]:
    state = pos.state
    spots = posture.objective_choices(kursk, state, side)
    if spots:
        lines = ("Strategic Objective (12.1): you may move it to one of", _listed(pos, spots))
        yield Hint(("orders", "objective"), lines, "")
    yield from _replacements(kursk, pos, side)
    if _performs(kursk, state, side, "armor-and-rail"):
        yield _moves(pos, side, "armor-and-rail")
    if _performs(kursk, state, side, "combat"):
        yield _battles(pos, side, seq)
    if _performs(kursk, state, side, "movement"):
        yield _moves(pos, side, "movement")


def _listed(pos: Position, labels: list[str]) -> str:
    names = pos.kursk.city_names
    index = pos.kursk.board.index
    return ", ".join(f"{label} {names[index[label]]}" if index[label] in names else label for label in labels)


def _named(pos: Position, uid: str) -> str:
    counter, unit = pos.kursk.counters[uid], pos.state.units[uid]
    side_up = "" if unit.steps == FULL else ", reduced"
    return f"{uid} ({counter.short}, {pos.kursk.strength(uid, unit.steps)}-{counter.move}{side_up}) {unit.place}"


def _distribution(pos: Position) -> Hint:
    """6.0: which units may take the steps of the short scenario."""
    kursk = pos.kursk
    lines = ["Short scenario (6.0): name the units that come to full strength, in the open."]
    proposal: list[str] = []
    for kind, steps in sorted(kursk.distribution.items(), reverse=True):
        able = [
            uid
            for uid, unit in sorted(pos.state.units.items())
            if kursk.counters[uid].side == RUSSIAN
            and unit.steps == REDUCED
            and kursk.counters[uid].infantry == (kind == "infantry")
        ]
        lines += [f"{steps} {kind} steps, among: {', '.join(able)}"]
        ranked = sorted(able, key=lambda uid: (-kursk.counters[uid].strength[FULL], uid))
        proposal += ranked[:steps]
    lines.append("Proposed here: the strongest of each kind.")
    return Hint(("orders", "distribution"), tuple(lines), sorted(proposal))


def _posture_lines(state: State, side: str) -> list[str]:
    prices = posture.affordable(state, side)
    have = state.tracks[f"offensives-{side}"]
    priced = [f"{name} (costs {cost} Offensive markers)" if cost else name for name, cost in prices.items()]
    return [
        f"Posture of turn {state.turn} (12.0), after {state.mark(side, 'previous')}, with {have} Offensive markers:",
        ", ".join(priced),
        "pause: replacements only. reposition: and movement. deploy: and armor and rail. engage: and combat.",
        "reaction 'yes': if you pause and the enemy engages, spend a marker and count as reposition.",
    ]


def _posture(state: State, side: str) -> Iterator[Hint]:
    value = {posture.label(state.turn): {"posture": "engage", "reaction": "no"}}
    if "engage" not in posture.affordable(state, side):
        value[posture.label(state.turn)]["posture"] = state.mark(side, "previous")
    yield Hint(("choice",), tuple(_posture_lines(state, side)), value)
    lines = (
        "Write 'waive: posture' to order now, before the Russian posture is shown (it binds only Russian phases):",
        "two mails less. Delete the line to see it first; your orders then come with your next message.",
    )
    yield Hint(("waive",), lines, "posture")


def _seal(kursk: Kursk, state: State, side: str) -> Hint:
    """The posture to be sealed at the end of this message, if the turn ends with it."""
    if state.stage == "opening":
        lines = _posture_lines(state, side)
        return Hint(("seal",), tuple(lines), {posture.label(state.turn): {"posture": "reposition", "reaction": "no"}})
    number = kursk.turns.index(state.turn) + 1
    if number == len(kursk.turns):
        return Hint(("seal",), ("This is the last turn: nothing is sealed.",))
    turn = kursk.turns[number]
    chosen = state.mark(side, "posture") or "pause"
    later = " (leave it out if you declare battles: it then goes with their dice)"
    when = "" if state.stage == "russian-dice" else later
    lines = [
        f"Posture of turn {turn}, sealed until your next message{when}.",
        f"After {chosen} you may take anything lower, the same, or one higher; each box more costs a marker.",
        "reaction 'yes': if you pause and the enemy engages, spend a marker and count as reposition.",
    ]
    value = {posture.label(turn): {"posture": chosen, "reaction": "no"}}
    return Hint(("seal",), tuple(lines), value)


def _replacements(kursk: Kursk, pos: Position, side: str) -> Iterator[Hint]:
    state = pos.state
    waiting = [uid for uid, u in sorted(state.units.items()) if u.place == OFF_MAP and kursk.counters[uid].side == side]
    if waiting:
        lines = [f"{uid} returns (9.3) to one of: {_places(pos, uid)}" for uid in waiting]
        yield Hint(("orders", "returns"), tuple(lines), [])
    chosen = state.mark(side, "posture")
    if chosen:
        net = replacements.points(kursk, state, side)
        lines = [f"Replacements (10.0): {net['IRP']:+d} infantry, {net['ARP']:+d} armor."]
    else:
        box, rates = kursk.boxes[state.turn], kursk.posture_rp[side]
        each = [f"{p} {box.irp[side] + i:+d}/{box.arp[side] + a:+d}" for p, (i, a) in rates.items()]
        net = {"IRP": box.irp[side] + 1, "ARP": box.arp[side]}
        lines = ["Replacements (10.0), infantry/armor by posture: " + ", ".join(each) + "."]
    yield Hint(("orders", "replacements"), (*lines, *_gain_lines(pos, side, net)), [])
    due = replacements.proposed_give_ups(pos, side, net) if chosen else []
    if due:
        text = "Negative points (10.6): so many steps must be given up; proposed: the cheapest."
        yield Hint(("orders", "give-ups"), (text,), due)


def _gain_lines(pos: Position, side: str, net: dict[str, int]) -> Iterator[str]:
    kursk, state = pos.kursk, pos.state
    own = [uid for uid, counter in kursk.counters.items() if counter.side == side]
    flips = [
        uid
        for uid in own
        if uid in pos.where
        and state.units[uid].steps == REDUCED
        and net[replacements.point_type(kursk, uid)] > 0
        and replacements.in_communication(pos, uid)
    ]
    if flips:
        yield f"{{unit: ID, gain: flip}}: {', '.join(flips)}"
    for uid in own:
        if state.units[uid].place == ELIMINATED and net[replacements.point_type(kursk, uid)] > 0:
            yield f"{{unit: {uid}, gain: place, hex: HEX}}: {_places(pos, uid)}"


def _places(pos: Position, uid: str) -> str:
    labels = [pos.kursk.board.labels[hex_] for hex_ in replacements.placements(pos, uid)]
    return _listed(pos, labels) or "no place now"


def _moves(pos: Position, side: str, key: str) -> Hint:
    kursk, labels = pos.kursk, pos.kursk.board.labels
    if key == "movement":
        lines = ["Movement (8.0): {unit: ID, to: HEX} or {unit: ID, path: [HEX, HEX]}; hexes with their cost."]
    else:
        lines = ["Armor and rail movement (8.1): armor anywhere, infantry only along a railway."]
    riders = movement.rail_riders(pos, side)
    for uid, hex_ in sorted(pos.where.items()):
        counter = kursk.counters[uid]
        if counter.side != side:
            continue
        how = movement.MOVE
        if key == "armor-and-rail" and counter.infantry:
            if not riders >> hex_ & 1:
                continue
            how = movement.RAIL
        found = movement.reach(pos, uid, how)
        if found:
            costs = " ".join(f"{labels[there]}:{way.mp}" for there, way in found.items())
            lines.append(f"{_named(pos, uid)} -> {costs}")
    return Hint(("orders", key), tuple(lines), [])


def _battles(pos: Position, side: str, seq: int) -> Hint:
    lines = [
        "Battles (9.0), in the order of fighting, e.g.",
        "{id: b1, hex: HEX, attackers: [ID, ID], offensive: {lead: ID, support: [ID]},",
        " retreat: [toward HEX], losses: [ID], advance: [ID if-free]}",
        f"retreat, losses and advance are sealed as plans/{seq} when you sign. From where units stand now:",
    ]
    enemy = next(other for other in SIDES if other != side)
    for hex_ in bits(pos.occupied[enemy]):
        near = [uid for there, uid in pos.at.items() if pos.kursk.board.near[hex_] >> there & 1]
        attackers = sorted(uid for uid in near if pos.side(uid) == side)
        if attackers:
            lines.append(_target(pos, hex_, tuple(attackers)))
    return Hint(("orders", "battles"), tuple(lines), [])


def _target(pos: Position, hex_: int, attackers: tuple[str, ...]) -> str:
    battle = Battle("b", hex_, pos.at[hex_], attackers)
    odds = assess(pos, battle)
    support = _best_support(pos, battle)
    text = f"{_named(pos, battle.defender)}: {_odds_line(odds)} by {', '.join(attackers)}"
    if support:
        lead, units = support
        text += f"; Offensive led by {lead} with {', '.join(units)}: {len(units):+d}"
    return text


def _odds_line(odds: Odds) -> str:
    shift = sum(each.columns for each in odds.shifts)
    after = odds_text(odds.column) if odds.column else "no attack"
    return f"{fraction_text(odds.attack)}:{odds.defence} = {odds.ratio}, shifts {shift:+d} -> {after}"


def _best_support(pos: Position, battle: Battle) -> tuple[str, list[str]] | None:
    """9.2.1: the lead with the most units of its formation behind it."""
    near, counters = pos.kursk.board.near, pos.kursk.counters
    best: tuple[str, list[str]] | None = None
    for lead in battle.attackers:
        if not (counters[lead].armor or counters[lead].type == "shock"):
            continue
        behind = sorted(
            uid
            for hex_, uid in pos.at.items()
            if near[pos.where[lead]] >> hex_ & 1
            and not near[battle.hex] >> hex_ & 1
            and counters[uid].formation == counters[lead].formation
            and uid != lead
        )
        if behind and (best is None or len(behind) > len(best[1])):
            best = lead, behind
    return best


def _answers(pos: Position) -> Hint:
    """9.3: where the defender has a choice at all."""
    lines = [
        "Your answer to the battles declared (9.3). Nothing written means: stand fast or exchange a DR only if",
        "the unit is doomed, exchange a DRL always. WHEN: never, doomed, full, reduced, always. E.g.",
        "policy: {battles: {b1: {stand-fast: always, exchange-dr: never, exchange-drl: always}}}",
    ]
    for battle in combat.declared(pos.kursk, pos.state.agenda):
        rights = []
        if pos.kursk.cities.get(battle.hex) == MAJOR:
            rights.append("stand-fast (Major City)")
        if pos.fortified(battle.defender):
            rights.append("exchange-dr, exchange-drl (fortification)")
        rights_text = ", ".join(rights) or "no choice"
        lines.append(f"{battle.id}: {_named(pos, battle.defender)}, {_odds_line(assess(pos, battle))}: {rights_text}")
    return Hint(("policy",), tuple(lines), {})
