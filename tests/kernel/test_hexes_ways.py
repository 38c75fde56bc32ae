"""Reach compared with every path, the order of faults of a path, and a phase of moves."""

from dataclasses import replace
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kursk_pbem.kernel.events import Moved
from kursk_pbem.kernel.hexes import ways
from kursk_pbem.kernel.hexes.board import Board, bits, least_blocked
from kursk_pbem.kernel.hexes.grid import Grid
from kursk_pbem.kernel.hexes.marches import first_of
from kursk_pbem.kernel.hexes.ways import ALL, March, Move, Refusal, Slip, Way
from kursk_pbem.kernel.state import State, Unit
from kursk_pbem.kernel.umpire import Umpire

GRIDS = [Grid(1, 5, 1, 5), Grid(1, 5, 1, 5, odd_high=False, pointy=True, letters="rows"), Grid(0, 2, 0, 9)]
PRICES = st.sampled_from([1, 1, 1, 2, 3, ALL])


@st.composite
def marches(draw, prices=PRICES):
    """A board with holes, and how a unit may move on it."""
    grid = draw(st.sampled_from(GRIDS))
    board = Board(grid, draw(st.sets(st.sampled_from([grid.label(*place) for place in grid.places()]), max_size=4)))
    hexes = list(board.index.values())
    enter = [0] * len(board.labels)
    for hex_ in hexes:
        enter[hex_] = draw(prices)
    sides = [(a, b) for a in hexes for b in board.neighbours[a]]
    cross = draw(st.dictionaries(st.sampled_from(sides), st.sampled_from([1, 2, ALL]), max_size=6)) if sides else {}
    some = st.sets(st.sampled_from(hexes), max_size=5).map(lambda chosen: sum(1 << hex_ for hex_ in chosen))
    costs = ways.by_land(board, enter, lambda here, there: cross.get((here, there), 0))
    if draw(st.booleans()):
        links = {a: draw(some) & board.near[a] for a in draw(st.sets(st.sampled_from(hexes), max_size=12))}
        costs = ways.by_links(links, 1)
    start = draw(st.sampled_from(hexes))
    march = March(start, draw(st.integers(0, 4)), costs, draw(some), draw(some), draw(some) & ~(1 << start))
    return board, enter, cross, march


def every_way(board, march):
    """All legal ways by trying every continuation of every path, price by price."""
    todo, found = [((), 0)], []
    while todo:
        path, spent = todo.pop()
        here = path[-1] if path else march.start
        if path and march.ends >> here & 1:
            continue
        for there, cost in march.costs(here):
            assert board.near[here] >> there & 1
            price = (march.allowance if spent == 0 else 99) if cost == ALL else cost
            if spent + price <= march.allowance and not march.closed >> there & 1 and len(path) < 5:
                todo.append(((*path, there), spent + price))
                found.append(todo[-1])
    return [(path, spent) for path, spent in found if not march.full >> path[-1] & 1]


@st.composite
def boards_and_masks(draw):
    """A board, a hex of it, and two sets of hexes."""
    board = draw(marches())[0]
    hexes = st.sampled_from(list(board.index.values()))
    some = st.sets(hexes, max_size=12).map(lambda chosen: sum(1 << hex_ for hex_ in chosen))
    return board, draw(hexes), draw(some), draw(some)


@given(marches())
def test_reach_is_exactly_where_paths_lead_and_offers_the_cheapest_the_lowest_of_equals(drawn):
    board, _enter, _cross, march = drawn
    if march.allowance == 0:
        return  # otherwise a step that costs all points repeats forever
    best = {}
    for path, spent in every_way(board, march):
        if path[-1] != march.start:
            best[path[-1]] = min(best.get(path[-1], (spent, path)), (spent, path))
    found = ways.find_reach(march)
    assert {there: (way.mp, way.path) for there, way in found.items()} == best
    assert list(found) == sorted(found)
    for there in bits(board.all):
        assert ways.way_to(march, there) == found.get(there)


