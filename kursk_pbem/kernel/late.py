"""Modules that are loaded when one of their functions is first called: verifying a game never loads what people see.

The group of what people see of a system has the import as the type checker reads it, and its late form::

    if TYPE_CHECKING:
        from kursk_pbem.rulesets.kursk_1971.seen import chances, drafts
    else:
        chances, drafts = late(__package__, "chances", "drafts")

so that ``Seen(hints=drafts.hints, odds=chances.odds)`` is checked like any other call.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


class Late:
    """A module that is not loaded yet; each of its attributes is a function that loads it."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)

        def call(*arguments: Any) -> Any:
            return getattr(import_module(self._module), name)(*arguments)

        call.__name__ = call.__qualname__ = name
        call.__module__ = self._module
        return call


def late(package: str, *names: str) -> tuple[Late, ...]:
    """Modules of a package by name, each loaded when one of its functions is first called."""
    return tuple(Late(f"{package}.{name}") for name in names)
