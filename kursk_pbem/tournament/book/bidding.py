"""Bids for sides: two sealed bids, logged and then opened (docs/directors.md 8.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kursk_pbem.formats import times
from kursk_pbem.tournament import chance
from kursk_pbem.tournament.book.openings import contradict
from kursk_pbem.tournament.faults import need, need_papers, refuse
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.records import Board, Book, Entrant
from kursk_pbem.trust import sshsig


def find_seals(book: Book, board: Board) -> dict[str, Paper]:
    """Return the acknowledged sealed bids by entrant number. If a player signed two different bids, neither counts."""
    seals: dict[str, Paper] = {}
    for number in board.numbers:
        key = book.entrant(number).key
        own = [paper for paper in book.of_kind(fields.BID, board.name) if paper.sender == key]
        if own and not any(contradict(own[0], other) for other in own):
            seals[number] = own[0]
    return seals


def find_openings(book: Book, board: Board) -> dict[str, Paper]:
    """Return the first valid opened bid of each player, acknowledged after the log had listed the sealed bids.

    If the player's date is after the deadline, the bid counts only if it was acknowledged before the deadline.
    """
    openings: dict[str, Paper] = {}
    for paper in book.of_kind(fields.BID_OPEN, board.name):
        seq = book.received[paper.id]
        in_time = min(paper.said("time"), book.log[seq].text("time")) <= bids_until(book, board)
        if seq > board.bids_seq and in_time and (number := find_bidder(book, board, paper)):
            openings.setdefault(number, paper)
    return openings


def find_bidder(book: Book, board: Board, paper: Paper) -> str:
    """Return the entrant number of the player whose bid a paper opens, or ''. Either player may mail the paper."""
    salt, value = bytes.fromhex(paper.text("salt")), paper.said("value")
    possible = value["side"] in book.rules.systems[board.system - 1].sides
    for number, seal in board.sealed.items():
        key = sshsig.public_key(seal.sender)
        made = chance.compute_seal(bytes.fromhex(book.id), key, paper.text("board"), salt, value)
        if possible and made.hex() == seal.text("seal"):
            return number
    return ""


def find_obstacle(book: Book, entrant: Entrant, paper: Paper, time: str) -> str:
    """Return why a new paper about a board has no effect, or ''. ``time``: when the paper was acknowledged."""
    board = book.boards.get(paper.text("board"))
    if board is None:
        return f"the log has no board {paper.text('board')}"
    if entrant.number not in board.numbers and paper.type != fields.CLAIM:
        return f"other entrants play board {board.name}"
    if paper.type == fields.AGREE and board.outcome is not None and board.outcome.final:
        return f"board {board.name} is decided"
    if paper.type == fields.BID:
        if board.sides_known or board.bids_seq >= 0:
            return f"board {board.name} accepts no more bids"
        two = any(contradict(other, paper) for other in book.of_kind(fields.BID, board.name))
        return f"two different bids for board {board.name} are signed: neither counts" if two else ""
    if paper.type == fields.BID_OPEN:
        if not find_bidder(book, board, paper):
            return f"the paper opens no sealed bid for board {board.name}"
        late = min(paper.said("time"), time) > bids_until(book, board)
        return f"reveals for board {board.name} came until {bids_until(book, board)}" if late else ""
    return ""


def apply_bids(book: Book, log: Paper) -> None:
    """Check a ``bids`` paper: it lists exactly the acknowledged bids (sealed or opened), and comes not too early."""
    need(log.number("round") == book.round, log, "round", f"the newest round is {book.round}")
    need(("sealed" in log.content) != ("opened" in log.content), log, "", "the paper must name seals or reveals")
    kind = "sealed" if "sealed" in log.content else "opened"
    for place, said in enumerate(log.said(kind)):
        board = book.boards.get(said["board"])
        where = f"{kind}/{place}"
        if board is None or board.sides_known or board.round != book.round:
            refuse(log, where, f"board {said['board']} accepts no bids")
        (_apply_seals if kind == "sealed" else _apply_openings)(book, log, where, board, said)


def _apply_seals(book: Book, log: Paper, where: str, board: Board, said: Mapping[str, Any]) -> None:
    need(board.bids_seq < 0, log, where, f"the seals of board {board.name} were logged before")
    there = find_seals(book, board)
    need_papers(book, log, f"{where}/papers", said["papers"], sorted(paper.id for paper in there.values()))
    if len(there) < 2:
        need(log.text("time") > bids_until(book, board), log, where, f"bids may come until {bids_until(book, board)}")
    board.sealed, board.bids_seq = there, log.seq
    board.sides_known = not there


def _apply_openings(book: Book, log: Paper, where: str, board: Board, said: Mapping[str, Any]) -> None:
    need(board.bids_seq >= 0, log, where, f"the seals of board {board.name} are not logged yet")
    there = find_openings(book, board)
    need_papers(book, log, f"{where}/papers", said["papers"], sorted(paper.id for paper in there.values()))
    if len(there) < len(board.sealed):
        until = bids_until(book, board)
        need(log.text("time") > until, log, where, f"reveals may come until {until}")
    board.unopened = sorted(set(board.sealed) - set(there))
    board.sides, board.paid = _settle_sides(book, board, there)
    board.sides_known, board.bids_seq = True, log.seq


def bids_until(book: Book, board: Board) -> str:
    """Return the deadline to seal bids for a board. Once the log lists the sealed bids: the deadline to open them."""
    since = board.bids_seq if board.bids_seq >= 0 else board.seq
    return times.add_most(book.log[since].text("time"), book.rules.terms.answers)


def due_bids(book: Book, now: str) -> dict[str, list[dict[str, object]]]:
    """Return the newest round's sealed and opened bids that can be logged now, as fields of papers ``bids``."""
    found: dict[str, list[dict[str, object]]] = {"opened": [], "sealed": []}
    waiting = [book.boards[name] for name in (book.rounds[-1].boards if book.rounds else ())]
    for board in (board for board in waiting if not board.sides_known):
        kind, most = ("sealed", 2) if board.bids_seq < 0 else ("opened", len(board.sealed))
        there = find_seals(book, board) if kind == "sealed" else find_openings(book, board)
        if len(there) == most or now > bids_until(book, board):
            found[kind].append({"board": board.name, "papers": sorted(paper.id for paper in there.values())})
    return found


def _settle_sides(book: Book, board: Board, there: Mapping[str, Paper]) -> tuple[dict[str, str], dict[str, int]]:
    """Return the sides of a board and the prices paid. Without bids the paired sides stay.

    A player without an opening has bid 0, and the opponent pays the own price. A dropped opening saves no price.
    """
    said = {number: paper.said("value") for number, paper in sorted(there.items())}
    if not said:
        return board.sides, {}
    price = max(int(bid["price"]) for bid in said.values())
    best = [number for number, bid in said.items() if int(bid["price"]) == price]
    # neither player knew the opponent's salt before both bids were sealed
    drawn = chance.draw_lot(book.seed, "bid", board.name, *(there[number].text("salt") for number in best))
    number = best[drawn[0] % len(best)]
    side = said[number]["side"]
    free = any(bid["side"] != side for bid in said.values())
    sides = {each: number if each == side else board.against(number) for each in board.sides}
    return sides, {side: price} if price and not free else {}
