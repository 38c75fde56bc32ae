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


def folder(home: Path, game: str) -> Path:
    """Where the private folder keeps what the receipts of a game say, each called by the id of its message."""
    return home / "receipts" / game[:16]


def path_of(home: Path | None, chain: Chain, seq: int) -> Path | None:
    """Where the private folder keeps what the receipt of a message says; None without a private folder."""
    return folder(home, chain.game) / f"{chain.ids[seq]}.json" if home is not None else None


def check_same(where: object, seq: int, held: tuple[str, str], received: str, due_of: Callable[[str], str]) -> None:
    """Raise UsageError if the referee wants to say something else than the receipt that was signed.

    ``held``: when the message came and its answer is due, as it was signed. ``received``, ``due_of``: what the referee
    wants to say, '' if they say nothing. ``where``: the file with the receipt.
    """
    if received not in ("", held[0]) or due_of(held[0]) not in ("", held[1]):
        raise UsageError(
            f"you have signed the receipt of message {seq} before: received {held[0]}, the answer due {held[1]}. Say "
            f"--received {held[0]} --due {held[1]} to sign the same again. If that was wrong, move {where} away, and "
            "sign an earlier one: of several the earliest counts"
        )


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
