"""Access to the board: visitors, requests of browsers, hostile names and files."""

import io
import re
import threading
from dataclasses import replace

import pytest

from board.seats import Client, begun, pair, proposed
from kursk_pbem.board.serve import Board
from kursk_pbem.desk.seat import scene
from kursk_pbem.formats.canonical import MAX_BYTES
from kursk_pbem.game import folders

CITADEL = "battle-for-kursk/citadel"
SCRIPT = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def seats(tmp_path_factory):
    """Return two players before the first draft of the second seat. Tests restore a changed draft."""
    return list(begun(tmp_path_factory.mktemp("access"), CITADEL).values())


@pytest.fixture
def client(seats):
    return Client(seats[1]).enter()


def tree(place):
    return sorted(path for path in place.rglob("*"))


# Visitors


def test_nobody_comes_in_without_the_token(seats):
    client = Client(seats[1])
    for path in ("/", client.access.root + "/", client.below(), client.below("now"), client.below("static/board.js")):
        assert client.raw(path).status_code in (403, 404)
    assert client.post(client.at("order"), {"words": "posture engage"}).status_code == 403


def test_the_token_opens_once(seats):
    client = Client(seats[1])
    login_path = f"/enter/{client.access.token}"
    entered = client.raw(login_path)
    assert entered.status_code == 200
    cookie = entered.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert f"Path={client.access.root}/" in cookie
    assert client.get("/").status_code == 200
    second = Client(seats[1])
    second.access = client.access
    second.http = client.app.test_client()
    assert second.raw(login_path).status_code == 403
    assert second.get("/").status_code == 403


@pytest.mark.parametrize("token", ["", "wrong", "x" * 5000, "%00", "../.."])
def test_a_wrong_token_opens_nothing(seats, token):
    client = Client(seats[1])
    assert client.raw(f"/enter/{token}").status_code in (308, 403, 404)
    assert client.get("/").status_code == 403


def test_the_cookie_of_another_board_opens_nothing(seats):
    """Cookies of other users or earlier boards are refused, and cookies are sent to no other path."""
    mine, theirs = Client(seats[1]).enter(), Client(seats[0]).enter()
    mine.http.set_cookie("kursk-board", theirs.access.session, path="/")
    found = mine.app.test_client()
    found.set_cookie("kursk-board", theirs.access.session, path=f"{mine.access.root}/")
    assert found.get(f"{mine.access.root}/", base_url=mine.access.address).status_code == 403
    assert mine.access.root != theirs.access.root


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:5000",
        "127.0.0.1",
        "127.0.0.1:5001",
        "localhost:5000",
        "127.0.0.1.evil.example:5000",
        "[::1]:5000",
    ],
)
def test_a_host_that_is_not_ours_is_refused(client, host):
    """DNS rebinding: a foreign name for our address."""
    assert client.get("/", host=host).status_code in (400, 403)
    assert client.post("/take", host=host).status_code in (400, 403)


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "null",
        "http://evil.example",
        "https://127.0.0.1:5000",
        "http://127.0.0.1:5001",
        "http://localhost:5000",
        "",
    ],
)
def test_a_change_comes_from_a_page_of_ours(client, seats, origin):
    before = seats[1].draft().read_bytes()
    data = {"words": "posture deploy", "stamp": client.stamp()}
    assert client.post(client.at("order"), data, origin=origin).status_code == 403
    assert seats[1].draft().read_bytes() == before


def test_every_answer_carries_its_policy(client):
    for path in ("/", client.at(), client.at("now"), "/static/board.js", "/map.css", "/nothing"):
        headers = client.get(path).headers
        assert "default-src 'none'; script-src 'self'; style-src 'self'" in headers["Content-Security-Policy"]
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"
        kept = path in ("/static/board.js", "/map.css")  # new addresses at each start
        assert headers["Cache-Control"] == ("private, max-age=86400, immutable" if kept else "no-store")
        assert "Access-Control-Allow-Origin" not in headers


def test_no_page_holds_a_script_or_a_style_of_its_own(client):
    for path in ("/", client.at()):
        page = client.get(path).get_data(as_text=True)
        assert not re.search(r"<script(?! src=)", page)
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=", page)
        assert not re.search(r'(?:src|href)="(?:https?:)?//', page)


def test_a_board_answers_on_this_machine_alone_and_only_its_owner_reads_the_address(seats):
    board = Board(seats[1].room)
    assert board.access.address.startswith("http://127.0.0.1:")
    assert board.opening.stat().st_mode & 0o777 == 0o600
    assert board.access.token in board.opening.read_text()
    assert board.access.token not in repr(board.access)
    board.stop()
    assert not board.run()
    assert not board.opening.exists()


