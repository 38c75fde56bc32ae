"""The rule systems that can be played: one explicit table, each loaded when it is asked for."""

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
"""Id of a ruleset -> the module that holds its ``RULESET``."""

WORDS: dict[str, str] = {
    "battle-for-kursk": "answer attack decide distribute give-up march move objective plan posture rail rebuild "
    "replace return wait waive",
    "kursk-1971": "answer attack deploy intercept interdict motor move patrol raid reinforce share",
    "juggernauts": "answer attack emplace keil move place return road strike",
    "armor-commander": "advance deploy face fire move rest",
}
"""Id of a ruleset -> the words of its orders, known before it is loaded: whoever types one alone means an order."""

PARTS = (
    "breakthrough cancel crowd dr drl exchange exploit forced lead losses no-retreat push retreat stand support "
    "unsupported withdraw"
)
"""Words that begin a part of an order in some system and an order in none: whoever types one first is told which."""


def ruleset(rid: str) -> Ruleset:
    """The ruleset of an id; UsageError names those there are."""
    if rid not in MODULES:
        raise UsageError(f"no ruleset {rid!r} in this version; there are: {', '.join(MODULES)}")
    value: Ruleset = import_module(MODULES[rid]).RULESET
    return value


def every() -> tuple[Ruleset, ...]:
    """All of them, in the order of the table."""
    return tuple(ruleset(rid) for rid in MODULES)
