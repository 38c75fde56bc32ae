"""Kursk (1971) as tests and tools play it."""

from __future__ import annotations

from pathlib import Path

from helpers.registry import Kit

from kursk_pbem.rulesets.kursk_1971 import RULESET, setting
from rulesets.kursk_1971.random_play import Chooser

SCENARIOS = ("july4-historical", "july4", "june12", "may3", "august3")
SIDES = RULESET.sides
LEVELS = ("marginal", "tactical", "decisive")

KIT = Kit(
    ruleset=RULESET,
    tests=Path(__file__).resolve().parent,
    scenarios=tuple(f"kursk-1971/{name}" for name in SCENARIOS),
    chooser=Chooser,
    options=(("edition", "print"), ("optional-rules", "both-played")),
    endings=frozenset({("draw", ""), *((how, side) for how in (*LEVELS, "resignation") for side in SIDES)}),
    reads=((setting, "_load"),),
)
