"""Structures of mails, as a Dovecot gives them: which say that there may be a turn where no server has searched."""

import pytest
from imapclient.response_parser import parse_fetch_response

from kursk_pbem.post.envelope import Mail
from kursk_pbem.post.servers import structures

TEXT = b'("text" "plain" ("charset" "us-ascii") NIL NIL "7bit" 57 3 NIL NIL NIL NIL)'
EMPTY = b'("text" "plain" ("charset" "us-ascii") NIL NIL "7bit" 0 0 NIL NIL NIL NIL)'
NOBODY = b'NIL NIL ((NIL NIL "a" "b.c")) ((NIL NIL "a" "b.c")) ((NIL NIL "a" "b.c")) NIL NIL NIL NIL NIL'
NO_HEADER = b"NIL NIL NIL NIL NIL NIL NIL NIL NIL NIL"
OCTETS = b'("application" "octet-stream" NIL NIL NIL "7bit" 57 NIL NIL NIL NIL)'
MIXED = b' "mixed" ("boundary" "a") NIL NIL NIL)'


def named(*fields):
    said = b" ".join(b'"%b"' % field for field in fields)
    return b'("application" "octet-stream" (%b) NIL NIL "base64" 78 NIL NIL NIL NIL)' % said


def shown(disposition):
    return b'("application" "octet-stream" NIL NIL NIL "base64" 78 NIL %b NIL NIL)' % disposition


ODD = {
    "8bits": TEXT.replace(b"7bit", b"8bits"),
    "8-bit": TEXT.replace(b"7bit", b"8-bit"),
    "a character set in place of an encoding": TEXT.replace(b"7bit", b"utf-8"),
    "no encoding": TEXT.replace(b"7bit", b""),
    "text": TEXT.replace(b'"plain"', b'""'),
    "plain": b'("plain" "" NIL NIL NIL "7bit" 57 NIL NIL NIL NIL)',
    "text/plain charset=utf-8": b'("" "" NIL NIL NIL "7bit" 57 NIL NIL NIL NIL)',
    "no kind": b'(NIL NIL NIL NIL NIL "7bit" 57 NIL NIL NIL NIL)',
    "without a name": OCTETS,
    "0001.txt": named(b"name", b"0001.txt"),
    **{
        f"turn.{ending}": named(b"name", b"turn.%b" % ending.encode())
        for ending in ("txt", "dat", "bin", "json", "xml")
    },
    "a mail in a file": named(b"name", b"x.eml"),
    "a page in a file": named(b"name", b"x.mht"),
    "a mail in base64": b'("message" "rfc822" NIL NIL NIL "base64" 118 (%b) %b 3 NIL NIL NIL NIL)' % (NO_HEADER, EMPTY),
    "a mail without a header": b'("message" "rfc822" NIL NIL NIL "7bit" 59 (%b) %b 4 NIL NIL NIL NIL)'
    % (NO_HEADER, EMPTY),
    "a turn as a mail": b'("message" "rfc822" NIL NIL NIL "7bit" 59 (%b) %b 4 NIL NIL NIL NIL)' % (NOBODY, EMPTY),
    "text in a mail": b'("message" "rfc822" NIL NIL NIL "7bit" 92 (%b) %b 6 NIL NIL NIL NIL)'
    % (NOBODY, TEXT.replace(b'"plain"', b'""')),
    "a part of a mail": b'("message" "rfc822" NIL NIL NIL "7bit" 92 (%b) (%b%b%b 6 NIL NIL NIL NIL)'
    % (NOBODY, TEXT, OCTETS, MIXED),
    "another boundary": b"(" + EMPTY + MIXED,
    "no boundary": b"(" + EMPTY + b' "mixed" NIL NIL NIL NIL)',
    "folded": named(b"name", b"turn.ya ml"),
    "folded further on": named(b"name", b"turn.y aml"),
    "cut at a fold": named(b"name", b"=?utf-8?Q?turn.y?="),
    "no quotes": shown(b'("attachment" ("filename" "my"))'),
    "a quote that is not closed": shown(b"NIL"),
    "no semicolon": shown(b'("attachment" NIL)'),
    "no way to show it": shown(b'("filename" NIL)'),
    "yaml in a remark": named(b"name", b"turn"),
    "an ending that a program has made longer": named(b"name", b"turn.yaml1"),
    "a sign that is not seen": [
        (b'("application" "octet-stream" ("name" {12}', b"turn.\xe2\x80\x8byaml"),
        b') NIL NIL "base64" 78 NIL NIL NIL NIL)',
    ],
}
HTML = b'("text" "html" ("charset" "utf-8") NIL NIL "quoted-printable" 5 0 NIL NIL NIL NIL)'
LETTER = b"(" + TEXT + HTML + b' "alternative" ("boundary" "a") NIL NIL NIL)'
PDF = b'("application" "pdf" ("name" "r.pdf") NIL NIL "base64" 4 NIL NIL NIL NIL)'
DOCX = b'("application" "octet-stream" NIL NIL NIL "base64" 4 NIL ("attachment" ("filename" "r.docx")) NIL NIL)'
JPEG = b'("image" "jpeg" ("name" "IMG_0001.jpg") NIL NIL "base64" 4 NIL ("inline" ("filename" "IMG_0001.jpg")) NIL NIL)'
SIGNED = b'("application" "pgp-signature" NIL NIL NIL "7bit" 1 NIL NIL NIL NIL)'
ORDINARY = {
    "a text": TEXT,
    "a newsletter": LETTER,
    "photos alone": b"(" + EMPTY + JPEG * 3 + MIXED,
    "a photo without a name": b"(" + TEXT + b'("image" "jpeg" NIL NIL NIL "base64" 4 NIL NIL NIL NIL)' + MIXED,
    "a pdf": b"(" + LETTER + PDF + MIXED,
    "a pdf without an ending": b"(" + TEXT + PDF.replace(b"r.pdf", b"your bill") + MIXED,
    "a docx": b"(" + TEXT + DOCX + MIXED,
    "a docx with a coded name": b"(" + TEXT + DOCX.replace(b"r.docx", b"=?UTF-8?B?WsO8Z2UuZG9jeA==?=") + MIXED,
    "a docx with a long name": b"(" + TEXT + DOCX.replace(b'"filename"', b'"filename*0" "a" "filename*1"') + MIXED,
    "an archive": b"(" + TEXT + named(b"name", b"photos.tar.gz") + MIXED,
    "a text with a name": b"(" + TEXT.replace(b'"charset" "us-ascii"', b'"name" "notes.txt"') + MIXED,
    "a signed mail": b"(" + TEXT + SIGNED + b' "signed" ("protocol" "application/pgp-signature") NIL NIL NIL)',
    "an encrypted mail": b'("application" "pkcs7-mime" ("smime-type" "enveloped-data") NIL NIL "base64" 6 NIL NIL)',
    "an invitation": b"("
    + LETTER
    + b'("application" "ics" ("name" "invite.ics") NIL NIL "7bit" 2 NIL NIL NIL NIL)'
    + MIXED,
    "a mail passed on": b'(%b("message" "rfc822" NIL NIL NIL "7bit" 194 (%b) %b 14 NIL NIL NIL NIL)%b'
    % (TEXT, NOBODY, LETTER, MIXED),
    "capitals": TEXT.upper(),
    "no word of its encoding": TEXT.replace(b'"7bit"', b"NIL"),
}


