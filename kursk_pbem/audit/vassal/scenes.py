"""Where every counter of a scenario is on VASSAL's map, and how it looks, in a position."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from kursk_pbem.frozen import frozen
from kursk_pbem.game import scenarios
from kursk_pbem.kernel.picture import PLANE, Picture, Piece, Point, find_middle
from kursk_pbem.kernel.ruleset import PLAYERS, Ruleset
from kursk_pbem.kernel.scenario import Scenario
from kursk_pbem.kernel.state import ELIMINATED, OFF_MAP, State
from kursk_pbem.report.pictures import svg
from kursk_pbem.report.pictures.svgstyle import MARKS
from kursk_pbem.rulesets import ruleset as find_ruleset

SCALE = 45
"""Number of pixels for a thousand map units."""
STRIP, ROOM, COLUMNS = 6_000, 1_400, 3
"""The strip for counters off the map: its width, and the room for a counter, in map units; counters in a row."""
Place = tuple[int, int, int]
"""A counter's x and y in pixels, and the number of its look, from 1."""


@frozen
class Stage:
    """A scenario's map, the first position (``opening``), and ``looks``: unit -> look (such as reduced) -> number."""

    ruleset: Ruleset
    setting: Any
    first: Picture
    opening: State
    box: tuple[int, int, int, int]
    middles: dict[str, Point]
    looks: dict[str, dict[Piece, int]]

    @property
    def flat(self) -> bool:
        """Whether the map is a table top, without hexes or other regions."""
        return self.first.form == PLANE

    def to_pixels(self, point: Point) -> Point:
        """Return a point in map units as pixels of VASSAL's map."""
        return (point[0] - self.box[0]) * SCALE // 1000, (point[1] - self.box[1]) * SCALE // 1000

    def find_place(self, x: int, y: int) -> str:
        """Return the hex at a pixel of VASSAL's map (on a table top, the point in inches); '' outside the map."""
        across, down = (low + (2 * pixel + 1) * 500 // SCALE for pixel, low in ((x, self.box[0]), (y, self.box[1])))
        if self.flat:
            up, (wide, high) = self.first.size[1] - down, self.first.size
            inside = 0 <= across <= wide and 0 <= up <= high
            return ", ".join(f"{far // 1000}.{far % 1000 // 10:02d}" for far in (across, up)) if inside else ""
        far = {label: (across - at[0]) ** 2 + (down - at[1]) ** 2 for label, at in self.middles.items()}
        near = min(far, key=far.__getitem__)
        return near if far[near] <= 1000**2 else ""

    def place_counters(self, state: State) -> dict[str, Place]:
        """Return unit -> pixel and look, for each counter of the scenario. Counters off the map are in two boxes."""
        found, middle = dict[str, Place](), self.middles.get
        for piece in draw(self.ruleset, self.setting, state).pieces:
            at = piece.spot if self.flat else middle(piece.at)
            if at:
                found[piece.id] = (*self.to_pixels(at), self.looks[piece.id][_find_look(piece)])
        count = {True: 0, False: 0}
        for uid in sorted(self.looks.keys() - found.keys()):
            gone = uid in state.units and state.units[uid].place == ELIMINATED
            row, column = divmod(count[gone], COLUMNS)
            count[gone] += 1
            at = self.box[0] + 900 + column * ROOM, self.find_strip(gone=gone) + 1_500 + row * ROOM
            found[uid] = (*self.to_pixels(at), 1)
        return found

    def find_strip(self, *, gone: bool) -> int:
        """Return the upper edge of a box beside the map: for eliminated counters (``gone``), or others off the map."""
        return self.box[1] + (0 if gone else self.box[3] // 2)


def draw(ruleset: Ruleset, setting: Any, state: State) -> Picture:
    """Return the picture of a position, in map units."""
    return svg.to_scale(ruleset.seen.picture(setting, state))


def _find_look(piece: Piece) -> Piece:
    """Return the drawn properties of a counter, without its place. Models have no figures."""
    marks = tuple(mark for mark in piece.marks if mark in MARKS)
    return replace(piece, at="", spot=(0, 0), marks=marks, figures="" if piece.reach else piece.figures)


def load_stage(scenario_id: str) -> Stage:
    """Return the map and the counters of a scenario by its id."""
    return make_stage(find_ruleset(scenario_id.partition("/")[0]), scenarios.load(scenario_id))


def make_stage(ruleset: Ruleset, scenario: Scenario, shown: Iterable[Piece] = ()) -> Stage:
    """Return the map and counters of a scenario. ``shown``: the counters of a game, if the system lists no looks."""
    setting = scenarios.make_setting(ruleset, scenario, {}, PLAYERS)
    begun = scenarios.make_first_position(ruleset, setting)
    opening = ruleset.data.arrange(setting) if ruleset.data.arrange else begun
    first = draw(ruleset, setting, begun)
    x, y, wide, high = svg.find_frame(first)
    middles = {region.id: find_middle(region.outline) for region in first.regions}
    hexes = {OFF_MAP: first.regions[0].id}  # any hex, to draw the units that are not on the map
    there = {uid: replace(unit, place=hexes.get(unit.place, unit.place)) for uid, unit in opening.units.items()}
    looks = dict[str, dict[Piece, int]]()
    pieces = draw(ruleset, setting, opening.with_(units=there)).pieces
    for look in (*(look for each in pieces for look in ruleset.seen.looks(setting, each)), *shown):
        numbers = looks.setdefault(look.id, {})
        numbers.setdefault(_find_look(look), len(numbers) + 1)
    return Stage(ruleset, setting, first, opening, (x - STRIP, y, wide + STRIP, high), middles, looks)
