"""The thoughts of a practice opponent: thoughts about our systems are in folders here, a package brings its own."""

from __future__ import annotations

from importlib import import_module

from kursk_pbem.kernel.ideas import Ideas
from kursk_pbem.kernel.ruleset import Ruleset
from kursk_pbem.rulesets import MODULES, has_opponent


def find_ideas(ruleset: Ruleset) -> Ideas | None:
    """Return the plans and evaluations that a system's practice opponent uses, or None if the system has none."""
    if ruleset.ideas is not None:
        return ruleset.ideas()
    if not has_opponent(ruleset):
        return None
    found: Ideas = import_module(f"{__package__}.{MODULES[ruleset.id].rpartition('.')[2]}.ideas").IDEAS
    return found
