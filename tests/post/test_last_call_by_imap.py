"""Answers and reports behind a last call, as they are fetched from a server (decision 74)."""

import base64
import re
from email import message_from_bytes
from email.header import Header
from email.message import EmailMessage

import pytest
from helpers import sweeps
from helpers.by_imap import fetches
from helpers.refereed_mail import hours, played_on
from helpers.returned import report

from kursk_pbem.post.referee import terms

BOSS, BORIS = "boss@example.test", "boris@example.test"
DAEMON = "From: MAILER-DAEMON@gate.test\nTo: ref@example.test\n"
NOBODY = "Return-Path: <>\nFrom: Mail Delivery <noreply@gate.test>\n"


def fields(reader):
    """A report in fields, about no letter that is known here."""
    return report("", reader).decode().replace("\r\n", "\n")


REPORTS = {
    "qmail, by its subject": lambda one: f"{NOBODY}Subject: failure notice\n\nHi.\n\n<{one}>:\nNo mailbox.\n",
    "Postfix": lambda one: (
        f"{DAEMON}Subject: Undelivered Mail Returned to Sender\n\n<{one}>: host mx.test said: 550 no\n"
    ),
    "sendmail": lambda one: f"{DAEMON}Subject: Returned mail: User unknown\n\n550 5.1.1 <{one}>... User unknown\n",
    "Exim, delayed": lambda one: (
        f"{DAEMON}Subject: Warning: message 1abc-xyz delayed 24 hours\n\nNot yet:\n\n  {one}\n"
    ),
    "by a postmaster": lambda one: f"From: postmaster@gate.test\nSubject: failure notice\n\n<{one}>:\nNo mailbox.\n",
    "no type": lambda one: fields(one).replace("rfc822;", ""),
    "another type": lambda one: fields(one).replace("rfc822;", "LOCAL;"),
    "no action": lambda one: fields(one).replace("Action: failed\n", ""),
    "a blank line between": lambda one: fields(one).replace("Action:", "\nAction:"),
    "in parts of another kind": lambda one: fields(one).replace(
        "multipart/report; report-type=delivery-status", "multipart/mixed"
    ),
    "SRS": lambda one: f"{DAEMON}Subject: failure notice\n\n550 'srs0=ab12=cd={one}' unknown\n",
    "quoted": lambda one: f'{DAEMON}Subject: failure notice\n\n550 {one.partition("@")[0]}"@{one.partition("@")[2]}\n',
    "base64": lambda one: (
        f"{DAEMON}Subject: failure notice\nContent-Transfer-Encoding: base64\n\n"
        + base64.encodebytes(f"No mailbox: {one}.\n".encode()).decode()
    ),
}


@pytest.fixture
def called(automatic, certificates, imap):
    """Boris owes message 3, everybody was told that the game ends, and the mailbox is fetched."""
    calls(automatic, certificates, imap)
    return automatic


def calls(world, certificates, imap):
    """Everybody is told that the game of Boris ends, and the mailbox is fetched from then on."""
    played_on(world)
    hours(world, 8 * 24, step=6)
    fetches(world, certificates, imap)


def directs(world, address):
    """The director is reached there."""
    path = terms.path_of(world.ref.home)
    path.write_text(path.read_text().replace(BOSS, address))
    world.director.sits()


def named(world, subject):
    """The Message-ID of the first letter to the director under such a subject."""
    there = (message_from_bytes(raw) for _at, _from, reader, raw in world.office.mails if reader == BOSS)
    return next(mail["Message-ID"] for mail in there if subject in mail["Subject"])


def ends(world, raw=b""):
    """Whether the game ends, if that comes."""
    if raw:
        world.office.put(raw, world.ref.address)
    hours(world, 3 * 24, step=12)
    return "forfeit.yaml" in world.papers()


def answer(subject, more=""):
    """What somebody writes from an address that nobody knows here."""
    return f"From: anna@home.example\nSubject: {subject}\nMessage-ID: <1@home.example>\n{more}\nWait\n".encode()


