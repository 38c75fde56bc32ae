"""A terminal of 80 columns and 24 lines: no wider line, a pager for long output, questions with their subject."""

import os
import re
import subprocess
import sys
from contextlib import suppress
from functools import cache, partial

import pytest
from helpers import printed, registry, sweeps
from helpers.commands import Terminal, show_on_terminal, too_wide, well
from helpers.signed_play import Table

from kursk_pbem.cli import common, run
from kursk_pbem.rulebook import paragraphs, rulings

LINES = """
status; status {game}; report; report --all; report {game}/2; report --turn 1; report --story; report --proof
moves; moves {unit}; moves {unit} --to {place}; moves --to {place}; odds; policy; prepare
check; order; map; map --around {unit}; map --around {unit} --radius 20 --legend; map --legend --formations; tables
tables --track; order {verb}; order {unit} {place}; order undo 9; order zzz; sgin; sign; resign; offer draw; reply
invite; keygen me; rule {system}; rule {system} supply; rule {system} --rulings; rule {rule}
rule {system} {paragraph} --code; scenario; scenario --data; scenario list {scenario} --data; scenario check {data}
ruleset; ruleset new x; verify; prove; adjudicate {game}/0001.yaml; adjudicate {game}; adjudicate; people; inbox
inbox nosuch; outbox; post; referee; tournament; tournament new; save; open x; restore x; export; rating x
conformance; play; board x; setup; app x; shell; propose {scenario}
propose {scenario} --as x; accept {game}; help; help commands; help {verb}; help players; help cheat; help players 3
help players 5; help players 8; help referees 1; help referees 2; help library; verify nosuch; verify {data}
""".replace("\n", ";")
"""Lines typed at the desk of a player in a game of each system: every command, with its refusals."""
DEAR = ";report --analysis; hint; replay; replay -o page.html; practice; demo x"
"""Lines that take seconds."""
WIDTHS = (40, 60, 80)
"""The help of every command at 80 columns has a test of its own."""
ALL = [(system, width, True) for width in WIDTHS for system in registry.KITS]


@pytest.fixture
def shown(monkeypatch):
    """Return a function that runs a command on a terminal without answers, and returns the output."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    monkeypatch.setenv("NO_COLOR", "1")

    return partial(show_on_terminal, monkeypatch)


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """Return a function that returns a game of a system, after three messages without orders."""

    @cache
    def table(system):
        played = Table(tmp_path_factory.mktemp("narrow") / "a folder", registry.kit(system).scenarios[0]).begin()
        for _message in range(3):
            played.post()
        return played

    return table


@pytest.mark.parametrize(("system", "width", "whole"), [(*ALL[0][:2], False), *map(sweeps.long, ALL)])
def test_no_line_is_wider_than_the_terminal(shown, tables, tmp_path, monkeypatch, system, width, whole):
    """A narrow window or a braille line cuts what is wider; maps come in strips. A dumb terminal gets no codes."""
    table = tables(system).copy(tmp_path / "a copy")
    player, kit = table.due, registry.kit(system)
    monkeypatch.chdir(player.place)
    for name, value in {"KURSK_HOME": player.home, "KURSK_KEY": player.key, "COLUMNS": width}.items():
        monkeypatch.setenv(name, str(value))
    pieces = kit.ruleset.seen.picture(table.game.setting, table.game.state).pieces
    piece = next(piece for piece in pieces if piece.side == player.side)
    verb = kit.ruleset.seen.verbs(table.game.setting)[0].name
    filled = {"game": player.desk.folder.name, "unit": piece.id, "place": piece.at or "36, 24", "verb": verb}
    filled |= {"system": system, "scenario": kit.scenarios[0], "data": registry.ROOT / "scenarios" / kit.scenarios[0]}
    filled |= {"paragraph": paragraphs.list_paragraphs(system)[0].id, "rule": next(iter(rulings.load(system)))}
    dumb = width == 60
    if dumb:
        monkeypatch.setenv("TERM", "dumb")
        monkeypatch.delenv("NO_COLOR")
    faults = {}
    lines = (LINES + DEAR).split(";") if whole else [*LINES.split(";")[::2], "status", "prepare"]
    for line in filter(None, map(str.strip, lines)):
        said = shown("--no-pager", *(word.format(**filled) for word in line.split()))
        assert "Please report" not in said, line
        assert said, line
        assert not (dumb and "\x1b" in said), line
        page = line.startswith("help ")  # commands and files on a page are four columns to the right
        if wide := [part for part in too_wide(said, width) if not (page and part.startswith("    "))]:
            faults[line] = wide
    assert faults == {}


@pytest.mark.parametrize("width", WIDTHS[:-1])
@pytest.mark.parametrize("words", sweeps.some(["", *printed.list_commands()], 6))
def test_help_is_as_narrow_as_the_terminal(shown, monkeypatch, words, width):
    """Bug: click's help has at least 50 columns."""
    monkeypatch.setenv("COLUMNS", str(width))
    assert too_wide(shown("--no-pager", *words.split(), "--help"), width) == []


