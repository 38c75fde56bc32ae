"""What can be looked at: a game, a message or draft of one, or a scenario that nobody plays yet."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kursk_pbem.desk import outlook
from kursk_pbem.game import history, scenarios
from kursk_pbem.game import scenario_files as files
from kursk_pbem.kernel.events import Event
from kursk_pbem.kernel.ruleset import PLAYERS, Ruleset
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets import ruleset


@dataclass(frozen=True)
class Place:
    """A position to look at, and what it belongs to; ``left_out`` says what of a draft is wrong and left out."""

    ruleset: Ruleset
    setting: Any
    state: State
    left_out: str = ""


def of_game(path: Path, home: Path) -> Place:
    """A game as it is in a folder, after a signed message, or as a draft would leave it. KurskError."""
    if path.is_file() and path.name.endswith(".draft.yaml"):
        seen = outlook.look(path, home, ahead=False)
        return Place(seen.game.ruleset, seen.game.setting, seen.state, seen.left_out)
    game = history.at(path).game
    return Place(game.ruleset, game.setting, game.state)


def done(path: Path, home: Path) -> tuple[Event, ...]:
    """What the last message of a game did, or what the orders of a draft would do. KurskError."""
    if path.is_file() and path.name.endswith(".draft.yaml"):
        return tuple(event for part in outlook.look(path, home, ahead=True).parts for event in part.events)
    result = history.at(path).steps[-1].result
    return result.events if result else ()


def of_scenario(named: str) -> Place | None:
    """The first position of the scenario of an id, or of a ruleset's first one, with its usual options; None if none.

    FileError for a scenario with a fault.
    """
    if not named or Path(named).exists():
        return None
    fitting = [each for each in files.available() if named in (each, each.partition("/")[0])]
    if not fitting:
        return None
    scenario = scenarios.load(fitting[0])
    system = ruleset(scenario.ruleset)
    setting = scenarios.setting(system, scenario, {}, PLAYERS)
    return Place(system, setting, system.data.setup(setting))
