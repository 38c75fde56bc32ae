"""What may be a turn and cannot be read: in a fresh mail of a player as in a reply, in any part and encoding of it."""

import base64
import gzip
from email import message_from_string
from email.message import EmailMessage
from email.policy import default

import pytest
from helpers.mailbags import WAYS as WAYS_BY_HAND
from helpers.mailbags import letter, taken, turn
from helpers.refereed_mail import ends_by_itself, hours, played_on, waits_for_a_reader
from helpers.returned import report

from kursk_pbem.post import sorting
from kursk_pbem.post.envelope import Mail
from kursk_pbem.trust import leftover

PICTURE = b"\xff\xd8\xff\xe0" + bytes(range(256)) * 1600
DETACHED = base64.b64decode("MIAGCSqGSIb3DQEHAqCAMIACAQExDzANBglghkgBZQMEAgEFADCABgkqhkiG9w0BBwEAAKCC")


def mailed(world, *files, subject="my turn", text="Mine.\n", how=None, **fields):
    """A fresh mail of the player, which names no game, with these files: (name, content)."""
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = world.boris.address, world.ref.address, subject
    for name, value in fields.items():
        made[name.replace("_", "-")] = value
    made.set_content(text, cte=how)
    for name, held in files:
        made.add_attachment(held, "application", "octet-stream", filename=name)
    world.office.put(made.as_bytes(), world.ref.address)
    return world.director.post()


PACKED = {
    "zip": ("turn.zip", b"PK\x03\x04\x14\0\0\0"),
    "winmail": ("winmail.dat", b"\x78\x9f\x3e\x22\0\1"),
    "gz": ("0003.yaml.gz", gzip.compress(b"kursk-pbem: '1'", mtime=0)),
    "docx": ("turn.docx", b"PK\x03\x04\x14\0\6\0"),
    "rtf": ("turn.txt", b"{\\rtf1\\ansi kursk-pbem}"),
    "without a name": ("a", b"7z\xbc\xaf\x27\x1c\0\4"),
    "empty": ("0003.yaml", b""),
    "empty, of another kind": ("0003.txt", b""),
    "taken away": ("0003.yaml", b"This file was removed.\n"),
}


@pytest.mark.parametrize("first", [(), (("a.jpg", PICTURE),)], ids=["alone", "behind a picture"])
@pytest.mark.parametrize("file", PACKED.values(), ids=PACKED)
def test_T48_what_is_not_opened_in_a_fresh_mail_of_a_player_is_told_and_ends_no_game(owed, file, first):
    """Only replies were looked at, and of those a quarter of a megabyte."""
    assert len(mailed(owed, *first, file).faults) == 1
    assert not ends_by_itself(owed)


@pytest.mark.parametrize("file", [("a.jpg", PICTURE), ("smime.p7s", DETACHED), ("a.txt", b"Hi.\n")])
def test_what_holds_no_turn_is_no_damage(owed, file):
    assert mailed(owed, file, text="Thank you!\n").faults == []
    assert waits_for_a_reader(owed)


@pytest.mark.parametrize("how", WAYS_BY_HAND)
@pytest.mark.parametrize("below", [False, True], ids=["alone", "a thread below"])
def test_a_turn_that_is_mailed_again_in_whatever_way_is_no_damage(owed, how, below):
    """The signature of one in a page was counted twice."""
    own, quoted = turn(owed.boris, owed.game, 3), turn(owed.anna, owed.game, 2)
    thread = b"\nYou wrote:\n" + b"".join(b"> " + line for line in quoted.splitlines(keepends=True))
    for _time in range(2):
        raw = letter(own, owed.boris.address, f"Re: [kursk {owed.game[:8]}]", how)
        owed.office.put(raw + (thread if below else b""), owed.ref.address)
        owed.time.passes(60)
        assert owed.director.post().faults == []


def test_what_a_stranger_packs_is_not_told(owed):
    owed.office.put(letter(b"PK\x03\x04\0", "spam@x.test").replace(b"turn.yaml", b"a.zip"), owed.ref.address)
    assert owed.director.post().faults == []


WITHOUT = {
    "its first line": lambda own: own.partition("\n")[2],
    "its first four lines": lambda own: "\n".join(own.split("\n")[4:]),
    "its marks": lambda own: own.replace("'1'", "\u20181\u2019"),
    "its case": lambda own: own.replace("kursk-pbem", "Kursk-pbem"),
}
WAYS = {
    "base64": lambda made, text: made.set_content(text, cte="base64"),
    "8bit": lambda made, text: made.set_content(text, cte="8bit"),
    "quoted-printable": lambda made, text: made.set_content(text, cte="quoted-printable"),
    "utf-16": lambda made, text: made.set_content(text.encode("utf-16"), "text", "plain"),
    "a page": lambda made, text: made.set_content(page(text), subtype="html", cte="base64"),
    "a page in 8bit": lambda made, text: made.set_content(page(text), subtype="html", cte="8bit"),
}


