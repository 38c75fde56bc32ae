"""Scenarios with one mistake for ``kursk scenario check``: the crossroads with one change."""

from __future__ import annotations

from bad.bad_desk import Bad
from bad.bad_text import edit, swap


def replace_text(file: str, old: str, new: str) -> Bad:
    """Return one file with a replaced text."""
    return edit(file, swap(old, new))


FILES: dict[str, Bad] = {
    "ground-kind-unknown.yaml": replace_text("map.yaml", "name: the pond, kind: water", "name: the pond, kind: swamp"),
    "ground-off-the-table.yaml": replace_text("map.yaml", "'64.00, 29.00'", "'74.00, 29.00'"),
    "ground-meets-itself.yaml": replace_text(
        "map.yaml", "'32.50, 22.00', '33.00, 26.00'", "'33.00, 26.00', '32.50, 22.00'"
    ),
    "ground-place-odd.yaml": replace_text("map.yaml", "'20.00, 9.50', '25.50, 9.50'", "'20, 9.5', '25.50, 9.50'"),
    "model-off-its-zone.yaml": replace_text(
        "units.yaml", "g-pz-1: {place: '31.00, 9.50'", "g-pz-1: {place: '31.00, 13.00'"
    ),
    "model-twice.yaml": replace_text("units.yaml", "g-pz-2: {place", "s-t-1: {place"),
    "model-facing-odd.yaml": replace_text("units.yaml", "'33.50, 9.50', face: '12'", "'33.50, 9.50', face: north"),
    "gun-of-two-models.yaml": replace_text(
        "units.yaml",
        "g-pak-2: {place: '43.00, 10.00'}",
        "g-pak-2: {place: '43.00, 10.00'}\n      g-pak-3: {place: '45.00, 10.00'}",
    ),
    "zones-touch.yaml": replace_text("scenario.yaml", "'72.00, 12.00', '0.00, 12.00'", "'72.00, 35.50', '0.00, 35.50'"),
    "objective-off-the-table.yaml": replace_text("scenario.yaml", "at: '36.00, 24.00'", "at: '36.00, 50.00'"),
    "turns-alike.yaml": replace_text("scenario.yaml", "['1', '2', '3'", "['1', '2', '2'"),
    "bands-shrink.yaml": replace_text(
        "tables.yaml", "tank-ap: {close: '12.00', effective: '24.00'", "tank-ap: {close: '24.00', effective: '12.00'"
    ),
}
