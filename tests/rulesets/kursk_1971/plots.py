"""The finished games: aims of each side, for each way to end a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from helpers.registry import Mind, Plot

from rulesets.kursk_1971.directed_play import Aim, Player

KURSK = "1717"
WARY: Mapping[str, Any] = {"retreat": ["away 1925"], "battles": {"retreat": ["away 1708"]}, "patrol": {}}
FIRM: Mapping[str, Any] = {"retreat": ["toward 1717"], "advance": ["s-6g-3"], "hexes": {"1812": {"advance": []}}}


def minds(german: Aim, soviet: Aim) -> Callable[[Any], Mapping[str, Mind]]:
    """Return players with these aims."""
    return lambda game: {"german": Player(game, "german", german), "soviet": Player(game, "soviet", soviet)}


def scenario(name: str) -> str:
    return f"kursk-1971/{name}"


PLOTS = {
    "draw": Plot(
        "The Soviets leave Kursk; the Germans come beside it and do not enter. Nobody has a point.",
        scenario("july4"),
        minds(Aim((KURSK,), 6, (KURSK,), flies=False), Aim(leave=(KURSK,), flies=False)),
    ),
    "german-decisive": Plot(
        "The Soviets of August let the Germans keep every city.",
        scenario("august3"),
        minds(Aim(column=5, attacks=1), Aim(take=("1708",), moves=3)),
    ),
    "german-tactical": Plot(
        "The Soviets of August take Orel and are content.",
        scenario("august3"),
        minds(Aim(answers=WARY), Aim(("1708",), 6, column=4, attacks=5, content=22)),
    ),
    "german-marginal": Plot(
        "The Soviets of August go for Belgorod with all they have.",
        scenario("august3"),
        minds(Aim(flies=False), Aim(("1925", "1824"), 8, column=3, attacks=6, content=60)),
        {"edition": "print"},
    ),
    "soviet-marginal": Plot(
        "The Germans go for Kursk and get a little less than it is worth.",
        scenario("july4-historical"),
        minds(Aim((KURSK,), 3, column=6, attacks=4, content=18), Aim(answers=FIRM)),
        seed=6,
    ),
    "soviet-tactical": Plot(
        "The Germans take Ponyri and are content.",
        scenario("june12"),
        minds(Aim(("1812", "1912"), 4, column=5, attacks=4, content=18), Aim(("2010",), 2, answers=FIRM)),
        {"edition": "print", "optional-rules": "both-played"},
        seed=2,
    ),
    "soviet-decisive": Plot(
        "The Germans of May sit still; the Soviets attack them where they can.",
        scenario("may3"),
        minds(Aim(answers=WARY), Aim(column=3, attacks=2, moves=2, take=("1925",))),
    ),
    "resignation-german": Plot(
        "The German gives up while their dice are due.",
        scenario("july4-historical"),
        minds(Aim((KURSK,), 4, column=2, raids=4), Aim((KURSK,), 2, answers=FIRM)),
        resigns="german",
        at=9,
    ),
    "resignation-soviet": Plot(
        "The Soviet side gives up in the second turn.",
        scenario("july4"),
        minds(Aim((KURSK,), 4, column=3), Aim(deploy=(("2020", ("s-2t",)),))),
        {"optional-rules": "neither-played"},
        resigns="soviet",
        at=11,
    ),
    "referee": Plot(
        "A referee rolls. The Germans go for Kursk; answers stand open.",
        scenario("july4-historical"),
        minds(Aim((KURSK,), 3, column=4, answers=WARY), Aim((KURSK,), 2, column=3, answers=FIRM)),
        refereed=True,
        offers={"german": 9, "soviet": 20},
    ),
}
