"""People: a public key each, what this desk calls it, and the addresses it may be reached at, with where they are from.

A signature decides who wrote; an address only decides where a letter goes. An address is ``said`` (the owner of this
desk typed it), ``seen`` (a fresh turn of that key came from it), ``carded`` (a card of that key names it), or
``confirmed`` (carded or seen, and somebody has vouched for it), or ``bounced``. Letters go to those that are said or
confirmed.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path
from typing import Any

from kursk_pbem.desk import clock
from kursk_pbem.desk.shelf.register import Known
from kursk_pbem.errors import DiskError, SpoiltError, TrustError, UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.formats.text import free_text_fault
from kursk_pbem.post import address as addresses
from kursk_pbem.post import place
from kursk_pbem.post.tournaments import events
from kursk_pbem.trust import sshsig

SAID, SEEN, CARDED, CONFIRMED, BOUNCED = "said", "seen", "carded", "confirmed", "bounced"
REACHED = (SAID, CONFIRMED)
BACK = ", but a letter came back from there"
"""How the source of an address ends that is asked about though a letter to it came back."""
_MOST = 20
"""Addresses that are kept of one person."""
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]*")
_PLAIN_ADDRESS = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+-]*@[A-Za-z0-9.-]+")
NAME = 60


@dataclass(frozen=True)
class Address:
    """An address of somebody: its state, where it is from in words, and since when it is known so."""

    text: str
    state: str
    source: str
    since: str


@dataclass(frozen=True)
class Person:
    """Somebody with a key; ``games``: the short ids of the games in which this desk meets them.

    ``serial``: that of the newest card of theirs that was taken, 0 without one. ``zone``: their time zone, '' if
    it is not known. ``fault``: why what is written down of them cannot be read; then nothing else is.
    """

    key: str
    name: str = ""
    addresses: tuple[Address, ...] = ()
    serial: int = 0
    zone: str = ""
    games: tuple[str, ...] = field(default=(), compare=False)
    fault: str = field(default="", compare=False)

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
        """The address that letters go to, the newest of those that may be used; '' if there is none.

        None is where that one was stopped: an older one was given up, and anybody can have a letter come back (T60).
        """
        used = (entry for entry in reversed(self.addresses) if entry.state in (*REACHED, BOUNCED))
        newest = next(used, None)
        return newest.text if newest is not None and newest.state in REACHED else ""

    @property
    def asked(self) -> tuple[Address, ...]:
        """The addresses for which the owner of this desk has not vouched yet; the last one is the likeliest.

        A card says more than a turn, which anybody can send on.
        """
        asked = (entry for entry in self.addresses if entry.state in (SEEN, CARDED))
        return tuple(sorted(asked, key=lambda entry: entry.state == CARDED))

    @property
    def newer(self) -> tuple[Address, ...]:
        """Those that were named after the one that letters go to was put down, the likeliest first; none without."""
        behind = takewhile(lambda entry: entry.state in (SEEN, CARDED), reversed(self.addresses))
        return tuple(sorted(behind, key=lambda entry: entry.state != CARDED)) if self.reached else ()

    def apart(self, others: Container[str]) -> Person:
        """The same without what was merely seen and is an address of ``others``, in small letters.

        Those sent on a turn of theirs: the other player does with what they answer, a director with what was lost.
        """
        kept = (entry for entry in self.addresses if entry.state != SEEN or entry.text.lower() not in others)
        return replace(self, addresses=tuple(kept))

    def question(self, called: str) -> str:
        """What a director is asked about where somebody is reached, who is ``called`` so; '' if nothing."""
        if not self.reached:
            return f"no address of {called} may be used; {self.remedy}"
        if not self.newer:
            return ""
        named = ", or ".join(f"at {entry.text}: {entry.source}" for entry in self.newer)
        yes = self.command("confirm", self.newer[0].text)
        return f"{called} may be {named}; letters go to {self.reached} until {yes} says yes"

    @property
    def remedy(self) -> str:
        """What is typed so that letters reach somebody without an address that may be used; why none is known."""
        if not self.asked:
            return self.fault or f"'kursk people add {self.typed} ADDRESS'"
        entry = self.asked[-1]
        return f"perhaps {entry.text} ({entry.source}): {self.command('confirm', entry.text)}"

    def state_of(self, text: str) -> str:
        """How an address is known, '' if it is not."""
        return next((entry.state for entry in self.addresses if addresses.same(entry.text, text)), "")

    def came_back(self, text: str) -> bool:
        """Whether a letter to an address came back, and nobody has vouched for it since."""
        there = (entry for entry in self.addresses if addresses.same(entry.text, text))
        return any(entry.state == BOUNCED or entry.source.endswith(BACK) for entry in there)

    def stopped(self, text: str, source: str) -> Person:
        """The same person with an address that is used no more; which one is the newest stays as it is.

        One that is asked about stays so, and says that a letter came back: whoever forges that answers no question.
        """
        there = (_stopped(entry, source) if addresses.same(entry.text, text) else entry for entry in self.addresses)
        return replace(self, addresses=tuple(there))

    def put(self, text: str, state: str, source: str) -> Person:
        """The same person with an address in this state, the newest of all.

        One that a letter came back from is the newest of those that are used when it is said anew, and answers no
        question about another one: whoever forges such a report wants that. Of too many the oldest goes that was
        merely seen, which anybody can bring about, before the oldest unused one.
        """
        put = Address(text, state, source, clock.now())
        if state in REACHED and self.state_of(text) == BOUNCED:
            newest = max(place for place, entry in enumerate(self.addresses) if entry.state in (*REACHED, BOUNCED))
            there = (*self.addresses[: newest + 1], put, *self.addresses[newest + 1 :])
            left = (entry for entry in there if entry is put or not addresses.same(entry.text, text))
            return replace(self, addresses=tuple(left))
        kept = [entry for entry in self.addresses if not addresses.same(entry.text, text)]
        while len(kept) >= _MOST:
            unused = [entry for state in (SEEN, CARDED) for entry in kept if entry.state == state]
            kept.remove((*unused, *kept)[0])
        return replace(self, addresses=(*kept, put))


def _stopped(entry: Address, source: str) -> Address:
    if entry.state in REACHED:
        return replace(entry, state=BOUNCED, source=source, since=clock.now())
    told = entry.state == BOUNCED or entry.source.endswith(BACK)
    return entry if told else replace(entry, source=entry.source + BACK)


def mark(key: str) -> str:
    """What names the owner of a key in file names."""
    return base64.b64decode(sshsig.fingerprint(key).removeprefix("SHA256:") + "=").hex()[:32]


def _path(home: Path, key: str) -> Path:
    return place.root(home) / "people" / f"{mark(key)}.json"


def load(home: Path, key: str) -> Person:
    """What is known of the owner of a key; a person without anything if that is nothing. UsageError."""
    person = _read(_path(home, key)) or Person(key)
    if person.key != key:
        raise UsageError(f"{_path(home, key)} describes somebody else whose fingerprint begins alike; move it away")
    return person


def known(home: Path, key: str) -> Person:
    """The same; where their file is damaged somebody without an address, and its ``fault``.

    Nothing goes to them, and nothing is written down of them, before their file is healed: no other game waits for it.
    """
    try:
        return load(home, key)
    except UsageError as error:
        return Person(key, fault=str(error))


def playing(home: Path, keys: Mapping[str, str], side: str, own: Iterable[str]) -> Person:
    """Who plays a side; ``keys``: those of the game, ``own``: the addresses of its director."""
    there = {who: known(home, key) for who, key in keys.items()}
    return there[side].apart({address.lower() for address in (*own, *(one.reached for one in there.values()))})


def noticed(home: Path, key: str, address: str, source: str, name: str = "") -> Person:
    """Put down that somebody wrote from an address, if that is new; it is not used before this desk's owner agrees.

    ``name``: what they are called, if nothing else is known; nothing is put down of one with a ``fault``. UsageError.
    """
    person = known(home, key)
    if not address or person.fault or person.state_of(address):
        return person
    return save(home, replace(person, name=person.name or name).put(address, SEEN, source))


def beginning(home: Path, begins: str) -> list[str]:
    """The marks of people with a file here that begin so. DiskError."""
    return [name.removesuffix(".json") for name in place.names(place.root(home) / "people") if name.startswith(begins)]


def marked(home: Path, name: str) -> Person | None:
    """The person whose key has this mark, None if nothing is written down of them. UsageError."""
    return _read(place.root(home) / "people" / f"{name}.json")


def _read(path: Path) -> Person | None:
    data = place.load(path)
    if not data:
        return None
    try:
        entries = tuple(Address(**entry) for entry in data["addresses"])
        person = Person(data["key"], data["name"], entries, int(data["serial"]), data["zone"])
        said = (person.key, person.name, person.zone, *(text for entry in entries for text in vars(entry).values()))
        good = all(isinstance(text, str) for text in said) and path.stem == mark(person.key)
        good = good and all(addresses.is_address(entry.text) for entry in entries)
    except (KeyError, TypeError, ValueError, TrustError):
        good = False
    if not good:
        raise SpoiltError(f"{path} cannot be read: it describes no person; move it away")
    return person


def save(home: Path, person: Person) -> Person:
    """Write down what is known of a person. UsageError, and where what stands there cannot be read."""
    if person.fault:
        raise DiskError(person.fault)
    entries = [vars(entry) for entry in person.addresses]
    data = {"key": person.key, "name": person.name, "addresses": entries, "serial": person.serial, "zone": person.zone}
    place.put(_path(home, person.key), data)
    return person


def forget(home: Path, person: Person, text: str = "") -> Person:
    """Forget an address of a person, or all that is known of them. UsageError if there is no such address."""
    if not text:
        _path(home, person.key).unlink(missing_ok=True)
        return Person(person.key, games=person.games)
    if not person.state_of(text):
        raise UsageError(f"{person.name or person.fingerprint} has no address {text} here")
    kept = tuple(entry for entry in person.addresses if not addresses.same(entry.text, text))
    return save(home, replace(person, addresses=kept))


def every(home: Path, known: Iterable[Known]) -> list[Person]:
    """Everybody this desk knows: those of the games ``known``, of tournaments, and those who were added; by name.

    Of somebody whose file is damaged nothing but its ``fault``, where a game or a tournament names their key.
    """
    people, damaged = _stored(home)
    for game in known:
        for side, key in keys_of(game).items():
            if game.own is not None and side == game.own.side:
                continue
            person = people.get(key, Person(key, fault=damaged.get(mark(key), "")))
            name = person.name or called(game, side)
            people[key] = replace(person, name=name, games=(*person.games, game.short))
    for event in events.every(home):
        for key, name in event.called():
            person = people.get(key, Person(key, fault=damaged.get(mark(key), "")))
            known_as = person.name if person.name not in ("", REFEREE) else name[:NAME]  # a director is no mere referee
            people[key] = replace(person, name=known_as, games=(*person.games, event.short))
    return sorted(people.values(), key=lambda person: (person.name.casefold(), person.mark))


def _stored(home: Path) -> tuple[dict[str, Person], dict[str, str]]:
    """Everybody who is written down, by key; and why a file cannot be read, by the mark of its person."""
    people, damaged = dict[str, Person](), dict[str, str]()
    folder = place.root(home) / "people"
    for name in place.names(folder):
        if not name.endswith(".json"):
            continue
        try:
            person = _read(folder / name)
        except UsageError as error:
            damaged[name.removesuffix(".json")] = str(error)
            continue
        if person is not None:
            people[person.key] = person
    return people, damaged


def all_known_at(home: Path) -> set[str]:
    """Where all who are put down here are reached, or were, in small letters. KurskError."""
    return set[str]().union(*(person.known_at for person in every(home, ())))


def faults(home: Path) -> list[str]:
    """What is wrong with files of people, a line each."""
    return list(_stored(home)[1].values())


def keys_of(game: Known) -> dict[str, str]:
    """The good keys that message 0 of a game pins, by side, unverified."""
    return pinned(game.head)


def pinned(head: Mapping[str, Any]) -> dict[str, str]:
    """The same of what message 0 says."""
    keys = head.get("keys")
    return {side: key for side, key in keys.items() if _is_key(key)} if isinstance(keys, dict) else {}


def _is_key(key: Any) -> bool:
    try:
        sshsig.public_key(key)
    except (TrustError, AttributeError):
        return False
    return True


def reaches(home: Path, key: str, address: str) -> bool:
    """Whether an address is one at which whoever has a key is, or was, reached; not for what is no key. DiskError."""
    return _is_key(key) and known(home, key).state_of(address) in (*REACHED, BOUNCED)


def called(game: Known, side: str) -> str:
    """What a side is called: as this player calls the opponent, otherwise as message 0 does; '' if nothing."""
    if game.own is not None and game.own.opponent and side not in (REFEREE, game.own.side) and game.own.side != REFEREE:
        return game.own.opponent[:NAME]
    names = game.head.get("names")
    name = " ".join(str(names.get(side, "")).split()) if isinstance(names, Mapping) else ""
    if side == REFEREE:
        return name[:NAME] or REFEREE
    return "" if name == f"{side} player" or free_text_fault(name) else name[:NAME]
