"""The rules compared with a second referee in random positions: 1.0, 3.0-must, 8.0, 10.0, 13.0, 15.0, 16.1."""

import random

import pytest

from kursk_pbem.rulesets.juggernauts import losses
from rulesets.juggernauts.compared import (
    compare_crowd,
    compare_limits,
    compare_moves,
    compare_odds,
    compare_results,
    compare_retreats,
    compare_sky,
    compare_wishes,
    compare_zones,
    make_crowd,
    pack_crowd,
)

SEEDS = range(12)


@pytest.fixture(scope="module")
def crowds():
    return [make_crowd(seed) for seed in SEEDS]


def test_10_0_zones_and_16_1_supply_as_the_second_referee_has_them(crowds):
    """J-21, J-33, J-50."""
    assert sum(compare_zones(state)[1] for state, _rng in crowds) > len(crowds)  # units cut off


@pytest.mark.parametrize("second", [False, True], ids=["step 2", "step 5"])
def test_13_0_moves_as_the_second_referee_tries_them(crowds, second):
    """J-21, J-23, J-24, J-29, J-41, J-42, J-55, J-67."""
    assert sum(compare_moves(state, rng, second=second)[1] for state, rng in crowds) > len(crowds)  # began in a zone


def test_1_0_odds_and_3_0_must_as_the_second_referee_reckons_them(crowds):
    """J-2 to J-6, J-12, J-28, J-38, J-39, J-48, J-52."""
    assert {*range(13)} <= set().union(*(compare_odds(state, rng)[1] for state, rng in crowds))


def test_8_0_retreats_as_the_second_referee_walks_them(crowds):
    """J-30, J-44."""
    assert sum(compare_retreats(state)[1] for state, _rng in crowds) > len(crowds)  # have no way


@pytest.mark.long
def test_8_0_ways_that_keep_within_the_limit_as_the_second_referee_finds_them(crowds):
    """J-44, J-45: past attackers if all other ways end in full hexes; into full hexes only if driven."""
    told = [compare_limits(tight, rng) for state, rng in crowds for tight in (state, pack_crowd(state))]
    assert any(short for _asked, short in told)


@pytest.mark.long
def test_2_0_results_as_the_second_referee_carries_them_out(crowds):
    """J-7, J-49, J-53, J-74: distances, units that stay, and lines that fall by an exchange."""
    told = [compare_results(state, rng) for state, rng in crowds]
    assert any(fallen for _asked, fallen, _split in told)
    assert any(split for _asked, _fallen, split in told)


@pytest.mark.long
def test_12_0_crowded_retreats_as_the_second_referee_carries_them_out(crowds):
    """J-44, J-45, J-53, J-70: answers of single units in crowded positions, and emplaced artillery in held hexes."""
    told = [compare_crowd(pack_crowd(state), random.Random(seed)) for seed, (state, _rng) in enumerate(crowds)]
    assert all(sum(column) for column in zip(*told, strict=True))  # answers, units lost by choice, units gone on


def test_20_0_strikes_as_the_second_referee_flies_them(crowds):
    """J-68, J-79: range, interception, bombing, and the air units that rest."""
    told = [compare_sky(state, random.Random(seed)) for seed, (state, _rng) in enumerate(crowds)]
    assert sum(flown for _asked, flown, _lost in told) > len(crowds)


def test_2_0_x_and_2_0_ae_sums_as_trying_every_set_finds_them():
    """J-9, J-10, J-46: smallest sufficient total, greatest total that can be matched, no unit to spare."""
    rng = random.Random(5)
    for _number in range(120):
        worth = {uid: rng.randint(1, 6) for uid in rng.sample("abcdefgh", rng.randint(1, 6))}
        due, every = rng.randint(1, 20), [{}]
        for uid, factors in sorted(worth.items()):
            every += [{**each, uid: factors} for each in every]
        enough = [sum(each.values()) for each in every if sum(each.values()) >= due] or [sum(worth.values())]
        assert sum(worth[uid] for uid in losses.choose_payment(worth, due)) == min(enough)
        assert sum(worth[uid] for uid in losses.choose_largest(worth, due)) == max(
            sum(each.values()) for each in every if sum(each.values()) <= due
        )
        wishes = rng.sample(sorted(worth), rng.randint(0, len(worth)))
        gone = losses.choose_victims(worth, due, wishes)
        assert sum(worth[uid] for uid in gone) >= min(due, sum(worth.values()))
        if sum(worth.values()) >= due:
            assert all(sum(worth[each] for each in gone if each != uid) < due for uid in gone)


def test_8_0_what_is_told_of_an_answer_knows_that_who_goes_first_takes_room():
    """Bug: the last of three units retreated to a hex that the warning called impossible."""
    assert compare_wishes(*make_crowd(5163))
