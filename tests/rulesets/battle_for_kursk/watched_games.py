"""Games of Battle for Kursk to be watched: small sieges, so that many games are played soon, and whole scenarios."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from helpers.adversary import Content, Draft, Sitting
from helpers.watched_play import Play, Seen, watched

from kursk_pbem.game import scenario_files as scenario
from kursk_pbem.kernel.state import OVER, State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.battle_for_kursk import RULESET as KURSK
from kursk_pbem.rulesets.battle_for_kursk import replacements, sequence
from kursk_pbem.rulesets.battle_for_kursk.position import position
from kursk_pbem.rulesets.battle_for_kursk.setting import Setting
from rulesets.battle_for_kursk import random_play
from rulesets.battle_for_kursk.board import place

SIEGES = (
    "2406: r-25-rc | 2405: g-47-pz | 2506: g-48-pz | 2407: g-2-ss | 2213: r-8-erc | 2214: g-24-pz | 2114: g-11"
    " | 1808: g-17 | 1708: r-4-t | 1809: r-1-t | 1908: r-3-gt | 1909: r-5 | 1606: g-3-pz; stage russian-orders"
    "; posture german engage russian engage; offensives german 3 russian 3"
)


class Skirmisher(random_play.Chooser):
    """No unit marches and no unit is replaced: the armies are adjacent and fight."""

    def moves(self, shadow: Umpire[Setting], side: str, key: str, orders: dict[str, Any]) -> None:
        return

    def replacements(self, shadow: Umpire[Setting], side: str, orders: dict[str, Any], seq: int) -> None:
        points = replacements.count_points(self.setting, shadow.state, side)
        due = replacements.proposed_give_ups(position(self.setting, shadow.state), side, points)
        orders.update({"give-ups": due} if due else {})

    def posture(self, state: State, side: str) -> dict[str, str]:
        return super().posture(state, side) if self.rng.random() < 0.3 else {"posture": "engage", "reaction": "no"}

    def next_posture(self, state: State, side: str) -> dict[str, str]:
        return super().next_posture(state, side) if self.rng.random() < 0.3 else {"posture": "engage"}

    def policy(self) -> dict[str, str]:
        """Leave out most answers, so that dice stop if the players have agreed on stops."""
        said = list(super().policy().items())
        return dict(said[: self.rng.choice((0, 0, 0, 1, 3))])


@cache
def kursk(name: str = "campaign", **options: str) -> Setting:
    setting = KURSK.data.load(scenario.load(scenario.find(f"battle-for-kursk/{name}")), options)
    assert isinstance(setting, Setting)
    return setting


def skirmish(options: Mapping[str, str], turn: str) -> Play:
    """Two sieges and a fight in the open, Russian to write."""
    setting = kursk(**options)
    return _kursk(setting, place(f"{SIEGES}; turn {turn}"), Skirmisher)


def whole(name: str, options: Mapping[str, str], *, resumed: bool = False) -> Play:
    """Return a scenario from its set-up, or from the agreement to begin again."""
    setting = kursk(name, **options)
    state = KURSK.data.setup(setting)
    if resumed:
        again = KURSK.data.resume(setting, state.with_(stage="posture", side="german"))
        assert isinstance(again, State)
        state = again
    return _kursk(setting, state, random_play.Chooser)


def _kursk(setting: Setting, start: State, chooser: type[random_play.Chooser]) -> Play:
    return Play(KURSK, setting, start, lambda state, seq, rng: chooser(setting, rng).content(state, seq), misplaced)


def misplaced(stage: str) -> Content:
    """Return fields that a message of this stage must not have."""
    return {"waive": "posture"} if stage.endswith("-answer") else {"policy": {"stand-fast": "always"}}


WEATHER, ASK = {"weather": "die"}, {"uncovered": "ask"}
PLAYS: dict[str, Callable[[], Play]] = {
    "sieges": lambda: skirmish({}, "4"),
    "sieges, decisions": lambda: skirmish(ASK, "5"),
    "sieges, weather": lambda: skirmish(WEATHER, "6"),
    "sieges, weather and decisions": lambda: skirmish({**WEATHER, **ASK}, "5"),
    "campaign": lambda: whole("campaign", {}),
    "campaign, weather and decisions": lambda: whole("campaign", {**WEATHER, **ASK}),
    "campaign, begun anew": lambda: whole("campaign", {}, resumed=True),
    "citadel": lambda: whole("citadel", ASK),
}
VARIED = ("sieges, decisions", "sieges, weather", "campaign, weather and decisions", "campaign, begun anew")
"""Plays that together meet every stage."""
FIRST_SEED = {"sieges, decisions": 2}  # a game with both kinds of decision; 0 for all other games
MOST = {"sieges": 24, "campaign": 8, "citadel": 6}  # messages of a usual game


@cache
def usual(name: str, number: int) -> Seen:
    """Return a game of one of the plays, of limited length; the number selects the game."""
    return watched(PLAYS[name](), FIRST_SEED.get(name, 0) + number, MOST[name.partition(",")[0]])


@cache
def written() -> Mapping[str, list[tuple[Sitting, Draft]]]:
    """Return positions of every stage with the message written there, from as many games as needed."""
    found: dict[str, list[tuple[Sitting, Draft]]] = {}
    for number in range(40):
        for name in dict.fromkeys([*VARIED, *PLAYS]):
            if number == 0 or name.startswith("sieges"):
                for stage, messages in usual(name, number).written.items():
                    found.setdefault(stage, []).extend(messages)
            if found.keys() == sequence.STAGES.keys() - {OVER}:
                return found
    raise AssertionError(f"no game has come to {sequence.STAGES.keys() - found.keys()}")
