"""Positions for viewing: a game, a message or draft of a game, or a scenario."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import partial, reduce
from pathlib import Path
from statistics import median_low
from typing import Any

from kursk_pbem.desk.draft import orderlines, prospects
from kursk_pbem.desk.own import register
from kursk_pbem.errors import UsageError
from kursk_pbem.formats.text import show
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders, journal, scenario_files, scenarios, verified
from kursk_pbem.kernel.events import Event, Moved, apply
from kursk_pbem.kernel.picture import PLANE, Picture, find_middle
from kursk_pbem.kernel.ruleset import PLAYERS, Ruleset
from kursk_pbem.kernel.state import State
from kursk_pbem.report import textmap
from kursk_pbem.rulesets import ruleset

_CLOSE = 16_000  # map units from side to side of a small picture: its counters are readable
_PLANNED = "Models with known orders are shown after the move or turn; the lines of sight are the present lines."


@frozen
class Subject:
    """A position to look at. ``left_out``: the illegal orders of a draft.

    ``hidden``: the sealed values of the player. ``sealed``: the sealed values to show on a draft's map. ``options``:
    the options of a scenario.
    """

    ruleset: Ruleset
    setting: Any
    state: State
    left_out: str = ""
    sealed: Mapping[str, Any] | None = None
    hidden: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)

    def unshown(self) -> str:
        """Return a line about units whose sealed places the map does not show, or ''."""
        seen = self.ruleset.seen
        places = {label: value for label, value in self.hidden.items() if self._places(value)}
        if not places or any(seen.plans(self.setting, self.state, self.sealed or {})):
            return ""
        told = orderlines.describe_orders({"seal": places}, seen.verbs(self.setting), seen.command)
        return f"Hidden, and not on the map: {', '.join(words for _path, words in told)}."

    def _places(self, value: Any) -> bool:
        ids = (entry.get("id") if isinstance(entry, Mapping) else entry for entry in value)
        return not isinstance(value, str) and any(uid in self.state.units for uid in ids)

    def picture(self, *, mailed: bool) -> Picture:
        """Return the position as shapes, with a draft's orders. ``mailed``: hide the orders that will be sealed."""
        seen = self.ruleset.seen
        if self.sealed is None:
            return seen.picture(self.setting, self.state)
        events, sights = seen.plans(self.setting, self.state, {} if mailed else self.sealed)
        shapes = seen.picture(self.setting, reduce(apply, events, self.state))
        told = (_PLANNED,) if any(isinstance(event, Moved) for event in events) else ()
        return replace(shapes, sights=sights, notes=lambda: (*told, *shapes.notes()))


def view_game(path: Path, home: Path) -> Subject:
    """Return the position of a game folder, a signed message or a draft. Raises KurskError."""
    if path.is_file() and folders.is_draft(path):
        seen = prospects.open_prospect(path, home, ahead=False)
        return Subject(seen.game.ruleset, seen.game.setting, seen.state, seen.left_out, seen.sealed, seen.sealed)
    game = verified.load_until(path, home).game
    hidden = prospects.list_sealed(game, game.state, journal.find(home, game.chain.game))
    return Subject(game.ruleset, game.setting, game.state, hidden=hidden)


def list_events(path: Path, home: Path) -> tuple[Event, ...]:
    """Return the events of the last message or of a draft. Raises KurskError."""
    if path.is_file() and folders.is_draft(path):
        seen = prospects.open_prospect(path, home, ahead=True)
        planned = seen.game.ruleset.seen.plans(seen.game.setting, seen.state, {})[0]
        return (*(event for part in seen.parts for event in part.events), *planned)
    result = verified.load_until(path, home).last_step.result
    return result.events if result else ()


