"""Decided games: only messages from before the deciding log paper count (docs/directors.md 6.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from kursk_pbem.audit import verify
from kursk_pbem.audit.one_file import Finding
from kursk_pbem.errors import KurskError, TrustError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders, receipts
from kursk_pbem.tournament import boards
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.records import Board, Book
from kursk_pbem.trust import sshsig
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import LOG, RECEIPT, Paper


@frozen
class Held:
    """A decided game: the verdict up to its decision, without ``later`` messages. ``proofs``: files to be corrected."""

    finding: Finding
    later: int
    proofs: tuple[str, ...]


def decided_at(book: Book, board: Board) -> int:
    """Return the number of the log paper that first decided a board. Without a decision, return the log's end."""
    if board.outcome is None or not board.outcome.final:
        return len(book.log)
    log = book.log[board.outcome.seq]
    return log.number("corrects") if log.type == fields.CORRECT else log.seq


def hold_games(book: Book, findings: Mapping[str, Finding]) -> dict[str, Held]:
    """Return by id the decided games with later messages or papers. Each game ends where the decision says."""
    held: dict[str, Held] = {}
    for board in book.boards.values():
        finding = findings.get(board.game)
        if finding is None or board.outcome is None or board.outcome.head in ("", finding.head):
            continue
        with suppress(KurskError):  # the verdict on the whole game gives the reason
            place = Path(finding.path)
            if (end := boards.find_end(board, place)) is not None:
                cut = verify.verify_game(place, account=True, end=end)
                later = len(folders.message_files(place)) - 1 - end
                held[board.game] = Held(cut, later, tuple(_list_proofs(place, cut, decided_at(book, board))))
    return held


def _list_proofs(place: Path, cut: Finding, decided: int) -> Iterator[str]:
    """Yield the referee's files that prove a later message before log paper ``decided``."""
    key = cut.played.head["keys"].get(REFEREE, "") if cut.played is not None else ""
    found: list[Paper | Message] = []
    for paper in receipts.read_papers(place):
        log = paper.content.get(LOG)
        early = isinstance(log, dict) and int(str(log["seq"])) < decided
        found += [paper] if paper.type == RECEIPT and paper.seq >= cut.messages and early else []
    later = map(folders.read_message, folders.message_files(place)[cut.messages :])
    for one in (*found, *(message for message in later if message.sender == REFEREE)):
        with suppress(TrustError):  # a file that the referee did not sign
            sshsig.verify(key, sshsig.NAMESPACE, one.signed, one.armour or "")
            yield f"{place.name}/{Path(one.document.name).name}"
