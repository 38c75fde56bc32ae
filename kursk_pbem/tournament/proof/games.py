"""Checks of games against the log: steps f and g (docs/directors.md 11)."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from typing import NoReturn

from kursk_pbem.audit.one_file import Finding
from kursk_pbem.audit.played import Played, Timed
from kursk_pbem.errors import EXIT_TRUST, FileError, Where
from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import folders
from kursk_pbem.kernel.words import plural
from kursk_pbem.tournament import boards
from kursk_pbem.tournament.book import clocks, people
from kursk_pbem.tournament.book.outcomes import METHODS
from kursk_pbem.tournament.faults import FalsePaperError, need, refuse
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.papers.store import GAMES
from kursk_pbem.tournament.proof import held
from kursk_pbem.tournament.proof.held import Held
from kursk_pbem.tournament.records import AGREED, FORFEIT, POINTS, SILENCE, Board, Book, Outcome


def check_games(book: Book, findings: Mapping[str, Finding], held_games: Mapping[str, Held]) -> list[str]:
    """Check each game against its board; return what is missing. Raises FalsePaperError for the first difference.

    ``held_games``: the decided games that have later messages.
    """
    missing: list[str] = []
    for board in book.boards.values():
        if not board.game:
            if board.outcome is not None and (not board.outcome.by or METHODS[board.outcome.by].position):
                refuse(book.log[board.outcome.seq], "board", f"board {board.name} has no game")
            continue
        finding = findings.get(board.game)
        if finding is None:
            first, second = (book.entrant(number).name for number in board.numbers)
            name = folders.folder_name(board.game)
            missing.append(f"board {board.name}: {name} is missing; ask {first} and {second}")
            continue
        log = book.log[board.game_seq]
        played = _get_verified(board, log, finding)
        for field, found in boards.find_misfits(book, board, played.head):  # step f
            refuse(log, "game", f"message 0 of board {board.name}, {field}: {found}")
        missing += _check_deadlines(book, board, played)
        if board.outcome is not None:
            _check_outcome(book, board, board.outcome, played)
            for proof in held_games[board.game].proofs if board.game in held_games else ():
                why = f"{proof}: the director had a message after the last message of board {board.name}"
                missing.append(f"{why}; {book.log[board.outcome.seq].name} leaves it out: ask for a correction")
    missing += [words for words, late in _list_unknown_heads(book, findings) if not late]
    return missing


def _get_verified(board: Board, log: Paper, finding: Finding) -> Played:
    """Return the result of a valid game."""
    if finding.status or finding.played is None:
        why = f"the game of board {board.name} does not hold: {finding.text}"
        if finding.status == EXIT_TRUST:
            refuse(log, "game", why)
        raise FileError(why)
    return finding.played


def _check_deadlines(book: Book, board: Board, played: Played) -> Iterator[str]:
    """Step g: check times, deadlines by paper 0 and added time, and a forfeit. Yield times that cannot be decided."""
    for timed in played.receipts:
        name = f"receipt-{timed.seq:04d}.yaml"
        log = yield from _check_paper(book, board, played, (name, "received", timed.received), timed.log)
        if timed.side not in board.sides or (played.over and timed.seq == len(played.ids) - 1):
            continue
        base = times.add_most(timed.received, book.rules.terms.days)
        most = clocks.compute_due(book, board.sides[timed.side], timed.received, base, log.seq)
        if timed.due < base:
            _refuse_paper(board, name, "due", f"the answer is due {timed.due}, and paper 0 gives until {base}")
        if timed.log and timed.log[1] == log.id:  # a void line may have given time
            _need_granted(board, name, timed.due, most)
    begun = {timed.seq: timed for timed in played.receipts}
    for timed in played.extensions:
        name = f"extension-{timed.seq:04d}"
        log = yield from _check_paper(book, board, played, (name, "declared", timed.received), timed.log)
        number, since = board.sides.get(timed.side, ""), begun[timed.seq]
        most = clocks.compute_due(book, number, since.received, since.due, log.seq)
        if timed.log and timed.log[1] == log.id:
            _need_granted(board, name, timed.due, most)
    if played.forfeit is not None:
        declared = played.forfeit.declared
        yield from _check_paper(book, board, played, ("forfeit.yaml", "declared", declared), played.forfeit.log)
        due = _compute_due(book, board, begun[played.forfeit.seq])
        if declared <= due:
            why = f"declared {declared}, but with the added time the answer was due {due}"
            _refuse_paper(board, "forfeit.yaml", "declared", why)


def _check_paper(
    book: Book, board: Board, played: Played, at: tuple[str, str, str], named: tuple[int, str] | tuple[()]
) -> Generator[str, None, Paper]:
    """Return the log paper that a referee's paper names, or the nearest. Yield a sentence if the log paper is missing.

    Check that the referee's paper is not older than its log papers, nor newer than a decision that stands on it.
    ``at``: name, field and time of the paper. If one person dated both papers, a wrong order is false; otherwise it
    cannot be decided.
    """
    name, field, time = at
    if not named:
        _refuse_paper(board, name, "log", "the paper names no log paper")
    seq, id_ = named
    if (log := people.find_common(book, seq, id_)) is None:
        if seq >= len(book.log):
            last = len(book.log) - 1
            _refuse_paper(board, name, "log", f"the paper names log paper {seq}; the log is cut short at {last}")
        why = f"names a different log paper {seq} ({id_[:16]}), which is missing: ask the director for the paper"
        yield f"{name} of board {board.name} {why}"
        log = book.log[seq]
    pairing = played.head[boards.FIELD]
    paired = people.find_common(book, int(pairing["seq"]), pairing["head"])
    first = max(log, paired or log, key=lambda paper: paper.seq)
    decision = book.log[board.outcome.seq] if board.outcome is not None and log.seq < board.outcome.seq else None
    if time < first.text("time"):
        why = f"{field} {time}, before {first.name} of {first.text('time')}, on which it is based"
    elif decision is not None and time > decision.text("time"):
        why = f"{field} {time}, after {decision.name} of {decision.text('time')}, which is based on it"
    else:
        return log
    if played.head["keys"].get(REFEREE) == book.rules.key:
        _refuse_paper(board, name, field, why)
    yield f"{name} of board {board.name}: {why}: ask the director for the right times"
    return log


def _need_granted(board: Board, name: str, due: str, most: str) -> None:
    if due > most:
        why = f"the answer is due {due}, but with the added time it was due {most}"
        _refuse_paper(board, name, "due", why)


def _refuse_paper(board: Board, name: str, field: str, why: str) -> NoReturn:
    """Refuse a referee's paper of a board's game."""
    path = f"{GAMES}/{folders.folder_name(board.game)}/{name}"
    raise FalsePaperError(path, field, f"board {board.name}: {why}", Where(path))


def _compute_due(book: Book, board: Board, receipt: Timed) -> str:
    return clocks.compute_due(book, board.sides[receipt.side], receipt.received, receipt.due)


def _check_outcome(book: Book, board: Board, outcome: Outcome, played: Played) -> None:
    """Step g: check the logged outcome against the game."""
    log = book.log[outcome.seq]
    prefix = "now/" if log.type == fields.CORRECT else ""
    if not outcome.by:
        need(played.over, log, f"{prefix}game", f"the game of board {board.name} has not ended")
        for name, value in boards.build_result(board, played).items():
            said = str({**vars(outcome), "board": board.name}[name])
            why = f"board {board.name}: the game says {value[:32]}, the log {said[:32]}"
            need(said == value, log, f"{prefix}{name}", why)
        good = outcome.margin is None or boards.result_margin(played) is not None
        need(good, log, f"{prefix}margin", "the game has no margin")
        return
    there = outcome.head in ("", *played.ids)
    need(there, log, f"{prefix}head", f"board {board.name} has no message {outcome.head[:16]}")
    if outcome.by == SILENCE:
        _check_silence(log, board, outcome, played)
    elif outcome.how != FORFEIT and outcome.final:
        _check_judged(book, log, board, outcome, played)


def _check_silence(log: Paper, board: Board, outcome: Outcome, played: Played) -> None:
    why = f"the game of board {board.name} had begun: only the referee can declare a forfeit"
    need(not played.bound, log, "by", why)
    why = f"the {played.owes} side owed the next message of board {board.name}"
    need(outcome.winner != played.owes, log, "winner", why)


def _check_judged(book: Book, log: Paper, board: Board, outcome: Outcome, played: Played) -> None:
    """Check a judgement: correct margin, and no earlier method."""
    need(not played.over, log, "by", f"the game of board {board.name} has ended: only the result counts")
    ends = book.rules.terms.ends
    points_first = POINTS in ends and outcome.by in ends and ends.index(POINTS) <= ends.index(outcome.by)
    if outcome.by != AGREED and points_first and played.margin is not None:
        need(outcome.by == POINTS, log, "by", f"board {board.name} has a margin of {played.margin}: points come first")
        need(outcome.margin == played.margin, log, "margin", f"the margin of board {board.name} is {played.margin}")
    if outcome.by == POINTS:
        need(played.margin is not None, log, "by", f"the game of board {board.name} counts no points")


def _list_unknown_heads(book: Book, findings: Mapping[str, Finding]) -> Iterator[tuple[str, bool]]:
    """Step b: yield the messages that entrants state to have and that no board holds.

    True: the message is not asked for: it was named after the decision of its board, or a correction followed.
    """
    logged = {board.game: board for board in book.boards.values()}
    for id_ in book.received:
        paper = book.papers[id_]
        for said in paper.said("games") if paper.type == fields.OPEN else ():
            entrant = book.by_key(paper.sender)
            who = entrant.name if entrant else "somebody"
            board, finding = logged.get(said["id"]), findings.get(said["id"])
            if board is None:
                name = folders.folder_name(said["id"])
                yield f"{paper.name}: {who} had {name} as a game, but the log has no such game: ask {who}", False
            elif finding is not None and finding.played is not None and said["head"] not in finding.played.ids:
                why = f"{paper.name}: {who} had message {said['head'][:16]} of board {board.name}"
                decided = book.log[board.outcome.seq] if board.outcome and board.outcome.final else None
                late = decided is not None and book.received[id_] > held.decided_at(book, board)
                if decided is not None and (late or decided.type == fields.CORRECT):
                    yield f"{why}, and {decided.name} decided the board without the message", True
                else:
                    yield f"{why}, and the message is missing: ask the players for copies", False


def list_remarks(book: Book, findings: Mapping[str, Finding], held_games: Mapping[str, Held]) -> list[str]:
    """Return remarks: games without a board, late answers that were accepted, messages written after a judgement."""
    logged = {board.game for board in book.boards.values()}
    others = [finding.path for game, finding in findings.items() if game not in logged]
    remarks = [f"{path}: a game without a board has no effect" for path in others]
    for board in book.boards.values():
        verdict = findings.get(board.game)
        if verdict is None or verdict.played is None:
            continue
        remarks += _late_answers(book, board, verdict.played)
        later = held_games[board.game].later if board.game in held_games else 0
        if board.outcome is not None and later:
            by, left = book.log[board.outcome.seq].name, plural(later, "later message")
            remarks.append(f"board {board.name} was decided by {by}: {left} left out")
    return remarks + [words for words, late in _list_unknown_heads(book, findings) if late]


def _late_answers(book: Book, board: Board, played: Played) -> Iterator[str]:
    for before, after in zip(played.receipts, played.receipts[1:], strict=False):
        if after.seq == before.seq + 1 and before.side in board.sides:
            due = _compute_due(book, board, before)
            if after.received > due:
                late = times.in_words(times.seconds_between(due, after.received))
                yield f"board {board.name}: message {after.seq} came {late} late, and was accepted"
