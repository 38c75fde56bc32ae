"""Printed values of counters: from the entries of a scenario to the dataclass of a system."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING
from functools import cache
from typing import Any, ClassVar, Protocol, TypeVar

_READ: Mapping[str, Callable[[Any], Any]] = {"int": int, "bool": "yes".__eq__, "tuple[str, ...]": tuple}
"""The conversion of a field, by its annotation; other fields stay text."""


class Printed(Protocol):
    """A dataclass with the printed values of a counter: ``id``, text, numbers, bools and tuples of text."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


C = TypeVar("C", bound=Printed)


@cache
def _list_fields(make: type[Printed]) -> tuple[tuple[str, Callable[[Any], Any] | None, bool], ...]:
    """Return name, conversion and necessity of every field except the id."""
    fields = [(name, field) for name, field in make.__dataclass_fields__.items() if name != "id"]
    return tuple((name, _READ.get(field.type), field.default is MISSING) for name, field in fields)


def read_counter(make: type[C], uid: str, entry: Mapping[str, Any], **given: Any) -> C:
    """Return a counter of the class ``make`` from the entry of a unit in the scenario. 'yes' becomes True.

    A field with a default may be missing. Raises KeyError for another missing field, ValueError for a wrong number.
    """
    for name, of_text, needed in _list_fields(make):
        if name not in given and (needed or name in entry):
            given[name] = of_text(entry[name]) if of_text else entry[name]
    return make(**{"id": uid, **given})
