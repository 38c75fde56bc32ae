"""What is printed on counters: from the entries of a scenario into the dataclass of a system."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING
from typing import Any, ClassVar, Protocol, TypeVar

_READ: Mapping[str, Callable[[Any], Any]] = {"int": int, "bool": "yes".__eq__, "tuple[str, ...]": tuple}
"""How a field is read, by its annotation; others stay text."""


class Printed(Protocol):
    """A dataclass with an ``id`` and text, numbers, bools and tuples of text."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


C = TypeVar("C", bound=Printed)


def read(make: type[C], uid: str, entry: Mapping[str, Any], **given: Any) -> C:
    """A counter whose fields have the keys of its entry, but for those ``given``; 'yes' is true.

    A field with a default may be left out of the entry. KeyError where another one is; ValueError for no number.
    """
    told: dict[str, Any] = {"id": uid, **given}
    for name, field in make.__dataclass_fields__.items():
        if name not in told and (name in entry or field.default is MISSING):
            told[name] = _READ.get(field.type, str)(entry[name])
    return make(**told)
