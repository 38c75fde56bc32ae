"""4.1 to 4.6: chips, paths, obstacles, stops, cohesion."""

import pytest

from rulesets.armor_commander.table import begin, box, crew, green, moved, notes, play, red, refused, world

TWO = {"g-pz-1": ("10.00, 10.00", "12"), "g-pz-2": ("12.00, 10.00", "12"), "s-t-1": ("60.00, 60.00", "6")}
GUNS = {"g-gun-1": ("10.00, 10.00",), "g-gun-2": ("10.00, 14.00",), "s-t-1": ("60.00, 60.00", "6")}
WOOD = {"wood": ("wood", box(9, 13, 14, 16))}


def place(result, mid):
    return result.after.units[mid].place


def test_4_1_each_unit_that_moves_takes_a_green_chip():
    """A-2, A-51: an order assigns the chip; a chip without a move is refused."""
    setting = world(TWO)
    state = begin(setting)
    assert refused(setting, state, "german", green("g-panzer")) == [
        ("4.1", "write which models move: [{id: MODEL, path: ['X, Y'], face: '12'}]")
    ]
    assert refused(setting, state, "german", green("g-panzer", ("g-pz-1", "10.00, 11.00"))) == []
    idle = {"id": "g-panzer", "chip": "green", "moves": [{"id": "g-pz-1", "path": []}]}
    assert [rule for rule, _why in refused(setting, state, "german", idle)] == ["4.3"]
    gone = crew(state, {"g-pz-1": 0})
    assert refused(setting, gone, "german", green("g-panzer", ("g-pz-1", "10.00, 11.00"))) == [
        ("4.1", "g-pz-1 is destroyed")
    ]
    nobody = crew(state, {"g-pz-1": 0, "g-pz-2": 0})
    assert refused(setting, nobody, "german", red("g-panzer", "s-t-1")) == [("3.2", "is destroyed")]


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        (["10.00, 16.00"], None),
        (["10.00, 16.01"], "is 6.01 inches long, 0.01 more than 6.00"),
        (["13.60, 14.80"], None),
        (["13.61, 14.80"], "is 6.01 inches long, 0.01 more than 6.00"),
        (["13.00, 14.00", "13.00, 15.00"], None),
        (["13.00, 14.00", "13.00, 15.01"], "more than 6.00"),
        (["10.00, 13.00", "10.00, 10.00"], None),
        (["10.00, 13.00", "10.00, 9.99"], "is 6.01 inches long"),
    ],
)
def test_4_3_a_path_is_at_most_six_inches_long_leg_by_leg(path, wrong):
    """A-7: 3.60 and 4.80 sideways are exactly 6; 0.008 more is too long. A path may lead back."""
    setting = world({key: TWO[key] for key in ("g-pz-1", "s-t-1")})
    found = refused(setting, begin(setting), "german", green("g-panzer", ("g-pz-1", *path)))
    assert [rule for rule, _why in found] == (["4.3"] if wrong else [])
    assert not wrong or wrong in found[0][1]


def test_4_3_no_base_over_another_at_the_end():
    """A-32, A-44: touching bases do not overlap; models pass friends on the way."""
    setting = world(TWO)
    state = begin(setting)
    assert refused(setting, state, "german", green("g-panzer", ("g-pz-1", "11.00, 10.00"))) == []
    assert refused(setting, state, "german", green("g-panzer", ("g-pz-1", "11.01, 10.00"))) == [
        ("4.3", "g-pz-1 would end on the base of another model")
    ]
    assert refused(setting, state, "german", green("g-panzer", ("g-pz-1", "14.00, 10.00"))) == []
    both = [("g-pz-1", "11.00, 12.00"), ("g-pz-2", "11.99, 12.00")]
    assert refused(setting, state, "german", green("g-panzer", *both)) == [
        ("4.3", "the ends of g-pz-1 and g-pz-2 overlap")
    ]
    swapped = [("g-pz-1", "12.00, 10.00"), ("g-pz-2", "10.00, 10.00")]
    assert refused(setting, state, "german", green("g-panzer", *swapped)) == []


