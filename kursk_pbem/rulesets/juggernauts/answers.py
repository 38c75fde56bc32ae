"""6.0, 2.0-d, 8.0: the defender's answers, filed for the battles declared or standing in the open.

``no-retreat`` yes or no, ``withdraw`` 0, 1 or 2 hexes in all, ``retreat`` wishes for the way. Looked for by battle, hex
and whole side; nothing filed is no, 0 and the usual way. ``units`` names single units, which withdraw otherwise than
the others of their hex, or by a way of their own (J-70).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kursk_pbem.kernel.hexes import plans
from kursk_pbem.kernel.state import STANDING
from kursk_pbem.rulesets.juggernauts.orders import BATTLES, POLICY

NO_RETREAT, WITHDRAW, RETREAT, INTERCEPT, BY_UNIT = "no-retreat", "withdraw", "retreat", "intercept", "units"


@dataclass(frozen=True)
class Going:
    """How far units withdraw, in hexes in all, and what they wish for the way."""

    withdraw: int = 0
    retreat: tuple[str, ...] = ()


@dataclass(frozen=True)
class Answer:
    """What the defenders of a hex do (J-16, J-53): ``said`` of all, the first table first; of units by id (J-70)."""

    no_retreat: bool
    said: tuple[Mapping[str, Any], ...]
    units: Mapping[str, Mapping[str, Any]]

    def of(self, uid: str) -> Going:
        """2.0-d, 8.0: what one of them does."""
        tables = (self.units.get(uid, {}), *self.said)
        far = next((table[WITHDRAW] for table in tables if WITHDRAW in table), "0")
        listed = next((table for table in tables if RETREAT in table), {})
        return Going(int(far), plans.read(listed, (RETREAT,))[RETREAT])


def filed(agenda: Mapping[str, Any], owner: str) -> Mapping[str, Any]:
    """The policy of a side as it waits in the agenda: for the battles declared, or standing in the open."""
    if standing := agenda.get(STANDING + owner):
        return dict(standing["policy"])
    return dict(agenda.get(POLICY, {}))


def answer_of(agenda: Mapping[str, Any], owner: str, battle: str, label: str) -> Answer:
    """6.0, J-16, J-70: the answer for one hex; what is not said of a unit is as it is said of its hex."""
    policy = filed(agenda, owner)
    tables = (policy.get(BATTLES, {}).get(battle, {}), policy.get("hexes", {}).get(label, {}), policy)
    steady = next((table[NO_RETREAT] for table in tables if NO_RETREAT in table), "no")
    return Answer(steady == "yes", tables, policy.get(BY_UNIT, {}))
