"""Entrants: acknowledgments, refusals, withdrawals, substitutes and new keys (docs/directors.md 6.3).

An acknowledged paper may have no effect: ``book.void`` contains the reason, and accuses no person.
"""

from __future__ import annotations

from kursk_pbem.formats import times
from kursk_pbem.tournament.book import bidding, openings
from kursk_pbem.tournament.faults import IncompleteError, need, refuse
from kursk_pbem.tournament.papers import fields, lines
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.records import FORFEIT, MISSED, Book, Draw, Entrant, Outcome
from kursk_pbem.tournament.score import stages


def apply_received(book: Book, log: Paper) -> None:
    """Apply the players' papers that the log paper ``received`` acknowledges."""
    for place, id_ in enumerate(log.texts("papers")):
        where = f"papers/{place}"
        need(id_ not in book.received, log, where, f"the paper {id_[:16]} was acknowledged before")
        paper = book.papers.get(id_)
        if paper is None:
            why = f"the paper {id_[:16]}, acknowledged by {log.name}, is missing: ask the director for the paper"
            raise IncompleteError(why)
        check_seen(book, paper)
        book.received[id_] = log.seq
        if why := _apply_paper(book, paper, log):
            book.void[id_] = why


def check_seen(book: Book, paper: Paper) -> None:
    """Check that a paper belongs to the tournament, and that the paper's writer had seen a paper known to the log."""
    need(paper.text("tournament") == book.id, paper, "tournament", "the paper belongs to a different tournament")
    seen, last = paper.said("seen"), len(book.log) - 1
    seq, id_ = int(seen["seq"]), seen["id"]
    if id_ in book.voided or (seq <= last and book.log[seq].id == id_):
        return
    if seq > last:
        refuse(paper, "seen", f"the writer had seen log paper {seq}, but this log ends with paper {last}")
    why = f"the writer had seen a different log paper {seq}: two logs exist, and this one does not call the paper void"
    refuse(paper, "seen", why)


def find_seen(book: Book, paper: Paper) -> lines.Line:
    """Return the log papers that a paper's writer had seen, oldest first. If one is missing, return an empty list."""
    seen = paper.said("seen")
    seq = int(seen["seq"])
    if seq < len(book.log) and book.log[seq].id == seen["id"]:
        return book.log[: seq + 1]
    return lines.find_line(book.signed_log, seen["id"])


def find_common(book: Book, seq: int, id_: str) -> Paper | None:
    """Return the log paper with this number and id, otherwise the last earlier paper shared with this log, or None."""
    if seq < len(book.log) and book.log[seq].id == id_:
        return book.log[seq]
    line = lines.find_line(book.signed_log, id_)
    return book.log[lines.find_fork(book.log, line) - 1] if line else None


def apply_void(book: Book, log: Paper) -> None:
    """Check a ``void`` paper: the papers from other versions of the log that it calls void."""
    for place, id_ in enumerate(log.texts(fields.VOID)):
        where = f"{fields.VOID}/{place}"
        need(id_ not in book.voided, log, where, f"the paper {id_[:16]} was called void before")
        need(all(paper.id != id_ for paper in book.log), log, where, f"the paper {id_[:16]} is a paper of this log")
        if id_ not in book.others:
            why = f"the void log paper {id_[:16]}, named by {log.name}, is missing: ask the director for the paper"
            raise IncompleteError(why)
        book.voided[id_] = log.seq


def _apply_paper(book: Book, paper: Paper, log: Paper) -> str:
    """Apply an acknowledged paper; return the reason if the paper has no effect, or ''."""
    kind = paper.type
    if kind == fields.ENTRY:
        return _apply_entry(book, paper, log)
    if kind == fields.RULING:
        book.signed.setdefault((kind, paper.text("board")), []).append(paper)
        return "" if paper.sender in book.rules.assistants else "the signature is not by an assistant of the director"
    if kind in (fields.WITNESS, fields.REVEAL):
        return openings.accept_witness(book, paper, find_seen(book, paper))
    if kind == fields.STAND_IN:
        book.signed.setdefault((kind, paper.text("number")), []).append(paper)
        return _join_obstacle(book, paper.sender) or _offer_obstacle(book, paper)
    entrant = book.by_key(paper.sender)
    if entrant is None:
        return "the key belongs to no entrant of this tournament"
    if kind == fields.OPEN:
        return openings.accept_opening(book, entrant, paper)
    if kind == fields.PLAYS:
        return openings.accept_wish(book, entrant, paper)
    about = paper.text("board") if "board" in paper.content else entrant.number or entrant.entry
    why = bidding.find_obstacle(book, entrant, paper, log.text("time")) if "board" in paper.content else ""
    book.signed.setdefault((kind, about), []).append(paper)
    if kind == fields.WITHDRAW and not entrant.number and not any(entrant.entry in draw.entries for draw in book.draws):
        entrant.out = "withdrew before the lots"
    return why


