"""``kursk order`` and ``kursk setup schema`` as typed: output, exit statuses, standard input."""

import io
import json
import sys

import pytest
from helpers.commands import refused, well

from kursk_pbem.cli import run
from kursk_pbem.desk.draft import editors


def text(draft):
    return draft.read_text(encoding="ascii")


def test_alone_it_lists_the_words_of_this_message_and_the_orders_so_far(capsys, game, draft):
    said = well(capsys, "order", game)
    assert said.startswith("Message 8 of turn 2: posture, with orders or without\n")
    for each in ("posture engage", "move ", "attack 1", "undo [N]", "note WORDS"):
        assert f"\n  {each}" in said
    assert "answer" not in said  # no answer is due
    assert "\n   1  posture engage\n" in said
    assert max(map(len, said.splitlines())) < 80
    assert "decide" not in said


def test_an_order_is_written_and_checked_and_taken_back(capsys, game, draft):
    before = text(draft)
    said = well(capsys, "order", game, "posture", "pause,", "note", "Your", "move,", "Boris")
    assert said.startswith("posture of turn 2: pause\n")
    assert f"{draft}: legal; it holds " in said
    assert "note: Your move, Boris\n" in text(draft).replace("'", "")
    assert "undone" in well(capsys, "order", draft, "undo")
    assert text(draft) == before
    number = next(line.split()[0] for line in reversed(well(capsys, "order", draft).splitlines()) if "give-up" in line)
    assert run(["order", str(draft), "undo", number]) == 1  # due orders
    assert "[10.6]" in capsys.readouterr().err
    assert "give-ups: []" in text(draft)
    assert refused(capsys, 2, "order", game, "undo", "many", silent=True)
    assert refused(capsys, 2, "order", game, "undo", "99", silent=True)


def test_what_breaks_the_rules_is_written_only_if_that_is_wanted(capsys, game, draft):
    assert run(["order", str(game), "move", "48", "pz", "moscow", "--anyway"]) == 1
    said = capsys.readouterr()
    assert "48 Pz (g-48-pz) from " in said.out
    assert f"{draft}:" in said.err
    assert "[8.0] g-48-pz: cannot reach" in said.err
    assert said.err.splitlines()[-1] == (
        "kursk: written, but the draft breaks the rules in one place; order again, or type 'kursk order undo'"
    )


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("attck 2015", "'attck' is no order for message 8; did you mean attack?"),
        ("move pz 2219", "'pz' may be "),
        ("move 24 pz 22199", "there is no hex '22199'"),
        ("attack", "as in 'attack 1"),
        ("move g-24pz", "the hex is missing"),
        ("re 46", "may be return or"),
        ("posture", "as in 'posture engage'"),
        ("answer dr always", "'answer' is no order for message 8"),
    ],
)
def test_what_is_not_understood_is_status_2_and_writes_nothing(capsys, game, draft, words, answer):
    before = text(draft)
    assert answer in refused(capsys, 2, "order", game, "posture", "pause,", *words.split())
    assert text(draft) == before


def test_orders_come_from_standard_input_a_line_each(capsys, game, draft, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("# turn 2\nposture pause\n\n  note Hello, you  \n"))
    said = well(capsys, "order", game, "-")
    assert "posture of turn 2: pause" in said
    assert "note: Hello, you" in text(draft).replace("'", "")
    monkeypatch.setattr(sys, "stdin", io.StringIO("# nothing\n"))
    assert "standard input contains no order" in refused(capsys, 2, "order", game, "-")
    monkeypatch.setattr(sys, "stdin", io.StringIO("posture pause\n" * 600))
    assert "at most" in refused(capsys, 2, "order", game, "-")


def test_the_schema_is_printed_of_a_ruleset_and_of_a_game(capsys, game, draft, tmp_path):
    whole = json.loads(well(capsys, "setup", "schema", "battle-for-kursk"))
    here = json.loads(well(capsys, "setup", "schema", game))
    assert "distribution" in whole["properties"]["orders"]["properties"]
    assert "distribution" not in here["properties"]["orders"]["properties"]
    assert "g-48-pz" in here["$defs"]["common-id"]["enum"]
    well(capsys, "setup", "schema", draft, "-o", tmp_path / "mine.json")
    assert json.loads((tmp_path / "mine.json").read_text(encoding="utf-8")) == here
    refused(capsys, 2, "setup", "schema", "nosuch", silent=True)
    well(capsys, "setup", "draft", game, "--force")
    assert json.loads((game / editors.NAME).read_text(encoding="utf-8")) == here


def test_if_one_order_is_not_understood_none_of_them_is_written_and_that_is_said(capsys, game, draft):
    before = text(draft)
    said = refused(capsys, 2, "order", game, "posture", "pause,", "posture", "nosuch", silent=True)
    assert said.endswith("the 2 orders are not written\n")
    assert "not understood: 'posture nosuch', order 2 of 2; commas separate orders" in said
    assert text(draft) == before
    assert "not written" not in refused(capsys, 2, "order", game, "posture", "nosuch", silent=True)
    assert ", note, undo and redo" in refused(capsys, 2, "order", game, "nosuch", silent=True)
    assert "'redo' takes no further words" in refused(capsys, 2, "order", game, "redo", "redo", silent=True)


def test_words_that_can_name_nothing_now_are_not_offered(capsys, game):
    said = well(capsys, "order", game)
    assert "\n  rebuild " not in said  # no German unit is eliminated
    assert "A first word alone, such as 'kursk order " in said
    assert "now there is no choice" in refused(capsys, 2, "order", game, "rebuild", silent=True)


def test_a_note_without_words_is_shown_and_none_takes_it_out(capsys, game, draft):
    before = text(draft)
    assert "no note yet; type 'note Good luck'\n" in well(capsys, "order", game, "note")
    assert "no note yet; " in well(capsys, "order", game, "note", "none")
    assert text(draft) == before
    well(capsys, "order", game, "note", "Good", "luck,", "Boris")
    noted = text(draft)
    assert well(capsys, "note").startswith("note: Good luck, Boris; 'note none'")
    assert text(draft) == noted
    assert "note: Adieu; this note replaces: Good luck, Boris\n" in well(capsys, "note", "Adieu")
    well(capsys, "undo")
    assert text(draft) == noted
    assert well(capsys, "note", "None").startswith("note removed: Good luck, Boris\n")
    assert text(draft) == before
