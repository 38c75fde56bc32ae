"""Openings of draws, wishes for their rounds, secrets of the witness (docs/directors.md 7).

Each function takes one acknowledged paper and returns why it comes to nothing, '' if it does not.
"""

from __future__ import annotations

from kursk_pbem.tournament import chance
from kursk_pbem.tournament.book.records import Book, Entrant
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.trust import sshsig


def take(book: Book, entrant: Entrant, paper: Paper) -> str:
    """Take an opening. One that comes too late for its draw, or too early, still commits to a later one."""
    number, following = paper.number("draw"), paper.number("next")
    if number not in entrant.commits:
        return f"they have committed to nothing for draw {number}"
    early = f"the field of draw {number} is not closed yet: whoever opens before shows what is to be hidden"
    if number >= book.next_draw and book.rules.former:
        return early
    if why := _unfit(book, paper, *entrant.commits[number]):
        return why
    fresh = following >= book.next_draw
    if fresh:
        entrant.commits.setdefault(following, (paper.text("commit"), entrant.key))
    if number >= book.next_draw:
        del entrant.commits[number]  # a secret that is known enters no seed
        return early
    draw = book.draws[number]
    if draw.closed >= 0 or entrant.entry not in draw.entries:
        return "" if fresh else f"draw {number} is over, and so is draw {following}"
    there = draw.openings.setdefault(entrant.entry, [])
    if book.rules.former:
        entrant.plays[number] = paper.text("plays")
        add_once(there, paper)
    elif not there:
        there.append(paper)
    return ""


def _unfit(book: Book, paper: Paper, committed: str, key: str) -> str:
    """Return why a paper does not open a commitment of a key, '' if it does."""
    number, secret = paper.number("draw"), bytes.fromhex(paper.text("open"))
    made = chance.commitment(bytes.fromhex(book.id), sshsig.public_key(key), number, secret)
    if made.hex() != committed:
        return f"it does not open what was committed to for draw {number}"
    return "" if paper.number("next") > number else "it commits to no later draw"


def wish(book: Book, entrant: Entrant, paper: Paper) -> str:
    """Take a wish for the round of a draw whose field is not closed yet: later the seed could be known."""
    number = paper.number("draw")
    if number < book.next_draw:
        return f"the field of draw {number} is closed: who plays its round is fixed"
    entrant.plays[number] = paper.text("plays")
    return ""


def witness(book: Book, paper: Paper) -> str:
    """Take a commitment of the witness, or a secret, which counts only after the draw was closed."""
    if paper.sender != book.rules.witness:
        return "it is not signed by the witness whom paper 0 names"
    number = paper.number("draw")
    if paper.type == fields.WITNESS:
        if number < book.next_draw:
            return f"the field of draw {number} is closed already"
        book.witness.setdefault(number, paper.text("commit"))
        return ""
    if number >= book.next_draw or not (draw := book.draws[number]).witness:
        return f"the witness has committed to nothing for draw {number}"
    if why := _unfit(book, paper, draw.witness, paper.sender):
        return why
    if paper.number("next") >= book.next_draw:
        book.witness.setdefault(paper.number("next"), paper.text("commit"))
    if draw.drawn >= 0 or draw.reveal is not None:
        return f"draw {number} has been drawn, or had this secret already"
    if not 0 <= draw.closed <= int(paper.said("seen")["seq"]):
        return f"its writer opened it before the openings of draw {number} were closed"
    draw.reveal = paper
    return ""


_ONCE = {
    fields.OPEN: ("draw", ("open", "next", "commit", "plays")),
    fields.BID: ("board", ("seal",)),
    fields.BID_OPEN: ("board", ("salt", "value")),
}
"""What nobody says twice: what it is about, and the fields that make it another word."""


def contradict(one: Paper, other: Paper) -> bool:
    """Whether nobody signs both of two papers honestly: two openings of a draw, two bids for a board.

    What was seen and played by then may differ: a paper that was lost and is made again says the same.
    """
    if one.type != other.type or one.sender != other.sender or one.type not in _ONCE:
        return False
    if not one.former and (one.type == fields.BID_OPEN or one.said("next") != other.said("next")):
        return False  # one hands on the opponent's bid; an opening that was late says anew for which draw it commits
    about, words = _ONCE[one.type]
    return one.said(about) == other.said(about) and any(one.said(word) != other.said(word) for word in words)


def add_once(differing: list[Paper], paper: Paper) -> None:
    """Add a paper to those of its writer that differ in what they say; an equal one counts as the first."""
    if not differing or all(contradict(other, paper) for other in differing):
        differing.append(paper)
