"""Letters that came back: told, the address is not used any more; and nobody can do that by writing such a report."""

from dataclasses import replace

import pytest
from helpers import mail_servers
from helpers.mail_servers import Smtp
from helpers.mailbags import maildir, states, taken, turn
from helpers.refereed_mail import held_back, hours, played_on
from helpers.returned import report

from kursk_pbem.post import card, people, place, sorting
from kursk_pbem.post.envelope import Mail
from kursk_pbem.post.office import Office
from kursk_pbem.post.outbox import Box
from kursk_pbem.post.servers import reported
from kursk_pbem.trust import keys, slip


@pytest.fixture
def sent(pair, tmp_path):
    """Anna's letter to Boris is sent: (anna, boris, game, its Message-ID)."""
    anna, boris, game = pair
    with Smtp(mail_servers.certificates(tmp_path)) as server:
        mail_servers.account(anna, tmp_path, None, server.port)
        anna.kursk("people", "card", anna.address, "--no", "-q")
        anna.kursk("people", "add", "boris", boris.address, "-q")
        anna.kursk("post", "send", "--unsent", "-q")
        ((_sender, _reader, raw),) = server.post.mails
    return anna, boris, game, raw.partition(b"Message-ID: ")[2].partition(b"\r\n")[0].decode()


def comes(friend, raw):
    path = friend.place / "bounce.eml"
    path.write_bytes(raw)
    return taken(friend, path).returned


def test_a_letter_that_came_back_is_told_once_and_its_address_not_used_any_more(sent, capsys):
    anna, boris, game, mid = sent
    (told,) = comes(anna, report(mid, boris.address))
    assert f"{game[:8]}/0 to {boris.address} came back: '552 5.2.2 Quota exceeded" in told
    assert "\x1b" not in told
    assert f"anew: 'kursk people add {people.load(anna.home, boris.public).typed} {boris.address}', then" in told
    assert people.load(anna.home, boris.public).reached == ""
    assert comes(anna, report(mid, boris.address)) == []
    anna.kursk("outbox")
    assert "could not deliver it" in capsys.readouterr().out
    anna.kursk("people", "add", "boris", "boris@new.example.test", "-q")
    anna.kursk("outbox", "--again", f"{game[:8]}/0", "-q")
    (slate,) = Office(anna.home, anna.place).slates()
    assert (slate.letter.edition, slate.letter.to[0].address) == (1, "boris@new.example.test")


def test_T60_where_the_newest_address_is_stopped_no_older_one_is_used(sent):
    """A forged report brought letters, and reminders that count, to an address that was given up."""
    anna, boris, _game, mid = sent
    person = people.load(anna.home, boris.public)
    old = replace(person.addresses[0], text="boris@old.test", since="2026-01-01T00:00:00Z")
    people.save(anna.home, replace(person, addresses=(old, *person.addresses)))
    comes(anna, report(mid, boris.address))
    assert people.load(anna.home, boris.public).reached == ""
    anna.kursk("people", "add", "boris", "boris@old.test", "-q")
    assert people.load(anna.home, boris.public).reached == "boris@old.test"


def test_T60_an_older_address_that_is_stopped_stops_no_newer_one(sent):
    anna, boris, _game, mid = sent
    anna.kursk("people", "add", "boris", "boris@new.test", "-q")
    comes(anna, report(mid, boris.address))
    person = people.load(anna.home, boris.public)
    assert (person.reached, person.state_of(boris.address)) == ("boris@new.test", people.BOUNCED)


def test_T60_a_card_lifts_no_stop(sent):
    """It made of a stopped address one that was seen, and letters went to an older one."""
    anna, boris, _game, mid = sent
    comes(anna, report(mid, boris.address))
    said = slip.card(anna.public, boris.address, 1, keys.load(boris.key))
    assert (
        card.take(anna.home, slip.read(slip.emit(said).encode(), "a card"), people.load(anna.home, boris.public))
        is None
    )
    assert people.load(anna.home, boris.public).state_of(boris.address) == people.BOUNCED
    for number in range(20):
        people.noticed(anna.home, boris.public, f"boris{number}@x.test", "a mail")
    assert people.load(anna.home, boris.public).state_of(boris.address) == people.BOUNCED


def test_T60_an_address_is_stopped_for_everybody_who_is_reached_there(sent):
    """Of somebody with two keys, or of a couple, the letters of the other game went on, and counted as reminders."""
    anna, boris, _game, mid = sent
    other = keys.from_seed(b"o" * 32).public
    people.save(anna.home, people.Person(other, "other").put(boris.address, people.SAID, "said"))
    comes(anna, report(mid, boris.address))
    assert people.load(anna.home, other).reached == ""


