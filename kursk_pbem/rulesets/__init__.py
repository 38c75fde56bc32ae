"""The table of the rule systems. The first use of a system loads the system."""

from __future__ import annotations

from importlib import import_module

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel.ruleset import Ruleset

MODULES: dict[str, str] = {
    "battle-for-kursk": "kursk_pbem.rulesets.battle_for_kursk",
    "kursk-1971": "kursk_pbem.rulesets.kursk_1971",
    "juggernauts": "kursk_pbem.rulesets.juggernauts",
    "armor-commander": "kursk_pbem.rulesets.armor_commander",
}
"""Id of a ruleset -> the module with the constant ``RULESET``."""

WORDS: dict[str, str] = {
    "battle-for-kursk": "answer attack decide distribute give-up march move objective plan posture rail rebuild "
    "replace return wait waive",
    "kursk-1971": "answer attack deploy intercept interdict motor move patrol raid reinforce share",
    "juggernauts": "answer attack emplace keil move place return road strike",
    "armor-commander": "advance deploy face fire move rest",
}
"""Id of a ruleset -> the words of orders, known before loading. A player who types such a word means an order."""

PARTS = (
    "breakthrough cancel crowd dr drl exchange exploit forced lead losses no-retreat push retreat stand support "
    "unsupported withdraw"
)
"""Words that begin a part of an order, but no order. The program explains such a word at the start of a command."""


def ruleset(rid: str) -> Ruleset:
    """Return the ruleset of an id. Raises UsageError with the known ids."""
    if rid not in MODULES:
        raise UsageError(f"no ruleset {rid!r} in this version; there are: {', '.join(MODULES)}")
    value: Ruleset = import_module(MODULES[rid]).RULESET
    return value


def every() -> tuple[Ruleset, ...]:
    """Return the rulesets in the order of the table."""
    return tuple(ruleset(rid) for rid in MODULES)