def word(text, charset, codec=""):
    """A word as programs write those of another script."""
    return f"=?{charset}?B?{base64.b64encode(text.encode(codec or charset)).decode()}?="


def test_2_12_nobody_answers(called):
    assert ends(called)


@pytest.mark.parametrize("reader", [BOSS, BORIS])
@pytest.mark.parametrize("how", sweeps.some(REPORTS, 4))
def test_2_12_a_report_names_its_reader_in_whatever_words_a_server_has(called, reader, how):
    """Those of qmail and RFC 3464 were read, and no others."""
    assert not ends(called, REPORTS[how](reader).encode())


def test_2_12_each_report_counts_whom_it_names(called):
    """Two that differ in nothing but words were one."""
    for reader in ("anybody@else.test", BOSS):
        called.office.put(f"Message-ID: <for-{reader}>\n{REPORTS['Postfix'](reader)}".encode(), called.ref.address)
    assert not ends(called)


def test_2_12_a_report_that_names_two_letters_may_be_about_either(called):
    """It counted for the first alone: the daily list, say, which holds nothing."""
    first, second = (named(called, said) for said in ("what", "a last"))
    raw = report(first, BOSS) + f"\r\nMessage-ID: {second}\r\n".encode()
    assert not ends(called, raw)


def test_2_12_a_report_about_somebody_else_is_none(called):
    assert ends(called, REPORTS["Postfix"]("anybody@else.test").encode())


@pytest.mark.parametrize(
    ("charset", "codec"),
    sweeps.some([("ks_c_5601-1987", "euc_kr"), ("ansi_x3.4-1968", ""), ("utf-7", ""), ("x-unknown", "ascii")], 3),
)
def test_2_12_an_answer_counts_in_whatever_character_set_its_subject_is(called, charset, codec):
    """What Python could not decode named no game, so that nobody fetched it."""
    text = f"{'회신' if codec == 'euc_kr' else 'Re'}: [kursk {called.game[:8]}] a last call"
    assert not ends(called, answer(word(text, charset, codec)))


def test_2_12_an_answer_counts_though_its_subject_was_cut_within_a_letter(called):
    text = base64.b64encode(f"Re: [kursk {called.game[:8]}] ü".encode()[:-1]).decode()
    assert not ends(called, answer(f"=?utf-8?B?{text}?="))


def test_2_12_a_report_may_write_a_domain_in_its_own_script(automatic, certificates, imap):
    directs(automatic, "boss@xn--bcher-kva.example")
    calls(automatic, certificates, imap)
    assert not ends(automatic, fields("boss@b\u00fccher.example").replace("rfc822", "utf-8").encode())


@pytest.mark.parametrize("way", ["an encoded word", "without brackets"])
def test_2_12_an_answer_counts_in_whatever_way_it_says_what_it_answers(called, way):
    """Python's own library encodes what is longer than a line."""
    mid = named(called, "a last call")
    coded = f"=?utf-8?q?=3Ck1=2E{mid[4:-16]}?=\n =?utf-8?q?{mid[-16:-1].replace('@', '=40')}=3E?="
    assert not ends(called, answer("no!", f"In-Reply-To: {coded if way.startswith('an') else mid[1:-1]}\n"))


@pytest.mark.parametrize("field", ["In-Reply-To", "References"])
def test_2_12_an_answer_needs_nothing_but_the_letter_that_it_answers(called, field):
    """Some programs keep no thread, and people change subjects."""
    mid = named(called, "a last call")
    assert not ends(called, answer("no!", f"{field}: {mid}\n"))


@pytest.mark.parametrize("reader", ["boris@example.test", "anna@example.test", BOSS])
def test_2_12_a_last_call_that_is_sent_back_with_words_in_it_is_an_answer(called, reader):
    """What redirects a mail keeps its fields; it was taken for the letter of the mailbox itself."""
    (raw,) = (raw for _at, _from, to, raw in called.office.mails if to == reader and b"a last call" in raw)
    head, _blank, body = raw.partition(b"\r\n\r\n")
    assert not ends(called, b"Resent-From: <%b>\r\n%b\r\n\r\nPlease wait!\r\n%b" % (reader.encode(), head, body))


