"""Rounds of post: what each fetched, took and sent is told, with how the servers did."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli.common import complain, end, home, may_ask, note, once_told, plain, release, say
from kursk_pbem.errors import KurskError, UsageError

if TYPE_CHECKING:
    from kursk_pbem.post.errand import Errand
    from kursk_pbem.post.round.delivery import Step


def note_servers(errand: Errand) -> None:
    """Note for ``--json`` how each server did."""
    note(servers=errand.servers.states())


def first_time(errand: Errand, *, as_sent: bool, unsent: bool) -> None:
    """Before the first letter from here: whether what was signed before has been mailed otherwise. UsageError."""
    from kursk_pbem.post.round import delivery

    if delivery.begun(errand.home):
        return
    outbox = errand.office()
    slates = list(outbox.slates())
    if slates and not (as_sent or unsent):
        listed = "".join(f"\n  {slate.label}: {slate.letter.subject.partition('] ')[2]}" for slate in slates)
        question = f"Signed before, and perhaps mailed by hand:{listed}\nHave you mailed all of them?"
        if not may_ask():
            raise UsageError(f"{question} Say --as-sent if you have, --unsent to send them now")
        release()
        as_sent = click.confirm(plain(question))
    delivery.begin(outbox, slates if as_sent else ())


def tell_sent(steps: Iterable[Step], errand: Errand, *, quiet: bool) -> int:
    """Say what came of each letter; status 2 if one was refused."""
    from kursk_pbem.post.round import delivery

    office, status, number = errand.office(), 0, 0
    for step in steps:
        number += 1
        name = f"{step.slate.label} to {office.name(step.reader)}"
        words, bad = delivery.told(step)
        state = step.answer.state if step.answer is not None else "not tried"
        facts = {"letter": step.slate.label, "to": office.name(step.reader), "state": state, "text": words}
        note(tried=[facts])
        if step.answer is None or step.answer.state == "sent":
            say(f"{name} {words}", quiet=quiet)
        else:
            complain(f"{name} {words}")
            status = max(status, 2 if bad else 0)
    for fault in errand.faults:
        complain(fault)
        status = max(status, fault.exit_status)
    note(tried=[])
    say("nothing is to be sent", quiet=quiet or number > 0 or bool(errand.faults))
    return status


def rounds(begin: Callable[[], Errand], every: int, number: int | None, *, quiet: bool) -> int:
    """Do round after round of an errand and tell of each; ``every`` so many minutes, ``number`` of them or all.

    Return the worst status of the rounds.
    """
    from kursk_pbem.post import watching
    from kursk_pbem.post.mailbox import place

    status = 0
    with place.watched(home()):
        with place.locked(home()):
            errand = begin()
            first_time(errand, as_sent=False, unsent=False)
        for told in watching.watch(errand, 60 * every, number):
            step = tell_round(errand, told, quiet=quiet)
            end(step)
            release()
            status = max(status, step)
    return status


def tell_round(errand: Errand, told: object, *, quiet: bool, whole: bool = False) -> int:
    """Say what came of a step of a round: fetched, taken, sent, or wrong; ``whole``: or nothing. Return its status."""
    from kursk_pbem.cli.mail import inbox
    from kursk_pbem.post.round.fetch import Fetched
    from kursk_pbem.post.told.day import Day

    if isinstance(told, Fetched):
        for fault in told.faults:
            complain(fault)
        once_told(errand.named)
        if whole:
            note(fetched={"seen": told.seen, "kept": told.kept})
            say(f"{told.mails}, {told.kept} of them worth a look", quiet=quiet or not told.seen)
        return 2 if told.faults else 0
    if isinstance(told, Day):
        if whole or not told.nothing:
            inbox.tell(errand.intake, told, quiet=quiet)
        return told.status
    if isinstance(told, list) or not whole:  # a whole round ends with the list of what was sent
        note_servers(errand)
    if isinstance(told, KurskError):
        complain(told)
        return told.exit_status
    news = told or errand.faults or (whole and errand.can_send)
    return tell_sent(told, errand, quiet=quiet) if isinstance(told, list) and news else 0
