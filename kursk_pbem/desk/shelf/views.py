"""What can be looked at: a game, a message or draft of one, or a scenario that nobody plays yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import reduce
from pathlib import Path
from typing import Any

from kursk_pbem.desk.draft import orderlines, prospects
from kursk_pbem.desk.shelf import register
from kursk_pbem.errors import UsageError
from kursk_pbem.formats.text import show
from kursk_pbem.game import journal, scenario_files, scenarios, verified
from kursk_pbem.kernel.events import Event, Moved, apply
from kursk_pbem.kernel.picture import Picture
from kursk_pbem.kernel.ruleset import PLAYERS, Ruleset
from kursk_pbem.kernel.state import State
from kursk_pbem.report import svg, textmap, trails
from kursk_pbem.rulesets import ruleset

_PLANNED = "Who is known to be ordered to move or turn is shown as at the end of it; lines of sight are those of now."


@dataclass(frozen=True)
class Subject:
    """A position to look at, and what it belongs to; ``left_out`` says what of a draft is wrong and left out.

    ``hidden``: what its own desk has sealed; ``sealed``: the same of a draft, whose map is to show it.
    ``options``: of a scenario those in effect; a game says its own.
    """

    ruleset: Ruleset
    setting: Any
    state: State
    left_out: str = ""
    sealed: Mapping[str, Any] | None = None
    hidden: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)

    def unshown(self) -> str:
        """Where this desk has sealed that units stand and the map does not show it, in a line; '' if nothing is."""
        seen = self.ruleset.seen
        places = {label: value for label, value in self.hidden.items() if self._places(value)}
        if not places or any(seen.plans(self.setting, self.state, self.sealed or {})):
            return ""
        told = orderlines.told({"seal": places}, seen.verbs(self.setting), seen.spoken)
        return f"You have sealed, and this map does not show it: {', '.join(words for _path, words in told)}."

    def _places(self, value: Any) -> bool:
        """Whether a sealed value says something of units, one by one."""
        ids = (entry.get("id") if isinstance(entry, Mapping) else entry for entry in value)
        return not isinstance(value, str) and any(uid in self.state.units for uid in ids)

    def picture(self, *, mailed: bool) -> Picture:
        """The position in shapes; of a draft with what it orders, but what is sealed is on none that may be mailed."""
        seen = self.ruleset.seen
        if self.sealed is None:
            return seen.picture(self.setting, self.state)
        events, sights = seen.plans(self.setting, self.state, {} if mailed else self.sealed)
        shapes = seen.picture(self.setting, reduce(apply, events, self.state))
        told = (_PLANNED,) if any(isinstance(event, Moved) for event in events) else ()
        return replace(shapes, sights=sights, notes=lambda: (*told, *shapes.notes()))


def of_game(path: Path, home: Path) -> Subject:
    """A game as it is in a folder, after a signed message, or as a draft would leave it. KurskError."""
    if path.is_file() and path.name.endswith(".draft.yaml"):
        seen = prospects.look(path, home, ahead=False)
        return Subject(seen.game.ruleset, seen.game.setting, seen.state, seen.left_out, seen.sealed, seen.sealed)
    game = verified.at(path, home).game
    hidden = prospects.known(game, game.state, journal.find(home, game.chain.game))
    return Subject(game.ruleset, game.setting, game.state, hidden=hidden)


def done(path: Path, home: Path) -> tuple[Event, ...]:
    """What the last message of a game did, or what the orders of a draft would do. KurskError."""
    if path.is_file() and path.name.endswith(".draft.yaml"):
        seen = prospects.look(path, home, ahead=True)
        planned = seen.game.ruleset.seen.plans(seen.game.setting, seen.state, {})[0]
        return (*(event for part in seen.parts for event in part.events), *planned)
    result = verified.at(path, home).last_step.result
    return result.events if result else ()


def drawn(seen: Subject, events: Sequence[Event], zoc: str, around: str | None, radius: int | None) -> str:
    """A position as SVG, with arrows for events; ``zoc``: part of a side's name, '' for none. UsageError."""
    shapes, sides = seen.picture(mailed=True), seen.ruleset.sides
    textmap.zone_of(shapes, zoc)  # says whose zones there are
    side = next((side for side in sides if zoc and side.startswith(zoc.lower())), "")
    ground, words = trails.Ground(svg.to_scale(shapes)), seen.ruleset.seen.words(seen.setting)
    title = f"{seen.setting.scenario.title}, turn {seen.state.turn}"
    arrows, bursts = tuple(trails.arrows(ground, words, events)), tuple(trails.bursts(ground, events))
    return svg.render(shapes, sides, title=title, zoc=side, around=around, radius=radius, arrows=arrows, bursts=bursts)


def of_scenario(named: str, options: Mapping[str, str] | None = None) -> Subject | None:
    """The first position of the scenario of an id or a folder, or of a ruleset's first one; None if there is none.

    ``options``: those that are not as usual. FileError for a scenario with a fault, UsageError for an option.
    """
    if not names_scenario(named):
        return None
    scenario = scenarios.load(_fitting(named)[0]) if is_scenario(named) else scenarios.in_folder(Path(named))
    system = ruleset(scenario.ruleset)
    known = {option.key: option.values for option in system.options}
    for key, value in (options or {}).items():
        if value not in known.get(key, ()):
            there = "; ".join(f"{name}={' or '.join(values)}" for name, values in known.items()) or "none"
            raise UsageError(f"{scenario.id} has no option {show(f'{key}={value}')}; its options are {there}")
    held = {name: values[0] for name, values in known.items()} | dict(options or {})
    setting = scenarios.setting(system, scenario, held, PLAYERS)
    return Subject(system, setting, system.data.setup(setting), options=held)


def telling(seen: Subject) -> dict[str, str]:
    """The options in effect, as far as another value would change anything of what is looked at."""
    known = {option.key: option.values for option in seen.ruleset.options}

    def other(key: str, value: str) -> Any:
        return scenarios.setting(seen.ruleset, seen.setting.scenario, {**seen.options, key: value}, PLAYERS)

    return {
        key: held
        for key, held in seen.options.items()
        if any(_differ(seen.setting, other(key, value)) for value in known[key] if value != held)
    }


def _differ(one: Any, other: Any) -> bool:
    """Whether two settings of a scenario say different things; a board equals itself alone, and says nothing here."""
    pairs = [(getattr(one, field.name), getattr(other, field.name)) for field in fields(one)]
    plain = [pair for pair in pairs if any("__eq__" in vars(kind) for kind in type(pair[0]).__mro__[:-1])]
    return any(mine != theirs for mine, theirs in plain)


def names_scenario(named: str) -> bool:
    """Whether a word names a scenario, a ruleset, or a folder with a scenario, such as a copy of one's own."""
    return is_scenario(named) or (bool(named) and (Path(named) / "scenario.yaml").is_file())


def is_scenario(named: str) -> bool:
    """Whether a word names a scenario or a ruleset, and neither a game nor a scenario that lies here."""
    here = register.is_game(Path(named)) or register.of_game(Path(named)) or (Path(named) / "scenario.yaml").is_file()
    return bool(named) and not here and bool(_fitting(named))


def _fitting(named: str) -> list[str]:
    return [scenario for scenario in scenario_files.available() if named in (scenario, *scenario.split("/"))]
