"""9.3 Combat results: retreats, stand fast, exchange from fortifications, losses, answers and plans."""

from kursk_pbem.kernel.events import Removed, StepsLost
from rulesets.battle_for_kursk.board import attack, battles, place, play


def test_9_3_ex_a_second_step_lost_on_the_way_is_not_matched():
    """A full unit that cannot retreat loses its first step (4) and is eliminated by the retreat: the exchange
    matches only the 4. Also for a step lost in a zone (K-57)."""
    state = place("1301: r-43 | 1201: g-59 | 1302: g-2-ss | 1401: g-3-pz; turn A; clear")
    played = play(state, battles(attack("1301", "g-2-ss g-3-pz g-59")), dice={"b1": 6})
    assert (played.fought().result, played.at("r-43")) == ("EX", "eliminated")
    assert {e.why for e in played.of(StepsLost) + played.of(Removed) if e.unit != "r-43"} == {
        "exchange: 4 strength points to match"
    }
