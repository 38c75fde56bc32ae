"""What a draft leaves unused or as it was proposed, for its writer before they sign (nothing of it is a rule)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kursk_pbem.desk.desk import Desk
from kursk_pbem.desk.drafts import Checked
from kursk_pbem.kernel.brief import Left
from kursk_pbem.kernel.state import OVER
from kursk_pbem.kernel.words import flat, some
from kursk_pbem.report.layout import wrap


def of(desk: Desk, checked: Checked) -> tuple[Left, ...]:
    """What a legal draft leaves: first what its ruleset counts, the most costly first, then proposals left alone."""
    game, result = desk.game, checked.result
    if result.middle.stage == OVER or checked.filing is None:
        return ()
    choices = result.events[result.duties :]
    counted = game.ruleset.seen.left(game.setting, result.middle, choices, checked.filing)
    return (*counted, *_as_proposed(desk, checked))


def _as_proposed(desk: Desk, checked: Checked) -> Iterator[Left]:
    """Values that stand in the draft as it was written for the player."""
    game = desk.game
    for hint in game.ruleset.seen.hints(game.setting, checked.result.middle, desk.seq):
        written = _at(checked.message.content, hint.path)
        if hint.value and written == hint.value:
            few = some([flat(item) for item in written]) if isinstance(written, list) else flat(written)
            yield Left("", f"unchanged since the draft proposed it: {hint.path[-1]} ({few})")


def _at(content: Any, path: tuple[str, ...]) -> Any:
    """What stands under a path of keys; None if nothing does."""
    for key in path:
        content = content.get(key) if isinstance(content, dict) else None
    return content


def text(found: tuple[Left, ...]) -> str:
    """The list as it is printed, one entry each; '' if nothing is left."""
    if not found:
        return ""
    lines = ["", "Left over:"]
    for each in found:
        rule = f" [{each.rule}]" if each.rule else ""
        lines += wrap(f"{each.text}{rule}", "- ", "  ")
    return "\n".join((*lines, ""))
