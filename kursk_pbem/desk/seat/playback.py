"""Playback of a message on the map: moving counters, dice and results; and the news that a page covers before.

A browser remembers films by numbers: 2 n - 1 for the writer's dice before message n, and 2 n for message n.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.errors import UsageError
from kursk_pbem.game import replay
from kursk_pbem.game.histories import Step
from kursk_pbem.kernel.adjudicate import Adjudication
from kursk_pbem.kernel.events import Fought, Tested
from kursk_pbem.kernel.picture import Piece
from kursk_pbem.report.pictures import svg, svgcounters
from kursk_pbem.report.replay import Frame, make_card

MARK = 12
"""Number of digits of a game's id by which a browser remembers the game."""


def make_playback(desk: Desk, seq: int, draft: Adjudication | None = None) -> dict[str, Any]:
    """Return the counters before message ``seq``, and the frames of a film of the message. Raises UsageError.

    ``draft``: the player's next message before any choice, to play its dice.
    """
    steps = desk.history.steps
    if draft is not None and draft.dice:
        result = replace(draft, told=draft.told[: draft.duties])
        steps = (*steps, Step(desk.last, desk.game, replace(desk.game, state=draft.middle), result))
    if not 0 < seq < len(steps):
        raise UsageError("the game has no message with this number")
    first, *frames = replay.make_message_frames(steps[seq])
    shapes = desk.game.ruleset.seen.picture(desk.game.setting, steps[seq].before.state)
    look = partial(svgcounters.make_drawer(shapes, desk.game.ruleset.sides), at=(0, 0))
    counters = [{"unit": piece.id, "at": first.spots[piece.id], "look": look(piece)} for piece in first.pieces[::-1]]
    return {
        "seq": seq,
        "last": len(steps) - 1,
        "own": seq == desk.seq,
        "number": 2 * seq - (seq == desk.seq),
        "counters": counters,
        "ground": first.overlay,
        "frames": list(_make_frames(desk, first, frames, look)),
    }


def find_news(desk: Desk, *, own_dice: bool) -> dict[str, Any]:
    """Return the player's news: dice and moves of the opponent's last message, and the player's new dice.

    ``start`` and ``end``: the numbers of the first and last film to play, 0 without news; each message has two films.
    ``dice``: whether dice were rolled.
    """
    step = desk.history.last_step
    told = step.result if desk.own is None or step.message.sender != desk.own_side else None
    units, after = (told.before.units, told.after.units) if told else ({}, {})
    moved = any(unit.place != units[uid].place for uid, unit in after.items() if uid in units)
    last = 2 * step.message.seq if told is not None and (told.dice or moved) else 0
    end = 2 * desk.seq - 1 if own_dice else last
    dice = own_dice or bool(told and told.dice)
    return {"game": desk.game.chain.game[:MARK], "start": last or end, "end": end, "dice": dice}


def find_first_battle(desk: Desk) -> int:
    """Return the number of the first message with a battle or a shot; 1 without one."""
    for step in desk.history.steps:
        events = step.result.events if step.result else ()
        if any(isinstance(event, Fought) or (isinstance(event, Tested) and event.target) for event in events):
            return step.message.seq
    return 1


def _make_frames(
    desk: Desk, first: Frame, frames: list[Frame], look: Callable[[Piece], str]
) -> Iterator[dict[str, Any]]:
    before = first
    for frame in frames:
        had = {piece.id: look(piece) for piece in before.pieces}
        now = {piece.id: look(piece) for piece in frame.pieces}
        moves = {
            uid: _find_path(frame, before.spots[uid], spot)
            for uid, spot in frame.spots.items()
            if before.spots.get(uid, spot) != spot
        }
        advanced = {(arrow.points[0], arrow.points[-1]) for arrow in frame.arrows if arrow.kind == "advance"}
        places = [point for arrow in frame.arrows for point in arrow.points] + [burst.at for burst in frame.bursts]
        came = {uid: frame.spots[uid] for uid in now if uid not in had}
        yield {
            "card": make_card(frame),
            "told": frame.told,
            "fight": frame.kind in ("battle", "shot"),
            "moves": moves,
            "advances": [uid for uid, way in moves.items() if (way[0], way[-1]) in advanced],
            "looks": {uid: drawn for uid, drawn in now.items() if had.get(uid) != drawn},
            "came": came,
            "gone": [uid for uid in had if uid not in now],
            "ground": frame.overlay if frame.overlay != before.overlay else None,
            "drawn": svg.arrows_of(frame.arrows, desk.game.ruleset.sides) + "".join(map(svg.burst, frame.bursts)),
            "places": [*places, *came.values(), *(point for way in moves.values() for point in way)],
        }
        before = frame


def _find_path(frame: Frame, start: tuple[int, int], end: tuple[int, int]) -> list[tuple[int, int]]:
    for arrow in frame.arrows:
        if arrow.points[:1] == (start,) and arrow.points[-1:] == (end,):
            return list(arrow.points)
    return [start, end]
