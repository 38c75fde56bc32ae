"""People: a public key each, what this desk calls it, and the addresses it may be reached at, with where they are from.

A signature decides who wrote; an address only decides where a letter goes. An address is ``said`` (the owner of this
desk typed it), ``seen`` (a fresh turn of that key came from it), ``carded`` (a card of that key names it), or
``confirmed`` (carded or seen, and the owner has vouched for it). Letters go to the newest that is said or confirmed,
unless a letter came ``back`` from it. One's own address is in a card, in the first letter to each person, once its
owner agrees.
"""

from __future__ import annotations

import base64
import re
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path
from typing import Any

from kursk_pbem.desk import clock
from kursk_pbem.desk.shelf.register import Known
from kursk_pbem.errors import TrustError, UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.formats.text import free_text_fault, show
from kursk_pbem.post.mailbox import address as addresses
from kursk_pbem.post.mailbox import events, store
from kursk_pbem.post.mailbox.envelope import Mail
from kursk_pbem.post.wire import account as accounts
from kursk_pbem.trust import sshsig
from kursk_pbem.trust.card import Card, check_card

SAID, SEEN, CARDED, CONFIRMED = "said", "seen", "carded", "confirmed"
REACHED = (SAID, CONFIRMED)
_MOST = 20
"""Addresses that are kept of one person."""
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]*")
_PLAIN_ADDRESS = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+-]*@[A-Za-z0-9.-]+")
NAME = 60


@dataclass(frozen=True)
class Address:
    """An address of somebody: its state, where it is from in words, since when, and if a letter came back from it."""

    text: str
    state: str
    source: str
    since: str
    back: bool = False

    @property
    def used(self) -> bool:
        """Whether the owner of this desk has vouched for it."""
        return self.state in REACHED

    @property
    def told(self) -> str:
        """Where it is from, and whether a letter came back from it."""
        return f"{self.source}, but a letter came back from there" if self.back else self.source