def test_4_3_a_friend_with_a_green_chip_is_judged_in_the_action():
    """A-31: the first gun frees its place; a gun that comes too early stops before the place."""
    setting = world(GUNS, seals="soviet")
    state = begin(setting)
    one, two = green("g-gun-1", ("g-gun-1", "10.00, 14.00")), green("g-gun-2", ("g-gun-2", "10.00, 19.00"))
    assert refused(setting, state, "german", one) == [("4.3", "g-gun-1 would end on the base of another model")]
    assert refused(setting, state, "german", one, two) == []
    assert place(play(setting, state, [two, one]), "g-gun-1") == "10.00, 14.00"
    late = play(setting, state, [one, two])
    assert (place(late, "g-gun-1"), place(late, "g-gun-2")) == ("10.00, 13.00", "10.00, 19.00")
    assert notes(late) == ["g-gun-1 stops at 10.00, 13.00: another model is in the way"]


def test_4_3_two_that_would_stop_on_each_other_stay():
    """A-31: an enemy stops both at nearly one place; then the unit does not move at all."""
    setting = world(
        {"g-pz-1": ("10.00, 10.00", "12"), "g-pz-2": ("10.00, 9.00", "12"), "s-t-1": ("18.00, 10.00", "9")},
        seals="soviet",
    )
    state = begin(setting, first="soviet")
    orders = [green("g-panzer", ("g-pz-1", "16.00, 10.00"), ("g-pz-2", "10.00, 10.00", "14.90, 10.00", "face 3"))]
    near = [green("s-tanks", ("s-t-1", "14.00, 10.00"))]
    result = play(setting, state, orders, near)
    assert (place(result, "g-pz-1"), place(result, "g-pz-2")) == ("10.00, 10.00", "10.00, 9.00")
    assert result.after.mark("facing", "g-pz-2") == "12"
    assert notes(result) == ["g-panzer does not move: the ends of g-pz-1 and g-pz-2 overlap"]


@pytest.mark.parametrize(
    ("end", "legal"), [("16.00, 10.00", True), ("16.01, 10.00", False), ("13.60, 14.80", True), ("13.61, 14.80", False)]
)
def test_4_4_all_models_end_within_six_inches_of_each_other(end, legal):
    """A-18, A-30: every pair, between centers; exactly 6 is legal."""
    setting = world(TWO)
    found = refused(setting, begin(setting), "german", green("g-panzer", ("g-pz-2", end)))
    why = "g-pz-1 and g-pz-2 (6.01) would be farther than 6.00 inches apart at the end; without a move yet: g-pz-1"
    assert found == ([] if legal else [("4.4", why)])


ROW = {
    "g-pz-1": ("10.00, 10.00", "12"),
    "g-pz-2": ("14.00, 10.00", "12"),
    "g-pz-3": ("16.00, 10.00", "12"),
    "s-t-1": ("60.00, 60.00", "6"),
}


def test_4_3_the_base_of_a_model_that_only_turns_or_is_immobile_is_in_the_way():
    """A-31: a turning model has no path, although its unit has a green chip."""
    setting = world({**TWO, "g-gun-1": ("10.00, 14.00",)})
    on_it = green("g-gun-1", ("g-gun-1", "12.00, 10.50"))
    over = ("4.3", "g-gun-1 would end on the base of another model")
    turns = green("g-panzer", ("g-pz-2", "face 3"))
    assert refused(setting, begin(setting), "german", turns, on_it) == [over]
    assert refused(setting, begin(setting), "german", green("g-panzer", ("g-pz-2", "12.00, 6.00")), on_it) == []
    stuck = begin(setting, immobile={"g-pz-2": "yes"})
    found = refused(setting, stuck, "german", green("g-panzer", ("g-pz-2", "12.00, 6.00")), on_it)
    assert over in found
    inside = green("g-panzer", ("g-pz-1", "11.50, 10.00"), ("g-pz-2", "face 3"))
    assert refused(setting, begin(setting), "german", inside)[0][1] == "g-pz-1 would end on the base of another model"


