"""Orders of a draft as typed commands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kursk_pbem.kernel.orders import Path


def write_order(_choices: dict[str, Any], path: Path, order: Any) -> str:
    """Return an entry of a draft in the words that a player types after ``kursk order``, or ''."""
    entries = order if isinstance(order, list) else [order]  # sealed: the whole list
    return (
        ", ".join(words for part in entries if isinstance(part, Mapping) for words in _write_entry(part))
        if path
        else ""
    )


def _write_entry(entry: Mapping[str, Any]) -> list[str]:
    """2.2, 4.1, 5.1: return the commands for a deployed model or an ordered unit."""
    if "chip" not in entry:
        return [f"deploy {entry['id']}{_write_place(entry.get('at', ''))}{_write_face(entry)}"]
    shots = [_write_shot(shot) for shot in entry.get("shots", ())]
    return [
        *map(_write_move, entry.get("moves", ())),
        *([_write_shot(entry)] if entry.keys() & {"at", "rounds"} else []),
        *shots,
    ]


def _write_move(move: Mapping[str, Any]) -> str:
    if not move.get("path"):
        return f"face {move['id']} {move['face']}"
    return f"move {move['id']}{''.join(map(_write_place, move['path']))}{_write_face(move)}"


def _write_shot(shot: Mapping[str, Any]) -> str:
    return f"fire {shot['id']} {write_aim(shot)}"


def write_aim(shot: Mapping[str, Any]) -> str:
    """Return targets and rounds in the words of an order: 'at s-t-1 then s-tanks with ap'."""
    at = f"at {' then '.join(shot['at'])}" if shot.get("at") else ""
    return " ".join(filter(None, (at, f"with {shot['rounds']}" if "rounds" in shot else "")))


def _write_place(spot: str) -> str:
    return f" {spot.replace(',', '')}" if spot else ""


def _write_face(entry: Mapping[str, Any]) -> str:
    return f" face {entry['face']}" if "face" in entry else ""
