"""Near misses in a draft: a violation that names a unit or place that there is not says which one may be meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from kursk_pbem.errors import Violation
from kursk_pbem.game.games import Game
from kursk_pbem.kernel import names
from kursk_pbem.kernel.orders import Path

MOST = 40
"""Violations of which it is looked for what may be meant, which takes long: who names hundreds that there are not may
be in the wrong game."""
_OWN = "id"
"""The key of a name that the writer chose."""


def told(game: Game, content: Mapping[str, Any], violations: Iterable[Violation]) -> tuple[Violation, ...]:
    """The same violations, each with what may be meant by the words at its place that nobody knows."""
    found = tuple(violations)
    if not found:
        return found
    words = game.ruleset.seen.words(game.setting)
    known = {uid: (words.unit(uid),) for uid in game.state.units}
    picture = game.ruleset.seen.picture(game.setting, game.state)
    known |= {region.id: (words.place(region.id),) for region in picture.regions if picture.form != "plane"}
    told = [
        replace(violation, message=violation.message + _near(content, violation.path, known))
        for violation in found[:MOST]
    ]
    return (*told, *found[MOST:])


def _near(content: Mapping[str, Any], path: Path, known: names.Known) -> str:
    value: Any = content
    if path[-1:] == (_OWN,):
        return ""
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return ""
    said = [word for text in _texts(value) for word in text.split(" ") if word not in known]
    key = path[-1] if path else ""
    if isinstance(key, str) and path[:1] == ("policy",) and key not in known:
        said.append(key)
    return next((near for word in said if (near := names.near(word, known))), "")


def _texts(value: Any) -> Iterator[str]:
    """A text, or those of an order whose place is the whole order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (each for key, each in value.items() if isinstance(each, str) and key != _OWN)
