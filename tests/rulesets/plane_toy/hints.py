"""Hints of a draft."""

from __future__ import annotations

from kursk_pbem.kernel.ruleset import Hint
from kursk_pbem.kernel.state import State
from rulesets.plane_toy import sequence
from rulesets.plane_toy.orders import label
from rulesets.plane_toy.outlook import outlook, within
from rulesets.plane_toy.setting import Setting


def hints(setting: Setting, state: State, _seq: int) -> tuple[Hint, ...]:
    """Return a hint for sealed or open orders; nothing for a message that only reveals."""
    phases = sequence.stages(setting)[state.stage].phases
    if not phases:
        return ()
    who = setting.alive(state, state.side)
    first = state.units[who[0]].place
    seen = outlook(setting, state, "")
    lines = [
        "Orders of the turn (2.0): where each model goes, and at whom it fires from there.",
        *(f"{uid} at {state.units[uid].place}: {within(setting, uid)}" for uid in who),
        "Shots from where models stand now (3.0):" if seen.targets else "Nobody is in range now.",
        *(f"{target.units[0]}: {line}" for target in seen.targets for line in target.lines),
        "For example",
    ]
    fire = f", fire: {seen.targets[0].units[0]}" if seen.targets else ""
    example = f"- {{id: {who[0]}, to: '{first}'{fire}}}"
    if sequence.PLOT in phases:
        name = label(state.turn)
        lines += ["seal:", f"  {name}:", f"  {example}", "Only their hash is mailed. An empty list: all stand still."]
        return (Hint(("seal",), tuple(lines), {name: []}),)
    return (Hint(("orders", "models"), (*lines, "models:", example), []),)
