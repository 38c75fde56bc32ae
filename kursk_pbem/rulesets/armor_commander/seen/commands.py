"""Orders of a draft as a player types them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kursk_pbem.kernel.orders import Path


def write_order(_choices: dict[str, Any], path: Path, entry: Any) -> str:
    """The words that write what stands at a place of a draft; '' if none do."""
    entries = entry if isinstance(entry, list) else [entry]  # sealed: all in one
    return ", ".join(order for part in entries if isinstance(part, Mapping) for order in _said(part)) if path else ""


def _said(entry: Mapping[str, Any]) -> list[str]:
    """2.2, 4.1, 5.1: a model that is deployed, or what a unit does under its chip."""
    if "chip" not in entry:
        return [f"deploy {entry['id']}{_inches(entry.get('at', ''))}{_face(entry)}"]
    shots = [_shot(shot) for shot in entry.get("shots", ())]
    return [*map(_move, entry.get("moves", ())), *([_shot(entry)] if entry.keys() & {"at", "rounds"} else []), *shots]


def _move(move: Mapping[str, Any]) -> str:
    if not move.get("path"):
        return f"face {move['id']} {move['face']}"
    return f"move {move['id']}{''.join(map(_inches, move['path']))}{_face(move)}"


def _shot(shot: Mapping[str, Any]) -> str:
    return f"fire {shot['id']} {aimed(shot)}"


def aimed(shot: Mapping[str, Any]) -> str:
    """The targets of a unit or a model, and its rounds: 'at s-t-1 then s-tanks with ap'."""
    at = f"at {' then '.join(shot['at'])}" if shot.get("at") else ""
    return " ".join(filter(None, (at, f"with {shot['rounds']}" if "rounds" in shot else "")))


def _inches(spot: str) -> str:
    return f" {spot.replace(',', '')}" if spot else ""


def _face(entry: Mapping[str, Any]) -> str:
    return f" face {entry['face']}" if "face" in entry else ""
