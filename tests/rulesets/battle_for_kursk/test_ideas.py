"""The ideas of a practice opponent: legal, calculable orders by every plan, and the worth of positions."""

import pytest
from helpers import sweeps

from kursk_pbem.game import scenario_files
from kursk_pbem.kernel.ideas import be_calm
from kursk_pbem.kernel.state import Unit
from kursk_pbem.practice.battle_for_kursk.ideas import IDEAS
from kursk_pbem.practice.levels import make_whim
from kursk_pbem.practice.play import HashedDice, Table
from kursk_pbem.rulesets.battle_for_kursk import RULESET, retreat
from kursk_pbem.rulesets.battle_for_kursk import setting as data
from kursk_pbem.rulesets.battle_for_kursk.position import position
from kursk_pbem.rulesets.battle_for_kursk.setting import ENEMY, GERMAN, RUSSIAN

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


@pytest.mark.parametrize("number", sweeps.some([4, *(number for number in range(len(KEYS)) if number != 4)], len(KEYS)))
def test_every_plan_is_legal_at_every_stage(number):
    """Both sides follow each plan once, with both dice modes, scenarios and answers."""
    name, dice = ("campaign" if number > 3 else "citadel"), ("players", "referee")[number % 2]
    kursk, stages = load(name, ASKED if number > 2 else {}, dice), set()
    for table in play(kursk, {GERMAN: KEYS[number], RUSSIAN: KEYS[number - 1]}, f"{number}"):
        stages.add(table.state.stage)
    assert stages >= {"opening", "posture", "russian-orders", "over"}
    assert number <= 2 or stages & {"weather", "weather-die"}


@pytest.fixture(scope="module")
def tables():
    """Return the tables of a game."""
    return list(play(load(), dict.fromkeys(RULESET.sides, KEYS[0]), "x"))


def test_a_successor_game_is_played_on(tables):
    kursk = load()
    start = next(table.state for table in tables if table.state.stage == "posture" and table.state.turn == "7")
    again = RULESET.data.resume(kursk, start)
    assert again.stage == "resumed"
    assert [*play(kursk, {GERMAN: KEYS[0], RUSSIAN: KEYS[1]}, "next", again)][-1].is_over


def test_the_worth_is_a_whole_number_and_what_one_side_wins_the_other_loses(tables):
    kursk, last = load(), tables[-1]
    for table in tables:
        worth = IDEAS.evaluate(kursk, table.state, GERMAN)
        assert type(worth) is int
        assert worth == -IDEAS.evaluate(kursk, table.state, RUSSIAN)
    assert IDEAS.evaluate(kursk, last.state, GERMAN) == 100 * RULESET.play.margin(kursk, last.state)


def test_equal_positions_give_equal_orders(tables):
    for table in tables[1:12:3]:
        state = table.show_duties(HashedDice(table.seq, "x")).state
        first, second = (IDEAS.propose(load(), state, table.seq, KEYS[0], {}, make_whim("mood")) for _ in range(2))
        assert first == second


def test_a_guess_is_a_possible_value_of_the_seal(tables):
    (table,) = (table for table in tables if table.seq == 2)
    assert IDEAS.guess(load(), table.state, "posture/turn-1", be_calm) in RULESET.play.guesses("posture/turn-1")


@pytest.fixture(scope="module")
def followed(tables):
    """Return plan -> the positions after its orders, in the first two turns of a game."""
    kursk, found = load(), {key: [] for key in KEYS}
    for table in tables:
        if table.state.stage in ("posture", "russian-orders"):
            shown = table.show_duties(HashedDice(table.seq, "x"))
            for key in KEYS:
                content = IDEAS.propose(kursk, shown.state, shown.seq, key, {}, be_calm)
                found[key].append(position(kursk, shown.take_choices(content).state))
        if table.state.turn == "2" and table.state.stage == "russian-orders":
            break
    return found


WRITERS = (GERMAN, RUSSIAN, GERMAN, RUSSIAN)


def count_sums(followed, measure):
    """Return plan -> the sum of a measure of its positions."""
    return {key: sum(map(measure, positions, WRITERS)) for key, positions in followed.items()}


def test_a_ring_closes_ways_of_retreat(followed):
    def measure(pos, side):
        return sum(retreat.permit(pos, uid).kind != retreat.FREE for uid in pos.units(ENEMY[side]))

    shut = count_sums(followed, measure)
    assert shut["ring"] > shut["cities"]


def test_a_raid_advances_without_supply(tables):
    kursk = load()
    (table,) = (table for table in tables if table.seq == 2)
    state, wishes = table.show_duties(HashedDice(2, "x")).state, {}
    for key in ("cities", "raid"):
        orders = IDEAS.propose(kursk, state, 2, key, {}, be_calm)["orders"]
        wishes[key] = [wish for battle in orders["battles"] for wish in battle["advance"]]
    assert all(wish.endswith("if-supplied") for wish in wishes["cities"])
    assert not any(wish.endswith("if-supplied") for wish in wishes["raid"])


def test_massing_brings_armor_together_at_one_city(followed):
    def measure(pos, side):
        setting, board = pos.setting, pos.setting.board
        armor = [pos.where[uid] for uid in pos.units(side) if setting.counters[uid].armor]
        goals = [hex_ for hex_, kind in setting.cities.items() if kind == "major"]
        return min(sum(board.distance(hex_, goal) for hex_ in armor) for goal in goals)

    apart = count_sums(followed, measure)
    assert apart["mass"] < apart["cities"]


def test_moscow_draws_both_sides(followed):
    def measure(pos, side):
        board, moscow = pos.setting.board, pos.setting.moscow
        return sum(board.distance(pos.where[uid], moscow) <= 9 for uid in pos.units(side))

    near = count_sums(followed, measure)
    assert near["moscow"] > near["cities"]


def test_space_is_given_without_a_battle(followed):
    german = followed["space"][2]
    assert german.state.mark(GERMAN, "posture") == "reposition"
    assert "battles" not in german.state.agenda
    beside = {
        key: (german.occupied[GERMAN] & german.ezoc(GERMAN)).bit_count()
        for key, (_a, _b, german, _c) in followed.items()
    }
    assert beside["space"] < min(count for key, count in beside.items() if key != "space")


def test_the_usual_plan_garrisons_an_open_city():
    """Smolensk is empty, and Russian armor is near."""
    kursk = load()
    start = RULESET.data.setup(kursk)
    places = {"g-59": "1205", "r-4-t": "1602", "g-23": "2210"}
    units = {uid: Unit(places[uid], 2) if uid in places else Unit("eliminated", 0) for uid in start.units}
    chosen = {side: {"previous": "engage", "posture": "engage"} for side in RULESET.sides}
    marks = {**chosen, "objective": {"side": GERMAN, "won": RUSSIAN}}
    state = start.with_(turn="6", side=GERMAN, stage="german-orders", units=units, marks=marks)
    moves = IDEAS.propose(kursk, state, 5, "cities", {}, be_calm)["orders"]["movement"]
    assert "1404" in [move["path"][-1] for move in moves]
