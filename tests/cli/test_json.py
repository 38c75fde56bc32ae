"""--json: every command has the option, and prints records in the published form (decision 67)."""

import json
import shutil

import pytest
from helpers import printed, sweeps
from helpers.commands import Terminal, tree, well
from jsonschema import Draft202012Validator

from cli import every_command
from kursk_pbem.cli import jsonlines, run
from kursk_pbem.desk.ground import clock
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.desk.trial import what_if
from kursk_pbem.formats import data, times
from kursk_pbem.practice import opponent
from kursk_pbem.report import output

WITHOUT = {
    "help": "pages and the usage of commands, for people",
    "demo": "a show: it types the commands of two players",
    "shell": "a dialogue",
    "play": "the same, with both sides",
    "app": "pages in a browser",
    "board": "pages in a browser",
    "setup completion": "its output is a script",
    "tournament": "it is 'kursk tournament status'",
    "setup schema": "its output is a JSON Schema",
    "ruleset new": "it writes a package, and tells its author the next steps",
    "conformance run": "it writes a statement, which is JSON",
    "conformance answer": "its output is the protocol of the suite, in JSON",
    "conformance questions": "its output is JSON",
    "conformance score": "a line for people",
    "conformance show": "a card for people; the case is a line of the suite, which is JSON",
    "mcp": "it speaks the protocol of a host, which is JSON",
}
"""Commands without --json, and why."""
OPEN = {"reach", "outcome"}
"""Definitions to which a rule system adds fields of its own names."""
EVERY = {words: command for words, command in printed.list_commands().items() if words not in WITHOUT}


def test_every_command_has_json_or_a_reason():
    lacking = {words for words, command in printed.list_commands().items() if not printed.takes_json(command)}
    assert lacking == set(WITHOUT)


def test_every_command_with_json_has_a_form_and_does_its_work_in_a_test():
    forms = {ref["$ref"].removeprefix("#/$defs/") for ref in printed.load_schema()["anyOf"]}
    assert forms == {words.replace(" ", "-") for words in EVERY} | {jsonlines.PROBLEMS}
    assert set(EVERY) == printed.OF_A_GAME | printed.OF_POST | printed.OF_TOURNAMENTS


def objects(value, name=""):
    """Yield every object schema of a schema, with the name of its definition."""
    if isinstance(value, dict):
        if value.get("type") == "object" and "policy" not in name:
            yield name, value
        for key, part in value.items():
            yield from objects(part, name or key)
    elif isinstance(value, list):
        for part in value:
            yield from objects(part, name)


def test_the_schema_is_one_and_its_objects_are_closed():
    whole = printed.load_schema()
    Draft202012Validator.check_schema(whole)
    loose = set()
    for name, part in objects(whole["$defs"]):
        if part.get("additionalProperties") is not False and "properties" in part:
            loose.add(name)
        if "properties" in part:
            assert set(part["required"]) <= set(part["properties"]), name
    assert loose == OPEN
    text = data.schema_file(output.FILE).read_bytes()
    assert text.isascii()
    assert b"\r" not in text


@pytest.mark.parametrize("words", sweeps.some(sorted(EVERY), 4))
def test_a_refusal_is_a_record_of_problems_and_nothing_else(capsys, words, tmp_path, monkeypatch):
    """For every command, with an unknown option; the status equals the status without --json."""
    monkeypatch.chdir(tmp_path)
    (refused,) = printed.told(capsys, 2, *words.split(), "--nosuch")
    assert (refused["format"], refused["command"], refused["status"]) == ("kursk problems 1", words, 2)
    assert words == "order" or "--nosuch" in refused["problems"][0]["text"]  # an order may begin with any sign
    assert run([*words.split(), "--nosuch"]) == 2
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("words", sweeps.some(sorted(EVERY), 6))
def test_the_form_of_one_command_stands_alone(capsys, words):
    alone = json.loads(well(capsys, "setup", "schema", "--command", words))
    Draft202012Validator.check_schema(alone)
    held = Draft202012Validator(alone)
    problem = {**jsonlines.make_problem("no"), "file": "a", "line": 1}
    record = {"format": "kursk problems 1", "command": words, "status": 1, "problems": [problem]}
    assert held.is_valid(record)
    assert not held.is_valid({**record, "more": 1})
    assert not held.is_valid({"format": f"kursk {words} 2"})


def test_a_form_that_there_is_not_is_refused(capsys):
    assert run(["setup", "schema", "--command", "statu"]) == 2
    assert "did you mean 'status'?" in capsys.readouterr().err
    for words in ("problems", "board", ""):
        assert run(["setup", "schema", "--command", words]) == 2
        assert "command with --json" in capsys.readouterr().err
    assert run(["setup", "schema", "battle-for-kursk", "--command", "status"]) == 2


