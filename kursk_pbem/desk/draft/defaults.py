"""Defaults of a draft. Unchanged defaults made illegal by the player's orders are omitted with a report.

Only unchanged orders and seals are omitted. A posture, a policy or a decision is never omitted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any

from kursk_pbem.desk.draft import orderlines
from kursk_pbem.desk.own import desks
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.errors import Violation
from kursk_pbem.game import folders
from kursk_pbem.game.games import Game
from kursk_pbem.kernel.brief import Unused
from kursk_pbem.kernel.ruleset import Hint
from kursk_pbem.kernel.state import OVER
from kursk_pbem.kernel.words import some

_FIELDS = ("orders", "seal")
MOST = 12
"""Maximum number of words that a report shows of a default."""


def describe_default(game: Game, path: tuple[str, ...], value: Any) -> str:
    """Return a default value of a draft in the words of an order, such as 'posture engage'."""
    choices: Any = value
    for key in reversed(path):
        choices = {key: choices}
    seen = game.ruleset.seen
    orders = orderlines.describe_orders(choices, seen.verbs(game.setting), seen.command)
    told = [_shorten_words(words.split()) for _path, words in orders]
    return some(told) or "nothing is ordered"


def _shorten_words(words: list[str]) -> str:
    return " ".join(words) if len(words) <= MOST else f"{' '.join(words[:MOST])} and {len(words) - MOST} more"


def list_unchanged(content: Mapping[str, Any], hints: Iterable[Hint]) -> Iterator[Hint]:
    """Return the hints for the defaults of a draft that the player has not changed."""
    return (hint for hint in hints if hint.value and orderlines.get_value(content, hint.path) == hint.value)


def remove_unfit(
    game: Game, content: Mapping[str, Any], hints: Iterable[Hint], violations: tuple[Violation, ...]
) -> tuple[dict[str, Any], list[Unused]]:
    """Return a draft's content without illegal defaults, and a report about every default that was left out."""
    kept, told = dict(content), []
    for hint in list_unchanged(content, hints):
        depth = len(hint.path)
        named = [violation for violation in violations if violation.path[:depth] == hint.path]
        if hint.path[0] not in _FIELDS or not named:
            continue
        places = {violation.path[depth] for violation in named if len(violation.path) > depth}
        rest, out = _split_value(hint.value, places)
        kept = _put_value(kept, hint.path, rest)
        what = describe_default(game, hint.path, out)
        told.append(Unused(named[0].rule, f"proposed by the draft, but left out because of your orders: {what}"))
    return kept, told


def _split_value(value: Any, places: AbstractSet[str | int]) -> tuple[Any, Any]:
    """Return a value without the items at some places, and the removed items; without places, remove everything."""
    if isinstance(value, Mapping):
        rest = {key: item for key, item in value.items() if places and key not in places}
        return rest, {key: item for key, item in value.items() if key not in rest}
    kept = [item for place, item in enumerate(value) if places and place not in places]
    return kept, [item for place, item in enumerate(value) if not places or place in places]


def _put_value(content: Mapping[str, Any], path: tuple[str, ...], value: Any) -> dict[str, Any]:
    key, rest = path[0], path[1:]
    return {**content, key: _put_value(content[key], rest, value) if rest else value}


def find_answer_draft(desk: Desk) -> Path | None:
    """Return the path of the next draft if the draft can contain standing answers, otherwise None."""
    path = folders.draft_path(desk.folder, desk.seq)
    if desk.own is None or not desk.mine or desk.game.chain.offer or not path.exists():
        return None
    game, middle = desk.game, desks.preview_duties(desk, desk.own).middle
    if middle.stage == OVER or game.ruleset.quiet(game.setting, middle):
        return None
    hints = game.ruleset.seen.hints(game.setting, middle, desk.seq)
    return path if any(hint.path == ("policy",) for hint in hints) else None
