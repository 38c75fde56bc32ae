"""The director's letters to entrants, as drafts.

The name of a letter contains the reader and the newest log paper. The due letters follow from the existing letters:
a crash loses none. A letter is due if it has news for its reader (``director/news.py``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from kursk_pbem.formats import times
from kursk_pbem.kernel.words import plural
from kursk_pbem.report import layout
from kursk_pbem.tournament import boards, entrant_steps, letters, open_papers
from kursk_pbem.tournament.book import clocks, draws
from kursk_pbem.tournament.book.people import find_open_draw, find_seen
from kursk_pbem.tournament.director import games, news
from kursk_pbem.tournament.director.desk import DirectorDesk
from kursk_pbem.tournament.letters import WIDTH
from kursk_pbem.tournament.papers import fields, lines, mails
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.records import Board, Book, Entrant
from kursk_pbem.tournament.rules import KNOCK_OUT, WIN
from kursk_pbem.tournament.score import listing, stages
from kursk_pbem.tournament.score.stages import list_beaten
from kursk_pbem.tournament.score.table import Table, compute_standings
from kursk_pbem.tournament.steps import Step

OVERLAP = 100
"""The maximum number of log papers repeated in a letter."""


def reader_names(book: Book) -> dict[str, str]:
    """Return the names of the readers of letters, by the digits that begin the file names of their letters."""
    owners = {key: digits for digits, key in letters.reader_keys(book).items()}
    named = {owners[key]: paper.text("name") for key, paper in open_papers.list_outsiders(book).items()}
    named |= {owners[entrant.key]: f"{entrant.name} {entrant.number}".strip() for entrant in book.entrants.values()}
    return {**named, **({owners[book.rules.witness]: "the witness"} if book.witness else {})}


def write_letters(desk: DirectorDesk) -> list[Path]:
    """Write the due letters, and replace unsent letters. Return the new files.

    A person who takes no part gets the whole log at most once for each closed field (entrants of a draw), for the first
    draw, and for a refusal. The writer of a late entry also gets the log for each field that the entry could have
    reached.
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
        due = isinstance(entrant, Paper) or news.is_letter_due(book, entrant, book.log[newest + 1 :], desk.now())
        if newest == last or not due:
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
    late = book.rules.late if paper.type == fields.ENTRY and paper.id not in book.refused else None
    if late is not None and sent < closed and book.draws[-1].number < late[0]:
        return True
    return sent < min(closed, max([book.received[paper.id], opened, *useless]))


def newest_seen(book: Book) -> dict[str, int]:
    """Return the newest log paper that each key's owner has seen. Letters repeat later papers, as mails get lost."""
    seen: dict[str, int] = {}
    for paper in (book.papers[id_] for id_ in book.received):
        newest = lines.find_fork(book.log, find_seen(book, paper)) - 1
        seen[paper.sender] = max(seen.get(paper.sender, -1), newest)
    return seen


def bundle_news(book: Book, since: int) -> tuple[str, str]:
    """Return a file (name, text) with the log papers after ``since``, and the players' papers acknowledged there."""
    void = (id_ for paper in book.log[since:] for id_ in paper.texts(fields.VOID))
    log = [*(book.others[id_] for id_ in void if id_ in book.others), *book.log[since:]]
    ids = dict.fromkeys(id_ for paper in log if paper.type == fields.RECEIVED for id_ in paper.texts("papers"))
    acknowledged = [book.papers[id_] for id_ in ids if id_ in book.papers]
    return letters.attachment_name(book.id, f"{since:05d}"), mails.bundle_papers([*log, *acknowledged])


def _write_letter(
    desk: DirectorDesk, to: Entrant | Paper | None, first: int, new: int, name: str, table: Table
) -> Path | None:
    """Write a letter with the log papers from ``first`` on; papers from ``new`` on are new."""
    book, steps = desk.book, list[Step]()
    about, called = _describe_event(book, to, new), "witness"
    if isinstance(to, Paper):
        about, called = f"about your {fields.NOUNS.get(to.type, to.type)}", to.text("name")
        said = layout.wrap(" ".join(entrant_steps.list_facts(book, None, to.sender)), width=WIDTH)
        way = entrant_steps.find_way_in(book, to)
        steps = [way] if way is not None and way.mails else []
        until = open_papers.answer_until(book, to.sender)
        can = f"type 'kursk post' by {times.tell_short(until)} to play from round {book.round + 1} on" if until else ""
        about = about if way is None else can or "you have no game: your yes has not come in time"
    elif to is None:
        reveals = "Your program reveals your secret, and 'kursk post' mails the new paper."
        steps = [] if book.ended else [Step(reveals, mails=True)]
        said = [step.words for step in steps] or [f"{book.rules.title} has ended."]
    else:
        said, called = describe_news(book, to, new, table), to.name
        steps = [*entrant_steps.list_steps(book, to)]
    body = [f"Dear {called},", "", *said, "", *_describe_request(desk, to, steps, new)]
    title = letters.format_subject(book.id, f"{book.rules.title}: {about}")
    letter = letters.compose_letter(title, body, bundle_news(book, first))
    return letters.write_letter(desk.record.letters, name, letter)


