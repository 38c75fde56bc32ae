"""9.0 Combat: permitted opponents, odds, shifts, Offensives, advance; 11.2 combat in mud."""

from fractions import Fraction

import pytest

from kursk_pbem.kernel.events import Fought, Moved, Noted, Removed, Rolled, StepsLost
from kursk_pbem.kernel.hexes.fights import level_of
from rulesets.battle_for_kursk.board import (
    attack,
    battles,
    in_communication,
    kursk,
    message,
    moves,
    odds,
    place,
    play,
    refused,
    shifts,
)

RUSSIAN = "stage russian-orders"
OPEN = "2707: r-5 | 2606: g-48-pz | 2706: g-2-ss | 2806: g-11"  # 10 + 11 + 6 against 8, in the open


def test_9_0_attacking_is_voluntary():
    """A player next to the enemy declares no attack and fights no battle; the message continues to movement."""
    played = play(place(OPEN), moves("g-11 2906"))
    assert played.of(Fought) == []
    assert played.after.stage == "russian-orders"


def test_9_0_who_can_be_in_a_battle():
    """Own units attack one adjacent enemy unit. Refused, each with its place: no enemy there, no hex, no attackers,
    not adjacent, an enemy as attacker, a unit not on the map, an unknown unit (K-40)."""
    state = place(f"{OPEN} | 2710: g-42")
    refused(state, battles(attack("2708", "g-11")), "9.0", "no enemy unit is in 2708")
    refused(state, battles(attack("2606", "g-11")), "9.0", "no enemy unit is in 2606")
    refused(state, battles(attack("9999", "g-11")), "9.0", "9999 is not a hex of this map")
    refused(state, battles(attack("2707", "")), "9.0", "needs an attacking unit")
    refused(state, battles(attack("2707", "g-42")), "9.0", "g-42 in 2710 is not adjacent to 2707")
    refused(state, battles(attack("2707", "r-5")), "9.0", "belongs to the russian side")
    refused(state, battles(attack("2707", "g-59 g-999")), "9.0", number=2)


def test_9_0_terrain_and_rivers_bar_nobody_from_attacking():
    """Over the Dniepr and into a fortified city in the forest one may attack; it only shifts (K-40)."""
    state = place("1821: g-59 reduced | 1921: r-5 | 1922: r-10; turn 6; stage russian-orders")
    fought = play(state, battles(attack("1821", "r-5 r-10")), dice={"b1": 1}).fought()
    assert (fought.ratio, fought.column) == ("8:1", "4:1")


CHAIN = "2707: r-5 | 2606: g-48-pz | 2708: g-11 | 2906: r-9-tc reduced | 3005: g-2-ss"


def test_9_0_declaration_odds_are_counted_when_the_battle_comes_up():
    """In b1 the tank corps in 2906 is destroyed and the SS advance: their zone closes 2806, the last path of the 5th
    Army, so b2 gets a shift that did not exist at the declaration. Without the advance b2 gets no shift (K-38,
    K-62)."""
    state = place(CHAIN)
    assert in_communication(state, "2707", "russian")
    second = attack("2707", "g-48-pz g-11", bid="b2")
    with_advance = play(state, battles(attack("2906", "g-2-ss", advance="g-2-ss"), second), dice={"b1": 6, "b2": 1})
    assert with_advance.fought("b1").result == "DE"
    assert shifts(with_advance.fought("b2")) == [("9.2-communication", 1)]
    assert (with_advance.fought("b2").ratio, with_advance.fought("b2").column) == ("2:1", "3:1")
    without = play(state, battles(attack("2906", "g-2-ss"), second), dice={"b1": 6, "b2": 1})
    assert shifts(without.fought("b2")) == []


def test_9_0_declaration_nobody_leaves_his_place_before_his_battle():
    """Should bad data take an attacker away between declaration and battle, the umpire stops rather than guess; the
    position between two messages cannot come about by play (K-62)."""
    declared = play(place(OPEN), battles(attack("2707", "g-11")))
    answered = message(declared.after, "", seq=11).after
    units = {**answered.units, "g-11": answered.units["g-42"]}
    with pytest.raises((AssertionError, KeyError)):
        message(answered.with_(units=units), "", seq=12, dice={"b1": 1})


