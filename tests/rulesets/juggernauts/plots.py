"""The plots of the finished games: each side's aim, one plot for each way to end a game."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from helpers.registry import Mind, Plot

from rulesets.juggernauts.directed_play import Aim, make_minds
from rulesets.juggernauts.random_play import Chooser

JULY = "juggernauts/july-1943"
NOBODY = 99  # no attack has these odds
STAND = {"no-retreat": "yes"}
ALL = {"deployment": "by-choice", "aircraft": "flown"}


def at_random(seed: int) -> Callable[[Any], Mapping[str, Mind]]:
    """Return two random players."""
    return lambda setting: {side: Chooser(setting, random.Random(f"{seed} {side}")) for side in setting.sides}


PLOTS = {
    "german-normal": Plot(
        "The Germans go for Kursk; the Russians stand where they are.",
        JULY,
        make_minds(Aim(("L8",)), Aim(("L8",), level=NOBODY)),
        seed=2,
    ),
    "german-smashing": Plot(
        "The Russians leave for Tula, whatever its room; the Germans take Voronezh, then Kursk.",
        JULY,
        make_minds(
            Aim(("L15", "L8"), level=5, plan={"push": ["1"], "breakthrough": ["L15"]}),
            Aim(refuge="A12", level=NOBODY, answers={"withdraw": "2"}),
        ),
    ),
    "russian-normal": Plot(
        "The Germans leave for the south; the Russians take Bryansk and Orel.",
        JULY,
        make_minds(Aim(refuge="W3", level=NOBODY), Aim(("F8", "E4"), level=5)),
    ),
    "russian-smashing": Plot(
        "The Germans leave for the south; the Russians take Orel, then everybody the nearest city.",
        JULY,
        make_minds(
            Aim(refuge="W3", level=NOBODY), Aim(("P5", "N1", "V4", "T8", "E4", "F8"), level=4, spread=True, near=6)
        ),
        seed=53,
    ),
    "draw": Plot("Armour stands as both like, aircraft fly, and seven turns bring nothing.", JULY, at_random(4), ALL),
    "resignation-german": Plot(
        "The German gives up while his dice are due.",
        JULY,
        make_minds(Aim(("L8",)), Aim(("F8",), level=6, answers=STAND)),
        resigns="german",
        at=7,
    ),
    "resignation-russian": Plot(
        "The Russian gives up before Kursk.",
        JULY,
        make_minds(Aim(("L8",), plan={"forced": ["D1", "D"]}), Aim(("F8",), answers=STAND)),
        resigns="russian",
        at=12,
    ),
    "referee": Plot(
        "A referee rolls, with armour as both like and aircraft.",
        JULY,
        at_random(8),
        ALL,
        refereed=True,
        offers={"german": 9, "russian": 30},
    ),
}
