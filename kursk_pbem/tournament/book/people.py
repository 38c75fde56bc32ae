"""Entrants: acknowledgments, refusals, withdrawals, substitutes and new keys (docs/directors.md 6.3).

An acknowledged paper may have no effect: ``book.void`` contains the reason, and accuses no person.
"""

from __future__ import annotations

from collections.abc import Sequence

from kursk_pbem.tournament.book import openings
from kursk_pbem.tournament.book.records import FORFEIT, MISSED, Book, Draw, Entrant, Outcome
from kursk_pbem.tournament.faults import IncompleteError, need, wrong
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.score import stages


def received(book: Book, log: Paper) -> None:
    """``received``: apply newly acknowledged papers."""
    for place, id_ in enumerate(log.texts("papers")):
        where = f"papers/{place}"
        need(id_ not in book.received, log, where, f"the paper {id_[:16]} was acknowledged before")
        paper = book.papers.get(id_)
        if paper is None:
            why = f"{log.name} acknowledges the paper {id_[:16]}, and it is not here: ask the director for it"
            raise IncompleteError(why)
        check_seen(book.log, paper)
        book.received[id_] = log.seq
        if why := _take(book, paper, log):
            book.void[id_] = why


def check_seen(log: Sequence[Paper], paper: Paper) -> None:
    """Check that a player's paper belongs to this tournament and names a paper of this log."""
    need(paper.text("tournament") == log[0].id, paper, "tournament", "it belongs to another tournament")
    need(paper.former == log[0].former, paper, "kursk-tournament", "it is of another version than paper 0")
    seq, last = int(paper.said("seen")["seq"]), len(log) - 1
    if seq > last:
        wrong(paper, "seen", f"its writer had seen log paper {seq}, and the log here ends with {last}: it is cut short")
    if log[seq].id != paper.said("seen")["id"]:
        wrong(paper, "seen", f"its writer had seen another log paper {seq} than the one here: two logs were shown")


def _take(book: Book, paper: Paper, log: Paper) -> str:
    """Apply an acknowledged paper; return the reason if the paper has no effect, or ''."""
    kind = paper.type
    if kind == fields.ENTRY:
        return _entry(book, paper, log)
    if kind == fields.RULING:
        book.signed.setdefault((kind, paper.text("board")), []).append(paper)
        return "" if paper.sender in book.rules.assistants else "it is signed by no assistant of the director"
    if kind in (fields.WITNESS, fields.REVEAL):
        return openings.witness(book, paper)
    if kind == fields.STAND_IN:
        book.signed.setdefault((kind, paper.text("number")), []).append(paper)
        return _may_join(book, paper.sender)
    entrant = book.by_key(paper.sender)
    if entrant is None:
        return "its key is that of nobody who takes part"
    if kind == fields.OPEN:
        return openings.take(book, entrant, paper)
    if kind == fields.PLAYS:
        return openings.wish(book, entrant, paper)
    about = paper.text("board") if "board" in paper.content else entrant.number or entrant.entry
    book.signed.setdefault((kind, about), []).append(paper)
    if kind == fields.WITHDRAW and not entrant.number and not any(entrant.entry in draw.entries for draw in book.draws):
        entrant.out = "withdrew before the draw"
    return ""


def _entry(book: Book, paper: Paper, log: Paper) -> str:
    key, draw = paper.sender, paper.number("draw")
    if why := _may_join(book, key):
        return why
    if key == book.rules.key and not book.rules.assistants:
        return "a director plays only where an assistant keeps time and judges in their games"
    if draw < book.next_draw:
        return f"the field of draw {draw} was closed by {book.log[book.draws[draw].seq].name}"
    if draw > book.next_draw:
        return f"it is for draw {draw}, and the next one is {book.next_draw}"
    if book.draws:
        if book.rules.late is None or book.begun is None:
            return "nobody enters after the field was closed"
        if book.round + 1 > book.rules.late[0]:
            return f"late entries are for round {book.rules.late[0]} and before"
    guest = paper.said("guest") == "yes"
    if guest and not book.rules.guests:
        return "there are no guests in this tournament"
    entrant = Entrant(
        paper.id, paper.text("name"), guest, paper.said("shown") != "number", [(log.seq, key)], joined=book.round + 1
    )
    entrant.commits[draw] = (paper.text("commit"), key)
    book.entrants[paper.id] = entrant
    return ""


def _may_join(book: Book, key: str) -> str:
    """Return the reason why a key cannot become an entrant's key, or ''."""
    if key == book.rules.witness:
        return "the witness takes no part"
    return "" if book.by_key(key) is None else "this key takes part already"


def refused(book: Book, log: Paper) -> None:
    """``refused``: reject an entry before its field is closed, or a claim."""
    id_ = log.text("paper")
    need(id_ in book.received, log, "paper", f"the paper {id_[:16]} was never acknowledged")
    need(id_ not in book.refused, log, "paper", "it was refused before")
    paper = book.papers[id_]
    need(paper.type in (fields.ENTRY, fields.CLAIM), log, "paper", f"a paper of type {paper.type} is not up to anybody")
    if (entrant := book.entrants.get(id_)) is not None:
        closed = any(id_ in draw.entries for draw in book.draws)
        need(not closed, log, "paper", "the field with this entry is closed: it can no longer be refused")
        entrant.out = f"refused: {log.text('why')}"
    book.refused[id_] = log.seq


