"""Random legal play to the end of the game, both scenarios: the laws of every message, looked at in all of them."""

import itertools

import pytest
from helpers import sweeps

from kursk_pbem.game import scenario_files as scenario
from kursk_pbem.kernel.adjudicate import adjudicate
from kursk_pbem.kernel.events import Decided, Fought, Moved, Placed, Removed, Rolled, StepsLost, apply
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import REFEREE
from kursk_pbem.kernel.state import ELIMINATED
from kursk_pbem.rulebook import books
from kursk_pbem.rulesets.battle_for_kursk import RULESET, victory
from rulesets.battle_for_kursk.board import kursk, laws
from rulesets.battle_for_kursk.random_play import play

pytestmark = pytest.mark.slow

DIE, ASK = {"weather": "die"}, {"uncovered": "ask"}
REFEREED = [("campaign", {**DIE, **ASK}, 1), ("citadel", {}, 2), ("citadel", ASK, 3), ("campaign", DIE, 0)]
GAMES = [(scene, seed) for scene in ("campaign", "citadel") for seed in range(6)]


class Fallen:
    """The dice of a message as they fell."""

    def __init__(self, seq, dice):
        self.seq, self.dice = seq, dice

    def roll(self, label, n):
        """Return the digits of a label. Raises KeyError for a label without a roll."""
        assert len(self.dice[label]) == n
        return self.dice[label]


@pytest.mark.parametrize(("scene", "seed"), sweeps.some(GAMES, 14))
def test_laws_of_every_message_in_random_play(scene, seed):
    """Events give the next position, positions are possible and survive their plain form, steps are conserved, equal
    messages give equal results, and the events of a check are the first events of the adjudication."""
    laws_of_a_game(kursk(scene), scene, seed)


@pytest.mark.long
@pytest.mark.parametrize(("scene", "options", "seed"), sweeps.some(REFEREED, 2))
def test_laws_of_every_message_where_a_referee_rolls(scene, options, seed):
    """The same laws with a referee. The referee chooses nothing, only the referee rolls, and each standing answer is
    its owner's answer."""
    game = RULESET.data.load(scenario.load(scenario.find(f"battle-for-kursk/{scene}")), options, REFEREE)
    standing = {}
    for before, filing, result in laws_of_a_game(game, scene, seed):
        writer = RULESET.writer(game, before)
        assert filing.writer == writer
        assert bool(result.dice) <= (writer == REFEREE) == (filing.seq % 2 == 0)
        assert writer != REFEREE or result.middle == result.after
        assert filing.seq > 3 or not result.dice
        if filing.policy:
            standing[writer] = {"seq": str(filing.seq), "policy": dict(filing.policy)}
        for side in ("german", "russian"):
            assert result.after.agenda.get(f"policy-{side}") == standing.get(side) or result.after.stage == "over"
    assert len(standing) == 2


def laws_of_a_game(game, scene, seed):
    """Play a game, check every message, and return all messages."""
    last, played = None, []
    for before, filing, result in play(game, seed):
        where = f"{scene}, seed {seed}, message {filing.seq} ({before.turn} {before.stage})"
        played.append((before, filing, result))
        laws(game, result)
        steps_are_conserved(result, where)
        battles_add_up(game, result, where)
        again_and_as_a_check(game, before, filing, result, where)
        last = result
    assert last is not None
    assert last.after.stage == "over"
    assert last.after.agenda == {}, f"{scene}, seed {seed}"
    assert victory.find_verdict(game, last.after) is not None
    return played


def steps_are_conserved(result, where):
    """A flip and a rebuilding add one step each; losses remove the stated steps, and no other event changes steps."""
    state, expected = result.before, sum(unit.steps for unit in result.before.units.values())
    for event in result.events:
        match event:
            case Placed(how="flip") | Placed(how="place"):
                expected += 1
            case StepsLost(lost=lost):
                expected -= lost
            case Removed(unit=uid, place=place) if place == ELIMINATED:
                expected -= state.units[uid].steps
        state = apply(state, event)
        assert sum(unit.steps for unit in state.units.values()) == expected, f"{where}: {event}"
    assert set(state.units) == set(result.before.units), where


def battles_add_up(game, result, where):
    """Each column has a die and each die a column; each battle is fought once; no unit is outside the hexes of the
    map."""
    fought = [event for event in result.events if isinstance(event, Fought)]
    for event in fought:
        assert bool(event.column) == bool(event.dice) == bool(event.result), f"{where}: {event}"
    assert len({event.battle for event in fought}) == len(fought), where
    assert len([event for event in result.events if isinstance(event, Rolled)]) == len(result.dice), where
    for event in result.events:
        if isinstance(event, Moved):
            hexes = [game.board.index[label] for label in (event.start, *event.path)]
            assert all(b in game.board.neighbours[a] for a, b in itertools.pairwise(hexes)), where
        assert not isinstance(event, Decided) or event.chosen, where


def again_and_as_a_check(game, before, filing, result, where):
    """Check that the same filing gives an equal result.

    Its duties alone give the first events; in a message without dice, adjudication without dice gives all events."""
    ruleset = RULESET
    assert adjudicate(ruleset, game, before, filing, Fallen(filing.seq, result.dice)) == result, where
    duties = Filing(filing.seq, filing.writer, reveal=filing.reveal, resigns=True)
    prefix = adjudicate(ruleset, game, before, duties, Fallen(filing.seq, result.dice))
    assert result.events[: result.duties] == prefix.events, where
    if not ruleset.stage(game, before).rolls:
        assert adjudicate(ruleset, game, before, filing, None) == result, where


@pytest.mark.long("test-all")
def test_every_event_of_random_play_cites_a_paragraph():
    """No event, shift or refusal names a paragraph that the rulebook lacks or does not play."""
    book = books.load(RULESET.rulebook).paragraphs
    cited = set()
    for seed in (20, 21):
        for _before, _filing, result in play(kursk(), seed):
            for event in result.events:
                cited.add(event.rule)
                cited.update(shift.rule for shift in getattr(event, "shifts", ()))
    assert {rule for rule in cited if rule not in book} == set()
    assert {rule for rule in cited if book[rule].status not in ("coded", "open")} == set()
    assert {"9.0-4", "9.2", "10.0-2", "12.0-2"} <= cited


def test_random_play_is_the_same_for_the_same_seed():
    """The seed in a failure message is enough to see the failure again."""
    one, two = ([result.after.sha256() for *_rest, result in play(kursk("citadel"), 3)] for _ in range(2))
    assert one == two
