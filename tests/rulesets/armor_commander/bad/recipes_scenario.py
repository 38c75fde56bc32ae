"""Scenarios with a fault, as ``kursk scenario check`` finds them: the crossroads with one thing changed."""

from __future__ import annotations

from bad.bad_desk import Bad
from bad.bad_text import part, swap


def put(file: str, old: str, new: str) -> Bad:
    """One file in which something stands in the place of something else."""
    return part(file, swap(old, new))


FILES: dict[str, Bad] = {
    "ground-kind-unknown.yaml": put("map.yaml", "name: the pond, kind: water", "name: the pond, kind: swamp"),
    "ground-off-the-table.yaml": put("map.yaml", "'64.00, 29.00'", "'74.00, 29.00'"),
    "ground-meets-itself.yaml": put("map.yaml", "'32.50, 22.00', '33.00, 26.00'", "'33.00, 26.00', '32.50, 22.00'"),
    "ground-place-odd.yaml": put("map.yaml", "'20.00, 9.50', '25.50, 9.50'", "'20, 9.5', '25.50, 9.50'"),
    "model-off-its-zone.yaml": put("units.yaml", "g-pz-1: {place: '31.00, 9.50'", "g-pz-1: {place: '31.00, 13.00'"),
    "model-twice.yaml": put("units.yaml", "g-pz-2: {place", "s-t-1: {place"),
    "model-facing-odd.yaml": put("units.yaml", "'33.50, 9.50', face: '12'", "'33.50, 9.50', face: north"),
    "gun-of-two-models.yaml": put(
        "units.yaml",
        "g-pak-2: {place: '43.00, 10.00'}",
        "g-pak-2: {place: '43.00, 10.00'}\n      g-pak-3: {place: '45.00, 10.00'}",
    ),
    "zones-touch.yaml": put("scenario.yaml", "'72.00, 12.00', '0.00, 12.00'", "'72.00, 35.50', '0.00, 35.50'"),
    "objective-off-the-table.yaml": put("scenario.yaml", "at: '36.00, 24.00'", "at: '36.00, 50.00'"),
    "turns-alike.yaml": put("scenario.yaml", "['1', '2', '3'", "['1', '2', '2'"),
    "bands-shrink.yaml": put(
        "tables.yaml", "tank-ap: {close: '12.00', effective: '24.00'", "tank-ap: {close: '24.00', effective: '12.00'"
    ),
}
