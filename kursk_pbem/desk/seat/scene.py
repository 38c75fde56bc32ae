"""The view of a game at the board: the position after the draft's orders, and the map in layers.

The position contains the effects of legal orders only.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import takewhile
from typing import Any

from kursk_pbem.desk.draft import cautions, drafts, ordering, prospects
from kursk_pbem.desk.draft.drafts import Checked
from kursk_pbem.desk.draft.ordering import Written
from kursk_pbem.desk.draft.wording import DraftFile
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.desk.seat.room import Room, read_draft_bytes
from kursk_pbem.errors import FileError, UsageError, Violation
from kursk_pbem.formats.canonical import sha256_hex
from kursk_pbem.kernel.brief import Unused
from kursk_pbem.kernel.events import Advanced, Event, Fought, Moved, apply
from kursk_pbem.kernel.outlook import Outlook
from kursk_pbem.kernel.picture import PLANE, Picture, Piece
from kursk_pbem.kernel.ruleset import Plans
from kursk_pbem.kernel.state import DECLARED, State
from kursk_pbem.kernel.words import Words
from kursk_pbem.report import trails
from kursk_pbem.report.pictures import svg, svgcounters, svgfront, svgground, svgstyle, svgtable

LAYERS = (
    ("orders", "my orders"),
    ("battles", "declared battles"),
    ("last", "last message"),
    ("sights", "lines of sight (dashes: obscured, dots: none)"),
    ("zone-0", "{0} zones of control"),
    ("zone-1", "{1} zones of control"),
    ("reached", "supply"),
    ("formations", "formations"),
    ("front", "front line"),
    ("rails", "railways"),
    ("places", "names"),
)
"""Layers of the map that the player can hide, with names. ``{0}`` and ``{1}`` stand for the sides."""
SHOWN = ("orders", "battles", "last", "sights", "front", "rails", "places")
"""Layers visible at the beginning."""
ON_A_TABLE = ("orders", "last", "sights", "places")
"""Layers of the map in a table-top game."""
_ORDER = (
    *("reached", "zone-0", "zone-1", "formations", "front", "flags", "last", "sights", "aims", "counters", "names"),
    *("hand", "results", "battles", "orders"),
)
_OF_PAGE = ("names", "hand")  # layers that the page draws: city names where no counter is, rings, ways
WORD = re.compile(r"[^\s,:;]+")
"""Pattern for a word of a listed order: a unit, a hex or a clause."""
_WITH = {"results": "last", "names": "places", "aims": "battles"}  # layers that follow another layer's visibility


@dataclass
class Scene:
    """A game shown on the board in the browser. ``sheet``: the draft, or None. ``unread``: why the draft is unreadable.

    ``raw``: the bytes of the draft. ``message``: the number of an older message to show. ``again``: the next
    message is signed but its file is missing.
    """

    desk: Desk
    sheet: DraftFile | None = None
    unread: str = ""
    raw: bytes | None = None
    message: int | None = None
    again: bool = False

    @cached_property
    def checked(self) -> Checked | None:
        """The checked draft, None without a draft."""
        return drafts.check_draft(self.desk, self.sheet.message) if self.sheet else None

    @property
    def fallen(self) -> tuple[Event, ...]:
        """The results of dice rolled before the player's first choice. The opponent does not know these results yet."""
        return self.checked.result.events[: self.checked.result.duties] if self.checked else ()

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """The events of the draft's orders before the other side's turn; for an older message, the message's events."""
        if self.message is not None:
            result = self.desk.history.step(self.message).result
            return result.events if result else ()
        if self.checked is None:
            return ()
        result = self.checked.result
        chosen = takewhile(lambda event: not isinstance(event, Advanced), result.events[result.duties :])
        return prospects.cut_after_orders(
            tuple(chosen), {phase.key for phase in self.desk.game.stage.phases if phase.reads}
        )

    @cached_property
    def state(self) -> State:
        """The position on the map."""
        if self.message is not None:
            return self.desk.history.step(self.message).after.state
        if self.checked is None:
            return self.desk.game.state
        state = self.checked.result.middle
        for event in self.events:
            state = apply(state, event)
        return state

    @cached_property
    def picture(self) -> Picture:
        """The position as shapes. Units are where the planned moves take them."""
        game = self.desk.game
        shapes = game.ruleset.seen.picture(game.setting, self.ahead(self.state))
        return svg.to_scale(replace(shapes, sights=self.plans(self.state)[1]))

    def plans(self, state: State) -> Plans:
        """Return a player's plans from a position, hidden orders included: planned events, and lines of sight."""
        game = self.desk.game
        sealed = self.checked.hidden if self.checked else prospects.list_sealed(game, state, self.desk.own)
        return game.ruleset.seen.plans(game.setting, state, sealed)

    def ahead(self, state: State, without: str = "") -> State:
        """Return a position after the planned events. The moves of the unit ``without`` are left out."""
        planned = self.plans(state)[0]
        stays = [moved for moved in planned if isinstance(moved, Moved) and moved.unit == without]
        return reduce(apply, (event for event in planned if event not in stays), state)

    @cached_property
    def ground(self) -> trails.Ground:
        """The coordinates of the map's places."""
        return trails.Ground(self.picture)

    @property
    def words(self) -> Words:
        """The names of units, places and phases for display."""
        return self.desk.game.ruleset.seen.words(self.desk.game.setting)

    def name_figures(self, piece: Piece) -> tuple[tuple[str, str], ...]:
        """Return the numbers printed on a counter, each with its meaning."""
        return self.desk.game.ruleset.seen.figures(self.desk.game.setting, piece)

    def list_words(self, piece: Piece) -> list[str]:
        """Return the words that describe a counter, with the name of its formation."""
        named = replace(piece, formation=self.words.unit(piece.formation))
        return svgcounters.list_words(named, self.name_figures(piece))

    def describe_piece(self, piece: Piece) -> str:
        """Return the id, the name and the words of a counter."""
        return ", ".join(dict.fromkeys((piece.id, self.words.unit(piece.id), *self.list_words(piece))))

    def seen(self, without: str = "", kept: Collection[str] = frozenset()) -> prospects.Prospect:
        """Return the position after the draft, for a list of moves like that of 'kursk moves'.

        ``without``: a unit whose moves are left out. Its moves in the order lists ``kept`` stay.
        """
        if self.sheet is None:
            return prospects.Prospect(self.desk.game, self.state, {}, "now")
        prospect = prospects.look_after_draft(self.desk, self.sheet.message, ahead=True, without=without, kept=kept)
        return replace(prospect, state=self.ahead(prospect.state, without))

    @cached_property
    def outlook(self) -> Outlook:
        """Possible actions of the side that writes next."""
        return prospects.compute_outlook(self.seen(), "")

    @cached_property
    def declared(self) -> tuple[Fought, ...]:
        """The declared battles that wait for dice, in the draft or in the position."""
        state = self.checked.result.after if self.checked else self.state
        if DECLARED not in state.agenda:
            return ()
        seen = prospects.Prospect(self.desk.game, state, self.checked.hidden if self.checked else {}, "")
        return prospects.list_declared(seen)

    def refused(self, words: str) -> str:
        """Return the rule violation that this order would add to the draft, '' if the order is legal."""
        try:
            violations = ordering.try_orders(self.writable, [words.split()]).checked.result.violations
        except UsageError as error:
            return error.message
        return next(iter(self.list_new(violations)), "")

    def list_new(self, violations: Iterable[Violation]) -> list[str]:
        """Return the rule violations that are not in the draft yet, as texts such as 'why [paragraph]'."""
        known = {(violation.rule, violation.message) for violation in self.violations}
        new = (violation for violation in violations if (violation.rule, violation.message) not in known)
        return [f"{violation.message} [{violation.rule}]" for violation in new]

    @cached_property
    def offered(self) -> frozenset[str]:
        """The words of the orders that the draft permits."""
        return frozenset(verb.name for verb in self.sheet.verbs) if self.sheet else frozenset()

    @cached_property
    def ordered(self) -> frozenset[str]:
        """All words that occur in the draft's orders, such as the ids of units."""
        listed = self.sheet.orders if self.sheet else ()
        return frozenset(word for _path, words in listed for word in WORD.findall(words))

    @cached_property
    def put_off(self) -> dict[str, str]:
        """Movement phase -> why no unit can move in this phase until the declared battles are fought.

        For each phase, the program tries one move. Units without an order come first, because an order may already
        forbid a unit another move.
        """
        if self.sheet is None or self.checked is None or not self.checked.declares:
            return {}
        refusals = {}
        for phase in self.outlook.phases:
            free_first = sorted(phase.movers, key=lambda mover: mover.unit in self.ordered)
            mover = next((mover for mover in free_first if mover.ends), None)
            if mover is not None and phase.verb in self.offered:
                refusals[phase.key] = self.refused(f"{phase.verb} {mover.unit} {mover.ends[0].place}")
        return {key: why for key, why in refusals.items() if why}

    @property
    def after_dice(self) -> frozenset[str]:
        """The verbs of moves that must wait until the declared battles are fought."""
        verbs = {phase.key: phase.verb for phase in self.outlook.phases} if self.put_off else {}
        return frozenset(verbs[key] for key in self.put_off) - {verbs[key] for key in verbs if key not in self.put_off}

    @cached_property
    def lacking(self) -> frozenset[str]:
        """The phases that the draft skips, such as battles in a posture without battles."""
        return prospects.find_absent_phases(self.desk.game, self.checked) if self.checked else frozenset()

    @cached_property
    def layers(self) -> dict[str, str]:
        """The map layers that orders can change: name -> SVG."""
        return _draw_layers(self)

    @cached_property
    def cautions(self) -> tuple[str, ...]:
        """Warnings about useless orders, such as 'why [paragraph]'."""
        return cautions.format_cautions(self.weighed[0])

    @cached_property
    def weighed(self) -> tuple[tuple[Unused, ...], tuple[Unused, ...]]:
        """The warnings about useless orders, and the unused possibilities, of a legal draft."""
        return cautions.weigh_draft(self.desk, self.checked) if self.checked and not self.violations else ((), ())

    @property
    def writable(self) -> DraftFile:
        """The draft to write orders into. Raises UsageError if no draft is due."""
        if self.sheet is None:
            raise UsageError(self.unread or "no orders are possible now")
        return self.sheet

    @property
    def sides(self) -> tuple[str, ...]:
        """The ids of both sides."""
        return self.desk.game.ruleset.sides

    @property
    def on_table(self) -> bool:
        """Whether the map is a table top."""
        return self.picture.form == PLANE

    @property
    def stamp(self) -> str:
        """A text that changes whenever the draft or the game changes."""
        desk = self.desk
        stands = f"{desk.seq} {self.again} {desk.game.over} {bool(desk.lock)} "
        return sha256_hex(stands.encode("ascii") + (self.raw or b""))

    @property
    def violations(self) -> tuple[Violation, ...]:
        """Rule violations of the draft."""
        return self.checked.result.violations if self.checked else ()


