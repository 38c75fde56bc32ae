"""A position in shapes, in whole map units: nothing of pixels, colours or pages, and nothing of one ruleset.

Text map, pictures and the board draw the same picture. What terrain, edges, places and marks can be is a closed list,
each with its sign on a text map and its legend; a ruleset that needs another one adds it here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

FLAT, POINTY, PLANE = "flat", "pointy", "plane"

TERRAIN = {
    "clear": (".", "clear"),
    "forest": ("f", "forest"),
    "orchard": ("o", "orchard"),
    "marsh": ("m", "marsh"),
    "rough": ("^", "rough"),
    "hill": ("h", "hill"),
    "village": ("v", "village"),
    "water": ("w", "water"),
}
EDGES = {"river": ("~", "a river"), "major-river": ("=", "a Major River"), "front": ("#", "the front of a line")}
PLACES = {
    "city": ("c", "City"),
    "major-city": ("C", "Major City"),
    "base": ("b", "base"),
    "goal": ("*", "objective"),
    "zone": ("+", "zone"),
    "range": ("", "range"),
}
SIGHTS = {"clear": "in sight", "obscured": "in sight, obscured", "blocked": "not in sight", "arc": "where an arc ends"}
# sign, legend, and whether it stands before the name rather than behind the ground
LINES = {"railway": ("H", "a railway")}
MARKS = {"fortification": ("#", "an active fortification", False), "objective": ("!", "the objective lies there", True)}

Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Region:
    """A hex, or ground on a table top; ``spot`` counts half steps, two along its column, with pointy tops its row.

    ``kind``: what the tables call the ground, '' if that is ``terrain``, as which it is drawn.
    """

    id: str
    outline: tuple[Point, ...]
    terrain: str
    spot: Point = (0, 0)
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Edge:
    """Something on the side that two regions share; ``name`` of the river that runs there."""

    a: str
    b: str
    kind: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """A city or another named place in a region, or at ``spot`` and ``far`` about it; ``owner`` holds it, '' nobody.

    ``outline``: of ground on a table top that is nobody's way, such as where one may deploy.
    """

    at: str
    name: str
    kind: str
    owner: str = ""
    spot: Point = (0, 0)
    far: int = 0
    outline: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class Piece:
    """A counter or a model: ``at`` a region, or on a table top the point ``spot``.

    ``symbol`` of its branch, ``size``, ``figures`` as printed, ``band`` if reduced, ``facing`` as a vector if any.
    ``name``: short, as on a counter, '' for the id. ``reach``: half the width of a model's stand, in map units.
    """

    id: str
    at: str
    side: str
    figures: str
    symbol: str = ""
    size: str = ""
    formation: str = ""
    band: bool = False
    marks: tuple[str, ...] = ()
    spot: Point = (0, 0)
    facing: Point = (0, 0)
    name: str = ""
    reach: int = 0


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that lies in a region; ``side`` is its owner, '' for nobody's."""

    at: str
    kind: str
    side: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """Something that leads from the middle of one region to that of the next."""

    a: str
    b: str
    kind: str


@dataclass(frozen=True, slots=True)
class Zone:
    """The regions in which units of a side have a zone of control, or stand in communication."""

    side: str
    at: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sight:
    """A line on a table top between two points, of one of the ``SIGHTS``; ``sign`` stands beside it, ``text`` below."""

    a: Point
    b: Point
    kind: str
    sign: str = ""
    text: str = ""


@dataclass(frozen=True)
class Picture:
    """All shapes of a position; ``form`` of its regions. ``size`` of a table top, and map units to the inch there.

    ``notes()`` are sentences for under a map, worked out when somebody reads them: what shapes cannot say. ``reached``:
    where each side is in communication. ``formations`` are all that the game has, also those with nobody on the map:
    each keeps its colour. ``names``: region and name of what is only called so, and not drawn.
    """

    form: str
    regions: tuple[Region, ...]
    edges: tuple[Edge, ...] = ()
    places: tuple[Place, ...] = ()
    pieces: tuple[Piece, ...] = ()
    marks: tuple[Mark, ...] = ()
    size: Point = (0, 0)
    unit: int = 1
    lines: tuple[Line, ...] = ()
    zones: tuple[Zone, ...] = ()
    notes: Callable[[], tuple[str, ...]] = tuple
    reached: tuple[Zone, ...] = ()
    sights: tuple[Sight, ...] = ()
    formations: tuple[str, ...] = ()
    names: tuple[tuple[str, str], ...] = ()


_AROUND = {FLAT: ((0, 2), (1, 1)), POINTY: ((2, 0), (1, 1))}


def beside(picture: Picture, place: str) -> tuple[str, ...]:
    """The regions that share a side with a hex, in the picture's order; none on a table top."""
    here = [region.spot for region in picture.regions if region.id == place]
    around = _AROUND.get(picture.form, ())
    apart = ((name.id, (abs(name.spot[0] - x), abs(name.spot[1] - y))) for x, y in here for name in picture.regions)
    return tuple(name for name, step in apart if step in around)
