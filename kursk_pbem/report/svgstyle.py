"""How shapes look: one style sheet for files and pages, patterns, branch symbols. Hues after Okabe and Ito.

Sides differ by the outline of their counters, by hue and by lightness; terrain by tint and by pattern.
"""

from __future__ import annotations

from collections.abc import Sequence

HUES = 8
"""Colours of formations; with more of them they come again with a line through."""
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
"""Branch symbols by the words that pictures use for them (``kernel.picture``), inside 600 by 380 map units."""

_MARKS = {
    "objective": f'<path d="{STAR}"/>',
    "uncommunicated": '<path d="M0-150L150 120H-150z"/>',
    "disrupted": '<path d="M-120-120L120 120M-120 120L120-120" class="ink"/><circle r="170" class="ring"/>',
    "moved": '<path d="M-140 0H90M0-110L110 0L0 110" class="ink"/>',
    "immobilised": '<rect x="-130" y="-130" width="260" height="260"/>',
    "pinned": '<circle r="150"/>',
    "interdicted": '<path d="M-150-60H150V60H-150z"/>',
}

_PATTERNS = """
<pattern id="forest" width="400" height="400" patternUnits="userSpaceOnUse"><path class="wood" d="M100 60l80 140h-160z
M300 240l80 140h-160z"/></pattern>
<pattern id="orchard" width="500" height="500" patternUnits="userSpaceOnUse"><circle class="wood" cx="125" cy="125"
r="85"/><circle class="wood" cx="375" cy="375" r="85"/></pattern>
<pattern id="marsh" width="420" height="300" patternUnits="userSpaceOnUse"><path class="reed" d="M20 80h180M110 80v-60
M230 230h180M320 230v-60"/></pattern>
<pattern id="rough" width="420" height="360" patternUnits="userSpaceOnUse"><path class="rock" d="M30 140l90-100l90 100
M230 320l90-100l90 100"/></pattern>
<pattern id="zone-0" width="220" height="220" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path
class="hatch-0" d="M0 0h50v220h-50z"/></pattern>
<pattern id="zone-1" width="220" height="220" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><path
class="hatch-1" d="M0 0h50v220h-50z"/></pattern>
<pattern id="danger" width="200" height="200" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path
class="hatch" d="M0 0h60v200h-60z"/></pattern>
"""

DEFS = (
    "<defs>"
    + _PATTERNS
    + "".join(f'<g id="branch-{key}">{shape}</g>' for key, shape in SYMBOLS.items())
    + "".join(f'<g id="{key}">{shape}</g>' for key, shape in _MARKS.items())
    + '<path id="flag-side-0" d="M0-110h200v200h-200z"/>'
    + '<path id="flag-side-1" d="M60-110h80l60 60v80l-60 60h-80l-60-60v-80z"/>'
    + '<marker id="tip" viewBox="0 0 10 10" refX="7" refY="5" markerWidth="4" markerHeight="4" orient="auto">'
    + '<path d="M0 0L10 5L0 10L3 5z" fill="context-stroke"/></marker>'
    + "</defs>"
)

