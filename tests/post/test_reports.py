"""Reports that a letter may not have arrived, in forms that are rare: they end no game, and stop no address."""

import base64

import pytest
from helpers.refereed_mail import played_on

from kursk_pbem.post import bounces, people
from kursk_pbem.post.envelope import Mail

GONE = "automatic-action/MDN-sent-automatically; deleted"


def refusal(mid, said, *, coded=False):
    """What a filter of a reader answers that refuses a letter."""
    fields = f"Reporting-UA: host; Dovecot\r\nOriginal-Message-ID: {mid}\r\n{said}\r\n"
    lines = [
        "From: boris@example.test",
        "Auto-Submitted: auto-replied (rejected)",
        'Content-Type: multipart/report; report-type=disposition-notification; boundary="x"',
        "",
        "--x",
        "Content-Type: message/disposition-notification",
        *(["Content-Transfer-Encoding: base64"] if coded else []),
        "",
        base64.encodebytes(fields.encode()).decode() if coded else fields,
        "--x--",
        "",
    ]
    return "\r\n".join(lines).encode()


def words_to(world, reader, done):
    """The Message-IDs of the letters in words to somebody that are not ``done``."""
    ids = [words.partition("Message-ID: ")[2].partition("\r\n")[0] for to, words in world.words() if to == reader]
    return [mid for mid in ids if mid not in done]


@pytest.mark.parametrize(
    ("said", "coded"),
    [
        ("Disposition: automatic-action/MDN-sent-automatically;\r\n deleted", False),
        (f"Disposition: (by a (new) filter) {GONE}", False),
        ("Disposition: automatic-action/MDN-sent-automatically; (sieve) deleted", False),
        ("Disposition: automatic-action/MDN-sent-automatically; rejected", False),
        ("", False),
        (f"Disposition: {GONE}", True),
    ],
)
def test_a_filter_that_refuses_reminders_in_whatever_form_ends_no_game(automatic, said, coded):
    """Only a field in one line without comments was understood: both reminders were refused, and the game ended."""
    world, done = automatic, []
    played_on(world)
    for _half_day in range(20):
        world.time.passes(12 * 3600)
        for mid in words_to(world, world.boris.address, done):
            done.append(mid)
            world.office.put(refusal(mid, said, coded=coded), world.ref.address)
        world.director.post()
    assert len(done) == 2
    assert "forfeit.yaml" not in world.papers()
    assert people.load(world.ref.home, world.boris.public).reached == world.boris.address


@pytest.mark.parametrize("said", ["; displayed", ";\r\n (he did) displayed", "; processed/error", "; dispatched"])
def test_that_a_letter_was_read_is_no_report_that_it_may_not_have_arrived(said):
    mail = Mail(refusal(f"<k1.words.{'a' * 32}@x.test>", f"Disposition: manual-action/MDN-sent-manually{said}"), "mail")
    assert bounces.read(mail) is None


@pytest.mark.parametrize("action", ["\r\n failed", " (x) failed", " failed (for good)"])
def test_the_fields_of_a_report_may_be_folded_and_commented(action):
    fields = f"Final-Recipient:\r\n rfc822 (x); boris@example.test\r\nAction:{action}\r\nStatus: 5.0.0"
    raw = refusal(f"<k1.{'a' * 32}.0@x.test>", fields).replace(b"disposition-notification", b"delivery-status")
    report = bounces.read(Mail(raw, "mail"))
    assert report is not None
    assert report.readers == ("boris@example.test",)
