"""Make a new store in place of a damaged one.

The letters that are due follow from the journal, and each has the bytes that its file holds. The mailbox is read anew.
"""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.desk import clock
from kursk_pbem.post.mailbox import card, place, store
from kursk_pbem.post.wire import account as accounts


def rebuild(home: Path) -> Path | None:
    """Set the store aside and make a new one; return the path of the former one, None if there was none."""
    aside = store.set_aside(home)
    account = accounts.load(home)
    for path in (place.root(home) / "in").glob("*/*.json"):  # how far version 0.2 has read a mailbox
        path.unlink()
    with store.writing(home):
        store.set_setting(home, "begun", clock.now())
        store.set_setting(home, "rebuilt", clock.now())
        if account is not None and not card.own(home).address:
            card.say(home, account.address, cards=False)
    return aside
