"""Headlines by rank, battles with results, a battle in a headline and in prose: equal for every system."""

from dataclasses import replace

import pytest

from kursk_pbem.kernel.account import lines, prose
from kursk_pbem.kernel.account.battles import Fate, clashes, find_fates, write_headline
from kursk_pbem.kernel.events import (
    Force,
    Fought,
    Moved,
    Noted,
    PhaseBegan,
    Placed,
    Removed,
    Rolled,
    Row,
    Scheduled,
    StepsLost,
)
from kursk_pbem.kernel.state import ELIMINATED, OFF_MAP, PENDING

NAMES = {"b-1": "First Blue", "b-2": "Second Blue", "r-1": "First Red", "r-2": "Second Red"}


class Words:
    """Two sides of two units each; A1 is the town of Aville."""

    def unit(self, uid):
        return NAMES[uid]

    def place(self, label):
        return "A1 Aville" if label == "A1" else label

    def side(self, side):
        return side.capitalize()

    def owner(self, uid):
        return "blue" if uid.startswith("b") else "red"


WORDS = Words()
VOICE = prose.Voice(WORDS, lambda uid: f"the {NAMES[uid]}", lambda hex_: ("" if hex_ == "A1" else "east of", "Aville"))


DEAD = Removed("9", "r-1", ELIMINATED, "x")


def fought(battle="mill", place="B2", *, dice="5", column="3:1", who=("r-1",)):
    rows = tuple(Row(uid, "", "4", (), "4") for uid in who)
    force = Force("blue", (Row("b-1", "B1", "9", (), "9"), Row("b-2", "B1", "3", (), "3")), "12")
    return Fought(
        "9",
        battle,
        place,
        force,
        Force("red", rows, "4"),
        "3:1",
        (),
        column,
        column if dice else "",
        label=f"{battle}/x" if dice else "",
        dice=dice,
        result="X" if dice else "",
    )


def told(*events, **changes):
    (clash,) = clashes((fought(**changes), *events))
    return write_headline(clash, WORDS), prose.tell_battle(clash, VOICE, 0)


def test_headlines_stand_by_rank_and_in_their_order():
    assert lines.rank_lines([(lines.GROUND, "b"), (lines.POINTS, "a"), (lines.ORDERS, "d"), (lines.GROUND, "c")]) == (
        "a",
        "b",
        "c",
        "d",
    )
    assert lines.rank_lines([]) == ()


def test_too_many_headlines_are_counted_and_what_is_ordered_stays():
    many = [(lines.VAIN, f"v{n}") for n in range(20)] + [(lines.ORDERS, "moves")]
    assert lines.rank_lines(many) == ("v0", "v1", "v2", "v3", "v4", "and 15 more, told below", "moves")
    assert len(lines.rank_lines(many + [(lines.ORDERS, f"o{n}") for n in range(9)])) == lines.MOST
    seven = [(lines.VAIN, f"v{n}") for n in range(7)]
    assert lines.rank_lines(seven) == tuple(text for _rank, text in seven)


@pytest.mark.parametrize(("names", "text"), [("", ""), ("a", "a"), ("ab", "a and b"), ("abc", "a, b and c")])
def test_names_are_joined_as_people_do(names, text):
    assert lines.joined(list(names)) == text


def test_numbers_are_words_as_far_as_they_are_read():
    assert (lines.number(1, "step"), lines.number(12, "unit"), lines.number(13, "unit")) == (
        "one step",
        "twelve units",
        "13 units",
    )
    assert (lines.steps(1), lines.steps(2)) == ("a step", "two steps")


@pytest.mark.parametrize(
    ("right", "down", "name"),
    [
        (0, -5, "north"),
        (5, -5, "north-east"),
        (5, 0, "east"),
        (4, 5, "south-east"),
        (0, 1, "south"),
        (-5, 6, "south-west"),
        (-9, 1, "west"),
        (-5, -5, "north-west"),
        (2, -5, "north"),
        (3, -5, "north-east"),
    ],
)
def test_of_eight_winds_the_nearest(right, down, name):
    assert lines.find_direction(right, down) == name