@given(marches(), st.data())
def test_of_several_marches_the_first_that_comes_somewhere_says_how(drawn, data):
    board, _enter, _cross, march = drawn
    some = st.sets(st.sampled_from([*board.neighbours[march.start], *board.index.values()]), max_size=3)
    shut, full = (sum(1 << hex_ for hex_ in data.draw(some)) for _mask in range(2))
    plain = replace(march, allowance=3, closed=0, ends=0, full=0, costs=march.costs.rested(3))
    pair = plain, replace(plain, allowance=4, closed=shut)
    several = [*(replace(one, closed=one.closed | full) for one in pair), *pair]
    expected = dict[int, Way]()
    for one in several:
        expected = {**ways.find_reach(one), **expected}
    ends = first_of(several)
    assert ends == expected
    assert list(ends) == sorted(ends)


@given(marches(), st.randoms(use_true_random=False))
def test_a_path_is_legal_exactly_when_it_is_one_of_them(drawn, rng):
    board, _enter, _cross, march = drawn
    legal = dict(every_way(board, march))
    for path, spent in legal.items():
        assert ways.check_path(board, march, path) == Way(path, spent)
    for _ in range(20):
        path, here = (), march.start
        for _ in range(rng.randint(1, 4)):
            here = rng.choice(board.neighbours[here] or [march.start])
            path = (*path, here)
        found = ways.check_path(board, march, path)
        assert isinstance(found, Way) == (path in legal), path


@given(marches())
def test_costs_are_what_hex_and_hexside_come_to(drawn):
    board, enter, cross, _march = drawn
    table = ways.by_land(board, enter, lambda here, there: cross.get((here, there), 0))
    for here in bits(board.all):
        assert [there for there, _cost in table(here)] == list(board.neighbours[here])
        for there, cost in table(here):
            parts = (enter[there], cross.get((here, there), 0))
            assert cost == (ALL if ALL in parts else sum(parts))


# A strip of hexes: the ladder of refusals, in its order

STRIP = Board(Grid(1, 6, 1, 2))
H = STRIP.index


def strip(allowance=3, enter=1, cross=(), **masks):
    """Return the moves of a unit in 0101; ``cross``: {'0101-0201': ALL}; masks by labels."""
    crossing = {tuple(H[label] for label in text.split("-")): price for text, price in dict(cross).items()}
    costs = ways.by_land(STRIP, [enter] * len(STRIP.labels), lambda here, there: crossing.get((here, there), 0))
    return March(H["0101"], allowance, costs, **{name: STRIP.mask(labels) for name, labels in masks.items()})


def says(march, path, **more):
    """Return the fault of a path given by labels."""
    found = ways.find_way(STRIP, march, Move("u", "", tuple(path.split()), ()))
    assert isinstance(found, Slip), found
    return ways.describe_slip(STRIP, march, found, **more)


ZONE = "0201 lies in an enemy zone of control: the move ends there"


@pytest.mark.parametrize(
    ("march", "path", "text"),
    [
        (strip(), "0201 0909 0000", "0909 is not a hex of this map"),
        (strip(), "0301", "0301 is not adjacent to 0101"),
        (strip(ends=["0201"]), "0201 0301", ZONE),
        (strip(closed=["0201"]), "0201", "hex 0201 holds an enemy unit (U)"),
        (
            strip(cross={"0201-0301": ALL}),
            "0201 0301",
            "entering 0301 (W) takes the whole allowance and must be the first step",
        ),
        # the points of the whole way, not of the last step
        (strip(), "0201 0301 0401 0501", "the way to 0501 costs 4 of 3 movement points"),
        (strip(full=["0201"]), "0201", "0201 holds a friendly unit (U) when the move ends"),
        # of two things wrong with a step the first of the ladder
        (strip(ends=["0201"], closed=["0301"]), "0201 0301", ZONE),
        (strip(ends=["0201"]), "0201 0601", "0601 is not adjacent to 0201"),
        (strip(1, closed=["0301"]), "0201 0301", "hex 0301 holds an enemy unit (U)"),
    ],
)
def test_the_first_thing_wrong_with_a_path_is_said(march, path, text):
    assert says(march, path, holder="U" if "(U)" in text else "", what="W") == text


