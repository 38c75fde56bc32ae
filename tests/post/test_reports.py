"""Reports that a letter may not have arrived, in forms that are rare: they end no game, and stop no address."""

import base64
import quopri

import pytest
from helpers.mailbags import turn
from helpers.postmen import Line
from helpers.refereed_mail import closing, hours, played_on
from helpers.returned import report

from kursk_pbem.post import address as addresses
from kursk_pbem.post import people
from kursk_pbem.post.envelope import Mail
from kursk_pbem.post.referee import deadlines, notes
from kursk_pbem.post.servers import reported
from kursk_pbem.post.servers.smtp import DOUBT, Answer

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


def test_T60_of_a_delay_and_a_failure_in_one_round_the_failure_counts(automatic):
    """The delay was read alone: the address stayed in use, a reminder went there, and the game ended."""
    played_on(automatic)
    hours(automatic, 5 * 24, step=12)
    (mid,) = words_to(automatic, automatic.boris.address, ())
    for action in ("delayed", "failed"):
        automatic.office.put(report(mid, automatic.boris.address, action=action), automatic.ref.address)
        automatic.time.passes(60)
    automatic.director.post()
    assert people.load(automatic.ref.home, automatic.boris.public).reached == ""


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
    assert not closing(world.ref.home, world.folder)
    assert people.load(world.ref.home, world.boris.public).reached == world.boris.address


@pytest.mark.parametrize("said", ["; displayed", ";\r\n (he did) displayed", "; processed/error", "; dispatched"])
def test_that_a_letter_was_read_is_no_report_that_it_may_not_have_arrived(said):
    mail = Mail(refusal(f"<k1.words.{'a' * 32}@x.test>", f"Disposition: manual-action/MDN-sent-manually{said}"), "mail")
    assert reported.read(mail) is None


@pytest.mark.parametrize("action", ["\r\n failed", " (x) failed", " failed (for good)"])
def test_the_fields_of_a_report_may_be_folded_and_commented(action):
    fields = f"Final-Recipient:\r\n rfc822 (x); boris@example.test\r\nAction:{action}\r\nStatus: 5.0.0"
    raw = refusal(f"<k1.{'a' * 32}.0@x.test>", fields).replace(b"disposition-notification", b"delivery-status")
    report = reported.read(Mail(raw, "mail"))
    assert report is not None
    assert report.readers == ("boris@example.test",)


def reminder(world):
    """The Message-ID of the first reminder to Boris."""
    hours(world, 6 * 24, step=12)
    (mid, *_others) = words_to(world, world.boris.address, ())
    return mid


def test_a_reminder_that_came_back_while_its_sending_was_in_doubt_is_noted(automatic, monkeypatch):
    """The line broke at its end: the report was passed over, the second copy was lost as a double, the game ended."""
    world = automatic
    played_on(world)
    send = Line.send
    monkeypatch.setattr(Line, "send", lambda *of: Answer(DOUBT, 0, "cut off") if send(*of) else None)
    mid = reminder(world)
    world.office.put(report(mid, world.boris.address), world.ref.address)
    (told,) = world.director.post().returned
    assert "a letter in words to boris@example.test came back" in told
    assert people.load(world.ref.home, world.boris.public).reached == ""


def test_a_letter_in_words_that_came_back_is_not_tried_again(world, monkeypatch):
    """Whoever says the same address anew may mean other letters; the director's own address is always reached."""
    send = Line.send
    monkeypatch.setattr(Line, "send", lambda *of: Answer(DOUBT, 0, "cut off") if send(*of) else None)
    world.asks("STATUS")
    ((reader, words),) = world.words()
    world.office.put(report(words.partition("Message-ID: ")[2].partition("\r\n")[0], reader), world.ref.address)
    world.director.post()
    anna = people.load(world.ref.home, world.anna.public)
    people.save(world.ref.home, anna.put(world.anna.address, people.SAID, "said"))
    world.time.passes(24 * 3600)
    (told,) = notes.send(world.ref.home, Line(world.office), "")
    assert told == f"a letter in words to {reader} does not go out: it came back from there"
    assert len(world.words()) == 1
    assert not notes.waiting(world.ref.home)


def held_back(world):
    """Why no game ends by itself, by what came since its term began."""
    (seat,) = world.director.errand.chair.seats()
    return list(deadlines.doubts(world.ref.home, seat, "2026-01-01T00:00:00Z"))


def about(name, more):
    """A report about a letter of this name, of which some fields are quoted."""
    return report(f"<k1.{name}.0@example.test>", "somebody@else.test", more=more)


@pytest.mark.parametrize("how", ["renamed by a server", "passed on by its writer"])
def test_a_report_that_names_no_letter_of_this_desk_counts_as_one_that_names_none(automatic, how):
    """Our letter answered one of the player's, or it was their own that came back: the game ended."""
    world, quoted = automatic, f"Subject: [kursk {automatic.game[:8]}] The three fords\r\n"
    played_on(world)
    if how == "renamed by a server":
        raw = report("<0102018f@ses.test>", world.boris.address, more=f"In-Reply-To: <k1.{'a' * 32}.0@b>\r\n".encode())
    else:
        raw = about("b" * 32, quoted.encode())
    world.office.put(raw, world.ref.address)
    day = world.director.post()
    assert day.returned == []
    assert ["may not have arrived" in line for line in held_back(world)] == [True]
    assert people.load(world.ref.home, world.boris.public).reached == world.boris.address