def test_9_0_once_per_combat_phase_for_both_sides():
    """A unit attacks in only one battle, is attacked in only one battle, and attacks only once in a battle (K-41)."""
    state = place(f"{OPEN} | 2805: r-10")
    rule = "9.0-once-per-combat-phase"
    refused(state, battles(attack("2707", "g-11"), attack("2805", "g-11", bid="b2")), rule, "g-11 is in b1 already")
    refused(state, battles(attack("2707", "g-11"), attack("2707", "g-2-ss", bid="b2")), rule, "r-5 is in b1 already")
    refused(state, battles(attack("2707", "g-11 g-11")), rule, "g-11 is twice in b1")


def test_9_0_once_per_combat_phase_holds_for_supporters():
    """A supporter of one battle attacks in no other battle and supports no other battle (K-41, K-43)."""
    state = place("2707: r-5 | 2706: g-2-ss | 2705: g-11 | 2805: r-10 | 2804: g-42; offensives german 2")
    refused(
        state,
        battles(attack("2707", "g-2-ss", lead="g-2-ss", support="g-11"), attack("2805", "g-11", bid="b2")),
        "9.0-once-per-combat-phase",
        "g-11 is in b1 already",
    )


def test_9_0_battle_commitment_what_is_declared_is_fought():
    """Once declared, a battle is neither changed nor taken back: the dice message has no place for battles (K-40)."""
    declared = play(place(OPEN), battles(attack("2707", "g-48-pz")))
    answered = message(declared.after, "", seq=11)
    late = message(answered.after, battles(attack("2707", "g-2-ss", bid="b2")), seq=12, dice={"b1": 3})
    assert [violation.path for violation in late.violations] == [("orders", "battles")]
    assert late.dice == {"b1/combat": "3"}


def test_9_0_battle_commitment_two_battles_need_two_names():
    """The name of a battle labels its die (K-80)."""
    state = place(f"{OPEN} | 2805: r-10")
    refused(state, battles(attack("2707", "g-11"), attack("2805", "g-2-ss")), "9.0", "two battles have the same id")


def test_9_0_1_strengths_are_added_up():
    """10 + 11 + 6 = 27, full; 5 + 5 + 3 = 13 reduced (3.3)."""
    every = battles(attack("2707", "g-48-pz g-2-ss g-11"))
    assert play(place(OPEN), every, dice={"b1": 1}).fought().attack.total == "27"
    reduced = place("2707: r-5 | 2606: g-48-pz reduced | 2706: g-2-ss reduced | 2806: g-11 reduced")
    assert play(reduced, every, dice={"b1": 1}).fought().attack.total == "13"


def test_9_0_1_halved_from_marsh_and_quartered_in_mud():
    """A unit attacks from marsh with half its strength, infantry in mud too; a panzer in marsh and mud with a quarter,
    fractions kept; the defender is never halved (K-45, K-46)."""
    state = place("1301: r-43 | 1201: g-39-pz reduced | 1302: g-59 reduced; mud")
    fought = play(state, battles(attack("1301", "g-39-pz g-59")), dice={}).fought()
    assert [(a.counts, a.changes) for a in fought.attack.rows] == [
        ("1 1/4", ("halved (from marsh)", "halved (armor in mud)")),
        ("2", ()),
    ]
    assert (fought.attack.total, fought.defence.total) == ("3 1/4", "8")


@pytest.mark.parametrize(
    ("attacking", "defending", "level"),
    [
        (16, 4, 4),
        (15, 4, 3),
        (10, 4, 2),
        (Fraction(15, 2), 4, 1),
        (20, 5, 4),
        (4, 4, 1),
        (28, 4, 7),
        (33, 4, 8),
        (Fraction(39, 10), 4, 0),
        (2, 4, 0),
        (Fraction(19, 10), 4, -1),
        (1, 3, -1),
        (1, 4, -2),
        (Fraction(5, 4), 8, -5),
    ],
)
def test_9_0_2_the_quotient_is_rounded_for_the_defender(attacking, defending, level):
    """1 is 1:1, 0 is 1:2 (a half and more, less than one), -1 is 1:3; above 6:1 the scale continues (K-47)."""
    assert level_of(Fraction(attacking), defending) == level


