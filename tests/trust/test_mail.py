"""Turns in mails: whatever mail programs do, the same message comes out or none."""

import email.policy
import hashlib
import html
import mailbox
import quopri
import re
from email.mime.text import MIMEText

import pytest
from helpers import sweeps
from helpers.mails import WAYS, attached, cut, fits, letter, lines, noted, quoted, same, taken, wrapped
from helpers.signing_desk import SIGNERS, following, game, propose, signed

from kursk_pbem.errors import FileError
from kursk_pbem.formats.canonical import MAX_BYTES
from kursk_pbem.trust import mail, messages, sshsig


def refusal(raw, seq=None):
    with pytest.raises(FileError) as caught:
        mail.pick(raw, "mail.txt", seq)
    return str(caught.value)


# What mails do to a text (docs/formats.md 4.1)


def shown(turn):
    """A page that a browser has saved: each line an element, its blanks and quotation marks as entities."""
    held = (re.fullmatch("( *)(.*)", line).groups() for line in turn.decode().splitlines())
    told = "".join(f"<div>{'&nbsp;' * len(blanks)}{html.escape(rest)}</div>\n" for blanks, rest in held)
    return f"<html><body>\n{told}</body></html>\n".encode()


KEEP = {
    "CRLF": lambda t: t.replace(b"\n", b"\r\n"),
    "CR": lambda t: t.replace(b"\n", b"\r"),
    "trailing blanks": lambda t: t.replace(b"\n", b"   \n"),
    "doubled lines": lambda t: t.replace(b"\n", b"\n\n"),
    "indented": lambda t: lines(lambda line: b"    " + line, t),
    "indented by NBSP": lambda t: lines(lambda line: b"\xc2\xa0\xc2\xa0 " + line, t),
    "space-stuffed": lambda t: lines(lambda line: b" " + line if line[:1] in b" >F" else line, t),
    "final newline lost": lambda t: t.rstrip(b"\n"),
    "quoted": quoted,
    "quoted twice": lambda t: quoted(quoted(t)),
    "quoted >>": lambda t: quoted(t, b">> "),
    "quoted without blank": lambda t: quoted(t, b">"),
    "quoted and indented": lambda t: quoted(t, b"   > "),
    "quoted by bars": lambda t: quoted(t, b"| "),
    "quoted at mixed depths": lambda t: lines(
        lambda line: line.replace(b"> > ", b">> ") if b"a" in line else line, quoted(quoted(t))
    ),
    "quoted and stuffed": lambda t: quoted(lines(lambda line: b" " + line if line[:1] == b" " else line, t)),
    "text before": lambda t: b"Hello Anna,\n\nkursk-pbem: here it comes, kursk-pbem: '1'\n\n" + t,
    "text after": lambda t: t + b"-- \nBoris\n",
    "text right after": lambda t: t + b"Yours, Boris\nstate: of the art\n",
    "footer of a list": lambda t: t + b"_______________\nkursk mailing list\nhttps://lists.example/kursk: [off]\n",
    "all around": lambda t: b"Hello,\n\n" + quoted(t) + b"> -- \n> Boris\n\nThanks!\n-- \nAnna\n",
    "NBSP": lambda t: t.replace(b"  ", b"\xc2\xa0 "),
    "NBSP of Latin 1": lambda t: t.replace(b"  ", b" \xa0"),
    "NBSP of KOI8-R": lambda t: t.replace(b"  ", b"\x9a\x9a"),
    "byte order mark": lambda t: b"\xef\xbb\xbf" + t,
    "byte order mark, then quoted": lambda t: quoted(b"\xef\xbb\xbf" + t),
    "two byte order marks": lambda t: b"\xef\xbb\xbf\xef\xbb\xbf" + quoted(t),
    "UTF-16": lambda t: t.decode().encode("utf-16"),
    "UTF-16 of Windows": lambda t: t.replace(b"\n", b"\r\n").decode().encode("utf-16"),
    "UTF-16, five letters like a start": lambda t: (b"kursk-pbem: ".decode("utf-16-le") + "\n" + t.decode()).encode(
        "utf-16"
    ),
    "UTF-16, big end first": lambda t: t.decode().encode("utf-16-be"),
    "quoted draft before": lambda t: b"> kursk-pbem: '1'\n> type: turn\n> seq: '2'\n\n" + t,
    "draft before": lambda t: b"kursk-pbem: '1'\ntype: turn\nseq: '9'\n\n" + t,
    "page of HTML": lambda t: b"<html><pre>\n" + t + b"</pre></html>\n",
    "page of HTML, a line in each element": shown,
    "page of HTML in UTF-16": lambda t: shown(t).decode().encode("utf-16"),
}
WRAPS = {"at 78": lambda t: wrapped(t, 78), "at 72": lambda t: wrapped(t, 72), "cut at 76": lambda t: cut(t, 76)}
REFUSED_OR_SAME = {
    **WRAPS,
    "wrapped at 60": lambda t: wrapped(t, 60),
    "wrapped at 60, words whole": lambda t: wrapped(t, 60, break_long_words=False, break_on_hyphens=False),
    "cut at 70": lambda t: cut(t, 70),
    "leading blanks lost": lambda t: lines(lambda line: line.lstrip(b" "), t),
    "blanks joined": lambda t: t.replace(b"  ", b" "),
    "TABs": lambda t: t.replace(b"  ", b"\t"),
    "smart quotes": lambda t: t.replace(b"'", "\u2019".encode()),
    "em dashes": lambda t: t.replace(b"--", "\u2014".encode()),
    "lines joined": lambda t: t.replace(b"\n", b" "),
    "HTML": lambda t: t.replace(b"\n", b"<br>\n").replace(b"'", b"&#39;"),
    "half quoted": lambda t: t[:700] + quoted(t[700:]),
    "quoted mail that is cut off": lambda t: quoted(t)[:900],
}


