"""Letters with turns: signed items of a game without a letter, from the journal; readers, subject and words.

The words of letters tell only facts that are mailed in turns and papers anyway (T57).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from kursk_pbem.desk.ground import clock
from kursk_pbem.desk.own import desks
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.desk.turn import play
from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.formats.text import in_header
from kursk_pbem.frozen import frozen
from kursk_pbem.game import reports
from kursk_pbem.game.games import Game
from kursk_pbem.game.histories import History
from kursk_pbem.kernel.account.lines import capitalize_first, sentence
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
from kursk_pbem.tournament import letters as drafts
from kursk_pbem.trust import card as cards
from kursk_pbem.trust.papers import EXTENSION, RECEIPT, Paper

_wrap = partial(wrap, width=70)
_TITLE, _NEWS = 40, 60
_AGAIN = " (sent again)"
CARD_FILE, _CARD_FILES = "kursk-card.yaml", "kursk-card-{}.yaml"
_PASSED_FILES = "kursk-card-entrant-{}.yaml"
"""File names of cards: the first, further ones in one letter, and entrants' cards that a director passes on."""
_HOW = {"forfeit": " by time", "resignation": " by resignation", "agreed draw": " by agreement"}
_WANTED = {ORDERS: "orders", ANSWER: "answer", DECISION: "decision", SEAL: "sealed choice", DICE: "dice"}


@dataclass
class Desks:
    """Open desks by game. A game is verified once; later only its new messages are verified."""

    home: Path
    open: dict[str, History]

    def at(self, seat: GameMail) -> Desk:
        """Return a game in its current state, after completing interrupted writes. Raises KurskError."""
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
        """Return the marks of the readers who need an address card: they have an address, but not the newest card."""
        told = [person for person in readers if person.reached] or readers[:1]
        return tuple(person.mark for person in told if people.needs_card(self.home, person.mark))

    def edition(self, letter: Letter, to: tuple[Reader, ...], *, again: bool = False) -> Letter:
        """Return a new edition of a sent letter, with the current addresses.

        The edition contains cards only if the letter contained cards and the owner still agrees to tell the address.
        ``again``: whether the first line calls the letter a repetition. The letter's date decides the next repetition.
        """
        said = f"Sent again: nothing shows that the letter of {letter.date[:10]} has arrived.\n\n" if again else ""
        cards, date = letter.cards if self.own.cards else (), letter.date if again else clock.now()
        subject = letter.subject.removesuffix(_AGAIN) + _AGAIN * again
        edition = replace(letter, edition=letter.edition + 1, body=said + letter.body.removeprefix(said))
        return replace(edition, to=to, subject=subject, date=date, sender=self.own.address, cards=cards)

    def render(
        self, letter: Letter, about: GameMail | Event, *, draft: bool = False, picture: Picture | None = None
    ) -> bytes:
        """Return the bytes of a letter with its attachments, cards and picture. Raises KurskError.

        Cards are left out if the owner no longer agrees. The picture is left out if the letter would be too large.
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
        if isinstance(about, GameMail) and about.side == REFEREE:
            files += self._enclose_log(letter, about)
        raw = letters.render_letter(letter, files, draft=draft, picture=picture)
        if picture is not None and len(raw) >= MAX_UNKNOWN:
            return letters.render_letter(letter, files, draft=draft)
        return raw

    def _enclose_log(self, letter: Letter, seat: GameMail) -> Iterator[tuple[str, bytes]]:
        """Yield the log of a tournament directed here, for a letter with message 0: the log has the pairing."""
        first = any((item.kind, item.seq) == (letters.MESSAGE, 0) for item in letter.carried)
        if first and (event := events.find_directed(self.home, seat.known.head)) is not None:
            marks = {reader.mark for reader in letter.to}
            yield from (event.bundle_log(key) for key in seat.keys.values() if people.mark_of(key) in marks)

    def _pass_cards(self, letter: Letter, event: Event) -> Iterator[tuple[str, bytes]]:
        """Yield the entrants' cards for a reader who mails copies to them: the director is not the only way."""
        readers = {reader.mark for reader in letter.to}
        to = (key for _digits, key in event.keys.items() if people.mark_of(key) in readers)
        for number, key in enumerate((key for reader in to for key in event.list_correspondents(reader)), 1):
            if card := people.load_card(self.home, self.person(key)):
                yield _PASSED_FILES.format(number), card.encode("ascii")


