"""Shared code of plans: input of strangers, sealed plans, chosen ways, the decision where dice stop."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kursk_pbem.kernel.decisions import Decision
from kursk_pbem.kernel.events import Decided
from kursk_pbem.kernel.hexes import plans
from kursk_pbem.kernel.hexes.board import Board
from kursk_pbem.kernel.hexes.grid import Grid
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.umpire import Umpire

KINDS = ("retreat", "losses")
BOARD = Board(Grid(1, 6, 1, 6))


@dataclass(frozen=True)
class Plan(plans.Wishes):
    retreat: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()


def umpire(**agenda):
    return Umpire(None, State("1", "red", "dice", {}, agenda=agenda), 7, None)


def refusals(game):
    return [(each.rule, each.message, each.order, each.path) for each in game.violations]


# Reading

anything = st.recursive(
    st.text(max_size=4) | st.none() | st.integers(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*KINDS, "x"]), inner, max_size=3),
    max_leaves=8,
)


@given(anything)
def test_whatever_a_stranger_seals_is_read_as_words(value):
    plan = Plan.from_plain(value)
    assert Plan.kinds() == tuple(vars(plan)) == KINDS
    assert all(isinstance(wish, str) for wishes in vars(plan).values() for wish in wishes)
    assert Plan.from_plain(plan.to_plain()) == plan
    assert (plan.text() == "") == (plan == Plan())


def test_a_single_word_is_a_list_of_one_and_what_is_no_word_is_not_written():
    assert plans.read_plan({"retreat": "0101", "losses": ["a", ["b"], None, "c"]}, KINDS) == {
        "retreat": ("0101",),
        "losses": ("a", "c"),
    }
    assert plans.read_plan("retreat", KINDS) == {"retreat": (), "losses": ()}


def test_no_more_and_no_longer_wishes_count_than_an_open_plan_may_have():
    many = [str(number) for number in range(plans.MOST_WISHES + 3)]
    longest = "x" * plans.LONGEST_WISH
    assert plans.read_plan({"retreat": many}, KINDS)["retreat"] == tuple(many[: plans.MOST_WISHES])
    assert plans.read_plan({"losses": [longest, longest + "x", "y"]}, KINDS)["losses"] == (longest, "y")


def test_a_report_shows_the_beginning_of_what_is_absurdly_long():
    assert Plan(("0101", "away 0202")).text() == "retreat 0101, away 0202"
    assert Plan((), ("x" * 60,)).text() == f"losses {'x' * 40}"
    assert Plan((), ("x",) * 30).text().count("x") == 20


# Sealing


def test_plans_are_taken_out_of_the_battles_declared():
    orders = {
        "move": ["m"],
        "battles": [{"id": "b1", "hex": "0101", "retreat": ["0102"], "losses": []}, {"id": "b2", "hex": "0103"}],
    }
    shown, hidden = plans.separate_plans(orders, 4, KINDS)
    assert shown == {"move": ["m"], "battles": [{"id": "b1", "hex": "0101"}, {"id": "b2", "hex": "0103"}]}
    assert hidden == {"plans/4": {"b1": {"retreat": ["0102"]}}}
    assert orders["battles"][0]["retreat"] == ["0102"]  # the draft itself stays as it is


def test_plans_sealed_anew_are_for_battles_still_to_be_fought():
    game = umpire()
    found = list(plans.sealed_anew(game, "9", {"b2": {"x": 1}, "b9": {}}, {"b2", "b3"}, KINDS))
    assert found == [("b2", {"x": 1}, ("seal", "plans/7", "b2"))]
    assert refusals(game) == [("9", "is no battle that is still to be fought", "b9", ("seal", "plans/7", "b9"))]


def test_what_is_no_mapping_of_battles_is_refused_with_the_form_it_needs():
    game = umpire()
    assert list(plans.sealed_anew(game, "9", ["b2"], {"b2"}, KINDS)) == []
    assert refusals(game) == [("9", "write {battle: {retreat: [], losses: []}}", "plans/7", ("seal", "plans/7"))]


# Ways by wish


@pytest.mark.parametrize(
    ("wish", "steps", "fits"),
    [
        ("0101", 2, True),
        ("0101-0102", 2, True),
        ("toward 0101", 2, True),
        ("away 0606", 1, True),
        ("0101-0102", 1, False),
        ("0101-0102-0103", 2, False),
        ("0707", 2, False),
        ("0101-0707", 2, False),
        ("toward", 2, False),
        ("away 0707", 2, False),
        ("", 2, False),
        ("near 0101", 2, False),
    ],
)
def test_a_wish_for_a_way_names_hexes_of_the_map(wish, steps, fits):
    assert (plans.way_slip(wish, BOARD, steps) == "") == fits


def test_a_slip_tells_the_forms_there_are():
    assert plans.way_slip("x", BOARD, 2) == "'x' is not HEX, HEX-HEX, 'toward HEX' or 'away HEX'"
    assert plans.way_slip("x", BOARD, 1) == "'x' is not HEX, 'toward HEX' or 'away HEX'"


# The decision at which dice stop

DECISION = Decision("9.3", "conversion", "blue", "b1", ("accept", "stand"), "")


def test_its_owner_takes_it():
    game = umpire()
    plans.stop_dice(game, DECISION)
    assert plans.take_decision(game, Filing(8, "blue", decisions={"b1": "stand"}), "9.3", "9.3-stand")
    assert game.events[1] == Decided("9.3-stand", "conversion", "blue", "b1", "stand", "filed")
    assert dict(game.state.agenda) == {"decided": {"b1": "stand"}}
    assert not game.violations


def test_another_decision_and_another_option_are_refused():
    game = umpire()
    plans.stop_dice(game, DECISION)
    assert not plans.take_decision(game, Filing(8, "blue", decisions={"b1": "run", "b2": "stand"}), "9.3", "9.3-stand")
    assert refusals(game) == [
        ("9.3", "only b1 waits for a decision", "b2", ("decisions", "b2")),
        ("9.3", "decide one of accept, stand", "b1", ("decisions", "b1")),
    ]
    assert "pending" in game.state.agenda
    assert not plans.take_decision(game, Filing(8, "blue"), "9.3", "9.3-stand")