def test_4_3_who_was_destroyed_or_immobilised_before_the_unit_acts_stays_out_of_its_move():
    """A-23, A-22: the other models move; the report says if no model is left to move."""
    models = {
        "g-pz-1": ("10.00, 10.00", "3"),
        "g-pz-2": ("12.00, 10.00", "3"),
        "g-pz-3": ("14.00, 10.00", "3"),
        "g-gun-1": ("12.00, 11.20",),
        "s-t-1": ("20.00, 10.00", "9"),
        "s-t-2": ("20.00, 12.00", "9"),
    }
    setting = world(models, seals="soviet")
    order = green("g-panzer", *((f"g-pz-{number}", f"{8 + 2 * number}.00, 7.00", "face 6") for number in (1, 2, 3)))
    fire = red("s-tanks", s_t_1="g-pz-3", s_t_2="g-gun-1")
    dice = {
        "s-t-1/hit": "6",
        "s-t-2/hit": "6",
        "s-t-1/save/g-pz-3": "11",
        "s-t-2/save/g-gun-1": "5",
        "s-t-2/blast/g-pz-2": "11",
    }
    result = play(setting, begin(setting, first="soviet"), [order], [fire], dice)
    assert [place(result, f"g-pz-{number}") for number in (1, 2, 3)] == ["10.00, 7.00", "12.00, 10.00", "eliminated"]
    assert result.after.mark("facing", "g-pz-2") == "3"
    alone = green("g-panzer", ("g-pz-2", "12.00, 7.00"))
    result = play(setting, begin(setting, first="soviet"), [alone], [fire], dice)
    assert "g-panzer has no model left that can move as ordered" in notes(result)  # g-pz-1 could


def test_4_3_a_path_to_ones_own_place_is_a_move():
    """A-31: refused like a move; a model that is to end on such a model is judged in the action, and stops early."""
    gun = {"g-gun-1": ("15.00, 10.00",), "g-pz-1": ("15.00, 14.00", "12"), "s-t-1": ("60.00, 60.00", "6")}
    stays, comes = green("g-gun-1", ("g-gun-1", "15.00, 10.00")), green("g-panzer", ("g-pz-1", "15.00, 10.50"))
    setting = world(gun)
    state = begin(setting)
    on_it = ("4.3", "g-pz-1 would end on the base of another model")
    assert refused(setting, state, "german", comes) == [on_it]
    for orders in ((stays, comes), (comes, stays)):
        assert refused(setting, state, "german", *orders) == []
        result = play(setting, state, orders)
        assert (place(result, "g-gun-1"), place(result, "g-pz-1")) == ("15.00, 10.00", "15.00, 11.00")
    works = {"works": ("orchard", box(14, 9, 16, 11))}
    assert [rule for rule, _why in refused(world(gun, works), state, "german", stays)] == ["4.5"]
    near = world({**gun, "s-t-1": ("15.00, 9.00", "6")})
    assert [rule for rule, _why in refused(near, begin(near), "german", stays)] == ["4.5"]
    turn = world({**TWO, "s-t-1": ("10.00, 9.00", "6")})
    assert refused(turn, begin(turn), "german", green("g-panzer", ("g-pz-1", "face 3"))) == []


def test_4_5_a_move_ends_on_no_base_of_an_enemy_however_large():
    """A-32, A-44: a base 1.50 across bars more than the inch does, at writing and in the action."""
    setting = world({"g-pz-1": ("10.00, 10.00", "12"), "s-t-1": ("18.00, 10.00", "9")}, seals="soviet", radius="0.75")
    order = green("g-panzer", ("g-pz-1", "13.00, 10.00"))
    near = moved(begin(setting), {"s-t-1": "14.49, 10.00"})
    assert refused(setting, near, "german", order) == [("4.3", "g-pz-1 would end on the base of another model")]
    came = [green("s-tanks", ("s-t-1", "14.49, 10.00"))]
    assert place(play(setting, begin(setting, first="soviet"), [order], came), "g-pz-1") == "12.99, 10.00"


def test_4_4_all_pairs_that_break_cohesion_or_end_on_each_other_are_named_at_once():
    """Bug: the message named only one pair, so a player was refused again for the next pair."""
    setting = world(ROW)
    state = begin(setting)
    far = [why for _rule, why in refused(setting, state, "german", green("g-panzer", ("g-pz-3", "20.01, 10.00")))]
    assert far[0].startswith("g-pz-1 and g-pz-3 (10.01), g-pz-2 and g-pz-3 (6.01) would be farther than 6.00 inches")
    ends = ("g-pz-1", "12.00, 10.00"), ("g-pz-2", "12.50, 10.00"), ("g-pz-3", "13.20, 10.00")
    assert refused(setting, state, "german", green("g-panzer", *ends)) == [
        ("4.3", "the ends of g-pz-1 and g-pz-2, g-pz-2 and g-pz-3 overlap")
    ]


