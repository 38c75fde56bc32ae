"""Compares the code with the second referee in crowded positions of the real map."""

from __future__ import annotations

import random
from functools import cache

from kursk_pbem.kernel.hexes.fights import odds_text
from kursk_pbem.rulesets.kursk_1971 import battles, movement, odds, retreat
from kursk_pbem.rulesets.kursk_1971.orders import Battle
from rulesets.kursk_1971.board import at, pos, shipped
from rulesets.kursk_1971.referee import Referee, around
from rulesets.kursk_1971.wished import compare_wishes

KINDS = [(name, edition) for name in ("july4-historical", "august3") for edition in ("digital", "print")]
UNITS = 9
"""Units whose reach is compared in a position."""


@cache
def both(name, edition):
    """Return the setting of a scenario, and its referee."""
    game = shipped(name, edition=edition, optional_rules="both-played" if name == "august3" else "kampfgruppen-only")
    return game, Referee(game.scenario.data, printed=edition == "print", integrity=game.integrity)


def crowd(game, referee, rng):
    """Return a crowded corner of the map: (unit -> label, air unit -> interdicted label)."""
    column, row = rng.randint(1, 26), rng.randint(1, 24)
    spots = [f"{c:02d}{r:02d}" for c in range(column, column + 9) for r in range(row, row + 9)]
    places, stacks = {}, {}
    for uid in rng.sample(sorted(game.counters), 70):
        here = rng.choice(spots)
        stack = [*stacks.get(here, []), uid]
        if len({referee.side(each) for each in stack}) == 1 and referee.fits(stack):
            places[uid], stacks[here] = here, stack
    flown = {uid: rng.choice(spots) for uid in places if referee.units[uid]["type"] == "air"}
    return places, flown


def case(kind, seed):
    """Return the crowd of a seed: (rng, setting, referee, unit -> label, position)."""
    rng = random.Random(seed)
    game, referee = both(*kind)
    places, flown = crowd(game, referee, rng)
    stacks = {}
    for uid, here in places.items():
        stacks[here] = f"{stacks.get(here, '')} {uid}"
    referee.stand(places, flown)
    return rng, game, referee, places, pos(game, at(game, stacks, interdiction=flown))


def compare_ways(rng, game, referee, places, here):
    """3.0, 4.0, 5.0, 6.0, 8.0-ar, 11.0: compare supply, costs and retreat hexes; return the number of answers."""
    for uid in sorted(places):
        assert here.is_supplied(uid) == referee.supplied(uid), uid
    chosen = rng.sample(sorted(places), min(UNITS, len(places)))
    for uid in chosen:
        ways = {game.board.labels[hex_]: way.mp for hex_, way in movement.find_reach(here, uid, 9).items()}
        expected = referee.reach(uid, 9)
        assert ways == {label: spent for label, spent in expected.items() if spent}, uid
        told = game.board.names(sum(1 << hex_ for hex_ in retreat.find_candidates(here, uid)))
        assert told == referee.retreats(uid), uid
    return len(places) + 2 * len(chosen)


def compare_odds(rng, game, referee, places, here):
    """7.0: compare the odds of random attacks; return each (column, die)."""
    seen = []
    for there in sorted({*places.values()}):
        foes = [
            uid
            for uid, spot in places.items()
            if spot in around(there) and referee.side(uid) != referee.side(here.stack(game.board.index[there])[0])
        ]
        able = sorted(uid for uid in foes if int(referee.units[uid]["attack"]))
        able = rng.sample(able, rng.randint(1, len(able))) if able else []
        if not able or battles.find_partner_fault(here, able):
            continue
        told = odds.assess(here, Battle("b", game.board.index[there], tuple(able)))
        attack, defence, column, die = referee.odds(able, there)
        totals = sum(told.attack.values()), sum(told.defence.values())
        assert (*totals, told.modifier) == (attack, defence, die), there
        assert told.automatic == (column is None)
        assert column is None or odds_text(told.column) == column
        seen.append((column, die))
    return seen


def compare(seed: int) -> int:
    """Compare every answer in the crowd of a seed; return the number of answers."""
    held = case(KINDS[seed % len(KINDS)], seed)
    rng, game, _referee, _places, here = held
    return compare_ways(*held) + len(compare_odds(*held)) + compare_wishes(rng, game, here)
