"""Letters with turns: signed items of a game without a letter, from the journal; readers, subject and words.

Letters tell only facts mailed anyway (T57).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from kursk_pbem.desk.ground import clock
from kursk_pbem.desk.own import desks
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.desk.turn import play
from kursk_pbem.errors import DiskError
from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.formats.text import in_header
from kursk_pbem.frozen import frozen
from kursk_pbem.game import reports
from kursk_pbem.game.histories import History
from kursk_pbem.kernel.ruleset import ANSWER, DECISION, DICE, ORDERS, SEAL
from kursk_pbem.kernel.words import party
from kursk_pbem.post.mailbox import arrival, events, people
from kursk_pbem.post.mailbox import letter as letters
from kursk_pbem.post.mailbox.events import Event
from kursk_pbem.post.mailbox.letter import CC, TO, Letter, Picture, Reader
from kursk_pbem.post.mailbox.people import Own, Person
from kursk_pbem.post.round.due import Due
from kursk_pbem.post.round.game_mail import GameMail
from kursk_pbem.post.wire.fetching import MAX_UNKNOWN
from kursk_pbem.report.layout import wrap
from kursk_pbem.trust import card as cards
from kursk_pbem.trust.papers import EXTENSION, RECEIPT, Paper

_COLUMNS = 70
_TITLE = 40
CARD_FILE, _CARD_FILES = "kursk-card.yaml", "kursk-card-{}.yaml"
_PASSED_FILES = "kursk-card-entrant-{}.yaml"
"""File names of cards: the first, further ones in one letter, and entrants' cards that a director passes on."""
_HOW = {"forfeit": " by time", "resignation": " by resignation", "agreed draw": " by agreement"}
_WANTED = {ORDERS: "orders", ANSWER: "answer", DECISION: "decision", SEAL: "sealed choice", DICE: "dice"}


@dataclass
class Desks:
    """The open desks: a game is verified once, then only its new messages."""

    home: Path
    open: dict[str, History]

    def at(self, seat: GameMail) -> Desk:
        """Return the current desk of a game, after completing interrupted writes. Raises KurskError."""
        desk = desks.open_desk(seat.folder, self.home, self.open.get(seat.game))
        desk = play.resume_signing(desk) or desk
        self.open[seat.game] = desk.history
        return desk


@frozen
class Writer:
    """The writer of letters here: private folder, known people by mark, and own address."""

    home: Path
    people: Mapping[str, Person]
    own: Own

    def person(self, key: str) -> Person:
        """Return the person with this key."""
        return self.people.get(people.mark_of(key), Person(key))

    def cards(self, readers: Sequence[Person]) -> tuple[str, ...]:
        """Return the marks of readers due for a card: with an address, and without an earlier card."""
        told = [person for person in readers if person.reached] or readers[:1]
        return tuple(person.mark for person in told if people.needs_card(self.home, person.mark))

    def edition(self, letter: Letter, to: tuple[Reader, ...]) -> Letter:
        """Return a new edition of a sent letter, with the current addresses.

        The edition contains cards only if the letter did and the owner still agrees to tell the address.
        """
        cards, edition = letter.cards if self.own.cards else (), letter.edition + 1
        return replace(letter, to=to, edition=edition, date=clock.now(), sender=self.own.address, cards=cards)

    def render(
        self, letter: Letter, about: GameMail | Event, *, draft: bool = False, picture: Picture | None = None
    ) -> bytes:
        """Return the bytes of a letter with its attachments, cards and picture. Raises KurskError.

        No cards if the owner has withdrawn consent since writing. No picture in a letter too large for strangers.
        """
        files = about.files(letter)
        if letter.cards and self.own.cards and (signer := about.signer()) is not None:
            told = (mark for mark in letter.cards if mark in self.people)  # a changed key may be unknown
            for number, mark in enumerate(told, 1):
                card = cards.sign_card(self.people[mark].key, self.own.address, self.own.serial, signer)
                name = CARD_FILE if number == 1 else _CARD_FILES.format(number)
                files.append((name, cards.emit_card(card).encode("ascii")))
        if isinstance(about, Event) and about.directed:
            files += self._pass_cards(letter, about)
        raw = letters.render_letter(letter, files, draft=draft, picture=picture)
        if picture is not None and len(raw) >= MAX_UNKNOWN:
            return letters.render_letter(letter, files, draft=draft)
        return raw

    def _pass_cards(self, letter: Letter, event: Event) -> Iterator[tuple[str, bytes]]:
        """Yield the entrants' cards for a reader who mails copies to them: the director is not the only way."""
        readers = {reader.mark for reader in letter.to}
        to = (key for _digits, key in event.keys.items() if people.mark_of(key) in readers)
        for number, key in enumerate((key for reader in to for key in event.list_correspondents(reader)), 1):
            if card := people.load_card(self.home, self.person(key)):
                yield _PASSED_FILES.format(number), card.encode("ascii")


