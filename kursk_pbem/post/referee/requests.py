"""What is asked for by mail: a command a line, read from the first words of a mail; and which mails are never answered.

A command begins on the first line that is neither empty nor quoted; up to five are taken, and a line that is none ends
them. They are about reading alone: orders and papers are signed, and come as turns.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import dropwhile, takewhile

from kursk_pbem.post import address as addresses
from kursk_pbem.post.envelope import MAX_HEADER, Mail
from kursk_pbem.post.letter import OURS
from kursk_pbem.post.referee import firstpart
from kursk_pbem.trust import leftover

COMMANDS = ("HELP", "STATUS", "REPORT", "MAP", "RULE", "ABSENT")
MOST = 5
"""Commands of a mail."""
_LINE, _LINES = 200, 200
_MOST_WORDS = 3
_QUOTES = 2
"""Lines in which a program says whom it quotes."""
_RULE = re.compile(r"\s*(?:--\s*$|-{3,}|_{5,})")
_NOT_OWN = re.compile(rf"\s*[>|]|{_RULE.pattern}")
"""How a line begins that its writer has not written; behind the last three kinds they have written nothing more."""
_LISTS = re.compile(
    r"mailer(-daemon)?|listserv|majordomo|uucp|owner-.+|.+-(bounces?|owner|request|relay)", re.IGNORECASE
)
_MACHINES = re.compile(
    r"postmaster|mdaemon|(no|do[-_.]?not)[-_.]?reply(\+.*)?|bounces?([+-].*)?|auto-?(reply|respond(er)?|answer)"
    rf"|{_LISTS.pattern}",
    re.IGNORECASE,
)
"""What stands before the @ of who has passed a mail on, where forwarders of people's mails write themselves, too; and
of its sender.
"""
_SIGNS = tuple(
    (why, re.compile(name, re.IGNORECASE), re.compile(value, re.IGNORECASE))
    for why, name, value in (
        ("it went to a list", r"list-.*|(x-)?mailing-list|x-beenthere|x-mailman-version", ""),
        ("it is one of many", r"(x-)?(precedence|preference)", r"(bulk|list|junk)\b|auto"),
        ("it asks for no answer", r"(x-)?(mail-)?auto-?(re(ply|spond(er)?|sponse)|generated)(-.*)?", ""),
        ("it asks for no answer", r"x-((otrs|rt)-)?loop(-.*)?", ""),
        ("a program wrote it", r"x-(cron-env|fc-machinegenerated|ms-exchange-generated-message-source)", ""),
        ("a program wrote it", r"x-apple-action", r"vacation\b"),
        ("a program wrote it", r"x-post-messageclass", r".*\bautoresponder\b"),
        ("a program wrote it", r"x-mailer|user-agent", r".*\b(vacation|auto-?(reply|respon(d|der|se)))\b"),
        ("a program wrote it", r"delivered-to", r"(?=[^@]*$).*(vacation|auto-?(re(ply|spon)|answer))"),
        ("a program wrote it", r"delivered-to", r"(vacation|auto-?(re(ply|spond(er)?|sponse)|answer))[-+=.@]"),
        ("a program wrote it", r"x-auto-submitted|(x-)?autosubmitted", r"auto"),
        ("a program wrote it", r"subject", r"auto: .*\bout of (the )?office\b"),
        ("a program wrote it", r"subject", r"(out of (the )?office )?auto(matic|mated)?[ -]?(reply|response)\b"),
    )
)
"""Why a mail is not answered, by a field of its header and the beginning of its value.

