"""Letters changed by mail programs and gateways: taken, refused with a plain answer, or ignored.

tests/post/test_things.py has more forms of a turn, each in five wrappings.
"""

import base64
import html
import re
from email import policy
from email.message import MIMEPart
from email.mime.text import MIMEText

import pytest
from helpers.mails import attached, letter, quote

from kursk_pbem.post.mailbox.envelope import Mail
from kursk_pbem.post.round.reading import read_contents
from kursk_pbem.trust import messages

TAKEN, REFUSED, IGNORED = "taken", "refused", "ignored"
NAME = "kursk-12345678-0004.yaml"
TALK = "Here it comes.\n"
FOOTER = "_______________\nkursk mailing list\nhttps://lists.example/kursk\n"
NOTICE = "The attachment was removed by the virus filter.\n"


def text(raw, **how):
    return words(TALK + "\n" + raw.decode() + "-- \nBoris\n", **how)


def words(said, *how, **more):
    return letter(said, *how, **more).as_bytes()


def by_hand(raw, *fields):
    """Return a mail with these fields and this body, byte for byte."""
    head = ["From: boris@example.org", "Subject: my turn", "MIME-Version: 1.0", *fields]
    return "\n".join(head).encode() + b"\n\n" + raw


def flowed(raw, *, delsp=False):
    """Wrap at 66 columns as Thunderbird does (RFC 3676)."""
    made = []
    for line in raw.decode().splitlines():
        stuffed = " " + line if line.startswith((" ", ">", "From ")) else line
        while len(stuffed) > 66:
            at = 60 if delsp else stuffed.rfind(" ", 1, 66) + 1
            if at <= 1 or not stuffed[:at].strip():
                break
            rest = stuffed[at:]
            made.append(stuffed[:at] + (" " if delsp else ""))
            stuffed = " " + rest if rest.startswith((" ", ">", "From ")) else rest
        made.append(stuffed)
    kind = "Content-Type: text/plain; charset=utf-8; format=flowed" + ("; delsp=yes" if delsp else "")
    return by_hand("\n".join(made).encode() + b"\n", kind)


def with_file(data, name, kind="application/octet-stream"):
    return attached(letter(TALK), data, kind, name=name).as_bytes()


def page(raw, *changes):
    said = html.escape(raw.decode())
    for old, new in changes:
        said = said.replace(old, new)
    return in_parts("mixed", part(f"<html><body><p>Hi</p>{said}</body></html>", "text/html"))


def part(raw, kind="text/plain", name="", cte="7bit"):
    made = MIMEPart()
    made["Content-Type"], made["Content-Transfer-Encoding"] = kind, cte
    if name:
        made["Content-Disposition"] = f'attachment; filename="{name}"'
    made.set_payload(raw if isinstance(raw, str) else raw.decode("latin-1"))
    return made


def in_parts(kind, *parts, **said):
    made = MIMEPart(policy=policy.default)
    made["From"], made["Subject"] = "boris@example.org", "my turn"
    made["Content-Type"] = f"multipart/{kind}; " + "; ".join(f'{key}="{value}"' for key, value in said.items())
    for each in parts:
        made.attach(each)
    return made.as_bytes()


def with_header(made, name, value):
    del made[name]
    made[name] = value
    return made.as_bytes()