def test_what_became_of_units():
    found = find_fates(
        [
            Moved("8", "b-1", "B1", ("B2", "B3"), "move"),
            StepsLost("9", "b-1", 1, 2, "x"),
            StepsLost("9", "b-1", 1, 1, "x"),
            DEAD,
            Placed("10", "r-2", "A1", 1, "place"),
            Noted("9", "x"),
        ]
    )
    assert found == (Fate("b-1", 2, "", "B3", "move"), Fate("r-1", 0, ELIMINATED), Fate("r-2", 0, "", "A1", "placed"))
    assert find_fates([DEAD, Placed("10", "r-1", "A1", 1, "place")]) == (Fate("r-1", to="A1", how="placed"),)
    twice = [Moved("8", "b-1", "B1", ("B2",), "advance"), Moved("8", "b-1", "B2", ("B1",), "retreat")]
    assert find_fates(twice) == (Fate("b-1", to="B1", how="retreat"),)


def test_a_battle_ends_at_the_next_one_and_at_the_end_of_its_phase():
    lost, moved = StepsLost("9", "b-1", 1, 1, "x"), Moved("8", "b-2", "B1", ("B2",), "move")
    one, other = clashes(
        [
            Rolled("9", "mill/x", "5"),
            fought(),
            lost,
            fought("ford", "A1"),
            moved,
            PhaseBegan("8", "movement", "blue", "1"),
            Moved("8", "b-1", "B1", ("B2",), "move"),
        ]
    )
    assert (one.fought.battle, one.events, other.events) == ("mill", (lost,), (moved,))


def test_a_battle_that_waited_is_told_where_it_ended():
    waits = Scheduled("9", PENDING, {"battle": "mill"})
    lost = StepsLost("9", "r-1", 1, 1, "x")
    (first,) = clashes([fought(), waits])
    assert first.waits
    assert write_headline(first, WORDS) == (lines.VAIN, "B2: a decision is awaited")
    assert prose.tell_battle(first, VOICE, 0).endswith(" There the battle stopped until a decision was taken.")
    (again,) = clashes([fought(), waits, fought(), lost])
    assert again.events == (lost,)


@pytest.mark.parametrize(("place", "name"), [("B2", "B2"), ("A1", "Aville")])
def test_a_battle_is_called_by_its_place_and_never_by_the_name_of_the_attack(place, name):
    """An attack on B2 may be declared as 'aville': its headline would name the wrong town."""
    assert told(battle="aville", place=place)[0][1] == f"{name}: First Red holds; nobody loses a step"


def test_the_headline_of_a_battle_and_its_prose():
    short, long = told(DEAD, Removed("9", "b-2", ELIMINATED, "x"), Moved("9", "b-1", "B1", ("B2",), "go"))
    assert short == (lines.DESTROYED, "B2: First Red destroyed; Second Blue destroyed; First Blue in B2")
    assert long == (
        "East of Aville, the First Blue and the Second Blue attacked the First Red at odds of three to one. The First "
        "Red was destroyed; the Second Blue was lost, and the First Blue moved into the hex."
    )
    short, long = told(
        StepsLost("9", "r-1", 1, 1, "x"),
        Moved("9", "r-1", "A1", ("B2", "B3"), "flee"),
        StepsLost("9", "b-1", 2, 1, "x"),
        Moved("9", "b-1", "B1", ("A1",), "go"),
        place="A1",
        column="1:1",
    )
    assert short == (
        lines.COSTLY,
        "Aville: First Red falls back to B3, a step lost; First Blue in Aville, two steps lost",
    )
    assert long == (
        "At Aville, the First Blue and the Second Blue attacked the First Red at even odds. The First Red fell back to "
        "a hex east of Aville at the cost of a step, and the First Blue, weaker by two steps, entered Aville."
    )


def test_attackers_that_retreat_are_told_as_falling_back_and_defenders_that_follow_as_following():
    back = [Moved("8", uid, "B1", ("A1",), "retreat") for uid in ("b-1", "b-2")]
    short, long = told(*back)
    both = "B2: First Blue falls back to Aville; Second Blue falls back to Aville"
    assert short == (lines.GROUND, f"{both}; First Red holds")
    assert long.endswith("The First Red held, and the First Blue and the Second Blue fell back to Aville.")
    (clash,) = clashes((fought(), *back))
    assert prose.tell_battle(clash, VOICE, 2).endswith(", and the First Blue and the Second Blue went back to Aville.")
    short, long = told(*back, Moved("8", "r-1", "B2", ("B1",), "advance"))
    assert short == (lines.GROUND, f"{both}; First Red in B1")
    assert long.endswith("fell back to Aville, and the First Red moved into the hex.")
    short, long = told(StepsLost("9", "b-1", 1, 1, "x"), back[0], Moved("8", "b-2", "B1", ("B2",), "advance"), DEAD)
    assert short[1] == "B2: First Red destroyed; First Blue falls back to Aville, a step lost; Second Blue in B2"
    assert long.endswith(
        "The First Red was destroyed; the attack cost the First Blue a step; the First Blue fell back to Aville, and "
        "the Second Blue moved into the hex."
    )


