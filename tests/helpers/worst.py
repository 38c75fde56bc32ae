"""The dearest scenario accepted by the check of a system, with its orders, as files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from helpers.registry import Content, Mind
from kursk_pbem.formats.yamlout import yaml_lines
from kursk_pbem.kernel.state import State


@dataclass(frozen=True)
class Worst:
    """The dearest scenario of a system and its orders.

    ``data``: its four parts. ``minds``: the dearest legal orders by side, made for a setting. ``wrong``: orders as
    wrong as the schema allows, for the message due in a position; empty if none exist. ``said``: an order in words for
    a position, or ''. ``messages``: the number of messages to play. ``beyond``: by name of a limit, a change of the
    data to a step above the limit, and words of the refusal.
    """

    data: Mapping[str, Any]
    minds: Callable[[Any], Mapping[str, Mind]]
    wrong: Callable[[Any, State], Content]
    said: Callable[[Any, State], str]
    messages: int
    beyond: Mapping[str, tuple[Callable[[Any], None], str]]


def write(data: Mapping[str, Any], root: Path) -> Path:
    """Write a scenario below a folder for KURSK_SCENARIOS; return the scenario's folder."""
    folder = root.joinpath(*data["scenario"]["id"].split("/"))
    folder.mkdir(parents=True)
    for part, entries in data.items():
        text = "\n".join((*yaml_lines(entries), ""))
        (folder / f"{part}.yaml").write_text(text, encoding="ascii", newline="\n")
    return folder


def put(value: Any, *path: str) -> Callable[[Any], None]:
    """Return a function that replaces a value in the data."""

    def change(parts: Any) -> None:
        for key in path[:-1]:
            parts = parts[key]
        parts[path[-1]] = value

    return change


def allowances(units: int, far: int, reach: int) -> list[int]:
    """Return allowances with the largest total of reachable hexes: a few large, most one hex."""
    found = [1] * units
    left = reach - 6 * units
    for number in range(units):
        while found[number] < far and left >= 6 * (found[number] + 1):
            found[number] += 1
            left -= 6 * found[number]
    return found
