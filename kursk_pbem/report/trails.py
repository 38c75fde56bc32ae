"""The effects of a message as arrows and bursts over a map: moves, retreats, advances, attacks and results."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from kursk_pbem.kernel.events import Decided, Event, Fought, Moved, Tested, apply
from kursk_pbem.kernel.picture import PLANE, Picture, Point, find_middle
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.words import Words
from kursk_pbem.report.pictures.svg import INCH, Arrow, Burst
from kursk_pbem.report.pictures.svgtable import Outcome

KINDS = ("move", "rail", "retreat", "advance")
"""Moves with a separate look; others are drawn as moves."""
_POINT = re.compile(r"(\d{1,4})(?:\.(\d{1,2}))?\s*,\s*(\d{1,4})(?:\.(\d{1,2}))?")


class Ground:
    """Where the places of a picture are, in the map units of the drawing."""

    def __init__(self, picture: Picture) -> None:
        self.regions = picture.regions
        self._height = picture.size[1] if picture.form == PLANE else 0
        self._at = {region.id: find_middle(region.outline) for region in picture.regions}

    def point(self, place: str) -> Point | None:
        """Return the center of a hex, or the point for 'X, Y' in inches. Off the map, return ``None``."""
        if place in self._at:
            return self._at[place]
        match = _POINT.fullmatch(place) if self._height else None
        if match is None:
            return None
        x, part, y, more = match.groups(default="0")
        return int(x) * INCH + int(f"{part:<03}"), self._height - int(y) * INCH - int(f"{more:<03}")


def list_arrows(ground: Ground, words: Words, events: Iterable[Event], *, old: bool = False) -> Iterator[Arrow]:
    """Yield an arrow for every move, and for every attacker an arrow to the target."""
    for event in events:
        if isinstance(event, Moved):
            points = [ground.point(place) for place in (event.start, *event.path)]
            known = tuple(point for point in points if point is not None)
            yield Arrow(known, event.how if event.how in KINDS else "move", words.owner(event.unit), old)
        elif isinstance(event, Fought):
            to = ground.point(event.place)
            for row in event.attack.rows:
                start = ground.point(row.place)
                if start is not None and to is not None and start != to:
                    yield Arrow((start, to), "attack", event.attack.side, old)


def list_bursts(ground: Ground, events: Sequence[Event]) -> Iterator[Burst]:
    """Yield a pill (a sign) for every battle: result and dice, or the odds of a battle that is only declared.

    A question mark after odds means that a battle declared earlier may change the odds.
    """
    before: list[str] = []
    chosen = find_answers(events)
    for event in events:
        if isinstance(event, Fought) and (at := ground.point(event.place)) is not None:
            waits, answer = bool(event.column) and not event.result, chosen.get(event.battle, "")
            text = event.result or event.column
            told = f"{event.result}, {answer}" if answer else event.meaning
            if waits and before:
                text, told = f"{text}?", f"as the position stands now; fought after {', '.join(before)}"
            yield Burst(at, text, event.dice if event.result else "", told)
            before += [event.battle] * waits


def find_answers(events: Iterable[Event]) -> dict[str, str]:
    """Return battle -> the defender's answer that replaces the result, such as 'exchange'."""
    answers = (each for each in events if isinstance(each, Decided) and each.kind == "conversion")
    return {each.subject: each.chosen for each in answers if each.chosen != "accept"}


def draw_shot(spots: Mapping[str, Point], words: Words, events: Sequence[Event]) -> tuple[list[Arrow], list[Burst]]:
    """Return the arrow of a shot between models, at their places when it was fired, and the result with all dice."""
    tests, aims = [event for event in events if isinstance(event, Tested)], _find_aims(events)[:1]
    ends = [(spots[one], spots[other], words.owner(one)) for one, other in aims if one in spots and other in spots]
    dice = "".join(event.dice for event in tests)
    bursts = [Burst(spots[other], tests[-1].text, dice) for _one, other in aims if other in spots]
    return [Arrow((start, end), "attack", side) for start, end, side in ends], bursts


def volleys(ground: Ground, words: Words, before: State, events: Sequence[Event]) -> tuple[list[Arrow], list[Outcome]]:
    """Return arrows for a message's shots from the places of firing, and the results at the targets.

    ``before``: the position before the events.
    """
    tests = [event for event in events if isinstance(event, Tested) and event.target]
    shooters = {shooter for shooter, _target in _find_aims(tests)}
    state = before
    arrows: list[Arrow] = []
    told: dict[tuple[Point, str], list[Tested]] = {}
    for event in events if shooters else ():
        if isinstance(event, Tested):
            ((shooter, target),) = _find_aims((event,))
            ends = [ground.point(state.units[unit].place) for unit in (shooter, target) if shooter in shooters]
            points = tuple(end for end in ends if end is not None)
            if len(points) > 1:
                told.setdefault((points[1], target), []).append(event)
                arrows += [Arrow(points, "attack", words.owner(shooter), old=True)] if event.target else []
        state = apply(state, event)
    return arrows, [_judge_shots(at, target, tests) for (at, target), tests in told.items()]


def _judge_shots(at: Point, target: str, tests: Sequence[Tested]) -> Outcome:
    """Return the result of the shots at a model: the saves, otherwise the number of misses: 'miss x 2'."""
    saves = [test for test in tests if not test.target]
    kind = "missed" if not saves else "saved" if all(test.passed for test in saves) else "struck"
    texts = Counter(test.text for test in saves or tests)
    told = (f"{text} x {many}" if many > 1 else text for text, many in texts.items())
    return Outcome(at, kind, ", ".join(told), target)


def _find_aims(events: Iterable[Event]) -> list[tuple[str, str]]:
    """Return firer and target of each test. A save belongs to the target, and the label begins with the firer."""
    tests = [event for event in events if isinstance(event, Tested)]
    return [(event.label.partition("/")[0], event.target or event.subject) for event in tests]
