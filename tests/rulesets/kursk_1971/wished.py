"""Checks that useless wishes of a plan or an answer change no outcome of any die, in crowded random positions.

The odds resolve attacks with every die; the check of a draft works without dice.
"""

from __future__ import annotations

from fractions import Fraction

from kursk_pbem.rulesets.kursk_1971 import battles, combat
from kursk_pbem.rulesets.kursk_1971.battles import list_battles
from kursk_pbem.rulesets.kursk_1971.odds import count_results as faces
from kursk_pbem.rulesets.kursk_1971.seen import exact_odds, outlook, useless_answers
from rulesets.kursk_1971.board import attack, play, pos

MOST = 3
"""Attacks of one position."""


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


def _outcomes(game, state, orders, policy):
    """Return battle -> outcomes of each die for declared and answered attacks; None if refused."""
    declared = play(game, state, {"battles": orders})
    if declared.violations:
        return None
    answered = play(game, declared.after, policy=policy, seq=3)
    if answered.violations:
        return None
    return declared.after, {told.subject: told.outcomes for told in exact_odds.list_chances(game, answered.after, {})}


def _without(part, key, text):
    """Return a plan or an answer without the wishes named in a warning."""
    named = [wish for wish in part[key] if f"{key} {wish} has no effect in" in text] or list(part[key])
    return {**part, key: [wish for wish in part[key] if wish not in named]}


def _plans(game, here, state, orders, policy, outcomes):
    """Compare outcomes with and without the useless wishes of plans; return the number of warnings."""
    count = 0
    for number, battle in enumerate(list_battles(game, {"battles": [dict(order) for order in orders]})):
        told = (
            text
            for _rule, text in useless_answers.check_plan(
                here, battle, useless_answers.find_calls(here, battle), battle.plan
            )
        )
        for text in (text for text in told if "picks no hex" not in text):  # it still says when a unit goes (S-40)
            key = next(key for key in ("retreat", "losses", "advance") if key in text)
            less = [*orders[:number], _without(orders[number], key, text), *orders[number + 1 :]]
            _declared, other = _outcomes(game, state, less, policy)
            pairs = [outcomes[battle.id], other[battle.id]]
            if "your list is then ignored" in text:
                pairs = [[one for one in told if f"{one.result} asks" in text] for told in pairs]
            assert [*pairs[0]] == [*pairs[1]], (orders[number], policy, text)
            count += 1
    return count


def _answers(game, declared, state, orders, policy, outcomes):
    """Compare outcomes with and without the useless wishes of an answer; return the number of warnings."""
    count, after = 0, pos(game, declared)
    for text in (
        text
        for _rule, text in useless_answers.find_useless(after, policy, useless_answers.list_calls(after))
        if "picks no hex" not in text
    ):
        key = "retreat" if text.startswith("retreat") else "advance"
        parts = {"battles": dict(policy["battles"])}
        for bid, part in policy["battles"].items():
            if f" {bid}" in text and part.get(key):
                parts["battles"][bid] = _without(part, key, text)
        less = {**policy, **parts}
        if policy.get(key) and (parts["battles"] == policy["battles"] or all(wish in text for wish in policy[key])):
            less = _without(less, key, text)
        _declared, other = _outcomes(game, state, orders, less)
        for bid, told in outcomes.items():
            assert not _named(text, bid) or [*told] == [*other[bid]], (orders, policy, text)
        count += 1
    return count


def _named(text, bid):
    return bid in text.replace(",", " ").replace(":", " ").split()


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
    seen = _outcomes(game, state, orders, policy) if orders else None
    if seen is None:
        return 0
    declared, outcomes = seen
    after = pos(game, declared)
    for battle in list_battles(game, declared.agenda):
        told = combat.assess_waiting(after, battle)
        fought = {one.result: Fraction(0) for one in outcomes[battle.id]}
        for one in outcomes[battle.id]:
            fought[one.result] += one.chance
        if fought != {"": 1}:
            sixths = {} if told.automatic else faces(game, told)
            assert fought == ({result: Fraction(number, 6) for result, number in sixths.items()} or {"DX": 1})
    count = len(orders) + _plans(game, after, state, orders, policy, outcomes)
    return count + _answers(game, declared, state, orders, policy, outcomes)
