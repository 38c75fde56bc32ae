"""What message 0 of a game of a scenario pins, and what can be asked of a scenario before there is a game of it."""

from __future__ import annotations

from collections.abc import Mapping

from kursk_pbem.formats.text import show
from kursk_pbem.game import scenarios
from kursk_pbem.kernel.ruleset import PLAYERS
from kursk_pbem.rulesets import ruleset


def sides(scenario: str) -> tuple[str, str]:
    """The two sides of a scenario, by its id. UsageError if there is no such ruleset."""
    return ruleset(scenario.partition("/")[0]).sides


def title(scenario: str) -> str:
    """Return the names of the ruleset and the scenario, as people say them. UsageError, FileError."""
    return scenarios.full_title(ruleset(scenario.partition("/")[0]), scenarios.load(scenario).title)


def pinned(scenario: str) -> tuple[str, str, str]:
    """What message 0 of a game of a scenario pins: its ruleset, the number of its adjudication, the hash of its data.

    UsageError, FileError.
    """
    loaded = scenarios.load(scenario)
    rules = ruleset(loaded.ruleset)
    return rules.id, str(rules.version), loaded.sha256


def unfit(scenario: str, options: Mapping[str, str]) -> str:
    """Why a game of a scenario cannot be played under these options; '' if it can."""
    known = {option.key: option.values for option in ruleset(scenario.partition("/")[0]).options}
    for key, value in options.items():
        if value not in known.get(key, ()):
            there = "; ".join(f"{name}: {' or '.join(values)}" for name, values in known.items()) or "none"
            return f"{scenario} has no option {show(key)} with the value {show(value)}; its options are {there}"
    return ""


def proposer(scenario: str, options: Mapping[str, str], sha256: str = "") -> str:
    """The side that proposes a game of a scenario (with the data of this hash) whose players roll the dice.

    UsageError, FileError.
    """
    rules = ruleset(scenario.partition("/")[0])
    return rules.proposer(scenarios.setting(rules, scenarios.load(scenario, sha256), options, PLAYERS))


def has_margin(scenario: str) -> bool:
    """Whether a scenario counts victory points, so that a game can be won by so many."""
    rules = ruleset(scenario.partition("/")[0])
    setting = scenarios.setting(rules, scenarios.load(scenario), {}, PLAYERS)
    return rules.play.margin(setting, rules.data.setup(setting)) is not None
