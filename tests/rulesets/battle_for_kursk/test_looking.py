"""Information before a choice: reasons, formations, interrupted communication, tables and the turn track."""

import re
from dataclasses import replace

import pytest

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.report import moves
from kursk_pbem.rulesets.battle_for_kursk import RULESET, battles
from kursk_pbem.rulesets.battle_for_kursk.orders import Battle
from kursk_pbem.rulesets.battle_for_kursk.position import position
from kursk_pbem.rulesets.battle_for_kursk.seen import formations, outlook
from rulesets.battle_for_kursk.board import kursk, place, view

SEEN = RULESET.seen


def why(text, unit, to):
    """Return the reasons of both phases, without the name of the phase; equal reasons once."""
    found = [reason.partition(": ")[2] for reason in SEEN.why(kursk(), place(text), unit, to)]
    return found[0] if len(set(found)) == 1 else found


# 8.0 to 8.3: why a unit cannot get there


@pytest.mark.parametrize(
    ("text", "unit", "to", "reason"),
    [
        ("2117: g-3-pz", "g-3-pz", "1410", "too far by 4 MP: the cheapest way costs 10 of 6 [8.0]"),
        ("2707: g-3-pz | 2710: r-5", "g-3-pz", "2710", "hex 2710 holds an enemy unit (r-5) [8.2.1]"),
        ("2707: g-3-pz | 2708: g-52", "g-3-pz", "2708", "2708 holds a friendly unit (g-52) when the move ends [8.2.2]"),
        ("2707: g-3-pz", "g-3-pz", "2707", "it is there already, perhaps by an earlier order [8.0]"),
        ("2707: g-3-pz; mud", "g-3-pz", "2709", "in mud a unit moves one hex, except infantry by rail [11.1]"),
    ],
)
def test_8_0_the_reason_why_a_hex_is_out_of_reach(text, unit, to, reason):
    found = why(text, unit, to)
    assert reason in (found if isinstance(found, str) else " ".join(found))


def test_8_3_a_zone_of_control_is_named_with_the_unit_and_the_hex():
    """Between two enemies, side by side, every short way leads through their zones."""
    text = "2707: g-3-pz | 2609: r-5 | 2809: r-6-g"
    assert "2711" not in [
        end.place
        for phase in outlook.make_outlook(kursk(), place(text), "g-3-pz").phases
        for mover in phase.movers
        for end in mover.ends
    ]
    found = why(text, "g-3-pz", "2711")
    zone = r"2[678]\d\d lies in an enemy zone of control, that of .*r-\S+ in 2\d09: the move ends there \[8\.3\]"
    assert re.fullmatch(zone, found)


def test_8_1_infantry_away_from_a_railway_is_told_so():
    rails = kursk().on_rails
    here = next(label for label, hex_ in kursk().board.index.items() if not rails >> hex_ & 1 and label > "1500")
    armor_and_rail, movement = SEEN.why(kursk(), place(f"{here}: g-52"), "g-52", "2525")
    assert armor_and_rail == (
        "Armor and Rail Movement Phase: in this phase infantry moves only by rail, from a railway on "
        "its own side of the Start Line [8.1]"
    )
    assert movement.startswith("Movement Phase: too far by ")


def test_a_hex_that_can_be_reached_has_no_reason_and_one_that_is_none_is_refused():
    state = place("2117: g-3-pz")
    assert SEEN.why(kursk(), state, "g-3-pz", "2118") == ()
    with pytest.raises(UsageError, match="'9999' is not a hex"):
        SEEN.why(kursk(), state, "g-3-pz", "9999")


