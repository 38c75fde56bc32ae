"""Draws: who takes part, who opened, and the seed that comes of it (docs/directors.md 7)."""

from __future__ import annotations

from kursk_pbem.formats import times
from kursk_pbem.tournament import chance
from kursk_pbem.tournament.book.people import open_draw
from kursk_pbem.tournament.book.records import Book, Draw, Entrant
from kursk_pbem.tournament.faults import need, wrong
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.rules import SWISS
from kursk_pbem.trust import sshsig

LEAST = 2


def due_field(book: Book) -> list[str]:
    """The entries that take part in the next draw, in order of their ids: whoever has committed to it and is there.

    Before there are numbers: everybody who has entered, then only those who opened in the draw that came to nothing.
    """
    draw = book.next_draw
    there = [
        entrant
        for entrant in book.entrants.values()
        if not entrant.out and entrant.left < 0 and draw in entrant.commits
    ]
    if book.draws and book.begun is None:
        there = [entrant for entrant in there if entrant.entry in book.draws[-1].opened()]
    return sorted(entrant.entry for entrant in there)


def may_close(book: Book) -> str:
    """Why the field of the next draw cannot be closed now; '' if it can."""
    if open_draw(book) is not None:
        return f"draw {book.next_draw - 1} is under way"
    if book.begun is None:
        return "" if len(due_field(book)) >= LEAST else "nobody, or only one, would take part"
    if book.rules.format != SWISS:
        return f"{book.rules.format} draws once, before the first round"
    if book.round >= book.rules.rounds:
        return "there is no round to come"
    if hangs(book):
        return f"draw {book.next_draw - 1} was drawn for round {book.round + 1}, which is not paired yet"
    if book.undecided():
        return f"board {book.undecided()[0].name} is not decided"
    return ""


def hangs(book: Book) -> bool:
    """Whether the newest draw has a seed and no round has been paired by it."""
    return bool(
        book.draws and book.draws[-1].seed and book.draws[-1].drawn > (book.rounds[-1].seq if book.rounds else 0)
    )


def field(book: Book, log: Paper) -> None:
    """``field``: the set is closed before anything is opened; exactly those who are due are in it."""
    number = log.number("draw")
    need(number == book.next_draw, log, "draw", f"the next draw is {book.next_draw}")
    need(not (why := may_close(book)), log, "draw", why)
    named, due = log.texts("entrants"), due_field(book)
    for place, entry in enumerate(named):
        if entry not in due:
            why = book.void.get(entry) or _why_not(book, entry)
            wrong(log, f"entrants/{place}", f"the entry {entry[:16]} takes no part: {why}")
    if left_out := [entry for entry in due if entry not in named]:
        who = book.entrants[left_out[0]].name
        since = book.received.get(left_out[0], 0)
        wrong(
            log,
            "entrants",
            f"the entry {left_out[0][:16]} ({who}) was acknowledged by {book.log[since].name} and is left out",
        )
    need(named == due, log, "entrants", "the entries must stand once each, in order of their ids")
    book.draws.append(Draw(number, tuple(named), log.seq))


def _why_not(book: Book, entry: str) -> str:
    entrant = book.entrants.get(entry)
    if entrant is None:
        return "it was never acknowledged" if entry not in book.received else "it is no entry"
    return entrant.out or ("they have withdrawn" if entrant.left >= 0 else "they have not committed to this draw")


def drawn(book: Book, log: Paper) -> None:
    """``drawn``: every acknowledged opening counts, the director's own comes last, and fits what was committed."""
    draw = open_draw(book)
    number = log.number("draw")
    if draw is None or draw.number != number:
        wrong(log, "draw", f"no field of draw {number} waits to be drawn: it was drawn before, or never closed")
    opened = draw.opened()
    named, right = log.texts("openings"), sorted(paper.id for paper in opened.values())
    for place, id_ in enumerate(named):
        if id_ not in right:
            why = book.void.get(id_) or "no such opening was acknowledged, or its writer signed two"
            wrong(log, f"openings/{place}", f"the opening {id_[:16]} does not count: {why}")
    absent = sorted(set(draw.entries) - set(opened))
    for place, entry in enumerate(log.texts("absentees")):
        if entry in opened:
            at = book.log[book.received[opened[entry].id]].name
            wrong(log, f"absentees/{place}", f"the opening of {book.entrants[entry].name} was acknowledged by {at}")
    need(named == right, log, "openings", f"{len(right)} openings were acknowledged, {len(named)} stand here")
    need(log.texts("absentees") == absent, log, "absentees", f"{len(absent)} did not open: {_names(book, absent)}")
    waited = answers_until(book, draw)
    awaited = [entry for entry in absent if book.entrants[entry].left < 0]
    need(not awaited or log.text("time") > waited, log, "absentees", f"openings may come until {waited}")
    _director(book, log, draw)
    strict = book.begun is None
    void = bool(absent) if strict else len(absent) > book.rules.missing
    need(
        (log.said("void") == "yes") == void,
        log,
        "void",
        "it must be void" if void else "it is not void: too few are missing for that",
    )
    draw.drawn, draw.missing = log.seq, tuple(absent)
    if strict:
        for entry in absent:
            book.entrants[entry].out = f"did not open in draw {number}"
    if not void:
        secrets = [(entry, paper.text("open")) for entry, paper in opened.items()]
        draw.seed = chance.seed(bytes.fromhex(log.text("open")), number, secrets)
        _number(book, draw, [book.entrants[entry] for entry in opened])


def answers_until(book: Book, draw: Draw) -> str:
    """Until when openings of a draw may come."""
    return times.until(book.log[draw.seq].text("time"), book.rules.terms.answers)


def _director(book: Book, log: Paper, draw: Draw) -> None:
    rules = book.rules
    nonce = bytes.fromhex(rules.paper.text("nonce"))
    made = chance.commitment(nonce, sshsig.public_key(rules.key), draw.number, bytes.fromhex(log.text("open")))
    need(made.hex() == book.commit, log, "open", f"the director committed to another secret for draw {draw.number}")
    book.commit = log.text("commit")


def _number(book: Book, draw: Draw, there: list[Entrant]) -> None:
    """Numbers for those who have none: by the seed, or by rating and then the seed."""
    new = {entrant.entry: entrant for entrant in there if not entrant.number}
    ordered = [new[entry] for entry in chance.in_order(draw.seed, "order", new)]
    if book.rules.by_rating and book.rules.rating is not None and len(book.numbers) == 0:
        known, start = book.rules.rating.known, book.rules.rating.start
        ordered.sort(key=lambda entrant: -known.get(entrant.key, start))
    for entrant in ordered:
        taken = sum(number.startswith("g") == entrant.guest for number in book.numbers)
        entrant.number = f"{'g' if entrant.guest else ''}{taken + 1}"
        book.numbers[entrant.number] = entrant.entry


def _names(book: Book, entries: list[str]) -> str:
    return ", ".join(book.entrants[entry].name for entry in entries) or "nobody"
