"""The toys: rule systems from outside the program. Tests play the toys to show that the program accepts new systems.

A toy is a whole ruleset in a separate folder, with rulebook, schemas and scenarios. ``plug`` adds the toys to the
program for a test.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from helpers import registry

from kursk_pbem import rulesets, testing
from kursk_pbem.formats import data
from kursk_pbem.kernel.adjudicate import Adjudication
from kursk_pbem.kernel.state import State

HERE = Path(__file__).resolve().parent
FOLDERS = {"hex-toy": HERE / "hex_toy", "plane-toy": HERE / "plane_toy", "ridge-toy": registry.TEMPLATE / "ridge_toy"}


def plug(patch: Any) -> None:
    """Add the modules, schemas and scenarios of the toys to the program."""
    for rid, folder in FOLDERS.items():
        patch.setitem(rulesets.MODULES, rid, f"rulesets.{folder.name}" if folder.parent == HERE else folder.name)
    patch.setattr(data, "MORE_SCHEMAS", [folder / "schemas" for folder in FOLDERS.values()])
    patch.setenv(data.SEARCH_PATH, os.pathsep.join(str(folder / "scenarios") for folder in FOLDERS.values()))


def play(kit: registry.Kit, setting: Any, seed: int, most: int = 200) -> Iterator[tuple[State, Adjudication]]:
    """Yield the position before and the result of every message in a random game."""
    return testing.play_game(kit.ruleset, kit.chooser, setting, seed, most)
