"""Slips: a card says where somebody is reached. Their form, whose they are, and that they disturb no turn in a mail."""

import time

import pytest
from helpers.mails import attached, letter, quoted
from helpers.signing_desk import SIGNERS, following, game, signed

from kursk_pbem.errors import FileError, TrustError
from kursk_pbem.game import inbox
from kursk_pbem.trust import mail, messages, slip

ADDRESS = "boris@example.org"
READER, WRITER = SIGNERS["german"], SIGNERS["russian"]


def card(**changes):
    """A card as mailed, its text changed after it was signed."""
    text = slip.emit(slip.card(READER.public, ADDRESS, 3, WRITER))
    for old, new in changes.items():
        text = text.replace(old, new)
    return text.encode("ascii")


def test_a_card_comes_back_as_it_was_written():
    read = slip.read(card(), "card.yaml")
    slip.check(read)
    assert (read.type, read.text("address"), read.text("serial")) == ("card", ADDRESS, "3")
    assert (read.text("for"), read.text("key")) == (READER.public, WRITER.public)
    assert slip.emit(read).encode("ascii") == card()


@pytest.mark.parametrize(
    "changes", [{"boris@": "mallory@"}, {"'3'": "'4'"}, {READER.public[-20:]: SIGNERS["referee"].public[-20:]}]
)
def test_a_card_that_was_changed_is_not_what_was_signed(changes):
    with pytest.raises(TrustError) as caught:
        slip.check(slip.read(card(**changes), "card.yaml"))
    assert caught.value.fault == "signature"


def test_a_card_signed_by_another_key_than_it_names_is_refused():
    forged = slip.card(READER.public, ADDRESS, 3, SIGNERS["referee"])
    stolen = slip.emit(forged).replace(SIGNERS["referee"].public, WRITER.public)
    with pytest.raises(TrustError, match="another key"):
        slip.check(slip.read(stolen.encode("ascii"), "card.yaml"))


@pytest.mark.parametrize("address", ["boris", "boris@", "@x.org", "a b@x.org", "b@x.org\nBcc: c@x.org", "\u0431@x.org"])
def test_T46_no_card_holds_what_is_no_address(address):
    with pytest.raises(FileError):
        slip.card(READER.public, address, 1, WRITER)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("type: card", "type: cards"),
        ("serial: '3'", "serial: '03'"),
        ("serial: '3'\n", ""),
        ("serial: '3'", "serial: '3'\nnote: hello"),
    ],
)
def test_a_card_of_another_form_cannot_be_read(old, new):
    with pytest.raises(FileError):
        slip.read(card(**{old: new}), "card.yaml")


def turn():
    message = signed(following(game(3)))
    return messages.emit(message.content, message.armour).encode("ascii")


def test_a_card_in_a_mail_does_not_hide_the_turn():
    both = attached(attached(letter("hello\n"), turn()), card(), name="kursk-card.yaml").as_bytes()
    assert inbox.read(both, "mail").seq == 3
    (message,) = inbox.read_each(both, "mail")
    assert message.seq == 3
    assert inbox.read(turn() + b"\n" + card(), "mail").seq == 3


def test_a_card_alone_is_no_message():
    for raw in (card(), quoted(card()), attached(letter("hello\n"), card()).as_bytes()):
        with pytest.raises(FileError, match="kursk inbox"):
            inbox.read(raw, "mail")


def test_a_survey_lists_turns_papers_and_slips():
    both = attached(attached(letter("hello\n"), turn()), card(), name="kursk-card.yaml").as_bytes()
    survey = mail.survey(both, "mail")
    assert [type(turn).__name__ for turn in survey.turns] == ["Message", "Slip"]
    assert survey.faults == ()


def test_a_survey_says_why_a_turn_cannot_be_taken_and_gives_the_others():
    broken = turn().replace(b"seq: '3'", b"seq: three")
    survey = mail.survey(broken + b"\n" + card(), "mail")
    assert [type(turn).__name__ for turn in survey.turns] == ["Slip"]
    assert len(survey.faults) == 1
    (fault,) = mail.survey(turn()[:-200], "mail").faults
    assert "cut off" in str(fault)
    assert mail.survey(turn() + quoted(turn())[:400], "mail").faults == ()
    assert mail.survey(b"hello\n", "mail") == mail.Survey((), ())


PAGES = {
    "breaks": lambda t: t.replace(b"\n", b"<br>\n"),
    "a division a line": lambda t: b"".join(b"<div>%b</div>\n" % line for line in t.splitlines()),
    "a paragraph a line": lambda t: b"".join(b'<p class="x">%b</p>\r\n' % line for line in t.splitlines()),
    "blanks kept by entities": lambda t: t.replace(b"  ", b"&nbsp; ").replace(b"\n", b"<br />"),
    "within marks": lambda t: b"<pre>" + t + b"</pre>",
}


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("cte", ["7bit", "quoted-printable", "base64"])
def test_a_turn_in_a_page_of_html_is_found(page, cte):
    """A mail program that sends HTML alone; the signature decides as ever."""
    body = PAGES[page](turn().replace(b"&", b"&amp;").replace(b"'", b"&#39;"))
    made = letter("x", cte="7bit")
    made.set_content(f"<html><body><b>Hi</b><br>{body.decode('ascii')}</body></html>", subtype="html", cte=cte)
    survey = mail.survey(made.as_bytes(), "mail")
    assert [message.id for message in survey.turns] == [messages.read(turn(), "turn").id]


def test_T27_pages_full_of_marks_cost_no_more_than_their_length():
    began = time.process_time()
    for raw in (b"<" * 3_000_000, b"<a" * 1_500_000, b"</" * 1_500_000, b"<!--" * 700_000, b"&" * 3_000_000):
        with pytest.raises(FileError, match="too much in it looks like marks of HTML"):
            mail.survey(raw + b"\nx kursk-pbem: '1'\n</p", "mail")
    assert time.process_time() - began < 20
