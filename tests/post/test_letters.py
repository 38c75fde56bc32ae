"""Letters: fixed bytes, headers safe from added lines, one thread for a game (RFC 5322)."""

import email
import email.policy
from dataclasses import asdict, replace

import pytest

from kursk_pbem.post.mailbox import letter as letters
from kursk_pbem.post.mailbox.letter import CC, Item, Letter, Reader
from kursk_pbem.trust import reader

GAME = "1a2b3c4d" * 8
LETTER = Letter(
    game=GAME,
    items=(Item("message", 7, "ab" * 32),),
    others=(Item("message", 6, "cd" * 32),),
    to=(Reader("11" * 16, "boris@example.org"), Reader("22" * 16, "ref@example.org", CC)),
    sender="anna@example.org",
    date="2027-07-05T03:00:00Z",
    subject="[kursk 1a2b3c4d] Citadel, message 7, German: your answer, please",
    body="\u041f\u0440\u0438\u0432\u0435\u0442, " + "lang " * 30 + "\n.\nFrom here =_kursk on\n",
    answers="<x@y>",
)
FILES = [("kursk-1a2b3c4d-0006.yaml", b"six\n" * 100), ("kursk-1a2b3c4d-0007.yaml", b"seven\n")]


def parsed(raw):
    return email.message_from_bytes(raw, policy=email.policy.default)


def words(made):
    return made.get_body().get_content().replace("\r\n", "\n")


def test_a_letter_says_what_it_carries_and_for_whom():
    raw = letters.render_letter(LETTER, FILES)
    assert raw == letters.render_letter(letters.from_plain(asdict(LETTER)), FILES)
    assert raw.count(b"\n") == raw.count(b"\r\n")
    made = parsed(raw)
    assert made["From"] == "anna@example.org"
    assert made["To"] == "boris@example.org"
    assert made["Cc"] == "ref@example.org"
    assert made["Subject"] == LETTER.subject
    assert made["Date"] == "Mon, 05 Jul 2027 03:00:00 +0000"
    assert made["Message-ID"] == f"<k1.{LETTER.digest}.0@example.org>"
    assert made["In-Reply-To"] == "<x@y>"
    assert made["References"].split() == [f"<k1.game.{GAME[:32]}@kursk.invalid>", "<x@y>"]
    assert [(part.get_filename(), part.get_content()) for part in made.iter_attachments()] == FILES
    assert words(made) == LETTER.body


def test_the_message_id_follows_from_what_is_carried_and_for_whom():
    """Words, dates, addresses and order do not count, so a retry has an equal Message-ID."""
    same = replace(LETTER, body="other words", date="2030-01-01T00:00:00Z", subject="[kursk 1a2b3c4d] x")
    assert same.message_id == replace(same, to=LETTER.to[::-1]).message_id == LETTER.message_id
    for other in (
        replace(LETTER, items=(Item("message", 7, "ac" * 32),)),
        replace(LETTER, others=()),
        replace(LETTER, to=LETTER.to[:1]),
        replace(LETTER, edition=1),
    ):
        assert other.message_id != LETTER.message_id


@pytest.mark.parametrize("field", ["subject", "sender", "answers"])
@pytest.mark.parametrize("text", ["a\r\nBcc: m@x.org", "a\nBcc: m@x.org", "a\r\n\r\nhello", "a\rBcc: m@x.org"])
def test_T46_no_line_is_slipped_into_a_header(field, text):
    """A letter with characters outside the allowed alphabet is not made."""
    with pytest.raises(ValueError, match="linefeed"):
        letters.render_letter(replace(LETTER, **{field: text}), FILES)


def test_no_line_of_the_words_begins_a_turn():
    """Bug: such a name removed the line, and with it the other names of the line."""
    said = ["Hello", "kursk-pbem: '1'", "  > KURSK-PBEM : '1'", "made by kursk-pbem"]
    assert letters.disarm_lines(said) == ["Hello", "kursk-pbem; '1'", "  > KURSK-PBEM ; '1'", "made by kursk-pbem"]
    raw = letters.render_letter(replace(LETTER, body="\n".join(letters.disarm_lines(said))), [])
    assert not reader.read_thing(raw, "mail").anything