FirstClass, Exchange, Exim, qmail, iCloud, cron, programs of vacations and of tickets write these beside what RFC 3834
wants, or instead of it: what two or more of the well-kept filters of mail and of tickets look for (2026-11). What a
person's mail program can do is no sign: of its name whole words count. Nor is what a provider writes into everybody's
mails, such as Feedback-ID, or into those that a rule of theirs sent on (X-MS-Exchange-Inbox-Rules-Loop).
"""
_HOPS = 30
_UNSEEN = dict.fromkeys((0xAD, *range(0x200B, 0x2010), *range(0x2060, 0x2065), 0xFEFF))
"""What has no width, and what says which way a line is read: programs put it in front of words, and nobody sees it."""


@dataclass(frozen=True)
class Request:
    """A command and the words behind it, as they were written."""

    name: str
    words: tuple[str, ...]


def machine(mail: Mail, own: Collection[str]) -> str:
    """Why a mail is not answered in words, '' if it is (RFC 3834); ``own``: one's own addresses."""
    headers = mail.headers
    local = mail.sender.partition("@")[0]
    paths = ["".join(path.split()) for path in mail.every("Return-Path")]
    by = (path.rpartition("<")[2].partition("@")[0].rstrip(">") for path in (*paths, *mail.every("Sender")))
    signs = {
        "its sender cannot be answered": not mail.sender or "<>" in paths or "" in paths,
        "it comes from here": any(addresses.same(mail.sender, address) for address in own) or OURS in headers,
        "its header is longer than what is read of it": len(mail.without_body.raw) >= MAX_HEADER,
        "a program wrote it": mail.automatic or _MACHINES.fullmatch(local) is not None,
        "it was passed on": any(map(_LISTS.fullmatch, by)),
        "it reports of another mail": mail.reports,
        "it has come a long way": len(headers.get_all("Received", [])) > _HOPS,
    }
    fields = [("Subject", mail.subject), *((name, " ".join(str(value).split())) for name, value in headers.items())]
    fields = [(name, text) for name, text in fields if not any(addresses.same(text, address) for address in own)]
    shown = (
        why for why, named, says in _SIGNS for name, value in fields if named.fullmatch(name) and says.match(value)
    )
    return next((why for why, holds in signs.items() if holds), "") or next(shown, "")


def read(mail: Mail) -> list[Request]:
    """The commands of a mail; none if it begins otherwise. Of its subject, where it has no words.

    An answer to what this mailbox has said by itself asks in its own words, or not at all.
    """
    lines = _own(mail)
    requests = _begin(lines)
    if lines or mail.answers_words:
        return requests
    request = _request(mail.subject[:_LINE].translate(_UNSEEN).split())
    return [request] if request is not None else []


def alone(mail: Mail) -> bool:
    """Whether a mail asks, and holds nothing else that its writer may have wanted to say: no word, and no file."""
    asked = read(mail)
    if not asked or not all(map(_complete, asked)) or leftover.names(mail.raw).strip():
        return False
    lines = _own(mail)
    told = [at for at, line in enumerate(lines) if line.strip()]
    behind = list(dropwhile(_empty, lines[told[len(asked) - 1] + 1 :] if told else []))
    end = next((at for at, line in enumerate(behind) if _NOT_OWN.match(line)), len(behind))
    said = [line.strip() for line in behind[:end]]
    while said and not said[-1]:
        del said[-1]
    quoted = takewhile(lambda line: not _RULE.match(line), behind[end:])
    if any(not (_empty(line) or _NOT_OWN.match(line)) for line in quoted):  # they answer below or between
        return False
    # who is quoted, and when they wrote it, which programs put above that
    return not said or (len(said) <= _QUOTES and all(said) and said[-1].endswith(":") and end < len(behind))


def _own(mail: Mail) -> list[str]:
    """The lines of a mail from the first on that is neither empty nor quoted, as far as they are read."""
    lines = firstpart.words(mail.raw).translate(_UNSEEN).split("\n")[:_LINES]
    return list(dropwhile(lambda line: _empty(line) or line.lstrip().startswith(">"), lines))


def _empty(line: str) -> bool:
    return not line.strip()


def _begin(lines: Iterable[str]) -> list[Request]:
    """The commands that some lines begin with."""
    requests: list[Request] = []
    for line in filter(str.strip, lines):
        request = _request(line.split()) if len(line) <= _LINE else None
        if request is None or len(requests) >= MOST:
            break
        requests.append(request)
    return requests


def _request(words: list[str]) -> Request | None:
    if not words or words[0].upper() not in COMMANDS or not all(word.isascii() for word in words):
        return None
    return Request(words[0].upper(), tuple(words[1:]))


def _complete(request: Request) -> bool:
    """Whether a command is all that its line says: games, numbers, hexes and days have digits, words of a person none.

    Before the number of a rule stands the name of a system.
    """
    words = request.words[-1:] if request.name == "RULE" else request.words
    return len(request.words) <= _MOST_WORDS and all(re.search(r"\d|^[a-f]{4,}$", word) for word in words)
