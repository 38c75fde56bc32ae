"""What a practice opponent thinks about: legal, calculable orders by every plan, and the worth of positions."""

import pytest

from kursk_pbem.game import scenario_files
from kursk_pbem.kernel.ideas import be_calm
from kursk_pbem.practice.levels import make_whim
from kursk_pbem.practice.play import HashedDice, Table
from kursk_pbem.rulesets.battle_for_kursk import RULESET
from kursk_pbem.rulesets.battle_for_kursk import setting as data
from kursk_pbem.rulesets.battle_for_kursk.ideas import IDEAS
from kursk_pbem.rulesets.battle_for_kursk.setting import GERMAN, RUSSIAN

KEYS = [plan.key for plan in IDEAS.plans]
ASKED = {"weather": "die", "uncovered": "ask"}


def load(name="citadel", options=None, dice="players"):
    return data.load(scenario_files.load(scenario_files.find(f"battle-for-kursk/{name}")), options or {}, dice)


def play(kursk, plans, seed, start=None):
    """Yield every table of a game in which the sides follow two plans, one with whims."""
    whims = {GERMAN: be_calm, RUSSIAN: make_whim(seed)}

    def follow(side):
        return lambda state, seq, own: IDEAS.propose(kursk, state, seq, plans[side], own, whims[side])

    table = Table(RULESET, kursk, start or RULESET.data.setup(kursk))
    while not table.is_over:
        yield table
        table = table.play_message(HashedDice(table.seq, seed), {side: follow(side) for side in RULESET.sides})
    yield table


@pytest.mark.parametrize("number", range(len(KEYS)))
def test_every_plan_is_legal_at_every_stage(number):
    """Both sides follow each plan once, with both dice modes, scenarios and answers."""
    name, dice = ("campaign" if number > 3 else "citadel"), ("players", "referee")[number % 2]
    kursk, stages = load(name, ASKED if number > 2 else {}, dice), set()
    for table in play(kursk, {GERMAN: KEYS[number], RUSSIAN: KEYS[number - 1]}, f"{number}"):
        stages.add(table.state.stage)
    assert stages >= {"opening", "posture", "russian-orders", "over"}
    assert number <= 2 or stages & {"weather", "weather-die"}


def test_a_successor_game_is_played_on():
    kursk = load()
    tables = list(play(kursk, {GERMAN: KEYS[0], RUSSIAN: KEYS[0]}, "first"))
    start = next(table.state for table in tables if table.state.stage == "posture" and table.state.turn == "2")
    again = RULESET.data.resume(kursk, start)
    assert again.stage == "resumed"
    assert [*play(kursk, {GERMAN: KEYS[0], RUSSIAN: KEYS[1]}, "next", again)][-1].is_over


def test_the_worth_is_a_whole_number_and_what_one_side_wins_the_other_loses():
    kursk = load()
    *tables, last = play(kursk, dict.fromkeys(RULESET.sides, KEYS[0]), "worth")
    for table in (*tables, last):
        worth = IDEAS.evaluate(kursk, table.state, GERMAN)
        assert type(worth) is int
        assert worth == -IDEAS.evaluate(kursk, table.state, RUSSIAN)
    assert IDEAS.evaluate(kursk, last.state, GERMAN) == 100 * RULESET.play.margin(kursk, last.state)


def test_equal_positions_give_equal_orders():
    for table in list(play(load(), dict.fromkeys(RULESET.sides, KEYS[0]), "equal"))[:12]:
        state = table.show_duties(HashedDice(table.seq, "equal")).state
        first, second = (IDEAS.propose(load(), state, table.seq, KEYS[0], {}, make_whim("mood")) for _ in range(2))
        assert first == second


def test_a_guess_is_a_possible_value_of_the_seal():
    kursk = load()
    table = next(table for table in play(kursk, dict.fromkeys(RULESET.sides, KEYS[0]), "seal") if table.seq == 2)
    assert IDEAS.guess(kursk, table.state, "posture/turn-1", be_calm) in RULESET.play.guesses("posture/turn-1")
