"""A second referee, written apart from the code, agrees with it over random positions of the real map."""

from __future__ import annotations

import random

import pytest

from kursk_pbem.kernel.events import Fought, Placed, Removed
from kursk_pbem.kernel.hexes.fights import odds_text
from kursk_pbem.rulesets.kursk_1971 import battles, movement, odds, retreat
from kursk_pbem.rulesets.kursk_1971.orders import Battle
from rulesets.kursk_1971.board import at, points, pos, shipped
from rulesets.kursk_1971.random_play import play
from rulesets.kursk_1971.referee import Referee, around

KINDS = [(name, edition) for name in ("july4-historical", "august3") for edition in ("digital", "print")]


def both(name, edition):
    """The code's setting of a scenario, and the referee for it."""
    game = shipped(name, edition=edition, optional_rules="both-played" if name == "august3" else "kampfgruppen-only")
    return game, Referee(game.scenario.data, printed=edition == "print", integrity=game.integrity)


def crowd(game, referee, rng):
    """A crowded corner of the map: (unit -> label, air unit -> label that it interdicts)."""
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


def cases(kind, number):
    for seed in range(number):
        rng = random.Random(seed)
        game, referee = both(*kind)
        places, flown = crowd(game, referee, rng)
        stacks = {}
        for uid, here in places.items():
            stacks[here] = f"{stacks.get(here, '')} {uid}"
        referee.stand(places, flown)
        yield rng, game, referee, places, pos(game, at(game, stacks, interdiction=flown))


@pytest.mark.parametrize("kind", KINDS)
def test_reach_supply_and_retreats(kind):
    """3.0, 4.0, 5.0, 6.0, 8.0-ar, 11.0: every cost, every unit in supply, every hex to retreat to."""
    for rng, game, referee, places, here in cases(kind, 3):
        for uid in sorted(places):
            assert here.supplied(uid) == referee.supplied(uid), uid
        for uid in rng.sample(sorted(places), 9):
            found = {game.board.labels[hex_]: way.mp for hex_, way in movement.reach(here, uid, 9).items()}
            expected = referee.reach(uid, 9)
            assert found == {label: spent for label, spent in expected.items() if spent}, uid
            told = game.board.names(sum(1 << hex_ for hex_ in retreat.candidates(here, uid)))
            assert told == referee.retreats(uid), uid


@pytest.mark.parametrize("kind", KINDS)
def test_odds_and_dice(kind):
    """7.0: strengths, partners, columns and the worst terrain of every stack that can be attacked by all beside it."""
    seen = set()
    for rng, game, referee, places, here in cases(kind, 6):
        for there in sorted({*places.values()}):
            foes = [uid for uid, spot in places.items() if spot in around(there)
                    and referee.side(uid) != referee.side(here.stack(game.board.index[there])[0])]  # fmt: skip
            able = sorted(uid for uid in foes if int(referee.units[uid]["attack"]))
            able = rng.sample(able, rng.randint(1, len(able))) if able else []
            if not able or battles.partner_slip(here, able):
                continue
            found = odds.assess(here, Battle("b", game.board.index[there], tuple(able)))
            attack, defence, column, die = referee.odds(able, there)
            totals = sum(found.attack.values()), sum(found.defence.values())
            assert (*totals, found.modifier) == (attack, defence, die), there
            assert found.automatic == (column is None)
            assert column is None or odds_text(found.column) == column
            seen |= {column, die}
    assert {None, "1:3", "1:1", "2:1", "9:1", 0, -1} <= seen


@pytest.mark.parametrize("kind", KINDS[:1])
def test_points_for_strength_of_a_game(kind):
    """10.0-c, 14.0-strength: what the tracks say is what follows from who died and who was replaced."""
    game, referee = both(*kind)
    scored, fought = {"german": 0, "soviet": 0}, 0
    for number, (_before, _filing, result) in enumerate(play(game, 3)):
        replaced = ""
        for event in result.events:
            fought += isinstance(event, Fought)
            if isinstance(event, Removed) and event.rule == "10.0-a":
                replaced = event.unit
            elif isinstance(event, Removed):
                scored["soviet" if referee.side(event.unit) == "german" else "german"] += referee.points(event.unit)
            elif isinstance(event, Placed) and event.rule == "10.0-b":
                one, other = (int(referee.units[uid]["attack"]) for uid in (replaced, event.unit))
                assert (one, other) in ((6, 2), (5, 1), (4, 1))
                scored["soviet"] += 3 * (one - other)
        assert points(result.after) == (scored["german"], scored["soviet"])
        if number == 8:
            break
    assert fought > 10
