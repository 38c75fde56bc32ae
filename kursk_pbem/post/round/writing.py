"""A letter from what is due: its readers, subject and words. Only what is mailed anyway is told (T57)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from kursk_pbem.desk import clock, desks, play
from kursk_pbem.desk.desks import Desk
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.formats.text import in_header
from kursk_pbem.game import reports
from kursk_pbem.game.histories import History
from kursk_pbem.kernel.ruleset import ANSWER, DECISION, DICE, ORDERS, SEAL
from kursk_pbem.kernel.words import party
from kursk_pbem.post.mailbox import came, card
from kursk_pbem.post.mailbox import letter as letters
from kursk_pbem.post.mailbox.events import Event
from kursk_pbem.post.mailbox.letter import CC, TO, Letter, Reader
from kursk_pbem.post.mailbox.people import Person
from kursk_pbem.post.round.due import Due
from kursk_pbem.post.round.seat import Seat
from kursk_pbem.report.layout import wrap
from kursk_pbem.trust import slip as slips

_COLUMNS = 70
_TITLE = 40
CARD_FILE, _CARD_FILES = "kursk-card.yaml", "kursk-card-{}.yaml"
"""A card as an attachment, and each one more in the same letter."""
_WANTED = {ORDERS: "orders", ANSWER: "answer", DECISION: "decision", SEAL: "sealed choice", DICE: "dice"}


@dataclass
class Desks:
    """The desks that are open: a game is verified once, and then only what has come since."""

    home: Path
    open: dict[str, History]

    def at(self, seat: Seat) -> Desk:
        """The desk of a game, as its folder is now; what was signed and not written is written. KurskError."""
        desk = desks.sit(seat.folder, self.home, self.open.get(seat.game))
        desk = play.resume(desk) or desk
        self.open[seat.game] = desk.history
        return desk


@dataclass(frozen=True)
class Writer:
    """Who writes letters here: their private folder, whom they know by key, and what they say of themselves."""

    home: Path
    people: Mapping[str, Person]
    own: card.Own

    def person(self, key: str) -> Person:
        """Whoever has this key."""
        return self.people.get(key, Person(key))

    def edition(self, letter: Letter, to: tuple[Reader, ...]) -> Letter:
        """A letter that was sent before, once more, to the addresses as they are known now.

        It holds cards if it did then, and whoever writes it agrees to that now: they tell the address of now.
        """
        now = self.own.address
        card_, cards = (now, letter.cards) if letter.card and self.own.cards else ("", ())
        edition = letter.edition + 1
        return replace(letter, to=to, edition=edition, date=clock.now(), sender=now, card=card_, cards=cards)


def compose(due: Due, desk: Desk, writer: Writer, edition: int = 0) -> Letter:
    """The letter that carries what is due. ``desk``: that of its game, verified."""
    seat = due.seat
    sides = [side for side in due.sides if side in seat.keys]
    readers = [(writer.person(seat.keys[side]), TO if side == due.sides[0] else CC) for side in sides]
    to = tuple(Reader(person.mark, person.reached, role) for person, role in readers)
    reached = any(person.reached for person, _role in readers)
    told = [person for person, role in readers if person.reached or (role == TO and not reached)]  # no other gets it
    cards = tuple(person.mark for person in told if seat.signs and card.due(writer.home, person))
    return Letter(
        game=seat.game,
        items=tuple(sorted(due.items, key=lambda item: (item.seq, item.kind))),
        others=due.others,
        to=to,
        sender=writer.own.address,
        date=clock.now(),
        subject=_subject(due, desk),
        body="\n".join([*letters.harmless(_body(due, desk)), ""]),
        answers=_answered(due, desk, writer.home),
        edition=edition,
        auto=seat.side == REFEREE,
        card=writer.own.address if cards else "",
        cards=cards,
    )


def _answered(due: Due, desk: Desk, home: Path) -> str:
    """The Message-ID by which the reader's newest message came, '' without one."""
    seq = due.seat.newest_of(due.sides[0])
    return came.message_id(home, due.seat.game, seq, desk.game.chain.ids[seq]) if seq >= 0 else ""


