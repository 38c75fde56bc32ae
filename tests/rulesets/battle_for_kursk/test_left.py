"""Unused possibilities of orders in this game: a test for each kind, in a position without other lines."""

from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import Unit
from kursk_pbem.rulesets.battle_for_kursk.seen.unused import find_unused
from kursk_pbem.rulesets.battle_for_kursk.setting import FULL
from rulesets.battle_for_kursk.board import SEQ, attack, battles, kursk, message, moves, place, read

DEPLOY = "posture german deploy russian pause"
REPOSITION = "posture german reposition russian pause"


def said(line, text="", rule="", before=""):
    """Return the unused possibilities after a message in a position, all or for one paragraph.

    ``before``: a message that leads to the position, by the other side.
    """
    state, content = place(line), read(text)
    if before:
        state = message(state, before, seq=SEQ - 1).after
    result = message(state, content)
    assert result.legal, [str(each) for each in result.violations]
    filing = Filing(
        SEQ,
        state.side,
        orders=content.get("orders", {}),
        policy=content.get("policy", {}),
        sealed=content.get("seal", {}),
    )
    found = find_unused(kursk(), result.middle, result.events[result.duties :], filing)
    return [each.text for each in found if rule in ("", each.rule)]


def test_10_4_points_that_lapse_are_counted_with_who_could_take_them():
    """Turn D, Reposition: 1 infantry and 2 armor points; an eliminated unit and two reduced ones could take them. A
    unit with a gained step is no candidate any more; without unspent points there is no line."""
    line = f"1507: g-3-pz reduced | 1508: g-48-pz reduced; turn D; {REPOSITION}"
    infantry, armor = said(line, rule="10.4")
    assert infantry.startswith("1 infantry replacement point is unspent and lapses with the turn; a step could go to ")
    assert armor.startswith("2 armor replacement points are unspent and lapse with the turn; a step could go to ")
    one = "orders: {replacements: [{unit: g-3-pz, gain: flip}]}"
    _infantry, armor = said(line, one, rule="10.4")
    assert armor.startswith("1 armor replacement point is unspent")
    assert "(g-3-pz)" not in armor
    both = "orders: {replacements: [{unit: g-3-pz, gain: flip}, {unit: g-48-pz, gain: flip}]}"
    assert [text[:10] for text in said(line, both, rule="10.4")] == ["1 infantry"]


def test_10_4_points_that_nobody_could_take_are_not_missed():
    """Every unit stands on the map at full strength: the points lapse, and nothing could be done about it."""
    line = f"others stay; turn D; {REPOSITION}"
    assert said(line, rule="10.4") != []
    units = {uid: Unit(unit.place, FULL) for uid, unit in place(line).units.items()}
    assert {unit.place for unit in units.values()} <= set(kursk().board.index)
    full = place(line).with_(units=units)
    result = message(full)
    assert find_unused(kursk(), full, result.events, Filing(SEQ, "german")) != ()
    assert [
        each for each in find_unused(kursk(), full, result.events, Filing(SEQ, "german")) if each.rule == "10.4"
    ] == []


def test_9_0_a_posture_that_includes_combat_and_no_battle():
    """Engage, units beside the enemy, no battle: the best odds are named with their units."""
    line = "2013: g-48-pz | 2012: g-41-pz | 2113: r-13 reduced"
    (first,) = said(line, rule="9.0")
    assert first.startswith("the posture engage includes combat, and no battle is ordered: 2 units could attack; ")
    assert "could be attacked at " in first
    assert first.endswith("by g-41-pz, g-48-pz")
    assert said(f"{line}; {REPOSITION}", rule="9.0") == []


def test_9_0_units_that_could_attack_in_no_battle():
    """One unit attacks, and another could join. A unit adjacent to a stronger enemy has no line."""
    line = "2013: g-48-pz | 2012: g-41-pz | 2113: r-13 reduced | 1101: g-43 | 1200: r-3-sh"
    (found,) = said(line, battles(attack("2113", "g-48-pz", advance="g-48-pz")), rule="9.0")
    assert found == "1 unit could attack and takes part in no battle: XLI Panzer Corps (g-41-pz)"
    assert said(line, battles(attack("2113", "g-48-pz g-41-pz", advance="g-48-pz")), rule="9.0") == []


