"""Juggernauts as tests and tools play it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from helpers.registry import Kit

from kursk_pbem.rulesets.juggernauts import RULESET, setting
from rulesets.juggernauts import counts, plots
from rulesets.juggernauts.plots import JULY
from rulesets.juggernauts.random_play import Chooser


def hostile() -> Any:
    """Orders for the fuzzer."""
    from rulesets.juggernauts.hostile_orders import Orders

    return Orders()


def bad() -> Any:
    """Recipes for bad files."""
    from rulesets.juggernauts.bad import recipes_orders

    return {"orders": recipes_orders.FILES}


def bench() -> None:
    """Its rows of the benchmark."""
    from rulesets.juggernauts import bench as rows

    rows.main(KIT)


def compare(seed: int) -> int:
    """The rules and a second reckoning of them in one position: how many answers were the same."""
    from rulesets.juggernauts import compared

    return compared.compare(seed)


def worst() -> Any:
    """Its dearest scenario."""
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
    reads=((setting, "_load"),),
)
