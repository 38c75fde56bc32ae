"""Events in words: one entry of the report for each event. ``battle`` describes battles in several lines.

This module has the common words. A ruleset names the marks, tracks and agenda entries of a game. Unknown events are
shown as data, so that new rulesets lose nothing.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from kursk_pbem.kernel.events import (
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
from kursk_pbem.kernel.state import ELIMINATED, VERDICT
from kursk_pbem.kernel.words import Words, flat, plural, unit
from kursk_pbem.report.battle import list_dice

_SOURCES = {"filed": "as filed by the owner", "default": "by the umpire's default: the owner filed no choice"}


def list_entries(event: Event, words: Words) -> list[str]:
    """Return the report's lines about an event, without the paragraph. Return [] if the report omits the event."""
    told = words.tell(event)
    return _describe_event(event, words) if told is None else told


def _describe_event(event: Event, words: Words) -> list[str]:
    match event:
        case Placed(unit=uid, place=place, steps=number, how=how):
            return [f"{unit(words, uid)}, {how}: {words.place(place)} with {plural(number, 'step')}"]
        case Moved():
            return [_describe_move(event, words)]
        case StepsLost(unit=uid, lost=lost, left=left, why=why):
            return [f"{unit(words, uid)} loses {plural(lost, 'step')} ({why}), {left} left"]
        case Removed(unit=uid, place=place, why=why):
            what = "is eliminated" if place == ELIMINATED else f"leaves the map ({place})"
            return [f"{unit(words, uid)} {what}" if why in what or what in why else f"{unit(words, uid)} {what}: {why}"]
        case Marked(table=table, key=key, value=value):
            # the result of the game is reported elsewhere
            return [] if table == VERDICT else [f"{table}, {key}: {value}"]
        case Unmarked(table=table, key=key):
            return [f"{table}, {key}: no more"]
        case Tracked(track=track, value=number):
            return [f"{track}: {number}"]
        case Scheduled(key=key, value=value):
            return _describe_scheduled(key, value)
        case Rolled(label=label, digits=digits):
            return [f"Dice {label}: {list_dice(digits)}"]
        case Decided():
            source = _SOURCES.get(event.source, event.source)
            who = words.side(event.owner)
            return [f"Choice of the {who} side, {event.kind} ({event.subject}): {event.chosen}, {source}"]
        case Noted(text=text):
            return [f"Note: {text}"]
        case _:  # Advanced: the end of the report names the next writer
            return []


def _describe_move(event: Moved, words: Words) -> str:
    way = ", ".join(words.place(label) for label in event.path)
    points = f"; {event.mp}\u00a0MP" if event.mp else ""
    manner = ":" if event.how == "move" else f", {event.how}:"
    return f"{unit(words, event.unit)}{manner} {words.place(event.start)} -> {way}{points}"


def _describe_scheduled(key: str, value: Any) -> list[str]:
    """Return lines on a waiting declaration. The result of the declaration is reported later."""
    if key.startswith("sealed/"):
        return [_describe_sealed(key.removeprefix("sealed/"), value)]
    return [] if value is None else [f"Waiting, {key}: {flat(value)}"]


def _describe_sealed(label: str, value: Any) -> str:
    if not isinstance(value, dict):
        return f"Opened: {describe_label(label)}"
    known = value["hash"].strip("0")  # a draft has no hash yet
    shown = f"; hash {value['hash'][:16]}..." if known else ""
    return f"Sealed: {describe_label(label)}, to be shown in the writer's next message{shown}"


def describe_label(label: str) -> str:
    """Return a sealed value's label in words, such as 'the plans of message 2' for the label ``plans/2``."""
    what, _slash, of = label.partition("/")
    if of.startswith("turn-"):
        return f"the {what} of turn {of.removeprefix('turn-').upper()}"
    return f"the {what} of message {of}" if of.isdigit() else f"the {what}{f', {of}' if of else ''}"


def to_json(value: Any) -> Any:
    """Return an event as plain data for ``--json``. Its field ``event`` names the kind of event."""
    if isinstance(value, tuple):
        return [to_json(item) for item in value]
    if not is_dataclass(value):
        return str(value).lower() if isinstance(value, bool) else str(value) if isinstance(value, int) else value
    kind = {"event": type(value).__name__}
    return kind | {field.name: to_json(getattr(value, field.name)) for field in fields(value)}
