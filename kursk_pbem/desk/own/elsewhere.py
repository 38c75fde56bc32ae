"""What may have been signed elsewhere: messages before a restored backup, and private folders that have moved.

A second signature for the same number looks like fraud. So the program saves number, id and time of each such message
beside the journal: messages found in mails, and messages named by the opponent's answers and by papers of the referee
or the tournament. Messages in the outbox are read directly.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from kursk_pbem.desk.ground import clock, jsonfiles
from kursk_pbem.desk.own import mailed
from kursk_pbem.errors import DiskError, TrustError, UsageError
from kursk_pbem.formats.canonical import shorten
from kursk_pbem.frozen import frozen
from kursk_pbem.game.journal import OWN, Record
from kursk_pbem.trust import keys, messages, papers, sshsig
from kursk_pbem.trust.chains import Chain
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper

NAME = "elsewhere.json"
"""The file in a game's private record with the messages of :class:`Seen`."""
MOVED = "moved-away.json"
"""The file in a private folder that was saved for a move."""
MAX_NOTED = 64
"""Maximum number of noted messages if others name them."""
DECIDED = "decided.json"
"""The file in a game's private record that says why the tournament's log ends the game."""
WHY = "A second machine or a restored backup explains this; it is no accusation."


@frozen
class Seen:
    """A message of the player that is missing from the journal. ``at``: time of its mail, '' for the outbox.

    ``by``: another person's turn with the name of the message, '' for the message itself; ``text``: the other turn.
    ``never``: the player has never signed the message.
    """

    seq: int
    id: str
    at: str = ""
    by: str = ""
    text: str = ""
    never: bool = False


def note_turn(own: Record | None, chain: Chain, turn: Message | Paper) -> None:
    """Save a message missing in the journal: a turn signed by the player, or named by another turn. Raises DiskError.

    An opponent's message names its predecessor, and a referee's paper its message.
    """
    if own is None:
        return
    if isinstance(turn, Paper):
        by, text = f"the {turn.type} of the referee", papers.emit_paper(turn)
        named = Seen(turn.seq, str(turn.content.get("id")), clock.now(), by, text)
    elif turn.sender == own.side:
        named = Seen(turn.seq, turn.id, clock.now())
    else:
        by, text = f"message {turn.seq} of {turn.sender}", messages.emit_message(turn.content, turn.armour)
        named = Seen(turn.seq - 1, str(turn.content.get("prev")), clock.now(), by, text)
    with suppress(TrustError):  # ignore forged copies
        if _is_news(own, chain, named):
            sshsig.verify(chain.keys.get(turn.sender, ""), sshsig.NAMESPACE, turn.signed, turn.armour or "")
            note_missing(own, named)


def _is_news(own: Record, chain: Chain, named: Seen) -> bool:
    """Return whether the journal lacks a message of the player."""
    slot = own.read_slot(named.seq)
    if named.seq < 1 or (named.by and (slot is not None or chain.writer(named.seq) != own.side)):
        return False
    return slot is None or slot.id != named.id


def note_missing(own: Record, named: Seen) -> None:
    """Save a message missing in the journal; of a number, the first word of others counts. Raises DiskError."""
    noted = _read_noted(own)
    known = any(seen.seq == named.seq if named.by else not seen.by and seen.id == named.id for seen in noted)
    if not known and (len(noted) < MAX_NOTED or not named.by):
        _write_noted(own, [*noted, named])


def find_missing(own: Record, due: int) -> Seen | None:
    """Return the newest message named only by other people, from number ``due`` on, otherwise None."""
    last = _find_last(own, due)
    return last if last is not None and last.by else None


def deny_message(own: Record, seq: int) -> None:
    """Save that the player has never signed a message named by others. The evidence stays. Raises DiskError."""
    noted = _read_noted(own)
    _write_noted(own, [replace(seen, never=seen.never or (seen.by != "" and seen.seq >= seq)) for seen in noted])


def explain_decided(own: Record) -> str:
    """Return why a tournament's log lets the player sign nothing in a game, or ''. Raises DiskError."""
    return str(jsonfiles.read_object(own.path / DECIDED).get("why", ""))


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
    if (last := _find_last(own, due)) is None:
        return ""
    seq, game = last.seq, own.game[:8]
    told = f"your message {seq} ({last.id[:16]}) is missing here, and {last.by} names it"
    never = f". If you have never signed message {seq}, type 'kursk restore {game} --never {seq}'"
    if not last.by:
        where, never = f"seen in the mail {last.at}" if last.at else "in your outbox", ""
        told = f"you have already signed message {seq} ({last.id[:16]}; {where}), but this machine lacks it"
    return (
        f"{told}. {WHY} Sign no second message {seq}: 'kursk post' or 'kursk restore {game}' looks for the message in "
        f"your mailbox; or type 'kursk restore {game} MAILS' with a copy of the mail, or continue on the machine of "
        f"your first signature{never}"
    )


def _find_last(own: Record, due: int) -> Seen | None:
    """Return the newest missing message from number ``due`` on; a signed message before a named message."""
    known = [*_read_noted(own), *(Seen(seq, id_) for seq, id_, _over in mailed.list_messages(own.home, own.game, due))]
    later = [seen for seen in known if seen.seq >= due and not seen.never and not _is_in_journal(own, seen)]
    denied = [seen.seq for seen in known if seen.never and seen.seq >= due]  # and so each later message
    later = [seen for seen in later if not (seen.by and denied and seen.seq > min(denied))]
    return max(later, key=lambda seen: (not seen.by, seen.seq, seen.at), default=None)


def describe_conflicts(own: Record | None) -> list[str]:
    """Return a sentence for each number with two different signed messages of the player."""
    told = []
    for seen in _read_noted(own) if own is not None else ():
        slot = own.read_slot(seen.seq) if own is not None else None
        if slot is not None and slot.kind in OWN and slot.id != seen.id and not seen.by:
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
    try:
        return [Seen(**entry) for entry in jsonfiles.read_object(own.path / NAME).get("messages", [])]
    except TypeError:
        raise DiskError(f"{own.path / NAME} is damaged: move the file away") from None


def _write_noted(own: Record, entries: list[Seen]) -> None:
    jsonfiles.write_object(own.path / NAME, {"messages": [vars(seen) for seen in entries]})


def _is_in_journal(own: Record, seen: Seen) -> bool:
    slot = own.read_slot(seen.seq)
    return slot is not None and slot.id == seen.id
