"""Saved folders of strangers and of the player: shown before anything changes, and opened whole or not at all."""

import io
import json
import os
import shutil
import subprocess
import zipfile

import pytest
from helpers.commands import tree, well

from board.moves import CITADEL, folder_of, play
from board.seats import Client, Guest, begun
from kursk_pbem.cli import run
from kursk_pbem.desk.deals import passing
from kursk_pbem.desk.own import remembered
from kursk_pbem.desk.rescue import saved
from kursk_pbem.desk.turn import prepared
from kursk_pbem.errors import FileError
from kursk_pbem.formats.canonical import canon, sha256_hex
from kursk_pbem.trust import keys, sshsig

STRANGER = keys.from_seed(b"s" * 32)


@pytest.fixture
def seats(tmp_path):
    """Return a game before message 1 (russian); both players remember their keys."""
    seats = begun(tmp_path / "program", CITADEL)
    for seat in seats.values():
        remembered.remember(seat.home, seat.key)
    return seats


def unpack(path):
    with zipfile.ZipFile(path) as archive:
        return {info.filename: archive.read(info) for info in archive.infolist()}


def pack(path, files, signer=STRANGER):
    """Write a saved folder as a stranger's own program may write it."""
    files = {name: data for name, data in files.items() if name not in (saved.MANIFEST, saved.SIGNATURE)}
    told = {"kursk-saved": "2", "kind": "copy", "time": "x"}
    told |= {"files": {name: sha256_hex(data) for name, data in files.items()}, "name": "Mallory"}
    first = {saved.MANIFEST: canon(told)}
    if signer is not None:
        first[saved.SIGNATURE] = signer.sign(saved.NAMESPACE, canon(told)).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in {**first, **files}.items():
            archive.writestr(name, data)
    return path


def record_of(seat):
    (record,) = (seat.home / "games").iterdir()
    return record


def guest(at, place):
    """Return a new machine of the russian, with games and keys inside the private folder."""
    place.mkdir()
    return at(Guest("russian", place))


def inside(seat):
    return record_of(seat).relative_to(seat.home).as_posix()


def save_later(at, capsys, seats, tmp_path):
    """Return the files of the russian's saved folder with message 3, while the private folder has message 1."""
    german, russian = seats["german"], seats["russian"]
    play(at, russian, german)
    old = tmp_path / "old"
    shutil.copytree(russian.place, old)
    play(at, german, russian)
    play(at, russian, german)
    at(russian)
    well(capsys, "save", tmp_path / "later.zip")
    shutil.rmtree(russian.place)
    old.rename(russian.place)
    return unpack(tmp_path / "later.zip")


def test_H2_orders_outside_a_listed_game_are_not_planted(seats, at, tmp_path, capsys):
    """A zip without a listed game wrote prepared orders with permission to sign into a running game."""
    russian = at(seats["russian"])
    play(at, russian, seats["german"])
    at(russian)
    last = json.loads((record_of(russian) / "journal" / "0001.json").read_text())["id"]
    orders = {"seq": 1, "head": last, "text": "if posture engage: answer all exchange-drl never", "sign": True}
    planted = {f"{inside(russian)}/{prepared.WAITING}": json.dumps(orders).encode(), "notes/a.txt": b"x"}
    before = tree(russian.place)
    assert "opened 0 games" in well(capsys, "open", "--yes", pack(tmp_path / "evil.zip", planted))
    assert tree(russian.place) == before


def test_H2_permission_to_sign_orders_does_not_travel(seats, at, tmp_path, capsys):
    german, russian = seats["german"], seats["russian"]
    play(at, russian, german)
    at(russian)
    well(capsys, "setup", "pass", "yes")
    well(capsys, "prepare", "--sign", "--yes", folder_of(russian), "if posture engage: answer all exchange-drl never")
    assert prepared.load_prepared(russian.sit().own).sign
    shutil.copy(record_of(russian) / prepared.WAITING, record_of(russian) / prepared.USED)
    well(capsys, "save", tmp_path / "saved.zip")
    new = guest(at, tmp_path / "new")
    well(capsys, "open", "--yes", tmp_path / "saved.zip")
    waiting = prepared.load_prepared(new.sit().own)
    assert waiting.text.startswith("if posture engage")
    assert not waiting.sign
    assert not passing.is_passing_allowed(new.home)
    assert json.loads((record_of(new) / prepared.USED).read_text())["sign"] is False


