"""Mails without an acceptable turn (docs/formats.md 4.1), by mail programs or people."""

from __future__ import annotations

import base64
import re
import textwrap
from email.message import EmailMessage

from bad.bad_desk import Bad, Base
from bad.bad_text import Change

AT = "russian 4"


def unsigned(turn: bytes) -> bytes:
    """Return the draft of a signed turn."""
    return re.sub(rb"(?m)^(commit|nonce|open|state-in|state-out):(\n  )?.*\n", b"", turn[: turn.index(b"signature:")])


def letter(text: str, cte: str = "7bit") -> EmailMessage:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "anna@example.org", "boris@example.org", "my turn"
    made.set_content(text, cte=cte)
    made.set_boundary("=====here=====")
    return made


def attached(data: bytes, name: str = "0004.yaml", kind: str = "application/octet-stream") -> bytes:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "anna@example.org", "boris@example.org", "my turn"
    made.set_content("see below\n")
    main, _slash, sub = kind.partition("/")
    made.add_attachment(data, maintype=main, subtype=sub, filename=name)
    made.set_boundary("=====here=====")
    return made.as_bytes()


def around(change: Change, command: str = "inbox --report") -> Bad:
    """Return message 4 as mailed, without the position, wrapped by ``change``."""
    return Bad(command, AT, lambda base: change(base.text(4).encode("ascii")))


def inline(change: Change) -> Bad:
    """Return a changed message 4 below a greeting."""
    return around(lambda turn: b"Hello Boris,\n\n" + change(turn) + b"-- \nAnna\n")


def quoted(turn: bytes, mark: bytes = b"> ") -> bytes:
    return b"".join(mark + line for line in turn.splitlines(keepends=True))


def wrapped(turn: bytes, width: int) -> bytes:
    lines = (textwrap.wrap(line, width, drop_whitespace=False) for line in turn.decode("ascii").splitlines())
    return "".join("\n".join(each or [""]) + "\n" for each in lines).encode("ascii")


def both(base: Base, *numbers: int) -> bytes:
    return b"Hello Boris,\n\n" + b"\n".join(base.text(number).encode("ascii") for number in numbers)


def two_versions(base: Base) -> bytes:
    one, other = ({**base.content(4), "note": note} for note in ("one", "other"))
    return f"{base.signed(one)}\n\nno, take this:\n\n{base.signed(other)}".encode("ascii")


def damaged(turn: bytes, number: int) -> bytes:
    return turn.replace(b"U1NIU0lHAAAAAQ", b"U1NIU0lHAA%04d" % number).replace(b"state-in", b"state in")


def _nested(inner: bytes, times: int) -> bytes:
    for _ in range(times):
        inner = b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(inner)
    return inner


