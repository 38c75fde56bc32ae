"""The values pinned by message 0, and facts about a scenario before the first game."""

from __future__ import annotations

from collections.abc import Mapping

from kursk_pbem.formats.text import show
from kursk_pbem.game import scenarios
from kursk_pbem.kernel.ruleset import PLAYERS
from kursk_pbem.rulesets import ruleset


def find_sides(scenario: str) -> tuple[str, str]:
    """Return the two sides of a scenario, by its id. Raises UsageError if the ruleset is unknown."""
    return ruleset(scenario.partition("/")[0]).sides


def make_title(scenario: str) -> str:
    """Return the names of the ruleset and the scenario. Raises UsageError, FileError."""
    return scenarios.full_title(ruleset(scenario.partition("/")[0]), scenarios.load(scenario).title)


def read_pins(scenario: str) -> tuple[str, str, str]:
    """Return the ruleset, adjudication number and data hash that message 0 of a scenario pins."""
    loaded = scenarios.load(scenario)
    rules = ruleset(loaded.ruleset)
    return rules.id, str(rules.version), loaded.sha256


def find_unknown_option(scenario: str, options: Mapping[str, str]) -> str:
    """Return why a scenario cannot be played with these options; '' if playable."""
    known = {option.key: option.values for option in ruleset(scenario.partition("/")[0]).options}
    for key, value in options.items():
        if value not in known.get(key, ()):
            there = "; ".join(f"{name}: {' or '.join(values)}" for name, values in known.items()) or "none"
            return f"{scenario} has no option {show(key)} with the value {show(value)}; its options are {there}"
    return ""


def find_proposer(scenario: str, options: Mapping[str, str], sha256: str = "") -> str:
    """Return the side that proposes a game with players' dice. ``sha256``: the hash of the scenario's data."""
    rules = ruleset(scenario.partition("/")[0])
    return rules.proposer(scenarios.make_setting(rules, scenarios.load(scenario, sha256), options, PLAYERS))


def has_margin(scenario: str) -> bool:
    """Return whether a scenario counts victory points."""
    rules = ruleset(scenario.partition("/")[0])
    setting = scenarios.make_setting(rules, scenarios.load(scenario), {}, PLAYERS)
    return rules.play.margin(setting, rules.data.setup(setting)) is not None