def _describe_request(desk: DirectorDesk, to: Entrant | Paper | None, steps: Sequence[Step], new: int) -> list[str]:
    """Return the end of a letter: the commands to type, or who writes, or that nothing is asked."""
    book = desk.book
    post, commands = [letters.POST], [step.command for step in steps if step.command not in ("", letters.POST)]
    if commands or any(step.mails for step in steps):
        head = next((f"{step.words}:" for step in steps if step.command == letters.POST), "Type:")
        typed = letters.format_commands([*post, *commands, *post[: len(commands)]], head)
        return [*typed, "", "-- ", *layout.wrap(letters.BY_HAND, width=WIDTH)]
    number = to.number if isinstance(to, Entrant) else ""
    for board in (board for board in book.going() if board.game and number in board.sides.values()):
        there = games.read_result(desk, board) if max(board.seq, board.bids_seq) >= new else None
        if there is None:
            return ["Nothing is asked of you here; letters about your game give the deadlines."]
        if board.sides.get(there.owes) == number:
            return ["Your message 1 comes next; the letter about the game says by when and how."]
        return [f"Nothing is asked of you: {book.entrant(board.against(number)).called} writes first."]
    return [f"Nothing is asked of you.{' Thank you for playing.' * (book.ended and bool(number))}"]


def _describe_event(book: Book, to: Entrant | Paper | None, since: int) -> str:
    """Return the most important news of the reader, for a subject."""
    kinds, draw = [paper.type for paper in book.log[since:]], find_open_draw(book)
    number = to.number if isinstance(to, Entrant) else ""
    if fields.END in kinds:
        last = next(entrant_steps.describe_place(book, to)) if isinstance(to, Entrant) and number else ""
        return last.removeprefix(f"{book.rules.title} has ended: ").removesuffix(".") or "the end"
    act = ""
    if draw and draw.closed < 0 and isinstance(to, Entrant) and to.entry in {*draw.entries} - {*draw.openings}:
        act = f"type 'kursk post' by {times.tell_short(draws.closes_at(book, draw))} to play in round {book.round + 1}"
    for board in reversed(_list_decided(book, since)):
        if number in board.numbers:
            if number in list_beaten(book):
                other = book.entrant(board.against(number)).called
                return f"you are out, {stages.name_places(book, number)} (lost to {other})"
            said = boards.describe_result(book, board, number).removesuffix(".").partition(",")[0]
            if (plays := next(_list_pairings(book, book.entrant(number), since), "")).startswith("You"):
                return f"y{plays[1:].partition(':')[0]}; {said}"
            return f"{act}; {said}" if act else said
    if act:
        return act if number else f"{act}; you have entered"
    if fields.ROUND in kinds:
        rests = entrant_steps.describe_idle(book, to) if isinstance(to, Entrant) else ""
        return rests.partition(". ")[0].removesuffix(".").lower() or f"round {book.round}"
    if fields.STANDINGS in kinds:
        return f"standings after round {book.round}"
    return "more time" if fields.CLOCK in kinds else "news" if number else "welcome"


def _list_pairings(book: Book, entrant: Entrant, since: int) -> Iterator[str]:
    """Yield a sentence about each game of an entrant that has begun in the log papers from ``since`` on."""
    begun = (board for board in book.going() if board.game and max(board.seq, board.bids_seq) >= since)
    for board in (board for board in begun if entrant.number in board.numbers):
        stage, other = stages.name_stage(book, board.round) or "on", book.entrant(board.against(entrant.number)).called
        rolled = f"You play {stage} against {other}: board {board.name}."
        yield rolled if book.rules.refereed else entrant_steps.describe_pairing(book, board, entrant)


