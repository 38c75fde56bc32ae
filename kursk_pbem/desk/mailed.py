"""Read access to the mail store of a private folder."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from kursk_pbem.errors import SpoiltError


def list_messages(home: Path, game: str, least: int) -> list[tuple[int, str, bool]]:
    """Return number, id and sent status of the messages in a game's letters, from number ``least`` on."""
    letters = _run_query(home, "select data, over from letter where game = ? and seq >= ?", game, least)
    items = ((item, bool(over)) for data, over in letters for item in json.loads(data)["items"])
    return [
        (item["seq"], item["id"], over) for item, over in items if item["kind"] == "message" and item["seq"] >= least
    ]


def has_account(home: Path) -> bool:
    """Return whether the private folder has a mail account."""
    return (home / "post" / "account.toml").exists()


def was_sent(home: Path, game: str, seq: int, id_: str) -> bool:
    """Return whether a message was sent from this machine or marked as sent."""
    return (seq, id_, True) in list_messages(home, game, seq)


def _run_query(home: Path, query: str, *of: object) -> list[Any]:
    """Return the rows of a query, [] without a store. Raises SpoiltError if the store is damaged."""
    path = home / "post" / "post.sqlite"
    if not path.exists():
        return []
    try:
        with closing(sqlite3.connect(path, timeout=60)) as store:
            made = store.execute("pragma user_version").fetchone() != (0,)
            return store.execute(query, of).fetchall() if made else []
    except sqlite3.Error as error:
        raise SpoiltError(f"{path} cannot be read ({error}): type 'kursk post rebuild'") from None