def test_4_4_a_chain_is_enough_where_the_option_says_so():
    """A-18: steps of six inches join all models."""
    order = green("g-panzer", ("g-pz-3", "18.00, 10.00"))
    for options, rules in (({}, ["4.4"]), ({"cohesion": "chain"}, [])):
        setting = world(ROW, options=options)
        assert [rule for rule, _why in refused(setting, begin(setting), "german", order)] == rules
    setting = world(ROW, options={"cohesion": "chain"})
    far = refused(setting, begin(setting), "german", green("g-panzer", ("g-pz-3", "20.01, 10.00")))
    why = "the nearest of two parts, g-pz-2 and g-pz-3 (6.01), would be farther than 6.00 inches apart at the end"
    why += "; without a move yet: g-pz-1, g-pz-2"
    assert far == [("4.4", why)]


def test_4_4_immobile_models_do_not_count():
    """A-18, A-23: immobile models stay behind, and their moves are refused."""
    setting = world(TWO)
    state = begin(setting, immobile={"g-pz-1": "yes"})
    order = green("g-panzer", ("g-pz-2", "18.00, 10.00"))
    assert refused(setting, state, "german", order) == []
    assert place(play(setting, state, [order]), "g-pz-2") == "18.00, 10.00"
    assert refused(setting, state, "german", green("g-panzer", ("g-pz-1", "face 3"))) == [
        ("6.4", "g-pz-1 is immobile, and neither moves nor turns")
    ]


def test_4_4_a_turn_on_the_spot_needs_no_cohesion():
    """A-44: turns alone need no check; after a stop the check fails, and no model moves or turns."""
    setting = world(TWO, seals="soviet")
    apart = moved(begin(setting), {"g-pz-2": "20.00, 10.00"})
    turned = play(setting, apart, [green("g-panzer", ("g-pz-1", "face 9"))])
    assert turned.after.mark("facing", "g-pz-1") == "9"
    assert refused(setting, apart, "german", green("g-panzer", ("g-pz-1", "10.00, 9.00")))[0][0] == "4.4"
    there_and_back = green("g-panzer", ("g-pz-1", "10.00, 11.00", "10.00, 10.00"))
    assert refused(setting, apart, "german", there_and_back) == []


def test_4_4_cohesion_that_fails_in_the_action_keeps_the_unit_where_it_was():
    """A-31: an enemy stops one model, and the other would be more than 6 inches away."""
    setting = world(
        {"g-pz-1": ("10.00, 10.00", "12"), "g-pz-2": ("10.00, 15.00", "12"), "s-t-1": ("5.00, 16.00", "6")},
        seals="soviet",
    )
    state = begin(setting, first="soviet")
    orders = [green("g-panzer", ("g-pz-1", "10.00, 5.00", "face 6"), ("g-pz-2", "10.00, 11.00"))]
    far = play(setting, state, orders, [green("s-tanks", ("s-t-1", "9.00, 14.00"))])
    assert notes(far) == ["g-panzer does not move: g-pz-1 and g-pz-2 (9.01) would be too far apart"]
    assert (place(far, "g-pz-1"), place(far, "g-pz-2")) == ("10.00, 10.00", "10.00, 15.00")
    assert far.after.mark("facing", "g-pz-1") == "12"


@pytest.mark.parametrize(
    ("path", "why"),
    [
        (["10.00, 12.99"], None),
        (["10.00, 13.00"], "comes into wood after 3.00 inches, on leg 1"),
        (["8.00, 12.00", "8.99, 15.00"], None),
        (["8.00, 12.00", "9.00, 13.00"], "on leg 2"),
        (["14.01, 12.00", "14.01, 13.50"], None),
        (["8.99, 10.00", "8.99, 14.50"], None),
        (["9.00, 10.00", "9.00, 14.00"], "comes into wood after 4.00 inches, on leg 2"),
        (["11.00, 14.00"], "comes into wood after 3.10 inches, on leg 1"),
        (["11.00, 11.00", "10.00, 12.00", "10.00, 13.50"], "comes into wood after 3.83 inches, on leg 3"),
    ],
)
def test_4_5_nobody_moves_into_terrain(path, why):
    """A-17, A-28: terrain contains its outline, so touching a corner enters. Only the center counts (A-32).

    Messages round a way of 3.092 or 3.828 inches up, like every distance.
    """
    setting = world({key: TWO[key] for key in ("g-pz-1", "s-t-1")}, WOOD)
    found = refused(setting, begin(setting), "german", green("g-panzer", ("g-pz-1", *path)))
    assert [rule for rule, _why in found] == (["4.5"] if why else [])
    assert not why or why in found[0][1]


