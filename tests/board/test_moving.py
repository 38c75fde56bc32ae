"""Everything saved in one file and opened in another home: by the program, and on a board as in a page."""

import io
import json
import os
import re
import stat
import subprocess
import sys
import time
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from helpers.commands import tree, well

from board.moves import CITADEL, folder_of, newest_of, play
from board.seats import Client, Guest, begun
from kursk_pbem.cli import run
from kursk_pbem.desk.own import remembered
from kursk_pbem.desk.rescue import moving, saved
from kursk_pbem.formats.canonical import canon, sha256_hex
from kursk_pbem.game import disk


@pytest.fixture
def seats(tmp_path):
    """Return a game before message 1 (russian), with the program's folders."""
    return begun(tmp_path / "program", CITADEL)


def saved_by_board(seat):
    return Client(seat).enter().get("/everything").data


def open_at_board(seat, data):
    client = Client(seat).enter()
    shown = client.post("/open-saved", {"saved": (io.BytesIO(data), "saved.zip")}).get_data(as_text=True)
    digest = re.search(r'name="shown" value="([0-9a-f]{64})"', shown)
    return client.post("/open-shown", {"shown": digest[1]}).get_data(as_text=True) if digest else shown


def test_a_game_moves_from_the_program_to_a_page_and_back(seats, at, tmp_path, capsys):
    german, russian = seats["german"], seats["russian"]
    inside = Guest("russian", tmp_path / "page")
    inside.place.mkdir()
    play(at, russian, german)
    play(at, german, russian)
    saved = tmp_path / "move.zip"
    well(capsys, "save", saved)
    assert "The file is open; games here: 1" in open_at_board(inside, saved.read_bytes())
    play(at, inside, german)
    play(at, german, inside)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        (tmp_path / "back.zip").write_bytes(saved_by_board(inside))
    at(russian)
    assert "newest message 4" in well(capsys, "open", "--yes", tmp_path / "back.zip")
    found = folder_of(russian)
    assert run(["sign", "--yes", "-q", str(found)]) == 0
    assert "verified, 6 messages" in well(capsys, "verify", found)


def test_an_interrupted_opening_is_completed_by_another_one(seats, at, tmp_path, capsys, monkeypatch):
    russian, german = at(seats["russian"]), seats["german"]
    play(at, russian, german)
    at(russian)
    (russian.home / "post").mkdir(exist_ok=True)
    (russian.home / "post" / "note.txt").write_text("x")
    well(capsys, "save", tmp_path / "saved.zip")
    last = 0
    while True:
        new = Guest("russian", tmp_path / f"new-{last}")
        new.place.mkdir()
        at(new)
        steps = iter(range(last))
        with monkeypatch.context() as patch:
            for name in ("mkdir", "rename"):
                patch.setattr(Path, name, interrupted(steps, getattr(Path, name)))
            for name in ("create", "replace"):
                patch.setattr(moving.disk, name, interrupted(steps, getattr(moving.disk, name)))
            with suppress(Killed), (tmp_path / "saved.zip").open("rb") as stream:
                moving.open_saved(moving.survey_saved(stream, new.home))
                break
        well(capsys, "open", "--yes", tmp_path / "saved.zip")
        assert new.sit().last.id == russian.sit().last.id
        assert (new.home / "post" / "note.txt").exists()
        last += 3
    assert last > 20


class Killed(BaseException):
    pass


def interrupted(steps, act):
    def go(*given, **more):
        if next(steps, None) is None:
            raise Killed
        return act(*given, **more)

    return go


HOSTILE = {
    "path": lambda entries: [*entries, (zipfile.ZipInfo("../evil"), b"")],
    "absolute": lambda entries: [*entries, (zipfile.ZipInfo("/evil"), b"")],
    "link": lambda entries: [*entries, (linked("keys/evil"), b"/etc/passwd")],
    "case": lambda entries: [*entries, (zipfile.ZipInfo("Player.json"), b"{}"), (zipfile.ZipInfo("player.JSON"), b"")],
    "bomb": lambda entries: [*entries, (zipfile.ZipInfo("bomb"), bytes(1 << 22))],
    "many": lambda entries: [*entries, *((zipfile.ZipInfo(f"a/{number}"), b"") for number in range(201))],
    "format": lambda entries: [
        (info, data.replace(b'"kursk-saved":"2"', b'"kursk-saved":"3"')) for info, data in entries
    ],
}


def linked(name):
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


