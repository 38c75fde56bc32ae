"""2.2, 3.2: what a draft tells its writer: who may be deployed or ordered, how far, and at whom."""

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
from kursk_pbem.rulesets.armor_commander.seen.outlook import joined, outlook, within
from kursk_pbem.rulesets.armor_commander.setting import Setting
from kursk_pbem.rulesets.armor_commander.setup import list_scenario_places

EXAMPLE = "For example"
EITHER = "A unit gets one chip, so take one of these two."
HIDDEN = "Only their hash is mailed; they are shown in your next message. An empty list will do."


def hints(setting: Setting, state: State, _seq: int) -> tuple[Hint, ...]:
    """A hint for the deployment or the orders of a message; nothing where it only shows."""
    phases = sequence.find_stages(setting)[state.stage].phases
    if sequence.DEPLOY in phases:
        return _hidden(DEPLOYMENT, _deployment(setting, state.side))
    if sequence.PLACE in phases:
        return _open("deployment", _deployment(setting, state.side))
    if sequence.PLOT in phases:
        return _hidden(name_seal(state.turn), _orders(setting, state))
    if sequence.ORDERS in phases:
        return _open("units", _orders(setting, state))
    return ()


def _hidden(name: str, lines: tuple[str, ...]) -> tuple[Hint, ...]:
    """What is sealed; the examples below the keys that they stand under."""
    at = lines.index(EXAMPLE) + 1
    inner = (*lines[:at], "seal:", f"  {name}:", *(f"  {line}" for line in lines[at:]), HIDDEN)
    return (Hint(("seal",), inner, {name: []}),)


def _open(name: str, lines: tuple[str, ...]) -> tuple[Hint, ...]:
    at = lines.index(EXAMPLE) + 1
    return (Hint(("orders", name), (*lines[:at], f"{name}:", *lines[at:]), []),)


def _deployment(setting: Setting, side: str) -> tuple[str, ...]:
    """2.2, 2.3: the zone, and where the scenario puts everybody."""
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
        "Whoever you do not name stands where the scenario puts them:",
        *there,
        f"No bases touch, tanks {joined(setting)} and out of terrain, guns there only in cover, to stay (2.3).",
        EXAMPLE,
        _line(example),
    )


def _orders(setting: Setting, state: State) -> tuple[str, ...]:
    """3.2, 4.1, 5.1: units that may have a chip, how far their models go, at whom they can fire."""
    table = make_field(setting, state)
    units = [unit for unit in setting.list_units(state.side) if table.list_unit(unit.id)]
    lines = [f"Orders of turn {state.turn} (3.2): for each unit a green chip, a red one, or none."]
    lines.append("They are carried out in the order in which you write them.")
    for unit in units:
        lines += _ways(table, unit.id)
    seen = outlook(setting, state, "")
    lines.append("Shots from where models stand now (5.2):" if seen.targets else "Nobody can be fired at now (5.2).")
    lines += [f"  {target.units[0]}: {line}" for target in seen.targets for line in target.lines]
    return (*lines, *_examples(table, [unit.id for unit in units], seen.targets))


def _ways(table: Field, uid: str) -> list[str]:
    """4.3: the models of a unit, and how far they may go; what most of them may is said once."""
    ways = {mid: within(table, mid) for mid in table.list_unit(uid)}
    usual = max(ways.values(), key=lambda way: (list(ways.values()).count(way), way))
    but = ", where nothing else is said" if len(set(ways.values())) > 1 else ""
    lines = [f"{uid}{but}: {usual}"]
    for mid, way in ways.items():
        face = table.state.mark(FACING, mid)
        other = f": {way}" if way != usual else ""
        lines.append(f"  {mid} at {plane.text(table.at[mid])}{f', facing {face}' if face else ''}{other}")
    return lines


def _examples(table: Field, units: list[str], targets: Sequence[Target]) -> tuple[str, ...]:
    """A move and a shot below their heading: of two units if any two can, so that both may be copied together."""
    moves = {
        uid: move
        for uid in reversed(units)
        if (move := next(filter(partial(_legal, table, uid), _moves(table, uid)), None))
    } or {"": {}}
    shots = {target.who: target.units[0] for target in reversed(targets)} or {"": ""}
    mover, shooter = min(product(moves, reversed(shots)), key=lambda pair: pair[0] == pair[1])
    moving = [f"- {{id: {mover}, chip: green, moves: [{_line(moves[mover])[2:]}]}}"] if mover else []
    firing = [f"- {{id: {shooter}, chip: red, at: [{shots[shooter]}]}}"] if shooter else []
    return (*[EITHER] * (mover == shooter != ""), EXAMPLE, *(moving + firing or ["  []"]))


def _legal(table: Field, uid: str, move: dict[str, Any]) -> bool:
    """Whether a unit may be ordered this move of one model, and no other."""
    return not plotting.judge_orders(table, table.state.side, [{"id": uid, "chip": GREEN, "moves": [move]}])[1]


def _moves(table: Field, uid: str) -> Iterator[dict[str, Any]]:
    """Moves of one model of a unit: straight on, half as far as it comes, or a turn where it is."""
    faces = {mid: {"face": face} if (face := table.state.mark(FACING, mid)) else {} for mid in table.list_unit(uid)}
    for mid, facing in faces.items():
        for end in filter(None, (find_straight_end(table, mid, vector) for vector in CLOCK.values())):
            x, y = table.at[mid]
            yield {"id": mid, "path": [plane.text(((x + end[0]) // 2, (y + end[1]) // 2))], **facing}
    yield from ({"id": mid, **facing} for mid, facing in faces.items() if facing)


def _line(entry: dict[str, Any]) -> str:
    """An entry as YAML on one line."""
    cells = [
        f"{key}: [{', '.join(map(repr, value))}]"
        if isinstance(value, list)
        else f"{key}: {value if key == 'id' else repr(value)}"
        for key, value in entry.items()
        if value
    ]
    return f"- {{{', '.join(cells)}}}"
