"""The conformance suite, read once in a process."""

from __future__ import annotations

from functools import cache
from typing import Any

from helpers.registry import ROOT
from kursk_pbem.audit import suite

SUITE = ROOT / "conformance"


@cache
def load_suite() -> suite.Suite:
    """Return our suite with the cases of all systems."""
    return suite.read_suite(SUITE)


def list_cases(system: str) -> tuple[dict[str, Any], ...]:
    """Return the cases of a system."""
    return tuple(case for case in load_suite().cases if case["system"] == system)
