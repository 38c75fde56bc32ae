"""9.1 to 9.3: the end of a game and its winner."""

from __future__ import annotations

from kursk_pbem.kernel import plane
from kursk_pbem.kernel.events import Noted
from kursk_pbem.kernel.ruleset import make_verdict
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.armor_commander.position import Field, make_field
from kursk_pbem.rulesets.armor_commander.setting import HOLDS, SIDES, Objective, Setting

WIPED_OUT, OBJECTIVES, LOSSES = "wiped-out", "objectives", "losses"
TEXTS = {
    WIPED_OUT: "the other side has no model left (9.1)",
    OBJECTIVES: "it holds more objectives (9.2)",
    LOSSES: "it has lost fewer tanks and guns (9.3)",
}
DRAWS = {WIPED_OUT: "neither side has a model left (9.1)", LOSSES: "both have lost as many tanks and guns (9.3)"}


def find_holder(table: Field, objective: Objective) -> str:
    """9.2, A-42, A-44: return the holder of an objective, or ''.

    The holder is the only side with a mobile model within 6 inches. Pins and cover are irrelevant.
    """
    near = {
        table.setting.models[mid].side
        for mid, place in table.at.items()
        if table.is_mobile(mid) and plane.is_within(place, objective.at, HOLDS)
    }
    return next(iter(near)) if len(near) == 1 else ""


def count_losses(table: Field) -> dict[str, int]:
    """9.3, A-37: return the number of tanks and guns that each side has lost, from any cause."""
    return {
        side: sum(model.side == side and mid not in table.at for mid, model in table.setting.models.items())
        for side in SIDES
    }


def finish_if_wiped_out(umpire: Umpire[Setting]) -> None:
    """9.1, A-42: end the game at once if a side has no models left."""
    table = make_field(umpire.setting, umpire.state)
    there = [side for side in SIDES if table.list_models(side)]
    if len(there) < len(SIDES):
        umpire.finish("9.1", there[0] if there else "", WIPED_OUT)


def decide_game(umpire: Umpire[Setting]) -> None:
    """9.2, 9.3, A-50: decide the game after the last turn by objectives, or by losses if objectives are equal."""
    setting, table = umpire.setting, make_field(umpire.setting, umpire.state)
    held = dict.fromkeys(SIDES, 0)
    for objective in setting.objectives:
        side = find_holder(table, objective)
        who = f"the {side.capitalize()} side" if side else "nobody"
        umpire.emit(Noted("9.2", f"{objective.name} is held by {who}"))
        if side:
            held[side] += 1
    if held[SIDES[0]] != held[SIDES[1]]:
        umpire.finish("9.2", max(SIDES, key=lambda side: held[side]), OBJECTIVES)
    gone = count_losses(table)
    one, two = SIDES
    winner = "" if gone[one] == gone[two] else min(SIDES, key=lambda side: gone[side])
    umpire.finish("9.3", winner, LOSSES)


def _describe_end(winner: str, how: str) -> str:
    """9.1 to 9.3: return the verdict as a sentence."""
    return f"{winner.capitalize()} victory: {TEXTS[how]}" if winner else f"Draw: {DRAWS[how]}"


find_verdict = make_verdict(_describe_end)
