"""6.0, 2.0-d, 8.0: the defender's answers, filed for the battles declared or standing in the open.

``no-retreat`` yes or no, ``withdraw`` 0, 1 or 2 hexes in all, ``retreat`` wishes for the way. Looked for by battle, hex
and whole side; nothing filed is no, 0 and the usual way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kursk_pbem.kernel.hexes import plans
from kursk_pbem.kernel.state import STANDING
from kursk_pbem.rulesets.juggernauts.orders import BATTLES, POLICY

NO_RETREAT, WITHDRAW, RETREAT, INTERCEPT = "no-retreat", "withdraw", "retreat", "intercept"


@dataclass(frozen=True)
class Answer:
    """What the defenders of a hex do: J-16, J-53."""

    no_retreat: bool = False
    withdraw: int = 0
    retreat: tuple[str, ...] = ()


def filed(agenda: Mapping[str, Any], owner: str) -> Mapping[str, Any]:
    """The policy of a side as it waits in the agenda: for the battles declared, or standing in the open."""
    if standing := agenda.get(STANDING + owner):
        return dict(standing["policy"])
    return dict(agenda.get(POLICY, {}))


def answer_of(agenda: Mapping[str, Any], owner: str, battle: str, label: str) -> Answer:
    """6.0, J-16: the answer for one hex."""
    policy = filed(agenda, owner)
    tables = (policy.get(BATTLES, {}).get(battle, {}), policy.get("hexes", {}).get(label, {}), policy)

    def found(key: str, usual: Any) -> Any:
        return next((table[key] for table in tables if key in table), usual)

    wishes = plans.read({RETREAT: found(RETREAT, [])}, (RETREAT,))[RETREAT]
    return Answer(found(NO_RETREAT, "no") == "yes", int(found(WITHDRAW, "0")), wishes)
