"""Target ``mail``: turns in mails, mboxes and text, written by Python's mail package and then spoiled.

The result must be unreadable, or equal to a turn of the input, or not signed by a player's key.
"""

from __future__ import annotations

import base64
import binascii
import email.policy
import quopri
import random
from collections.abc import Callable
from email.message import EmailMessage

from fuzz_corpus import SPECIAL, UNITS, read_all, spoil_bytes
from fuzzing import Watch, Wrong, check_refusal

from kursk_pbem.errors import FileError, TrustError
from kursk_pbem.game import inbox
from kursk_pbem.trust import messages, reader, sshsig
from kursk_pbem.trust.messages import Message

NAME = "mail.eml"
HUGE = 0.004
"""The share of mails near the size limit."""
CHARSETS = (
    "utf-8",
    "us-ascii",
    "iso-8859-1",
    "iso-8859-5",
    "windows-1251",
    "koi8-r",
    "utf-16",
    "utf-16-le",
    "utf-16-be",
    "utf-32",
    "utf-7",
    "iso-2022-jp",
    "big5",
    "gb18030",
    "shift_jis",
    "cp037",
    "x-unknown",
    "",
)
ENCODINGS = (
    "7bit",
    "8bit",
    "binary",
    "quoted-printable",
    "base64",
    "BASE64",
    "Quoted-Printable",
    "x-uuencode",
    "x-none",
    '"base64"',
    "base64 (a comment)",
    "",
)
TYPES = (
    "text/plain",
    "text/html",
    "text/x-yaml",
    "application/octet-stream",
    "application/x-yaml",
    "message/rfc822",
    "multipart/mixed",
    "multipart/alternative",
    "message/partial",
    "message/external-body",
    "application/ms-tnef",
    "application/zip",
    "nothing",
    "",
)
TALK = "Hello Anna,\n\nhere is my turn = 2 + 2.\n>From here on\n-- \nBoris \u041f\u0440\u0438 \xa0 \u2026\n"
TOKENS = (
    *SPECIAL,
    b"From x Mon Jan  1 00:00:00 2026\n",
    b">From ",
    b"--b\n",
    b"--b--\n",
    b"\n\n",
    b"\r\n\r\n",
    b"Content-Type: multipart/mixed; boundary=b\n",
    b'Content-Type: multipart/mixed; boundary="' + b"x" * 300 + b'"\n',
    b"Content-Transfer-Encoding: base64\n\n",
    b"Content-Transfer-Encoding: quoted-printable\n\n",
    b"=\r\n",
    b"=0A",
    b"=",
    b"Content-Transfer-Encoding:\n base64\n\n",
    b"Content-Type: message/rfc822\n\n",
    b"begin 644 0004.yaml\n",
    b"\nend\n",
    b"X: " + b"y" * 5000 + b"\n",
    b"Subject: =?utf-8?B?a3Vyc2s=?=\n",
    b"> > ",
    b"| ",
    b"\xc2\xa0",
    b"\x9a",
    b"\xff\xfe",
    b"kursk-pbem: '1'\n",
    b"> kursk-pbem: 1\n",
    "kursk-pbem: 1\n".encode("utf-16-le"),
    base64.encodebytes(b"kursk-pbem: 1"),
    b"-----BEGIN SSH SIGNATURE-----\nU1NIU0lH\n-----END SSH SIGNATURE-----\n",
    b"<a href=http://example.org/x.yaml>\n",
    b"Content-Location: http://example.org/0004.yaml\n",
    b"Content-Disposition: attachment; filename=../../x.yaml\n",
)


