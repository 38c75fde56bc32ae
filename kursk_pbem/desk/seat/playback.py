"""Playback of a message on the map: moving counters, dice and results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.errors import UsageError
from kursk_pbem.game import replay
from kursk_pbem.kernel.events import Fought, Tested
from kursk_pbem.kernel.picture import PLANE, Picture, Piece
from kursk_pbem.report import svg, svgcounters
from kursk_pbem.report.replay import Frame


def make_playback(desk: Desk, seq: int) -> dict[str, Any]:
    """Return the counters before message ``seq`` and its frames. Raises UsageError for an unknown message."""
    if not 0 < seq < len(desk.history.steps):
        raise UsageError("the game has no such message")
    first, *frames = replay.make_message_frames(desk.history, seq)
    look = _Looks(desk, desk.game.ruleset.seen.picture(desk.game.setting, desk.history.steps[seq].before.state))
    counters = [{"unit": piece.id, "at": first.spots[piece.id], "look": look.of(piece)} for piece in first.pieces[::-1]]
    return {
        "seq": seq,
        "last": len(desk.history.steps) - 1,
        "counters": counters,
        "frames": list(_make_frames(desk, first, frames, look)),
    }


def find_first_battle(desk: Desk) -> int:
    """Return the number of the first message with a battle or a shot; 1 without one."""
    for step in desk.history.steps:
        events = step.result.events if step.result else ()
        if any(isinstance(event, Fought) or (isinstance(event, Tested) and event.target) for event in events):
            return step.message.seq
    return 1


class _Looks:
    """Drawings of counters around the origin."""

    def __init__(self, desk: Desk, shapes: Picture) -> None:
        self._sides = desk.game.ruleset.sides
        self._stripes = svgcounters.number_formations(shapes)
        self._on_table = shapes.form == PLANE

    def of(self, piece: Piece) -> str:
        if self._on_table:
            return svgcounters.draw_model(piece, (0, 0), self._sides)
        return svgcounters.draw_counter(piece, (0, 0), self._sides, self._stripes)


def _make_frames(desk: Desk, first: Frame, frames: list[Frame], look: _Looks) -> Iterator[dict[str, Any]]:
    before = first
    for frame in frames:
        had = {piece.id: look.of(piece) for piece in before.pieces}
        now = {piece.id: look.of(piece) for piece in frame.pieces}
        moves = {
            uid: _find_path(frame, before.spots[uid], spot)
            for uid, spot in frame.spots.items()
            if before.spots.get(uid, spot) != spot
        }
        places = [point for arrow in frame.arrows for point in arrow.points] + [burst.at for burst in frame.bursts]
        came = {uid: frame.spots[uid] for uid in now if uid not in had}
        yield {
            "title": frame.title,
            "told": frame.told,
            "dice": list(frame.dice),
            "whose": list(frame.whose) if len({*frame.whose}) > 1 else [],  # dice of one side need no names
            "result": _make_result(frame),
            "fight": frame.kind in ("battle", "shot"),
            "moves": moves,
            "looks": {uid: drawn for uid, drawn in now.items() if had.get(uid) != drawn},
            "came": came,
            "gone": [uid for uid in had if uid not in now],
            "drawn": svg.arrows_of(frame.arrows, desk.game.ruleset.sides) + "".join(map(svg.burst, frame.bursts)),
            "places": [*places, *came.values(), *(point for way in moves.values() for point in way)],
        }
        before = frame


def _make_result(frame: Frame) -> tuple[str, str]:
    """Return the result of a battle or a shot in short, and its meaning."""
    if frame.clash is not None:
        return frame.clash.result, f"{frame.clash.meaning} (chance {frame.clash.chance})"
    return frame.bursts[-1].text if frame.bursts else "", ""


def _find_path(frame: Frame, start: tuple[int, int], end: tuple[int, int]) -> list[tuple[int, int]]:
    for arrow in frame.arrows:
        if arrow.points[:1] == (start,) and arrow.points[-1:] == (end,):
            return list(arrow.points)
    return [start, end]
