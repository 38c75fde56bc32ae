"""The legend of a map, for a page; and the panel of a printed map: cartouche, legend, turn track and tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from kursk_pbem.kernel.brief import Table
from kursk_pbem.kernel.picture import EDGES, LINES, PLACES, PLANE, Picture, Piece, Point, Region
from kursk_pbem.report.pictures import svg, svgcounters, svgground, svgland, svgsheet, svgtable
from kursk_pbem.report.pictures.svgstyle import of_side
from kursk_pbem.report.pictures.svgtext import attribute, element, escape, fit_letters, write_fitted

_HEX = "M-350-606H350L700 0L350 606H-350L-700 0z"
_SMALL = "M-35-60H35L70 0L35 60H-35L-70 0z"
_AREA = ((-1_100, -800), (1_000, -900), (1_100, 700), (-900, 800))
"""An area of ground on a table top."""
MARKS = {
    "uncommunicated": "out of communication",
    "disrupted": "disrupted",
    "moved": "has moved",
    "pinned": "pinned",
    "immobilised": "immobilised",
    "interdicted": "interdicted",
    "objective": "the objective",
}
"""Signs at the corners of a counter and next to a place."""

_COLUMN, _ROW, _EDGE = 10_000, 1_400, 600
_NARROW = 6_500  # column of a panel on the right
_HEAD = 4_300
_ON_BOARD = re.compile("lit-sign|unreached|able-sign")  # signs that only the board draws
_BOX = 2_200  # minimum height of boxes for counters
_VIEW = re.compile(r'viewBox="(-?\d+) (-?\d+) (\d+) (\d+)"')
Tables = Sequence[Table]
Figures = Callable[[Piece], Sequence[tuple[str, str]]]
_WORDS, _ROOM, _WORD = 1_000, 2_900, 230  # left edge, width and letter size of the words
_FIGURES = 440  # letter size of the figures of a counter
_BELOW, _STEP = 790, 270  # first line below the counter, and the distance of further lines


def list_signs(
    picture: Picture, sides: Sequence[str], names: Sequence[str], figures: Figures | None = None
) -> list[tuple[str, str]]:
    """Return every sign on the map and on the board, as (picture, words). ``names``: the names of the sides.

    ``figures``: the meaning of the figures on a counter. Further kinds of figures get a sign, too.
    """
    more: list[tuple[str, str]] = []
    if figures and picture.form != PLANE:
        for piece in list_kinds(picture, figures)[1:]:
            words = [f"{printed} {told}".rstrip() for printed, told in figures(piece) if printed]
            more.append((svgcounters.draw_counter(piece, (0, 0), sides, {}), ", ".join(words)))
    return [
        (f'<svg class="kursk-map sign" viewBox="-800 -700 1600 1400" aria-hidden="true">{drawn}</svg>', words)
        for drawn, words in (*more, *draw_signs(picture, sides, names))
    ]


def draw_signs(picture: Picture, sides: Sequence[str], names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield every sign on the map and on the board, as (drawing around the origin, words)."""
    for kind, called in sorted({(region.terrain, region.kind or region.terrain) for region in picture.regions}):
        if picture.form == PLANE:
            area = svgland.wrap(svgtable.draw_areas(kind, [Region("", _AREA, kind)]))
            yield f'<g class="tabletop" transform="scale(.55)">{area}</g>', called
        else:
            ground = svgland.wrap(f'<path class="ground {kind}" d="{_SMALL}"/><path class="over {kind}" d="{_SMALL}"/>')
            yield f'{ground}<path class="grid" d="{_HEX}"/>', called
    for kind in sorted({edge.kind for edge in picture.edges} - {"front"}):
        way = 'd="M-60 20q30-50 60-20t60 0"'
        bank = f'<path class="edge casing {kind}" {way}/>'
        yield svgland.wrap(f'{bank if "major" in kind else ""}<path class="edge {kind}" {way}/>'), EDGES[kind][1]
    for kind in sorted({line.kind for line in picture.lines}):
        way = 'd="M-60 10q40-40 70-10t50 0"'
        yield svgland.wrap(f'<path class="line {kind}" {way}/><path class="line ties {kind}" {way}/>'), LINES[kind][1]
    yield from _draw_places(picture, sides, names)
    if any(mark.kind == "fortification" for mark in picture.marks):
        line = (f'<path class="fortification{kind} side-1" d="M-60 {y}H60"/>' for kind, y in (("", 4), (" teeth", 0)))
        yield svgland.wrap("".join(line)), "an active fortification: teeth to the enemy"
    if picture.form != PLANE and len({piece.side for piece in picture.pieces}) > 1:
        band = (f'<path class="front side-{number}" d="M-60 {y}q30-40 60-10t60 0"/>' for number, y in ((0, 22), (1, 0)))
        yield svgland.wrap("".join(band)), "the front: between the sides' units; no rule"
    yield from _draw_counters(picture, sides, names)
    for came, (_sign, words) in svgtable.OUTCOMES.items() if picture.form == PLANE else ():
        sign = svgtable.draw_outcome(svgtable.Outcome((-800, 800), came, ""))
        yield f'<g transform="scale(1.25)">{sign}</g>', words
    if picture.form != PLANE:
        yield f'<path class="lit-sign" d="{_HEX}"/>', "the chosen unit may end a move here, for the cost shown"
        yield (f'<path class="lit-sign danger" d="{_HEX}"/>', "a move with a warning; see the card of the unit")
        yield f'<path class="unreached side-0" d="{_HEX}"/>', "out of communication or supply, for your side"