@pytest.mark.parametrize("what", sweeps.some(KEEP, 3))
def test_what_mail_does_to_a_turn_is_undone(what, demo):
    for each in (*demo, noted()):
        changed = KEEP[what](each)
        assert changed != each
        found = taken(changed)
        assert found is not None
        assert found.id == messages.read(each, "turn").id
    if what not in ("space-stuffed", "quoted and stuffed"):  # a position is no more than a copy; there it may suffer
        assert same(changed, each)


@pytest.mark.parametrize("what", WRAPS)
def test_lines_as_we_write_them_are_not_wrapped_or_it_does_no_harm(what, demo):
    """All but those of keys and long notes keep to 72 columns."""
    for each in demo[1:]:
        assert same(b"Hi\n\n" + WRAPS[what](each), each)


@pytest.mark.parametrize("what", REFUSED_OR_SAME)
def test_what_cannot_be_undone_is_refused_and_never_another_message(what, demo, keys):
    assert REFUSED_OR_SAME[what](demo[0]) != demo[0]
    for each in demo:
        found = taken(REFUSED_OR_SAME[what](each))
        assert found is None or found.id == messages.read(each, "turn").id or not fits(found, keys)


def test_where_nothing_is_begun_nothing_is_found():
    for raw in (b"", b"Hello\n", b"kursk-pbem: when?\n", b"see kursk-pbem: '1'\n", bytes(range(256)) * 100):
        assert mail.pick(raw, "mail.txt") is None
        assert mail.extract(raw, "mail.txt") == []


# Mails as files

TEXTS = ["Moin, hier kommt er.\n\n", "Gr\xfc\xdfe aus K\xf6ln\n\n", "\u041f\u0440\u0438\u0432\u0435\u0442\n\n"]
CHARSETS = {"us-ascii": 0, "utf-8": 2, "iso-8859-1": 1, "windows-1252": 1, "koi8-r": 2, "utf-16": 2}


@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize("cte", WAYS)
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_turn_in_the_text_of_a_mail(turn, charset, cte, ends):
    policy = email.policy.default.clone(linesep=ends, cte_type="8bit")
    for each in (turn, noted()):
        text = TEXTS[CHARSETS[charset]] + each.decode("ascii") + "-- \nBoris\n"
        if cte == "7bit" and not text.isascii():
            text = each.decode("ascii")
        if charset == "utf-16" and cte != "base64":
            continue  # is not sent so
        raw = letter(text, charset, cte).as_bytes(policy=policy)
        assert same(raw, each)


@pytest.mark.parametrize("kind", ["application/octet-stream", "application/yaml", "text/plain", "text/x-yaml"])
@pytest.mark.parametrize("cte", ["base64", "quoted-printable", "7bit"])
def test_a_turn_as_an_attachment(turn, kind, cte):
    for each in (turn, noted()):
        assert same(attached(letter("Here it comes.\n"), each, kind, cte).as_bytes(), each)
        windows = each.replace(b"\n", b"\r\n")
        assert same(attached(letter("Gr\xfc\xdfe.\n", cte="base64"), windows, kind, cte).as_bytes(), each)


def test_a_turn_in_mails_in_mails(turn):
    raw = attached(letter("Here it comes.\n"), turn)
    for depth in range(4):
        outer = letter(f"Forwarded, {depth}\n")
        outer.add_attachment(raw)
        assert same(outer.as_bytes(), turn)
        raw = outer
    packed = letter("Saved and sent on.\n")
    packed.add_attachment(raw.as_bytes(), maintype="application", subtype="octet-stream", filename="mail.eml")
    assert same(packed.as_bytes(), turn)
    printable = quopri.encodestring(letter("Hi\n" + turn.decode(), cte="base64").as_bytes())
    assert same(b"Content-Transfer-Encoding: Quoted-Printable\n\n" + printable, turn)


