"""What strangers put into mails: nothing of it stops a round of post, or costs more than its length (T27, T49)."""

import base64
import tracemalloc

import pytest
from helpers import pace, postal
from helpers.mailbags import box, concern, letter, states, taken, turn

from kursk_pbem.cli import run
from kursk_pbem.formats.canonical import canon
from kursk_pbem.game import folders
from kursk_pbem.post import sorting, waiting
from kursk_pbem.post.envelope import Mail
from kursk_pbem.post.intake import Intake
from kursk_pbem.post.outcome import REFUSED, TAKEN
from kursk_pbem.post.referee import damage, firstpart, requests
from kursk_pbem.trust import keys, mail, messages, slip, sshsig

BRACKETS = [b"(" * 3000, b"a:" * 3000, b'"' + b"(" * 3000, b"(" * 998 + b"a@example.test"]


@pytest.mark.parametrize("brackets", BRACKETS)
def test_T49_a_sender_of_many_brackets_stops_no_fetch(posted, brackets, capsys):
    anna, boris, game, imap, _smtp = posted
    imap.add(b"From: " + brackets + b"\r\nSubject: hello\r\n\r\nhello\r\n")
    boris.sign(game)
    imap.add(letter(turn(boris, game, 1), boris.address))
    anna.kursk("post", "fetch")
    anna.kursk("inbox")
    assert "message 1 of" in capsys.readouterr().out


def test_T49_a_subject_in_no_character_set_stops_no_round(posted, capsys):
    """A name of a set that is not ASCII is an error of its own kind in the library."""
    anna, boris, game, imap, _smtp = posted
    boris.sign(game)
    imap.add(b"From: boris@example.test\r\nSubject: =?\xff?q?a?=\r\n\r\nhello\r\n")
    imap.add(letter(turn(boris, game, 1), boris.address))
    for _round in range(2):
        anna.kursk("post", "--as-sent")
    assert "message 1 of" in capsys.readouterr().out


SETS = ("UTF-8", "iso-8859-15", "windows-1251", "gb18030", "koi8-r")
OTHERS = ("rot13", "unicode_escape", "raw_unicode_escape", "zlib", "base64", "idna", "punycode")


@pytest.mark.parametrize("charset", [*SETS, *OTHERS])
def test_T49_a_subject_is_decoded_by_character_sets_alone(charset):
    """Other codecs of Python warned of what stood there, or did what was none of theirs."""
    assert Mail(f"Subject: =?{charset}?q?a\\d?=\r\n\r\n".encode(), "").subject == "a\\d"


def test_T27_a_subject_is_decoded_in_the_time_of_its_length():
    """To read some sets of characters the library needs the square of their length: 17 seconds for 43 KB."""
    encoded = "".join(chr(0x4E00 + number * 7919 % 20_000) for number in range(1500)).encode("punycode")
    mail = Mail(b"From: a@example.test\r\nSubject: =?punycode?q?" + encoded + b"?=\r\n\r\n", "a mail")
    with pace.within(0.5):
        assert not any(mail.ours for _time in range(20))


def test_T27_whose_a_damaged_mail_may_be_is_looked_for_once():
    """It was looked for once for each of a hundred damaged papers in it."""
    body = f"kursk-tournament: '1'\n{sshsig.BEGIN}\n{sshsig.END}\n".encode("ascii") * 100
    raw = b"From: a@example.test\r\nSubject: [kursk 12345678] x\r\n\r\n" + body + b"x\n" * 1_000_000
    with pace.within(2):
        held = sorting.read([Mail(raw, "a mail")], events=True, concern=concern("12345678"))
    assert len(held.faults) == 20
    assert held.damaged == {damage.Damage(frozenset({"a@example.test"}), frozenset({"12345678"}))}


