"""The lab: programs play a scenario; the same seed gives the same bytes, and a changed scenario is found."""

import ast
import re
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from helpers import registry
from helpers.commands import refused, well

from kursk_pbem.audit import batch
from kursk_pbem.errors import UsageError
from kursk_pbem.game import scenario_files
from kursk_pbem.practice import lab
from kursk_pbem.rulebook import balance

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

import balance as measuring
import deciding

CITADEL = "battle-for-kursk/citadel"


def play(named, games, seed="1", jobs=1):
    return [
        *map(lab.read_result, batch.run_jobs(lab.list_jobs(lab.read_scenario(named), 1, seed, games), batch.Way(jobs)))
    ]


@pytest.fixture(scope="module")
def short(tmp_path_factory):
    """Return the folder of a Citadel of one turn."""
    turns = {("scenario", "turns"): ["1"]}
    return str(scenario_files.copy(CITADEL, "short", tmp_path_factory.mktemp("short"), turns))


def test_the_same_seed_gives_the_same_bytes_in_any_number_of_processes(capsys, tmp_path, short):
    games = play(short, 2)
    well(capsys, "lab", short, "--games", "2", "--jobs", "2", "-o", tmp_path / "page.md")
    page = (tmp_path / "page.md").read_text("utf-8")
    assert page == lab.write_page(lab.read_scenario(short), 1, "1", games)
    assert page.startswith("Programs played both sides (level 1);")
    assert play(short, 1, "2") != games[:1]
    refused(capsys, 2, "lab", "juggernauts/july-1943", "--level", "3")
    refused(capsys, 2, "lab", "citadel", "--games", "1", "--change", "juggernauts/july-1943")


@pytest.mark.some(4)
@pytest.mark.parametrize("kit", registry.kits("all"), ids=lambda kit: kit.id)
def test_every_system_has_a_page(kit):
    games = play(kit.scenarios[0], 1)
    page = lab.write_page(lab.read_scenario(kit.scenarios[0]), 1, "1", games)
    assert ("Margin of the" in page) is any(game.by_points or game.margin is not None for game in games)
    assert "| lost units a game |" in page.replace("| side | kind ", "")
    assert len(measuring.make_row(kit.scenarios[0], games)) == 6


def test_an_illegal_order_of_a_program_is_told_with_the_seed(monkeypatch):
    """Bug: the run ended with a traceback."""
    monkeypatch.setattr(lab, "think", lambda *_position, **_level: {"orders": {"movement": [{"unit": "nobody"}]}})
    with pytest.raises(UsageError, match="report the bug, seed lab/1/0: message"):
        lab.list_jobs(lab.read_scenario("kursk-1971/june12"), 1, "1", 1)[0].run()


SIDES = ("german", "russian")


def game(winner, margin, *, by_points=True, how=""):
    return lab.Played(winner, how, margin, by_points, 10, "8", {})


def test_the_even_number_counts_ties_for_the_giver_and_leaves_other_ends():
    """5.0: Moscow is no matter of points."""
    games = [game("russian", -10) for _n in range(4)] + [game("russian", -12) for _n in range(4)]
    games += [game("german", -11, by_points=False, how="moscow")]
    assert lab.share(games, "german", SIDES, 10) == Fraction(1, 9), "a tie goes to the Russian, who gives"
    assert lab.share(games, "german", SIDES, 11) == Fraction(5, 9)
    assert lab.find_even(games, SIDES) == [(11, Fraction(5, 9))]
    assert lab.share(games, "german", SIDES, 99) == 1
    late = game("german", 3, how="moscow")
    assert lab.share([*games, late], "german", SIDES, -5) == Fraction(2, 10), "also in the last turn"
    skewed = [game("russian", -10) for _n in range(10)]
    assert [given for given, _part in lab.find_even(skewed, SIDES)] == [10, 11], "nothing between none and all"
    assert lab.find_even([game("german", None, by_points=False)], SIDES) == []


def test_many_margins_are_told_in_bands():
    assert lab.count_margins([game("russian", -10), game("german", 3), game("german", 3)]) == [("-10", 1), ("+3", 2)]
    many = [game("german", margin) for margin in range(-1, 100)]
    assert lab.count_margins(many) == [("-50 to -1", 1), ("+0 to +49", 50), ("+50 to +99", 50)]


def test_a_title_of_a_stranger_is_no_markdown(tmp_path):
    folder = scenario_files.copy("battle-for-kursk/citadel", "odd", tmp_path)
    head = (folder / "scenario.yaml").read_text("utf-8")
    odd = "title: '![a](http://x/) <b>|`'"
    (folder / "scenario.yaml").write_text(re.sub("(?m)^title:.*", odd, head), "utf-8")
    page = lab.write_page(lab.read_scenario(str(folder)), 0, "1", [game("german", 3)])
    assert r"\!\[a\](http://x/) \<b\>\|\`" in page


def test_a_comparison_is_a_sign_test_of_pairs():
    one = [game("russian", -10) for _n in range(10)]
    better = [game("russian", -9) for _n in range(10)]
    same, *others = lab.compare(one, one, SIDES)
    assert (same.more, same.fewer, same.chance) == (0, 0, 1)
    assert [each.what for each in others] == ["units lost by german", "units lost by russian"]
    assert not lab.is_found([same, *others])
    found = lab.compare(one, better, SIDES)
    assert (found[0].more, found[0].fewer, found[0].chance) == (10, 0, Fraction(3 * 2, 1024))
    assert lab.is_found(found)
    assert lab.compare(better, one, SIDES)[0].fewer == 10
    moscow = [game("german", -11, by_points=False, how="moscow") for _n in range(10)]
    assert lab.compare(moscow, one, SIDES)[0].fewer == 10, "a victory is more than points"