def test_H2_a_stranger_plants_no_record_and_only_newer_messages_count(seats, at, tmp_path, capsys):
    """A false secret made the next message accuse its writer. Now a folder of a stranger is read as mails are."""
    files = save_later(at, capsys, seats, tmp_path)
    russian, german = seats["russian"], seats["german"]
    record = inside(russian)
    told = json.loads(files[f"{record}/game.json"]) | {"secret": "11" * 32, "key": "keys/other", "side": "german"}
    forged = {f"{record}/game.json": canon(told), "keys/other": german.key.read_bytes()}
    forged |= {f"{record}/journal/0009.json": b"{}", f"{record}/{prepared.WAITING}": b'{"sign": true}'}
    forged |= {f"{record}/policy.yaml": b"{}", f"board/{folder_of(russian).name}/0005.draft.yaml": b"x"}
    forged |= {f"second-seat/{name}": data for name, data in {**files, **forged}.items() if name.startswith("games/")}
    secret = russian.sit().own.secret
    well(capsys, "open", "--yes", pack(tmp_path / "evil.zip", files | forged))
    desk = russian.sit()
    assert (desk.last.seq, desk.own.secret, desk.own.seqs) == (3, secret, (0, 1, 2, 3))
    assert not desk.hot_seat
    there = {path.relative_to(russian.home).as_posix() for path in tree(russian.home)}
    assert not [name for name in there if "other" in name or "second" in name or "policy" in name or "0009" in name]
    assert not prepared.load_prepared(desk.own)


def test_H1_the_opponents_folder_plants_no_second_seat(seats, at, tmp_path, capsys):
    """The record of the opponent in the second seat ended the question for the newest message (season, H1)."""
    russian, german = seats["russian"], seats["german"]
    play(at, russian, german)
    at(german)
    well(capsys, "save", tmp_path / "his.zip")
    files = unpack(tmp_path / "his.zip")
    moved = {f"second-seat/{name}": data for name, data in files.items() if name.startswith("games/")}
    before = tree(at(russian).place)
    well(capsys, "open", "--yes", pack(tmp_path / "evil.zip", files | moved, keys.load_key(german.key)))
    assert tree(russian.place) == before


def test_2_6_an_opened_folder_makes_journal_seals_and_drafts_anew(seats, at, tmp_path, capsys):
    """The zip has no journal and no secret: key and messages make them again."""
    german, russian = seats["german"], seats["russian"]
    play(at, russian, german)
    at(russian)
    old = russian.sit().own
    well(capsys, "save", tmp_path / "saved.zip")
    files = unpack(tmp_path / "saved.zip")
    assert not [name for name in files if "/journal/" in name]
    assert b"secret" not in files[f"{inside(russian)}/game.json"]
    new = guest(at, tmp_path / "new")
    well(capsys, "open", "--yes", tmp_path / "saved.zip")
    own = new.sit().own
    assert (own.secret, own.side, own.opponent) == (old.secret, old.side, old.opponent)
    assert [(own.read_slot(seq).id, own.read_slot(seq).text) for seq in own.seqs] == [
        (old.read_slot(seq).id, old.read_slot(seq).text) for seq in old.seqs
    ]
    play(at, german, new)
    assert run(["sign", "--yes", "-q", str(folder_of(at(new)))]) == 0  # it reveals the sealed posture


def test_H2_files_of_a_stranger_outside_games_are_named_and_left(seats, at, tmp_path, capsys):
    files = save_later(at, capsys, seats, tmp_path)
    files = {name: data for name, data in files.items() if not name.startswith("keys/")}  # nobody else has the key
    russian = seats["russian"]
    planted = {"invitations/x.yaml": b"x", "post/planted": b"x", "tournaments/a.json": b"{}", "keys/more": b"x"}
    before = tree(russian.place)
    for signer in (STRANGER, None):
        said = refused_without_answer(capsys, pack(tmp_path / "a.zip", files | planted, signer))
        assert "a stranger's folder, if you have not saved it yourself" in said
        assert ("Mallory" in said) == ("SHA256:" in said) == (signer is not None)
        assert "not opened: invitations, keys, player.json" in said
        assert tree(russian.place) == before
    well(capsys, "open", "--yes", tmp_path / "a.zip")
    assert not any((russian.home / name).exists() for name in planted)
    assert "which is your key" in refused_without_answer(capsys, tmp_path / "later.zip")


def refused_without_answer(capsys, path):
    """Return the lines shown by 'kursk open' without a terminal, which changes nothing."""
    assert run(["open", str(path)]) == 2
    said = capsys.readouterr()
    assert "No terminal to answer on: give --yes" in " ".join(said.err.split())
    return " ".join(said.out.split())


