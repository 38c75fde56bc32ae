"""One's own address, and the cards that tell it: written into the first letter to each person once its owner agrees.

A card that came is taken down as ``carded``: its owner must vouch for it before letters go there. That of a stranger
waits with their proposal, and is forgotten with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from kursk_pbem.errors import UsageError
from kursk_pbem.post import address as addresses
from kursk_pbem.post import came, people, place
from kursk_pbem.post.people import Person
from kursk_pbem.trust import slip as slips
from kursk_pbem.trust.keys import Signer
from kursk_pbem.trust.slip import Slip


@dataclass(frozen=True)
class Own:
    """One's own address, '' if it was not said; whether ``cards`` may tell it to others; the ``serial`` of the next."""

    address: str = ""
    cards: bool = False
    serial: int = 1


def own(home: Path) -> Own:
    """What the owner of this desk has said of their own address. UsageError."""
    data = place.load(_path(home))
    try:
        said = Own(str(data["address"]), bool(data["cards"]), int(data["serial"])) if data else Own()
    except (KeyError, TypeError, ValueError):
        raise UsageError(f"{_path(home)} cannot be read: it says no address; move it away") from None
    if said.address and not addresses.is_address(said.address):
        raise UsageError(f"{_path(home)} cannot be read: {said.address!a} is no address; move it away")
    return said


def _path(home: Path) -> Path:
    return place.root(home) / "own.json"


def say(home: Path, text: str, *, cards: bool) -> Own:
    """Put down one's own address, and whether cards may tell it. A new address gets a new serial. UsageError."""
    before = own(home)
    text = addresses.check(text) if text else before.address
    serial = before.serial + (1 if before.address and not addresses.same(text, before.address) else 0)
    said = Own(text, cards, serial)
    place.put(_path(home), vars(said))
    return said


def due(home: Path, reader: Person) -> bool:
    """Whether the next letter to somebody is to hold a card: there is one that they have not been sent."""
    said = own(home)
    return bool(said.address and said.cards) and not _told(home, reader, said).exists()


def _told(home: Path, reader: Person, said: Own) -> Path:
    return place.root(home) / "told" / f"{reader.mark}.{said.serial}"


def made(home: Path, reader: Person, signer: Signer) -> Slip:
    """The card for a reader, the same bytes each time until the address changes. UsageError without an address."""
    said = own(home)
    if not said.address:
        raise UsageError("say your own address first: 'kursk people card ADDRESS'")
    return slips.card(reader.key, said.address, said.serial, signer)


def sent(home: Path, reader: Person) -> None:
    """Put down that a letter with the card is written, so that no other holds it."""
    place.once(_told(home, reader, own(home)), b"")


def take(home: Path, slip: Slip, writer: Person) -> Person | None:
    """Take down a card that holds; the person with it, None if it is older than what is known or says nothing new.

    TrustError for one that is not signed by its key.
    """
    slips.check(slip)
    return _taken(home, int(slip.text("serial")), slip.text("address"), writer)


def _taken(home: Path, serial: int, text: str, writer: Person) -> Person | None:
    if serial <= writer.serial or not addresses.is_address(text):
        return None
    if writer.state_of(text) in (*people.REACHED, people.BOUNCED):  # a stop lasts until its owner's desk says otherwise
        people.save(home, replace(writer, serial=serial))
        return None
    return people.save(home, replace(writer.put(text, people.CARDED, "a card"), serial=serial))


def wait(home: Path, games: Iterable[str], slip: Slip) -> bool:
    """Let a card that holds wait with the proposals of games, by the first digits of their ids; whether it is newer.

    With each of them: anybody may propose a game in which others have a key. TrustError, UsageError.
    """
    slips.check(slip)
    said, mark = {name: slip.text(name) for name in ("address", "serial")}, people.mark(slip.text("key"))
    games = games if addresses.is_address(said["address"]) else ()
    older = [game for game in games if int(came.said(home, game, 0, mark).get("serial", "0")) < int(said["serial"])]
    for game in older:
        came.drop(home, game, 0, mark)
        came.note(home, game, 0, mark, **said)
    return bool(older)


def accepted(home: Path, game: str, key: str) -> bool:
    """Take down the card that waits of somebody whose proposal is accepted; whether that could be. UsageError."""
    said, writer = came.said(home, game, 0, people.mark(key)), people.known(home, key)
    if not said.get("serial", "").isdigit():
        return True
    if not writer.fault:
        _taken(home, int(said["serial"]), said.get("address", ""), writer)
    return not writer.fault


def confirm(home: Path, person: Person, text: str = "") -> Person:
    """The owner of this desk vouches for an address of somebody: the one that is asked about if none is named.

    UsageError.
    """
    asked = [entry for entry in person.asked if not text or addresses.same(entry.text, text)]
    if not asked:
        what = f"{text}: no card and no turn of theirs names it" if text else "nothing is asked about them"
        raise UsageError(f"{person.name or person.fingerprint}: {what}; 'kursk people add' takes what you know")
    if len(asked) > 1:
        listed = ", ".join(entry.text for entry in asked)
        raise UsageError(f"{person.name or person.fingerprint}: name one of {listed}")
    entry = asked[0]
    return people.save(home, person.put(entry.text, people.CONFIRMED, entry.source))
