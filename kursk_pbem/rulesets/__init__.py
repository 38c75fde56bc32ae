"""The table of the rule systems, and the systems of other packages. The first use of a system loads the system."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from kursk_pbem.errors import UsageError
from kursk_pbem.formats import packages
from kursk_pbem.formats.packages import Package
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
    """Return the ruleset with this id. Raises UsageError if the id is unknown or its package cannot be loaded."""
    if (package := find_package(rid)) is not None:
        return _load_package(package)
    if rid not in MODULES:
        raise UsageError(f"this version has no ruleset {rid!r}; its rulesets are {', '.join(list_ids())}")
    value: Ruleset = import_module(MODULES[rid]).RULESET
    return value


def _load_package(package: Package) -> Ruleset:
    """Import the ruleset of a package. Raises UsageError if the package does not bring the ruleset."""
    value = getattr(package.rules, "RULESET", None)
    if not isinstance(value, Ruleset) or value.id != package.ruleset:
        raise package.refuse(f"{package.module} has no RULESET of this id; ask its author")
    return value


def find_package(rid: str) -> Package | None:
    """Return the installed package that supplies a ruleset, or None for a built-in ruleset. Import no module."""
    return None if rid in MODULES else packages.find_packages().get(rid)


def has_opponent(ruleset: Ruleset) -> bool:
    """Return whether a system has a practice opponent: all built-in systems do, and packages with ``ideas``."""
    return MODULES.get(ruleset.id, "").startswith(__name__) or ruleset.ideas is not None


def find_words(rid: str) -> str:
    """Return a system's page about the words of orders, or '' for an unknown id. Import no module."""
    return WORDS.get(rid) or (package.read_words() if (package := find_package(rid)) else "")


def list_packages() -> list[Package]:
    """Return the usable packages with rulesets, by id. Import no module."""
    return [package for rid, package in sorted(packages.find_packages().items()) if rid not in MODULES]


def hash_rules(rid: str) -> str:
    """Return the hash of a ruleset's files, '' for an unknown id. Raises UsageError if a package is not pinned.

    The hash of a built-in ruleset also covers the kernel, the formats and the dice.
    """
    if (package := find_package(rid)) is not None:
        return package.pin["sha256"]
    if rid not in MODULES:
        return ""
    rules, root = ruleset(rid).rulebook.parent, Path(__file__).parents[1]
    return packages.hash_folders(((rules, ""), *((root / name, f"{name}/") for name in ("formats", "kernel", "trust"))))


def list_faults() -> list[str]:
    """Return a sentence for every installed ruleset that cannot be used. The sentence gives the reason."""
    taken = [package for rid, package in packages.find_packages().items() if rid in MODULES]
    return [*packages.list_faults(), *(f"{each.name}: {each.ruleset} is an id of this program" for each in taken)]


def list_ids() -> list[str]:
    """Return the known ids: built-in rulesets in the order of the table, then packages. Import no module."""
    return [*MODULES, *(package.ruleset for package in list_packages())]


def every() -> tuple[Ruleset, ...]:
    """Return the built-in rulesets in the order of the table. Packages are left out: they load only when named."""
    return tuple(ruleset(rid) for rid in MODULES)
