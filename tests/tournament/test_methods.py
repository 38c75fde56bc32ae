"""Methods of judgement (docs/directors.md 6.4): one table, and what the files of a game say about a judgement."""

from __future__ import annotations

import json

from helpers.tourney import Playing, begin_two

from kursk_pbem.formats import data
from kursk_pbem.game import histories
from kursk_pbem.tournament.book.outcomes import METHODS
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.proof import verify
from tournament.dated import day, lie, place_of


def test_the_table_has_every_method_of_the_schema():
    schema = json.loads(data.schema_file("tournament.schema.json").read_text(encoding="ascii"))
    assert set(schema["properties"]["by"]["enum"]) == set(METHODS)


def test_L17_silence_against_the_side_that_did_not_owe(tmp_path):
    """6.4, step g: the game shows that the opponent did not accept the proposal."""
    world = begin_two(tmp_path, "--knock-out")
    Playing(world, world.book().boards["1-1"]).begin()
    world.inbox()
    board = world.book().boards["1-1"]
    proposer = histories.load(place_of(world, "1-1")).game.chain.head["from"]
    owes = next(side for side in board.sides if side != proposer)
    said = {"board": "1-1", "by": "silence", "winner": owes, "why": "so", "game": board.game}
    paper = lie(world, fields.JUDGED, said, day(15))
    proof = verify.verify_tournament(world.folder)
    assert (proof.status, proof.paper, proof.place) == (3, paper.name, "winner")
    assert f"the {owes} side owed the next message of board 1-1" in proof.text
    (world.folder / paper.name).unlink()
    lie(world, fields.JUDGED, {**said, "winner": proposer}, day(15))
    proof = verify.verify_tournament(world.folder)
    assert proof.status == 0, proof.text


def test_an_agreement_counts_where_points_come_first(tmp_path):
    """6.4: points come before a word, but both players may always agree."""
    ends = {"ends: [agree, points, word]": "ends: [points, agree, word]"}
    world = begin_two(tmp_path, "--knock-out", edit=ends)
    world.play(world.book().boards["1-1"], 3)
    world.inbox()
    world.inform()
    for who in world.entrants.values():
        who.kursk("tournament", "agree", "1-1", "draw", "--yes", "--in", who.tournament)
    world.collect()
    world.director.kursk("tournament", "judge", "1-1", "agree", "--yes", "--in", world.folder)
    assert world.book().boards["1-1"].outcome.by == "agree"
    world.verify()
