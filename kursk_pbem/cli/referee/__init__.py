"""referee: the papers of a referee, and a mailbox that referees by itself."""

from __future__ import annotations

from pathlib import Path

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.alone import look
from kursk_pbem.cli.common import home, keyed_options, say
from kursk_pbem.cli.groups import LazyGroup

COMMANDS = {
    "receipt": ("papers", "Sign when a message came, and when the answer is due."),
    "extend": ("papers", "Give a player more time before the deadline passes."),
    "forfeit": ("papers", "End a game after a missed deadline."),
    "setup": ("mailbox", "Write the terms of your referee's mailbox."),
    "run": ("mailbox", "Referee by mail until you press Ctrl-C."),
    "pass": ("mailbox", "Accept a late message."),
    "pause": ("mailbox", "Set the first day on which messages can be due."),
}
"""Command -> (module of this package, one line of help)."""


@cli.group(cls=LazyGroup, package="kursk_pbem.cli.referee", table=COMMANDS, invoke_without_command=True)
@keyed_options
@click.pass_context
def referee_group(ctx: click.Context, key: Path | None, quiet: bool) -> None:
    """List what waits for your decision: late messages, missed deadlines, absences, missing addresses.

    \b
    kursk referee receipt MAIL --days 7   sign when a message came
    kursk referee forfeit GAME            end a game whose side is overdue
    kursk referee forfeit --overdue       settle the missed deadlines of all games
    kursk referee setup --days 7          write the terms of this mailbox
    kursk referee run                     take, sign, remind, send, repeatedly
    kursk referee pass GAME               accept a late message
    kursk referee pause DAY               nothing is due in any game before DAY

    The mailbox is that of 'kursk post setup'; the list needs no mailbox. A game begins with 'kursk referee receipt' or
    'kursk propose'.
    """
    if ctx.invoked_subcommand is not None:
        return
    from kursk_pbem.post.mailbox import arrival, post_folder, store
    from kursk_pbem.post.wire import account as accounts

    with post_folder.lock_post(home()):
        lines, account = look(key).list_pending(), accounts.load_account(home())
        host = store.load_setting(home(), arrival.SEEN) if account is not None and not account.arrival else ""
    for line in lines:
        say(line)
    say("no decisions wait for you", quiet=quiet or bool(lines), waiting=lines)
    if host:
        why = "then the time of this host counts as the arrival, if earlier than the mailbox's time"
        say(f'your mails arrive at host {host}: add arrival-hosts = ["{host}"] to account.toml; {why}', quiet=quiet)
