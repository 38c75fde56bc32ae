"""6.0 set-up of both scenarios: units, cities, markers, and the steps that the Russian distributes in the short
scenario."""

from kursk_pbem.kernel.events import Placed
from kursk_pbem.rulesets.battle_for_kursk import RULESET
from kursk_pbem.rulesets.battle_for_kursk.setting import FULL, REDUCED, SIDES
from rulesets.battle_for_kursk.board import kursk, message, names, play, refused, view


def test_6_0_every_unit_in_its_hex_and_every_city_with_its_side():
    """In both scenarios, units are in the hexes on their counters, and the sides of the line control the cities
    (K-7)."""
    for scene in ("campaign", "citadel"):
        game = kursk(scene)
        state = RULESET.data.setup(game)
        assert {uid: unit.place for uid, unit in state.units.items()} == {
            uid: counter.hex for uid, counter in game.counters.items()
        }
        cities = view(state, scene).cities
        for side in SIDES:
            assert names(cities[side]) == sorted(
                game.board.labels[hex_] for hex_, home in game.city_side.items() if home == side
            )


def test_6_0_1_markers_at_the_start():
    """Turn A, objective in Kursk with its German side up, Engage and Reposition before it, no Offensive (K-6)."""
    state = RULESET.data.setup(kursk())
    assert state.turn == "A"
    assert state.marks["objective"] == {"hex": "2113", "side": "german"}
    assert [state.mark(side, "previous") for side in SIDES] == ["engage", "reposition"]
    assert [state.tracks[f"offensives-{side}"] for side in SIDES] == [0, 0]
    assert state.tracks["engaged-german"] == 0


def test_12_1_a_game_goes_on_after_the_objective_is_won():
    """A won objective has left the map; a successor game begins with it, and with no other form of the marker."""
    state = RULESET.data.setup(kursk("citadel"))
    won = state.with_(marks={**state.marks, "objective": {"side": "german", "won": "german"}})
    assert RULESET.data.resume(kursk("citadel"), won) == won
    for wrong in ({"won": "german", "hex": "2113"}, {"won": ""}, {"hex": "0000"}, {"won": "german", "side": ""}, {}):
        marks = {**state.marks, "objective": {"side": "german", **wrong}}
        said = RULESET.data.resume(kursk("citadel"), state.with_(marks=marks))
        assert said == "the position does not fit the scenario: a mark is unknown"


def steps_of(state, side, scene="campaign"):
    counters = kursk(scene).counters
    return {uid: unit.steps for uid, unit in state.units.items() if counters[uid].side == side}


def test_6_0_2_all_russians_reduced():
    """Every Russian unit begins on its reduced side."""
    assert set(steps_of(RULESET.data.setup(kursk()), "russian").values()) == {REDUCED}


def test_6_0_3_german_infantry_full_but_four_and_panzers_reduced():
    """Four German infantry corps begin reduced, and every panzer corps."""
    steps = steps_of(RULESET.data.setup(kursk()), "german")
    reduced = {uid for uid, left in steps.items() if left == REDUCED}
    infantry = {uid for uid in steps if kursk().counters[uid].infantry}
    assert len(reduced & infantry) == 4
    assert reduced - infantry == set(steps) - infantry


def test_6_0_4_the_first_message_seals_a_posture():
    """Play begins with the posture of turn A: the Russian seals his, then the German chooses (K-79)."""
    state = RULESET.data.setup(kursk())
    assert (state.stage, state.side, state.tracks["mud"]) == ("opening", "russian", 1)
    refused(state, {"seal": {}}, "12.0-2", "must be sealed")
    after = play(state).after
    assert (after.stage, after.side, after.turn) == ("posture", "german", "A")


def distribution(infantry=17, armor=8):
    counters = kursk("citadel").counters
    russian = [uid for uid, counter in counters.items() if counter.side == "russian"]
    chosen = [uid for uid in russian if counters[uid].infantry][:infantry]
    return chosen + [uid for uid in russian if counters[uid].armor][:armor]


def test_6_0_short_scenario_begins_on_turn_1():
    """All Germans full, all Russians reduced before the distribution, 3 and 2 Offensives with the box of turn 1 added
    and capped, Deploy and Reposition before it (K-5)."""
    state = RULESET.data.setup(kursk("citadel"))
    assert state.turn == "1"
    assert set(steps_of(state, "german", "citadel").values()) == {FULL}
    assert [state.mark(side, "previous") for side in SIDES] == ["deploy", "reposition"]
    assert [state.tracks[f"offensives-{side}"] for side in SIDES] == [3, 2]


def test_6_0_short_scenario_seventeen_and_eight_steps():
    """The Russian flips 17 infantry and 8 armor units in their hexes, before any other action, openly (K-4)."""
    state = RULESET.data.setup(kursk("citadel"))
    played = play(state, {"orders": {"distribution": distribution()}}, scene="citadel")
    full = {uid for uid, left in steps_of(played.after, "russian", "citadel").items() if left == FULL}
    assert full == set(distribution())
    assert all(played.at(uid) == kursk().counters[uid].hex for uid in full)
    assert len(played.of(Placed, how="flip")) == 25


def test_6_0_short_scenario_all_steps_and_no_other():
    """Too few, too many of a kind, one twice, a German, an unknown unit: refused (K-4)."""
    state = RULESET.data.setup(kursk("citadel"))

    def faults(chosen):
        seal = {"posture/turn-1": {"posture": "pause"}}
        found = message(state, {"orders": {"distribution": chosen}, "seal": seal}, scene="citadel").violations
        assert {violation.rule for violation in found} == {"6.0-short-scenario"}
        return [violation.message for violation in found]

    assert faults([]) == ["17 infantry steps are still to be distributed", "8 armor steps are still to be distributed"]
    assert faults(distribution(18, 8)) == ["no infantry step is left"]
    assert faults([*distribution(), "g-11", "r-999"]) == ["is no Russian unit"] * 2
    twice = distribution()
    assert "is named twice" in faults([*twice[:-1], twice[0]])
