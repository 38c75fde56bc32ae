"""6.0, 2.0-d, 8.0: the defender's answers to declared attacks, or standing answers.

``no-retreat``: yes or no; ``withdraw``: 0, 1 or 2 hexes in all; ``retreat``: wishes for the way; ``crowd``: stay, lose
or on, if units retreat into a full hex (J-45). An answer for a unit (J-70) overrides an answer for a battle, then for a
hex, then for the side. The defaults are no, 0, the umpire's way and stay.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.hexes import plans, policies
from kursk_pbem.kernel.hexes.policies import BATTLES, BY_HEX, BY_UNIT
from kursk_pbem.kernel.orders import Filing, Path
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.juggernauts.setting import Setting

NO_RETREAT, WITHDRAW, RETREAT, CROWD, INTERCEPT = "no-retreat", "withdraw", "retreat", "crowd", "intercept"
STAY, LOSE, ON = "stay", "lose", "on"


@frozen
class Going:
    """The answer for one unit: whether it has No Retreat! orders, how far it withdraws, and wishes for its way."""

    no_retreat: bool = False
    withdraw: int = 0
    retreat: tuple[str, ...] = ()
    crowd: str = STAY


@frozen
class Answer:
    """The defender's answer for a hex (J-16, J-53). ``places``: its places in the policy, most specific first."""

    policy: Mapping[str, Any]
    places: tuple[tuple[str, str], ...]

    def for_unit(self, uid: str) -> Going:
        """2.0-d, 6.0, 8.0, 12.0, J-70: return the answer for one defending unit."""
        keys, places = (NO_RETREAT, WITHDRAW, RETREAT, CROWD), ((BY_UNIT, uid), *self.places)
        firm, far, ways, crowd = (policies.find_answer(self.policy, key, places) for key in keys)
        return Going(firm == "yes", int(far or 0), plans.read_plan({RETREAT: ways}, (RETREAT,))[RETREAT], crowd or STAY)


def find_answer(agenda: Mapping[str, Any], owner: str, battle: str, label: str) -> Answer:
    """6.0, J-16, J-70: return the defender's answer to an attack on one hex."""
    return Answer(policies.filed_policy(agenda, owner), ((BATTLES, battle), (BY_HEX, label)))


def find_misnamed(setting: Setting, side: str, policy: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """6.0, J-70: yield each unknown unit or hex in a policy (standing answers) as (place, reason)."""
    return policies.find_misnamed(policy, policies.hex_table(setting.board), policies.unit_table(setting, side))


def _check_policy(umpire: Umpire[Setting], filing: Filing) -> None:
    """6.0, J-70: refuse unknown units and hexes in a policy."""
    policies.refuse_policy(umpire, "6.0", find_misnamed(umpire.setting, filing.writer, filing.policy))
    for path, part in policies.split_parts(filing.policy, (BATTLES, BY_HEX, BY_UNIT)):
        for wish in part.get(RETREAT, ()):
            if slip := plans.way_slip(wish, umpire.setting.board, 2):
                umpire.refuse("8.0", slip, RETREAT, ("policy", *path, RETREAT))
    for number, plane in enumerate(filing.policy.get(INTERCEPT, ())):
        entry = umpire.setting.planes.get(plane)
        if not umpire.setting.air or entry is None or entry.side != filing.writer:
            umpire.refuse("20.2", "is no air unit of yours in this game", plane, ("policy", INTERCEPT, number))


POLICIES = policies.Policies("6.0", "6.0", "attack", "units, hexes", "\"no-retreat: 'yes'\"", _check_policy)
"""6.0, 2.0-d: answers to declared attacks, or standing answers if a referee rolls."""
