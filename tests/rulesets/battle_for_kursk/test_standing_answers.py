"""9.3 stand fast and fortifications: the options to save a unit, and the answers filed before the dice."""

import pytest

from kursk_pbem.kernel.events import Decided
from rulesets.battle_for_kursk.board import attack, battles, place, play

# A full Russian in fortified Tula against 33 points: 4:1, less two columns 2:1.
TULA = "2406: r-5 | 2405: g-48-pz | 2306: g-2-ss | 2305: g-3-pz | 2407: g-57-pz; turn B"
AT_TULA = battles(attack("2406", "g-48-pz g-2-ss g-57-pz"))


def test_9_3_stand_fast_on_dr_as_rolled():
    """A full unit in Moscow, DR: the unit may stand fast for a step. A reduced unit is eliminated in its hex (K-54)."""
    state = place("2402: r-5 | 2401: g-48-pz | 2302: g-2-ss | 2502: g-3-pz; turn A; clear")
    orders = battles(attack("2402", "g-48-pz g-2-ss g-3-pz"))
    played = play(state, orders, dice={"b1": 3}, answer="policy: {stand-fast: always}")
    assert (played.fought().column, played.fought().result) == ("2:1", "DR")
    assert (played.at("r-5"), played.steps("r-5")) == ("2402", 1)
    assert [(e.rule, e.owner, e.chosen) for e in played.of(Decided)] == [("9.3-stand-fast", "russian", "stand-fast")]


@pytest.mark.parametrize(
    ("answer", "chosen"),
    [
        ("policy: {stand-fast: full}", "stand-fast"),
        ("policy: {stand-fast: never, hexes: {'2406': {stand-fast: full}}}", "stand-fast"),
        ("policy: {hexes: {'2406': {stand-fast: full}}, units: {r-5: {stand-fast: never}}}", "accept"),
        ("policy: {units: {r-5: {stand-fast: never}}, battles: {b1: {stand-fast: always}}}", "stand-fast"),
        ("policy: {stand-fast: reduced, exchange-dr: reduced}", "accept"),
        ("policy: {stand-fast: doomed, exchange-dr: doomed}", "accept"),
    ],
)
def test_9_3_stand_fast_answers_go_from_battle_to_unit_to_hex_to_side(answer, chosen):
    """The most special answer counts (K-73); conditions look at the side of the counter before the result, and at
    whether the unit is doomed by the result as rolled (K-74)."""
    played = play(place(TULA), AT_TULA, dice={"b1": 3}, answer=answer)
    assert [e.chosen for e in played.of(Decided)] == [chosen]
