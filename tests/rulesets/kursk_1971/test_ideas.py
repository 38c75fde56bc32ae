"""The ideas of a practice opponent: legal, calculable orders by every plan, and the worth of positions."""

import pytest

from kursk_pbem.kernel.ideas import be_calm
from kursk_pbem.kernel.state import OVER
from kursk_pbem.practice.kursk_1971.ideas import IDEAS
from kursk_pbem.practice.levels import make_whim, think
from kursk_pbem.practice.play import HashedDice, Table
from kursk_pbem.rulesets.kursk_1971 import RULESET
from kursk_pbem.rulesets.kursk_1971.position import position
from kursk_pbem.rulesets.kursk_1971.setting import GERMAN, SOVIET
from rulesets.kursk_1971.kit import KIT

KEYS = [plan.key for plan in IDEAS.plans]
PRINT = {"edition": "print", "optional-rules": "both-played"}


def play(kursk, plans, seed):
    """Yield every table of a game in which the sides follow two plans, one with whims."""
    whims = {GERMAN: be_calm, SOVIET: make_whim(seed)}

    def follow(side):
        return lambda state, seq, own: IDEAS.propose(kursk, state, seq, plans[side], own, whims[side])

    table = Table(RULESET, kursk, RULESET.data.setup(kursk))
    while not table.is_over:
        yield table
        table = table.play_message(HashedDice(table.seq, seed), {side: follow(side) for side in RULESET.sides})
    yield table


def check_position(kursk, table, seed):
    """The worth is a whole number; a gain of one side is a loss of the other; equal positions give equal orders."""
    worth = IDEAS.evaluate(kursk, table.state, GERMAN)
    assert type(worth) is int
    assert worth == -IDEAS.evaluate(kursk, table.state, SOVIET)
    if table.seq in (1, 2, 5):
        state = table.show_duties(HashedDice(table.seq, seed)).state
        first, second = (IDEAS.propose(kursk, state, table.seq, KEYS[0], {}, make_whim("mood")) for _ in range(2))
        assert first == second


@pytest.mark.some(3)
@pytest.mark.parametrize(
    ("name", "options", "refereed", "plans"),
    [
        ("july4", {}, False, KEYS[:2]),
        ("august3", PRINT, True, KEYS[1:]),
        ("may3", {"edition": "print"}, False, KEYS[:0:-1]),
    ],
)
def test_every_plan_is_legal_at_every_stage(name, options, refereed, plans):
    kursk = KIT.setting(f"kursk-1971/{name}", options, refereed=refereed)
    tables = [*play(kursk, dict(zip(RULESET.sides, plans, strict=True)), name)]
    for table in tables:
        check_position(kursk, table, name)
    stages = {table.state.stage for table in tables}
    assert stages >= {"german-orders", "soviet-orders", "german-dice", "soviet-set-up", OVER}


def test_an_attack_goes_whose_supply_a_later_march_cuts_6_0_b_7_0_g():
    """A game of level 1 in which a march behind an attacker left the attack without strength."""
    scenario, options = KIT.of_seed(36)
    kursk = KIT.setting(scenario, options)
    table = Table(RULESET, kursk, RULESET.data.setup(kursk))

    def follow(side):
        seed = f"{scenario}/36/{side}"
        return lambda state, seq, own: think(RULESET, kursk, state, seq, own, 1, seed)

    while not table.is_over:  # an illegal message raises
        table = table.play_message(
            HashedDice(table.seq, f"{scenario}/18"), {side: follow(side) for side in RULESET.sides}
        )


def open_game(plan):
    """Return the first orders of the Germans on July 4 by a plan, and the position before them."""
    kursk = KIT.setting("kursk-1971/july4-historical")
    state = RULESET.data.setup(kursk)
    return IDEAS.propose(kursk, state, 1, plan, {}, be_calm)["orders"], position(kursk, state)


def test_the_line_attacks_less_and_stands_safer_than_the_main_battle():
    battles = {plan: open_game(plan)[0].get("battles", ()) for plan in ("battle", "line")}
    assert 0 < len(battles["line"]) < len(battles["battle"])


def test_a_drive_brings_more_tanks_near_the_city():
    def count_steps(plan):
        orders, pos = open_game(plan)
        board, (kursk,) = pos.setting.board, pos.setting.objectives
        tanks = [each for each in orders["movement"] if pos.setting.counters[each["unit"]].motorized]
        return sum(
            board.distance(pos.where[each["unit"]], kursk) - board.distance(board.index[each["to"]], kursk)
            for each in tanks
        )

    assert count_steps("drive") > count_steps("battle")