def test_an_effect_has_an_interval_and_programs_get_the_figures():
    """Bug: 'no difference is found' from 12 pairs was read as no difference."""
    one = [game("russian", -10) for _n in range(12)]
    better = [game("german", 1) if n < 3 else game("russian", -9) for n in range(12)]
    effect = lab.measure_effect(one, better, SIDES)
    assert (effect.before, effect.after) == (0, Fraction(1, 4))
    assert round(float(effect.wide), 2) == 0.26, "1.96 standard errors of 3 of 12"
    assert "an effect of 25.0 percentage points, with an interval of 25.6 to both" in lab.write_comparison(
        one, better, SIDES
    )
    assert lab.describe_effect(one, better, SIDES) == {
        "wins": {"german": 3, "russian": 9, "draw": 0},
        "effect": "25.00",
        "interval": ["-0.58", "50.58"],
    }
    facts = lab.make_facts(one, SIDES)
    assert (facts["margin"], facts["messages"]) == ("-10.00", {"median": 10, "nine-in-ten": [10, 10]})


@pytest.mark.long("test-all")
def test_a_planted_change_is_found_in_at_most_500_pairs(tmp_path, capsys):
    """A low column of the Combat Results Table takes the results of a high column."""
    folder = scenario_files.copy(CITADEL, "changed", tmp_path, {})
    tables = folder / "tables.yaml"
    rows = re.compile(r"('[1-6]': \[[A-Z]+, )[A-Z]+(, [A-Z]+, [A-Z]+, )([A-Z]+)")
    text, count = rows.subn(r"\1\3\2\3", tables.read_text("ascii"))
    assert count == 6
    tables.write_text(text, encoding="ascii")
    said = well(capsys, "lab", CITADEL, "--games", "120", "--jobs", "2", "--change", folder)
    assert "the change is found" in said
    alike = lab.compare(play(CITADEL, 60, "one"), play(CITADEL, 60, "other"), SIDES)
    assert not lab.is_found(alike)


@pytest.mark.long("test-all")
def test_the_figures_of_balance_are_of_this_code():
    """`make balance` after a change of the rules or the levels; `tools/balance.py --renew` if all plays as before."""
    assert deciding.find_stale(measuring.PAGE, measuring.digest_code) == {}


def test_words_for_people_change_no_hash_of_code_and_decisions_change_it():
    words = ["def f(a):\n    return {**a, 'b': 1}", 'def f(a):\n  """Say it."""\n  # why\n  return {**a, "b": 0x1}']
    others = ["def f(a):\n    return {'b': a, **1}", "def f(a):\n    return {**a, 'b': 2}"]
    trees = ["\n".join(deciding.walk(ast.parse(each))) for each in (*words, *others)]
    assert [trees.index(each) for each in trees] == [0, 0, 2, 3]


def test_docs_balance_says_who_wins_or_nothing_yet(capsys):
    text = measuring.PAGE.read_text(encoding="utf-8")
    rows = deciding.ROW.findall(text)
    assert (measuring.NOT_YET in text) is (not rows)
    shown = well(capsys, "scenario", "battle-for-kursk")
    assert ("programs of level" in shown) is any(name.startswith("battle-for-kursk/") for name, _code in rows)


def test_the_handbook_and_the_list_quote_the_rows(capsys):
    """`python tools/balance.py --page` writes the table of docs/players.md anew."""
    assert measuring.list_figures() in measuring.PLAYERS.read_text(encoding="utf-8")
    shown = " ".join(well(capsys, "scenario", "battle-for-kursk").split())
    for name in (CITADEL, "battle-for-kursk/campaign"):
        row, length = balance.find_row(name), balance.find_length(name)
        assert f"{row.games} games, partly reconstructed data: {row.wins}" in shown
        assert f"{length.messages[0]} mails" in shown
    assert "you need no printed copy of a game" in shown


def test_a_stopped_measurement_goes_on_after_its_last_game(tmp_path, monkeypatch, short):
    """The first run is killed while it writes its second game."""
    monkeypatch.setattr(measuring, "KEPT", tmp_path / "games.jsonl")
    run_jobs, played = batch.run_jobs, []

    def run(jobs, way):
        played.append(len(jobs))
        return run_jobs(jobs, way)

    monkeypatch.setattr(batch, "run_jobs", run)
    whole = measuring.play(short, "1", 2, 1)
    measuring.KEPT.write_text(measuring.KEPT.read_text("utf-8")[:-9], encoding="utf-8")
    assert measuring.play(short, "1", 3, 1)[:2] == whole
    assert measuring.play(short, "1", 3, 1)[:2] == whole
    assert played == [2, 2, 0]


def test_a_stopped_measurement_goes_on_after_its_last_scenario(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(measuring, "PAGE", tmp_path / "balance.md")
    names, played = ["armor-commander/crossroads", "armor-commander/gun-line"], []

    def play(name, *_rest):
        played.append(name)
        return [game("", None, by_points=False)]

    monkeypatch.setattr(measuring, "play", play)
    measuring.measure(names[:1], 1, 1)
    measuring.measure(names, 1, 1)
    assert played == names
    assert capsys.readouterr().out.count("up to date") == 1
    assert measuring.NOT_YET not in measuring.PAGE.read_text("utf-8")
