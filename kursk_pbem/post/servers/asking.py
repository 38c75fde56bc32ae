"""What a server is asked about mails before they are fetched, and may stumble over: their structures, their texts.

A stranger's mail may have a structure that is too long, and some servers are too slow to search large ones, or close
the line. Where two rounds have broken off at such a question it is asked no more: each mail is fetched, or named (T49).
"""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.post import place
from kursk_pbem.post.servers.account import Account


def path_of(home: Path, account: Account) -> Path:
    """Where it stands of which mails a server is asked, as long as it has not answered."""
    return place.root(home) / "in" / account.name / "asked"


def asks(asked: Path, batch: str) -> bool:
    """Whether the server is asked what is in the mails of a batch, which is put down before; no third time."""
    said = place.load(asked)
    again = said.get("batch") == batch
    if again and "twice" in said:
        return False
    place.put(asked, {"batch": batch, **({"twice": "yes"} if again else {})})
    return True
