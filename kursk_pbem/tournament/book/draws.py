"""Draws of lots: entrants, revealed secrets, and seed (docs/directors.md 7)."""

from __future__ import annotations

from kursk_pbem.formats import times
from kursk_pbem.tournament import chance
from kursk_pbem.tournament.book.people import find_open_draw, has_unpaired_draw
from kursk_pbem.tournament.faults import need, need_papers, refuse
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.records import Book, Draw, Entrant
from kursk_pbem.tournament.rules import SWISS
from kursk_pbem.trust import sshsig

LEAST = 2
NOTICE = 2
"""Minimum days between the papers ``missing`` and ``closed`` of a draw."""


def due_field(book: Book) -> list[str]:
    """Return the entries (ids) of the next draw of lots: entrants still playing who have a commitment for the draw."""
    draw = book.next_draw
    here = (entrant for entrant in book.entrants.values() if not entrant.out and entrant.left < 0)
    there = [entrant for entrant in here if draw in entrant.commits]
    if book.draws and book.begun is None:
        there = [entrant for entrant in there if entrant.entry in book.draws[-1].openings]
    return sorted(entrant.entry for entrant in there)


def close_obstacle(book: Book) -> str:
    """Return why the list of entrants for the next draw cannot be closed now, or ''."""
    if find_open_draw(book) is not None:
        return f"lots {book.next_draw - 1} are under way"
    if book.rules.witness and not book.draws and not book.witness.get(0):
        return "the witness has not committed to a secret yet"
    if book.begun is None:
        return "" if len(due_field(book)) >= LEAST else "fewer than two entrants would take part"
    if book.rules.format != SWISS:
        return f"{book.rules.format} draws lots once, before the first round"
    if book.round >= book.rules.rounds:
        return "every round is paired"
    if has_unpaired_draw(book):
        return f"round {book.round + 1} of lots {book.next_draw - 1} is not paired yet"
    if book.undecided():
        return f"board {book.undecided()[0].name} is not decided"
    return ""


def apply_field(book: Book, log: Paper) -> None:
    """Check a ``field`` paper: it lists exactly the entrants of the next draw, before any secret is revealed."""
    number = log.number("draw")
    need(number == book.next_draw, log, "draw", f"the next lots are {book.next_draw}")
    need(not (why := close_obstacle(book)), log, "draw", why)
    due = due_field(book)
    need_papers(book, log, "entrants", log.texts("entrants"), due)
    book.draws.append(Draw(number, tuple(due), log.seq, book.witness.get(number, "")))


def _named_draw(book: Book, log: Paper) -> Draw:
    """Return the open draw named by a paper."""
    draw = find_open_draw(book)
    if draw is None or draw.number != log.number("draw"):
        refuse(log, "draw", f"lots {log.text('draw')} are not open: drawn before, or their field is not closed")
    return draw


def apply_missing(book: Book, log: Paper) -> None:
    """Check a ``missing`` paper: it lists the entrants without an acknowledged reveal, once, near the deadline."""
    draw = _named_draw(book, log)
    need(draw.warned < 0 and draw.closed < 0, log, "draw", "the lots are closed, or missing entrants are named")
    absent = sorted(set(draw.entries) - set(draw.openings))
    need(absent, log, "entrants", "no entrant is missing")
    need_papers(book, log, "entrants", log.texts("entrants"), absent)
    need(may_warn(book, draw, log.text("time")), log, "time", f"reveals may come until {answers_until(book, draw)}")
    draw.warned, draw.named = log.seq, tuple(absent)


def apply_closed(book: Book, log: Paper) -> None:
    """Check a ``closed`` paper: it counts all acknowledged reveals. Missing reveals were named two days earlier."""
    draw = _named_draw(book, log)
    need(draw.closed < 0, log, "draw", f"lots {draw.number} were closed by {book.log[draw.closed].name}")
    absent = sorted(set(draw.entries) - set(draw.openings))
    need_papers(book, log, "openings", log.texts("openings"), sorted(paper.id for paper in draw.openings.values()))
    need_papers(book, log, "absentees", log.texts("absentees"), absent)
    for place, entry in enumerate(absent):
        why = f"no paper has named {book.entrants[entry].name} as missing"
        need(entry in draw.named, log, f"absentees/{place}", why)
    if absent:
        waited = closes_at(book, draw)
        need(log.text("time") > waited, log, "absentees", f"reveals may come until {waited}")
    need(book.begun or len(draw.openings) >= LEAST, log, "openings", "fewer than two entrants would take part")
    draw.closed, draw.missing = log.seq, tuple(absent)


