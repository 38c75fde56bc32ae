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
from kursk_pbem.kernel.words import plural
from kursk_pbem.post.mailbox import arrival, events, people
from kursk_pbem.post.mailbox import letter as letters
from kursk_pbem.post.mailbox.events import Event
from kursk_pbem.post.mailbox.letter import CC, TO, Letter, Picture, Reader
from kursk_pbem.post.mailbox.people import Own, Person
from kursk_pbem.post.round.due import Due, describe_end, describe_paper, name_message, name_player, name_sides
from kursk_pbem.post.round.game_mail import GameMail
from kursk_pbem.post.wire.fetching import MAX_UNKNOWN
from kursk_pbem.report.layout import wrap
from kursk_pbem.tournament import letters as drafts
from kursk_pbem.trust import card as cards
from kursk_pbem.trust.papers import RECEIPT

_wrap = partial(wrap, width=70)
_TITLE, _TASK, _LONGEST = 40, 81, 140
_AGAIN = "Sent again: "
CARD_FILE, _CARD_FILES = "kursk-card.yaml", "kursk-card-{}.yaml"
_PASSED_FILES = "kursk-card-entrant-{}.yaml"
"""File names of cards: the first, further ones in one letter, and entrants' cards that a director passes on."""
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
    """Writes the letters of a private folder. ``people``: known people by mark. ``own``: the owner's address."""

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
        same = f"This is the letter of {letter.date[:10]} again, because nothing shows that it has arrived."
        said = [*_wrap(f"{same} If an answer of yours was lost, 'kursk post' mails it again."), "", ""] * again
        cards, date = letter.cards if self.own.cards else (), letter.date if again else clock.now()
        old, subject = _AGAIN in letter.subject, letter.subject.replace(_AGAIN, "")
        subject = subject.replace("] ", f"] {_AGAIN}", 1) if again else subject
        body = "\n".join(said) + (letter.body.partition("\n\n")[2] if old else letter.body)
        edition = replace(letter, edition=letter.edition + 1, body=body)
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
    roles = (TO if side == due.sides[0] else CC for side in sides)
    return Letter(
        game=seat.game,
        items=tuple(sorted(due.items, key=lambda item: (item.seq, item.kind))),
        others=due.others,
        to=tuple(Reader(person.mark, person.reached, role) for person, role in zip(readers, roles, strict=True)),
        sender=writer.own.address,
        date=clock.now(),
        subject=write_subject(desk, _reader_task(due, desk, writer.home)),
        body="\n".join([*_write_body(due, desk, writer.home, _describe_news(due, desk)), ""]),
        answers=arrival.load_message_id(writer.home, seat.game, last, desk.game.chain.ids[last]) if last >= 0 else "",
        auto=seat.side == REFEREE,
        cards=writer.cards(readers) if seat.signs else (),
    )


def write_subject(desk: Desk, task: str) -> str:
    """Return a subject: the game, its title (a tournament has one for all games), and the reader's task."""
    title = in_header(desk.game.setting.scenario.title.partition(",")[0], _TITLE)
    about = "" if "tournament" in desk.game.chain.head else f"{title}: "
    return f"[kursk {desk.game.chain.game[:8]}] {about}{in_header(task, _LONGEST)}"


def _reader_task(due: Due, desk: Desk, home: Path) -> str:
    """Return the reader's task in a few words, the deadline first; for a waiting player the news first."""
    game, reader, seq = desk.game, due.sides[0], desk.game.chain.next_seq
    if due.back and reader == REFEREE:
        return f"Message {due.seq} has arrived"
    if game.over:
        end = describe_end(due, desk).removesuffix(".")
        return "; ".join(filter(None, (end, _describe_fate(due, desk, home).partition(";")[0])))
    writer, until = game.chain.writer(seq), game.papers.due(seq - 1)
    day = times.tell_short(until) if until else ""
    if seq == 1 and due.seat.rolled:
        opens = ", ".join(filter(None, (name_sides(due, desk), events.describe_board(home, desk.game.chain.head)[1])))
        return f"Message 1{f' due {day}' * bool(day)}; {opens}" if writer == reader else capitalize_first(opens)
    if seq == 1 and writer == reader:
        return f"Your answer, please: {name_player(due, desk, game.chain.writer(0))} proposes a game"
    if writer != reader:
        act = f"wait for {name_player(due, desk, writer)}"
        if dice := _describe_dice(due, desk, _TASK - len(act)):
            return f"{dice}; {act}"
        return "; ".join(filter(None, (capitalize_first(due.arrival), f"{act}{f' until {day}' * bool(day)}")))
    if formality := _describe_formality(game):
        act = f"Please {'agree to the game' if formality == 'agree' else 'just sign'}{f' by {day}' * bool(day)}"
    else:
        hands_on = reader == REFEREE and game.stage.writer != REFEREE  # a player writes afterwards
        kind = "reply to an offer" if game.chain.offer else "" if hands_on else _WANTED.get(game.stage.kind, "")
        owed = kind or f"message {seq}"
        act = f"{capitalize_first(owed)} due {day}" if day else f"Your {owed}, please"
    return "; ".join(filter(None, (act, _describe_dice(due, desk, _TASK - len(act)))))


