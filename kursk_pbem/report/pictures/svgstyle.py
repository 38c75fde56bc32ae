"""The looks of shapes: one palette and one style sheet for files and pages, patterns, branch symbols.

The hues of formations are by Okabe and Ito. A page sets the zoom in ``data-zoom``, and map units per pixel in
``--per``: pills keep a readable size. Dependent values are properties, because ``use`` inherits properties.

Batik, resvg, cairosvg, Inkscape and LibreOffice support neither ``var()`` nor ``calc()``, ``max()``, ``min()`` or
``clamp()``. A file has one theme and one size, so the style sheet of files has computed values.

Sides differ by counter outline, hue and lightness; terrain by tint and pattern.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import cache
from importlib.resources import files
from math import prod

from kursk_pbem.kernel.picture import Point
from kursk_pbem.report.pictures.svgland import curve_loop, vary

HUES = 8
"""Number of formation colors; further formations repeat the colors with a line."""
STAR = "M0-260L62-84L246-80L100 32L152 210L0 106L-152 210L-100 32L-246-80L-62-84z"

_FRAME = '<path class="frame" d="M-300-190H300V190H-300z"/>'
_CROSS = '<path class="ink" d="M-300-190L300 190M-300 190L300-190"/>'
_TRACKS = '<rect class="ink" x="-205" y="-100" width="410" height="200" rx="100"/>'
_BAR = '<path class="solid" d="M-300-190h110v380h-110z"/>'
SYMBOLS = {
    "infantry": _FRAME + _CROSS,
    "elite-infantry": _FRAME + _CROSS + _BAR,
    "motorized": _FRAME + _CROSS + '<path class="ink" d="M0-190V190"/>',
    "mechanized": _FRAME + _CROSS + _TRACKS,
    "armor": _FRAME + _TRACKS,
    "elite-armor": _FRAME + _TRACKS + _BAR,
    "assault-gun": _FRAME + _TRACKS + '<circle class="solid" r="55"/>',
    "cavalry": _FRAME + '<path class="ink" d="M-300 190L300-190"/>',
    "artillery": _FRAME + '<circle class="solid" r="85"/>',
    "anti-tank": _FRAME + '<path class="ink" d="M-300 190L0-190L300 190"/>',
    "fortress": _FRAME + '<path class="ink" d="M-220 110V-90H-110V0H0V-90H110V0H220V110"/>',
    "headquarters": _FRAME + '<path class="ink" d="M-300-60H300"/>',
    "air": '<path class="solid" d="M0-190L45-60L300 20V80L45 40L30 140L90 190H-90L-30 140L-45 40L-300 80V20L-45-60z"/>',
    "other": _FRAME,
}
"""Branch symbols by the words of pictures (``kernel.picture``), inside 600 by 380 map units."""

MARKS = {
    "objective": f'<path d="{STAR}"/>',
    "uncommunicated": '<path d="M0-150L150 120H-150z"/>',
    "disrupted": '<circle r="170" class="seat"/><path d="M-120-120L120 120M-120 120L120-120" class="ink"/>',
    "moved": '<path d="M-140 0H90M0-110L110 0L0 110" class="ink"/>',
    "immobilised": '<rect x="-130" y="-130" width="260" height="260"/>',
    "pinned": '<circle r="150"/>',
    "interdicted": '<path d="M-150-60H150V60H-150z"/>',
}


_PATCH = ((-120, -10), (-70, -70), (30, -60), (120, -50), (110, 20), (40, 80), (-60, 50))


def _scatter(size: Point, step: int, salt: int) -> list[Point]:
    """Return irregular places on a tile, in tens; a place near an edge is there again at the opposite edge."""
    spots = [
        (x + vary((x, y), step // 4, salt), y + vary((x, y), step // 5, salt + 1))
        for row, y in enumerate(range(0, size[1], step * 4 // 5))
        for x in range(row % 2 * step // 2, size[0], step)
    ]
    copies = (
        (x + right, y + down) for x, y in spots for right in (-size[0], 0, size[0]) for down in (-size[1], 0, size[1])
    )
    return [(x, y) for x, y in copies if -step < x < size[0] + step and -step < y < size[1] + step]


def _tile(name: str, size: Point, drawn: str) -> str:
    """Return a pattern for the ``land``; textures repeat after its size."""
    return (
        f'<pattern id="{name}" width="{size[0]}" height="{size[1]}" patternUnits="userSpaceOnUse">{drawn}</pattern>\n'
    )


def _vary_on(size: Point, at: Point, far: int, salt: int) -> int:
    return vary((at[0] % size[0], at[1] % size[1]), far, salt)


def _draw_forest(size: Point) -> str:
    crowns = [(x, y, 12 + _vary_on(size, (x, y), 3, 32)) for x, y in _scatter(size, 29, 1)]
    trees = "".join(f"M{x - r} {y}q0-{r} {r}-{r}t{r} {r}-{r} {r - 2}-{r}-{r - 2}z" for x, y, r in crowns)
    light = "".join(f"M{x - r // 2} {y - 2}q1-{r // 2} {r * 2 // 3}-{r // 2}" for x, y, r in crowns)
    wooded = f'<path class="crowns" d="{trees}"/><path class="glint" d="{light}"/>'
    return f'<path class="shadow" d="{trees}" transform="translate(3,4)"/>{wooded}'


def _draw_hills(size: Point) -> str:
    humps = [(x, y, 12 + _vary_on(size, (x, y), 3, 3)) for x, y in _scatter(size, 44, 4)]
    slopes = "".join(
        f"M{x - r - 4} {y}q{r}-{r * 3 // 2} {r + 4}-{r * 3 // 2}t{r + 4} {r * 3 // 2}" for x, y, r in humps
    )
    shades = "".join(
        f"M{x} {y - r * 3 // 2}q6 0 {r + 4} {r * 3 // 2}h-{r // 2}q-2-{r // 2}-{r // 2 + 4}-{r * 3 // 2}z"
        for x, y, r in humps
    )
    return f'<path class="slope" d="{shades}"/><path class="rock" d="{slopes}"/>'


@cache
def _make_land() -> dict[str, str]:
    """Return the textures of forest, marsh, hills, fields and towns."""
    wood, reed, hump, field, town = (144, 144), (200, 160), (220, 192), (1_200, 1_200), (112, 112)
    rushes = "".join(
        f"M{x - 14} {y}h{26 + _vary_on(reed, (x, y), 6, 1)}"
        + (f"M{x} {y - 3}v-9m-4 8l-4-7m12 7l4-7" if _vary_on(reed, (x, y), 9, 2) > -3 else "")
        for x, y in _scatter(reed, 40, 2)
    )
    fields = "".join(
        curve_loop([(10 * (x + right * (1 - y % 2 * 2)), 10 * (y + down * (x % 2 + 1))) for right, down in _PATCH])
        for x, y in _scatter(field, 300, 6)
    )
    houses = [(x, y, 10 + _vary_on(town, (x, y), 3, 1)) for x, y in _scatter(town, 16, 7)]
    blocks = "".join(f"M{x} {y}h{wide}v{9 + _vary_on(town, (x, y), 2, 2)}h-{wide}z" for x, y, wide in houses)
    return {
        "forest": _tile("forest", wood, _draw_forest(wood)),
        "marsh": _tile("marsh", reed, f'<path class="reed" d="{rushes}"/>'),
        "rough": _tile("rough", hump, _draw_hills(hump)),
        "fields": _tile("fields", field, f'<path class="field" d="{fields}"/>'),
        "blocks": _tile("blocks", town, f'<path class="block-of" d="{blocks}"/>'),
    }


_TABLE = """
<pattern id="orchard" width="124" height="124" patternUnits="userSpaceOnUse"><circle class="shadow" cx="68" cy="70"
r="40"/><circle class="crowns" cx="62" cy="62" r="40"/><path class="glint" d="M36 58q4-20 24-22"/></pattern>
<pattern id="trees" href="#forest" patternTransform="scale(4)"/>
<pattern id="grass" width="2600" height="2200" patternUnits="userSpaceOnUse"><path class="blade" d="M300 420l-60-170
M330 420v-210M360 420l70-160M1500 900l-60-170M1530 900v-210M1560 900l70-160M800 1700l-60-170M830 1700v-210M860 1700
l70-160M2200 1500l-60-170M2230 1500v-210M2260 1500l70-160M2000 300l-60-150M2030 300v-180"/></pattern>
<pattern id="patches" width="17000" height="14900" patternUnits="userSpaceOnUse" patternTransform="rotate(-9)"><g
class="patch"><path d="M900 2600q1500-2300 4200-1500t3900 300q2100 900 600 2300t-4300 900q-2600 1100-3900 100t-500-2100z
M9800 6500q2300-1600 4300-500t1700 2800q-1500 2100-3900 1500t-3200 100q-1400-1900 1100-3900zM1800 9700q2600-1300
4400 200t600 2900q-2500 1600-4600 400t-400-3500z"/></g></pattern>
"""
_ZONES = """
<pattern id="zone-0" width="220" height="220" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path
class="hatch-0" d="M0 0h50v220h-50z"/></pattern>
<pattern id="zone-1" width="220" height="220" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><path
class="hatch-1" d="M0 0h50v220h-50z"/></pattern>
<pattern id="danger" width="200" height="200" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path
class="hatch" d="M0 0h60v200h-60z"/></pattern>
"""
_SIGNS = (
    "".join(f'<g id="branch-{key}">{shape}</g>' for key, shape in SYMBOLS.items())
    + "".join(f'<g id="{key}">{shape}</g>' for key, shape in MARKS.items())
    + '<path id="flag-side-0" d="M0-110h200v200h-200z"/>'
    + '<path id="flag-side-1" d="M60-110h80l60 60v80l-60 60h-80l-60-60v-80z"/>'
    + '<marker id="tip" viewBox="0 0 10 10" refX="7" refY="5" markerWidth="4" markerHeight="4" orient="auto">'
    + '<path d="M0 0L10 5L0 10L3 5z" fill="context-stroke"/></marker>'
)


@cache
def make_defs(*, table: bool, texture: bool = True) -> str:
    """Return the patterns and signs for a hex map or a ``table`` top. ``texture``: draw trees, reeds and the like."""
    land = _make_land()
    kinds = ("forest",) if table else tuple(land)
    patterns = "".join(land[kind] for kind in kinds) + (_TABLE if table else "") if texture else ""
    return f"<defs>{patterns}{'' if table else _ZONES}{_SIGNS}</defs>"


PALETTE = {
    "paper": ("#f7f3e6", "#1c1f1c"),
    "label": ("#1b1b1b", "#efece2"),
    "grid": ("#b9ab86", "#565b50"),
    "number": ("#625a46", "#a8a598"),
    "clear": ("#f3ebd3", "#2f322b"),
    "forest": ("#c2d4a0", "#27392a"),
    "marsh": ("#d5e4da", "#48553c"),
    "orchard": ("#e2edc8", "#323c27"),
    "rough": ("#e6d6b4", "#40392b"),
    "hill": ("#e8d6ad", "#413a29"),
    "village": ("#e0d4cc", "#413936"),
    "water": ("#c6dff0", "#1d3a4d"),
    "table": ("#dde1b6", "#2d3426"),
    "patch": ("#c3cd92", "#39432e"),
    "copse": ("#a9c795", "#223c2a"),
    "works": ("#d8c7b0", "#4a3d33"),
    "lane": ("#d9c498", "#5b5440"),
    "leaf": ("#a9c184", "#355240"),
    "bank": ("#8a7a55", "#7d8c8f"),
    "roof": ("#c08a6a", "#74503f"),
    "ridge": ("#6b4230", "#c9a48c"),
    "blade": ("#8f9a5b", "#6f7a4a"),
    "river": ("#4c8fbd", "#4a93be"),
    "casing": ("#2c6690", "#0d2534"),
    "major": ("#86bfdd", "#5aa2cc"),
    "sea": ("#b8d6e4", "#1b3644"),
    "field": ("#e7dab5", "#383b32"),
    "crowns": ("#93b374", "#41654a"),
    "shadow": ("#6f9159", "#18261b"),
    "glint": ("#bcd2a0", "#6a9470"),
    "edge-of": ("#7d9760", "#4d6b4f"),
    "void": ("#ddd6c1", "#242723"),
    "neat": ("#5a5140", "#8b8675"),
    "front-0": ("#46597f", "#8ba3d6"),
    "front-1": ("#c23a2b", "#ff7b62"),
    "water-name": ("#14507a", "#8cc8ee"),
    "built": ("#dcbda6", "#5e5048"),
    "town": ("#6b5a4e", "#c3b3a5"),
    "court": ("#fff", "#26241f"),
    "reed": ("#3f8296", "#b9d39a"),
    "rock": ("#8d6b42", "#a98d68"),
    "rail": ("#35312c", "#a39b8c"),
    "line-0": ("#3f4a3c", "#b9c7b3"),
    "line-1": ("#8a5312", "#d89c4c"),
    "fire": ("#c2410c", "#ff8d5c"),
    "lit": ("#0072b2", "#6fc0f2"),
    "reach": ("#8a3a00", "#f0a878"),
    "track": ("#2c2a26", "#8f8a80"),
    "ink": ("#1b1b1b", "#1b1b1b"),
    "side-0": ("#9aa89f", "#9aa89f"),
    "side-1": ("#d7953f", "#d7953f"),
    "hull-0": ("#6c8196", "#6c8196"),
    "hull-1": ("#bd6a1c", "#bd6a1c"),
    "pill": ("#9b1c1c", "#9b1c1c"),
}
"""Every color of a map by name, for light and dark pages; counters keep their colors."""


def _name_all(values: Iterable[tuple[str, str]]) -> str:
    return ";".join(f"--{name}:{value}" for name, value in values)


def _read_style(name: str) -> str:
    """Return the rules of a style file of this folder, a rule a line, without other blanks."""
    lines = (line.strip() for line in (files(__package__) / name).read_text(encoding="ascii").splitlines())
    return re.sub(r";?}", "}\n", "".join(lines).replace(": ", ":").replace(" {", "{"))


PAGE = (
    "@supports (color:light-dark(#000,#fff)){.kursk-map{"
    + _name_all((name, f"light-dark({light},{dark})") for name, (light, dark) in PALETTE.items() if light != dark)
    + "}}\n"
)
"""Styles of a page with a dark theme; files are always light."""
CSS = (
    "\n.kursk-map{"
    + _name_all((name, light) for name, (light, _dark) in PALETTE.items())
    + ";--per:1}\n"
    + "".join(map(_read_style, ("land.css", "counters.css", "tabletop.css", "zoom.css")))
    + "@media print{.kursk-map{--paper:#fff}}\n"
)


def of_side(side: str, sides: Sequence[str]) -> str:
    """Return the style class of a side. It names the side's position, because pictures know no names of sides."""
    return f"side-{sides.index(side)}" if side in sides else "nobody"


