"""Hints of a draft."""

from __future__ import annotations

from collections.abc import Iterator

from kursk_pbem.kernel.ruleset import Hint
from kursk_pbem.kernel.state import State
from rulesets.hex_toy import outlook, sequence
from rulesets.hex_toy.assaults import ASSAULTS, BROKEN
from rulesets.hex_toy.outlook import reach, units_of
from rulesets.hex_toy.setting import Setting


def hints(setting: Setting, state: State, seq: int) -> tuple[Hint, ...]:
    """Return a hint for each phase of the message."""
    return tuple(_hints(setting, state, seq))


def _hints(setting: Setting, state: State, seq: int) -> Iterator[Hint]:
    phases = sequence.stages(setting)[state.stage].phases
    if sequence.MARCH in phases:
        yield _march(setting, state)
        yield _assaults(setting, state, seq)
    if sequence.REPLY in phases:
        yield _reply(state)
    if sequence.PURSUIT in phases and BROKEN in state.agenda:
        lines = [f"{each['hex']} was left; into it may go {', '.join(each['units'])}" for each in state.agenda[BROKEN]]
        first = state.agenda[BROKEN][0]
        example = f"pursuit: [{{unit: {first['units'][0]}, to: {first['hex']}}}]"
        yield Hint(("orders", "pursuit"), ("Pursuit (5.0).", *lines, example), [])
    if sequence.FILED in phases:
        lines = ("Volleys of your stacks (4.5), in the open, for all assaults to come, e.g.", "policy: {volley: early}")
        yield Hint(("policy",), lines, {})


def _march(setting: Setting, state: State) -> Hint:
    lines = ["March (3.0): one unit after the other, at most three end in a hex.", "march:"]
    example = True
    for uid in units_of(setting, state, state.side):
        ends = reach(setting, state, uid)
        if ends and example:
            lines.append(f"- {{unit: {uid}, to: {ends[-1].place}}}")
            example = False
        lines.append(f"{uid} in {state.units[uid].place}: {' '.join(end.place for end in ends) or 'nowhere'}")
    return Hint(("orders", "march"), tuple(lines), [])


def _assaults(setting: Setting, state: State, seq: int) -> Hint:
    how = "Your opponent reads the stances." if setting.refereed else f"The stances are sealed as stance/{seq}."
    lines = ["Assaults (4.0), in the order written, from where units stand after their march.", how]
    found = outlook.outlook(setting, state, "").targets
    for target in found:
        if target.fought:
            who = ", ".join(row.unit for row in target.fought.attack.rows)
            lines.append(f"{target.place}: {', '.join(target.units)} by {who}: {target.fought.column}")
    if found and found[0].fought:
        units = ", ".join(row.unit for row in found[0].fought.attack.rows)
        lines += ["assaults:", f"- {{id: a1, hex: {found[0].place}, units: [{units}], stance: bold}}"]
    return Hint(("orders", ASSAULTS), tuple(lines), [])


def _reply(state: State) -> Hint:
    lines = [f"{each['id']}: {each['hex']} by {', '.join(each['units'])}" for each in state.agenda[ASSAULTS]]
    first = state.agenda[ASSAULTS][0]["id"]
    example = f"policy: {{volley: late, assaults: {{{first}: early}}}}"
    text = "An early volley takes 1 from their dice, and costs you a step more if it does not stop them."
    return Hint(("policy",), ("Volleys against the assaults (4.5).", *lines, text, example), {})
