"""Checks that useless wishes of plans and answers change no position after whole messages, in crowded positions."""

from __future__ import annotations

import random
from fractions import Fraction

from kursk_pbem.kernel.forecast import describe_position
from kursk_pbem.rulesets.kursk_1971 import battles, combat
from kursk_pbem.rulesets.kursk_1971.battles import list_battles
from kursk_pbem.rulesets.kursk_1971.odds import count_results as faces
from kursk_pbem.rulesets.kursk_1971.seen import exact_odds, outlook, useless_answers
from rulesets.kursk_1971.board import attack, play, pos

MOST = 3
"""Attacks of one position."""
THROWS = 12
"""Random dice of a message."""


def _retreats(rng, game, here, uids):
    around = []
    for uid in uids:
        near = game.board.near[here.where[uid]]
        around += [label for label, hex_ in game.board.index.items() if near >> hex_ & 1]
    ways = [rng.choice(("", "toward ", "away ")) + rng.choice(around) for _number in range(rng.randint(1, 3))]
    return list(dict.fromkeys((rng.choice((f"{rng.choice(uids)} ", "")) + way) for way in ways))


def _order(rng, game, here, target, number):
    """Return an attack on a hex by random units, with an open plan; None if illegal."""
    who = [uid for uid in target.battle.attackers if rng.random() < 0.8]
    if not who or battles.find_partner_fault(here, who):
        return None
    plan = {"losses": rng.sample(who, rng.randint(0, len(who))), "advance": rng.sample(who, rng.randint(0, len(who)))}
    plan["advance"] += [uid for uid in here.units(here.side(who[0])) if uid not in who and rng.random() < 0.2]
    plan["retreat"] = _retreats(rng, game, here, [*here.stack(target.battle.hex), *who]) if rng.random() < 0.8 else []
    more = {"support": target.flyer, "unsupported": rng.choice(("attack", "skip"))} if target.flyer else {}
    more |= {key: value for key, value in plan.items() if value}
    return attack(game.board.labels[target.battle.hex], " ".join(who), f"b{number}", **more)


def _policy(rng, game, here, orders):
    """Return an answer to some attacks, or to all."""

    def part(order):
        stack = here.stack(game.board.index[order["hex"]])
        ground = [uid for uid in stack if not game.counters[uid].air]
        ground += [uid for uid in here.units(here.side(stack[0])) if uid not in stack and rng.random() < 0.2]
        into = ["", *(f" {game.board.labels[here.where[uid]]}" for uid in order["attackers"]), " 1616"]
        advance = [uid + rng.choice(into) for uid in ground if rng.random() < 0.7]
        return {"retreat": _retreats(rng, game, here, [*stack, *order["attackers"]]), "advance": advance}

    chosen = {order["id"]: part(order) for order in orders if rng.random() < 0.7}
    whole = part(rng.choice(orders)) if rng.random() < 0.5 else {}
    return {**{key: value for key, value in whole.items() if value}, "battles": chosen}


class Faces:
    """Dice by label, so that wishes change no die."""

    def __init__(self, seq, seed):
        self.seq, self.seed = seq, seed

    def roll(self, label, n):
        return "".join(random.Random(f"{self.seed}/{label}").choices("123456", k=n))


def _outcomes(game, state):
    return {told.subject: told.outcomes for told in exact_odds.list_chances(game, state, {})}


def _end(game, state, seed):
    turn = exact_odds.make_turn(game, state, {})
    return describe_position(turn.play(Faces(turn.start.seq, seed)))


def _leave_out(part, found):
    """Return a plan or an answer without the wishes that are found useless, and their number."""
    left, count = dict(part), 0
    for _rule, text in found:
        key, _space, rest = text.partition(" ")
        vain = rest.partition(" has no effect")[0].split(", ")
        left[key] = [wish for wish in left[key] if wish not in vain]
        count += len(vain)
    return left, count


def _check_useless(game, declared, answered, policy):
    """Compare whole messages with and without the useless wishes of plans and answers; return their number."""
    here, agenda = pos(game, declared), answered.agenda
    differ, parts, count = useless_answers.ask_rules(here), {}, 0
    for bid, part in policy["battles"].items():
        found = useless_answers.find_useless(here, {"battles": {bid: part}}, differ)
        parts[bid], number = _leave_out(part, found)
        count += number
    orders = []
    for order, battle in zip(agenda["battles"], list_battles(game, agenda), strict=True):
        plan, number = _leave_out(battle.plan.to_plain(), useless_answers.check_plan(here, battle, differ))
        orders.append({**order, "plan": plan})
        count += number
    less = answered.with_(agenda={**agenda, "policy": {**policy, "battles": parts}, "battles": orders})
    for seed in range(THROWS if count else 0):
        assert _end(game, answered, seed) == _end(game, less, seed), (orders, policy, parts, seed)
    return count


def compare_wishes(rng, game, here):
    """9.0-d3, 8.0: compare results of orders with the odds, and test useless wishes; return the number."""
    side = rng.choice(game.sides)
    airs = {uid: rng.choice([*here.where.values()]) for uid in here.where if game.counters[uid].air}
    flown = {uid: game.board.labels[hex_] for uid, hex_ in airs.items() if rng.random() < 0.5}
    state = here.state.with_(side=side, stage=f"{side}-orders", marks={"patrol": flown})
    now = pos(game, state)
    targets = list(outlook.find_attacks(now, side))
    orders, busy = [], set()
    for number, target in enumerate(rng.sample(targets, min(MOST, len(targets)))):
        order = _order(rng, game, now, target, number)
        if order and not busy.intersection((*order["attackers"], order.get("support"))):
            orders.append(order)
            busy |= {*order["attackers"], order.get("support", "-")}
    policy = _policy(rng, game, now, orders) if orders else {}
    declared = play(game, state, {"battles": orders}) if orders else None
    answered = play(game, declared.after, policy=policy, seq=3) if declared and not declared.violations else None
    if not answered or answered.violations:
        return 0
    outcomes = _outcomes(game, answered.after)
    after = pos(game, declared.after)
    for battle in list_battles(game, declared.after.agenda):
        told = combat.assess_waiting(after, battle)
        fought = {one.result: Fraction(0) for one in outcomes[battle.id]}
        for one in outcomes[battle.id]:
            fought[one.result] += one.chance
        if fought != {"": 1}:
            sixths = {} if told.automatic else faces(game, told)
            assert fought == ({result: Fraction(number, 6) for result, number in sixths.items()} or {"DX": 1})
    return len(orders) + _check_useless(game, declared.after, answered.after, policy)
