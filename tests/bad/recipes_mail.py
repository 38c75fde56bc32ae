"""Mails without an acceptable turn (docs/formats.md 4.1), by mail programs or people."""

from __future__ import annotations

import base64
import re
import textwrap
from email.message import EmailMessage

from bad.bad_desk import Bad, Base
from bad.bad_text import Change

AT = "russian 4"


def remove_signature(turn: bytes) -> bytes:
    """Return the draft of a signed turn."""
    return re.sub(rb"(?m)^(commit|nonce|open|state-in|state-out):(\n  )?.*\n", b"", turn[: turn.index(b"signature:")])


def compose(text: str, cte: str = "7bit") -> EmailMessage:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "anna@example.org", "boris@example.org", "my turn"
    made.set_content(text, cte=cte)
    made.set_boundary("=====here=====")
    return made


def attach_turn(data: bytes, name: str = "0004.yaml", kind: str = "application/octet-stream") -> bytes:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "anna@example.org", "boris@example.org", "my turn"
    made.set_content("see below\n")
    main, _slash, sub = kind.partition("/")
    made.add_attachment(data, maintype=main, subtype=sub, filename=name)
    made.set_boundary("=====here=====")
    return made.as_bytes()


def wrap(change: Change, command: str = "inbox --report") -> Bad:
    """Return message 4 as mailed, without the position, wrapped by ``change``."""
    return Bad(command, AT, lambda base: change(base.text(4).encode("ascii")))


def write_inline(change: Change) -> Bad:
    """Return a changed message 4 below a greeting."""
    return wrap(lambda turn: b"Hello Boris,\n\n" + change(turn) + b"-- \nAnna\n")


def quote_turn(turn: bytes, mark: bytes = b"> ") -> bytes:
    return b"".join(mark + line for line in turn.splitlines(keepends=True))


def fold(turn: bytes, width: int) -> bytes:
    lines = (textwrap.wrap(line, width, drop_whitespace=False) for line in turn.decode("ascii").splitlines())
    return "".join("\n".join(each or [""]) + "\n" for each in lines).encode("ascii")


def join_turns(base: Base, *numbers: int) -> bytes:
    return b"Hello Boris,\n\n" + b"\n".join(base.text(number).encode("ascii") for number in numbers)


def two_versions(base: Base) -> bytes:
    one, other = ({**base.content(4), "note": note} for note in ("one", "other"))
    return f"{base.signed(one)}\n\nno, take this:\n\n{base.signed(other)}".encode("ascii")


def damage_turn(turn: bytes, number: int) -> bytes:
    return turn.replace(b"U1NIU0lHAAAAAQ", b"U1NIU0lHAA%04d" % number).replace(b"state-in", b"state in")


def _nest_mail(inner: bytes, times: int) -> bytes:
    for _ in range(times):
        inner = b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(inner)
    return inner