def compose_letter(due: Due, desk: Desk, writer: Writer) -> Letter:
    """Return the letter with the due items. ``desk``: the verified desk of its game."""
    seat = due.seat
    sides = [side for side in due.sides if side in seat.keys]
    readers = [writer.person(seat.keys[side]) for side in sides]
    roles = (TO if side == due.sides[0] else CC for side in sides)
    return Letter(
        game=seat.game,
        items=tuple(sorted(due.items, key=lambda item: (item.seq, item.kind))),
        others=due.others,
        to=tuple(Reader(person.mark, person.reached, role) for person, role in zip(readers, roles, strict=True)),
        sender=writer.own.address,
        date=clock.now(),
        subject=_write_subject(due, desk),
        body="\n".join([*_write_body(due, desk, writer.home), ""]),
        answers=_answered_id(due, desk, writer.home),
        auto=seat.side == REFEREE,
        cards=writer.cards(readers) if seat.signs else (),
    )


def _answered_id(due: Due, desk: Desk, home: Path) -> str:
    """Return the Message-ID of the reader's newest message, or ''."""
    seq = due.seat.newest_of(due.sides[0])
    return arrival.load_message_id(home, due.seat.game, seq, desk.game.chain.ids[seq]) if seq >= 0 else ""


def _write_subject(due: Due, desk: Desk) -> str:
    title = in_header(desk.game.setting.scenario.title.partition(",")[0], _TITLE)
    about = [item for item in due.items if item.kind == letters.MESSAGE]
    side = in_header(_side_name(desk, due.seat.side) or REFEREE, _TITLE).capitalize()
    what = f"message {due.seq}, {side}" if about else f"papers about message {due.seq}"
    if due.back:
        what = f"message {due.seq} has arrived"
    return f"[kursk {due.seat.game[:8]}] {title}, {what}: {_reader_task(due, desk)}"


def _side_name(desk: Desk, side: str) -> str:
    """Return the game's name of a side; '' for the referee."""
    return "" if side == REFEREE else desk.game.ruleset.seen.words(desk.game.setting).side(side)


def _reader_task(due: Due, desk: Desk) -> str:
    """Return the reader's task in a few words."""
    game, reader = desk.game, due.sides[0]
    if game.over:
        return in_header(_describe_end(due, desk)[:1].lower() + _describe_end(due, desk)[1:], _TITLE).rstrip(".")
    if game.chain.writer(game.chain.next_seq) != reader:
        return "for your files"
    if game.chain.next_seq == 1:
        name = in_header(_name_player(due, desk, game.chain.writer(0)), _TITLE)
        return f"{name} proposes a game, your answer, please"
    if game.chain.offer:
        return "your reply to an offer, please"
    if reader == REFEREE and game.stage.writer != REFEREE:  # the referee hands on; a player writes
        return "your next message, please"
    return f"your {_WANTED.get(game.stage.kind, 'next message')}, please"


def _write_body(due: Due, desk: Desk, home: Path) -> list[str]:
    """Return the words of a letter, line by line: the players, the result, the events, the next step."""
    chain, steps = desk.game.chain, desk.history.steps
    lines = wrap(_describe_players(due, desk, home), "", "", _COLUMNS)
    lines += ["", _describe_end(due, desk)] if desk.game.over else []
    if due.back:
        back = f"Your message {due.seq} has arrived: the game has ended. Nothing is asked of you."
        return [*lines, "", *wrap(back, "", "", _COLUMNS)]
    lines += _describe_due(due, desk)
    forfeit = desk.game.papers.forfeit is not None
    carried = sorted((*due.others, *due.items), key=lambda item: (item.seq, item.kind != letters.MESSAGE))
    for item in carried:
        known = {letters.MESSAGE: due.sides[0], RECEIPT: REFEREE}.get(item.kind) == chain.writer(item.seq)
        if known or (item.kind == letters.MESSAGE and forfeit and item in due.others):
            continue  # the reader's own message, a receipt of the referee's, or an old message of a lost game
        lines.append("")
        if item.kind == letters.MESSAGE:
            step = steps[item.seq]
            lines.append(f"Message {item.seq} of {_name_player(due, desk, step.message.sender)}:")
            for told in reports.detach_headlines(
                reports.make_headlines(step.before, step.after, step.message, step.result)
            ):
                lines += wrap(told, "  ", "    ", _COLUMNS)
        else:
            paper = next(paper for paper in desk.game.papers.all if paper.id == item.id)
            lines += wrap(_describe_paper(paper, due, desk), "", "", _COLUMNS)
    return [*lines, "", *_write_instructions(due, desk)]