NAMED = {
    "a second one": lambda game: answer(f"Re: [kursk 99999999] and {game}"),
    "a list": lambda game: answer(f"games 99999999, {game}: please wait"),
    "below": lambda game: answer("Re: [kursk 99999999] a reminder").replace(b"\n\n", b"\n\nNo. %b!\n" % game.encode()),
}


@pytest.mark.parametrize("how", NAMED)
@pytest.mark.parametrize("digits", [8, 64])
def test_2_12_an_answer_may_name_its_game_by_the_digits_alone(called, how, digits):
    """They counted behind 'game', 'kursk' and 'tournament' alone."""
    assert not ends(called, NAMED[how](called.game[:digits]))


@pytest.mark.parametrize("subject", ["last call for {}", "Spiel {}", "Anna - Boris ({})", "do not end {} yet", "# {}"])
@pytest.mark.parametrize("who", [BOSS, "stranger@example.test"])
def test_2_12_an_answer_that_names_its_game_is_about_a_game(called, subject, who):
    """A mail without a thread had to say 'game' or 'kursk' before the digits."""
    subject = subject.format(called.game[:8])
    assert not ends(called, f"From: {who}\nSubject: {subject}\nMessage-ID: <w@home.test>\n\nWait.\n".encode())


@pytest.mark.parametrize("charset", ["iso-2022-jp", "shift_jis", "euc-jp", "utf-8"])
def test_2_12_letters_of_another_script_may_stand_directly_before_the_digits(called, charset):
    """In Japanese sets a letter of the sign before them was taken for one of theirs."""
    raw = f"対局{called.game[:8]}を待って\n".encode(charset)
    head = f"From: {BOSS}\nSubject: Re: [kursk 99999999] x\nContent-Type: text/plain; charset={charset}\n\n"
    assert not ends(called, head.encode() + raw)


@pytest.mark.parametrize("name", ["{}.png", "Report of game {}.pdf", "Spiel {}.docx"])
def test_2_12_an_answer_may_name_its_game_by_the_name_of_a_file(called, name):
    """It counted where it was fetched, and was not: the server's structure was not looked through for it."""
    made = EmailMessage()
    made["From"], made["Subject"] = BOSS, "please wait"
    made.set_content("See the picture.\n")
    made.add_attachment(b"\x89PNG", "image", "png", filename=name.format(called.game[:8]))
    assert not ends(called, made.as_bytes())


@pytest.mark.parametrize("subject", ["what waits for you", "a last call"])
def test_2_12_an_answer_may_bear_the_number_of_the_letter_that_it_answers(called, subject):
    """It was taken for the letter itself, whoever it said to be from."""
    mid = named(called, "what" if subject.startswith("what") else "a last call")
    raw = f"From: boris@example.test\nMessage-ID: {mid}\nSubject: [kursk {called.game[:8]}] wait\n\nWait\n"
    assert not ends(called, raw.encode())


@pytest.mark.parametrize("domain", ["B\u00fccher.example", "xn--bcher-kva.example"])
def test_2_12_a_report_in_words_may_write_a_domain_in_its_own_script(automatic, certificates, imap, domain):
    directs(automatic, "boss@xn--bcher-kva.example")
    calls(automatic, certificates, imap)
    assert not ends(automatic, REPORTS["Postfix"](f"boss@{domain}").encode())


@pytest.mark.parametrize("name", ["“{}” via club", "«{}»", "{}—club", "来自{}的邮件"])
def test_2_12_words_of_another_script_may_stand_directly_behind_who_writes(called, name):
    """Programs that forward write so: the answer of the late side was nobody's."""
    named = Header(name.format(BORIS), "utf-8").encode()
    assert not ends(called, f"From: {named} <list@club.test>\nMessage-ID: <w@club.test>\n\nWait, kursk!\n".encode())


