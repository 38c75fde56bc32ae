"""Usual texts for systems without their own: headlines, story, turn track, end of the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kursk_pbem.kernel.account.battles import clashes, write_headline
from kursk_pbem.kernel.account.lines import (
    COSTLY,
    DESTROYED,
    ORDERS,
    TAKEN,
    Line,
    joined,
    number,
    rank_lines,
    sentence,
    spot,
    steps,
)
from kursk_pbem.kernel.account.prose import Voice, tell_battle
from kursk_pbem.kernel.brief import Table, split_phases
from kursk_pbem.kernel.events import Event, Fought, Marked, Moved, Removed, Scheduled, StepsLost
from kursk_pbem.kernel.hexes.compass import locate
from kursk_pbem.kernel.hexes.policies import BATTLES, POLICY
from kursk_pbem.kernel.ruleset import Account
from kursk_pbem.kernel.state import ANSWERED, DECLARED, ELIMINATED, State
from kursk_pbem.kernel.words import Words, flat, plural, unit, units

Wording = Callable[[Any], Words]


def make_headlines(telling: Wording, held: str, moves: str) -> Account:
    """Return a function for headlines: battles, captured places, declared attacks and moved units."""

    def lines(setting: Any, before: State, events: Sequence[Event], after: State) -> tuple[str, ...]:
        words = telling(setting)
        told: list[Line] = [write_headline(clash, words) for clash in clashes(events)]
        lost = (event for part in split_phases(before, events) for event in _find_losses(part.events))
        told += [(DESTROYED if isinstance(event, Removed) else COSTLY, _tell_loss(event, words)) for event in lost]
        taken = {event.key: event.value for event in events if isinstance(event, Marked) and event.table == held}
        told += [(TAKEN, f"{words.side(side)} holds {spot(words, label)}") for label, side in taken.items()]
        if (waiting := after.agenda.get(BATTLES, ())) and waiting != before.agenda.get(BATTLES):
            where = ", ".join(spot(words, order["hex"]) for order in waiting)
            told.append((ORDERS, f"{plural(len(waiting), 'attack')} declared: {where}"))
        if count := len(_find_moves(events, moves)):
            told.append((ORDERS, f"{plural(count, 'unit')} moved"))
        return rank_lines(told)

    return lines


def make_story(telling: Wording, moves: str) -> Account:
    """Return a function for prose, phase by phase: moves and battles."""

    def told(setting: Any, before: State, events: Sequence[Event], _after: State) -> tuple[str, ...]:
        words, lines = telling(setting), list[str]()
        voice = Voice(
            words, lambda uid: f"the {words.unit(uid)}", lambda label: locate(setting.board, setting.towns, label)
        )
        for part in split_phases(before, events):
            lines += [tell_battle(clash, voice, at) for at, clash in enumerate(clashes(part.events))]
            lines += [sentence(f"the {_tell_loss(event, words)}") for event in _find_losses(part.events)]
            went = _find_moves(part.events, moves)
            if len(went) > 3:
                lines.append(sentence(f"{number(len(went), 'unit')} moved"))
            elif went:
                lines.append(
                    sentence(joined([f"{voice.name(one.unit)} went to {voice.to(one.path[-1])}" for one in went]))
                )
        return tuple(lines)

    return told


def _find_losses(events: Sequence[Event]) -> list[StepsLost | Removed]:
    """Return the losses of a phase without battles, such as losses from lack of supply."""
    if any(isinstance(event, Fought) for event in events):
        return []
    return [event for event in events if isinstance(event, StepsLost | Removed)]


def _tell_loss(event: StepsLost | Removed, words: Words) -> str:
    if isinstance(event, StepsLost):
        return f"{words.unit(event.unit)} loses {steps(event.lost)}: {event.why}"
    how = "is eliminated" if event.place == ELIMINATED else "leaves the map"
    return f"{words.unit(event.unit)} {how}: {event.why}"


def _find_moves(events: Sequence[Event], how: str) -> list[Moved]:
    return [event for event in events if isinstance(event, Moved) and event.how == how]


def tell_usual(words: Words, event: Event, moves: str) -> list[str] | None:
    """Return the sentences for a move, a waiting attack or an answer. For other events return None."""
    match event:
        case Moved(how=how) if how == moves:
            way = ", ".join(map(words.place, event.path))
            return [f"{unit(words, event.unit)}: {words.place(event.start)} -> {way}; {event.mp}\u00a0MP"]
        case Scheduled(key=key, value=value) if not key.startswith("sealed/"):
            return None if value is not None and key not in _WAITING else _WAITING.get(key, _tell_nothing)(words, value)
        case _:
            return None


def _tell_attacks(words: Words, orders: Any) -> list[str]:
    what = "Attack {} on {} by {}"
    return [what.format(one["id"], words.place(one["hex"]), units(words, one["units"])) for one in orders or ()]


def _tell_answers(_words: Words, policy: Any) -> list[str]:
    return [f"The defenders: {flat(policy)}"] if policy else []


def _tell_nothing(_words: Words, _value: Any) -> list[str]:
    return []


_WAITING = {BATTLES: _tell_attacks, POLICY: _tell_answers, DECLARED: _tell_nothing, ANSWERED: _tell_nothing}


def make_turn_track(rule: str) -> Callable[[Any, State], tuple[Table, ...]]:
    """Return a function for the table of turns, with a sign at the present turn."""

    def track(setting: Any, state: State) -> tuple[Table, ...]:
        rows = tuple((f"{'>' if turn == state.turn else ' '} {turn}",) for turn in setting.turns)
        return (Table("Turns", rule, ("turn",), rows),)

    return track