def page(text):
    return "<div>" + text.replace("'", "&#39;").replace("\n", "</div>\n<div>") + "</div>"


@pytest.mark.parametrize("changed", WITHOUT.values(), ids=WITHOUT)
@pytest.mark.parametrize("how", WAYS.values(), ids=WAYS)
def test_T48_a_turn_that_lost_its_beginning_is_told_however_it_is_encoded(owed, changed, how):
    """In base64, and in a page, only whole first lines were looked for."""
    made = EmailMessage()
    made["From"], made["Subject"] = "boris@new.test", "my turn"
    how(made, changed(turn(owed.boris, owed.game, 3).decode()))
    found = sorting.read([Mail(made.as_bytes(), "here")])
    assert len(found.faults) == 1


@pytest.mark.parametrize("said", ["auto-forwarded", "no (a person)", "auto-replied", "auto-replied (so (says) he)"])
def test_T48_a_program_that_sends_something_on_is_no_answer(owed, said):
    """Whatever it said of itself, nothing in its mail counted as damage."""
    answers = said.startswith("auto-replied")
    assert len(mailed(owed, PACKED["zip"], Auto_Submitted=said).faults) == (not answers)
    assert ends_by_itself(owed) == answers


def test_T48_a_turn_of_which_two_lines_are_left_above_a_quoted_one_is_told(owed):
    text = "kursk-pbem: '1'\ntype: turn\n\n" + turn(owed.anna, owed.game, 2).decode()
    assert len(mailed(owed, text=text).faults) == 1
    assert not ends_by_itself(owed)


def test_T48_a_mail_that_is_cut_off_is_told(owed):
    raw = letter(turn(owed.boris, owed.game, 3), owed.boris.address)
    owed.office.put(raw[: raw.index(b"turn.yaml")], owed.ref.address)
    assert len(owed.director.post().faults) == 1
    assert not ends_by_itself(owed)


RICH = "{\\rtf1\\ansi kursk-pbem: '1'\\par }"
FORMS = {
    "rich text": ("text/rtf", "7bit", RICH),
    "rich text in base64": ("text/rtf", "base64", base64.b64encode(RICH.encode()).decode()),
    "a piece of a mail": ('message/partial; id="a@b"; number=2; total=2', "7bit", "policy: x"),
    "base64 behind a remark": ("text/plain", "(x) base64", base64.b64encode(b"kursk-pbem: '1'").decode()),
    "an encoding of somebody's own": ("text/plain", "x-uuencode", "M:W5R"),
}


@pytest.mark.parametrize("kind", FORMS.values(), ids=FORMS)
def test_T48_a_mail_that_is_nothing_but_what_is_not_opened_is_told(owed, kind):
    """Rich text was looked for at the beginning of the header, and pieces and odd encodings nowhere."""
    raw = "From: boris@example.test\r\nSubject: my turn\r\nContent-Type: {}\r\n"
    raw = (raw + "Content-Transfer-Encoding: {}\r\n\r\n{}\r\n").format(*kind)
    owed.office.put(raw.encode(), owed.ref.address)
    (fault,) = owed.director.post().faults
    assert "ask for the turn" in str(fault) or "rich text is not read" in str(fault)
    assert not ends_by_itself(owed)


@pytest.mark.parametrize("how", ["7BIT", '"8bit"', "\r\n binary", "7-bit"])
def test_a_mail_in_a_usual_encoding_is_no_damage(how):
    raw = f"From: a@b.test\r\nContent-Transfer-Encoding: {how}\r\n\r\nHi {{\\rtf\r\n"
    assert not leftover.unopened(raw.encode(), "here")


KINDS = {
    "": 'mixed; boundary="b1"',
    "blanks around the sign": 'mixed; boundary = "b1"',
    "RFC 2231": "mixed; boundary*=us-ascii''b1",
    "RFC 2231, in pieces": 'mixed; boundary*0="b"; boundary*1="1"',
    "a letter marked": 'mixed; boundary="b\\1"',
    "a comment": 'mixed (x); boundary = "b1" (y)',
}
PART = "--b1\r\nContent-Type: text/plain\r\n\r\nHello\r\n"
INNER = '--b1\r\nContent-Type: multipart/mixed;\r\n boundary="i"\r\n\r\n--i\r\n\r\nHello\r\n'


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("body", ["", "In MIME format.\r\n", PART, INNER + "--i--\r\n"])
def test_T48_a_mail_of_parts_that_does_not_end_is_cut_off(kind, body):
    """It counted only once a part had begun, and where the boundary was written in the one usual way."""
    head = f"From: a@b.test\r\nContent-Type: multipart/{kind}\r\n\r\n"
    assert Mail(f"{head}{body}".encode(), "here").cut_off
    assert not Mail(f"{head}{body}--b1--\r\n".encode(), "here").cut_off


@pytest.mark.parametrize("begun", [False, True])
def test_T48_a_part_of_parts_that_began_and_does_not_end_is_cut_off(begun):
    head = "From: a@b.test\r\nContent-Type: multipart/mixed; boundary=b1\r\n\r\n"
    raw = f"{head}{INNER if begun else INNER.partition('--i')[0]}--b1--\r\n"
    assert Mail(raw.encode(), "here").cut_off == begun