@dataclass(frozen=True)
class Person:
    """Somebody with a key; ``games``: the short ids of the games in which this desk meets them.

    ``serial``: that of the newest card of theirs that was taken, 0 without one.
    """

    key: str
    name: str = ""
    addresses: tuple[Address, ...] = ()
    serial: int = 0
    games: tuple[str, ...] = field(default=(), compare=False)

    @property
    def mark(self) -> str:
        """What names this person in file names: 32 hex digits of the fingerprint."""
        return mark(self.key)

    @property
    def typed(self) -> str:
        """What a command names them by: a name of one plain word, otherwise the fingerprint.

        An opponent chooses their name, and what we tell somebody to type goes to a shell.
        """
        return self.name if _PLAIN.fullmatch(self.name) else self.fingerprint

    def command(self, verb: str, text: str) -> str:
        """What is typed about an address of theirs. They choose it, and a shell reads it: an odd one is not in it."""
        told = text if _PLAIN_ADDRESS.fullmatch(text) else "ADDRESS"
        return f"'kursk people {verb} {self.typed} {told}'"

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the key, as ``ssh-keygen -lf`` prints it."""
        return sshsig.fingerprint(self.key)

    @property
    def called(self) -> str:
        """Their name, or the fingerprint of somebody without one."""
        return self.name or self.fingerprint

    @property
    def named(self) -> str:
        """What tells them from others of the same name: the fingerprint, and where this desk meets them."""
        games = f", in {', '.join(self.games)}" if self.games else ""
        return f"{self.name or '(no name)'}: {self.fingerprint}{games}"

    @property
    def known_at(self) -> set[str]:
        """All their addresses, in small letters, used or not."""
        return {entry.text.lower() for entry in self.addresses}

    @property
    def reached(self) -> str:
        """The address that letters go to; '' if there is none.

        None where a letter came back from the newest: an older one was given up.
        """
        newest = next((entry for entry in reversed(self.addresses) if entry.used), None)
        return newest.text if newest is not None and not newest.back else ""

    @property
    def asked(self) -> tuple[Address, ...]:
        """The addresses for which the owner of this desk has not vouched yet; the last one is the likeliest.

        A card says more than a turn, which anybody can send on.
        """
        asked = (entry for entry in self.addresses if entry.state in (SEEN, CARDED))
        return tuple(sorted(asked, key=lambda entry: entry.state == CARDED))

    def question(self, called: str) -> str:
        """Return what is asked about where somebody is reached, who is ``called`` so; '' if nothing."""
        if not self.reached:
            way = f"'kursk people add {self.typed} ADDRESS'"
            if self.asked:
                entry = self.asked[-1]
                way = f"perhaps {entry.text} ({entry.told}): {self.command('confirm', entry.text)}"
            return f"no address of {called} may be used; {way}"
        behind = takewhile(lambda entry: not entry.used, reversed(self.addresses))
        newer = sorted(behind, key=lambda entry: entry.state != CARDED)
        if not newer:
            return ""
        named = ", or ".join(f"at {entry.text}: {entry.told}" for entry in newer)
        yes = self.command("confirm", newer[0].text)
        return f"{called} may be {named}; letters go to {self.reached} until {yes} says yes"

    def entry(self, text: str) -> Address | None:
        """What is known of an address, None if nothing."""
        return next((entry for entry in self.addresses if addresses.same(entry.text, text)), None)

    def put(self, text: str, state: str, source: str) -> Person:
        """The same person with an address in this state, the newest of all; of too many the oldest go, unless used."""
        before = self.entry(text)
        kept = [entry for entry in self.addresses if entry is not before]
        kept = [entry for number, entry in enumerate(kept, _MOST) if entry.used or number > len(kept)]
        back = before is not None and before.back and state not in REACHED
        return replace(self, addresses=(*kept, Address(text, state, source, clock.now(), back)))


def mark(key: str) -> str:
    """What names the owner of a key in file names."""
    return base64.b64decode(sshsig.fingerprint(key).removeprefix("SHA256:") + "=").hex()[:32]


def stored(home: Path) -> list[Person]:
    """Everybody who is written down. DiskError."""
    there = defaultdict[str, list[Address]](list)
    with store.reading(home) as found:
        for key, *said, back in found.execute(
            "select key, text, state, source, since, back from address order by place"
        ):
            there[key].append(Address(said[0], said[1], said[2], said[3], bool(back)))
        people = found.execute("select key, name, serial from person order by key")
        return [Person(key, name, tuple(there[key]), serial) for key, name, serial in people]


def known(home: Path, key: str) -> Person:
    """What is known of the owner of a key; a person without anything if that is nothing. DiskError."""
    return next((person for person in stored(home) if person.key == key), Person(key))


def save(home: Path, person: Person) -> Person:
    """Write down what is known of a person. Where they are reached nobody else merely seems to be. DiskError."""
    rows = [
        (person.key, place, entry.text, entry.state, entry.back, entry.source, entry.since)
        for place, entry in enumerate(person.addresses)
    ]
    with store.writing(home) as found:
        found.execute("insert or replace into person values (?, ?, ?)", (person.key, person.name, person.serial))
        found.execute("delete from address where key = ?", (person.key,))
        found.executemany("insert into address values (?, ?, ?, ?, ?, ?, ?)", rows)
        found.execute("delete from address where state = ? and lower(text) = ?", (SEEN, person.reached.lower()))
    return person


def noticed(home: Path, key: str, address: str, source: str, name: str = "") -> Person:
    """Put down that somebody wrote from an address, if that is new; it is not used before this desk's owner agrees.

    Not one of this desk, of a director, or at which somebody else is reached: they sent it on. ``name``: what they are
    called, if nothing else is known. DiskError.
    """
    person, directors = known(home, key), {event.book.rules.key for event in events.every(home)}
    if not address or person.entry(address):
        return person
    others = (one.known_at if one.key in directors else {one.reached.lower()} for one in stored(home) if one.key != key)
    if address.lower() in {store.setting(home, "own-address").lower()}.union(*others):
        return person
    return save(home, replace(person, name=person.name or name).put(address, SEEN, source))


def stop(home: Path, address: str) -> list[Person]:
    """Put down that a letter came back from an address; who was reached there, and is reached nowhere now. DiskError.

    One that is asked about stays so: whoever forges a report answers no question.
    """
    lost = [person for person in stored(home) if addresses.same(person.reached, address)]
    with store.writing(home) as found:
        found.execute("update address set back = 1 where lower(text) = ?", (address.lower(),))
    return lost


def forget(home: Path, person: Person, text: str = "") -> None:
    """Forget an address of a person, or all that is known of them. UsageError if there is no such address."""
    if text and person.entry(text) is None:
        raise UsageError(f"{person.called} has no address {text} here")
    with store.writing(home) as found:
        if text:
            found.execute("delete from address where key = ? and lower(text) = ?", (person.key, text.lower()))
        else:
            found.execute("delete from address where key = ?", (person.key,))
            found.execute("delete from person where key = ?", (person.key,))


def every(home: Path, known: Iterable[Known]) -> list[Person]:
    """Everybody this desk knows: those of the games ``known``, of tournaments, and those who were added; by name."""
    people = {person.key: person for person in stored(home)}
    for game in known:
        for side, key in pinned(game.head).items():
            if game.own is not None and side == game.own.side:
                continue
            person = people.get(key, Person(key))
            name = person.name or _called(game, side)
            people[key] = replace(person, name=name, games=(*person.games, game.short))
    for event in events.every(home):
        for key, name in event.called():
            person = people.get(key, Person(key))
            known_as = person.name if person.name not in ("", REFEREE) else name[:NAME]  # a director is no mere referee
            people[key] = replace(person, name=known_as, games=(*person.games, event.short))
    return sorted(people.values(), key=lambda person: (person.name.casefold(), person.mark))


def pinned(head: Mapping[str, Any]) -> dict[str, str]:
    """The good keys that a message 0 pins, by side, unverified."""
    keys = head.get("keys")
    return {side: key for side, key in keys.items() if _is_key(key)} if isinstance(keys, dict) else {}


def _is_key(key: Any) -> bool:
    try:
        sshsig.public_key(key)
    except (TrustError, AttributeError):
        return False
    return True


def _called(game: Known, side: str) -> str:
    """What a side is called: as this player calls the opponent, otherwise as message 0 does; '' if nothing."""
    if game.own is not None and game.own.opponent and side not in (REFEREE, game.own.side) and game.own.side != REFEREE:
        return game.own.opponent[:NAME]
    names = game.head.get("names")
    name = " ".join(str(names.get(side, "")).split()) if isinstance(names, Mapping) else ""
    if side == REFEREE:
        return name[:NAME] or REFEREE
    return "" if name == f"{side} player" or free_text_fault(name) else name[:NAME]


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


def say_own(home: Path, text: str, *, cards: bool) -> Own:
    """Put down one's own address, and whether cards may tell it. A new address gets a new serial. UsageError."""
    before = own(home)
    text = addresses.check(text) if text else before.address
    serial = before.serial + (1 if before.address and not addresses.same(text, before.address) else 0)
    with store.writing(home):
        store.set_setting(home, "own-address", text)
        store.set_setting(home, "own-cards", "yes" if cards else "")
        store.set_setting(home, "own-serial", str(serial))
    return Own(text, cards, serial)


