"""Players to move, and reply times computed from the director's receipts (docs/directors.md 12)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median_low

from kursk_pbem.desk.own import register
from kursk_pbem.desk.own.register import Known
from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders, receipts
from kursk_pbem.kernel.words import plural
from kursk_pbem.tournament import boards
from kursk_pbem.tournament.book import clocks
from kursk_pbem.tournament.papers.store import GAMES
from kursk_pbem.tournament.records import Board, Book
from kursk_pbem.trust.papers import RECEIPT

DIRECTOR = "director"
ENDED = "is to log how the game ended"
"""The director's task in a game whose end is not logged yet, in words."""
FILE = "times.txt"
"""The file in an archive with the pace of hidden games, as stated by the director."""
_LINE = re.compile("([0-9a-z-]+);([0-9a-z]*);((?:is to [a-z ]+)?);([0-9TZ:-]*);((?:g?[0-9]+:[0-9]+ )*)")


@frozen
class Pace:
    """The speed of a board's game. ``owes``: a number, DIRECTOR or ''. ``what``: what this person must do, in words."""

    owes: str = ""
    what: str = ""
    since: str = ""  # the beginning of the wait
    replies: tuple[tuple[str, int], ...] = ()  # (number, seconds between two receipts)


@frozen
class Replies:
    """A player's reply times: the number of timed answers, their median and the slowest, in seconds."""

    number: str
    name: str
    answers: int
    median: int
    slowest: int


def measure_boards(book: Book, folder: Path) -> dict[str, Pace]:
    """Return the reply times of each board, by board name. Raises KurskError for an unreadable receipt."""
    told = _read_paces(book, folder)
    return {board.name: measure_board(book, folder, board, told) for board in book.boards.values()}


def emit_paces(paces: Mapping[str, Pace]) -> str:
    """Return the reply times of boards as the text of ``times.txt``, a line for each board."""
    replies = {name: "".join(f"{who}:{taken} " for who, taken in now.replies) for name, now in paces.items()}
    return "".join(f"{name};{now.owes};{now.what};{now.since};{replies[name]}\n" for name, now in paces.items())


def _read_paces(book: Book, folder: Path) -> dict[str, Pace]:
    """Return the entries of ``times.txt``, without malformed lines."""
    told: dict[str, Pace] = {}
    raw = folders.read_bytes(folder / FILE) if (folder / FILE).is_file() else b""
    lines = raw.decode("ascii", "replace").splitlines()
    for name, owes, what, since, replies in (found.groups() for found in map(_LINE.fullmatch, lines) if found):
        if owes in ("", DIRECTOR, *book.numbers) and (not since or times.is_time(since)):
            pairs = (pair.split(":") for pair in replies.split())
            told[name] = Pace(owes, what, since, tuple((who, int(taken)) for who, taken in pairs))
    return told


def measure_board(book: Book, folder: Path, board: Board, told: Mapping[str, Pace]) -> Pace:
    """Return the reply times of a board. If the folder lacks the game, return the times in ``told``."""
    going = board.outcome is None or not board.outcome.final
    if not board.game:
        begins = going and board.sides_known
        owes = (boards.find_proposer(book, board) or DIRECTOR) if begins else ""
        return Pace(owes, "is to begin the game", clocks.pairing_time(book, board)) if begins else Pace()
    place = folder / GAMES / folders.folder_name(board.game)
    if not folders.proposal_path(place).is_file():
        return told.get(board.name, Pace())
    received = _receipt_times(place)
    writers = ((seq, board.sides.get(_find_writer(place, seq))) for seq in sorted(received) if seq - 1 in received)
    replies = tuple((who, times.seconds_between(received[seq - 1], received[seq])) for seq, who in writers if who)
    if not going:
        return Pace(replies=replies)
    game = Known("", place, None)
    since, writer = received.get(game.newest, ""), game.writer
    what = "is to move" if writer else ENDED
    return Pace(board.sides.get(writer, DIRECTOR), what, since, replies)


def _receipt_times(place: Path) -> dict[int, str]:
    """Return the time of the first receipt of each message."""
    received: dict[int, str] = {}
    for paper in receipts.read_papers(place):
        if paper.type == RECEIPT:
            came = paper.text("received")
            received[paper.seq] = min(came, received.get(paper.seq, came))
    return received


def _find_writer(place: Path, seq: int) -> str:
    """Return the side of a message's writer. If the players roll, they take turns."""
    head = register.read_fields(folders.message_path(place, 0))
    if head.get("dice-from") == REFEREE:
        return str(register.read_fields(folders.message_path(place, seq)).get("from"))
    first = str(head.get("from"))
    return first if seq % 2 == 0 else next(side for side in head["keys"] if side not in (first, REFEREE))


def collect_replies(book: Book, paces: Mapping[str, Pace]) -> list[Replies]:
    """Return the reply times of each entrant with at least one timed answer, by entrant number."""
    table = []
    for entrant in (*book.ranked(), *book.guests()):
        taken = [seconds for pace in paces.values() for number, seconds in pace.replies if number == entrant.number]
        if taken:
            table.append(Replies(entrant.number, entrant.called, len(taken), median_low(taken), max(taken)))
    return table


def name_of(book: Book, number: str) -> str:
    """Return the name that belongs to an entrant number or to DIRECTOR. A hidden name gives the number."""
    return "the director" if number == DIRECTOR else book.entrant(number).called


def describe_paces(book: Book, paces: Mapping[str, Pace]) -> Iterator[str]:
    """Yield in words the reply times, then the players who must move."""
    rows = collect_replies(book, paces)
    for row in rows:
        median, slowest = times.in_words(row.median), times.in_words(row.slowest)
        yield f"{row.name}: {plural(row.answers, 'answer')}, median {median}, slowest {slowest}"
    if not rows:
        yield "by the receipts here, no player has answered yet"
    for board, now in paces.items():
        if now.owes:
            since = f" since {times.tell(now.since)}" if now.since else ""
            yield f"board {board}: {name_of(book, now.owes)} {now.what}{since}"
