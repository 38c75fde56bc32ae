"""9.0 to 9.3: the end of a game."""

import pytest

from kursk_pbem.kernel.umpire import GameEnded, Umpire
from kursk_pbem.rulesets.armor_commander import RULESET, victory
from kursk_pbem.rulesets.armor_commander.setting import Objective
from rulesets.armor_commander.table import begin, crew, moved, play, red, world

MODELS = {
    "g-pz-1": ("10.00, 10.00", "3"),
    "g-gun-1": ("10.00, 40.00",),
    "s-t-1": ("20.00, 10.00", "9"),
    "s-gun-1": ("60.00, 60.00",),
}
ONE = {"hill": {"name": "the hill", "at": "30.00, 30.00"}}
TWO = {**ONE, "mill": {"at": "30.00, 60.00"}}


def read_end(setting, state, **orders):
    """Return how and for whom the game ends with the last turn, or ''."""
    after = play(setting, state, **orders).after
    found = RULESET.play.verdict(setting, after)
    return (found.how, found.winner) if found else ""


def last(setting, **marks):
    return begin(setting, turn="4", **marks)


def test_9_0_the_game_ends_after_the_last_turn():
    """A-1, A-42: equal losses without objectives are a draw."""
    setting = world(MODELS)
    assert read_end(setting, begin(setting, turn="3")) == ""
    assert read_end(setting, last(setting)) == ("losses", "")
    found = RULESET.play.verdict(setting, play(setting, last(setting)).after)
    assert found.text == "Draw: both have lost as many tanks and guns (9.3)"


def test_9_1_a_side_without_models_has_lost_at_once():
    """A-42: in the middle of the action of any turn; no unit acts afterwards."""
    setting = world({key: MODELS[key] for key in ("g-pz-1", "g-gun-1", "s-t-1")})
    dice = {"g-pz-1/hit": "6", "g-pz-1/save/s-t-1": "11"}
    result = play(setting, begin(setting), [red("g-panzer", "s-tanks"), red("g-gun-1", "s-tanks")], dice=dice)
    found = RULESET.play.verdict(setting, result.after)
    assert (found.how, found.winner, result.after.stage) == ("wiped-out", "german", "over")
    assert found.text == "German victory: the other side has no model left (9.1)"


def test_9_1_both_without_models_are_a_draw():
    """A-42: impossible by fire in the printed game, because a tank that fires HE survives; implemented anyway."""
    setting = world(MODELS)
    umpire = Umpire(setting, crew(begin(setting), dict.fromkeys(MODELS, 0)), 5)
    with pytest.raises(GameEnded):
        victory.finish_if_wiped_out(umpire)
    assert RULESET.play.verdict(setting, umpire.state).winner == ""
    assert "neither side" in RULESET.play.verdict(setting, umpire.state).text


def test_9_2_of_several_objectives_the_side_that_holds_more_wins():
    """A-50: with equal objectives, losses decide."""
    setting = world(MODELS, objectives=TWO)
    assert setting.objectives[1] == Objective("mill", "mill", (3000, 6000))
    even = moved(last(setting), {"g-pz-1": "30.00, 31.00", "s-t-1": "30.00, 61.00"})
    assert read_end(setting, even) == ("losses", "")
    both = moved(last(setting), {"g-pz-1": "30.00, 31.00", "g-gun-1": "30.00, 61.00"})
    assert read_end(setting, both) == ("objectives", "german")
