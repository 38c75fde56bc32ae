"""Modules with delayed import: verifying a game never loads the code for players' pages.

A group module has the import for the type checker, and its delayed form::

    if TYPE_CHECKING:
        from kursk_pbem.rulesets.kursk_1971.seen import exact_odds, hints
    else:
        exact_odds, hints = load_late(__package__, "exact_odds hints")

So mypy checks ``Seen(hints=hints.hints, odds=exact_odds.odds)`` like other calls.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


class Late:
    """A module before its import. Every attribute is a function that imports the module."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)

        def call_late(*arguments: Any) -> Any:
            return getattr(import_module(self._module), name)(*arguments)

        call_late.__name__ = call_late.__qualname__ = name
        call_late.__module__ = self._module
        return call_late


def load_late(package: str, names: str) -> tuple[Late, ...]:
    """Return modules of a package by name; the first call of a function imports the module."""
    return tuple(Late(f"{package}.{name}") for name in names.split())
