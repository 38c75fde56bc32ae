"""The director's letters to entrants, as drafts.

The name of a letter contains the reader and the newest log paper. The due letters follow from the existing letters:
a crash loses none.
"""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.formats import times
from kursk_pbem.kernel.words import plural
from kursk_pbem.report import layout
from kursk_pbem.tournament import boards, entrant_steps, letters, open_papers
from kursk_pbem.tournament.book import clocks
from kursk_pbem.tournament.book.people import find_open_draw, find_seen
from kursk_pbem.tournament.director.desk import DirectorDesk
from kursk_pbem.tournament.papers import fields, lines, mails
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.records import Book, Entrant
from kursk_pbem.tournament.score import listing
from kursk_pbem.tournament.score.table import Table, compute_standings

OVERLAP = 100
"""The maximum number of log papers repeated in a letter."""
WIDTH = 72
"""The number of columns of a letter."""
_TAKES = (
    "'kursk post' reads this mail from your mailbox. If you do not use 'kursk post', save the mail and type "
    "'kursk tournament inbox FILE'. 'kursk tournament' shows your place and what to type."
)


def reader_names(book: Book) -> dict[str, str]:
    """Return the first part of each letter's file name, with the name that the director uses for its reader."""
    owners = {key: digits for digits, key in letters.reader_keys(book).items()}
    named = {owners[key]: paper.text("name") for key, paper in open_papers.list_outsiders(book).items()}
    named |= {owners[entrant.key]: f"{entrant.name} {entrant.number}".strip() for entrant in book.entrants.values()}
    return {**named, **({owners[book.rules.witness]: "the witness"} if book.witness else {})}


def write_letters(desk: DirectorDesk, *, patient: bool = False) -> list[Path]:
    """Write the due letters, which replace unsent letters; return new files.

    ``patient``: acknowledgments and logged games wait up to a day for other news. A person who takes no part gets the
    whole log: at most once for each closed field, for the first draw, and for a refusal.
    """
    book, place = desk.book, desk.record.letters
    last, seen, written = len(book.log) - 1, newest_seen(book), list[Path]()
    owners = {key: digits for digits, key in letters.reader_keys(book).items()}
    to = [one for one in book.entrants.values() if one.number or not one.out.startswith("refused")]
    people: list[tuple[str, Entrant | Paper | None]] = [(entrant.key, entrant) for entrant in to]
    people += [(book.rules.witness, None)] if book.witness else []
    table: Table | None = None
    there, waiting = letters.list_letters(place), [path.stem for path in letters.list_unsent(place)]
    for key, entrant in [*people, *open_papers.list_outsiders(book).items()]:
        whose = f"{owners[key]}-log-"
        mine = {name: int(name.removeprefix(whose)) for name in there if name.startswith(whose)}
        newest = max(mine.values(), default=-1)
        if newest == last or (patient and not isinstance(entrant, Paper) and _can_wait(desk, newest + 1)):
            continue
        joined = [name for name in waiting if name in mine and mine[name] > last - OVERLAP]
        new = max((seq for name, seq in mine.items() if name not in joined), default=-1) + 1
        since = max(min(new, seen.get(key, -1) + 1), new - OVERLAP)
        if isinstance(entrant, Paper):
            if not _is_owed(book, entrant, new - 1):
                continue
            since = 0
        table = table or compute_standings(book, listing.newest_round(book))  # once, because of large tables
        path = _write_letter(desk, entrant, since, new, f"{whose}{last:05d}", table)
        written += [path] if path is not None else []
        for name in joined:
            (place / f"{name}.eml").unlink(missing_ok=True)
    return written


def _is_owed(book: Book, paper: Paper, sent: int) -> bool:
    """Return whether the writer of an entry or offer, who takes no part, needs the papers after log paper ``sent``."""
    useless = (at for at, _paper, _why in open_papers.list_useless(book, key=paper.sender))
    opened = book.begun.drawn if book.begun is not None else 0  # late entries begin
    closed = max(book.draws[-1].seq if book.draws else 0, opened, book.refused.get(paper.id, 0))
    return sent < min(closed, max([book.received[paper.id], opened, *useless]))


def _can_wait(desk: DirectorDesk, new: int) -> bool:
    """Return whether the new log papers need no action and the first is less than a day old."""
    fresh = desk.book.log[new:]
    since = times.seconds_between(fresh[0].text("time"), desk.now())
    return since < times.DAY and all(paper.type in (fields.RECEIVED, fields.GAME) for paper in fresh)


