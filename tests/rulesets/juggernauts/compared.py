"""Crowded positions of July, in which the rules and the second referee must agree."""

from __future__ import annotations

import random
from dataclasses import replace

from kursk_pbem.kernel.events import Decided
from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.hexes.grid import POINTY_NAMES
from kursk_pbem.kernel.hexes.ways import Move, Slip
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import ELIMINATED
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.juggernauts import air, battles, movement, odds, retreat
from kursk_pbem.rulesets.juggernauts.orders import Battle, Plan
from kursk_pbem.rulesets.juggernauts.retreat import Attack
from kursk_pbem.rulesets.juggernauts.seen import possible, useless_answers
from rulesets.juggernauts.board import july, list_fought, place, pos, resolve
from rulesets.juggernauts.second_referee import Field, far
from rulesets.juggernauts.second_sky import Sky

FOE = {"german": "russian", "russian": "german"}


def make_crowd(seed):
    """Return a position with some thirty units close together, and with markers."""
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


def compare_zones(state):
    """10.0, 16.1, J-21, J-33, J-50: compare zones and supply; return the numbers of answers and of units cut off."""
    board, here, field = july().board, pos(state), Field(state)
    for side in july().sides:
        zones = here.zone(side)
        for hex_ in bits(board.all):
            label = board.labels[hex_]
            assert {*board.names(zones.holders(hex_))} == field.holders(label, side), (label, side)
            assert bool(zones.hot >> hex_ & 1) == bool(field.holders(label, side, fresh=True)), (label, side)
    for uid in here.where:
        assert here.is_supplied(uid) == field.supplied(uid), uid
    return len(here.where) + 2, sum(not here.is_supplied(uid) for uid in here.where)


def compare_moves(state, rng, *, second):
    """13.0, J-21, J-23, J-24, J-29, J-41, J-42, J-55, J-67: return the numbers of answers and of units in zones."""
    board, here, field, slips = july().board, pos(state), Field(state), 0
    chosen = rng.sample(sorted(here.where), 8)
    for uid in chosen:
        ends = movement.find_ends(here, uid, second=second)
        assert {board.labels[hex_] for hex_ in ends} == field.reach(uid, second=second), uid
        compare_ordered(here, uid, ends, second=second)
        slips += bool(here.ezoc(here.side(uid)) >> here.where[uid] & 1)
    return len(chosen), slips


def compare_ordered(here, uid, ends, *, second):
    """13.0: an order without a path moves on the offered way, and nowhere else."""
    board, plain = here.setting.board, movement.make_marches(here, uid, here.occupied[here.side(uid)], second=second)
    pair = tuple(replace(march, brief=True) for march in plain)
    for hex_ in bits(board.around(here.where[uid])[8]):
        order = Move(uid, board.labels[hex_], (), ())
        way = movement.find_ordered_way(here, uid, order, pair)
        assert (None if isinstance(way, Slip) else way) == ends.get(hex_), (uid, order.to)


def compare_odds(state, rng):
    """1.0, 3.0-must, J-2 to J-6, J-12, J-28, J-38, J-39, J-48, J-52: return the numbers of answers and columns."""
    board, here, field, seen, asked = july().board, pos(state), Field(state), set(), 0
    for uid in rng.sample(sorted(here.where), 20):
        side = here.side(uid)
        for hex_ in bits(board.near[here.where[uid]] & ~here.occupied[side]):
            beside = [
                other for other in here.where if here.side(other) == side and board.near[hex_] >> here.where[other] & 1
            ]
            battle = Battle("b1", hex_, tuple(sorted({uid, *rng.sample(beside, rng.randint(1, len(beside)))})))
            label, told = board.labels[hex_], odds.find_odds(here, battle)
            asked += 1
            if not told.defence.total:
                assert field.column(label, list(battle.attackers)) == -99
                continue
            origins = {state.units[attacker].place for attacker in battle.attackers}
            assert told.defence.total == field.defence(label, origins)
            assert max(told.reached, -50) == max(field.column(label, list(battle.attackers)), -50), (label, battle)
            assert {*battles.find_required(here, battle)} == field.together(label, list(battle.attackers))
            seen.add(told.reached)
    return asked, seen


def compare_retreats(state):
    """8.0, J-30, J-44: return the numbers of answers and of units without a way."""
    board, here, field, asked, none = july().board, pos(state), Field(state), 0, 0
    for uid in here.where:
        foes = here.occupied[FOE[here.side(uid)]] & board.near[here.where[uid]]
        origins = {*board.names(foes)}
        for length in (1, 2) if origins else ():
            ways = retreat.list_ways(here, uid, Attack(here.where[uid], foes, 0), length)
            labels = {tuple(board.labels[hex_] for hex_ in way) for way in ways}
            assert labels == field.retreats(uid, origins, length), (uid, origins)
            asked, none = asked + 1, none + (not labels)
    return asked, none


def pack_crowd(state):
    """Return the crowd with more units in every Russian hex, so that most hexes are full."""
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


