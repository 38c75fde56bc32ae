"""Sweeps: ``make test`` runs some of many cases of a promise, the rest is long."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings


def some(cases: Iterable[Any], every: int) -> list[Any]:
    """Return the cases for ``parametrize``: every n-th from the first is always tested, the rest by test-all."""
    return [case if number % every == 0 else long(case) for number, case in enumerate(cases)]


def long(case: Any) -> Any:
    """Return a case for test-all; a case of several arguments is a tuple."""
    return pytest.param(*case if isinstance(case, tuple) else (case,), marks=pytest.mark.long)


def sizes(little: int, much: int) -> list[Any]:
    """Return two sizes of a test: little always, much for test-all."""
    return [little, long(much)]


def tries(much: int, **others: Any) -> settings:
    """Set the number of random examples for test-all; ``make test`` uses its profile's percentage."""
    return settings(max_examples=much * settings().max_examples // 100, **others)
