"""The argument GAME of the commands: nothing, part of an id, a name; asked on a terminal, listed without one."""

import shutil
import sys

import pytest
from helpers.commands import Terminal, refused, well

from kursk_pbem.cli import run


@pytest.fixture
def elsewhere(tmp_path, monkeypatch, game):
    place = tmp_path / "elsewhere"
    place.mkdir()
    monkeypatch.chdir(place)
    return place


@pytest.mark.parametrize("name", [(), ("boris",)])
@pytest.mark.parametrize(
    ("command", "others", "shown"),
    [
        ("status", (), "message 8"),
        ("check", (), "/0008.draft.yaml: legal"),
        ("odds", (), "the draft of message 8"),
        ("moves", (), "What the German side may do"),
        ("moves", ("g-24-pz",), "What XXIV Panzer Corps (g-24-pz) may do"),
        ("map", ("--around", "2113"), "Kursk"),
        ("report", (), "Head of the chain"),
        ("draft", (), "0008.draft.yaml"),
        ("policy", (), "no standing policy"),
        ("export", ("-o", "out"), "8 messages"),
    ],
)
def test_no_command_needs_a_path(capsys, elsewhere, name, command, others, shown):
    assert shown in well(capsys, command, *name, *others)


def test_sign_takes_the_draft_of_the_game_that_waits(capsys, elsewhere, game):
    assert f"wrote {game / '0008.yaml'}: mail it" in well(capsys, "sign", "--yes")
    assert "wait for it" in refused(capsys, 2, "sign", "--yes")
    assert "message 9 is the russian side's to write" in refused(capsys, 2, "check", "boris")


def test_an_offer_is_made_in_the_game_that_waits(capsys, elsewhere, game):
    assert "wrote" in well(capsys, "offer", "draw", "--yes")
    assert not (game / "0009.yaml").exists()


def test_offers_and_replies_want_their_word(capsys, elsewhere):
    assert "such as 'kursk offer draw'" in refused(capsys, 2, "offer")
    assert "such as 'kursk reply accept'" in refused(capsys, 2, "reply", "boris")
    assert "no game is called so" in refused(capsys, 2, "offer", "bros", "draw")


def test_a_policy_is_told_from_a_game(capsys, elsewhere):
    (elsewhere / "stand").write_text("stand-fast: always\n", encoding="ascii")
    assert "wrote" in well(capsys, "policy", "stand")
    assert "stand-fast: always" in well(capsys, "policy", "boris")
    assert "there is no such file" in refused(capsys, 2, "policy", "nosuch")


def _two(game, german):
    """The same private folder with a second game, as its record alone shows it."""
    record = german / "private" / "games"
    shutil.copytree(record / game.name[5:], record / ("f" * 16))
    path = record / ("f" * 16) / "game.json"
    path.write_text(path.read_text(encoding="ascii").replace(f'"game": "{game.name[5:]}', f'"game": "{"f" * 16}'))


def test_several_that_wait_are_listed_with_what_to_type(capsys, elsewhere, game, german):
    _two(game, german)
    said = refused(capsys, 2, "check")
    assert "2 games wait for you" in said
    assert f"such as '{game.name[5:13]}'" in said
    assert "legal" in well(capsys, "check", game.name[5:13])


def test_on_a_terminal_one_is_asked(capsys, elsewhere, game, german, monkeypatch):
    _two(game, german)
    monkeypatch.setattr(sys, "stdin", Terminal("1\n"))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert run(["check", "-q"]) == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert "  1  game-" in said.err
    assert "Which one" in said.err


def test_a_wrong_private_folder_is_named(capsys, elsewhere, monkeypatch, tmp_path):
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "nosuch"))
    said = refused(capsys, 2, "check")
    assert f"KURSK_HOME names {tmp_path / 'nosuch'}, and there is no such folder" in said
    (tmp_path / "nosuch").mkdir()
    assert "and it holds no game" in refused(capsys, 2, "check", "boris")
