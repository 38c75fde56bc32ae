"""What a director signs by hand: not in the middle of a round of their mailbox."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from kursk_pbem.cli.common import home

_PATIENCE = 60
"""Seconds for which a command waits for a round of the post, which may sign receipts of the same game."""


@contextmanager
def alone(*, signs: bool = True) -> Iterator[None]:
    """Inside here no round of post takes anything in. BusyError.

    ``signs``: whether something is signed that depends on a term; otherwise only a mailbox that referees matters.
    """
    from kursk_pbem.post.mailbox import place
    from kursk_pbem.post.referee import terms

    there = place.root(home()).is_dir() if signs else terms.path_of(home()).exists()
    with place.locked(home(), _PATIENCE) if there else nullcontext():
        yield
