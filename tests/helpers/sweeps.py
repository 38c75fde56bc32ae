"""Sweeps: of many cases of one promise some stay in ``make test``, the others are long (decision 70)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def some(cases: Iterable[Any], every: int) -> list[Any]:
    """The cases for ``parametrize``: each so-manieth is tried always, from the first on, the others by test-long."""
    return [case if number % every == 0 else _long(case) for number, case in enumerate(cases)]


def _long(case: Any) -> Any:
    """The same case, marked; one of several arguments is a tuple."""
    return pytest.param(*case if isinstance(case, tuple) else (case,), marks=pytest.mark.long)


def sizes(short: int, long: int) -> list[Any]:
    """How much of the same is done: little always, all of it by test-long."""
    return [short, pytest.param(long, marks=pytest.mark.long)]
