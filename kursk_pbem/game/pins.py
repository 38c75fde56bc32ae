"""The values pinned by message 0, and facts about a scenario before the first game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kursk_pbem.errors import TOO_EARLY, EarlyError, OutdatedError, UsageError
from kursk_pbem.formats import packages
from kursk_pbem.formats.text import show
from kursk_pbem.game import scenarios
from kursk_pbem.kernel import given
from kursk_pbem.kernel.ruleset import PLAYERS, Ruleset
from kursk_pbem.rulesets import MODULES, find_package, hash_rules, list_faults, list_ids, ruleset

NOT_DECIDED = "not decided: other rules' code"
"""The verdict if a game pins other code than the installed package. The verdict accuses no player."""


def pin_ruleset(rid: str, version: str) -> dict[str, Any]:
    """Return the field ``ruleset`` of message 0. The field has hashes of code only for a ruleset of another package."""
    package = find_package(rid)
    return {"id": rid, "version": version, **({"package": package.pin} if package else {})}


def check_code(pinned: Mapping[str, Any]) -> None:
    """Check the field ``ruleset`` of message 0 against the installed code, without importing the code.

    Raises UsageError if the package is missing or cannot be pinned, and OutdatedError if its files differ.
    """
    rid, asked, package = pinned["id"], pinned.get("package"), find_package(pinned["id"])
    if rid in MODULES and asked is not None:
        raise UsageError(
            f"{rid} is a ruleset of this program; the package {packages.describe(asked)} must not contain it"
        )
    if package is not None and asked is None:
        raise UsageError(f"the proposal does not name the package of {rid}: ask for a new proposal")
    if asked is None:
        return
    if package is None:
        raise UsageError(
            f"the rules of {rid} come from the package {packages.describe(asked)}, which is not installed here. If you "
            f"trust its author, type pip install '{asked['name']}=={asked['release']}'"
        )
    if package.pin != {**asked}:
        raise OutdatedError(
            f"{NOT_DECIDED}: the game pins {packages.describe(asked)}, but {packages.describe(package.pin)} is "
            "installed. No player is at fault; install the pinned release anew"
        )


def find_rules(pinned: Mapping[str, Any]) -> Ruleset:
    """Return the ruleset that the field ``ruleset`` of message 0 names.

    Raises the errors of :func:`check_code`, UsageError for an unknown id, EarlyError for a version before 1.0.
    """
    check_code(pinned)
    rules = ruleset(pinned["id"])
    if pinned["version"] in map(str, range(1, rules.first)):
        raise EarlyError(f"adjudication {pinned['version']} of {rules.id} {TOO_EARLY}")
    return rules


def list_rules() -> tuple[list[dict[str, str]], list[str]]:
    """Return id, package, release and hash of every ruleset, then the refused packages. No package is imported."""
    rules, refused = list[dict[str, str]](), list_faults()
    for rid in list_ids():
        package = find_package(rid)
        source = {"package": package.name, "release": package.release} if package else {"package": "", "release": ""}
        try:
            rules.append({"ruleset": rid, **source, "sha256": hash_rules(rid)})
        except UsageError as error:
            refused.append(str(error))
    return rules, refused


def find_sides(scenario: str) -> tuple[str, str]:
    """Return the two sides of a scenario, by its id. Raises UsageError if the ruleset is unknown."""
    return ruleset(scenario.partition("/")[0]).sides


def make_title(scenario: str) -> str:
    """Return the names of the ruleset and the scenario. Raises UsageError, FileError."""
    return scenarios.full_title(ruleset(scenario.partition("/")[0]), scenarios.load(scenario).title)


def read_pins(scenario: str) -> tuple[str, str, str]:
    """Return the ruleset, the adjudication number and the data hash for message 0 of a game of this scenario."""
    loaded = scenarios.load(scenario)
    rules = ruleset(loaded.ruleset)
    return rules.id, str(rules.version), loaded.sha256


def give(side: str, number: str) -> dict[str, str]:
    """Return the option that gives victory points to ``side``. ``number``: the typed number, checked later."""
    return {given.KEY: given.make_value(side, number)}


def find_unknown_option(scenario: str, options: Mapping[str, str]) -> str:
    """Return why one of the options or values is wrong for a scenario; '' if all are valid."""
    known = {option.key: option for option in ruleset(scenario.partition("/")[0]).options}
    for key, value in options.items():
        if key not in known and key == given.KEY:
            return f"{scenario} counts no victory points, so no side can get points"
        if key not in known or value not in known[key].values:
            there = "; ".join(f"{name}: {option.shown}" for name, option in known.items()) or "none"
            return f"{scenario} has no option {show(key)} with the value {show(value)}; its options are {there}"
    return ""


def find_proposer(scenario: str, options: Mapping[str, str], sha256: str = "") -> str:
    """Return the side that must propose a game in which players make the dice. ``sha256``: the scenario's hash."""
    rules = ruleset(scenario.partition("/")[0])
    return rules.proposer(scenarios.make_setting(rules, scenarios.load(scenario, sha256), options, PLAYERS))


def has_margin(scenario: str) -> bool:
    """Return whether a scenario counts victory points."""
    rules = ruleset(scenario.partition("/")[0])
    setting = scenarios.make_setting(rules, scenarios.load(scenario), {}, PLAYERS)
    return rules.play.margin(setting, rules.data.setup(setting)) is not None
