"""Make a new store in place of a damaged one.

The letters that are due follow from the journal, and each has the bytes that its file holds. The mailbox is read anew.
"""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.desk import clock
from kursk_pbem.post.mailbox import card, store
from kursk_pbem.post.wire import account as accounts


def rebuild(home: Path) -> Path | None:
    """Set the store aside and make a new one; return the path of the former one, None if there was none."""
    aside = store.set_aside(home)
    account = accounts.load(home)
    with store.writing(home) as rows:
        rows.execute("delete from setting where name like 'cursor %'")  # those of version 0.2 lie there still
        store.set_setting(home, "begun", clock.now())
        store.set_setting(home, "rebuilt", clock.now())
        if account is not None and not card.own(home).address:
            card.say(home, account.address, cards=False)
    return aside
