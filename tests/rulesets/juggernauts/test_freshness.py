"""The law of freshness (protocol 2.4): no player chooses after seeing dice.

Each side tries other messages in small fights and in the whole set-up, with both options.
``FRESHNESS_GAMES=40`` plays 40 random games of each kind instead of one.
"""

import os
import random
from collections.abc import Callable, Mapping
from functools import cache

import pytest
from helpers import sweeps
from helpers.adversary import Content, Draft, Sitting
from helpers.watched_play import Play, Seen, watched

from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import OVER, State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.juggernauts import RULESET, combat, movement, sequence
from kursk_pbem.rulesets.juggernauts.setting import Setting
from rulesets.juggernauts.board import Faces, attack, declare_attacks, july, order_moves, place
from rulesets.juggernauts.random_play import Chooser

MANY = int(os.environ.get("FRESHNESS_GAMES", "0"))
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


@pytest.mark.some(9)
@pytest.mark.slow
@pytest.mark.parametrize("name", sweeps.some(PLAYS, 3))
def test_in_random_games_nobody_chooses_with_dice_in_sight(name):
    """Every message of every stage, with changed orders, answers, notes, offers, nonces and void messages."""
    found = usual(name, 0)
    assert found.thought > 2 * (found.last.seq - 2)
    for seed in range(MANY):
        watched(PLAYS[name](), seed, 400)


@pytest.mark.long
def test_every_stage_is_met():
    assert written().keys() == set(sequence.STAGES) - {OVER}


# Dice of movement, combat and later steps: never in the declaring message or in the answer


def rolling(state, seq, run):
    run(Umpire(july(), state, seq, Faces(seq, "1")), Filing(seq, "german"))


@pytest.mark.parametrize("seq", [1, 2])
def test_no_die_falls_before_both_have_fixed_what_it_depends_on(seq):
    fights = declare_attacks(place("T15: r-57a | S15: g-2ss"), attack("T15", "g-2ss")).state
    panther = order_moves(place("R15: g-10bde"), ("g-10bde", "R14 R13")).state
    for state, run in ((fights, combat.resolve_attacks), (panther, movement.roll_panthers)):
        with pytest.raises(AssertionError, match="a die of message"):
            rolling(state, seq, run)
        rolling(state, 3, run)


def test_an_answer_in_the_same_message_is_too_late():
    state = declare_attacks(place("T15: r-57a | S15: g-2ss"), attack("T15", "g-2ss")).state
    late = state.with_(agenda={**state.agenda, "answered": "3"})
    with pytest.raises(AssertionError, match="a die of message"):
        rolling(late, 3, combat.resolve_attacks)


def test_the_panther_does_not_move_before_its_die():
    """No choice in the ordering message or in the answer can follow the die."""
    umpire = order_moves(place("R15: g-10bde"), ("g-10bde", "R14 R13"))
    assert umpire.state.units["g-10bde"].place == "R15"
    assert list(umpire.state.agenda["panthers"]) == ["g-10bde"]