def _subject(due: Due, desk: Desk) -> str:
    title = in_header(desk.game.setting.scenario.title.partition(",")[0], _TITLE)
    about = [item for item in due.items if item.kind == letters.MESSAGE]
    what = f"message {due.seq}, {_side(desk, due.seat.side)}" if about else f"papers about message {due.seq}"
    return f"[kursk {due.seat.game[:8]}] {title}, {what}: {_asked(due, desk)}"


def _side(desk: Desk, side: str) -> str:
    return in_header(_name(desk, side) or REFEREE, _TITLE).capitalize()


def _name(desk: Desk, side: str) -> str:
    """What a side is called in the words of the game; '' for the referee."""
    return "" if side == REFEREE else desk.game.ruleset.seen.words(desk.game.setting).side(side)


def _asked(due: Due, desk: Desk) -> str:
    """What the reader is asked to do, in a few words."""
    game, reader = desk.game, due.sides[0]
    if game.over:
        return "the game is over"
    if game.chain.writer(game.chain.next_seq) != reader:
        return "for your files"
    if game.chain.next_seq <= game.chain.bound and due.seat.newest_of(reader) < 0:
        return "a game is proposed, your answer, please"
    if game.chain.offer:
        return "your reply to an offer, please"
    if reader == REFEREE and game.stage.writer != REFEREE:  # they hand on; what the stage wants, a player writes
        return "your next message, please"
    return f"your {_WANTED.get(game.stage.kind, 'next message')}, please"


def _body(due: Due, desk: Desk) -> list[str]:
    """The words of a letter, line by line: what happened, what is due, what to do with the attachment."""
    chain, steps = desk.game.chain, desk.history.steps
    lines = [f"{desk.game.title}, game {due.seat.game[:8]}"]
    carried = sorted((*due.others, *due.items), key=lambda item: (item.seq, item.kind != letters.MESSAGE))
    for item in carried:
        lines.append("")
        if item.kind == letters.MESSAGE:
            step = steps[item.seq]
            lines.append(f"Message {item.seq} of {party(step.message.sender, _name(desk, step.message.sender))}:")
            for told in reports.apart(reports.headlines(step.before, step.after, step.message, step.result)):
                lines += wrap(told, "  ", "    ", _COLUMNS)
        else:
            paper = next(paper for paper in desk.game.papers.all if paper.id == item.id)
            lines += wrap(f"{reports.of_paper(chain, paper)}.", "", "  ", _COLUMNS)
    term = "" if desk.game.over else desk.game.papers.due(chain.next_seq - 1)
    if term and not any(item.kind != letters.MESSAGE for item in carried):
        told = clock.term(term)
        lines += ["", *wrap(f"Message {chain.next_seq} is due {told}, on the referee's word.", "", "  ", _COLUMNS)]
    return [*lines, "", *_how(due, desk)]


def _how(due: Due, desk: Desk) -> list[str]:
    proposed = due.seat.newest_of(due.sides[0]) < 0 and desk.game.chain.next_seq == 1
    command = "kursk accept FILE --key KEY" if proposed else "kursk adjudicate FILE"
    many = len(due.items) + len(due.others) > 1
    how = f"The signed file{'s are' if many else ' is'} attached. 'kursk inbox' takes {'them' if many else 'it'} from "
    how += f"your mailbox; or save this mail, and '{command}' does."
    return wrap(how, "", "", _COLUMNS)


def files(letter: Letter, source: Seat | Event, writer: Writer) -> list[tuple[str, bytes]]:
    """The attachments of a letter, with a card for each of its readers who is told by it. KurskError.

    None where its owner has said since the letter was written down that no card goes out.
    """
    held = source.files(letter)
    if letter.told and writer.own.cards and (signer := source.signer()) is not None:
        known = {person.mark: person for person in writer.people.values()}
        told = (mark for mark in letter.told if mark in known)  # a key may have been changed, and its file forgotten
        for number, mark in enumerate(told, 1):
            slip = card.made(writer.home, known[mark], signer)
            name = CARD_FILE if number == 1 else _CARD_FILES.format(number)
            held.append((name, slips.emit(slip).encode("ascii")))
    return held