def _list_decided(book: Book, since: int) -> list[Board]:
    return [board for board in book.boards.values() if board.outcome is not None and board.outcome.seq >= since]


def describe_news(book: Book, entrant: Entrant, since: int, table: Table) -> list[str]:
    """Return lines for an entrant: own results, place and next steps, then the other results and the table."""
    decided, new = _list_decided(book, since), book.log[since:]
    mine = (board for board in decided if entrant.number in board.numbers)
    facts = [f"Board {board.name}: {boards.describe_result(book, board, entrant.number)}" for board in mine]
    facts += open_papers.describe_useless(book, entrant.key, since)
    given = (paper for paper in new if paper.type == fields.CLOCK and not book.ended)
    facts += [said for paper in given for said in _describe_time(book, paper, entrant)]
    valid = (paper for paper in news.list_acknowledged(book, entrant, new) if paper.id not in book.void)
    told = (paper.type for paper in valid if paper.type not in (*fields.STRANGERS, fields.OPEN))
    facts += [f"The director has your {fields.NOUNS.get(kind, kind)}." for kind in told if not book.ended]
    pairings = [*_list_pairings(book, entrant, since)]
    place = entrant_steps.list_facts(book, entrant, entrant.key, table)
    announced = book.ended or any(paper.type == fields.STANDINGS for paper in new)
    there = (step for step in entrant_steps.list_steps(book, entrant) if step.command != letters.POST)
    steps = [f"{step.words.removesuffix('.')}." for step in there]
    if book.ended or not entrant.number:
        first = [*place, *facts]
    else:
        first = [*facts, *place] if facts or announced or not (steps or pairings) else []
    last = [] if first else [" ".join(place)]
    parts = filter(None, (*pairings, " ".join(first), *steps, *last))
    lines = [line for part in parts for line in ("", *layout.wrap(part, width=WIDTH))][1:]
    return [*lines, *_describe_others(book, entrant, since, table)]


def _describe_others(book: Book, entrant: Entrant, since: int, table: Table) -> Iterator[str]:
    """Yield the results of other boards, and the table; at the end of a knock-out the places."""
    decided = _list_decided(book, since)
    other = [board for board in decided if entrant.number not in board.numbers]
    if other:
        yield from ("", "Other results:" if len(other) < len(decided) else "Results:")
    for board in other:
        yield from layout.wrap(boards.describe_result(book, board), f"  {board.name:6} ", " " * 9, WIDTH)
    announced = decided or any(paper.type == fields.STANDINGS for paper in book.log[since:])
    if book.rules.format != KNOCK_OUT and (book.ended or announced):
        yield from ("", "Final standings:" if book.ended else f"Standings {listing.describe_time(book, table.round)}:")
        grid = listing.format_grid(book, table, WIDTH, breaks=False)
        signs = "A win usually gives {} points, a defeat {}. No.: the entrant's number.".format(*book.rules.award[WIN])
        bye = " Bye: a round without a game." * ("Bye" in grid[0])
        yield from (*grid, *layout.wrap(f"{signs} Equal points: the tie-breaks of the rules decide.{bye}", width=WIDTH))
    if book.ended and len(beaten := list_beaten(book)) + 1 == len(table.rows):
        yield from ("", "Final places:")
        for at in dict.fromkeys(beaten.get(row.number, 0) for row in table.rows):
            numbers = [row.number for row in table.rows if beaten.get(row.number, 0) == at]
            place = stages.name_places(book, numbers[0]).removeprefix("place ") if at else "1"
            names = ", ".join(book.entrant(number).called for number in numbers)
            yield from layout.wrap(names, f"  {place:6} ", " " * 9, WIDTH)


def _describe_time(book: Book, paper: Paper, reader: Entrant) -> Iterator[str]:
    """Yield a sentence about added time, with the reason to the people who get the time."""
    who, days, until = paper.text("who"), paper.said("days"), paper.said("until")
    time = plural(int(days), "more day") if days else f"time until {times.tell(until)}"
    new = " The letter of each game names the new day." if days else ""
    if who in (clocks.ALL, reader.number):
        yield f"{'Everybody has' if who == clocks.ALL else 'You have'} {time}: {paper.said('why')}.{new}"
    elif any({who, reader.number} == {*board.numbers} for board in book.going()):
        yield f"{book.entrant(who).called}, your opponent, has {time}."
