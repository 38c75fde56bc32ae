"""What a practice opponent thinks about: legal, calculable orders by every plan, and the worth of positions."""

import pytest

from kursk_pbem.kernel.ideas import be_calm
from kursk_pbem.kernel.state import OVER
from kursk_pbem.practice.juggernauts.ideas import IDEAS
from kursk_pbem.practice.levels import make_whim
from kursk_pbem.practice.play import HashedDice, Table
from kursk_pbem.rulesets.juggernauts import RULESET
from kursk_pbem.rulesets.juggernauts.position import position
from kursk_pbem.rulesets.juggernauts.setting import GERMAN, RUSSIAN
from rulesets.juggernauts.kit import KIT

KEYS = [plan.key for plan in IDEAS.plans]
CHOSEN = {"deployment": "by-choice", "aircraft": "flown"}


def load(options=None, *, refereed=False):
    return KIT.setting("juggernauts/july-1943", options, refereed=refereed)


def play(kursk, plans, seed):
    """Yield every table of a game in which the sides follow two plans, one with whims."""
    whims = {GERMAN: be_calm, RUSSIAN: make_whim(seed)}

    def follow(side):
        return lambda state, seq, own: IDEAS.propose(kursk, state, seq, plans[side], own, whims[side])

    table = Table(RULESET, kursk, RULESET.data.setup(kursk))
    while not table.is_over:
        yield table
        table = table.play_message(HashedDice(table.seq, seed), {side: follow(side) for side in RULESET.sides})
    yield table


def check_position(kursk, table, seed):
    """The worth is a whole number, one side wins what the other loses, and equal positions give equal orders."""
    worth = IDEAS.evaluate(kursk, table.state, GERMAN)
    assert type(worth) is int
    assert worth == -IDEAS.evaluate(kursk, table.state, RUSSIAN)
    if table.seq in (1, 2, 5):
        state = table.show_duties(HashedDice(table.seq, seed)).state
        first, second = (IDEAS.propose(kursk, state, table.seq, KEYS[0], {}, make_whim("mood")) for _ in range(2))
        assert first == second


@pytest.mark.some(4)
@pytest.mark.parametrize(
    ("options", "refereed", "plans"),
    [({}, False, KEYS[:2]), (CHOSEN, False, KEYS[2:]), (CHOSEN, True, KEYS[::2]), ({}, True, KEYS[::3])],
)
def test_every_plan_is_legal_at_every_stage(options, refereed, plans):
    kursk = load(options, refereed=refereed)
    tables = [*play(kursk, dict(zip(RULESET.sides, plans, strict=True)), "legal")]
    for table in tables:
        check_position(kursk, table, "legal")
    stages = {table.state.stage for table in tables}
    assert stages >= {"german-orders", "russian-orders", "german-dice", OVER}
    assert options == {} or stages >= {"german-half", "russian-half", "german-rest", "russian-rest"}


def open_game(plan):
    """Return the first orders of the Germans by a plan, and the position before them."""
    kursk = load()
    state = RULESET.data.setup(kursk)
    return IDEAS.propose(kursk, state, 1, plan, {}, be_calm)["orders"], position(kursk, state)


def test_a_drive_attacks_more_than_a_guard():
    attacks = {plan: len(open_game(plan)[0].get("battles", ())) for plan in KEYS}
    assert attacks["guard"] < min(attacks["battle"], attacks["drive"], attacks["pincer"])


def test_a_drive_brings_armour_nearer_to_kursk_than_a_guard():
    def count_steps(plan):
        orders, pos = open_game(plan)
        board, armour = pos.setting.board, [uid for uid in pos.units(GERMAN) if pos.counter(uid).tank]
        ends = {each["unit"]: board.index[each["path"][-1]] for each in orders.get("movement", ())}
        return sum(
            board.distance(pos.where[uid], kursk) - board.distance(ends.get(uid, pos.where[uid]), kursk)
            for uid in armour
        )

    kursk = load().board.index["L8"]
    assert count_steps("drive") > count_steps("guard")
