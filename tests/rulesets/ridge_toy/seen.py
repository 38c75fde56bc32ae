"""Displays of Ridge Toy: names, the table below a report, the picture, the printed tables."""

from __future__ import annotations

from kursk_pbem.kernel.brief import Table
from kursk_pbem.kernel.events import Event, Marked
from kursk_pbem.kernel.hexes import shapes
from kursk_pbem.kernel.hexes.usual import wording
from kursk_pbem.kernel.hexes.usual.position import position
from kursk_pbem.kernel.hexes.usual.shown import Shown
from kursk_pbem.kernel.picture import Picture, Piece, Place
from kursk_pbem.kernel.ruleset import Rows
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.words import Names
from rulesets.ridge_toy import rules
from rulesets.ridge_toy.rules import HELD, MEANING, score
from rulesets.ridge_toy.setting import SIDES, Setting

PHASES = {
    "movement": "Movement",
    "attacks": "Attacks declared",
    "answer": "The defender's answer",
    "fights": "Attacks fought",
    "standing": "Answers for all attacks to come",
    "reckoning": "Towns counted",
}
SHOWN = Shown(rules.TURNS, rules.MOVEMENT, rules.ATTACKS, rules.RETREATS)


class Wording(Names):
    """Names and texts of this game."""

    def __init__(self, setting: Setting) -> None:
        self.things, self.phases = setting.counters, PHASES
        self.places = {setting.board.labels[hex_]: name for hex_, name in setting.towns.items()}

    def tell(self, event: Event) -> list[str] | None:
        """4.0: return lines for towns; the usual words for other events."""
        match event:
            case Marked(table=table, key=key, value=value) if table == HELD:
                return [f"{self.place(key)} is {self.side(value)} now"]
            case _:
                return wording.tell_usual(self, event, rules.MOVEMENT.key)


def standing(setting: Setting, state: State) -> Rows:
    """Return the table below a report."""
    pos = position(setting, state)
    return (
        ("", *(side.capitalize() for side in SIDES)),
        ("units on the map", *(str(len(pos.units(side))) for side in SIDES)),
        ("towns", *(str(score(setting, state, side)) for side in SIDES)),
    )


def picture(setting: Setting, state: State) -> Picture:
    """Return ground, towns and units."""
    board, pieces = setting.board, []
    for uid, hex_ in position(setting, state).where.items():
        counter, steps = setting.counters[uid], state.units[uid].steps
        figures = f"{counter.strength * steps}-{counter.move}"
        pieces.append(Piece(uid, board.labels[hex_], counter.side, figures, "infantry", band=steps < counter.steps))
    towns = [(board.labels[hex_], name) for hex_, name in setting.towns.items()]
    places = tuple(Place(label, name, "city", state.mark(HELD, label)) for label, name in towns)
    return Picture(shapes.grid_form(board.grid), shapes.make_regions(board, setting.terrain), (), places, tuple(pieces))


def tables(setting: Setting) -> tuple[Table, ...]:
    """Return 3.3: the table of attacks; 2.0, 3.2: the effects of ground."""
    rows = tuple((column, *results) for column, results in setting.table.items())
    ground = tuple((kind, str(cost), str(setting.shift[kind])) for kind, cost in setting.cost.items())
    notes = tuple(f"{result}: {what}" for result, what in MEANING.items())
    return (
        Table("Attacks", "3.3", ("odds", *"123456"), rows, notes),
        Table("Ground", "3.2", ("ground", "MP", "columns to the left"), ground),
    )
