"""Offers and replies at a player's desk: what ``kursk offer`` and ``kursk reply`` do. No printing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kursk_pbem.desk import begin, desks, policies
from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.draft.drafts import Checked
from kursk_pbem.errors import KurskError, TrustError, UsageError, Where, shell_word
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import folders, journal, keyring, successor
from kursk_pbem.game.games import Game
from kursk_pbem.game.journal import Record
from kursk_pbem.game.successor import Terms
from kursk_pbem.trust import sshsig


def draw(desk: Desk) -> Checked:
    """The offer of a draw, to be signed. UsageError says why it cannot be made now."""
    return drafts.offer(desk, {"kind": "draw"})


def propose(desk: Desk, terms: Terms, new_key: Path | None, parent: Path) -> Path:
    """Write message 0 of a successor below ``parent``; its path. UsageError if this player is not the one to propose.

    It binds nobody until the writer of the next message offers it and the other side accepts. One that says the same
    and lies there already is taken again, so that a command that was cut off can be given again.
    """
    own = desk.own or desk.record_of_writer()
    if desk.mine and own.side != REFEREE:
        drafts.offer(desk, {"kind": "draw"})  # whether anything can be offered now, before anything is written
    side, pinned, state = successor.plan(desk.history.games, terms)
    if side != own.side:
        raise UsageError(_not_yours(desk, own, side))
    if there := _written_before({"from": side, **pinned, "state-out": state.sha256()}, parent, own.home):
        return there
    return begin.issue(side, pinned, state, new_key or Path(own.key), parent, own.home, own.opponent).newest


def _written_before(said: Mapping[str, Any], parent: Path, home: Path) -> Path | None:
    """A proposal below ``parent`` that this player has signed, that says all this and is not played yet; or None."""
    for path in sorted(parent.glob("game-*/0000.yaml")):
        try:
            message = folders.read_message(path) if b"continues" in folders.read_bytes(path) else None
            own = journal.find(home, message.id) if message else None
            slot = own.slot(0) if own else None
        except KurskError:
            continue  # some other game's fault is not ours to tell
        if message is None or slot is None or (slot.kind, slot.id) != (journal.SIGNED, message.id):
            continue
        same = all(message.content.get(key) == value for key, value in said.items())
        if same and not folders.message_path(path.parent, 1).exists():
            return path
    return None


def _not_yours(desk: Desk, own: Record, side: str) -> str:
    if side == REFEREE:
        how = "let the referee run 'kursk offer FOLDER successor' and mail what it writes to both"
        return f"in this game the referee writes the proposal: {how}"
    then = ", and mail you the file it writes"
    if desk.mine:
        then += f": you offer that file with 'kursk offer {shell_word(desk.folder)} successor 0000.yaml'"
    return (
        f"the {own.side} side owes the next choice of that position, so it accepts and the {side} side proposes: let "
        f"your opponent run 'kursk offer FOLDER successor'{then}"
    )


def offer(desk: Desk, proposal: Path, new_key: Path | None = None) -> tuple[Checked, list[str]]:
    """The offer of a successor whose message 0 is ``proposal``, to be signed; and its terms in words."""
    new = successor.read(proposal)
    _check_origin(desk, new, str(proposal))
    checked = drafts.offer(desk, {"kind": "successor", "game": new.chain.game})
    _need_own_key(desk, new, proposal, new_key)
    return checked, _told(desk, new, undone=bool(checked.result.events))


def _check_origin(desk: Desk, new: Game, named: str) -> None:
    """Whether a proposal, ``named`` so, goes on from where the game here stands now. TrustError, UsageError."""
    games = desk.history.games
    try:
        successor.origin(games, new)
    except TrustError as error:
        raise TrustError(error.fault, error.message, Where(named)) from None
    if successor.standing(games, new) != successor.OPEN:
        last = new.chain.head["continues"]["seq"]
        raise UsageError(
            f"{named} was for another moment, when message {last} was the last: its writer writes a new one"
        )


def _told(desk: Desk, new: Game, *, undone: bool = False) -> list[str]:
    """The terms for the player at this desk. What the player keeps at home stays with this game."""
    own = desk.own or desk.record_of_writer()
    lines = successor.terms(desk.history.games, new, undone=undone, side=own.side)
    if policies.path(own).exists():
        lines.append("your standing policy stays with the old game: give it again in the new one with 'kursk policy'")
    return lines


def seen(desk: Desk, proposal: Path, named: str = "") -> list[str]:
    """The terms of a proposal, for a player who may only hand it over: the other side writes next.

    ``named``: what it is called where it is refused, and its path says nothing.
    """
    new = successor.read(proposal)
    _check_origin(desk, new, named or str(proposal))
    return _told(desk, new)


def _need_own_key(desk: Desk, new: Game, proposal: Path, new_key: Path | None) -> None:
    """UsageError if the player who agrees here would not play the same side in the new game.

    The proposal of a stranger may name any key for a side, also one that its owner has never seen.
    """
    own = desk.own or desk.record_of_writer()
    pinned = new.chain.keys[own.side]
    if new.chain.writer(0) == own.side:
        if journal.find(own.home, new.chain.game) is None:
            raise UsageError(
                f"{proposal} says that you, the {own.side} side, have proposed it, and this machine knows nothing of "
                "that: whoever wrote it would play your side"
            )
    elif pinned != desk.game.chain.keys[own.side] and (new_key is None or keyring.public_of(new_key) != pinned):
        raise UsageError(
            f"{proposal} names another key for your side ({sshsig.fingerprint(pinned)}): if that is yours name its "
            "file with --new-key; otherwise its owner would play your side"
        )


def accept(desk: Desk, proposal: Path | None, new_key: Path | None = None) -> tuple[Checked, list[str], Path | None]:
    """The acceptance of the open offer, to be signed; the terms of a successor, and where its message 0 lies.

    ``new_key`` is the key that this player will sign the new game with. UsageError, FileError, TrustError.
    """
    reply = drafts.reply(desk, "accept")
    offered = desk.game.chain.offer
    if "game" not in offered:
        if proposal is not None:
            raise UsageError(f"a draw is offered; {proposal} has nothing to do with it")
        return reply, [], None
    path = proposal or folders.message_path(desk.folder.resolve().parent / folders.folder_name(offered["game"]), 0)
    if not path.is_file():
        raise UsageError(
            f"name the proposal that was mailed with the offer, to see what you agree to: 'kursk reply "
            f"{shell_word(desk.folder)} accept 0000.yaml'"
        )
    new = successor.read(path)
    if new.chain.game != offered["game"]:
        raise UsageError(f"{path} is another proposal than the one that is offered ({offered['game'][:32]})")
    _check_origin(desk, new, str(path))
    _need_own_key(desk, new, path, new_key)
    offer = desk.history.steps[-2 if new.chain.refereed else -1]  # a referee has handed it on
    return reply, _told(desk, new, undone=offer.after.state != offer.before.state), path


def idle(desk: Desk) -> tuple[Desk, str] | None:
    """What a proposal of this player continues, and how that stands, while nobody is to get it; None of other games.

    It was not offered, or the other game has gone on without it. KurskError.
    """
    said, own = desk.game.chain.head.get("continues"), desk.own
    elder = journal.find(own.home, said["game"]) if said and own and not desk.last.seq else None
    if elder is None or own is None:
        return None
    old = desks.sit(Path(elder.folder), own.home)
    outcome = successor.standing(old.history.games, desk.game)
    on_its_way = outcome == successor.OPEN and (old.game.chain.offer or not old.mine)
    return None if outcome == successor.ACCEPTED or on_its_way else (old, outcome)


def decline(desk: Desk) -> Checked:
    """The refusal of the offer that is open, to be signed."""
    return drafts.reply(desk, "decline")


def takes(path: Path, side: str) -> bool:
    """Whether a side writes message 1 of a proposal: it takes the proposal with ``kursk accept``."""
    return successor.read(path).chain.writer(1) == side
