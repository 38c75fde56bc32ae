"""Mails for tests: what programs make of a turn, and what comes out again."""

import re
import textwrap
from email.message import EmailMessage

from helpers.signing_desk import following, game, signed
from kursk_pbem.errors import FileError, TrustError
from kursk_pbem.trust import mail, messages, sshsig

WAYS = ("7bit", "8bit", "quoted-printable", "base64")


def noted():
    """A turn with everything in its note that a mail program may trip over."""
    note = (
        "\u041f\u0440\u0438\u0432\u0435\u0442! 2 = 1+1, =3D =\n\nFrom me to you\n.\n>From here\n-- \nBoris\n"
        "kursk-pbem: '1'\n-----BEGIN SSH SIGNATURE----- -----END SSH SIGNATURE-----\nstate:\n" + "word " * 60
    )
    message = signed(following(game(3), note=note))
    return messages.emit(message.content, message.armour, {"type": "state"}).encode("ascii")


def taken(raw, seq=None):
    """The message taken from a mail; None where none is, whatever the reason may be that a person is told."""
    try:
        found = mail.pick(raw, "mail.txt", seq)
        return found and messages.read(found.raw, found.name)
    except FileError as error:
        refused_in_words(error)
        return None


def refused_in_words(error):
    """Every refusal names the file and can be printed."""
    words = str(error)
    assert words.startswith("mail.txt")
    assert words.isascii()
    assert all(line.isprintable() for line in words.splitlines())


def same(raw, turn):
    """Whether a mail gives exactly this turn, position included."""
    wanted, found = messages.read(turn, "turn"), taken(raw)
    return found is not None and (found.id, found.armour, found.state) == (wanted.id, wanted.armour, wanted.state)


def lines(change, raw):
    return b"".join(change(line) for line in raw.splitlines(keepends=True))


def quoted(raw, mark=b"> "):
    return lines(lambda line: mark + line if line.strip() or not mark.endswith(b" ") else mark.rstrip() + line, raw)


def wrapped(raw, width, **options):
    pieces = (textwrap.wrap(line, width, drop_whitespace=False, **options) for line in raw.decode("ascii").splitlines())
    return "".join("\n".join(each or [""]) + "\n" for each in pieces).encode("ascii")


def cut(raw, width):
    return re.sub(rb"(?m)^(.{%d})(?=.)" % width, rb"\1\n", raw)


def fits(message, keys):
    """Whether the signature is its sender's, as the chain will find out."""
    try:
        sshsig.verify(keys.get(message.sender, ""), sshsig.NAMESPACE, message.signed, message.armour)
    except TrustError:
        return False
    return True


def letter(text, charset="utf-8", cte="quoted-printable"):
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "Boris <boris@example.org>", "anna@example.org", "kursk-pbem: 1"
    made.set_content(text, charset=charset, cte=cte)
    return made


def attached(made, turn, kind="application/octet-stream", cte="base64", name="0004.yaml"):
    main, _, sub = kind.partition("/")
    if main == "text":
        made.add_attachment(turn.decode("ascii"), subtype=sub, cte=cte, filename=name)
    else:
        made.add_attachment(turn, maintype=main, subtype=sub, cte=cte, filename=name)
    return made
