"""Juggernauts as tests and tools play it."""

from __future__ import annotations

from pathlib import Path

from helpers.registry import Kit

from kursk_pbem.rulesets.juggernauts import RULESET, setting
from rulesets.juggernauts.random_play import Chooser

JULY = "juggernauts/july-1943"

KIT = Kit(
    ruleset=RULESET,
    tests=Path(__file__).resolve().parent,
    scenarios=(JULY,),
    chooser=Chooser,
    options=(("deployment", "by-choice"), ("aircraft", "flown")),
    reads=((setting, "_load"),),
)