def test_why_a_hex_is_out_of_reach_is_what_stops_the_way_that_comes_nearest():
    def says(march, to, holder="V"):
        slip = ways.hindrance(STRIP, march, H[to])
        return ways.describe_slip(STRIP, march, slip, holder, "marsh")

    assert says(strip(), "0501") == "too far by 1 MP: the cheapest way costs 4 of 3"
    # A zone on the short way is the reason only if the way would not be too far without it.
    assert says(strip(ends=["0201", "0102"]), "0301") == (
        "0201 lies in an enemy zone of control, that of V: the move ends there"
    )
    assert says(strip(ends=["0201", "0102"]), "0501") == "too far by 1 MP: the cheapest way costs 4 of 3"
    assert says(strip(ends=["0201"]), "0501") == "too far by 2 MP: the cheapest way costs 5 of 3"
    # A zone is not the reason if there is a way round it, and only the hex is full.
    assert says(strip(4, ends=["0201"], full=["0401"]), "0401") == "0401 holds a friendly unit (V) when the move ends"
    assert says(strip(closed=["0301"]), "0301") == "hex 0301 holds an enemy unit (V)"
    assert says(strip(closed=["0201", "0102"]), "0301") == "hex 0201 holds an enemy unit (V)"
    links = {H["0101"]: 1 << H["0201"], H["0201"]: 1 << H["0101"]}
    rails = March(H["0101"], 9, ways.by_links(links, 1))
    assert says(rails, "0501") == "no way leads there from 0101"


@given(marches())
def test_what_is_said_to_stop_a_unit_is_there_and_everything_out_of_reach_has_a_reason(drawn):
    board, _enter, _cross, march = drawn
    found = ways.find_reach(march)
    for there in board.index.values():
        if there not in found:
            slip = ways.hindrance(board, march, there)
            true = {
                ways.STAYS: there == march.start,
                ways.ENDED: march.ends >> slip.here & 1,
                ways.CLOSED: march.closed >> slip.there & 1,
                ways.FULL: march.full >> there & 1,
                ways.TOO_FAR: slip.points > march.allowance,
                ways.WHOLE: any(cost == ALL for step, cost in march.costs(slip.here) if step == slip.there),
                ways.NOWHERE: True,
            }
            assert true[slip.kind], slip


@given(marches())
def test_a_search_by_mask_finds_what_one_hex_by_hex_finds(drawn):
    """Equal ways, also among equals, and equal reasons."""
    board, _enter, _cross, march = drawn
    if march.allowance == 0:
        return  # as above
    plain = replace(march, costs=march.costs.__call__)  # only tables of costs have masks
    assert ways.can_move(march) == bool(ways.find_reach(march))
    for there in board.index.values():
        with patch.multiple(ways, _SHORT=-1, _KNOWN=-1):  # short ways too, with an empty cache
            masked = ways.way_to(march, there)
        assert masked == ways.way_to(plain, there) == ways.way_to(plain, there, board.around(there))
        if masked is None:
            assert ways.hindrance(board, march, there) == ways.hindrance(board, plain, there)


@pytest.mark.parametrize("period", [1, 2, 3, 5])
def test_of_many_equal_ways_both_searches_take_the_lowest(period):
    """A search chosen by a cache's size must not choose the path: two desks would disagree."""
    board = Board(Grid(1, 9, 1, 9), set())
    costs = ways.by_land(board, [1 + (hex_ % period == 0) for hex_ in range(len(board.labels))], lambda _a, _b: 0)
    march = March(board.index["0505"], 9, costs, 0, 0, 0)
    plain = replace(march, costs=costs.__call__)
    with patch.multiple(ways, _SHORT=-1, _KNOWN=-1):
        assert [ways.way_to(march, there) for there in board.index.values()] == [
            ways.way_to(plain, there) for there in board.index.values()
        ]


