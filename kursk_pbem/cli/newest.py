"""The question for the newest messages that the player has ever signed: one question for all games."""

from __future__ import annotations

from pathlib import Path

import click

from kursk_pbem.cli.common import complain, home, may_ask, plain, release, say
from kursk_pbem.desk.own import desks, mailed
from kursk_pbem.errors import KurskError, UsageError


def ask_newest(*, searched: bool = False) -> None:
    """Ask for the newest message of each copied, opened or restored game, if a person can answer.

    ``searched``: the mailbox was searched. Before that, 'kursk post' asks, if the private folder has a mail account.
    """
    if not may_ask() or (mailed.has_account(home()) and not searched):
        return
    from kursk_pbem.desk.rescue import restore

    if not (asked := [each for each in restore.list_locked(home(), Path()) if each[1].asked is not None]):
        return
    say("Your private folder is a copy, or these games were opened or restored. You may have signed later messages:")
    for known, desk in asked:
        say(f"  {known}: {desks.describe_newest(desk.game, desk.own)}" if desk.own else "")
    say(
        "A second message with one number proves fraud. Look through your sent mails first, of all machines. Which is "
        "the newest message that you have ever signed, on any machine? Type the number of each game, in this order."
    )
    release()
    typed = str(click.prompt(plain("Newest messages"), default="", show_default=False)).replace(",", " ").split()
    for (known, desk), word in zip(asked, typed, strict=False):
        try:
            if not word.isdecimal():
                raise UsageError(f"{word!a} is no number")
            restore.confirm_newest(desk, int(word))
            say(f"{known}: confirmed; the next message can be signed here")
        except KurskError as error:
            complain(f"{known}: {error}")
