"""Kursk (1971) for tests and tools."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from helpers.registry import Kit

from kursk_pbem.rulesets.kursk_1971 import RULESET
from rulesets.kursk_1971 import counts, plots
from rulesets.kursk_1971.random_play import Chooser

SCENARIOS = ("july4-historical", "july4", "june12", "may3", "august3")
SIDES = RULESET.sides
LEVELS = ("marginal", "tactical", "decisive")


def hostile() -> Any:
    """Return orders for the fuzzer."""
    from rulesets.kursk_1971.hostile_orders import Orders

    return Orders()


def bench() -> None:
    """Run the benchmarks."""
    from rulesets.kursk_1971 import bench as rows

    rows.main()


def compare(seed: int) -> int:
    """Compare the rules with the second referee in one position; return the number of answers."""
    from rulesets.kursk_1971 import compared

    return compared.compare(seed)


def worst() -> Any:
    """Return the slowest scenario."""
    from rulesets.kursk_1971 import worst as dearest

    return dearest.WORST


KIT = Kit(
    ruleset=RULESET,
    tests=Path(__file__).resolve().parent,
    scenarios=tuple(f"kursk-1971/{name}" for name in SCENARIOS),
    chooser=Chooser,
    options=(("edition", "print"), ("optional-rules", "both-played")),
    endings=frozenset({("draw", ""), *((how, side) for how in (*LEVELS, "resignation") for side in SIDES)}),
    plots=plots.PLOTS,
    met=frozenset(
        {
            *(f"kursk-1971/{name}" for name in SCENARIOS),
            "policy",
            "plans",
            "resign",
            "offer",
            "Fought",
            "Removed",
            *(
                f"orders/{key}"
                for key in (
                    "deployment",
                    "interception",
                    "reinforcements",
                    "movement",
                    "superiority",
                    "battles",
                    "motorized",
                    "patrol",
                    "interdiction",
                )
            ),
            "battles/support",
            "battles/unsupported=attack",
            "Placed",
            "Tracked",
            *(f"{side}-{kind}" for side in SIDES for kind in ("orders", "answer", "dice", "set-up")),
        }
    ),
    usual=frozenset(f"{side}-{kind}" for side in SIDES for kind in ("orders", "answer", "dice")),
    counts=counts.counts,
    hostile=hostile,
    bench=bench,
    worst=worst,
    compare=compare,
)