def test_a_report_about_nobodys_letter_that_names_no_game_keeps_none_from_ending(automatic):
    played_on(automatic)
    automatic.office.put(about("c" * 32, b""), automatic.ref.address)
    automatic.director.post()
    assert held_back(automatic) == []


@pytest.mark.parametrize(("action", "reader"), [("delayed", "boris@example.test"), ("failed", "boris@elsewhere.test")])
def test_a_letter_with_a_turn_that_may_not_have_arrived_is_told_once_and_keeps_its_game(automatic, action, reader):
    """It was told to nobody: 'nothing new'."""
    world = automatic
    played_on(world)
    letters = [raw for _at, _sender, to, raw in world.office.mails if to == world.boris.address]
    mid = letters[-1].decode().partition("Message-ID: ")[2].partition("\r\n")[0]
    told = []
    for _again in range(2):
        world.office.put(report(mid, reader, action=action), world.ref.address)
        told += world.director.post().returned
    assert len(told) == 1
    assert f"{world.game[:8]}/2 to boris@example.test may not have arrived: '552" in told[0]
    assert ["may not have arrived" in line for line in held_back(world)] == [True]
    assert people.load(world.ref.home, world.boris.public).reached == world.boris.address


def test_a_letter_that_was_put_off_for_one_of_its_readers_is_told_of_that_one(automatic):
    """Nobody is told that somebody may not have it whom the report does not name."""
    world, boris = automatic, automatic.member["boris"]
    played_on(world)
    world.boris.sign(world.game)
    world.office.mails.clear()
    boris.post()
    sent = [(reader, raw) for _at, _sender, reader, raw in world.office.mails]
    assert {reader for reader, _raw in sent} == {world.anna.address, world.ref.address}
    mid = sent[0][1].decode().partition("Message-ID: ")[2].partition("\r\n")[0]
    world.office.put(report(mid, world.ref.address, action="delayed"), world.boris.address)
    assert ["to ref@example.test may not have" in line for line in boris.post().returned] == [True]


@pytest.mark.parametrize("sign", ["", "Return-Path: <>\n", "List-Id: <x.test>\n", "X-Loop: a@x\n"])
def test_a_damaged_turn_below_the_header_of_some_letter_is_told_whatever_has_passed_it_on(owed, sign):
    """By its sign and that header it was a report, of which no damage is told; the letter was nobody's here."""
    whole = turn(owed.boris, owed.game, 3)
    head = f"{sign}From: boris@elsewhere.test\nSubject: Fwd\n\nMessage-ID: <k1.{'b' * 32}.0@x.test>\n\n"
    owed.office.put(head.encode() + whole[: whole.index(b"SSH SIGNATURE") + 100], owed.ref.address)
    day = owed.director.post()
    assert day.faults
    assert deadlines.damaged_at(owed.ref.home, owed.game)


MID = f"k1.words.{'a' * 32}@ref.test"
PAGE = f"<html><p>It was refused.</p><table><tr><td>Message-ID:</td><td>&lt;{MID}&gt;</td></tr></table></html>"


def as_sent(text, coding=""):
    """The field that says how a text is encoded, and the text."""
    raw = text.encode()
    coded = {"base64": base64.encodebytes, "quoted-printable": quopri.encodestring}.get(coding, bytes)(raw)
    return (f"Content-Transfer-Encoding: {coding}\n" if coding else "") + "\n" + coded.decode()


@pytest.mark.parametrize("sign", ["Return-Path: <>", "Return-Path: <gate@example.org>\nAuto-Submitted: auto-generated"])
@pytest.mark.parametrize("coding", ["", "base64", "quoted-printable"])
@pytest.mark.parametrize(
    "text",
    [
        PAGE,
        f"<html>{'x' * 61}{PAGE}",
        f"<p>Message-ID:&nbsp;&#60;{MID}&#62;</p>",
        f"You wrote (Message-ID: <{MID}>):",
        f"> Message-ID: <{MID}>",
        f"<html><p>{MID.replace('@', '&#64;')}</p></html>",
        "\n".join(["x" * 76] * 14_000) + f"\n{MID}\n",
        f"{MID}\n" + "x" * 1_100_001,
    ],
    ids=["page", "cut in its name", "signs", "in words", "quoted", "at", "below a megabyte", "above a megabyte"],
)
def test_what_a_program_writes_that_names_a_letter_is_a_report_however_it_is_written(sign, coding, text):
    """Only a line that began with the field was seen, in plain text or base64: both reminders came back, unseen."""
    raw = f"From: gate@example.org\n{sign}\nSubject: Blocked\nMIME-Version: 1.0\n{as_sent(text, coding)}"
    report = reported.read(Mail(raw.encode(), "mail"))
    assert report is not None
    assert (report.digest, report.edition, report.readers) == ("a" * 32, -1, ())


