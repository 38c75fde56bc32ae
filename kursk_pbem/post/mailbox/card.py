"""One's own address, and the cards that tell it: written into the first letter to each person once its owner agrees.

A card of somebody who is known here is taken down as ``carded``: its owner must vouch for it before letters go there.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from kursk_pbem.errors import TrustError, UsageError
from kursk_pbem.formats.text import show
from kursk_pbem.post.mailbox import address as addresses
from kursk_pbem.post.mailbox import people, store
from kursk_pbem.post.mailbox.envelope import Mail
from kursk_pbem.post.mailbox.people import Person
from kursk_pbem.post.wire import account as accounts
from kursk_pbem.trust import slip as slips
from kursk_pbem.trust.slip import Slip


@dataclass(frozen=True)
class Own:
    """One's own address, '' if it was not said; whether ``cards`` may tell it to others; the ``serial`` of the next."""

    address: str = ""
    cards: bool = False
    serial: int = 1


def own(home: Path) -> Own:
    """What the owner of this desk has said of their own address. DiskError."""
    address, cards, serial = (store.setting(home, f"own-{name}") for name in ("address", "cards", "serial"))
    if not address and (account := accounts.load(home)) is not None:
        address = account.address  # its owner has said it there
    return Own(address, bool(cards), int(serial or 1))


def say(home: Path, text: str, *, cards: bool) -> Own:
    """Put down one's own address, and whether cards may tell it. A new address gets a new serial. UsageError."""
    before = own(home)
    text = addresses.check(text) if text else before.address
    serial = before.serial + (1 if before.address and not addresses.same(text, before.address) else 0)
    with store.writing(home):
        store.set_setting(home, "own-address", text)
        store.set_setting(home, "own-cards", "yes" if cards else "")
        store.set_setting(home, "own-serial", str(serial))
    return Own(text, cards, serial)


def due(home: Path, mark: str) -> bool:
    """Whether the next letter to somebody is to hold a card: there is one that they have not been sent."""
    said = own(home)
    if not (said.address and said.cards):
        return False
    with store.reading(home) as found:
        row = found.execute("select 1 from card where mark = ? and serial = ?", (mark, said.serial)).fetchone()
    return row is None


def sent(home: Path, marks: Iterable[str]) -> None:
    """Put down that a letter with the card for these people is written, so that no other holds it."""
    with store.writing(home) as found:
        found.executemany("insert or ignore into card values (?, ?)", [(mark, own(home).serial) for mark in marks])


def taken_down(
    home: Path, mail: Mail, cards: Iterable[Slip], known: Mapping[str, Person], mine: Container[str]
) -> list[str]:
    """Take down cards of the people who are ``known`` here, by key, that are for one of the keys that are ``mine``.

    Of each person's the newest counts, whatever the order. What is said of them. DiskError.
    """
    told, now = list[str](), dict(known)
    for slip in sorted(cards, key=lambda slip: -int(slip.text("serial"))):
        person, text, serial = now.get(slip.text("key")), slip.text("address"), int(slip.text("serial"))
        if person is None or slip.text("for") not in mine or not addresses.is_address(text) or serial <= person.serial:
            continue
        try:
            slips.check(slip)
        except TrustError as error:
            told.append(f"{mail.name}: a card that does not hold: {error.message}")
            continue
        entry, over = person.entry(text), tuple(one for one in person.addresses if one.state != people.CARDED)
        after = replace(person, addresses=over, serial=serial)
        if not addresses.same(text, person.reached):
            verb = "add" if entry is not None and entry.used else "confirm"
            after = after if verb == "add" else after.put(text, people.CARDED, "a card of theirs names it")
            back = ", but a letter came back from there" if entry is not None and entry.back else ""
            yes = f"{person.command(verb, text)} says yes, and nothing goes there before"
            told.append(f"{show(person.called)} says that they are reached at {text}{back}; {yes}")
        now[person.key] = people.save(home, after)
    return told


def confirm(home: Path, person: Person, text: str = "") -> Person:
    """The owner of this desk vouches for an address of somebody: the one that is asked about if none is named.

    UsageError.
    """
    asked = [entry for entry in person.asked if not text or addresses.same(entry.text, text)]
    if not asked:
        what = f"{text}: no card and no turn of theirs names it" if text else "nothing is asked about them"
        raise UsageError(f"{person.called}: {what}; 'kursk people add' takes what you know")
    if len(asked) > 1:
        raise UsageError(f"{person.called}: name one of {', '.join(entry.text for entry in asked)}")
    return people.save(home, person.put(asked[0].text, people.CONFIRMED, asked[0].source))
