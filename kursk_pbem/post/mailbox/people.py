"""People: each person's public key, name in this address book, and possible addresses with their sources.

A signature proves the writer; an address only routes letters. States of an address: ``said`` (typed by this desk's
owner), ``seen`` (a fresh turn of the key came from it), ``carded`` (a card of the key names it), ``confirmed`` (carded
or seen, then vouched for by the owner). Letters go to the newest said or confirmed address, unless a letter came
``back`` from it. If the owner agrees, the first letter to each person contains a card with the owner's address.
"""

from __future__ import annotations

import base64
import re
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping
from contextlib import suppress
from dataclasses import field, replace
from itertools import takewhile
from pathlib import Path
from typing import Any

from kursk_pbem.desk.ground import clock
from kursk_pbem.desk.own.register import Known
from kursk_pbem.errors import TrustError, UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.formats.text import free_text_fault, show
from kursk_pbem.frozen import frozen
from kursk_pbem.post.mailbox import address as addresses
from kursk_pbem.post.mailbox import events, outbox, store
from kursk_pbem.post.mailbox.envelope import Mail
from kursk_pbem.post.wire import account as accounts
from kursk_pbem.trust import sshsig
from kursk_pbem.trust.card import Card, check_card, emit_card

SAID, SEEN, CARDED, CONFIRMED = "said", "seen", "carded", "confirmed"
REACHED = (SAID, CONFIRMED)
_MOST = 20
"""Maximum number of addresses of one person."""
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]*")
_PLAIN_ADDRESS = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+-]*@[A-Za-z0-9.-]+")
NAME = 60
PICTURES = "own-pictures"
"""The setting that adds pictures to letters: 'yes', or missing."""


@frozen
class Address:
    """An address of a person: state, source in words, time, and whether a letter came ``back``."""

    text: str
    state: str
    source: str
    since: str
    back: bool = False

    @property
    def used(self) -> bool:
        """True if the owner has typed or confirmed the address, so letters may use the address."""
        return self.state in REACHED

    @property
    def told(self) -> str:
        """The source of the address in words. A note follows if a letter to the address came back."""
        return f"{self.source}, but a letter came back" if self.back else self.source


@frozen
class Person:
    """A person, the owner of a key. ``games``: the short ids of games with this person.

    ``serial``: the newest accepted card, or 0.
    """

    key: str
    name: str = ""
    addresses: tuple[Address, ...] = ()
    serial: int = 0
    games: tuple[str, ...] = field(default=(), compare=False)

    @property
    def mark(self) -> str:
        """The person's name in files and rows of the store: 32 hex digits of the fingerprint."""
        return mark_of(self.key)

    @property
    def typed(self) -> str:
        """The person's name in printed commands: the name if it is a plain word, otherwise the fingerprint.

        Opponents choose their names, and a shell reads the printed commands.
        """
        return self.name if _PLAIN.fullmatch(self.name) else self.fingerprint

    def command(self, verb: str, text: str) -> str:
        """Return a command about an address. If the address is unsafe in a shell, the word ADDRESS replaces it."""
        told = text if _PLAIN_ADDRESS.fullmatch(text) else "ADDRESS"
        return f"'kursk people {verb} {self.typed} {told}'"

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the key, as ``ssh-keygen -lf`` prints it."""
        return sshsig.fingerprint(self.key)

    @property
    def called(self) -> str:
        """The person's name. A person without a name is called by the fingerprint."""
        return self.name or self.fingerprint

    @property
    def named(self) -> str:
        """The name, fingerprint and games, to distinguish two people with one name."""
        games = f", in {', '.join(self.games)}" if self.games else ""
        return f"{self.name or '(no name)'}: {self.fingerprint}{games}"

    @property
    def known_at(self) -> set[str]:
        """All known addresses of the person in lower case, even addresses without letters."""
        return {entry.text.lower() for entry in self.addresses}

    @property
    def reached(self) -> str:
        """The address to which letters go, or ''.

        '' if a letter to the newest address came back, because the person has left the older addresses.
        """
        newest = next((entry for entry in reversed(self.addresses) if entry.used), None)
        return newest.text if newest is not None and not newest.back else ""

    @property
    def asked(self) -> tuple[Address, ...]:
        """The addresses that the owner has neither accepted nor refused, the likeliest last.

        An address in a card is likelier than the address of a turn's mail, because any sender can forward a turn.
        """
        asked = (entry for entry in self.addresses if entry.state in (SEEN, CARDED))
        return tuple(sorted(asked, key=lambda entry: entry.state == CARDED))

    def question(self, called: str) -> str:
        """Return the question to the owner about the person's address, or ''. ``called``: the name in the question."""
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
        named = ", or ".join(f"at {entry.text} ({entry.told})" for entry in newer)
        yes = self.command("confirm", newer[0].text)
        return f"{called} may be {named}; letters go to {self.reached} until {yes} confirms the new address"

    def entry(self, text: str) -> Address | None:
        """Return the saved facts about an address of the person, or None."""
        return next((entry for entry in self.addresses if addresses.is_same(entry.text, text)), None)

    def put(self, text: str, state: str, source: str) -> Person:
        """Return the person with this newest address. If there are too many, drop the oldest unused addresses."""
        before = self.entry(text)
        kept = [entry for entry in self.addresses if entry is not before]
        kept = [entry for number, entry in enumerate(kept, _MOST) if entry.used or number > len(kept)]
        back = before is not None and before.back and state not in REACHED
        return replace(self, addresses=(*kept, Address(text, state, source, clock.now(), back)))