def test_T27_damaged_papers_of_a_tournament_are_read_within_bounds():
    """Hundreds of them, nested as deep as may be, took ten seconds of a processor; those before them are told."""
    inside = b"".join(b" " * depth + b"a:\n" for depth in range(200))
    paper = b"kursk-tournament: '1'\n" + inside + f"{sshsig.END}\n".encode("ascii")
    mail = Mail(b"From: a@example.test\r\nSubject: [kursk 12345678] x\r\n\r\n" + paper * 300, "a mail")
    with pace.within(2):
        held = sorting.read([mail], events=True)
    assert len(held.faults) + held.found.more < 150


def test_T27_a_report_of_pages_and_small_parts_is_read_within_bounds():
    """5 MB took three and a half seconds of a processor: looked through four times, each entity by each beginning."""
    head = b"From: a@example.test\nContent-Type: multipart/report\nSubject: [kursk 12345678] x\n\nAction: failed\n\n"
    page = b"kursk-pbem: '1'\nkursk-tournament: '1'\n</p>" + b"&notanent " * 299_000
    part = b"\nContent-Transfer-Encoding: base64\n\n%b\n"
    parts = b"".join(part % base64.b64encode(b"%08d" % number) for number in range(49_900))
    with pace.within(2):
        assert len(sorting.read([Mail(head + page + parts, "a mail")], events=True).faults) == 1


@pytest.mark.parametrize("line", [b" \n", b" \n\n", b" \nx\n"])
def test_T27_a_page_of_blank_lines_is_read_within_bounds(line):
    """8 MB took three seconds of a processor, and 480 MB."""
    head = b"From: a@example.test\nContent-Type: multipart/report\n\nContent-Transfer-Encoding: quoted-printable\n\n"
    raw = head + b"kursk-pbem: '1'\n</p>" + "\U0001f600".encode()
    raw += line * ((8_000_000 - len(raw)) // len(line))
    with pace.within(2):
        sorting.read([Mail(raw, "a mail")], events=True, concern=concern("12345678"))


def test_T27_whose_a_mail_is_that_names_half_a_million_games_is_found_within_bounds():
    named = b"".join(b"kursk-%08x\n" % number for number in range(500_000))
    mail = Mail(b"From: a@example.test\n\nkursk-pbem: '1'\n" + named + b"kursk-12345678", "a mail")
    with pace.within(2):
        held = sorting.read([mail], concern=concern("12345678", "87654321"))
    assert held.damaged == {damage.Damage(frozenset({"a@example.test"}), frozenset({"12345678"}))}


def signed_below(number, prefix, below, orders=None):
    """Messages of as many games that a stranger signed, with something below each."""
    key = keys.from_seed(b"s" * 32)
    for k in range(number):
        said = {"kursk-pbem": "1", "game": f"{k:064x}", "seq": "3", "from": "german", "type": "resign"}
        said |= {"prev": "ab" * 32, "state-in": "ab" * 32} | ({"orders": {"m": orders}} if orders else {})
        text = messages.emit(said, key.sign(sshsig.NAMESPACE, messages.signed_bytes(said))).encode("ascii")
        yield prefix + text + below


ENDED = f"%b{sshsig.BEGIN}\n%d\n{sshsig.END}\n".encode("ascii")
COSTLY = {
    "a header of 20,000 fields": lambda: (
        b"a:\n" * 20_000,
        (ENDED % (b"kursk-pbem: '1'\nseq: %d\n" % k, k) for k in range(700)),
    ),
    "lines below turns": lambda: (b"", signed_below(12, b">" + b" " * 198, b"state:\n" + b" x\n" * 39_900)),
    "odd blanks below turns": lambda: (b"", signed_below(600, b"", b"\xa0" * 12_000 + b"\n")),
    "lists in lists": lambda: (b"", signed_below(60, b"", b"", [[["a"] * 1] * 9] * 600)),
    "fields": lambda: (b"", (ENDED % (b"kursk-pbem: '1'\n" * 4 + b"seq:1\n" * 330, k) for k in range(3900))),
}


@pytest.mark.parametrize("what", COSTLY.values(), ids=COSTLY)
def test_T27_what_is_looked_at_often_is_read_once_or_paid(what):
    """Each took between two and twelve seconds of a processor: names of mails, marks of quotation, blanks, fields."""
    head, parts = what()
    raw = head + b"From: a@example.test\nSubject: x\n\n" + b"".join(parts)
    with pace.within(2):
        sorting.read([Mail(raw[: 8 * 1024 * 1024], "a mail")], events=True, concern=concern("12345678"))


def nested(depth):
    marks = [b"b%d" % number for number in range(depth)]
    return b"".join(b"Content-Type: multipart/mixed; boundary=%b\n\n--%b\n" % (mark, mark) for mark in marks)


BOMBS = {
    "parts in parts": nested(300),
    "a long Content-Type": b'Content-Type: multipart/mixed; x="' + b";" * 250_000 + b"\n\n",
    "reports in reports": b"Content-Type: message/delivery-status\n\n" * 4000,
    "mails in mails": b"Content-Type: message/rfc822\n\n" * 4000,
    "many parts": b"Content-Type: multipart/mixed; boundary=a\n\n" + b"--a\n\n" * 40_000,
}


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS)
def test_T27_words_are_read_in_the_time_of_their_length(bomb):
    raw = b"From: a@example.test\n" + bomb
    raw += b"\n" * (firstpart.MAX_WORDS - len(raw))
    with pace.within(0.5):
        assert requests.read(Mail(raw, "a mail")) == []


