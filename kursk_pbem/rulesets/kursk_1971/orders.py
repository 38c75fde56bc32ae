"""Typed orders from and to plain data: attacks from the air, ground attacks, and plans."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import field
from typing import Any

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.hexes import plans
from kursk_pbem.kernel.hexes.board import Board
from kursk_pbem.kernel.orders import Path

SKIP, ATTACK = "skip", "attack"  # without close support, skip the attack or attack (S-51)


@frozen
class Plan(plans.Wishes):
    """The attacker's wishes: enemy retreats, losses in an exchange, advances."""

    retreat: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()
    advance: tuple[str, ...] = ()


PLAN_KEYS = Plan.kinds()


@frozen
class Battle:
    """A ground attack on ``hex``. ``support``: the air unit that gives close support, or ''."""

    id: str
    hex: int
    attackers: tuple[str, ...]
    support: str = ""
    unsupported: str = SKIP
    plan: Plan = field(default=Plan())
    at: Path = ()

    @classmethod
    def from_plain(cls, entry: Mapping[str, Any], index: Mapping[str, int], at: Path = ()) -> Battle:
        """Return an attack from an order or from the agenda. An unknown hex becomes -1."""
        return cls(
            entry["id"],
            index.get(entry["hex"], -1),
            tuple(entry["attackers"]),
            entry.get("support", ""),
            entry.get("unsupported", SKIP),
            Plan.from_plain(entry.get("plan", entry)),
            at,
        )

    def to_plain(self, label: str) -> dict[str, Any]:
        """Return the attack as plain data for the agenda. An open plan is included, but a sealed plan is not."""
        entry: dict[str, Any] = {"id": self.id, "hex": label, "attackers": list(self.attackers)}
        if self.support:
            entry |= {"support": self.support, "unsupported": self.unsupported}
        if self.plan != Plan():
            entry["plan"] = self.plan.to_plain()
        return entry


@frozen
class Raid:
    """9.0-d4: an air superiority attack on the ground element of an air unit."""

    id: str
    base: str
    aircraft: tuple[str, ...]

    @classmethod
    def from_plain(cls, entry: Mapping[str, Any]) -> Raid:
        """Return an air superiority attack from an order or the agenda."""
        return cls(entry["id"], entry["base"], tuple(entry["aircraft"]))

    def to_plain(self) -> dict[str, Any]:
        """Return the air superiority attack as plain data for the agenda."""
        return {"id": self.id, "base": self.base, "aircraft": list(self.aircraft)}


def split_wish(wish: str, units: Collection[str]) -> tuple[str, str]:
    """Split 'g-6pz toward 1925' into ('g-6pz', 'toward 1925'). A wish without a unit becomes ('', wish)."""
    first, _space, rest = wish.partition(" ")
    return (first, rest) if first in units and rest else ("", wish)


def find_retreat_fault(wish: str, units: Collection[str], board: Board) -> str:
    """S-13, S-40: return why a wish for a retreat can never apply, or ''."""
    way = split_wish(wish, units)[1]
    slip = plans.way_slip(way, board, 1)
    return slip.replace("'toward HEX'", "'toward HEX', perhaps with a unit before it,") if slip else ""


def find_plan_faults(battle: Battle, plan: Plan, units: Mapping[str, Any], board: Board) -> Iterator[tuple[str, str]]:
    """Yield each wish of a plan that can never apply, as (key, reason). The owner sees the reasons before sealing."""
    for wish in plan.retreat:
        if slip := find_retreat_fault(wish, units, board):
            yield "retreat", slip
    side = units[battle.attackers[0]].side
    own = [uid for uid, counter in units.items() if counter.side == side]
    for key, named, known in (("losses", plan.losses, battle.attackers), ("advance", plan.advance, own)):
        for number, wish in enumerate(named):
            if wish not in known:
                yield key, f"{wish} takes no part in this attack" if key == "losses" else f"{wish} is no unit of yours"
            elif wish in named[:number]:
                yield key, f"{wish} is named twice"
