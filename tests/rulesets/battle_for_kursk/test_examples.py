"""Every worked example of the rulebook on our map, with every number in the example.

The rulebook's pictures are not available; the text states the positions, and our map fits the text."""

from kursk_pbem.kernel.events import Decided, Removed, StepsLost
from kursk_pbem.rulesets.battle_for_kursk import replacements, victory
from rulesets.battle_for_kursk.board import (
    attack,
    battles,
    in_communication,
    kursk,
    message,
    moves,
    payments,
    place,
    placements,
    play,
    reach,
    refused,
    retreats,
    shifts,
    view,
)
from rulesets.battle_for_kursk.worked_examples import ATTACK5, CX5, CX6

MX1 = "2402: r-63 | 1801: r-50 | 1803: r-1-g | 2105: r-5 | 2004: r-10 | 2305: g-56-pz; stage russian-orders"


def test_8_1_movement_example_1_the_50th_army_by_rail():
    """Movement Example 1: the 50th Army, infantry on a rail hex, allowance 4. By rail to A for all 4 points, forests
    at 1 each; or to B for only 3, since the hex beyond is occupied. Here from Rzhev: A is 2202 (past the forests 2001
    and 2102), B is 1904 with the 10th Army in 2004 ahead (K-28, K-32)."""
    state = place(MX1)
    found = reach(state, "r-50", "rail")
    assert found["2202"] == 4
    assert found["1904"] == 3
    assert "2004" not in found
    assert max(found.values()) == 4
    played = play(state, moves("r-50 1902 2001 2102 2202", "armor-and-rail"))
    assert (played.at("r-50"), played.mp("r-50")) == ("2202", "4")
    played = play(state, moves("r-50 1802 1803 1904", "armor-and-rail"))
    assert (played.at("r-50"), played.mp("r-50")) == ("1904", "3")
    refused(state, moves("r-50 1802 1803 1904 2004", "armor-and-rail"), "8.2.2", "2004 holds a friendly unit")


def test_8_3_movement_example_1_the_63rd_army_from_moscow():
    """Movement Example 1: the 63rd Army goes due west from Moscow to C for 4 points. South-west it must stop at D,
    the third hex: the last step is occupied, and D lies in the zone of the German 56th Corps. South towards Tula it
    stops after only 2 hexes, again by the zone of the 56th (K-29, K-30)."""
    state = place(MX1)
    found = reach(state, "r-63", "rail")
    assert found["2002"] == 4  # C
    assert found["2204"] == 3  # D
    assert "2105" not in found
    assert found["2404"] == 2
    assert "2405" not in found
    assert "2406" not in found
    play(state, moves("r-63 2303 2202 2103 2002", "armor-and-rail"))
    play(state, moves("r-63 2303 2203 2204", "armor-and-rail"))
    refused(state, moves("r-63 2303 2203 2204 2105", "armor-and-rail"), "8.3", "2204 lies in an enemy zone")
    refused(state, moves("r-63 2403 2404 2405", "armor-and-rail"), "8.3", "2404 lies in an enemy zone")


def test_8_1_armor_movement_example_1_the_1st_guard():
    """Movement Example 1: the 1st Guard, allowance 5, from Vyazma. South-east along the railway the unit pays 2 for
    the forest 2004, and 0 for the river Ugra on the way to F (2106): 5 in all. West to G (1601) the unit stops with
    4 spent: another forest hex would cost more than the remaining points (K-25, K-33)."""
    state = place(MX1.replace("2004: r-10", "2008: r-10"))
    found = reach(state, "r-1-g")
    assert found["1904"] == 1
    assert found["2004"] == 3
    assert found["2005"] == 4
    assert found["2106"] == 5
    assert found["1601"] == 4
    assert "1501" not in found
    played = play(state, moves("r-1-g 1904 2004 2005 2106", "armor-and-rail"))
    assert played.mp("r-1-g") == "5"
    refused(state, moves("r-1-g 1802 1702 1601 1501", "armor-and-rail"), "8.0-terrain", "costs 6 of 5")


MX2 = "1718: r-5-gt | 1518: g-52 | 1812: g-2-lw; stage russian-orders"


