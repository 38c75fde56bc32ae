"""A guided turn: steps for the next message, with pointers to elements of the page, or with lines for the terminal.

The file ``guide.yaml`` of a ruleset lists the steps of each stage, or of each kind of stages. Steps without a button on
the page are omitted.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

from kursk_pbem.desk.draft import ordering, wording
from kursk_pbem.desk.draft.examples import Examples
from kursk_pbem.desk.seat import battles, panels
from kursk_pbem.desk.seat.scene import Scene
from kursk_pbem.formats import strictyaml
from kursk_pbem.game.games import Game
from kursk_pbem.kernel.outlook import Target
from kursk_pbem.report.pictures import svglegend

_COLUMN = re.compile("([0-9]+):([0-9]+)")
MOST_TRIED = 4
"""Maximum number of attacks that the search for a recommended attack tries."""
FILE = "guide.yaml"
TYPED = {"attacked": "odds", "orders": "order", "tab": "report"}
"""Part of the page -> the terminal's command for the same task."""
FIRST = {
    "point": "map",
    "text": "You play the {} side. Drag the map to move it, and zoom with the wheel.{}",
    "touch": "You play the {} side. Drag the map to move it, and zoom with two fingers.{}",
}
DOTS = " Counters with a bar below can still act: press n for the next counter."
DOTS_TO_TOUCH = " Counters with a bar below can still act: tap one of them."
ON_A_TABLE = "You play the {} side. Drag the table to move it, and zoom with the wheel; n goes through your models.{}"
LAST = {
    "point": "sign",
    "text": "When your orders are complete, Sign shows all orders again. No message is written before you confirm.",
}


@lru_cache(maxsize=16)
def load_stages(path: Path) -> Mapping[str, list[dict[str, str]]]:
    """Load a beginner's guide: stage of the game -> steps; {} without a file. Raises FileError."""
    if not path.exists():
        return {}
    guide: Mapping[str, Any] = strictyaml.read(path.read_bytes(), str(path)).data
    return {stage: [dict(step) for step in steps] for stage, steps in guide.items()}


def _find_steps(game: Game) -> list[dict[str, str]]:
    stages = load_stages(game.ruleset.rulebook.with_name(FILE))
    return stages.get(game.state.stage) or stages.get(game.stage.kind, [])


def make_guide(scene: Scene) -> list[dict[str, str]]:
    """Return the guide's steps for the next message: ``point``, ``text``, ``unit``. For ``touch``, see ``FIRST``."""
    if scene.sheet is None:
        return []
    side = scene.words.side(scene.desk.own_side)
    dotted = bool(panels.list_movable(scene)) and not scene.on_table
    first = {
        **FIRST,
        "text": (ON_A_TABLE if scene.on_table else FIRST["text"]).format(side, DOTS if dotted else ""),
        "touch": FIRST["touch"].format(side, DOTS_TO_TOUCH if dotted else ""),
        "drawn": svglegend.draw_parts(scene.picture, scene.sides, scene.name_figures),
    }
    steps = (first, *(_join_texts(step) for step, _typed in _select_steps(scene, _find_steps(scene.desk.game))), LAST)
    return [{"unit": "", **step} for step in steps]


def list_typed_steps(scene: Scene) -> list[tuple[str, str]]:
    """Return the guide's steps for a terminal: the text that the board shows, and a line to type."""
    return [(step["text"], typed) for step, typed in _select_steps(scene, _find_steps(scene.desk.game))]


def _join_texts(step: Mapping[str, str]) -> dict[str, str]:
    """Return a step of the board, with the sentence about the mouse in its text."""
    text = f"{step['text']} {step['click']}" if "click" in step else step["text"]
    return {name: value for name, value in {**step, "text": text}.items() if name != "click"}


def _select_steps(scene: Scene, steps: list[dict[str, str]]) -> Iterator[tuple[dict[str, str], str]]:
    """Yield the possible steps, each with a line for the terminal that is legal after the lines above it."""
    for step in steps:
        unit, typed = _find_example(scene, step["point"])
        if typed:
            yield {**step, "unit": unit}, typed
        if typed and typed not in TYPED.values():
            scene = replace(scene, sheet=ordering.try_orders(scene.writable, ordering.split_orders(typed)).sheet)


def _find_example(scene: Scene, point: str) -> tuple[str, str]:
    """Return the unit and the line of a step, '' if the step is not possible. An ordered attack is no longer a step."""
    kind, _blank, name = point.partition(" ")
    if kind in TYPED:
        return "", TYPED[kind] if kind != "attacked" or battles.list_attacked(scene) else ""
    sheet = scene.writable
    examples, able = Examples(sheet), {verb.name: verb for verb in sheet.verbs if wording.is_possible(sheet, verb)}
    if kind == "verb":
        return "", examples.of(able[name]) if name in able else ""
    targets = [target for target in scene.outlook.targets if target.units and target.verb in able]
    best = _find_best_target(scene, targets)
    enemy = best.units[0] if best else ""
    if kind == "enemy":
        ordered = {words.partition(" ")[0] for _path, words in sheet.orders}
        return enemy, f"{best.verb} {best.place} all" if best and best.verb not in ordered else ""
    movers = panels.list_movable(scene) or _list_first_movers(scene, able.keys())
    moves = (examples.of(able[phase.verb]) for phase in scene.outlook.phases if phase.verb in able)
    return (_find_nearest(scene, movers, enemy), next(filter(None, moves), "")) if movers else ("", "")


def _find_best_target(scene: Scene, targets: list[Target]) -> Target | None:
    ranked = sorted(targets, key=_rate_odds, reverse=True)[:MOST_TRIED]
    return next((target for target in ranked if not scene.refused(f"{target.verb} {target.place} all")), None)


def _list_first_movers(scene: Scene, able: Collection[str]) -> tuple[str, ...]:
    """Return the units listed first for moving, for positions whose moves are not drawn."""
    there = {piece.id for piece in scene.picture.pieces}
    words = {phase.verb for phase in scene.outlook.phases}.intersection(able)
    clauses = [ordering.list_clauses(scene.writable, word, ())[1][0] for word in sorted(words)]
    return tuple(uid for clause in clauses for uid, _meaning in clause.among if uid in there)


def _rate_odds(target: Target) -> Fraction:
    """Return the best odds of a target as a number; 0 for columns other than 3:1."""
    columns = [fought.column for fought in (target.fought, *(other for _name, other in target.variants)) if fought]
    matches = [_COLUMN.fullmatch(column) for column in columns]
    return max((Fraction(int(odds[1]), int(odds[2])) for odds in matches if odds and int(odds[2])), default=Fraction(0))


def _find_nearest(scene: Scene, movers: tuple[str, ...], enemy: str) -> str:
    where = {piece.id: scene.ground.point(piece.at) or piece.spot for piece in scene.picture.pieces}
    at = where.get(enemy)
    if at is None:
        return movers[0]
    return min(
        (uid for uid in movers if where.get(uid) is not None),
        key=lambda uid: ((where[uid][0] - at[0]) ** 2 + (where[uid][1] - at[1]) ** 2, uid),
        default=movers[0],
    )