def test_T27_whether_a_machine_wrote_is_read_in_the_time_of_its_length():
    """The address in Delivered-To was gone through once for each word in it: a second and a half for 64 KB."""
    raw = b"From: a@example.test\nDelivered-To: " + b"vacation" * 8000 + b"@x\n\nSTATUS\n"
    with pace.within(0.3):
        assert requests.machine(Mail(raw, "a mail"), ()) == ""


def test_T49_what_is_held_of_a_mail_has_no_fields_of_its_header():
    """Each was held in pieces, 28 times its length: 600 MB of RAM for the words of one round, 16 MB of mail."""
    raw = b"From: a@example.test\n" + b"ab:\n" * 2000 + b"\nSTATUS\n"
    tracemalloc.start()
    try:
        held = sorting.read((Mail(raw, str(number)) for number in range(20)), words=lambda mail: bool(mail.sender))
        assert tracemalloc.get_traced_memory()[0] < 1_500_000
    finally:
        tracemalloc.stop()
    assert len(held.silent) == 20


def test_T27_line_ends_written_twice_are_put_right_piece_by_piece():
    """Of 8 MB with two million of them all lines were held, one by one: 400 MB."""
    raw = b"From: a@example.test\r\r\n\r\r\n" + b"xx\r\r\n" * 300_000 + b"\r\r"
    tracemalloc.start()
    try:
        said = Mail(raw, "a mail").raw
        assert tracemalloc.get_traced_memory()[1] < 6_000_000
    finally:
        tracemalloc.stop()
    assert said == b"From: a@example.test\r\n\r\n" + b"xx\r\n" * 300_000 + b"\r\r"


def test_T49_cards_and_damaged_mails_take_room_too(pair, monkeypatch):
    """Of a stranger's there was no bound: 450 MB for 70 MB of mail."""
    anna, boris, _game = pair
    monkeypatch.setattr(sorting, "ROOM", 20_000)
    signer = keys.load(boris.key)
    cards = (slip.emit(slip.card(anna.public, f"b{number}@example.test", 1, signer)) for number in range(9))
    assert len(sorting.read(Mail(b"\n" + card.encode("ascii"), "a mail") for card in cards).cards) == 5
    begun = b"Subject: [kursk %08x]\n\nkursk-pbem: '1'\ntype: orders\n"
    mails = (Mail(begun % number, "a mail") for number in range(9))
    assert len(sorting.read(mails, concern=concern(*(f"{number:08x}" for number in range(9)))).damaged) == 5
    end = b"%b\nU1NIU0lH%%d\n%b\n" % (sshsig.BEGIN.encode("ascii"), sshsig.END.encode("ascii"))
    many = b"".join(b"kursk-pbem: '1'\nseq: %d\n" % number + end % number for number in range(40))
    assert sorting.read([Mail(b"\n" + many, "a mail"), Mail(b"\n", "another")]).mails == 1