def compare_limits(state, rng):
    """8.0, J-44, J-45: compare ways within the limit; return the numbers of answers and of shorter ways."""
    board, here, field, asked, short = july().board, pos(state), Field(state), 0, 0
    for uid in here.where:
        near = here.occupied[FOE[here.side(uid)]]
        beside = [*bits(near & board.near[here.where[uid]])]
        origins = sum(1 << hex_ for hex_ in beside if rng.random() < 0.6)
        for driven, length in ((0, 1), (0, 2), (1, 1), (1, 2), (2, 2)) if origins else ():
            chosen = retreat.find_candidates(here, uid, Attack(here.where[uid], origins, 0), length, driven)
            ways = {tuple(board.labels[hex_] for hex_ in way) for way in chosen}
            assert ways == field.chosen_among(uid, {*board.names(origins)}, length, driven), (uid, origins)
            asked, short = asked + 1, short + any(len(way) < length for way in chosen)
    return asked, short


def compare_wishes(state, rng):
    """2.0-d, 8.0: check that wishes reported as useless change no end of an attack; return their number."""
    here, labels, told = pos(state), july().board.labels, 0
    for chance in possible.attacks(here, "german", second=False):
        label = labels[chance.battle.hex]
        beside = [labels[hex_] for hex_ in bits(july().board.spread(july().board.near[chance.battle.hex]))]
        policy = {"withdraw": rng.choice("012"), "retreat": [rng.choice(beside)]}
        waits = state.with_(agenda={"battles": [chance.battle.to_plain(label)], "declared": "1"})
        for text in useless_answers.find_useless(pos(waits), policy, "russian") if chance.odds.allowed else ():
            less = {key: value for key, value in policy.items() if key != text.split()[0]}
            for die in "123456":
                ends = [resolve(Umpire(july(), waits, 1), die, said).state.units for said in (policy, less)]
                assert ends[0] == ends[1], (label, text, die)
            told += 1
    return told


def compare_results(state, rng):
    """2.0-dn, 2.0-x, 6.0, 15.2, J-7, J-49, J-53, J-74: compare results.

    Returns the numbers of answers, of lines that fall, and of hexes with No Retreat! orders for some of the units.
    """
    here, labels, field, asked, fallen, split = pos(state), july().board.labels, Field(state), 0, 0, 0
    for chance in possible.attacks(here, "german", second=False):
        label, attackers = labels[chance.battle.hex], chance.battle.attackers
        units, push, own = field.here(label, "russian"), rng.randint(0, 2), rng.randint(0, 2)
        firm, origins = {uid for uid in units if rng.random() < 0.3}, {state.units[uid].place for uid in attackers}
        policy = {"withdraw": str(own), "units": {uid: {"no-retreat": "yes"} for uid in firm}}
        battle = replace(chance.battle, plan=Plan(push=(str(push),)))
        waits = state.with_(agenda={"battles": [battle.to_plain(label)], "declared": "1"})
        ways = any(field.retreats(uid, origins, 1) for uid in units if uid not in firm)
        for die in "123456" if chance.odds.allowed else "":
            end = resolve(Umpire(july(), waits, 1), die, policy)
            stands = {uid: end.state.units[uid].place for uid in units}
            living = [uid for uid in units if stands[uid] != ELIMINATED]
            traded = any(isinstance(event, Decided) and event.kind == "exchange" for event in end.events)
            falls = traded and field.falls(label, "russian", len(living))
            assert (label in end.state.marks.get("breached", {})) == (falls or field.is_("breached", label)), label
            asked, fallen, result = asked + 1, fallen + falls, list_fought(end).result
            if result not in ("D1", "D2") or not ways:
                continue
            split += bool(firm)
            assert all(stands[uid] == (ELIMINATED if result == "D2" else label) for uid in firm), (label, die)
            for uid in living:
                driven, most = field.goes(result, push, own, firm=uid in firm)
                assert far(label)[stands[uid]] <= most, (uid, die)
                if len(units) == 1:
                    longest = max(map(len, field.chosen_among(uid, origins, most, driven)), default=0)
                    assert far(label)[stands[uid]] == longest, (uid, die)
    return asked, fallen, split


TABLES = ("disrupted", "entrenched", "emplaced", "panzerkeil")


def emplace_some(state, rng):
    """Return the crowd with half of its artillery emplaced."""
    guns = [uid for uid in pos(state).where if july().counters[uid].kind == "artillery" and rng.random() < 0.5]
    return state.with_(marks={**state.marks, "emplaced": dict.fromkeys(guns, "yes")})


def answer_at_random(rng, uids, there):
    """Return answers of single units; ``there``: the units of the attacked hex, of which some do not retreat."""
    said = {uid: {"withdraw": rng.choice("012"), "crowd": rng.choice(["stay", "lose", "on"])} for uid in uids}
    for uid in there:
        said[uid]["no-retreat"] = rng.choice(["yes", "no", "no"])
    return said


