"""Wishes without effect, found by the rules: waiting attacks are fought with every die, with and without a wish."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

from kursk_pbem.kernel.events import Decided, Noted
from kursk_pbem.kernel.hexes import policies
from kursk_pbem.kernel.hexes.usual.precedence import Places, find_effective
from kursk_pbem.kernel.orders import Path
from kursk_pbem.kernel.umpire import Umpire, Words

T = TypeVar("T")
SAME = "every die gives the same result without it now"
TABLES = (policies.BATTLES, policies.BY_HEX, policies.BY_UNIT)
Changes = Callable[[Sequence[int], Mapping[str, Any]], bool]
"""Return whether another policy changes the fight of some things for some die and some choice of the opponent."""


def find_useless(
    policy: Mapping[str, Any], keys: Sequence[str], asked: Sequence[Places], changes: Changes
) -> Iterator[tuple[Path, str, list[str], list[int]]]:
    """Yield every answer with useless wishes: place, key, these wishes, and users (the positions in ``asked``).

    ``asked``: the places of every thing that needs an answer, such as an attack. An overridden answer has no users.
    """
    for path, key, said, users in find_effective(policy, keys, TABLES, asked):
        wishes = [said] if isinstance(said, str) else [*said]
        overridden = wishes if any(path in ((), *places) for places in asked) else []

        def differs(left: Any, place: Path = (*path, key), users: Sequence[int] = users) -> bool:
            return changes(users, put_value(policy, place, left))

        if vain := list_vain(wishes, differs) if users else overridden:
            yield path, key, vain, users


def ask_each(
    fights: Sequence[T], find_end: Callable[[T, Any], object], now: Any, *, dear: bool
) -> Callable[[Any], bool]:
    """Return a function that tells whether a choice other than ``now`` changes the end of a fight; True if ``dear``."""

    @cache
    def end_now(number: int) -> object:
        return find_end(fights[number], now)

    return lambda other: dear or any(find_end(fight, other) != end_now(at) for at, fight in enumerate(fights))


def list_vain(wishes: Sequence[str], changes: Callable[[Sequence[str]], bool]) -> list[str]:
    """Return the wishes that can all be left out without an effect. Later wishes are tried first."""
    if not changes(()):
        return [*wishes]
    left = [*wishes]
    for wish in reversed(wishes):
        less = [one for one in left if one != wish]
        left = left if changes(less) else less
    return [wish for wish in wishes if wish not in left]


def put_value(policy: Mapping[str, Any], path: Sequence[Any], value: Any) -> dict[str, Any]:
    """Return a policy with another value at a path. An empty list stays: it overrides less specific answers."""
    head, *rest = path
    return {**policy, head: put_value(policy.get(head, {}), rest, value) if rest else value}


def describe_end(umpire: Umpire[Any]) -> object:
    """Return the facts of a fight and the position after it, without the explanations for readers."""
    facts = tuple(event for event in umpire.told if not isinstance(event, Words | Noted | Decided))
    return facts, umpire.state.units, umpire.state.marks, umpire.state.tracks, umpire.state.stage
