"""verify --results: verified games are not verified again, unless the bytes change."""

import json
import os
import shutil
from pathlib import Path

import pytest
from helpers import finished_games
from helpers.commands import refused, well

from kursk_pbem.audit import batch, results, units
from kursk_pbem.audit.results import Results
from kursk_pbem.cli import run
from kursk_pbem.trust.chains import Chain

SHORT = finished_games.ROOT / "battle-for-kursk/resignation-german"


@pytest.fixture
def games(tmp_path):
    """Make a folder of three short games. The second game is spoilt."""
    place = tmp_path / "games"
    for name in "abc":
        shutil.copytree(SHORT, place / name)
        for path in sorted((place / name).glob("[0-9]*.yaml"))[4:]:
            path.unlink()
    spoilt = place / "b/0003.yaml"
    spoilt.write_text(spoilt.read_text("ascii").replace("seq: '3'", "seq: '5'"), "ascii")
    return place


@pytest.fixture
def begun(monkeypatch):
    """Return the folders of verified games."""
    seen = []
    verify = units._verify_task
    monkeypatch.setattr(units, "_verify_task", lambda task: seen.append(task.path.name) or verify(task))
    return seen


def said(capsys, *words, status=3):
    assert run([*map(str, words)]) == status
    shown = capsys.readouterr()
    return shown.out, shown.err


def test_begun_again_it_verifies_nothing_and_says_the_same(games, tmp_path, capsys, begun):
    kept = tmp_path / "kept.jsonl"
    first = said(capsys, "verify", games, "--results", kept)
    assert begun == ["a", "b", "c"]
    assert said(capsys, "verify", games, "--results", kept) == first == said(capsys, "verify", games)
    assert begun == ["a", "b", "c"] * 2
    assert len(kept.read_bytes().splitlines()) == 3
    assert said(capsys, "verify", games, "--results", kept, "--json") == said(capsys, "verify", games, "--json")


def test_it_names_heads(games, tmp_path, capsys):
    well(capsys, "verify", games / "a", "--results", tmp_path / "kept")
    verdict = json.loads((tmp_path / "kept").read_text("ascii"))["verdicts"][0]
    assert verdict["head"].startswith(well(capsys, "verify", games / "a").rpartition("head ")[2].strip())


@pytest.mark.parametrize("change", ["another byte", "a file more", "a file less"])
def test_a_game_that_has_changed_is_verified_anew(games, tmp_path, capsys, begun, change):
    kept = tmp_path / "kept"
    said(capsys, "verify", games, "--results", kept)
    begun.clear()
    path = games / "c/0003.yaml"
    if change == "another byte":
        path.write_bytes(path.read_bytes() + b"# seen\n")
    elif change == "a file more":
        shutil.copy(SHORT / "0004.yaml", games / "c")
    else:
        path.unlink()
    out, _err = said(capsys, "verify", games, "--results", kept)
    assert begun == ["c"]
    assert f"{ {'a file more': 5, 'a file less': 3}.get(change, 4) } messages" in out


def test_another_program_believes_nothing_of_it(games, tmp_path, capsys, begun, monkeypatch):
    said(capsys, "verify", games, "--results", tmp_path / "kept")
    monkeypatch.setattr(results, "identify_program", lambda: "0.0.1 (0123456789abcdef)")
    begun.clear()
    said(capsys, "verify", games, "--results", tmp_path / "kept")
    assert begun == ["a", "b", "c"]


def test_one_that_was_stopped_goes_on_where_it_stopped(games, tmp_path, capsys, begun):
    kept = tmp_path / "kept"
    said(capsys, "verify", games, "--results", kept)
    lines = kept.read_bytes().splitlines(keepends=True)
    for cut in (1, 5, 400, len(lines[1]) - 1):
        kept.write_bytes(lines[0] + lines[1][:cut])
        begun.clear()
        said(capsys, "verify", games, "--results", kept)
        assert begun == ["b", "c"]
        assert kept.read_bytes() == b"".join(lines)


def test_a_lie_in_it_is_named_when_it_is_verified_again(games, tmp_path, capsys):
    kept = tmp_path / "kept"
    honest = said(capsys, "verify", games, "--results", kept)
    assert said(capsys, "verify", games, "--results", kept, "--again") == honest
    lied = kept.read_text("ascii").replace('"status": 3', '"status": 0')
    kept.write_text(lied, "ascii")
    out, err = said(capsys, "verify", games, "--results", kept, "--again")
    assert out == honest[0]
    assert f"{kept} has a different verdict on {games / 'b'}" in err
    assert said(capsys, "verify", games, "--results", kept) == honest, "what was found again counts from now on"


def test_a_lie_about_a_good_game_is_a_fault_of_the_file_alone(games, tmp_path, capsys):
    kept = tmp_path / "kept"
    well(capsys, "verify", games / "a", "--results", kept)
    kept.write_text(kept.read_text("ascii").replace(", head ", ", read "), "ascii")
    assert "different verdict" in refused(capsys, 3, "verify", games / "a", "--results", kept, "--again", silent=False)