def open_scene(room: Room, game: str, message: int | None = None) -> Scene:
    """Return the scene (game on the board). An unreadable draft is no error. Raises KurskError."""
    desk = room.desk(game)
    if message is not None and 0 <= message < desk.seq:
        return Scene(desk, message=message)
    if desk.unwritten is not None:  # ignore a leftover draft
        return Scene(desk, again=True)
    kept = room.kept.get(game)
    raw = read_draft_bytes(desk)
    if isinstance(kept, Scene) and kept.desk is desk and kept.raw == raw and raw is not None:
        return kept
    try:
        sheet = room.sheet(desk)
        scene = Scene(desk, sheet, raw=sheet.text.encode("utf-8") if sheet else raw)
    except FileError as error:
        scene = Scene(desk, unread=str(error), raw=raw)
    room.kept[game] = scene
    return scene


def make_scene_after(room: Room, desk: Desk, written: Written) -> Scene:
    """Return the scene after a change of the draft."""
    scene = Scene(desk, written.sheet, raw=written.sheet.text.encode("utf-8"))
    scene.__dict__["checked"] = written.checked  # the draft is checked already
    room.kept[desk.game.chain.game] = scene
    return scene


def _draw_layers(scene: Scene) -> dict[str, str]:
    game, shapes = scene.desk.game, scene.picture
    sides, words = game.ruleset.sides, scene.words
    own = scene.desk.own_side if scene.desk.own_side in sides else sides[0]
    last = scene.desk.history.last_step.result
    past = (*(last.events if last else ()), *scene.fallen) if scene.message is None else ()
    volleys, came = _list_volleys(scene)
    planned = scene.plans(scene.state)[0]
    drawn = [*trails.list_arrows(scene.ground, words, (*scene.events, *planned)), *_list_refused_moves(scene)]
    return {
        "reached": svgground.shade_unreached(shapes, own, sides),
        "formations": svgground.draw_formations(shapes, svgcounters.number_formations(shapes)),
        "zone-0": svgground.draw_zones(shapes, sides[0], sides),
        "zone-1": svgground.draw_zones(shapes, sides[1], sides),
        "front": svgfront.draw_front(shapes, sides),
        "flags": svgground.draw_flags(shapes, sides) + svgground.draw_marks(shapes, sides),
        "last": svg.arrows_of([*trails.list_arrows(scene.ground, words, past, old=True), *volleys], sides),
        "results": "".join(map(svg.burst, _list_past_bursts(scene, past)))
        + "".join(svgtable.draw_outcome(one, shapes.pieces) for one in came),
        "sights": svgtable.sights(shapes.sights, shapes.pieces),
        "counters": svgcounters.draw_counters(shapes, sides, buried=True, describe=scene.describe_piece),
        **dict.fromkeys(_OF_PAGE, ""),
        "aims": svg.arrows_of(trails.list_arrows(scene.ground, words, scene.declared), sides),
        "battles": "".join(map(svg.burst, trails.list_bursts(scene.ground, scene.declared))),
        "orders": svg.arrows_of(drawn, sides) + "".join(map(svg.burst, trails.list_bursts(scene.ground, scene.events))),
    }


