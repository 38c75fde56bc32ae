"""The scenario of a game for the rules: constant data, and the provenance of every part."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

from kursk_pbem.errors import FileError
from kursk_pbem.frozen import frozen

PLAYERS = "players"
"""The dice mode with dice from the players' seals; otherwise a referee rolls."""
STATUSES = ("attested", "reconstructed", "invented")


@frozen
class Provenance:
    """How reliable a part of a scenario is: ``part`` such as ``map/cities``, ``status`` one of `STATUSES`."""

    part: str
    status: str
    note: str = ""


@frozen
class Scenario:
    """The printed data of a game, which never change.

    ``data``: ``{scenario, map, units, tables}``, each with text, lists and mappings from the strict reader. Several
    games share the data, so never modify them. ``sha256``: 64 hex digits, as in protocol 2.2. Scenarios with equal id
    and hash are equal.
    """

    id: str
    title: str = field(compare=False)
    ruleset: str
    data: Mapping[str, Any] = field(compare=False, repr=False)
    sha256: str
    provenance: tuple[Provenance, ...] = field(compare=False, repr=False)


def read_decor(scenario: Scenario) -> Mapping[str, Any]:
    """Return the data of a map that only pictures use. Rules never call this function."""
    decor: Mapping[str, Any] = scenario.data["map"].get("decor", {})
    return decor


S_co = TypeVar("S_co", covariant=True)


class Load(Protocol[S_co]):
    """A builder of a scenario's setting under the agreed options. Raises FileError for unplayable data."""

    def __call__(self, scenario: Scenario, options: Mapping[str, str] = ..., dice: str = ...) -> S_co:
        """Return the setting. ``dice``: PLAYERS or REFEREE."""


def make_load(game: str, read: Callable[[Scenario, Mapping[str, str], str], S_co]) -> Load[S_co]:
    """Return a ruleset's ``load``. This function calls ``read``, and raises FileError if the data are wrong."""

    def load(scenario: Scenario, options: Mapping[str, str] = MappingProxyType({}), dice: str = PLAYERS) -> S_co:
        try:
            return read(scenario, options, dice)
        except (KeyError, ValueError, IndexError, TypeError, AttributeError, ZeroDivisionError) as error:
            what = f"{type(error).__name__}: {error}"
            raise FileError(f"scenario {scenario.id}: the data do not fit the rules of {game} ({what})") from error

    load.__module__ = read.__module__
    return load
