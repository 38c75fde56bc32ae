"""Battle for Kursk as tests and tools play it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from helpers.registry import Kit

from kursk_pbem.rulesets.battle_for_kursk import RULESET, setting
from rulesets.battle_for_kursk import counts, plots
from rulesets.battle_for_kursk.first_turn import CAMPAIGN, CITADEL, SIDES
from rulesets.battle_for_kursk.random_play import Chooser


def bad() -> Mapping[str, Mapping[str, Any]]:
    """Recipes for its bad files."""
    from rulesets.battle_for_kursk.bad import recipes_orders, recipes_rules, recipes_scenario

    return {"orders": recipes_orders.FILES, "rules": recipes_rules.FILES, "scenario": recipes_scenario.FILES}


def hostile() -> Any:
    """Return orders for the fuzzer."""
    from rulesets.battle_for_kursk.hostile_orders import Orders

    return Orders()


def bench() -> None:
    """Return the rows of the benchmark for this system."""
    from rulesets.battle_for_kursk import bench as rows

    rows.main()


def compare(seed: int) -> int:
    """Compare the rules with a second calculation in one position; return the number of equal answers."""
    from rulesets.battle_for_kursk import compared

    return compared.compare(seed)


def worst() -> Any:
    """Return the most expensive scenario of this system."""
    from rulesets.battle_for_kursk import worst as dearest

    return dearest.WORST


KIT = Kit(
    ruleset=RULESET,
    tests=Path(__file__).resolve().parent,
    scenarios=(CITADEL, CAMPAIGN),
    chooser=Chooser,
    options=(("weather", "die"), ("uncovered", "ask")),
    plots=plots.PLOTS,
    endings=frozenset(
        {
            ("moscow", "german"),
            ("draw", ""),
            *((how, side) for how in ("operational", "strategic", "resignation") for side in SIDES),
        }
    ),
    met=frozenset(
        {
            "battle-for-kursk/citadel",
            "battle-for-kursk/campaign",
            "waive",
            "reveal",
            "policy",
            "decisions",
            "pending",
            "weather",
            "plans",
            "posture",
            "battles/offensive",
            "replacements/gain=flip",
            "replacements/gain=place",
            "orders/give-ups",
            "orders/objective",
            "orders/armor-and-rail",
            "orders/movement",
            "orders/battles",
            "orders/distribution",
            "german-decision",
            "weather-answer",
            "first-binding",
            "resign",
            "Fought",
            "Removed",
            "conversion",
            "emergency reaction",
            *(f"posture={name}" for name in setting.POSTURES),
        }
    ),
    usual=frozenset(
        {
            "opening",
            "posture",
            "reveal",
            "german-orders",
            "german-answer",
            "german-dice",
            "russian-orders",
            "russian-answer",
            "russian-dice",
        }
    ),
    counts=counts.counts,
    bad=bad,
    hostile=hostile,
    bench=bench,
    worst=worst,
    compare=compare,
)