def test_8_0_movement_example_2_the_5th_guard_and_its_six_points():
    """Movement Example 2: the 5th Guard, allowance 6, on the Psel (1718). It crosses the Psel freely and must stop in
    A or B (1617, 1618) by the zone of the 52nd Corps. South along the Psel: Poltava and open hexes 1 each, the forest
    over the river 2, and C (1519) is the sixth and final point. D (1717, marsh) takes all 6. By Sumy, reached with 2
    points left, E (1813) stops it by the zone of the German 2nd; F (1614), just outside Konotop, uses all six."""
    state = place(MX2)
    found = reach(state, "r-5-gt")
    assert (found["1617"], found["1618"]) == (1, 1)
    refused(state, moves("r-5-gt 1618 1619"), "8.3")
    played = play(state, moves("r-5-gt 1818 1719 1720 1619 1519"))
    assert (played.at("r-5-gt"), played.mp("r-5-gt")) == ("1519", "6")
    assert kursk().cities[kursk().board.index["1818"]] == "major"
    assert found["1717"] == 6
    assert found["1814"] == 4  # Sumy
    assert play(state, moves("r-5-gt 1817 1816 1815 1814 1813")).mp("r-5-gt") == "5"
    refused(state, moves("r-5-gt 1817 1816 1815 1814 1813 1713"), "8.3")
    played = play(state, moves("r-5-gt 1817 1816 1815 1814 1715 1614"))
    assert (played.at("r-5-gt"), played.mp("r-5-gt")) == ("1614", "6")


def test_8_0_terrain_movement_example_2_marsh_is_no_later_step():
    """Movement Example 2: moving into hex D, marsh, requires all 6 points, the 5th Guard's full allowance (K-26)."""
    state = place(MX2)
    played = play(state, moves("r-5-gt 1717"))
    assert played.mp("r-5-gt") == "6"
    refused(state, moves("r-5-gt 1817 1717"), "8.0-terrain", "must be the first step")
    refused(state, moves("r-5-gt 1717 1716"), "8.0-terrain")


def test_9_0_2_combat_example_1_sixteen_and_fifteen_to_four():
    """Combat Example 1: 16 strength points attack 4: odds 4:1. 15 points would only be 3:1. The defender is the 59th
    Corps (4) in the open; 16 = 8 + 4 + 4 and 15 = 8 + 4 + 3, units of ours with these strengths (K-47)."""
    state = place("1915: g-59 | 2014: r-38 | 2015: r-40 reduced | 1916: r-6-g reduced; stage russian-orders")
    fought = play(state, battles(attack("1915", "r-38 r-40 r-6-g")), dice={"b1": 1}).fought()
    assert (fought.attack.total, fought.defence.total, fought.ratio, fought.column) == ("16", "4", "4:1", "4:1")
    assert fought.shifts == ()
    state = place("1915: g-59 | 2014: r-38 | 2015: r-40 reduced | 1916: r-2-grc reduced; stage russian-orders")
    fought = play(state, battles(attack("1915", "r-38 r-40 r-2-grc")), dice={"b1": 1}).fought()
    assert (fought.attack.total, fought.defence.total, fought.ratio, fought.column) == ("15", "4", "3:1", "3:1")


def test_9_2_river_combat_example_2_all_three_across_the_river():
    """Combat Example 2: with the 59th Corps behind a river from all three attackers, the 3:1 is shifted one column
    left to 2:1. Here in 1202, behind Lovat and Western Dvina (K-49)."""
    state = place("1202: g-59 | 1302: r-38 | 1303: r-40 reduced | 1203: r-2-grc reduced; stage russian-orders")
    fought = play(state, battles(attack("1202", "r-38 r-40 r-2-grc")), dice={"b1": 1}).fought()
    assert (fought.attack.total, fought.defence.total, fought.ratio) == ("15", "4", "3:1")
    assert shifts(fought) == [("9.2-river", -1)]
    assert fought.column == "2:1"


CX3 = (
    "1808: g-53 | 1908: r-2-t | 1909: r-65 | 2007: r-70 reduced | 2008: r-48"
    "; offensives russian 1; stage russian-orders"
)


def test_9_1_combat_example_3_bryansk_without_an_offensive():
    """Combat Example 3: two units of 16 points attack Bryansk, held by 8 points, 2:1. The Major City shifts left, all
    attackers across the Desna shift left again: 1:1, then below 1:1, and the attack does not occur. The attackers are
    the 2nd Tank (8) and the 65th (8), both of Central Front (K-48, K-51)."""
    played = play(place(CX3), battles(attack("1808", "r-2-t r-65")), dice={})
    fought = played.fought()
    assert (fought.attack.total, fought.defence.total, fought.ratio) == ("16", "8", "2:1")
    assert shifts(fought) == [("9.2", -1), ("9.2-river", -1)]
    assert (fought.column, fought.dice, fought.result) == ("", "", "")
    assert played.at("g-53") == "1808"


