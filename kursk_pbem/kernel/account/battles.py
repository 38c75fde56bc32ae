"""Battles with their results, for any ruleset; the fate of units; a battle in a headline."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.account import lines as say
from kursk_pbem.kernel.account.lines import ADVANCE, PLACED, RETREAT, Line, joined, spot, steps
from kursk_pbem.kernel.events import Event, Fought, Moved, PhaseBegan, Placed, Removed, Scheduled, StepsLost
from kursk_pbem.kernel.state import ELIMINATED, PENDING
from kursk_pbem.kernel.words import Words


@frozen
class Fate:
    """What happened to one unit in a battle."""

    unit: str
    lost: int = 0  # the number of lost steps
    gone: str = ""  # ELIMINATED, or the place off the map; '' if the unit stays
    to: str = ""  # the last hex that the unit entered
    how: str = ""  # the manner of the last move, or PLACED


def find_fates(events: Iterable[Event]) -> tuple[Fate, ...]:
    """Return what happened to every unit. The units are in order of their first event."""
    became: dict[str, Fate] = {}
    for event in events:
        match event:
            case Moved(unit=uid, path=(*_, place)) | Placed(unit=uid, place=place):
                how = event.how if isinstance(event, Moved) else PLACED
                became[uid] = replace(became.get(uid, Fate(uid)), to=place, how=how, gone="")
            case StepsLost(unit=uid, lost=lost):
                fate = became.get(uid, Fate(uid))
                became[uid] = replace(fate, lost=fate.lost + lost)
            case Removed(unit=uid, place=place):
                became[uid] = replace(became.get(uid, Fate(uid)), gone=place)
    return tuple(became.values())


@frozen
class Clash:
    """A battle and the events after it, until the next battle or phase."""

    fought: Fought
    events: tuple[Event, ...] = ()

    def fates(self, words: Words) -> tuple[list[Fate], list[Fate]]:
        """Return the fates of the defenders, then the fates of the attackers and of defenders that advance."""
        became, foe = find_fates(self.events), self.fought.defence.side
        theirs = [fate for fate in became if words.owner(fate.unit) == foe and fate.how != ADVANCE]
        return theirs, [fate for fate in became if fate not in theirs]

    @property
    def waits(self) -> bool:
        """Whether the battle cannot go on until a player decides."""
        return any(isinstance(event, Scheduled) and event.key == PENDING and event.value for event in self.events)

    @property
    def rank(self) -> int:
        """The battle's importance for headlines: a rank from ``say``, such as ``say.DESTROYED``."""
        ended = find_fates(self.events)
        if any(fate.gone for fate in ended):
            return say.DESTROYED
        return say.COSTLY if any(fate.lost for fate in ended) else say.GROUND if ended else say.VAIN


def clashes(events: Iterable[Event]) -> tuple[Clash, ...]:
    """Return the battles in order. A battle that stopped for a decision counts only when it is complete."""
    fights: dict[tuple[str, ...], Clash] = {}
    key: tuple[str, ...] = ()
    for event in events:
        if isinstance(event, Fought):
            key = (event.battle, event.attack.side, event.place)
            fights.pop(key, None)
            fights[key] = Clash(event)
        elif isinstance(event, PhaseBegan):
            key = ()
        elif key:
            fights[key] = replace(fights[key], events=(*fights[key].events, event))
    return tuple(fights.values())


def write_headline(clash: Clash, words: Words) -> Line:
    """Return rank and text: '2015: 40th Army destroyed; LII Corps destroyed; XLVIII Panzer Corps in 2015'.

    The headline names the hex. A battle's own name is unsuitable, because the attacker can choose the name of another
    town.
    """
    fought, (theirs, ours) = clash.fought, clash.fates(words)
    told = [_describe_fate(fate, words, "falls back to", "loses {} and holds") for fate in theirs]
    told += [_describe_fate(fate, words, "in", "loses {}") for fate in ours]
    who = [*map(words.unit, fought.defence.units)]
    if clash.waits:
        told.append("a decision is awaited")
    elif not fought.column:
        why = f" ({fought.note.partition(':')[0]})" if fought.note else ""
        told.append(f"no attack takes place{why}")
    elif not theirs and not any(fate.to == fought.place or fate.how == ADVANCE for fate in ours):
        # a following defender has held; the defender may be an empty line
        told.append(f"{joined(who)} {'holds' if len(who) == 1 else 'hold'}{'' if told else '; nobody loses a step'}")
    return clash.rank, f"{spot(words, fought.place)}: {'; '.join(told)}"


def _describe_fate(fate: Fate, words: Words, went: str, stays: str) -> str:
    name, lost = words.unit(fate.unit), steps(fate.lost)
    if fate.gone:
        return f"{name} {'destroyed' if fate.gone == ELIMINATED else 'driven off the map'}"
    if fate.to:
        went = {RETREAT: "falls back to", PLACED: "placed in"}.get(fate.how, went)
        return f"{name} {went} {spot(words, fate.to)}{f', {lost} lost' if fate.lost else ''}"
    return f"{name} {stays.format(lost)}"
