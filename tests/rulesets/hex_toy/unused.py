"""Unused possibilities of a message."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kursk_pbem.kernel.brief import Unused, split_phases
from kursk_pbem.kernel.events import Event
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.words import plural, some
from rulesets.hex_toy import outlook
from rulesets.hex_toy.assaults import ASSAULTS, BROKEN
from rulesets.hex_toy.setting import Setting


def find_unused(setting: Setting, before: State, events: Sequence[Event], filing: Filing) -> tuple[Unused, ...]:
    """Return possible assaults, unanswered volleys, pursuit and marches."""
    return tuple(_find_unused(setting, before, events, filing))


def _find_unused(setting: Setting, before: State, events: Sequence[Event], filing: Filing) -> Iterator[Unused]:
    done = {part.phase: part for part in split_phases(before, events)}
    if "march" in done:
        now = (done.get("declare") or done["march"]).after
        attacked = {order["hex"] for order in filing.order(ASSAULTS)}
        open_ = [each.place for each in outlook.outlook(setting, now, "").targets if each.place not in attacked]
        if open_:
            yield Unused("4.0", f"nobody assaults {some(open_)}")
        ordered = {order["unit"] for order in filing.order("march")}
        able = [
            uid
            for uid in outlook.units_of(setting, before, filing.writer)
            if uid not in ordered and outlook.reach(setting, now, uid)
        ]
        if able:
            yield Unused("3.0", f"{plural(len(able), 'unit')} could march: {some(able)}")
    if "reply" in done and not filing.policy:
        yield Unused("4.5", "nothing is said on the volleys: they are late")
    if "pursuit" in done and before.agenda.get(BROKEN) and not filing.order("pursuit"):
        yield Unused("5.0", "nobody pursues")
