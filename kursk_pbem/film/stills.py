"""The stills of a turn or a game, and their words, before the drawing.

The stills come from the frames of verified messages, as a replay does, so no still shows a hidden choice. A still
before the dice of a battle has only the arrows of the attack, because a retreat or an advance tells the result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from kursk_pbem.errors import UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.frozen import frozen
from kursk_pbem.game import replay
from kursk_pbem.game.histories import History
from kursk_pbem.game.scenes import QUIET
from kursk_pbem.kernel.picture import Picture
from kursk_pbem.kernel.words import party
from kursk_pbem.report.captions import fit_sentences, name_frame, split_sentences, write_figures
from kursk_pbem.report.pictures import svg
from kursk_pbem.report.replay import Frame

MOST = 60
"""Maximum number of stills of a film."""
LETTERS, ROOM, LINES = 19, 776, 2
"""Pixels of the letters of a caption, pixels of a line, number of lines."""
_START, _WORD = 900, 85  # milliseconds of a still, and of each word below the map
_FIGHTS = ("battle", "shot")
UNSEEN = "The dice have fallen. They roll when you open the game."
_Step = tuple[Frame, Frame]


@frozen
class Still:
    """A picture of a film. ``figures``: strengths, odds, dice and result of a battle. ``lines``: the story.

    ``old``: the front in the first picture, or ''. ``waits``: the dice of the battle are not yet rolled.
    """

    frame: Frame
    title: str
    figures: str = ""
    lines: tuple[str, ...] = ()
    old: str = ""
    waits: bool = False

    @property
    def text(self) -> str:
        """The words of the picture on one line."""
        parts = filter(None, (self.title, self.figures, " ".join(self.lines)))
        return " ".join(f"{part.removesuffix('.')}." for part in parts)

    @property
    def time(self) -> int:
        """How many milliseconds a reader needs for the picture."""
        return _START + _WORD * len(self.text.split())


@frozen
class Film:
    """The pictures of a film above the ``ground`` of a map. ``sides``: the ids in order. ``title``: the scenario."""

    ground: Picture
    sides: tuple[str, ...]
    title: str
    stills: tuple[Still, ...]


def find_turn(history: History, reader: str = "") -> int:
    """Return the number of the newest turn's first message: the last message that the newest message's reader wrote.

    Both players get the same number. The reader is the writer of the next message; in a finished game, the opponent of
    the newest message's writer. ``reader``: take this side as the reader instead.
    """
    game, writers = history.game, [step.message.sender for step in history.steps]
    last = next((writer for writer in reversed(writers) if writer != REFEREE), "")
    sides = game.ruleset.sides
    reader = reader or (game.due if game.due in sides else next(side for side in sides if side != last))
    return max((seq for seq, writer in enumerate(writers) if writer == reader), default=0)


def make_film(history: History, start: int | None = None, *, reader: str = "") -> Film:
    """Return the film of the messages from number ``start`` on; without ``start``, of the newest turn.

    ``reader``: a side that has not seen the messages after its own last message. The film ends before the first dice of
    those messages. Raises UsageError if message ``start`` does not exist.
    """
    game, first = history.game, find_turn(history, reader) if start is None else start
    if first > history.last.seq:
        raise UsageError(f"message {first} does not exist: the last is message {history.last.seq}")
    frames = replay.make_message_frames(*history.steps[first:])
    unseen = next((at for at, frame in enumerate(frames) if reader and frame.message > first and frame.dice), None)
    frames = frames[:unseen]
    words = game.ruleset.seen.words(game.setting)
    writers = {step.message.seq: step.message.sender for step in history.steps}
    names = {seq: party(one, "" if one == REFEREE else words.side(one)) for seq, one in writers.items() if seq >= first}
    stills = list_stills(frames, names)
    if unseen or (first == 0 and game.verdict is not None):
        told = UNSEEN if unseen or game.verdict is None else game.verdict.text
        stills = (*stills[:-1], replace(stills[-1], lines=_fit_caption([told])))
    ground = svg.to_scale(game.ruleset.seen.picture(game.setting, history.steps[0].after.state))
    title = "What if: " * (game.what_if is not None) + game.title.rpartition(": ")[2].partition(",")[0]
    return Film(ground, game.ruleset.sides, title, stills)


def list_stills(frames: Sequence[Frame], writers: Mapping[int, str]) -> tuple[Still, ...]:
    """Return the pictures for consecutive messages, at most ``MOST``.

    ``frames``: the first frame is the position before the messages. ``writers``: message -> its writer in words.
    """
    start, last, first = frames[0], frames[-1], min(writers)
    steps = [*pairwise(frames)] or [(start, start)]
    turns = {frame.turn: [step for step in steps if step[1].turn == frame.turn] for _, frame in steps}
    ways = [[still for step in steps for still in _show_step(*step)]]
    ways += [[still for turn in turns.values() for still in _show_turn(turn, start)]] if len(turns) > 1 else []
    ways += [[still for still in way if not still.waits] for way in ways[-1:]]
    stills = next((way for way in ways if len(way) <= MOST - 2), ways[-1])
    most = min(len(stills), MOST - 2)
    stills = [stills[at * len(stills) // most] for at in range(most)]
    before = f"before message {first} of {writers[first]}" if first else "the start"
    title = f"Turn {last.turn}, message {max(writers)} of {writers[max(writers)]}"
    return (Still(start, f"Turn {start.turn}: {before}"), *stills, _sum_up(turns[last.turn], start, title))


def _show_step(before: Frame, frame: Frame) -> Iterator[Still]:
    """Yield the stills of a frame: a battle before and after its dice, or changes on the map."""
    title, clash = name_frame(frame), frame.clash
    if frame.dice and frame.kind in _FIGHTS:
        aims = tuple(arrow for arrow in frame.arrows if arrow.kind == "attack")
        odds = tuple(replace(burst, text=clash.odds, dice="") for burst in frame.bursts if clash)
        waits = replace(before, kind=frame.kind, title=title, arrows=aims, bursts=odds, dice=(), clash=None)
        forces = [f"{clash.attack.units} against {clash.defence.units}."] if clash else []
        yield Still(waits, title, write_figures(frame, LETTERS, ROOM, waits=True), _fit_caption(forces), waits=True)
    changed = (frame.pieces, frame.overlay) != (before.pieces, before.overlay)
    if frame.arrows or frame.bursts or frame.dice or changed:
        told = split_sentences(frame.told)
        long = clash and len(told) > 1 and _fit_caption([frame.told])[-1].endswith("\u2026")
        yield Still(frame, title, write_figures(frame, LETTERS, ROOM), _fit_caption(told[1:] if long else told))


def _show_turn(steps: Sequence[_Step], start: Frame) -> Iterator[Still]:
    """Yield the stills of one turn of a long game: the greatest battle, and the front."""
    if fought := [step for step in steps if step[1].dice and step[1].kind in _FIGHTS]:
        yield from _show_step(*max(fought, key=_measure_battle))
    yield _sum_up(steps, start, f"Turn {steps[-1][1].turn}: the front")


def _measure_battle(step: _Step) -> tuple[int, int]:
    """Return the size of a battle: the strengths of both sides, and the number of changed pieces."""
    before, frame = step
    forces = (frame.clash.attack.strength, frame.clash.defence.strength) if frame.clash else ()
    numbers = (re.match(r"\d{1,9}", force) for force in forces)
    return sum(int(found[0]) for found in numbers if found), len({*before.pieces} ^ {*frame.pieces})


def _sum_up(steps: Sequence[_Step], start: Frame, title: str) -> Still:
    """Return the position after a turn, with all ways, the last result of each place, and the front at the start."""
    ways = (replace(arrow, old=arrow.kind != "attack") for _, frame in steps for arrow in frame.arrows)
    bursts = sorted((burst for _, frame in steps for burst in frame.bursts), key=lambda burst: bool(burst.dice))
    results = tuple(replace(burst, dice="") for burst in {burst.at: burst for burst in bursts}.values())
    last = replace(steps[-1][1], arrows=(*dict.fromkeys(ways),), bursts=results, clash=None, dice=())
    fought = sorted((step for step in steps if step[1].kind in _FIGHTS), key=_measure_battle, reverse=True)
    fought.sort(key=lambda step: step[0].pieces == step[1].pieces)  # battles with losses first
    told = [each for _, frame in fought for each in split_sentences(frame.told)[1 if frame.clash else -1 :]]
    quiet = [frame.told for _, frame in steps if frame.kind == "phase" and frame.told != QUIET]
    told += [each for story in quiet for each in split_sentences(story)]
    return Still(last, title, lines=_fit_caption([*dict.fromkeys(told)]), old=start.overlay[0])


def _fit_caption(sentences: Sequence[str]) -> tuple[str, ...]:
    return fit_sentences(sentences, LETTERS, ROOM, LINES)
