"""The test kit of Ridge Toy, the game that ``kursk ruleset new`` writes (the folder ``_template``)."""

from __future__ import annotations

from pathlib import Path

from helpers.registry import Kit
from ridge_toy import RULESET

from kursk_pbem.testing import make_form_player

KIT = Kit(
    ruleset=RULESET,
    tests=Path(__file__).resolve().parent,
    scenarios=("ridge-toy/hill",),
    chooser=make_form_player(RULESET),
)
