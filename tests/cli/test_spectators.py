"""Commands that need no seat read a game from mails, mailboxes, archives and pasted texts, by content (R3)."""

from __future__ import annotations

import io
import json
import mailbox
import os
import random
import sys
import zipfile
from types import SimpleNamespace

import pytest
from helpers import finished_games, registry
from helpers.commands import well
from helpers.mails import attached, letter
from helpers.packed import pack_tar, pack_zip

from kursk_pbem.cli import run
from kursk_pbem.errors import FileError
from kursk_pbem.game import folders, things
from kursk_pbem.trust import link, messages, sshsig

SHORT = {
    "armor-commander": "gives-up-soviet",
    "battle-for-kursk": "resignation-german",
    "juggernauts": "resignation-german",
    "kursk-1971": "resignation-german",
}
LAST = 7
"""The number of the last message of the short game of Juggernauts."""


def read_game(system):
    """Return the turn files of a system's short game, name -> bytes."""
    folder = finished_games.folder_of(registry.kit(system), SHORT[system])
    return {path.name: path.read_bytes() for path in folders.message_files(folder)}


def shuffle_mails(turns):
    """Return the mails of the turns, out of order: attached if the number is even, otherwise in the text."""
    mails = [
        letter(f"Here it comes.\n\n{text.decode()}")
        if number % 2
        else attached(letter("As a file."), text, name="turn.yaml")
        for number, text in enumerate(turns.values())
    ]
    random.Random(3).shuffle(mails)
    return [bytes(mail) for mail in mails]


def write_folder(turns, path):
    path.mkdir()
    for number, mail in enumerate(shuffle_mails(turns)):
        (path / f"{number}.eml").write_bytes(mail)


def write_renamed(turns, path):
    path.mkdir()
    for name, text in turns.items():
        (path / (name if name == "0000.yaml" else f"m{int(name[:4])}.yaml")).write_bytes(text)


def write_box(turns, path, kind=mailbox.mbox):
    box = kind(path)
    for mail in shuffle_mails(turns):
        box.add(mail)
    box.close()


def write_zip(turns, path):
    path.write_bytes(pack_zip(*((f"game/{name}", text) for name, text in turns.items())))


def write_zipped_mails(turns, path):
    path.write_bytes(pack_zip(*((f"mails/{number}.eml", mail) for number, mail in enumerate(shuffle_mails(turns)))))


def write_tar(turns, path):
    path.write_bytes(pack_tar(*((f"game/{name}", text) for name, text in turns.items()), mode="w:gz"))


def write_text(turns, path):
    path.write_bytes(b"The whole game:\n\n" + b"\n".join(turns.values()))


WRAPPINGS = {
    "mails": write_folder,
    "box": write_box,
    "Maildir": lambda turns, path: write_box(turns, path, mailbox.Maildir),
    "all.zip": write_zip,
    "mails.zip": write_zipped_mails,
    "all.tar.gz": write_tar,
    "all.txt": write_text,
    "renamed": write_renamed,
}


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def turns():
    return read_game("juggernauts")


def paste(monkeypatch, text):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text), isatty=lambda: False))


def try_run(capsys, status, *arguments):
    """Run a command; return its errors without names of temporary folders."""
    assert run([str(each) for each in arguments]) == status
    said = capsys.readouterr()
    assert "/kursk-" not in said.out + said.err
    assert "restore" not in said.err
    return said.err


def sign_again(text, tmp_path):
    """Return another signed version of a turn: only the note differs."""
    message = messages.read_message(text, "turn")
    (tmp_path / "keys").mkdir(exist_ok=True)
    signer = finished_games.make_signers(registry.kit("juggernauts"), SHORT["juggernauts"], tmp_path / "keys")
    content = {**message.content, "note": "another version"}
    armour = signer[message.sender].sign(sshsig.NAMESPACE, messages.signed_bytes(content))
    return messages.emit_message(content, armour).encode("ascii")


@pytest.mark.some(2)
@pytest.mark.parametrize("system", SHORT)
def test_R3_one_game_in_every_wrapping_verifies_with_one_head(system, here, capsys, monkeypatch):
    """A spectator has mails, not game folders with the right names."""
    turns = read_game(system)
    summary = finished_games.folder_of(registry.kit(system), SHORT[system]).joinpath("game.txt").read_text("ascii")
    head = dict(line.split(": ", 1) for line in summary.splitlines())["head"]
    for name, write in WRAPPINGS.items():
        write(turns, here / name)
        said = well(capsys, "verify", name)
        assert said.startswith(f"{name}: verified, {len(turns)} messages, "), name
        assert head[:32] in said, name
    paste(monkeypatch, (here / "all.txt").read_bytes())
    assert head[:32] in well(capsys, "verify", "-")
    whole = link.make_link(turns.values(), "https://example.org/")
    assert well(capsys, "verify", whole).startswith(f"the link: verified, {len(turns)} messages, ")


