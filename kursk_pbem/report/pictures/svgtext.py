"""Texts: XML by construction, because texts and attributes are escaped only here; letters that fit; places of names.

A file has the names of cities clear of counters and of other names, as ``names.js`` places the names on a page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kursk_pbem.kernel.picture import Point

_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})


def escape(text: str) -> str:
    """Return a text escaped for XML or HTML. A '?' replaces each control character."""
    return "".join(
        c if c >= " " and c != "\x7f" and not 0xD800 <= ord(c) <= 0xDFFF and c not in "\ufffe\uffff" else "?"
        for c in text
    ).translate(_TEXT)


def attribute(**values: str | int) -> str:
    """Return XML attributes, with a space before each attribute. ``class_`` means class, ``aria_label`` aria-label."""
    return "".join(
        f' {name if name == "viewBox" else name.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for name, value in values.items()
        if value != ""
    )


def element(name: str, inner: str = "", **values: str | int) -> str:
    """Return an XML element. ``inner``: the XML in the element, '' for an empty element."""
    return f"<{name}{attribute(**values)}>{inner}</{name}>" if inner else f"<{name}{attribute(**values)}/>"


def link_as_files(drawn: str) -> str:
    """Return a picture with links in a form that Inkscape and Batik can follow."""
    linked = drawn.replace("<svg", '<svg xmlns:xlink="http://www.w3.org/1999/xlink"', 1)
    return linked.replace(' href="', ' xlink:href="')


_PLAIN = {191: "'", 222: "ijl", 278: " .,:;/|!ftI[]", 333: "-()r", 500: "cksvxyzJ", 556: "0123456789abdeghnopquL"}
_PLAIN |= {584: "+", 611: "FTZ", 667: "ABEKPSVXY", 722: "wCDHNRU", 778: "GOQ", 833: "mM", 944: "W"}
_BOLD = {238: "'", 278: " .,/|ijlI", 333: "-:;!()[]ft", 389: "r", 500: "z", 556: "0123456789aceksvxyJ", 584: "+"}
_BOLD |= {611: "bdghnopquLFTZ", 667: "EPSVXY", 722: "ABCDHKNRU", 778: "wGOQ", 833: "M", 889: "m", 944: "W"}
_WIDTHS = [{letter: wide for wide, letters in font.items() for letter in letters} for font in (_PLAIN, _BOLD)]
"""Widths of the letters of Arial, Helvetica and Liberation Sans, in thousandths of the size."""


def fit_letters(text: str, size: int, room: int, *, bold: bool = True) -> tuple[int, int]:
    """Return a letter size and a length for a text that must fit ``room`` in any font.

    The drawing states the length (``textLength``), so that a program squeezes a font that is too wide.
    """
    wide = max(1, sum(_WIDTHS[bold].get(letter, 700) for letter in text))
    fits = min(size, room * 1_000 // wide)
    return fits, fits * wide // 1_000


def write_fitted(
    text: str, at: Point, size: int, room: int, look: str, *, bold: bool = True, squeeze: int = 100
) -> str:
    """Return a line of text that fits the given room. ``look``: further attributes.

    ``squeeze``: the natural width of the longest text, in hundredths of the room. Its letters are drawn narrower.
    """
    size, long = fit_letters(text, size, room * squeeze // 100, bold=bold)
    where = f'x="{at[0]}" y="{at[1]}" font-size="{size}" textLength="{min(long, room)}" lengthAdjust="spacingAndGlyphs"'
    return f"<text {look} {where}>{escape(text)}</text>" if text else ""


def measure(name: str) -> int:
    """Return the greatest width of a name in any font with letters 1,000 units high."""
    return max(fit_letters(name, 1_000, 1_000_000)[1], 600 * len(name))


RANKS = ("major-city", "city", "base", "town")
"""Kinds of places, the most important first; a town is only decoration."""
SIZES = (285, 240, 205, 205)
"""Sizes of the letters by rank, in map units."""
_SHEET = 594, 3  # width of a sheet (A2) and height of the smallest letters, in millimeters
COUNTER, TOWN, _FAR = 690, 330, 9_000  # half a counter; half a town's ground; farther than a name reaches
_FARTHER = 0, 500, -500, 1_000, -1_000, 1_500, -1_500, 2_000, -2_000  # how far a name is below its hex
_CROWD = 4_000  # a name with more counters within this distance has fewer places, and is placed before others
Box = tuple[int, int, int, int]
Spot = tuple[int, int, int]


def list_spots(at: Point, wide: int, size: int, frame: Box, *, free: bool) -> list[Point]:
    """Return the possible places for a name, best first. A place is the middle of the name's lower edge.

    ``frame``: a long name above or below its hex is moved to its inside. ``free``: the hex contains no counter.
    """
    half, high = wide * size // 2_000, size * 72 // 100
    up, aside = (TOWN, TOWN + 60) if free else (COUNTER, COUNTER + 70)
    middle = max(frame[0] + half - at[0], min(0, frame[2] - half - at[0]))
    ways = [(middle, up + high), (middle, -up), (aside + half, high // 2), (-aside - half, high // 2)]
    ways += [(half * sign, down) for down in (COUNTER + high, -COUNTER) for sign in (1, -1)]
    for way in (COUNTER, 1_100, 1_600, 2_400):
        ways += [(sign * (way + half), down + high // 2) for down in _FARTHER for sign in (1, -1)]
    return [(at[0] + right, at[1] + down) for right, down in ways]


def find_sizes(width: int) -> tuple[int, ...]:
    """Return the letter sizes of names by rank, for a sheet of this ``width``. Both are in map units."""
    least = -(-width * _SHEET[1] // _SHEET[0])
    return max(SIZES[0], least * 5 // 4), *(max(size, least) for size in SIZES[1:])


def draw_box(spot: Point, wide: int, size: int) -> Box:
    """Return the box around letters as left, top, right, bottom."""
    half = wide * size // 2_000
    return spot[0] - half, spot[1] - size * 75 // 100, spot[0] + half, spot[1] + size * 15 // 100


def share(one: Box, other: Box) -> int:
    """Return the area common to two boxes."""
    wide, high = min(one[2], other[2]) - max(one[0], other[0]), min(one[3], other[3]) - max(one[1], other[1])
    return wide * high if wide > 0 and high > 0 else 0


def place_names(
    names: Sequence[tuple[Point, int, int]],
    counters: Sequence[Point],
    frame: Box,
    sizes: Sequence[int] = SIZES,
    signs: Sequence[Box] = (),
) -> list[Spot | None]:
    """Return (x, y, letter size) for every name. A name without room has None. ``counters``: their centers.

    ``names``: place, width at size 1,000, rank. ``sizes``: letter sizes by rank. ``signs``: boxes that names must not
    cover.
    """
    taken = [(x - COUNTER, y - COUNTER, x + COUNTER, y + COUNTER) for x, y in counters]
    said = [*signs]
    found: dict[int, Spot] = {}
    crowds = [sum((x - at[0]) ** 2 + (y - at[1]) ** 2 < _CROWD**2 for x, y in counters) for at, _wide, _rank in names]
    for number in sorted(range(len(names)), key=lambda each: (names[each][2], -crowds[each])):
        at, wide, rank = names[number]
        free = not any(abs(x - at[0]) < COUNTER and abs(y - at[1]) < COUNTER for x, y in counters)
        size = sizes[rank]
        inside = frame[0] + size // 4, frame[1], frame[2] - size // 4, frame[3]
        spots = list_spots(at, wide, size, inside, free=free)
        if rank == len(RANKS) - 1:  # clear of hex numbers
            spots = spots[:2] if free else []
        near = [box for box in taken if abs(box[0] - at[0]) < _FAR and abs(box[1] - at[1]) < _FAR]
        rated = choose_box([draw_box(spot, wide, size) for spot in spots], inside, said, near)
        if rated and (not rated[0] or not rank):
            found[number] = (*spots[rated[1]], size)
            left, top, right, bottom = draw_box(spots[rated[1]], wide, size)
            said.append((left - size // 4, top, right + size // 4, bottom))  # two names are not one word
    return [found.get(number) for number in range(len(names))]


def choose_box(boxes: Iterable[Box], frame: Box, said: Sequence[Box], taken: Sequence[Box]) -> tuple[int, int] | None:
    """Return the box that covers least of the counters, as (covered area, number); None if no box is allowed."""
    best: tuple[int, int] | None = None
    for number, box in enumerate(boxes):
        inside = frame[0] <= box[0] and frame[1] <= box[1] and box[2] <= frame[2] and box[3] <= frame[3]
        if inside and not any(share(box, other) for other in said):
            over = sum(share(box, other) for other in taken)
            best = (over, number) if best is None or over < best[0] else best
            if not over:
                break
    return best