CSS = """
.kursk-map{--paper:#fbfaf5;--ink:#1b1b1b;--grid:#b9b6a8;--number:#77746a;--side-0:#c3cabd;--side-1:#ecc77c;
--line-0:#3f4a3c;--line-1:#8a5a00;--river:#0072b2;--built:#c9bdb4;--wood:#2f7d57;--reed:#3b7d9c;--rock:#7a5c3e;
background:var(--paper);font-family:"Helvetica Neue",Arial,"Liberation Sans",sans-serif;
fill:var(--ink);text-anchor:middle}
.ground{fill:#f4f1e4}.ground.clear,.table{fill:#f6f3e6}.ground.forest{fill:#dbead9}.ground.marsh{fill:#dceaf0}
.ground.orchard{fill:#e6efcf}.over.orchard{fill:url(#orchard)}
.ground.rough{fill:#eadfce}.ground.hill{fill:#eee0c4}.ground.village{fill:#e0d4cc}.ground.water{fill:#cfe3f2}
.over{fill:none}.over.forest{fill:url(#forest)}.over.marsh{fill:url(#marsh)}.over.rough,.over.hill{fill:url(#rough)}
.wood{fill:var(--wood);opacity:.35}.reed,.rock{fill:none;stroke-width:26;opacity:.5}.reed{stroke:var(--reed)}
.rock{stroke:var(--rock)}
.grid{fill:none;stroke:var(--grid);stroke-width:18}
.numbers{fill:var(--number);font-size:190px}
.edge{fill:none;stroke-linecap:round}.edge.river{stroke:var(--river);stroke-width:80;opacity:.75}
.edge.major-river{stroke:var(--river);stroke-width:170}
.edge.front{stroke:var(--line-1);stroke-width:90;stroke-dasharray:140 110;opacity:.8}
.line{fill:none;stroke:#4a4641;stroke-width:34;opacity:.75}.line.ties{stroke-width:150;stroke-dasharray:26 174}
.zone{opacity:.55}.zone.side-0{fill:url(#zone-0)}.zone.side-1{fill:url(#zone-1)}
.place{fill:var(--built);opacity:.8}.place.major-city{stroke:#6b5a4e;stroke-width:50}
.town{fill:#6b5a4e}.town.city{fill:#fff;stroke:#6b5a4e;stroke-width:50}
.name{font-weight:600;fill:var(--ink);paint-order:stroke;stroke:var(--paper);stroke-width:60;stroke-linejoin:round}
.flag{stroke:var(--ink);stroke-width:20}.flag.side-0,.side-0 .card{fill:var(--side-0)}
.flag.side-1,.side-1 .card{fill:var(--side-1)}
.fortification{fill:none;stroke-width:55;stroke-dasharray:55 95;opacity:.85}.fortification.side-0{stroke:var(--line-0)}
.fortification.side-1{stroke:var(--line-1)}
.hatch{fill:#d55e00}.hatch-0{fill:#4a5a80}.hatch-1{fill:#b0621a}
.mark{fill:#d55e00;stroke:var(--paper);stroke-width:24}.ink{fill:none;stroke:var(--ink);stroke-width:36}
.ring{fill:none;stroke:#d55e00;stroke-width:36}
.card{stroke:var(--ink);stroke-width:26}.band{fill:#fff;opacity:.9}.frame{fill:#fffdf4;stroke:var(--ink);stroke-width:28}
.solid{fill:var(--ink)}.id{font-size:175px}.figures{font-weight:700}.size{font-size:98px}
.faces{fill:#cc79a7;stroke:var(--ink);stroke-width:28}.of-ground{font-weight:400;fill:#5f5c54}
.stripe-line{stroke:#fff;stroke-width:30;fill:none}
.hue-0{fill:#e69f00}.hue-1{fill:#56b4e9}.hue-2{fill:#009e73}.hue-3{fill:#f0e442}.hue-4{fill:#0072b2}.hue-5{fill:#d55e00}
.hue-6{fill:#cc79a7}.hue-7{fill:#000}
circle.count{fill:#fff;stroke:var(--ink);stroke-width:24}text.count{font-size:240px;font-weight:700}
text.model{font-size:700px;paint-order:stroke;stroke:var(--paper);stroke-width:110}.inch{font-size:600px;fill:var(--number)}
.facing{fill:var(--ink);opacity:.3}.goal{fill:none;stroke:var(--ink);stroke-width:50;stroke-dasharray:220 160}
.start{fill-opacity:.18;stroke-width:50;stroke-dasharray:300 200}.start.side-0{fill:var(--side-0)}
.start.side-0{stroke:var(--line-0)}.start.side-1{fill:var(--side-1);stroke:var(--line-1)}
.sight{fill:none;stroke:#0072b2;stroke-width:60;opacity:.8}
.sight.obscured{stroke-dasharray:420 180}.sight.blocked{stroke:#7a7a7a;stroke-width:45;stroke-dasharray:50 190}
.sight.arc{stroke:var(--ink);stroke-width:40;stroke-dasharray:260 120 50 120;opacity:.6}
.sight-text{font-size:720px;font-weight:700;paint-order:stroke;stroke:var(--paper);stroke-width:90}
.sight-word{font-size:640px;text-anchor:start}
.range{fill:none;stroke:#8a3a00;stroke-width:36;stroke-dasharray:120 120;opacity:.75}
.range-text{font-size:640px;fill:#8a3a00;paint-order:stroke;stroke:var(--paper);stroke-width:80}
.allowance{fill:#0072b2;fill-opacity:.22;stroke:#0072b2;stroke-width:50}
.gone{fill:#d55e00;fill-opacity:.3;stroke:#d55e00;stroke-width:24;stroke-dasharray:80 60}
.arrow{fill:none;stroke-width:110;stroke-linejoin:round;opacity:.85}.arrow.side-0{stroke:var(--line-0)}
.arrow.side-1{stroke:var(--line-1)}.arrow.retreat{stroke-dasharray:200 140}.arrow.rail{stroke-dasharray:60 80}
.arrow.attack{stroke:#d55e00}.arrow.wrong{stroke:#c00000;stroke-dasharray:40 90;stroke-width:140}
.unreached{fill:#000;fill-opacity:.22}.formation{fill-opacity:.45}
.arrow.old{stroke-width:60;opacity:.5}
.burst{fill:#ffb000;stroke:#1b1b1b;stroke-width:26}.burst-text{font-size:230px;font-weight:700;paint-order:stroke;
stroke:#ffb000;stroke-width:40}
@media print{.kursk-map{--paper:#fff}}
"""


def of_side(side: str, sides: Sequence[str]) -> str:
    """The class of a side: by its place among the sides, so that no picture knows their names."""
    return f"side-{sides.index(side)}" if side in sides else "nobody"