@given(boards_and_masks())
def test_the_least_blocked_way_has_no_more_blocked_hexes_than_any_other(drawn):
    board, start, goals, opened = drawn
    path = least_blocked(board, start, goals, opened)
    blocked = sum(not opened >> hex_ & 1 for hex_ in path[1:])
    # With a hex fewer the goal is out of reach.
    fewest = {start: 0}
    for _round in board.index:
        for here, count in list(fewest.items()):
            for there in board.neighbours[here]:
                fewest[there] = min(fewest.get(there, 99), count + (not opened >> there & 1))
    reached = [fewest[goal] for goal in fewest if goals >> goal & 1]
    assert path == () if not reached else (blocked == min(reached) and path[0] == start and goals >> path[-1] & 1)


# The run of a phase


def play(orders):
    """Run moves of u (0101) and v (0601), at two points each, without stacking."""
    start = State("1", "red", "x", {"u": Unit("0101", 1), "v": Unit("0601", 1)})
    umpire = Umpire(None, start, 1, None)
    costs = ways.by_land(STRIP, [1] * len(STRIP.labels), lambda _here, _there: 0)

    def usual(uid):
        if uid not in umpire.state.units:
            return Refusal("1.0", "there is no such unit")
        here = H[umpire.state.units[uid].place]
        taken = {unit.place for other, unit in umpire.state.units.items() if other != uid}
        return March(here, 2, costs, full=STRIP.mask(taken))

    def go(move, march):
        way = ways.find_way(STRIP, march, move)
        if isinstance(way, Slip):
            return Refusal("2.0", ways.describe_slip(STRIP, march, way))
        path = tuple(STRIP.labels[hex_] for hex_ in way.path)
        umpire.emit(Moved("3.0", move.unit, umpire.state.units[move.unit].place, path, "move"))
        return None

    moves = [Move.from_plain(order, ("orders", "movement", number)) for number, order in enumerate(orders)]
    ways.run_moves(umpire, moves, "4.0", usual, go)
    said = [(each.rule, each.message, each.order, each.path) for each in umpire.violations]
    return {uid: unit.place for uid, unit in umpire.state.units.items()}, said


def test_what_is_wrong_is_refused_at_its_place_and_the_others_go_on():
    orders = [{"unit": "u", "to": "0601"}, {"unit": "w", "to": "0201"}, {"unit": "v", "path": ["0401"]}]
    places, said = play([*orders, {"unit": "u", "to": "0201"}, {"unit": "w", "to": "0201"}])
    assert places == {"u": "0101", "v": "0601"}
    assert said == [
        ("2.0", "cannot reach 0601 from 0101 in this phase", "u", ("orders", "movement", 0, "to")),
        ("1.0", "there is no such unit", "w", ("orders", "movement", 1)),
        ("2.0", "0401 is not adjacent to 0601", "v", ("orders", "movement", 2, "path")),
        ("4.0", "has moved in this phase already", "u", ("orders", "movement", 3)),  # a bad order is its move
        ("1.0", "there is no such unit", "w", ("orders", "movement", 4)),
    ]


def test_T27_why_hundreds_of_moves_miss_is_searched_for_the_first_of_them():
    """Every path is refused. After the first paths the reason is not checked, because the reason takes long."""
    many = 3 * ways.EXPLAINED
    start = State("1", "red", "x", {f"u{number}": Unit("0101", 1) for number in range(many)})
    umpire = Umpire(None, start, 1, None)
    costs = ways.by_land(STRIP, [1] * len(STRIP.labels), lambda _here, _there: 0)
    found = []

    def go(move, march):
        found.append(ways.find_way(STRIP, march, move))
        return Refusal("2.0", found[-1].kind)

    orders = [Move(f"u{number}", "0601", (), ("orders", "moves", number)) for number in range(many)]
    ways.run_moves(umpire, orders, "2.0", lambda _uid: March(H["0101"], 2, costs), go)
    assert len(umpire.violations) == many
    assert {each.kind for each in found} == {ways.OUT_OF_REACH}
    assert [each.why is not None for each in found] == [True] * ways.EXPLAINED + [False] * (many - ways.EXPLAINED)
