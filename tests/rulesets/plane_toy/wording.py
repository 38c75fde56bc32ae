"""Names and events of Plane Toy in words."""

from __future__ import annotations

from kursk_pbem.kernel.events import Event, Moved, Scheduled
from kursk_pbem.kernel.ruleset import Rows, Verdict
from kursk_pbem.kernel.state import ANSWERED, DECLARED, VERDICT, State
from kursk_pbem.kernel.words import Names, flat, plural, unit
from rulesets.plane_toy.orders import OPEN, PLOT, SHOWN
from rulesets.plane_toy.setting import Setting, inches, point, root, square

PHASES = {
    "seals": "Sealed orders",
    "orders": "Orders",
    "show": "The sealed orders are shown",
    "move": "Moves",
    "fire": "Fire",
}


class Wording(Names):
    """Names and texts of this game."""

    def __init__(self, setting: Setting) -> None:
        self._setting, self.things, self.phases, self.places = setting, setting.models, PHASES, {}

    def tell(self, event: Event) -> list[str] | None:
        """Return lines for moves in inches and waiting values."""
        match event:
            case Moved(unit=uid, start=start, path=(to,)):
                far = inches(root(square(point(start), point(to))))
                return [f"{unit(self, uid)} moves {far} inches from {start} to {to}"]
            case Scheduled(key=key, value=value) if key in (SHOWN, OPEN):
                return [flat(each) for each in value or ()]
            case Scheduled(key=key) if key in (PLOT, DECLARED, ANSWERED):
                return []
            case _:
                return None


def standing(setting: Setting, state: State) -> Rows:
    """Return the lines below a report."""
    told = []
    for side in setting.sides:
        who = setting.alive(state, side)
        steps = plural(sum(state.units[uid].steps for uid in who), "step")
        told.append((f"{side.capitalize()} has", f"{plural(len(who), 'model')} with {steps}"))
    return tuple(told)


def verdict(_setting: Setting, state: State) -> Verdict | None:
    """4.0: return the end of the game."""
    how, winner = state.mark(VERDICT, "how"), state.mark(VERDICT, "winner").replace("draw", "")
    text = f"{winner.capitalize()} victory: it has more steps left (4.0)" if winner else "Draw: both lost as much (4.0)"
    return Verdict(winner, how, text) if how else None