def test_a_turn_with_its_picture_in_html(turn):
    made = letter("Hi\n\n" + turn.decode("ascii"))
    page = turn.decode("ascii").replace("'", "&#39;").replace("\n", "<br>\n")
    made.add_alternative(f"<p>Hi<p>{page}", subtype="html")
    assert same(made.as_bytes(), turn)
    old = MIMEText(turn.decode("ascii"), "plain", "utf-16")
    assert same(old.as_bytes(), turn)


def test_an_mbox(tmp_path, demo):
    box = mailbox.mbox(tmp_path / "mbox")
    for k, each in enumerate(demo):
        text = "From me: greetings\n\n" + each.decode("ascii") + "From here on nothing\n"
        box.add(letter(text, cte=WAYS[k % 4]) if k % 3 else attached(letter("attached\n"), each))
    box.close()
    raw = (tmp_path / "mbox").read_bytes()
    assert b"\n>From " in raw
    for k, each in enumerate(demo):
        assert taken(raw, k).id == messages.read(each, "turn").id
    assert [messages.read(each.raw, "turn").seq for each in mail.extract(raw, "mbox")] == list(range(8))


# Which one


def test_copies_of_one_turn_are_one(turn):
    text = "Hi\n\n" + turn.decode("ascii")
    raw = attached(attached(letter(text), turn), turn.replace(b"\n", b"\r\n")).as_bytes()
    assert same(raw + b"\n" + quoted(turn), turn)
    assert len(mail.extract(raw, "mail.txt")) == 1
    bare = turn[: turn.index(b"state:\n")]
    assert taken(bare + b"\n\n" + turn).id == messages.read(turn, "turn").id


@pytest.mark.parametrize(
    "damage",
    [
        (b"from: german", b"from: germ\xc3\xa4n"),
        (b"  ", b""),
        (b"state-in", b"state in"),
        (b"U1NIU0lHAAAAAQ", b"U1NIU0lHAAAABQ"),
        (b"-----END", b"----END"),
    ],
)
def test_a_spoilt_copy_beside_a_good_one_does_no_harm(turn, damage):
    spoilt = turn.replace(*damage)
    assert spoilt != turn
    for raw in (spoilt + b"\n\n" + quoted(turn), b"Hi\n" + quoted(turn) + b"\n" + spoilt):
        assert taken(raw).id == messages.read(turn, "turn").id
        assert len(mail.extract(raw, "mail.txt")) == 1


def test_different_turns_are_listed_and_one_can_be_chosen(demo):
    raw = b"Hi\n\n" + demo[5] + b"\nYou wrote:\n" + quoted(demo[4])
    said = refusal(raw)
    line = raw[: raw.index(b"> kursk-pbem")].count(b"\n") + 1
    assert re.search(r"message 5 of russian of game [0-9a-f]{16} \(line 3\), message 4 of german of game ", said)
    assert f"(line {line})" in said
    assert "--seq N" in said
    assert taken(raw, 4).id == messages.read(demo[4], "turn").id
    assert taken(raw, 5).id == messages.read(demo[5], "turn").id
    assert "no message 6 is in it; it holds message 5 of russian" in refusal(raw, 6)
    assert [messages.read(each.raw, "turn").seq for each in mail.extract(raw, "mail.txt")] == [5, 4]
    others = [each.replace(b"seq: '", b"seq: '1").replace(b"U1NIU0lHAAAAAQ", b"U1NIU0lHAAAABQ") for each in demo]
    assert "and more" in refusal(b"".join([*demo, *others]))


def test_two_versions_of_one_message_are_not_chosen_between():
    """Both signed: that is for the players to talk about."""
    one, other = (signed(following(game(3), note=note)) for note in ("one", "other"))
    raw = b"\n".join(messages.emit(each.content, each.armour).encode("ascii") for each in (one, other))
    said = refusal(raw)
    assert "message 3 in different versions (line 1, line " in said
    assert refusal(raw, 3) == said
    assert len(mail.extract(raw, "mail.txt")) == 2


def test_a_turn_inside_the_note_of_another_is_not_taken_for_it(turn):
    """The inner one is a quotation, whoever signed it; the outer one has been signed as it stands."""
    message = signed(following(game(3), note="kursk-pbem: '1'\n" + "word " * 13 + "\nkursk-pbem: '1' " + "word " * 60))
    text = messages.emit(message.content, message.armour).encode("ascii")
    spelled = text.replace(b"kursk-pbem: '1' ", b"\\\n  kursk-pbem: '1'\\\n  \\ ")
    assert taken(b"Hello\n\n" + text).id == message.id
    assert messages.read(spelled, "turn").id == message.id
    assert taken(b"Hello\n\n" + spelled + b"-- \nBoris\n").id == message.id