@pytest.mark.parametrize(
    ("path", "legal"),
    [
        (["10.00, 13.99"], True),
        (["10.00, 14.00"], False),
        (["9.00, 13.00", "9.00, 15.00"], False),
        (["8.99, 12.00", "8.99, 15.00"], True),
        (["9.29, 14.28"], True),
        (["9.30, 14.29"], False),
    ],
)
def test_4_5_every_point_of_a_path_is_more_than_an_inch_from_enemies(path, legal):
    """A-17, A-30: between centers, exactly 1 inch is too near, also on the way and for short chords."""
    setting = world({"g-pz-1": ("10.00, 10.00", "12"), "s-t-1": ("10.00, 15.00", "6")})
    found = refused(setting, begin(setting), "german", green("g-panzer", ("g-pz-1", *path)))
    assert (found == []) == legal
    assert legal or "comes within 1.00 inches of s-t-1" in found[0][1]


def test_4_5_the_table_ends_at_its_edge():
    """A-32: the center stays on the table, edge included."""
    setting = world({"g-pz-1": ("1.00, 3.00", "12"), "s-t-1": ("60.00, 60.00", "6")})
    assert refused(setting, begin(setting), "german", green("g-panzer", ("g-pz-1", "0.00, 0.00"))) == []
    top = moved(begin(setting), {"g-pz-1": "98.00, 88.00"})
    assert refused(setting, top, "german", green("g-panzer", ("g-pz-1", "99.00, 90.00"))) == []
    assert refused(setting, top, "german", green("g-panzer", ("g-pz-1", "99.01, 90.00"))) == [
        ("4.5", "the path of g-pz-1 leaves the table at 99.01, 90.00")
    ]


@pytest.mark.parametrize(
    ("end", "stop"),
    [("16.00, 10.00", "12.98, 10.00"), ("15.99, 10.01", "10.00, 10.00"), ("15.50, 11.00", "13.08, 10.56")],
)
def test_4_5_a_path_that_others_have_barred_ends_at_its_last_legal_point(end, stop):
    """A-31, A-48: in whole hundredths on both axes: a straight leg has many, a leg of 5.99 and 0.01 none.

    A leg of 5.50 and 1.00 has 50 points, 0.11 and 0.02 apart.
    """
    setting = world({"g-pz-1": ("10.00, 10.00", "12"), "s-t-1": ("18.00, 10.00", "9")}, seals="soviet")
    state = begin(setting, first="soviet")
    result = play(setting, state, [green("g-panzer", ("g-pz-1", end))], [green("s-tanks", ("s-t-1", "13.99, 10.00"))])
    assert place(result, "g-pz-1") == stop
    assert notes(result) == [f"g-pz-1 stops at {stop}: another model is in the way"]


def test_4_5_a_destroyed_enemy_bars_nobody():
    """A-32: only models on the table count. Wrecks as obstacles bar the end of a move, not the way (A-44)."""
    models = {"g-pz-1": ("10.00, 10.00", "12"), "s-t-1": ("10.00, 13.00", "6"), "s-t-2": ("60.00, 60.00", "6")}
    for wrecks, wrong in (("gone", []), ("obstacle", [("4.3", "g-pz-1 would end on the wreck of s-t-1")])):
        setting = world(models, wrecks=wrecks)
        mark = {"wreck": {"s-t-1": "10.00, 13.00"}} if wrecks == "obstacle" else {}
        state = crew(begin(setting, **mark), {"s-t-1": 0})
        assert refused(setting, state, "german", green("g-panzer", ("g-pz-1", "10.00, 13.50"))) == wrong
        assert refused(setting, state, "german", green("g-panzer", ("g-pz-1", "10.00, 14.00"))) == []


def test_4_6_a_unit_moves_or_fires():
    """A-3, A-24: never both; a turn is part of a move."""
    setting = world(TWO)
    state = begin(setting)
    order = {**green("g-panzer", ("g-pz-1", "face 3")), "at": ["s-t-1"]}
    assert refused(setting, state, "german", order) == [
        ("4.6", "at has no place beside a green chip: the unit moves and does not fire")
    ]
    order = {**red("g-panzer", "s-t-1"), "moves": [{"id": "g-pz-1", "face": "3"}]}
    assert refused(setting, state, "german", order)[0][0] == "4.6"
    twice = refused(setting, state, "german", red("g-panzer", "s-t-1"), green("g-panzer", ("g-pz-1", "face 3")))
    assert twice == [("3.2", "the unit has a chip already")]
