"""Juggernauts for tests and tools."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from helpers.registry import Kit

from kursk_pbem.rulesets.juggernauts import RULESET, setting
from rulesets.juggernauts import counts, plots
from rulesets.juggernauts.plots import JULY
from rulesets.juggernauts.random_play import Chooser


def hostile() -> Any:
    """Return orders for the fuzzer."""
    from rulesets.juggernauts.hostile_orders import Orders

    return Orders()


def bad() -> Any:
    """Return the recipes for bad files."""
    from rulesets.juggernauts.bad import recipes_orders

    return {"orders": recipes_orders.FILES}


def bench() -> None:
    """Run the benchmark."""
    from rulesets.juggernauts import bench as rows

    rows.main(KIT)


def compare(seed: int) -> int:
    """Compare the rules with the second referee in one position; return the number of equal answers."""
    from rulesets.juggernauts import compared

    return compared.compare(seed)


def worst() -> Any:
    """Return the most expensive scenario."""
    from rulesets.juggernauts import worst as dearest

    return dearest.WORST


KIT = Kit(
    ruleset=RULESET,
    tests=Path(__file__).resolve().parent,
    scenarios=(JULY,),
    chooser=Chooser,
    options=(("deployment", "by-choice"), ("aircraft", "flown")),
    plots=plots.PLOTS,
    endings=frozenset(
        {("draw", ""), *((how, side) for how in ("normal", "smashing", "resignation") for side in setting.SIDES)}
    ),
    met=frozenset(
        {
            JULY,
            "policy",
            "plans",
            "orders/panzerkeil",
            "orders/emplace",
            "orders/road",
            "orders/movement",
            "orders/battles",
            "orders/aircraft",
            "orders/replacements",
            "orders/placement",
            "german-second-answer",
            "russian-second-answer",
            "german-half",
            "resign",
            "Fought",
            "Removed",
            "exchange",
            "deployment",
        }
    ),
    usual=frozenset(
        {
            "german-orders",
            "german-answer",
            "german-dice",
            "german-second-answer",
            "german-second-dice",
            "russian-orders",
            "russian-answer",
            "russian-dice",
            "russian-second-answer",
            "russian-second-dice",
        }
    ),
    counts=counts.counts,
    bad=bad,
    hostile=hostile,
    bench=bench,
    worst=worst,
    compare=compare,
)
