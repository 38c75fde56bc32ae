"""9.3: rated games of a tournament, and the table of expectations."""

from __future__ import annotations

import math
import shutil

import pytest
from helpers import printed
from helpers.ledger import Ledger, key_of, make_finding

from kursk_pbem.audit.ratings import expect_score, round_quotient
from kursk_pbem.cli import run
from kursk_pbem.errors import FileError
from kursk_pbem.tournament.book import outcomes
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.score import rating

PEOPLE = ["anna", "boris", "carla", "dmitri"]


@pytest.mark.parametrize("lead", range(0, 1500, 7))
def test_the_expectation_is_elo_to_the_per_mille(lead):
    exact = 1000 / (1 + math.pow(10, -lead / 400))
    assert abs(expect_score(lead) - exact) <= 0.5 + 1e-6
    assert expect_score(-lead) == 1000 - expect_score(lead)


def test_expectations_that_are_known():
    assert [expect_score(lead) for lead in (0, 100, 200, 400, 800, 9999)] == [500, 640, 760, 909, 990, 1000]


@pytest.mark.parametrize(
    ("dividend", "divisor", "right"), [(5, 2, 3), (-5, 2, -3), (4, 3, 1), (-4, 3, -1), (0, 7, 0), (7, 2, 4)]
)
def test_halves_are_rounded_away_from_zero(dividend, divisor, right):
    assert round_quotient(dividend, divisor) == right


def test_numbers_go_by_rating_and_no_other_rule_is_read_of_it():
    """6.2: the best rating has number 1; only ``kursk rating`` computes ratings."""
    known = [{"key": key_of(name).public, "rating": str(5000 + at)} for at, name in enumerate(PEOPLE)]
    form = {"order": "rating", "rating": {"start": "5000", "known": known}}
    ledger = Ledger("round-robin", form=form).begin(PEOPLE)
    assert [ledger.book.entrant(number).name for number in "1234"] == PEOPLE[::-1]
    with pytest.raises(FileError, match="method"):
        Ledger(form={"rating": {**form["rating"], "method": "elo", "k": "20"}}).begin(PEOPLE)


@pytest.mark.parametrize(("given", "rated"), [(("german-10",), 6), (("none", "german-10"), 4)])
def test_points_given_to_some_boards_are_not_rated(given, rated):
    """Equal points on every board are the tournament's own game."""
    ledger = Ledger("round-robin")
    (system,) = ledger.begin(PEOPLE).book.rules.paper.content["systems"]
    systems = [{**system, "options": {"given": points}} for points in given]
    ledger = Ledger("round-robin", form={"systems": systems}).begin(PEOPLE)
    ledger.results()
    for _round in "23":
        ledger.next_round()
        ledger.results()
    ledger.announce()
    ledger.sign(fields.END, {"sha256": ledger.book.tables[3], "played": "6"})
    book = ledger.book
    event = rating.make_event(book, {board.game: make_finding(book, board) for board in book.boards.values()})
    assert len(event.results) == rated


@pytest.mark.parametrize(
    ("given", "winners"), [("none", ["russian", "draw", "german"]), ("german-10", ["russian", "russian", "german"])]
)
def test_a_tie_of_points_goes_to_the_side_that_gave(given, winners):
    """6.4: as at the end of a game, if the director decides an unfinished game by points."""
    (system,) = Ledger("round-robin").begin(PEOPLE).book.rules.paper.content["systems"]
    ledger = Ledger("round-robin", form={"systems": [{**system, "options": {"given": given}}]}).begin(PEOPLE)
    board = next(iter(ledger.book.boards.values()))
    assert [outcomes.winner_by_points(ledger.book, board, margin) for margin in (-1, 0, 1)] == winners


def test_a_corrected_result_stays_in_its_quarter():
    """9.3: the quarter is the quarter of the paper that logged the result first."""
    ledger = Ledger("round-robin").begin(PEOPLE)
    ledger.result("1-1")
    board, first = ledger.book.boards["1-1"], ledger.book.head
    now = {name: first.said(name) for name in fields.LOG[fields.RESULT][0]} | {"winner": "russian"}
    said = {"corrects": str(first.seq), "id": first.id, "now": now, "why": "misread"}
    ledger.later(100).sign(fields.CORRECT, said)
    assert board.outcome.winner == "russian"
    assert rating.find_time(ledger.book, board) == first.text("time") < ledger.time


def test_an_event_has_what_games_and_players_prove():
    """Forfeits and the director's word prove no strength; a key changes only by a signed paper."""
    terms = {"days": "7", "bank": "21", "holidays": "21", "begin": "14", "answers": "7", "round": "90", "missed": "2"}
    form = {"terms": {**terms, "ends": ["agree", "word"], "threshold": "0", "adjourn": "no"}}
    ledger = Ledger("round-robin", form=form).begin(PEOPLE)
    ledger.result("1-1")
    ledger.result("1-2", "", "forfeit")
    ledger.next_round()
    ledger.result("2-1", "draw")
    judged = {"board": "2-2", "by": "word", "winner": "german", "why": "so", "game": ledger.game("2-2")}
    ledger.later(91).sign(fields.JUDGED, {**judged, "head": "c" * 64})
    commit = ledger.commit("anna again", ledger.book.next_draw)
    said = {"new": key_of("anna again").public, "draw": str(ledger.book.next_draw), "commit": commit}
    ledger.receive(ledger.player(fields.NEW_KEY, "anna", said, new=key_of("anna again")))
    (paper,) = ledger.book.head.texts("papers")
    ledger.sign(fields.KEY, {"number": ledger.of("anna").number, "paper": paper})
    ledger.next_round()
    ledger.end_round()
    ledger.sign(fields.END, {"sha256": ledger.book.tables[3], "played": "6"})
    book, ended_at = ledger.book, ledger.time
    event = rating.make_event(book, {board.game: make_finding(book, board) for board in book.boards.values()})
    assert [score for _one, _other, score, _time in event.results] == [2, 1, 2, 2]
    assert event.changed == ((key_of("anna").public, key_of("anna again").public),)
    assert event.names == {key_of(name).public: name for name in PEOPLE}
    assert (event.id, event.end) == (book.id, ended_at)
    assert {key_of(name).public for name in ("anna again", "boris", "carla", "dmitri")} == {
        key for result in event.results[2:] for key in result[:2]
    }


def test_a_verified_tournament_is_rated(ended, tmp_path, capsys):
    folder = tmp_path / "cup"
    shutil.copytree(ended.folder, folder)
    for more in ((), ("--glicko",)):
        (told,) = printed.told(capsys, 0, "rating", folder, *more)
        assert [row["games"] for row in told["players"]] == [2] * 4
        assert [row.get("name", "") for row in told["players"]].count("") == 1
        assert told["events"][0]["games"] == 4
        assert run(["rating", str(folder), *more]) == 0
        said = capsys.readouterr().out
        assert all(row["rating"] in said for row in told["players"])
    assert printed.told(capsys, 0, "rating", folder, folder, *more) == [told]
    log = sorted(folder.glob("log/*.yaml"))
    log[-1].unlink()
    assert run(["rating", str(folder)]) == 2
    assert "has not ended" in capsys.readouterr().err
    game = next(folder.glob("games/*/0002.yaml"))
    game.unlink()
    assert run(["rating", str(folder)]) != 0
    assert "no player is rated" in capsys.readouterr().err