class Mail:
    """Mails with a turn, with several turns or without."""

    name, suffix = "mail", ".eml"

    def __init__(self, more: list[bytes] | None = None, most: int = 24, ruleset: str = "*", huge: float = HUGE) -> None:
        self.huge = huge
        found = [*(more or []), *read_all(f"games/{ruleset}/*/*.yaml", most)]
        self.turns = [each for each in found if _read_message(each) is not None]
        self.known = {each.id for raw in self.turns if (each := _read_message(raw))}
        heads = [each for raw in read_all(f"games/{ruleset}/*/0000.yaml") + self.turns if (each := _read_message(raw))]
        self.keys = {str(key) for head in heads for key in head.mapping("keys").values()}

    def make(self, rng: random.Random) -> bytes:
        raw = b"".join(self.make_letter(rng) for _ in range(rng.choice((1, 1, 1, 1, 2, 5))))
        if rng.random() < 0.7:
            raw = spoil_bytes(rng, raw, self.turns, TOKENS)
        if rng.random() < self.huge:
            raw = self.enlarge_mail(rng, raw)
        return raw

    def make_letter(self, rng: random.Random) -> bytes:
        """Write a mail by a random method."""
        turn = rng.choice(self.turns)
        if rng.random() < 0.3:
            turn = spoil_bytes(rng, turn, self.turns, TOKENS)
        way: Callable[[random.Random, bytes], bytes] = rng.choice(
            (self.build_mail, self.build_mail, self.write_by_hand, self.write_plain)
        )
        return way(rng, turn)

    def write_plain(self, rng: random.Random, turn: bytes) -> bytes:
        """Write a turn in the middle of text, perhaps quoted."""
        mark = rng.choice((b"", b"> ", b">", b">> ", b"> > ", b"| ", b"    ", b"\xc2\xa0", b">" * 150))
        lines = [mark + line for line in turn.split(b"\n")]
        text = TALK.encode("utf-8") * rng.randrange(3) + b"\n".join(lines) + b"\n" + TALK.encode("utf-8")
        text = rng.choice((lambda t: t, quopri.encodestring, lambda t: t.replace(b"\n", b"\r\n"), _make_softener(rng)))(
            text
        )
        head = b"From b Mon Jan  1 00:00:00 2026\nSubject: 4\nContent-Transfer-Encoding: quoted-printable\n\n"
        return rng.choice((b"", head)) + text + b"\n"

    def write_by_hand(self, rng: random.Random, turn: bytes) -> bytes:
        """Write wrong headers: random types, encodings, charsets and boundaries, nested."""
        body = _encode_part(rng, turn)
        for _ in range(rng.choice((0, 1, 1, 2, 9, 60))):
            bound = rng.choice((b"b", b"b b", b"=_x", b"b" * 80, b""))
            kind, coding = rng.choice(TYPES).encode(), rng.choice(ENCODINGS).encode()
            head = b'Content-Type: %s; charset=%s; boundary="%s"\n' % (kind, rng.choice(CHARSETS).encode(), bound)
            head += b"Content-Transfer-Encoding: %s\n" % coding if coding else b""
            end = rng.choice((b"--%s--\n" % bound, b"--%s\n" % bound, b"--other--\n", b""))
            body = head + b"\n--" + bound + b"\n" + rng.choice((head, b"")) + b"\n" + body + b"\n" + end
            if rng.random() < 0.1 and len(body) < 400_000:
                body = b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(body)
        return b"From: x\nMIME-Version: 1.0\n" + body

    def build_mail(self, rng: random.Random, turn: bytes) -> bytes:
        """Write a mail with the email package."""
        made = EmailMessage()
        made["From"], made["Subject"] = "Boris <boris@example.org>", "kursk-pbem: '1'"
        charset = rng.choice(CHARSETS[:10])
        text = turn.decode("utf-8", "replace") if rng.random() < 0.6 else TALK
        try:
            made.set_content(text, charset=charset, cte=rng.choice(("quoted-printable", "base64", "8bit")))
        except (ValueError, LookupError, UnicodeError):
            made.set_content(ascii(text), cte="quoted-printable")
        for _ in range(rng.randrange(3)):
            main, _, sub = rng.choice(TYPES[2:5]).partition("/")
            coding = rng.choice(("base64", "quoted-printable"))
            made.add_attachment(turn, maintype="application", subtype=sub or main, cte=coding, filename="0004.yaml")
        for _ in range(rng.choice((0, 0, 0, 1, 3, 9))):
            outer = EmailMessage()
            outer.set_content("forwarded")
            outer.add_attachment(made)
            made = outer
        for part in made.walk():
            if part.get_content_maintype() == "multipart":
                part.set_boundary(f"=={rng.randrange(10**9)}==")  # the default boundary is not from this seed
        raw = made.as_bytes(policy=email.policy.default.clone(cte_type="8bit", linesep=rng.choice(("\n", "\r\n"))))
        return raw + b"\n" if rng.random() < 0.7 else b"From b Mon Jan  1 00:00:00 2026\n" + raw + b"\n"

    def enlarge_mail(self, rng: random.Random, raw: bytes) -> bytes:
        """Fill a mail with copies of a piece up to about the size limit."""
        unit = rng.choice((rng.choice(TOKENS), rng.choice(UNITS), raw, rng.choice(TOKENS) + rng.choice(UNITS)))
        size = rng.choice((reader.MAX_THING, reader.MAX_THING, 3_000_000)) - len(raw) + rng.randrange(-2, 3)
        at = rng.randrange(len(raw) + 1)
        return raw[:at] + unit * max(0, size // len(unit)) + raw[at:]

    def judge(self, raw: bytes, watch: Watch) -> str:
        words = ""
        for step, read in (("survey", self.survey_turns), ("inbox.read", lambda raw: [inbox.read(raw, NAME)])):
            try:
                with watch.watch_step(step):
                    turns = read(raw)
            except FileError as error:
                words = words or check_refusal(error, NAME)
                continue
            words = words or ("a turn" if turns else "no turn")
            for turn in turns:
                self.check_signer(turn)
        return words

    @staticmethod
    def survey_turns(raw: bytes) -> list[Message]:
        survey = reader.read_thing(raw, NAME)
        for fault in survey.faults:
            check_refusal(fault, NAME)
        return [turn for turn in survey.turns if isinstance(turn, Message)]

    def check_signer(self, message: Message) -> None:
        """Raise Wrong if a foreign message seems to be signed by a player."""
        if message.id in self.known:
            return
        for key in sorted(self.keys):
            try:
                sshsig.verify(key, sshsig.NAMESPACE, message.signed, message.armour or "")
            except TrustError:
                continue
            raise Wrong(f"a message that nobody has signed fits the key {key}: {message.id}")


def _encode_part(rng: random.Random, turn: bytes) -> bytes:
    """Encode a turn as a part. The header usually names the right encoding."""
    charset = rng.choice(CHARSETS)
    try:
        text = turn.decode("utf-8", "replace").encode(charset or "utf-8")
    except (LookupError, UnicodeError):
        text = turn
    codings: dict[str, Callable[[bytes], bytes]] = {
        "base64": base64.encodebytes,
        "quoted-printable": quopri.encodestring,
        "x-uuencode": _encode_uu,
        "7bit": lambda body: body,
        "base64 with rubbish": lambda body: _insert_rubbish(rng, base64.encodebytes(body)),
        "base64 in one line": base64.b64encode,
        "quoted-printable everywhere": _make_softener(rng),
    }
    coding = rng.choice(list(codings))
    said = coding.split()[0] if rng.random() < 0.9 else rng.choice(ENCODINGS)
    head = f"Content-Type: {rng.choice(TYPES)}; charset={charset}\nContent-Transfer-Encoding: {said}\n\n"
    return head.encode("ascii") + codings[coding](text)


def _encode_uu(body: bytes) -> bytes:
    lines = [binascii.b2a_uu(body[at : at + 45]) for at in range(0, len(body), 45)]
    return b"begin 644 0004.yaml\n" + b"".join(lines) + b"`\nend\n"


def _insert_rubbish(rng: random.Random, coded: bytes) -> bytes:
    """Insert foreign bytes into Base64."""
    data = bytearray(coded)
    for _ in range(rng.randrange(1, 40)):
        at = rng.randrange(len(data) + 1)
        data[at:at] = rng.choice((b" ", b"\n", b"\n\n", b"=", b"==", b"-", b"> ", b"\x00", b"\xa0", b"--b", b"A"))
    return bytes(data)


def _make_softener(rng: random.Random) -> Callable[[bytes], bytes]:
    """Return an encoder for quoted-printable with random soft line ends and escapes."""

    def soften_lines(body: bytes) -> bytes:
        rate = rng.choice((0.02, 0.3, 1.0))
        out = bytearray()
        for byte in body:
            if byte == 10 and rng.random() < 0.9:
                out += b"\n"
            elif byte == 61 or rng.random() < rate:
                out += b"=%02X" % byte if rng.random() < 0.9 else b"=%02x" % byte
            else:
                out.append(byte)
            if rng.random() < rate / 2:
                out += rng.choice((b"=\n", b"=\r\n", b"= \n", b"=\n=\n"))
        return bytes(out)

    return soften_lines


def _read_message(raw: bytes) -> Message | None:
    try:
        return messages.read_message(raw, NAME)
    except FileError as error:
        check_refusal(error, NAME)
        return None
