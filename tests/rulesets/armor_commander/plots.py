"""The plots of the finished games: the goals of both sides, for each kind of end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from helpers.registry import Mind, Plot

from rulesets.armor_commander.directed_play import Aim, Player

CROSSROADS, GUN_LINE = "armor-commander/crossroads", "armor-commander/gun-line"
HILL, MARKET = (2400, 2900), (3600, 2400)
NEVER = Fraction(99)


def minds(german: Aim, soviet: Aim) -> Callable[[Any], Mapping[str, Mind]]:
    """Return two players with the goals of a plot."""
    return lambda setting: {"german": Player(setting, "german", german), "soviet": Player(setting, "soviet", soviet)}


ASSAULT, WAIT = Aim(HILL, Fraction(3, 2)), Aim(None, Fraction(1, 9))

PLOTS = {
    "hill-taken": Plot("The tanks drive past the guns and hold the hill.", GUN_LINE, minds(ASSAULT, WAIT)),
    "hill-held": Plot(
        "The Germans stay where they are; the Soviet tanks come down to the hill.",
        GUN_LINE,
        minds(Aim(None, NEVER), Aim(HILL, NEVER, deploy=(("s-t-1", "31.00, 33.00"), ("s-t-2", "31.00, 31.50")))),
    ),
    "gun-line-destroyed": Plot(
        "The Germans shoot the gun line to pieces.", GUN_LINE, minds(Aim(HILL, Fraction(1, 2)), WAIT), seed=4
    ),
    "assault-destroyed": Plot("The guns shoot the assault to pieces.", GUN_LINE, minds(ASSAULT, WAIT), seed=2),
    "village-german": Plot(
        "Nobody holds the market place; the Germans lose fewer.", CROSSROADS, minds(Aim(MARKET), Aim(MARKET)), seed=17
    ),
    "village-soviet": Plot(
        "Nobody holds the market place; the Soviets lose fewer.",
        CROSSROADS,
        minds(Aim(MARKET, Fraction(1)), Aim(None)),
        {"cohesion": "chain"},
        seed=3,
    ),
    "village-draw": Plot(
        "Both stay where they are and do not fire.", CROSSROADS, minds(Aim(None, NEVER), Aim(None, NEVER))
    ),
    "gives-up-german": Plot(
        "The German gives up in the middle of the assault.", GUN_LINE, minds(ASSAULT, WAIT), resigns="german", at=10
    ),
    "gives-up-soviet": Plot(
        "The Soviet gives up after the first fire.",
        CROSSROADS,
        minds(Aim(MARKET), Aim(MARKET, deploy=(("s-zis-1", "50.00, 36.00"),))),
        resigns="soviet",
        at=8,
    ),
    "referee": Plot(
        "A referee rolls, and both drive for the market place.",
        CROSSROADS,
        minds(Aim(MARKET, Fraction(2)), Aim(MARKET, Fraction(2))),
        refereed=True,
        offers={"german": 9, "soviet": 21},
    ),
}
