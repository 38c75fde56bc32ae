"""Mails of a walk: those to the referee with what is true of them, and the letters of the referee's."""

import base64
import re
from contextlib import suppress
from dataclasses import dataclass, field

_PAYLOAD = re.compile(rb"Content-Transfer-Encoding: base64\r?\n\r?\n([A-Za-z0-9+/=\r\n]+)")
_FIELDS = re.compile(r"^(type|game|seq|id|received|due|declared|from|next): +'?([^'\n]*)'?$", re.MULTILINE)


@dataclass
class Sent:
    """A mail to the referee, with what is true of it.

    ``said``: when it came by the rule of the Received lines, None where no line says so. ``turns``: the whole messages
    in it. ``spoilt``: it holds a turn that was changed or cut; ``told``: words of which one has to stand in what is
    told of it. ``names``: the games that its subject or its turn names; ``about``: its subject says that it
    is about one. ``person``: a person wrote
    it; ``desk``: a desk did, and all in it is whole; ``answers``: a program did, to something. ``reports``: the letter
    that it says did not arrive. ``round``: in which it was read, and which folders were ``away`` then.
    """

    raw: bytes
    sender: str
    at: object
    said: object = None
    mid: str = ""
    turns: tuple = ()
    spoilt: bool = False
    told: tuple = ()
    names: tuple = ()
    about: bool = True
    person: bool = True
    desk: bool = False
    machine: bool = False
    answers: bool = False
    reports: object = None
    round: object = None
    away: tuple = ()
    newest: dict = field(default_factory=dict)


@dataclass
class Letter:
    """A letter of the referee's: the time by their clock, to whom, its bytes, and what it carries."""

    at: object
    reader: str
    raw: bytes
    mid: str
    subject: str
    carried: list
    troubled: bool = False

    @property
    def words(self):
        return ".words." in self.mid


def fields(text_):
    """What a paper or message says in the lines that matter here."""
    return dict(_FIELDS.findall(text_.partition("signature:")[0]))


def attached(raw):
    """The files in a letter of a desk."""
    for match in _PAYLOAD.finditer(raw):
        with suppress(ValueError):  # it was cut
            content = base64.b64decode(match[1])
            if content.startswith(b"kursk-pbem:"):
                yield content


def header(raw, name):
    """A header field of a letter of a desk; '' without it."""
    match = re.search(rb"(?im)^%s: (.*(?:\r?\n[ \t].*)*)" % name.encode(), raw.partition(b"\r\n\r\n")[0])
    return " ".join(match[1].decode("utf-8", "replace").split()) if match else ""


def dated(moment):
    """A time as mails say it."""
    return moment.strftime("%a, %d %b %Y %H:%M:%S +0000")
