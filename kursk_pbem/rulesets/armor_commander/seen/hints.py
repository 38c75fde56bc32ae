"""2.2, 3.2: the hints in a draft: possible deployments and orders, distances and targets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product
from typing import Any

from kursk_pbem.kernel import plane
from kursk_pbem.kernel.outlook import Target
from kursk_pbem.kernel.plane import CLOCK
from kursk_pbem.kernel.ruleset import Hint
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.armor_commander import plotting, sequence
from kursk_pbem.rulesets.armor_commander.ahead import find_straight_end
from kursk_pbem.rulesets.armor_commander.orders import GREEN
from kursk_pbem.rulesets.armor_commander.plotting import name_seal
from kursk_pbem.rulesets.armor_commander.position import DEPLOYMENT, FACING, Field, make_field
from kursk_pbem.rulesets.armor_commander.seen.outlook import describe_cohesion, describe_reach, make_outlook
from kursk_pbem.rulesets.armor_commander.setting import Setting
from kursk_pbem.rulesets.armor_commander.setup import list_scenario_places

EXAMPLE = "For example"
EITHER = "Keep only one of the two examples, because a unit gets a single chip."
HIDDEN = "Your mail contains only a hash; your next message shows the list. An empty list will do."


def make_hints(setting: Setting, state: State, _seq: int) -> tuple[Hint, ...]:
    """Return the draft's comment on the deployment or the orders, or () for a message without choices."""
    phases = sequence.list_stages(setting)[state.stage].phases
    if sequence.DEPLOY in phases:
        return _hint_sealed(DEPLOYMENT, _describe_zone(setting, state.side))
    if sequence.PLACE in phases:
        return _hint_open("deployment", _describe_zone(setting, state.side))
    if sequence.PLOT in phases:
        return _hint_sealed(name_seal(state.turn), _describe_orders(setting, state))
    if sequence.ORDERS in phases:
        return _hint_open("units", _describe_orders(setting, state))
    return ()


def _hint_sealed(name: str, lines: tuple[str, ...]) -> tuple[Hint, ...]:
    """Return a hint for a sealed list, with the examples below their keys."""
    at = lines.index(EXAMPLE) + 1
    inner = (*lines[:at], "seal:", f"  {name}:", *(f"  {line}" for line in lines[at:]), HIDDEN)
    return (Hint(("seal",), inner, {name: []}),)


def _hint_open(name: str, lines: tuple[str, ...]) -> tuple[Hint, ...]:
    at = lines.index(EXAMPLE) + 1
    return (Hint(("orders", name), (*lines[:at], f"{name}:", *lines[at:]), []),)


def _describe_zone(setting: Setting, side: str) -> tuple[str, ...]:
    """2.2, 2.3: describe the zone and the scenario's places."""
    close = describe_cohesion(setting)
    corners = " / ".join(map(plane.text, setting.zones[side].outline))
    there = [
        f"{mid} at {plane.text(place)}{f', facing {face}' if face else ''}"
        for mid, (place, face) in list_scenario_places(setting, side).items()
    ]
    first = there[0].split(" at ")[0]
    place, face = list_scenario_places(setting, side)[first]
    example: dict[str, Any] = {"id": first, "at": plane.text(place), "face": face}
    return (
        f"Deployment (2.2). Your zone has the corners {corners}.",
        "Without an entry a model is at the scenario's place:",
        *there,
        f"No bases touch, tanks {close} and out of terrain, guns in terrain only in cover, to stay (2.3).",
        EXAMPLE,
        _format_entry(example),
    )


def _describe_orders(setting: Setting, state: State) -> tuple[str, ...]:
    """3.2, 4.1, 5.1: describe the units that may have a chip, their reach and their targets."""
    table = make_field(setting, state)
    units = [unit for unit in setting.list_units(state.side) if table.list_unit(unit.id)]
    lines = [f"Orders of turn {state.turn} (3.2): a green chip, a red chip or no chip for each unit."]
    lines.append("The umpire carries out your orders from top to bottom.")
    for unit in units:
        lines += _describe_reach(table, unit.id)
    seen = make_outlook(setting, state, "")
    lines.append("Shots from the present places (5.2):" if seen.targets else "No unit has a target now (5.2).")
    lines += [f"  {target.units[0]}: {line}" for target in seen.targets for line in target.lines]
    return (*lines, *_find_examples(table, [unit.id for unit in units], seen.targets))


def _describe_reach(table: Field, uid: str) -> list[str]:
    """4.3: describe the reach of a unit's models; the usual reach is printed once."""
    ways = {mid: describe_reach(table, mid) for mid in table.list_unit(uid)}
    usual = max(ways.values(), key=lambda way: (list(ways.values()).count(way), way))
    but = ", except as noted below" if len(set(ways.values())) > 1 else ""
    lines = [f"{uid}{but}: {usual}"]
    for mid, way in ways.items():
        face = table.state.mark(FACING, mid)
        other = f": {way}" if way != usual else ""
        lines.append(f"  {mid} at {plane.text(table.at[mid])}{f', facing {face}' if face else ''}{other}")
    return lines


def _find_examples(table: Field, units: list[str], targets: Sequence[Target]) -> tuple[str, ...]:
    """Return a move and a shot, of two units if possible, so that a player can copy both."""
    moves = {
        uid: move
        for uid in reversed(units)
        if (move := next(filter(partial(_is_legal, table, uid), _list_moves(table, uid)), None))
    } or {"": {}}
    shots = {target.who: target.units[0] for target in reversed(targets)} or {"": ""}
    mover, shooter = min(product(moves, reversed(shots)), key=lambda pair: pair[0] == pair[1])
    moving = [f"- {{id: {mover}, chip: green, moves: [{_format_entry(moves[mover])[2:]}]}}"] if mover else []
    firing = [f"- {{id: {shooter}, chip: red, at: [{shots[shooter]}]}}"] if shooter else []
    return (*[EITHER] * (mover == shooter != ""), EXAMPLE, *(moving + firing or ["  []"]))


def _is_legal(table: Field, uid: str, move: dict[str, Any]) -> bool:
    """Return whether a unit may be ordered this move of one model alone."""
    return not plotting.judge_orders(table, table.state.side, [{"id": uid, "chip": GREEN, "moves": [move]}])[1]


def _list_moves(table: Field, uid: str) -> Iterator[dict[str, Any]]:
    """Yield moves of a model: half of its reach straight ahead, or a turn on the spot."""
    faces = {mid: {"face": face} if (face := table.state.mark(FACING, mid)) else {} for mid in table.list_unit(uid)}
    for mid, facing in faces.items():
        for end in filter(None, (find_straight_end(table, mid, vector) for vector in CLOCK.values())):
            x, y = table.at[mid]
            yield {"id": mid, "path": [plane.text(((x + end[0]) // 2, (y + end[1]) // 2))], **facing}
    yield from ({"id": mid, **facing} for mid, facing in faces.items() if facing)


def _format_entry(entry: dict[str, Any]) -> str:
    """Return an entry as YAML on one line."""
    cells = [
        f"{key}: [{', '.join(map(repr, value))}]"
        if isinstance(value, list)
        else f"{key}: {value if key == 'id' else repr(value)}"
        for key, value in entry.items()
        if value
    ]
    return f"- {{{', '.join(cells)}}}"