def compose_letter(due: Due, desk: Desk, writer: Writer) -> Letter:
    """Return a letter that contains the due messages and papers. ``desk``: the verified game."""
    seat = due.seat
    sides, last = [side for side in due.sides if side in seat.keys], seat.newest_of(due.sides[0])
    readers = [writer.person(seat.keys[side]) for side in sides]
    title = in_header(desk.game.setting.scenario.title.partition(",")[0], _TITLE)
    roles = (TO if side == due.sides[0] else CC for side in sides)
    return Letter(
        game=seat.game,
        items=tuple(sorted(due.items, key=lambda item: (item.seq, item.kind))),
        others=due.others,
        to=tuple(Reader(person.mark, person.reached, role) for person, role in zip(readers, roles, strict=True)),
        sender=writer.own.address,
        date=clock.now(),
        subject=f"[kursk {due.seat.game[:8]}] {title}: {in_header(_reader_task(due, desk, writer.home), 3 * _TITLE)}",
        body="\n".join([*_write_body(due, desk, writer.home, _describe_news(due, desk)), ""]),
        answers=arrival.load_message_id(writer.home, seat.game, last, desk.game.chain.ids[last]) if last >= 0 else "",
        auto=seat.side == REFEREE,
        cards=writer.cards(readers) if seat.signs else (),
    )


def _side_name(desk: Desk, side: str) -> str:
    """Return the game's name of a side; '' for the referee."""
    return "" if side == REFEREE else desk.game.ruleset.seen.words(desk.game.setting).side(side)


def _reader_task(due: Due, desk: Desk, home: Path) -> str:
    """Return the reader's task in a few words, with the deadline; for a waiting player the news first."""
    game, reader, seq = desk.game, due.sides[0], desk.game.chain.next_seq
    if due.back and reader == REFEREE:
        return f"message {due.seq} has arrived"
    if game.over:
        end = _describe_end(due, desk)
        return f"{end[:1].lower()}{end[1:-1]}"
    until = game.papers.due(seq - 1)
    term = f"is due {times.tell(until)}" if until else "please"
    if seq == 1 and due.seat.rolled:
        opens = ", ".join(filter(None, (_name_sides(due, desk), events.describe_board(home, desk.game.chain.head)[1])))
        return f"{opens}; your message 1 {term}" if game.chain.writer(1) == reader else opens
    if (writer := game.chain.writer(seq)) != reader:
        heads = [told[0] for _dice, _text, told in _list_events(due, desk) if told]
        news = heads[0].partition(";")[0] if heads else due.arrival
        news = news if len(news) <= _NEWS else f"the results of message {due.seq} are here"
        wait = f"wait for {_name_player(due, desk, writer)}{f' until {times.tell(until)}' if until else ''}"
        return "; ".join(filter(None, (news, wait)))
    if seq == 1:
        return f"{_name_player(due, desk, game.chain.writer(0))} proposes a game, your answer, please"
    if formality := _describe_formality(game):
        asked = f"please agree to the game{f' by {times.tell(until)}' if until else ''}"
        return asked if formality == "agree" else f"your message {seq}, signature only, {term}"
    hands_on = reader == REFEREE and game.stage.writer != REFEREE  # a player writes afterwards
    what = "reply to an offer" if game.chain.offer else "" if hands_on else _WANTED.get(game.stage.kind, "")
    return ", ".join(filter(None, (f"your message {seq}", what, term)))


def _describe_formality(game: Game) -> str:
    """Return 'agree' or 'sign' if a referee rolls the dice and the next message has no choices, otherwise ''."""
    writer, chain = game.chain.writer(game.chain.next_seq), game.chain
    if not game.setting.refereed or game.over or chain.offer or writer == REFEREE:
        return ""
    words = "agree" if game.stage.kind == ANSWER else "sign"
    return words if game.ruleset.quiet(game.setting, game.state) else ""