def test_drafts_and_remnants_are_told_apart(turn):
    draft = turn[: turn.index(b"signature:")]
    assert "mail.txt:3: the turn that begins here is cut off" in refusal(b"Hi\n\n" + draft)
    unsigned = draft[: draft.index(b"open:")]
    assert "mail.txt:3: the turn that begins here is not signed" in refusal(b"Hi\n\n" + unsigned)
    cut = turn[: turn.index(b"-----END")]
    assert "mail.txt:3: the turn that begins here is cut off" in refusal(b"Hi\n\n" + cut)
    fuzzy = re.sub(rb"(?<=BEGIN SSH SIGNATURE-----\n).*?(?=  -----END)", b"  AAAA\n", turn, flags=re.DOTALL)
    assert "mail.txt:3: the signature of the turn that begins here is damaged" in refusal(b"Hi\n\n" + fuzzy)


def test_lines_are_those_of_the_file_a_person_sees(turn):
    raw = b"Hi\n\n\n" + turn
    found = taken(raw)
    assert str(found.where("seq")) == f"mail.txt:{raw[: raw.index(b'seq: ')].count(chr(10).encode()) + 1}"
    broken = b"Hi\n\n" + quoted(turn.replace(b"seq: '4'", b"seq: 'four'"))
    got = mail.pick(broken, "mail.txt")
    assert not got.fits
    with pytest.raises(FileError, match=r"^mail\.txt:6: "):
        messages.read(got.raw, got.name)
    packed = attached(letter("Hi\n"), turn).as_bytes()
    line = packed[: packed.rindex(b"Content-Transfer-Encoding")].count(b"\n") + 1
    assert taken(packed).where().file == f"mail.txt (turn in the part at line {line})"
    far = b"\n" * MAX_BYTES + turn
    assert taken(far).where("seq").file == f"mail.txt (turn at line {MAX_BYTES + 1})"
    soft = letter("Gr\xfc\xdfe\n" * 3 + turn.decode("ascii"), "utf-8", "quoted-printable").as_bytes()
    assert f"{soft[: soft.index(b'kursk-pbem: ' + bytes([39]))].count(10) + 1}" in str(taken(soft).where())


def test_the_position_below_counts_as_far_as_it_is_whole(turn):
    wanted = messages.read(turn, "turn")
    assert taken(turn + b"\n\n  -- \n  Boris\n").id == wanted.id  # indented like the position, and no part of it
    torn = turn[: turn.index(b"  units:")] + b"  units: {\n"
    assert (taken(b"Hi\n" + torn).id, taken(b"Hi\n" + torn).state) == (wanted.id, None)


def test_of_several_copies_the_one_with_the_position_that_was_signed_counts(turn):
    """A quotation that was trimmed stood above the whole turn: 'the position is not the one that was signed'."""
    whole, bare = messages.read(turn, "turn"), turn[: turn.index(b"\nstate:") + 1]
    cut = turn[: turn.index(b"\n", turn.index(b"\nstate:") + 60) + 1]
    for above in (cut, bare, cut + b"\n" + bare):
        for raw in (b"Hi\n" + quoted(above) + b"\n\n" + turn, turn + b"\nYou wrote:\n" + quoted(above)):
            assert (taken(raw).id, taken(raw).state) == (whole.id, whole.state)
    assert taken(b"Hi\n" + quoted(cut) + b"\nHi\n" + bare).state is None


def test_a_stranger_s_signature_is_for_the_chain_to_refuse(turn, keys):
    """What comes out is whatever somebody signed; it claims no more than that."""
    content = dict(messages.read(turn, "turn").content)
    armour = SIGNERS["stranger"].sign(sshsig.NAMESPACE, messages.signed_bytes(content))
    forged = messages.emit(content, armour).encode("ascii")
    found = taken(b"Hi\n" + forged)
    assert not fits(found, keys)
    assert fits(taken(turn), keys)


def test_many_proposals_of_one_side_in_one_mailbox_are_all_there():
    """A director's mailbox holds a proposal of each board; a copy with another signature is still no second one."""
    wanted = [
        signed(propose(nonce=hashlib.sha256(b"%d" % number).hexdigest(), state_out=None, state=None))
        for number in range(20)
    ]
    texts = [messages.emit(each.content, each.armour).encode("ascii") for each in wanted]
    box = b"\n\n".join(texts + texts[:3])
    found = [messages.read(each.raw, "mbox").id for each in mail.extract(box, "mbox")]
    assert found == [each.id for each in wanted]
