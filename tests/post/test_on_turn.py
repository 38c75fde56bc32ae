"""``on-turn`` in account.toml: a program of the player's own, once for each message that makes it the player's turn."""

import json
import sys

import pytest
from helpers import mail_servers
from helpers.mailbags import box, letter, turn
from helpers.postal import carried

from kursk_pbem.post import on_turn

_PROGRAM = """
import json, os, sys
with open({out!r}, "a") as out:
    out.write(json.dumps({{name: os.environ[name] for name in os.environ if name.startswith("KURSK_")}}) + "\\n")
"""


def set_program(friend, folder):
    """Write an account with a program that appends its environment to a file; return the file."""
    script, out = folder / "program.py", folder / "called.jsonl"
    script.write_text(_PROGRAM.format(out=str(out)), encoding="utf-8")
    words = json.dumps([sys.executable, "-I", str(script), "; touch /tmp/no $(shell)"])
    mail_servers.account(friend, folder, more=f"on-turn = {words}")
    return out


def calls(out):
    return [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []


def test_the_program_runs_once_for_each_message_that_makes_it_the_players_turn(pair, tmp_path):
    anna, boris, game = pair
    out = set_program(anna, tmp_path)
    boris.sign(game)
    mails = box(tmp_path, [letter(turn(boris, game, 1), boris.address)])
    anna.kursk("inbox", mails)
    assert [(each["KURSK_GAME"], each["KURSK_DEADLINE"]) for each in calls(out)] == [(game, "")]
    assert calls(out)[0]["KURSK_OPPONENT"] == ""
    anna.kursk("inbox", mails)
    anna.kursk("inbox", "--report", mails)
    assert len(calls(out)) == 1
    anna.kursk("people", "add", "my-boris", boris.address, "--key", boris.key.with_name("me.pub"))
    anna.sign(game)
    assert len(calls(out)) == 1
    carried(game, 2, anna, boris)
    boris.sign(game)
    (tmp_path / "3.eml").write_bytes(letter(turn(boris, game, 3), boris.address))
    anna.kursk("inbox", "--report", tmp_path / "3.eml")
    assert [each["KURSK_OPPONENT"] for each in calls(out)] == ["", "my-boris"]


def test_T23_a_name_that_the_opponent_has_given_is_left_out(pair, tmp_path):
    """Who accepts a proposal without naming the opponent has the name from message 0."""
    anna, boris, game = pair
    boris.sign(game)
    carried(game, 1, boris, anna)
    anna.sign(game)
    out = set_program(boris, tmp_path)
    boris.kursk("inbox", box(tmp_path, [letter(turn(anna, game, 2), anna.address)]))
    assert [each["KURSK_OPPONENT"] for each in calls(out)] == [""]


@pytest.mark.parametrize(
    ("line", "told"),
    [("import sys; sys.exit(3)", "status 3"), ("import time; time.sleep(60)", "had not ended after 2 seconds")],
)
def test_a_program_that_fails_or_does_not_end_is_named_and_stops_nothing(pair, tmp_path, monkeypatch, line, told):
    anna, boris, game = pair
    monkeypatch.setattr(on_turn, "_SECONDS", 2)
    words = json.dumps([sys.executable, "-c", line])
    mail_servers.account(anna, tmp_path, more=f"on-turn = {words}")
    boris.sign(game)
    anna.kursk("inbox", box(tmp_path, [letter(turn(boris, game, 1), boris.address)]), told=told)
    assert anna.desk(game).mine