def mark_of(key: str) -> str:
    """Return the name of a key's owner in files and rows of the store."""
    return base64.b64decode(sshsig.fingerprint(key).removeprefix("SHA256:") + "=").hex()[:32]


def load_people(home: Path) -> list[Person]:
    """Return all saved people. Raises DiskError."""
    there = defaultdict[str, list[Address]](list)
    with store.open_reading(home) as found:
        for key, *said, back in found.execute(
            "select key, text, state, source, since, back from address order by place"
        ):
            there[key].append(Address(said[0], said[1], said[2], said[3], bool(back)))
        people = found.execute("select key, name, serial from person order by key")
        return [Person(key, name, tuple(there[key]), serial) for key, name, serial in people]


def person_of(home: Path, key: str) -> Person:
    """Return the saved person with a key, or a new person with this key. Raises DiskError."""
    return next((person for person in load_people(home) if person.key == key), Person(key))


def save_person(home: Path, person: Person) -> Person:
    """Save a person, and delete the address for letters from the seen addresses of other people. Raises DiskError."""
    rows = [
        (person.key, place, entry.text, entry.state, entry.back, entry.source, entry.since)
        for place, entry in enumerate(person.addresses)
    ]
    with store.open_writing(home) as found:
        found.execute("insert or replace into person values (?, ?, ?)", (person.key, person.name, person.serial))
        found.execute("delete from address where key = ?", (person.key,))
        found.executemany("insert into address values (?, ?, ?, ?, ?, ?, ?)", rows)
        found.execute("delete from address where state = ? and lower(text) = ?", (SEEN, person.reached.lower()))
    return person


def add_seen_address(home: Path, key: str, address: str, source: str, name: str = "") -> Person:
    """Save the new address of a turn's mail. Letters use the address only after the owner's confirmation.

    The addresses of the owner, of a director and of other people are skipped, because these senders forward turns.
    ``name``: the name for a person who has none yet. Raises DiskError.
    """
    person, directors = person_of(home, key), {event.book.rules.key for event in events.list_tournaments(home)}
    if not address or person.entry(address):
        return person
    people = (one for one in load_people(home) if one.key != key)
    others = (one.known_at if one.key in directors else {one.reached.lower()} for one in people)
    if address.lower() in {store.load_setting(home, "own-address").lower()}.union(*others):
        return person
    return save_person(home, replace(person, name=person.name or name).put(address, SEEN, source))