def test_an_address_is_stopped_before_a_report_counts_as_known(sent, monkeypatch):
    """Whoever was killed between the two went on to use it."""
    anna, boris, _game, mid = sent
    with monkeypatch.context() as killed:
        killed.setattr(Box, "note", lambda *_said, **_more: 1 // 0)
        with pytest.raises(ZeroDivisionError):
            comes(anna, report(mid, boris.address))
    assert people.load(anna.home, boris.public).reached == ""
    assert len(comes(anna, report(mid, boris.address))) == 1


def test_a_report_of_a_letter_in_words_stops_the_address_before_it_counts_as_known(automatic, monkeypatch):
    world = automatic
    played_on(world)
    hours(world, 7 * 24, step=12)
    words = next(words for reader, words in world.words() if reader == world.boris.address)
    mid = words.partition("Message-ID: ")[2].partition("\r\n")[0]
    world.office.put(report(mid, world.boris.address), world.ref.address)
    once = place.once
    with monkeypatch.context() as killed:
        killed.setattr(place, "once", lambda path, data: once(path, data) if path.suffix != ".bounced" else 1 // 0)
        with pytest.raises(ZeroDivisionError):
            world.director.post()
    assert people.load(world.ref.home, world.boris.public).reached == ""
    assert len(world.director.post().returned) == 1


@pytest.mark.parametrize("damage", [b"", b"{}", b"[]"])
def test_a_report_of_a_letter_whose_file_is_damaged_stops_no_round(sent, damage):
    anna, boris, _game, mid = sent
    (file,) = (anna.home / "post" / "out").glob("*/*.json")
    file.write_bytes(damage)
    (told,) = comes(anna, report(mid, boris.address))
    assert f"{file}, which describes it, cannot be read" in told


def test_T49_reports_take_room_as_turns_do_and_those_that_say_the_same_count_once(sent, monkeypatch):
    """Any number of them was held until all mails were read."""
    _anna, boris, _game, mid = sent
    monkeypatch.setattr(sorting, "ROOM", 20_000)
    raws = [report(mid, boris.address), *(report(mid, f"x{number}@y.test") for number in range(50))]
    mails = (Mail(b"X-Number: %d\r\n" % number + raw, "mail") for number, raw in enumerate([*raws[:1] * 30, *raws]))
    held = sorting.read(mails)
    assert held.mails == 35
    assert [report.readers for report in held.returned[:2]] == [(boris.address,), ("x0@y.test",)]


def test_T60_a_forged_bounce_stops_nothing(sent):
    """One that names a letter, and no failure of its reader, is told once: the letter may not have arrived."""
    anna, boris, game, mid = sent
    digest = mid.split(".")[1]
    told = [
        line
        for raw in (
            report(mid.replace(digest, "0" * 32), boris.address),  # no letter of ours
            report(mid.replace(".0@", ".7@"), boris.address),  # no such edition
            report("", boris.address),
            report(mid, "somebody@example.test"),  # not to whom it went
            report(mid, boris.address, action="delayed"),
            report(mid, boris.address, kind="multipart/mixed").replace(b"MAILER-DAEMON", b"anna"),
        )
        for line in comes(anna, raw)
    ]
    assert people.load(anna.home, boris.public).reached == boris.address
    assert [line.partition(": ")[0] for line in told] == [
        f"the letter {game[:8]}/0 to {boris.address} may not have arrived"
    ]


def test_T60_a_letter_that_was_never_tried_cannot_come_back(pair):
    anna, boris, _game = pair
    anna.kursk("people", "card", anna.address, "--no", "-q")
    anna.kursk("people", "add", "boris", boris.address, "-q")
    office = Office(anna.home, anna.place)
    written = office.write_down(next(iter(office.slates())))
    assert comes(anna, report(written.letter.message_id, boris.address)) == []
    assert people.load(anna.home, boris.public).reached == boris.address


def test_a_bounce_that_holds_the_turn_brings_nothing_new(sent):
    anna, boris, game, mid = sent
    path = anna.place / "bounce.eml"
    path.write_bytes(report(mid, boris.address, more=turn(anna, game, 0)))
    day = taken(anna, path)
    assert states(day) == [(0, "here already")]
    assert len(day.returned) == 1


@pytest.mark.parametrize("cut", [0, 1200])
def test_a_turn_in_the_report_that_its_writer_got_and_sent_on_is_taken(automatic, cut):
    """It named a letter, and nobody looked for a turn in it: its writer lost the game for silence."""
    world = automatic
    played_on(world)
    world.boris.sign(world.game)
    hours(world, 6 * 24, step=12)
    signed = turn(world.boris, world.game, 3)
    raw = report(f"<k1.{'a' * 32}.0@example.test>", "ref@example.org", more=signed[: len(signed) - cut])
    world.office.put(raw, world.ref.address)
    day = world.director.post()
    assert states(day) == ([] if cut else [(3, "taken")])
    assert day.faults == []
    assert not people.load(world.ref.home, world.boris.public).state_of("MAILER-DAEMON@example.test")
    hours(world, 4 * 24, step=12)
    assert held_back(world)


def test_a_reminder_that_came_back_ends_no_game(automatic):
    """It went out, and to an address that does not work any more."""
    world = automatic
    played_on(world)
    done, told = [], []
    for _half_day in range(20):
        world.time.passes(12 * 3600)
        for reader, words in world.words():
            mid = words.partition("Message-ID: ")[2].partition("\r\n")[0]
            if reader == world.boris.address and mid not in done:
                done.append(mid)
                world.office.put(report(mid, reader), world.ref.address)
        told += world.director.post().returned
    assert held_back(world)
    assert len(told) == 1
    assert "a letter in words to boris@example.test came back: '552 5.2.2 Quota exceeded" in told[0]
    named = people.load(world.ref.home, world.boris.public).typed
    assert f"anew: 'kursk people add {named} boris@example.test'" in told[0]
    assert any("no address of" in line for line in world.director.errand.chair.pending())


def in_words(header, told):
    return lambda mid, reader: (
        (
            f"From: MAILER-DAEMON@mx.example.test\r\n{header}\r\n\r\n{told}\r\n\r\n--- A copy of the message:\r\n"
            f"Message-ID: {mid}\r\n"
        )
        .replace("BORIS", reader)
        .encode()
    )


NO_FIELDS = in_words('Content-Type: multipart/report; report-type=delivery-status; boundary="x"', "<BORIS>:\r\n550 no.")
TITLED = in_words("Subject: Mail System Error - Returned Mail", "Nobody is called\r\n\r\n<BORIS>:\r\nNo mailbox.")
SENDER = in_words("Return-Path: <>\r\nSubject: E", "It did not reach its reader.")


def by_path(sender, subject, path="Return-Path: <>\r\n"):
    """A report that no field but its return path says to be one."""
    made = in_words(f"{path}Subject: {subject}", "It could not be delivered: 550 5.7.1 blocked.")
    return lambda mid, reader: made(mid, reader).replace(b"MAILER-DAEMON@mx.example.test", sender.encode(), 1)


ANGLES = str.maketrans({"<": "&lt;", ">": "&gt;"})
PAGE = b"Return-Path: <>\nFrom: a@gw.test\nContent-Type: text/html\n\n<pre>Refused.<br>Message-ID: %b</pre>\n"
RECEIPT, DELETED = "multipart/report; report-type=disposition-notification", b"Disposition: automatic-action; deleted"
OTHERS = {
    "titled": (lambda mid, reader: TITLED(mid, reader).replace(b"MAILER-DAEMON", b"ndr"), "may not have"),
    "postmaster": (lambda mid, reader: SENDER(mid, reader).replace(b"MAILER-DAEMON", b"postmaster"), "may not have"),
    "gateway": (by_path("noreply@gw.test", "Message could not be delivered"), "may not have"),
    "filter": (by_path("a@gw.test", "**Message you sent blocked by our bulk email filter**"), "may not have"),
    "rejected": (by_path("boris@example.test", "Rejected: a reminder"), "may not have"),
    "qmail's path": (by_path("a@gw.test", "Your mail", "Return-Path: < MAILER-DAEMON >\r\n"), "may not have"),
    "a host in the path": (
        by_path("a@gw.test", "Your mail", "Return-Path: <MAILER-DAEMON@mx.test>\r\n"),
        "may not have",
    ),
    "a postmaster's path": (by_path("a@gw.test", "Your mail", "Return-Path: postmaster@gw.test\r\n"), "may not have"),
    "a page": (lambda mid, reader: PAGE % mid.translate(ANGLES).encode(), "may not have"),
    "a program": (by_path("noreply@gw.test", "Your mail", ""), "may not have"),
    "no path": (by_path("Postmaster <postmaster@x.test>", "Postmaster Notify: Delivery Failure.", ""), "may not have"),
    "without fields": (NO_FIELDS, "came back: '550 no.'"),
    "failure": (lambda mid, reader: report(mid, reader, action="failure"), "came back: '552"),
    "expired": (lambda mid, reader: report(mid, reader, action="expired"), "may not have"),
    "refused by a filter": (
        lambda mid, reader: report(mid, reader, kind=RECEIPT).replace(b"Action: failed", DELETED),
        "may not have",
    ),
    "qmail": (in_words("Subject: failure notice", "Hi. This is\r\n\r\n<BORIS>:\r\nSorry, no mailbox."), "'Sorry, no "),
    "exim": (in_words("X-Failed-Recipients: a@b.test, BORIS", "failed:\r\n\r\n  BORIS\r\n    Unknown"), "came back"),
    "words": (in_words("Subject: Warning: message delayed", "It could not be delivered for 24 hours."), "may not have"),
    "wrapped": (lambda mid, reader: report(mid, reader, kind="multipart/mixed"), "came back: '552"),
    "smtputf8": (lambda mid, reader: report(mid, reader).replace(b"rfc822; ", b"utf-8;\r\n "), "came back: '552"),
    "passed on": (lambda mid, _reader: report(mid, "boris@elsewhere.test"), "may not have arrived: '552"),
    "put off": (lambda mid, reader: report(mid, reader, action="delayed"), "may not have arrived: '552"),
    "renamed": (lambda _mid, _reader: report("<1@ses.test>", "x@y.test", more=b"Subject: [kursk GAME] x\r\n"), ""),
    "without the letter": (lambda _mid, reader: report("", reader), ""),
}


@pytest.mark.parametrize("kind", OTHERS)
def test_a_reminder_that_may_not_have_arrived_ends_no_game(automatic, kind):
    """Its reader lost the game: only the reports of which every field was as expected were understood."""
    world, (made, said) = automatic, OTHERS[kind]
    played_on(world)
    told = []
    for _half_day in range(20):
        world.time.passes(12 * 3600)
        mails, world.office.mails[:] = world.words(), []
        for reader, words in mails:
            if reader == world.boris.address:
                raw = made(words.partition("Message-ID: ")[2].partition("\r\n")[0], reader)
                world.office.put(raw.replace(b"GAME", world.game[:8].encode()), world.ref.address)
        told += world.director.post().returned
    assert held_back(world)
    assert said in str(told)
    assert bool(told) == bool(said)
    stopped = not people.load(world.ref.home, world.boris.public).reached
    assert stopped == ("may not" not in said and bool(said))


@pytest.mark.parametrize("kind", ["passed on", "put off", "qmail"])
def test_who_ends_a_game_by_hand_is_told_that_a_reminder_may_not_have_arrived(world, capsys, kind):
    played_on(world)
    hours(world, 6 * 24, step=12)
    ((_reader, words), *_others) = (word for word in world.words() if word[0] == world.boris.address)
    raw = OTHERS[kind][0](words.partition("Message-ID: ")[2].partition("\r\n")[0], world.boris.address)
    world.office.put(raw, world.ref.address)
    hours(world, 4 * 24, step=12)
    world.ref.kursk("forfeit", world.folder, status=2)
    assert "whoever owes the message came back, or was put off" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["qmail", "gateway", "no path"])
def test_a_report_in_words_is_fetched(posted, kind, capsys):
    """Neither its header nor its structure says that it is about a game."""
    anna, boris, game, imap, smtp = posted
    anna.kursk("post", "send", "--unsent", "-q")
    ((_sender, _reader, raw),) = smtp.post.mails
    made, said = OTHERS[kind]
    imap.add(made(raw.partition(b"Message-ID: ")[2].partition(b"\r\n")[0].decode(), boris.address))
    anna.kursk("post")
    assert f"{game[:8]}/0 to {boris.address} {said if kind != 'qmail' else 'came back'}" in capsys.readouterr().out


QUOTED = f"Message-ID: <k1.words.{'a' * 32}@ref.test>"


@pytest.mark.parametrize(
    ("head", "text"),
    [
        ("Return-Path: <boris@example.test>", QUOTED),
        ("X-Mailer: a", QUOTED),
        (f"Return-Path: <>\r\n{QUOTED}", "I am away."),
        (f"Return-Path: <>\r\n{QUOTED.replace('Message-ID', 'In-Reply-To')}", "I am away."),
    ],
)
def test_what_somebody_sends_on_or_answers_is_no_report(head, text):
    raw = f"From: boris@example.test\r\n{head}\r\nSubject: Away: a reminder\r\n\r\n{text}\r\n\r\nHello.\r\n"
    assert reported.read(Mail(raw.encode(), "mail")) is None


def test_a_report_that_a_letter_was_passed_on_keeps_no_game_from_ending(automatic):
    played_on(automatic)
    hours(automatic, 6 * 24, step=12)
    raws = [raw for reader, raw in automatic.words() if reader == automatic.boris.address]
    for raw in raws:
        mid = raw.partition("Message-ID: ")[2].partition("\r\n")[0]
        automatic.office.put(report(mid, automatic.boris.address, action="relayed"), automatic.ref.address)
    hours(automatic, 4 * 24, step=12)
    assert raws
    assert not held_back(automatic)


def test_a_letter_that_failed_for_somebody_else_stops_no_address_that_it_reached(sent):
    """A list of several was taken for one: whoever got it was stopped with whoever did not."""
    anna, boris, _game, mid = sent
    group = b"Final-Recipient: rfc822; copy@example.test\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n"
    comes(anna, report(mid, boris.address, action="relayed").replace(b"Final-", group + b"Final-", 1))
    assert people.load(anna.home, boris.public).reached == boris.address


@pytest.mark.parametrize("other", ["boris@old.test", "boris@new.test"])
def test_a_reminder_to_an_address_that_was_stopped_ends_no_game(automatic, other):
    """A letter came back, not the reminder: the game ended once another address was said, or if one had been before."""
    world = automatic
    boris = people.load(world.ref.home, world.boris.public)
    before = boris.put("boris@old.test", people.SAID, "").put(world.boris.address, people.SAID, "")
    people.save(world.ref.home, before if "old" in other else boris)
    played_on(world)
    raw = [raw for _at, _sender, reader, raw in world.office.mails if reader == world.boris.address][-1].decode()
    hours(world, 7 * 24, step=12)
    world.office.put(
        report(raw.partition("Message-ID: ")[2].partition("\r\n")[0], world.boris.address), "ref@example.test"
    )
    assert world.director.post().returned
    if "new" in other:
        hours(world, 30, step=6)
        people.save(world.ref.home, people.load(world.ref.home, boris.key).put(other, people.SAID, "as you said"))
    hours(world, 30, step=6)
    assert held_back(world)
    assert "nor its receipt went to where whoever owes the answer is reached now" in str(
        world.director.errand.chair.pending()
    )


@pytest.mark.parametrize("field", ["References", "In-Reply-To"])
def test_a_report_that_names_the_whole_thread_is_of_the_letter_that_came_back(sent, field):
    """Exim puts the References of the letter into its report: the opponent's letter, which it answers, stands first."""
    anna, boris, _game, mid = sent
    thread = f"{field}: <k1.{'0' * 32}.0@example.test>\r\n {mid}\r\n".encode()
    (told,) = comes(anna, thread + report(mid, boris.address))
    assert "came back" in told


def test_what_a_report_says_is_bounded(sent):
    _anna, boris, _game, mid = sent
    read = reported.read(Mail(report(mid, boris.address) + b"\r\nFinal-Recipient: rfc822; x@y" * 50_000, "mail"))
    assert read is not None
    assert len(read.why) < 400


def test_a_report_without_a_reason_is_told_as_one(sent):
    anna, boris, _game, mid = sent
    (told,) = comes(anna, report(mid, boris.address).replace(b"Diagnostic-Code", b"X").replace(b"Status:", b"X:"))
    assert "came back: no reason is given. Nothing more" in told


def test_T49_for_any_number_of_reports_what_went_out_is_looked_through_once(sent, monkeypatch):
    """Each stranger's report looked through all that had ever gone out: 2,000 of them took two minutes."""
    anna, boris, game, mid = sent
    ids = [f"<k1.{number:032x}.0@x>" for number in range(20)] + [f"<k1.words.{number:032x}@x>" for number in range(20)]
    raws = [report(id_, boris.address) for id_ in (*ids, mid)]
    box = maildir(anna.place, [b"X-Number: %d\r\n" % number + raw for number, raw in enumerate(raws)])
    looked = []
    real = place.names
    monkeypatch.setattr(place, "names", lambda folder: looked.append(folder.name) or real(folder))
    (told,) = taken(anna, box).returned
    assert told.startswith(f"the letter {game[:8]}/0 to {boris.address} came back")
    assert looked.count("out") == 1
    assert looked.count("words") <= 2
