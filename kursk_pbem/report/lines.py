"""Events in words: one event, one entry of the report. Battles, which take several lines, stand in ``battle``.

What a mark, a track or an entry of the agenda is called stands here as well, by its name; a name that is not known
here is shown as it is, so that nothing of a new ruleset is lost.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kursk_pbem.kernel.events import (
    Advanced,
    Decided,
    Event,
    Marked,
    Moved,
    Noted,
    Placed,
    Removed,
    Rolled,
    Scheduled,
    StepsLost,
    Tracked,
    Unmarked,
)
from kursk_pbem.kernel.ruleset import Names
from kursk_pbem.kernel.state import ELIMINATED

SILENT: tuple[type[Any], ...] = (Advanced,)
"""Events that have no entry of their own: who writes next stands at the end of the report."""

_SOURCES = {"filed": "as its owner filed", "default": "by the default of the rules, for nothing else was filed"}
_MANNERS = {"move": ":", "rail": " by rail:", "retreat": " retreats:", "advance": " advances:"}


def unit(names: Names, uid: str) -> str:
    """'XLVIII Panzer Corps (g-48-pz)'."""
    return f"{names.unit(uid)} ({uid})"


def units(names: Names, uids: Any) -> str:
    """Several units one after the other."""
    return ", ".join(unit(names, uid) for uid in uids)


def steps(number: int) -> str:
    """'1 step', '2 steps'."""
    return f"{number} step" if number == 1 else f"{number} steps"


def entries(event: Event, names: Names) -> list[str]:
    """What an event tells, without its paragraph; none if it has nothing to say to a reader."""
    match event:
        case Placed():
            return [_placed(event, names)]
        case Moved():
            return [_moved(event, names)]
        case StepsLost(unit=uid, lost=lost, left=left, why=why):
            return [f"{unit(names, uid)} loses {steps(lost)} ({why}), {left} left"]
        case Removed(unit=uid, place=place, why=why):
            what = "is eliminated" if place == ELIMINATED else f"leaves the map ({place})"
            return [f"{unit(names, uid)} {what}" if why in what or what in why else f"{unit(names, uid)} {what}: {why}"]
        case Marked(table=table, key=key, value=value):
            return _marked(names, table, key, value)
        case Unmarked(table=table, key=key):
            return _unmarked(names, table, key)
        case Tracked():
            return _tracked(names, event)
        case Scheduled(key=key, value=value):
            return _scheduled(names, key, value)
        case Rolled(label=label, digits=digits):
            return [f"Dice {label}: {digits}"]
        case Decided():
            source = _SOURCES.get(event.source, event.source)
            who = names.side(event.owner)
            return [f"Choice of the {who} side, {event.kind} ({event.subject}): {event.chosen}, {source}"]
        case Noted(text=text):
            return [f"Note: {text}"]
        case _:
            return []


def _placed(event: Placed, names: Names) -> str:
    who, where = unit(names, event.unit), names.place(event.place)
    match event.how:
        case "flip":
            return f"{who} in {where} gains a step, now {steps(event.steps)}"
        case "place":
            return f"{who} is placed in {where} with {steps(event.steps)}"
        case "return":
            return f"{who} returns to the map in {where} with {steps(event.steps)}"
        case _:
            return f"{who}, {event.how}: {where} with {steps(event.steps)}"


def _moved(event: Moved, names: Names) -> str:
    way = ", ".join(names.place(label) for label in event.path)
    points = f"; {event.mp}\u00a0MP" if event.mp else ""
    manner = _MANNERS.get(event.how, f", {event.how}:")
    return f"{unit(names, event.unit)}{manner} {names.place(event.start)} -> {way}{points}"


def _marked(names: Names, table: str, key: str, value: str) -> list[str]:
    match table, key:
        case "control", _:
            return [f"{names.place(key)} is now under {names.side(value)} control"]
        case "objective", "hex":
            return [f"The Strategic Objective now lies in {names.place(value)}"]
        case "objective", "side":
            return [f"The Strategic Objective now shows its {names.side(value)} side"]
        case "objective", "won":
            return [f"The Strategic Objective is won by the {names.side(value)} side"]
        case "verdict", _:
            return []  # how the game ended has a place of its own at the end
        case _, "posture":
            return [f"{names.side(table)} posture: {value}"]
        case _, "previous":
            return [f"{names.side(table)} posture of the turn before: {value}"]
        case _:
            return [f"{table}, {key}: {value}"]


def _unmarked(names: Names, table: str, key: str) -> list[str]:
    match table, key:
        case "control", _:
            return [f"{names.place(key)} is again under the control of its first owner"]
        case "objective", "hex":
            return ["The Strategic Objective leaves play"]
        case _, "posture":
            return []  # the new turn has begun: it is told as the posture of the turn before
        case _:
            return [f"{table}, {key}: no more"]


def _tracked(names: Names, event: Tracked) -> list[str]:
    track, value = event.track, event.value
    name, _dash, side = track.partition("-")
    match name:
        case "mud" if event.rule == "4.0-turn-track":
            return []  # the weather of this turn is still to be thrown
        case "mud":
            return ["Weather: mud" if value else "Weather: dry"]
        case "offensives":
            return [f"Offensive markers available, {names.side(side)}: {value}"]
        case "engaged":
            return []  # said again each turn; the table at the end tells whether the objective is locked
        case _:
            return [f"{track}: {value}"]


def _scheduled(names: Names, key: str, value: Any) -> list[str]:
    """What was declared and waits. That it was dealt with is told by what came of it."""
    if key.startswith("sealed/"):
        return [_sealed(key.removeprefix("sealed/"), value)]
    if value is None or key in _TOLD_OTHERWISE:
        return []
    match key:
        case "battles" | "pending":
            return _fighting(names, key, value)
        case "answered":
            return [f"The battles have been answered (message {value}); they are fought in the next message"]
        case "policy":
            return [f"Answer to the battles: {flat(value)}"]
        case "waived":
            return ["The orders are given without waiting for the enemy's posture"]
        case "weather":
            return ["The weather die is thrown before the postures are chosen"]
        case _ if key.startswith("policy-"):
            side = names.side(key.removeprefix("policy-"))
            return [f"{side} standing answers, in the open until replaced: {flat(value['policy'])}"]
        case _ if key.startswith("reaction-"):
            side = names.side(key.removeprefix("reaction-"))
            return [f"The {side} side is ready to pay for Emergency Reaction if the enemy engages"]
        case _:
            return [f"Waiting, {key}: {flat(value)}"]


_TOLD_OTHERWISE = ("declared", "decided")  # by the battles themselves, by the choice


def _sealed(label: str, value: Any) -> str:
    if not isinstance(value, dict):
        return f"Opened: {label}"
    known = value["hash"].strip("0")  # a draft has no hash yet
    shown = f"; hash {value['hash'][:16]}..." if known else ""
    return f"Sealed: {label}, to be shown in the next message of its writer{shown}"


def _fighting(names: Names, key: str, value: Any) -> list[str]:
    """Battles declared, or the decision at which the dice have stopped and what is still to be fought."""
    if key == "pending":
        who, options = names.side(value["owner"]), ", ".join(value["options"])
        return [f"The dice stop here: the {who} side decides on {value['battle']} in its next message: {options}"]
    if value and "rolled" in value[0]:
        return [f"{each['id']} is still to be fought" for each in value[1:]]
    return [_declared(names, battle) for battle in value]


def _declared(names: Names, battle: Mapping[str, Any]) -> str:
    text = (
        f"Battle {battle['id']}: attack on {unit(names, battle['defender'])} in {names.place(battle['hex'])} "
        f"by {units(names, battle['attackers'])}"
    )
    if battle.get("lead"):
        text += f"; Offensive led by {unit(names, battle['lead'])}, in support {units(names, battle['support'])}"
    if battle.get("plan"):
        text += f"; plan in the open: {flat(battle['plan'])}"
    return text


def flat(value: Any) -> str:
    """Nested words on one line: 'units (g-52 (stand-fast always)), exchange-dr never'."""
    if isinstance(value, Mapping):
        pieces = [
            f"{key} ({flat(inner)})" if isinstance(inner, Mapping) else f"{key} {flat(inner)}"
            for key, inner in value.items()
        ]
        return ", ".join(pieces) or "nothing"
    if isinstance(value, (list, tuple)):
        return " then ".join(flat(item) for item in value) or "nothing"
    return str(value)
