"""The defender's answers (D-8): when to stand fast or to exchange, and which of them a result takes (K-73 to K-75)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kursk_pbem.kernel.state import STANDING
from kursk_pbem.rulesets.battle_for_kursk.orders import Battle
from kursk_pbem.rulesets.battle_for_kursk.setting import FULL, REDUCED

STAND_FAST, EXCHANGE_DR, EXCHANGE_DRL = "stand-fast", "exchange-dr", "exchange-drl"
WHEN = ("never", "doomed", "full", "reduced", "always")
DEFAULT_POLICY = {STAND_FAST: "doomed", EXCHANGE_DR: "doomed", EXCHANGE_DRL: "always"}  # K-75

ACCEPT, STAND, EXCHANGE = "accept", "stand-fast", "exchange"


def filed(agenda: Mapping[str, Any], owner: str) -> Mapping[str, Any]:
    """The policy of a side as it waits in the agenda: for the battles declared, or standing in the open (K-87)."""
    if standing := agenda.get(STANDING + owner):
        return dict(standing["policy"])
    return dict(agenda.get("policy", {}))


def lookup(policy: Mapping[str, Any], key: str, battle: Battle, hex_label: str) -> tuple[str, bool]:
    """When an option is taken, and whether its owner said so: by battle, unit, hex, whole side, default (K-73)."""
    for table, name in (("battles", battle.id), ("units", battle.defender), ("hexes", hex_label)):
        entries = policy.get(table, {}).get(name, {})
        if key in entries:
            return entries[key], True
    if key in policy:
        return policy[key], True
    return DEFAULT_POLICY[key], False


def keys_of(result: str, options: tuple[str, ...]) -> tuple[str, ...]:
    """The keys of a policy that bear on a result, given what the hex offers (K-74)."""
    if result == "DRL":
        return (EXCHANGE_DRL,)
    return tuple(key for key, option in ((STAND_FAST, STAND), (EXCHANGE_DR, EXCHANGE)) if option in options)


def holds(when: str, steps: int, *, doomed: bool) -> bool:
    """K-74: whether a condition holds for a defender with ``steps`` before the result."""
    return {"never": False, "doomed": doomed, "full": steps == FULL, "reduced": steps == REDUCED, "always": True}[when]


def answer(result: str, options: tuple[str, ...], applies: Mapping[str, bool], steps: int) -> str:
    """K-74: the option that a policy takes for a result as rolled; ``applies``: key -> whether its condition holds."""
    if result == "DRL":
        return EXCHANGE if EXCHANGE in options and applies[EXCHANGE_DRL] else ACCEPT
    stand = STAND in options and applies[STAND_FAST]
    exchange = EXCHANGE in options and applies[EXCHANGE_DR]
    if stand and exchange:  # both kill a reduced unit, but one of them costs the enemy something
        return EXCHANGE if steps == REDUCED else STAND
    return STAND if stand else EXCHANGE if exchange else ACCEPT