def _apply_entry(book: Book, paper: Paper, log: Paper) -> str:
    key, draw = paper.sender, paper.number("draw")
    if why := _join_obstacle(book, key):
        return why
    if key == book.rules.key and not book.rules.assistants:
        return "a director can play only with an assistant, as timekeeper and judge of the director's games"
    if draw < book.next_draw:
        return f"the field of lots {draw} was closed by log paper {book.draws[draw].seq}"
    if draw > book.next_draw:
        return f"the entry is for lots {draw}, not for the next lots {book.next_draw}"
    if why := find_late_obstacle(book):
        return why
    guest = paper.said("guest") == "yes"
    if guest and not book.rules.guests:
        return "paper 0 allows no guests"
    shown, keys = paper.said("shown") != "number", [(log.seq, key)]
    entrant = Entrant(paper.id, paper.text("name"), guest, shown, keys, joined=book.round + 1)
    entrant.commits[draw] = (paper.text("commit"), key)
    book.entrants[paper.id] = entrant
    return ""


def find_late_obstacle(book: Book, first: int = 0) -> str:
    """Return why no new person can enter the tournament now, or ''. ``first``: the first round to play; 0: the next."""
    if not book.draws:
        return ""
    if book.ended or book.rules.late is None:
        return "the field is closed for new entries"
    if book.begun is None:
        return "the first lots are open, and late entries begin after them"
    if (first or book.round + 1) <= (last := book.rules.late[0]):
        return ""
    closed = times.tell(book.log[book.draws[min(last, len(book.draws)) - 1].seq].text("time"))
    ended = f"round {last - 1} ended" if last > 1 else "the field was closed"
    return f"{ended} on {closed}, and no entry and no yes counts from then on"


def _offer_obstacle(book: Book, paper: Paper) -> str:
    """Return the reason why an offer to take over a number can have no effect, or ''."""
    number, draw = paper.text("number"), paper.number("draw")
    if not book.rules.substitutes:
        return "paper 0 allows no substitutes"
    if number not in book.numbers:
        return f"no entrant has the number {number}"
    return f"the field of lots {draw} is closed: sign a new offer" if draw < book.next_draw else ""


def _join_obstacle(book: Book, key: str) -> str:
    """Return the reason why a key cannot become an entrant's key, or ''."""
    if key == book.rules.witness:
        return "the witness takes no part"
    return "" if book.by_key(key) is None else "the key belongs to an entrant already"


def apply_refused(book: Book, log: Paper) -> None:
    """Apply a ``refused`` paper: reject an entry before the draw's list of entrants is closed, or reject a claim."""
    id_ = log.text("paper")
    need(id_ in book.received, log, "paper", f"the paper {id_[:16]} was never acknowledged")
    need(id_ not in book.refused, log, "paper", "the paper was refused before")
    paper = book.papers[id_]
    need(paper.type in (fields.ENTRY, fields.CLAIM), log, "paper", f"a paper of type {paper.type} cannot be refused")
    if (entrant := book.entrants.get(id_)) is not None:
        closed = any(id_ in draw.entries for draw in book.draws)
        need(not closed, log, "paper", "the field with the entry is closed: too late for a refusal")
        entrant.out = f"refused: {log.text('why')}"
    book.refused[id_] = log.seq


def apply_withdrawn(book: Book, log: Paper) -> None:
    """Apply a ``withdrawn`` paper: an entrant leaves, by own paper, missed rounds or two contradictory papers."""
    entrant = find_named(book, log)
    need(entrant.left < 0, log, "number", "the entrant has withdrawn already")
    papers = [_get_acknowledged(book, log, f"papers/{place}", id_) for place, id_ in enumerate(log.texts("papers"))]
    if not papers:
        missed, most = count_missed_rounds(book, entrant), book.rules.terms.missed
        why = f"the entrant signed no withdrawal, and has missed {missed} rounds, not {most}"
        need(most and missed >= most, log, "number", why)
    elif len(papers) == 1:
        [paper] = papers
        ours = paper.type == fields.WITHDRAW and paper in book.of_entrant(fields.WITHDRAW, entrant)
        need(ours, log, "papers/0", f"the paper is no withdrawal by number {entrant.number}")
    else:
        differ = len(papers) == 2 and openings.contradict(*papers)
        need(differ, log, "papers", "the papers do not contradict each other")
        own = all(any(paper.sender == key for _since, key in entrant.keys) for paper in papers)
        need(own, log, "papers", f"number {entrant.number} did not sign both papers")
    drawn = find_open_draw(book) is not None or has_unpaired_draw(book)
    entrant.left = book.round + drawn


