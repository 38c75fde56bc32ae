"""The first minute of a newcomer, and the way of a message to the reader and back."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from contextlib import ExitStack

import pytest
from helpers import intake

from board.screens import IN_CLICK, opened, violations
from board.seats import Client, begun
from kursk_pbem.desk.seat import ownkeys
from kursk_pbem.game import folders
from kursk_pbem.trust import keys, sofar

CITADEL = "battle-for-kursk/citadel"
needs_ssh = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="OpenSSH is not installed")


def makes_key(screen, name):
    screen.page.get_by_label("Your name").fill(name)
    screen.button("Make my key")
    screen.page.get_by_text("Your key is ready").wait_for()


def test_from_an_empty_home_to_both_sides_of_a_game_by_the_page_alone(browser, stranger):
    """One click, and a turn of each side at one board; the page names the kind of game."""
    with opened(browser, stranger) as screen:
        assert violations(screen.page) == []
        assert screen.page.get_by_role("button", name="Make my key").is_hidden()
        screen.button("Play both sides")
        assert screen.clicks == 1
        screen.whole()
        seen = []
        for _message in (1, 2, 3):
            bar = screen.page.locator("#bar").inner_text()
            assert "you play both sides here" in bar
            seen.append(re.search("you are ([A-Z][a-z]+)", bar).group(1))
            screen.button("Sign …")
            assert "passphrase" not in screen.page.content()  # keys of practice have none
            with screen.page.expect_navigation():  # without a question
                screen.button("Sign it", screen.page.get_by_role("dialog", name="Sign this message?"))
            screen.page.get_by_role("status").get_by_text("is at this board").wait_for()
            screen.whole()
            panel = screen.page.get_by_role("tabpanel", name="Orders", exact=True)
            assert panel.inner_text().startswith(("Nothing has to be done: ", "Decide first"))  # before any list
        assert seen == ["Russian", "German", "Russian"]
        screen.click("link", "To your games")
        screen.page.get_by_role("link", name="Both sides").wait_for()
        assert "The Russian side wrote message 3" in screen.page.get_by_role("region", name="Games").inner_text()
    names = stranger.sit().game.chain.head["names"]
    assert all("hot seat" in name for name in names.values())


def test_a_proposal_asks_for_a_key_first_and_goes_on_with_the_scenario(browser, stranger):
    with opened(browser, stranger) as screen:
        screen.click("link", re.compile("^Propose a game: Citadel, July to"))
        makes_key(screen, "Anna Petrova")
        assert violations(screen.page) == []
        with screen.page.expect_download() as saved:
            screen.click("link", "Save my public key, to send")
        assert saved.value.suggested_filename == "anna-petrova.pub"
        assert saved.value.path().read_text().endswith(" Anna Petrova\n")
        form = screen.page.get_by_role("region", name="Propose: Battle for Kursk: Citadel")
        assert form.get_by_label("Your name").input_value() == "Anna Petrova"  # asked with the key
        assert form.get_by_label("uncovered").is_visible()
        assert not re.search(r"[AJKS]-\d|\(\d+\.\d", form.text_content())


def test_a_key_is_named_after_its_owner_and_never_overwritten(stranger):
    client = Client(stranger).enter()
    for _twice in range(2):
        assert client.post("/key", {"owner": "Анна"}).status_code == 200
        assert client.post("/key", {"owner": "Boris"}).status_code == 200
    made = sorted(path.name for path in (stranger.home / "keys").iterdir())
    assert made == ["boris", "boris-2", "boris-2.pub", "boris.pub", "me", "me-2", "me-2.pub", "me.pub"]
    assert {keys.read_public(stranger.home / "keys" / name) for name in made if name.endswith(".pub")}
    for wrong in ("", " ", "a\x1bb", "a" * 41):
        assert client.post("/key", {"owner": wrong}).status_code == 400


def test_an_opponent_is_known_again_by_key_and_name(browser, tmp_path):
    """A known opponent keeps name and key in the next game."""
    seats = begun(tmp_path, CITADEL)
    first, second = seats.values()
    with opened(browser, first) as screen:
        page = screen.page
        page.get_by_text("Begin a game").click()  # below games, the scenarios are folded
        screen.click("link", re.compile("^Propose a game: Citadel, July to"))
        page.get_by_role("radio", name="Boris").check()
        with page.expect_navigation():
            screen.button("Begin")
        page.get_by_text(": proposed").wait_for()
        named = page.get_by_role("region", name="Games").get_by_role("link", name="Boris")
        assert named.all_text_contents() == ["Boris: Battle for Kursk"] * 2  # two games of one name show the scenario
    games = [folders.read_message(path / "0000.yaml") for path in first.place.rglob("game-*") if path.is_dir()]
    public = keys.read_public(second.place / "me.pub")
    assert all(public in str(each.content["keys"]) for each in games)


def test_a_message_is_copied_and_pasted(browser, tmp_path):
    """Copy on a board, paste on the other board, without files. Bug: in WebKit no button copied or opened a mail."""
    first, second = begun(tmp_path, CITADEL).values()
    with opened(browser, second, permissions=["clipboard-read", "clipboard-write"]) as screen:
        screen.page.context.add_init_script(IN_CLICK)
        screen.click("link", "Anna")
        screen.whole()
        screen.button("Sign …")
        screen.button("Sign it", screen.page.get_by_role("dialog", name="Sign this message?"))
        signed = screen.page.get_by_role("dialog", name="Signed")
        screen.button("Copy as text", signed)
        signed.get_by_text("Copied: paste the text into your mail").wait_for()
        read = "async () => await navigator.clipboard.readText()"
        text = screen.page.wait_for_function(read).json_value()
        screen.button("Copy the address", signed)
        signed.get_by_text("Copied: paste the address").wait_for()
        assert "#k1." in screen.page.wait_for_function(read).json_value()
        if signed.get_by_role("button", name="New mail").count():
            with screen.page.expect_request(re.compile("^mailto:")):
                screen.button("New mail", signed)
            assert screen.wrong.pop().startswith("asks for mailto:?subject=")
            signed.get_by_text("Copied: paste the text into your mail").wait_for()
            assert screen.page.wait_for_function(read).json_value() == text
        with screen.page.expect_navigation():
            screen.button("OK", signed)
    assert text.encode() == sofar.cut_block(folders.message_path(second.folder, 1).read_bytes())
    with opened(browser, first, permissions=["clipboard-read", "clipboard-write"]) as screen:
        screen.click("link", "Boris")
        screen.whole()
        screen.page.evaluate("(text) => navigator.clipboard.writeText(text)", text)
        with screen.page.expect_navigation():
            screen.press("Control+v")
        screen.page.get_by_text("message 2").first.wait_for()
    assert first.sit().mine


def test_a_bad_file_is_named_and_nobody_is_thrown_out(browser, german, tmp_path):
    bad = tmp_path / "shopping <b>list.txt"
    bad.write_text("milk\n")
    with opened(browser, german) as screen:
        screen.click("link", "Boris")
        screen.whole()
        screen.drop(bad)
        refused = screen.page.get_by_role("alert").filter(has_text="Not taken")
        assert "shopping <b>list.txt" in refused.inner_text()
        assert screen.page.locator("#map").count() == 1
        screen.page.get_by_role("tabpanel", name="Orders", exact=True).wait_for()


def test_a_saved_mail_is_one_that_is_taken(tmp_path):
    """The name contains game, number and side; the other side accepts the mail unchanged."""
    first, second = begun(tmp_path, CITADEL).values()
    client = Client(second).enter()
    client.signs()
    saved = client.get(client.at("mail.eml"))
    name = f"kursk-citadel-{second.game[:4]}-0001-{second.side}.eml"
    assert f'filename="{name}"' in saved.headers["Content-Disposition"]
    got = intake.receive(saved.data, "a mail", first.home, None)
    assert got.desk.seq == 2
    assert client.get(client.at("mail.eml")).data == saved.data
    address = client.get(client.at("address")).get_json()["address"]
    assert address.startswith("mailto:?subject=Battle%20for%20Kursk")
    assert len(address) < 500


def test_only_a_player_with_a_message_has_something_to_mail(tmp_path):
    _first, waiting = begun(tmp_path, CITADEL).values()
    client = Client(waiting).enter()
    for path in ("mail", "mail.eml", "address"):
        assert client.get(client.at(path)).status_code == 400


@needs_ssh
def test_a_key_gets_a_passphrase_that_is_asked_in_the_terminal(stranger, monkeypatch, tmp_path):
    """The terminal of the board asks for the passphrase. Without a passphrase there is no key."""
    asks = tmp_path / "asks"
    asks.write_text("#!/bin/sh\necho correct horse\n")
    asks.chmod(0o700)
    monkeypatch.setenv("SSH_ASKPASS", str(asks))
    monkeypatch.setenv("SSH_ASKPASS_REQUIRE", "force")
    client = Client(stranger).enter()
    told = client.post("/key", {"owner": "Anna", "how": "ask"}).get_data(as_text=True)
    assert "whenever you sign" in told
    path = stranger.home / "keys" / "anna"
    assert subprocess.run(["ssh-keygen", "-y", "-P", "", "-f", path], capture_output=True, check=False).returncode
    known = ["ssh-keygen", "-y", "-P", "correct horse", "-f", path]
    assert subprocess.run(known, capture_output=True, check=False).returncode == 0
    made = sorted(stranger.home.joinpath("keys").iterdir())
    asks.write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "ssh-keygen").write_bytes(b"no program")
    (tmp_path / "broken" / "ssh-keygen").chmod(0o700)
    for programs in (os.environ["PATH"], str(tmp_path), str(tmp_path / "broken")):
        monkeypatch.setenv("PATH", programs)
        assert "no key was made" in client.post("/key", {"owner": "Boris", "how": "ask"}).get_data(as_text=True)
    assert sorted(stranger.home.joinpath("keys").iterdir()) == made


@needs_ssh
def test_the_key_of_an_agent_is_used_and_never_copied(stranger, monkeypatch, tmp_path):
    """Only the public half is saved; the agent signs."""
    agent = tmp_path / "agent"
    with (
        subprocess.Popen(["ssh-agent", "-D", "-a", str(agent)], stdout=subprocess.PIPE) as running,
        ExitStack() as ended,
    ):
        ended.callback(running.terminate)
        running.stdout.readline()
        monkeypatch.setenv("SSH_AUTH_SOCK", str(agent))
        keys.generate_key_pair(tmp_path / "secret", bytes(range(32)), "anna@home")
        subprocess.run(["ssh-add", "-q", tmp_path / "secret"], check=True, capture_output=True)
        (tmp_path / "secret").unlink()
        client = Client(stranger).enter()
        page = client.get("/").get_data(as_text=True)
        assert "anna@home" in page
        ((fingerprint, _called),) = ownkeys.list_agent_keys()
        assert client.post("/key", {"owner": "Anna", "how": fingerprint}).status_code == 200
        assert [path.name for path in (stranger.home / "keys").iterdir()] == ["anna.pub"]
        (own,), unusable = ownkeys.list_own_keys(stranger.room)
        assert (own.name, own.fingerprint, unusable) == ("anna", fingerprint, [])
        assert ownkeys.export_public_key(own)[0] == "anna.pub"
        page = client.get(f"/?propose={CITADEL}").get_data(as_text=True)
        (shown,) = re.findall(f'name="shown/{CITADEL}" value="([0-9a-f]+)"', page)
        wanted = {"scenario": CITADEL, f"shown/{CITADEL}": shown, "with": "both", "key": fingerprint}
        assert client.post("/propose", wanted).status_code == 200
        assert stranger.room.both(stranger.game)
        assert client.post("/key", {"owner": "Eve", "how": "SHA256:nobody"}).status_code == 400
