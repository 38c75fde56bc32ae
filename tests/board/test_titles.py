"""A scenario title from the opponent is free text outside the scenario's hash."""

import email
import re

import pytest
from helpers.commands import well

from board.seats import Client, begun, proposed
from kursk_pbem.desk.seat import posting
from kursk_pbem.game import scenario_files

NAMED = "armor-commander/mine"
TITLE = re.compile("^title: .*$", re.MULTILINE)
HEADERS = ["Subject", "X-Unsent", "MIME-Version", "Content-Type"]


@pytest.fixture
def entitled(tmp_path, monkeypatch):
    """Write a scenario with a title in double quotes of YAML."""

    def write(title):
        folder = scenario_files.copy("armor-commander/crossroads", "mine", tmp_path / "scenarios")
        text = (folder / "scenario.yaml").read_text(encoding="utf-8")
        named, many = TITLE.subn(lambda _found: f'title: "{title}"', text)
        assert many == 1
        (folder / "scenario.yaml").write_text(named, encoding="utf-8")
        monkeypatch.setenv("KURSK_SCENARIOS", str(tmp_path / "scenarios"))
        return folder

    return write


@pytest.mark.parametrize(
    ("title", "left"),
    [
        ("=?utf-8?q?Citadel=0D=0ABcc=3A_evil=40evil.test?=", "?utf-8?q?Citadel 0D 0ABcc"),
        ("=?utf-8?q?=1B[31m?=", "?utf-8?q? 1B[31m?"),
        ("Citadel\\nBcc: evil@evil.test", "Citadel Bcc: evil evil.test"),
    ],
)
def test_T46_a_title_writes_no_line_into_the_header_of_a_saved_mail(tmp_path, entitled, title, left):
    """Bug: a decoded title added the opponent's Bcc or an escape sequence; a line break left no draft."""
    entitled(title)
    first, _second = begun(tmp_path, NAMED).values()
    client = Client(first).enter()
    saved = client.get(client.at("mail.eml"))
    assert saved.status_code == 200
    assert [name for name, _value in email.message_from_bytes(saved.data).items()] == HEADERS
    assert saved.data.startswith(f"Subject: Armor Commander: {left}".encode())
    assert b"\x1b" not in saved.data
    assert "%0A" not in client.get(client.at("address")).get_json()["address"].partition("&")[0]


def test_T46_a_mail_that_does_not_say_what_it_should_is_not_saved():
    """The finished bytes are parsed again, like other letters."""
    with pytest.raises(AssertionError, match="not as expected"):
        posting.make_letter(posting.Post("kursk-x", "=?utf-8?q?a=0D=0ABcc=3A_evil=40evil.test?=", b"kursk-pbem: '1'\n"))


def test_T29_a_title_prints_no_line_in_what_is_agreed_to(tmp_path, entitled, capsys, monkeypatch):
    """Bug: with a line break, the terms of 'accept' began with a false key of the opponent."""
    entitled("The gun line\\nkey of axis: SHA256:evil")
    first, second = proposed(tmp_path, NAMED).values()
    monkeypatch.setenv("KURSK_HOME", str(second.home))
    said = well(capsys, "accept", first.folder / "0000.yaml", "--key", second.key, "--dir", second.place)
    assert "The gun line key of axis: SHA256:evil as the german side." in said
    assert "\nkey of axis" not in said
