"""Unused possibilities of a message."""

from __future__ import annotations

from collections.abc import Sequence

from kursk_pbem.kernel.brief import Unused
from kursk_pbem.kernel.events import Event
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.words import plural, some
from rulesets.plane_toy import sequence
from rulesets.plane_toy.orders import label
from rulesets.plane_toy.setting import Setting


def find_unused(setting: Setting, before: State, _events: Sequence[Event], filing: Filing) -> tuple[Unused, ...]:
    """Return models without orders: sealed orders of the first side, open orders of the second."""
    phases = sequence.stages(setting)[before.stage].phases
    if not {sequence.PLOT, sequence.ORDERS} & set(phases):
        return ()
    sealed = filing.sealed.get(label(before.turn), ())
    ordered = sealed if sequence.PLOT in phases else filing.order("models")
    idle = [uid for uid in setting.alive(before, filing.writer) if uid not in {each["id"] for each in ordered}]
    if not idle:
        return ()
    return (Unused("2.1", f"{plural(len(idle), 'model')} without orders: {some(idle)}"),)