def needs_card(home: Path, mark: str) -> bool:
    """Whether the next letter to somebody is to hold a card: there is one that they have not been sent."""
    said = own(home)
    if not (said.address and said.cards):
        return False
    with store.reading(home) as found:
        row = found.execute("select 1 from card where mark = ? and serial = ?", (mark, said.serial)).fetchone()
    return row is None


def note_cards(home: Path, marks: Iterable[str]) -> None:
    """Put down that a letter with the card for these people is written, so that no other holds it."""
    with store.writing(home) as found:
        found.executemany("insert or ignore into card values (?, ?)", [(mark, own(home).serial) for mark in marks])


def take_cards(
    home: Path, mail: Mail, received: Iterable[Card], known: Mapping[str, Person], mine: Container[str]
) -> list[str]:
    """Take down cards of the people who are ``known`` here, by key, that are for one of the keys that are ``mine``.

    Of each person's the newest counts, whatever the order. What is said of them. DiskError.
    """
    told, now = list[str](), dict(known)
    for card in sorted(received, key=lambda card: -int(card.text("serial"))):
        person, text, serial = now.get(card.text("key")), card.text("address"), int(card.text("serial"))
        if person is None or card.text("for") not in mine or not addresses.is_address(text) or serial <= person.serial:
            continue
        try:
            check_card(card)
        except TrustError as error:
            told.append(f"{mail.name}: a card that does not hold: {error.message}")
            continue
        entry, over = person.entry(text), tuple(one for one in person.addresses if one.state != CARDED)
        after = replace(person, addresses=over, serial=serial)
        if not addresses.same(text, person.reached):
            verb = "add" if entry is not None and entry.used else "confirm"
            after = after if verb == "add" else after.put(text, CARDED, "a card of theirs names it")
            back = ", but a letter came back from there" if entry is not None and entry.back else ""
            yes = f"{person.command(verb, text)} says yes, and nothing goes there before"
            told.append(f"{show(person.called)} says that they are reached at {text}{back}; {yes}")
        now[person.key] = save(home, after)
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
    return save(home, person.put(asked[0].text, CONFIRMED, asked[0].source))
