"""Suggestions for unknown units and places in a draft."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from kursk_pbem.errors import Violation
from kursk_pbem.game.games import Game
from kursk_pbem.kernel import names
from kursk_pbem.kernel.orders import Path
from kursk_pbem.kernel.ruleset import Hint
from kursk_pbem.kernel.state import State

MOST = 40
"""Maximum number of violations with a search for suggestions, because each search is slow."""
_OWN = "id"
"""The key of a name chosen by the writer."""


@dataclass(frozen=True)
class PositionKey:
    """A position as a key of caches: equal hashes mean equal positions."""

    game: str
    seq: int
    sha256: str
    of: Game = field(compare=False, repr=False)
    state: State = field(compare=False, repr=False)


def make_position_key(game: Game, state: State) -> PositionKey:
    """Return the key of a game's position before the next message."""
    return PositionKey(game.chain.game, game.chain.next_seq, state.sha256(), game, state)


@lru_cache(maxsize=4)
def load_hints(at: PositionKey) -> tuple[Hint, ...]:
    """Return the hints for a draft in this position."""
    return at.of.ruleset.seen.hints(at.of.setting, at.state, at.seq)


def add_suggestions(game: Game, content: Mapping[str, Any], violations: Iterable[Violation]) -> tuple[Violation, ...]:
    """Append a suggestion to the first violations with an unknown unit or place; return all violations."""
    broken = tuple(violations)
    if not broken:
        return broken
    at = make_position_key(game, game.state)
    words = [
        replace(violation, message=violation.message + _suggest_name(content, violation.path, at))
        for violation in broken[:MOST]
    ]
    return (*words, *broken[MOST:])


@lru_cache(maxsize=4)
def _list_names(at: PositionKey) -> names.Known:
    words = at.of.ruleset.seen.words(at.of.setting)
    known = {uid: (words.unit(uid),) for uid in at.state.units}
    picture = at.of.ruleset.seen.picture(at.of.setting, at.state)
    return known | {region.id: (words.place(region.id),) for region in picture.regions if picture.form != "plane"}


@lru_cache(maxsize=256)
def _find_meant(at: PositionKey, word: str) -> str:
    if at.of.ruleset.seen.words(at.of.setting).unit(word) != word:
        return ""  # The unit exists, so the violation has another cause.
    return names.near(word, _list_names(at))


def _suggest_name(content: Mapping[str, Any], path: Path, at: PositionKey) -> str:
    value: Any = content
    if path[-1:] == (_OWN,):
        return ""
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return ""
    known = _list_names(at)
    said = [word for text in _list_texts(value) for word in text.split(" ") if word not in known]
    key = path[-1] if path else ""
    if isinstance(key, str) and path[:1] == ("policy",) and key not in known:
        said.append(key)
    return next((near for word in said if (near := _find_meant(at, word))), "")


def _list_texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (text for key, text in value.items() if isinstance(text, str) and key != _OWN)
