"""Orders and deployments as types, read from untrusted plain data (3.2, 4.1, 5.1).

No schema has checked sealed data. So this module checks everything and returns every mistake with its field. The checks
serve drafts, open messages and revealed data.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel import plane
from kursk_pbem.kernel.orders import Path
from kursk_pbem.kernel.picture import Point
from kursk_pbem.kernel.plane import CLOCK
from kursk_pbem.rulesets.armor_commander.setting import AP, GUN, HE, TANK, Setting

GREEN, RED = "green", "red"
FIELDS = ("moves", "at", "rounds", "shots")
MAX_POINTS, MAX_TARGETS, MAX_UNITS = 12, 24, 50
"""Points of a path, targets of a list, entries of a message, as in the schema of open orders."""


@frozen
class Move:
    """4.3: the way of a model without its start. ``face``: the new facing, '' to keep the facing."""

    model: str
    path: tuple[Point, ...]
    face: str


@frozen
class Order:
    """An order (chip) for a unit. Green: the moves of models. Red: targets of the unit (``aim``) and of single models.

    Targets are units or models, best first (5.2). Rounds in an order are only checked (5.7). ``lines``: the positions
    of the moves in the file, for messages.
    """

    unit: str
    chip: str
    moves: Mapping[str, Move]
    aim: tuple[str, ...]
    shots: Mapping[str, tuple[str, ...]]
    lines: Mapping[str, int]

    def aim_of(self, model: str) -> tuple[str, ...]:
        """A-5, A-39: return the targets of a model: its own list, or the unit's list if the model has none."""
        return self.shots.get(model, self.aim)


@frozen
class Mistake:
    """A mistake in an order: the paragraph, the field of the order, and a sentence."""

    rule: str
    field: Path
    why: str


Read = tuple[Order | None, list[Mistake]]


def read_order(setting: Setting, side: str, entry: Any) -> Read:
    """Return a side's order from an entry of its orders. If the entry is malformed, return None and the mistakes."""
    if not isinstance(entry, Mapping) or not isinstance(entry.get("id"), str):
        return None, [Mistake("3.2", (), "write {id: UNIT, chip: green, moves: ...} or {id: UNIT, chip: red, at: ...}")]
    faults = list(_check_form(setting, side, entry))
    if faults:
        return None, faults
    shots = {shot["id"]: tuple(shot.get("at", ())) for shot in entry.get("shots", ())}
    moves = {move["id"]: _read_move(move) for move in entry.get("moves", ())}
    lines = {mid: number for number, mid in enumerate(moves)}
    return Order(entry["id"], entry["chip"], dict(sorted(moves.items())), tuple(entry.get("at", ())), shots, lines), []


def _read_move(entry: Mapping[str, Any]) -> Move:
    return Move(entry["id"], tuple(map(plane.point, entry.get("path", ()))), entry.get("face", ""))


def _check_form(setting: Setting, side: str, entry: Mapping[str, Any]) -> Iterator[Mistake]:
    """3.2, 4.6: check for a unit of the side, one chip, and the fields of this chip."""
    unit, chip = setting.units.get(entry["id"]), entry.get("chip")
    model = setting.models.get(entry["id"])
    if unit is None and model is not None and model.side == side:
        yield Mistake("4.2", ("id",), f"is a model, and a chip is for a whole unit: name {model.unit}")
        return
    if unit is None or unit.side != side:
        yield Mistake("4.2", ("id",), "is no unit of yours; your tanks are a single unit, and every gun is a unit")
        return
    if chip not in (GREEN, RED):
        yield Mistake("3.2", ("chip",), "a chip is green (the unit moves) or red (the unit fires)")
        return
    wanted = {"id", "chip", *(("moves",) if chip == GREEN else ("at", "rounds", "shots"))}
    if strange := sorted(str(key) for key in entry if key not in wanted):
        does = "moves and does not fire" if chip == GREEN else "fires and does not move"
        field = strange[0] if strange[0] in FIELDS else "this field"
        yield Mistake("4.6", (strange[0],), f"{field} has no place beside a {chip} chip: the unit {does}")
        return
    if chip == GREEN:
        yield from _check_moves(setting, unit.models, entry.get("moves", ()))
    else:
        yield from _check_targets(setting, unit.kind, side, entry, ())
        yield from _check_shots(setting, unit.models, unit.kind, side, entry)


def _check_moves(setting: Setting, models: Sequence[str], entries: Any) -> Iterator[Mistake]:
    """4.1, 4.3, A-51: check for one entry per moving model, with a path, a facing, or both."""
    if not isinstance(entries, list | tuple) or not entries or len(entries) > MAX_UNITS:
        yield Mistake("4.1", ("moves",), "write which models move: [{id: MODEL, path: ['X, Y'], face: '12'}]")
        return
    seen: set[str] = set()
    for number, move in enumerate(entries):
        at: Path = ("moves", number)
        wrong = not isinstance(move, Mapping) or set(move) - {"id", "path", "face"}
        if wrong or not (move.get("path") or "face" in move):
            needs = "a move needs a path or a facing: "
            yield Mistake("4.3", at, needs + "{id: MODEL, path: ['X, Y', 'X, Y'], face: '12'}")
        elif move.get("id") not in models:
            yield Mistake("4.2", (*at, "id"), f"is no model of the unit; write {' or '.join(models)}")
        elif move["id"] in seen:
            yield Mistake("4.3", (*at, "id"), "the model has a move already")
        else:
            seen.add(move["id"])
            yield from _check_path(at, move)
            yield from check_facing(setting, move["id"], move.get("face", "12"), (*at, "face"), "face" in move)


