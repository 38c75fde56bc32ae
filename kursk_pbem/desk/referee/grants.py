"""Extensions of the current deadline by a referee (protocol 2.10, decision 55)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from kursk_pbem.desk.ground import clock
from kursk_pbem.desk.referee import timekeeper
from kursk_pbem.desk.referee.timekeeper import Confirm, Issued, Opened
from kursk_pbem.errors import UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.frozen import frozen
from kursk_pbem.game import histories
from kursk_pbem.game.games import Game
from kursk_pbem.trust.papers import BANK, EXTENSION, RECEIPT, Paper


@frozen
class Grant:
    """More time that a referee grants to a player.

    ``days``: how many days more; or ``until``: the new deadline. ``cause``: the reason. ``declared``: the time of the
    referee's decision. ``log``: as in :class:`timekeeper.Term`.
    """

    days: int = 0
    until: str = ""
    cause: str = BANK
    declared: str = ""
    log: Mapping[str, str] = field(default_factory=dict)


def extend_deadline(folder: Path, key: Path, grant: Grant, confirm: Confirm | None = None) -> Issued:
    """Extend the current deadline (protocol 2.10).

    ``confirm``: a function that asks the referee for agreement before the paper is signed. Raises KurskError.
    """
    for option, text in (("--until", grant.until), ("--declared", grant.declared)):
        timekeeper.check_time(option, text)
    if bool(grant.days) == bool(grant.until):
        raise UsageError("type either --days or --until")
    opened = Opened(folder, histories.load(folder))
    game = opened.history.game
    signer = timekeeper.load_referee_key(opened, key)
    if "tournament" in game.chain.head and not grant.log:
        raise UsageError("the tournament's log sets the deadlines of this game: type 'kursk tournament grant'")
    last = game.chain.next_seq - 1
    if game.over or game.chain.writer(last + 1) == REFEREE:
        raise UsageError("no player owes a message, so no deadline can be extended")
    due = timekeeper.require_deadline(game, folder)
    before = _find_term_paper(game, last, due)
    if grant.until and grant.until == due and before.type == EXTENSION:
        return Issued(game, before, Path(before.document.name), fresh=False)
    new, declared = grant.until or timekeeper.add_days(due, grant.days), grant.declared or clock.now()
    if new <= due:
        raise UsageError(f"message {last + 1} is due {due}, and {new} is not later: a deadline can only be extended")
    if declared > due:
        raise UsageError(
            f"the deadline {due} of message {last + 1} had passed at {declared}: a past deadline cannot be extended. "
            "To accept the late message, type 'kursk referee receipt --late' or 'kursk referee pass'"
        )
    said = {"type": EXTENSION, "seq": str(last), "replaces": before.id}
    said |= {"due": new, "declared": declared, "cause": grant.cause}
    return timekeeper.issue_paper(opened, signer, said, grant.log, confirm)


def _find_term_paper(game: Game, last: int, due: str) -> Paper:
    about = (paper for paper in game.papers.all if paper.seq == last and paper.text("due") == due)
    return min(about, key=lambda paper: (paper.type != RECEIPT, paper.id))
