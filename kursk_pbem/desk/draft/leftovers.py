"""Unused possibilities and unchanged defaults of a draft, shown before signing."""

from __future__ import annotations

from collections.abc import Iterator

from kursk_pbem.desk.draft import cautions, defaults
from kursk_pbem.desk.draft.drafts import Checked
from kursk_pbem.desk.ground.shown import Shown
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.game import reports
from kursk_pbem.kernel.brief import Unused
from kursk_pbem.kernel.state import OVER
from kursk_pbem.report.layout import wrap


def list_unused(desk: Desk, checked: Checked) -> tuple[Unused, ...]:
    """Return the unused possibilities of a legal draft, most valuable first, and then the unchanged default values."""
    return combine_unused(desk, checked, *cautions.weigh_draft(desk, checked))


def combine_unused(
    desk: Desk, checked: Checked, said: tuple[Unused, ...], unused: tuple[Unused, ...]
) -> tuple[Unused, ...]:
    """Join the warnings ``said`` and the ``unused`` possibilities of a draft into the list of :func:`list_unused`."""
    if checked.result.middle.stage == OVER or checked.filing is None:
        return ()
    return (*said, *checked.dropped, *unused, *_list_unchanged(desk, checked))


def _list_unchanged(desk: Desk, checked: Checked) -> Iterator[Unused]:
    hints = desk.game.ruleset.seen.hints(desk.game.setting, checked.result.middle, desk.seq)
    for hint in defaults.list_unchanged(checked.message.content, hints):
        yield Unused("", f"as proposed: {defaults.describe_default(desk.game, hint.path, hint.value)}")


def format_unused(leftovers: tuple[Unused, ...]) -> str:
    """Return unused possibilities as a text with an entry for every possibility; '' for an empty list."""
    if not leftovers:
        return ""
    lines = ["", "Left over:"]
    for left in leftovers:
        rule = f" [{left.rule}]" if left.rule else ""
        lines += wrap(f"{left.text}{rule}", "- ", "  ")
    return "\n".join((*lines, ""))


def show_checked(desk: Desk, checked: Checked, unused: tuple[Unused, ...]) -> Shown:
    """Return the text of a legal draft for the writer to read before signing (decision 49)."""
    told = reports.report_draft(desk.game, desk.seq, checked.result, str(checked.content.get("note", "")))
    told += reports.report_hidden(desk.game, checked.result.after, desk.game.chain.writer(desk.seq), checked.hidden)
    told += format_unused(unused)
    return Shown(told, {"sign": checked.content, "hidden": checked.hidden, "head": desk.game.chain.head_id})
