"""Typed orders: attacks on bases from the air, ground attacks and the plans for them, from and to plain data."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from kursk_pbem.kernel.hexes import plans
from kursk_pbem.kernel.hexes.board import Board
from kursk_pbem.kernel.orders import Path

SKIP, ATTACK = "skip", "attack"  # what becomes of an attack whose aircraft may not support it (S-51)


@dataclass(frozen=True)
class Plan(plans.Wishes):
    """Wishes of the attacker: where the enemy retreats, who is lost in an exchange, who advances."""

    retreat: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()
    advance: tuple[str, ...] = ()


PLAN_KEYS = Plan.kinds()


@dataclass(frozen=True)
class Battle:
    """A ground attack on everybody in ``hex``; ``support`` is the air unit that flies close support, '' for none."""

    id: str
    hex: int
    attackers: tuple[str, ...]
    support: str = ""
    unsupported: str = SKIP
    plan: Plan = field(default=Plan())
    at: Path = ()

    @classmethod
    def from_plain(cls, entry: Mapping[str, Any], index: Mapping[str, int], at: Path = ()) -> Battle:
        """The attack from an order, or as it waits in the agenda; a hex that is none is -1."""
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
        """The attack as it waits in the agenda; an open plan with it, a sealed one only as a hash elsewhere."""
        entry: dict[str, Any] = {"id": self.id, "hex": label, "attackers": list(self.attackers)}
        if self.support:
            entry |= {"support": self.support, "unsupported": self.unsupported}
        if self.plan != Plan():
            entry["plan"] = self.plan.to_plain()
        return entry


@dataclass(frozen=True)
class Raid:
    """9.0-d4: an air superiority attack on the ground element of one air unit."""

    id: str
    base: str
    aircraft: tuple[str, ...]

    @classmethod
    def from_plain(cls, entry: Mapping[str, Any]) -> Raid:
        """The attack from an order, or as it waits in the agenda."""
        return cls(entry["id"], entry["base"], tuple(entry["aircraft"]))

    def to_plain(self) -> dict[str, Any]:
        """As it waits in the agenda."""
        return {"id": self.id, "base": self.base, "aircraft": list(self.aircraft)}


def split(wish: str, units: Collection[str]) -> tuple[str, str]:
    """'g-6pz toward 1925' -> ('g-6pz', 'toward 1925'); without a unit of ``units`` in front ('', wish)."""
    first, _space, rest = wish.partition(" ")
    return (first, rest) if first in units and rest else ("", wish)


def retreat_slip(wish: str, units: Collection[str], board: Board) -> str:
    """S-13, S-40: what is wrong with a wish for a retreat, '' if it may apply."""
    way = split(wish, units)[1]
    slip = plans.way_slip(way, board, 1)
    return slip.replace("'toward HEX'", "'toward HEX', perhaps with a unit before it,") if slip else ""


def plan_slips(battle: Battle, plan: Plan, units: Mapping[str, Any], board: Board) -> Iterator[tuple[str, str]]:
    """What in a plan can never apply: (key, sentence). For its owner's own check, before it is sealed."""
    for wish in plan.retreat:
        if slip := retreat_slip(wish, units, board):
            yield "retreat", slip
    side = units[battle.attackers[0]].side
    own = [uid for uid, counter in units.items() if counter.side == side]
    for key, named, known in (("losses", plan.losses, battle.attackers), ("advance", plan.advance, own)):
        for number, wish in enumerate(named):
            if wish not in known:
                yield key, f"{wish} takes no part in this attack" if key == "losses" else f"{wish} is no unit of yours"
            elif wish in named[:number]:
                yield key, f"{wish} is named twice"
