"""Mailbox rounds: printed results and the state of the servers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli.common import complain, end, fit_question, home, may_ask, note, release, say
from kursk_pbem.cli.mail import inbox
from kursk_pbem.errors import KurskError, UsageError
from kursk_pbem.post.mailbox import people, post_folder, store
from kursk_pbem.post.round import delivery, new_address
from kursk_pbem.post.round.digest import Digest
from kursk_pbem.post.round.fetch import Fetched
from kursk_pbem.post.tournaments import acceptance
from kursk_pbem.post.wire.account import account_path
from kursk_pbem.tournament import any_here, open_papers
from kursk_pbem.tournament.entrant.desk import sign_entry

if TYPE_CHECKING:
    from kursk_pbem.post.mail_session import MailSession, Told
    from kursk_pbem.post.round.delivery import Step


_NAMED = "named-pictures"


def ask_yes(question: str) -> bool:
    """Ask a person at the terminal; return whether the answer is yes."""
    release()
    return click.confirm(fit_question(question))


def ask_first_time(session: MailSession, *, as_sent: bool = False, unsent: bool = False) -> None:
    """Ask, before the first letter is sent, whether the player mailed earlier messages by hand. Raises UsageError."""
    if delivery.has_begun(session.home):
        return
    outbox = session.open_outbox()
    letters = [entry for entry in outbox.list_letters() if not entry.is_newer_than(account_path(session.home))]
    if letters and not (as_sent or unsent):
        listed = "".join(f"\n  {entry.label}: {entry.letter.subject.partition('] ')[2]}" for entry in letters)
        question = f"Signed before, and perhaps mailed by hand:{listed}\nHave you mailed every message of the list?"
        if not may_ask():
            raise UsageError(f"{question} If all are mailed, add --as-sent; otherwise --unsent sends the messages now")
        as_sent = ask_yes(question)
    delivery.begin_sending(outbox, letters if as_sent else ())


def ask_new_address(session: MailSession) -> None:
    """Ask once whether to mail signed address cards with the account's new address."""
    asked = f"asked address {session.account.address}"
    if not new_address.describe_difference(session.home, session.account) or store.load_setting(session.home, asked):
        return
    before = people.load_own(session.home).address
    people_ = "opponents, referees and directors"
    question = f"Your account has a new address, {session.account.address}. Mail a signed card to your {people_}?"
    if may_ask():
        store.save_setting(session.home, asked, "yes")
        if ask_yes(question):
            people.save_own(session.home, session.account.address, cards=True)
            say(f"your address is {session.account.address}, no longer {before}")


def ask_to_enter() -> None:
    """Ask people whose tournament entry came too late whether to enter the next draw of lots; sign after a yes."""
    for desk, entry in acceptance.list_late_entries(home()) if any_here(home()) and may_ask() else ():
        book, name = desk.book, entry.text("name")
        say(f"{book.rules.title}: {' '.join(open_papers.describe_useless(book, entry.sender)[-1:])}")
        if ask_yes(f"Enter for lots {book.next_draw} of {book.rules.title} as {name}?"):
            sign_entry(desk, {key: entry.text(key) for key in ("name", "guest", "shown") if entry.said(key)})


def run_rounds(
    begin: Callable[[], MailSession],
    every: int,
    number: int | None,
    *,
    quiet: bool,
    work: Callable[[MailSession, Told], None] = lambda _session, _told: None,
    by_owner: bool = False,
) -> int:
    """Run the rounds of a mail session and print the results. Return the worst exit status.

    ``every``: minutes between rounds. ``number``: how many rounds, or None. ``work``: a function to call after a step,
    before the round sends letters. ``by_owner``: a player plays the games, not a program or a referee.
    """
    status = 0
    with post_folder.lock_watch(home()):
        with post_folder.lock_post(home()):
            ask_first_time(session := begin())
        for told in session.watch(60 * every, number):
            work(session, told)
            step = print_steps(session, [told], quiet=quiet, whole=False, by_owner=by_owner)
            end(step)
            release()
            status = max(status, step)
    return status


def print_steps(
    session: MailSession, steps: Iterable[Told], *, quiet: bool, whole: bool = True, by_owner: bool = True
) -> int:
    """Print the results of a round's steps. Return the worst exit status. ``whole``: also print empty rounds."""
    status = 0
    for told in steps:
        if isinstance(told, Fetched):
            status = max(status, inbox.print_faults(told.faults))
            if whole:
                fetched = {"seen": told.seen, "kept": told.kept}
                say(f"{told.mails}, {told.kept} kept for processing", quiet=quiet or not told.seen, fetched=fetched)
            continue
        if isinstance(told, Digest):
            if whole or not told.nothing:
                inbox.print_results(session.intake, told, quiet=quiet, by_owner=by_owner)
            status = max(status, told.status)
            continue
        if isinstance(told, list) or not whole:  # a whole round ends with the list of sent letters
            note(servers=session.list_states())
        if isinstance(told, KurskError):
            complain(told)
            status = max(status, told.exit_status)
        elif told or session.faults or (whole and session.can_send):
            status = max(status, print_sent(told, session, quiet=quiet))
    return status


def _name_pictures(session: MailSession, *, quiet: bool) -> None:
    """Name letters with pictures once, after the first letter."""
    if quiet or session.referee is not None or people.load_own(session.home).pictures:
        return
    if not store.load_setting(session.home, _NAMED):
        say("'kursk post setup --pictures yes' adds a picture of the turn to each of your letters")
        store.save_setting(session.home, _NAMED, "yes")


def print_sent(steps: list[Step], session: MailSession, *, quiet: bool) -> int:
    """Print the result of each letter. Return exit status 2 if a server refused a letter."""
    outbox, status = session.open_outbox(), 0
    for step in steps:
        to = outbox.name(step.reader)
        note(tried=[{"letter": step.entry.label, "to": to, "state": step.state, "text": step.words}])
        if step.state in ("sent", delivery.NOT_TRIED):
            say(f"{step.entry.label} to {to} {step.words}", quiet=quiet)
        else:
            complain(f"{step.entry.label} to {to} {step.words}")
            status = max(status, 2 if step.bad else 0)
    if any(step.state == "sent" for step in steps):
        _name_pictures(session, quiet=quiet)
    say("no letters to send", quiet=quiet or bool(steps) or bool(session.faults), tried=[])
    return max(status, inbox.print_faults(session.faults))
