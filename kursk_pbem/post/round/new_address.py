"""A new address of this desk's owner: a signed card goes at once to every opponent, referee and director.

Cards usually go with the next letter. A waiting player sends no letter, and the turn would go to the old address.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kursk_pbem.desk.ground import clock
from kursk_pbem.post.mailbox import events, people
from kursk_pbem.post.mailbox.events import Event
from kursk_pbem.post.round import notes
from kursk_pbem.post.round.game_mail import GameMail
from kursk_pbem.post.round.notes import Note
from kursk_pbem.post.round.outgoing import Outbox
from kursk_pbem.post.round.writing import CARD_FILE
from kursk_pbem.post.wire.account import Account
from kursk_pbem.tournament import letters
from kursk_pbem.trust import card as cards


def describe_difference(home: Path, account: Account | None) -> str:
    """Return a sentence if the account's address is not the owner's address in letters and cards, or ''."""
    own = people.load_own(home)
    if account is None or own.address.lower() == account.address.lower():
        return ""
    how = f"'kursk people card {account.address}' tells everybody the new address"
    return f"your account has the address {account.address}, but your letters and cards say {own.address}: {how}"


def write_cards(home: Path, outbox: Outbox) -> None:
    """Send the owner's new address card to people in running games or tournaments who have an older card."""
    own = people.load_own(home)
    if not own.cards or own.serial == 1:
        return
    for about, key in _list_readers(home, outbox):
        person = outbox.by_mark.get(people.mark_of(key), people.Person(key))
        if not person.reached or not people.needs_card(home, person.mark) or (signer := about.signer()) is None:
            continue
        card = cards.emit_card(cards.sign_card(key, own.address, own.serial, signer)).encode("ascii")
        told = f"From now on my address is {own.address}. The attached card is signed by my key."
        lines = letters.format_note("", (told,), ("kursk post",))
        title, day = f"[kursk {about.game[:8]}] a new address", clock.now()[:10]
        note = Note(person.mark, person.reached, title, lines, game=about.game, files=((CARD_FILE, card),))
        notes.write_note(home, note, own.address, day, f"card {own.serial}")
        people.note_cards(home, [person.mark])


def _list_readers(home: Path, outbox: Outbox) -> Iterator[tuple[GameMail | Event, str]]:
    """Yield the other keys of running games and tournaments."""
    for seat in (seat for seat in outbox.seats if seat.known.writer and seat.signs):
        yield from ((seat, key) for side, key in seat.keys.items() if side != seat.side)
    for event in (event for event in events.list_tournaments(home) if not event.book.ended):
        yield from ((event, key) for key, _name in event.list_recipients())
