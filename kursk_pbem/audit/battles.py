"""A table of the battles of games, for statisticians: one header for all systems."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from kursk_pbem.formats import csvtext
from kursk_pbem.game.histories import History
from kursk_pbem.kernel.account.battles import Clash, clashes
from kursk_pbem.kernel.adjudicate import Adjudication
from kursk_pbem.kernel.events import Event, Removed, StepsLost, Tested, apply
from kursk_pbem.kernel.words import Words

HEAD = (
    *("game", "system", "scenario", "message", "turn", "side", "place", "attackers", "defenders"),
    *("attack", "defence", "odds", "column", "dice", "die", "result", "chance"),
    *("attacker-steps", "attacker-units", "defender-steps", "defender-units"),
)
"""The columns of the table. ``attack``, ``defence``: strengths. The last four: losses. A shot has no odds, strengths.

Odds are words ("6 to 1") and chances decimal, because a spreadsheet would take other forms for a date or a time.
"""
Cells = tuple[str | int, ...]


def format_battles(histories: Iterable[History]) -> tuple[str, int]:
    """Return a table of the games' battles as comma-separated values, and the number of battles in the table."""
    rows = [cells for history in histories for cells in list_battles(history)]
    return csvtext.format_rows(HEAD, rows), len(rows)


def list_battles(history: History) -> Iterator[Cells]:
    """Yield every finished battle as a row of cells. If the battle waited for a decision, name the later message."""
    game = history.game
    words = game.ruleset.seen.words(game.setting)
    for step in history.steps:
        if step.result is not None:
            for cells in _list_rows(step.result, words):
                head = (game.chain.game, game.ruleset.id, game.setting.scenario.id, step.message.seq)
                yield (*head, step.before.state.turn, *cells)


def _list_rows(result: Adjudication, words: Words) -> Iterator[Cells]:
    """Yield the battles, or in a system with models each shot, of a message."""
    costs, found = _follow_events(result)
    for clash in clashes(result.events):
        if clash.fought.column and not clash.waits:
            yield (*_battle_cells(clash, words), *_sum_costs(clash.fought.attack.side, clash.events, costs, words))
    for shot, place, lost in found:
        side, names = words.owner(shot.subject), (words.unit(shot.subject), words.unit(shot.target))
        cells = (side, place, *names, "", "", "", "", shot.dice, shot.dice, shot.text)
        yield (*cells, _to_decimal(shot.chance), *_sum_costs(side, lost, costs, words))


def _battle_cells(clash: Clash, words: Words) -> Cells:
    fought = clash.fought
    own, foe = ("; ".join(words.unit(uid) for uid in force.units) for force in (fought.attack, fought.defence))
    place = words.place(fought.place)
    return (
        *(fought.attack.side, f"hex {place}" if place.isdecimal() else place, own, foe),
        *(_to_decimal(fought.attack.total), _to_decimal(fought.defence.total)),
        *(fought.ratio.replace(":", " to "), fought.column.replace(":", " to ")),
        *(fought.dice, fought.die or fought.dice, fought.result, _to_decimal(fought.chance)),
    )


def _to_decimal(number: str) -> str:
    """Return a whole number, a fraction or both, such as 11 1/2, with at most four decimal places."""
    value = sum(map(Fraction, number.split()), Fraction(0))
    whole, rest = divmod(round(value * 10_000), 10_000)
    return f"{whole}.{rest:04}".rstrip("0").rstrip(".") if number else ""


def _follow_events(result: Adjudication) -> tuple[Mapping[int, int], list[tuple[Tested, str, list[Event]]]]:
    """Return the steps that each event takes, by identity, and each shot with the place and the losses of its target.

    All losses of a volley follow the shots, so a loss belongs to the last hit on its unit. A unit that was no target,
    for example beside an explosion, stands in no row.
    """
    state, costs, found = result.before, dict[int, int](), list[tuple[Tested, str, list[Event]]]()
    for event in result.events:
        before, state = state, apply(state, event)
        if isinstance(event, Tested) and event.target:
            found.append((event, before.units[event.target].place, []))
        elif isinstance(event, StepsLost | Removed):
            costs[id(event)] = before.units[event.unit].steps - state.units[event.unit].steps
            hits = [lost for shot, _place, lost in found if shot.passed and shot.target == event.unit]
            if hits:
                hits[-1].append(event)
    return costs, found


def _sum_costs(attacker: str, events: Iterable[Event], costs: Mapping[int, int], words: Words) -> Iterator[int]:
    """Yield lost steps and units of the attacker, then of the defender. A unit off the map keeps its steps."""
    lost = [event for event in events if isinstance(event, StepsLost | Removed)]
    for own in (True, False):
        of_side = [event for event in lost if (words.owner(event.unit) == attacker) is own]
        yield sum(costs[id(event)] for event in of_side)
        yield sum(isinstance(event, Removed) for event in of_side)