def test_9_0_3_shifts_are_taken_together():
    """Forest left, defender out of communication right: the level stays (Combat Example 6). See 9.2 and 9.2.1."""
    state = place("1908: r-5 | 1907: g-48-pz | 1909: g-2-ss | 1808: g-11")
    fought = play(state, battles(attack("1908", "g-48-pz g-2-ss g-11")), dice={"b1": 1}).fought()
    assert shifts(fought) == [("9.2", -1), ("9.2-communication", 1)]
    assert fought.column == fought.ratio == "3:1"


COLUMNS = {"r-5": {1: "g-48-pz", 2: "g-48-pz g-2-ss", 3: "g-48-pz g-2-ss g-11"}}


@pytest.mark.parametrize("die", range(1, 7))
def test_9_0_4_the_table_is_read_by_die_and_column(die):
    """At 1:1, 2:1 and 3:1 every face gives the result of the table; a single die falls, under the battle's name."""
    for column, attackers in COLUMNS["r-5"].items():
        played = play(place(OPEN), battles(attack("2707", attackers)), dice={"b1": die})
        fought = played.fought()
        assert (fought.column, fought.dice) == (f"{column}:1", str(die))
        assert fought.result == kursk().scenario.data["tables"]["crt"]["rows"][str(die)][column - 1]
        assert [(event.label, event.digits) for event in played.of(Rolled)] == [("b1/combat", str(die))]


def test_9_0_4_the_chance_of_a_result_is_told():
    """At 1:1 a DR comes with one face of six, an AL with two."""
    played = play(place(OPEN), battles(attack("2707", "g-48-pz")), dice={"b1": 5})
    assert played.fought().chance == "1/6"
    assert play(place(OPEN), battles(attack("2707", "g-48-pz")), dice={"b1": 1}).fought().chance == "2/6"


def test_9_0_5_the_result_is_carried_out_in_its_order():
    """EX against a full unit: its step, its retreat, the attacker's payment, the advance (K-53)."""
    orders = battles(attack("2707", "g-48-pz g-2-ss", advance="g-2-ss", losses="g-48-pz"))
    played = play(place(OPEN.replace("| 2806: g-11", "")), orders, dice={"b1": 6})
    facts = [e for e in played.events if isinstance(e, (StepsLost, Removed, Moved))]
    assert [(type(e).__name__, e.unit) for e in facts] == [
        ("StepsLost", "r-5"),
        ("Moved", "r-5"),
        ("StepsLost", "g-48-pz"),
        ("Moved", "g-2-ss"),
    ]


def test_9_0_6_one_front_line_attacker_may_advance():
    """The defender retreats; one surviving attacker enters his hex, without regard to terrain, zones or the river he
    has to cross (K-60). The advance is optional: without a wish no unit advances."""
    state = place("1821: r-5 reduced | 1921: g-48-pz | 1922: g-2-ss | 1721: r-10 | 1820: r-33; control 1821 russian")
    orders = battles(attack("1821", "g-48-pz g-2-ss", advance="g-48-pz, g-2-ss"))
    played = play(state, orders, dice={"b1": 6})
    assert played.at("g-48-pz") == "1821"
    assert played.at("g-2-ss") == "1922"
    assert played.controls("1821") == "german"
    assert play(state, battles(attack("1821", "g-48-pz g-2-ss")), dice={"b1": 6}).at("g-48-pz") == "1921"


def test_9_0_6_nobody_advances_while_the_defender_stands():
    """NE leaves the hex occupied: no advance (K-59, K-60)."""
    orders = battles(attack("2707", "g-48-pz", advance="g-48-pz"))
    assert play(place(OPEN), orders, dice={"b1": 3}).at("g-48-pz") == "2606"
    assert play(place(OPEN), orders, dice={"b1": 1}).at("g-48-pz") == "2606"


def test_9_0_6_the_dead_do_not_advance_and_the_next_on_the_list_does():
    """An attacker lost in the exchange is passed over (K-60, K-78)."""
    state = place("2707: r-5 reduced | 2606: g-59 | 2706: g-52")
    orders = battles(attack("2707", "g-59 g-52", losses="g-59", advance="g-59, g-52"))
    played = play(state, orders, dice={"b1": 6})
    assert (played.at("g-59"), played.at("g-52")) == ("eliminated", "2707")


