"""A release corrects a scenario during a tournament: all boards use the data of paper 0."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest
from helpers import old_scenarios
from helpers.tourney import World

from kursk_pbem.formats import data
from kursk_pbem.game import folders, scenarios
from kursk_pbem.rulesets import battle_for_kursk

SHIPPED = data.find_folder("scenarios")
CITADEL = "battle-for-kursk/citadel"


@pytest.fixture
def correct(tmp_path, monkeypatch):
    """Correct the short scenario like a release, with the old data in ``kept``; return the old hash."""

    def corrected(*, kept=True):
        release, real, was = tmp_path / "release", data.find_folder, scenarios.load(CITADEL).sha256
        shutil.copytree(SHIPPED, release)
        head = release / CITADEL / "scenario.yaml"
        head.write_text(head.read_text("ascii").replace("infantry: 17", "infantry: 16"), "ascii", newline="\n")
        if kept:
            old_scenarios.keep(release, SHIPPED, CITADEL)
        monkeypatch.setattr(data, "find_folder", lambda kind: release if kind == "scenarios" else real(kind))
        assert scenarios.load(CITADEL).sha256 != was
        return was

    return corrected


def entered(root, *more):
    """Return a knock-out with two entrants and no board."""
    world = World(root)
    world.new("--knock-out", "--system", CITADEL, *more)
    world.enter(["anna", "boris"])
    world.collect()
    world.director.kursk("tournament", "close", world.folder)
    world.exchange()
    return world


def pinned(world):
    """Return the hashes in the games of all boards."""
    heads = [folders.read_message(path) for path in world.folder.glob("games/game-*/0000.yaml")]
    return {head.mapping("scenario")["sha256"] for head in heads}


@pytest.mark.some(2)
@pytest.mark.parametrize("more", [(), ("--roll",)], ids=["players", "director"])
def test_a_board_that_is_paired_later_is_played_with_the_data_of_paper_0(more, tmp_path, correct):
    world = entered(tmp_path / "world", *more)
    was = correct()
    world.pair()
    world.inform()
    world.play_round({"1-1": "german"})
    world.inbox()
    assert pinned(world) == {was}
    world.verify()
    world.later(1)
    world.director.kursk("tournament", "end", world.folder)
    world.verify()


def test_where_they_are_missing_paper_0_tells_the_release(tmp_path, correct):
    world = entered(tmp_path / "world")
    assert "round 1 paired: 1 board, due" in world.pair()
    world.inform()
    correct(kept=False)
    for who in world.entrants.values():
        said = who.kursk("tournament", "propose", "1-1", "--dir", who.place, "--in", who.tournament, status=2)
        assert f"the data of {CITADEL} differ" in said
        assert "Paper 0 of the tournament can name the release" in said
        assert not list(who.place.glob("game-*"))


@pytest.mark.parametrize("words", [("verify",), ("status",), ("pair",)], ids=" ".join)
def test_44_tournament_with_an_adjudication_before_release_1_is_not_judged(tmp_path, monkeypatch, words):
    """Neither its director nor an entrant is accused; decision 44."""
    world = entered(tmp_path / "world")
    monkeypatch.setattr(battle_for_kursk, "RULESET", replace(battle_for_kursk.RULESET, version=2, first=2))
    told = "adjudication 1 of battle-for-kursk is from before release 1.0; this program does not judge it"
    world.director.kursk("tournament", *words, world.folder, status=2, told=told)
