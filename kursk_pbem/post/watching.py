"""Post that goes on by itself: a round whenever something comes, by IDLE or by looking again; the first connection."""

from __future__ import annotations

from collections.abc import Iterator

from kursk_pbem.desk import clock
from kursk_pbem.errors import DiskError, KurskError
from kursk_pbem.post.errand import Errand
from kursk_pbem.post.mailbox import place
from kursk_pbem.post.mailbox.place import BusyError
from kursk_pbem.post.round.delivery import Step
from kursk_pbem.post.round.fetch import Fetched
from kursk_pbem.post.told.day import Day
from kursk_pbem.post.wire.smtp import UnreachableError

_FIRST, _MOST = 5, 15 * 60
"""Seconds before the first and the last new attempt, where a server cannot be reached."""
_PATIENCE = 10 * 60
"""Seconds for which a round waits for a command that is at work."""


def watch(errand: Errand, every: int, number: int | None = None) -> Iterator[Fetched | Day | list[Step] | KurskError]:
    """Round after round: what was fetched, what came of it, what was sent; and what went wrong, after which it goes on.

    Each round holds the post for itself (``place.locked``); while it waits for the next one, commands may be given.
    ``every``: seconds after which it looks, whether something came or not; ``number``: how many, None without end.
    """
    left, rest = number, _FIRST
    while left is None or left > 0:
        try:
            for told in _connection(errand, every, left):
                yield told
                if isinstance(told, list):  # a round is over
                    rest = rest if errand.broke else _FIRST
                    left = None if left is None else left - 1
        except (UnreachableError, BusyError, DiskError) as error:
            yield error
            left = None if left is None else left - 1
            if left != 0:
                clock.rest(rest)
            rest = min(2 * rest, _MOST)


def _connection(errand: Errand, every: int, number: int | None) -> Iterator[Fetched | Day | list[Step] | KurskError]:
    """Rounds over one connection, until it breaks off or they are done."""
    if errand.account.imap is None:
        with place.locked(errand.home, _PATIENCE):
            yield errand.take()
            yield from _sent(errand)
        if number != 1:
            clock.rest(every)
        return
    with errand.mailbox() as mailbox:
        left = number
        while True:
            with place.locked(errand.home, _PATIENCE):
                yield errand.fetch(mailbox)
                yield errand.take(mailbox)
                yield from _sent(errand)
                errand.tidy()
            left = None if left is None else left - 1
            if left == 0:
                return
            mailbox.wait(every)


def once(errand: Errand) -> Iterator[Fetched | Day | list[Step] | KurskError]:
    """Do one round inside a lock that somebody holds."""
    yield from received(errand)
    yield from _sent(errand)


def received(errand: Errand) -> Iterator[Fetched | Day | KurskError]:
    """Fetch and take what came. Of a server that cannot be reached, what was fetched before is taken."""
    day = None
    if errand.account.imap is not None:
        try:
            with errand.mailbox() as mailbox:
                yield errand.fetch(mailbox)
                day = errand.take(mailbox)
        except UnreachableError as error:
            yield error
    yield day or errand.take()
    errand.tidy()


def _sent(errand: Errand) -> Iterator[list[Step] | KurskError]:
    """What was sent; that a server cannot be reached for sending stops no fetching."""
    steps: list[Step] = []
    if errand.can_send:
        try:
            steps = errand.send()
        except UnreachableError as error:
            yield error
    yield steps


def try_out(errand: Errand) -> None:
    """Connect to both servers once. KurskError."""
    if errand.account.imap is not None:
        with errand.mailbox():
            pass
    if errand.can_send:
        with errand.transport():
            pass
