"""The director's letters: what each entrant has not had yet, as drafts.

A letter's name says whose it is and how far it goes, so what is due follows from the letters that are there; after a
crash the same letters come into being again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from pathlib import Path

from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import sha256_hex
from kursk_pbem.tournament import letters
from kursk_pbem.tournament.book.people import open_draw
from kursk_pbem.tournament.book.records import Board, Book, Entrant
from kursk_pbem.tournament.office.office import Office
from kursk_pbem.tournament.papers import fields, mails

_DIGITS, _MORE_DIGITS = 8, 32
OVERLAP = 100
"""Log papers at most that a letter repeats."""
_MOST_UNSENT = 2
"""Letters to one reader that wait to be sent before no more are written by themselves."""


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

    ``patient``: what only acknowledges papers and logs games goes with the next letter, or after a day; and to whoever
    has not been sent the last ones, for want of an address say, none is written (T49): the next one holds all of it.
    """
    there = letters.names(office.record.letters)
    unsent = Counter(map(owner_of, letters.waiting(office.record.letters) if patient else ()))
    full = {digits for digits, number in unsent.items() if number >= _MOST_UNSENT}
    return [path for path in _of_log(office, there, full, patient=patient) if path is not None]


def _of_log(office: Office, there: Sequence[str], full: Container[str], *, patient: bool) -> Iterator[Path | None]:
    """To everybody who takes part: the log papers since their last letter, with the papers that these acknowledge.

    ``full``: how the letters of those begin who get none now.
    """
    book = office.book
    last = len(book.log) - 1
    seen, owners = newest_seen(book), _owners(book)
    to = [one for one in book.entrants.values() if one.number or not one.out.startswith("refused")]
    people: list[tuple[str, Entrant | None]] = [(entrant.key, entrant) for entrant in to]
    for key, entrant in [*people, *([(book.rules.witness, None)] if book.witness else [])]:
        if owners[key] in full:
            continue
        whose = f"{owners[key]}-log-"
        new = max((int(name.removeprefix(whose)) for name in there if name.startswith(whose)), default=-1) + 1
        if new <= last and not (patient and _can_wait(office, new)):
            since = max(min(new, seen.get(key, -1) + 1), new - OVERLAP)
            yield _letter(office, entrant, (since, new), f"{whose}{last:05d}")


def _can_wait(office: Office, new: int) -> bool:
    """Whether the log papers from a number on ask nothing of anybody, and the first of them is less than a day old."""
    fresh = office.book.log[new:]
    since = times.between(fresh[0].text("time"), office.now())
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


def _letter(office: Office, entrant: Entrant | None, since: tuple[int, int], name: str) -> Path | None:
    """A letter with the log papers from the first number of ``since`` on; those from the second on are new."""
    book = office.book
    first, new = since
    title = letters.subject(book.id, f"{book.rules.title}: {_news(book, new)}")
    body = [
        f"Dear {entrant.name if entrant else 'witness'},",
        "",
        *(tell(book, entrant, new) if entrant else ["Your program opens your secret by itself. Send what it writes."]),
        "",
        "'kursk post' takes it from your mailbox; or save this mail or its attachment, and give:",
        "",
        "    kursk tournament inbox FILE",
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


def tell(book: Book, entrant: Entrant, since: int) -> list[str]:
    """What is new for somebody, in lines."""
    lines: list[str] = []
    if (draw := open_draw(book)) is not None and draw.closed < 0 and entrant.entry in draw.entries:
        lines.append(
            "A draw is open. Your program opens your secret by itself: take this mail, and send what it writes."
        )
    new = [board for board in book.boards.values() if board.seq >= since and entrant.number in board.sides.values()]
    lines += [_meeting(book, board, entrant.number) for board in new]
    announced = [paper for paper in book.log[since:] if paper.type == fields.STANDINGS]
    lines += [
        f"The standings after round {paper.text('round')} are announced, hash {paper.text('sha256')[:16]}."
        for paper in announced
    ]
    return lines or ["Here is what has been put down since my last mail."]


def _meeting(book: Book, board: Board, number: str) -> str:
    other = book.entrant(board.against(number))
    system = book.rules.systems[board.system - 1]
    side = board.side_of(number) if board.sides_known else "sides are bid for"
    return f"Board {board.name}: {system.scenario} against {other.name} (number {other.number}), {side}."