def newest_seen(book: Book) -> dict[str, int]:
    """Return the newest paper of this log that each key has seen. A letter repeats unseen papers: mails get lost."""
    seen: dict[str, int] = {}
    for paper in (book.papers[id_] for id_ in book.received):
        newest = lines.find_fork(book.log, find_seen(book, paper)) - 1
        seen[paper.sender] = max(seen.get(paper.sender, -1), newest)
    return seen


def bundle_news(book: Book, since: int) -> tuple[str, str]:
    """Return the name and text of a file with the log papers from a number on, and the papers acknowledged there."""
    void = (id_ for paper in book.log[since:] for id_ in paper.texts(fields.VOID))
    log = [*(book.others[id_] for id_ in void if id_ in book.others), *book.log[since:]]
    ids = dict.fromkeys(id_ for paper in log if paper.type == fields.RECEIVED for id_ in paper.texts("papers"))
    acknowledged = [book.papers[id_] for id_ in ids if id_ in book.papers]
    return letters.attachment_name(book.id, f"{since:05d}"), mails.bundle_papers([*log, *acknowledged])


def _write_letter(
    desk: DirectorDesk, to: Entrant | Paper | None, first: int, new: int, name: str, table: Table
) -> Path | None:
    """Write a letter with the log papers from ``first`` on; papers from ``new`` on are new."""
    book = desk.book
    title = letters.format_subject(book.id, f"{book.rules.title}: {_newest_event(book, new)}")
    lines, called = ["Your program opens your secret. Mail the new paper."], "witness"
    if isinstance(to, Paper):
        facts = entrant_steps.list_facts(book, None, to.sender)
        title = letters.format_subject(book.id, f"{book.rules.title}: about your {fields.NOUNS.get(to.type, to.type)}")
        lines, called = layout.wrap(" ".join(facts), width=WIDTH), to.text("name")
    elif to is not None:
        lines, called = describe_news(book, to, new, table), to.name
    body = [f"Dear {called},", "", *lines, "", *layout.wrap(_TAKES, width=WIDTH)]
    letter = letters.compose_letter(title, body, dict([bundle_news(book, first)]), book.head.id)
    return letters.write_letter(desk.record.letters, name, letter)


def _newest_event(book: Book, since: int) -> str:
    """Return the newest event, for a subject."""
    kinds = [paper.type for paper in book.log[since:]]
    if fields.END in kinds:
        return "the end"
    if fields.ROUND in kinds:
        return f"round {book.round}"
    if find_open_draw(book) is not None:
        return "a draw"
    return "news"


def describe_news(book: Book, entrant: Entrant, since: int, table: Table) -> list[str]:
    """Return the lines for an entrant: own results, place, games and commands, then the other results."""
    decided = [board for board in book.boards.values() if board.outcome is not None and board.outcome.seq >= since]
    mine = [board for board in decided if entrant.number in board.numbers]
    given = [] if book.ended else [paper for paper in book.log[since:] if paper.type == fields.CLOCK]
    facts = [f"Board {board.name}: {boards.describe_result(book, board, entrant.number)}" for board in mine]
    facts += open_papers.describe_useless(book, entrant.key, since)
    place = entrant_steps.list_facts(book, entrant, entrant.key, table)
    facts = [*place, *facts] if book.ended else [*facts, *place]
    facts += [_describe_time(book, paper, entrant) for paper in given]
    lines = layout.wrap(" ".join(facts), width=WIDTH)
    for step in entrant_steps.list_steps(book, entrant):
        lines += ["", *layout.wrap(step.words + (". Type:" if step.command else ""), width=WIDTH)]
        lines += [f"    {line}" for line in ("kursk post", step.command, "kursk post") if step.command]
    lines += ["", "Results:"] if decided else []
    for board in decided:
        lines += layout.wrap(boards.describe_result(book, board), f"  {board.name:6} ", " " * 9, WIDTH)
    if decided or any(paper.type == fields.STANDINGS for paper in book.log[since:]):
        lines += ["", "Final standings:" if book.ended else f"Standings {listing.describe_time(book, table.round)}:"]
        lines += listing.format_grid(book, table, WIDTH)
    return lines


def _describe_time(book: Book, paper: Paper, reader: Entrant) -> str:
    """Return a sentence about added time."""
    who, days, until = paper.text("who"), paper.said("days"), paper.said("until")
    has = "Everybody has" if who == clocks.ALL else f"{book.entrant(who).called} has"
    has, ours = ("You have", True) if who == reader.number else (has, who == clocks.ALL)
    time = plural(int(days), "more day") if days else f"time until {times.tell(until)}"
    new = " The letter of each game names the new day." if ours and days else ""
    return f"{has} {time}: {paper.said('why')}.{new}"
