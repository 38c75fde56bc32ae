"""The module: what VASSAL needs to show a game. The map and the counters are pictures in SVG, which VASSAL draws."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

from kursk_pbem.audit.vassal.encode import VERSION, describe_file, join_parts, nest_traits, pack
from kursk_pbem.audit.vassal.scenes import SCALE, Stage
from kursk_pbem.kernel.brief import Table
from kursk_pbem.report.pictures import svgcounters, svgground, svgstyle
from kursk_pbem.report.pictures.svgtext import attribute, element, escape, link_as_files

HALF = 760
"""Half the width, in map units, of a counter's picture."""
_NAMES = ".name,.stream,.numbers,.of-ground{stroke:none}"
"""Batik paints a halo over the letters, so names have none."""
_NOTICE = (
    "Made by kursk-pbem from a scenario. The program drew the map and the counters. The players signed the "
    "chain of messages; a log is a picture of the chain.\n"
)
_BUILD, _WIDGET = "VASSAL.build.module", "VASSAL.build.widget"
_TOOLS = (
    "map.PieceMover",
    "map.ForwardToKeyBuffer",
    "map.ForwardToChatter",
    "map.SelectionHighlighters",
    "map.KeyBufferer",
    "map.StackExpander",
    "map.MenuDisplayer",
    "map.Scroller",
)


def name_module(stage: Stage) -> str:
    """Return the name of a scenario's VASSAL module, made from the title and the id of the scenario."""
    return f"kursk-pbem: {stage.setting.scenario.title} ({stage.setting.scenario.id})"


def name_picture(uid: str, number: int) -> str:
    """Return the file name of a counter's picture. ``number``: the look of the counter, such as the reduced side."""
    return f"{uid}-{number}.svg"


def describe_counter(stage: Stage, uid: str) -> str:
    """Return a counter's VASSAL traits: the id, a layer with a picture for each look, and the name."""
    names = [name_picture(uid, number) for number in range(len(stage.looks[uid]))]
    files, blank = join_parts(names, ","), join_parts([""] * len(names), ",")
    layer = f";128;;Turn over;128;F;;128;;;;1;false;0;0;{files};{blank};true;Look;;;false;;1;0;true;;;"
    shown = stage.ruleset.seen.words(stage.setting).unit(uid)
    mark = join_parts(["Unit", "Side"], ",")
    return nest_traits([f"mark;{mark}", f"emb2;{layer}", f"piece;{join_parts(['', '', '', shown], ';')}"])


def describe_place(stage: Stage, uid: str, place: tuple[int, int, int], map_name: str = "Main") -> str:
    """Return a counter's state for VASSAL: id, side, number of its look, map, x and y in pixels, counter's number."""
    number = sorted(stage.looks).index(uid) + 1
    inner = join_parts([map_name, place[0], place[1], number, 0], ";")
    return nest_traits([join_parts([uid, next(iter(stage.looks[uid])).side], ","), str(place[2]), inner])


_COUNTER = (-HALF, -HALF, 2 * HALF, 2 * HALF)


def draw_image(inner: str, box: tuple[int, int, int, int], *, table: bool, texture: bool) -> str:
    """Return a drawing as an SVG file for the renderer Batik. ``table`` and ``texture``: see `svgstyle.make_defs`."""
    x, y, wide, high = box
    head = attribute(
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"{x} {y} {wide} {high}",
        width=wide * SCALE // 1000,
        height=high * SCALE // 1000,
        class_="kursk-map",
    )
    shapes = svgstyle.make_defs(table=table, texture=texture).partition("<marker")[0] + "</defs>"
    style = element("style", svgstyle.make_style_sheet() + _NAMES)
    return link_as_files(f"<svg{head}>{style}{shapes}{inner}</svg>\n")


def draw_map(stage: Stage) -> str:
    """Return a picture of the map without counters, with boxes for the counters that are off the map."""
    picture, sides = replace(stage.first, pieces=()), stage.ruleset.sides
    x, y, wide, high = stage.box
    inner = [
        element("rect", class_="paper", x=x, y=y, width=wide, height=high),
        svgground.draw_ground(picture),
        svgground.draw_edges(picture),
        svgground.draw_lines(picture),
        svgground.draw_river_names(picture),
        svgground.draw_places(picture, sides),
        svgground.draw_numbers(picture),
        svgground.draw_marks(picture, sides),
    ]
    for words, gone in (("Eliminated", True), ("Off the map", False)):
        y = stage.find_strip(gone=gone) + 700
        inner.append(element("text", words, x=x + 300, y=y, font_size=500, style="text-anchor:start"))
    return draw_image("".join(inner), stage.box, table=stage.flat, texture=True)


def draw_counters(stage: Stage) -> dict[str, str]:
    """Return a picture for every look (appearance) of a counter, as file name -> picture."""
    draw, found = svgcounters.make_drawer(stage.first, stage.ruleset.sides), dict[str, str]()
    for uid, looks in sorted(stage.looks.items()):
        for number, look in enumerate(looks):
            image = draw_image(draw(look, (0, 0)), _COUNTER, table=stage.flat, texture=False)
            found[name_picture(uid, number)] = image
    return found