def test_defenders_whose_ground_is_entered_are_not_told_as_holding_it():
    """A line without units is broken and leaves no trace but the advance."""
    long = told(Moved("9", "b-1", "B1", ("B2",), "go"))[1]
    assert long.endswith("at odds of three to one. The First Blue moved into the hex.")
    (clash,) = clashes([fought()])
    assert prose.tell_battle(clash, VOICE, 2).endswith(" The First Red did not give way.")  # it may be Disrupted


def test_defenders_of_a_town_who_follow_enter_no_town():
    """The losers leave the town, and an advancing attacker enters the town."""
    back, follow = Moved("8", "b-1", "B1", ("B3",), "retreat"), Moved("8", "r-1", "A1", ("B1",), "advance")
    assert told(back, follow, place="A1")[1].endswith(", and the First Red moved into the hex.")
    home = Moved("8", "r-1", "B2", ("A1",), "advance")
    assert told(back, home)[1].endswith(", and the First Red entered Aville.")
    assert told(back, follow, who=("r-1", "r-2"))[0][1] == "B2: First Blue falls back to B3; First Red in B1"


@pytest.mark.parametrize("uid", ["b-2", "r-2"])
def test_a_unit_that_is_put_on_the_map_neither_falls_back_nor_follows_up(uid):
    short, long = told(DEAD, Placed("10", uid, "B3", 1, "formed"))
    # it said "now in", in headlines of a message in which the unit moves on
    assert short[1] == f"B2: First Red destroyed; {NAMES[uid]} placed in B3"
    assert long.endswith(f"The First Red was destroyed, and the {NAMES[uid]} now stood east of Aville.")


def test_defenders_that_hold_and_attacks_that_do_not_come():
    assert told()[0] == (lines.VAIN, "B2: First Red holds; nobody loses a step")
    assert told(who=("r-1", "r-2"))[0] == (lines.VAIN, "B2: First Red and Second Red hold; nobody loses a step")
    assert told()[1].endswith("The First Red held.")
    assert told(StepsLost("9", "r-1", 1, 1, "x"))[0] == (lines.COSTLY, "B2: First Red loses a step and holds")
    assert told(StepsLost("9", "b-1", 1, 1, "x"))[0] == (lines.COSTLY, "B2: First Blue loses a step; First Red holds")
    assert told(Removed("9", "r-1", OFF_MAP, "x"))[0] == (lines.DESTROYED, "B2: First Red driven off the map")
    assert "The First Red was driven off the map." in told(Removed("9", "r-1", OFF_MAP, "x"))[1]
    short, long = told(dice="")
    assert short == (lines.VAIN, "B2: no attack takes place")
    assert long == (
        "The First Blue and the Second Blue did not attack the First Red east of Aville after all, for the odds were "
        "too poor."
    )


def test_an_attack_for_which_nobody_goes_in():
    nobody = replace(fought(dice=""), attack=Force("blue", (), "0"))
    (clash,) = clashes([nobody])
    assert prose.tell_battle(clash, VOICE, 0).startswith("Nobody attacked the First Red east of Aville after all, ")


def test_turns_of_phrase_go_round():
    (clash,) = clashes([fought(), DEAD])
    found = [prose.tell_battle(clash, VOICE, count) for count in range(30)]
    assert len(set(found)) == 15
    assert found[:15] == found[15:]
    assert all(text.count("First Red") == 2 and "three to one" in text for text in found)


def test_attackers_who_end_elsewhere_are_not_told_as_standing_in_the_hex_attacked():
    past = Moved("8", "b-1", "B1", ("B3",), "advance")
    for place in ("B2", "A1"):
        story = told(DEAD, past, place=place)[1]
        assert story.endswith("was destroyed, and the First Blue advanced to a hex east of Aville.")
