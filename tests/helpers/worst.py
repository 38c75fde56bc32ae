"""The dearest scenario that the check of a system accepts, and what is played with it; as files."""

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
    """The dearest scenario of a system, and what is played with it.

    ``data``: its four parts. ``minds``: legal orders by side, made for a setting, as dear as can be. ``wrong``: orders
    for the message that a position calls for, as wrong as the schema lets through; nothing where there are none.
    ``said``: an order in words that fits a position, '' for none. ``messages``: how many are played. ``beyond``: by the
    name of a limit, what puts the data one step above it, and words that the refusal must hold.
    """

    data: Mapping[str, Any]
    minds: Callable[[Any], Mapping[str, Mind]]
    wrong: Callable[[Any, State], Content]
    said: Callable[[Any, State], str]
    messages: int
    beyond: Mapping[str, tuple[Callable[[Any], None], str]]


def write(data: Mapping[str, Any], root: Path) -> Path:
    """The files of a scenario in a folder that KURSK_SCENARIOS may name; the folder of the scenario in it."""
    folder = root.joinpath(*data["scenario"]["id"].split("/"))
    folder.mkdir(parents=True)
    for part, entries in data.items():
        text = "\n".join((*yaml_lines(entries), ""))
        (folder / f"{part}.yaml").write_text(text, encoding="ascii", newline="\n")
    return folder


def put(value: Any, *path: str) -> Callable[[Any], None]:
    """Another value in one place of the data."""

    def change(parts: Any) -> None:
        for key in path[:-1]:
            parts = parts[key]
        parts[path[-1]] = value

    return change