def test_hostile_and_damaged_files_are_refused_and_change_nothing(seats, at, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(saved, "MAX_BYTES", 1 << 20)
    monkeypatch.setattr(saved, "MAX_FILES", 100)
    russian, path = at(seats["russian"]), tmp_path / "saved.zip"
    good, _unsigned = moving.save_everything(russian.home)
    before = tree(russian.place)
    with zipfile.ZipFile(io.BytesIO(good)) as archive:
        entries = [(info, archive.read(info)) for info in archive.infolist()]
    for name, change in HOSTILE.items():
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for info, content in change(entries):
                archive.writestr(info, content, zipfile.ZIP_DEFLATED)
        assert run(["open", "--yes", str(path)]) == 2, name
    for damaged in (b"", b"PK", good[:-30], good[:60] + bytes([good[60] ^ 255]) + good[61:], good[:3000] + good[3001:]):
        path.write_bytes(damaged)
        assert run(["open", "--yes", str(path)]) == 2, damaged[:9]
    assert tree(russian.place) == before
    assert not [*russian.place.glob("private.*")]
    path.write_bytes(good)
    capsys.readouterr()
    assert "opened 0 games" in well(capsys, "open", "--yes", path)  # nothing is newer


def test_a_page_opens_no_keys_of_referees_and_none_with_a_passphrase(seats, at, tmp_path, monkeypatch):
    russian = at(seats["russian"])
    entries = zipfile.ZipFile(io.BytesIO(moving.save_everything(russian.home)[0]))
    files = {info.filename: entries.read(info) for info in entries.infolist()}
    (key,) = (name for name in files if name.startswith("keys/") and not name.endswith(".pub"))
    (record,) = (name for name in files if name.endswith("game.json"))
    subprocess.run(["ssh-keygen", "-q", "-p", "-N", "secret", "-f", russian.key], check=True)
    locked = {**files, key: russian.key.read_bytes()}
    refereed = {**files, record: canon({**json.loads(files[record]), "side": "referee"})}
    listed = json.loads(files[saved.MANIFEST])
    listed["files"][record] = sha256_hex(refereed[record])
    refereed[saved.MANIFEST] = canon(listed)
    listed = json.loads(files[saved.MANIFEST])
    listed["files"][key] = sha256_hex(locked[key])
    locked[saved.MANIFEST] = canon(listed)
    monkeypatch.setattr(sys, "platform", "emscripten")
    inside = Guest("russian", tmp_path / "page")
    inside.place.mkdir()
    for held, said in ((locked, "has a passphrase"), (refereed, "must stay out of web pages")):
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w") as archive:
            for name, data in held.items():
                archive.writestr(name, data)
        assert said in open_at_board(inside, made.getvalue())
        assert not [*inside.home.rglob("game.json")]


def test_a_page_says_that_it_alone_has_the_key_and_deletes_everything(tmp_path, monkeypatch):
    seat = Guest("", tmp_path)
    monkeypatch.setattr(sys, "platform", "emscripten")
    client = Client(seat).enter()
    client.post("/key", {"owner": "Anna"})
    told = "This browser has your key: save the key"
    assert told in client.get("/").text
    address = re.search(r'/(private-key\?key=[^"]+)"', client.get("/moving").text)[1]
    assert client.get(f"/{address}").data == (seat.home / "keys" / "anna").read_bytes()
    assert told not in client.get("/").text
    assert "Last saved" not in client.get("/moving").text
    assert client.get("/everything").data[:2] == b"PK"
    assert "Last saved" in client.get("/moving").text
    assert client.post("/delete-everything", {"word": "yes"}).status_code == 400
    assert "Once more" in client.post("/delete-everything", {"word": "delete"}).text
    assert [*seat.home.iterdir()]
    client.post("/delete-everything", {"word": ["delete", "everything"]})
    assert not [*seat.home.rglob("anna*")]


def test_a_page_with_a_damaged_file_of_key_and_name_goes_on(tmp_path, monkeypatch):
    """L4: every page asked to delete a file, which nobody can do in a browser."""
    seat = Guest("", tmp_path)
    monkeypatch.setattr(sys, "platform", "emscripten")
    client = Client(seat).enter()
    client.post("/key", {"owner": "Anna"})
    (seat.home / remembered.FILE).write_text("{")
    assert client.get("/").status_code == client.get("/moving").status_code == 200
    assert client.get("/everything").data[:2] == b"PK"
    assert "Save my secret key: anna" in client.get("/moving").text


def test_a_kill_while_the_last_message_came_does_not_stop_the_game(seats, at, tmp_path, capsys):
    """The journal has an entry before the file is there, and a killed program leaves the entry alone."""
    german, russian = seats["german"], seats["russian"]
    play(at, russian, german)
    play(at, german, russian)
    (folder_of(at(russian)) / "0002.yaml").unlink()
    well(capsys, "save", tmp_path / "saved.zip")
    (tmp_path / "new").mkdir()
    new = at(Guest("russian", tmp_path / "new"))
    well(capsys, "open", "--yes", tmp_path / "saved.zip")
    assert run(["inbox", "-q", str(newest_of(german))]) == 0
    assert new.sit().last.seq == 2


def test_a_game_without_its_folder_is_named_when_everything_is_saved(seats, at, tmp_path, capsys):
    russian = at(seats["russian"])
    moved, place = tmp_path / "moved", folder_of(russian)
    place.rename(moved)
    said = " ".join(well(capsys, "save", tmp_path / "a.zip").split())
    assert "is missing here, so the saved file does not contain this game" in said
    moved.rename(place)
    assert "elsewhere" not in well(capsys, "save", tmp_path / "b.zip")


def test_L5_the_next_command_removes_files_of_killed_programs(seats, at, tmp_path, capsys):
    """One temporary file stayed in the private folder after 49 kills."""
    russian = at(seats["russian"])
    left = [russian.home / f"{disk.PREFIX}{name}" for name in ("old", "new")]
    for path in left:
        path.write_bytes(b"x")
    os.utime(left[0], (0, time.time() - 60))
    well(capsys, "save", tmp_path / "a.zip")
    assert [path.exists() for path in left] == [False, True]