def _draw_places(picture: Picture, sides: Sequence[str], names: Sequence[str]) -> Iterator[tuple[str, str]]:
    if picture.sea:
        yield svgland.wrap(f'<path class="sea" d="{_SMALL}"/>'), "the sea"
    for kind in sorted({place.kind for place in picture.places} & {"city", "major-city"}):
        yield svgground.draw_town(((-500, -500), (500, -500), (500, 500), (-500, 500)), kind), PLACES[kind][1]
    if any(place.far for place in picture.places):
        yield '<circle class="goal" r="600"/><circle class="goal middle" r="150"/>', PLACES["goal"][1]
    if picture.names:
        yield '<circle class="town" r="16" transform="scale(10)"/>', "a town: no rule"
    if any(place.owner for place in picture.places):
        for side, name in zip(sides, names, strict=True):
            flag = of_side(side, sides)
            if picture.form == PLANE:
                zone = svgland.wrap(f'<path class="start {flag}" d="M-60-45H60V45H-60z"/>')
                yield zone, f"where the {name} side sets up"
            else:
                yield f'<use href="#flag-{flag}" class="flag {flag}" transform="scale(2)"/>', f"held by the {name} side"


def _draw_counters(picture: Picture, sides: Sequence[str], names: Sequence[str]) -> Iterator[tuple[str, str]]:
    if picture.form == PLANE:
        return
    for side, name in zip(sides, names, strict=True):
        figures, symbol = next(((each.figures, each.symbol) for each in picture.pieces if each.side == side), ("", ""))
        yield svgcounters.draw_counter(Piece("", "", side, figures, symbol), (0, 0), sides, {}), f"a {name} unit"
    able = svgcounters.draw_counter(Piece("", "", sides[0], "", "armor"), (0, 0), sides, {})
    bar = '<rect class="able-sign" x="-450" y="500" width="900" height="190" rx="95"/>'
    yield f"{able}{bar}", "the bar below: the unit can still move"
    samples = (
        ("facing", Piece("", "", sides[0], "", "armor", facing=(0, 1)), "the arrowhead: the facing"),
        ("band", Piece("", "", sides[0], "2-6", "infantry", band=True), "reduced: a white band, the symbol faded"),
        ("formation", Piece("", "", sides[0], "4-6", "armor", formation="one"), "the stripe: the formation"),
    )
    for part, sample, words in samples:
        if any(getattr(piece, part) not in ((0, 0), False, "") for piece in picture.pieces):
            yield svgcounters.draw_counter(sample, (0, 0), sides, {"one": 4}), words
    for mark in sorted({mark for piece in picture.pieces for mark in piece.marks} & MARKS.keys()):
        yield f'<use href="#{escape(mark)}" class="mark {escape(mark)}" transform="scale(2.5)"/>', MARKS[mark]