def test_T48_a_mail_of_which_the_header_alone_arrived_is_told(owed):
    """Nobody was told, and the game ended."""
    head = b'From: boris@example.test\r\nSubject: my turn\r\nContent-Type: multipart/mixed; boundary="b1"\r\n\r\n'
    owed.office.put(head, owed.ref.address)
    assert len(owed.director.post().faults) == 1
    assert not ends_by_itself(owed)


def test_what_a_mail_calls_its_boundary_stops_nothing():
    for said in ('multipart/x; b\udc80="\\\u20ac', "multipart/x; boundary*0*=a'b", "multipart/" + ";boundary*=" * 400):
        assert Mail(f"Content-Type: {said}\r\n\r\n".encode("utf-8", "replace"), "here").cut_off in (True, False)


def test_T49_no_number_of_strangers_hides_the_damaged_mail_of_a_player(owed):
    for number in range(30):
        raw = turn(owed.boris, owed.game, 3).replace(owed.game.encode(), b"%064x" % number).partition(b"signature:")[0]
        owed.office.put(letter(raw, f"x{number}@evil.test"), owed.ref.address)
    owed.time.passes(60)
    day = mailed(owed, PACKED["zip"])
    assert "boris@example.test" in str(day.faults[0])
    assert (len(day.faults), day.more) == (20, 11)


def test_T27_a_sender_of_thousands_is_none(owed):
    """To read a group of them costs the square of its length."""
    assert Mail(b"From: a:" + b"b>" * 30_000 + b"\r\n\r\n", "here").sender == ""


def test_a_page_in_utf_16_is_text():
    page_ = "<p>Hello</p>".encode("utf-16")
    assert not leftover.unopened(page_, "here")


def test_T48_what_is_not_opened_in_a_mail_that_a_server_returned_ends_no_game(owed):
    """It was looked for, but not where the report names a letter of this desk, which that mail had answered."""
    world = owed
    hours(world, 3 * 24, step=12)
    mid = (
        next(raw for to, raw in world.words() if to == world.boris.address).partition("Message-ID: ")[2].split("\r")[0]
    )
    mine = EmailMessage()
    mine["From"], mine["To"], mine["References"] = world.boris.address, world.ref.address, mid
    mine.set_content("My turn is in the archive.\n")
    for name, held in (("0001.yaml", turn(world.boris, world.game, 1)), PACKED["zip"]):
        mine.add_attachment(held, "application", "octet-stream", filename=name)
    raw = report(mid, world.ref.address).replace(b"text/rfc822-headers", b"message/rfc822")
    quoted = b"Message-ID: " + mid.encode()
    world.office.put(raw.replace(quoted, mine.as_bytes().replace(b"\n", b"\r\n")), world.ref.address)
    world.director.post()
    assert not ends_by_itself(world)


@pytest.mark.parametrize("file", ["zip", "winmail"])
def test_what_a_gateway_packs_of_an_answer_of_a_mailbox_is_told(world, file):
    """An answer to REPORT holds what was signed; whoever asked for it heard nothing of what was packed."""
    played_on(world)
    world.office.mails.clear()
    world.asks("REPORT 2")
    ((_reader, raw),) = world.words()
    anna = world.member["anna"]
    made = message_from_string(raw, policy=default)
    assert (made["Auto-Submitted"], len(list(made.iter_attachments()))) == ("auto-replied", 2)
    world.office.put(made.as_bytes(), world.anna.address)
    assert not anna.post().faults
    made.set_payload([part for part in made.iter_parts() if not part.is_attachment()])
    world.office.put(made.as_bytes(), world.anna.address)
    assert not anna.post().faults
    made.add_attachment(PACKED[file][1], "application", "octet-stream", filename=PACKED[file][0])
    world.office.put(made.as_bytes(), world.anna.address)
    (fault,) = anna.post().faults
    assert "is not opened" in str(fault)


@pytest.mark.parametrize(("subject", "told"), [("a holiday", 0), ("Re: [kursk 1a2b3c4d] my turn", 1)])
@pytest.mark.parametrize("file", [PACKED["zip"], PACKED["taken away"], ("rules.pdf", b"%PDF-1.7\xe2\0")])
def test_2_12_a_players_desk_names_what_is_not_opened_where_a_mail_says_that_it_is_about_a_game(
    pair, tmp_path, file, subject, told
):
    """Any mail of an opponent was said to be looked through for that; it would tell of each PDF of a friend."""
    anna, boris, _game = pair
    made = EmailMessage()
    made["From"], made["Subject"] = boris.address, subject
    made.set_content("See there.\n")
    made.add_attachment(file[1], "application", "octet-stream", filename=file[0])
    (tmp_path / "mail.eml").write_bytes(made.as_bytes())
    assert len(taken(anna, tmp_path / "mail.eml").faults) == told
