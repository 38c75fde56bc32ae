"""The scenarios on the home page, by system."""

from __future__ import annotations

from typing import Any

from kursk_pbem.desk.ground.shown import Shown
from kursk_pbem.desk.seat import bothsides
from kursk_pbem.game import scenarios
from kursk_pbem.game.scenarios import Playable
from kursk_pbem.kernel.ruleset import PLAYERS, Ruleset
from kursk_pbem.kernel.scenario import Scenario
from kursk_pbem.kernel.words import plural
from kursk_pbem.rulesets import has_opponent

ABOUT = {
    "battle-for-kursk": "Corps and armies fight along the whole front, with a secret posture each turn and few "
    "Offensive markers. A turn has a few battles, and the first turn is guided.",
    "kursk-1971": "Divisions, fortified lines and air raids, by the rules of the print or the digital edition. Fronts "
    "are dense, and each player moves many counters.",
    "juggernauts": "Armored formations break through around Kursk after the dice, by Blitzkrieg or Proriv. Defenders "
    "stand, withdraw or retreat.",
    "armor-commander": "Tanks and guns on a table top: models move in inches, see along lines, and fire. One side "
    "seals its orders before the other side writes, so neither knows the other's.",
}
"""Rule system -> two sentences that introduce it to new players."""


def list_systems() -> list[dict[str, Any]]:
    """Return each rule system with its scenarios, and why the program cannot play some scenarios."""
    return [
        {
            "id": ruleset.id,
            "title": ruleset.title,
            "levels": ruleset.levels if has_opponent(ruleset) else (),
            "about": ABOUT.get(ruleset.id, ""),
            "scenarios": [_describe_scenario(ruleset, playable) for playable in found if not playable.fault],
            "faulty": [playable for playable in found if playable.fault],
        }
        for ruleset, found in scenarios.list_scenarios()
        if found
    ]


def _describe_scenario(ruleset: Ruleset, playable: Playable) -> dict[str, Any]:
    scenario = scenarios.load(playable.id)
    turns = len(scenario.data["scenario"].get("turns", ()))
    setting = scenarios.make_setting(ruleset, scenario, {}, PLAYERS)
    units = len(scenarios.make_first_position(ruleset, setting).units)
    told = show_scenario(ruleset, scenario)
    words, first = ruleset.seen.words(setting), ruleset.proposer(setting)
    noun = "counter" if "grid" in scenario.data["map"] else "model"
    return {
        "id": playable.id,
        "name": scenarios.remove_system(ruleset, scenario.title),
        "title": told.text,
        "shown": told.digest,
        "size": ", ".join([plural(turns, "turn")] * bool(turns) + [plural(units, noun)]),
        "start": playable.id == bothsides.FIRST,
        "sides": [(side, words.side(side)) for side in (ruleset.other(first), first)],
    }


def show_scenario(ruleset: Ruleset, scenario: Scenario) -> Shown:
    """Return the description of a scenario: the version of its data, the rules and the options."""
    setting = scenarios.make_setting(ruleset, scenario, {}, PLAYERS)
    side = ruleset.seen.words(setting).side(ruleset.proposer(setting))
    options = {option.key: [option.shown] if option.many else list(option.values) for option in ruleset.options}
    pinned = {"scenario": scenario.id, "data": scenario.sha256, "version": str(ruleset.version), "options": options}
    return Shown(f"{scenarios.full_title(ruleset, scenario.title)} (you play {side})", pinned)
