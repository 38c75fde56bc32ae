"""The sequence of messages with a referee's dice, derived from the sequence with players' dice.

After every message of a player the referee writes a message. It contains dice if a stage splits into dice and choices;
otherwise it is empty. Players do not answer between declaration and dice, so they file standing answers before. A
stage of an answer remains only after message 1: this answer accepts the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from kursk_pbem.kernel.events import Advanced
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import ANSWER, DECISION, DICE, ORDERS, PLAYERS, REFEREE, Phase, Ruleset, Split, Stage
from kursk_pbem.kernel.umpire import Umpire

FIRST = 1  # the message that accepts the game; its declarations wait until both sides have accepted
ROLLS = "-rolls"


def split_stages(table: Iterable[Stage], *standing: Phase) -> tuple[Mapping[str, Stage], Mapping[str, Stage]]:
    """Return two tables of stages by key: for games in which players make the dice, and for games with a referee.

    ``standing``: the phase for standing policies, added to every message of a player if a referee rolls.
    """
    rows = tuple(table)
    players = {row.key: row for row in rows if row.mode in ("", PLAYERS)}
    refereed: dict[str, Stage] = {}
    for row in (row for row in rows if row.mode in ("", REFEREE)):
        refereed |= {stage.key: stage for stage in _split_stage(row, players, standing)}
    return _keep_links(players), _keep_links(refereed)


def _split_stage(row: Stage, players: Mapping[str, Stage], standing: tuple[Phase, ...]) -> tuple[Stage, ...]:
    """Return the refereed form of a stage; a stage with dice becomes the referee's message and the player's."""
    then = tuple(_find_successor(key, players) for key in row.then)
    if row.writer in ("", REFEREE):
        return (replace(row, then=then),)
    if row.kind == ANSWER:
        return (replace(row, phases=standing, brings="acceptance of the game, with nothing to decide", then=then),)
    if row.kind != DICE:
        return (replace(row, phases=(*row.phases, *standing), then=then),)
    split = row.split or Split("dice and results", row.brings)
    decisions = tuple(key for key in then if key in players and players[key].kind == DECISION)
    others = tuple(key for key in then if key not in decisions)
    dice = tuple(phase for phase in row.duties if phase.rolls)
    follow = (row.key, *(() if split.always else others), *decisions)
    ends = () if split.always else row.ends
    rolls = Stage(rolls_of(row.key), row.rule, REFEREE, dice, (), split.brings, follow, ends, DICE, side=row.writer)
    duties = tuple(phase for phase in row.duties if not phase.rolls)
    left = replace(row, duties=duties, phases=(*row.phases, *standing), brings=split.left, then=others, kind=ORDERS)
    return rolls, left


def _find_successor(key: str, players: Mapping[str, Stage]) -> str:
    """Return the refereed successor of a stage: skip answers, and put the referee before dice."""
    row = players.get(key)
    if row is not None and row.kind == ANSWER:
        row = players[row.then[0]]
    return key if row is None else rolls_of(row.key) if row.kind == DICE and not row.mode else row.key


def rolls_of(key: str) -> str:
    """Return the key of the stage in which a referee rolls the dice of a stage: ``german-dice`` -> ``german-rolls``."""
    return key.removesuffix("-dice") + ROLLS


def _keep_links(stages: dict[str, Stage]) -> Mapping[str, Stage]:
    """Return the stages with links only to existing stages."""
    there = stages.keys()
    return {
        key: replace(row, then=tuple(k for k in row.then if k in there), ends=tuple(k for k in row.ends if k in there))
        for key, row in stages.items()
    }


def advance(ruleset: Ruleset, umpire: Umpire[Any], filing: Filing) -> None:
    """Set the next stage and its writer, in the sequence for players' dice or for a referee's dice."""
    stages = ruleset.play.stages(umpire.setting)
    here = stages[umpire.state.stage]
    rolled = here.then[0] if here.writer == REFEREE and here.key.endswith(ROLLS) else ""
    behind = stages[rolled] if rolled else here
    allowed = (*here.then, *here.ends, *behind.then, *behind.ends)
    key = ruleset.play.follow(umpire, filing, rolled or here.key) or allowed[0]
    beyond = key
    if umpire.setting.refereed and key in stages and stages[key].kind == ANSWER:
        beyond = stages[key].then[0]
    if beyond not in allowed:  # dice without a roller, or an impossible answer
        raise AssertionError(f"{key} does not follow {here.key}; the table allows {', '.join(allowed)}")
    if filing.seq != FIRST:
        key = beyond
    if rolled and stages[key].kind != DECISION and _takes_place(stages[rolled], umpire, filing):
        key = rolled
    after = stages[key]
    umpire.emit(Advanced(after.rule, umpire.state.turn, after.side or after.writer, key))


def _takes_place(stage: Stage, umpire: Umpire[Any], filing: Filing) -> bool:
    """Return whether a player has choices in a stage, apart from standing answers."""
    empty = Filing(filing.seq, stage.writer)
    return any(phase.when is None or phase.when(umpire, empty) for phase in stage.phases if phase.reads != ("policy",))