MANGLINGS = [
    (
        "attached, quoted-printable",
        lambda t: attached(letter(TALK), t, "text/plain", "quoted-printable").as_bytes(),
        TAKEN,
    ),
    ("attached, 7bit", lambda t: attached(letter(TALK), t, "text/x-yaml", "7bit").as_bytes(), TAKEN),
    ("attached, renamed", lambda t: with_file(t, "turn.txt"), TAKEN),
    ("attached as a picture", lambda t: with_file(t, "turn.png", "image/png"), TAKEN),
    ("attached without a name", lambda t: in_parts("mixed", part(TALK), part(t, "application/octet-stream")), TAKEN),
    ("attached, name in pieces (RFC 2231)", lambda t: with_file(t, "k\u00f6nig-" + NAME), TAKEN),
    ("attached twice", lambda t: attached(attached(letter(TALK), t), t, name="copy.yaml").as_bytes(), TAKEN),
    ("attached and in the text", lambda t: attached(letter(TALK + "\n" + t.decode()), t).as_bytes(), TAKEN),
    ("attached in UTF-16 without a mark", lambda t: with_file(t.decode().encode("utf-16-be"), NAME), TAKEN),
    (
        "attached, end of the parts lost",
        lambda t: in_parts("mixed", part(TALK), part(t, "text/plain", NAME), boundary="b").partition(b"\n--b--")[0],
        TAKEN,
    ),
    ("text, 7bit", lambda t: text(t, cte="7bit"), TAKEN),
    ("text, quoted-printable", text, TAKEN),
    ("text, base64", lambda t: text(t, cte="base64"), TAKEN),
    ("text, ISO-8859-1", lambda t: words("Gr\u00fc\u00dfe\n\n" + t.decode(), "iso-8859-1"), TAKEN),
    ("text, UTF-16", lambda t: MIMEText(t.decode(), "plain", "utf-16").as_bytes(), TAKEN),
    ("text, CRLF", lambda t: text(t).replace(b"\n", b"\r\n"), TAKEN),
    ("text, CR", lambda t: by_hand(t).replace(b"\n", b"\r"), TAKEN),
    ("text, a blank behind each line", lambda t: by_hand(t.replace(b"\n", b" \n")), TAKEN),
    ("text saved without its header", lambda t: b"Hi Anna,\n\n" + t, TAKEN),
    ("footer of a list", lambda t: words(t.decode() + FOOTER), TAKEN),
    ("disclaimer appended", lambda t: with_file(t, NAME) + b"\nThis mail is confidential.\n", TAKEN),
    ("warning above the text", lambda t: words("CAUTION: external sender\n\n" + t.decode()), TAKEN),
    ("format=flowed, delsp", lambda t: flowed(t, delsp=True), TAKEN),
    ("HTML, a div for each line", lambda t: page(t, ("  ", "&nbsp; "), ("\n", "</div>\n<div>")), TAKEN),
    ("HTML, <br> and hard blanks", lambda t: page(t, ("  ", "&nbsp; "), ("\n", "<br>\n")), TAKEN),
    ("HTML, <pre>", lambda t: page(b"PRE" + t + b"/PRE", ("/PRE", "</pre>"), ("PRE", "<pre>")), TAKEN),
    (
        "text beside HTML",
        lambda t: in_parts("alternative", part(t), part("<p>" + t.decode().replace("\n", " "), "text/html")),
        TAKEN,
    ),
    ("forwarded inline", lambda t: words("---- Forwarded ----\nFrom: Boris\n\n" + t.decode()), TAKEN),
    ("saved mail attached as a file", lambda t: with_file(text(t), "mail.eml"), TAKEN),
    ("a new turn above a broken quotation", lambda t: words(t.decode() + "\n" + quote(t[:900]).decode()), TAKEN),
    (
        "PGP/MIME, signed",
        lambda t: in_parts(
            "signed", part(t), part("iQEz", "application/pgp-signature"), protocol="application/pgp-signature"
        ),
        TAKEN,
    ),
    (
        "S/MIME, signed",
        lambda t: in_parts(
            "signed",
            part(t),
            part(base64.encodebytes(b"0\x80\x06").decode(), "application/pkcs7-signature", "smime.p7s", "base64"),
        ),
        TAKEN,
    ),
    ("quoted with > and no blank", lambda t: text(quote(t, b">")), TAKEN),
    ("base64 in the text", lambda t: words(TALK + "\n" + base64.encodebytes(t).decode()), TAKEN),
    ("attachment replaced by a link", lambda t: words(f"{TALK}\nhttps://drive.example/x/{NAME}\n"), IGNORED),
    ("attachment of 0 bytes", lambda t: with_file(b"", NAME), IGNORED),
    ("draft instead of a turn", lambda t: text(b"kursk-pbem: '1'\ntype: turn\nseq: '4'\n"), REFUSED),
    ("one letter changed", lambda t: with_file(t.replace(b"seq: '4'", b"seq: '6'"), NAME), REFUSED),
    (
        "answer of a program, quoting a part",
        lambda t: with_header(letter("I am away.\n\n" + quote(t[:900]).decode()), "Auto-Submitted", "auto-replied"),
        IGNORED,
    ),
    ("attachment removed without a trace", lambda t: words(NOTICE), IGNORED),
]


@pytest.mark.parametrize(("what", "how", "outcome"), MANGLINGS, ids=[what for what, _how, _outcome in MANGLINGS])
def test_4_1_mangled_letter_is_taken_refused_or_ignored(what, how, outcome, turn):
    wanted, contents = messages.read_message(turn, "turn"), read_contents(Mail(how(turn), "INBOX 7"), events=False)
    found = [piece.turn for piece in contents.pieces]
    assert all((one.id, one.armour) == (wanted.id, wanted.armour) for one in found)
    said = [str(fault) for fault in contents.faults]
    assert outcome == (REFUSED if said else TAKEN if found else IGNORED), said
    if outcome == REFUSED:
        (one,) = said
        assert re.fullmatch(r"INBOX 7: the mail from '.*', subject '.*': .*: ask for it again, as an attachment", one)
    if outcome == TAKEN:
        assert [one.state for one in found] == [wanted.state]
