"""Near misses in a draft: a violation that names a unit or place that there is not says which one may be meant."""

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
"""Violations of which it is looked for what may be meant, which takes long: who names hundreds that there are not may
be in the wrong game."""
_OWN = "id"
"""The key of a name that the writer chose."""


@dataclass(frozen=True)
class Moment:
    """A position of a game, known by its hash: what a draft is held against is worked out once for many drafts."""

    game: str
    seq: int
    sha256: str
    of: Game = field(compare=False, repr=False)
    state: State = field(compare=False, repr=False)


def moment(game: Game, state: State) -> Moment:
    """The moment of a game before the message that is due."""
    return Moment(game.chain.game, game.chain.next_seq, state.sha256(), game, state)


@lru_cache(maxsize=4)
def hints(at: Moment) -> tuple[Hint, ...]:
    """What a draft of this position is offered."""
    return at.of.ruleset.seen.hints(at.of.setting, at.state, at.seq)


def told(game: Game, content: Mapping[str, Any], violations: Iterable[Violation]) -> tuple[Violation, ...]:
    """The same violations, each with what may be meant by the words at its place that nobody knows."""
    broken = tuple(violations)
    if not broken:
        return broken
    at = moment(game, game.state)
    words = [
        replace(violation, message=violation.message + _near(content, violation.path, at))
        for violation in broken[:MOST]
    ]
    return (*words, *broken[MOST:])


@lru_cache(maxsize=4)
def _known(at: Moment) -> names.Known:
    """Units and places, by id, with their names."""
    words = at.of.ruleset.seen.words(at.of.setting)
    known = {uid: (words.unit(uid),) for uid in at.state.units}
    picture = at.of.ruleset.seen.picture(at.of.setting, at.state)
    return known | {region.id: (words.place(region.id),) for region in picture.regions if picture.form != "plane"}


@lru_cache(maxsize=256)
def _meant(at: Moment, word: str) -> str:
    if at.of.ruleset.seen.words(at.of.setting).unit(word) != word:
        return ""  # it has a name, so it is there, and something else is wrong with it
    return names.near(word, _known(at))


def _near(content: Mapping[str, Any], path: Path, at: Moment) -> str:
    value: Any = content
    if path[-1:] == (_OWN,):
        return ""
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return ""
    known = _known(at)
    said = [word for text in _texts(value) for word in text.split(" ") if word not in known]
    key = path[-1] if path else ""
    if isinstance(key, str) and path[:1] == ("policy",) and key not in known:
        said.append(key)
    return next((near for word in said if (near := _meant(at, word))), "")


def _texts(value: Any) -> Iterator[str]:
    """A text, or those of an order whose place is the whole order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (text for key, text in value.items() if isinstance(text, str) and key != _OWN)