def test_a_board_ends_by_itself_when_no_page_asks_any_more(seats):
    board = Board(seats[1].room, idle=0.0)
    assert board.run()


def test_two_boards_stand_beside_each_other(seats):
    """Hot seat: each board has a port and an opening file."""
    one, other = Board(seats[0].room), Board(seats[0].room)
    assert one.opening != other.opening
    for board in (one, other):
        board.stop()
        board.run()


# Requests of browsers


def test_paths_do_not_come_from_the_browser(client, seats):
    client.post("/take", {"mails": (io.BytesIO(b"no turn at all"), "mail.yaml")})  # files of a visit exist
    before = tree(seats[1].place)
    for game in ("..", "%2e%2e", "../../etc/passwd", seats[1].folder.name, "0" * 64, "x" * 3000):
        for path in ("", "now", "draft", "replay", "unit/r-5"):
            assert client.get(f"/game/{game}/{path}").status_code in (400, 404, 308)
    mail = (io.BytesIO(b"no turn at all"), "../../../escape.yaml")
    told = client.post("/take", {"mails": mail}).get_data(as_text=True)
    assert "Not taken: " in told
    assert client.post("/accept", {"proposal": "kursk-pbem: '1'\n", "key": client.key}).status_code == 400
    assert client.post("/propose", {"scenario": "../../etc/passwd", "key": client.key}).status_code == 400
    assert tree(seats[1].place) == before


def test_a_proposal_names_no_path_and_no_foreign_scenario(client, seats):
    public = (seats[0].place / "me.pub").read_bytes()
    for scenario in ("/etc/passwd", "../../x", "battle-for-kursk/../x", "", SCRIPT):
        data = {"scenario": scenario, "key": client.key, "opponent": (io.BytesIO(public), "me.pub")}
        answer = client.post("/propose", data)
        assert answer.status_code == 400
        assert SCRIPT not in answer.get_data(as_text=True)


def test_an_upload_that_is_too_large_is_refused(client):
    assert client.drop(b"x" * (17 << 20)).status_code == 413
    assert "Not taken: " in client.drop(b"#" * (MAX_BYTES + 5)).get_data(as_text=True)
    assert client.post(client.at("order"), {"words": "x" * (2 << 20)}).status_code == 413


def test_a_name_that_looks_like_markup_stays_a_name(tmp_path):
    """The opponent chooses the player name and the note."""
    seats = begun(tmp_path, CITADEL, names={"german": SCRIPT, "russian": '"><img src=x onerror=alert(1)>'})
    for seat in seats.values():
        client = Client(seat).enter()
        for path in ("/", client.at()):
            page = client.get(path).get_data(as_text=True)
            assert SCRIPT not in page
            assert "<img src=x" not in page
        assert "&lt;script&gt;" in client.get("/").get_data(as_text=True) or seat.side == "german"


def test_what_is_asked_comes_back_as_text(client):
    for path in (
        f"unit/{SCRIPT}",
        f"place/{SCRIPT}",
        f"find?text={SCRIPT}",
        f"form?verb={SCRIPT}&words={SCRIPT}",
        f"why?unit={SCRIPT}&place={SCRIPT}",
    ):
        answer = client.get(client.at(path))
        assert answer.status_code in (400, 404)
        assert SCRIPT not in answer.get_data(as_text=True) or answer.mimetype == "application/json"
    answer = client.post(client.at("try"), {"words": f"note {SCRIPT}"})
    assert SCRIPT not in answer.get_json()["html"]
    assert "&lt;script&gt;" in answer.get_json()["html"]


def test_units_that_look_like_markup_stay_text_on_the_map(client):
    """A scenario of the opponent may contain any unit names."""
    hostile = '"><script>alert(1)</script>'
    found = scene.open_scene(client.seat.room, client.seat.game)
    pieces = tuple(replace(each, id=hostile, formation=hostile, figures=hostile) for each in found.picture.pieces[:3])
    found.__dict__["picture"] = replace(found.picture, pieces=pieces)
    assert "<script" not in scene.draw_page_map(found)


# Several at once


