"""Papers that wait for the director's decision or may be reasons against a forfeit, and papers without effect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kursk_pbem.formats import times
from kursk_pbem.tournament.book import outcomes, people
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.records import Board, Book, Entrant

PATIENCE = 3  # days for the yes of a late entrant: the next field stays open so long


def list_claims(book: Book) -> Iterator[Paper]:
    """Yield the claims that wait: neither refused, nor answered by a later decision on the board."""
    for id_ in book.received:
        paper = book.papers[id_]
        if paper.type == fields.CLAIM and id_ not in book.refused and not _is_answered(book, paper):
            yield paper


def _is_answered(book: Book, claim: Paper) -> bool:
    """Return whether the board of a claim was decided after the claim was acknowledged."""
    outcome = book.boards[claim.text("board")].outcome if claim.text("board") in book.boards else None
    return outcome is not None and outcome.final and outcome.seq > book.received[claim.id]


def list_agreements(book: Book, reader: Entrant) -> Iterator[Paper]:
    """Yield the agreed results that an opponent of ``reader`` has signed, but ``reader`` has not signed yet."""
    for board in (board for board in book.going() if reader.number in board.sides.values()):
        signed = [paper for paper in book.of_kind(fields.AGREE, board.name) if paper.id not in book.void]
        mine = {(paper.text("head"), paper.text("winner")) for paper in signed if paper.sender == reader.key}
        other = book.entrant(board.against(reader.number)).key
        for paper in (paper for paper in signed[-1:] if paper.sender == other):
            if (paper.text("head"), paper.text("winner")) not in mine:
                yield paper


def list_absences(book: Book, after: str) -> Iterator[tuple[Entrant, Paper]]:
    """Yield the announced absences that end after a time, if the director has given no holiday for them."""
    for id_ in book.received:
        paper = book.papers[id_]
        last = paper.text("last") if paper.type == fields.ABSENT else ""
        if last <= after:
            continue
        for entrant in book.entrants.values():
            if paper.sender in _own_keys(book, entrant) and entrant.left < 0 and not _is_granted(book, entrant, paper):
                yield entrant, paper


def _is_granted(book: Book, entrant: Entrant, paper: Paper) -> bool:
    """Return whether a holiday covers or answers an absence; earlier grants are no answer."""
    seq = book.received[paper.id]
    given = [clock for clock in book.clocks if clock.who == entrant.number and clock.until > paper.text("first")]
    since = (clock for clock in given if clock.seq > seq and clock.time >= book.log[seq].text("time"))
    return any(clock.until >= paper.text("last")[:10] for clock in given) or any(since)


def _own_keys(book: Book, entrant: Entrant) -> set[str]:
    """Return the keys of an entrant, without the keys of a predecessor."""
    taken_over = [at for at, (seq, _key) in enumerate(entrant.keys) if book.log[seq].type == fields.SUBSTITUTE]
    return {key for _seq, key in entrant.keys[max(taken_over, default=0) :]}


def find_withdrawal(book: Book, entrant: Entrant) -> Paper | None:
    """Return the withdrawal signed by the current player of a number, or None."""
    own = _own_keys(book, entrant)
    return next((paper for paper in book.of_entrant(fields.WITHDRAW, entrant) if paper.sender in own), None)


def list_offers(book: Book, entrant: Entrant) -> list[Paper]:
    """Return the valid offers to replace an entrant from the next draw on."""
    offers = (paper for paper in book.of_kind(fields.STAND_IN, entrant.number) if paper.id not in book.void)
    return [paper for paper in offers if paper.number("draw") == book.next_draw and paper.sender != entrant.key]


def list_useless(book: Book, since: int = 0, key: str = "") -> Iterator[tuple[int, Paper, str]]:
    """Yield the acknowledged papers without effect, each with the reason. ``key``: only papers of this key.

    The yielded number (at least ``since``) names the log paper after which the paper had no effect.
    """
    used = {log.said("paper") for log in book.log if log.type in (fields.SUBSTITUTE, fields.KEY)}
    for id_, seq in book.received.items():
        paper, why, at = book.papers[id_], book.void.get(id_, ""), seq
        if paper.type == fields.ENTRY and paper.id not in book.entrants and book.by_key(paper.sender) is not None:
            continue  # a later entry of the writer counts
        replaces = paper.type in (fields.STAND_IN, fields.NEW_KEY) and id_ not in used
        if not why and id_ in book.refused:
            at = book.refused[id_]
            why = f"the director refused the paper: {book.log[at].text('why')}"
        elif not why and replaces and (draw := paper.number("draw")) < book.next_draw:
            at, why = book.draws[draw].seq, f"the field of lots {draw} is closed: sign again"
        if why and at >= since and key in ("", paper.sender):
            yield at, paper, why


def describe_useless(book: Book, key: str = "", since: int = -1) -> list[str]:
    """Return a sentence for each paper without effect since the round before last. ``key``: only of this writer."""
    since = since if since >= 0 else book.rounds[-2].seq if len(book.rounds) > 1 else 0
    told = list[str]()
    for _at, paper, why in list_useless(book, since, key):
        noun, entrant = fields.NOUNS.get(paper.type, paper.type), book.by_key(paper.sender)
        name = entrant.name if entrant is not None else paper.said("name")
        told.append(f"{f'Your {noun}' if key else f'The {noun} of {name}'} has no effect: {why}.")
    return list(dict.fromkeys(told))


def list_outsiders(book: Book) -> dict[str, Paper]:
    """Return by key the newest acknowledged entry or offer of each person who takes no part in the tournament."""
    there = [entrant for entrant in book.entrants.values() if not entrant.out.startswith("refused")]
    taken = {book.rules.key, book.rules.witness, *(key for entrant in there for _since, key in entrant.keys)}
    papers = (book.papers[id_] for id_ in book.received)
    return {paper.sender: paper for paper in papers if paper.type in fields.STRANGERS and paper.sender not in taken}


def answer_until(book: Book, key: str = "") -> str:
    """Return the time until which the next draw waits for the yes of late entrants, or of one ``key``, or ''."""
    if not book.draws or people.find_late_obstacle(book, book.next_draw + 1):
        return ""
    late = (paper for own, paper in list_outsiders(book).items() if own == (key or own) and paper.type == fields.ENTRY)
    asked = (max(book.received[paper.id], book.draws[-1].seq) for paper in late if paper.id not in book.refused)
    return max((times.add_most(book.log[seq].text("time"), PATIENCE) for seq in asked), default="")


def find_objection(book: Book, board: Board, keys: Mapping[str, str], late: str, term: tuple[str, str]) -> str:
    """Return the reason against a forfeit of a board, or ''.

    ``keys``: the game's keys by side. ``late``: the late side. ``term``: start of the time to answer, and the deadline.
    """
    if outcomes.find_agreement(book, board) is not None:
        return f"both players have signed the result: type 'judge {board.name} agree', unless the game continued"
    for side, number in board.sides.items():
        entrant = book.entrant(number)
        if entrant.left >= 0:
            return f"number {number} ({entrant.name}) has withdrawn: 'pair' judges the board"
        if find_withdrawal(book, entrant) is not None:
            return f"number {number} ({entrant.name}) has signed a withdrawal: type 'withdraw {number}'"
        if entrant.key != keys.get(side):
            return f"number {number} ({entrant.name}) has a new key, and a different key in the game"
    if any(claim.text("board") == board.name for claim in list_claims(book)):
        return "a claim about the board waits for a decision"
    silent, (since, due) = book.entrant(board.sides[late]), term
    if any(away is silent and paper.text("first") <= due for away, paper in list_absences(book, since)):
        return f"{silent.name} signed an absence, too late for a grant: 'kursk referee pass' takes a late turn"
    return ""
