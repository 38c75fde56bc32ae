"""The rules compared with a second referee over random positions: 1.0, 3.0-must, 8.0, 10.0, 13.0, 15.0, 16.1."""

import random
from dataclasses import replace

import pytest

from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.hexes.grid import POINTY_NAMES
from kursk_pbem.rulesets.juggernauts import battles, losses, odds, retreat
from kursk_pbem.rulesets.juggernauts.orders import Battle
from kursk_pbem.rulesets.juggernauts.retreat import Attack
from kursk_pbem.rulesets.juggernauts.seen import outlook
from rulesets.juggernauts.board import july, place, pos
from rulesets.juggernauts.second_referee import Field

SEEDS = range(12)


def crowd(seed):
    """Some thirty units thrown close together, and markers on them."""
    rng, setting = random.Random(seed), july()
    centre = setting.board.index[rng.choice(["I9", "H8", "P8", "Q9", "J5", "L8", "E9", "K8", "B7", "U9", "N8"])]
    near = [hex_ for hex_ in bits(setting.board.all) if setting.board.distance(centre, hex_) <= 3]
    stands = {}
    for uid in rng.sample(sorted(setting.counters), 30):
        side = setting.counters[uid].side
        free = [hex_ for hex_ in near if stands.get(hex_, (side,))[0] == side]
        stands.setdefault(rng.choice(free), (side, []))[1].append(uid)
    text = " | ".join(f"{setting.board.labels[hex_]}: {' '.join(uids)}" for hex_, (_side, uids) in stands.items())
    there = [uid for _side, uids in stands.values() for uid in uids]
    foot = [uid for uid in there if setting.counters[uid].infantry]
    lost = [setting.board.labels[hex_] for hex_ in setting.lines if hex_ in near]
    keil = [f"keil {uid} {rng.choice(POINTY_NAMES)}" for uid in there if setting.counters[uid].panzerkorps]
    words = [
        f"disrupted {' '.join(rng.sample(there, 6))}",
        f"entrenched {' '.join(foot)}",
        f"lost {' '.join(rng.sample(lost, len(lost) // 3))}",
        *keil,
    ]
    words = [word for word in words if " " in word.strip()]
    return place("; ".join([text, *words])), rng


@pytest.fixture(scope="module")
def crowds():
    return [crowd(seed) for seed in SEEDS]


def test_10_0_zones_and_16_1_supply_as_the_second_referee_has_them(crowds):
    """J-21, J-33, J-50."""
    board, cut = july().board, 0
    for state, _rng in crowds:
        here, field = pos(state), Field(state)
        for side in july().sides:
            zones = here.zone(side)
            for hex_ in bits(board.all):
                label = board.labels[hex_]
                assert {*board.names(zones.holders(hex_))} == field.holders(label, side), (label, side)
                assert bool(zones.hot >> hex_ & 1) == bool(field.holders(label, side, fresh=True)), (label, side)
        for uid in here.where:
            assert here.supplied(uid) == field.supplied(uid), uid
            cut += not here.supplied(uid)
    assert cut > len(crowds)


@pytest.mark.parametrize("second", [False, True], ids=["step 2", "step 5"])
def test_13_0_moves_as_the_second_referee_tries_them(crowds, second):
    """J-21, J-23, J-24, J-29, J-41, J-42, J-55, J-67."""
    board, slips = july().board, 0
    for state, rng in crowds:
        here, field = pos(state), Field(state)
        for uid in rng.sample(sorted(here.where), 8):
            found = {board.labels[hex_] for hex_ in outlook.reach(here, uid, second=second)}
            assert found == field.reach(uid, second=second), uid
            slips += bool(here.ezoc(here.side(uid)) >> here.where[uid] & 1)
    assert slips > len(crowds)