def apply_drawn(book: Book, log: Paper) -> None:
    """Check a ``drawn`` paper: secrets of director and witness fit their commitments. Compute the draw's seed."""
    draw = _named_draw(book, log)
    need(draw.closed >= 0, log, "draw", f"lots {draw.number} are not closed yet")
    reveal = draw.reveal
    secret = reveal.id if reveal else ""
    need(log.said("reveal") == secret, log, "reveal", "the paper must name the witness's secret, if known")
    if reveal is None and draw.witness:
        waited = witness_until(book, draw)
        need(log.text("time") > waited, log, "reveal", f"the witness may reveal until {waited}")
    _check_director(book, log, draw)
    if book.begun is None and book.rules.format != SWISS:
        for entry in draw.missing:
            book.entrants[entry].out = f"did not reveal in lots {draw.number}"
    secrets = [(entry, paper.text("open")) for entry, paper in draw.openings.items()]
    secrets += [(fields.WITNESS, reveal.text("open"))] if reveal is not None else []
    draw.seed, draw.drawn = chance.compute_seed(bytes.fromhex(log.text("open")), draw.number, secrets), log.seq
    _give_numbers(book, draw, [book.entrants[entry] for entry in draw.entries if not book.entrants[entry].out])


def answers_until(book: Book, draw: Draw) -> str:
    """Return the deadline for entrants to reveal their secrets for a draw."""
    return times.add_most(book.log[draw.seq].text("time"), book.rules.terms.answers)


def may_warn(book: Book, draw: Draw, time: str) -> bool:
    """Return whether the deadline to reveal is so near that the director may warn entrants (log paper ``missing``)."""
    return times.add_most(time, NOTICE) >= answers_until(book, draw)


def closes_at(book: Book, draw: Draw) -> str:
    """Return the time after which a draw may be closed although some reveals are missing."""
    named = times.add_most(book.log[draw.warned].text("time"), NOTICE) if draw.warned >= 0 else ""
    return max(answers_until(book, draw), named)


def witness_until(book: Book, draw: Draw) -> str:
    """Return the deadline for the witness's secret after a draw was closed."""
    return times.add_most(book.log[draw.closed].text("time"), book.rules.terms.answers)


def next_paper(book: Book, draw: Draw, now: str) -> str:
    """Return the type of the next log paper for an open draw, or '' if the director must wait."""
    if draw.closed >= 0:
        return fields.DRAWN if draw.reveal or not draw.witness or now > witness_until(book, draw) else ""
    absent = set(draw.entries) - set(draw.openings)
    if not absent or (draw.warned >= 0 and now > closes_at(book, draw)):
        return fields.CLOSED
    return fields.MISSING if draw.warned < 0 and may_warn(book, draw, now) else ""


def _check_director(book: Book, log: Paper, draw: Draw) -> None:
    rules = book.rules
    nonce = bytes.fromhex(rules.paper.text("nonce"))
    made = chance.compute_commitment(nonce, sshsig.public_key(rules.key), draw.number, bytes.fromhex(log.text("open")))
    need(made.hex() == book.commit, log, "open", f"the director committed to another secret for lots {draw.number}")
    book.commit = log.text("commit")


def _give_numbers(book: Book, draw: Draw, there: list[Entrant]) -> None:
    """Give numbers to new entrants by the seed, or by rating and then the seed."""
    new = {entrant.entry: entrant for entrant in there if not entrant.number}
    ordered = [new[entry] for entry in chance.order_by_lot(draw.seed, "order", new)]
    if book.rules.by_rating and not book.numbers:
        ordered.sort(key=lambda entrant: -book.rules.known.get(entrant.key, book.rules.start))
    for entrant in ordered:
        taken = sum(number.startswith("g") == entrant.guest for number in book.numbers)
        entrant.number = f"{'g' if entrant.guest else ''}{taken + 1}"
        book.numbers[entrant.number] = entrant.entry
