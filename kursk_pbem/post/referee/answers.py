"""Answers to what players ask by mail, in words. Only what was mailed anyway is told: reports, positions, terms."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from kursk_pbem.desk import clock
from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.shelf import views
from kursk_pbem.desk.shelf.views import Subject
from kursk_pbem.errors import DiskError, KurskError, OwnWordsError, UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.formats.text import show
from kursk_pbem.game import reports, scenario_files
from kursk_pbem.game.games import Game
from kursk_pbem.kernel.words import party, plural
from kursk_pbem.post.mailbox import letter as letters
from kursk_pbem.post.mailbox import people
from kursk_pbem.post.mailbox.letter import Item
from kursk_pbem.post.referee.requests import Request
from kursk_pbem.post.round import seat as seats
from kursk_pbem.post.round.seat import Seat
from kursk_pbem.report.layout import wrap
from kursk_pbem.rulebook import paragraphs, rulings
from kursk_pbem.tournament import boards
from kursk_pbem.trust import terms
from kursk_pbem.trust.papers import HOLIDAY

_COLUMNS = 70
_AGAIN = "What was signed of it is attached, in case its letter was lost; 'kursk inbox' takes it."
_SINCE = "What was signed since your own newest message is attached, in case letters were lost; 'kursk inbox' takes it."
_LOST = 8
"""Messages since the asker's own newest that are attached at most."""
_MOST = 12
"""Paragraphs or rulings that are told in full."""
_PLAIN = re.compile(r"(?:[A-Za-z0-9-]|(?<=[0-9])\.(?=[0-9]))+")
REPEATED = 40
"""Characters of the questions of a mail that its answer repeats."""
HELP = """\
Write one command a line at the beginning of a mail, up to five:

  STATUS [GAME]          who owes what until when, in your games
  REPORT [GAME] [NUMBER] the report of a message, or of the newest
  MAP [GAME] [PLACE]     the position as a picture, or a part of it
  RULE [RULESET] NUMBER  what a paragraph or ruling says
  ABSENT [GAME] DAY DAY  tell the director that you will be away,
                         such as ABSENT 2026-12-24 2027-01-02
  HELP                   this

Anybody can write a mail in your name, and ten of those are answered a day.
Whatever you ask in a reply to a letter like this one, which nobody else
has, is counted apart: replies keep you from being crowded out.

GAME is the beginning of its number, as in the subject of each letter.
Orders are never taken from words: mail the signed file of your turn.
"""


@dataclass(frozen=True)
class Answer:
    """What one command is answered: lines, and files (name, type, content); how much of it that may repeat."""

    lines: list[str]
    files: tuple[tuple[str, str, bytes], ...] = ()
    repeated: int = 0


@dataclass(frozen=True)
class Asker:
    """Who asks: the games they play here, how a desk is opened, and for each game the marks of their keys in it.

    Two players may have one address. ``absent``: puts down for the director that they will be away, from a first to a
    last day in a game. UsageError. ``due``: when the answer to the newest message of a game is due. ``elsewhere``:
    whether a game is of a tournament that is directed elsewhere. ``room``: characters of theirs that may be repeated.
    """

    seats: Sequence[Seat]
    open: Callable[[Seat], Desk]
    marks: Mapping[str, Sequence[str]]
    absent: Callable[[Seat, str, str], None]
    due: Callable[[Game], str]
    elsewhere: Callable[[Seat], bool]
    room: int = REPEATED

    def desk(self, seat: Seat) -> Desk:
        """The desk of a game. UsageError if it cannot be opened, which is not for the asker to know more of (T57)."""
        try:
            return self.open(seat)
        except KurskError:
            raise OwnWordsError(f"game {seat.game[:8]} cannot be opened here now: write to the director") from None

    def the(self, words: Sequence[str]) -> tuple[Seat, list[str]]:
        """The game that is meant, and the words behind its name. UsageError."""
        digits = words[0].lower() if words else ""
        named = [seat for seat in self.seats if len(digits) >= 4 and seat.game.startswith(digits)]
        if len(named) == 1:
            return named[0], list(words[1:])
        if len(self.seats) == 1:
            return self.seats[0], list(words)
        listed = ", ".join(seat.game[:8] for seat in self.seats)
        raise OwnWordsError(f"name the game, by the first digits of its number: {listed}")


