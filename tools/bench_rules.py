"""The rules in one process: rows of ``python tools/targets.py --parts rules``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import islice
from typing import Any


def make_rows(kit: Any, row: Any, timed: Any) -> Iterator[Any]:
    """Yield rows for reach, moves, hints, sight and random play.

    ``row``, ``timed``: the row and the timer of `targets`.
    """
    from rulesets import toys

    setting = kit.setting(kit.scenarios[0])
    states = [state for state, _result in islice(toys.play(kit, setting, 1), 12)]
    state, seen = max(states, key=lambda state: sum(kit.counts(setting, state).values())), kit.ruleset.seen
    first = timed(lambda: state.with_().sha256())
    yield row(f"{kit.id}: draft hints", 10, timed(lambda: seen.hints(setting, state.with_(), 1)), first)
    stages = sum(1 for _ in toys.play(kit, setting, 1))

    def play() -> None:
        for _step in toys.play(kit, setting, 1):
            pass

    yield row(
        f"{kit.id}: a stage of random play",
        1000 / (150 if kit.id == "juggernauts" else 400),
        timed(play, stages),
        first,
    )
    if kit.id == "armor-commander":
        yield from _make_table_rows(row, timed, setting, first)
    else:
        yield from _make_reach_rows(row, timed, kit, setting, state, first)


def _make_reach_rows(row: Any, timed: Any, kit: Any, setting: Any, state: Any, floor: Any) -> Iterator[Any]:
    """Yield rows for the reach of the units of the more mobile side, in a new position."""
    package = f"kursk_pbem.rulesets.{kit.id.replace('-', '_')}"
    movement, outlook, views = (import_module(f"{package}.{name}") for name in ("movement", "seen.outlook", "position"))
    way = {
        "battle-for-kursk": lambda pos, uid: movement.reach(pos, uid, movement.MOVE),
        "kursk-1971": lambda pos, uid: outlook.find_reach(pos, uid),  # noqa: PLW0108  others have no such function
        "juggernauts": lambda pos, uid: movement.find_ends(pos, uid),  # noqa: PLW0108
    }[kit.id]
    pos = views.position(setting, state)
    own = {side: [uid for uid in sorted(pos.where) if pos.side(uid) == side] for side in kit.sides}
    units = max(own.values(), key=lambda uids: sum(len(way(pos, uid)) for uid in uids))
    hexes = sum(len(way(pos, uid)) for uid in units)

    def find_moves() -> None:
        new = views.position(setting, state.with_())
        for uid in units:
            way(new, uid)

    yield row(f"{kit.id}: moves of a side, {len(units)} units, {hexes} hexes", 5, timed(find_moves), floor)
    yield row(f"{kit.id}: reach of a unit", 0.1, timed(find_moves, len(units)), floor)


def _make_table_rows(row: Any, timed: Any, setting: Any, floor: Any) -> Iterator[Any]:
    from rulesets.armor_commander.table import begin

    from kursk_pbem.kernel.plane import CLOCK
    from kursk_pbem.rulesets.armor_commander.ahead import find_straight_end
    from kursk_pbem.rulesets.armor_commander.position import make_field as look

    state = begin(setting)
    table = look(setting, state)
    pairs = [(mid, foe) for mid in table.at for foe in table.list_enemies(setting.models[mid].side)]
    mover = next(mid for mid in table.at if table.is_mobile(mid))

    def look_at(asked: str) -> Callable[[], object]:
        return lambda: [getattr(new, asked)(*pair) for new in [look(setting, state.with_())] for pair in pairs]

    yield row(f"armor-commander: who sees whom, {len(pairs)} pairs", 2, timed(look_at("can_see")), floor)
    yield row(f"armor-commander: half obscured, {len(pairs)} pairs", 8, timed(look_at("is_obscured")), floor)
    ways = timed(lambda: [find_straight_end(table, mover, vector) for vector in CLOCK.values()])
    yield row("armor-commander: moves of a model", 3, ways, floor)