def test_9_2_1_a_marker_that_a_battle_could_use():
    """An Offensive led by the panzers with a unit of their army behind. Without a marker the check is silent, and
    also if the battle has an Offensive."""
    line = "2013: g-48-pz | 1913: g-2-ss | 2113: r-13 reduced; offensives german 2"
    order = battles(attack("2113", "g-48-pz", advance="g-48-pz"))
    (found,) = said(line, order, rule="9.2.1")
    assert found == "2 Offensive markers are left: b1 could be an Offensive led by g-48-pz, in support g-2-ss"
    assert said(line.replace("german 2", "german 0"), order, rule="9.2.1") == []
    led = battles(attack("2113", "g-48-pz", lead="g-48-pz", support="g-2-ss", advance="g-48-pz"))
    assert said(line, led, rule="9.2.1") == []


def test_9_3_battles_without_an_advance():
    """The plan may be sealed or open; the writer sees the same lines."""
    line = "2013: g-48-pz | 2113: r-13 reduced"
    (found,) = said(line, battles(attack("2113", "g-48-pz")), rule="9.3")
    assert found == "you planned no advance in b1: if you win, your units stay in place"
    assert said(line, battles(attack("2113", "g-48-pz", advance="g-48-pz")), rule="9.3") == []
    sealed = {**read(battles(attack("2113", "g-48-pz"))), "seal": {f"plans/{SEQ}": {"b1": {"advance": ["g-48-pz"]}}}}
    assert said(line, sealed, rule="9.3") == []


def test_9_3_dr_a_way_that_no_retreat_takes_is_told_to_be_vain():
    """2113 is left for 2313, two hexes away; not for 2213 beside it, not through the zone of 2013, nor onto a unit."""
    line = "2013: g-48-pz | 2113: r-13 reduced"
    for wishes in ("2313", "2213-2313", "away 2013", "toward 2213"):
        assert said(line, battles(attack("2113", "g-48-pz", retreat=wishes)), rule="9.3-dr") == []
    order = battles(attack("2113", "g-48-pz", retreat="2213, 2313, 2114-2215"))
    (found,) = said(line, order, rule="9.3-dr")
    assert found == "retreat 2213, 2114-2215 has no effect in b1: no permitted retreat fits now"
    blocked = battles(attack("2113", "g-48-pz", retreat="2313"))
    assert said(f"{line} | 2313: r-48", blocked, rule="9.3-dr") != []


def test_8_0_units_that_could_move_and_have_no_order():
    """Reposition: only movement. The list omits moved units, also units that moved by rail."""
    line = f"1507: g-3-pz | 1509: g-11; turn B; {REPOSITION}"
    (found,) = said(line, rule="8.0")
    assert found == "movement: 2 units could move and have no order: XI Corps (Raus) (g-11), III Panzer Corps (g-3-pz)"
    (found,) = said(line, moves("g-3-pz 1508"), rule="8.0")
    assert found == "movement: 1 unit could move and has no order: XI Corps (Raus) (g-11)"


def test_8_1_armor_and_rail_movement_that_is_not_used():
    """Deploy includes the movement; the program does not propose a second move."""
    line = f"1507: g-3-pz; turn B; {DEPLOY}"
    assert said(line, rule="8.1") == [
        "armor and rail movement: 1 unit could move and has no order: III Panzer Corps (g-3-pz)"
    ]
    text = moves("g-3-pz 1508", "armor-and-rail")
    assert said(line, text, rule="8.1") == []
    assert said(line, text, rule="8.0") == []


