"""Commands by mail, one a line at the beginning of the plain text; and mails never to answer (RFC 3834).

Commands only ask for information. Orders and papers are signed, and arrive as turns.
"""

from __future__ import annotations

from kursk_pbem.errors import FileError
from kursk_pbem.frozen import frozen
from kursk_pbem.post.mailbox import address as addresses
from kursk_pbem.post.mailbox.envelope import MAX_HEADER, Mail
from kursk_pbem.post.mailbox.letter import OURS
from kursk_pbem.trust import mailtext

MAX_WORDS = 16_384
"""Maximum bytes of a mail's text searched for commands."""
COMMANDS = ("HELP", "STATUS", "REPORT", "MAP", "RULE", "ABSENT")
MOST = 5
"""Maximum commands of a mail."""
_LINE, _LINES = 200, 200
_PROGRAMS = ("Precedence", "List-Id", "X-Autoreply", "X-Loop", "X-Auto-Response-Suppress")
"""Header fields of programs and lists, besides the fields of RFC 3834."""
_HOPS = 30
_UNSEEN = dict.fromkeys((0xAD, *range(0x200B, 0x2010), *range(0x2060, 0x2065), 0xFEFF))
"""Characters without width, inserted by mail programs before words."""


@frozen
class Request:
    """A command in a mail, with its arguments as written."""

    name: str
    words: tuple[str, ...]


def is_automatic(mail: Mail, own: str) -> bool:
    """Return whether a mail gets no answer: the sender is a program, a list or ``own``, the mailbox's address."""
    return (
        not mail.sender
        or addresses.is_same(mail.sender, own)
        or OURS in mail.headers
        or mail.automatic
        or mail.by_server
        or len(mail.without_body.raw) >= MAX_HEADER
        or len(mail.headers.get_all("Received", [])) > _HOPS
        or any(name in mail.headers for name in _PROGRAMS)
    )


def read_commands(mail: Mail) -> list[Request]:
    """Return the commands at the beginning of a mail. If the mail has no text, return the command in the subject."""
    requests: list[Request] = []
    begun = False
    for line in _first_text(mail).translate(_UNSEEN).split("\n")[:_LINES]:
        words = line[: _LINE + 1].split()
        if not words or (not begun and line.lstrip().startswith(">")):
            continue
        begun = True
        request = _parse_command(words) if len(line) <= _LINE else None
        if request is None or len(requests) >= MOST:
            return requests
        requests.append(request)
    if begun:
        return requests
    request = _parse_command(mail.subject[:_LINE].translate(_UNSEEN).split())
    return [request] if request is not None else []


def _first_text(mail: Mail) -> str:
    """Return the beginning of a mail's plain text; '' for HTML alone."""
    begins = mail.raw[: len(mail.without_body.raw) + MAX_WORDS]
    try:
        parts = mailtext.open_mail(begins, mail.name).parts
    except FileError:
        return ""
    return next((part.text.decode("utf-8", "replace") for part in parts if part.words), "")


def _parse_command(words: list[str]) -> Request | None:
    if not words or words[0].upper() not in COMMANDS or not all(word.isascii() for word in words):
        return None
    return Request(words[0].upper(), tuple(words[1:]))
