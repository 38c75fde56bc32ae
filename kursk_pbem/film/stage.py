"""Stills as SVG: the ground of all stills, and the parts of a still over the ground, with words below.

The ground is drawn once. Letters, figures and pills have sizes that are readable on a telephone, where a film is half
as wide.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files

from kursk_pbem.film.stills import LETTERS, ROOM, Film, Still, make_film
from kursk_pbem.game.histories import History
from kursk_pbem.kernel.picture import PLANE
from kursk_pbem.report.captions import cut, draw_line, escape_letters, measure
from kursk_pbem.report.pictures import svg, svgcounters, svgground, svgstyle
from kursk_pbem.report.pictures.svgpills import place_pills
from kursk_pbem.report.pictures.svgtext import attribute, element

WIDTH = 800
"""Pixels of a film from side to side."""
_WORDS, _LINES, _LEFT, _BOLD = 132, (29, 59, 87, 115), 12, 23  # pixels of the words below the map
_NEAR = 28  # map units to a pixel, at which the figures of counters are readable
_SHEET = 407  # width of a sheet with readable names, in hundredths of the part


class Stage:
    """A film and its part of the map: left, top, width, height in map units. ``whole``: show the whole map."""

    def __init__(self, film: Film, *, whole: bool = False, dark: bool = False) -> None:
        self.film, self.dark = film, dark
        self.part = svg.find_frame(film.ground) if whole else find_part(film)
        self.height = WIDTH * self.part[3] // self.part[2]
        self._shapes = svg.crop_picture(film.ground, self.part)
        per = self.part[2] * 100 // WIDTH  # map units to a pixel, in hundredths
        self._scale = max(100, per * 53 // 1_000)  # of pills, as in the style
        self._box = *self.part[:2], self.part[0] + self.part[2], self.part[1] + self.part[3]
        style = (files("kursk_pbem.film") / "film.css").read_text(encoding="ascii")
        small = "tiny" if per > _NEAR * 100 and film.ground.form != PLANE else ""
        self._style = svgstyle.make_style_sheet(f"{per // 100}.{per % 100:02}", small, dark=dark, more=style)

    def draw_ground(self) -> str:
        """Return the map, which is below all pictures of the film."""
        x, y, width, height = self.part
        stood = {piece.at: piece for still in self.film.stills for piece in still.frame.pieces}
        there = replace(self._shapes, pieces=tuple(stood.values()))
        found = svgground.list_names(there, self._box, width * _SHEET // 100)
        names = [name for name in found if name[2][2] > svgground.NAME]  # smaller names have found no room
        bare = replace(there, pieces=(), marks=(), places=tuple(replace(each, owner="") for each in there.places))
        layers = (
            element("rect", class_="paper", x=x, y=y, width=width, height=height),
            svgground.draw_ground(bare),
            svgground.draw_edges(bare),
            svgground.draw_lines(bare),
            svgground.draw_places(bare, names=names),
            svgground.draw_river_names(there, names),
        )
        return self._wrap_shapes("".join(layers))

    def draw_still(self, still: Still) -> str:
        """Return the part of a picture above the map, with the words of the picture."""
        frame, sides = still.frame, self.film.sides
        shapes = replace(self._shapes, pieces=frame.pieces)
        above = [arrow for arrow in frame.arrows if arrow.kind == "attack" and shapes.form != PLANE]
        layers = (
            f'<g class="was">{still.old}</g>' if still.old else "",
            *frame.overlay,
            svg.arrows_of([arrow for arrow in frame.arrows if arrow not in above], sides),
            svgcounters.draw_counters(shapes, sides),
            svg.arrows_of(above, sides),
            *map(svg.burst, place_pills(frame.bursts, shapes, self._box, self._scale)),
        )
        return self._wrap_shapes("".join(layers), "".join(self._write_words(still)))

    def _wrap_shapes(self, shapes: str, words: str = "") -> str:
        """Return one SVG: shapes of the map, and words below. Only the ground needs textures."""
        head = attribute(xmlns="http://www.w3.org/2000/svg", width=WIDTH, height=self.height + _WORDS)
        box = " ".join(map(str, self.part))
        inner = element("svg", shapes, class_="kursk-map", width=WIDTH, height=self.height, viewBox=box)
        defs = svgstyle.make_defs(table=self.film.ground.form == PLANE, texture=not words)
        return escape_letters(f"<svg{head}><style>{self._style}</style>{defs}{inner}{words}</svg>")

    def _write_words(self, still: Still) -> Iterator[str]:
        """Yield the words: title and scenario, then figures and story. Their lengths do not depend on the font."""
        corner, top = cut(self.film.title, LETTERS, ROOM // 3), self.height
        title = cut(still.title, _BOLD, ROOM - measure(corner, LETTERS) - 2 * _LEFT)
        yield f'<rect class="strip" y="{top}" width="{WIDTH}" height="{_WORDS}"/>'
        yield draw_line("w head", title, (_LEFT, top + _LINES[0]), _BOLD)
        yield draw_line("w quiet", corner, (WIDTH - _LEFT, top + _LINES[0]), LETTERS - 2)
        for down, text in zip(_LINES[1:], filter(None, (still.figures, *still.lines)), strict=False):
            yield draw_line("w", text, (_LEFT, top + down), LETTERS)


def find_part(film: Film) -> tuple[int, int, int, int]:
    """Return the part of the map that contains a film's arrows and battles or, without these, all counters."""
    frames = [still.frame for still in film.stills]
    spots = [point for frame in frames for arrow in frame.arrows for point in arrow.points]
    spots += [burst.at for frame in frames for burst in frame.bursts]
    spots = spots or [spot for frame in frames for spot in frame.spots.values()]
    return svg.fit_frame(svg.find_frame(film.ground), spots)


def draw_turn(history: History) -> str:
    """Return the last picture of the newest turn as one SVG, for browsers."""
    stage = Stage(make_film(history))
    head = attribute(xmlns="http://www.w3.org/2000/svg", width=WIDTH, height=stage.height + _WORDS)
    return f"<svg{head}>{stage.draw_ground()}{stage.draw_still(stage.film.stills[-1])}</svg>"
