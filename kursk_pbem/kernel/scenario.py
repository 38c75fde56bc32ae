"""The scenario of a game as the rules see it: data that never change during a game, and where each part comes from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

from kursk_pbem.errors import FileError

PLAYERS = "players"
"""That the dice of a game follow from what the players had sealed; otherwise a referee rolls them."""
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


S_co = TypeVar("S_co", covariant=True)


class Load(Protocol[S_co]):
    """The setting of a scenario under the game options agreed on. FileError where its data make no game."""

    def __call__(self, scenario: Scenario, options: Mapping[str, str] = ..., dice: str = ...) -> S_co:
        """``dice``: PLAYERS or REFEREE."""


def loading(game: str, read: Callable[[Scenario, Mapping[str, str], str], S_co]) -> Load[S_co]:
    """The ``load`` of a system: ``read`` may fall over data that are wrong, in whatever way such data make it."""

    def load(scenario: Scenario, options: Mapping[str, str] = MappingProxyType({}), dice: str = PLAYERS) -> S_co:
        try:
            return read(scenario, options, dice)
        except (KeyError, ValueError, IndexError, TypeError, AttributeError, ZeroDivisionError) as error:
            what = f"{type(error).__name__}: {error}"
            raise FileError(f"scenario {scenario.id}: the data do not make a game of {game} ({what})") from error

    load.__module__ = read.__module__
    return load