def _describe_dice(due: Due, desk: Desk, room: int) -> str:
    """Return the results in the letter, for its subject: all if they fit in ``room``, otherwise the first one."""
    told = next((told for dice, _text, told in _list_events(due, desk) if dice), [])
    lines = [line.partition(" (")[0] for line in told if ": " in line] or told[:1]
    heads = [line.partition(";")[0] for line in lines]
    more = f", and {plural(len(heads) - 1, 'more result')}" * bool(heads[1:])
    fitting = (news for news in (" / ".join(lines).replace(";", ","), " / ".join(heads)) if len(news) <= room)
    return next(fitting, f"{''.join(heads[:1])}{more}")


def _describe_formality(game: Game) -> str:
    """Return 'agree' or 'sign' if a referee rolls the dice and the next message has no choices, otherwise ''."""
    writer, chain = game.chain.writer(game.chain.next_seq), game.chain
    if not game.setting.refereed or game.over or chain.offer or writer == REFEREE:
        return ""
    words = "agree" if game.stage.kind == ANSWER else "sign"
    return words if game.ruleset.quiet(game.setting, game.state) else ""


def write_reminder(due: Due, desk: Desk, home: Path, until: str, *, ends: bool) -> list[str]:
    """Return the words of a reminder. ``until``: the deadline; ``ends``: the game can end after the deadline."""
    day, keeper = times.tell(until), name_player(due, desk, REFEREE)
    late = f"without it by {day} {keeper} can declare that you have lost" if ends else f"it is due {day}"
    lack = f"Your message {desk.game.chain.next_seq} ({desk.game.brings}) has not arrived; {late}."
    lines = _write_body(due, desk, home, lack)
    return [*lines, "HELP in a mail to this address lists what you can ask by mail."]


def _write_body(due: Due, desk: Desk, home: Path, news: str) -> list[str]:
    """Return the words of a letter, line by line: the reader's news, the players, the events, the commands.

    In a letter to a waiting player the results come first, and the players last.
    """
    game, about = desk.game, _wrap(_describe_players(due, desk, home))
    events = [
        [*_wrap(text), *(line for one in told for line in _wrap(one, "  ", "    "))]
        for _dice, text, told in _list_events(due, desk)
    ]
    waits = not game.over and game.chain.writer(game.chain.next_seq) != due.sides[0]
    above = [part for part in events if waits and part[1:]]
    parts = [*above, _wrap(news), *([] if waits else [about]), *(part for part in events if part not in above)]
    parts += [*([about] if waits else []), _write_instructions(due, desk, home)]
    return [line for part in filter(any, parts) for line in ("", *part)][1:]


def _list_events(due: Due, desk: Desk) -> list[tuple[bool, str, list[str]]]:
    """Return, for each message and paper, whether it has dice, a sentence, and headlines; the dice first.

    Left out: own messages, receipts of a referee's messages, messages told before or only handed on, a resignation.
    """
    game, steps, found = desk.game, desk.history.steps, list[tuple[bool, str, list[str]]]()
    before = max((seq for seq in range(due.oldest) if due.seat.senders[seq] == due.seat.side), default=-1)
    carried = sorted((*due.others, *due.items), key=lambda item: (item.seq, item.kind != letters.MESSAGE))
    for item in () if due.back else carried:
        writer, step = game.chain.writer(item.seq), steps[item.seq]
        if item.kind != letters.MESSAGE:
            paper = next(paper for paper in game.papers.all if paper.id == item.id)
            if item.kind != RECEIPT or writer != REFEREE:
                found.append((False, describe_paper(paper, due, desk), []))
            continue
        old = item in due.others and (game.papers.forfeit is not None or item.seq < before)
        if writer == due.sides[0] or old or item.seq == 0 or step.after.resigned or step.before.hands_on:
            continue
        who, rolls = name_player(due, desk, writer), step.result is not None and bool(step.result.dice)
        told = reports.detach_headlines(reports.list_events(step.before, step.after, step.message, step.result))
        if told and writer == REFEREE:
            found.append((True, f"{capitalize_first(who)}'s {'dice, ' * rolls}message {item.seq}:", told))
        elif told:
            found.append((rolls, f"{who} wrote message {item.seq}:", told))
        elif writer != REFEREE and not game.over:
            agreed = _describe_formality(step.before) == "agree"
            wrote = f"wrote message {item.seq} ({step.before.brings}), without orders"
            found.append((False, f"{who} {'has agreed to the game' if agreed else wrote}.", []))
    return sorted(found, key=lambda each: not each[0])