def count_missed_rounds(book: Book, entrant: Entrant) -> int:
    """Return how many rounds an entrant missed: absent without notice, or all games lost by silence."""
    absent = sum(round_.spent.get(entrant.number) == MISSED for round_ in book.rounds)
    silent = 0
    for number in range(1, book.round + 1):
        own = [board for board in book.of_round(number) if entrant.number in board.sides.values()]
        silent += bool(own) and all(is_lost_in_silence(board.outcome, board.side_of(entrant.number)) for board in own)
    return absent + silent


def is_lost_in_silence(outcome: Outcome | None, side: str) -> bool:
    """Return whether a side lost a board by missing a deadline."""
    return outcome is not None and outcome.how == FORFEIT and outcome.winner != side


def apply_substitute(book: Book, log: Paper) -> None:
    """Apply a ``substitute`` paper: give an entrant's number, points and past opponents to a new player.

    The predecessor must have withdrawn or missed a deadline.
    """
    entrant = find_named(book, log)
    need(book.rules.substitutes, log, "number", "paper 0 allows no substitutes")
    paper = _get_acknowledged(book, log, "paper", log.text("paper"))
    mine = paper.type == fields.STAND_IN and paper.text("number") == entrant.number and paper.id not in book.void
    need(mine, log, "paper", f"the paper is no valid offer to take over number {entrant.number}")
    free = book.by_key(paper.sender) is entrant or not _join_obstacle(book, paper.sender)
    need(free, log, "paper", "the key belongs to an entrant already")
    need(not (why := find_vacancy_obstacle(book, entrant)), log, "number", why)
    _set_key(book, log, entrant, paper, paper.sender)
    entrant.names = [*(entrant.names or [(0, entrant.name)]), (log.seq, paper.text("name"))]
    entrant.name, entrant.left, entrant.substituted = paper.text("name"), -1, log.seq


def find_vacancy_obstacle(book: Book, entrant: Entrant) -> str:
    """Return why no substitute can take an entrant's place now, or ''."""
    if book.round >= stages.count_rounds(book):
        return "no round is left for a substitute"
    silent = entrant.left >= 0 or count_missed_rounds(book, entrant) or _has_missed_deadline(book, entrant)
    if silent or book.of_entrant(fields.WITHDRAW, entrant):
        return ""
    return f"number {entrant.number} has neither withdrawn nor missed a deadline: no substitute may play"


def _has_missed_deadline(book: Book, entrant: Entrant) -> bool:
    """Return whether an entrant has lost a game by silence, or did not open in a draw."""
    boards = [board for board in book.boards.values() if entrant.number in board.sides.values()]
    lost = any(is_lost_in_silence(board.outcome, board.side_of(entrant.number)) for board in boards)
    return lost or any(entrant.entry in draw.missing for draw in book.draws)


def apply_key(book: Book, log: Paper) -> None:
    """Apply a ``key`` paper: replace an entrant's key. The old and the new key must have signed the entrant's paper."""
    entrant = find_named(book, log)
    paper = _get_acknowledged(book, log, "paper", log.text("paper"))
    mine = paper.type == fields.NEW_KEY and paper.sender == entrant.key
    need(mine, log, "paper", f"the paper is no change of key by number {entrant.number}")
    new = paper.text("new")
    need(not (why := _join_obstacle(book, new)), log, "paper", why)
    _set_key(book, log, entrant, paper, new)


def _set_key(book: Book, log: Paper, entrant: Entrant, paper: Paper, new: str) -> None:
    free = find_open_draw(book) is None or log.type == fields.SUBSTITUTE
    need(free, log, "paper", "lots are open: wait for their end")
    draw, due = paper.number("draw"), book.next_draw
    need(draw == due, log, "paper", f"the paper commits to lots {draw}; a new paper for lots {due} is needed")
    entrant.keys.append((log.seq, new))
    entrant.commits[book.next_draw] = (paper.text("commit"), new)


def find_open_draw(book: Book) -> Draw | None:
    """Return the draw with a closed list of entrants and an unknown seed, or None."""
    return book.draws[-1] if book.draws and book.draws[-1].drawn < 0 else None


def has_unpaired_draw(book: Book) -> bool:
    """Return whether the newest draw has a seed, but no round yet."""
    newest, since = book.draws[-1] if book.draws else None, book.rounds[-1].seq if book.rounds else 0
    return newest is not None and newest.seed != b"" and newest.drawn > since


def find_named(book: Book, log: Paper) -> Entrant:
    """Return the entrant that a log paper names."""
    number = log.text("number")
    need(number in book.numbers, log, "number", f"no entrant has the number {number}")
    return book.entrant(number)


def _get_acknowledged(book: Book, log: Paper, where: str, id_: str) -> Paper:
    need(id_ in book.received, log, where, f"the paper {id_[:16]} was never acknowledged")
    return book.papers[id_]