def test_9_2_1_combat_example_3_bryansk_with_an_offensive():
    """Combat Example 3: a marker on the armor, two units of the same colour in support: two columns right. The shifts
    cancel out: 2:1 shifted left twice, then back twice. The strength stays 16 (K-43)."""
    orders = battles(attack("1808", "r-2-t r-65", lead="r-2-t", support="r-70 r-48"))
    played = play(place(CX3), orders, dice={"b1": 1})
    fought = played.fought()
    assert (fought.attack.total, fought.defence.total, fought.ratio) == ("16", "8", "2:1")
    assert shifts(fought) == [("9.2", -1), ("9.2-river", -1), ("9.2.1", 2)]
    assert fought.column == "2:1"
    assert played.steps_taken[0].after.tracks["offensives-russian"] == 0


CX4 = "1708: g-53 reduced | 1709: r-60 | 1807: r-48 reduced | 1406: r-11-g; stage russian-orders"


def test_9_3_dr_combat_example_4_the_53rd_corps_outside_bryansk():
    """Combat Example 4: 12 against 4 is 3:1, the forest makes 2:1. A 3 on the 2:1 column is DR. The 53rd has one
    free hex, A (1607); from A the attacker chooses between two hexes B (1606, 1508). The 11th Guards north of
    Roslavl close Roslavl (1507). Then either attacker may advance. Here the 48th is at 1807, so that both ways round
    are closed (K-60, K-61)."""
    state = place(CX4)
    assert retreats(state, "g-53") == ("free", ["1607-1508", "1607-1606"])
    for wish, end in (("1508", "1508"), ("1606", "1606"), ("1507", "1508")):
        orders = battles(attack("1708", "r-60 r-48", retreat=wish, advance="r-48"))
        played = play(state, orders, dice={"b1": 3})
        fought = played.fought()
        assert (fought.attack.total, fought.defence.total, fought.ratio) == ("12", "4", "3:1")
        assert shifts(fought) == [("9.2", -1)]
        assert (fought.column, fought.dice, fought.result) == ("2:1", "3", "DR")
        assert played.path("g-53") == ("1607", end)
        assert played.steps("g-53") == 1
        assert (played.at("r-48"), played.at("r-60")) == ("1708", "1709")
    assert play(state, battles(attack("1708", "r-60 r-48", advance="r-60")), dice={"b1": 3}).at("r-60") == "1708"
    assert play(state, battles(attack("1708", "r-60 r-48")), dice={"b1": 3}).at("r-48") == "1807"


def test_9_3_fortifications_combat_example_5_outside_velikie_luki():
    """Combat Example 5: (4 / 2) + 3 + 5 = 10 against 4 is 2 1/2 : 1, rounded down 2:1. Both sides are in
    communication, an attacker is not across a river, the marsh of the battle hex has no effect; the active
    fortification shifts left: 1:1. A 5 is DR. Both retreats, by the city and by the shock unit, lead through German
    zones, so the reduced unit is lost; the Russian turns DR into EX. The German must match 4 points, and gives the
    full infantry, 4 points; the armor advances (K-45, K-48, K-55, K-57, K-58, K-77)."""
    state = place(CX5)
    assert in_communication(state, "1301", "russian")
    assert all(in_communication(state, label, "german") for label in ("1201", "1302"))
    kind, _paths = retreats(state, "r-43")
    assert kind in ("costly", "fatal")
    played = play(state, ATTACK5, dice={"b1": 5})
    fought = played.fought()
    assert [(a.unit, a.printed, a.counts) for a in fought.attack.rows] == [
        ("g-59", "4", "2"),
        ("g-6", "3", "3"),
        ("g-39-pz", "5", "5"),
    ]
    assert (fought.attack.total, fought.defence.total, fought.ratio) == ("10", "4", "2:1")
    assert shifts(fought) == [("9.2", -1)]
    assert (fought.column, fought.dice, fought.result) == ("1:1", "5", "DR")
    (choice,) = played.of(Decided)
    assert (choice.owner, choice.chosen, choice.source) == ("russian", "exchange", "default")
    assert played.at("r-43") == "eliminated"
    assert (played.at("g-59"), played.steps("g-6"), played.steps("g-39-pz")) == ("eliminated", 1, 1)
    assert played.at("g-39-pz") == "1301"


