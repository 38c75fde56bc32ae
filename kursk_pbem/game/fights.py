"""The decisive fight of a game: the battle or shot that changed the most units, with its map."""

from __future__ import annotations

from collections.abc import Iterator

from kursk_pbem.frozen import frozen
from kursk_pbem.game import scenes
from kursk_pbem.game.histories import History
from kursk_pbem.game.scenes import Scene
from kursk_pbem.kernel.events import Rolled, Tested
from kursk_pbem.kernel.picture import PLANE, Picture
from kursk_pbem.report import trails
from kursk_pbem.report.pictures import svg
from kursk_pbem.report.pictures.svg import Arrow, Burst


@frozen
class Fight:
    """A fight with the position before. ``at``: the attacked region or model. ``told``: a sentence about the fight."""

    picture: Picture
    at: str
    turn: str
    told: str
    arrows: tuple[Arrow, ...]
    bursts: tuple[Burst, ...]


def find_decisive_fight(history: History) -> Fight | None:
    """Return the fight that changed the most units by dice, the last of several equals; None without such a fight."""
    found = max(_list_fights(history), key=_count_changes, default=None)
    return None if found is None else _draw_fight(history, found)


def _list_fights(history: History) -> Iterator[Scene]:
    """Yield the battles and shots of a game with dice, newest first."""
    game = history.game
    words = game.ruleset.seen.words(game.setting)
    for step in reversed(history.steps):
        for scene in reversed(scenes.cut_scenes(game, words, step)):
            if scene.kind in ("battle", "shot") and any(isinstance(event, Rolled) for event in scene.events):
                yield scene


def _count_changes(scene: Scene) -> int:
    before, after = scene.before.units, scene.after.units
    return sum(before.get(unit) != after.get(unit) for unit in {*before, *after})


def _draw_fight(history: History, scene: Scene) -> Fight | None:
    game = history.game
    words = game.ruleset.seen.words(game.setting)
    picture = svg.to_scale(game.ruleset.seen.picture(game.setting, scene.before))
    ground, events = trails.Ground(picture), scene.events
    spots = {piece.id: piece.spot for piece in picture.pieces if picture.form == PLANE}
    aimed = [event.target for event in events if isinstance(event, Tested) and event.target]
    at = scene.fought.place if scene.fought else next(iter(aimed), "")
    if at not in spots and ground.point(at) is None:
        return None
    fired, hits = trails.draw_shot(spots, words, events) if aimed else ([], [])
    arrows = (*trails.list_arrows(ground, words, events), *fired)
    bursts = (*trails.list_bursts(ground, events), *hits)
    return Fight(picture, at, scene.before.turn, scene.told, arrows, bursts)
