"""A player's typed ``orders``, each with its place in the file, and the form of waiting battles.

Rulings K-73 to K-78 define grammar and defaults of plans. A sealed plan arrives unchecked, so its meaningless parts
have no effect and never stop the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.hexes import plans
from kursk_pbem.kernel.hexes.board import Board
from kursk_pbem.kernel.orders import Path

IF_FREE, IF_SUPPLIED = "if-free", "if-supplied"
GUARDS = (IF_FREE, IF_SUPPLIED)


@frozen
class Plan(plans.Wishes):
    """An attacker's wishes for one battle, in lists by preference (K-76 to K-78)."""

    retreat: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()
    advance: tuple[str, ...] = ()


PLAN_KEYS = Plan.kinds()


@frozen
class Battle:
    """One battle: units by id, the defender's hex as an index. ``lead``: the leader of an Offensive, or ''.

    ``rolled``: the die of a battle that waits for a decision (K-75). ``at``: the place of the order.
    """

    id: str
    hex: int
    defender: str
    attackers: tuple[str, ...]
    lead: str = ""
    support: tuple[str, ...] = ()
    plan: Plan = Plan()
    rolled: str = ""
    at: Path = field(default=(), compare=False)

    @property
    def participants(self) -> tuple[str, ...]:
        """The attackers and the supporters in a battle. Each of them can suffer losses (9.2.1)."""
        return (*self.attackers, *self.support)

    @classmethod
    def from_plain(cls, entry: Mapping[str, Any], index: Mapping[str, int], at: Path = ()) -> Battle:
        """Return a battle from an order or the agenda. An unknown hex becomes -1, and an order names no defender."""
        offensive = entry.get("offensive", entry)
        return cls(
            entry["id"],
            index.get(entry["hex"], -1),
            entry.get("defender", ""),
            tuple(entry["attackers"]),
            offensive.get("lead", ""),
            tuple(offensive.get("support", ())),
            Plan.from_plain(entry.get("plan", entry)),
            entry.get("rolled", ""),
            at,
        )

    def to_plain(self, label: str) -> dict[str, Any]:
        """Return the battle as plain data for the agenda. An open plan is included, but a sealed plan is not."""
        entry: dict[str, Any] = {"id": self.id, "hex": label, "defender": self.defender}
        entry["attackers"] = list(self.attackers)
        if self.lead:
            entry |= {"lead": self.lead, "support": list(self.support)}
        if self.rolled:
            entry["rolled"] = self.rolled
        if self.rolled or self.plan != Plan():
            entry["plan"] = self.plan.to_plain()
        return entry


def plan_slips(battle: Battle, plan: Plan, board: Board) -> Iterator[tuple[str, str]]:
    """Yield each wish of a plan that can never apply, as (key, reason). The owner sees the reasons before sealing."""
    for wish in plan.retreat:
        if slip := plans.way_slip(wish, board, 2):
            yield "retreat", slip
    for wish in plan.losses:
        if wish not in battle.participants:
            yield "losses", f"{wish} takes no part in this battle"
    for wish in plan.advance:
        uid, _space, guard = wish.partition(" ")
        if uid not in battle.attackers:
            yield "advance", f"{uid} is no front-line attacker of this battle"
        if guard and guard not in GUARDS:
            yield "advance", f"'{guard}' is not {IF_FREE} or {IF_SUPPLIED}"
