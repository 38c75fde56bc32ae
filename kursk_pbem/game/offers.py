"""Offers and replies at a player's desk: what ``kursk offer`` and ``kursk reply`` do. No printing."""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.errors import TrustError, UsageError, Where
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import drafts, play, successor
from kursk_pbem.game import folder as folders
from kursk_pbem.game.desk import Desk
from kursk_pbem.game.drafts import Checked
from kursk_pbem.game.private import Record
from kursk_pbem.game.record import Game
from kursk_pbem.game.successor import Terms


def draw(desk: Desk) -> Checked:
    """The offer of a draw, to be signed. UsageError says why it cannot be made now."""
    return drafts.offer(desk, {"kind": "draw"})


def propose(desk: Desk, terms: Terms, new_key: Path | None, parent: Path) -> Path:
    """Write message 0 of a successor below ``parent``; its path. UsageError if this player is not the one to propose.

    It is a piece of paper until it is offered, by whoever writes the next message, and accepted.
    """
    own = desk.own or desk.record_of_writer()
    if desk.mine and own.side != REFEREE:
        drafts.offer(desk, {"kind": "draw"})  # whether anything can be offered now, before anything is written
    games = successor.history(desk.folder)
    side, pinned, state = successor.plan(games, terms)
    if side != own.side:
        raise UsageError(_not_yours(desk, own, side))
    return play.issue(side, pinned, state, new_key or Path(own.key), parent, own.home)


def _not_yours(desk: Desk, own: Record, side: str) -> str:
    if side == REFEREE:
        how = "let him run 'kursk offer FOLDER successor' and mail what it writes to both"
        return f"in this game the referee writes the proposal: {how}"
    then = ", and mail you the file it writes"
    if desk.mine:
        then += f": you offer that file with 'kursk offer {desk.folder} successor 0000.yaml'"
    return (
        f"the {own.side} side owes the next choice of that position, so it accepts and the {side} side proposes: let "
        f"your opponent run 'kursk offer FOLDER successor'{then}"
    )


def offer(desk: Desk, proposal: Path) -> tuple[Checked, list[str]]:
    """The offer of a successor whose message 0 is ``proposal``, to be signed; and its terms in words."""
    new, terms = _look(desk, proposal)
    return drafts.offer(desk, {"kind": "successor", "game": new.chain.game}), terms


def _look(desk: Desk, proposal: Path) -> tuple[Game, list[str]]:
    """A proposal that can be agreed to where the game stands now, and its terms. TrustError, FileError, UsageError."""
    games, new = successor.history(desk.folder), successor.read(proposal)
    try:
        terms = successor.terms(games, new)
    except TrustError as error:
        raise TrustError(error.fault, error.message, Where(str(proposal))) from None
    if successor.standing(games, new) != successor.OPEN:
        last = new.chain.head["continues"]["seq"]
        raise UsageError(f"{proposal} was for another moment, when message {last} was the last; write a new one")
    return new, terms


def seen(desk: Desk, proposal: Path) -> list[str]:
    """The terms of a proposal, for one who may only hand it over: the other side writes next."""
    return _look(desk, proposal)[1]


def accept(desk: Desk, proposal: Path | None) -> tuple[Checked, list[str], Path | None]:
    """The acceptance of the open offer, to be signed; the terms of a successor, and where its message 0 lies."""
    reply = drafts.reply(desk, "accept")
    offered = desk.game.chain.offer
    if "game" not in offered:
        if proposal is not None:
            raise UsageError(f"a draw is offered; {proposal} has nothing to do with it")
        return reply, [], None
    path = proposal or folders.message_path(desk.folder.resolve().parent / folders.folder_name(offered["game"]), 0)
    if not path.is_file():
        raise UsageError(
            f"name the proposal that was mailed with the offer, to see what you agree to: 'kursk reply {desk.folder} "
            "accept 0000.yaml'"
        )
    if successor.read(path).chain.game != offered["game"]:
        raise UsageError(f"{path} is another proposal than the one that is offered ({offered['game'][:32]})")
    return reply, _look(desk, path)[1], path


def decline(desk: Desk) -> Checked:
    """The refusal of the offer that is open, to be signed."""
    return drafts.reply(desk, "decline")


def takes(path: Path, side: str) -> bool:
    """Whether a side writes message 1 of a proposal: it takes the proposal with ``kursk accept``."""
    return successor.read(path).chain.writer(1) == side