def test_H2_files_are_not_written_into_a_game_that_stays(seats, at, tmp_path, capsys):
    """An own folder with policy, withdrawal and drafts of a game that is not newer leaves the game alone."""
    russian = at(seats["russian"])
    well(capsys, "save", tmp_path / "saved.zip")
    files = unpack(tmp_path / "saved.zip")
    record, board = inside(russian), f"board/{folder_of(russian).name}"
    planted = {f"{record}/{name}": b"{}" for name in ("policy.yaml", "withdrawn.json", "journal/0000-seals.json")}
    planted |= {f"{board}/0001.yaml": b"x", f"practice/level-1/{record}/policy.yaml": b"x"}
    before = tree(russian.place)
    pack(tmp_path / "more.zip", files | planted, keys.load_key(russian.key))
    assert "here already; only newer messages" in well(capsys, "open", "--yes", tmp_path / "more.zip")
    assert tree(russian.home / "games") == {path: data for path, data in before.items() if "games" in path.parts}
    assert not (russian.home / board).exists()


CASES = ("post/Account.toml", "POST/account.toml", "Post/Account.toml", "Player.json")
CASES += ("A/Lock", "saved.JSON", "practice/level-1/post/ACCOUNT.toml", "Keys/me", "keys/A/x")


def test_H2_names_in_another_case_are_not_written(at, tmp_path, capsys):
    """Disks of macOS and Windows ignore case: POST/Account.toml is the account file, which can name programs."""
    seat = guest(at, tmp_path / "new")
    for name in CASES:
        well(capsys, "open", "--yes", pack(tmp_path / "evil.zip", {name: b"x", "keys/good": b"k"}))
        assert {path.relative_to(seat.home).as_posix() for path in tree(seat.home)} == {"keys/good"}, name


def test_a_changed_list_or_file_of_a_signed_folder_is_named(seats, at, tmp_path, capsys):
    files = save_later(at, capsys, seats, tmp_path)
    russian = seats["russian"]
    before = tree(russian.place)
    board = next(name for name in files if name.endswith("0002.yaml"))

    def write(changed):
        with zipfile.ZipFile(tmp_path / "changed.zip", "w") as archive:
            for name, data in changed.items():
                archive.writestr(name, data)
        assert run(["open", str(tmp_path / "changed.zip")]) == 2
        printed = capsys.readouterr()
        return " ".join(f"{printed.out} {printed.err}".split())

    listed = files[saved.MANIFEST].replace(b'"kind":"copy"', b'"kind":"move"')
    assert "changed after it was signed" in write(files | {saved.MANIFEST: listed})
    assert f"list: {board}" in write(files | {board: files[board] + b" "})
    more = f"{inside(russian)}/policy.yaml"
    assert f"differ from the saved folder's list: {more}" in write(files | {more: b"x"})
    assert tree(russian.place) == before


def test_a_name_that_cannot_be_shown_is_refused_at_the_board(seats, tmp_path):
    told = {"kursk-saved": "2", "games": {}, "files": {}, "name": "\ud800"}
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(saved.MANIFEST, json.dumps(told))
    sent = {"saved": (io.BytesIO((tmp_path / "a.zip").read_bytes()), "a.zip")}
    assert Client(seats["russian"]).enter().post("/open-saved", sent).status_code == 400


def test_one_damaged_game_does_not_stop_the_others(seats, at, tmp_path, capsys):
    """A player with one damaged game moves there and back; the damaged game is named."""
    russian, _german = at(seats["russian"]), seats["german"]
    other = begun(tmp_path / "more", CITADEL)["russian"]
    shutil.copytree(record_of(other), russian.home / "games" / record_of(other).name)
    told = json.loads((record_of(other) / "game.json").read_text())
    told |= {name: os.path.relpath(other.home / told[name], russian.home) for name in ("key", "folder")}
    damaged = russian.home / "games" / record_of(other).name
    (damaged / "game.json").write_text(json.dumps(told))
    (folder_of(other) / "0000.yaml").unlink()
    well(capsys, "save", tmp_path / "move.zip")
    page = guest(at, tmp_path / "page")
    assert run(["open", "--yes", str(tmp_path / "move.zip")]) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert f"game {damaged.name[:8]} was not opened: the messages are missing" in said
    assert not (page.home / "games" / damaged.name).exists()
    well(capsys, "save", tmp_path / "back.zip")
    at(russian)
    well(capsys, "open", "--yes", tmp_path / "back.zip")


