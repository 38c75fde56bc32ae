"""Typed orders and deployments, read from plain data that anybody may have written (3.2, 4.1, 5.1).

What has been sealed was seen by no schema, so that everything is looked at here: ``slips`` says what is wrong with an
entry, each with the field it stands in. The same functions judge a draft, an open message and what is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kursk_pbem.kernel import plane
from kursk_pbem.kernel.orders import Path
from kursk_pbem.kernel.picture import Point
from kursk_pbem.kernel.plane import CLOCK
from kursk_pbem.rulesets.armor_commander.setting import AP, GUN, HE, TANK, Setting

GREEN, RED = "green", "red"
FIELDS = ("moves", "at", "rounds", "shots")
MOST_POINTS, MOST_TARGETS, MOST_UNITS = 12, 24, 50
"""Points of a path, targets of a list, entries of a message: as the schema says for what is open."""


@dataclass(frozen=True)
class Move:
    """4.3: the way of a model, without the place where it stands; ``face`` '' keeps its facing."""

    model: str
    path: tuple[Point, ...]
    face: str


@dataclass(frozen=True)
class Aim:
    """5.2: targets in the order of preference, units or models; the rounds that were written, '' for the usual."""

    at: tuple[str, ...]
    rounds: str


@dataclass(frozen=True)
class Order:
    """A chip for a unit: green with moves by model, red with targets of the unit and of single models.

    ``lines``: where in the file the move of a model stands, for those who are told of it.
    """

    unit: str
    chip: str
    moves: Mapping[str, Move]
    aim: Aim
    shots: Mapping[str, Aim]
    lines: Mapping[str, int]

    def aim_of(self, model: str) -> Aim:
        """A-5, A-39: the list of a model takes the place of that of its unit."""
        return self.shots.get(model, self.aim)


@dataclass(frozen=True)
class Slip:
    """What is wrong with an entry: the paragraph, the field below the entry, a sentence."""

    rule: str
    field: Path
    why: str


Read = tuple[Order | None, list[Slip]]


def read(setting: Setting, side: str, entry: Any) -> Read:
    """An order for one of the units of a side, and what is wrong with its form; None if it cannot be read at all."""
    if not isinstance(entry, Mapping) or not isinstance(entry.get("id"), str):
        return None, [Slip("3.2", (), "write {id: UNIT, chip: green, moves: ...} or {id: UNIT, chip: red, at: ...}")]
    faults = list(_form(setting, side, entry))
    if faults:
        return None, faults
    shots = {shot["id"]: _aim(shot) for shot in entry.get("shots", ())}
    moves = {move["id"]: _move(move) for move in entry.get("moves", ())}
    lines = {mid: number for number, mid in enumerate(moves)}
    return Order(entry["id"], entry["chip"], dict(sorted(moves.items())), _aim(entry), shots, lines), []


def _aim(entry: Mapping[str, Any]) -> Aim:
    return Aim(tuple(entry.get("at", ())), entry.get("rounds", ""))


def _move(entry: Mapping[str, Any]) -> Move:
    return Move(entry["id"], tuple(map(plane.point, entry.get("path", ()))), entry.get("face", ""))


def _form(setting: Setting, side: str, entry: Mapping[str, Any]) -> Iterator[Slip]:
    """3.2, 4.6: a unit of one's own, one chip, and what belongs to that chip."""
    unit, chip = setting.units.get(entry["id"]), entry.get("chip")
    model = setting.models.get(entry["id"])
    if unit is None and model is not None and model.side == side:
        yield Slip("4.2", ("id",), f"is a model, and a chip is for a whole unit: this one is of {model.unit}")
        return
    if unit is None or unit.side != side:
        yield Slip("4.2", ("id",), "is no unit of yours; all your tanks are one unit, and each gun is one")
        return
    if chip not in (GREEN, RED):
        yield Slip("3.2", ("chip",), "a chip is green (the unit moves) or red (it fires)")
        return
    wanted = {"id", "chip", *(("moves",) if chip == GREEN else ("at", "rounds", "shots"))}
    if strange := sorted(str(key) for key in entry if key not in wanted):
        does = "moves and does not fire" if chip == GREEN else "fires and does not move"
        field = strange[0] if strange[0] in FIELDS else "this field"
        yield Slip("4.6", (strange[0],), f"{field} has no place beside a {chip} chip: the unit {does}")
        return
    if chip == GREEN:
        yield from _moves(setting, unit.models, entry.get("moves", ()))
    else:
        yield from _targets(setting, unit.kind, side, entry, ())
        yield from _shots(setting, unit.models, unit.kind, side, entry)


