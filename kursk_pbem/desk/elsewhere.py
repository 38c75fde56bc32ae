"""What may have been signed elsewhere: messages before a restored backup, and private folders that have moved.

A second signature for the same number looks like fraud. So the program saves number, id and time of each such message
beside the journal. ``kursk post`` adds the messages found in mails. Messages in the outbox are read directly.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from kursk_pbem.desk import clock, jsonfiles, mailed
from kursk_pbem.errors import TrustError, UsageError
from kursk_pbem.formats.canonical import shorten
from kursk_pbem.game.journal import OWN, Record
from kursk_pbem.trust import keys, sshsig
from kursk_pbem.trust.chains import Chain
from kursk_pbem.trust.messages import Message

NAME = "elsewhere.json"
"""The file in a game's private record with the messages of :class:`Seen`."""
MOVED = "moved-away.json"
"""The file in a private folder that was saved for a move."""
WHY = "A second machine or a restored backup explains this; it is no accusation."


@dataclass(frozen=True)
class Seen:
    """A message of the player that is missing from the journal. ``at``: time of its mail, '' for the outbox."""

    seq: int
    id: str
    at: str = ""


def note_message(own: Record | None, chain: Chain, message: Message) -> None:
    """Save a message that the player signed and the journal lacks. Raises DiskError."""
    if own is None or message.sender != own.side or message.seq < 1:
        return
    slot = own.read_slot(message.seq)
    if (slot is not None and slot.id == message.id) or any(seen.id == message.id for seen in _read_noted(own)):
        return
    with suppress(TrustError):  # ignore forged copies
        sshsig.verify(chain.keys[own.side], sshsig.NAMESPACE, message.signed, message.armour or "")
        entries = [*_read_noted(own), Seen(message.seq, message.id, clock.now())]
        jsonfiles.write_object(own.path / NAME, {"messages": [vars(seen) for seen in entries]})


def explain_move(home: Path) -> str:
    """Return why a private folder or the second seat in it signs nothing. Otherwise ''."""
    for place in (home, home.parent):
        if (place / MOVED).exists():
            when = jsonfiles.read_object(place / MOVED).get("time", "")
            return (
                f"your games were saved for a move ({when}), so nothing is signed here. Continue in the new place; or "
                "save for a move there, and open the saved folder here ('kursk open FILE.zip', or 'Save and move' on "
                "the board)"
            )
    return ""


def load_signer(home: Path | None, key: Path) -> keys.Signer:
    """Load a key to sign for a private folder. Signing raises UsageError if the folder has moved away."""
    signer = keys.load_key(key)

    def sign(namespace: str, data: bytes) -> bytes:
        if home is not None and (why := explain_move(home)):
            raise UsageError(why)
        return signer.raw(namespace, data)

    return replace(signer, raw=sign)


def explain_lock(own: Record, due: int) -> str:
    """Return the reason for not signing message ``due``: a move, or a signed message with this or a later number."""
    if why := explain_move(own.home):
        return why
    known = [*_read_noted(own), *(Seen(seq, id_) for seq, id_, _over in mailed.list_messages(own.home, own.game, due))]
    later = [seen for seen in known if seen.seq >= due and not _is_in_journal(own, seen)]
    if not later:
        return ""
    newest = max(later, key=lambda seen: (seen.seq, seen.at))
    where = f"seen in the mail {newest.at}" if newest.at else "in your outbox"
    return (
        f"you have already signed message {newest.seq} ({newest.id[:16]}; {where}), but this machine does not know the "
        f"message. {WHY} Sign no second message {newest.seq}: type 'kursk restore {own.game[:8]} MAILS' with a copy of "
        "the mail, or continue on the machine of your first signature"
    )


def describe_conflicts(own: Record | None) -> list[str]:
    """Return a sentence for each number with two different signed messages of the player."""
    told = []
    for seen in _read_noted(own) if own is not None else ():
        slot = own.read_slot(seen.seq) if own is not None else None
        if slot is not None and slot.kind in OWN and slot.id != seen.id:
            told.append(describe_conflict(seen.seq, slot.id, seen.id))
    return told


def describe_conflict(seq: int, one: str, other: str) -> str:
    """Return the advice to a player with two different messages of one number."""
    first, second = shorten(one, other)
    return (
        f"You have signed two different messages {seq}: {first} on this machine, and {second}. {WHY} "
        "Only the copy of your opponent counts: ask your opponent for the id. If your opponent "
        f"has {second}, continue on the machine with {second}; or move the game's folder and private record away, and "
        "let 'kursk restore' make new copies from your mails"
    )


def _read_noted(own: Record) -> list[Seen]:
    entries = jsonfiles.read_object(own.path / NAME).get("messages", [])
    return [Seen(int(entry["seq"]), str(entry["id"]), str(entry["at"])) for entry in entries]


def _is_in_journal(own: Record, seen: Seen) -> bool:
    slot = own.read_slot(seen.seq)
    return slot is not None and slot.id == seen.id
