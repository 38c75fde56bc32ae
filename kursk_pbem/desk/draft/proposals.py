"""What a draft had proposed and its writer's own orders have made illegal: it is left out and told, not refused.

Only orders and seals that stand exactly as they were proposed: the writer has not chosen them. A posture, a policy
or a decision is never left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any

from kursk_pbem.desk import desks
from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.draft import orderlines
from kursk_pbem.errors import Violation
from kursk_pbem.game import folders
from kursk_pbem.game.games import Game
from kursk_pbem.kernel.brief import Left
from kursk_pbem.kernel.ruleset import Hint
from kursk_pbem.kernel.state import OVER
from kursk_pbem.kernel.words import some

_FIELDS = ("orders", "seal")
MOST = 12
"""Words of an order that are said of it."""


def at(content: Any, path: tuple[str, ...]) -> Any:
    """What stands under a path of keys; None if nothing does."""
    for key in path:
        content = content.get(key) if isinstance(content, Mapping) else None
    return content


def said(game: Game, path: tuple[str, ...], value: Any) -> str:
    """What stands under a path of keys, as a player types it, in a few words: 'posture engage'."""
    choices: Any = value
    for key in reversed(path):
        choices = {key: choices}
    seen = game.ruleset.seen
    orders = orderlines.told(choices, seen.verbs(game.setting), seen.spoken)
    told = [_few(words.split()) for _path, words in orders]
    return some(told) or "nothing is ordered"


def _few(words: list[str]) -> str:
    return " ".join(words) if len(words) <= MOST else f"{' '.join(words[:MOST])} and {len(words) - MOST} more"


def unchanged(content: Mapping[str, Any], hints: Iterable[Hint]) -> Iterator[Hint]:
    """The hints whose values stand in a draft as they were proposed."""
    return (hint for hint in hints if hint.value and at(content, hint.path) == hint.value)


def without_unfit(
    game: Game, content: Mapping[str, Any], hints: Iterable[Hint], violations: tuple[Violation, ...]
) -> tuple[dict[str, Any], list[Left]]:
    """The content without proposals that a violation names, and what is to be said of each."""
    kept, told = dict(content), []
    for hint in unchanged(content, hints):
        depth = len(hint.path)
        named = [violation for violation in violations if violation.path[:depth] == hint.path]
        if hint.path[0] not in _FIELDS or not named:
            continue
        places = {violation.path[depth] for violation in named if len(violation.path) > depth}
        rest, out = _split(hint.value, places)
        kept = _put(kept, hint.path, rest)
        what = said(game, hint.path, out)
        told.append(Left(named[0].rule, f"left out, because your orders rule out what the draft proposed: {what}"))
    return kept, told


def _split(value: Any, places: AbstractSet[str | int]) -> tuple[Any, Any]:
    """A list or mapping without the items at some places, and these; without places, all of it goes."""
    if isinstance(value, Mapping):
        rest = {key: item for key, item in value.items() if places and key not in places}
        return rest, {key: item for key, item in value.items() if key not in rest}
    kept = [item for place, item in enumerate(value) if places and place not in places]
    return kept, [item for place, item in enumerate(value) if not places or place in places]


def _put(content: Mapping[str, Any], path: tuple[str, ...], value: Any) -> dict[str, Any]:
    """The same content with another value under a path."""
    key, rest = path[0], path[1:]
    return {**content, key: _put(content[key], rest, value) if rest else value}


def open_answer(desk: Desk) -> Path | None:
    """The draft that lies there for the message that is due, if a standing policy goes into such a one."""
    path = folders.draft_path(desk.folder, desk.seq)
    if desk.own is None or not desk.mine or desk.game.chain.offer or not path.exists():
        return None
    game, middle = desk.game, desks.duties(desk, desk.own).middle
    if middle.stage == OVER or game.ruleset.quiet(game.setting, middle):
        return None
    hints = game.ruleset.seen.hints(game.setting, middle, desk.seq)
    return path if any(hint.path == ("policy",) for hint in hints) else None