def test_9_0_6_guards_of_an_advance():
    """``if-free``: only into a hex outside enemy zones; ``if-supplied``: only if it is in communication. The first unit
    with a true guard advances; otherwise no unit (K-78)."""
    orders = battles(attack("2707", "g-48-pz g-2-ss", advance="g-48-pz if-free, g-2-ss if-supplied"))
    watched = "2707: r-5 reduced | 2606: g-48-pz | 2706: g-2-ss | 2708: r-10"
    played = play(place(watched), orders, dice={"b1": 6})
    assert (played.at("g-48-pz"), played.at("g-2-ss")) == ("2606", "2707")
    alone = play(place(watched.replace(" | 2708: r-10", "")), orders, dice={"b1": 6})
    assert alone.fought().result == "DE"
    assert alone.at("g-48-pz") == "2707"
    cut = place("2707: r-5 reduced | 2606: g-48-pz | 2706: g-2-ss | 2708: r-10 | 2605: r-33 | 2507: r-31 | 2805: r-3")
    played = play(cut, orders, dice={"b1": 6})
    assert (played.at("g-48-pz"), played.at("g-2-ss")) == ("2606", "2706")
    [note] = [each.text for each in played.of(Noted, rule="9.0-6")]
    assert "g-48-pz only if free, and the hex is in an EZOC" in note
    assert "g-2-ss only if supplied, and the hex is not In Communication" in note


def test_9_0_6_supporters_do_not_advance():
    """A wish for a supporter is refused when it is written in the open (K-60)."""
    state = place("2707: r-5 | 2706: g-2-ss | 2705: g-11; offensives german 1")
    orders = battles(attack("2707", "g-2-ss", lead="g-2-ss", support="g-11", advance="g-11"))
    refused(state, orders, "9.0", "g-11 is no front-line attacker")


def test_9_0_7_battles_follow_each_other_as_written():
    """Two battles; the second is fought after the first, and the unit beaten in the first may end beside the second
    without adding to it. Its zone acts at once (K-63)."""
    state = place("2707: r-5 | 2706: g-48-pz | 2606: g-2-ss | 2911: r-10 | 2910: g-3-pz")
    orders = battles(attack("2707", "g-48-pz g-2-ss", retreat="2708-2709"), attack("2911", "g-3-pz", bid="b2"))
    played = play(state, orders, dice={"b1": 3, "b2": 3})
    assert [event.battle for event in played.of(Fought)] == ["b1", "b2"]
    assert played.path("r-5") == ("2708", "2709")
    assert played.fought("b2").defence.total == "8"


def test_9_0_7_a_retreat_may_end_where_a_battle_is_over():
    """b1 empties 2709; the unit beaten in b2 may end its retreat there (K-63)."""
    state = place("2707: r-5 | 2606: g-48-pz | 2706: g-2-ss | 2709: r-9-tc reduced | 2710: g-3-pz; offensives german 0")
    orders = battles(attack("2709", "g-3-pz"), attack("2707", "g-48-pz g-2-ss", bid="b2", retreat="2708-2709"))
    played = play(state, orders, dice={"b1": 5, "b2": 3})
    assert played.at("r-9-tc") == "eliminated"
    assert played.at("r-5") != "2709"  # 2709 lies in the zone of the 3rd Panzer Corps
    state = place("2707: r-5 | 2606: g-48-pz | 2706: g-2-ss | 2809: r-9-tc reduced | 2910: g-3-pz")
    orders = battles(attack("2809", "g-3-pz"), attack("2707", "g-48-pz g-2-ss", bid="b2", retreat="2709"))
    assert play(state, orders, dice={"b1": 5, "b2": 3}).at("r-5") == "2709"


def test_9_1_above_six_to_one_only_after_the_shifts():
    """33 against 4 is 8:1; the forest makes it 7:1, and 7:1 is read as 6:1, not 5:1 (K-51)."""
    state = place("2306: r-5 reduced | 2305: g-2-ss | 2307: g-48-pz | 2205: g-3-pz | 2206: g-24-pz reduced")
    fought = play(state, battles(attack("2306", "g-2-ss g-48-pz g-3-pz g-24-pz")), dice={"b1": 1}).fought()
    assert (fought.attack.total, fought.ratio) == ("34", "8:1")
    assert fought.column == "6:1"


