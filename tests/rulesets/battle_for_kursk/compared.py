"""Positions of the real map with few units close together, and slow and simple computations by the rules."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from math import ceil

from kursk_pbem.kernel.hexes import ways
from kursk_pbem.kernel.state import Unit
from kursk_pbem.rulesets.battle_for_kursk import movement, retreat
from kursk_pbem.rulesets.battle_for_kursk.movement import MOVE, RAIL
from kursk_pbem.rulesets.battle_for_kursk.odds import assess
from kursk_pbem.rulesets.battle_for_kursk.orders import Battle
from kursk_pbem.rulesets.battle_for_kursk.position import is_mud, position
from kursk_pbem.rulesets.battle_for_kursk.setting import ENEMY, SIDES
from rulesets.battle_for_kursk.board import kursk, place, walked

BOARD = kursk().board
HEXES = sorted(BOARD.index.values())
ARMOR = ("panzer", "tank", "guards")


def crowd(seed, *, mud=False):
    """A position with up to ten units of each side close together, somewhere on the map, and one of them to look at."""
    rng = random.Random(seed)
    centre = rng.choice(HEXES)
    near = [hex_ for hex_ in HEXES if BOARD.distance(centre, hex_) <= 4]
    rng.shuffle(near)
    units = dict(place("").units)
    chosen = []
    for side in SIDES:
        own = sorted(uid for uid, counter in kursk().counters.items() if counter.side == side)
        for uid in rng.sample(own, min(rng.randint(1, 10), len(near) // 3)):
            units[uid] = Unit(BOARD.labels[near.pop()], rng.choice([1, 2]))
            chosen.append(uid)
    state = place("turn C; mud" if mud else "turn C; clear").with_(units=units)
    return position(kursk(), state), rng.choice(chosen), rng


def every_path(pos, uid, how):
    """Find all legal paths of a unit, with their costs, by trying every continuation of every path."""
    found = []
    todo = [()]
    while todo:
        path = todo.pop()
        here = path[-1] if path else pos.where[uid]
        for there in BOARD.neighbours[here]:
            longer = (*path, there)
            cost = walked(pos, uid, longer, how)
            if not isinstance(cost, ways.Slip):
                found.append((longer, cost))
            if not isinstance(cost, ways.Slip) or movement.RULES[cost.kind] == "8.2.2":  # a friend may be passed
                todo.append(longer)
    return found


def compare_reach(seed, mud, by_rail):
    """Check that the ends of legal paths are the reachable hexes, and the offered path is the cheapest and then the
    lowest. Return the number of compared answers: none for a unit that is too fast."""
    pos, uid, _rng = crowd(seed, mud=mud)
    how = RAIL if by_rail and kursk().counters[uid].infantry else MOVE
    if kursk().counters[uid].move > 5:
        return 0  # 6^6 paths take too long
    best = {}
    for path, cost in every_path(pos, uid, how):
        if path[-1] != pos.where[uid]:
            best[path[-1]] = min(best.get(path[-1], (cost, path)), (cost, path))
    found = {there: (way.mp, way.path) for there, way in movement.reach(pos, uid, how).items()}
    assert found == best
    return 1


def compare_communication(seed):
    """Hex by hex: on the own edge, or a chain whose every further hex is open and whose last is on the edge (K-37)."""
    pos, uid, _rng = crowd(seed)
    side = pos.side(uid)
    for start in HEXES[:: max(1, len(HEXES) // 60)]:
        assert bool(pos.communication(side) >> start & 1) == linked(pos, side, start), BOARD.labels[start]


def compare_retreats(seed):
    """Compare the permitted retreat paths, and their costs, with a search of all pairs of hexes (K-61)."""
    pos, uid, _rng = crowd(seed)
    side, start = pos.side(uid), pos.where[uid]
    kinds = {"free": [], "costly": [], "fatal": []}
    for first, second in itertools.product(BOARD.neighbours[start], HEXES):
        steps = second in BOARD.neighbours[first] and BOARD.distance(start, second) == 2
        enemy = any(pos.at.get(h) and pos.side(pos.unit(h)) != side for h in (first, second))
        if not steps or enemy or second in pos.at:
            continue
        watched = [
            any(o in pos.at and pos.side(pos.unit(o)) != side for o in BOARD.neighbours[h]) for h in (first, second)
        ]
        kinds["fatal" if watched[1] else "costly" if watched[0] else "free"].append((first, second))
    found = retreat.permit(pos, uid)
    best = next((kind for kind, paths in kinds.items() if paths), None)
    if best is None:
        assert found.kind in ("exit", "costly exit", "none")
    else:
        assert found.kind == best
    assert list(found.paths) == (sorted(kinds[best]) if best in ("free", "costly") else [])


def linked(pos, side, start):
    """7.3, K-37: return whether a hex is In Communication, by a search from the hex."""
    edge = pos.setting.edges[side]
    shut = pos.enemies(side) | pos.ezoc(side) | pos.cities[ENEMY[side]]
    seen, todo = {start}, [start]
    while todo:
        here = todo.pop()
        if edge >> here & 1:
            return True
        new = [there for there in BOARD.neighbours[here] if there not in seen and not shut >> there & 1]
        seen.update(new)
        todo += new
    return False


def kind_of(chart, label):
    """The terrain of a hex, by the lists of the map."""
    return next((kind for kind, labels in chart["terrain"].items() if label in labels), chart["default-terrain"])


def river_of(chart, one, other):
    """The kind of river between two hexes, '' for none."""
    sides = {f"{one}-{other}", f"{other}-{one}"}
    return next((river["kind"] for river in chart["rivers"].values() if sides & {*river["hexsides"]}), "")


def slow_odds(pos, defender, attackers):
    """9.0, 9.2: return attack, defence, total shifts and column (0: no attack), directly from the data."""
    data, labels = pos.setting.scenario.data, BOARD.labels
    chart, tec, units = data["map"], data["tables"]["tec"], data["units"]["units"]
    there, turns = labels[pos.where[defender]], list(data["tables"]["turn-track"])

    def printed(uid):
        return Fraction(units[uid]["full" if pos.state.units[uid].steps == 2 else "reduced"])

    attack = Fraction(0)
    for uid in attackers:
        marsh = kind_of(chart, labels[pos.where[uid]]) == "marsh"
        mud = is_mud(pos.state)
        attack += printed(uid) / (2 if marsh else 1) / (2 if mud and units[uid]["type"] in ARMOR else 1)
    defence, side = printed(defender), units[defender]["side"]
    shift = int(tec["hexes"][kind_of(chart, there)]["shift"])
    if there in chart["cities"]:
        shift += int(tec["hexes"][chart["cities"][there]["kind"]]["shift"])
    for fort in chart["fortifications"].values():
        active = turns.index(fort["active-from"]) <= turns.index(pos.state.turn)
        if fort["owner"] == side and active and there in fort["hexes"]:
            shift += int(tec["hexes"]["fortification"]["shift"])
            break
    kinds = {river_of(chart, labels[pos.where[uid]], there) for uid in attackers}
    if "" not in kinds:
        shift += int(tec["hexsides"]["major" if kinds == {"major"} else "river"]["shift"])
    shift += not linked(pos, side, pos.where[defender])
    shift -= not any(linked(pos, ENEMY[side], pos.where[uid]) for uid in attackers)
    level = attack // defence if attack >= defence else 2 - ceil(defence / attack)
    column = min(level + shift, 6)
    return attack, defence, shift, max(column, 0)


def compare_odds(seed):
    """9.0, 9.2: some units adjacent to an enemy attack the enemy."""
    pos, _uid, rng = crowd(seed, mud=seed % 2 == 1)
    asked = 0
    for defender in sorted(pos.where):
        near = BOARD.neighbours[pos.where[defender]]
        beside = [uid for uid in sorted(pos.where) if pos.where[uid] in near and pos.side(uid) != pos.side(defender)]
        if beside:
            attackers = tuple(rng.sample(beside, rng.randint(1, len(beside))))
            told = assess(pos, Battle("b", pos.where[defender], defender, attackers))
            shifts = sum(shift.by for shift in told.shifts)
            said = told.attack, told.defence, shifts, told.column
            assert said == slow_odds(pos, defender, attackers), (seed, defender, attackers)
            asked += 1
    return asked


def compare(seed: int) -> int:
    """Compare all answers in the crowd of a seed; return the number of compared answers."""
    reached = compare_reach(seed, mud=seed % 2 == 1, by_rail=seed % 3 == 0)
    compare_communication(seed)
    compare_retreats(seed)
    return reached + 2 + compare_odds(seed)
