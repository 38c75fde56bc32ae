"""Hints of a draft: the possibilities for every key of the message, so that players need no manual.

The hints apply to the position at the start of the message; moves and arrivals change later possibilities. The proposed
values make a legal message. Hints for moves, battles and answers are in ``attack_hints``.
"""

from __future__ import annotations

from collections.abc import Iterator

from kursk_pbem.kernel.ruleset import Hint
from kursk_pbem.kernel.state import ELIMINATED, OFF_MAP, PENDING, State
from kursk_pbem.kernel.words import plural
from kursk_pbem.rulesets.battle_for_kursk import posture, replacements, sequence
from kursk_pbem.rulesets.battle_for_kursk.position import Position, position
from kursk_pbem.rulesets.battle_for_kursk.replacements import ARP, IRP, WORD
from kursk_pbem.rulesets.battle_for_kursk.seen import attack_hints
from kursk_pbem.rulesets.battle_for_kursk.setting import FULL, POSTURES, REDUCED, RUSSIAN, Setting

_PHASES = (
    ("replacement", "replacements"),
    ("armor-and-rail", "armor and rail movement"),
    ("combat", "combat"),
    ("movement", "movement"),
)
_REACTION = (
    "reaction 'yes': if you pause and the enemy engages, you spend a marker, if available, and count as reposition."
)


def make_hints(setting: Setting, state: State, seq: int) -> tuple[Hint, ...]:
    """Return the hints for a draft: what the next message can contain. ``state``: the position after its duties."""
    return tuple(_make_hints(setting, position(setting, state), seq))


def _make_hints(setting: Setting, pos: Position, seq: int) -> Iterator[Hint]:
    """Yield a hint for every phase of the stage, in order."""
    state, side = pos.state, pos.state.side
    phases = sequence.list_stages(setting)[state.stage].phases
    if sequence.SHARE_OUT in phases and setting.distribution:
        yield _hint_distribution(pos)
    if sequence.POSTURE in phases or sequence.OPEN_POSTURE in phases:
        yield from _hint_posture(setting, state, side)
    if sequence.DECIDES in phases:
        yield attack_hints.hint_decision(pos)
    if sequence.ANSWERS in phases:
        yield attack_hints.hint_answers(pos)
    if sequence.PLANS in phases and PENDING in state.agenda:
        yield attack_hints.plans_again(pos, seq)
    else:
        if set(sequence.PLAYER_TURN) <= set(phases):
            yield from _hint_orders(setting, pos, side, seq)
        elif sequence.MOVEMENT in phases:
            yield attack_hints.hint_moves(pos, side, "movement")
        if sequence.SEALED in phases:
            yield from _hint_seal(setting, state, side)
    if sequence.STANDING in phases:
        yield attack_hints.open_policy(setting, state, side)


def _hint_orders(setting: Setting, pos: Position, side: str, seq: int) -> Iterator[Hint]:
    state = pos.state
    chosen = state.mark(side, "posture")
    performed = setting.phases[chosen] if chosen else frozenset(key for key, _name in _PHASES)
    # Before the choice, show the possibilities of Deploy. On Turn 1 Deploy turns the marker over, and the marker stays.
    deployed = state if chosen or state.turn == "1" else _with_posture(state, side, "deploy")
    spots = posture.objective_choices(setting, deployed, side)
    if spots:
        only = "" if chosen else ", only with deploy"
        lines = (f"Strategic Objective (12.1): you may move the marker{only}, to", attack_hints.list_places(pos, spots))
        yield Hint(("orders", "objective"), lines, "")
    yield from _hint_replacements(pos, side)
    if "armor-and-rail" in performed:
        yield attack_hints.hint_moves(pos, side, "armor-and-rail")
    if "combat" in performed:
        yield attack_hints.hint_battles(pos, side, seq)
    if "movement" in performed:
        yield attack_hints.hint_moves(pos, side, "movement")


def _hint_distribution(pos: Position) -> Hint:
    """6.0: return a hint with units for the steps of the short scenario."""
    setting = pos.setting
    lines = ["Short scenario (6.0): the units to bring to full strength before the first turn, in the open."]
    proposal: list[str] = []
    for kind, steps in sorted(setting.distribution.items(), reverse=True):
        able = [
            uid
            for uid, unit in sorted(pos.state.units.items())
            if setting.counters[uid].side == RUSSIAN
            and unit.steps == REDUCED
            and setting.counters[uid].infantry == (kind == "infantry")
        ]
        lines.append(f"{steps} of {kind}: {_describe_growth(pos, able)}")
        ranked = sorted(able, key=lambda uid: (-setting.counters[uid].strength[FULL], uid))
        proposal += ranked[:steps]
    lines.append("Proposed here: the strongest units of each kind. Exchange units as you like.")
    return Hint(("orders", "distribution"), tuple(lines), sorted(proposal))