COPIED = ("setup schema", "setup completion bash", "status --json", "rule battle-for-kursk 9.3 --json")


@pytest.mark.parametrize("line", COPIED)
def test_text_to_copy_is_whole_on_a_narrow_terminal(shown, german, game, monkeypatch, line):
    """A folded line of JSON or of a script is another line."""
    monkeypatch.chdir(german)
    usual = shown(*line.split())
    monkeypatch.setenv("COLUMNS", "40")
    assert shown(*line.split()) == usual
    assert max(map(len, usual.splitlines())) > 40


SESSIONS = {
    "shell {game}": ["order", "attack 1912 all", "odds", "map", "status", "report", "undo"],
    "play citadel": [
        "posture engage, attack 1912 all",
        "check",
        "map",
        "moves 24 pz",
        "help",
        "zzz",
        "sign",
        "n",
        "sign --yes",
    ],
    "practice july4": ["check", "map --around kursk", "order", "odds", "tables crt"],
}


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no such terminals here")
@pytest.mark.parametrize("command", sweeps.some(SESSIONS, 3))
def test_a_session_on_a_dumb_terminal_is_plain_and_narrow(game, tmp_path, command):
    """Bug: play, practice and shell sent bold headings and prompts with ESC codes, which a screen reader spells."""
    home = str(game.parent / "private" if command.startswith("shell") else tmp_path / "home")
    own = {"COLUMNS": "40", "LINES": "24", "TERM": "dumb", "KURSK_HOME": home, "KURSK_KEY": str(game.parent / "me")}
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")} | own
    words = command.format(game=game).split()
    typed = [sys.executable, "-m", "kursk_pbem", *words]
    main, slave = os.openpty()
    with subprocess.Popen(typed, stdout=slave, stderr=slave, stdin=slave, env=environment, cwd=tmp_path) as process:
        os.close(slave)
        os.write(main, "".join(f"{line}\n" for line in (*SESSIONS[command], "quit")).encode())
        said = b""
        with suppress(OSError):  # the other end is closed
            while chunk := os.read(main, 65_536):
                said += chunk
        assert process.wait() == 0, said
    os.close(main)
    text = said.decode().replace("\r\n", "\n")
    assert "\x1b" not in text
    assert re.search("^[0-9]> ", text, re.MULTILINE)
    assert too_wide(re.sub("(?m)^[0-9]> |(?<=/N.: )", "\n", text), 40) == []


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
    assert common.fit_lines("then type 'kursk order move 24 pz 2219' there", 20).split("\n")[1:] == [
        "  'kursk order move 24 pz 2219'",
        "  there",
    ]
    assert common.fit_lines("    kursk sign --key /home/anna/me", 20) == "    kursk sign --key /home/anna/me"
    assert common.fit_lines("short\n  lines", 40) == "short\n  lines"
    assert common.fit_lines("x " * 100, 0) == "x " * 100


@pytest.mark.parametrize("words", ["", "tournament", "scenario", *printed.list_commands()])
def test_help_fits_eighty_columns_and_lists_whole_sentences(capsys, monkeypatch, words):
    monkeypatch.setenv("COLUMNS", "80")
    lines = well(capsys, *words.split(), "--help").splitlines()
    assert lines[0].startswith(f"Usage: {' '.join(['kursk', *words.split()])} ")
    assert lines == well(capsys, *words.split(), "-h").splitlines()
    assert [line for line in lines if len(line) > 80] == []
    assert [line for line in lines[1:] if line.endswith("...") and "Usage" not in line] == []
