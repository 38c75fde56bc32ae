"""7.1 to 7.4: morale of crews: who must test, what a pin costs, when it ends."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from kursk_pbem.kernel.events import Marked, Noted, Tested, Unmarked
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.armor_commander.orders import Order
from kursk_pbem.rulesets.armor_commander.position import PINNED, PLOT
from kursk_pbem.rulesets.armor_commander.setting import Setting

MORALE = 7
"""7.2: the least sum of two dice that passes."""
PASSES = Fraction(21, 36)


def must_test(setting: Setting, gun: str, left: int) -> bool:
    """7.2, A-20: more than half of the crew that it began with has fallen; exactly half is not more."""
    crew = setting.models[gun].crew
    return 2 * (crew - left) > crew


def tests(umpire: Umpire[Setting], actor: str, casualties: Mapping[str, int], waiting: dict[str, Order]) -> None:
    """7.2, 7.3, A-20, A-37: after the fire of a unit each gun with new casualties tests, once; tanks never do (7.1).

    ``waiting`` are the orders that are still to be carried out, by unit: a gun that fails loses its own.
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
                _pin(umpire, gun, waiting)


def _pin(umpire: Umpire[Setting], gun: str, waiting: dict[str, Order]) -> None:
    """7.4, A-21, A-38, A-44: it loses the chip it still has, and sits out this turn; otherwise the next one."""
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


def rally(umpire: Umpire[Setting]) -> None:
    """7.4, A-21: at the end of a turn the pins of that turn are taken away."""
    for gun, turn in sorted(umpire.state.marks.get(PINNED, {}).items()):
        if turn == umpire.state.turn:
            umpire.emit(Unmarked("7.4", PINNED, gun))