def draw_view(seen: Subject, events: Sequence[Event], zoc: str, around: str | None, radius: int | None) -> str:
    """Return a position as SVG with arrows for events. ``zoc``: the first letters of a side. Raises UsageError."""
    from kursk_pbem.report import trails  # noqa: PLC0415  a text map, a page of help need no picture
    from kursk_pbem.report.pictures import svg, svglegend, svgtext  # noqa: PLC0415

    shapes, sides = seen.picture(mailed=True), seen.ruleset.sides
    textmap.find_zone(shapes, zoc)  # checks the name of the side
    side = next((side for side in sides if zoc and side.startswith(zoc.lower())), "")
    ground, words = trails.Ground(svg.to_scale(shapes)), seen.ruleset.seen.words(seen.setting)
    name = scenarios.remove_system(seen.ruleset, str(seen.setting.scenario.title))
    title = f"{name}, turn {seen.state.turn}"
    arrows, bursts = tuple(trails.list_arrows(ground, words, events)), tuple(trails.list_bursts(ground, events))
    drawn = svg.render(shapes, sides, title=title, zoc=side, around=around, radius=radius, arrows=arrows, bursts=bursts)
    verdict = seen.ruleset.play.verdict(seen.setting, seen.state)
    moves = verdict.text if verdict else f"The {words.side(seen.state.side)} side is to move."
    lines = (title, seen.ruleset.title, moves)
    play, named = seen.ruleset.seen, [words.side(each) for each in sides]
    tables = (play.track(seen.setting, seen.state), play.tables(seen.setting)) if around is None else ((), ())
    figures = partial(play.figures, seen.setting)
    sheet = svglegend.add_cartouche(drawn, shapes, sides, named, lines, tables, figures)
    return svgtext.link_as_files(sheet)


def draw_small_view(shapes: Picture, sides: Sequence[str]) -> str:
    """Return the map between both sides with real counters, as a small SVG. A table top shows its models."""
    from kursk_pbem.report.pictures import svg  # noqa: PLC0415

    middles = {region.id: find_middle(region.outline) for region in shapes.regions}
    found = [[middles[one.at] for one in shapes.pieces if one.side == side and one.at in middles] for side in sides]
    if shapes.form == PLANE or not all(found):
        return svg.draw_thumbnail(shapes, sides)
    ends = [(median_low(x for x, _y in spots), median_low(y for _x, y in spots)) for spots in found]
    return svg.draw_figure(shapes, sides, frame=svg.fit_frame(svg.find_frame(shapes), ends, _CLOSE))


def view_scenario(named: str, options: Mapping[str, str] | None = None) -> Subject | None:
    """Return the first position of a scenario. ``named``: id, folder or ruleset; return None if no scenario fits.

    ``options``: values in place of the defaults. Raises FileError for a faulty scenario, UsageError for a bad option.
    """
    if not is_scenario_path(named):
        return None
    scenario = (
        scenarios.load(_match_scenarios(named)[0]) if is_scenario_name(named) else scenarios.load_folder(Path(named))
    )
    system = ruleset(scenario.ruleset)
    known = {option.key: option.values for option in system.options}
    for key, value in (options or {}).items():
        if value not in known.get(key, ()):
            there = "; ".join(f"{option.key}={option.shown}" for option in system.options) or "none"
            raise UsageError(f"{scenario.id} has no option {show(f'{key}={value}')}; the options are {there}")
    held = {option.key: option.values[0] for option in system.options if not option.many} | dict(options or {})
    setting = scenarios.make_setting(system, scenario, held, PLAYERS)
    return Subject(system, setting, system.data.setup(setting), options=held)


def is_scenario_path(named: str) -> bool:
    """Return whether a word names a scenario, a ruleset or a folder with a scenario."""
    return is_scenario_name(named) or (bool(named) and (Path(named) / "scenario.yaml").is_file())


def is_scenario_name(named: str) -> bool:
    """Return whether a word can only mean a scenario or ruleset, because no local game or folder has this name."""
    path = Path(named)
    here = folders.is_game_folder(path) or register.is_game_file(path) or (path / "scenario.yaml").is_file()
    return bool(named) and not here and bool(_match_scenarios(named))


def _match_scenarios(named: str) -> list[str]:
    return [scenario for scenario in scenario_files.list_ids() if named in (scenario, *scenario.split("/"))]
