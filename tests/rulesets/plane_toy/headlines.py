"""Summary and prose for events of Plane Toy, which has shots instead of battles."""

from __future__ import annotations

from collections.abc import Sequence

from kursk_pbem.kernel.account.battles import find_fates
from kursk_pbem.kernel.account.lines import COSTLY, DESTROYED, ORDERS, Line, joined, number, rank_lines, sentence, steps
from kursk_pbem.kernel.events import Event, Moved
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.words import plural
from rulesets.plane_toy.orders import OPEN, PLOT
from rulesets.plane_toy.setting import Setting
from rulesets.plane_toy.wording import Wording


def headlines(setting: Setting, before: State, events: Sequence[Event], after: State) -> tuple[str, ...]:
    """Return eliminated and hit models, the number of moves, and the orders."""
    words = Wording(setting)
    found: list[Line] = []
    for fate in find_fates(events):
        if fate.gone:
            found.append((DESTROYED, f"{words.unit(fate.unit)} has fallen"))
        elif fate.lost:
            found.append((COSTLY, f"{words.unit(fate.unit)} loses {steps(fate.lost)}"))
    moves = sum(isinstance(event, Moved) for event in events)
    found += [(ORDERS, plural(moves, "move"))] if moves else []
    for key, text in ((PLOT, "orders sealed"), (OPEN, "orders given")):
        found += [(ORDERS, text)] if key in after.agenda and key not in before.agenda else []
    return rank_lines(found)


def story(setting: Setting, _before: State, events: Sequence[Event], _after: State) -> tuple[str, ...]:
    """Return one paragraph with moves, hits and eliminations."""
    words = Wording(setting)
    moved = [words.unit(event.unit) for event in events if isinstance(event, Moved)]
    told = [sentence(f"{joined(moved) if len(moved) < 4 else number(len(moved), 'model')} moved")] if moved else []
    hit = [fate for fate in find_fates(events) if fate.gone or fate.lost]
    told += [sentence(f"{words.unit(each.unit)} {'fell' if each.gone else f'lost {steps(each.lost)}'}") for each in hit]
    return (" ".join(told),) if told else ()
