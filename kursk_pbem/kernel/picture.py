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
    """A hex, or an area of ground on a table top."""

    id: str
    outline: tuple[Point, ...]
    terrain: str  # the ground as drawn
    spot: Point = (0, 0)  # in half steps: adjacent hexes of a column (pointy tops: of a row) are two half steps apart
    kind: str = ""  # the name of the ground in the tables, '' if equal to ``terrain``


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
    """A counter in a hex, or a model at a point of a table top."""

    id: str
    at: str  # the hex of a counter
    side: str
    figures: str  # the figures as printed
    symbol: str = ""  # the branch
    size: str = ""
    formation: str = ""
    band: bool = False  # the unit is reduced
    marks: tuple[str, ...] = ()
    spot: Point = (0, 0)  # the point of a model
    facing: Point = (0, 0)  # the direction of a model, as a vector
    name: str = ""  # the short name on the counter, '' for the id
    reach: int = 0  # half the width of a model's stand, in map units
    aim: Point = (0, 0)  # the direction of the barrel, for a model without a facing


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
    """A position as shapes, for drawing."""

    form: str  # flat or pointy hexes, or the plane of a table top
    regions: tuple[Region, ...]
    edges: tuple[Edge, ...] = ()
    places: tuple[Place, ...] = ()
    pieces: tuple[Piece, ...] = ()
    marks: tuple[Mark, ...] = ()
    size: Point = (0, 0)  # the size of a table top in map units
    unit: int = 1  # map units per inch of a table top
    lines: tuple[Line, ...] = ()
    zones: tuple[Zone, ...] = ()
    notes: Callable[[], tuple[str, ...]] = tuple  # sentences below the map
    reached: tuple[Zone, ...] = ()  # the hexes in communication, by side
    sights: tuple[Sight, ...] = ()
    formations: tuple[str, ...] = ()  # every formation of the game, so that colors never change
    names: tuple[tuple[str, str], ...] = ()  # (hex, name) of places that are not drawn
    faces: tuple[tuple[str, str], ...] = ()  # fortified lines: (hex, adjacent hex toward the enemy)
    sea: tuple[tuple[Point, ...], ...] = ()  # outlines of water, without a rule
    roads: tuple[tuple[Point, ...], ...] = ()  # lines without a rule


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