def write_reminder(due: Due, desk: Desk, home: Path, until: str, *, ends: bool) -> list[str]:
    """Return the text of a reminder. ``until``: the deadline. ``ends``: whether a late player can lose the game."""
    late = f" If the day passes, {_name_player(due, desk, REFEREE)} can declare that you have lost." if ends else ""
    lines = _write_body(due, desk, home, f"{_describe_next(due, desk, until)} Your message has not arrived.{late}")
    return [*lines, "HELP in a mail to this address lists what you can ask by mail."]


def _write_body(due: Due, desk: Desk, home: Path, news: str) -> list[str]:
    """Return the words of a letter, line by line: the reader's news, the players, the events, the commands.

    In a letter to a waiting player the events come first.
    """
    game, first, about = desk.game, _wrap(news), _wrap(_describe_players(due, desk, home))
    events = [
        [*_wrap(text), *(line for one in told for line in _wrap(one, "  ", "    "))]
        for _dice, text, told in _list_events(due, desk)
    ]
    waits = not game.over and game.chain.writer(game.chain.next_seq) != due.sides[0]
    parts = [about, first, *events] if game.chain.next_seq == 1 else [*events, first, about] if waits else []
    parts = [*(parts or [first, about, *events]), _write_instructions(due, desk)]
    return [line for part in filter(any, parts) for line in ("", *part)][1:]


def _list_events(due: Due, desk: Desk) -> list[tuple[bool, str, list[str]]]:
    """Return, for each message and paper, whether it has dice, a sentence, and headlines; the dice first.

    Left out: the reader's own messages, receipts of a referee's messages, messages told before, and a resignation.
    """
    game, steps, found = desk.game, desk.history.steps, list[tuple[bool, str, list[str]]]()
    before = max((seq for seq in range(due.oldest) if due.seat.senders[seq] == due.seat.side), default=-1)
    carried = sorted((*due.others, *due.items), key=lambda item: (item.seq, item.kind != letters.MESSAGE))
    for item in () if due.back else carried:
        writer, step = game.chain.writer(item.seq), steps[item.seq]
        known = {letters.MESSAGE: due.sides[0], RECEIPT: REFEREE}.get(item.kind) == writer
        old = item in due.others and (game.papers.forfeit is not None or item.seq < before)
        idle = item.seq == 0 or step.before.hands_on or step.after.resigned
        if known or (item.kind == letters.MESSAGE and (old or idle)):
            continue
        if item.kind != letters.MESSAGE:
            paper = next(paper for paper in game.papers.all if paper.id == item.id)
            found.append((False, _describe_paper(paper, due, desk), []))
            continue
        who, rolls = _name_player(due, desk, writer), step.result is not None and bool(step.result.dice)
        told = reports.detach_headlines(reports.list_events(step.before, step.after, step.message, step.result))
        if told and writer == REFEREE:
            found.append((True, f"{capitalize_first(who)}'s {'dice, ' * rolls}message {item.seq}:", told))
        elif told:
            found.append((False, f"{who} wrote message {item.seq}:", told))
        elif writer != REFEREE and not game.over:
            agreed = _describe_formality(step.before) == "agree"
            wrote = f"wrote message {item.seq} ({step.before.brings}), without orders"
            found.append((False, f"{who} {'has agreed to the game' if agreed else wrote}.", []))
    return sorted(found, key=lambda each: not each[0])


def _describe_news(due: Due, desk: Desk) -> str:
    """Return the first sentence of a letter: the result, the reader's next message, or that a message has arrived."""
    game, reader = desk.game, due.sides[0]
    if due.back:
        end = "" if reader == REFEREE else f"{_describe_end(due, desk)} "
        return f"{end}Your message {due.seq} has arrived: the game has ended."
    if game.over:
        return _describe_end(due, desk)
    if game.chain.writer(game.chain.next_seq) == reader:
        return _describe_next(due, desk)
    return sentence(arrived) if (arrived := due.arrival) else ""


