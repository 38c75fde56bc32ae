"""The plots of the finished games: the aims of both sides, a plot for each possible ending of a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from helpers.registry import Mind, Plot

from rulesets.battle_for_kursk.directed_play import FAR, Aim, Player
from rulesets.battle_for_kursk.first_turn import CAMPAIGN, CITADEL

WEST = ("2110", "2117", "2422", "1808", "1818", "1404", "1923", "1821", "1103", "1015")  # Major Cities, nearest first
EAST = ("2113", "2713", "2406", "2824")


def minds(german: Aim, russian: Aim) -> Callable[[Any], Mapping[str, Mind]]:
    """Return two players who follow the plot."""
    return lambda kursk: {"german": Player(kursk, "german", german), "russian": Player(kursk, "russian", russian)}


ALERT = {"stand-fast": "full", "exchange-dr": "doomed", "exchange-drl": "never"}

PLOTS = {
    "moscow": Plot(
        "The Russians leave a gap before Moscow, and a panzer corps drives through it.",
        CAMPAIGN,
        minds(Aim(("deploy",), ("2402",)), Aim(("reposition",), refuge="2713")),
    ),
    "german-strategic": Plot(
        "The Russians leave for the north; the Germans take the objective and every Major City in the east but Moscow.",
        CITADEL,
        minds(Aim(("engage", "engage", "deploy"), EAST, column=4), Aim(("reposition",), refuge="1800", content=-FAR)),
    ),
    "german-operational": Plot(
        "The Germans take Kursk and are content. The Russians answer nothing beforehand: the dice stop and ask them.",
        CITADEL,
        minds(Aim(("engage",), EAST, content=3, column=3, waits=("2",)), Aim(("reposition",))),
        {"uncovered": "ask"},
    ),
    "russian-operational": Plot(
        "The Russians take a few Major Cities and stop.",
        CITADEL,
        minds(
            Aim(("engage", "reposition"), column=3, answers=ALERT, waits=("2", "4")),
            Aim(("engage",), WEST, content=3, column=4),
        ),
    ),
    "russian-strategic": Plot(
        "The Germans leave for the west; the Russians follow from city to city.",
        CAMPAIGN,
        minds(Aim(("pause", "pause", "pause", "reposition"), refuge="0618"), Aim(("engage",), WEST, column=3)),
    ),
    "draw": Plot(
        "The Germans take Kursk; the Russians take as much as makes it even.",
        CITADEL,
        minds(
            Aim(("engage",), EAST[:1], content=2, column=3, waits=("3", "5")),
            Aim(("reposition", "engage"), WEST, content=0, column=4, answers=ALERT),
        ),
        {"weather": "die"},
    ),
    "resignation-german": Plot(
        "The German gives up while his dice are due.",
        CITADEL,
        minds(Aim(("engage",), EAST, column=2), Aim(("engage",), WEST, column=4, answers=ALERT)),
        resigns="german",
        at=9,
    ),
    "resignation-russian": Plot(
        "The Russian gives up in the mud of spring.",
        CAMPAIGN,
        minds(Aim(("engage",), EAST, column=3), Aim(("pause",))),
        {"weather": "die"},
        resigns="russian",
        at=14,
    ),
    "referee": Plot(
        "A referee rolls. The Germans go for Kursk, the Russians for Orel; who has filed no answers is asked.",
        CITADEL,
        minds(
            Aim(("engage",), EAST[:2], content=3, column=3, battles=2, answers=ALERT, waits=("2", "7")),
            Aim(("reposition", "engage"), WEST[:4], column=3, battles=2),
        ),
        {"uncovered": "ask", "weather": "die"},
        refereed=True,
        offers={"german": 9, "russian": 30},
    ),
}