def write_chart(table: Table) -> str:
    """Return a printed table of the rules as an HTML page for VASSAL."""
    rows = "".join(element("tr", "".join(element("td", escape(cell)) for cell in row)) for row in table.rows)
    head = element("tr", "".join(element("th", escape(cell)) for cell in table.head))
    title = element("h3", escape(f"{table.title} [{table.rule}]"))
    notes = element("p", escape(" ".join((*table.notes, table.provenance))))
    return f'<html><body>{title}<table border="1">{head}{rows}</table>{notes}</body></html>\n'


def build_file(stage: Stage, tables: tuple[Table, ...], version: str) -> str:
    """Return the VASSAL module's main file: map with named hexes, counters, charts; no choice of sides, no dice."""
    title, board = escape(name_module(stage)), f"{_BUILD}.map.boardPicker.Board"
    wide, high = (length * SCALE // 1000 for length in stage.box[2:])
    spots = {label: stage.to_pixels(middle) for label, middle in stage.middles.items()}
    grid = f"{_BUILD}.map.boardPicker.board"
    regions = "".join(
        f'<{grid}.Region name="{escape(label)}" originx="{x}" originy="{y}"/>' for label, (x, y) in spots.items()
    )
    net = f'<{grid}.RegionGrid fontsize="9" snapTo="true" visible="false">{regions}</{grid}.RegionGrid>'
    words, slots = stage.ruleset.seen.words(stage.setting), []
    for number, uid in enumerate(sorted(stage.looks), 1):
        made = join_parts(
            ["+", "null", describe_counter(stage, uid), describe_place(stage, uid, (0, 0, 1), "null")], "/"
        )
        slot = f'entryName="{escape(words.unit(uid))}" gpid="{number}" height="68" width="68"'
        slots.append(f"<{_WIDGET}.PieceSlot {slot}>{escape(made)}</{_WIDGET}.PieceSlot>")
    charts = "".join(
        f'<{_WIDGET}.HtmlChart chartName="{escape(table.title)}" fileName="chart{number}.html"/>'
        for number, table in enumerate(tables)
    )
    return f"""<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<VASSAL.build.GameModule name="{title}" version="{version}" VassalVersion="{VERSION}" description="made by kursk-pbem" \
nextPieceSlotId="{len(slots) + 1}">
<{_BUILD}.BasicCommandEncoder/><{_BUILD}.Documentation/><{_BUILD}.GlobalOptions autoReport="Always"/>
<{_BUILD}.Map mapName="Main" allowMultiple="false" markMoved="Never" \
moveToFormat="$pieceName$ moves $previousLocation$ -&gt; $location$ *">
<{_BUILD}.map.BoardPicker maxColumns="1" slotHeight="125" slotScale="0.2" slotWidth="350" title="Choose Boards">
<{board} name="Board" width="{wide}" height="{high}" color="255,255,255" image="map.svg" reversible="false">\
{"" if stage.flat else net}</{board}>
</{_BUILD}.map.BoardPicker>
<{_BUILD}.map.StackMetrics exSepX="6" exSepY="18" unexSepX="4" unexSepY="-4"/>
{"".join(f"<{_BUILD}.{tool}/>" for tool in _TOOLS)}
<{_BUILD}.map.CounterDetailViewer delay="700" display="from top-most layer only" summaryReportFormat="$LocationName$" \
textInsideBounds="false" fontSize="12" showgraph="true" minDisplayPieces="1"/>
<{_BUILD}.map.Zoomer zoomLevels="0.5,0.75,1.0,2.0" zoomStart="3"/>
</{_BUILD}.Map>
<{_BUILD}.PieceWindow name="Counters" text="Counters" defaultWidth="300" hidden="false">\
<{_WIDGET}.ListWidget entryName="All" divider="100" height="300" width="300" scale="1.0">{"".join(slots)}\
</{_WIDGET}.ListWidget></{_BUILD}.PieceWindow>
<{_BUILD}.ChartWindow name="Charts" text="Charts" tooltip="the tables of the rules">\
<{_WIDGET}.TabWidget entryName="Tables">{charts}</{_WIDGET}.TabWidget></{_BUILD}.ChartWindow>
<{_BUILD}.NotesWindow buttonText="Notes"/>
</VASSAL.build.GameModule>
"""


def make_module(stage: Stage) -> bytes:
    """Return the VASSAL module as the bytes of its file."""
    tables = tuple(stage.ruleset.seen.tables(stage.setting))
    images = {"map.svg": draw_map(stage), **draw_counters(stage)}
    pages = {f"chart{number}.html": write_chart(table) for number, table in enumerate(tables)}
    version = f"1.{sha256(repr(sorted(images.items())).encode()).hexdigest()[:8]}"
    build = build_file(stage, tables, version)
    about = describe_file(f"<name>{escape(name_module(stage))}</name>\n<version>{version}</version>\n")
    files = {"buildFile.xml": build, "buildFile": build, "moduledata": about, "NOTICE.txt": _NOTICE, **pages}
    return pack({**files, **{f"images/{name}": drawn for name, drawn in images.items()}})
