"""9.1 to 9.3: how a game ends, and who has won."""

from __future__ import annotations

from kursk_pbem.kernel import plane
from kursk_pbem.kernel.events import Noted
from kursk_pbem.kernel.ruleset import Verdict
from kursk_pbem.kernel.state import VERDICT, State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.armor_commander.position import Field, field
from kursk_pbem.rulesets.armor_commander.setting import HOLDS, SIDES, Objective, Setting

WIPED_OUT, OBJECTIVES, LOSSES = "wiped-out", "objectives", "losses"
TEXTS = {
    WIPED_OUT: "the other side has no model left (9.1)",
    OBJECTIVES: "it holds more objectives (9.2)",
    LOSSES: "it has lost fewer tanks and guns (9.3)",
}
DRAWS = {WIPED_OUT: "neither side has a model left (9.1)", LOSSES: "both have lost as many tanks and guns (9.3)"}


def holder(table: Field, objective: Objective) -> str:
    """9.2, A-42, A-44: the side that alone has a model within 6 inches that may move; pins and cover do not matter."""
    near = {
        table.setting.models[mid].side
        for mid, place in table.at.items()
        if table.mobile(mid) and plane.is_within(place, objective.at, HOLDS)
    }
    return next(iter(near)) if len(near) == 1 else ""


def lost(table: Field) -> dict[str, int]:
    """9.3, A-37: tanks and guns that each side has lost, whoever destroyed them."""
    return {
        side: sum(model.side == side and mid not in table.at for mid, model in table.setting.models.items())
        for side in SIDES
    }


def wiped_out(umpire: Umpire[Setting]) -> None:
    """9.1, A-42: the game ends at once when a side has no model left."""
    table = field(umpire.setting, umpire.state)
    there = [side for side in SIDES if table.standing(side)]
    if len(there) < len(SIDES):
        umpire.finish("9.1", there[0] if there else "", WIPED_OUT)


def reckon(umpire: Umpire[Setting]) -> None:
    """9.2, 9.3, A-50: after the last turn objectives decide, and where they do not, losses."""
    setting, table = umpire.setting, field(umpire.setting, umpire.state)
    held = dict.fromkeys(SIDES, 0)
    for objective in setting.objectives:
        side = holder(table, objective)
        who = f"the {side.capitalize()} side" if side else "nobody"
        umpire.emit(Noted("9.2", f"{objective.name} is held by {who}"))
        if side:
            held[side] += 1
    if held[SIDES[0]] != held[SIDES[1]]:
        umpire.finish("9.2", max(SIDES, key=lambda side: held[side]), OBJECTIVES)
    gone = lost(table)
    one, two = SIDES
    winner = "" if gone[one] == gone[two] else min(SIDES, key=lambda side: gone[side])
    umpire.finish("9.3", winner, LOSSES)


def verdict(_setting: Setting, state: State) -> Verdict | None:
    """9.1 to 9.3: how the game ended, None if it has not."""
    how, winner = state.mark(VERDICT, "how"), state.mark(VERDICT, "winner").replace("draw", "")
    if not how:
        return None
    if not winner:
        return Verdict("", how, f"Draw: {DRAWS[how]}")
    return Verdict(winner, how, f"{winner.capitalize()} victory: {TEXTS[how]}")