def test_9_3_ex_payment_combat_example_5_three_ways_to_pay_four():
    """Combat Example 5: to remove 4 points: the full infantry in the west (4), or the reduced armor in the east (5),
    or the southern infantry (3) and the western one flipped (2), 5 together (K-58)."""
    ways = payments("g-59 g-6:reduced g-39-pz:reduced", 4)
    assert sorted(ways, key=str) == sorted([{"g-59": 2}, {"g-39-pz": 1}, {"g-59": 1, "g-6": 1}], key=str)
    for wishes, lost in (("g-39-pz", {"g-39-pz"}), ("g-6, g-59", {"g-6", "g-59"}), ("g-59", {"g-59"})):
        orders = battles(attack("1301", "g-59 g-6 g-39-pz", losses=wishes))
        played = play(place(CX5), orders, dice={"b1": 5})
        assert {e.unit for e in played.of(Removed) + played.of(StepsLost)} == {*lost, "r-43"}


def test_9_3_stand_fast_combat_example_5_declining_the_exchange():
    """Combat Example 5: the defender will most certainly be eliminated by the retreat. Without the exchange the unit
    is lost anyway, and the Germans lose no step."""
    played = play(place(CX5), ATTACK5, dice={"b1": 5}, answer="policy: {exchange-dr: never}")
    assert played.at("r-43") == "eliminated"
    assert all(played.at(uid) != "eliminated" for uid in ("g-59", "g-6", "g-39-pz"))


def test_11_2_combat_example_5_in_mud():
    """11.2: in mud the three German units of Combat Example 5 have 7.5 (2.5 less for the 39th), 1:1 before terrain
    and below 1:1 after the fortification: the attack does not happen (K-45, K-47)."""
    played = play(place(CX5 + "; mud"), ATTACK5, dice={})
    fought = played.fought()
    assert (fought.attack.total, fought.defence.total, fought.ratio) == ("7 1/2", "4", "1:1")
    assert [a.counts for a in fought.attack.rows] == ["2", "3", "2 1/2"]
    assert shifts(fought) == [("9.2", -1)]
    assert (fought.column, fought.result) == ("", "")


def test_9_3_ne_combat_example_6_a_four_at_one_to_one():
    """Combat Example 6: the German rolls a 4 at 1:1 instead: no effect."""
    played = play(place(CX5), ATTACK5, dice={"b1": 4})
    assert (played.fought().column, played.fought().result) == ("1:1", "NE")
    assert played.after.units == place(CX5).units


def test_9_2_communication_combat_example_6_the_39th_is_cut_off():
    """Combat Example 6: the 39th is not in communication although the 6th is adjacent: the zones of the Russian
    infantry and of the 68th cut every path. (4 / 2) + 10 + 8 = 20 against 5 is 4:1; forest left, communication
    right: 4:1. A 4 is DRL; the reduced 39th is eliminated at once; 4th Shock advances (K-37, K-50, K-51, K-56). The
    4 points halved in marsh are the 43rd, reduced."""
    state = place(CX6)
    assert not in_communication(state, "1401", "german")
    played = play(state, battles(attack("1401", "r-43 r-4-sh r-68", advance="r-4-sh")), dice={"b1": 4})
    fought = played.fought()
    assert [a.counts for a in fought.attack.rows] == ["2", "10", "8"]
    assert (fought.attack.total, fought.defence.total, fought.ratio) == ("20", "5", "4:1")
    assert shifts(fought) == [("9.2", -1), ("9.2-communication", 1)]
    assert (fought.column, fought.dice, fought.result) == ("4:1", "4", "DRL")
    assert played.at("g-39-pz") == "eliminated"
    assert played.at("r-4-sh") == "1401"
    for die in range(1, 7):  # "no matter the die roll, the 39th Corps will be eliminated"
        assert play(state, battles(attack("1401", "r-43 r-4-sh r-68")), dice={"b1": die}).at("g-39-pz") == "eliminated"


RX = (
    "2621: g-4 | 2623: g-17 reduced | 2723: g-29 reduced | 2724: r-44 reduced | 2524: g-57-pz"
    "; turn D; posture german reposition russian reposition"
)


def test_10_3_replacement_example_the_german_side():
    """Replacement Example: the Germans may flip either of the two reduced infantry corps, or place a unit in either
    hex A (Stalino 2422, Mariupol 2325), and in B (Taganrog 2624) if B is still German, though a Russian unit is
    adjacent (K-15). g-43, whose army has no unit on the map, may go to any of the hexes."""
    state = place(RX)
    for uid in ("g-17", "g-29"):
        assert play(state, f"orders: {{replacements: [{{unit: {uid}, gain: flip}}]}}").steps(uid) == 2
    found = placements(state, "g-43")
    assert {"2422", "2325", "2624"} <= set(found)
    assert "2624" not in placements(place(RX + "; control 2624 russian"), "g-43")


