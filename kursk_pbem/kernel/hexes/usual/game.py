"""A small hex game as one value: ``SmallGame`` makes the ruleset from counters, rules and words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from pathlib import Path
from typing import Any

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.brief import Table
from kursk_pbem.kernel.events import Event, Marked, Moved, Noted, Removed, Row, Shift, StepsLost
from kursk_pbem.kernel.hexes import shapes, ways
from kursk_pbem.kernel.hexes.board import Mask, bits
from kursk_pbem.kernel.hexes.usual import printed, wording
from kursk_pbem.kernel.hexes.usual.answers import Retreats
from kursk_pbem.kernel.hexes.usual.attacks import Attacks, Order
from kursk_pbem.kernel.hexes.usual.movement import Movement
from kursk_pbem.kernel.hexes.usual.position import Position, find_errors, position, view_now
from kursk_pbem.kernel.hexes.usual.printed import Setting
from kursk_pbem.kernel.hexes.usual.shown import Shown
from kursk_pbem.kernel.hexes.usual.turns import Turns
from kursk_pbem.kernel.hexes.ways import March
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.picture import Picture, Piece, Place, Zone
from kursk_pbem.kernel.review import ERROR, Finding
from kursk_pbem.kernel.ruleset import Data, Phase, Play, Rows, Ruleset, Seen, make_verdict
from kursk_pbem.kernel.scenario import Scenario, make_load
from kursk_pbem.kernel.state import ELIMINATED, State
from kursk_pbem.kernel.umpire import Umpire, other
from kursk_pbem.kernel.words import Names

HELD = "held"  # marks: town -> the last side in the town
PHASES = {
    "movement": "Movement",
    "attacks": "Attacks declared",
    "answer": "The defender's answer",
    "fights": "Attacks fought",
    "standing": "Answers for all attacks to come",
    "reckoning": "Towns counted",
}
VERDICTS = {"towns": "the towns are worth more", "even": "the towns are worth the same"}


def read_allowance(pos: Position, uid: str) -> int:
    """Return the printed movement points of a unit."""
    points: int = pos.setting.counters[uid].move
    return points


class Wording(Names):
    """Names and texts of a small game."""

    def __init__(self, setting: Setting, phases: Mapping[str, str]) -> None:
        self.things, self.phases = setting.counters, phases
        self.places = {setting.board.labels[hex_]: name for hex_, name in setting.towns.items()}

    def tell(self, event: Event) -> list[str] | None:
        """Return the sentence for a captured town. Other events get the usual sentences."""
        if isinstance(event, Marked) and event.table == HELD:
            return [f"{self.place(event.key)} is {self.side(event.value)} now"]
        return wording.tell_usual(self, event, "movement")


@frozen(kw_only=True)
class SmallGame:
    """A game with stacks, zones that stop moves, a table of odds, retreats and towns. `ruleset` joins all its parts.

    The scenario has the form of ``schemas/usual-scenario.schema.json``. Functions of the rules call `lose`, `go`,
    `retreat` and `find_supplied`. Pass your own function for a rule that differs.
    """

    id: str
    title: str
    folder: Path  # of rulebook.yaml, page.md, words.txt, guide.yaml and scenarios/
    sides: tuple[str, str]
    counter: Any  # a dataclass with the columns of units.yaml: name, short, side, hex, steps and more
    strength: Callable[[Position, str, int], int | Row]  # as in Attacks
    meaning: Mapping[str, str]  # result of the table -> effect in words
    carry_out: Callable[[Umpire[Any], Order, str], None]  # as in Attacks
    figures: Callable[[Any, int], str]  # (counter, present steps) -> the printed figures
    rules: Mapping[str, str]  # the paragraph of each part: map, setup, turns, movement, zone, stack, attacks, ground,
    # results, retreat, towns, victory
    stack: int = 1
    numbers: tuple[str, ...] = ()  # the single numbers of the tables, for `Setting.numbers`
    version: int = 1
    rulings: str = ""
    allowance: Callable[[Position, str], int] = read_allowance
    duties: tuple[Phase, ...] = ()  # as in Turns
    counts: Callable[[Position, str], Sequence[tuple[str, str]]] = lambda _pos, _side: ()  # rows below a report
    ended: Callable[[Umpire[Any], str], str] = lambda _umpire, _side: ""  # the verdict of a side that has won at once
    phases: Mapping[str, str] = field(default_factory=dict)  # titles that differ from PHASES
    verdicts: Mapping[str, str] = field(default_factory=dict)  # texts that differ from VERDICTS

    def lose(self, umpire: Umpire[Any], uid: str, rule: str = "", why: str = "the result of an attack") -> None:
        """Remove one step of a unit. A unit that loses its last step is eliminated."""
        left, rule = umpire.state.units[uid].steps - 1, rule or self.rules["results"]
        umpire.emit(StepsLost(rule, uid, 1, left, why) if left else Removed(rule, uid, ELIMINATED, why))

    def go(self, umpire: Umpire[Any], rule: str, uid: str, label: str, how: str) -> None:
        """Move a unit to a hex at no cost. ``how``: ``retreat`` or ``advance``."""
        umpire.emit(Moved(rule, uid, umpire.state.units[uid].place, (label,), how))
        self._enter(umpire, uid, (label,))

    def retreat(self, umpire: Umpire[Any], order: Order, uid: str) -> None:
        """Retreat a unit by one hex, by its side's wish or toward home. A unit that cannot retreat is eliminated."""
        pos, rule = view_now(umpire), self.rules["retreat"]
        side, here, board = pos.side(uid), pos.where[uid], pos.setting.board
        foe, home = other(self.sides, side), [*bits(pos.setting.home[side])]
        free = bits(board.near[here] & ~pos.full(side, uid) & ~pos.enemies(side) & ~pos.zone(foe))
        hexes = sorted(free, key=lambda hex_: (min((board.distance(hex_, end) for end in home), default=0), hex_))
        if hexes:
            self.go(umpire, rule, uid, board.labels[self.retreats.choose(pos, side, order, hexes)], "retreat")
        else:
            umpire.emit(Removed(rule, uid, ELIMINATED, "it cannot retreat"))

    def find_supplied(self, pos: Position, side: str, most: int) -> Mask:
        """Return the hexes at most ``most`` steps from home. Enemies block, and also enemy zones without own units."""
        foe = other(self.sides, side)
        through = pos.setting.board.all & ~pos.enemies(side) & (~pos.zone(foe) | pos.occupied[side])
        return sum(pos.setting.board.rings(pos.setting.home[side], through, most))

    def score(self, setting: Setting, state: State, side: str) -> int:
        """Return the total value of the towns that a side holds."""
        labels = setting.board.labels
        return sum(worth for hex_, worth in setting.value.items() if state.mark(HELD, labels[hex_]) == side)

    @cached_property
    def movement(self) -> Movement:
        """The movement phase."""
        rules = {ways.ENDED: self.rules["zone"], ways.FULL: self.rules["stack"]}
        return Movement("movement", self.rules["movement"], self._march, rules, self._enter)

    @cached_property
    def attacks(self) -> Attacks:
        """The phases of attacks."""
        return Attacks(self.rules["attacks"], self.strength, self._shifts, self.meaning, self.carry_out)

    @cached_property
    def retreats(self) -> Retreats:
        """The phases of the defenders' answers."""
        return Retreats(self.rules["retreat"])

    @cached_property
    def turns(self) -> Turns:
        """The sequence of play."""
        return Turns(
            self.rules["turns"],
            self.sides,
            (self.movement.phase, self.attacks.declared),
            self.retreats.answered,
            self.attacks.fought,
            self.retreats.standing,
            self._reckon,
            (HELD,),
            self.duties,
        )

    @cached_property
    def ruleset(self) -> Ruleset:
        """The complete ruleset, as the program needs it."""
        shown, turns = Shown(self.turns, self.movement, self.attacks, self.retreats), self.turns
        load = make_load(self.title, self._load)
        return Ruleset(
            id=self.id,
            title=self.title,
            version=self.version,
            sides=self.sides,
            options=(),
            rulebook=self.folder / "rulebook.yaml",
            rulings=self.rulings,
            schema="usual",
            scenario_schema="usual-scenario",
            data=Data(check=self._check, load=load, setup=self._set_up, resume=turns.resume),
            play=Play(
                stages=turns.stages,
                follow=turns.follow,
                seals=turns.seals,
                policy=self.retreats.policies.slip,
                verdict=make_verdict(self._describe_end),
                invariants=find_errors,
            ),
            seen=Seen(
                words=self._words,
                standing=self._standing,
                quiet=turns.quiet,
                hints=shown.hints,
                picture=self._picture,
                odds=self.attacks.chances,
                outlook=shown.outlook,
                refereed="Your answers are open, and the referee rolls without waiting for an answer.",
                unused=shown.unused,
                verbs=shown.verbs,
                command=shown.command,
                why=self.movement.why,
                tables=self._tables,
                track=wording.make_turn_track(self.rules["turns"]),
                headlines=wording.make_headlines(self._words, HELD, self.movement.key),
                story=wording.make_story(self._words, self.movement.key),
            ),
        )

    def _check(self, data: Mapping[str, Any]) -> list[Finding]:
        rules = self.rules["map"], self.rules["setup"]
        found = printed.check_setting(data, self.counter, self.sides, self.stack, self.meaning, rules)
        slips = [f"the tables have no number {key!r}" for key in self.numbers if key not in data["tables"]]
        return [*found, *(Finding(ERROR, rules[0], text, ("tables",)) for text in slips)]

    def _load(self, scenario: Scenario, _options: Mapping[str, str], dice: str) -> Setting:
        return printed.read_setting(scenario, dice, self.counter, self.sides, self.stack)

    def _set_up(self, setting: Setting) -> State:
        held = {setting.board.labels[hex_]: side for hex_, side in sorted(setting.owner.items()) if side}
        state = self.turns.setup(setting)
        return state.with_(marks={HELD: held}) if held else state

    def _march(self, pos: Position, uid: str) -> March:
        side = pos.side(uid)
        enemy, near, full = pos.enemies(side), pos.zone(other(self.sides, side)), pos.full(side, uid)
        points = self.allowance(pos, uid)
        return March(pos.where[uid], points, pos.setting.by_land, closed=enemy, ends=near, full=full)

    def _enter(self, umpire: Umpire[Any], uid: str, path: tuple[str, ...]) -> None:
        setting, side = umpire.setting, umpire.setting.counters[uid].side
        for label in path:
            if setting.board.index[label] in setting.towns and umpire.state.mark(HELD, label) != side:
                umpire.emit(Marked(self.rules["towns"], HELD, label, side))
        if how := self.ended(umpire, side):
            umpire.finish(self.rules["victory"], side, how)

    def _shifts(self, pos: Position, hex_: int) -> tuple[Shift, ...]:
        ground = pos.setting.terrain[hex_]
        by = pos.setting.shift.get(ground, 0)
        return (Shift(self.rules["ground"], -by, f"defence in {ground}"),) if by else ()

    def _reckon(self, umpire: Umpire[Any], _filing: Filing) -> None:
        rule = self.rules["victory"]
        points = {side: self.score(umpire.setting, umpire.state, side) for side in self.sides}
        umpire.emit(Noted(rule, ", ".join(f"{side} {number}" for side, number in points.items())))
        even = points[self.sides[0]] == points[self.sides[1]]
        umpire.finish(rule, "" if even else max(self.sides, key=points.__getitem__), "even" if even else "towns")

    def _describe_end(self, winner: str, how: str) -> str:
        who = f"{winner.capitalize()} victory" if winner else "Draw"
        return f"{who}: {({**VERDICTS, **self.verdicts})[how]}"

    def _words(self, setting: Setting) -> Wording:
        return Wording(setting, {**PHASES, **self.phases})

    def _standing(self, setting: Setting, state: State) -> Rows:
        pos = position(setting, state)
        one, two = (dict(self.counts(pos, side)) for side in self.sides)
        return (
            ("", *(side.capitalize() for side in self.sides)),
            ("units on the map", *(str(len(pos.units(side))) for side in self.sides)),
            *((what, number, two[what]) for what, number in one.items()),
            ("worth of towns", *(str(self.score(setting, state, side)) for side in self.sides)),
        )

    def _picture(self, setting: Setting, state: State) -> Picture:
        board, pos, pieces = setting.board, position(setting, state), []
        for uid, hex_ in pos.where.items():
            counter, steps = setting.counters[uid], state.units[uid].steps
            branch, figures = getattr(counter, "branch", "infantry"), self.figures(counter, steps)
            pieces.append(Piece(uid, board.labels[hex_], counter.side, figures, branch, band=steps < counter.steps))
        kinds = {hex_: "major-city" if worth > 2 else "city" for hex_, worth in setting.value.items()}
        places = tuple(
            Place(board.labels[hex_], name, kinds[hex_], state.mark(HELD, board.labels[hex_]))
            for hex_, name in setting.towns.items()
        )
        zones = tuple(Zone(side, tuple(board.names(pos.zone(side)))) for side in self.sides)
        regions = shapes.make_regions(board, setting.terrain)
        return Picture(shapes.grid_form(board.grid), regions, (), places, tuple(pieces), zones=zones)

    def _tables(self, setting: Setting) -> tuple[Table, ...]:
        rows = tuple((column, *results) for column, results in setting.table.items())
        ground = tuple((kind, str(cost), str(setting.shift[kind])) for kind, cost in setting.cost.items())
        notes = tuple(f"{result}: {what}" for result, what in self.meaning.items())
        return (
            Table("Attacks", self.rules["results"], ("odds", *"123456"), rows, notes),
            Table("Ground", self.rules["ground"], ("ground", "MP", "columns to the left"), ground),
        )
