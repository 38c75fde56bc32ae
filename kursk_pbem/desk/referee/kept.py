"""What a referee's receipts say, kept in the private folder: whatever folder one is signed in, it says the same.

A folder of saved mails looks like the game's own; a receipt that is signed there may contradict one that was mailed.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from kursk_pbem.errors import DiskError, SpoiltError, UsageError
from kursk_pbem.formats import files
from kursk_pbem.formats.canonical import MAX_BYTES
from kursk_pbem.game import disk
from kursk_pbem.trust.chains import Chain
from kursk_pbem.trust.papers import Paper


def folder(home: Path, game: str) -> Path:
    """Where the private folder keeps what the receipts of a game say, each called by the id of its message."""
    return home / "receipts" / game[:16]


def path_of(home: Path | None, chain: Chain, seq: int) -> Path | None:
    """Where the private folder keeps what the receipt of a message says; None without a private folder."""
    return folder(home, chain.game) / f"{chain.ids[seq]}.json" if home is not None else None


def also(home: Path | None, chain: Chain, seq: int) -> str:
    """What is to be moved away beside a wrong receipt, in words; '' for nothing."""
    path = path_of(home, chain, seq)
    return f", and {path} away" if path is not None and path.exists() else ""


def before(path: Path | None, seq: int, received: str, due_of: Callable[[str], str]) -> tuple[str, str] | None:
    """When a message came and its answer is due, as was signed before; None if nothing was.

    ``received``, ``due_of``: what the referee wants to say, '' where they say nothing. UsageError where that differs.
    """
    if (held := said(path)) is None:
        return None
    if _differs(held, received, due_of):
        raise UsageError(
            f"you have signed the receipt of message {seq} before: received {held[0]}, the answer due {held[1]}. Say "
            f"--received {held[0]} --due {held[1]} to sign the same again. If that was wrong, move {path} away, and "
            "sign an earlier one: of several the earliest counts"
        )
    return held


def check_same(held: Paper, received: str, due_of: Callable[[str], str]) -> None:
    """UsageError where a receipt is asked for that differs from the one there is: the earliest would count anyway."""
    said = held.text("received"), held.text("due")
    if _differs(said, received, due_of):
        raise UsageError(
            f"message {held.seq} has its receipt, {held.document.name}: received {said[0]}, the answer due {said[1]}. "
            "A second one would only make trouble: of several the earliest counts"
        )


def _differs(held: tuple[str, str], received: str, due_of: Callable[[str], str]) -> bool:
    return received not in ("", held[0]) or due_of(held[0]) not in ("", held[1])


def said(path: Path | None) -> tuple[str, str] | None:
    """When a message came and its answer is due, as is kept there; None if nothing is. DiskError."""
    if path is None:
        return None
    try:
        held = json.loads(files.read(path, MAX_BYTES))
        return str(held["received"]), str(held["due"])
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise SpoiltError(f"{path} cannot be read ({type(error).__name__}): move it away") from None


def keep(path: Path | None, received: str, due: str) -> None:
    """Put down what a receipt says, before anybody gets it. DiskError."""
    if path is None:
        return
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        disk.create(path, json.dumps({"received": received, "due": due}).encode("ascii"))
    except OSError as error:
        raise DiskError(f"{path} cannot be written: {error.strerror}") from None