def _describe_due(due: Due, desk: Desk) -> list[str]:
    """Return the lines about the next message and its deadline, on the referee's word; none without a deadline."""
    seq = desk.game.chain.next_seq
    term = "" if desk.game.over else desk.game.papers.due(seq - 1)
    if not term:
        return []
    owed = _name_message(due, desk, seq)
    return ["", *wrap(f"{owed[:1].upper()}{owed[1:]} is due {times.tell(term)}.", "", "", _COLUMNS)]


def _name_player(due: Due, desk: Desk, side: str) -> str:
    """Return a player for the reader of a letter: 'you', 'Boris (German)', 'the director'."""
    if side == due.sides[0]:
        return "you"
    if side == REFEREE:
        return "the director" if desk.game.chain.head.get("tournament") else "the referee"
    name = " ".join(str(desk.game.chain.head["names"].get(side, "")).split())
    title = _side_name(desk, side)
    return f"{name} ({title.capitalize()})" if name not in ("", f"{side} player") else party(side, title)


def _name_message(due: Due, desk: Desk, seq: int) -> str:
    """Return a message for the reader of a letter: 'your message 3', 'message 3 of Boris (German)'."""
    side = desk.game.chain.writer(seq)
    return f"your message {seq}" if side == due.sides[0] else f"message {seq} of {_name_player(due, desk, side)}"


def _describe_players(due: Due, desk: Desk, home: Path) -> str:
    """Return the first sentence of a letter: the game, its board and tournament, the players."""
    head, reader, sides = desk.game.chain.head, due.sides[0], desk.game.ruleset.sides
    about = f"{desk.game.title}, game {due.seat.game[:8]}"
    with suppress(DiskError):
        if (event := events.find_tournament(home, head)) is not None:
            about += f", board {head['tournament']['board']} of {event.book.rules.title}"
    if reader not in sides:
        return f"{about}: {' against '.join(_name_player(due, desk, side) for side in sides)}."
    other = _name_player(due, desk, next(side for side in sides if side != reader))
    return f"{about}: you play {_side_name(desk, reader).capitalize()} against {other}."


def _describe_end(due: Due, desk: Desk) -> str:
    """Return the result of a game for the reader of a letter."""
    verdict, reader = desk.game.verdict, due.sides[0]
    if verdict is None or (verdict.winner and reader not in desk.game.ruleset.sides):
        return f"The game is over. {verdict.text if verdict else ''}".rstrip()
    how = _HOW.get(verdict.how, "")
    if not verdict.winner:
        return f"This game is a draw{how}."
    return f"You have {'won' if verdict.winner == reader else 'lost'} this game{how}."


def _describe_paper(paper: Paper, due: Due, desk: Desk) -> str:
    """Return a referee's paper as a sentence for the reader of a letter."""
    chain, seq, until = desk.game.chain, paper.seq, times.tell(paper.text("due"))
    owed, keeper = _name_message(due, desk, seq + 1), _name_player(due, desk, REFEREE).capitalize()
    if paper.type == RECEIPT:
        return f"{keeper} had {_name_message(due, desk, seq)} on {times.tell(paper.text('received'))}."
    if paper.type == EXTENSION:
        mine = chain.writer(seq + 1) == due.sides[0]
        who = "You have" if mine else f"{_name_player(due, desk, chain.writer(seq + 1))} has"
        return f"{who} more time: {owed} is due {until}."
    if desk.game.chain.writer(seq + 1) != paper.text("side"):
        return f"{reports.describe_paper(chain, paper)}."
    late = times.tell(paper.text("declared"))
    return f"{owed[:1].upper()}{owed[1:]} was due {times.tell(paper.text('due'))}, and had not come on {late}."


def _write_instructions(due: Due, desk: Desk) -> list[str]:
    """Return what the reader types, with a mail account and without."""
    reader, short, chain = due.sides[0], due.seat.game[:8], desk.game.chain
    proposed = due.seat.newest_of(reader) < 0 and chain.next_seq == 1
    owes = not desk.game.over and chain.writer(chain.next_seq) == reader != REFEREE
    command = "kursk accept FILE --key KEY" if proposed else "kursk inbox FILE"
    reads = "'kursk post' reads this mail from your mailbox. " if not owes else ""
    how = f"{reads}Without 'kursk post', save the mail and type '{command}'. The signed files are attached."
    how += " From message 1 on every file carries the whole game so far, with all notes." * (chain.next_seq <= 2)
    if owes:
        then = ["Type:", "    kursk post", f"    kursk {'accept' if proposed else 'status'} {short}"]
    else:
        who = "" if desk.game.over else _name_player(due, desk, chain.writer(chain.next_seq))
        who = f"The {who.removeprefix('the ')}" if who.startswith("the ") else who
        then = ["Nothing is asked of you." + f" {who} writes next." * (who not in ("", "you"))]
    return [*wrap(how, "", "", _COLUMNS), "", *then]
