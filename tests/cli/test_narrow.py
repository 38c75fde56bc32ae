"""A terminal of 80 columns and 24 lines: no wider line, a pager for long output, questions with their subject."""

import os
import re
import sys

import pytest
from helpers import printed, registry, sweeps
from helpers.commands import Terminal, well

from kursk_pbem.cli import COMMANDS, common, run

LINES = [
    *(
        "status",
        "status boris",
        "report",
        "report boris/5",
        "report boris --turn 1",
        "report --story",
        "report --proof",
    ),
    *("moves", "moves 24 pz", "moves --to kursk", "moves 24 pz --to kursk", "odds", "map", "map --around kursk"),
    *("map --legend --formations", "tables", "tables --track", "check", "order", "order attack 1912 all", "order undo"),
    *("rule battle-for-kursk", "rule battle-for-kursk 9.3", "rule K-54", "rule battle-for-kursk supply"),
    *("scenario", "scenario --data", "scenario check {scenarios}/battle-for-kursk/citadel", "verify", "policy"),
    *(
        "setup schema",
        "people",
        "inbox",
        "outbox",
        "prove",
        "setup completion bash",
        "sign",
        "setup draft",
        "resign",
        "sgin",
    ),
    *("order move 24 pz zzz", "order move 24 pz 1111", "order attack 1912", "inbox --report nosuch", "verify nosuch"),
]
MACHINES = ("setup schema", "setup completion bash")
"""Commands whose output is for programs."""


@pytest.fixture
def shown(monkeypatch):
    """Return a function that runs a command on a terminal of 80 columns without answers, and returns the output."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    monkeypatch.setenv("NO_COLOR", "1")

    def show(*words):
        screen = Terminal()
        for name in ("stdout", "stderr"):
            monkeypatch.setattr(sys, name, screen)
        run(words)
        return screen.getvalue()

    return show


def too_wide(text):
    """Return the lines that are too wide without a long word: a path is never cut."""
    return [line for line in text.splitlines() if len(line) > 80 and len(max(line.split(), key=len)) < 60]


@pytest.mark.parametrize("line", sweeps.some(LINES, 3))
def test_nothing_is_wider_than_the_terminal(shown, german, game, monkeypatch, line):
    monkeypatch.chdir(german)
    said = shown(*(word.format(scenarios=registry.ROOT / "scenarios") for word in line.split()))
    assert said
    assert too_wide(said) == [] or line in MACHINES


@pytest.mark.parametrize("kit", registry.kits(), ids=[kit.ruleset.id for kit in registry.kits()])
@pytest.mark.parametrize("command", ["map", "tables", "tables --track"])
def test_what_is_printed_of_a_scenario_is_as_narrow(shown, kit, command):
    said = shown(*command.split(), kit.scenarios[0])
    wide = too_wide(said)
    assert not wide or (command == "map" and "--around PLACE shows a part" in said)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_as_narrow(shown, command):
    assert too_wide(shown(command, "--help")) == []


def test_what_is_longer_than_the_terminal_is_paged(shown, german, game, monkeypatch):
    paged = []
    monkeypatch.setattr("click.echo_via_pager", lambda text, **_more: paged.append(text))
    monkeypatch.chdir(german)
    assert shown("report") == ""
    assert shown("--no-pager", "report") == paged.pop()
    assert shown("odds")
    assert shown("order", "posture", "engage")
    assert not paged


@pytest.mark.parametrize(("given", "less"), [("", "-R "), ("FX", "-R FX"), ("-R -F", "-R -F")])
def test_a_pager_shows_colours_and_not_their_codes(shown, german, game, monkeypatch, given, less):
    """Bug: 'less' without -R showed 'ESC[34m~ESC[0m' all over the map; the command sets R with any other options."""
    told = []
    monkeypatch.setattr("click.echo_via_pager", lambda text, **_: told.append((os.environ["LESS"], "\x1b[" in text)))
    for name, value in {"LESS": given, "NO_COLOR": "", "TERM": "xterm"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(german)
    assert shown("map", "--around", "2115") == ""
    assert told == [(less, True)]


def test_elsewhere_nothing_is_paged(capsys, game, monkeypatch):
    monkeypatch.setattr("click.echo_via_pager", lambda *_given, **_more: pytest.fail("paged"))
    assert len(well(capsys, "report", game, "--all").splitlines()) > 100


@pytest.mark.parametrize(
    ("given", "coloured"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({"FORCE_COLOR": ""}, False),
    ],
)
def test_colour_can_be_wanted_where_there_is_no_terminal(capsys, game, monkeypatch, given, coloured):
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    assert ("\x1b[" in well(capsys, "map", game, "--around", "2115")) == coloured


@pytest.mark.parametrize("wanted", ["always", "never"])
def test_color_decides_before_the_environment(capsys, game, monkeypatch, wanted):
    monkeypatch.setenv("NO_COLOR" if wanted == "always" else "FORCE_COLOR", "1")
    said = well(capsys, "map", game, "--around", "2115", "--color", wanted)
    assert ("\x1b[" in said) == (wanted == "always")
    assert ("\x1b[" in well(capsys, "map", game, "--around", "2115")) == (wanted == "never")


def test_the_question_of_sign_is_asked_below_what_is_signed(capsys, game, draft, monkeypatch):
    well(capsys, "order", game, "posture", "engage")
    well(capsys, "order", game, "attack", "1912", "all", "losses", "20")
    monkeypatch.setattr(sys, "stdin", Terminal("n\n"))
    assert run(["sign", str(game)]) == 130
    said = capsys.readouterr().out
    above = said.partition("Sign message 8, on this machine alone?")[0].splitlines()[-20:]
    assert "Message 8 in short:" in above
    text = " ".join(" ".join(above).split())
    assert "losses g-20" in text
    assert said.count("losses g-20") == 1
    assert re.search("- .*1912", text)


def test_folding_cuts_no_word_and_keeps_what_fits():
    path = "/a/" + "b" * 90
    assert common.fit_lines(f"  wrote {path} now", 40) == f"  wrote\n    {path}\n    now"
    assert common.fit_lines("short\n  lines", 40) == "short\n  lines"
    assert common.fit_lines("x " * 100, 0) == "x " * 100


@pytest.mark.parametrize("words", ["", "tournament", "scenario", *printed.list_commands()])
def test_help_fits_eighty_columns_and_lists_whole_sentences(capsys, monkeypatch, words):
    monkeypatch.setenv("COLUMNS", "80")
    lines = well(capsys, *words.split(), "--help").splitlines()
    assert [line for line in lines if len(line) > 80] == []
    assert [line for line in lines[1:] if line.endswith("...") and "Usage" not in line] == []
