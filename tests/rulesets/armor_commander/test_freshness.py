"""The law of freshness (protocol 2.4): no choice after visible dice, and no gain from sealing.

``FRESHNESS_GAMES=40`` plays 40 random games of each kind instead of one.
"""

import os
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from helpers import registry, sweeps
from helpers.watched_play import Play, watched

from kursk_pbem.kernel.adjudicate import adjudicate
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import OVER, State
from kursk_pbem.kernel.umpire import Umpire, first_ripe
from kursk_pbem.rulesets.armor_commander import RULESET, plotting, sequence
from rulesets.armor_commander.plots import CROSSROADS, GUN_LINE
from rulesets.armor_commander.random_play import Chooser
from rulesets.armor_commander.table import begin, opener, red, world

KIT = registry.kit("armor-commander")
MANY = int(os.environ.get("FRESHNESS_GAMES", "1"))
LINE = {
    "g-pz-1": ("10.00, 10.00", "3"),
    "g-pz-2": ("10.00, 13.00", "3"),
    "g-gun-1": ("10.00, 20.00",),
    "s-t-1": ("22.00, 10.00", "9"),
    "s-t-2": ("22.00, 13.00", "9"),
    "s-gun-1": ("24.00, 20.00",),
}


def list_misplaced(stage):
    """Return contents that a message of this stage must not have."""
    if stage == "place":
        return {"orders": {"units": [red("g-panzer", "s-tanks")]}}
    return {"orders": {"deployment": [{"id": "g-pz-1"}]}}


def of(setting, start):
    return Play(
        RULESET, setting, start, lambda state, seq, rng: Chooser(setting, rng).content(state, seq), list_misplaced
    )


def skirmish(seals):
    """Start with both sides in range; the first side seals its orders in the first message."""
    setting = world(LINE, seals=seals)
    start = begin(setting).with_(stage="plot", side=seals, agenda={})
    return of(setting, start)


def whole(name, *, resumed=False):
    setting = KIT.setting(name)
    state = KIT.setup(setting)
    if resumed:
        state = begin(setting).with_(side=opener(setting))
        state = RULESET.data.resume(setting, state)
        assert isinstance(state, State)
    return of(setting, state)


PLAYS = {
    "skirmish, german seals": lambda: skirmish("german"),
    "skirmish, soviet seals": lambda: skirmish("soviet"),
    "gun line": lambda: whole(GUN_LINE),
    "crossroads": lambda: whole(CROSSROADS),
    "crossroads, begun anew": lambda: whole(CROSSROADS, resumed=True),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", sweeps.some(PLAYS, 3))
def test_in_random_games_nobody_chooses_with_dice_in_sight(name):
    """Each message is replaced by other orders, notes, offers, nonces and void messages."""
    for seed in range(MANY):
        found = watched(PLAYS[name](), seed, 9 if MANY == 1 else 400)
        assert found.thought > 2 * (found.last.seq - 2)
        assert found.dice > 0


@pytest.mark.slow
def test_every_stage_is_met():
    found = set()
    for play in (whole(GUN_LINE), skirmish("german")):
        found |= watched(play, 0, 9).written.keys()
    assert found == sequence.list_stages(world(LINE)).keys() - {OVER}


def test_dice_of_an_action_are_of_orders_that_both_sides_have_fixed():
    """Sealed in k-2, open in k-1: message k is the earliest with dice for both."""
    setting = world(LINE)
    state = begin(setting).with_(agenda={"plot": {"label": "orders/turn-1"}, "declared": "3", "answered": "4"})
    assert first_ripe(state.agenda) == 5

    class Dice:
        seq = 4

        def roll(self, _label, n):
            return "6" * n

    umpire = Umpire(setting, state, 4, Dice())
    with pytest.raises(AssertionError, match="a die of message 4 for inputs of messages 3 and 4"):
        umpire.roll("g-pz-1/hit", "5.5", of="plot")


class Faces:
    """Dice with faces chosen by label."""

    def __init__(self, faces):
        self.seq, self.faces = 5, {"initiative/1/german": "6", "initiative/1/soviet": "1"} | faces

    def roll(self, label, n):
        assert n == 1
        return self.faces[label]


def list_outcomes(seals, first):
    """Return every end of a duel of two guns against two tanks, with its chance, for one sealing side."""
    duel = {
        "g-gun-1": ("10.00, 10.00",),
        "g-pz-1": ("10.00, 30.00", "9"),
        "s-gun-1": ("20.00, 30.00",),
        "s-t-1": ("20.00, 10.00", "3"),
    }
    setting = world(duel, seals=seals)
    orders = {"german": [red("g-gun-1", "s-t-1")], "soviet": [red("s-gun-1", "g-pz-1")]}
    before = adjudicate(
        RULESET,
        setting,
        begin(setting, first=first),
        Filing(4, opener(setting), orders={"units": orders[opener(setting)]}),
        None,
    ).after
    filing = Filing(5, seals, reveal={plotting.name_seal("1"): orders[seals]}, resigns=True)
    found = Counter()

    class Saves(Faces):
        def roll(self, label, n):
            return self.faces[label] if n == 1 else self.faces[label] * 2

    for one, two, three, four in product("123456", repeat=4):
        dice = {"g-gun-1/hit": one, "s-gun-1/hit": two, "g-gun-1/save/s-t-1": three, "s-gun-1/save/g-pz-1": four}
        after = adjudicate(RULESET, setting, before, filing, Saves(dice)).after
        found[tuple(sorted(mid for mid, unit in after.units.items() if unit.steps))] += Fraction(1, 6**4)
    return found


@pytest.mark.long
@pytest.mark.parametrize("first", sweeps.some(["german", "soviet"], 2))
def test_who_seals_has_no_effect_on_chances(first):
    """Equal orders have equal outcomes and chances, for either sealing side."""
    assert list_outcomes("german", first) == list_outcomes("soviet", first)