def _print_tables(
    tables: tuple[Tables, Tables], forces: Tables, names: Sequence[str], at: Point, room: int, high: int | None
) -> tuple[str, int]:
    """Return the turn track, the tables and the ``forces``, then boxes; and the height of the tables.

    ``high``: the room for tables and boxes, None without a limit. Too many forces are left out, and boxes without room.
    """
    printed, below = "", 0
    parts = range(14, 48) if high else [max(20, (room // 350 + 4) * 10 // 56)]
    for listed, part in (*((forces, part) for part in parts), ([], 30)) if tables[0] else ():
        printed, below = svgsheet.draw_tables(tables[0], (*tables[1], *listed), at, room, part)
        if high is None or below + _EDGE + _BOX <= high:
            break
    below += _EDGE
    if high is not None and high - below >= _BOX:
        printed += svgsheet.draw_boxes(names, (at[0], at[1] + below), room, high - below - _EDGE)
    return printed, below


def _draw_paper(at: Point, width: int, height: int) -> str:
    return element("rect", class_="paper", x=at[0], y=at[1], width=width, height=height)


def _write_title(lines: Sequence[str], at: Point, room: int) -> Iterator[str]:
    """Yield the title, then smaller lines."""
    for row, line in enumerate(lines):
        yield svgsheet.write(line, (at[0], at[1] + 1_300 + 1_000 * row), 600 if row else 1_100, room, bold=not row)


def _explain_signs(signs: Sequence[tuple[str, str]], at: Point, column: int, columns: int) -> Iterator[str]:
    """Yield the signs of the legend in columns, each with a few lines of words, in letters of one size."""
    room = max(4_000, column - 2_100)
    for size in (640, 560, 500, 440, 380, 340):
        told = [svgsheet.break_lines(words, size, room) for _sign, words in signs]
        low = max(map(len, told)) * size <= _ROW * 3 // 4
        if low and all(fit_letters(line, size, room, bold=False)[0] == size for lines in told for line in lines):
            break
    for number, ((sign, _words), lines) in enumerate(zip(signs, told, strict=True)):
        x, y = at[0] + column * (number % columns), at[1] + _ROW * (number // columns)
        yield f'<g transform="translate({x + 800},{y})">{sign}</g>'
        for row, line in enumerate(lines):
            down = (size + 20) * (2 * row - len(lines) + 1) // 2
            yield svgsheet.write(line, (x + 1_900, y + 200 + down), size, room)


def _explain_counter(picture: Picture, named: str, at: Point, room: int) -> tuple[str, int]:
    """Return a counter with its parts ``named``, with how to read the map beside; and their height."""
    column = min(13_000 if picture.form == PLANE else 9_000, room * 2 // 5)
    counter, tall = _place_parts(named, (at[0], at[1] - _ROW // 2), column)
    if tall and picture.form != PLANE:
        counter += svgsheet.draw_reading(picture, (at[0] + column, at[1] - _ROW * 2 // 3), (room - column, tall))
    return counter, tall


def add_cartouche(
    drawn: str,
    picture: Picture,
    sides: Sequence[str],
    names: Sequence[str],
    lines: Sequence[str],
    tables: tuple[Tables, Tables],
    figures: Figures | None = None,
) -> str:
    """Return a map with a panel: title, legend, turn track and tables. ``lines``: the title, then smaller lines.

    ``tables``: the turn track and other tables, or none. With tables, a tall map has the panel on the right.
    ``figures``: the meaning of the figures on a counter, as labels for a drawn counter.
    """
    view = _VIEW.search(drawn)
    if view is None:
        return drawn
    left, top, width, height = map(int, view.groups())
    beside = bool(tables[0]) and height > width
    wide = max(height * svg.SHEET // 1_000 - width, _COLUMN) if beside else width
    start, y = (left + width, top) if beside else (left, top + height)
    x, room = start + _EDGE, wide - 2 * _EDGE
    signs = [each for each in draw_signs(picture, sides, names) if not _ON_BOARD.search(each[0])]
    column = min(_NARROW, room // 3) if beside else _COLUMN
    columns = max(1, room // column)
    more = _HEAD + _ROW * -(-len(signs) // columns)
    named = draw_parts(picture, sides, figures) if figures else ""
    counter, tall = _explain_counter(picture, named, (x, y + more), room)
    more += tall
    forces = svgsheet.list_forces(picture, sides, names) if beside else []
    printed, below = _print_tables(tables, forces, names, (x, y + more), room, height - more if beside else None)
    more = max(more + below, height) if beside else more + below
    parts = [
        _draw_paper((start, y), wide, more),
        _draw_paper((left, top + height), width, more - height if beside else 0),
        *_write_title(lines, (x, y), room),
        svgsheet.draw_scale(picture, (x + room, y + 2_000)),
        *_explain_signs(signs, (x, y + _HEAD), room // columns, columns),
    ]
    sheet = f'<g class="sheet">{"".join(parts)}{counter}{printed}</g>\n</svg>\n'
    size = f"{width + wide} {more}" if beside else f"{width} {height + more}"
    return drawn.replace(view[0], f'viewBox="{left} {top} {size}"', 1).removesuffix("</svg>\n") + sheet


def list_kinds(picture: Picture, figures: Figures) -> list[Piece]:
    """Return a counter of each kind of figures, most frequent kind first. The counter has as many parts as possible."""
    kinds: dict[tuple[str, ...], list[Piece]] = {}
    for piece in picture.pieces:
        kinds.setdefault(tuple(words for printed, words in figures(piece) if printed), []).append(piece)
    ranked = sorted(kinds.values(), key=len, reverse=True)
    return [max(kind, key=lambda piece: (not piece.band, bool(piece.size), bool(piece.formation))) for kind in ranked]


def draw_parts(picture: Picture, sides: Sequence[str], figures: Figures) -> str:
    """Return a picture of a counter with labels for its parts, or '' if there are no counters."""
    piece = next(iter(list_kinds(picture, figures)), None)
    if piece is None:
        return ""
    piece = replace(piece, marks=(), facing=(0, 1) if picture.form == PLANE else (0, 0), reach=0)
    drawn = svgcounters.make_drawer(picture, sides)(piece, (0, 0))
    parts = [*(_list_model(piece) if picture.form == PLANE else _list_counter(piece, figures(piece)))]
    high = max(*(at for _line, at, _words in parts), 500) + 1_150
    inner = [drawn.replace(" data-unit=", " data-part="), *(_draw_part(*part) for part in parts)]
    told = "A counter: " + "; ".join(words for _line, _at, words in parts)
    box = f"-900 -1000 {_WORDS + _ROOM + 900} {high}"
    return element("svg", "".join(inner), class_="kursk-map parts", viewBox=box, role="img", aria_label=told)


def _place_parts(drawn: str, at: tuple[int, int], wide: int) -> tuple[str, int]:
    """Return the drawing of ``draw_parts`` at a point of a sheet, and its height; '' and 0 without a counter."""
    view = _VIEW.search(drawn)
    if view is None:
        return "", 0
    high = int(view[4]) * wide // int(view[3])
    place = attribute(x=at[0], y=at[1], width=wide, height=high)
    return drawn.replace("<svg", f"<svg{place}", 1), high


def _draw_part(line: str, at: int, words: str) -> str:
    """Return a line from a part, and the words at its end."""
    text = write_fitted(words, (_WORDS, at + 75), _WORD, _ROOM, 'class="part"')
    return f'<path class="part-line" d="{line}H{_WORDS - 60}"/>{text}'


def _list_counter(piece: Piece, figures: Sequence[tuple[str, str]]) -> Iterator[tuple[str, int, str]]:
    """Yield a line, its height and the words for each part of a counter."""
    if piece.formation:
        yield "M-555-400V-780", -780, f"stripe: {piece.formation}"
    yield "M530-490", -490, f"{piece.name or piece.id}: the name"
    if piece.size in svgcounters.SIZES:
        yield "M590-190", -190, f"{piece.size}: the size, {svgcounters.SIZES[piece.size]}"
    yield "M250 50V110", 110, f"symbol: {piece.symbol.replace('-', ' ')}"
    shown = [(printed, words) for printed, words in figures if printed and words]
    for place, (spot, (printed, words)) in enumerate(zip(_find_figures(piece, shown), shown, strict=True)):
        down = _BELOW + _STEP * (len(shown) - 1 - place)
        yield f"M{spot[0]} {spot[1]}V{down}", down, f"{printed}: {words}"


def _find_figures(piece: Piece, shown: Sequence[tuple[str, str]]) -> Iterator[Point]:
    """Yield the lower end of each printed figure on a counter."""
    middle = 55 if piece.formation else 0
    _size, long = fit_letters(piece.figures, _FIGURES, 1_010 - 2 * middle)
    whole, start = fit_letters(piece.figures, 100, 1_000_000)[1], 0
    for printed, _words in shown:
        at = max(piece.figures.find(printed, start), 0)
        before, own = (fit_letters(text, 100, 1_000_000)[1] for text in (piece.figures[:at], printed))
        start = at + len(printed)
        yield middle - long // 2 + long * (before * (at > 0) + own // 2) // max(1, whole), 520


def _list_model(piece: Piece) -> Iterator[tuple[str, int, str]]:
    """Yield a line, its height and the words for each part of a model."""
    yield "M40-740", -740, "the barrel: its facing"
    yield "M560-450", -450, "the wedge: its front"
    yield "M200 80", 80, f"the {piece.figures.partition(',')[0]}, with its number"
    yield "M380 330", 330, "the ring: its stand, to scale"
