"""Repetitions of unanswered letters. The newest letter of a game contains the whole game.

Without an answer or a receipt the newest letter with a turn goes again after 3 and 7 days, and then each week. If a
player sends an old or unconnected turn, the player lacks the newest letter: the letter goes again, once a day. The last
message of a game has no answer, so a program that fetched the message sends the message back once.

A referee who rolls dice repeats no letter to a waiting player, and no end of a game with a logged result.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kursk_pbem.desk.ground import clock
from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.post.mailbox import events, people, store
from kursk_pbem.post.mailbox import letter as letters
from kursk_pbem.post.mailbox.letter import Letter
from kursk_pbem.post.mailbox.outbox import SENT, Box
from kursk_pbem.post.round.game_mail import GameMail
from kursk_pbem.tournament import boards

LACKS, LETTER, END = "lacks", "letter", "end"
"""Events: a person lacks the newest letter, has mailed a signed turn, has sent back the last message of a game."""
_FIRST, _WEEK, _MONTH, _YEAR = 3, 7, 28, 52 * 7
"""Days after a letter: the first repetition, the interval of later repetitions, and two times of the last one."""


def note_event(home: Path, what: str, game: str, mark: str) -> None:
    """Record the current time of an event, such as a repeated letter, for a game and a person. Raises DiskError."""
    store.save_setting(home, f"{what} {game} {mark}", clock.now())


def find_event(home: Path, what: str, game: str, mark: str) -> str:
    """Return the last recorded time of an event for a game and a person, or ''. Raises DiskError."""
    return store.load_setting(home, f"{what} {game} {mark}")


def list_repeats(seat: GameMail, box: Box) -> Iterator[tuple[Letter, frozenset[str]]]:
    """Yield, for each group of readers, the newest letter if it must be sent again, and the marks of the readers."""
    seen = set[str]()
    for letter in sorted(box.letters(), key=lambda one: (one.seq, one.date, one.edition), reverse=True):
        newest = {reader.mark for reader in letter.to} - seen if seat.holds(letter) else set[str]()
        seen |= newest
        if marks := frozenset(mark for mark in newest if _is_due(seat, box, letter, mark)):
            yield letter, marks


def _is_settled(seat: GameMail, home: Path, mark: str) -> bool:
    """Return whether a rolling referee owes a reader nothing: the reader waits, or a log has the result."""
    if seat.side != REFEREE or not seat.rolled:
        return False
    if writer := seat.known.writer:
        return mark != people.mark_of(seat.keys.get(writer, ""))
    event = events.find_directed(home, seat.known.head)
    return event is not None and bool(boards.explain_closed(event.book, seat.game))


def _is_due(seat: GameMail, box: Box, letter: Letter, mark: str) -> bool:
    """Return whether a letter is due again for a reader. A letter that the reader had otherwise was never sent."""
    said, now = box.delivery_of(letter, mark), clock.now()
    told = not seat.known.writer and _is_settled(seat, box.home, mark)
    if told or (said.state != SENT and (said.tries or not seat.has(letter, mark))):
        return False
    if find_event(box.home, LACKS, seat.game, mark) > said.at:
        return not said.at or times.seconds_between(said.at, now) >= times.DAY
    turns = any(one.kind == letters.MESSAGE and seat.side in (REFEREE, seat.senders[one.seq]) for one in letter.items)
    few = letter.seq == 0 or not seat.known.writer  # a proposal needs no answer, an end goes back
    last = _YEAR if not few else _MONTH if seat.side == REFEREE else _WEEK  # nobody else mails a rolled game's end
    gone = times.seconds_between(letter.date, now) // times.DAY
    days = min(gone // _WEEK * _WEEK, last) or (_FIRST if gone >= _FIRST else 0)
    has = seat.has(letter, mark) or (few and bool(find_event(box.home, END, seat.game, mark)))
    late = turns and not has and days > 0 and said.at < times.add_days(letter.date, days)
    return late and not _is_settled(seat, box.home, mark)