def _describe_growth(pos: Position, uids: list[str]) -> str:
    """Return units by gain, most first: '4 to 8: r-10 1806, r-40 2015; 2 to 5: r-1-tc 2106'."""
    by_growth: dict[tuple[int, int], list[str]] = {}
    for uid in uids:
        strength = pos.setting.counters[uid].strength
        by_growth.setdefault((strength[FULL], strength[REDUCED]), []).append(f"{uid} {pos.state.units[uid].place}")
    ranked = sorted(by_growth.items(), reverse=True)
    return "; ".join(f"{reduced} to {full}: {', '.join(uids)}" for (full, reduced), uids in ranked)


def _posture_lines(setting: Setting, state: State, side: str, turn: str) -> Iterator[str]:
    """12.0: yield the affordable postures with phases, price and replacement points."""
    prices = posture.list_affordable(state, side)
    box, rates = setting.boxes[turn], setting.posture_rp[side]
    for name in POSTURES:
        cost = "too dear" if name not in prices else plural(prices[name], "marker") if prices[name] else "free"
        phases = ", ".join(words for key, words in _PHASES if key in setting.phases[name])
        infantry, armor = rates[name]
        points = f"points {box.irp[side] + infantry:+d} infantry, {box.arp[side] + armor:+d} armor"
        yield f"  {name} ({cost}): {phases}; {points}"


def _propose_posture(state: State, side: str) -> str:
    """Return the rightmost free posture."""
    return max((name for name in POSTURES if not posture.get_price(state, side, name)), key=POSTURES.index)


def _hint_posture(setting: Setting, state: State, side: str) -> Iterator[Hint]:
    have = plural(state.tracks[f"offensives-{side}"], "Offensive marker")
    lines = (
        f"Posture of turn {state.turn} (12.0). You come from {state.mark(side, 'previous')} and have {have}.",
        *_posture_lines(setting, state, side, state.turn),
        _REACTION,
    )
    value = {posture.label(state.turn): {"posture": _propose_posture(state, side), "reaction": "no"}}
    yield Hint(("choice",), lines, value)
    if sequence.POSTURE not in sequence.list_stages(setting)[state.stage].phases:
        return
    saved = "four" if setting.refereed else "two"
    lines = (
        "'waive: posture' sends the orders below at once, before you see the Russian posture.",
        f"It changes none of your phases and saves {saved} mails; pause with reaction 'yes' forbids it.",
        "To see the posture first, delete the line and empty the orders: your next message has the orders.",
    )
    yield Hint(("waive",), lines, "posture")


def _hint_seal(setting: Setting, state: State, side: str) -> Iterator[Hint]:
    """Return a hint for the posture to seal in this message, if the message ends the turn."""
    here = sequence.list_stages(setting)[state.stage]
    if not here.ends:  # the turn does not end with this message
        if posture.weather_due(state):
            return
        turn, then = state.turn, state
    else:
        number = setting.turns.index(state.turn) + 1
        if number == len(setting.turns):
            yield Hint(("seal",), ("This is the last turn: no posture is sealed.",))
            return
        turn, then = setting.turns[number], _next_turn(setting, state, side, setting.turns[number])
        if setting.weather_die and setting.boxes[turn].mud_die:
            text = f"Turn {turn} begins with a weather die (11.3): postures are chosen after it, so seal nothing now."
            yield Hint(("seal",), (text,))
            return
    have = plural(then.tracks[f"offensives-{side}"], "Offensive marker")
    lines = [
        f"Your posture of turn {turn} (12.0), in secret. Only a hash is mailed; your next message shows the posture.",
        f"You come from {then.mark(side, 'previous')} and will have {have}.",
        *_posture_lines(setting, then, side, turn),
        _REACTION,
    ]
    fights = "combat" in setting.phases[state.mark(side, "posture") or "engage"]
    if fights and sequence.PLAYER_TURN[-1] in here.phases:
        when = attack_hints.tell_when(setting)
        lines.append(f"If you declare battles, leave this out: you seal the posture {when}, in your next message.")
    value = {posture.label(turn): {"posture": _propose_posture(then, side), "reaction": "no"}}
    yield Hint(("seal",), tuple(lines), value)


