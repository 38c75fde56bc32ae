"""9.3 Combat results: retreats, stand fast, exchange from fortifications, losses, answers and plans."""

from kursk_pbem.kernel.events import Removed, StepsLost
from rulesets.battle_for_kursk.board import attack, battles, place, play, retreats

BOXED = "1301: r-43 | 1200: g-48-pz | 1201: g-59 | 1302: g-2-ss | 1401: g-3-pz | 1400: g-57-pz"


def test_9_3_dr_off_the_map_only_when_no_path_on_the_map_exists():
    """At its own edge with an enemy in every adjacent hex: no path, not even a fatal path, so the unit leaves the
    map with its steps. With a free hex the unit is eliminated instead (K-61, 6; Combat Example 5)."""
    assert retreats(place(BOXED), "r-43") == ("exit", [])
    played = play(place(f"{BOXED}; turn A; clear"), battles(attack("1301", "g-2-ss g-3-pz")), dice={"b1": 3})
    assert (played.at("r-43"), played.steps("r-43")) == ("off-map", 2)
    assert retreats(place(BOXED.replace(" | 1400: g-57-pz", "")), "r-43")[0] == "fatal"


def test_9_3_ex_a_second_step_lost_on_the_way_is_not_matched():
    """A full unit that cannot retreat loses its first step (4) and is eliminated by the retreat: the exchange
    matches only the 4. Also for a step lost in a zone (K-57)."""
    state = place("1301: r-43 | 1201: g-59 | 1302: g-2-ss | 1401: g-3-pz; turn A; clear")
    played = play(state, battles(attack("1301", "g-2-ss g-3-pz g-59")), dice={"b1": 6})
    assert (played.fought().result, played.at("r-43")) == ("EX", "eliminated")
    assert {e.why for e in played.of(StepsLost) + played.of(Removed) if e.unit != "r-43"} == {
        "exchange: 4 strength points to match"
    }
