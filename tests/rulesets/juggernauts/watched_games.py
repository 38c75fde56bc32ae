"""Games in which each side tries other messages: small fights, the whole set-up, both options."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import cache

from helpers.adversary import Content, Draft, Sitting
from helpers.watched_play import Play, Seen, watched

from kursk_pbem.kernel.state import OVER, State
from kursk_pbem.rulesets.juggernauts import RULESET, sequence
from kursk_pbem.rulesets.juggernauts.setting import Setting
from rulesets.juggernauts.board import july, place
from rulesets.juggernauts.random_play import Chooser

POCKET = (
    "T15: r-57a | T16: r-1ta | U16: r-4ak | S16: r-5gta | S15: g-2ss | S14: g-10bde | T14: g-48pzk | "
    "U15: g-42k | R14: g-3pzk g-503; emplaced r-4ak"
)


def play(setting: Setting, start: State) -> Play:
    def content(state: State, seq: int, rng: random.Random) -> Content:
        return Chooser(setting, rng).content(state, seq)

    return Play(RULESET, setting, start, content, misplaced)


def misplaced(stage: str) -> Content:
    """Return content that a message of this stage may not contain."""
    return {"orders": {"road": ["r-4ak"]}} if stage.endswith("-answer") else {"policy": {"withdraw": "2"}}


def skirmish(flown: str, turn: str) -> Play:
    """Return a few stacks around T15, with Germans to write."""
    setting = july("historical", flown)
    return play(setting, place(f"{POCKET}; turn {turn}", setting))


def whole(deployment: str, flown: str) -> Play:
    setting = july(deployment, flown)
    return play(setting, RULESET.data.setup(setting))


PLAYS: dict[str, Callable[[], Play]] = {
    "pocket": lambda: skirmish("grounded", "4"),
    "pocket, aircraft": lambda: skirmish("flown", "5"),
    "july": lambda: whole("historical", "grounded"),
    "july, armour placed": lambda: whole("by-choice", "flown"),
}
MOST = {"pocket": 16, "july": 7}  # messages of a usual game


@cache
def usual(name: str, number: int) -> Seen:
    """Play a short game of one kind; the number varies the game."""
    return watched(PLAYS[name](), number, MOST[name.partition(",")[0]])


@cache
def written() -> Mapping[str, list[tuple[Sitting, Draft]]]:
    """Return positions of every stage with their messages, from as many games as necessary."""
    found: dict[str, list[tuple[Sitting, Draft]]] = {}
    for number in range(30):
        for name in PLAYS:
            if number == 0 or name.startswith("pocket"):
                for stage, messages in usual(name, number).written.items():
                    found.setdefault(stage, []).extend(messages)
        if found.keys() == sequence.STAGES.keys() - {OVER}:
            return found
    raise AssertionError(f"no game has come to {sequence.STAGES.keys() - found.keys()}")
