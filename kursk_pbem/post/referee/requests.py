"""What is asked for by mail: a command a line, read from the first words of a mail; and which mails are never answered.

A command begins on the first line that is neither empty nor quoted; up to five are taken, and a line that is none ends
them. They are about reading alone: orders and papers are signed, and come as turns.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from kursk_pbem.errors import FileError
from kursk_pbem.post.mailbox import address as addresses
from kursk_pbem.post.mailbox.envelope import MAX_HEADER, Mail
from kursk_pbem.post.mailbox.letter import OURS
from kursk_pbem.trust import mailtext

MAX_WORDS = 16_384
"""Bytes below the header of a mail in which commands are looked for."""
COMMANDS = ("HELP", "STATUS", "REPORT", "MAP", "RULE", "ABSENT")
MOST = 5
"""Commands of a mail."""
_LINE, _LINES = 200, 200
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
    requests: list[Request] = []
    begun = False
    for line in _first_text(mail).translate(_UNSEEN).split("\n")[:_LINES]:
        words = line[: _LINE + 1].split()
        if not words or (not begun and line.lstrip().startswith(">")):
            continue
        begun = True
        request = _request(words) if len(line) <= _LINE else None
        if request is None or len(requests) >= MOST:
            return requests
        requests.append(request)
    if begun or mail.answers_words:
        return requests
    request = _request(mail.subject[:_LINE].translate(_UNSEEN).split())
    return [request] if request is not None else []


def _first_text(mail: Mail) -> str:
    """Return the beginning of the plain text of a mail; '' if it has none, as a mail in HTML alone."""
    begins = mail.raw[: len(mail.without_body.raw) + MAX_WORDS]
    try:
        parts = mailtext.open_mail(begins, mail.name).parts
    except FileError:
        return ""
    return next((part.text.decode("utf-8", "replace") for part in parts if part.words), "")


def _request(words: list[str]) -> Request | None:
    if not words or words[0].upper() not in COMMANDS or not all(word.isascii() for word in words):
        return None
    return Request(words[0].upper(), tuple(words[1:]))
