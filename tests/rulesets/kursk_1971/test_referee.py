"""An independent second referee agrees with the code in random positions of the real map."""

from __future__ import annotations

import pytest
from helpers import sweeps

from kursk_pbem.kernel.events import Fought, Marked, Moved, Placed, Removed, Unmarked
from rulesets.kursk_1971.board import points
from rulesets.kursk_1971.compared import KINDS, both, case, compare_odds, compare_ways
from rulesets.kursk_1971.random_play import play
from rulesets.kursk_1971.referee import COLUMNS, ENEMY, around


@pytest.mark.some(4)
@pytest.mark.parametrize("kind", KINDS)
def test_reach_supply_and_retreats(kind):
    """3.0, 4.0, 5.0, 6.0, 8.0-ar, 11.0: all costs, units in supply and retreat hexes."""
    for seed in range(3):
        compare_ways(*case(kind, seed))


@pytest.mark.parametrize("kind", KINDS)
def test_odds_and_dice(kind):
    """7.0: strengths, partners, columns and worst terrain of every stack, attacked by all adjacent units."""
    seen = {said for seed in range(6) for pair in compare_odds(*case(kind, seed)) for said in pair}
    assert {None, "1:3", "1:1", "2:1", "9:1", 0, -1} <= seen


class Witness:
    """Checks each event of a game against the referee in the position before the event."""

    def __init__(self, referee, state):
        self.referee, self.seen = referee, set()
        self.places = {uid: unit.place for uid, unit in state.units.items() if unit.steps and unit.place.isdigit()}
        self.flown = dict(state.marks.get("interdiction", {}))
        self.points = {"german": 0, "soviet": 0}

    def message(self, result):
        """Check the events of one message."""
        self.attacked, self.fight, self.paid, self.replaced, self.spared = set(), None, 0, "", set()
        for event in result.events:
            self.referee.stand(self.places, self.flown)
            match event:
                case Fought(rule="7.0-procedure"):
                    self.fought(event)
                case Moved(how="retreat"):
                    assert event.path[0] in self.referee.retreats(event.unit)
                    assert event.unit not in self.spared
                case Moved(how="advance"):
                    self.advance(event)
                case Removed():
                    self.removed(event)
            self.led_on(event)
        self.settle()

    def fought(self, event):
        """7.0, 8.0: check odds, die and result, and settle the previous exchange."""
        self.settle()
        attackers, stack = list(event.attack.units), list(self.referee.stacks.get(event.place, ()))
        if not event.column:
            return
        attack, defence, column, die = self.referee.odds(attackers, event.place, self.attacked)
        support = 2 if any("support" in shift.why for shift in event.shifts) else 0
        assert (event.attack.total, event.defence.total) == (str(attack), str(defence))
        assert event.column == (column or "no defence")
        if column:
            face = max(-1, min(6, int(event.dice) + die + support))
            row = self.referee.tables["crt"]["rows"][f"minus{face}" if face < 0 else str(face)]
            assert event.result == row[COLUMNS.index(column)]
        self.seen.add(event.result)
        self.spared = self.attacked & {*stack}
        self.attacked |= {*stack}
        counts = {row.unit: int(row.counts) for row in event.attack.rows}
        self.fight, self.paid = (event.result, counts, defence, {*stack}), 0
        self.stood, side = dict(self.places), self.referee.side(attackers[0])
        self.left = {ENEMY[side]: {self.places[uid] for uid in attackers}, side: {event.place}}

    def settle(self):
        """8.0-ex: check that an exchange cost at least the defense, or everything."""
        if self.fight and self.fight[0] in ("EX", "HX"):
            due = self.fight[2] if self.fight[0] == "EX" else -(-self.fight[2] // 2)
            assert self.paid >= due or self.paid == sum(self.fight[1].values())
        self.fight = None

    def removed(self, event):
        """Check the reason of a removal, and its points."""
        unit = self.referee.units[event.unit]
        assert event.unit not in self.spared
        if event.why.endswith(("no hex to retreat to", "no hex for a Kampfgruppe")):
            assert self.referee.retreats(event.unit) == []
        if self.fight and event.unit in self.fight[1] and self.fight[0] in ("EX", "HX"):
            self.paid += self.fight[1][event.unit]
        self.replaced = event.unit if event.rule == "10.0-a" else ""
        if not self.replaced:
            self.points["soviet" if unit["side"] == "german" else "german"] += self.referee.points(event.unit)

    def advance(self, event):
        """8.0-advance: check an advance of the opposite side into an emptied hex.

        After every result, only units adjacent at the time of the attack that have not moved advance, never a ground
        element, never into an enemy line.
        """
        side, there = self.referee.side(event.unit), event.path[0]
        assert there in self.left[side]
        assert there in around(self.stood[event.unit])
        assert self.stood[event.unit] == self.places[event.unit]
        assert there not in self.referee.lines[ENEMY[side]]
        assert not self.referee.stacks.get(there) or self.referee.side(self.referee.stacks[there][0]) == side
        assert self.referee.units[event.unit]["type"] != "air"
        self.seen.add("advance")

    def led_on(self, event):
        """Return the position after an event."""
        match event:
            case Moved():
                self.places[event.unit] = event.path[-1]
            case Removed():
                self.places.pop(event.unit)
            case Placed():
                self.places[event.unit] = event.place
                if event.rule == "10.0-b":
                    one, other = (int(self.referee.units[uid]["attack"]) for uid in (self.replaced, event.unit))
                    assert (one, other) in ((6, 2), (5, 1), (4, 1))
                    self.points["soviet"] += 3 * (one - other)
                    self.seen.add("kampfgruppe")
            case Marked(table="interdiction"):
                self.flown[event.key] = event.value
            case Unmarked(table="interdiction"):
                self.flown.pop(event.key)


@pytest.mark.long
@pytest.mark.parametrize(("kind", "seed"), sweeps.some([(KINDS[0], 5), (KINDS[3], 4)], 2))
def test_a_game_event_by_event(kind, seed):
    """6.0-when, 7.0-c, 8.0, 10.0-c, 14.0-strength: fights use the position of their moment, points match losses."""
    game, referee = both(*kind)
    witness = None
    for number, (before, _filing, result) in enumerate(play(game, seed)):
        witness = witness or Witness(referee, before)
        witness.message(result)
        assert points(result.after) == (witness.points["german"], witness.points["soviet"])
        if number == 14:
            break
    assert {"AR", "BR", "DR", "kampfgruppe", "advance"} <= witness.seen