def record_return(home: Path, address: str) -> list[Person]:
    """Record that a letter to an address came back. Return the people now without an address. Raises DiskError.

    Questions about other addresses stay open, because a forged report must not answer a question.
    """
    lost = [person for person in load_people(home) if addresses.is_same(person.reached, address)]
    with store.open_writing(home) as found:
        found.execute("update address set back = 1 where lower(text) = ?", (address.lower(),))
    return lost


def reopen_address(home: Path, key: str, address: str) -> None:
    """Use an address again although a letter came back: its owner has written from there. Raises DiskError."""
    entry = person_of(home, key).entry(address) if address else None
    if entry is not None and entry.used:
        with store.open_writing(home) as found:
            found.execute("update address set back = 0 where key = ? and lower(text) = ?", (key, address.lower()))
        outbox.reopen(home, mark_of(key))


def delete_address(home: Path, person: Person, text: str = "") -> None:
    """Delete an address of a person; the address '' deletes the person. Raises UsageError if the address is unknown."""
    if text and person.entry(text) is None:
        raise UsageError(f"{person.called} has no address {text} here")
    with store.open_writing(home) as found:
        if text:
            found.execute("delete from address where key = ? and lower(text) = ?", (person.key, text.lower()))
        else:
            found.execute("delete from address where key = ?", (person.key,))
            found.execute("delete from person where key = ?", (person.key,))


def list_people(home: Path, known: Iterable[Known]) -> list[Person]:
    """Return all people known here, sorted by name: from the games ``known``, from tournaments, and added by hand."""
    people = {person.key: person for person in load_people(home)}
    for game in known:
        for side, key in list_pinned_keys(game.head).items():
            if game.own is not None and side == game.own.side:
                continue
            person = people.get(key, Person(key))
            name = person.name or _side_name(game, side)
            people[key] = replace(person, name=name, games=(*person.games, game.short))
    for event in events.list_tournaments(home):
        for key, name in event.list_recipients():
            person = people.get(key, Person(key))
            known_as = person.name if person.name not in ("", REFEREE) else name[:NAME]  # no mere referee
            people[key] = replace(person, name=known_as, games=(*person.games, event.short))
    return sorted(people.values(), key=lambda person: (person.name.casefold(), person.mark))


def list_pinned_keys(head: Mapping[str, Any]) -> dict[str, str]:
    """Return the valid public keys in a message 0, by side. The message's signature is not checked."""
    valid, keys = dict[str, str](), head.get("keys")
    for side, key in keys.items() if isinstance(keys, dict) else ():
        with suppress(TrustError, AttributeError):
            sshsig.public_key(key)
            valid[side] = key
    return valid


def _side_name(game: Known, side: str) -> str:
    """Return the name of a side: the player's name for an opponent, otherwise message 0's name, or ''."""
    if game.own is not None and game.own.opponent and side not in (REFEREE, game.own.side) and game.own.side != REFEREE:
        return game.own.opponent[:NAME]
    names = game.head.get("names")
    name = " ".join(str(names.get(side, "")).split()) if isinstance(names, Mapping) else ""
    if side == REFEREE:
        return name[:NAME] or REFEREE
    return "" if name == f"{side} player" or free_text_fault(name) else name[:NAME]


@frozen
class Own:
    """What the owner allows in letters. ``address``: the owner's or ''. ``cards``: address cards may name the address.

    ``serial``: the number of the next card. ``pictures``: letters show the turn as a picture.
    """

    address: str = ""
    cards: bool = False
    serial: int = 1
    pictures: bool = False


def load_own(home: Path) -> Own:
    """Return the owner's address, and whether address cards may name it. Raises DiskError."""
    with store.open_reading(home) as found:  # once: a round of mail asks often
        said = dict(found.execute("select name, value from setting where name glob 'own-*'").fetchall())
    address = said.get("own-address", "")
    if not address and (account := accounts.load_account(home)) is not None:
        address = account.address  # set by the owner in the account
    return Own(address, "own-cards" in said, int(said.get("own-serial", 1)), PICTURES in said)