def answer(request: Request, asker: Asker) -> Answer:
    """What a command is answered; a refusal is one in words too."""
    try:
        return _ANSWERS[request.name](list(request.words), asker)
    except DiskError:  # the question waits, and what is wrong here is not for the asker to know (T57)
        raise
    except KurskError as error:
        told = _wrapped(f"{request.name}: {_refused(error, request.words, asker.room)}")
        return Answer([*told, "HELP says how to ask."], repeated=len(" ".join(request.words)))


def _refused(error: KurskError, words: Sequence[str], room: int) -> str:
    """Why something is refused, in words that repeat none of a question but a few plain ones.

    Anybody can write it in a player's name, with a link or an order of theirs: that does not go out from here.
    """
    if isinstance(error, OwnWordsError):
        return error.message
    if len(" ".join(words)) <= room and all(map(_PLAIN.fullmatch, words)):
        return error.message
    return "what you named is not known here, or is not written as it should be"


def _help(_words: list[str], _asker: Asker) -> Answer:
    return Answer(HELP.rstrip("\n").split("\n"))


def _status(words: list[str], asker: Asker) -> Answer:
    seats = [asker.the(words)[0]] if words else asker.seats
    lines: list[str] = []
    for seat in seats:
        try:
            desk = asker.desk(seat)
            lines += _stand(desk, seat, asker.due(desk.game))
        except UsageError as error:  # one game with a damaged file keeps no word of the others
            lines += _wrapped(error.message)
    return Answer(lines)


def _stand(desk: Desk, seat: Seat, term: str) -> list[str]:
    """Where a game stands, for both of its players alike; ``term``: when the next message is due."""
    game = desk.game
    lines = [f"{game.title}, game {seat.game[:8]}"]
    if game.over:
        return [*lines, *_wrapped(game.verdict.text if game.verdict else "the game is over", "  ")]
    side = game.chain.writer(desk.seq)
    who = party(side, "" if side == REFEREE else game.ruleset.seen.words(game.setting).side(side))
    told = "" if side == REFEREE else f"; its term comes with the receipt of message {desk.seq - 1}"
    due = f", due {clock.term(term)}" if term else told  # the receipt may go out in this very round
    return [*lines, *_wrapped(f"message {desk.seq} of {who} is awaited{due}", "  ")]


def _report(words: list[str], asker: Asker) -> Answer:
    seat, left = asker.the(words)
    desk = asker.desk(seat)
    newest = _mailed(desk, seat)
    seq = _number(left[0], newest) if left else newest
    told = reports.of_step(desk.history.steps[seq]).rstrip("\n").split("\n")
    first = seq - 1 if seat.rolled and seq > 0 else seq
    if not left:  # whoever signed a message had all before it: what is not here since then may be lost
        own = min((seat.newest_of(side) for side in _sides(seat, asker)), default=first)
        first = max(min(own + 1, first), seq + 1 - _LOST)
    files = (*turns(desk, seat, range(first, seq + 1)), *papers(desk, seat, seq))
    title = f"{desk.game.title}, game {seat.game[:8]}"  # a report begins as the command does that asks for it
    return Answer([title, "", *told, "", *_wrapped(_AGAIN if left else _SINCE)], files)


def _sides(seat: Seat, asker: Asker) -> list[str]:
    return [side for side, key in seat.keys.items() if people.mark(key) in asker.marks[seat.game]]


def papers(desk: Desk, seat: Seat, seq: int) -> Iterator[tuple[str, str, bytes]]:
    """What the referee has signed about a message, as files of a letter; the forfeit that ended the game there too.

    KurskError.
    """
    held = desk.game.papers
    for paper in (held.receipts.get(seq), *held.extensions(seq), held.forfeit):
        if paper is not None and paper.seq == seq:
            item = Item(paper.type, seq, paper.id)
            yield item.file(seat.game), letters.YAML, seats.attachment(seat, item)


def turns(desk: Desk, seat: Seat, seqs: Iterable[int]) -> Iterator[tuple[str, str, bytes]]:
    """Messages of a game as files of a letter, as they were mailed. KurskError."""
    for seq in seqs:
        item = Item(letters.MESSAGE, seq, desk.game.chain.ids[seq])
        yield item.file(seat.game), letters.YAML, seats.attachment(seat, item)


def _mailed(desk: Desk, seat: Seat) -> int:
    """The newest message that both players may know: one that a referee is still to roll for is not."""
    return seat.newest_of(REFEREE) if seat.rolled and desk.mine else desk.seq - 1


def _number(word: str, most: int) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= 4 and int(word) <= most):
        raise UsageError(f"{show(word)} is no number of a message; the newest is {most}")
    return int(word)