def _next_turn(setting: Setting, state: State, side: str, turn: str) -> State:
    """Return the position for the choice of the next posture (K-1 b, 12.0-1)."""
    track = f"offensives-{side}"
    have = min(posture.MOST_OFFENSIVES, state.tracks[track] + setting.boxes[turn].offensives[side])
    own = {"previous": state.mark(side, "posture") or state.mark(side, "previous")}
    return state.with_(marks={**state.marks, side: own}, tracks={**state.tracks, track: have})


def _hint_replacements(pos: Position, side: str) -> Iterator[Hint]:
    setting, state = pos.setting, pos.state
    owner = setting.counters
    waiting = [uid for uid, u in sorted(state.units.items()) if u.place == OFF_MAP and owner[uid].side == side]
    if waiting:
        lines = [
            "Units that left the map come back now (9.3), free of charge, e.g. {unit: ID, hex: HEX};",
            "a unit without an entry takes the first free place.",
            *(f"{attack_hints.describe_unit(pos, uid)} to {_list_places(pos, uid)}" for uid in waiting),
        ]
        yield Hint(("orders", "returns"), tuple(lines), [])
        # Returned units gain and give up steps like others.
        pos = position(setting, replacements.after_returns(setting, state, side))
    chosen = state.mark(side, "posture")
    proposed = chosen or _propose_posture(state, side)
    net = {name: replacements.count_points(setting, _with_posture(state, side, name), side) for name in POSTURES}
    if chosen:
        first = f"Replacements (10.0): {net[chosen][IRP]:+d} infantry, {net[chosen][ARP]:+d} armor points, a step each."
        most = net[chosen]
    else:
        first = "Replacements (10.0), a step for each point; the list of postures above shows the points."
        most = {kind: max(pair[kind] for pair in net.values()) for kind in (IRP, ARP)}
    yield Hint(("orders", "replacements"), (first, *_gain_lines(pos, side, most)), [])
    yield from _hint_give_ups(pos, side, {name: net[name] for name in ([chosen] if chosen else POSTURES)}, proposed)


def _with_posture(state: State, side: str, chosen: str) -> State:
    return state.with_(marks={**state.marks, side: {**state.marks.get(side, {}), "posture": chosen}})


def _hint_give_ups(pos: Position, side: str, net: dict[str, dict[str, int]], proposed: str) -> Iterator[Hint]:
    """10.6: return a hint with steps for negative points; the value matches the proposed posture."""
    lines: list[str] = []
    for name, points in net.items():
        due = replacements.proposed_give_ups(pos, side, points)
        if due:
            words = " and ".join(f"{-points[kind]} of {WORD[kind]}" for kind in (IRP, ARP) if points[kind] < 0)
            enough = len(due) == sum(max(0, -points[kind]) for kind in (IRP, ARP))
            which = "the cheapest" if enough else "fewer steps are available, and suffice"  # K-21
            lines.append(f"{name}: {words}; {which}: {', '.join(due)}")
    if lines:
        first = "Negative points (10.6): exactly a step for each point must be given up; a unit may be named twice."
        yield Hint(("orders", "give-ups"), (first, *lines), replacements.proposed_give_ups(pos, side, net[proposed]))


def _gain_lines(pos: Position, side: str, most: dict[str, int]) -> Iterator[str]:
    """10.0 (1), (2): yield units for flips and placements, with a legal example of each."""
    setting, state = pos.setting, pos.state
    own = [uid for uid, counter in setting.counters.items() if counter.side == side]
    for kind in (IRP, ARP):
        if most[kind] <= 0:
            continue
        flips = [
            uid
            for uid in own
            if replacements.point_type(setting, uid) == kind
            and uid in pos.where
            and state.units[uid].steps == REDUCED
            and replacements.in_communication(pos, uid)
        ]
        if flips:
            example = f"{{unit: {flips[0]}, gain: flip}}"
            yield f"Units to restore for {WORD[kind]} points, e.g. {example}: {_describe_growth(pos, flips)}"
        for uid in own:
            if state.units[uid].place == ELIMINATED and replacements.point_type(setting, uid) == kind:
                order = f"{{unit: {uid}, gain: place, hex: HEX}}"
                yield f"Rebuilt, reduced, for 1 {WORD[kind]} point: {order}, HEX: {_list_places(pos, uid)}"


def _list_places(pos: Position, uid: str) -> str:
    labels = [pos.setting.board.labels[hex_] for hex_ in replacements.find_placements(pos, uid)]
    return attack_hints.list_places(pos, labels) or "no place now"
