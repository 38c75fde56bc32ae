"""The argument GAME of the commands: empty, part of an id, or a name; a question on a terminal, a list otherwise."""

import io
import shutil
import sys

import pytest
from helpers.commands import Terminal, refused, well

from kursk_pbem.cli import run


@pytest.mark.parametrize("name", [(), ("boris",)])
@pytest.mark.parametrize(
    ("command", "others", "shown"),
    [
        ("status", (), "message 8"),
        ("check", (), "/0008.draft.yaml: legal"),
        ("odds", (), "the draft of message 8"),
        ("moves", (), "Moves and attacks of the German side"),
        ("moves", ("g-24-pz",), "Moves and attacks of XXIV Panzer Corps (g-24-pz)"),
        ("map", ("--around", "2113"), "Kursk"),
        ("report", (), "Head of the chain"),
        ("setup draft", (), "0008.draft.yaml"),
        ("policy", (), "no standing policy"),
        ("export", ("-o", "out"), "8 messages"),
    ],
)
def test_no_command_needs_a_path(capsys, elsewhere, name, command, others, shown):
    assert shown in well(capsys, *command.split(), *name, *others)


def test_sign_takes_the_draft_of_the_game_that_waits(capsys, elsewhere, game):
    assert f"wrote {game / '0008.yaml'}: mail it" in well(capsys, "sign", "--yes")
    assert "wait for the mail" in refused(capsys, 2, "sign", "--yes")
    assert "the russian side writes message 9" in refused(capsys, 2, "check", "boris")


def test_a_policy_is_told_from_a_game(capsys, elsewhere):
    (elsewhere / "stand").write_text("stand-fast: always\n", encoding="ascii")
    assert "wrote" in well(capsys, "policy", "stand")
    assert "stand-fast: always" in well(capsys, "policy", "boris")
    assert "there is no such file" in refused(capsys, 2, "policy", "nosuch")


def _two(game, german):
    """Add a second game to the private folder, by a record only."""
    record = german / "private" / "games"
    shutil.copytree(record / game.name[5:], record / ("f" * 16))
    path = record / ("f" * 16) / "game.json"
    path.write_text(path.read_text(encoding="ascii").replace(f'"game": "{game.name[5:]}', f'"game": "{"f" * 16}'))


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
    assert f"KURSK_HOME names {tmp_path / 'nosuch'}, and this folder does not exist" in said
    (tmp_path / "nosuch").mkdir()
    assert ", with no game" in refused(capsys, 2, "check", "boris")


def test_a_file_that_the_journal_does_not_know_is_not_called_ones_own(capsys, elsewhere, game):
    (game / "0008.yaml").write_text("no: [turn\n", encoding="ascii")
    assert "restore" not in refused(capsys, 2, "status", "boris")


def test_whoever_has_no_record_of_a_game_is_told_where_it_was_looked_for(capsys, elsewhere, german, game, monkeypatch):
    nowhere = elsewhere / "private"
    monkeypatch.setenv("KURSK_HOME", str(nowhere))
    told = f"KURSK_HOME names {nowhere}, and this folder does not exist"
    letter = german / "inbox" / "from-boris-0007.yaml"
    for words in (("check", game), ("setup", "draft", game), ("policy", game), ("inbox", "--report", letter)):
        assert told in refused(capsys, 2, *words)
    assert f"you see this game as an auditor: {told}" in well(capsys, "inbox", "--report", game / "0007.yaml")


def test_a_draft_from_standard_input_is_checked_against_the_game_that_it_names(capsys, elsewhere, draft, monkeypatch):
    class Stream:
        buffer = io.BytesIO(draft.read_bytes())

    monkeypatch.setattr(sys, "stdin", Stream)
    assert "standard input: legal; 'kursk sign' makes the file to mail" in well(capsys, "check", "-")
    Stream.buffer = io.BytesIO(b"game: '1'\n")
    assert "a game of other players" in refused(capsys, 2, "check", "-")
    assert "signs a draft in the game folder" in refused(capsys, 2, "sign", "-")


def test_games_of_auditors_are_named_too(capsys, elsewhere, game):
    assert "verified, 8 messages" in well(capsys, "verify")
    assert "verified, 8 messages" in well(capsys, "verify", "boris")
    assert "nosuch: there is no such file" in refused(capsys, 2, "verify", "nosuch")
    (elsewhere / "anna").write_text("a key", encoding="ascii")  # one's own: 'cannot be read: Not a directory'
    assert "anna/3: there is no such file" in refused(capsys, 2, "report", "anna/3")
    assert "8 messages were checked" in refused(capsys, 1, "prove", "boris")


def test_a_lost_folder_is_restored_by_the_name_of_its_game(capsys, elsewhere, german, game):
    shutil.rmtree(game)
    assert f"'kursk restore {game} MAILS'" in refused(capsys, 2, "check")
    assert f"{game}: 8 messages, all verified" in well(capsys, "restore", "boris", german / "inbox")
    assert "type two things: first the GAME" in refused(capsys, 2, "restore")
