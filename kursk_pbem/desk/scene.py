"""What a board shows of a game: the map in layers, and what each panel says. Plain values for the pages.

The position is the one after the orders of the draft, as far as they are legal; what is wrong is said and left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile
from typing import Any

from kursk_pbem.desk import drafts, leftovers, ordering
from kursk_pbem.desk.desk import Desk
from kursk_pbem.desk.drafts import Checked
from kursk_pbem.desk.ordering import Sheet
from kursk_pbem.desk.room import Room, digest
from kursk_pbem.errors import FileError, KurskError
from kursk_pbem.game import folder as folders
from kursk_pbem.game import reports
from kursk_pbem.kernel.events import Advanced, Event, apply
from kursk_pbem.kernel.picture import Picture
from kursk_pbem.kernel.state import OVER, State
from kursk_pbem.kernel.words import plural
from kursk_pbem.report import svg, svgcounters, svgground, svgstyle, trails

LAYERS = (
    ("orders", "my orders"),
    ("last", "last message"),
    ("zone-0", "zones of {0}"),
    ("zone-1", "zones of {1}"),
    ("rails", "railways"),
    ("places", "names"),
)
"""Layers that a player can hide, with their names; the sides are filled in."""


@dataclass
class Scene:
    """A game at a board. ``sheet``: the draft that is due, None where there is none; ``unread``: why it is not read."""

    desk: Desk
    sheet: Sheet | None = None
    unread: str = ""
    message: int | None = None
    _kept: dict[str, Any] = field(default_factory=dict, repr=False)

    @cached_property
    def checked(self) -> Checked | None:
        """What the draft does; None without one."""
        return drafts.check(self.desk, self.sheet.message) if self.sheet else None

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """What the choices of the draft do before the other side has its turn; of an older message what it did."""
        if self.message is not None:
            result = self.desk.history.steps[self.message].result
            return result.events if result else ()
        if self.checked is None:
            return ()
        result = self.checked.result
        return tuple(takewhile(lambda event: not isinstance(event, Advanced), result.events[result.duties :]))

    @cached_property
    def state(self) -> State:
        """The position that is shown."""
        if self.message is not None:
            return self.desk.history.steps[self.message].after.state
        if self.checked is None:
            return self.desk.game.state
        state = self.checked.result.middle
        for event in self.events:
            state = apply(state, event)
        return state

    @cached_property
    def picture(self) -> Picture:
        """The same in shapes."""
        game = self.desk.game
        return svg.to_scale(game.ruleset.seen.picture(game.setting, self.state))

    @property
    def stamp(self) -> str:
        """What changes when the draft or the game does."""
        return digest(f"{self.desk.seq}{self.sheet.text if self.sheet else ''}{self.unread}")

    @property
    def wrong(self) -> list[str]:
        """What the draft orders against the rules."""
        found = self.checked.result.violations if self.checked else ()
        return [f"{each.message} [{each.rule}]" + (f" ({each.order})" if each.order else "") for each in found]


def of(room: Room, game: str, message: int | None = None) -> Scene:
    """The scene of a game. KurskError. A draft that cannot be read is said, and the game shown without it."""
    desk = room.desk(game)
    if message is not None and 0 <= message < len(desk.history.steps):
        return Scene(desk, message=message)
    try:
        return Scene(desk, room.sheet(game))
    except FileError as error:
        return Scene(desk, unread=str(error))


def layers(scene: Scene) -> dict[str, str]:
    """The layers of the map that change with every order: name -> SVG."""
    game, shapes = scene.desk.game, scene.picture
    sides, words = game.ruleset.sides, game.ruleset.seen.words(game.setting)
    ground = trails.Ground(shapes)
    last = scene.desk.history.steps[-1].result
    past = last.events if last and scene.message is None else ()
    return {
        "zone-0": svgground.zones(shapes, sides[0], sides),
        "zone-1": svgground.zones(shapes, sides[1], sides),
        "flags": svgground.flags(shapes, sides) + svgground.marks(shapes, sides),
        "last": svg.arrows_of(list(trails.arrows(ground, words, past, old=True)), sides),
        "counters": svgcounters.counters(shapes, sides),
        "orders": svg.arrows_of(list(trails.arrows(ground, words, scene.events)), sides)
        + "".join(map(svg.burst, trails.bursts(ground, scene.events))),
    }


def page_map(scene: Scene) -> str:
    """The whole map as one SVG element in layers that a page can fill anew one by one."""
    shapes, found = scene.picture, layers(scene)
    x, y, width, height = svg.frame(shapes)
    order = ("zone-0", "zone-1", "flags", "last", "counters", "orders")
    inner = [
        svgstyle.DEFS,
        svgground.ground(shapes),
        f'<g class="layer layer-rails">{svgground.lines(shapes)}</g>',
        svgground.edges(shapes),
        f'<g class="layer layer-places">{svgground.places(shapes)}</g>',
        svgground.numbers(shapes),
        f'<g class="hits">{svgground.hits(shapes)}</g>',
        '<g id="layer-lit" class="lit"></g>',
        *(f'<g id="layer-{name}" class="layer layer-{name}">{found[name]}</g>' for name in order),
    ]
    head = f'class="kursk-map" role="group" aria-label="Map" viewBox="{x} {y} {width} {height}"'
    return f'<svg {head} data-stamp="{scene.stamp}">{"".join(inner)}</svg>'


def bar(scene: Scene) -> dict[str, Any]:
    """The strip on top: which message, what it holds and what comes later, how the draft is."""
    desk = scene.desk
    game = desk.game
    words = game.ruleset.seen.words(game.setting)
    stage = game.stage
    later = [game.ruleset.play.stages(game.setting)[key].brings for key in stage.then if key != OVER]
    left = len(_left(scene))
    return {
        "title": game.title,
        "turn": game.state.turn,
        "you": words.side(desk.own_side) if desk.own_side in game.ruleset.sides else desk.own_side,
        "message": f"message {desk.seq}" if not game.over else "over",
        "phases": [words.phase(phase.key) for phase in stage.phases if phase.announced],
        "later": later[:2],
        "due": scene.sheet is not None,
        "wrong": bool(scene.wrong or scene.unread),
        "wrong_words": f"{plural(len(scene.wrong), 'problem')}" if scene.wrong else "legal",
        "left_words": f"{left} left over" if left else "",
        "waits": _waits(scene),
    }


def _waits(scene: Scene) -> str:
    """Why nothing can be ordered."""
    desk = scene.desk
    if scene.message is not None:
        return f"This is the position after message {scene.message}."
    if desk.game.over:
        return desk.game.verdict.text if desk.game.verdict else "The game is over."
    if desk.lock:
        return desk.lock
    if desk.mine and desk.game.chain.offer:
        return f"Your opponent offers {reports.offered(desk.game.chain.offer)}: accept or decline it."
    return "" if desk.mine else f"Message {desk.seq} is for {desk.game.due} to write."


def _left(scene: Scene) -> list[dict[str, str]]:
    if scene.checked is None or scene.wrong:
        return []
    return [{"rule": each.rule, "text": each.text} for each in leftovers.of(scene.desk, scene.checked)]


def context(scene: Scene) -> dict[str, Any]:
    """What the panels need."""
    desk, sheet = scene.desk, scene.sheet
    return {
        "game": desk.game.chain.game,
        "bar": bar(scene),
        "wrong": scene.wrong,
        "outside": f"The draft cannot be read: {scene.unread}" if scene.unread else "",
        "orders": [words for _path, words in ordering.listed(sheet.choices)] if sheet else [],
        "verbs": sheet.verbs if sheet else (),
        "left": _left(scene),
        "mail": _to_mail(desk),
        "report": _report(scene),
        "draft": sheet.text if sheet else "",
        "draft_path": sheet.path.name if sheet else "",
        "log": list(_log(desk)),
    }


def _to_mail(desk: Desk) -> str:
    """What this player should have mailed, '' if nothing."""
    if desk.own is None or desk.mine or desk.last.sender != desk.own_side:
        return ""
    return f"{desk.newest}: {desk.to_mail}, if you have not yet."


def _report(scene: Scene) -> Mapping[str, Any]:
    """The report of the last message, or of the one that is looked at."""
    steps = scene.desk.history.steps
    step = steps[-1 if scene.message is None else scene.message]
    return {"headlines": reports.headlines(step.before, step.after, step.message, step.result),
            "text": reports.of_step(step)}  # fmt: skip


def _log(desk: Desk) -> Iterator[dict[str, Any]]:
    for step in reversed(desk.history.steps):
        words = step.after.ruleset.seen.words(step.after.setting)
        told = reports.headlines(step.before, step.after, step.message, step.result) if step.result else ()
        name = f"message {step.message.seq}, turn {step.before.state.turn}, {words.side(step.message.sender)}"
        yield {"seq": step.message.seq, "name": name, "headlines": told[:3]}


def understood(scene: Scene) -> str:
    """The orders of the draft as they will be signed, in words, with what is hidden and left over. KurskError."""
    if scene.sheet is None or scene.checked is None:
        raise KurskError("there is no draft to sign")
    note = str(scene.checked.content.get("note", ""))
    told = reports.of_draft(scene.desk.game, scene.desk.seq, scene.checked.result, note)
    told += reports.of_hidden(scene.checked.hidden)
    return told + leftovers.text(leftovers.of(scene.desk, scene.checked))


def draft_path(desk: Desk) -> str:
    """Where the draft of a game lies."""
    return str(folders.draft_path(desk.folder, desk.seq))
