"""One's own address, and the cards that tell it: written into the first letter to each person once its owner agrees.

A card that came is taken down as ``carded``: its owner must vouch for it before letters go there. That of a stranger
waits with their proposal, and is forgotten with it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from kursk_pbem.errors import DiskError, TrustError, UsageError
from kursk_pbem.formats.text import show
from kursk_pbem.post import address as addresses
from kursk_pbem.post import came, people, place
from kursk_pbem.post.envelope import Mail
from kursk_pbem.post.people import Person
from kursk_pbem.post.told import untold
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
    """Take down a card that holds; the person with it, None if it is older than what is known or asks nothing.

    What is said of it is put down before: a round that is killed behind it has told nobody, and the next one finds it
    known. TrustError for one that is not signed by its key.
    """
    slips.check(slip)
    serial, text = int(slip.text("serial")), slip.text("address")
    newer = serial > writer.serial and addresses.is_address(text) and not writer.fault
    if newer and (told := _news(text, writer, show(writer.called))):
        untold.add(home, told)
    return _taken(home, serial, text, writer)


def _taken(home: Path, serial: int, text: str, writer: Person) -> Person | None:
    if serial <= writer.serial or not addresses.is_address(text):
        return None
    asks = _asks(text, writer)
    source = "a card of theirs names it" + (people.BACK if writer.came_back(text) else "")
    writer = replace(writer, addresses=_without_cards(writer), serial=serial)
    saved = people.save(home, writer.put(text, people.CARDED, source) if asks else writer)
    return saved if asks else None


def _asks(text: str, writer: Person) -> bool:
    """Whether a card that names an address asks something.

    What stops all letters lasts; where they go elsewhere, an address of old is asked about like a new one.
    """
    stops = writer.state_of(text) == people.BOUNCED and not writer.reached
    return not stops and not addresses.same(text, writer.reached)


def _without_cards(writer: Person) -> tuple[people.Address, ...]:
    """Somebody's addresses without what older cards say, which is over; one that letters came back from is stopped.

    It stands first, so that it is not the newest, which would stop all letters.
    """
    over = [entry for entry in writer.addresses if entry.state == people.CARDED]
    stopped = (replace(entry, state=people.BOUNCED) for entry in over if writer.came_back(entry.text))
    return (*stopped, *(entry for entry in writer.addresses if entry not in over))


@dataclass(frozen=True)
class Circle:
    """Whose cards are taken down here: the ``known`` people, by key; those of ``strangers`` wait with their games.

    ``mine``: the keys for which cards are written that are for this desk; none if not all of them are known.
    ``fellows``: by key, those of all who play or referee with its owner: one letter may hold a card for each of them.
    """

    known: Mapping[str, Person]
    strangers: Mapping[str, Sequence[str]]
    mine: Collection[str]
    fellows: Mapping[str, Collection[str]]


@dataclass
class Told:
    """What is said of the cards of a run: of those that were ``taken``, that are to ``wait``, and that are ``left``.

    Each has room of its own: no number of false ones hides a good one (T49).
    """

    taken: list[str] = field(default_factory=list)
    wait: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    unsettled: bool = False


def taken_down(home: Path, cards: Iterable[tuple[Slip, Mail]], circle: Circle, later: set[str]) -> Told:
    """Take down cards that came: of each person's the newest counts, whatever the order.

    ``later`` gets the digests of the mails whose cards cannot be taken down because of files of this desk.
    """
    told, known, waiting = Told(), dict(circle.known), set[str]()
    for slip, mail in sorted(cards, key=lambda one: -int(one[0].text("serial"))):
        key, reader = slip.text("key"), slip.text("for")
        person = known.get(key, Person(key) if key in circle.strangers else None)
        if person is None or not addresses.is_address(slip.text("address")):
            continue
        name = show(person.called)
        elsewhere = bool(circle.mine) and reader not in circle.mine
        if elsewhere and reader in circle.fellows.get(key, ()):
            continue
        try:
            if elsewhere:
                slips.check(slip)
                told.left.append(f"{mail.name}: a card of {name} that was written for another key than yours is left")
                continue
            if key in waiting:  # a newer one of theirs waits with each of their proposals
                continue
            if key in circle.strangers:  # nothing is written down of them before the owner of this desk accepts
                slips.check(slip)
                waiting.add(key)
                line = f"{_says(slip.text('address'), name)}; that is put down once a game with them is accepted"
                waits = wait(home, circle.strangers[key], slip, line)
                told.wait += [line] * waits
                continue
            taken = take(home, slip, person)
        except TrustError as error:
            told.left.append(f"{mail.name}: a card that does not hold: {error.message}")
            continue
        except DiskError as error:
            later.add(mail.digest)
            told.unsettled |= not person.fault  # nothing ends against whoever owns a damaged file
            told.taken.append(f"{mail.name}: a card that is not taken down: {error.message}")
            taken = person
        else:
            _tell(told, slip, mail, person)
        known[key] = replace(taken or person, serial=max(person.serial, int(slip.text("serial"))))
    return told


def _says(text: str, name: str) -> str:
    return f"{name} says that they are reached at {text}"


def _news(text: str, before: Person, name: str) -> str:
    """What is said of a newer card of somebody, known as they were ``before``, that names an address; '' if nothing."""
    if _asks(text, before):
        back = people.BACK if before.came_back(text) else ""
        how = f"{before.command('confirm', text)} says yes, and nothing goes there before"
        return f"{_says(text, name)}{back}; {how}"
    if addresses.same(text, before.reached):
        return ""
    how = f"a letter came back from there, and {before.command('add', text)} lets letters go there again"
    return f"{_says(text, name)}; {how}"


def _tell(told: Told, slip: Slip, mail: Mail, before: Person) -> None:
    """Say what came of a card that holds, of somebody known as they were ``before``; nothing of what is known."""
    text, serial, name = slip.text("address"), int(slip.text("serial")), show(before.called)
    if serial > before.serial:
        told.taken += filter(None, [_news(text, before, name)])
    elif not (addresses.same(text, before.reached) or (serial == before.serial and before.state_of(text))):
        newer = f"its number is {serial}, and number {before.serial} has come"
        told.left.append(f"{mail.name}: a card of {name} that names {text} is left: {newer}")


def wait(home: Path, games: Iterable[str], slip: Slip, told: str = "") -> bool:
    """Let a card that holds wait with the proposals of games, by the first digits of their ids; whether it is newer.

    With each of them: anybody may propose a game in which others have a key. ``told``: what is said of it. UsageError.
    """
    said, mark = {name: slip.text(name) for name in ("address", "serial")}, people.mark(slip.text("key"))
    games = games if addresses.is_address(said["address"]) else ()
    older = [game for game in games if int(came.said(home, game, 0, mark).get("serial", "0")) < int(said["serial"])]
    if older and told:
        untold.add(home, told)
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
    return people.save(home, person.put(entry.text, people.CONFIRMED, entry.source.removesuffix(people.BACK)))
