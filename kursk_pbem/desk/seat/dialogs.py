"""Statements of a player in place of orders, such as offers, replies and a resignation; standing answers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kursk_pbem.desk.deals import offers, successors
from kursk_pbem.desk.draft import drafts, policies
from kursk_pbem.desk.draft.drafts import Checked
from kursk_pbem.desk.ground import machine
from kursk_pbem.desk.ground.shown import Shown
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.desk.turn import play
from kursk_pbem.errors import UsageError
from kursk_pbem.formats.canonical import sha256_hex
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders, reports, successor


@frozen
class Talk:
    """A statement that a player signs instead of orders, such as an offer, with sentences about its meaning.

    ``checked``: the message to sign, or None. ``path``: the proposal file of a successor game.
    """

    checked: Checked | None
    lines: tuple[str, ...]
    path: Path | None = None

    @property
    def shown(self) -> Shown:
        """The text to show before signing, with its data."""
        proposal = sha256_hex(folders.read_bytes(self.path)) if self.path is not None else ""
        signed = self.checked.content if self.checked is not None else {}
        return Shown("\n".join(self.lines), {"sign": signed, "proposal": proposal, "path": str(self.path or "")})


AS_GAME = "the proposal (see your games)"
GOES_ON = "If your opponent agrees, the game ends, and a new game continues the position:"


def make_talk(desk: Desk, what: str, said: Mapping[str, str]) -> Talk:
    """Return a statement instead of orders. ``what``: draw, resign, successor, offer, accept or decline.

    ``said``: the terms of a successor game to propose now. ``offer`` offers a successor game whose proposal came by
    mail. Raises UsageError if the statement is not possible.
    """
    if what == "successor":
        return _propose_successor(desk, said)
    desk.unlocked(replying=what in ("accept", "decline"))
    desk.need_unsigned()
    if what == "draw":
        text = "You offer a draw instead of orders. Dice and reveals of your message still happen."
        return Talk(drafts.make_offer(desk, "draw"), (text, "After a refusal, your next message contains your orders."))
    if what == "resign":
        return Talk(
            drafts.make_resignation(desk), ("You resign. The dice of your message fall, then your opponent wins.",)
        )
    if what == "offer":
        path = successors.find_kept(desk)
        if path is None:
            raise UsageError("the program has no proposal to offer now")
        checked, terms = offers.make_successor_offer(desk, path)
        return Talk(checked, (GOES_ON, *terms), path)
    offered = reports.describe_offer(desk.game.chain.offer)
    if what == "accept":
        checked, terms, path = offers.make_acceptance(desk, successors.find_kept(desk))
        return Talk(checked, (f"You accept the offer: {offered}. The game ends.", *terms), path)
    if what == "decline":
        return Talk(drafts.make_reply(desk, "decline"), (f"You decline the offer: {offered}. The game continues.",))
    raise UsageError("unknown statement")


def _propose_successor(desk: Desk, said: Mapping[str, str]) -> Talk:
    """Write the proposal of a successor, and prepare its offer if the player writes the next message."""
    desk.need_record()
    if desk.mine:
        desk.unlocked()
        desk.need_unsigned()
    path = offers.propose_successor(desk, successors.read_terms(desk, said), None, desk.folder.resolve().parent)
    if desk.mine:
        checked, terms = offers.make_successor_offer(desk, path)
        return Talk(checked, (GOES_ON, *terms), path)
    written = machine.name_file(path, AS_GAME)
    then = f"Wrote {written}: mail it. The proposal has no effect before {desk.game.due} offers it in the game."
    return Talk(None, (GOES_ON, *offers.describe_proposal(desk, path), then))


def sign_talk(desk: Desk, talk: Talk, key: str | None) -> tuple[str, ...]:
    """Sign the statement, and return sentences about the player's next steps."""
    if talk.checked is None:
        raise UsageError("nothing to sign")
    signed = play.sign_shown(desk, talk.checked, key)
    lines = [f"Wrote {machine.name_file(signed.newest.resolve())}: {desk.to_mail}."]
    if talk.path is not None and "offer" in signed.last.content:
        lines.append(f"Mail {machine.name_file(talk.path, AS_GAME)} with it.")
    elif talk.path is not None and successor.read(talk.path).chain.writer(1) == desk.own_side:
        proposal = machine.name_file(talk.path, "its mail once more")
        lines.append(f"You write message 1 of the new game: drop {proposal} on your games.")
    return tuple(lines)


def store_policy(desk: Desk, text: str, seen: str) -> tuple[str, str]:
    """Save the player's standing answers (policy); an empty text deletes them. Return a report and the new hash.

    ``seen``: the hash of the policy that the page showed. Raises KurskError.
    """
    own = desk.need_record()
    if not text.strip():
        policies.delete_policy(own, seen)
        return "There is no standing policy now.", ""
    raw = text.replace("\r\n", "\n").rstrip("\n") + "\n"
    policies.store_policy(own, desk.game, raw.encode("utf-8"), "the standing policy", seen)
    said = "Saved. New answers will contain the standing policy; your present draft does not change."
    return said, policies.make_stamp(raw.encode("utf-8"))
