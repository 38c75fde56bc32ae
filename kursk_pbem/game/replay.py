"""A whole game as frames for a page: positions, arrows, report texts, luck, verification.

Everything comes from the messages of a verified history, so the page shows no hidden choice. The same game gives the
same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from kursk_pbem import __version__
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import reports, scenes
from kursk_pbem.game.games import Game
from kursk_pbem.game.histories import History, Step
from kursk_pbem.game.scenes import Scene
from kursk_pbem.kernel import past
from kursk_pbem.kernel.account.lines import joined
from kursk_pbem.kernel.events import Event, Rolled
from kursk_pbem.kernel.picture import PLANE, Picture, Point
from kursk_pbem.kernel.state import DECLARED, State
from kursk_pbem.kernel.words import Words, party, plural
from kursk_pbem.report import luck as luck_report
from kursk_pbem.report import text, trails
from kursk_pbem.report.battle import explain_odds
from kursk_pbem.report.pictures import svg, svgfront, svgground
from kursk_pbem.report.replay import Clash, Force, Frame, Replay, Told

CHECKED = "signature, sender, order, secrets, dice, choices and position hold"
"""A sentence that names the checks that every message has passed before a replay."""


def make_replay(history: History) -> Replay:
    """Return the replay of a verified game as plain data."""
    game = history.game
    words = game.ruleset.seen.words(game.setting)
    first = svg.to_scale(game.ruleset.seen.picture(game.setting, history.steps[0].after.state))
    ground = trails.Ground(first)
    frames, told = [], []
    for step in history.steps:
        frames += list(_make_frames(game, words, step, ground))
        told.append(_describe_message(game, words, step))
    return Replay(
        title=game.title,
        game=game.chain.game,
        sides=tuple((side, words.side(side)) for side in game.ruleset.sides),
        ground=first,
        frames=tuple(frames),
        messages=tuple(told),
        verdict=game.verdict.text if game.verdict is not None else "",
        verified=_describe_check(game, len(told)),
        names={piece.id: words.unit(piece.id) for frame in frames for piece in frame.pieces},
        charts=_make_charts(history),
        past=past.describe_turns(game.setting.scenario, words),
    )


def _describe_check(game: Game, count: int) -> tuple[str, ...]:
    """Return the verification in a few words, then in sentences."""
    if game.what_if is not None:
        return ("What if", f"A what-if game from the position after message {game.what_if}: it proves nothing.")
    return (
        f"{'All ' if count > 1 else ''}{plural(count, 'message')} verified",
        f"By kursk-pbem {__version__}, when this page was made: of every message {CHECKED}.",
        f"Game {game.chain.game}; head of the chain {game.chain.head_id}.",
        "This page is no proof: 'kursk verify' proves the game from the messages.",
    )


def make_message_frames(*steps: Step) -> tuple[Frame, ...]:
    """Return the frames of consecutive verified messages. The first frame is the position before the first message."""
    game = steps[0].before
    ground = trails.Ground(svg.to_scale(game.ruleset.seen.picture(game.setting, game.state)))
    words = game.ruleset.seen.words(game.setting)
    first = [Scene("before", "before the message", (), game.state, game.state)]
    made = (_make_frames(step.before, words, step, ground, first if step is steps[0] else ()) for step in steps)
    return tuple(chain.from_iterable(made))


def _make_frames(
    game: Game, words: Words, step: Step, ground: trails.Ground, before: Sequence[Scene] = ()
) -> Iterator[Frame]:
    """Yield the frames of a message, at least one. Declared actions appear after the frame with the order."""
    seen, sides = game.ruleset.seen, game.ruleset.sides
    for scene in (*before, *scenes.cut_scenes(game, words, step)):
        shapes = svg.to_scale(seen.picture(game.setting, scene.after))
        spots = _find_spots(shapes, ground)
        aimed: Mapping[str, Point] = {}
        if scene.kind == "shot":  # destroyed targets are only in the earlier position
            aimed = _find_spots(svg.to_scale(seen.picture(game.setting, scene.before)), ground)
        drawn = (*scene.events, *_list_declared(game, scene, step.after.state))
        fired, hits = trails.draw_shot(aimed, words, scene.events)
        rolled = [event for event in scene.events if isinstance(event, Rolled)]
        yield Frame(
            message=step.message.seq,
            turn=scene.after.turn,
            kind=scene.kind,
            title=scene.title,
            told=scene.told,
            lines=tuple(text.list_events(scene.events, words)) if scene.events else (),
            pieces=tuple(piece for piece in shapes.pieces if piece.id in spots),
            spots=spots,
            overlay=(
                svgfront.draw_front(shapes, sides),
                svgground.draw_flags(shapes, sides),
                svgground.draw_marks(shapes, sides),
            ),
            arrows=(*trails.list_arrows(ground, words, drawn), *fired),
            bursts=(*trails.list_bursts(ground, drawn), *hits),
            dice=tuple(event.digits for event in rolled),
            whose=tuple(words.side(event.whose) if event.whose else "" for event in rolled),
            clash=_make_clash(scene, words),
        )


def _list_declared(game: Game, scene: Scene, end: State) -> Iterator[Event]:
    """Yield events for known declarations that still wait at the ``end`` of a message."""
    seen, key = game.ruleset.seen, DECLARED
    if scene.after == end:
        yield from seen.plans(game.setting, end, {})[0]
    if key in end.agenda and scene.after.agenda.get(key) == end.agenda[key]:
        waiting = seen.declared(game.setting, end, {})
        by_then = waiting if scene.after == end else seen.declared(game.setting, scene.after, {})
        known = {fought.battle for fought in by_then}
        yield from (fought for fought in waiting if fought.battle in known)


def _make_clash(scene: Scene, words: Words) -> Clash | None:
    """Return a battle in figures, for a card next to the map. The defender's answer replaces the result's meaning."""
    fought = scene.fought
    if fought is None or not fought.column:
        return None
    chosen = trails.find_answers(scene.events).get(fought.battle)
    result, means = (
        (f"{fought.result}, {chosen}", "the defender's choice") if chosen else (fought.result, fought.meaning)
    )
    attack, defence = (
        Force(words.side(force.side), joined([*dict.fromkeys(map(words.unit, force.units))]), force.total)
        for force in (fought.attack, fought.defence)
    )
    why = explain_odds(fought) if fought.shifts else ""
    return Clash(attack, defence, fought.column, fought.dice, result, means, fought.chance, why)


def _find_spots(shapes: Picture, ground: trails.Ground) -> dict[str, tuple[int, int]]:
    """Return the drawing position of each counter. Counters without a place on the map are omitted."""
    if shapes.form == PLANE:
        return {piece.id: piece.spot for piece in shapes.pieces}
    points = {piece.id: ground.point(piece.at) for piece in shapes.pieces}
    return {uid: point for uid, point in points.items() if point is not None}


def _describe_message(game: Game, words: Words, step: Step) -> Told:
    """Return the text next to a message: writer, note, table and luck so far."""
    message, after = step.message, step.after
    side = words.side(message.sender) if message.sender != REFEREE else ""
    return Told(
        seq=message.seq,
        sender=party(message.sender, side),
        kind=message.type,
        turn=after.state.turn,
        id=message.id,
        note=str(message.content.get("note", "")),
        headlines=reports.make_headlines(step.before, step.after, message, step.result),
        standing=game.ruleset.seen.standing(game.setting, after.state),
        luck=tuple(_describe_luck(after.luck, words)),
        verified=f"Message {message.seq}: {CHECKED}.",
    )


def _describe_luck(luck: luck_report.Luck, words: Words) -> Iterator[str]:
    """Yield a line on the dice of each side, with the chance of an equal or higher sum, rounded and exact."""
    for side, throws in sorted(luck.throws.items()):
        exactly, expected = luck_report.show_fraction(throws.chance), luck_report.show_mixed(throws.expected)
        yield (
            f"{words.side(side)}: {throws.dice} dice, sum {throws.sum}, expected {expected}; chance of this sum or a "
            f"higher sum: {luck_report.show_per_cent(throws.chance)}{f', exactly {exactly}' if exactly else ''}"
        )


def _make_charts(history: History) -> tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]:
    """Return the numeric rows of the table through the game, victory points first: (name, (values, ...))."""
    game = history.game
    tables = [game.ruleset.seen.standing(game.setting, step.after.state) for step in history.steps]
    names = [row[0] for row in tables[-1] if all(map(_is_number, row[1:]))]
    charts = []
    for name in names:
        rows = [next((row[1:] for row in table if row[0] == name), ()) for table in tables]
        if all(rows) and all(_is_number(value) for row in rows for value in row):
            charts.append((name, tuple(rows)))
    return tuple(sorted(charts, key=lambda chart: not chart[0].startswith("victory points")))


def _is_number(value: str) -> bool:
    return value.lstrip("+-").isascii() and value.lstrip("+-").isdigit()
