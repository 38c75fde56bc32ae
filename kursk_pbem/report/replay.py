"""One HTML file that steps through a game: map, timeline, reports, charts. The file uses no network.

Each look of a counter and each state of the flags is drawn once and used by number. Frames contain only differences
from the frame before. Texts travel as JSON and are inserted as text, never as markup. The page's policy allows only the
page's own script and style, by hash.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from importlib.resources import files
from typing import Any

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.picture import PLANE, Picture, Piece, Point, find_middle
from kursk_pbem.kernel.ruleset import Rows
from kursk_pbem.report.pictures import svg, svgcounters, svgstyle
from kursk_pbem.report.pictures.svg import Arrow, Burst
from kursk_pbem.report.pictures.svgtext import escape

STYLES = ("palette.css", "sheet.css", "replay.css", "replay-small.css")
"""The styles of the page in order; the board uses the first two, too."""
SCRIPTS = (
    "dom.js", "map.js", "camera.js", "die.js", "card.js", "keys.js", "names.js", "tags.js", "parts.js", "stage.js",
    "told.js", "events.js", "share.js", "replay.js",
)  # fmt: skip
"""The modules of the page in order of their imports."""


@frozen
class Force:
    """One side of a battle: name of the side, units in words, strength."""

    side: str
    units: str
    strength: str


@frozen
class Clash:
    """A battle in figures: both sides, odds column, dice, result and chance. ``why``: how shifts change the odds."""

    attack: Force
    defence: Force
    odds: str
    dice: str
    result: str
    meaning: str
    chance: str
    why: str = ""


@frozen
class Frame:
    """One step of a replay: a phase, a battle or a shot, and the position after it.

    ``told``: the events in sentences. ``lines``: the same events as in the report. ``dice``: the digits of every throw.
    ``whose``: the owner of every throw, or ''.

    ``pieces``: the counters on the map, in a stack the top one first. ``spots``: where the counters are drawn.
    ``overlay``: front, flags and marks, drawn between the ground and the counters.
    """

    message: int
    turn: str
    kind: str
    title: str
    lines: tuple[str, ...]
    pieces: tuple[Piece, ...]
    spots: Mapping[str, Point]
    overlay: tuple[str, ...]
    arrows: tuple[Arrow, ...]
    bursts: tuple[Burst, ...]
    told: str = ""
    dice: tuple[str, ...] = ()
    whose: tuple[str, ...] = ()
    clash: Clash | None = None


@frozen
class Told:
    """A message of the game in words. ``comments``: (name as claimed, text) of everybody who commented in a study."""

    seq: int
    sender: str
    kind: str
    turn: str
    id: str
    note: str
    headlines: tuple[str, ...]
    standing: Rows
    luck: tuple[str, ...]
    verified: str
    comments: tuple[tuple[str, str], ...] = ()


@frozen
class Replay:
    """A whole game for the page of a replay.

    ``sides``: (id, name) in order. ``charts``: (name, values of the sides after every message). ``verified``: the
    result of the verification in a few words, then in sentences. ``verdict``: the result of the game, or ''. ``lost``:
    the analysis where the game was lost (``title``, ``rows``, ``sums``, ``curve``), or {}.
    """

    title: str
    game: str
    sides: tuple[tuple[str, str], ...]
    ground: Picture
    frames: tuple[Frame, ...]
    messages: tuple[Told, ...]
    verdict: str
    verified: tuple[str, ...]
    names: Mapping[str, str]
    charts: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]
    lost: Mapping[str, Any] = field(default_factory=dict)
    past: Mapping[str, str] = field(default_factory=dict)


def render_page(replay: Replay, back: str = "", branches: Sequence[Replay] = (), turn: str = "") -> str:
    """Return the page of a replay as text, ending in a newline. ``back``: the address for a link back, or ''.

    ``branches``: the branches of a study, shown one at a time. ``turn``: the newest turn as an SVG to share, or ''.
    """
    sides = [side for side, _name in replay.sides]
    looks, overlays = _Numbered(), _Numbered()
    data = _make_data(replay, looks, overlays)
    data["branches"] = [{"name": each.title, **_make_data(each, looks, overlays)} for each in branches]
    draw = svgcounters.make_drawer(replay.ground, sides)
    drawn = [f'<g id="look-{number}">{draw(piece, (0, 0))}</g>' for piece, number in looks.items()]
    parts = _Numbered()
    uses = {
        number: "".join(f'<use href="#part-{parts[part]}"/>' for part in shapes) for shapes, number in overlays.items()
    }
    drawn += [f'<g id="part-{number}">{shapes}</g>' for shapes, number in parts.items()]
    drawn += [f'<g id="overlay-{number}">{shapes}</g>' for number, shapes in uses.items()]
    unowned = tuple(replace(place, owner="") for place in replay.ground.places)
    bare = replace(replay.ground, pieces=(), marks=(), places=unowned)
    ground = svg.render(bare, sides, title=replay.title, styled=False, moving=True)
    layers = '<use id="overlay"/><g id="old"/><g id="pieces"/><g id="new"/><g id="names"/><g id="found"/>'
    ground = ground.replace("</svg>", f"<defs>{''.join(drawn)}</defs>{layers}</svg>")
    plain = json.dumps(data, ensure_ascii=True, separators=(",", ":"), sort_keys=True)
    return _html(replay.title, ground, plain, back, turn)


def _make_data(replay: Replay, looks: _Numbered, overlays: _Numbered) -> dict[str, Any]:
    """Return the data of a game or a branch for the script."""
    middles = {region.id: find_middle(region.outline) for region in replay.ground.regions}
    return {
        "sides": [name for _side, name in replay.sides],
        "frames": _frames(replay, [side for side, _name in replay.sides], looks, overlays),
        "messages": [
            {"from" if key == "sender" else key: value for key, value in vars(told).items()} for told in replay.messages
        ],
        "charts": [
            {"name": name, "values": [[int(value) for value in row] for row in rows]} for name, rows in replay.charts
        ],
        "names": dict(sorted(replay.names.items())),
        "places": {place.name: middles.get(place.at, place.spot) for place in replay.ground.places if place.name},
        "at": {} if replay.ground.form == PLANE else middles,
        "verdict": replay.verdict,
        "lost": dict(replay.lost),
        "past": dict(replay.past),
        "whatIf": f"kursk play --from {replay.game[:8]}/",
        "verified": list(replay.verified),
    }


class _Numbered(dict[Any, int]):
    """Things numbered by first use."""

    def __missing__(self, key: Any) -> int:
        self[key] = number = len(self)
        return number


def _frames(replay: Replay, sides: Sequence[str], looks: _Numbered, overlays: _Numbered) -> list[dict[str, Any]]:
    """Return the frames as plain data, with only the changed pieces of each frame (0: the piece left the map)."""
    had: dict[str, Any] = {}
    out = []
    for frame in replay.frames:
        ranks: dict[Point, int] = {}
        now: dict[str, Any] = {}
        for piece in frame.pieces:
            at = frame.spots[piece.id]
            ranks[at] = ranks.get(at, -1) + 1
            now[piece.id] = [*at, looks[replace(piece, at="", spot=(0, 0))], ranks[at]]
        changed = {uid: now.get(uid, 0) for uid in sorted({*now, *had}) if now.get(uid) != had.get(uid)}
        had = now
        out.append(
            {
                "m": frame.message - replay.messages[0].seq,
                "turn": frame.turn,
                "kind": frame.kind,
                "title": frame.title,
                "told": frame.told,
                "lines": list(frame.lines),
                "card": make_card(frame),
                "pieces": changed,
                "overlay": overlays[frame.overlay],
                "arrows": [
                    [svgstyle.of_side(arrow.side, sides), arrow.kind, list(map(list, svg.clip_arrow(arrow)))]
                    for arrow in frame.arrows
                    if len(arrow.points) > 1
                ],
                "bursts": [[*burst.at, burst.text, burst.dice] for burst in frame.bursts],
            }
        )
    return out


def make_card(frame: Frame) -> dict[str, Any]:
    """Return the facts about a frame: title, sides with odds, dice with owners, and the result with its meaning."""
    clash, fought = frame.clash, frame.kind in ("battle", "shot")
    result = clash.result if clash else frame.bursts[-1].text if frame.bursts and fought else ""
    return {
        "title": frame.title.removesuffix(f": {result.partition(',')[0]}") if clash else frame.title,
        "forces": [[force.side, force.units, force.strength] for force in (clash.attack, clash.defence)]
        if clash
        else [],
        "odds": clash.odds if clash else "",
        "why": clash.why if clash else "",
        "dice": list(frame.dice),
        "whose": list(frame.whose) if len({*frame.whose}) > 1 else [],  # dice of one side need no names
        "result": result if frame.dice else "",
        "meaning": f"{clash.meaning} (chance {clash.chance})" if clash and frame.dice else "",
    }


def find_policy(page: str) -> str:
    """Return a page's content security policy, because a server must also send the policy."""
    return page.partition('Policy" content="')[2].partition('"')[0]


def _html(title: str, picture: str, data: str, back: str, turn: str) -> str:
    folder = files("kursk_pbem.report") / "page"
    script = "".join(_inline_module((folder / name).read_text(encoding="utf-8")) for name in SCRIPTS)
    frame = (folder / "replay.html").read_text(encoding="utf-8")
    style = "".join((svgstyle.CSS, svgstyle.PAGE, *((folder / name).read_text(encoding="utf-8") for name in STYLES)))
    policy = (
        f"default-src 'none'; script-src {hash_source(script)}; style-src {hash_source(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    safe = data.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    parts = {
        "POLICY": policy,
        "TITLE": escape(title),
        "STYLE": style,
        "PICTURE": picture,
        "DATA": safe,
        "SCRIPT": script,
        "TURN": f'<template id="newest-turn">{turn}</template>\n' if turn else "",
        "BACK": f'<a href="{escape(back)}">Back</a>\n' if back else "",
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda name: parts[name[1]], frame)


def _inline_module(module: str) -> str:
    """Return a module for the single file, without its imports: the imported parts come first."""
    return "".join(line for line in module.splitlines(keepends=True) if not line.startswith("import "))


def hash_source(text: str) -> str:
    """Return the hash by which a content-security policy allows an inline script or style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}'"