def test_10_2_replacement_example_the_russian_side():
    """Replacement Example: the Russian may flip C (2724, in communication with the eastern edge) or place a unit in
    either E. An edge hex in a German zone (D) takes no unit even though it is in communication. Taganrog, were it his,
    would not be in communication: C lies in the zones of both infantry corps (K-15, K-37)."""
    text = RX + "; stage russian-orders; control 2624 russian"
    state = place(text)
    assert in_communication(state, "2724", "russian")
    assert play(state, "orders: {replacements: [{unit: r-44, gain: flip}]}").steps("r-44") == 2
    found = placements(state, "r-70")  # no unit of Central Front is on the map
    assert {"2824", "2721"} & set(found) == {"2824", "2721"}  # E: Rostov, and Voroshilovgrad beside the 4th Corps
    assert "2624" not in found
    assert not in_communication(state, "2624", "russian")
    near_edge = place(text + "; 2920: g-4")  # D: 3020, an edge hex beside a German unit
    assert in_communication(near_edge, "3020", "russian")
    assert "3020" not in placements(near_edge, "r-70")
    assert "3020" in found


def test_10_6_worked_sums_of_the_replacement_points():
    """10.6: Turn 1, German Engage and Russian Deploy: 1 - 1 = 0 IRP, 7 - 1 = 6 ARP; Russian 3 + 0 = 3 and 2 - 2 = 0.
    Turn 2, German Engage again: 1 - 1 = 0 IRP and -1 - 1 = -2 ARP, two steps must be removed (K-12)."""
    one = place("turn 1; posture german engage russian deploy")
    assert replacements.count_points(kursk(), one, "german") == {"IRP": 0, "ARP": 6}
    assert replacements.count_points(kursk(), one, "russian") == {"IRP": 3, "ARP": 0}
    two = place("1507: g-3-pz | 1607: g-11; turn 2")
    assert replacements.count_points(kursk(), two, "german") == {"IRP": 0, "ARP": -2}
    refused(two, "", "10.6", "2 more armor steps must be given up")
    assert play(two, "orders: {give-ups: [g-3-pz, g-3-pz]}").at("g-3-pz") == "eliminated"


def test_9_3_ex_nine_to_four_counts_five():
    """9.3 EX: a full German panzer of 9 takes a loss and is flipped to 4. The loss is 5 points, and the attacker
    must lose at least 5; two armies of 8 lose a step of 4 each (K-57)."""
    state = place("1915: g-3-pz | 2014: r-38 | 2015: r-40; stage russian-orders")
    played = play(state, battles(attack("1915", "r-38 r-40", losses="r-38, r-40")), dice={"b1": 6})
    assert (played.fought().attack.total, played.fought().defence.total, played.fought().result) == ("16", "9", "EX")
    (loss,) = played.of(StepsLost, unit="g-3-pz")
    assert (loss.lost, loss.left, loss.why) == (1, 1, "exchange: 5 strength points")
    assert (played.steps("r-38"), played.steps("r-40")) == (0, 2)
    assert payments("r-38 r-40", 5) == [{"r-40": 2}, {"r-38": 1, "r-40": 1}, {"r-38": 2}]


def test_5_0_nine_cities_and_one_for_losses_is_ten():
    """5.0: historically the Russians had 10 points: 9 Major Cities and 1 for fewer units eliminated (K-70)."""
    west = ("1015", "1404", "1808", "1818", "1821", "1923", "2110", "2117", "2422")
    text = "; ".join(f"control {label} russian" for label in west)
    alive = "2402: r-63 | 2303: r-5 | 0606: g-43"
    state = place(f"{alive}; turn 8; {text}")
    units = {
        **state.units,
        **{
            uid: state.units["r-5"].__class__("off-map", 1)
            for uid in state.units
            if uid.startswith("r-") and uid not in ("r-63", "r-5")
        },
    }
    result = victory.score(kursk(), state.with_(units=units))
    assert (result.cities["russian"], result.losses["russian"], result.total) == (9, 1, 10)
    ended = message(state.with_(units=units, stage="russian-orders", side="russian"))
    assert victory.find_verdict(kursk(), ended.after).text == "Russian strategic victory (5.0)"
    assert view(state).cities["russian"]