def test_9_1_below_one_to_one_there_is_no_attack_and_no_die():
    """6 against 8: no attack. The declaration is legal, with a warning, and costs neither side a step (K-44, K-80)."""
    played = play(place(OPEN), battles(attack("2707", "g-11")), dice={})
    assert (played.fought().ratio, played.fought().column, played.fought().result) == ("1:2", "", "")
    assert [note.rule for note in played.of(Noted) if "below 1:1" in note.text] == ["9.1"]
    assert played.of(Rolled) == []


def test_9_1_below_one_to_one_can_be_shifted_up():
    """1:2 and one column right is 1:1: the attack takes place (K-47, K-51)."""
    state = place("2707: r-5 | 2606: g-11 reduced | 2807: g-42 reduced")
    assert not in_communication(state, "2707", "russian")
    fought = play(state, battles(attack("2707", "g-11 g-42")), dice={"b1": 1}).fought()
    assert (fought.attack.total, fought.ratio, fought.column) == ("5", "1:2", "1:1")


@pytest.mark.parametrize(
    ("hex_", "turn", "columns"),
    [
        ("2707", "B", []),  # open
        ("2306", "B", [-1]),  # forest
        ("2312", "B", [-1]),  # rough
        ("2406", "A", [-1]),  # Tula, Major City
        ("2406", "B", [-1, -1]),  # and fortified from turn B
        ("2306", "C", [-1, -1]),  # forest and, from turn C, fortification
        ("2511", "8", []),  # an ordinary city
        ("2803", "8", []),  # marsh
        ("1604", "8", []),  # a German fortification
    ],
)
def test_9_2_what_the_hex_of_the_defender_does(hex_, turn, columns):
    """Forest, rough, Major City and an active fortification of the defender's own: one column each, added up. Marsh,
    city, open land and an enemy fortification: nothing (K-48, K-52)."""
    board = kursk().board
    sides = [board.labels[near] for near in board.neighbours[board.index[hex_]]]
    state = place(" | ".join([f"{hex_}: r-5", f"{sides[0]}: g-2-ss", f"{sides[1]}: g-48-pz"]) + f"; turn {turn}; clear")
    found = odds(state, hex_, "g-2-ss g-48-pz")
    assert [shift.by for shift in found.shifts if shift.rule == "9.2"] == columns


def test_9_2_fortifications_help_their_owner_for_good():
    """A Russian belt that the Germans have held helps a Russian who is back in it, and never a German (K-52)."""
    russian = place("2112: r-5 | 2111: g-2-ss | 2212: g-48-pz; turn D")
    assert [s.why for s in odds(russian, "2112", "g-2-ss").shifts if s.rule == "9.2"] == [
        "defender in its own active fortification"
    ]
    german = place("2112: g-11 | 2113: r-5 | 2212: r-10; turn 8")
    assert odds(german, "2112", "r-5").shifts == ()


def test_9_2_river_all_some_or_none_across():
    """1112 is between Dniepr and upper Dniepr. All attackers across the Dniepr: two columns. Dniepr and an ordinary
    river together, or only the ordinary river: one column. An attacker on the near bank: no shift (K-49)."""
    fork = place("1112: r-5 | 1212: g-2-ss | 1111: g-48-pz | 1113: g-3-pz")
    assert [s.by for s in odds(fork, "1112", "g-2-ss g-3-pz").shifts if s.rule == "9.2-river"] == [-2]
    assert [s.by for s in odds(fork, "1112", "g-2-ss g-48-pz").shifts if s.rule == "9.2-river"] == [-1]
    assert [s.by for s in odds(fork, "1112", "g-48-pz").shifts if s.rule == "9.2-river"] == [-1]
    near = place("1112: r-5 | 1212: g-2-ss | 1111: g-48-pz | 1012: g-3-pz")
    assert [s.by for s in odds(near, "1112", "g-2-ss g-48-pz g-3-pz").shifts if s.rule == "9.2-river"] == []
