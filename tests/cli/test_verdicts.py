"""One table: the verdict of each command on each thing with each fault (docs/auditors.md 2.6)."""

import re
import sys

import pytest
from helpers import sweeps

from cli import held
from kursk_pbem.cli import run

CELLS = held.list_cells()
MAIL = b"From: boris@example.test\nSubject: my turn\nContent-Type: text/plain\n\nHello Anna,\n\n"


@pytest.fixture(scope="module")
def holder(demo, tmp_path_factory):
    return held.Holder(demo, tmp_path_factory.mktemp("held"))


@pytest.mark.parametrize("cell", sweeps.some(CELLS, 89), ids=str)
def test_2_6_each_fault_has_one_verdict_at_every_command(cell, holder, tmp_path, monkeypatch, capsys):
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.setattr(sys, "stdin", sys.stdin)
    monkeypatch.setenv("KURSK_HOME", str(holder.home(cell, tmp_path)))
    monkeypatch.chdir(here)
    words = [held.lay(cell, holder.make(cell), here)]
    words += ["--key", str(holder.demo / "russian" / "me")] if cell.command == "accept" else []
    capsys.readouterr()
    status = run([cell.command, *words])
    said = capsys.readouterr()
    text = " ".join((said.out + said.err).split())
    assert "Traceback" not in text
    fits = cell.words == "-" or re.search(cell.words, text) is not None
    assert (status, fits) == (cell.status, True), (text[:600], cell.words)


@pytest.mark.parametrize(("die", "status"), [(False, 0), (True, 3)], ids=["sound", "changed die"])
def test_a_mail_saved_as_a_turn_file_spoils_no_game_and_hides_no_change(die, status, demo, tmp_path, capsys):
    """2.6: a game of turn files, in which message 4 is a mail."""
    (game,) = (demo / "german").glob("game-*")
    for path in game.glob("000[0-7].yaml"):
        raw = path.read_bytes()
        if path.name == "0004.yaml":
            raw = MAIL + (held.turn_die(raw) if die else raw)
        (tmp_path / path.name).write_bytes(raw)
    assert run(["verify", str(tmp_path)]) == status
    assert ("verified, 8 messages" in capsys.readouterr().out) is not die


BESIDE = {
    "x.7z": (b"7z\xbc\xaf\x27\x1c\0\4", "a 7-Zip archive", 0),
    "cut.zip": (b"PK\3\4 is cut", "a damaged zip", 0),
    ".0008.yaml.icloud": (b"bplist00\xd3", "in iCloud and not on this machine yet", 0),
    "._0008.yaml": (b"\0\5\26\7\0", "", 0),
    "photo.jpg": (b"\xff\xd8\xff\xe0 photo", "", 0),
    "hello.txt": (b"Hello Anna", "", 0),
    "0008.yaml": (b"version https://git-lfs.github.com/spec/v1\n", "0008.yaml", 2),
}


@pytest.mark.parametrize("name", BESIDE)
def test_2_6_what_may_hide_a_turn_is_named_beside_a_game(name, demo, tmp_path, monkeypatch, capsys):
    raw, words, status = BESIDE[name]
    (game,) = (demo / "german").glob("game-*")
    here = tmp_path / "here"
    here.mkdir()
    for path in game.glob("000[0-7].yaml"):
        (here / path.name).write_bytes(path.read_bytes())
    (here / name).write_bytes(raw)
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "home"))
    for command in ("adjudicate", "verify", "inbox", "report"):
        capsys.readouterr()
        assert run([command, str(here)]) == status, command
        said = capsys.readouterr()
        text = said.out + said.err
        assert (words in text, bool(words) or name not in text) == (True, True), (command, text[:600])
