"""Rings around possible targets on the map: odds and their price."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kursk_pbem.desk.seat.scene import Scene
from kursk_pbem.kernel.outlook import Outlook, Target

NO_ODDS = "-"
"""The text of a ring around a target that the player cannot attack."""


def can_attack(scene: Scene, outlook: Outlook) -> bool:
    """Return whether the player can order an attack now on a target in ``outlook`` (possible moves and attacks)."""
    offered = any(target.verb in scene.offered for target in outlook.targets)
    return offered and outlook.attacks not in {*scene.lacking, *scene.put_off}


def explain_rings(aims: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield sentences that explain the rings around targets: odds in brackets, and rings without odds."""
    yield from dict.fromkeys(f"Odds in brackets: only with {ring['price']}." for ring in aims if ring["price"])
    if any(ring["odds"] == NO_ODDS for ring in aims):
        yield f"{NO_ODDS}: no attack."


def make_ring(scene: Scene, target: Target, where: str) -> dict[str, Any]:
    """Return the ring drawn around a target: place, best odds, text, and a verb if the player can attack now."""
    plain = target.fought.column if target.fought else ""
    better = [(fought.column, name) for name, fought in target.variants if fought.column not in ("", plain)][-1:]
    priced = "" if plain else next((f"({best})" for best, _name in better), "")
    column = plain or priced or ("" if scene.on_table else NO_ODDS)
    parts = [plain or ("no attack" if target.fought else "; ".join(target.lines))]
    parts += [f"{name}: {best}" for best, name in better]
    if target.fought and _find_committed(scene, target):
        column, priced = "", ""
        parts = ["some units are in another attack of the draft; see the form for the odds"]
    told = "; ".join(part for part in parts if part)
    at = scene.ground.point(target.place) or next(
        (piece.spot for piece in scene.picture.pieces if piece.id in target.units), (0, 0)
    )
    who = ", ".join(map(scene.words.unit, target.units)) or "only fortifications"
    text = f"{who}, {target.brief}" if target.brief else f"{who} {where} {scene.words.place(target.place)}: {told}"
    return {
        "verb": target.verb if target.verb in scene.offered else "",
        "place": target.who or target.place,
        "units": target.units,
        "aimed": target.units[0] if scene.on_table else "",
        "at": at,
        "odds": column,
        "price": target.price if priced else "",
        "declared": any(fought.place == target.place for fought in scene.declared),
        "text": text,
    }


def _find_committed(scene: Scene, target: Target) -> set[str]:
    """Return the counted attackers that the draft already sends against another place."""
    counted = target.fought.attack.units if target.fought else ()
    other = {uid for fought in scene.declared if fought.place != target.place for uid in fought.attack.units}
    return other.intersection(counted)
