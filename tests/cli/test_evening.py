"""Two turns of Citadel, typed the old way and in words: equal files, and at most a third of the keystrokes."""

import os
from pathlib import Path

import pytest

from cli.evening import WORDS, Evening

pytestmark = pytest.mark.long

PLAYER_TURNS = 4


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Play both evenings; return the choices in each message."""
    before, place = dict(os.environ), Path.cwd()
    try:
        said, typed = (Evening(tmp_path_factory.mktemp(name)) for name in ("said", "typed"))
        chosen = [said.said(words) for words in WORDS]
        for each in chosen:
            typed.typed(each)
        return said, typed, chosen
    finally:
        os.chdir(place)
        os.environ.clear()
        os.environ.update(before)


def test_both_ways_end_in_the_same_files(played):
    said, typed, _chosen = played
    for name in ("anna", "boris"):
        mine, theirs = (
            {path.name: path.read_bytes() for path in each.folder(name).glob("[0-9]*[0-9].yaml")}
            for each in (said, typed)
        )
        assert mine == theirs
        assert len(mine) == len(WORDS) + 1


def test_words_take_at_most_a_third_of_the_keystrokes(played):
    said, typed, _chosen = played
    print(f"{said.keys // PLAYER_TURNS} keys a player turn in words, {typed.keys // PLAYER_TURNS} as YAML")
    assert 1200 * PLAYER_TURNS < typed.keys < 2000 * PLAYER_TURNS
    assert 3 * said.keys <= typed.keys


def test_the_evening_is_a_real_one(played):
    """The game contains battles with plans, an Offensive, moves by rail and on foot, steps gained, answers,
    postures."""
    _said, _typed, chosen = played
    orders = [each.get("orders", {}) for each in chosen]
    battles = [battle for each in orders for battle in each.get("battles", ())]
    assert len(battles) >= 12
    assert any("offensive" in battle for battle in battles)
    assert all("losses" in battle and "advance" in battle for battle in battles[:3])
    assert sum(len(each.get("movement", ())) + len(each.get("armor-and-rail", ())) for each in orders) >= 40
    assert any(each.get("replacements") for each in orders)
    assert sum("policy" in each for each in chosen) >= 2
