"""Which new mails of a server are fetched whole: those that may be ours, by what can be learned of them before that."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from kursk_pbem.errors import UNFORESEEN
from kursk_pbem.post.envelope import MAX_HEADER, Mail
from kursk_pbem.post.servers import structures
from kursk_pbem.post.servers.smtp import UnreachableError

_MOST_HEAD = MAX_HEADER + 4
"""Bytes of a header, as many as tell a mail from others."""
_SOUGHT = (b"kursk", b"state-in:", b"SSH SIGNATURE", b"k1.")
"""What texts are searched for: how turns and papers are called, what is left of one, and reports about letters.

Marks of a page may stand between kursk and the rest.
"""
_MOST_STRUCTURES = 1024 * 1024
"""Bytes of mails whose structures are asked for at once."""


@dataclass(frozen=True)
class Entry:
    """What is known of a new mail before it is fetched."""

    uid: int
    size: int
    head: bytes
    parts: bytes = b""


def entries(client: Any, some: list[int]) -> list[Entry]:
    """New mails with their headers, as far as those are given; without what is gone meanwhile."""
    answers = client.fetch(some, [b"RFC822.SIZE", b"BODY.PEEK[HEADER]<0.%d>" % _MOST_HEAD])
    there = {*answers}
    if left := [uid for uid in some if uid not in there]:
        there |= {*client.search([b"UID", b"%d:%d" % (left[0], left[-1])])}
    return [_entry(uid, answers.get(uid, {})) for uid in some if uid in there]


def _entry(uid: int, answer: dict[bytes, Any]) -> Entry:
    head = answer.get(b"BODY[HEADER]<0>")
    return Entry(uid, number_of(answer.get(b"RFC822.SIZE")), head if isinstance(head, bytes) else b"")


def number_of(said: Any) -> int:
    """A number that a server says, 0 for whatever else it says."""
    text = said if isinstance(said, bytes) else str(said).encode("ascii", "replace")
    return int(text) if text.isdigit() and len(text) < 20 else 0


def inside(client: Any, batch: list[Entry]) -> set[int]:
    """The new mails whose text may be of a game, as far as the server looks; all of them if it will not search.

    One that refuses is too busy, perhaps; behind the cursor nobody would look into them once more.
    """
    span = f"{batch[0].uid}:{batch[-1].uid}".encode("ascii")
    either = [part for word in _SOUGHT[:-1] for part in (b"OR", b"BODY", word)]
    try:
        return set(client.search([b"UID", span, *either, b"BODY", _SOUGHT[-1]]))
    except UnreachableError:
        client.noop()  # it may have closed the line: then none of the mails behind these has broken it off
        return {entry.uid for entry in batch}


def wanted(client: Any, batch: list[Entry], inside: Collection[int], known: set[str]) -> list[Entry]:
    """The mails that may be ours: by their text, their header, who they say to be from, or one of their parts.

    So may one whose header is not given, or not to its end, or not to where it says who it is from. Who has sent what
    is wanted is ``known`` then: a player may write words, too, from an address that is new.
    """
    chosen, left = list[Entry](), list[Entry]()
    senders = dict[int, frozenset[str]]()
    for entry in batch:
        senders[entry.uid], seems, of_parts = _seems(entry)
        if seems or entry.uid in inside or not senders[entry.uid].isdisjoint(known):
            chosen.append(entry)
        elif of_parts:
            left.append(entry)
    while left:
        some = [left.pop()]
        size = some[0].size
        while left and (size := size + left[-1].size) <= _MOST_STRUCTURES:
            some.append(left.pop())
        chosen += _with_our_parts(client, some)
    found = {entry.uid for entry in chosen}
    known |= frozenset[str]().union(*(senders[uid] for uid in found))
    rest = (entry for entry in batch if entry.uid not in found)
    return [*chosen, *(entry for entry in rest if not senders[entry.uid].isdisjoint(known))]


def _seems(entry: Entry) -> tuple[frozenset[str], bool, bool]:
    """Who a mail says to be from; whether it may be ours by its header, or its parts say so.

    What a library fails at may be, too.
    """
    with suppress(*UNFORESEEN):
        mail = Mail(entry.head, "")
        told = mail.reports or mail.without_path  # its text alone says what it reports of
        told = told or not mail.senders or len(entry.head) > MAX_HEADER
        return mail.senders, told or mail.ours or structures.hidden(mail), mail.made_of_parts
    return frozenset(), True, False


def _with_our_parts(client: Any, some: list[Entry]) -> list[Entry]:
    """The mails of which a part may hold a turn, by their structures; one whose structure nobody understands too.

    A stranger can write a mail whose structure is longer or deeper than the library reads.
    """
    try:
        answers = client.fetch([entry.uid for entry in some], [b"BODYSTRUCTURE"])
        made = {entry.uid: answers.get(entry.uid, {}).get(b"BODYSTRUCTURE") for entry in some}
        named = [replace(entry, parts=structures.names(made[entry.uid])) for entry in some]
        return [one for one in named if structures.may_hold(made[one.uid])]
    except (UnreachableError, *UNFORESEEN):
        return some if len(some) == 1 else [entry for one in some for entry in _with_our_parts(client, [one])]
