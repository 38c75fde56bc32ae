"""9.3 Combat results: retreats, stand fast, exchange from fortifications, losses, answers and plans."""

from kursk_pbem.kernel.events import Moved, Removed, StepsLost
from kursk_pbem.kernel.hexes import fights as losses
from kursk_pbem.rulesets.battle_for_kursk import retreat
from rulesets.battle_for_kursk.board import attack, battles, kursk, payments, place, play, refused, retreats

OPEN = "2707: r-5 | 2606: g-48-pz | 2706: g-2-ss"  # 21 against 8: 2:1
TWO = battles(attack("2707", "g-48-pz g-2-ss"))
SURE = "2707: r-5 reduced | 2606: g-48-pz | 2706: g-2-ss"  # 21 against 4: 5:1


def test_9_3_each_of_the_six_results_is_carried_out():
    """The table has only AL, NE, DR, EX, DRL and DE; tests of each follow (K-53)."""
    rows = kursk().scenario.data["tables"]["crt"]["rows"]
    assert {cell for row in rows.values() for cell in row} == {"AL", "NE", "DR", "EX", "DRL", "DE"}


def test_9_3_ne_nothing_happens():
    """NE: no loss, no move, on either side (K-59)."""
    played = play(place(OPEN), TWO, dice={"b1": 1})
    assert played.fought().result == "NE"
    assert played.after.units == place(OPEN).units


def test_9_3_dr_the_attacker_moves_the_defender():
    """DR: two hexes by the attacker's choice, no loss in the open; terrain and rivers do not matter (K-61)."""
    played = play(place(OPEN), battles(attack("2707", "g-48-pz g-2-ss", retreat="2709")), dice={"b1": 3})
    assert played.fought().result == "DR"
    assert (played.path("r-5"), played.steps("r-5")) == (("2708", "2709"), 2)


def test_9_3_dr_two_hexes_away_and_no_zigzag():
    """Every permitted path ends two hexes from the battle hex."""
    kind, paths = retreats(place("2707: r-5"), "r-5")
    board = kursk().board
    assert kind == "free"
    assert len(paths) == 18
    assert {board.distance(board.index["2707"], board.index[path[5:]]) for path in paths} == {2}


def test_9_3_dr_avoid_ezocs_free_paths_first():
    """If any path is free of zones, only such paths are permitted (K-61, 3)."""
    free = ["2708-2608", "2708-2709", "2708-2808", "2807-2808", "2807-2907", "2807-2908"]
    assert retreats(place(OPEN), "r-5") == ("free", free)


def test_9_3_dr_unavoidable_ezocs_cost_a_step():
    """Zones round the defender, free hexes beyond the zones: the unit loses one step and retreats; a reduced unit is
    eliminated and enters no hex (K-61, 4)."""
    ring = "2707: r-5 | 2606: g-48-pz | 2807: g-2-ss"
    kind, paths = retreats(place(ring), "r-5")
    assert kind == "costly"
    orders = battles(attack("2707", "g-48-pz g-2-ss", retreat=paths[0]))
    played = play(place(ring), orders, dice={"b1": 2})
    assert (played.fought().column, played.fought().result) == ("3:1", "DR")
    assert (played.steps("r-5"), played.path("r-5")) == (1, (paths[0][:4], paths[0][5:]))
    assert [event.rule for event in played.of(StepsLost)] == ["9.3-dr-unavoidable-ezocs"]
    reduced = place(ring.replace("r-5", "r-5 reduced"))
    played = play(reduced, battles(attack("2707", "g-48-pz")), dice={"b1": 1})
    assert (played.fought().result, played.at("r-5"), played.of(Moved)) == ("DR", "eliminated", [])


def test_9_3_dr_unavoidable_ezocs_at_the_end_are_fatal():
    """All second hexes are in German zones: the unit is eliminated without moving, at full strength (K-61, 5)."""
    state = place("1301: r-43 | 1201: g-48-pz | 1302: g-2-ss | 1401: g-3-pz; turn A; clear")
    assert retreats(state, "r-43") == ("fatal", [])
    played = play(state, battles(attack("1301", "g-2-ss g-3-pz")), dice={"b1": 3})
    assert played.fought().result == "DR"
    assert [(e.unit, e.rule) for e in played.of(Removed)] == [("r-43", "9.3-dr-unavoidable-ezocs")]