def _describe_news(due: Due, desk: Desk) -> str:
    """Return the first sentence of a letter: the result, the reader's next message, or that a message has arrived."""
    game, reader = desk.game, due.sides[0]
    if due.back and (reader == REFEREE or not game.resigned):
        end = "" if reader == REFEREE else f"{describe_end(due, desk)} "
        return f"{end}Your message {due.seq} has arrived: the game has ended."
    if game.over:
        return describe_end(due, desk)
    if game.chain.writer(game.chain.next_seq) == reader:
        return _describe_next(due, desk)
    return sentence(arrived) if (arrived := due.arrival) else ""


def _describe_next(due: Due, desk: Desk) -> str:
    """Return a sentence about the next message: its writer, the deadline and the contents; '' after the end."""
    game, seq = desk.game, desk.game.chain.next_seq
    if game.over:
        return ""
    chain, term, side = game.chain, game.papers.due(seq - 1), game.chain.writer(seq)
    by, who, mine = f" by {times.tell(term)}" if term else "", name_player(due, desk, side), side == due.sides[0]
    lost = " Without it the director can declare that you have lost." if "tournament" in chain.head else ""
    lost *= bool(mine and term)
    if (formality := _describe_formality(game)) == "agree":
        asked = f"Agree to the game{by}: sign your message {seq}.{lost} Nothing else has to be decided"
        return f"{asked if mine else f'{who} has to agree to the game{by} (message {seq})'}; the dice come next."
    what = "to hand on" if game.hands_on else game.brings
    if formality:
        asked = f"Please just sign your message {seq}" if mine else f"{who} only has to sign message {seq}"
        return f"{asked}{by}: {what}, with nothing to decide.{lost}"
    new = " With it you agree to the game." * (mine and side != REFEREE and due.seat.newest_of(side) < 0)
    if term:
        return f"{capitalize_first(name_message(due, desk, seq))} is due {times.tell(term)}: {what}.{new}{lost}"
    return f"{'You write' if mine else f'{capitalize_first(who)} writes'} message {seq}: {what}.{new}"


def _describe_players(due: Due, desk: Desk, home: Path) -> str:
    """Return a sentence about the game: its board and tournament, the players, at the beginning the end of the time."""
    board, stage, ends, _fates = events.describe_board(home, desk.game.chain.head)
    about = ", ".join(filter(None, (desk.game.title, f"game {due.seat.game[:8]}", board, stage)))
    return f"{about}: {name_sides(due, desk)}.{ends * (desk.game.chain.next_seq == 1)}"


def _describe_fate(due: Due, desk: Desk, home: Path) -> str:
    """Return what the end of a game of a cup means for the reader, or ''."""
    verdict, fates = desk.game.verdict, events.describe_board(home, desk.game.chain.head)[3]
    if not fates or verdict is None or not verdict.winner or due.sides[0] == REFEREE:
        return ""
    return fates[verdict.winner == due.sides[0]]


def _write_instructions(due: Due, desk: Desk, home: Path) -> list[str]:
    """Return the commands for the reader, and below a line the way without a mail account."""
    reader, short, chain = due.sides[0], due.seat.game[:8], desk.game.chain
    if desk.game.over or chain.writer(chain.next_seq) != reader:
        then = _describe_next(due, desk)
        if desk.game.over and "tournament" in chain.head and reader != REFEREE:
            then = "When all games of this round have ended, the director's letter says how you stand."
            then = sentence(fate) if (fate := _describe_fate(due, desk, home)) else then
        return _wrap(f"Nothing is asked of you. {then}")
    new = due.seat.newest_of(reader) < 0 and reader != REFEREE
    commands = ["kursk post", f"kursk accept {short}"] if new else ["kursk post"]
    head = "Type these two, then the commands that the second one shows:" if new else "Type:"
    does = f"It fetches the game and shows the next command ('kursk status {short}' shows it again). " * (not new)
    key = "" if "tournament" in chain.head else " --key YOUR-KEY"
    command = f"inbox FILE' and 'kursk accept {short}{key}" if new else "inbox FILE"
    how = f"Without 'kursk post': save this mail, type 'kursk {command}', and mail the file that 'kursk sign' writes."
    told = _wrap(f"{does}After signing, type 'kursk post' once more: it mails your message.")
    return [*drafts.format_commands(commands, head), "", *told, "", "-- ", *_wrap(how)]