FILES: dict[str, Bad] = {
    "no-turn.eml": around(lambda _turn: letter("My turn comes tomorrow.\n").as_bytes()),
    "turn-in-the-subject.eml": around(
        lambda _turn: letter("see above\n").as_bytes().replace(b"my turn", b"kursk-pbem: '1' type: turn seq: '4'")
    ),
    "mention.txt": around(lambda _turn: b"Hello,\n\ndid you get the file that begins with kursk-pbem: '1'?\n"),
    "draft.txt": around(lambda turn: b"Hello,\n\n" + unsigned(turn) + b"-- \nAnna\n"),
    "draft-quoted.txt": around(lambda turn: b"Hello,\n\n" + quoted(unsigned(turn))),
    "cut-off.txt": inline(lambda turn: turn[: turn.index(b"-----END")]),
    "cut-off-in-the-middle.txt": inline(lambda turn: turn[:700]),
    "first-line-lost.txt": inline(lambda turn: turn.partition(b"\n")[2]),
    "first-line-changed.txt": inline(lambda turn: turn.replace(b"kursk-pbem: '1'", b"kursk pbem 1")),
    "signature-lost.txt": inline(
        lambda turn: re.sub(rb"(?s)(?<=BEGIN SSH SIGNATURE-----\n).*?(?=  -----END)", b"", turn)
    ),
    "signature-hidden.txt": inline(lambda turn: re.sub(rb"(?m)^  U1NI.*$", b"  [removed by the filter]", turn)),
    "end-mark-changed.txt": inline(lambda turn: turn.replace(b"-----END", b"- -----END")),
    "dashes-joined.txt": inline(lambda turn: turn.replace(b"-----", "\u2014\u2014-".encode())),
    "wrapped-at-60.txt": inline(lambda turn: wrapped(turn, 60)),
    "wrapped-at-40.txt": inline(lambda turn: wrapped(turn, 40)),
    "blanks-joined.txt": inline(lambda turn: re.sub(rb" +", b" ", turn)),
    "blanks-lost.txt": inline(lambda turn: b"".join(line.lstrip(b" ") for line in turn.splitlines(keepends=True))),
    "lines-joined.txt": inline(lambda turn: turn.replace(b"\n", b" ") + b"\n"),
    "tabs.txt": inline(lambda turn: turn.replace(b"    ", b"\t")),
    "smart-quotes.txt": inline(lambda turn: turn.replace(b"'", "\u2019".encode())),
    "one-digit-changed.txt": inline(lambda turn: turn.replace(b"to: '2110'", b"to: '2109'")),
    "one-digit-changed-quoted.txt": around(lambda turn: quoted(turn.replace(b"to: '2110'", b"to: '2109'"))),
    "one-line-lost.txt": inline(lambda turn: turn.replace(b"seq: '4'\n", b"")),
    "one-line-doubled.txt": inline(lambda turn: turn.replace(b"seq: '4'\n", b"seq: '4'\nseq: '4'\n")),
    "half-quoted.txt": inline(lambda turn: turn[:700] + quoted(turn[700:])),
    "list-footer-inside.txt": inline(lambda turn: turn.replace(b"orders:", b"___\nkursk mailing list\norders:")),
    "page.html": around(
        lambda turn: b"<html><body>" + turn.replace(b"\n", b"<br>\n").replace(b"'", b"&rsquo;") + b"</body></html>\n"
    ),
    "rich-text.rtf": around(lambda turn: b"{\\rtf1\\ansi " + turn.replace(b"\n", b"\\par\n") + b"}"),
    "packed.zip": around(lambda turn: b"PK\x03\x04\x14\0\0\0\x08\0" + bytes(range(256)) + b"0004.yaml"),
    "zip-attached.eml": around(lambda turn: attached(b"PK\x03\x04" + bytes(range(256)), "turn.zip", "application/zip")),
    "winmail.eml": around(
        lambda turn: attached(b"\x78\x9f\x3e\x22" + bytes(range(256)), "winmail.dat", "application/ms-tnef")
    ),
    "encrypted.eml": around(
        lambda turn: letter("-----BEGIN PGP MESSAGE-----\n\nhQEMA0b5\n-----END PGP MESSAGE-----\n").as_bytes()
    ),
    "attachment-cut-off.eml": around(lambda turn: attached(turn)[:1100]),
    "attachment-damaged.eml": around(lambda turn: attached(turn.replace(b"to: '2110'", b"to: '2109'"))),
    "attachment-of-a-draft.eml": around(lambda turn: attached(unsigned(turn))),
    "attachment-empty.eml": around(lambda _turn: attached(b"")),
    "quoted-printable-broken.eml": around(
        lambda turn: (
            letter(turn.decode("ascii") * 1, "quoted-printable")
            .as_bytes()
            .replace(b"seq:", b"s=\neq")
            .replace(b"=\n", b"=")
        )
    ),
    "base64-broken.eml": around(lambda turn: b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(turn)[3:]),
    "utf-16-cut-off.txt": around(lambda turn: turn.decode("ascii").encode("utf-16")[:1500]),
    "two-turns.txt": Bad("verify", AT, lambda base: both(base, 4, 2)),
    "three-turns.mbox": Bad(
        "verify",
        AT,
        lambda base: b"".join(b"From anna@example.org\n\n" + base.text(number).encode("ascii") for number in (4, 5, 6)),
    ),
    "not-that-number.txt": Bad("inbox --report FILE --seq 6", AT, lambda base: both(base, 4, 2)),
    "another-number.yaml": Bad("inbox --report FILE --seq 6", AT, lambda base: base.text(4).encode("ascii")),
    "two-versions.txt": Bad("inbox --report", AT, two_versions),
    "two-versions-chosen.txt": Bad("inbox --report FILE --seq 4", AT, two_versions),
    "tab-in-a-field.txt": inline(lambda turn: turn.replace(b"from: german", b"from:\tgerman")),
    "mailed-with-a-seal.txt": Bad(
        "inbox --report",
        AT,
        lambda base: b"Hi\n\n" + base.signed({**base.content(4), "seal": {"plans/4": {}}}).encode("ascii"),
    ),
    "too-long-turn.txt": around(
        lambda turn: b"Hi\n\n" + turn.replace(b"orders:", b"note: >\n" + b"  words\n" * 50_000 + b"orders:")
    ),
    "too-many-beginnings.txt": around(lambda _turn: b"kursk-pbem: '1'\n" * 20_001),
    "too-many-damaged.txt": around(lambda turn: b"\n".join(damaged(turn, k) for k in range(200))),
    "too-many-parts.eml": around(lambda _turn: b"Content-Transfer-Encoding: base64\n" * 50_001),
    "too-big.mbox": around(lambda _turn: bytes(32 * 1024 * 1024 + 1)),
    "packed-too-deep.eml": around(lambda turn: _nested(turn, 9)),
}
