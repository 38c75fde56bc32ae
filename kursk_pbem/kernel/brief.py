"""What a person is told in short: printed tables as text. Plain values that a ruleset fills in and a report lays out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kursk_pbem.kernel.scenario import Provenance


@dataclass(frozen=True)
class Table:
    """A table as players know it, all of it text: ``rule`` is its paragraph, ``head`` names the columns.

    Rows may be shorter than the head. ``notes`` are sentences under it; ``provenance`` says how well its data stand,
    '' where they follow from the position or from the rules alone (`standing`).
    """

    title: str
    rule: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    provenance: str = ""


def standing(provenance: Sequence[Provenance], *parts: str) -> str:
    """How well the data of some parts of a scenario stand, and of all below them: 'reconstructed: our own figures'.

    What has the same status and note is said once, with the names of the parts it holds for where there are several.
    """
    found: dict[tuple[str, str], list[str]] = {}
    for each in provenance:
        for part in parts:
            if each.part == part or each.part.startswith(f"{part}/"):
                found.setdefault((each.status, each.note), []).append(each.part.removeprefix(part).strip("/"))
    texts = []
    for (status, note), names in found.items():
        what = ", ".join(name for name in names if name)
        texts.append(f"{what} {status}".strip() + (f": {note.rstrip('.')}" if note else ""))
    return "; ".join(texts)
