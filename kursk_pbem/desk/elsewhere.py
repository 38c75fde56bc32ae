"""Messages of one's own that this machine did not sign: a second machine did, or a backup was put back.

Whoever signs such a number once more has signed two messages for it, which looks like fraud. So what is seen of them is
kept beside the journal: number, id and time. Nothing is looked for over a network here. ``kursk post`` notes what its
mails hold, and when it looked; the letters of its outbox are read as they lie there.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kursk_pbem.desk import clock, mailed
from kursk_pbem.errors import DiskError, TrustError
from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import apart
from kursk_pbem.game import disk
from kursk_pbem.game.journal import OWN, Record
from kursk_pbem.trust import sshsig
from kursk_pbem.trust.chains import Chain
from kursk_pbem.trust.messages import Message

NAME = "elsewhere.json"
"""The file in the record of a game: number and id of each message, and when it was first seen."""
LOOKED = "own-mails.json"
"""The file in the private folder that says when mails were looked through last."""
WHY = "A second machine or a backup that was put back explains it, and it accuses nobody."
_HOUR = 3600


@dataclass(frozen=True)
class Seen:
    """A message of one's own that the journal does not know; ``at``: when it came by mail, '' for the outbox."""

    seq: int
    id: str
    at: str = ""


def note(own: Record | None, chain: Chain, message: Message) -> None:
    """Put down a message that the player here has signed and the journal does not know. Raises DiskError."""
    if own is None or message.sender != own.side or message.seq < 1:
        return
    slot = own.slot(message.seq)
    if (slot is not None and slot.id == message.id) or any(seen.id == message.id for seen in _noted(own)):
        return
    with suppress(TrustError):  # a copy that is not what was signed says nothing
        sshsig.verify(chain.keys[own.side], sshsig.NAMESPACE, message.signed, message.armour or "")
        entries = [*_noted(own), Seen(message.seq, message.id, clock.now())]
        _write(own.path / NAME, {"messages": [vars(seen) for seen in entries]})


def looked(home: Path) -> None:
    """Put down that all new mails have been looked through now. Raises DiskError."""
    _write(home / LOOKED, {"at": clock.now()})


def last_look(home: Path) -> str:
    """Return in words when mails were looked through last for messages of one's own; '' if they never were."""
    at = str(_read(home / LOOKED).get("at", ""))
    if not times.is_time(at):
        return ""
    hours = max(0, times.between(at, clock.now())) // _HOUR
    ago = "less than an hour" if not hours else f"{hours} hours" if hours < 2 * 24 else f"{hours // 24} days"
    return f"'kursk post' looked {ago} ago for messages that you signed on another machine"


def lock(own: Record, due: int) -> str:
    """Return why message ``due`` must not be signed here: it, or a later one, is signed already. '' if it may be."""
    known = [*_noted(own), *(Seen(seq, id_) for seq, id_, _over in mailed.messages(own.home, own.game, due))]
    later = [seen for seen in known if seen.seq >= due and not _holds(own, seen)]
    if not later:
        return ""
    newest = max(later, key=lambda seen: (seen.seq, seen.at))
    where = f"it came by mail, seen {newest.at}" if newest.at else "it is in your outbox"
    return (
        f"you have signed message {newest.seq} already ({newest.id[:16]}; {where}), and this machine does not know it. "
        f"{WHY} Sign no second one: 'kursk restore {own.game[:8]} MAILS' takes it from a copy of its mail, or go on "
        "where you signed it"
    )


def differing(own: Record | None) -> list[str]:
    """Return a sentence for each number of which the player here has signed two different messages."""
    told = []
    for seen in _noted(own) if own is not None else ():
        slot = own.slot(seen.seq) if own is not None else None
        if slot is not None and slot.kind in OWN and slot.id != seen.id:
            told.append(two(seen.seq, slot.id, seen.id))
    return told


def two(seq: int, one: str, other: str) -> str:
    """Return what the owner of two different messages of one number is told."""
    first, second = apart(one, other)
    return (
        f"Two of your copies of message {seq} differ: {first} is the one of this machine, {second} the other. {WHY} "
        "Only one can count, the one that your opponent has: ask which. If it is the other, go on on the machine that "
        "signed it, or move this game's folder and its private record away and let 'kursk restore' make them anew from "
        "your mails"
    )


def _noted(own: Record) -> list[Seen]:
    entries = _read(own.path / NAME).get("messages", [])
    return [Seen(int(entry["seq"]), str(entry["id"]), str(entry["at"])) for entry in entries]


def _holds(own: Record, seen: Seen) -> bool:
    slot = own.slot(seen.seq)
    return slot is not None and slot.id == seen.id


def _read(path: Path) -> dict[str, Any]:
    """Return what a file holds; nothing if there is none. Raises DiskError if it cannot be read."""
    try:
        data = json.loads(path.read_text(encoding="ascii"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise DiskError(f"{path} cannot be read ({type(error).__name__}): move it away") from None
    return data if isinstance(data, dict) else {}


def _write(path: Path, data: dict[str, Any]) -> None:
    try:
        disk.replace(path, (json.dumps(data, sort_keys=True, indent=1) + "\n").encode("ascii"), mode=0o600)
    except OSError as error:
        raise DiskError(f"{path} cannot be written: {error.strerror}") from None
