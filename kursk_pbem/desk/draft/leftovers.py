"""What a draft leaves unused or as it was proposed, for its writer before they sign (nothing of it is a rule)."""

from __future__ import annotations

from collections.abc import Iterator

from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.draft import cautions, proposals
from kursk_pbem.desk.draft.drafts import Checked
from kursk_pbem.kernel.brief import Left
from kursk_pbem.kernel.state import OVER
from kursk_pbem.report.layout import wrap


def of(desk: Desk, checked: Checked) -> tuple[Left, ...]:
    """What a legal draft leaves: first what its ruleset counts, the most costly first, then proposals left alone."""
    return with_(desk, checked, *cautions.weighed(desk, checked))


def with_(desk: Desk, checked: Checked, said: tuple[Left, ...], unused: tuple[Left, ...]) -> tuple[Left, ...]:
    """The same, where ``cautions.weighed`` has given what is ``said`` at once and what is ``unused``."""
    if checked.result.middle.stage == OVER or checked.filing is None:
        return ()
    return (*said, *checked.dropped, *unused, *_as_proposed(desk, checked))


def _as_proposed(desk: Desk, checked: Checked) -> Iterator[Left]:
    """Values that stand in the draft as it was written for the player."""
    hints = desk.game.ruleset.seen.hints(desk.game.setting, checked.result.middle, desk.seq)
    for hint in proposals.unchanged(checked.message.content, hints):
        yield Left("", f"as the draft proposed it: {proposals.said(desk.game, hint.path, hint.value)}")


def text(leftovers: tuple[Left, ...]) -> str:
    """The list as it is printed, one entry each; '' if nothing is left."""
    if not leftovers:
        return ""
    lines = ["", "Left over:"]
    for left in leftovers:
        rule = f" [{left.rule}]" if left.rule else ""
        lines += wrap(f"{left.text}{rule}", "- ", "  ")
    return "\n".join((*lines, ""))
