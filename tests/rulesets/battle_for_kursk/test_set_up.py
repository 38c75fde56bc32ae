"""6.0 set-up of both scenarios: units, cities, markers, and the steps that the Russian distributes in the short
scenario."""

from kursk_pbem.rulesets.battle_for_kursk import RULESET
from kursk_pbem.rulesets.battle_for_kursk.setting import SIDES
from rulesets.battle_for_kursk.board import kursk, message, names, view


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


def test_12_1_a_game_goes_on_after_the_objective_is_won():
    """A won objective has left the map; a successor game begins with it, and with no other form of the marker."""
    state = RULESET.data.setup(kursk("citadel"))
    won = state.with_(marks={**state.marks, "objective": {"side": "german", "won": "german"}})
    assert RULESET.data.resume(kursk("citadel"), won) == won
    for wrong in ({"won": "german", "hex": "2113"}, {"won": ""}, {"hex": "0000"}, {"won": "german", "side": ""}, {}):
        marks = {**state.marks, "objective": {"side": "german", **wrong}}
        said = RULESET.data.resume(kursk("citadel"), state.with_(marks=marks))
        assert said == "the position does not fit the scenario: a mark is unknown"


def distribution(infantry=17, armor=8):
    counters = kursk("citadel").counters
    russian = [uid for uid, counter in counters.items() if counter.side == "russian"]
    chosen = [uid for uid in russian if counters[uid].infantry][:infantry]
    return chosen + [uid for uid in russian if counters[uid].armor][:armor]


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
