"""Automatic log papers: results, tables, draws, pairings, games (docs/directors.md 4).

Each step depends only on the book and the games, so a repeated command continues after a crash.
"""

from __future__ import annotations

from kursk_pbem.game.folders import folder_name
from kursk_pbem.kernel.words import plural
from kursk_pbem.tournament import boards, chance, open_papers
from kursk_pbem.tournament.book import bidding, draws, plan, rounds
from kursk_pbem.tournament.book.people import find_open_draw
from kursk_pbem.tournament.director import games
from kursk_pbem.tournament.director.desk import DirectorDesk
from kursk_pbem.tournament.pairing import solve as solving
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.records import NOBODY, WITHDREW, Draw
from kursk_pbem.tournament.rules import PODS, ROUND_ROBIN
from kursk_pbem.tournament.score import table
from kursk_pbem.trust import sshsig


def advance(desk: DirectorDesk, *, ahead: bool = False) -> None:
    """Do all due automatic steps. ``ahead``: pair a round robin's next round before the current round ends."""
    while do_next_step(desk, ahead=ahead):
        pass


def do_next_step(desk: DirectorDesk, *, ahead: bool) -> bool:
    """Do the next automatic step. Return False if no step is due."""
    before = len(desk.book.log)
    for work in (games.log_games, log_results, announce_table, advance_draw, pair_round, log_bids, propose_all):
        if work is pair_round and not ahead and desk.book.rules.format in (ROUND_ROBIN, PODS) and desk.book.undecided():
            continue  # a table's next round usually waits for the present round
        work(desk)
        if len(desk.book.log) > before:
            return True
    return False


def log_results(desk: DirectorDesk) -> None:
    """Log the results of finished games, of forfeits, and of games whose player has left the tournament."""
    for board in desk.book.going():
        played = games.read_result(desk, board)
        if played is not None and played.over:
            kind, said = fields.RESULT, boards.build_result(board, played)
        elif gone := desk.book.absent_from(board):
            winner = next((side for side in board.sides if side not in gone), NOBODY)
            said = {"board": board.name, "by": WITHDREW, "winner": winner, "why": "the other side has withdrawn"}
            kind, said = fields.JUDGED, said | games.last_message(played)
        else:
            continue
        desk.sign(kind, said, time=games.time_after(desk, played))
        desk.done[-1] = f"board {board.name}: {boards.describe_result(desk.book, board)}"


def announce_table(desk: DirectorDesk) -> None:
    """Log the table of a round after the round's last board is decided."""
    book = desk.book
    if not book.round or book.round in book.tables or book.undecided() or plan.find_level_ties(book):
        return
    sha256 = table.compute_standings(book, book.round).sha256
    desk.sign(fields.STANDINGS, {"round": str(book.round), "sha256": sha256}, f"standings after round {book.round}")


def advance_draw(desk: DirectorDesk) -> None:
    """Log the next paper of a draw: ``field``, ``missing``, ``closed`` or ``drawn``."""
    book, now = desk.book, desk.now()
    current = find_open_draw(book)
    kind = draws.next_paper(book, current, now) if current is not None else ""
    if current is not None and kind == fields.DRAWN:
        log_drawn(desk, current)
    elif current is not None and kind == fields.CLOSED:
        close_draw(desk, current)
    elif current is not None and kind == fields.MISSING:
        absent = sorted(set(current.entries) - set(current.openings))
        said = {"draw": str(current.number), "entrants": absent}
        desk.sign(fields.MISSING, said, f"lots {current.number}: {plural(len(absent), 'reveal')} missing")
    elif current is None and book.draws and not draws.close_obstacle(book) and now > open_papers.answer_until(book):
        close_field(desk)


def close_field(desk: DirectorDesk) -> None:
    """Close the list of entrants (field) for the next draw. Then the entrants reveal their secrets."""
    number, entries = desk.book.next_draw, draws.due_field(desk.book)
    words = f"field of lots {number} closed: {len(entries)} take part"
    desk.sign(fields.FIELD, {"draw": str(number), "entrants": entries}, words)


def close_draw(desk: DirectorDesk, current: Draw) -> None:
    """Log that a draw is closed, with all acknowledged reveals for the draw."""
    opened = current.openings
    absent = sorted(set(current.entries) - set(opened))
    said = {"draw": str(current.number), "openings": sorted(paper.id for paper in opened.values()), "absentees": absent}
    missing = f", {len(absent)} missing" if absent else ""
    desk.sign(fields.CLOSED, said, f"lots {current.number} are closed: {plural(len(opened), 'reveal')}{missing}")


def log_drawn(desk: DirectorDesk, current: Draw) -> None:
    """Log the draw: the director's secret, the witness's secret by name, and the commitment to the next draw."""
    rules = desk.book.rules
    secret, nonce = desk.record.secret, bytes.fromhex(rules.paper.text("nonce"))
    number = current.number
    following = chance.derive_opening(secret, number + 1)
    said = {
        "draw": str(number),
        "open": chance.derive_opening(secret, number).hex(),
        "commit": chance.compute_commitment(nonce, sshsig.public_key(rules.key), number + 1, following).hex(),
    }
    if current.reveal is not None:
        said["reveal"] = current.reveal.id
    silent = ", the witness is silent" if current.witness and current.reveal is None else ""
    desk.sign(fields.DRAWN, said, f"lots {number} are drawn{silent}")


def pair_round(desk: DirectorDesk) -> None:
    """Pair the boards of the next round."""
    book = desk.book
    if plan.find_hindrance(book):
        return
    given = plan.make_input(book)
    time = desk.now()
    said, _spent = rounds.due_round(book, given, solving.solve_round(given), time)
    words = f"round {said['round']} paired: {plural(len(said['pairs']), 'board')}, due {said['due']}"
    desk.sign(fields.ROUND, said, words, time)


def log_bids(desk: DirectorDesk) -> None:
    """Log the sealed or opened bids that can be logged now."""
    book = desk.book
    for kind, entries in bidding.due_bids(book, desk.now()).items():
        if entries:
            words = f"bids for {plural(len(entries), 'board')} {kind}"
            desk.sign(fields.BIDS, {"round": str(book.round), kind: entries}, words)


def propose_all(desk: DirectorDesk) -> None:
    """If the director rolls the dice, propose and log every game that can begin."""
    if not desk.book.rules.refereed:
        return
    there = games.find_proposals(desk)
    for board in desk.book.boards.values():
        open_ = board.sides_known and not board.decided and not board.game
        if open_ and board.name not in there and not desk.book.absent_from(board):
            first = games.propose_game(desk, board)
            desk.done.append(f"proposed board {board.name}: {folder_name(first.id)}")
    games.log_games(desk)


def end_tournament(desk: DirectorDesk) -> None:
    """Log all due papers and end the tournament. A repeated call does nothing."""
    if desk.book.ended:
        desk.done.append("the tournament has ended already")
        return
    advance(desk)
    played = sum(bool(board.game) for board in desk.book.boards.values())
    sha256 = table.compute_standings(desk.book).sha256
    desk.sign(fields.END, {"sha256": sha256, "played": str(played)}, "the tournament has ended")