_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_VAR = re.compile(r"var\((--[\w-]+)(?:,([^()]*))?\)")
_CALL = re.compile(r"(calc|max|min|clamp)\(([^()]*)\)")


@cache
def make_style_sheet(per: str = "1", zoom: str = "", *, dark: bool = False, more: str = "") -> str:
    """Return the style sheet of maps, without the rules that only a page needs.

    ``per``: map units a pixel. ``zoom``: the name that a page gives to this size (``map.js``). ``dark``: for the dark
    theme. ``more``: rules to append.
    """
    values = {f"--{name}": colors[dark] for name, colors in PALETTE.items()} | {"--per": per}
    css = re.sub(r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", CSS + more)
    if zoom:
        for found in re.findall(rf"\[data-zoom={zoom}\]\{{([^}}]*)\}}", css):
            values |= dict(each.strip().split(":", 1) for each in found.split(";"))
        css = css.replace(f"[data-zoom={zoom}] ", "")
    rules = []
    for selectors, declarations in _RULE.findall(css):
        kept = ",".join(each.strip() for each in selectors.split(",") if "[data-zoom" not in each)
        said = ";".join(_resolve(each.strip(), values) for each in declarations.split(";") if each.strip()[:2] != "--")
        if kept and said:
            rules.append(f"{kept}{{{said}}}\n")
    return "".join(rules)


def _resolve(setting: str, values: dict[str, str]) -> str:
    """Return a CSS property with replaced variables and computed sums."""
    setting = _VAR.sub(lambda found: values.get(found[1]) or found[2], setting)
    while found := _CALL.search(setting):
        setting = f"{setting[: found.start()]}{_compute_function(found[1], found[2])}{setting[found.end() :]}"
    return setting


def _compute_function(name: str, inner: str) -> str:
    """Return the value of one function whose arguments are products of numbers and pixels."""
    unit = "px" if "px" in inner else ""
    values = [prod(map(Decimal, each.replace("px", "").split("*")), start=Decimal(1)) for each in inner.split(",")]
    value = {"calc": values[0], "max": max(values), "min": min(values), "clamp": sorted(values)[len(values) // 2]}[name]
    return f"{value.normalize():f}{unit}"
