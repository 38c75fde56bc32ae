"""9.3 stand fast and fortifications: the options to save a unit, and the answers filed before the dice."""

import pytest

from kursk_pbem.kernel.events import Decided, Removed, StepsLost
from kursk_pbem.rulesets.battle_for_kursk import answers
from rulesets.battle_for_kursk.board import attack, battles, message, place, play

OPEN = "2707: r-5 | 2606: g-48-pz | 2706: g-2-ss"  # 21 against 8: 2:1
TWO = battles(attack("2707", "g-48-pz g-2-ss"))
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


def test_9_3_stand_fast_is_not_for_cities_fields_or_drl():
    """Yelets is an ordinary city, 2707 a field: no standing fast. In Moscow DRL is carried out as it is (K-54)."""
    policy = "policy: {stand-fast: always}"
    city = place("2511: r-5 | 2510: g-48-pz | 2411: g-2-ss; turn A; clear")
    assert play(city, battles(attack("2511", "g-48-pz g-2-ss")), dice={"b1": 3}, answer=policy).at("r-5") != "2511"
    assert play(place(OPEN), TWO, dice={"b1": 3}, answer=policy).at("r-5") != "2707"
    moscow = place("2402: r-5 | 2401: g-48-pz | 2302: g-2-ss | 2502: g-3-pz | 2403: g-57-pz; turn A; clear")
    orders = battles(attack("2402", "g-48-pz g-2-ss g-3-pz g-57-pz"))
    played = play(moscow, orders, dice={"b1": 4}, answer=policy)
    assert played.fought().result == "DRL"
    assert played.of(Decided) == []


def test_9_3_fortifications_turn_dr_and_drl_into_ex():
    """In an own active fortification DR and DRL may become EX; DE may not (K-55)."""
    state = place("1906: r-5 reduced | 1805: g-2-ss | 1806: g-48-pz; turn B")
    for die, rolled, always in ((1, "DR", "exchange"), (4, "DRL", "exchange"), (6, "DE", None)):
        played = play(
            state,
            battles(attack("1906", "g-2-ss g-48-pz")),
            dice={"b1": die},
            answer="policy: {exchange-dr: always, exchange-drl: always}",
        )
        assert played.fought().result == rolled
        assert [e.chosen for e in played.of(Decided)] == ([always] if always else [])
        lost = [e.unit for e in played.of(Removed) + played.of(StepsLost) if e.unit != "r-5"]
        assert bool(lost) == bool(always)


def test_9_3_fortifications_not_of_the_enemy_and_not_before_their_turn():
    """A German in the Moscow Belt, and a Russian in it on turn A, have no such choice (K-52, K-55)."""
    early = place("1906: r-5 reduced | 1805: g-2-ss | 1806: g-48-pz; turn A; clear")
    played = play(
        early, battles(attack("1906", "g-2-ss g-48-pz")), dice={"b1": 4}, answer="policy: {exchange-drl: always}"
    )
    assert played.of(Decided) == []
    german = place("1906: g-11 | 1905: r-4-t | 2005: r-3-gt | 1907: r-10; turn B; stage russian-orders")
    played = play(
        german, battles(attack("1906", "r-4-t r-3-gt")), dice={"b1": 2}, answer="policy: {exchange-dr: always}"
    )
    assert (played.fought().result, played.of(Decided)) == ("DR", [])


def test_9_3_fortifications_in_a_major_city_give_three_ways():
    """DR on a full unit in fortified Tula: retreat, stand fast or exchange, as the answer says (K-55, K-74)."""
    state = place(TULA)
    ways = {
        "policy: {stand-fast: never, exchange-dr: never}": "accept",
        "policy: {stand-fast: always, exchange-dr: always}": "stand-fast",
        "policy: {stand-fast: never, exchange-dr: full}": "exchange",
    }
    for answer, chosen in ways.items():
        played = play(state, AT_TULA, dice={"b1": 3}, answer=answer)
        assert played.fought().result == "DR"
        assert [(e.chosen, e.source) for e in played.of(Decided)] == [(chosen, "filed")]
        assert (played.at("r-5") == "2406") == (chosen == "stand-fast")
    reduced = place(TULA.replace("2406: r-5", "2406: r-5 reduced"))
    played = play(
        reduced,
        battles(attack("2406", "g-48-pz g-2-ss")),
        dice={"b1": 1},
        answer="policy: {stand-fast: always, exchange-dr: always}",
    )
    # the unit is eliminated anyway, and the exchange costs German steps
    assert [e.chosen for e in played.of(Decided)] == ["exchange"]


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


def test_9_3_stand_fast_defaults_save_only_what_is_lost_anyway():
    """Nothing answered: DR on a unit that can retreat is accepted; a doomed full unit stands fast; DRL on a fortified
    unit becomes an exchange always (K-75)."""
    assert answers.DEFAULT_POLICY == {"stand-fast": "doomed", "exchange-dr": "doomed", "exchange-drl": "always"}
    played = play(place(TULA), AT_TULA, dice={"b1": 3})
    assert [(e.chosen, e.source) for e in played.of(Decided)] == [("accept", "default")]
    fort = place("1906: r-5 | 1805: g-2-ss | 1806: g-48-pz | 1907: g-3-pz | 2005: g-57-pz; turn B")
    played = play(fort, battles(attack("1906", "g-2-ss g-48-pz g-3-pz g-57-pz")), dice={"b1": 4})
    assert played.fought().result == "DRL"
    assert [(e.chosen, e.source) for e in played.of(Decided)] == [("exchange", "default")]


def test_9_3_fortifications_doomed_means_by_the_result_as_rolled():
    """A reduced unit with an open way back is doomed by DRL and not by DR; a full one by neither (K-61, K-74)."""
    answer = "policy: {exchange-dr: doomed, exchange-drl: doomed}"
    orders = battles(attack("1906", "g-2-ss g-48-pz"))
    for unit, die, chosen in (("r-5 reduced", 1, "accept"), ("r-5 reduced", 4, "exchange"), ("r-5", 5, "accept")):
        state = place(f"1906: {unit} | 1805: g-2-ss | 1806: g-48-pz; turn B")
        played = play(state, orders, dice={"b1": die}, answer=answer)
        assert [event.chosen for event in played.of(Decided)] == [chosen]


def test_9_3_stand_fast_an_answer_names_battles_units_and_hexes_that_there_are():
    """A battle that was not declared, a unit of the enemy, a hex off the map (K-74)."""
    declared = play(place(OPEN), TWO).after
    full = "{stand-fast: full}"
    names = f"policy: {{battles: {{b9: {full}}}, units: {{g-11: {full}}}, hexes: {{'9999': {full}}}}}"
    found = message(declared, names, seq=11).violations
    assert [(v.rule, v.path[-1]) for v in found] == [
        ("9.3-stand-fast", "b9"),
        ("9.3-stand-fast", "g-11"),
        ("9.3-stand-fast", "9999"),
    ]
