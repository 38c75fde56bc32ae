"""Post at a board: received and unsent mails, by servers or as saved letters."""

import email
import email.policy
import re
from types import SimpleNamespace

import pytest
from helpers import mail_servers
from helpers.mail_servers import Imap, Smtp
from helpers.mailbags import letter

from board import citadel
from board.screens import opened, violations
from board.seats import Client, begun, proposed
from kursk_pbem.cli import run
from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.turn import play
from kursk_pbem.game import folders
from kursk_pbem.post.mailbox import people
from kursk_pbem.trust import keys

GAME = "battle-for-kursk/citadel"


def kursk(monkeypatch, seat, *words):
    monkeypatch.setenv("KURSK_HOME", str(seat.home))
    monkeypatch.chdir(seat.place)
    assert run([str(word) for word in words]) == 0, words


@pytest.fixture
def servers(tmp_path_factory):
    certificates = mail_servers.write_certificates(tmp_path_factory.mktemp("tls"))
    with Imap(certificates) as imap, Smtp(certificates) as smtp:
        yield SimpleNamespace(folder=certificates, imap=imap, smtp=smtp)


@pytest.fixture
def table(tmp_path, monkeypatch):
    """Return writer and reader before message 1; they know each other's address."""
    seats = begun(tmp_path, GAME)
    mine, theirs = sorted(seats.values(), key=lambda seat: not seat.sit().mine)
    for seat, name, other in ((mine, "mine", "theirs"), (theirs, "theirs", "mine")):
        kursk(monkeypatch, seat, "people", "card", f"{name}@example.test", "--no", "-q")
        pub = {"mine": mine, "theirs": theirs}[other].place / "me.pub"
        kursk(monkeypatch, seat, "people", "add", other, f"{other}@example.test", "--key", pub, "-q")
    return mine, theirs


def connect(seat, name, servers):
    friend = SimpleNamespace(home=seat.home, address=f"{name}@example.test", name=name, place=seat.place)
    mail_servers.account(friend, servers.folder, servers.imap.port, servers.smtp.port)


def sign(seat):
    """Write the next message into the draft like an editor, and sign."""
    desk = seat.sit()
    return play.sign_message(desk, drafts.fill_draft(desk, citadel.content(desk)), None)


def text(answer):
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.get_data(as_text=True))


def test_without_an_account_letters_are_saved_for_a_mail_program(table):
    mine, _theirs = table
    client = Client(mine).enter()
    home = text(client.get("/"))
    assert "Send mail" in home
    assert "Fetch mail" not in home
    sign(mine)
    page = text(client.post("/post/send"))
    assert "To theirs &lt;theirs@example.test&gt;" in page
    (path,) = re.findall(r'href="([^"]*/letter\.eml[^"]*)"', page)
    answer = client.raw(path.replace("&amp;", "&"))
    mail = email.message_from_bytes(answer.get_data(), policy=email.policy.default)
    assert (mail["X-Unsent"], mail["To"]) == ("1", "theirs@example.test")
    assert next(part.get_filename() for part in mail.iter_attachments()).endswith("-0001.yaml")
    assert client.get("/letter.eml?of=1a2b/9/x").status_code == 400


def test_by_an_account_both_buttons_do_what_the_command_does(table, servers):
    mine, theirs = table
    for seat, name in ((mine, "mine"), (theirs, "theirs")):
        connect(seat, name, servers)
    clients = [Client(seat).enter() for seat in table]
    sign(mine)
    asked = text(clients[0].post("/post/send"))
    assert "Have you mailed these letters yourself?" in asked
    assert servers.smtp.post.mails == []
    assert "theirs@example.test&gt;: sent" in text(clients[0].post("/post/send", answer(asked, "unsent")))
    [(_sender, reader, raw)] = servers.smtp.post.mails
    assert reader == "theirs@example.test"
    assert "No letter is due" in text(clients[0].post("/post/send"))
    servers.imap.add(raw)
    page = text(clients[1].post("/post/came"))
    assert "message 1 of" in page
    assert "To the game" in page
    assert theirs.sit().seq == 2
    assert "Nothing new came" in text(clients[1].post("/post/came"))


def answer(page, said):
    """Return the answer of a button about letters."""
    (shown,) = re.findall('name="shown" value="([0-9a-f]{64})"', page)
    return {"first": said, "shown": shown}


def test_what_was_not_shown_counts_neither_as_mailed_nor_goes_out(table, servers):
    """Bug: a receipt signed between question and click was marked as mailed."""
    mine, _theirs = table
    connect(mine, "mine", servers)
    client = Client(mine).enter()
    sign(mine)
    asked = text(client.post("/post/send"))
    for said in ("sent", "unsent"):
        again = text(client.post("/post/send", {**answer(asked, said), "shown": "0" * 64}))  # for other letters
        assert "Have you mailed these letters yourself?" in again
        assert answer(again, said) == answer(asked, said)
    assert servers.smtp.post.mails == []
    assert "No letter is due" in text(client.post("/post/send", answer(asked, "sent")))


def test_a_proposal_that_came_by_mail_is_accepted_on_the_page(tmp_path, servers, monkeypatch):
    first, second = proposed(tmp_path, GAME).values()
    kursk(monkeypatch, second, "people", "card", "second@example.test", "--no", "-q")
    connect(second, "second", servers)
    client = Client(second).enter()
    raw = folders.message_path(first.folder, 0).read_text("ascii")
    servers.imap.add(letter(raw.encode(), "first@example.test", f"[kursk {first.sit().game.chain.game[:8]}] a game"))
    page = text(client.post("/post/came"))
    shown = re.findall('name="shown" value="([0-9a-f]{64})"', page)[0]
    client.post("/accept", {"proposal": raw, "shown": shown, "key": client.key})
    assert second.sit().seq == 1
    seen = people.person_of(second.home, keys.read_public(first.place / "me.pub"))
    assert seen.entry("first@example.test").state == people.SEEN


def test_what_goes_wrong_is_told_on_the_page(table, servers):
    mine, _theirs = table
    connect(mine, "mine", servers)
    client = Client(mine).enter()
    path = mine.home / "post" / "account.toml"
    path.write_text(re.sub("password-command = .*", "", path.read_text("utf-8")), encoding="utf-8")
    assert "the board cannot ask" in text(client.post("/post/came"))
    path.write_text("address = 7", encoding="utf-8")
    assert "account.toml" in text(client.post("/post/came"))
    assert "Send mail" in text(client.get("/"))


def test_in_a_browser_a_click_fetches_and_a_click_sends(browser, table, servers):
    mine, theirs = table
    for seat, name in ((mine, "mine"), (theirs, "theirs")):
        connect(seat, name, servers)
    sign(mine)
    with opened(browser, mine) as screen:
        page = screen.page
        page.get_by_role("button", name="Send mail").click()
        page.get_by_role("button", name="Send them now").click()
        page.get_by_text("theirs@example.test>: sent").wait_for()
        assert violations(page) == []
    servers.imap.add(servers.smtp.post.mails[0][2])
    with opened(browser, theirs) as screen:
        page = screen.page
        page.get_by_role("button", name="Fetch mail").click()
        page.get_by_role("link", name="To the game").first.click()  # both people share the folder of sent mails
        page.wait_for_url("**/game/*/**")
    assert theirs.sit().seq == 2