@pytest.mark.long
def test_8_0_whatever_is_not_offered_has_a_reason_and_whatever_is_has_none(played):
    """In positions of whole games, for a unit of each side and every hex of the map."""
    for setting, game in played[:2]:
        state = game[len(game) // 2][0]
        pos = position(setting, state)
        for unit in (next(uid for uid in sorted(pos.where) if uid[0] == side) for side in "gr"):
            found = outlook.make_outlook(setting, state, unit)
            for label in list(setting.board.index)[::7]:
                reached = [
                    phase.key
                    for phase in found.phases
                    for mover in phase.movers
                    if any(end.place == label for end in mover.ends)
                ]
                assert len(reached) + len(SEEN.why(setting, state, unit, label)) == len(found.phases)


# 3.3, 9.2.1: formations


def test_9_2_1_the_card_of_a_unit_names_its_formation_and_each_offensive_that_it_can_take_part_in():
    """K-42, K-43: exactly the legal Offensives."""
    text = "2015: g-48-pz | 2016: g-3-pz | 1916: g-52 | 2117: g-13 | 2014: r-5"
    offensive = "Possible Offensive against r-5 in 2014, for one marker: leader g-48-pz, supporting units"
    about = formations.describe_unit(view(place(text)), "g-3-pz")
    assert about[0] == "panzer, 9-6, 2 steps; 4th Panzer Army: g-48-pz in 2015, g-52 in 1916"
    assert about[1] == f"{offensive} g-3-pz [9.2.1]."
    spent = formations.describe_unit(view(place(f"{text}; offensives german 0")), "g-3-pz")
    assert spent == about, "it says where units stand, whatever markers are left, and promises no attack"
    assert not any("g-13" in line for line in about), "of another army"
    lead = formations.describe_unit(view(place(text)), "g-48-pz")
    assert f"{offensive} g-3-pz, g-52 [9.2.1]." in lead
    infantry = formations.describe_unit(view(place(text)), "g-52")
    assert "Infantry cannot lead an Offensive, but can attack in it or support it [9.2.1]." in infantry


def test_9_2_1_what_a_card_says_of_support_is_what_the_rules_take(played):
    """Each named supporter may be declared, in positions of whole games."""
    seen = 0
    for setting, game in played:
        for state, _filing, _result in game[:: max(1, len(game) // 4)]:
            pos = position(setting, state)
            for uid in pos.where:
                for line in formations.describe_unit(pos, uid):
                    found = re.match(r"Possible .* in (\d{4}), for .*: leader (\S+), supporting units (.*) \[", line)
                    if found:
                        support = tuple(found[3].split(", "))
                        battle = Battle("b", setting.board.index[found[1]], "", (found[2],), found[2], support)
                        assert setting.counters[found[2]].leads
                        for who in support:
                            assert not any(wrong for wrong, _why in battles._support_slips(pos, battle, who)), line
                            seen += 1
    assert seen > 20


def test_3_3_formation_all_units_of_a_side_stand_in_its_list():
    state = RULESET.data.setup(kursk("citadel"))
    pos = view(state, "citadel")
    for side in ("german", "russian"):
        about = formations.of_side(pos, side)
        assert about[0] == "Formations; * may lead an Offensive [9.2.1]"
        named = re.findall(r"[gr]-[a-z0-9-]+", " ".join(line for line in about[1:] if "Not In" not in line))
        assert sorted(named) == sorted(uid for uid in pos.where if uid.startswith(side[0]))
    assert "4th Panzer Army: g-11, g-2-ss*, g-3-pz*, g-42, g-48-pz*, g-52" in formations.of_side(pos, "german")
    assert outlook.make_outlook(kursk("citadel"), state, "").about == formations.of_side(pos, state.side)


# 10.0: what cuts a unit off


def test_10_0_in_communication_the_enemy_that_cuts_a_unit_off_is_named():
    """K-37: surrounded on all sides: every way enters a zone first."""
    around = [kursk().board.labels[hex_] for hex_ in bits(kursk().board.near[kursk().board.index["2112"]])]
    units = ("g-3-pz", "g-48-pz", "g-2-ss", "g-52", "g-11", "g-42")
    ring = " | ".join(f"{label}: {uid}" for label, uid in zip(around, units, strict=True))
    pos = view(place(f"2112: r-13 | {ring}"))
    text = formations.explain_cut(pos, "r-13")
    first = re.search(r"is cut in (\d{4}), (the hex of \S+|zone of control of \S+ in \d{4})", text)
    assert text.startswith(
        "r-13 in 2112 is not In Communication: the path to the edge with the fewest obstacles, 2112-"
    )
    assert first[1] in around
    assert "[10.0-in-communication]." in text
    assert not pos.communication("russian") >> pos.where["r-13"] & 1


def test_10_0_in_communication_exactly_those_out_of_it_have_an_obstacle(played):
    out = 0
    for setting, game in played:
        for state, _filing, _result in game[:: max(1, len(game) // 5)]:
            pos = position(setting, state)
            for uid in pos.where:
                text = formations.explain_cut(pos, uid)
                assert bool(text) != bool(pos.communication(pos.side(uid)) >> pos.where[uid] & 1)
                out += bool(text)
                if text:
                    for label in re.findall(r"(\d{4}), (?:the hex|zone)", text):
                        assert label in setting.board.index
    assert out


def test_10_0_the_map_tells_who_is_out_of_communication(played):
    setting, game = played[0]
    state = game[-1][0]
    cut = list(formations.cut_off(position(setting, state)))
    assert list(SEEN.picture(setting, state).notes()) == cut


# The tables


def table(title, scene="citadel"):
    return next(each for each in SEEN.tables(kursk(scene)) if each.title == title)


def test_9_1_the_table_of_results_is_that_which_fights():
    found = table("Combat Results Table")
    assert found.head == ("die", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1")
    assert {(column, int(row[0])): row[column] for row in found.rows for column in range(1, 7)} == kursk("citadel").crt
    assert found.provenance.startswith("reconstructed: Four cells are shown by the examples")
    assert "AL: attacker's loss" in found.notes[0]


def test_8_0_terrain_the_chart_is_that_which_moves_and_shifts():
    rows = {row[0]: row[1:] for row in table("Terrain Effects Chart").rows}
    assert rows["marsh"] == ("all", "-", "at half strength")
    assert rows["forest"] == ("2", "-1", "")
    assert rows["Major City"] == ("1", "-1", "")
    assert rows["across a river"] == ("+0", "-1", "")
    assert rows["across a Major River"] == ("all", "-2", "")
    assert "reconstructed (hexes rough): 2 points" in table("Terrain Effects Chart").provenance
    assert "in mud a unit moves one hex, except by rail [11.1]" in table("Terrain Effects Chart").notes[0]


def test_12_0_the_postures_are_those_that_pay():
    found = {row[0]: row[1:] for row in table("Postures").rows}
    for posture, (phases, *points) in found.items():
        assert set(phases.split(", ")) == kursk().phases[posture]
        paid = [kursk().posture_rp[side][posture] for side in ("german", "russian")]
        assert [int(each) for each in points] == [*paid[0], *paid[1]]


def test_5_0_level_the_levels_are_those_of_the_reckoning():
    assert table("Victory levels").rows == (("draw", "0"), ("operational", "1 to 5"), ("strategic", "6 or more"))
    assert table("Victory levels").provenance.startswith("reconstructed")


def track(state, options=None, scene="citadel"):
    setting = kursk(scene) if options is None else RULESET.data.load(kursk(scene).scenario, options, "players")
    (found,) = SEEN.track(setting, state)
    return found, {row[0].strip("> "): row[1:] for row in found.rows}


def test_4_0_turn_track_every_turn_with_what_it_brings_and_a_mark_at_the_present_one():
    state = RULESET.data.setup(kursk("citadel"))
    found, rows = track(state)
    assert [row[0] for row in found.rows] == ["> 1", *(f"  {turn}" for turn in range(2, 9))]
    assert rows["2"] == ("July 12", "dry", "+1", "-1", "-", "+4", "+2", "1", "P/E")
    assert rows["7"][1] == "mud"
    assert "German: 3 of 3 Offensive markers available; no posture shown yet, deploy the turn before." in found.notes
    # Turn 6 brings a line of 18 hexes; one of the hexes is also in a line of turn 5.
    begun = [note.split()[1:3] for note in found.notes if note.endswith("German fortifications become active.")]
    assert begun == [["3:", "7"], ["4:", "7"], ["5:", "16"], ["6:", "17"]]
    assert found.provenance.startswith("reconstructed (1): The replacements of both sides are attested")


def test_11_3_the_track_says_on_what_roll_mud_comes():
    """K-64: with the option, only for turns with a die; the present turn has its result."""
    state = RULESET.data.setup(kursk("citadel"))
    _found, rows = track(state, {"weather": "die"})
    assert [rows[turn][1] for turn in ("5", "6", "7", "8")] == ["dry", "mud on 1", "mud on 1-2", "mud on 1-3"]
    now = state.with_(turn="7", tracks={**state.tracks, "mud": 1})
    _found, rows = track(now, {"weather": "die"})
    assert (rows["6"][1], rows["7"][1]) == ("rolled", "mud")


def test_8_1_by_rail_is_not_the_same_as_on_foot():
    """Bug: for infantry with one destination along a railway, the output called the movement 'the same as above', by
    rail."""
    foes = ("2109: r-38", "2208: r-40", "2210: r-52", "2309: r-69", "2310: r-70")
    state, words = place(" | ".join(("2209: g-23", *foes))), SEEN.words(kursk())
    side, unit = SEEN.outlook(kursk(), state, ""), SEEN.outlook(kursk(), state, "g-23")
    told = moves.list_side_moves("", side, words), moves.list_unit_moves("", unit, words, SEEN.picture(kursk(), state))
    assert [text.count("as above") for text in told] == [0, 0]
    assert "by rail 1 MP 2110*" in told[0]
    assert "in 2209: 1 MP 2110*" in told[0]


def test_8_0_of_the_nearest_units_none_at_the_same_distance_is_left_out():
    """Bug: the list was cut at two, and a third unit adjacent to the same hex was not named."""
    state = place("2011: r-70 | 2111: g-41-pz | 2010: g-47-pz | 1911: g-46-pz | 1811: g-20; stage german-orders")
    seen, shapes = SEEN.outlook(kursk(), state, ""), SEEN.picture(kursk(), state)
    stuck = replace(seen, phases=tuple(replace(phase, movers=()) for phase in seen.phases))
    assert {uid for uid, _goal in moves.find_nearest(stuck, shapes, "2011")} == {"g-41-pz", "g-46-pz", "g-47-pz"}


def test_8_0_a_move_to_where_an_earlier_order_leads_says_so():
    """Bug: 'cannot reach 2016 from 2016: it stands there already', of a unit that stood in 2017."""
    assert why("2016: g-2-ss", "g-2-ss", "2016") == "it is there already, perhaps by an earlier order [8.0]"