def compare_crowd(state, rng):
    """2.0-d, 2.0-dn, 6.0, 8.0, 12.0, 14.2, J-45, J-53, J-70: compare retreats of stacks into crowded hexes.

    Returns the numbers of answers, of units lost by choice, and of units that went on from a full hex.
    """
    labels, asked, lost, onward = july().board.labels, 0, 0, 0
    state = emplace_some(state, rng)
    for side, foe in FOE.items():
        begun = state.with_(side=side, stage=f"{side}-orders")
        for chance in possible.attacks(pos(begun), side, second=False):
            hex_, attackers = labels[chance.battle.hex], chance.battle.attackers
            field, push = Sky(begun), rng.choice("012")
            origins, units = {begun.units[uid].place for uid in attackers}, field.here(hex_, foe)
            said = answer_at_random(rng, [uid for uid in field.at if field.side(uid) == foe], units)
            free = [uid for uid in units if said[uid]["no-retreat"] == "no"]
            open_ = not free or any(field.retreats(uid, origins, 1) for uid in free)
            guns = all(july().counters[uid].kind == "artillery" for uid in attackers)
            battle = replace(chance.battle, plan=Plan(push=(push,)))
            waits = begun.with_(agenda={"battles": [battle.to_plain(hex_)], "declared": "1"})
            for die in "123456" if chance.odds.allowed and units and (open_ or guns) else "":
                end = resolve(Umpire(july(), waits, 1), die, {"units": said})
                result = list_fought(end).result
                result = "D" if guns and result in ("D1", "D2", "DE", "D/AE") else result
                if result not in ("D", "D1", "D2"):
                    continue
                told = Sky(begun)
                told.suffer(hex_, result, int(push), origins, said)
                compare_ends(end.state, told, [uid for uid in field.at if field.side(uid) == foe], (hex_, result, die))
                asked, lost, onward = asked + 1, lost + told.spared, onward + told.onward
    return asked, lost, onward


def compare_ends(state, told, uids, what):
    """Compare places, markers and lines with the second reckoning."""
    stands = {uid: state.units[uid].place for uid in uids}
    assert stands == {uid: told.at.get(uid, ELIMINATED) for uid in uids}, what
    for table in TABLES:
        marked = [uid for uid in uids if uid in state.marks.get(table, {})]
        assert marked == [uid for uid in uids if told.is_(table, uid)], (*what, table)
    assert {*state.marks.get("breached", {})} == {*told.marks.get("breached", {})}, what


def compare_sky(state, rng):
    """20.0 to 20.4, J-68, J-79: compare strikes; return the numbers of answers, of strikes flown, and of units lost."""
    setting, asked, flown, lost = july("historical", "flown"), 0, 0, 0
    marks = {"flown": {}, "down": {}, "control": {}}
    for plane in setting.planes:
        marks["flown"] |= {f"{plane}/{use}": "yes" for use in ("strike", "meet") if rng.random() < 0.15}
        marks["down"] |= {plane: "1"} if rng.random() < 0.1 else {}
    for city in setting.city_side:
        marks["control"] |= {july().board.labels[city]: rng.choice([*FOE])} if rng.random() < 0.2 else {}
    state = state.with_(marks={**state.marks, **marks})
    for side, foe in [*FOE.items()] * 3:
        begun = state.with_(side=side, stage=f"{side}-orders")
        hexes = [begun.units[uid].place for uid in pos(begun).where if pos(begun).side(uid) == foe]
        own = [plane for plane, each in setting.planes.items() if each.side == side]
        orders = [
            {
                "id": f"s{number}",
                "hex": rng.choice(hexes),
                "planes": rng.sample(own, rng.randint(1, 1 + (side == "german"))),
            }
            for number in range(rng.randint(1, 2))
        ]
        umpire = Umpire(setting, begun, 1)
        air.declare_strikes(umpire, Filing(1, side, orders={"aircraft": orders}))
        told, asked = Sky(begun), asked + 1
        assert (not umpire.violations) == told.may_strike(orders), (orders, umpire.violations)
        if umpire.violations:
            continue
        meet = [plane for plane, each in setting.planes.items() if each.side == foe and rng.random() < 0.7]
        rng.shuffle(meet)
        dice = "".join(rng.choice("123456") for _number in range(60))
        end = resolve(umpire, dice, {"intercept": meet})
        told.fly(orders, meet, dice)
        compare_ends(end.state, told, [*pos(begun).where], (orders, meet, dice))
        for table in ("flown", "down"):
            assert end.state.marks.get(table, {}) == told.marks.get(table, {}), (orders, meet, dice, table)
        asked, flown, lost = asked + 1, flown + len(orders), lost + len(told.lost)
    return asked, flown, lost


def compare(seed: int) -> int:
    """Compare everything in the crowd of a seed, retreats in every fourth; return the number of answers."""
    state, rng = make_crowd(seed)
    sky = random.Random(f"sky {seed}")
    asked = compare_sky(state, sky)[0] + compare_crowd(pack_crowd(state) if seed % 2 else state, sky)[0]
    asked += compare_zones(state)[0] + compare_moves(state, rng, second=seed % 2 == 1)[0] + compare_odds(state, rng)[0]
    if seed % 4:
        return asked
    limits = compare_limits(state, rng)[0] + compare_limits(pack_crowd(state), rng)[0]
    results = compare_results(state, rng)[0]
    return asked + compare_retreats(state)[0] + limits + compare_wishes(state, rng) + results