def test_T49_a_position_that_nobody_has_signed_takes_room_too(pair, monkeypatch):
    """Only what was signed did: 3 GB of RAM for 1,700 mails of 100 KB."""
    _anna, boris, game = pair
    boris.sign(game)
    monkeypatch.setattr(sorting, "ROOM", 20_000)
    state = b"\nstate:\n  type: state\n" + b"".join(b"  k%d: []\n" % number for number in range(3000))
    mails = [Mail(b"\n" + by_nobody(boris, game, 1, number).rstrip() + state, "a mail") for number in range(2)]
    assert sorting.read(mails).mails == 1


def test_commands_stand_in_the_first_part_of_text():
    raw = (
        b"From: a@example.test\r\nContent-Type: multipart/mixed; boundary=out\r\n\r\npreamble\r\n--out\r\n"
        b"Content-Type: multipart/alternative; boundary=outer\r\n\r\n"
        b"--outer\r\nContent-Type: image/png\r\n\r\nSTATUS\r\n"
        b"--outer\r\nContent-Transfer-Encoding: base64\r\n\r\nSEVMUA0KTUFQCg==\r\n"
        b"--outer\r\n\r\nSTATUS\r\n--outer--\r\n"
        b"STATUS\r\n--out--\r\n"
    )
    assert [request.name for request in requests.read(Mail(raw, "a mail"))] == ["HELP", "MAP"]


def test_T49_mails_without_a_turn_are_kept_for_words_alone_and_within_bounds(monkeypatch):
    """Of a round those behind 16 MB were forgotten, whoever had written them, and nobody was told."""
    mails = [Mail(b"From: a@example.test\n\n" + b"x" * 1000, str(number)) for number in range(20)]
    assert sorting.read(mails).silent == []
    monkeypatch.setattr(sorting, "ROOM", 20_000)
    incoming, heard = iter(mails), []
    while found := sorting.read(incoming, words=bool).silent:
        assert len(found) <= 4
        heard += found
    assert heard == mails


@pytest.mark.parametrize("what", ["a turn", "a draft that names thousands of games"])
def test_T49_of_large_mails_little_is_kept_in_a_round(pair, what):
    """Hundreds of 8 MB, one after the other, are as many as a stranger likes."""
    _anna, boris, game = pair
    boris.sign(game)
    named = b"".join(b"k1.game.%08x " % number for number in range(16_000))

    def mails():
        for number in range(6):
            kept = turn(boris, game, 1).replace(b"kursk-pbem: '1'", b"kursk-pbem: '1'  #%d" % number)
            begun = kept + b"x" * 250_000 if what == "a turn" else b"kursk-pbem: '1'\ntype: orders\n" + named
            yield Mail(b"From: a@x.example\nMessage-ID: <%d@x.example>\n\n" % number + begun, "a mailbox")

    tracemalloc.start()
    try:
        got = sorting.read(mails())
        assert tracemalloc.get_traced_memory()[0] < 250_000
    finally:
        tracemalloc.stop()
    assert got.mails == 6
    assert len(got.faults) == (0 if what == "a turn" else 6)


def test_of_what_an_opponent_signs_twice_a_few_copies_are_evidence(pair):
    """Two convict; thousands would fill the disk, one mail with hundreds at a time."""
    anna, boris, game = pair
    for seq, writer, reader in ((1, boris, anna), (2, anna, boris), (3, boris, anna)):
        writer.sign(game)
        postal.carried(game, seq, writer, reader)
    message = messages.read(turn(boris, game, 3), "0003.yaml")
    signer = keys.load(boris.key)
    for part in range(2):
        path = anna.place / f"{part}.eml"
        path.write_bytes(b"From: boris@example.test\n\n")
        for number in range(6):
            content = {**message.content, "note": f"number {part}{number}"}
            armour = signer.sign(sshsig.NAMESPACE, messages.signed_bytes(content))
            with path.open("ab") as file:
                file.write(messages.mailed(content, armour, message.state).encode("ascii") + b"\n")
        assert states(taken(anna, path)) == [(3, REFUSED)] * 6
    assert len(list(anna.folder(game).glob("evidence-*"))) == folders.MOST_EVIDENCE


