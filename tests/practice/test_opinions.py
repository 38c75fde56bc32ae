"""Dice, plans, hints and analyses of the program: repeatable, in points, and told as opinions (docs/players.md 8)."""

import io
import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import pytest
from helpers import finished_games, registry

from kursk_pbem.cli import run
from kursk_pbem.errors import UsageError
from kursk_pbem.kernel.ideas import Idea, Ideas
from kursk_pbem.practice import analysis, hints, levels, opponent, partner
from kursk_pbem.practice.analysis import Swing
from kursk_pbem.practice.hints import Advice
from kursk_pbem.practice.play import HashedDice, IllegalContentError, Table

KIT = registry.kit()
SETTING = KIT.setting(KIT.scenarios[0])


# Dice and plans


def test_hashed_dice_are_repeatable_and_fair_enough_to_show_every_face():
    dice = HashedDice(4, "seed")
    thrown = Counter(dice.roll("weather", 60))
    assert sum(thrown.values()) == 60
    assert {*thrown} == {*"123456"}
    assert dice.roll("weather", 3) == HashedDice(4, "seed").roll("weather", 60)[:3]
    others = HashedDice(5, "seed").roll("weather", 9), HashedDice(4, "x").roll("weather", 9), dice.roll("battle", 9)
    assert len({*others, dice.roll("weather", 9)}) == 4


def test_an_illegal_plan_is_an_error_with_message_and_paragraph():
    """A wrong proposal of the program must never look like a legal move."""
    table = Table(KIT.ruleset, SETTING, KIT.setup(SETTING)).show_duties(HashedDice(1, "seed"))
    far = {"orders": {"movement": [{"unit": next(iter(table.state.units)), "to": "nowhere"}]}}
    with pytest.raises(IllegalContentError, match=rf"message 1, {table.state.stage}: .*\["):
        table.take_choices(far)


def ask_plans(state, seq, seeds):
    """Return the plans that level 1 draws, one for each seed."""
    drawn = []
    plans = tuple(Idea(key, "", "") for key in ("usual", "bold", "odd"))
    ideas = Ideas(plans, None, lambda _a, _b, _c, plan, _own, whim, _solve: drawn.append((plan, whim("x"))), None)
    ruleset = replace(KIT.ruleset, ideas=lambda: ideas)
    for seed in seeds:
        levels.think(ruleset, SETTING, state, seq, {}, 1, seed)
    return drawn


def test_level_1_draws_a_plan_for_a_turn_and_the_usual_one_most_often():
    state, seeds = KIT.setup(SETTING), range(200)
    drawn = Counter(plan for plan, _mood in ask_plans(state, 1, seeds))
    assert drawn["usual"] > 100
    assert min(drawn["bold"], drawn["odd"]) > 15
    first, second = ask_plans(state, 1, seeds), ask_plans(state, 3, seeds)
    assert [plan for plan, _mood in first] == [plan for plan, _mood in second]  # of one turn
    assert [mood for _plan, mood in first] != [mood for _plan, mood in second]
    later = ask_plans(state.with_(turn="9"), 1, seeds)
    assert [plan for plan, _mood in first] != [plan for plan, _mood in later]


def test_a_system_without_ideas_is_played_by_its_forms():
    """Equal seeds give equal orders; another seed gives other orders."""
    ruleset, state = replace(KIT.ruleset, id="unknown"), KIT.setup(SETTING)
    thought = [levels.think(ruleset, SETTING, state, 1, {}, 1, seed) for seed in ("seed", "seed", *"abcdef")]
    assert thought[0] == thought[1]
    assert any(each != thought[0] for each in thought)


# Hints


def show_hints(*found, ideas=True):
    ruleset = SimpleNamespace(title="Toy", id="toy", ideas=ideas or None)
    return hints.describe_hints(SimpleNamespace(desk=SimpleNamespace(game=SimpleNamespace(ruleset=ruleset))), found)


def test_a_hint_tells_gain_odds_orders_and_that_it_is_an_opinion():
    attack = Advice("Attack 1912", ("attack 1912 g-1", "losses g-2"), ("3:1", "DR 2/6"), Fraction(125), True, True)
    plan = Advice("Hold. Stay", ("posture pause", "rest"), (), Fraction(101, 2), False, False)
    order = Advice("posture pause", ("posture pause",), (), Fraction(30), True, True)
    assert show_hints(attack, plan, order) == [
        "1. Attack 1912: +1.25 points",
        "   3:1, DR 2/6",
        "   attack 1912 g-1, losses g-2",
        "2. Hold. Stay: about +0.50 points",
        "   2 other orders",
        "3. posture pause: +0.30 points",
        hints.OPINION,
    ]
    assert show_hints() == ["No hint: the program finds nothing better than your draft."]
    assert show_hints(ideas=False) == ["No hint: the program has no ideas about Toy yet."]
    assert hints.to_plain(plan)["gain"] == "101/200"


