"""The test bench for authors of rulesets finds what breaks a game, and passes the smallest game."""

import shutil
from dataclasses import replace

import pytest
from ridge_toy import GAME, RULESET
from rulesets import toys

from kursk_pbem import testing

BENCH = testing.Bench(RULESET)


@pytest.fixture(autouse=True)
def _plugged(monkeypatch):
    toys.plug(monkeypatch)


def test_whole_games_are_played_and_hostile_orders_refused():
    assert BENCH.play(1)[-1].after.stage == "over"
    assert BENCH.play(2, refereed=True)
    assert BENCH.fuzz(1) > 20


def test_a_signed_game_verifies_at_both_desks(tmp_path):
    assert BENCH.verify(tmp_path, 1) in ("towns", "even")


def test_a_citation_of_no_paragraph_is_found(tmp_path):
    (tmp_path / "rulebook.yaml").write_text(RULESET.rulebook.read_text("ascii").replace("'2.0'", "'9.0'"), "ascii")
    bench = replace(BENCH, ruleset=replace(RULESET, rulebook=tmp_path / "rulebook.yaml"), scenario="ridge-toy/hill")
    with pytest.raises(AssertionError, match=r"no paragraph 2\.0"):
        bench.play(1)


def test_a_crash_of_the_rules_is_found():
    def carry_out(umpire, order, result):
        raise IndexError(result)

    game = replace(GAME, carry_out=carry_out)
    with pytest.raises(IndexError):
        testing.Bench(game.ruleset).play(1)


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        ("import random", "imports random"),
        ("x = 0.5", "the float 0.5"),
        ("for x in {1, 2}: pass", "takes a set"),
        ("from kursk_pbem.desk import play", "imports kursk_pbem.desk"),
        ("import click", "imports click"),
    ],
)
def test_code_that_breaks_a_law_is_found(tmp_path, code, fault):
    folder = shutil.copytree(BENCH.folder, tmp_path / "ridge_toy", ignore=shutil.ignore_patterns("__pycache__"))
    assert testing.find_breaches(folder) == []
    (folder / "more.py").write_text(f"{code}\n", "ascii")
    assert any(fault in each for each in testing.find_breaches(folder))


def test_missing_pages_and_wrong_words_are_found(tmp_path):
    assert BENCH.find_faults() == []
    folder = shutil.copytree(BENCH.folder, tmp_path / "ridge_toy", ignore=shutil.ignore_patterns("__pycache__"))
    bench = replace(BENCH, ruleset=replace(RULESET, rulebook=folder / "rulebook.yaml"))
    (folder / "words.txt").write_text("attack\n", "ascii")
    assert "answer attack move" in bench.find_faults()[0]
    (folder / "page.md").unlink()
    assert bench.find_faults()[0] == "page.md is missing"
