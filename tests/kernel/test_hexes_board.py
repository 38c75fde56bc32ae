"""Masks of a board against plain sets of labels: spread, flood with cut hexsides and links, rings, the nearest."""

from hypothesis import given
from hypothesis import strategies as st

from kursk_pbem.kernel.hexes.board import Board, bits
from kursk_pbem.kernel.hexes.grid import Grid

GRIDS = [
    Grid(2, 6, 3, 7, odd_high=odd_high, pointy=pointy, letters=letters)
    for odd_high in (True, False)
    for pointy in (True, False)
    for letters in ("", "rows", "columns")
] + [Grid(1, 1, 1, 6), Grid(1, 6, 1, 1, pointy=True), Grid(0, 3, 0, 11), Grid(1, 12, 1, 3, letters="rows")]


def labels(grid):
    return [grid.label(*place) for place in grid.places()]


@st.composite
def boards(draw):
    """A board with holes, and some sets of its hexes by label."""
    grid = draw(st.sampled_from(GRIDS))
    absent = draw(st.sets(st.sampled_from(labels(grid)), max_size=8))
    board = Board(grid, absent)
    some = st.sets(st.sampled_from(labels(grid))).map(lambda chosen: chosen & board.index.keys())
    return board, draw(some), draw(some)


def around(board, label):
    """The playable neighbours of a hex, by geometry."""
    grid = board.grid
    near = [place for place in grid.neighbours(*grid.place(label)) if place in grid.places()]
    return {grid.label(*place) for place in near} & board.index.keys()


def plainly(start, through, steps):
    """Return the rings of a search: ``steps(label)`` are the labels after a step."""
    rings, reached = [start & through], set(start & through)
    while rings[-1]:
        edge = {there for here in rings[-1] for there in steps(here)} & through - reached
        reached |= edge
        rings.append(edge)
    return rings[:-1]


@given(boards())
def test_labels_masks_and_names(drawn):
    board, some, other = drawn
    assert list(board.index) == [label for label in labels(board.grid) if label in board.index]
    assert list(board.index.values()) == sorted(board.index.values()) == list(bits(board.all))
    assert all(board.labels[index] == label for label, index in board.index.items())
    assert [label for label in board.labels if label] == list(board.index)
    assert board.names(board.mask(some)) == [label for label in labels(board.grid) if label in some]
    assert board.mask(some) & board.mask(other) == board.mask(some & other)
    assert board.all & ~board.rectangle == 0
    assert board.rectangle.bit_count() == len(labels(board.grid))


@given(boards())
def test_what_lies_beside_hexes(drawn):
    board, some, _other = drawn
    for label, index in board.index.items():
        near = around(board, label)
        assert set(board.names(board.near[index])) == near
        assert list(board.neighbours[index]) == sorted(board.index[each] for each in near)
    assert set(board.names(board.spread(board.mask(some)))) == {each for label in some for each in around(board, label)}


@given(boards())
def test_flood_and_rings_go_where_a_plain_search_goes(drawn):
    board, start, through = drawn
    rings = plainly(start, through, lambda label: around(board, label))
    masks = board.mask(start), board.mask(through)
    assert [set(board.names(ring)) for ring in board.rings(*masks, 99)] == rings
    assert [set(board.names(ring)) for ring in board.rings(*masks, 2)] == rings[:3]
    assert set(board.names(board.flood(*masks))) == set().union(*rings)


@given(boards(), st.data())
def test_flood_with_cut_hexsides_and_links(drawn, data):
    board, start, through = drawn
    pairs = st.lists(st.tuples(*[st.sampled_from(sorted(board.index) or [""])] * 2), max_size=12)
    cuts = {(a, b) for a, b in data.draw(pairs) if a and b in around(board, a)}
    joined = {(a, b) for a, b in data.draw(pairs) if a}

    def step(label):
        return {there for there in around(board, label) if (label, there) not in cuts} | {
            there for here, there in joined if here == label
        }

    def links(found):
        return {board.index[a]: board.mask(d for c, d in found if c == a) for a, _b in found}

    masks = board.mask(start), board.mask(through)
    rings = plainly(start, through, step)
    found = board.rings(*masks, 99, cut=links(cuts), links=links(joined))
    assert [set(board.names(ring)) for ring in found] == rings
    assert board.flood(*masks, links(cuts), links(joined)) == board.mask(set().union(*rings))


@given(boards())
def test_distance_and_the_nearest_ignore_what_is_not_playable(drawn):
    board, places, start = drawn
    place = board.grid.place

    def apart(one, other):
        return board.grid.distance(place(one), place(other))

    far = {label: min((apart(label, each) for each in start), default=0) for label in places}
    least = {label for label in places if far[label] == min(far.values())}
    assert set(board.names(board.nearest(board.mask(places), board.mask(start)))) == least
    for label in sorted(places)[:3]:
        for other in sorted(start)[:3]:
            a, b = board.index[label], board.index[other]
            assert board.distance(a, b) == apart(label, other)
