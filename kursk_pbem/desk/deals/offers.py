"""Offers and replies at a player's desk, for ``kursk offer`` and ``kursk reply``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kursk_pbem.desk.deals import begin
from kursk_pbem.desk.draft import drafts, policies
from kursk_pbem.desk.draft.drafts import Checked
from kursk_pbem.desk.own import desks
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.errors import KurskError, TrustError, UsageError, Where, shell_word
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import folders, journal, keyring, successor
from kursk_pbem.game.games import Game
from kursk_pbem.game.journal import Record
from kursk_pbem.game.successor import Terms
from kursk_pbem.trust import sshsig


def propose_successor(desk: Desk, terms: Terms, new_key: Path | None, parent: Path) -> Path:
    """Write message 0 of a successor game below ``parent`` and return the path.

    The proposal binds a player only after one side offers the game and the other side accepts. A repeated call
    uses an equal existing proposal again. Raises UsageError if the other side must propose.
    """
    own = desk.own or desk.record_of_writer()
    if desk.mine and own.side != REFEREE:
        drafts.make_offer(desk, "draw")  # check for a legal offer before writing
    side, pinned, state = successor.plan(desk.history.games, terms)
    if side != own.side:
        raise UsageError(_explain_not_yours(desk, own, side))
    if there := _find_written({"from": side, **pinned, "state-out": state.sha256()}, parent, own.home):
        return there
    return begin.issue_proposal(side, pinned, state, new_key or Path(own.key), parent, own.home, own.opponent).newest


def _find_written(said: Mapping[str, Any], parent: Path, home: Path) -> Path | None:
    """Return the path of an identical signed proposal below ``parent`` without a message 1, or None."""
    for path in sorted(parent.glob("game-*/0000.yaml")):
        try:
            message = folders.read_message(path) if b"continues" in folders.read_bytes(path) else None
            own = journal.find(home, message.id) if message else None
            slot = own.read_slot(0) if own else None
        except KurskError:
            continue  # ignore faults of unrelated games
        if message is None or slot is None or (slot.kind, slot.id) != (journal.SIGNED, message.id):
            continue
        same = all(message.content.get(key) == value for key, value in said.items())
        if same and not folders.message_path(path.parent, 1).exists():
            return path
    return None


def _explain_not_yours(desk: Desk, own: Record, side: str) -> str:
    if side == REFEREE:
        how = "let the referee run 'kursk offer FOLDER successor' and mail the new file to you and your opponent"
        return f"the referee writes the proposal in this game: {how}"
    then = ", and mail you the new file"
    if desk.mine:
        then += f": you offer the file with 'kursk offer {shell_word(desk.folder)} successor 0000.yaml'"
    return (
        f"the {own.side} side makes the first choice of the new game, so the {side} side must propose: let your "
        f"opponent run 'kursk offer FOLDER successor'{then}"
    )


def make_successor_offer(desk: Desk, proposal: Path, new_key: Path | None = None) -> tuple[Checked, list[str]]:
    """Return the message that offers a successor game, ready to sign, and the terms of the successor game."""
    new = successor.read(proposal)
    _check_origin(desk, new, str(proposal))
    checked = drafts.make_offer(desk, "successor", game=new.chain.game)
    _check_own_key(desk, new, proposal, new_key)
    return checked, _describe_terms(desk, new, undone=bool(checked.result.events))


def _check_origin(desk: Desk, new: Game, named: str) -> None:
    """Check that a proposal continues the current position. Raises TrustError or UsageError."""
    games = desk.history.games
    try:
        successor.find_origin(games, new)
    except TrustError as error:
        raise TrustError(error.fault, error.message, Where(named)) from None
    if successor.find_agreement(games, new) != successor.OPEN:
        last = new.chain.head["continues"]["seq"]
        raise UsageError(
            f"{named} continues the position after message {last}, not the newest position: ask for a new proposal"
        )


def _describe_terms(desk: Desk, new: Game, *, undone: bool = False) -> list[str]:
    own = desk.own or desk.record_of_writer()
    lines = successor.describe_terms(desk.history.games, new, undone=undone, side=own.side)
    if policies.make_policy_path(own).exists():
        lines.append("your standing policy stays with the old game: for the new game, type 'kursk policy'")
    return lines


def describe_proposal(desk: Desk, proposal: Path, named: str = "") -> list[str]:
    """Return the terms of a proposed successor game, for a player who waits for the next message.

    ``named``: the name of the proposal's file in error messages.
    """
    new = successor.read(proposal)
    _check_origin(desk, new, named or str(proposal))
    return _describe_terms(desk, new)


def _check_own_key(desk: Desk, new: Game, proposal: Path, new_key: Path | None) -> None:
    """Raise UsageError if the player would not play the same side in the new game.

    A stranger's proposal may name any key for the player's side.
    """
    own = desk.own or desk.record_of_writer()
    pinned = new.chain.keys[own.side]
    if new.chain.writer(0) == own.side:
        if journal.find(own.home, new.chain.game) is None:
            raise UsageError(
                f"{proposal} names you, the {own.side} side, as the proposer, but this machine did not write the "
                "proposal: the real writer would play your side"
            )
    elif pinned != desk.game.chain.keys[own.side] and (new_key is None or keyring.find_public_key(new_key) != pinned):
        raise UsageError(
            f"{proposal} has a new key for your side, {sshsig.fingerprint(pinned)}. If the new key is yours, give its "
            "file with --new-key. Otherwise the owner of the new key would play your side"
        )


def make_acceptance(
    desk: Desk, proposal: Path | None, new_key: Path | None = None
) -> tuple[Checked, list[str], Path | None]:
    """Return the acceptance of the open offer, the terms of the successor game, and the path of its message 0.

    ``new_key``: the player's key for the new game. Raises UsageError, FileError or TrustError.
    """
    reply = drafts.make_reply(desk, "accept")
    offered = desk.game.chain.offer
    if "game" not in offered:
        if proposal is not None:
            raise UsageError(f"an offer of a draw is accepted without a proposal: leave {proposal} out")
        return reply, [], None
    path = proposal or folders.message_path(desk.folder.resolve().parent / folders.folder_name(offered["game"]), 0)
    if not path.is_file():
        raise UsageError(
            "the program needs the proposal of the new game, which came in the mail with the offer: type 'kursk "
            f"reply {shell_word(desk.folder)} accept 0000.yaml'"
        )
    new = successor.read(path)
    if new.chain.game != offered["game"]:
        raise UsageError(f"{path} is not the offered proposal ({offered['game'][:32]})")
    _check_origin(desk, new, str(path))
    _check_own_key(desk, new, path, new_key)
    offer = desk.history.steps[-2 if new.chain.refereed else -1]  # a referee has passed on the offer
    return reply, _describe_terms(desk, new, undone=offer.after.state != offer.before.state), path


def find_unoffered(desk: Desk) -> tuple[Desk, str] | None:
    """Return the earlier game of a successor game that still needs an offer, and a status; otherwise None.

    The result is None for other games, and after an offer or acceptance. Raises KurskError.
    """
    said, own = desk.game.chain.head.get("continues"), desk.own
    elder = journal.find(own.home, said["game"]) if said and own and not desk.last.seq else None
    if elder is None or own is None:
        return None
    old = desks.open_desk(Path(elder.folder), own.home)
    outcome = successor.find_agreement(old.history.games, desk.game)
    on_its_way = outcome == successor.OPEN and (old.game.chain.offer or not old.mine)
    return None if outcome == successor.ACCEPTED or on_its_way else (old, outcome)
