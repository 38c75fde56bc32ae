"""Sweeps: of many cases of one promise some stay in ``make test``, the others are long (decision 70)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings


def some(cases: Iterable[Any], every: int) -> list[Any]:
    """The cases for ``parametrize``: each so-manieth is tried always, from the first on, the others by test-long."""
    return [case if number % every == 0 else long(case) for number, case in enumerate(cases)]


def long(case: Any) -> Any:
    """A case for test-long alone; one of several arguments is a tuple."""
    return pytest.param(*case if isinstance(case, tuple) else (case,), marks=pytest.mark.long)


def sizes(little: int, much: int) -> list[Any]:
    """How much of the same is done: little always, much by test-long."""
    return [little, long(much)]


def tries(much: int, **others: Any) -> settings:
    """How many random examples: so many by test-long, and by ``make test`` the part that its profile has of 100."""
    return settings(max_examples=much * settings().max_examples // 100, **others)
