"""outbox: signed messages to mail."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import PATH, home, keyed_options, say
from kursk_pbem.cli.mail.inbox import print_faults
from kursk_pbem.desk.own import register
from kursk_pbem.post.mailbox import post_folder
from kursk_pbem.post.round.outgoing import Outbox

if TYPE_CHECKING:
    from kursk_pbem.post.round.outgoing import OutgoingLetter


@cli.command()
@click.option("--eml", type=PATH, metavar="DIR", help="Write the letters as drafts for your mail program.")
@click.option("--sent", metavar="LETTER", default="", help="Mark a letter as mailed by you ('all': every letter).")
@click.option("--again", metavar="LETTER", default="", help="Send a letter again, for example after a loss.")
@click.option("--link", "page", metavar="[ADDRESS]", is_flag=False, flag_value="", help="Print each letter as a link.")
@keyed_options
def outbox_command(eml: Path | None, sent: str, again: str, page: str | None, key: Path | None, quiet: bool) -> int:
    """List the letters to mail: your signed messages without proof of arrival.

    A letter is named by game and message (1a2b3c4d/7), or by game, message and reader (1a2b3c4d/7/boris). --eml writes
    drafts for your mail program, with addresses, subject, text and the signed file. Open a draft and press send: kursk
    needs no password. A letter counts as sent after --sent, or after the answer has arrived.

    --link prints a link with the signed files, to be sent by any chat. The reader opens the link in the page of
    kursk-pbem, or types 'kursk inbox LINK'. ADDRESS is the address of the page, and the program remembers it.
    """
    with post_folder.lock_post(home()):
        outbox = Outbox(home(), Path(), key)
        if sent:
            for entry in outbox.choose_letters(sent):
                outbox.mark_sent_by_hand(entry)
                say(f"{entry.label} counts as sent", quiet=quiet, sent=[entry.label])
        elif again:
            for entry in outbox.again(again):
                told = f"{entry.label}: edition {entry.letter.edition} will be sent"
                say(told, quiet=quiet, again=[entry.label])
        else:
            if page:
                outbox.remember_page(page)
            _list_letters(outbox, eml, links=page is not None, quiet=quiet)
        return print_faults(outbox.faults)


def _list_letters(outbox: Outbox, eml: Path | None, *, links: bool, quiet: bool) -> None:
    """Print all letters; ``eml``: the folder for drafts; ``links``: print links."""
    letters = list(outbox.list_letters())
    others = outbox.key is None and any(known.own is None for known in register.every(home(), outbox.here))
    more = "; 'kursk outbox --key FILE' lists letters of games you referee"  # only the key shows which papers to mail
    said = f"no letter to mail in games that you play{more}" if others else "no letter to mail"
    say(said, quiet=quiet or bool(letters) or bool(outbox.faults), letters=[])
    for entry in letters:
        _print_letter(outbox, entry, quiet=quiet)
        if links:
            print_link(*outbox.make_link(entry), quiet=quiet)
        if eml is not None:
            path = outbox.draft(entry, eml)
            say(f"  wrote {path}", quiet=quiet, wrote=[path])


def _print_letter(outbox: Outbox, entry: OutgoingLetter, *, quiet: bool) -> None:
    """Print a letter in two lines: readers, subject, and the hindrance."""
    readers = ", ".join(f"{outbox.name(reader)} <{reader.address or '?'}>" for reader in entry.letter.to)
    why, subject = outbox.describe_hindrance(entry), entry.letter.subject
    to = [{"name": outbox.name(reader), "address": reader.address} for reader in entry.letter.to]
    facts = {"letter": entry.label, "game": entry.about.game, "seq": entry.letter.seq, "to": to, "hindrance": why}
    say(
        f"{entry.label} to {readers}: {subject.partition('] ')[2]}",
        quiet=quiet,
        letters=[{**facts, "subject": subject}],
    )
    say(f"  {why}", quiet=quiet or not why)
    unknown = [outbox.name(reader) for reader in entry.letter.to if not reader.address] if entry.relayed else []
    told = f"{outbox.name(entry.letter.to[-1])} passes the letter on to {', '.join(unknown)}"
    say(f"  {told}", quiet=quiet or not unknown)


def print_link(made: str, warning: str, *, quiet: bool) -> None:
    """Print a link in a line of its own, because people copy whole lines."""
    say(f"  {warning}", quiet=quiet or not warning)
    say(made, links=[made])