def _moves(setting: Setting, models: Sequence[str], entries: Any) -> Iterator[Slip]:
    """4.1, 4.3, A-51: one entry for each model that moves, with a path, a facing, or both."""
    if not isinstance(entries, list | tuple) or not entries or len(entries) > MOST_UNITS:
        yield Slip("4.1", ("moves",), "write which models move: [{id: MODEL, path: ['X, Y'], face: '12'}]")
        return
    seen: set[str] = set()
    for number, move in enumerate(entries):
        at: Path = ("moves", number)
        wrong = not isinstance(move, Mapping) or set(move) - {"id", "path", "face"}
        if wrong or not (move.get("path") or "face" in move):
            needs = "a move needs a path, a facing or both: "
            yield Slip("4.3", at, needs + "{id: MODEL, path: ['X, Y', 'X, Y'], face: '12'}")
        elif move.get("id") not in models:
            yield Slip("4.2", (*at, "id"), f"this names no model of the unit, which has {', '.join(models)}")
        elif move["id"] in seen:
            yield Slip("4.3", (*at, "id"), "this model has a move already")
        else:
            seen.add(move["id"])
            yield from _path(at, move)
            yield from face_slips(setting, move["id"], move.get("face", "12"), (*at, "face"), "face" in move)


def face_slips(setting: Setting, model: str, face: Any, at: Path, given: bool) -> Iterator[Slip]:  # noqa: FBT001
    """6.6, A-14, A-49: a tank faces a point of the clock, a gun has no facing."""
    if given and setting.models[model].kind == GUN:
        yield Slip("6.6", at, "a gun has no facing: it fires all round")
    elif not isinstance(face, str) or face not in CLOCK:
        yield Slip("6.6", at, "a facing is a half hour of the clock, such as 12, 1:30 or 9; 12 is the upper edge")


def _path(at: Path, entry: Mapping[str, Any]) -> Iterator[Slip]:
    """4.3: places in inches, one after the other."""
    places = entry.get("path", [])
    if not isinstance(places, list | tuple) or len(places) > MOST_POINTS:
        yield Slip("4.3", (*at, "path"), f"a path is a list of at most {MOST_POINTS} places such as '12.50, 30.00'")
        return
    for number, place in enumerate(places):
        if (slip := place_slip(place, (*at, "path", number))) is not None:
            yield slip


def place_slip(place: Any, at: Path) -> Slip | None:
    """2.1: what is wrong with the way in which a place is written."""
    try:
        plane.point(place)
    except (ValueError, TypeError):
        return Slip("2.1", at, "is no place such as '12.50, 30.00': inches from the left and from the lower edge")
    return None


def _targets(setting: Setting, kind: str, side: str, entry: Mapping[str, Any], at: Path) -> Iterator[Slip]:
    """5.2, 5.7, A-9, A-26: enemies by name, and rounds that they can be fired at with."""
    targets, rounds = entry.get("at", []), entry.get("rounds", "")
    if not isinstance(targets, list | tuple) or len(targets) > MOST_TARGETS:
        yield Slip("5.2", (*at, "at"), f"targets are a list of at most {MOST_TARGETS} enemy units or models")
        return
    if rounds not in ("", AP, HE) or (rounds == HE and kind == GUN):
        usual = "ap" if kind == GUN else "ap or he"
        yield Slip("5.7", (*at, "rounds"), f"its rounds are {usual}; name none, and those that fit are fired")
        return
    for number, target in enumerate(targets):
        there = (*at, "at", number)
        what = kind_of(setting, side, target)
        if not what:
            own = isinstance(target, str) and (target in setting.units or target in setting.models)
            why = f"{target} is one of your own" if own else "is no unit or model of the enemy"
            yield Slip("5.2", there, why)
        elif setting.weapon(kind, what) is None:
            yield Slip("5.7", there, f"{target} is a gun, and a gun fires only at tanks")
        elif rounds in (AP, HE) and rounds != (HE if what == GUN else AP):
            fits = GUN if rounds == HE else TANK
            yield Slip("5.7", there, f"{rounds} rounds are not fired at {target}, only at {fits}s")


def kind_of(setting: Setting, side: str, target: Any) -> str:
    """The kind of an enemy unit or model, '' if it is none."""
    for table in (setting.models, setting.units):
        if isinstance(target, str) and target in table and table[target].side != side:
            return str(table[target].kind)
    return ""


def _shots(setting: Setting, models: Sequence[str], kind: str, side: str, entry: Mapping[str, Any]) -> Iterator[Slip]:
    """5.2, A-5, A-51: targets of single models; somebody must have one."""
    shots = entry.get("shots", [])
    if not isinstance(shots, list | tuple) or len(shots) > MOST_UNITS:
        yield Slip("5.2", ("shots",), "write targets of single models as [{id: MODEL, at: [ENEMY]}]")
        return
    seen: set[str] = set()
    for number, shot in enumerate(shots):
        at: Path = ("shots", number)
        if not isinstance(shot, Mapping) or set(shot) - {"id", "at", "rounds"} or not shot.get("at"):
            yield Slip("5.2", at, "write {id: MODEL, at: [ENEMY, ENEMY]}")
        elif shot.get("id") not in models:
            yield Slip("4.2", (*at, "id"), f"this names no model of the unit, which has {', '.join(models)}")
        elif shot["id"] in seen:
            yield Slip("5.2", (*at, "id"), "this model has targets already")
        else:
            seen.add(shot["id"])
            yield from _targets(setting, kind, side, shot, at)
    if not shots and not entry.get("at"):
        yield Slip("5.1", (), "a red chip needs a target: at: [ENEMY]")
