"""Anybody verifies an archive on the board: verdict, replay and reasons, without a key and without keeping anything."""

from __future__ import annotations

import io
import pathlib
import re
import shutil
import stat
import zipfile

import pytest

from board.screens import SIDEWAYS, opened
from board.seats import Client
from kursk_pbem.audit import export
from kursk_pbem.board import verifying
from kursk_pbem.errors import UsageError
from kursk_pbem.tournament.proof import archives, verify
from kursk_pbem.tournament.site import pages, publication


@pytest.fixture
def folder(demo_folder, tmp_path):
    """Return the archive form of the demonstration."""
    (game,) = (demo_folder / "german").glob("game-*")
    export.export(game, tmp_path / "out" / "game")
    return tmp_path / "out" / "game"


def pack(folder, change=lambda name, data: data):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                name = path.relative_to(folder.parent).as_posix()
                archive.writestr(name, change(name, path.read_bytes()))
    return held.getvalue()


def send(client, *files):
    answer = client.post("/verify", {"archive": [(io.BytesIO(data), name) for name, data in files]})
    text = re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", answer.get_data(as_text=True)))
    return answer.status_code, text


def test_an_archive_is_verified_and_watched_without_a_key(folder, stranger):
    client = Client(stranger).enter()
    status, text = send(client, ("kursk.zip", pack(folder)))
    assert status == 200
    assert "VERIFIED" in text
    head = re.search("Head ([0-9a-f]{64})", text)[1]
    assert re.search(f"game: verified, [0-9]+ messages, .*head {head[:32]}", text)
    replay = client.get("/verify/0")
    assert head in replay.get_data(as_text=True)
    policy = replay.headers["Content-Security-Policy"]
    assert "'unsafe" not in policy
    assert "script-src 'sha256-" in policy
    loose = [(f"game/{path.name}", path.read_bytes()) for path in sorted(folder.iterdir())]
    assert f"head {head[:32]}" in send(client, *loose)[1]
    assert not list(stranger.home.rglob("*.json"))
    assert not list(stranger.place.rglob("game*"))
    assert not stranger.room.known()


def test_a_changed_message_is_named_with_its_line(demo_folder, stranger):
    """The mailed form is an archive, too."""
    (game,) = (demo_folder / "german").glob("game-*")
    client = Client(stranger).enter()
    hurt = pack(game, lambda name, data: data.replace(b"engage", b"deploy") if name.endswith("0002.yaml") else data)
    status, text = send(client, ("kursk.zip", hurt))
    assert status == 200
    assert "NOT VERIFIED" in text
    assert re.search(rf"{game.name}/0002\.yaml:[0-9]+", text)
    assert client.get("/verify/0").status_code == 400


def make_zip(*members):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data, mode in members:
            info = zipfile.ZipInfo("x")
            info.filename, info.external_attr, info.compress_type = name, mode << 16, zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return held.getvalue()


FILE = stat.S_IFREG | 0o644
HOSTILE = {
    "climbs": (make_zip(("../0000.yaml", b"x", FILE)), "unsafe name"),
    "absolute": (make_zip(("/etc/0000.yaml", b"x", FILE)), "unsafe name"),
    "link": (make_zip(("0000.yaml", b"/etc/passwd", stat.S_IFLNK | 0o777)), "contains a link"),
    "twice": (make_zip(("a.yaml", b"x", FILE), ("A.yaml", b"x", FILE)), "twice"),
    "both": (make_zip(("a.yaml", b"x", FILE), ("a.yaml/b.yaml", b"x", FILE)), "cannot be unpacked"),
    "bomb": (make_zip(("0000.yaml", bytes(archives.MAX_BYTES + 1), FILE)), "too large"),
    "cut": (make_zip(("0000.yaml", b"x" * 99, FILE))[:-30], "damaged"),
    "empty": (make_zip(("README.txt", b"x", FILE)), "no message"),
    "picture": (b"\x89PNG", "no message"),
    "noise": (make_zip(("0000.yaml", b"\x00\xff{", FILE)), "NOT VERIFIED"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_or_damaged_archive_gets_a_sentence(stranger, name):
    data, said = HOSTILE[name]
    _status, text = send(Client(stranger).enter(), ("a.zip", data))
    assert said in text
    assert "internal" not in text.lower()


def test_limits_agree():
    assert (verifying.MAX_UPLOAD, verifying.MAX_FILES) == (archives.MAX_BYTES, archives.MAX_FILES)


def test_the_archive_of_a_tournament_site_verifies_with_its_boards(stranger, ended, monkeypatch):
    monkeypatch.setattr(pages, "_board_pages", lambda *_board: ())
    proof = verify.verify_tournament(ended.folder)
    site = publication.build_files(publication.load_view(ended.folder, proof, "https://play.example/"))
    assert b'<a href="https://play.example/#verify">Verify this tournament in your browser</a>' in site["verify.html"]
    assert b"play.example" not in publication.build_files(publication.load_view(ended.folder, proof))["verify.html"]
    with pytest.raises(UsageError, match="no address"):
        publication.build_files(publication.load_view(ended.folder, proof, "javascript:alert(1)"))
    client = Client(stranger).enter()
    _status, text = send(client, ("archive.zip", site["archive.zip"]))
    assert "VERIFIED" in text
    assert f"Head {proof.book.head.id}" in text
    assert text.count("Board ") == len(proof.book.boards)
    assert proof.book.head.id[:32] in text
    assert client.get("/verify/0").status_code == 200


def test_a_visitor_verifies_and_watches_in_a_browser(browser, folder, stranger):
    zipped = shutil.make_archive(str(folder.parent / "kursk"), "zip", folder.parent)
    with opened(browser, stranger, viewport={"width": 390, "height": 664}) as screen:
        screen.drop(pathlib.Path(zipped))
        screen.page.get_by_role("heading", name="VERIFIED", exact=True).wait_for()
        assert screen.page.evaluate(SIDEWAYS) == 0
        for chosen, where in ((zipped, "#archive-files"), (folder, "#archive-folder")):
            screen.page.locator(where).set_input_files(chosen)
            with screen.page.expect_navigation():
                screen.button("Verify")
            screen.page.get_by_role("heading", name="VERIFIED", exact=True).wait_for()
        screen.click("link", "Watch it, with luck and proof")
        screen.page.locator("#check").get_by_text("verified").wait_for()
        screen.click("tab", "Luck")
        screen.click("link", "Back")
        screen.click("link", "To your games")
        screen.page.get_by_role("button", name="Play both sides", exact=True).wait_for()