def save_own(home: Path, text: str, *, cards: bool) -> Own:
    """Save the owner's address, and the permission to name the address in cards. Raises UsageError.

    A new address gets a new serial number, so people get a new card.
    """
    before = load_own(home)
    text = addresses.check_address(text) if text else before.address
    serial = before.serial + (1 if before.address and not addresses.is_same(text, before.address) else 0)
    with store.open_writing(home):
        store.save_setting(home, "own-address", text)
        store.save_setting(home, "own-cards", "yes" if cards else "")
        store.save_setting(home, "own-serial", str(serial))
    return Own(text, cards, serial, before.pictures)


def needs_card(home: Path, mark: str) -> bool:
    """Return whether the next letter to a person must contain the owner's newest address card."""
    said = load_own(home)
    if not (said.address and said.cards):
        return False
    with store.open_reading(home) as found:
        return not found.execute("select 1 from card where mark = ? and serial = ?", (mark, said.serial)).fetchone()


def note_cards(home: Path, marks: Iterable[str]) -> None:
    """Record that people got the owner's newest address card, so no further letter contains the card."""
    with store.open_writing(home) as found:
        found.executemany("insert or ignore into card values (?, ?)", [(mark, load_own(home).serial) for mark in marks])


def load_card(home: Path, person: Person) -> str:
    """Return the text of a person's newest address card, or '' if letters go elsewhere. Raises DiskError."""
    address, _newline, text = store.load_setting(home, f"card {person.mark}").partition("\n")
    return text if person.reached and addresses.is_same(address, person.reached) else ""


def take_cards(
    home: Path,
    mail: Mail,
    received: Iterable[Card],
    known: Mapping[str, Person],
    mine: Container[str],
    passed: Container[tuple[str, str]] = (),
) -> list[str]:
    """Save address cards by ``known`` people (by key) for a key in ``mine``; return lines to print.

    Only the newest card of each person counts, even if it arrives first. ``passed``: pairs (director's key, entrant's
    key) of cards forwarded by a director. A forwarded card counts if the entrant has no other card. Raises DiskError.
    """
    told, now = list[str](), dict(known)
    for card in sorted(received, key=lambda card: -int(card.text("serial"))):
        person, text, serial = now.get(card.text("key")), card.text("address"), int(card.text("serial"))
        by_director = (card.text("for"), card.text("key")) in passed
        if not (card.text("for") in mine or by_director) or not addresses.is_address(text):
            continue
        if person is None or serial <= person.serial:
            continue
        try:
            check_card(card)
        except TrustError as error:
            told.append(f"{mail.name}: the card is not valid: {error.message}")
            continue
        store.save_setting(home, f"card {person.mark}", f"{text}\n{emit_card(card)}")
        entry, over = person.entry(text), tuple(one for one in person.addresses if one.state != CARDED)
        after = replace(person, addresses=over, serial=serial)
        if by_director and not person.addresses:
            after = after.put(text, CONFIRMED, "in a card that the director passed on")
        elif not addresses.is_same(text, person.reached):
            verb = "add" if entry is not None and entry.used else "confirm"
            after = after if verb == "add" else after.put(text, CARDED, "named in a card")
            back = " (a letter came back)" if entry is not None and entry.back else ""
            yes = f"{person.command(verb, text)} confirms the address; until then no letter goes to {text}"
            told.append(f"{show(person.called)} has a card with the address {text}{back}; {yes}")
        now[person.key] = save_person(home, after)
    return told


def confirm_address(home: Path, person: Person, text: str = "") -> Person:
    """Confirm the address ``text`` of a person. '' confirms the only unconfirmed address. Raises UsageError."""
    asked = [entry for entry in person.asked if not text or addresses.is_same(entry.text, text)]
    if not asked:
        what = f"{text} is in no card or turn of this player" if text else "no address waits for your answer"
        raise UsageError(f"{person.called}: {what}; add an address that you know with 'kursk people add'")
    if len(asked) > 1:
        raise UsageError(f"{person.called}: name an address: {', '.join(entry.text for entry in asked)}")
    return save_person(home, person.put(asked[0].text, CONFIRMED, asked[0].source))