def test_an_unsigned_folder_opens_whole_on_a_machine_without_a_key(seats, at, tmp_path, capsys):
    """Tournaments and mail of a player without a remembered key must not be lost."""
    russian = at(seats["russian"])
    (russian.home / "tournaments" / "a").mkdir(parents=True)
    (russian.home / "tournaments" / "a" / "tournament.json").write_text("{}")
    well(capsys, "save", tmp_path / "saved.zip")
    pack(tmp_path / "old.zip", unpack(tmp_path / "saved.zip"), None)
    new = guest(at, tmp_path / "new")
    shown = refused_without_answer(capsys, tmp_path / "old.zip")
    assert "unsigned" in shown
    assert "No key is here" in shown
    assert not new.home.exists()
    well(capsys, "open", "--yes", tmp_path / "old.zip")
    assert (new.home / "tournaments" / "a" / "tournament.json").exists()
    assert remembered.recall(new.home).usable_key.name == "me"
    shown = refused_without_answer(capsys, tmp_path / "saved.zip")
    assert sshsig.fingerprint(keys.load_key(russian.key).public) in shown


def test_a_folder_without_a_usable_key_is_saved_unsigned_with_a_word(tmp_path, at, capsys):
    seat = at(begun(tmp_path / "program", CITADEL)["russian"])
    assert "unsigned, so 'kursk open' will warn that it may be a stranger's: no key" in well(
        capsys, "save", tmp_path / "a.zip"
    )
    remembered.remember(seat.home, seat.key)
    assert "unsigned" not in well(capsys, "save", tmp_path / "b.zip")
    (seat.home / remembered.FILE).write_text("{")
    assert "cannot be read" in well(capsys, "save", tmp_path / "c.zip")
    assert [saved.SIGNATURE in unpack(tmp_path / f"{name}.zip") for name in "abc"] == [False, True, False]


def test_a_key_with_a_passphrase_is_asked_once_or_the_folder_is_unsigned(seats, at, tmp_path, capsys, monkeypatch):
    russian = at(seats["russian"])
    subprocess.run(["ssh-keygen", "-q", "-p", "-N", "secret", "-f", russian.key], check=True)
    asked = tmp_path / "asked"
    (tmp_path / "ask").write_text(f"#!/bin/sh\necho x >> {asked}\necho secret\n")
    (tmp_path / "ask").chmod(0o700)
    monkeypatch.setenv("SSH_ASKPASS", str(tmp_path / "ask"))
    monkeypatch.setenv("SSH_ASKPASS_REQUIRE", "force")
    well(capsys, "save", tmp_path / "a.zip")
    assert asked.read_text() == "x\n"
    assert "which is your key" in refused_without_answer(capsys, tmp_path / "a.zip")
    (tmp_path / "ask").write_text("#!/bin/sh\nexit 1\n")
    assert "unsigned" in well(capsys, "save", tmp_path / "b.zip")


def test_the_board_shows_a_saved_folder_before_it_changes_anything(seats, at, tmp_path, capsys):
    files = save_later(at, capsys, seats, tmp_path)
    russian = seats["russian"]
    before = tree(russian.place)
    client = Client(russian).enter()
    page = client.post("/open-saved", {"saved": (io.BytesIO((tmp_path / "later.zip").read_bytes()), "a.zip")}).text
    assert "Here already; only newer messages are added" in page
    assert "which is your key" in page
    pack(tmp_path / "other.zip", files)
    other = client.post("/open-saved", {"saved": (io.BytesIO((tmp_path / "other.zip").read_bytes()), "a.zip")}).text
    assert "a stranger" in other
    assert "Mallory" in other
    shown = page.partition('name="shown" value="')[2][:64]
    assert client.post("/open-shown", {"shown": shown}).status_code == 400  # another folder was shown since
    assert {path for path in tree(russian.place) if ".html" not in path.name} == {*before}
    shown = other.partition('name="shown" value="')[2][:64]
    assert client.post("/open-shown", {"shown": shown}).status_code == 200
    assert (record_of(russian) / "journal" / "0003.json").exists()


def test_a_member_over_the_limit_is_refused_before_it_is_unpacked(tmp_path, monkeypatch):
    """L6: a zip of 200 KB with a member of 200 MB took 280 MB of memory."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("bomb", "w") as member:
        for _number in range(2):
            member.write(bytes(1 << 20))
    monkeypatch.setattr(saved, "MAX_BYTES", 1 << 20)
    monkeypatch.setattr(zipfile.ZipExtFile, "read", lambda *_given: pytest.fail("unpacked"))
    with pytest.raises(FileError, match="too large"):
        saved.read_zip(made.getvalue())