def _list_volleys(scene: Scene) -> tuple[list[svg.Arrow], list[svgtable.Outcome]]:
    history = scene.desk.history
    last = (history.last_step if scene.message is None else history.step(scene.message)).result
    told = [(last.before, last.events)] if last else []
    told += [(scene.checked.result.before, scene.fallen)] if scene.checked else []
    both = [trails.volleys(scene.ground, scene.words, before, events) for before, events in told]
    return [arrow for arrows, _came in both for arrow in arrows], [one for _arrows, came in both for one in came]


def _list_past_bursts(scene: Scene, past: Sequence[Event]) -> Iterator[svg.Burst]:
    """Return the results of the last battles, except in places with a pending battle."""
    waiting = {scene.ground.point(fought.place) for fought in scene.declared}
    return (burst for burst in trails.list_bursts(scene.ground, past) if burst.at not in waiting)


def _list_refused_moves(scene: Scene) -> Iterator[svg.Arrow]:
    orders: Any = scene.sheet.choices.get("orders", {}) if scene.sheet else {}
    paths = {violation.path[:3] for violation in scene.violations if violation.path[:1] == ("orders",)}
    for path in (path for path in paths if len(path) > 2):
        listed = orders.get(path[1])
        order = listed[path[2]] if isinstance(listed, list) and isinstance(path[2], int) else {}
        unit = scene.state.units.get(order.get("unit", "")) if isinstance(order, dict) else None
        if unit is not None:
            way = [unit.place, *(order.get("path") or [order.get("to", "")])]
            points = tuple(point for place in way if (point := scene.ground.point(str(place))) is not None)
            yield svg.Arrow(points, "wrong", scene.desk.own_side)


