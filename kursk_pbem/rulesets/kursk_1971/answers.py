"""8.0, S-58: the defender's answers before the dice: retreats, advances, and which patrols defend which base.

``retreat`` and ``advance`` are wishes, tried in order, for an attack, for a hex or for all attacks. ``patrol`` shares
out the aircraft over a base (S-52).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kursk_pbem.kernel.hexes import policies
from kursk_pbem.kernel.hexes.policies import BATTLES, BY_HEX
from kursk_pbem.kernel.orders import Filing, Path
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.kursk_1971.orders import find_retreat_fault
from kursk_pbem.rulesets.kursk_1971.position import PATROL
from kursk_pbem.rulesets.kursk_1971.setting import Setting

RETREAT, ADVANCE = ANSWERS = "retreat", "advance"


def find_misnamed(setting: Setting, side: str, policy: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """S-58: yield each unknown hex or air unit in a policy (standing answers) as (place, reason)."""
    yield from policies.find_misnamed(policy, policies.hex_table(setting.board))
    own = {uid for uid, counter in setting.counters.items() if counter.side == side and counter.air}
    why = "is no air unit of yours"
    yield from policies.find_misnamed(policy, (PATROL, own, why))
    for base, aircraft in policy.get(PATROL, {}).items():
        yield from (((PATROL, base, number), why) for number, uid in enumerate(aircraft) if uid not in own)


def _check(umpire: Umpire[Setting], filing: Filing) -> None:
    """S-52, S-58: refuse a policy with unknown or repeated names."""
    for path, part in policies.split_parts(filing.policy, (BATTLES, BY_HEX)):
        _check_wishes(umpire, filing.writer, part, path)
    for path, why in find_misnamed(umpire.setting, filing.writer, filing.policy):
        policies.refuse_policy(umpire, "9.0-d4" if path[0] == PATROL else "8.0", [(path, why)])
    seen: set[str] = set()
    for base, aircraft in filing.policy.get(PATROL, {}).items():
        for uid in aircraft:
            if uid in seen:
                umpire.refuse("9.0-d4", "is named twice", uid, ("policy", PATROL, base))
            seen.add(uid)


def _check_wishes(umpire: Umpire[Setting], side: str, part: Mapping[str, Any], path: Path) -> None:
    """8.0, S-52: refuse wishes for retreats and advances that can never apply."""
    counters, board = umpire.setting.counters, umpire.setting.board
    for wish in part.get(RETREAT, ()):
        if slip := find_retreat_fault(wish, counters, board):
            umpire.refuse("8.0-ar", slip, wish, ("policy", *path, RETREAT))
    seen: set[str] = set()
    for wish in part.get(ADVANCE, ()):
        uid, _space, label = wish.partition(" ")
        at = ("policy", *path, ADVANCE)
        if uid not in counters or counters[uid].side != side or (label and label not in board.index):
            umpire.refuse("8.0-advance", "type 'UNIT' or 'UNIT HEX', with a unit of your side", wish, at)
        elif uid in seen:
            umpire.refuse("8.0-advance", f"{uid} is named twice", wish, at)
        seen.add(uid)


POLICIES = policies.Policies("8.0", "8.0", "attack", "hexes", "'retreat: [away 1717]'", _check)
"""7.0, S-58: answers to declared attacks; standing answers in games with a referee."""


def find_wishes(agenda: Mapping[str, Any], owner: str, battle: str, label: str, key: str) -> tuple[str, ...]:
    """S-58: return the defender's wishes for an attack: wishes for its name, for its hex, or for all attacks."""
    return tuple(policies.find_answer(policies.filed_policy(agenda, owner), key, list_places(battle, label)) or ())


def list_places(battle: str, label: str) -> tuple[tuple[str, str], ...]:
    """S-58: return the places of a policy that can contain an answer for an attack. The most specific is first."""
    return (BATTLES, battle), (BY_HEX, label)