@pytest.mark.parametrize("number", [0, 2])
def test_a_hint_that_is_not_listed_cannot_be_taken(number):
    with pytest.raises(UsageError, match=f"there is no hint {number}: choose 1 to 1"):
        hints.take_hint(None, [Advice("x", ("x",), (), Fraction(1), True, True)], number)
    with pytest.raises(UsageError, match="nothing better"):
        hints.take_hint(None, [], number)


# Where a game was lost


SWINGS = (
    Swing(0, "1", "german", 0),
    Swing(1, "1", "russian", 150, Fraction(200), Fraction(90_000), given=Fraction(75), better="Hold the line"),
    Swing(2, "1", "german", -50, Fraction(-500), Fraction(70_000), alone=True, uncounted=3),
)
HISTORY = SimpleNamespace(game=SimpleNamespace(ruleset=KIT.ruleset, setting=SETTING))


@pytest.mark.parametrize(
    ("hundredths", "shown"), [(125, "+1.25"), (0, "0.00"), (-5, "-0.05"), (-250, "-2.50"), (Fraction(7, 2), "+0.04")]
)
def test_points_have_a_sign_and_two_decimals(hundredths, shown):
    assert analysis.show_points(hundredths) == shown
    assert analysis.show_points(hundredths, signed=False) == shown.lstrip("+")


def test_the_sums_of_a_game_name_the_lucky_side_and_what_orders_gave_away():
    lines = analysis.describe_sums(HISTORY, SWINGS)
    assert lines[:2] == [
        "All dice together brought 3.00 points for the Russian side, 0.8 standard deviations from the expected 0.",
        "One standard deviation is 4.00 points.",
    ]
    assert lines[2:4] == [
        "Orders of the German side gave away 0.00 points.",
        "Orders of the Russian side gave away 0.75 points.",
    ]
    assert lines[4].startswith("3 dice are not counted")
    assert lines[5].startswith("*: ")
    assert lines[6:] == [analysis.OPINION]
    assert "for the German side, 0.7 standard" in analysis.describe_sums(HISTORY, SWINGS[:2])[0]
    assert len(analysis.describe_sums(HISTORY, SWINGS[:1])) == 5


def test_the_curve_without_dice_takes_back_every_swing_so_far():
    page = analysis.make_page(HISTORY, SWINGS)
    assert page["curve"] == [[0, 0], [150, -50], [-50, 250]]
    assert page["rows"][1:] == [
        ("0", "1", "German", "0.00", "", "", ""),
        ("1", "1", "Russian", "+1.50", "+2.00", "0.75", "Hold the line"),
        ("2", "1", "German", "-0.50", "-5.00*", "", ""),
    ]
    assert analysis.to_plain(SWINGS[1])["dice"] == "2"
    assert analysis.to_plain(SWINGS[1])["variance"] == "9"


# The opponent


def test_a_wish_that_cannot_be_met_is_refused_before_a_game_begins(tmp_path):
    with pytest.raises(UsageError, match="choose german or russian"):
        partner.start_game(tmp_path, KIT.scenarios[0], "axis", 1)
    with pytest.raises(UsageError, match=r"has no level 9.*choose from: recruit, level 1, level 2"):
        partner.start_game(tmp_path, KIT.scenarios[0], "german", 9)
    assert not [*tmp_path.rglob("game-*")]


def test_the_opponent_takes_no_folder_of_a_player_and_no_refereed_game(tmp_path, monkeypatch):
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "player"))
    assert run(["keygen", str(tmp_path / "me")]) == 0
    with pytest.raises(UsageError, match="is the private folder of a player"):
        opponent.open_home(tmp_path / "player", 1)
    proposal = (finished_games.folder_of(KIT, "referee") / "0000.yaml").read_bytes()
    opponent.open_home(tmp_path / "home", 1)
    with pytest.raises(UsageError, match="no game with a referee"):
        opponent.answer_request(tmp_path / "home", proposal)
    assert not [*tmp_path.rglob("game-*")]


def test_a_mail_that_is_no_message_ends_the_opponent_with_one_plain_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("KURSK_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO("gr\u00fc\u00dfe\n".encode())))
    assert opponent.run_process() == 2
    said = capsys.readouterr()
    assert (said.out, said.err.isascii(), "\n" in said.err) == ("", True, False)
    assert said.err