def test_orders_that_break_the_rules_are_named_with_their_lines(capsys, game, draft):
    draft.write_text(draft.read_text(encoding="ascii") + "posture: nosuch\n", encoding="ascii")
    (found,) = printed.told(capsys, 2, "check", draft)
    assert [problem["file"] for problem in found["problems"]] == [str(draft)]
    assert found["problems"][0]["line"] > 1


def test_an_order_that_breaks_the_rules_is_refused_as_a_problem(capsys, game, draft):
    before = tree(game)
    (found,) = printed.told(capsys, 1, "order", "move", "24", "pz", "2219")
    assert (found["status"], tree(game)) == (1, before)
    (problem,) = found["problems"]
    assert problem["rule"]
    assert "--anyway" in problem["remedy"]
    (wrote,) = printed.told(capsys, 1, "order", "move", "24", "pz", "2219", "--anyway")
    assert [violation["rule"] for violation in wrote["violations"]] == [problem["rule"]]


def test_a_signature_that_does_not_hold_is_named_by_its_fault(capsys, game, tmp_path, monkeypatch):
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "nobody"))
    other = shutil.copytree(game, tmp_path / "copy")
    path = other / "0003.yaml"
    path.write_text(path.read_text(encoding="ascii").replace("note: ", "note: not ", 1), encoding="ascii")
    path.write_bytes(path.read_bytes().replace(b"seq: '3'", b"seq: '5'"))
    (found,) = printed.told(capsys, 3, "status", other)
    (problem,) = found["problems"]
    assert problem["fault"]
    assert problem["file"] == str(path)


def test_nothing_is_asked(capsys, game, draft, monkeypatch):
    """Even at a terminal, a command that would ask is refused, and says what to type."""
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))
    before = tree(game)
    for words in (("sign",), ("resign",), ("offer", "draw")):
        (found,) = printed.told(capsys, 2, *words)
        assert "give --yes" in found["problems"][0]["text"]
    assert tree(game) == before


def test_of_several_games_none_is_chosen_by_a_question(capsys, german, demo, monkeypatch):
    monkeypatch.chdir(german)
    proposal = ("propose", "citadel", "--yes", "--key", "me", "--opponent", demo / "russian" / "me.pub")
    for _time in range(2):
        (begun,) = printed.told(capsys, 0, *proposal)
        assert begun["wrote"] == [f"{begun['folder']}/0000.yaml"]
    monkeypatch.setattr("sys.stdin", Terminal("1\n"))
    monkeypatch.setattr("sys.stderr", Terminal())
    (found,) = printed.told(capsys, 2, "map", "russian")
    assert found["problems"][0]["text"].startswith(
        "2 games are called 'russian', but no game waits for you; name a game by the first digits"
    )


def begin_trial(place, game):
    """Begin a what-if game after message 1, and play a message; return its id."""
    room = Room(place / "private", place)
    trial = what_if.start_game(room.home, what_if.find_start(place / game, room.home, 1))
    opponent.write_due(room.desk(trial), 1)
    return trial


@pytest.mark.long
def test_a_game_with_json_alone(capsys, tmp_path, monkeypatch):
    """Every command of a game works with --json, and prints only records in the published form."""
    for name in every_command.PEOPLE:
        (tmp_path / name).mkdir()
    monkeypatch.setenv("KURSK_KEY", "me")
    done = set()
    for who, typed, status, days in every_command.read_lines(every_command.EVENING):
        place = tmp_path / who
        monkeypatch.chdir(place)
        monkeypatch.setenv("KURSK_HOME", str(place / "private"))
        game = next((path.name for path in (*place.glob("game-*"), *tmp_path.glob("*/game-*"))), "")
        named = {"GAME": game, "TRIAL": begin_trial(place, game) if "TRIAL" in typed else ""}
        words = [named.get(word, word) for word in typed]
        with clock.fix_time(times.add_days(clock.now(), days)):
            found = printed.told(capsys, status, *words)
        assert found, words
        meant = ["scenario", "list"] if words[0] == "scenario" and words[1] not in ("copy", "check") else words
        name = next(" ".join(meant[:long]) for long in (2, 1) if " ".join(meant[:long]) in EVERY)
        kinds = {record["format"] for record in found}
        if not status:
            assert kinds == {jsonlines.record_format("adjudicate" if "--report" in words else name)}, words
            done.add(name)
        every_command.carry_files(tmp_path)
    assert done == printed.OF_A_GAME
