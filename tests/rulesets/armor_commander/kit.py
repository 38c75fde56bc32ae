"""Armor Commander as tests and tools play it."""

from __future__ import annotations

from pathlib import Path

from helpers.registry import Kit

from kursk_pbem.rulesets.armor_commander import RULESET
from rulesets.armor_commander.random_play import Chooser

CROSSROADS, GUN_LINE = "armor-commander/crossroads", "armor-commander/gun-line"

KIT = Kit(
    ruleset=RULESET,
    tests=Path(__file__).resolve().parent,
    scenarios=(GUN_LINE, CROSSROADS),
    chooser=Chooser,
    options=(("cohesion", "chain"),),
)
