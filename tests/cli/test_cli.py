"""The command line: help, exit statuses, output streams, and questions on a terminal."""

import re
import sys
import tempfile
from pathlib import Path

import pytest
from helpers.commands import Terminal, refused, tree, well

from kursk_pbem import __version__, rulesets
from kursk_pbem.cli import COMMANDS, run
from kursk_pbem.game import folders
from kursk_pbem.rulesets import WORDS


def test_the_first_page_begins_with_the_umpire_in_one_screen(capsys):
    text = well(capsys, "--help")
    assert text == well(capsys) == well(capsys, "help")
    assert len(text.splitlines()) <= 24
    groups = ["The umpire", "Play", "Look", "Mail and tournaments"]
    assert re.findall(r"^([\w ]+):$", text, re.MULTILINE) == groups
    named = re.findall(r"^  (\w+) ", text, re.MULTILINE)
    assert named[:3] == ["adjudicate", "verify", "prove"]
    assert len(set(named) & COMMANDS.keys()) == 16


@pytest.mark.some(3)
@pytest.mark.parametrize("word", sorted({*" ".join(WORDS.values()).split()}))
def test_help_explains_every_order_word_in_each_system_that_has_it(capsys, word):
    text = well(capsys, "help", word)
    systems = [rid for rid, words in WORDS.items() if word in words.split()]
    titles = re.findall(r"^(\S.*):$", text, re.MULTILINE)
    assert sorted(titles) == sorted(rulesets.ruleset(rid).title for rid in systems)
    assert text.count(f"  order {word}") == text.count("Example: ") == len(systems)
    assert well(capsys, word, "--help") == text


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("scenarios", "scenario"),
        ("receipt", "'kursk referee receipt'"),
        ("forfeit", "'kursk referee forfeit' or 'kursk tournament forfeit'"),
        ("draft", "'kursk setup draft'"),
    ],
)
def test_a_part_of_a_command_names_the_command(capsys, word, meant):
    """A player who types a command of a group alone wants the whole command."""
    assert run([word]) == 2
    assert f"No such command {word!r}; did you mean {meant}?" in capsys.readouterr().err


def test_the_list_of_commands_is_whole_and_right(capsys):
    text = well(capsys, "help", "commands")
    for command in COMMANDS:
        assert re.search(rf"^  {command} ", text, re.MULTILINE)
    assert well(capsys, "--version") == f"kursk, version {__version__}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["verify", "--jobs", "0"],
        ["status", "a", "b"],
        ["check", "a", "b"],
        ["rule"],
        ["map", "x", "--radius", "wide"],
        ["propose", "battle-for-kursk/citadel"],
    ],
)
def test_wrong_usage_is_status_2(capsys, arguments):
    assert "Usage: kursk" in refused(capsys, 2, *arguments)


def test_status_0_and_standard_output_for_what_goes_well(capsys, game, draft):
    assert "verified, 8 messages" in well(capsys, "verify", game)
    assert "due is message 8 of the German side" in well(capsys, "status", game)
    assert "you are the German side" in well(capsys, "status", game)
    assert "turn 1; due is message 5" in well(capsys, "status", game / "0004.yaml")
    assert "2113" in well(capsys, "map", game / "0002.yaml")
    assert "9.0" in well(capsys, "rule", "battle-for-kursk")
    assert "legal" in well(capsys, "check", draft)
    for command in (["verify", game], ["check", draft]):
        assert well(capsys, *command, "-q") == ""


def test_status_70_for_a_fault_of_ours_leaves_a_report_without_secrets(capsys, game, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    secret = str(6 * 7 * 11 * 13 * 17)  # absent from the source

    def broken(_path):
        raise ZeroDivisionError(secret)

    monkeypatch.setattr(folders, "read_bytes", broken)
    assert run(["status", str(game / "0004.yaml")]) == 70
    said = capsys.readouterr()
    assert said.out == ""
    assert "error of the program (ZeroDivisionError)" in said.err
    assert "Traceback" not in said.err
    report = re.search(r"\S+fault\.txt", said.err)[0]
    text = Path(report).read_text(encoding="utf-8")
    assert "read_bytes" in text
    assert secret not in text + said.err


@pytest.mark.parametrize("stop", [KeyboardInterrupt, EOFError])
def test_status_130_when_interrupted(capsys, game, monkeypatch, stop):
    def interrupted(_path):
        raise stop

    monkeypatch.setattr(folders, "read_bytes", interrupted)
    assert run(["status", str(game / "0004.yaml")]) == 130
    said = capsys.readouterr()
    assert (said.out, said.err.strip()) == (
        "",
        "kursk: interrupted; every file is whole, and you can type the same command again",
    )


# Questions


def test_on_a_terminal_it_is_asked_once(capsys, game, draft, monkeypatch):
    before = tree(game)
    monkeypatch.setattr(sys, "stdin", Terminal("n\n"))
    assert run(["sign", str(draft)]) == 130
    said = capsys.readouterr()
    assert "Sign message 8, on this machine alone?" in said.out
    assert "you answered no" in said.err
    assert tree(game) == before
    monkeypatch.setattr(sys, "stdin", Terminal("y\n"))
    assert run(["sign", str(draft)]) == 0
    assert folders.read_message(game / "0008.yaml").seq == 8
    assert not draft.exists()