@pytest.mark.parametrize(
    ("words", "charset"),
    [
        *((words, "utf-8") for words in ("邮件无法投递到{}。", "„{}“")),
        *(("宛先[{}]は存在しません", charset) for charset in ("utf-8", "shift_jis", "iso-2022-jp", "euc-jp")),
    ],
)
def test_2_12_words_of_another_script_may_stand_directly_beside_an_address(called, words, charset):
    """They were taken for a part of it."""
    head = f"{DAEMON}Subject: failure notice\nContent-Type: text/plain; charset={charset}\n\n"
    assert not ends(called, head.encode() + words.format(BOSS).encode(charset) + b"\n")


def test_2_12_a_letter_of_a_desk_that_is_sent_back_with_words_in_it_is_an_answer(called):
    raw = next(
        raw for *_of, raw in reversed(called.office.mails) if re.search(rb"Message-ID:\s+<k1\.[0-9a-f]{32}\.", raw)
    )
    head, _blank, body = raw.partition(b"\r\n\r\n")
    first = body.index(b"\r\n\r\n") + 4
    body = body[:first] + b"Please wait!\r\n" + body[first:]
    assert not ends(called, b"Resent-From: boris@example.test\r\n%b\r\n\r\n%b" % (head, body))


def test_2_12_a_return_path_may_name_hosts_on_the_way(called):
    """It was taken for an empty one, and the answer for a server's report of the list that was in it."""
    part = f"--q\nContent-Type: message/rfc822\n\nFrom: r@example.test\nMessage-ID: {named(called, 'what')}\n\nhello\n"
    top = f"Return-Path: <@relay.example:{BOSS}>\nFrom: {BOSS}\nSubject: [kursk {called.game[:8]}] wait\n"
    top += "Content-Type: multipart/mixed; boundary=q\n\n--q\nContent-Type: text/plain\n\nWait\n"
    assert not ends(called, f"{top}{part}--q--\n".encode())


def test_2_12_a_report_may_be_from_a_program_that_is_merely_called_so(called):
    top = 'Return-Path: <>\nFrom: "MAILER-DAEMON" <bounces@gate.example>\nSubject: your mail of today\n\n'
    assert not ends(called, f"{top}No mailbox here: {BOSS}\n".encode())


def test_2_12_a_director_may_be_called_as_programs_are(called):
    """With another letter of the mailbox in it the answer counted as a report about that."""
    part = f"Message-ID: {named(called, 'what')}\n\nhello\n"
    top = f'From: "Mailer-Daemon of the club" <{BOSS}>\nSubject: [kursk {called.game[:8]}] wait\n\nWait\n\n'
    assert not ends(called, f"{top}{part}".encode())


@pytest.mark.parametrize("inside", sweeps.some(["what waits for you", "a reminder", ""], 3))
def test_2_12_a_postmaster_who_answers_is_a_person(automatic, certificates, imap, inside):
    """With an older letter of the mailbox in it the answer counted as a report about that."""
    directs(automatic, "postmaster@club.example")
    calls(automatic, certificates, imap)
    there = [message_from_bytes(raw) for _at, _from, _reader, raw in automatic.office.mails]
    mid = next(
        mail["Message-ID"] for mail in there if inside in str(mail["Subject"]) and "k1.words" in mail["Message-ID"]
    )
    part = (
        f"--q\nContent-Type: message/rfc822\n\nFrom: ref@example.test\nMessage-ID: {mid}\n\nhello\n" if inside else ""
    )
    top = "Return-Path: <postmaster@club.example>\nFrom: postmaster@club.example\n"
    top += f"Subject: [kursk {automatic.game[:8]}] wait\nContent-Type: multipart/mixed; boundary=q\n\n"
    assert not ends(automatic, f"{top}--q\nContent-Type: text/plain\n\nWait\n{part}--q--\n".encode())
