"""What can be looked at: a game, a message or draft of one, or a scenario that nobody plays yet."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kursk_pbem.desk import outlook
from kursk_pbem.errors import UsageError
from kursk_pbem.formats.text import show
from kursk_pbem.game import history, scenarios
from kursk_pbem.game import scenario_files as files
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


def seen(named: str, home: Path) -> Place:
    """A path to a game, message or draft; otherwise the id of a scenario, or of a ruleset for the first of its own.

    KurskError if it is none of them.
    """
    path = Path(named)
    if named and path.exists():
        if path.is_file() and path.name.endswith(".draft.yaml"):
            draft = outlook.look(path, home, ahead=False)
            return Place(draft.game.ruleset, draft.game.setting, draft.state, draft.left_out)
        game = history.at(path).game
        return Place(game.ruleset, game.setting, game.state)
    return _scenario(named)


def _scenario(named: str) -> Place:
    """The first position of a scenario, with its usual options."""
    known = files.available()
    found = [each for each in known if each == named or each.partition("/")[0] == named]
    if not found:
        why = f"there is no file or folder {show(named)}, and no scenario or ruleset of that name"
        raise UsageError(f"{why if named else 'name a game or a scenario'}; the scenarios: {', '.join(known)}")
    scenario = scenarios.load(found[0])
    system = ruleset(scenario.ruleset)
    setting = scenarios.setting(system, scenario, {}, PLAYERS)
    return Place(system, setting, system.data.setup(setting))
