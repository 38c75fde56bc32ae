"""Where every counter of a game stands on VASSAL's map, and how it looks, after each message."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from kursk_pbem.game.games import Game
from kursk_pbem.kernel.picture import PLANE, Picture, Piece, Point
from kursk_pbem.kernel.state import ELIMINATED, State
from kursk_pbem.report import svg

SCALE = 45
"""Pixels to a thousand map units."""
STRIP, ROOM, COLUMNS = 6_000, 1_400, 3
"""Map units: width of the strip for counters off the map, room of a counter there; counters beside each other."""
Place = tuple[int, int, int]
"""x and y in pixels, number of the look from 1."""


@dataclass(frozen=True)
class Stage:
    """The map of a game, and the looks of its counters in order of appearance: unit -> looks."""

    game: Game
    first: Picture
    box: tuple[int, int, int, int]
    middles: dict[str, Point]
    looks: dict[str, list[Piece]]

    @property
    def flat(self) -> bool:
        """Whether the map has no regions for counters, such as a table top."""
        return self.first.form == PLANE

    def to_pixels(self, point: Point) -> Point:
        """Return a point of the picture in pixels of the map."""
        return (point[0] - self.box[0]) * SCALE // 1000, (point[1] - self.box[1]) * SCALE // 1000

    def place_counters(self, state: State) -> dict[str, Place]:
        """Return the place and the look of every counter of the game; those off the map stand in the strip."""
        found, middle = dict[str, Place](), self.middles.get
        for piece in draw_scene(self.game, state).pieces:
            at = piece.spot if self.flat else middle(piece.at)
            if at:
                found[piece.id] = (*self.to_pixels(at), self.looks[piece.id].index(find_look(piece)) + 1)
        count = {True: 0, False: 0}
        for uid in sorted(self.looks.keys() - found.keys()):
            gone = uid in state.units and state.units[uid].place == ELIMINATED
            row, column = divmod(count[gone], COLUMNS)
            count[gone] += 1
            at = self.box[0] + 900 + column * ROOM, self.find_strip(gone=gone) + 1_500 + row * ROOM
            found[uid] = (*self.to_pixels(at), 1)
        return found

    def find_strip(self, *, gone: bool) -> int:
        """Return the upper edge of the box for eliminated counters, or of that for counters off the map."""
        return self.box[1] + (0 if gone else self.box[3] // 2)


def draw_scene(game: Game, state: State) -> Picture:
    """Return the picture of a position, in map units."""
    return svg.to_scale(game.ruleset.seen.picture(game.setting, state))


def find_look(piece: Piece) -> Piece:
    """Return a counter without its place: two equal looks are one picture."""
    return replace(piece, at="", spot=(0, 0))


def make_stage(game: Game, states: Iterable[State]) -> Stage:
    """Return the map and the looks of all counters in the positions of a game."""
    pictures = (draw_scene(game, state) for state in states)
    first = next(pictures)
    x, y, wide, high = svg.find_frame(first)
    middles = {region.id: svg.centre(region) for region in first.regions}
    stage = Stage(game, first, (x - STRIP, y, wide + STRIP, high), middles, {})
    for picture in (first, *pictures):
        for piece in picture.pieces:
            looks = stage.looks.setdefault(piece.id, [])
            if (look := find_look(piece)) not in looks:
                looks.append(look)
    return stage