@pytest.mark.some(4)
@pytest.mark.parametrize("name", ["mails", "all.zip", "all.txt", "renamed"])
def test_R3_views_show_a_game_in_a_wrapping_as_its_folder(name, turns, here, capsys):
    """Report, map, odds, tables, replay and export need no seat."""
    folder = finished_games.folder_of(registry.kit("juggernauts"), SHORT["juggernauts"])
    WRAPPINGS[name](turns, here / name)
    name = f"./{name}"  # a word without a slash may be a unit
    for command in (["report"], ["report", "--all"], ["map"], ["odds"], ["tables"], ["moves"]):
        words, options = command[:1], command[1:]
        assert well(capsys, *words, name, *options) == well(capsys, *words, folder, *options), command
    assert well(capsys, "report", f"{name}/3") == well(capsys, "report", folder / "0003.yaml")
    assert "wrote replay.html" in well(capsys, "replay", name)
    assert f"wrote out: {len(turns)} messages" in well(capsys, "export", name, "-o", "out")
    assert try_run(capsys, 1, "prove", name) == f"kursk: no cheating found: {len(turns)} messages were checked\n"


def test_R3_views_show_a_pasted_text_and_a_link(turns, here, capsys, monkeypatch):
    """A chat keeps links, and a web page has texts to copy."""
    whole = link.make_link(turns.values(), "https://example.org/")
    reported = well(capsys, "report", whole)
    assert "Report of message 7" in reported
    paste(monkeypatch, b"\n".join(turns.values()))
    assert well(capsys, "report", "-") == reported
    paste(monkeypatch, turns["0000.yaml"])
    assert "Report of message 0" in well(capsys, "report", "-")


def test_R3_a_game_without_a_message_tells_the_gap(turns, here, capsys):
    """The number and the file behind the gap are told, and no command that needs a key."""
    del turns["0005.yaml"]
    for name, write in WRAPPINGS.items():
        write(turns, here / name)
        said = try_run(capsys, 3, "verify", name)
        assert "message 5 is missing" in said, name
        assert "is message 6" in said, name
        assert "message 5 is missing" in try_run(capsys, 3, "report", name), name


def test_2_6_of_two_ends_with_one_result_one_counts_and_the_other_is_told(turns, here, capsys, tmp_path):
    both = {**turns, "again": sign_again(turns[f"{LAST:04}.yaml"], tmp_path)}
    for name in ("mails", "all.zip", "all.txt"):
        WRAPPINGS[name](both, here / name)
        assert run(["verify", name]) == 0
        said = capsys.readouterr()
        assert f"verified, {len(turns)} messages" in said.out
        assert f"is another message {LAST}, and void" in said.err


def test_R3_of_two_messages_the_one_that_is_followed_counts(turns, here, capsys, tmp_path):
    """The opponent has answered one version; the other version is told."""
    write_folder(turns, here / "mails")
    (here / "mails" / "other.yaml").write_bytes(sign_again(turns["0005.yaml"], tmp_path))
    assert run(["verify", "mails"]) == 0
    said = capsys.readouterr()
    assert f"verified, {len(turns)} messages" in said.out
    assert "not counted: mails/other.yaml is another message 5" in said.err


def test_R3_a_game_folder_counts_messages_under_other_names(turns, here, capsys):
    """A game folder with later messages under other names, and a README beside them."""
    for number, (name, text) in enumerate(turns.items()):
        (here / "game").mkdir(exist_ok=True)
        (here / "game" / (name if number < 6 else f"from-boris-{number}.eml")).write_bytes(text)
    (here / "game" / "README.txt").write_text("kept by Anna", encoding="ascii")
    assert well(capsys, "verify", "game").startswith(f"game: verified, {len(turns)} messages")
    assert "Report of message 7" in well(capsys, "report", "game")


