"""Armor Commander for tests and tools."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from helpers.registry import Kit

from kursk_pbem.rulesets.armor_commander import RULESET
from kursk_pbem.rulesets.armor_commander.setting import SIDES
from rulesets.armor_commander import counts
from rulesets.armor_commander.plots import CROSSROADS, GUN_LINE, PLOTS
from rulesets.armor_commander.random_play import Chooser


def hostile() -> Any:
    """Return orders for the fuzzer."""
    from rulesets.armor_commander.hostile_orders import Orders

    return Orders()


def bench() -> None:
    """Run the benchmark rows."""
    from rulesets.armor_commander import bench as rows

    rows.main()


def compare(seed: int) -> int:
    """Compare the rules with a second computation in one position; return the number of equal answers."""
    from rulesets.armor_commander import compared

    return compared.compare(seed)


def worst() -> Any:
    """Return the slowest scenario."""
    from rulesets.armor_commander import worst as dearest

    return dearest.WORST


def bad() -> Mapping[str, Mapping[str, Any]]:
    """Return the recipes for bad files."""
    from rulesets.armor_commander.bad import recipes_orders, recipes_scenario

    return {"orders": recipes_orders.FILES, "scenario": recipes_scenario.FILES}


KIT = Kit(
    ruleset=RULESET,
    tests=Path(__file__).resolve().parent,
    scenarios=(CROSSROADS, GUN_LINE),
    chooser=Chooser,
    options=(("cohesion", "chain"),),
    plots=PLOTS,
    endings=frozenset(
        {
            ("losses", ""),
            *((how, side) for how in ("wiped-out", "objectives", "losses", "resignation") for side in SIDES),
        }
    ),
    met=frozenset(
        {
            GUN_LINE,
            CROSSROADS,
            "deployment",
            "deployment/at",
            "units/chip=green",
            "units/chip=red",
            "orders",
            "initiative",
            "orders/deployment",
            "orders/units",
            "resign",
            "offer",
            "reveal",
            "Moved",
            "Removed",
            "StepsLost",
            "Tested",
            "plot",
            "action",
            "unveil",
            "show",
            "dice",
        }
    ),
    usual=frozenset({"deploy", "place", "ready", "orders", "action"}),
    counts=counts.counts,
    hostile=hostile,
    bench=bench,
    worst=worst,
    compare=compare,
    bad=bad,
    drafted=CROSSROADS,
)