def test_a_draft_that_was_changed_outside_loses_nothing(client, seats):
    """An editor writes between page and click: the click is refused, and the texts stay."""
    path = seats[1].draft()
    before, stamp = path.read_bytes(), client.stamp()
    path.write_bytes(before + b"# a thought of mine\n")
    answer = client.order("posture deploy", stamp)
    assert answer.status_code == 409
    assert answer.get_json()["stale"]
    assert path.read_bytes() == before + b"# a thought of mine\n"
    assert client.order("posture deploy").status_code == 200
    assert b"# a thought of mine" in path.read_bytes()
    path.write_bytes(before)


def test_of_two_tabs_one_orders_and_the_other_is_told(client, seats):
    before, stamp = seats[1].draft().read_bytes(), client.stamp()
    answers = []

    def click(unit):
        other = client.app.test_client()
        other.set_cookie("kursk-board", client.access.session, path=f"{client.access.root}/", domain="127.0.0.1")
        data = {"words": f"distribute {unit}", "stamp": stamp, "once": unit}
        where = f"{client.access.root}{client.at('order')}"
        answers.append(
            other.post(
                where, data=data, base_url=client.access.address, headers={"Origin": client.access.address}
            ).status_code
        )

    tabs = [threading.Thread(target=click, args=(unit,)) for unit in ("r-3", "r-5", "r-10")]
    for tab in tabs:
        tab.start()
    for tab in tabs:
        tab.join()
    assert sorted(answers) == [200, 409, 409]
    seats[1].draft().write_bytes(before)


def test_a_draft_that_cannot_be_read_is_said_with_its_line_and_stays(client, seats):
    path = seats[1].draft()
    before = path.read_bytes()
    client.get(client.at())
    path.write_bytes(before + b"orders: {{{\n")
    page = client.get(client.at()).get_data(as_text=True)
    line = before.count(b"\n") + 1
    assert "cannot be read" in page
    assert f":{line}" in page
    assert client.order("posture deploy").status_code == 400
    assert path.read_bytes() == before + b"orders: {{{\n"
    path.write_bytes(before)
    assert client.order("posture deploy").status_code == 200
    path.write_bytes(before)


def test_what_the_player_hides_is_in_no_replay(client, seats):
    before = seats[1].draft().read_bytes()
    client.order("posture deploy")
    assert "deploy" in client.get(client.at()).get_data(as_text=True)
    assert "posture: deploy" not in client.get(client.at("replay")).get_data(as_text=True)
    seats[1].draft().write_bytes(before)


# Orders in requests


def test_undo_redo_out_and_up_are_edits_of_the_draft(client, seats):
    path = seats[1].draft()
    before = path.read_bytes()
    client.order("distribute r-3 r-5")
    ordered = path.read_bytes()
    assert client.post(client.at("undo"), {"stamp": client.stamp()}).status_code == 200
    assert path.read_bytes() == before
    assert client.post(client.at("redo"), {"stamp": client.stamp()}).status_code == 200
    assert path.read_bytes() == ordered
    assert client.post(client.at("redo"), {"stamp": client.stamp()}).status_code == 400
    assert client.post(client.at("out"), {"stamp": client.stamp(), "number": "77"}).status_code == 400
    assert client.post(client.at("up"), {"stamp": client.stamp(), "number": "1"}).status_code == 400
    path.write_bytes(before)


def test_a_draft_that_is_not_legal_is_not_signed(client, seats):
    before = seats[1].draft().read_bytes()
    shown = client.order("distribute r-3").get_json()
    assert shown["bad"]
    assert "6.0-short-scenario" in shown["panels"]["orders"]
    answer = client.post(client.at("sign"), {"stamp": client.stamp(), "really": "yes"})
    assert answer.status_code == 400
    assert seats[1].draft().exists()
    seats[1].draft().write_bytes(before)


def test_without_a_key_the_home_page_says_how_to_make_one(tmp_path):
    seat = next(iter(pair(tmp_path, CITADEL).values()))
    seat.key.unlink()
    assert "kursk keygen" in Client(seat).enter().get("/").get_data(as_text=True)


def test_who_accepts_says_their_name_in_the_note_of_their_first_message(tmp_path):
    """The name goes into the note of message 1, as with 'kursk accept --name'; an unsendable name is refused."""
    first, second = proposed(tmp_path, CITADEL).values()
    client = Client(second).enter()
    mail = folders.message_path(first.folder, 0).read_bytes()
    assert client.accept(mail, name="a\x1bb").status_code == 400
    page = client.accept(mail, name="Boris Petrov")
    assert "My name is Boris Petrov." in page.get_data(as_text=True)
    assert "My name is Boris Petrov." in second.draft().read_text()