def test_9_3_dr_retreat_restrictions_friends_are_passed_and_not_joined():
    """The first hex may contain a friendly unit, the second must be empty; a retreat never enters enemy hexes (K-61,
    1)."""
    state = place(f"{OPEN} | 2708: r-10 | 2709: r-33 | 2808: r-31")
    kind, paths = retreats(state, "r-5")
    assert kind == "free"
    assert "2708-2608" in paths
    assert not {"2709", "2808"} & {path[5:] for path in paths}
    enemies = {"2606", "2706"}
    assert not enemies & {path[:4] for path in paths} | enemies & {path[5:] for path in paths}


KINDS = ("free", "exit", "costly", "costly exit", "fatal", "none")
BOXED = "1301: r-43 | 1200: g-48-pz | 1201: g-59 | 1302: g-2-ss | 1401: g-3-pz | 1400: g-57-pz"


def test_9_3_dr_or_else_without_any_path_a_unit_is_lost():
    """A defender in the interior with enemies all round has no path at all and no edge: eliminated (K-61, 7)."""
    state = place("2707: r-5 | 2606: g-48-pz | 2607: g-59 | 2706: g-2-ss | 2708: g-11 | 2806: g-42 | 2807: g-52")
    assert retreats(state, "r-5") == ("none", [])
    played = play(state, TWO, dice={"b1": 2})
    assert (played.fought().column, played.fought().result) == ("3:1", "DR")
    assert [event.rule for event in played.of(Removed)] == ["9.3-dr-or-else"]


def test_9_3_dr_off_the_map_only_when_no_path_on_the_map_exists():
    """At its own edge with an enemy in every adjacent hex: no path, not even a fatal path, so the unit leaves the
    map with its steps. With a free hex the unit is eliminated instead (K-61, 6; Combat Example 5)."""
    assert retreats(place(BOXED), "r-43") == ("exit", [])
    played = play(place(f"{BOXED}; turn A; clear"), battles(attack("1301", "g-2-ss g-3-pz")), dice={"b1": 3})
    assert (played.at("r-43"), played.steps("r-43")) == ("off-map", 2)
    assert retreats(place(BOXED.replace(" | 1400: g-57-pz", "")), "r-43")[0] == "fatal"


def test_9_3_dr_or_else_who_is_doomed():
    """A unit is doomed if its retreat eliminates the unit: any unit without a path or with a path into a zone, and a
    unit with a single step left if the path costs a step, also over the edge (K-61, 8)."""
    doomed = {kind: [retreat.Retreat(kind).kills(steps) for steps in (1, 2)] for kind in KINDS}
    assert doomed == {
        "free": [False, False],
        "exit": [False, False],
        "costly": [True, False],
        "costly exit": [True, False],
        "fatal": [True, True],
        "none": [True, True],
    }


def test_9_3_dr_off_the_map_by_a_neighbouring_edge_hex():
    """A unit one hex from its edge without a path on the map leaves by the adjacent edge hex. If the hex is in a
    German zone the exit costs a step and eliminates a reduced unit; otherwise the exit is free (K-61, 6)."""
    shut = "2909: r-5 | 3007: r-31 | 3010: r-33 | 2908: g-48-pz | 2808: g-2-ss | 2809: g-11 | 2910: g-42"
    assert retreats(place(shut), "r-5") == ("costly exit", [])
    played = play(place(shut), battles(attack("2909", "g-48-pz g-2-ss")), dice={"b1": 3})
    assert (played.fought().result, played.at("r-5"), played.steps("r-5")) == ("DR", "off-map", 1)
    reduced = place(shut.replace("2909: r-5", "2909: r-5 reduced"))
    played = play(reduced, battles(attack("2909", "g-48-pz")), dice={"b1": 3})
    assert (played.fought().result, played.at("r-5")) == ("DR", "eliminated")
    friends = "2909: r-5 | 3007: r-31 | 3010: r-33 | 3009: r-10 | 2908: r-43 | 2907: r-39"
    enemies = "2808: g-48-pz | 2809: g-2-ss | 2910: g-11 | 2807: g-42"
    assert retreats(place(f"{friends} | {enemies}"), "r-5") == ("exit", [])