def withdrawn(book: Book, log: Paper) -> None:
    """``withdrawn``: log a withdrawal by the entrant's paper, by missed rounds or by two contradictory papers."""
    entrant = of_number(book, log)
    need(entrant.left < 0, log, "number", "they have withdrawn already")
    papers = [_acknowledged(book, log, f"papers/{place}", id_) for place, id_ in enumerate(log.texts("papers"))]
    if not papers:
        missed, most = missed_rounds(book, entrant), book.rules.terms.missed
        why = f"they signed no withdrawal, and have missed {missed} rounds, not {most}"
        need(most and missed >= most, log, "number", why)
    elif len(papers) == 1:
        [paper] = papers
        ours = paper.type == fields.WITHDRAW and paper in book.of_entrant(fields.WITHDRAW, entrant)
        need(ours, log, "papers/0", f"this is no withdrawal that number {entrant.number} signed")
    else:
        differ = len(papers) == 2 and openings.contradict(*papers)
        need(differ, log, "papers", "these two papers do not contradict each other")
        own = all(any(paper.sender == key for _since, key in entrant.keys) for paper in papers)
        need(own, log, "papers", f"number {entrant.number} did not sign them both")
    entrant.left = book.round + (not book.rules.former and (open_draw(book) is not None or hangs(book)))


def missed_rounds(book: Book, entrant: Entrant) -> int:
    """Return the number of rounds with an unannounced absence or with every game lost by silence."""
    absent = sum(round_.spent.get(entrant.number) == MISSED for round_ in book.rounds)
    silent = 0
    for number in range(1, book.round + 1):
        own = [board for board in book.of_round(number) if entrant.number in board.sides.values()]
        silent += bool(own) and all(lost_in_silence(board.outcome, board.side_of(entrant.number)) for board in own)
    return absent + silent


def lost_in_silence(outcome: Outcome | None, side: str) -> bool:
    """Return whether a side lost a board by forfeit."""
    return outcome is not None and outcome.how == FORFEIT and outcome.winner != side


def substitute(book: Book, log: Paper) -> None:
    """``substitute``: give a number with its points and meetings to a new player.

    The predecessor has withdrawn or missed a deadline. In version 1 the game of ``board`` may show the missed deadline.
    """
    entrant = of_number(book, log)
    need(book.rules.substitutes, log, "number", "paper 0 allows no substitutes")
    need(log.said("board") in ("", *book.boards), log, "board", "there is no such board")
    need(book.rules.former or book.round < stages.total(book), log, "type", "no round is left that they could play")
    paper = _acknowledged(book, log, "paper", log.text("paper"))
    mine = paper.type == fields.STAND_IN and paper.text("number") == entrant.number and paper.id not in book.void
    need(mine, log, "paper", f"this is no paper of somebody who stands in for number {entrant.number}")
    free = book.by_key(paper.sender) is entrant or not _may_join(book, paper.sender)
    need(free, log, "paper", "this key takes part already")
    silent = entrant.left >= 0 or missed_rounds(book, entrant) or _overdue(book, entrant)
    word = book.of_entrant(fields.WITHDRAW, entrant)
    why = f"number {entrant.number} has neither withdrawn nor missed a term: nobody stands in for them"
    named = "board" in log.content and entrant.number in book.boards[log.text("board")].sides.values()
    need(silent or word or named, log, "number", why)
    _new_key(book, log, entrant, paper, paper.sender)
    if not book.rules.former:
        entrant.names = [*(entrant.names or [(0, entrant.name)]), (log.seq, paper.text("name"))]
    entrant.name, entrant.left, entrant.substituted = paper.text("name"), -1, log.seq


def _overdue(book: Book, entrant: Entrant) -> bool:
    """Return whether an entrant has lost a game by silence, or did not open in a draw."""
    boards = [board for board in book.boards.values() if entrant.number in board.sides.values()]
    lost = any(lost_in_silence(board.outcome, board.side_of(entrant.number)) for board in boards)
    return lost or any(entrant.entry in draw.missing for draw in book.draws)


def key(book: Book, log: Paper) -> None:
    """``key``: replace an entrant's key by a paper with signatures of both keys."""
    entrant = of_number(book, log)
    paper = _acknowledged(book, log, "paper", log.text("paper"))
    mine = paper.type == fields.NEW_KEY and paper.sender == entrant.key
    need(mine, log, "paper", f"this is no change of key that number {entrant.number} signed")
    new = paper.text("new")
    need(not (why := _may_join(book, new)), log, "paper", why)
    _new_key(book, log, entrant, paper, new)


def _new_key(book: Book, log: Paper, entrant: Entrant, paper: Paper, new: str) -> None:
    free = open_draw(book) is None or (log.type == fields.SUBSTITUTE and not book.rules.former)
    need(free, log, "paper", "a draw is under way: it comes after that")
    draw, due = paper.number("draw"), book.next_draw
    need(draw == due, log, "paper", f"it commits for draw {draw}, and the next one is {due}: a new one is needed")
    entrant.keys.append((log.seq, new))
    entrant.commits[book.next_draw] = (paper.text("commit"), new)


def open_draw(book: Book) -> Draw | None:
    """Return the draw with a closed field and without a seed, or None."""
    return book.draws[-1] if book.draws and book.draws[-1].drawn < 0 else None


def hangs(book: Book) -> bool:
    """Return whether the newest draw has a seed and no round yet."""
    return bool(
        book.draws and book.draws[-1].seed and book.draws[-1].drawn > (book.rounds[-1].seq if book.rounds else 0)
    )


def of_number(book: Book, log: Paper) -> Entrant:
    """Return the entrant named by a log paper."""
    number = log.text("number")
    need(number in book.numbers, log, "number", f"nobody has the number {number}")
    return book.entrant(number)


def _acknowledged(book: Book, log: Paper, where: str, id_: str) -> Paper:
    need(id_ in book.received, log, where, f"the paper {id_[:16]} was never acknowledged")
    return book.papers[id_]