def _map(words: list[str], asker: Asker) -> Answer:
    seat, left = asker.the(words)
    desk = asker.desk(seat)
    game = desk.history.steps[_mailed(desk, seat)].after
    around = " ".join(left) or None
    drawn = views.drawn(Subject(game.ruleset, game.setting, game.state), (), "", around, None)
    name = f"kursk-{seat.game[:8]}-map.svg"
    told = [f"The position of game {seat.game[:8]} is attached: {name}, for any browser."]
    return Answer(told, ((name, "image/svg+xml", drawn.encode("utf-8")),))


def _rule(words: list[str], asker: Asker) -> Answer:
    if not words:
        raise OwnWordsError("name a paragraph or a ruling")
    heads = [seat.known.head.get("ruleset") for seat in asker.seats]
    played = {str(head.get("id")) for head in heads if isinstance(head, Mapping)}
    rid, wanted = paragraphs.system(words, played, scenario_files.available())
    decided = rulings.load(rid)
    lines: list[str] = []
    if (ruling := decided.get(wanted.upper())) is not None:
        lines += [*_wrapped(f"[{ruling.id}] {ruling.title}"), *_wrapped(ruling.text.replace("**", ""), "  ")]
    for paragraph in (paragraphs.paragraphs(rid, wanted) if wanted and not lines else [])[:_MOST]:
        lines += [*_wrapped(f"[{paragraph.id}] {paragraph.title}"), *_wrapped(paragraph.text, "  ")]
    if not lines:
        entries = paragraphs.search(rid, wanted) if wanted else paragraphs.paragraphs(rid)
        lines = ["These may be meant:", *(f"  {entry.id}  {entry.title}" for entry in entries[: 5 * _MOST])]
    return Answer(lines)


def _absent(words: list[str], asker: Asker) -> Answer:
    seats = [asker.the(words)[0]] if len(words) == 3 else list(asker.seats)
    if len(words) not in (2, 3):
        raise OwnWordsError("say the first and the last day, such as ABSENT 2026-12-24 2027-01-02")
    lines: list[str] = []
    wrong: dict[str, KurskError] = {}
    for seat in seats:
        if _is_over(seat, asker):
            lines.append(f"game {seat.game[:8]} is over: nothing is due in it")
            continue
        try:
            word, elsewhere = _word(seat, asker), asker.elsewhere(seat)
            asker.absent(seat, words[-2], words[-1])
        except DiskError:
            raise
        except KurskError as error:  # too many in one game; what is wrong with the days is of all of them
            wrong[_refused(error, words, asker.room)] = error
            continue
        who = "whoever keeps time here" if elsewhere else "the director"
        told = f"game {seat.game[:8]}: {who} is told that you are away from {words[-2]} to {words[-1]}. "
        lines += _wrapped(told + word)
    if len(wrong) == 1 and not lines:
        raise next(iter(wrong.values()))
    refused = [line for why in wrong for line in _wrapped(why)]
    return Answer([*lines, *refused], repeated=len(" ".join(words)) if refused else 0)


def _is_over(seat: Seat, asker: Asker) -> bool:
    with suppress(UsageError):  # one game with a damaged file keeps nobody from going away
        return asker.desk(seat).game.over
    return False


def _word(seat: Seat, asker: Asker) -> str:
    """How a director gives time: in a tournament its log grants a holiday, which holds for every answer until then."""
    if asker.elsewhere(seat):
        return "Your terms change only by the word of the director of the tournament, who is not told from here: write."
    words = "Your terms change only by their word:"
    if seat.known.head.get(boards.FIELD):
        return f"{words} a holiday that they grant in the log of the tournament, which their next letter brings you."
    return f"{words} a signed extension, which they mail you. {_holidays(seat, asker)}"


def _holidays(seat: Seat, asker: Asker) -> str:
    """How many days of holidays the asker has had, in words; '' where nobody can tell."""
    try:
        game = asker.desk(seat).game
    except UsageError:
        return ""
    sides = _sides(seat, asker)
    if len(sides) != 1:
        return ""
    had = terms.used(game.chain, game.papers.all).get((sides[0], HOLIDAY), 0)
    return f"You have had {plural(had, 'day')} of holidays in this game."


def _wrapped(text: str, first: str = "") -> list[str]:
    return wrap(" ".join(text.split()), first, first or "  ", _COLUMNS)


_ANSWERS: Mapping[str, Callable[[list[str], Asker], Answer]] = {
    "HELP": _help,
    "STATUS": _status,
    "REPORT": _report,
    "MAP": _map,
    "RULE": _rule,
    "ABSENT": _absent,
}