def resigned(friend, raw, number, **changed):
    """So many messages like one, each with other fields by its number, signed by somebody, as one mail."""
    message, signer = messages.read(raw, "a message"), keys.load(friend.key)
    mail = b"From: stranger@x.example\n\n"
    for at in range(number):
        content = {**message.content, **{name: value(at) for name, value in changed.items()}}
        armour = signer.sign(sshsig.NAMESPACE, messages.signed_bytes(content))
        mail += messages.mailed(content, armour, message.state).encode("ascii") + b"\n"
    return mail


@pytest.mark.parametrize(
    "changed", [{"game": lambda at: f"{at:064x}"}, {"seq": lambda at: str(at + 2)}], ids=["games", "numbers"]
)
def test_T49_of_what_one_mail_holds_a_few_refusals_are_told(pair, capsys, monkeypatch, changed):
    anna, boris, game = pair
    boris.sign(game)
    monkeypatch.setattr(waiting, "MOST", 1)
    path = anna.place / "a.eml"
    path.write_bytes(resigned(boris, turn(boris, game, 1), 60, **changed))
    with anna.sitting():
        run(["inbox", str(path)])
    said = capsys.readouterr()
    assert (said.out + said.err).count("\n") < 60
    assert "more turns that were refused, or are of no game here" in said.err


def by_nobody(writer, game, seq, number):
    """A turn that a stranger has signed, of a game that nobody knows."""
    content = {**messages.read(turn(writer, game, seq), "").content, "game": f"{number:064x}"}
    armour = keys.from_seed(b"x" * 32).sign(sshsig.NAMESPACE, canon(content))
    return messages.mailed(content, armour, None).encode("ascii")


def test_T49_no_more_turns_are_held_at_once_than_there_is_room_for(pair, tmp_path, monkeypatch):
    """A hundred mails of 2 MB held more turns than a machine has memory, in each round anew; now all are dealt with."""
    monkeypatch.setattr(sorting, "ROOM", 20_000, raising=False)
    anna, boris, game = pair
    boris.sign(game)
    strange = [letter(b"".join(by_nobody(boris, game, 1, 5 * mail + of) for of in range(5))) for mail in range(4)]
    held, take = [], Intake.take
    monkeypatch.setattr(Intake, "take", lambda self, there: held.append(len(there.games)) or take(self, there))
    day = taken(anna, box(tmp_path, [*strange, letter(turn(boris, game, 1)), *strange]))
    assert max(held) <= 6
    assert sum(held) == 41
    assert (1, TAKEN) in states(day)
    assert (day.mails, day.untold) == (9, 20)


def test_T49_what_is_told_of_a_refusal_holds_nothing_of_what_came_with_it(pair, tmp_path):
    """The traceback of each error held all turns of its game."""
    anna, boris, game = pair
    boris.sign(game)
    stranger = keys.from_seed(b"x" * 32)
    content = messages.read(turn(boris, game, 1), "").content
    raw = messages.mailed(content, stranger.sign(sshsig.NAMESPACE, canon(content)), None)
    day = taken(anna, box(tmp_path, [letter(raw.encode("ascii"))]))
    (error,) = (outcome.error for told in day.games for outcome in told.outcomes)
    assert error.__traceback__ is None


def test_T49_a_turn_is_held_without_the_lines_above_it(pair):
    """A mail of blank lines and a thousand turns held the lines anew for each turn: 280 MB."""
    _anna, boris, game = pair
    boris.sign(game)
    (one,) = mail.survey(b"\n" * 200_000 + turn(boris, game, 1), "a mail").turns
    assert len(one.document.raw) < 10_000