def check_facing(setting: Setting, model: str, face: Any, at: Path, given: bool) -> Iterator[Mistake]:  # noqa: FBT001
    """6.6, A-14, A-49: check a model's facing. A tank's facing is an hour of the clock; a gun has no facing."""
    if given and setting.models[model].kind == GUN:
        yield Mistake("6.6", at, "a gun has no facing, and fires all round")
    elif not isinstance(face, str) or face not in CLOCK:
        yield Mistake("6.6", at, "a facing is a half hour of the clock, such as 12, 1:30 or 9; 12 is the upper edge")


def _check_path(at: Path, entry: Mapping[str, Any]) -> Iterator[Mistake]:
    """4.3: check the places of a path, in inches."""
    places = entry.get("path", [])
    if not isinstance(places, list | tuple) or len(places) > MAX_POINTS:
        yield Mistake("4.3", (*at, "path"), f"a path is a list of at most {MAX_POINTS} places such as '12.50, 30.00'")
        return
    for number, place in enumerate(places):
        if (slip := check_place(place, (*at, "path", number))) is not None:
            yield slip


def check_place(place: Any, at: Path) -> Mistake | None:
    """2.1: return the mistake in a place as written in a file, or None."""
    try:
        plane.point(place)
    except (ValueError, TypeError):
        return Mistake("2.1", at, "is no place such as '12.50, 30.00': inches from the left and from the lower edge")
    return None


def _check_targets(setting: Setting, kind: str, side: str, entry: Mapping[str, Any], at: Path) -> Iterator[Mistake]:
    """5.2, 5.7, A-9, A-26: check that targets are enemies, and that the rounds fit the targets."""
    targets, rounds = entry.get("at", []), entry.get("rounds", "")
    if not isinstance(targets, list | tuple) or len(targets) > MAX_TARGETS:
        yield Mistake("5.2", (*at, "at"), f"targets are a list of at most {MAX_TARGETS} enemy units or models")
        return
    if rounds not in ("", AP, HE) or (rounds == HE and kind == GUN):
        usual = "ap" if kind == GUN else "ap or he"
        yield Mistake(
            "5.7",
            (*at, "rounds"),
            f"write rounds: {usual}, or leave the rounds out: then the unit fires fitting rounds",
        )
        return
    for number, target in enumerate(targets):
        there = (*at, "at", number)
        what = find_enemy_kind(setting, side, target)
        if not what:
            own = isinstance(target, str) and (target in setting.units or target in setting.models)
            why = f"{target} is your own" if own else "is no unit or model of the enemy"
            yield Mistake("5.2", there, why)
        elif setting.find_weapon(kind, what) is None:
            yield Mistake("5.7", there, f"{target} is a gun, and a gun fires only at tanks")
        elif rounds in (AP, HE) and rounds != (HE if what == GUN else AP):
            fits = GUN if rounds == HE else TANK
            yield Mistake("5.7", there, f"{rounds} rounds are not fired at {target}, only at {fits}s")


def find_enemy_kind(setting: Setting, side: str, target: Any) -> str:
    """Return the kind of an enemy unit or model with this id, or '' for an unknown id."""
    for table in (setting.models, setting.units):
        if isinstance(target, str) and target in table and table[target].side != side:
            return str(table[target].kind)
    return ""


def _check_shots(
    setting: Setting, models: Sequence[str], kind: str, side: str, entry: Mapping[str, Any]
) -> Iterator[Mistake]:
    """5.2, A-5, A-51: check the targets of single models; a red chip needs a target."""
    shots = entry.get("shots", [])
    if not isinstance(shots, list | tuple) or len(shots) > MAX_UNITS:
        yield Mistake("5.2", ("shots",), "write targets of single models as [{id: MODEL, at: [ENEMY]}]")
        return
    seen: set[str] = set()
    for number, shot in enumerate(shots):
        at: Path = ("shots", number)
        if not isinstance(shot, Mapping) or set(shot) - {"id", "at", "rounds"} or not shot.get("at"):
            yield Mistake("5.2", at, "write {id: MODEL, at: [ENEMY, ENEMY]}")
        elif shot.get("id") not in models:
            yield Mistake("4.2", (*at, "id"), f"is no model of the unit; write {' or '.join(models)}")
        elif shot["id"] in seen:
            yield Mistake("5.2", (*at, "id"), "the model has targets already")
        else:
            seen.add(shot["id"])
            yield from _check_targets(setting, kind, side, shot, at)
    if not shots and not entry.get("at"):
        yield Mistake("5.1", (), "a red chip needs a target: at: [ENEMY]")
