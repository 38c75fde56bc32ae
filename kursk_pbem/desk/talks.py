"""What a player at a board says in place of orders: a draw, an answer to an offer, giving up. And standing answers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kursk_pbem.desk import drafts, offers, play
from kursk_pbem.desk import policy as policies
from kursk_pbem.desk.desk import Desk
from kursk_pbem.desk.drafts import Checked
from kursk_pbem.errors import UsageError
from kursk_pbem.game import reports

MOST_POLICY = 1 << 16
"""Characters of a standing policy that a page may send."""


@dataclass(frozen=True)
class Talk:
    """Something to be signed in place of orders, and what it means, a sentence each."""

    checked: Checked
    lines: tuple[str, ...]
    path: Path | None = None


def of(desk: Desk, what: str) -> Talk:
    """What ``draw``, ``resign``, ``accept`` or ``decline`` would say. UsageError says why it cannot be said now."""
    desk.unlocked(replying=what in ("accept", "decline"))
    if what == "draw":
        said = "You offer a draw in place of your orders. Dice and reveals that are due happen all the same."
        return Talk(offers.draw(desk), (said, "If it is declined, you give your orders with your next message."))
    if what == "resign":
        return Talk(drafts.resignation(desk), ("You resign. What is due still happens, then the other side wins.",))
    offered = reports.offered(desk.game.chain.offer)
    if what == "accept":
        checked, terms, path = offers.accept(desk, None)
        return Talk(checked, (f"You accept the offer: {offered}. It ends this game.", *terms), path)
    if what == "decline":
        return Talk(offers.decline(desk), (f"You decline the offer: {offered}. The game goes on.",))
    raise UsageError("this cannot be said")


def sign(desk: Desk, talk: Talk, key: str | None) -> tuple[str, ...]:
    """Sign it. What to do next, a sentence each."""
    signed = play.sign(desk, talk.checked, key)
    lines = [f"Wrote {signed.newest}: {desk.to_mail}."]
    if talk.path is not None and desk.own is not None and offers.takes(talk.path, desk.own.side):
        lines.append(f"Then take the new game, whose message 1 is yours: drop {talk.path} on your games.")
    return tuple(lines)


def store_policy(desk: Desk, text: str) -> str:
    """Keep the standing policy of this player, or take it away where the text is empty. KurskError."""
    own = desk.own
    if own is None:
        raise UsageError("this machine keeps no private record of this game")
    if len(text) > MOST_POLICY:
        raise UsageError("a policy is a few lines; this is too long")
    if not text.strip():
        policies.path(own).unlink(missing_ok=True)
        return "There is no standing policy now."
    raw = text.replace("\r\n", "\n").rstrip("\n") + "\n"
    policies.store(own, desk.game, raw.encode("utf-8"), "the standing policy")
    return "Kept. It is written into each answer in which it can matter; one that is being written stays as it is."
