"""Secrets that entrants and the witness reveal, and wishes for rounds (docs/directors.md 7).

Each function accepts an acknowledged paper and returns the reason why the paper has no effect, or ''.
"""

from __future__ import annotations

from collections.abc import Sequence

from kursk_pbem.tournament import chance
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.records import Book, Entrant
from kursk_pbem.trust import sshsig


def accept_opening(book: Book, entrant: Entrant, paper: Paper) -> str:
    """Accept an entrant's secret for a draw. If early or late, only its commitment to a later draw counts."""
    number, following = paper.number("draw"), paper.number("next")
    if number not in entrant.commits:
        return f"the entrant has no commitment for lots {number}"
    early = f"the field of lots {number} is not closed yet: the secret must stay hidden until then"
    if why := _find_mismatch(book, paper, *entrant.commits[number]):
        return why
    fresh = following >= book.next_draw
    if fresh:
        entrant.commits.setdefault(following, (paper.text("commit"), entrant.key))
    if number >= book.next_draw:
        del entrant.commits[number]  # a known secret must not enter a seed
        return early
    draw = book.draws[number]
    if draw.closed >= 0 or entrant.entry not in draw.entries:
        late = f"lots {number} {'are closed' if draw.closed >= 0 else 'have a field without this entrant'}"
        return (
            f"{late}; the paper only commits to lots {following}" if fresh else f"{late}, and lots {following} are over"
        )
    draw.openings.setdefault(entrant.entry, paper)
    return ""


def _find_mismatch(book: Book, paper: Paper, committed: str, key: str) -> str:
    """Return the reason why a paper does not open a key's commitment, or ''."""
    number, secret = paper.number("draw"), bytes.fromhex(paper.text("open"))
    made = chance.compute_commitment(bytes.fromhex(book.id), sshsig.public_key(key), number, secret)
    if made.hex() != committed:
        return f"the secret does not match the commitment for lots {number}"
    return "" if paper.number("next") > number else "the paper commits to no later lots"


def accept_wish(book: Book, entrant: Entrant, paper: Paper) -> str:
    """Accept an entrant's wish to play or not in the round of a draw. It must come before the draw's list is closed."""
    number = paper.number("draw")
    if number < book.next_draw:
        return f"the field of lots {number} is closed: the players of the round are fixed"
    entrant.plays[number] = paper.text("plays")
    return ""


def accept_witness(book: Book, paper: Paper, seen: Sequence[Paper]) -> str:
    """Accept a commitment or a secret of the witness. A secret counts only after the draw is closed.

    ``seen``: the log papers that the witness had seen, perhaps of another version of the log.
    """
    if paper.sender != book.rules.witness:
        return "the signature is not by the witness of paper 0"
    number = paper.number("draw")
    if paper.type == fields.WITNESS:
        if number < book.next_draw:
            return f"the field of lots {number} is closed already"
        book.witness.setdefault(number, paper.text("commit"))
        return ""
    if number >= book.next_draw or not (draw := book.draws[number]).witness:
        return f"the witness has no commitment for lots {number}"
    if why := _find_mismatch(book, paper, draw.witness, paper.sender):
        return why
    if paper.number("next") >= book.next_draw:
        book.witness.setdefault(paper.number("next"), paper.text("commit"))
    if draw.drawn >= 0 or draw.reveal is not None:
        return f"lots {number} are drawn, or have the secret already"
    if not any(log.type == fields.CLOSED and log.number("draw") == number for log in seen):
        return f"the witness revealed before the reveals of lots {number} were closed"
    draw.reveal = paper
    return ""


_ONCE = {
    fields.OPEN: ("draw", ("open", "next", "commit", "plays")),
    fields.BID: ("board", ("seal",)),
    fields.BID_OPEN: ("board", ("salt", "value")),
}
"""Papers that must not be contradicted: the field of the subject, and the fields of the statement."""


def contradict(one: Paper, other: Paper) -> bool:
    """Return whether two papers of a writer contradict each other. The fields ``seen`` and ``games`` may differ."""
    if one.type != other.type or one.sender != other.sender or one.type not in _ONCE:
        return False
    if one.type == fields.BID_OPEN or one.said("next") != other.said("next"):
        return False  # passing on an opponent's bid, or committing again after a late opening, is honest
    about, words = _ONCE[one.type]
    return one.said(about) == other.said(about) and any(one.said(word) != other.said(word) for word in words)