def test_8_1_who_attacks_or_supports_has_an_order():
    """Bug: the list contained these units as unordered, and the rules refuse a move of such a unit."""
    line = "2013: g-48-pz | 2014: g-2-ss | 1507: g-3-pz | 2113: r-13 reduced; offensives german 2"
    (found,) = said(line, battles(attack("2113", "g-48-pz", lead="g-48-pz", support="g-2-ss")), rule="8.1")
    assert found == "armor and rail movement: 1 unit could move and has no order: III Panzer Corps (g-3-pz)"


def test_12_1_the_objective_could_be_moved():
    """Deploy, and the marker shows the German side."""
    (found,) = said(f"1507: g-3-pz; turn B; {DEPLOY}", rule="12.1")
    assert found == "the Strategic Objective could be moved, and stays in 2113 Kursk"
    assert said(f"1507: g-3-pz; turn B; {REPOSITION}", rule="12.1") == []


def test_9_3_dr_off_the_map_a_unit_returns_where_nobody_said():
    """The umpire chooses the lowest hex, and the report says so."""
    line = f"off-map: g-11 | 1507: g-3-pz; turn B; {REPOSITION}"
    (found,) = said(line, rule="9.3")
    assert found.startswith("XI Corps (Raus) (g-11) returns in ")
    where = found.removesuffix(", because no place is ordered").rpartition(" in ")[2][:4]
    assert said(line, f"orders: {{returns: [{{unit: g-11, hex: '{where}'}}]}}", rule="9.3") == []


def test_9_3_a_choice_of_the_defender_that_is_not_answered():
    """Against a fortified unit: both exchanges. The list omits answered choices. K-73: choices without effect."""
    line = "1906: r-5 reduced | 1805: g-2-ss | 1806: g-48-pz; turn B"
    declared = battles(attack("1906", "g-2-ss g-48-pz"))
    one = (
        "b1: your answer leaves choices open, so the default applies: exchange on a DR if the unit would be eliminated"
    )
    assert said(line, before=declared) == [f"{one}, exchange on a DRL always"]
    assert said(line, "policy: {exchange-drl: never}", before=declared) == [one]
    assert said(line, "policy: {battles: {b1: {exchange-drl: never, exchange-dr: never}}}", before=declared) == []
    more = "exchange-drl: never}}, units: {r-5: {exchange-drl: full, exchange-dr: full}}, hexes: {'1906': "
    policy = f"policy: {{battles: {{b1: {{{more}{{exchange-drl: never, exchange-dr: always}}}}}}"
    assert said(line, policy, before=declared) == [
        "exchange-dr always for 1906 never counts: for r-5 the answer is exchange-dr full, which goes first",
        "exchange-drl full for r-5 never counts: for b1 the answer is exchange-drl never, which goes first",
    ]


def test_9_3_a_choice_for_which_no_die_asks_is_not_asked_for_and_in_vain():
    """At 6:1 a die gives DRL or DE, and never the DR of the other exchange; no unit is in a Major City."""
    line = "1906: r-5 reduced | 1805: g-2-ss | 1806: g-48-pz | 1905: g-3-pz; turn B"
    declared = battles(attack("1906", "g-2-ss g-48-pz g-3-pz"))
    (asked,) = said(line, before=declared)
    assert asked == "b1: your answer leaves choices open, so the default applies: exchange on a DRL always"
    policy = "policy: {battles: {b1: {exchange-dr: full, stand-fast: always, exchange-drl: never}}}"
    why = "no die roll gives this choice now"
    assert said(line, policy, before=declared) == [f"stand-fast, exchange-dr in b1 has no effect: {why}"]
    for policy, told in (
        ("{exchange-dr: full, exchange-drl: never}", ["exchange-dr for all"]),
        ("{exchange-drl: never, units: {r-5: {stand-fast: always}}}", ["stand-fast for r-5"]),
        ("{exchange-drl: never, hexes: {'1906': {stand-fast: full}}}", ["stand-fast for 1906"]),
        ("{exchange-drl: never}", []),
    ):
        assert said(line, f"policy: {policy}", before=declared) == [f"{each} has no effect: {why}" for each in told]
