"""A position as shapes in whole map units: without pixels, colours, pages and rules of a single ruleset.

Text map, pictures and board draw the same picture. Terrain, edges, places and marks are closed lists with sign and
legend; a ruleset with a new kind adds the kind here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kursk_pbem.frozen import frozen

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
SIGHTS = {"clear": "in sight", "obscured": "in sight, obscured", "blocked": "not in sight", "arc": "end of an arc"}
# sign, legend, and whether the sign is before the name or after the ground
LINES = {"railway": ("H", "a railway")}
MARKS = {"fortification": ("#", "an active fortification", False), "objective": ("!", "the objective", True)}

Point = tuple[int, int]


@frozen(slots=True)
class Region:
    """A hex, or an area of ground on a table top.

    ``spot``: the place in half steps; adjacent hexes of a column (with pointy tops: of a row) are two half steps apart.
    ``terrain``: the ground as drawn. ``kind``: the name of the ground in the tables, '' if it is the same.
    """

    id: str
    outline: tuple[Point, ...]
    terrain: str
    spot: Point = (0, 0)
    kind: str = ""


@frozen(slots=True)
class Edge:
    """A feature on the common side of two hexes. ``name``: the name of the river."""

    a: str
    b: str
    kind: str
    name: str = ""


@frozen(slots=True)
class Place:
    """A named place: the hex ``at``, or on a table top a circle with radius ``far`` around ``spot``, or an ``outline``.

    ``owner``: the side that owns the place, or ''.
    """

    at: str
    name: str
    kind: str
    owner: str = ""
    spot: Point = (0, 0)
    far: int = 0
    outline: tuple[Point, ...] = ()


@frozen(slots=True)
class Piece:
    """A counter in the hex ``at``, or a model at the point ``spot`` of a table top.

    ``symbol``: the branch. ``figures``: as printed. ``band``: the unit is reduced. ``facing``: a vector. ``name``: the
    short name on the counter, '' for the id. ``reach``: half the width of a model's stand, in map units. ``aim``: where
    to draw the barrel of a model without a facing.
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
    aim: Point = (0, 0)


@frozen(slots=True)
class Mark:
    """A marker in a hex. ``side``: the owner or ''."""

    at: str
    kind: str
    side: str = ""


@frozen(slots=True)
class Line:
    """A connection between the centers of two adjacent hexes, such as a railway."""

    a: str
    b: str
    kind: str


@frozen(slots=True)
class Zone:
    """The hexes of a side's zones of control, or the hexes that the side's communication reaches."""

    side: str
    at: tuple[str, ...]


@frozen(slots=True)
class Sight:
    """A line between two points of a table top. ``kind``: one of the ``SIGHTS``. ``sign``: a text next to the line.

    ``text``: a sentence below the picture.
    """

    a: Point
    b: Point
    kind: str
    sign: str = ""
    text: str = ""


@frozen
class Picture:
    """A position as shapes. ``form``: flat or pointy hexes, or a plane.

    ``size``, ``unit``: the size of a table top and its map units per inch. ``notes()``: sentences below a map.
    ``reached``: the hexes in communication, by side. ``formations``: every formation of the game, so that each keeps
    its color when it has no units on the map. ``names``: (hex, name) of places that are not drawn. ``faces``: fortified
    lines as pairs of a hex and an adjacent hex toward the enemy. ``sea``: outlines of water. ``roads``: lines. Sea and
    roads are decoration without a rule.
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
    faces: tuple[tuple[str, str], ...] = ()
    sea: tuple[tuple[Point, ...], ...] = ()
    roads: tuple[tuple[Point, ...], ...] = ()


_AROUND = {FLAT: ((0, 2), (1, 1)), POINTY: ((2, 0), (1, 1))}


def find_middle(outline: Sequence[Point]) -> Point:
    """Return the center of the box around an outline."""
    xs, ys = zip(*outline, strict=True)
    return (min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2


def find_adjacent(picture: Picture, place: str) -> tuple[str, ...]:
    """Return the hexes adjacent to a hex, in the picture's order; () on a table top."""
    here = [region.spot for region in picture.regions if region.id == place]
    around = _AROUND.get(picture.form, ())
    apart = ((name.id, (abs(name.spot[0] - x), abs(name.spot[1] - y))) for x, y in here for name in picture.regions)
    return tuple(name for name, step in apart if step in around)
