"""The defender's answers (D-8): conditions for standing fast and exchanges, and answers to a result (K-73 to K-75)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kursk_pbem.kernel.hexes import policies
from kursk_pbem.kernel.hexes.policies import BATTLES, BY_HEX, BY_UNIT
from kursk_pbem.kernel.orders import Filing, Path
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.battle_for_kursk.orders import Battle
from kursk_pbem.rulesets.battle_for_kursk.setting import FULL, REDUCED, Setting

STAND_FAST, EXCHANGE_DR, EXCHANGE_DRL = "stand-fast", "exchange-dr", "exchange-drl"
WHEN = ("never", "doomed", "full", "reduced", "always")
DEFAULT_POLICY = {STAND_FAST: "doomed", EXCHANGE_DR: "doomed", EXCHANGE_DRL: "always"}  # K-75

ACCEPT, STAND, EXCHANGE = "accept", "stand-fast", "exchange"


def find_misnamed(setting: Setting, side: str, policy: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """K-73: yield the unknown units and hexes that a policy (standing answers) names, with place and reason."""
    return policies.find_misnamed(policy, policies.unit_table(setting, side), policies.hex_table(setting.board))


def _check(umpire: Umpire[Setting], filing: Filing) -> None:
    """K-73: yield the unknown names of a policy."""
    policies.refuse_policy(umpire, "9.3-stand-fast", find_misnamed(umpire.setting, filing.writer, filing.policy))


POLICIES = policies.Policies("9.3-stand-fast", "9.0", "battle", "units, hexes", "'exchange-drl: always'", _check)
"""9.3 Stand Fast, Fortifications: answers to the battles declared (K-73), standing ones with a referee (K-87)."""


def list_answer_places(battle: Battle, hex_label: str) -> tuple[tuple[str, str], ...]:
    """K-73: return the places of a policy that can contain an answer for a battle. The most specific place is first."""
    return (BATTLES, battle.id), (BY_UNIT, battle.defender), (BY_HEX, hex_label)


def find_condition(policy: Mapping[str, Any], key: str, battle: Battle, hex_label: str) -> tuple[str, bool]:
    """K-73: return the condition under which a battle's defender uses an option, and whether the policy has it."""
    when = policies.find_answer(policy, key, list_answer_places(battle, hex_label))
    return (DEFAULT_POLICY[key], False) if when is None else (when, True)


def keys_of(result: str, options: tuple[str, ...]) -> tuple[str, ...]:
    """K-74: return the keys in a policy that answer a combat result. ``options``: the defender's options."""
    if result == "DRL":
        return (EXCHANGE_DRL,)
    return tuple(key for key, option in ((STAND_FAST, STAND), (EXCHANGE_DR, EXCHANGE)) if option in options)


def is_condition_true(when: str, steps: int, *, doomed: bool) -> bool:
    """K-74: return whether a condition is true for a defender. ``steps``: the defender's steps before the result."""
    return {"never": False, "doomed": doomed, "full": steps == FULL, "reduced": steps == REDUCED, "always": True}[when]


def answer(result: str, options: tuple[str, ...], applies: Mapping[str, bool], steps: int) -> str:
    """K-74: return the option that the defender takes after a result. ``applies``: whether conditions are true."""
    if result == "DRL":
        return EXCHANGE if EXCHANGE in options and applies[EXCHANGE_DRL] else ACCEPT
    stand = STAND in options and applies[STAND_FAST]
    exchange = EXCHANGE in options and applies[EXCHANGE_DR]
    if stand and exchange:  # both eliminate a reduced unit, but the exchange costs the enemy steps
        return EXCHANGE if steps == REDUCED else STAND
    return STAND if stand else EXCHANGE if exchange else ACCEPT
