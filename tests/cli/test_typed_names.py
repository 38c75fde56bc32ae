"""Names as people type, drag or paste them: paths, words of orders, commands of a group."""

import shutil
import unicodedata
import urllib.parse

import pytest
from helpers.commands import refused, well


@pytest.mark.parametrize("command", ["verify", "adjudicate", "report"])
def test_a_dragged_file_and_a_name_of_another_system_are_found(capsys, game, tmp_path, monkeypatch, command):
    """A file manager gives file://, with blanks as %20; a Mac stores letter and accent apart."""
    monkeypatch.chdir(tmp_path)
    name = "mein Zug \u00fc.yaml"
    shutil.copy(game / "0006.yaml", tmp_path / unicodedata.normalize("NFD", name))
    for typed in (name, f"file://{urllib.parse.quote(str(tmp_path))}/{urllib.parse.quote(name)}"):
        assert "message 6" in (said := well(capsys, command, typed)) or "7 messages" in said


@pytest.mark.parametrize("command", ["inbox", "verify", "adjudicate", "report"])
def test_the_address_of_a_file_elsewhere_is_not_fetched(capsys, german, command):
    said = refused(capsys, 2, command, "https://drive.example/d/0006.yaml")
    assert "https://drive.example/d/0006.yaml is a web address, but kursk downloads nothing: save" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("help sgin", "did you mean sign?"),
        ("help retrat", "did you mean retreat"),
        ("scenario show citadel", "No such command 'show'; did you mean one of 'check', 'copy', 'list'?"),
        ("report boris 3", "unexpected extra argument (3); message 3 of a game is NAME/3"),
        ("order move 3 gt 2208 attack 2209 all", "a comma stands between two orders"),
    ],
)
def test_a_slip_is_told_what_was_meant(capsys, game, monkeypatch, words, said):
    monkeypatch.chdir(game)
    assert said in " ".join(refused(capsys, 2, *words.split()).split())
