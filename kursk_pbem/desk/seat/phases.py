"""Which phases of a message take place with the draft as it is."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import Any

from kursk_pbem.desk.seat.scene import Scene
from kursk_pbem.kernel.events import PhaseBegan, apply
from kursk_pbem.kernel.orders import filing
from kursk_pbem.kernel.umpire import Umpire


def lacking(scene: Scene) -> frozenset[str]:
    """The phases that do not take place whatever is ordered in them, such as battles in a posture without any."""
    if scene.sheet is None or scene.checked is None:
        return frozenset()
    result, written = scene.checked.result, filing(scene.sheet.message.content)
    chosen = result.events[result.duties :]
    began = {event.phase: number for number, event in enumerate(chosen) if isinstance(event, PhaseBegan)}
    state = reduce(apply, chosen[: max(began.values(), default=0)], result.middle)
    keys = set()
    for phase in scene.desk.game.stage.phases:
        if phase.when is None or phase.key in began:
            continue
        umpire = Umpire(scene.desk.game.setting, state, written.seq)
        asked: dict[str, Any] = {
            field.removeprefix("orders/"): [{}] for field in phase.reads if field.startswith("orders/")
        }
        if not phase.when(umpire, replace(written, orders={**written.orders, **asked})) and umpire.violations:
            keys.add(phase.key)
    return frozenset(keys)
