"""A guided turn: step by step what can be done with the message that is due, and what on the page each step points at.

What a stage is about stands in ``guide.yaml`` of its ruleset; a step whose button is not there now is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

from kursk_pbem.desk.draft import ordering, wording
from kursk_pbem.desk.seat import panels
from kursk_pbem.desk.seat.scene import Scene
from kursk_pbem.formats import strictyaml
from kursk_pbem.kernel.outlook import Target

_COLUMN = re.compile("([0-9]+):([0-9]+)")
MOST_TRIED = 12
"""Attacks that are tried before a guide points at one."""
FILE = "guide.yaml"
POINTS = ("able", "enemy", "attacked", "orders", "verb", "tab")
"""What a step may point at: a unit that can move, one to attack, a part of the page, a button by its name."""
FIRST = {
    "point": "map",
    "text": "You play the {} side. Drag the map to move it, and zoom with the wheel. {}"
    "This guide can be left at any time.",
}
DOTS = "Counters with a dot can still act, and n goes through them. "
ON_A_TABLE = (
    "You play the {} side. Drag the table to move it, and zoom with the wheel; n goes through your models. {}"
    "This guide can be left at any time."
)
LAST = {
    "point": "sign",
    "text": "When you have done what you want, Sign shows it all once more. Nothing is sent before you say yes there.",
}


@lru_cache(maxsize=16)
def stages(path: Path) -> Mapping[str, list[dict[str, str]]]:
    """The steps of each stage of a ruleset; nothing where it has no guide. FileError."""
    if not path.exists():
        return {}
    guide: Mapping[str, Any] = strictyaml.read(path.read_bytes(), str(path)).data
    return {stage: [dict(step) for step in steps] for stage, steps in guide.items()}


def of(scene: Scene) -> list[dict[str, str]]:
    """The steps for the message that is due: ``point``, ``text``, and the ``unit`` to be clicked or ''."""
    if scene.sheet is None:
        return []
    game = scene.desk.game
    known = stages(game.ruleset.rulebook.with_name(FILE)).get(game.state.stage, [])
    side = scene.words.side(scene.desk.own_side)
    dots = DOTS if panels.able(scene) and not scene.on_table else ""
    first = {**FIRST, "text": (ON_A_TABLE if scene.on_table else FIRST["text"]).format(side, dots)}
    return [{"unit": "", **step} for step in (first, *_possible(scene, known), LAST)]


def _possible(scene: Scene, steps: list[dict[str, str]]) -> Iterator[dict[str, str]]:
    """The steps that can be taken now, each with the unit that it means."""
    sheet = scene.writable
    able = {verb.name for verb in sheet.verbs if wording.possible(sheet, verb)}
    targets = [target for target in scene.outlook.targets if target.units and target.verb in able]
    enemy = _best(scene, targets)
    movers = panels.able(scene) or _listed(scene, able)
    for step in steps:
        kind, _blank, name = step["point"].partition(" ")
        if kind == "verb" and name in able:
            yield step
        elif kind == "able" and movers:
            yield {**step, "unit": _near(scene, movers, enemy)}
        elif kind == "enemy" and enemy:
            yield {**step, "unit": enemy}
        elif kind in ("orders", "tab") or (kind == "attacked" and panels.attacked(scene)):
            yield step


def _best(scene: Scene, targets: list[Target]) -> str:
    """The enemy who is attacked at the best odds by an order that the rules take as it stands; '' without one."""
    ranked = sorted(targets, key=_worth, reverse=True)[:MOST_TRIED]
    taken = (target for target in ranked if not scene.refused(f"{target.verb} {target.place} all"))
    best = next(taken, None)
    return best.units[0] if best else ""


def _listed(scene: Scene, able: set[str]) -> tuple[str, ...]:
    """Who is listed first for moving, where a picture does not show how far each comes."""
    there = {piece.id for piece in scene.picture.pieces}
    words = {phase.verb for phase in scene.outlook.phases} & able
    clauses = [ordering.clauses(scene.writable, word, ())[1][0] for word in sorted(words)]
    return tuple(uid for clause in clauses for uid, _meaning in clause.among if uid in there)


def _worth(target: Target) -> Fraction:
    """How good the odds of an attack are, as far as a column of 3:1 or 1:2 tells it; at its best."""
    columns = [fought.column for fought in (target.fought, *(other for _name, other in target.variants)) if fought]
    matches = [_COLUMN.fullmatch(column) for column in columns]
    return max((Fraction(int(odds[1]), int(odds[2])) for odds in matches if odds and int(odds[2])), default=Fraction(0))


def _near(scene: Scene, movers: tuple[str, ...], enemy: str) -> str:
    """Of some units the one that is nearest to an enemy; the first where there is none."""
    where = {piece.id: scene.ground.point(piece.at) or piece.spot for piece in scene.picture.pieces}
    at = where.get(enemy)
    if at is None:
        return movers[0]
    return min(
        (uid for uid in movers if where.get(uid) is not None),
        key=lambda uid: ((where[uid][0] - at[0]) ** 2 + (where[uid][1] - at[1]) ** 2, uid),
        default=movers[0],
    )
