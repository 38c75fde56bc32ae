"""What is asked for by mail: a command a line, read from the first words of a mail; and which mails are never answered.

A command begins on the first line that is neither empty nor quoted; up to five are taken, and a line that is none ends
them. They are about reading alone: orders and papers are signed, and come as turns.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from kursk_pbem.post import address as addresses
from kursk_pbem.post.envelope import Mail
from kursk_pbem.post.letter import OURS
from kursk_pbem.post.referee import firstpart

COMMANDS = ("HELP", "STATUS", "REPORT", "MAP", "RULE", "ABSENT")
MOST = 5
"""Commands of a mail."""
_LINE, _LINES = 200, 200
_MACHINES = re.compile(
    r"mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?|listserv|majordomo|owner-.+|.+-request", re.IGNORECASE
)
_PRECEDENCE = re.compile(r"(bulk|list|junk|auto[_-]?reply)\b", re.IGNORECASE)
_ROBOTS = re.compile(r"x-auto-?(re(ply|spond(er)?|sponse)|generated|response-suppress)|x-loop", re.IGNORECASE)
_LISTS = re.compile(r"list-.*|(x-)?mailing-list|x-beenthere", re.IGNORECASE)
_HOPS = 30


@dataclass(frozen=True)
class Request:
    """A command and the words behind it, as they were written."""

    name: str
    words: tuple[str, ...]


def machine(mail: Mail, own: Collection[str]) -> str:
    """Why a mail is not answered in words, '' if it is (RFC 3834); ``own``: one's own addresses."""
    headers, names = mail.headers, mail.headers.keys()
    local = mail.sender.partition("@")[0]
    signs = {
        "its sender cannot be answered": not mail.sender
        or any("".join(path.split()) == "<>" for path in mail.every("Return-Path")),
        "it comes from here": any(addresses.same(mail.sender, address) for address in own) or OURS in headers,
        "a program wrote it": mail.automatic or _MACHINES.fullmatch(local) is not None,
        "it went to a list": any(map(_PRECEDENCE.match, mail.every("Precedence"))) or any(map(_LISTS.fullmatch, names)),
        "it reports of another mail": mail.reports,
        "it asks for no answer": any(map(_ROBOTS.fullmatch, names)),
        "it has come a long way": len(headers.get_all("Received", [])) > _HOPS,
    }
    return next((why for why, holds in signs.items() if holds), "")


def read(mail: Mail) -> list[Request]:
    """The commands of a mail; none if it begins otherwise. Of its subject, where it has no words."""
    requests: list[Request] = []
    begun = False
    for line in firstpart.words(mail.raw).split("\n")[:_LINES]:
        words = line[: _LINE + 1].split()
        if not words or (not begun and line.lstrip().startswith(">")):
            continue
        begun = True
        request = _request(words) if len(line) <= _LINE else None
        if request is None or len(requests) >= MOST:
            return requests
        requests.append(request)
    if begun:
        return requests
    request = _request(mail.subject[:_LINE].split())
    return [request] if request is not None else []


def _request(words: list[str]) -> Request | None:
    if not words or words[0].upper() not in COMMANDS or not all(word.isascii() for word in words):
        return None
    return Request(words[0].upper(), tuple(words[1:]))
