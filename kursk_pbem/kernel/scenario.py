"""The scenario of a game as the rules see it: data that never change during a game, and where each part comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

STATUSES = ("attested", "reconstructed", "invented")


@dataclass(frozen=True)
class Provenance:
    """How well a part of a scenario stands: ``part`` as ``map/cities``, ``status`` one of `STATUSES`."""

    part: str
    status: str
    note: str = ""


@dataclass(frozen=True)
class Scenario:
    """Everything about a game that is printed and never changes.

    ``data`` is ``{scenario, map, units, tables}``, each a mapping as the strict reader gives it: text, lists and
    mappings only; it is shared and must not be written to. ``sha256`` (64 hex digits) is that of protocol 2.2.
    Two scenarios are equal when id and hash are.
    """

    id: str
    title: str = field(compare=False)
    ruleset: str
    data: Mapping[str, Any] = field(compare=False, repr=False)
    sha256: str
    provenance: tuple[Provenance, ...] = field(compare=False, repr=False)