def list_layers(scene: Scene) -> list[tuple[str, str]]:
    """Return the layers that the player can hide on this map."""
    return [(key, name) for key, name in LAYERS if (key in ON_A_TABLE if scene.on_table else key != "sights")]


def find_changed_layers(before: Scene | None, now: Scene) -> dict[str, str]:
    """Return the layers that differ between two scenes; if ``before`` is None, all layers drawn in a scene."""
    old = before.layers if before else dict.fromkeys(_OF_PAGE, "")
    return {name: drawn for name, drawn in now.layers.items() if drawn != old.get(name)}


def draw_page_map(scene: Scene) -> str:
    """Draw the whole map as one SVG element, from layers that a page can replace separately."""
    shapes, layers, sides = scene.picture, scene.layers, scene.desk.game.ruleset.sides
    x, y, width, height = svg.find_frame(shapes)
    off = {key: " hidden" for key, _name in LAYERS if key not in SHOWN}
    inner = [
        svgstyle.make_defs(table=scene.on_table),
        svgground.draw_ground(shapes, grid=False),
        f'<g class="hits">{svgground.draw_hit_areas(shapes)}</g>',
        svgground.draw_edges(shapes),
        f'<g class="layer layer-rails">{svgground.draw_lines(shapes)}</g>',
        f'<g class="layer layer-places">{svgground.draw_river_names(shapes)}{svgground.draw_places(shapes, sides)}</g>',
        svgground.draw_numbers(shapes),
        '<g id="layer-lit" class="lit"></g>',
        *(
            f'<g id="layer-{name}" class="layer layer-{_WITH.get(name, name)}"{off.get(name, "")}>{layers[name]}</g>'
            for name in _ORDER
        ),
        '<g id="layer-join" class="join"></g>',
    ]
    head = f'class="kursk-map" role="group" aria-label="Map" viewBox="{x} {y} {width} {height}"'
    form = f'data-form="{shapes.form}" data-unit-of-length="{shapes.unit}" data-stamp="{scene.stamp}"'
    return f"<svg {head} {form}>{''.join(inner)}</svg>"