def test_a_report_may_be_written_in_utf_16():
    raw = b"Return-Path: <>\nContent-Transfer-Encoding: base64\n\n" + base64.encodebytes(PAGE.encode("utf-16"))
    report = reported.read(Mail(raw, "mail"))
    assert report is not None
    assert report.digest == "a" * 32


@pytest.mark.parametrize("words", ["Action: delivered", "Disposition: a; displayed", "Action: failed"])
@pytest.mark.parametrize("coded", [True, False])
def test_T60_no_word_of_a_player_in_a_letter_that_came_back_says_what_became_of_it(words, coded):
    """The page of a note was read for fields: a letter that had come back seemed to have arrived."""
    note = f"note: well done<br>{words}<br>Final-Recipient: rfc822; anna@example.test<br>\n{words}\n"
    lines = [
        "Return-Path: <>\nFrom: MAILER-DAEMON@gate.test\nSubject: failure notice\n",
        "<boris@example.test>:\nno mailbox here by that name\n\n--- Below this line is a copy of the message.\n",
        f"Message-ID: <{MID}>\nTo: boris@example.test" + ("\nContent-Transfer-Encoding: base64" if coded else ""),
        "",
        base64.encodebytes(note.encode()).decode() if coded else note,
    ]
    report = reported.read(Mail("\n".join(lines).encode(), "mail"))
    assert report is not None
    assert (report.readers, report.late) == (("boris@example.test",), ())


def test_T60_a_report_that_names_another_reader_than_its_letter_has_holds_the_games_of_both(automatic):
    """A server had named the reminder anew, and the opponent had put another letter's name into a note."""
    world = automatic
    played_on(world)
    world.asks("STATUS")
    (mid,) = words_to(world, world.anna.address, ())
    world.office.put(report(mid, world.boris.address), world.ref.address)
    world.director.post()
    assert deadlines.damaged_at(world.ref.home, world.game)


EXCHANGE = """Return-Path: <>
From: postmaster@outlook.test
Subject: Undeliverable: a reminder
Content-Type: multipart/report; report-type=delivery-status; boundary="x"

--x
Content-Type: text/plain

Original message headers:

Message-ID: <{mid}>

--x
Content-Type: message/delivery-status

Reporting-MTA: dns;outlook.test

Final-Recipient: rfc822;boris@example.test
Action: {action}
Diagnostic-Code: smtp;550 5.1.1 not found

--x--
"""


def test_the_fields_of_a_report_count_wherever_they_stand():
    """Exchange writes the header of the letter into the words above them."""
    report = reported.read(Mail(EXCHANGE.format(mid=MID, action="failed").encode(), "mail"))
    assert report is not None
    assert (report.digest, report.readers, report.why) == ("a" * 32, ("boris@example.test",), "'550 5.1.1 not found'")


def test_a_report_that_a_letter_has_arrived_is_none_though_its_words_name_it_first():
    assert reported.read(Mail(EXCHANGE.format(mid=MID, action="relayed").encode(), "mail")) is None


def test_T27_no_part_of_a_report_is_read_twice():
    """Ten fields above one blank line: a megabyte was read ten times, in a second and 240 MB."""
    head = b"Return-Path: <>\nContent-Type: multipart/report; boundary=x\n\n--x\n"
    kinds = b"Content-Type: message/delivery-status\n" * 10
    part = b"\n".join([b"Action: failed\n", b"Final-Recipient: rfc822; anna@example.test\n"] * 50)
    assert reported._fields(Mail(head + kinds + b"\n" + part, "report")) == [part]
    empty = b"Content-Type: message/delivery-status\nContent-Transfer-Encoding: base64\n\n--x\n"
    unfinished = b"Content-Type: message/delivery-status\n--x\n"
    assert reported._fields(Mail(head + empty + unfinished + kinds + b"\n" + part, "report")) == [b"", part]
    twice = head + (kinds + b"\n" + part + b"\n--x\n") * 2
    assert reported._fields(Mail(twice, "report")) == [part, part]


def test_T27_of_all_addresses_in_a_report_a_thousand_are_held(world):
    """A million of them in a thousand parts cost five seconds and 400 MB."""
    each = b"\r\n--q\r\n\r\n" + b"".join(b"=a%d@b " % number for number in range(900))
    head = b"From: MAILER-DAEMON@x.test\r\nContent-Type: multipart/mixed; boundary=q\r\n"
    assert len(reported.read(Mail(head + each * 9 + b"\r\n--q--", "report")).spoken) <= 1000


def test_T49_addresses_in_another_script_in_a_report_are_looked_at_a_hundred_times(monkeypatch):
    """Two million that were none cost a mail of 8 MB fifteen seconds: what gave no address did not count."""
    tried, real = [], addresses.every
    monkeypatch.setattr(addresses, "every", lambda texts: tried.append(texts) or real(texts))
    lines = b"".join(b".@%d\xc3\xa9 " % number for number in range(2000))
    head = b"Return-Path: <>\nFrom: mailer-daemon@x.test\nSubject: failure notice\n\n"
    assert reported.read(Mail(head + lines, "here")) is not None
    assert len(tried) <= 110
