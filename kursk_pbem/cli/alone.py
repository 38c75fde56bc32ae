"""Signing by hand for directors: never in the middle of a mailbox round."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kursk_pbem.cli.common import home, need_key, read_time

if TYPE_CHECKING:
    from kursk_pbem.post.referee_round import RefereeRound

_PATIENCE = 60
"""Seconds to wait for a mailbox round, because the round can sign receipts of the same game."""


def time_option(name: str, text: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a command's option for a time. Without the option, the command gets ''."""
    return click.option(name, default="", type=read_time, metavar="TIME", help=text)


declared_option = time_option("--declared", "The time of your declaration, in UTC; otherwise now.")


@contextmanager
def alone(*, signs: bool = True) -> Iterator[None]:
    """Keep the rounds of the mailbox from running while the context is open. Raises BusyError.

    ``signs``: the command signs a paper that depends on a deadline. If False, only a referee's rounds must wait.
    """
    from kursk_pbem.post.mailbox import post_folder
    from kursk_pbem.post.referee import terms

    there = post_folder.locate(home()).is_dir() if signs else terms.terms_path(home()).exists()
    with post_folder.lock_post(home(), _PATIENCE) if there else nullcontext():
        yield


def look(key: Path | None) -> RefereeRound:
    """Return a referee round that only shows its games and decisions. Raises UsageError without a key."""
    from kursk_pbem.post import mail_session

    return mail_session.open_referee(home(), need_key(key))
