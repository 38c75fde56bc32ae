"""Names and events of Hex Toy in words, the table below a report, the end of a game."""

from __future__ import annotations

from typing import Any

from kursk_pbem.kernel.events import Event, Marked, Moved, Scheduled, Tracked
from kursk_pbem.kernel.ruleset import Rows, Verdict
from kursk_pbem.kernel.state import ANSWERED, DECLARED, STANDING, VERDICT, State
from kursk_pbem.kernel.words import Names, flat, plural, unit, units
from rulesets.hex_toy.assaults import ASSAULTS, BROKEN, VOLLEY, score
from rulesets.hex_toy.setting import FALLEN, HELD, Setting

PHASES = {
    "march": "March",
    "declare": "Assaults declared",
    "reply": "Volleys",
    "fight": "Assaults",
    "pursuit": "Pursuit",
    "filed": "Volleys for all assaults to come",
    "reckoning": "Points",
    "seals": "Sealed stances",
}


class Wording(Names):
    """Names and texts of this game."""

    def __init__(self, setting: Setting) -> None:
        self._setting, self.things, self.phases, self.places = setting, setting.counters, PHASES, setting.fords

    def tell(self, event: Event) -> list[str] | None:
        """Return lines for pursuits, fords and waiting values; the usual words for other events."""
        match event:
            case Moved(how="move", start=start, path=path, mp=mp):
                way = ", ".join(map(self.place, path))
                return [f"{unit(self, event.unit)} marches from {self.place(start)}: {way}; {plural(int(mp), 'pace')}"]
            case Moved(how="pursuit"):
                return [f"{unit(self, event.unit)} pursues into {self.place(event.path[-1])}"]
            case Marked(table=table, key=key, value=value) if table == HELD:
                return [f"{self.place(key)} is {self.side(value)} now"]
            case Tracked(track=track, value=value):
                return [f"Steps lost, {side}: {value}" for side in self._setting.sides if FALLEN.format(side) == track]
            case Scheduled(key=key, value=value) if not key.startswith("sealed/"):
                return self._waits(key, value)
            case _:
                return None

    def _waits(self, key: str, value: Any) -> list[str] | None:
        if value is None or key in (DECLARED, BROKEN):
            return []
        if key == ASSAULTS:
            return [self._declared(each) for each in value]
        if key == VOLLEY:
            return [f"Volleys: {flat(value)}"]
        if key == ANSWERED:
            return ["The assaults are fought in the next message"]
        if key.startswith(STANDING):
            side = self.side(key.removeprefix(STANDING))
            return [f"{side} volleys, in the open until others are filed: {flat(value['policy'])}"]
        return None

    def _declared(self, order: Any) -> str:
        stance = f"; {order['stance']}, in the open" if "stance" in order else ""
        return f"Assault {order['id']} on {self.place(order['hex'])} by {units(self, order['units'])}{stance}"


def standing(setting: Setting, state: State) -> Rows:
    """Return the table below a report."""
    one, other = setting.sides
    words = Wording(setting)
    fords = [(words.place(label), words.side(state.mark(HELD, label, "nobody"))) for label in setting.fords]
    return (
        ("", words.side(one), words.side(other)),
        ("stacks on the map", *(str(len(setting.standing(state, side))) for side in setting.sides)),
        ("steps lost", *(str(state.tracks[FALLEN.format(side)]) for side in setting.sides)),
        ("points", *(str(score(setting, state, side)) for side in setting.sides)),
        *fords,
    )


def verdict(setting: Setting, state: State) -> Verdict | None:
    """6.0: return the end of the game."""
    how, winner = state.mark(VERDICT, "how"), state.mark(VERDICT, "winner").replace("draw", "")
    points = "{} to {}".format(*sorted((score(setting, state, side) for side in setting.sides), reverse=True))
    by = f"by points, {points} (6.0)"
    texts = {"rout": "no enemy is left (6.2)", "points": by, "even": "the points are even (6.0)"}
    who = f"{winner.capitalize()} victory" if winner else "Draw"
    return Verdict(winner, how, f"{who}: {texts[how]}") if how else None
