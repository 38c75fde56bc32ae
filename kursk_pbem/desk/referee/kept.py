"""Copies of receipts in the private folder, so that two receipts for one message never differ.

A folder of saved mails looks like a game folder, but lacks the earlier receipts.
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


def make_kept_path(home: Path | None, chain: Chain, seq: int) -> Path | None:
    """Return the path of a message's receipt times, or None without a private folder."""
    return home / "receipts" / chain.game[:16] / f"{chain.ids[seq]}.json" if home is not None else None


def check_same_times(
    where: object, seq: int, held: tuple[str, str], received: str, due_of: Callable[[str], str]
) -> None:
    """Raise UsageError if the referee wants other times than the signed receipt.

    ``held``: the signed times of receipt and deadline. ``received``, ``due_of``: the wanted times, '' for no wish.
    ``where``: the file of the receipt.
    """
    if received not in ("", held[0]) or due_of(held[0]) not in ("", held[1]):
        raise UsageError(
            f"you have signed the receipt of message {seq} before: received {held[0]}, the answer due {held[1]}. Type "
            f"--received {held[0]} --due {held[1]} to sign the same again. If the times were wrong, move {where} away, "
            "and sign earlier times: the earliest receipt counts"
        )


def read_times(path: Path | None) -> tuple[str, str] | None:
    """Return the saved times of receipt and deadline, or None. Raises DiskError."""
    if path is None:
        return None
    try:
        held = json.loads(files.read(path, MAX_BYTES))
        return str(held["received"]), str(held["due"])
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise SpoiltError(f"{path} cannot be read ({type(error).__name__}): move it away") from None


def keep_times(path: Path | None, received: str, due: str) -> None:
    """Save the times of a receipt before anybody gets the receipt. Raises DiskError."""
    if path is None:
        return
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        disk.create(path, json.dumps({"received": received, "due": due}).encode("ascii"))
    except OSError as error:
        raise DiskError(f"{path} cannot be written: {error.strerror}") from None
