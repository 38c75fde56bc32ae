"""No second chance with dice: substitutes begin with the next round, and a board has one game."""

from __future__ import annotations

import pytest
from helpers.ledger import Ledger, key_of

from kursk_pbem.errors import UsageError
from kursk_pbem.game import folders, histories, successor
from kursk_pbem.game.successor import Terms
from kursk_pbem.tournament import boards
from kursk_pbem.tournament.faults import FalsePaperError
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.score import table

NAMES = ("anna", "boris", "carla", "dmitri", "eva", "fedor")


def taken_over(rounds_=3):
    """Let Anna withdraw during board 1-x, and Greta take over the number."""
    ledger = Ledger(rounds_=rounds_, form={"tie-breaks": ["buchholz", "lot"]}).begin(NAMES)
    number = ledger.of("anna").number
    board = next(each for each in ledger.book.boards.values() if number in each.numbers)
    ledger.game(board.name)
    draw = str(ledger.book.next_draw)
    said = {"number": number, "name": "greta", "draw": draw, "commit": ledger.commit("greta", int(draw))}
    paper = ledger.player(fields.STAND_IN, "greta", said)
    ledger.receive(ledger.player(fields.WITHDRAW, "anna", {}), paper)
    return ledger, number, board, paper


def test_a_substitute_plays_the_next_board_and_none_that_was_paired_before():
    """Bug: a friend took over a number and replayed a game from before a failed attack."""
    ledger, number, board, paper = taken_over()
    ledger.sign(fields.SUBSTITUTE, {"number": number, "paper": paper.id, "why": "no time"})
    side = board.side_of(number)
    assert boards.player_keys(ledger.book, board, ledger.book.head.seq)[side] == key_of("anna").public
    assert ledger.book.absent_from(board) == [side]
    with pytest.raises(FalsePaperError, match="and only one game"):
        ledger.sign(fields.GAME, {"board": board.name, "game": "b" * 64})
    winner = next(side for side in board.sides if side != board.side_of(number))
    ledger.sign(fields.JUDGED, {"board": board.name, "by": "withdrawn", "winner": winner, "why": "they left"})
    ledger.results()
    ledger.names["greta"] = "greta"
    ledger.next_round()
    later = next(each for each in ledger.book.of_round(2) if number in each.numbers)
    assert boards.player_names(ledger.book, board)[board.side_of(number)] == "anna"
    assert boards.player_names(ledger.book, later)[later.side_of(number)] == "greta"
    assert ledger.book.entrant(number).called == "anna, then greta"


def test_no_table_that_was_announced_changes():
    """Bug: a substitute after the last table changed Buchholz from 20 to 18, and verify accepted the table."""
    ledger, number, _board, paper = taken_over()
    ledger.end_round()
    ledger.sign(fields.WITHDRAWN, {"number": number, "why": "their word", "papers": [ledger_word(ledger)]})
    before = table.compute_standings(ledger.book, 1).sha256
    ledger.sign(fields.SUBSTITUTE, {"number": number, "paper": paper.id, "why": "no time"})
    assert table.compute_standings(ledger.book, 1).sha256 == before == ledger.book.tables[1]


def ledger_word(ledger):
    return next(paper.id for paper in ledger.book.papers.values() if paper.type == fields.WITHDRAW)


def test_a_corrected_result_is_the_only_thing_that_changes_one():
    ledger, _number, board, _paper = taken_over()
    ledger.end_round()
    seq = board.outcome.seq
    old = ledger.book.log[seq]
    names = ("board", "game", "head", "how")
    now = {**{name: old.content[name] for name in names}, "winner": list(board.sides)[1]}
    before = table.compute_standings(ledger.book, 1).sha256
    ledger.sign(fields.CORRECT, {"corrects": str(seq), "id": old.id, "now": now, "why": "misread"})
    assert table.compute_standings(ledger.book, 1).sha256 != before


def test_nobody_takes_over_when_no_round_is_left():
    ledger, number, _board, paper = taken_over(rounds_=1)
    with pytest.raises(FalsePaperError, match="no round is left"):
        ledger.sign(fields.SUBSTITUTE, {"number": number, "paper": paper.id, "why": "no time"})


def test_no_successor_game_replaces_the_game_of_a_board(four):
    """Bug: two players could agree to take back an attack by a successor game."""
    board = four.book().boards["1-2"]
    history = histories.load(four.folder / "games" / folders.folder_name(board.game))
    with pytest.raises(UsageError, match="belongs to a tournament, so no other"):
        successor.plan(history.games, Terms())
    head = {**history.game.chain.head, "continues": {"game": board.game, "seq": "0", "id": board.game}}
    assert [field for field, _found in boards.find_misfits(four.book(), board, head)] == ["continues"]
