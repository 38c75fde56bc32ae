"""One turn file is enough: every command reads the whole game from it, in a folder with nothing else."""

import json
import shutil
from pathlib import Path

import pytest
from helpers.losing import ALL, Loser, game_folder

from kursk_pbem.cli import run
from kursk_pbem.trust import sofar


@pytest.fixture
def alone(game, tmp_path, monkeypatch):
    """Return message 6 of the demonstration in an empty folder, at a machine without games."""
    (place := tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(place)
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "nobody"))
    return shutil.copy(game / "0006.yaml", place)


@pytest.mark.parametrize("command", ["adjudicate", "verify", "report", "map", "replay", "prove", "export"])
def test_a_command_needs_only_the_newest_file(alone, game, capsys, command):
    more = ("-o", "out") if command in ("replay", "export") else ()
    assert run([command, alone, *more]) == (command == "prove")  # 1: no cheating found
    said = capsys.readouterr()
    assert "missing" not in said.out + said.err
    if command == "verify":
        assert "7 messages" in said.out
    if command == "report":
        assert (game / "report-0006.txt").read_text("ascii").strip() in said.out
    if command == "adjudicate":
        assert run([command, alone, "-o", "next", "-q"]) == 0
        assert sofar.find_block(Path("next/0006.yaml").read_bytes()) is not None


def test_json_names_what_the_block_supplied_and_what_cannot_be_counted(alone, game, capsys):
    shutil.copy(game / "0005.yaml", ".")
    assert run(["adjudicate", alone, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["uncounted"], found["ended"]) == ([], "")
    assert [text.replace(str(Path(alone).parent), "") for text in found["helped"]] == [
        "5 earlier messages from the game so far below /0005.yaml"
    ]
    Path(alone).write_bytes(Path(alone).read_bytes().replace(b"\nfrom: ", b"\nnote: changed\nfrom: ", 1))
    assert run(["adjudicate", ".", "--json"]) == 2
    found = json.loads(capsys.readouterr().out)
    assert found["seq"] == 5
    assert "0006.yaml" in found["uncounted"][0]


def test_a_running_game_at_an_empty_home_is_no_proposal_and_names_restore(alone, capsys):
    assert run(["inbox", alone]) == 2
    said = capsys.readouterr()
    assert "'kursk restore . MAILS' brings the game here" in said.out
    assert "proposes" not in said.out + said.err
    assert run(["accept", alone, "--yes"]) != 0


def test_key_and_one_file_restore_the_game_byte_for_byte(demo, tmp_path, kursk):
    loser = Loser(demo, tmp_path, "german")
    for seq in range(ALL - 1):
        loser.mail(seq).unlink()
    status, said = kursk(loser, "restore", loser.folder, *loser.mails, "--key", loser.place / "me")
    assert (status, f"{ALL} messages, all verified" in said) == (0, True), said
    for path in game_folder(loser.before).glob("[0-9][0-9][0-9][0-9].yaml"):
        assert (loser.folder / path.name).read_bytes() == path.read_bytes(), path.name
    assert [loser.own.read_slot(seq).text for seq in range(ALL)] == [
        loser.old_journal().read_slot(seq).text for seq in range(ALL)
    ]


def test_inbox_of_one_turn_brings_all_that_the_desk_lacks(demo, tmp_path, kursk):
    player = Loser(demo, tmp_path)
    player.backup(2)
    status, said = kursk(player, "inbox", player.mail(6))
    assert (status, "your message 5, signed elsewhere, is here" in said) == (0, True), said
    for seq in range(7):
        assert (player.folder / f"{seq:04d}.yaml").read_bytes() == player.mail(seq).read_bytes()


def test_a_proposal_alone_is_verified_by_the_keys_in_it(game, tmp_path, monkeypatch, capsys):
    """Saved under another name, and at a machine without games."""
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "nobody"))
    mail = str(shutil.copy(game / "0000.yaml", tmp_path / "mail.yaml"))
    assert run(["verify", mail]) == 0
    assert "message 0 (propose) of german: the signature holds" in capsys.readouterr().out
