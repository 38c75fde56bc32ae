"""Chapter 5: a repeated command after a crash signs no second paper."""

from __future__ import annotations

from kursk_pbem.tournament.papers import fields


def clocks(world):
    return [paper for paper in world.book().log if paper.type == fields.CLOCK]


def give(world, *words, status=0):
    return world.director.kursk("tournament", *words, "--yes", "--in", world.folder, status=status)


def test_time_that_is_given_again_is_given_once(four):
    give(four, "grant", "all", 2, "flood")
    assert "already in log paper" in give(four, "grant", "all", 2, "flood")
    assert len(clocks(four)) == 1
    give(four, "grant", "1", 1, "ill")
    give(four, "grant", "all", 2, "flood")
    assert len(clocks(four)) == 3
    give(four, "grant", "1", 5, "away", "--holiday")
    four.later(1)
    assert "already in log paper" in give(four, "grant", "1", 5, "away", "--holiday")
    assert len(clocks(four)) == 4


def test_a_field_that_is_closed_already_is_told(four):
    log = len(four.book().log)
    four.director.kursk("tournament", "close", four.folder, told="closed already")
    assert len(four.book().log) == log
