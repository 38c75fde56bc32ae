"""The director's letters: what each entrant has not had yet, as drafts.

A letter's name says whose it is and how far it goes, so what is due follows from the letters that are there; after a
crash the same letters come into being again.
"""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path

from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import sha256_hex
from kursk_pbem.kernel.words import plural
from kursk_pbem.report import layout
from kursk_pbem.tournament import boards, letters, own_steps
from kursk_pbem.tournament.book import clocks
from kursk_pbem.tournament.book.people import open_draw
from kursk_pbem.tournament.book.records import Book, Entrant
from kursk_pbem.tournament.office.office import Office
from kursk_pbem.tournament.papers import fields, mails
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.score import listing
from kursk_pbem.tournament.score.table import Table, standings

_DIGITS, _MORE_DIGITS = 8, 32
OVERLAP = 100
"""Log papers at most that a letter repeats."""
WIDTH = 72
"""Columns of a letter."""
_TAKES = (
    "'kursk post' takes this mail from your mailbox. Without it save the mail, or what is attached, and type "
    "'kursk tournament inbox FILE'. 'kursk tournament' says at any time where you stand and what to type."
)


def owner(key: str, taken: Container[str] = ()) -> str:
    """How the name of a letter begins: with digits that follow from the reader's key.

    Keys of which eight digits are alike are found in seconds: the later one of two gets more, so that each has letters
    of its own. ``taken``: the digits of keys that came before.
    """
    whole = sha256_hex(key.encode("ascii"))
    return whole[:_DIGITS] if whole[:_DIGITS] not in taken else whole[:_MORE_DIGITS]


def readers_of(book: Book) -> dict[str, str]:
    """Digits with which a letter's name begins -> the key of its reader, of keys that were changed too."""
    every = [(since, key) for entrant in book.entrants.values() for since, key in entrant.keys]
    every += [(len(book.log), book.rules.witness)] if book.witness else []
    named: dict[str, str] = {}
    for key in dict.fromkeys(key for _since, key in sorted(every, key=lambda known: known[0])):
        named[owner(key, named)] = key
    return named


def _owners(book: Book) -> dict[str, str]:
    """The key of a reader -> the digits with which the names of their letters begin."""
    return {key: digits for digits, key in readers_of(book).items()}


def owner_of(letter: Path) -> str:
    """The digits with which the name of a letter begins."""
    return letter.name.partition("-")[0]


def readers(book: Book) -> dict[str, str]:
    """Digits with which a letter's name begins -> what the director calls its reader."""
    owners = _owners(book)
    named = {owners[entrant.key]: f"{entrant.name} {entrant.number}".strip() for entrant in book.entrants.values()}
    return {**named, **({owners[book.rules.witness]: "the witness"} if book.witness else {})}


def write(office: Office, *, patient: bool = False) -> list[Path]:
    """Write every letter that is due; those that are new. UsageError.

    A reader has one unsent letter at most: what is new joins it, in a letter that replaces it. ``patient``: what only
    acknowledges papers and logs games goes with the next letter, or after a day.
    """
    book, place = office.book, office.record.letters
    last, seen, owners, written = len(book.log) - 1, newest_seen(book), _owners(book), list[Path]()
    to = [one for one in book.entrants.values() if one.number or not one.out.startswith("refused")]
    people: list[tuple[str, Entrant | None]] = [(entrant.key, entrant) for entrant in to]
    table: Table | None = None
    there, waiting = letters.names(place), [path.stem for path in letters.waiting(place)]
    for key, entrant in [*people, *([(book.rules.witness, None)] if book.witness else [])]:
        whose = f"{owners[key]}-log-"
        mine = {name: int(name.removeprefix(whose)) for name in there if name.startswith(whose)}
        newest = max(mine.values(), default=-1)
        if newest == last or (patient and _can_wait(office, newest + 1)):
            continue
        joined = [name for name in waiting if name in mine and mine[name] > last - OVERLAP]
        new = max((seq for name, seq in mine.items() if name not in joined), default=-1) + 1
        since = max(min(new, seen.get(key, -1) + 1), new - OVERLAP)
        table = table or standings(book, listing.newest(book))  # once for all letters: it takes long for hundreds
        path = _letter(office, entrant, (since, new), f"{whose}{last:05d}", table)
        written += [path] if path is not None else []
        for name in joined:
            (place / f"{name}.eml").unlink(missing_ok=True)
    return written