def test_9_3_drl_one_step_first_then_the_retreat():
    """DRL: a full unit flips and retreats, a reduced one is eliminated and does not (K-56)."""
    strong = "2707: r-5 | 2606: g-48-pz | 2706: g-2-ss | 2806: g-3-pz"
    orders = battles(attack("2707", "g-48-pz g-2-ss g-3-pz"))
    played = play(place(strong), orders, dice={"b1": 6})
    assert (played.fought().result, played.steps("r-5")) == ("DRL", 1)
    assert played.at("r-5") not in ("2707", "eliminated")
    played = play(place(SURE), TWO, dice={"b1": 2})
    assert (played.fought().result, played.at("r-5"), played.of(Moved)) == ("DRL", "eliminated", [])


def test_9_3_step_loss_full_to_reduced_to_eliminated():
    """A full unit flips, a reduced one goes to the box of eliminated units (3.3, K-56)."""
    one = play(place("2707: r-5 | 2606: g-48-pz"), battles(attack("2707", "g-48-pz")), dice={"b1": 1})
    assert (one.fought().result, one.steps("g-48-pz"), one.at("g-48-pz")) == ("AL", 1, "2606")
    two = play(place("2707: r-9-tc | 2606: g-48-pz reduced"), battles(attack("2707", "g-48-pz")), dice={"b1": 1})
    assert (two.fought().result, two.steps("g-48-pz"), two.at("g-48-pz")) == ("AL", 0, "eliminated")


def test_9_3_de_full_or_reduced():
    """DE: the defender is gone, the attacker loses nothing (K-59)."""
    for unit in ("r-9-tc", "r-9-tc reduced"):
        state = place(f"2707: {unit} | 2606: g-48-pz | 2706: g-2-ss")
        played = play(state, TWO, dice={"b1": 6})
        assert played.fought().result == "DE"
        assert [e.unit for e in played.of(Removed)] == ["r-9-tc"]
        assert played.of(StepsLost) == []


def test_9_3_ex_a_full_defender_flips_retreats_and_is_matched():
    """EX against 8 points: the unit flips (4 points), retreats as on DRL, and the attacker loses at least 4 (K-56,
    K-57)."""
    played = play(place(OPEN), TWO, dice={"b1": 5})
    assert played.fought().result == "EX"
    assert played.steps("r-5") == 1
    assert played.at("r-5") not in ("2707", "eliminated")
    assert (played.steps("g-48-pz"), played.steps("g-2-ss")) == (1, 2)  # 10 - 5 is the least that is enough


def test_9_3_ex_a_second_step_lost_on_the_way_is_not_matched():
    """A full unit that cannot retreat loses its first step (4) and is eliminated by the retreat: the exchange
    matches only the 4. Also for a step lost in a zone (K-57)."""
    state = place("1301: r-43 | 1201: g-59 | 1302: g-2-ss | 1401: g-3-pz; turn A; clear")
    played = play(state, battles(attack("1301", "g-2-ss g-3-pz g-59")), dice={"b1": 6})
    assert (played.fought().result, played.at("r-43")) == ("EX", "eliminated")
    assert {e.why for e in played.of(StepsLost) + played.of(Removed) if e.unit != "r-43"} == {
        "exchange: 4 strength points to match"
    }


def test_9_3_ex_payment_is_tight():
    """No unit gives a step more than is needed: for 5 points of 10 and 11 and 5 there are just these ways (K-58)."""
    assert payments("g-48-pz g-2-ss g-42:reduced", 5) == [{"g-2-ss": 1}, {"g-48-pz": 1}]
    assert payments("g-59:reduced g-42:reduced g-52:reduced", 3) == [
        {"g-42": 1, "g-52": 1},
        {"g-59": 1, "g-52": 1},
        {"g-59": 1, "g-42": 1},
    ]


def test_9_3_ex_payment_takes_everything_where_everything_is_not_enough():
    """2 + 2 points against 5 to match: all attackers and supporters are eliminated (K-58)."""
    assert payments("g-59:reduced g-42:reduced", 5) == [{"g-59": 1, "g-42": 1}]


def test_9_3_ex_payment_in_printed_strength_in_mud_and_marsh():
    """In mud a panzer that attacked with half its strength pays with its printed strength (11.2, K-58)."""
    state = place("2707: r-5 reduced | 2606: g-48-pz reduced | 2706: g-42 reduced; mud")
    played = play(state, battles(attack("2707", "g-48-pz g-42")), dice={"b1": 6})
    assert (played.fought().attack.total, played.fought().result) == ("4 1/2", "EX")
    assert played.at("g-48-pz") == "eliminated"
    assert played.at("g-42") == "2706"