def _describe_next(due: Due, desk: Desk, until: str = "") -> str:
    """Return a sentence about the next message: its writer, the deadline and the contents; '' after the end."""
    game, seq = desk.game, desk.game.chain.next_seq
    if game.over:
        return ""
    term, side = until or game.papers.due(seq - 1), game.chain.writer(seq)
    by, who, mine = f" by {times.tell(term)}" if term else "", _name_player(due, desk, side), side == due.sides[0]
    if (formality := _describe_formality(game)) == "agree":
        asked = f"Agree to the game{by} (your message {seq}). Nothing else has to be decided"
        return f"{asked if mine else f'{who} has to agree to the game{by} (message {seq})'}; the dice come next."
    what = "to hand on" if game.hands_on else game.brings
    if formality:
        what += f", with nothing to decide; only {'your' if mine else 'a'} signature is needed"
    new = " With it you agree to the game." * (mine and side != REFEREE and due.seat.newest_of(side) < 0)
    if term:
        return f"{capitalize_first(_name_message(due, desk, seq))} is due {times.tell(term)}: {what}.{new}"
    return f"{'You write' if mine else f'{capitalize_first(who)} writes'} message {seq}: {what}.{new}"


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


def _name_sides(due: Due, desk: Desk) -> str:
    """Return who plays, for the reader of a letter: 'you play Violet against Anna (Amber)'."""
    reader, sides = due.sides[0], desk.game.ruleset.sides
    if reader not in sides:
        return " against ".join(_name_player(due, desk, side) for side in sides)
    other = _name_player(due, desk, next(side for side in sides if side != reader))
    return f"you {'played' if desk.game.over else 'play'} {_side_name(desk, reader).capitalize()} against {other}"


def _describe_players(due: Due, desk: Desk, home: Path) -> str:
    """Return a sentence about the game: its board and tournament, the players, at the beginning the end of the time."""
    board, stage, ends = events.describe_board(home, desk.game.chain.head)
    about = ", ".join(filter(None, (desk.game.title, f"game {due.seat.game[:8]}", board, stage)))
    return f"{about}: {_name_sides(due, desk)}.{ends * (desk.game.chain.next_seq == 1)}"


def _describe_end(due: Due, desk: Desk) -> str:
    """Return the result of a game for the reader of a letter."""
    verdict, reader = desk.game.verdict, due.sides[0]
    if verdict is None or (verdict.winner and reader not in desk.game.ruleset.sides):
        return f"The game is over. {verdict.text if verdict else ''}".rstrip()
    text = reports.remove_paragraph(verdict.text).rpartition(" victory: ")[2]
    how = _HOW.get(verdict.how, f" ({text})")
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
    """Return the commands for the reader, and below a line the way without a mail account."""
    reader, short, chain = due.sides[0], due.seat.game[:8], desk.game.chain
    if desk.game.over or chain.writer(chain.next_seq) != reader:
        goes_on = "When all games of this round have ended, the director's letter says how you stand."
        then = goes_on if desk.game.over and "tournament" in chain.head else _describe_next(due, desk)
        return _wrap(f"Nothing is asked of you. {then}")
    new = due.seat.newest_of(reader) < 0 and reader != REFEREE
    commands = ["kursk post", f"kursk accept {short}"] if new else ["kursk post"]
    head = "Type these two, then the commands that the second one shows:" if new else "Type:"
    does = f"It fetches the game and shows the next command ('kursk status {short}' shows it again). " * (not new)
    key = "" if "tournament" in chain.head else " --key YOUR-KEY"
    command = f"accept FILE{key}" if chain.next_seq == 1 else "inbox FILE"
    how = f"Without 'kursk post': save this mail, type 'kursk {command}', and mail the file that 'kursk sign' writes."
    told = _wrap(f"{does}After signing, type 'kursk post' once more: it mails your message.")
    return [*drafts.format_commands(commands, head), "", *told, "", "-- ", *_wrap(how)]