FILES: dict[str, Bad] = {
    "no-turn.eml": wrap(lambda _turn: compose("My turn comes tomorrow.\n").as_bytes()),
    "turn-in-the-subject.eml": wrap(
        lambda _turn: compose("see above\n").as_bytes().replace(b"my turn", b"kursk-pbem: '1' type: turn seq: '4'")
    ),
    "mention.txt": wrap(lambda _turn: b"Hello,\n\ndid you get the file that begins with kursk-pbem: '1'?\n"),
    "draft.txt": wrap(lambda turn: b"Hello,\n\n" + remove_signature(turn) + b"-- \nAnna\n"),
    "draft-quoted.txt": wrap(lambda turn: b"Hello,\n\n" + quote_turn(remove_signature(turn))),
    "cut-off.txt": write_inline(lambda turn: turn[: turn.index(b"-----END")]),
    "cut-off-in-the-middle.txt": write_inline(lambda turn: turn[:700]),
    "first-line-lost.txt": write_inline(lambda turn: turn.partition(b"\n")[2]),
    "first-line-changed.txt": write_inline(lambda turn: turn.replace(b"kursk-pbem: '1'", b"kursk pbem 1")),
    "signature-lost.txt": write_inline(
        lambda turn: re.sub(rb"(?s)(?<=BEGIN SSH SIGNATURE-----\n).*?(?=  -----END)", b"", turn)
    ),
    "signature-hidden.txt": write_inline(lambda turn: re.sub(rb"(?m)^  U1NI.*$", b"  [removed by the filter]", turn)),
    "end-mark-changed.txt": write_inline(lambda turn: turn.replace(b"-----END", b"- -----END")),
    "wrapped-at-60.txt": write_inline(lambda turn: fold(turn, 60)),
    "wrapped-at-40.txt": write_inline(lambda turn: fold(turn, 40)),
    "blanks-joined.txt": write_inline(lambda turn: re.sub(rb" +", b" ", turn)),
    "blanks-lost.txt": write_inline(
        lambda turn: b"".join(line.lstrip(b" ") for line in turn.splitlines(keepends=True))
    ),
    "lines-joined.txt": write_inline(lambda turn: turn.replace(b"\n", b" ") + b"\n"),
    "tabs.txt": write_inline(lambda turn: turn.replace(b"    ", b"\t")),
    "one-digit-changed.txt": write_inline(lambda turn: turn.replace(b"to: '2110'", b"to: '2109'")),
    "one-digit-changed-quoted.txt": wrap(lambda turn: quote_turn(turn.replace(b"to: '2110'", b"to: '2109'"))),
    "one-line-lost.txt": write_inline(lambda turn: turn.replace(b"seq: '4'\n", b"")),
    "one-line-doubled.txt": write_inline(lambda turn: turn.replace(b"seq: '4'\n", b"seq: '4'\nseq: '4'\n")),
    "half-quoted.txt": write_inline(lambda turn: turn[:700] + quote_turn(turn[700:])),
    "list-footer-inside.txt": write_inline(lambda turn: turn.replace(b"orders:", b"___\nkursk mailing list\norders:")),
    "rich-text.rtf": wrap(lambda turn: b"{\\rtf1\\ansi " + turn.replace(b"\n", b"\\par\n") + b"}"),
    "packed.zip": wrap(lambda turn: b"PK\x03\x04\x14\0\0\0\x08\0" + bytes(range(256)) + b"0004.yaml"),
    "zip-attached.eml": wrap(
        lambda turn: attach_turn(b"PK\x03\x04" + bytes(range(256)), "turn.zip", "application/zip")
    ),
    "winmail.eml": wrap(
        lambda turn: attach_turn(b"\x78\x9f\x3e\x22" + bytes(range(256)), "winmail.dat", "application/ms-tnef")
    ),
    "encrypted.eml": wrap(
        lambda turn: compose("-----BEGIN PGP MESSAGE-----\n\nhQEMA0b5\n-----END PGP MESSAGE-----\n").as_bytes()
    ),
    "attachment-cut-off.eml": wrap(lambda turn: attach_turn(turn)[:1100]),
    "attachment-damaged.eml": wrap(lambda turn: attach_turn(turn.replace(b"to: '2110'", b"to: '2109'"))),
    "attachment-of-a-draft.eml": wrap(lambda turn: attach_turn(remove_signature(turn))),
    "attachment-empty.eml": wrap(lambda _turn: attach_turn(b"")),
    "quoted-printable-broken.eml": wrap(
        lambda turn: (
            compose(turn.decode("ascii") * 1, "quoted-printable")
            .as_bytes()
            .replace(b"seq:", b"s=\neq")
            .replace(b"=\n", b"=")
        )
    ),
    "base64-broken.eml": wrap(lambda turn: b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(turn)[3:]),
    "utf-16-cut-off.txt": wrap(lambda turn: turn.decode("ascii").encode("utf-16")[:1500]),
    "not-that-number.txt": Bad("inbox --report FILE --seq 6", AT, lambda base: join_turns(base, 4, 2)),
    "another-number.yaml": Bad("inbox --report FILE --seq 6", AT, lambda base: base.text(4).encode("ascii")),
    "two-versions.txt": Bad("inbox --report", AT, two_versions),
    "two-versions-chosen.txt": Bad("inbox --report FILE --seq 4", AT, two_versions),
    "tab-in-a-field.txt": write_inline(lambda turn: turn.replace(b"from: german", b"from:\tgerman")),
    "mailed-with-a-seal.txt": Bad(
        "inbox --report",
        AT,
        lambda base: b"Hi\n\n" + base.signed({**base.content(4), "seal": {"plans/4": {}}}).encode("ascii"),
    ),
    "too-long-turn.txt": wrap(
        lambda turn: b"Hi\n\n" + turn.replace(b"orders:", b"note: >\n" + b"  words\n" * 50_000 + b"orders:")
    ),
    "too-many-beginnings.txt": wrap(lambda _turn: b"kursk-pbem: '1'\n" * 20_001),
    "too-many-damaged.txt": wrap(lambda turn: b"\n".join(damage_turn(turn, k) for k in range(200))),
    "too-many-parts.eml": wrap(lambda _turn: b"Content-Transfer-Encoding: base64\n" * 50_001),
    "too-big.mbox": wrap(lambda _turn: bytes(32 * 1024 * 1024 + 1)),
    "packed-too-deep.eml": wrap(lambda turn: _nest_mail(turn, 9)),
}