def test_verdicts_that_may_come_of_this_machine_are_not_kept(tmp_path, capsys, begun):
    (tmp_path / "game").mkdir()
    shutil.copy(SHORT / "0000.yaml", tmp_path / "game")
    for name in ("0002.yaml", "0004.yaml"):
        shutil.copy(SHORT / name, tmp_path / "game")
    for _again in range(2):
        refused(capsys, 2, "verify", tmp_path / "game", "--results", tmp_path / "kept")
    assert begun == ["game", "game"]
    assert (tmp_path / "kept").read_bytes() == b""


@pytest.mark.parametrize(
    "text", ["hello\n", "kursk-pbem: '1'", '{"unit": "x"\n', "[1]\n", "\0" * 40, "[" * 99999 + "\n"]
)
def test_a_file_that_is_something_else_is_left_alone(games, tmp_path, capsys, text):
    (tmp_path / "mine").write_text(text, "ascii")
    err = refused(capsys, 2, "verify", games / "a", "--results", tmp_path / "mine")
    assert "mine:1: the line holds no verdicts" in err
    assert (tmp_path / "mine").read_text("ascii") == text


@pytest.mark.parametrize(
    "told", ["3", "[]", "[3]", '[{"path": 1}]', '[{"status": 0}]', '{"a": 1}', '[{"path": "PATH", "times": 3}]', "null"]
)
def test_verdicts_of_another_form_are_none(games, tmp_path, capsys, begun, told):
    kept = tmp_path / "kept"
    well(capsys, "verify", games / "a", "--results", kept)
    unit = json.loads(kept.read_text("ascii"))["unit"]
    told = told.replace("PATH", str(games / "a"))
    kept.write_text(f'{{"unit": "{unit}", "verdicts": {told}}}\n', "ascii")
    begun.clear()
    well(capsys, "verify", games / "a", "--results", kept)
    assert begun == ["a"]


def test_again_takes_a_file_and_a_file_takes_a_place(games, tmp_path, capsys):
    refused(capsys, 2, "verify", games, "--again")
    refused(capsys, 2, "verify", games, "--results", tmp_path / "no/such/place")


@pytest.mark.parametrize(
    "folder", [*sorted(finished_games.ROOT.glob("*/*resign*"))[:2], SHORT], ids=lambda each: each.name
)
def test_a_verdict_survives_being_written_with_all_that_a_tournament_asks(folder):
    verdicts = units.verify_unit([units.Task(folder, game=True, account=True)])
    again = results.from_line(results.to_line(verdicts))
    assert again == verdicts
    assert again[0].played == verdicts[0].played
    assert dict(again[0].played.head) == dict(verdicts[0].played.head)


def test_a_family_is_verified_whole_or_not_at_all(games, tmp_path, begun):
    work = [units.Task(games / name, game=True, family="x") for name in "ac"]
    for _again in range(2):
        kept = Results(tmp_path / "kept", print)
        assert [finding.status for finding in batch.verify_each(work, batch.Way(results=kept))] == [0, 0]
        kept.close()
    assert begun == ["a", "c"]
    (games / "c/0003.yaml").unlink()
    kept = Results(tmp_path / "kept", print)
    list(batch.verify_each(work, batch.Way(results=kept)))
    kept.close()
    assert begun == ["a", "c"] * 2


def test_looking_at_them_verifies_no_message(games, tmp_path, capsys, monkeypatch):
    kept = tmp_path / "kept"
    said(capsys, "verify", games, "--results", kept)
    monkeypatch.setattr(Chain, "extend", None)
    said(capsys, "verify", Path(games), "--results", kept)


def test_what_a_planted_file_says_reaches_no_terminal_raw(games, tmp_path, capsys):
    """Bug: printed escape sequences of the text."""
    kept = tmp_path / "kept.jsonl"
    said(capsys, "verify", games, "--results", kept)
    for bad in ("\\u001b[2J", "\\u202e", "\\r"):
        kept.write_text(kept.read_text("ascii").replace('"text": "', f'"text": "{bad}'), "ascii")
    assert all(map(str.isprintable, "".join(said(capsys, "verify", games, "--results", kept)).split("\n")))


def test_a_pipe_or_a_device_is_no_file_of_results(games, tmp_path, capsys):
    """Bug: read without end."""
    pipe, device = tmp_path / "pipe", tmp_path / "device"
    os.mkfifo(pipe)
    device.symlink_to("/dev/zero")
    for path in (pipe, device):
        refused(capsys, 2, "verify", games, "--results", path)


def test_a_line_without_end_is_no_verdict(games, tmp_path, capsys, monkeypatch):
    """A file of a terabyte that holds no line was read into memory whole."""
    monkeypatch.setattr(results, "MAX_LINE", 1 << 20)
    kept = tmp_path / "kept"
    kept.write_bytes(b'{"unit": "' + b"0" * (1 << 21))
    assert "the line holds no verdicts" in refused(capsys, 2, "verify", games, "--results", kept)
    assert kept.stat().st_size > 1 << 21
