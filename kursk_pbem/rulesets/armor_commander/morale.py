"""7.1 to 7.4: morale of crews: tests, pins and their end."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from kursk_pbem.kernel.events import Marked, Noted, Tested, Unmarked
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.armor_commander.orders import Order
from kursk_pbem.rulesets.armor_commander.position import PINNED, PLOT
from kursk_pbem.rulesets.armor_commander.setting import Setting

MORALE = 7
"""7.2: the lowest passing sum of two dice."""
PASSES = Fraction(21, 36)


def must_test(setting: Setting, gun: str, left: int) -> bool:
    """7.2, A-20: return whether a gun has lost more than half of its original crew. ``left``: the crew that remains."""
    crew = setting.models[gun].crew
    return 2 * (crew - left) > crew


def test_crews(umpire: Umpire[Setting], actor: str, casualties: Mapping[str, int], waiting: dict[str, Order]) -> None:
    """7.2, 7.3, A-20, A-37: test the morale of each gun that lost crew by a unit's fire, once for each gun.

    ``waiting``: the orders left to carry out, by unit. A failing gun loses its order. Tanks never test (7.1).
    """
    for gun in sorted(casualties):
        if must_test(umpire.setting, gun, umpire.state.units[gun].steps):
            label = f"{actor}/morale/{gun}"
            dice = umpire.roll(label, "7.2", of=PLOT, n=2, whose=umpire.setting.models[gun].side)
            passed = sum(map(int, dice)) >= MORALE
            chance = PASSES if passed else 1 - PASSES
            text = "passes" if passed else "fails and is pinned"
            needs = f"passes at {MORALE} or more"
            umpire.emit(Tested("7.2", gun, "Morale", label, dice, needs, passed, text, str(chance)))
            if not passed:
                _pin_gun(umpire, gun, waiting)


def _pin_gun(umpire: Umpire[Setting], gun: str, waiting: dict[str, Order]) -> None:
    """7.4, A-21, A-38, A-44: take a gun's chip and pin the gun for this turn; without a chip, for the next turn."""
    setting, turn = umpire.setting, umpire.state.turn
    if gun in waiting:
        del waiting[gun]
        umpire.emit(Marked("7.4", PINNED, gun, turn))
        return
    following = setting.turns.index(turn) + 1
    if following < len(setting.turns):
        umpire.emit(Marked("7.4", PINNED, gun, setting.turns[following]))
    else:
        umpire.emit(Noted("7.4", f"{gun} would sit out the turn after the last"))


def remove_pins(umpire: Umpire[Setting]) -> None:
    """7.4, A-21: remove the pins of the ending turn."""
    for gun, turn in sorted(umpire.state.marks.get(PINNED, {}).items()):
        if turn == umpire.state.turn:
            umpire.emit(Unmarked("7.4", PINNED, gun))
