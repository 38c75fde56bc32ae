"""The rule systems that tests and tools play: one :class:`Kit` each, in an explicit table, loaded on demand.

A kit holds what the program does not: a player who chooses at random, plots of whole games, hostile orders. Everything
that is done with every system (random and signed games, finished games, golden cases, coverage of paragraphs, counts of
what is in reach, bad files, fuzzing, the benchmark) goes over this table, or is told which system to take. The other
helpers of this folder know systems by their kit alone; what belongs to one lies with its tests.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from kursk_pbem.errors import UsageError
from kursk_pbem.game import scenarios
from kursk_pbem.kernel.ruleset import PLAYERS, REFEREE, Ruleset
from kursk_pbem.kernel.state import State

Content = dict[str, Any]
"""What a player writes into a draft."""

KITS: dict[str, str] = {
    "battle-for-kursk": "rulesets.battle_for_kursk.kit",
    "kursk-1971": "rulesets.kursk_1971.kit",
    "juggernauts": "rulesets.juggernauts.kit",
    "armor-commander": "rulesets.armor_commander.kit",
}
"""Ruleset id -> the module that holds its kit, as ``KIT``; of each that comes with the program."""

TOYS: dict[str, str] = {
    "hex-toy": "rulesets.hex_toy.kit",
    "plane-toy": "rulesets.plane_toy.kit",
    "ridge-toy": "rulesets.ridge_toy.kit",
}
"""The same of systems that only tests have (``rulesets.toys``): none of the gates for shipped systems asks for them."""

SAMPLE = "battle-for-kursk"
"""The system that is played where a test needs a game and no system in particular."""

ROOT = Path(__file__).resolve().parents[2]


class Mind(Protocol):
    """Who chooses what a message holds; all of it legal."""

    def content(self, state: State, seq: int) -> Content:
        """The choices of message ``seq``; ``state`` is the position after its duties."""


@dataclass(frozen=True)
class Plot:
    """How a finished game is to go: ``minds`` by side, made for a setting.

    ``resigns``: the side that gives up with its first message from number ``at`` on. ``refereed``: a referee rolls the
    dice. ``offers`` by side: in place of its first message from that number on it offers a draw, which is declined.
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
    """Of a system for which nobody has written any."""
    return {}


@dataclass(frozen=True)
class Kit:
    """What tests and tools know of one rule system.

    ``tests`` is the folder of its tests; ``scenarios`` are played at random, the shortest first, under the ``options``
    (name, value), each in every other game. ``chooser(setting, rng)`` is the random player. ``plots`` by name give the
    finished games; ``endings`` are all (how, winner) that a game can come to, and ``met`` is what must occur in some
    finished game. ``usual`` are the stages of which each has a golden case. ``counts(setting, state)`` names and counts
    what can be done in a position. ``bad`` gives recipes for bad files, by group; they are tried in the demonstration,
    or in a game of the scenario ``drafted`` in which every message is the draft as it is proposed.
    ``hostile`` makes orders that are nearly legal for the fuzzer, None: those of the chooser are changed. ``bench``
    prints rows of the benchmark, ``worst`` gives the dearest scenario there is (``helpers.worst``). ``compare(seed)``
    holds the rules against a slow second reckoning in a random position, and returns how many answers. ``reads`` are
    functions that read what is shipped, as (module, name): tests call each once for a scenario.
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
    reads: tuple[tuple[Any, str], ...] = ()

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
        """Side -> who plays it."""
        return dict(zip(self.sides, ("Anna", "Boris"), strict=True))

    def setting(self, scenario: str, options: Mapping[str, str] | None = None, *, refereed: bool = False) -> Any:
        """A scenario as its rules see it."""
        dice = REFEREE if refereed else PLAYERS
        return self.ruleset.data.load(scenarios.load(scenario), dict(options or {}), dice)

    def setup(self, setting: Any) -> State:
        """Its first position."""
        return self.ruleset.data.setup(setting)

    def proposer(self, scenario: str, options: Mapping[str, str] | None = None) -> str:
        """The side that writes message 0: not the one that owes the first choice."""
        return self.ruleset.other(self.setup(self.setting(scenario, options)).side)

    def of_seed(self, seed: int) -> tuple[str, dict[str, str]]:
        """Scenario and options of the random game of a seed."""
        options = {name: value for bit, (name, value) in enumerate(self.options, 1) if seed >> bit & 1}
        return self.scenarios[seed % len(self.scenarios)], options


def kit(rid: str = SAMPLE) -> Kit:
    """The kit of a ruleset, also of a toy; UsageError names those there are."""
    if rid not in KITS | TOYS:
        raise UsageError(f"there is no ruleset {rid!r} to play; there are: {', '.join(KITS)}")
    found = importlib.import_module((KITS | TOYS)[rid]).KIT
    assert isinstance(found, Kit)
    return found


def kits(asked: str = "all") -> list[Kit]:
    """The kit of a ruleset, or those of all that come with the program; UsageError as :func:`kit`."""
    return [kit(rid) for rid in (KITS if asked == "all" else (asked,))]


def of_scenario(scenario: str) -> Kit:
    """The kit of the ruleset that a scenario belongs to: the first part of its id."""
    return kit(scenario.partition("/")[0])