def test_1_0_odds_and_3_0_must_as_the_second_referee_reckons_them(crowds):
    """J-2 to J-6, J-12, J-28, J-38, J-39, J-48, J-52."""
    board, seen = july().board, set()
    for state, rng in crowds:
        here, field = pos(state), Field(state)
        for uid in rng.sample(sorted(here.where), 20):
            side = here.side(uid)
            for hex_ in bits(board.near[here.where[uid]] & ~here.occupied[side]):
                beside = [
                    each for each in here.where if here.side(each) == side and board.near[hex_] >> here.where[each] & 1
                ]
                battle = Battle("b1", hex_, tuple(sorted({uid, *rng.sample(beside, rng.randint(1, len(beside)))})))
                label, told = board.labels[hex_], odds.assess(here, battle)
                if not told.defence.total:
                    assert field.column(label, list(battle.attackers)) == -99
                    continue
                origins = {state.units[each].place for each in battle.attackers}
                assert told.defence.total == field.defence(label, origins)
                assert max(told.reached, -50) == max(field.column(label, list(battle.attackers)), -50), (label, battle)
                assert {*battles.binds(here, battle)} == field.together(label, list(battle.attackers))
                seen.add(told.reached)
    assert {*range(13)} <= seen


def test_8_0_retreats_as_the_second_referee_walks_them(crowds):
    """J-30, J-44."""
    board, none = july().board, 0
    for state, _rng in crowds:
        here, field = pos(state), Field(state)
        for uid in here.where:
            foes = here.occupied["german" if here.side(uid) == "russian" else "russian"] & board.near[here.where[uid]]
            origins = {*board.names(foes)}
            for length in (1, 2) if origins else ():
                ways = retreat.ways(here, uid, Attack(here.where[uid], foes, 0), length)
                found = {tuple(board.labels[hex_] for hex_ in way) for way in ways}
                assert found == field.retreats(uid, origins, length), (uid, origins)
                none += not found
    assert none > len(crowds)


def packed(state):
    """The same with a few units more in every Russian hex: hardly any has room left."""
    setting, units = july(), dict(state.units)
    hexes = sorted(
        {
            unit.place
            for uid, unit in units.items()
            if unit.place in setting.board.index and setting.counters[uid].side == "russian"
        }
    )
    away = [
        uid
        for uid, unit in sorted(units.items())
        if unit.place not in setting.board.index and setting.counters[uid].side == "russian"
    ]
    for number, uid in enumerate(away):
        units[uid] = replace(units[uid], place=hexes[number % len(hexes)], steps=1)
    return state.with_(units=units)


def test_8_0_ways_that_keep_within_the_limit_as_the_second_referee_finds_them(crowds):
    """J-44, J-45: past attackers' hexes only where every way away ends in a full hex, into it only who is driven."""
    board, past, spared = july().board, 0, 0
    for state, rng in crowds:
        for crowd_ in (state, packed(state)):
            here, field = pos(crowd_), Field(crowd_)
            for uid in here.where:
                near = here.occupied["german" if here.side(uid) == "russian" else "russian"]
                beside = [*bits(near & board.near[here.where[uid]])]
                origins = sum(1 << hex_ for hex_ in beside if rng.random() < 0.6)
                for driven, length in ((0, 1), (0, 2), (1, 1), (1, 2), (2, 2)) if origins else ():
                    found = retreat.candidates(here, uid, Attack(here.where[uid], origins, 0), length, driven)
                    ways = {tuple(board.labels[hex_] for hex_ in way) for way in found.ways}
                    assert ways == field.chosen_among(uid, {*board.names(origins)}, length, driven), (uid, origins)
                    past, spared = past + found.past, spared + found.spared
    assert past
    assert spared


def test_2_0_x_and_2_0_ae_sums_as_trying_every_set_finds_them():
    """J-9, J-10, J-46: the least total that is enough, the greatest that can be matched, nobody who could be spared."""
    rng = random.Random(5)
    for _number in range(120):
        worth = {uid: rng.randint(1, 6) for uid in rng.sample("abcdefgh", rng.randint(1, 6))}
        due, every = rng.randint(1, 20), [{}]
        for uid, factors in sorted(worth.items()):
            every += [{**each, uid: factors} for each in every]
        enough = [sum(each.values()) for each in every if sum(each.values()) >= due] or [sum(worth.values())]
        assert sum(worth[uid] for uid in losses.payment(worth, due)) == min(enough)
        assert sum(worth[uid] for uid in losses.largest(worth, due)) == max(
            sum(each.values()) for each in every if sum(each.values()) <= due
        )
        wishes = rng.sample(sorted(worth), rng.randint(0, len(worth)))
        gone = losses.victims(worth, due, wishes)
        assert sum(worth[uid] for uid in gone) >= min(due, sum(worth.values()))
        if sum(worth.values()) >= due:
            assert all(sum(worth[each] for each in gone if each != uid) < due for uid in gone)