def _can_wait(office: Office, new: int) -> bool:
    """Whether the log papers from a number on ask nothing of anybody, and the first of them is less than a day old."""
    fresh = office.book.log[new:]
    since = times.seconds_between(fresh[0].text("time"), office.now())
    return since < times.DAY and all(paper.type in (fields.RECEIVED, fields.GAME) for paper in fresh)


def newest_seen(book: Book) -> dict[str, int]:
    """Key -> the number of the newest log paper that an acknowledged paper of theirs names: they have that one.

    Letters are lost; each one holds what its reader has not shown to have, so the next heals that.
    """
    seen: dict[str, int] = {}
    for paper in (book.papers[id_] for id_ in book.received):
        seen[paper.sender] = max(seen.get(paper.sender, -1), int(paper.said("seen")["seq"]))
    return seen


def news(book: Book, since: int) -> tuple[str, str]:
    """The log papers since a number, with the papers that these acknowledge, as a file: its name and its text."""
    log = book.log[since:]
    acknowledged = [book.papers[id_] for paper in log if paper.type == fields.RECEIVED for id_ in paper.texts("papers")]
    return letters.file_name(book.id, f"{since:05d}"), mails.bundle([*log, *acknowledged])


def _letter(office: Office, entrant: Entrant | None, since: tuple[int, int], name: str, table: Table) -> Path | None:
    """A letter with the log papers from the first number of ``since`` on; those from the second on are new."""
    book = office.book
    first, new = since
    title = letters.subject(book.id, f"{book.rules.title}: {_news(book, new)}")
    body = [
        f"Dear {entrant.name if entrant else 'witness'},",
        "",
        *(
            tell(book, entrant, new, table)
            if entrant
            else ["Your program opens your secret by itself. Send what it writes."]
        ),
        "",
        *layout.wrap(_TAKES, width=WIDTH),
    ]
    letter = letters.compose(title, body, dict([news(book, first)]), book.head.id)
    return letters.write(office.record.letters, name, letter)


def _news(book: Book, since: int) -> str:
    """What is new, for a subject."""
    kinds = [paper.type for paper in book.log[since:]]
    if fields.END in kinds:
        return "the end"
    if fields.ROUND in kinds:
        return f"round {book.round}"
    if open_draw(book) is not None:
        return "a draw"
    return "news"


def tell(book: Book, entrant: Entrant, since: int, table: Table) -> list[str]:
    """What is new for an entrant, in lines: own results and place, own games and what to type; then the others."""
    decided = [board for board in book.boards.values() if board.outcome is not None and board.outcome.seq >= since]
    mine = [board for board in decided if entrant.number in board.numbers]
    facts = [f"Board {board.name}: {boards.tell(book, board, entrant.number)}" for board in mine]
    facts += own_steps.facts(book, entrant, entrant.key, table)
    facts += [_time(book, paper) for paper in book.log[since:] if paper.type == fields.CLOCK]
    lines = layout.wrap(" ".join(facts), width=WIDTH)
    for step in own_steps.steps(book, entrant):
        lines += ["", *layout.wrap(step.words + (". Type:" if step.command else ""), width=WIDTH)]
        lines += [f"    {line}" for line in ("kursk post", step.command, "kursk post") if step.command]
    lines += ["", "Results:"] if decided else []
    for board in decided:
        lines += layout.wrap(boards.tell(book, board), f"  {board.name:6} ", " " * 9, WIDTH)
    if decided or any(paper.type == fields.STANDINGS for paper in book.log[since:]):
        lines += ["", f"Standings {listing.when(book, table.round)}:", *listing.grid(book, table, WIDTH)]
    return lines


def _time(book: Book, paper: Paper) -> str:
    """Return who has got time, and why."""
    who = "Everybody has" if paper.text("who") == clocks.ALL else f"{book.entrant(paper.text('who')).called} has"
    time = (
        plural(int(paper.text("days")), "more day")
        if paper.said("days")
        else f"time until {times.tell(paper.text('until'))}"
    )
    return f"{who} {time}: {paper.said('why')}."