def read(said):
    """A structure as the library gives it."""
    first, *more = said if isinstance(said, list) else [said]
    begun = b"1 (UID 1 BODYSTRUCTURE "
    first = (begun + first[0], first[1]) if more else begun + first
    *lines, last = [first, *more]
    return parse_fetch_response([*lines, last + b")"])[1][b"BODYSTRUCTURE"]


@pytest.mark.parametrize("said", ODD.values(), ids=ODD)
def test_T48_what_no_server_searches_may_be_a_turn(said):
    """Dovecot decodes no text of an encoding or a kind that it does not know, and nobody was told of the turn."""
    assert structures.may_hold(read(said))
    if isinstance(said, bytes):
        assert structures.may_hold(read(b"(" + TEXT + said + MIXED))


@pytest.mark.parametrize("said", ORDINARY.values(), ids=ORDINARY)
def test_ordinary_mails_are_not_fetched(said):
    assert not structures.may_hold(read(said))


def deep(levels):
    made = (b"text",)
    for _level in range(levels):
        made = ([made], b"mixed")
    return made


@pytest.mark.parametrize(
    "odd",
    [
        *((), [], 7, b"text", ((),), ([], b"mixed"), (None,), (b"text",), (1, 2, 3), ("text", "plain"), ([None], 7)),
        (b"message", b"rfc822", *[None] * 5, 3, ()),
        (b"application", b"x", (b"name",), 1, 2, 3, 4, ((), ()), (7, 7)),
    ],
)
def test_T49_whatever_is_given_for_a_structure_is_walked_through(odd):
    """One that is not understood may hold a turn."""
    assert structures.may_hold(odd)
    assert structures.may_hold(([odd, (b"text", b"plain", None, None, None, b"7bit", 1)], b"mixed"))


def test_T49_no_structure_is_too_deep_or_too_wide():
    assert len(list(structures._parts(deep(100_000)))) == 1
    wide = ([(b"text", b"plain", None, None, None, b"7bit", 1)] * 100_000, b"mixed")
    assert len(list(structures._parts(wide))) == 100_000
    assert structures.may_hold(None)  # a server did not say what it is made of


HEADERS = {
    "text": b"Content-Type: text",
    "no semicolon": b"Content-Type: text/plain charset=utf-8",
    "no kind": b"Content-Type:",
    "half a kind": b"Content-Type: text/; charset=utf-8",
    "in quotes": b'Content-Type: "text/plain"',
    "two kinds": b"Content-Type: text/plain\r\nContent-Type: application/octet-stream",
    "8bits": b"Content-Transfer-Encoding: 8bits",
    "8-bit": b"content-transfer-encoding: 8-bit",
    "utf-8": b"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: utf-8",
    "a kind in place of an encoding": b"Content-Transfer-Encoding: text/plain",
    "an encoding in quotes": b'Content-Transfer-Encoding: "7bit"',
    "no encoding": b"Content-Transfer-Encoding:",
    "two encodings": b"Content-Transfer-Encoding: 8bit, 7bit",
}
KNOWN = [
    b"Subject: hi",
    b"Content-Type: text/plain",
    b"Content-Type: TEXT/HTML; charset=utf-8\r\nContent-Transfer-Encoding: Quoted-Printable ",
    b'Content-Type: multipart/mixed;\r\n\tboundary="a"\r\nContent-Transfer-Encoding: 8BIT',
    b"Content-Type: application/pdf;name=a.pdf\r\nContent-Transfer-Encoding: base64",
]


@pytest.mark.parametrize("fields", HEADERS.values(), ids=HEADERS)
def test_T48_a_header_may_say_what_no_server_reads(fields):
    assert structures.hidden(Mail(b"From: a@b.c\r\n" + fields + b"\r\n\r\n", ""))


@pytest.mark.parametrize("fields", KNOWN)
def test_ordinary_headers_hide_nothing(fields):
    assert not structures.hidden(Mail(b"From: a@b.c\r\n" + fields + b"\r\n\r\n", ""))