def test_R3_several_games_verify_each_and_views_ask_for_one(turns, here, capsys):
    """A mailbox holds the games of a club; the id after the path names a game."""
    other = read_game("kursk-1971")
    write_box({**{f"a{name}": text for name, text in other.items()}, **turns}, here / "club.mbox")
    mine, theirs = (messages.read_message(each["0000.yaml"], "").id[:8] for each in (turns, other))
    said = well(capsys, "verify", "club.mbox").splitlines()
    assert sorted(line.split(":")[0] for line in said) == sorted(f"club.mbox/{game}" for game in (mine, theirs))
    assert f"club.mbox/{mine}" in try_run(capsys, 2, "report", "club.mbox")
    assert "Report of message 7" in well(capsys, "report", f"club.mbox/{mine}")
    assert "Report of message 3" in well(capsys, "report", f"club.mbox/{mine}/3")


def test_R3_messages_without_message_0_are_no_game(turns, here, capsys):
    """Message 0 has the keys, so nothing can be verified without it."""
    del turns["0000.yaml"]
    write_zip(turns, here / "all.zip")
    assert "message 0 of the game" in try_run(capsys, 2, "verify", "all.zip")
    assert "message 0 of the game" in try_run(capsys, 2, "map", "all.zip")


def test_R3_one_turn_of_a_text_is_verified_alone_with_seq(turns, here, capsys):
    """``--seq`` asks for one signature, as before."""
    write_text(turns, here / "all.txt")
    message = messages.read_message(turns["0003.yaml"], "")
    (here / "its.pub").write_text(messages.read_message(turns["0000.yaml"], "").mapping("keys")[message.sender])
    said = well(capsys, "verify", "all.txt", "--seq", "3", "--key", "its.pub")
    assert "message 3 (turn)" in said
    assert "the signature holds" in said


def test_R3_restore_does_not_send_a_spectator_back_to_verify(turns, here, capsys):
    """``verify`` and ``restore`` pointed to each other."""
    write_folder(turns, here / "mails")
    assert run(["keygen", "mine"]) == 0
    capsys.readouterr()
    name = folders.folder_name(messages.read_message(turns["0000.yaml"], "").id)
    assert run(["restore", name, "mails", "--key", "mine"]) == 2
    said = capsys.readouterr().err
    assert "kursk verify" not in said
    assert "kursk report MAILS" in said
    (here / "empty").mkdir()
    assert "holds no game" in try_run(capsys, 2, "verify", "empty")


def test_R3_json_names_the_typed_thing(turns, here, capsys):
    """Programs get the path that they gave."""
    write_zip(turns, here / "all.zip")
    told = json.loads(well(capsys, "verify", "--json", "all.zip").splitlines()[0])
    assert (told["path"], told["messages"]) == ("all.zip", len(turns))
    del turns["0004.yaml"]
    write_zip(turns, here / "gap.zip")
    assert "/kursk-" not in try_run(capsys, 3, "report", "--json", "gap.zip")


def test_T27_links_and_pipes_in_a_folder_are_named_and_not_followed(turns, here):
    """A stranger's folder or archive may hold a link to a private file, or a pipe that never ends."""
    write_folder(turns, here / "mails")
    os.mkfifo(here / "mails" / "pipe")
    (here / "mails" / "link").symlink_to(here / "mails" / "0.eml")
    (here / "mails" / "0001.draft.yaml").write_text("kursk-pbem: '1'\n", encoding="ascii")
    (here / "mails" / ".hidden").write_text("kursk-pbem: '1'\n", encoding="ascii")
    found = list(things.list_things(here / "mails"))
    named = [each.where.file for each in found if isinstance(each, FileError)]
    assert named == [str(here / "mails" / "link"), str(here / "mails" / "pipe")]
    assert len(found) == len(turns) + 2


def test_T27_archives_in_archives_have_one_budget(here, monkeypatch):
    """Archives are opened in one another, but not without end, and the limits hold for all of them together."""
    inner = b"kursk"
    for depth in range(things.MAX_DEPTH + 1):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr(f"{depth}.zip" if depth else "turn.txt", inner)
        inner = packed.getvalue()
        (here / f"{depth}.zip").write_bytes(inner)
    assert [each.raw for each in things.list_things(here / "2.zip")] == [b"kursk"]
    (fault,) = things.list_things(here / f"{things.MAX_DEPTH}.zip")
    assert isinstance(fault, FileError)
    monkeypatch.setattr(things, "MAX_BYTES", 600)
    assert any(isinstance(each, FileError) for each in things.list_things(here / "3.zip"))