def test_9_3_ex_payment_default_is_the_cheapest():
    """Without a list: least points, then fewest units eliminated, then lowest id first (K-77)."""
    purses = tuple(
        losses.Purse(uid, 2, kursk().counters[uid].strength) for uid in ("g-48-pz", "g-2-ss", "g-11", "g-59")
    )
    assert losses.choose_exchange(purses, 4, ()) == {"g-59": 2}
    assert losses.choose_exchange(purses, 3, ()) == {"g-11": 1}
    equal = (losses.Purse("g-47-pz", 1, (0, 5, 10)), losses.Purse("g-48-pz", 2, (0, 5, 10)))
    assert losses.choose_exchange(equal, 5, ()) == {"g-48-pz": 1}  # 5 points, too, and no unit is eliminated
    assert losses.choose_exchange(purses, 2, ()) == {"g-59": 1}


def test_9_3_ex_payment_by_list_bleeds_the_first_most():
    """With a list the umpire takes most from the first unit, then from the second (K-77)."""
    purses = tuple(losses.Purse(uid, 2, kursk().counters[uid].strength) for uid in ("g-48-pz", "g-11", "g-59"))
    assert losses.choose_exchange(purses, 4, ("g-11",)) == {"g-11": 2}
    assert losses.choose_exchange(purses, 4, ("g-59", "g-11")) == {"g-59": 2}
    assert losses.choose_exchange(purses, 4, ("g-48-pz",)) == {"g-48-pz": 1}
    assert losses.choose_exchange(purses, 4, ("r-5",)) == losses.choose_exchange(purses, 4, ())


def test_9_3_al_one_step_by_the_attackers_choice():
    """AL: the first of the list; without a list a surviving unit, then the least loss, then the lowest id. No
    retreat (K-59, K-77)."""
    state = place("2707: r-3-gt | 2606: g-11 | 2706: g-42 reduced | 2806: g-52")
    played = play(state, battles(attack("2707", "g-11 g-42 g-52", losses="g-11")), dice={"b1": 1})
    assert (played.fought().result, played.steps("g-11")) == ("AL", 1)
    played = play(state, battles(attack("2707", "g-11 g-42 g-52")), dice={"b1": 1})
    assert [(e.unit, e.left) for e in played.of(StepsLost)] == [("g-11", 1)]
    played = play(state, battles(attack("2707", "g-11 g-42 g-52", losses="g-42")), dice={"b1": 1})
    assert played.at("g-42") == "eliminated"
    assert {uid: played.at(uid) for uid in ("g-11", "g-52")} == {"g-11": "2606", "g-52": "2806"}


def test_9_3_dr_wishes_of_the_attacker():
    """``H1-H2``, ``H2``, ``toward`` and ``away``, tried in order; a wish without a match is skipped. If no wish of
    the list matches: the lowest second hex, then the lowest first (K-76)."""
    state = place(OPEN)
    _kind, paths = retreats(state, "r-5")
    default = min(paths, key=lambda path: (path[5:], path[:4]))
    for wish, expected in (
        ("2708-2709", "2708-2709"),
        ("2808", "2708-2808"),
        ("2606, 2709", "2708-2709"),
        ("toward 2712", "2708-2709"),
        ("away 2507", "2807-2907"),
        ("1200", default),
        ("", default),
    ):
        orders = battles(attack("2707", "g-48-pz g-2-ss", **({"retreat": wish} if wish else {})))
        assert "-".join(play(state, orders, dice={"b1": 3}).path("r-5")) == expected, wish


def test_9_3_dr_a_wish_that_can_never_apply_is_refused_to_its_writer():
    """At the writer's own desk a plan is checked: a place that is no hex, a stranger among the losses (K-76, K-77)."""
    state = place(OPEN)
    refused(state, battles(attack("2707", "g-48-pz", retreat="toward 9999")), "9.0", "'toward 9999' is not")
    refused(state, battles(attack("2707", "g-48-pz", losses="g-59")), "9.0", "takes no part in this battle")
    refused(state, battles(attack("2707", "g-48-pz", advance="g-48-pz if-dry")), "9.0", "'if-dry' is not if-free")
