"""The content of an untaken message: the battles on a map, and the player's next message.

The page of the game shows the results of dice, so they are left out here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from kursk_pbem.desk.draft import prospects
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.errors import KurskError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import reports
from kursk_pbem.game.games import Game
from kursk_pbem.game.histories import Step
from kursk_pbem.kernel.account.lines import sentence
from kursk_pbem.kernel.events import Fought
from kursk_pbem.kernel.words import plural, some
from kursk_pbem.report import trails
from kursk_pbem.report.pictures import svg
from kursk_pbem.trust.messages import Message

AROUND = 1_500
"""Width of the space around a battle's counters in a picture, in map units."""
LEAST = 8_000
"""Minimum width of a picture in map units, about five hexes."""
MOST = 6
"""Maximum number of battles with a picture."""
DICE = "Its dice have fallen. They roll on the map when you open the game."


def describe_message(desk: Desk, message: Message, name: str) -> dict[str, Any]:
    """Return a new message as headline, battles and lines, with the reader's next task; {} for an illegal message.

    ``name``: the writer's name. Stores nothing.
    """
    try:
        step = desk.history.extend(message).last_step
    except KurskError:  # taking the message explains the error
        return {}
    rolled = step.result is not None and bool(step.result.dice)
    game = step.before if rolled else step.after
    fights = prospects.list_declared(prospects.Prospect(game, game.state, {}, ""))
    return {
        "headline": _write_headline(desk, message.seq, fights, name, rolled=rolled),
        "fights": list(_list_fights(game, fights)),
        "lines": [DICE] if rolled else _list_lines(step),
        "asked": _describe_task(desk, step.after),
    }


def _write_headline(desk: Desk, seq: int, fights: Sequence[Fought], name: str, *, rolled: bool) -> str:
    """Return the subject of a message."""
    where = plural(len(fights), "place")
    if rolled:
        return f"The dice of {name} have fallen"
    if not fights:
        return f"{name} sends message {seq}"
    own = fights[0].attack.side == desk.own_side
    return f"{name} answers your attacks in {where}" if own else f"{name} attacks you in {where}"


def _list_fights(game: Game, fights: Sequence[Fought]) -> Iterator[tuple[str, str]]:
    """Yield each battle in words and as SVG, '' instead of too many drawings."""
    shapes = svg.to_scale(game.ruleset.seen.picture(game.setting, game.state))
    ground, words = trails.Ground(shapes), game.ruleset.seen.words(game.setting)
    arrows = [tuple(trails.list_arrows(ground, words, [one])) for one in fights]
    bursts = [*trails.list_bursts(ground, fights)]
    for number, one in enumerate(fights):
        attackers, defenders = (some([*map(words.unit, side.units)]) for side in (one.attack, one.defence))
        told = f"{words.place(one.place)}: {attackers} against {defenders}, {one.column or 'no odds'}."
        spots = [point for arrow in arrows[number] for point in arrow.points]
        looks = {"arrows": arrows[number], "bursts": [burst for burst in bursts if burst.at in spots]}
        frame = svg.fit_frame(svg.find_frame(shapes), spots, LEAST, AROUND)
        drawn = spots and number < MOST
        yield told, svg.draw_figure(shapes, game.ruleset.sides, frame=frame, **looks) if drawn else ""


def _list_lines(step: Step) -> list[str]:
    """Return the headlines of a message without dice."""
    told = reports.make_headlines(step.before, step.after, step.message, step.result)[:-1]
    return [*map(sentence, reports.detach_headlines(told))]


def _describe_task(desk: Desk, after: Game) -> str:
    """Return the next message in a sentence for the reader."""
    if after.over:
        return "The game is over."
    writer = after.chain.writer(after.chain.next_seq)
    if writer == desk.own_side:
        return f"You write next: {'a reply to the offer' if after.chain.offer else after.brings}."
    who = "The referee" if writer == REFEREE else f"The {after.ruleset.seen.words(after.setting).side(writer)} side"
    return f"{who} writes next."
