"""The rule systems for tests and tools: a :class:`Kit` for each system, in an explicit table, loaded on demand.

A kit holds the parts that the program lacks: a random player, plots of whole games, hostile orders. Work for every
system (random and signed games, finished games, golden cases, coverage of paragraphs, reach, bad files, fuzzing,
benchmark) uses this table, or the name of a system. The other helpers of this folder know systems only by their kit;
code for a single system is in the folder of its tests.
"""

from __future__ import annotations

import importlib
import random
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kursk_pbem import testing
from kursk_pbem.errors import UsageError
from kursk_pbem.game import scenarios
from kursk_pbem.kernel.ruleset import PLAYERS, REFEREE, Ruleset
from kursk_pbem.kernel.state import State

Content = testing.Content
Mind = testing.Mind
"""The choices in a draft, and a player who makes choices."""

KITS: dict[str, str] = {
    "battle-for-kursk": "rulesets.battle_for_kursk.kit",
    "kursk-1971": "rulesets.kursk_1971.kit",
    "juggernauts": "rulesets.juggernauts.kit",
    "armor-commander": "rulesets.armor_commander.kit",
}
"""Ruleset id -> the module with its ``KIT``, for every shipped system."""

TOYS: dict[str, str] = {
    "hex-toy": "rulesets.hex_toy.kit",
    "plane-toy": "rulesets.plane_toy.kit",
    "ridge-toy": "rulesets.ridge_kit",
}
"""Ruleset id -> the module of systems only for tests (``rulesets.toys``), exempt from the gates of shipped systems."""

SAMPLE = "battle-for-kursk"
"""The system for tests that need a game of any system."""

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = ROOT / "kursk_pbem" / "_template"
"""The package that ``kursk ruleset new`` writes; its game is a toy of the tests."""
sys.path.append(str(TEMPLATE))


@dataclass(frozen=True)
class Plot:
    """The plan of a finished game: ``minds`` by side, made for a setting.

    ``resigns``: the side that resigns with its first message from number ``at`` on. ``refereed``: a referee rolls the
    dice. ``offers`` by side: from this number on, the side's first message is a draw offer, to be declined.
    """

    title: str
    scenario: str
    minds: Callable[[Any], Mapping[str, Mind]]
    options: Mapping[str, str] = field(default_factory=dict)
    resigns: str = ""
    at: int = 0
    seed: int = 1
    refereed: bool = False
    offers: Mapping[str, int] = field(default_factory=dict)


def no_bad_files() -> Mapping[str, Mapping[str, Any]]:
    """Return no bad files, for systems without recipes."""
    return {}


@dataclass(frozen=True)
class Kit:
    """A rule system's parts for tests and tools.

    ``tests``: the folder of its tests. ``scenarios``: played at random, the shortest first. ``options``: (name, value),
    used in every second game. ``chooser(setting, rng)``: the random player. ``plots``: the finished games by name.
    ``endings``: every possible (how, winner). ``met``: things that must occur in some finished game. ``usual``: the
    stages that need a golden case. ``counts(setting, state)``: names and counts of the possible actions in a position.
    ``bad``: recipes for bad files by group, applied to the demonstration, or to a game of the scenario ``drafted`` with
    every message as proposed in the draft. ``hostile``: makes nearly legal orders for the fuzzer; None: changed orders
    of the chooser. ``bench``: prints rows of the benchmark. ``worst``: returns the dearest scenario
    (``helpers.worst``). ``compare(seed)``: compares the rules with a slow second calculation in a random position;
    returns the number of answers.
    """

    ruleset: Ruleset
    tests: Path
    scenarios: tuple[str, ...]
    chooser: Callable[[Any, random.Random], Mind]
    options: tuple[tuple[str, str], ...] = ()
    plots: Mapping[str, Plot] = field(default_factory=dict)
    endings: frozenset[tuple[str, str]] = frozenset()
    met: frozenset[str] = frozenset()
    usual: frozenset[str] = frozenset()
    counts: Callable[[Any, State], Mapping[str, int]] = lambda _setting, _state: {}
    bad: Callable[[], Mapping[str, Mapping[str, Any]]] = no_bad_files
    drafted: str = ""
    hostile: Callable[[], Any] | None = None
    bench: Callable[[], None] | None = None
    worst: Callable[[], Any] | None = None
    compare: Callable[[int], int] | None = None

    @property
    def id(self) -> str:
        return self.ruleset.id

    @property
    def sides(self) -> tuple[str, ...]:
        return self.ruleset.sides

    @property
    def code(self) -> Path:
        """The folder of its rules."""
        return self.ruleset.rulebook.parent

    @property
    def rulings(self) -> Path:
        return ROOT / "docs" / "rulings" / f"{self.id}.md"

    @property
    def names(self) -> dict[str, str]:
        """Players by side."""
        return dict(zip(self.sides, ("Anna", "Boris"), strict=True))

    def setting(self, scenario: str, options: Mapping[str, str] | None = None, *, refereed: bool = False) -> Any:
        """Return a scenario as its rules see it."""
        dice = REFEREE if refereed else PLAYERS
        return self.ruleset.data.load(scenarios.load(scenario), dict(options or {}), dice)

    def setup(self, setting: Any) -> State:
        """Return the first position of a setting."""
        return self.ruleset.data.setup(setting)

    def proposer(self, scenario: str, options: Mapping[str, str] | None = None) -> str:
        """Return the side that writes message 0: the side without the first choice."""
        return self.ruleset.other(self.setup(self.setting(scenario, options)).side)

    def of_seed(self, seed: int) -> tuple[str, dict[str, str]]:
        """Return scenario and options of the random game of a seed."""
        options = {name: value for bit, (name, value) in enumerate(self.options, 1) if seed >> bit & 1}
        return self.scenarios[seed % len(self.scenarios)], options


def kit(rid: str = SAMPLE) -> Kit:
    """Return the kit of a ruleset or toy. Raises UsageError for an unknown id."""
    if rid not in KITS | TOYS:
        raise UsageError(f"there is no ruleset {rid!r} to play; there are: {', '.join(KITS)}")
    found = importlib.import_module((KITS | TOYS)[rid]).KIT
    assert isinstance(found, Kit)
    return found


def kits(asked: str = "all") -> list[Kit]:
    """Return the kit of a ruleset, or of all shipped rulesets. Raises UsageError for an unknown id."""
    return [kit(rid) for rid in (KITS if asked == "all" else (asked,))]


def of_scenario(scenario: str) -> Kit:
    """Return the kit of a scenario's ruleset."""
    return kit(scenario.partition("/")[0])
