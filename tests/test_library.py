"""The library for other programs (docs/library.md): the example runs, a game is equal message by message."""

import re
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import get_args

import pytest

from kursk_pbem import library
from kursk_pbem.kernel import events

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def folder(demo):
    return next((demo / "german").glob("game-*"))


@pytest.fixture(scope="module")
def game(folder):
    return library.verify(folder)


def block(kind):
    return re.search(rf"^```{kind}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[1]


def test_the_example_runs_and_prints_what_the_page_says(folder):
    assert len([line for line in block("python").splitlines() if line]) <= 20
    ran = subprocess.run(
        [sys.executable, "-c", block("python"), str(folder)], capture_output=True, text=True, check=True
    )
    said = iter(ran.stdout.splitlines())
    shown = block("text").splitlines()
    assert len(shown) == 4
    for line in shown:
        assert line in said, line


def test_the_example_says_which_message_counts_for_nothing(folder, tmp_path):
    copy = shutil.copytree(folder, tmp_path / "copy")
    spoilt = copy / "0004.yaml"
    spoilt.write_text(spoilt.read_text(encoding="ascii").replace("izyum/combat: '1'", "izyum/combat: '2'"))
    ran = subprocess.run(
        [sys.executable, "-c", block("python"), str(copy)], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1
    assert ran.stderr.startswith("0004.yaml counts for nothing: ")


def test_message_by_message_comes_to_the_same_as_the_folder(folder, game):
    played = None
    for seq in range(game.messages):
        taken = library.adjudicate(played, library.read(folder / f"{seq:04d}.yaml"))
        played = taken.game
        assert taken == library.step(game, seq)
        if seq:  # the first message has no report in a folder
            assert taken.report == (folder / f"report-{seq:04d}.txt").read_text(encoding="ascii")
    assert played == game
    assert (game.messages, game.turn, game.writer, game.over, game.winner, game.verdict) == (
        8,
        "2",
        "german",
        False,
        "",
        "",
    )


def test_the_position_is_the_one_that_travels_with_the_last_message(folder, game):
    sent = library.read(folder / "0007.yaml").state
    position = library.position(game)
    assert {key: value for key, value in position.items() if value} == {
        key: value for key, value in sent.items() if value
    }


def test_chances_add_up_to_one_and_nothing_waits_after_the_dice(game):
    declared = library.odds(library.step(game, 5).game)
    assert [battle["id"] for battle in declared] == ["kutuzov", "zhizdra", "yelnya"]
    for battle in declared:
        assert sum(Fraction(outcome["chance"]) for outcome in battle["outcomes"]) == 1
    assert library.odds(game) == []
    assert set(library.step(game, 7).dice) == {f"{battle['id']}/combat" for battle in declared}


def test_the_rules_decide_a_question_in_any_position(game):
    head = game.history.steps[0].message.content
    question = {
        "system": game.ruleset,
        "level": "count",
        "scenario": head["scenario"],
        "options": head["options"],
        "dice-from": head["dice-from"],
        "position": library.position(library.step(game, 5).game),
    }
    odds = library.decide({**question, "ask": {"odds": "declared"}})["odds"]
    assert [*odds] == ["kutuzov", "zhizdra", "yelnya"]
    assert all(sum(map(Fraction, chances.values())) == 1 for each in odds.values() for chances in each)
    for wrong in ({}, {"ask": {}}, {"ask": {"reach": "no-unit", "phase": "movement"}}, {"level": "judge"}):
        with pytest.raises(library.KurskError):
            library.decide({**question, **wrong})


def test_what_is_refused_says_why(folder, game, tmp_path):
    with pytest.raises(library.UsageError, match="no message 8, only the messages 0 to 7"):
        library.step(game, 8)
    with pytest.raises(library.UsageError):
        library.verify(tmp_path)
    with pytest.raises(library.TrustError) as refused:
        library.adjudicate(game, library.read(folder / "0003.yaml"))
    assert refused.value.fault == "chain"
    (tmp_path / "noise").write_bytes(b"\xff\x00" * 40)
    with pytest.raises(library.FileError):
        library.read(tmp_path / "noise")


def test_a_file_and_a_folder_may_be_named_by_their_texts(folder):
    """Bug: a text has no ``suffix``."""
    assert library.read(str(folder / "0004.yaml")).id == library.read(folder / "0004.yaml").id
    assert library.verify(str(folder)).id == library.verify(folder).id


def test_a_saved_mail_is_read_as_the_turn_in_it(folder, tmp_path):
    turn = (folder / "0004.yaml").read_text(encoding="ascii")
    mail = tmp_path / "turn.eml"
    mail.write_text(f"From: a@example.org\nTo: b@example.org\nSubject: turn\n\nHere it is.\n\n{turn}")
    assert library.read(mail).id == library.read(folder / "0004.yaml").id


@pytest.mark.parametrize("system", ["kursk-1971", "juggernauts", "armor-commander"])
def test_a_finished_game_of_every_system_is_verified_and_has_a_verdict(system):
    shortest = min(sorted((ROOT / "tests" / "games" / system).iterdir()), key=lambda path: len(list(path.iterdir())))
    game = library.verify(shortest)
    assert game.ruleset == system
    assert game.over
    assert game.verdict
    assert not game.writer
    assert library.step(game, game.messages - 1).game == game


def test_the_page_names_what_there_is():
    named = set(re.findall(r"^\| `(\w+)(?:\(.*?\))?` \|", PAGE, re.MULTILINE))
    assert named <= set(library.__all__)
    assert {"read", "verify", "adjudicate", "step", "position", "odds", "decide"} <= named
    fields = set(re.findall(r"`(\w+)`", PAGE.split("A `Game` has", 1)[1].split("a message", 1)[0]))
    has = {*library.Game.__dataclass_fields__, *library.Step.__dataclass_fields__, "Step"} - {"history"}
    assert fields == has


def test_the_page_names_every_kind_of_event_with_its_fields():
    kinds = {kind.__name__: {*kind.__annotations__} for kind in get_args(events.Event)}
    assert [kind for kind in kinds if f"`{kind}`" not in PAGE] == []
    named = re.findall(r"((?:`[A-Z]\w+`(?: and |))+) \(([a-z, ]+)\)", " ".join(PAGE.split()))
    assert len(named) >= 8
    for words, fields in named:
        for kind in re.findall("[A-Z][A-Za-z]+", words):
            assert {*fields.split(", ")} <= kinds[kind], kind
