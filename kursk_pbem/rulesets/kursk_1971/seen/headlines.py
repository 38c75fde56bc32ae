"""Events in a few lines, the most important first, and as prose to read aloud."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

from kursk_pbem.kernel.account.battles import clashes, write_headline
from kursk_pbem.kernel.account.lines import ORDERS, POINTS, TAKEN, Line, joined, number, rank_lines, sentence, spot
from kursk_pbem.kernel.account.prose import Voice, tell_battle
from kursk_pbem.kernel.brief import Part, split_phases
from kursk_pbem.kernel.events import Event, Fought, Marked, Moved, Placed, Scheduled
from kursk_pbem.kernel.hexes.compass import locate
from kursk_pbem.kernel.hexes.policies import BATTLES, POLICY
from kursk_pbem.kernel.state import ANSWERED, STANDING, VERDICT, State
from kursk_pbem.kernel.words import plural
from kursk_pbem.rulesets.kursk_1971.air import MISSIONS
from kursk_pbem.rulesets.kursk_1971.position import CITIES, FLOWN, INTERDICTION, PATROL
from kursk_pbem.rulesets.kursk_1971.raids import RAIDS
from kursk_pbem.rulesets.kursk_1971.seen.wording import Wording
from kursk_pbem.rulesets.kursk_1971.setting import SIDES, Setting
from kursk_pbem.rulesets.kursk_1971.victory import split_points

FEW = 3
"""So many units are named one by one; of more only their number."""


def make_headlines(setting: Setting, before: State, events: Sequence[Event], after: State) -> tuple[str, ...]:
    """Return at most seven headlines about the events between two positions."""
    words, phases = Wording(setting), list(split_phases(before, events))
    lines: list[Line] = [
        *_describe_points(setting, before, after),
        *(write_headline(clash, words) for clash in clashes(events)),
    ]
    for side in SIDES:
        taken = [
            spot(words, event.key)
            for event in events
            if isinstance(event, Marked) and event.table == CITIES and event.value == side
        ]
        if taken:
            lines.append((TAKEN, f"Taken by the {words.side(side)} side: {joined(list(dict.fromkeys(taken)))}"))
        lines += _describe_orders(words, [part for part in phases if part.side == side], after)
    if before.turn != after.turn:
        lines.append((ORDERS, f"Game turn {after.turn} begins"))
    return rank_lines(lines)


def _describe_points(setting: Setting, before: State, after: State) -> Iterator[Line]:
    """14.0: yield the victory points if changed or decisive."""
    was, now = (
        {side: sum(point[side] for point in split_points(setting, state)) for side in SIDES}
        for state in (before, after)
    )
    if was != now or after.mark(VERDICT, "how"):
        told = ", ".join(f"{side.capitalize()} {now[side]}" for side in SIDES)
        yield POINTS, f"Victory points: {told}"


def _describe_orders(words: Wording, phases: list[Part], after: State) -> Iterator[Line]:
    """Yield one side's orders: attacks waiting for dice, moves, arrivals, missions."""
    events = [event for part in phases for event in part.events if part.phase != "combat"]
    filed = {event.key for event in events if isinstance(event, Scheduled) and event.value}
    # a whole turn has phases of both sides; waiting attacks belong to one side
    own = [
        order
        for key in (BATTLES, RAIDS)
        for order in after.agenda.get(key, ())
        if phases and words.owner((*order.get("attackers", order.get("aircraft")),)[0]) == phases[0].side
    ]
    told = []
    if BATTLES in filed and (fights := [order for order in own if "hex" in order]):
        names = ", ".join(spot(words, battle["hex"]) for battle in fights)
        told.append(f"{plural(len(fights), 'attack')} ({names})")
    if RAIDS in filed and (raided := [order for order in own if "base" in order]):
        told.append(f"{plural(len(raided), 'attack')} on {'a base' if len(raided) == 1 else 'bases'}")
    placed = Counter(event.how for event in events if isinstance(event, Placed))
    flown = sum(isinstance(event, Marked) and event.table == FLOWN and event.value in MISSIONS for event in events)
    moves = (sum(isinstance(event, Moved) for event in events), "move")
    counted = (placed["deployed"], "set-up"), moves, (placed["arrives"], "reinforcement"), (flown, "air mission")
    told += [plural(count, what) for count, what in counted if count]
    told += ["standing answers"] if any(key.startswith(STANDING) for key in filed) else []
    if told:
        yield ORDERS, f"{words.side(phases[0].side)} orders: {', '.join(told)}"
    if ANSWERED in after.agenda and not own and any(part.phase == "answer" for part in phases):
        yield ORDERS, "The attacks are answered; the dice are next"


def tell_story(setting: Setting, before: State, events: Sequence[Event], _after: State) -> tuple[str, ...]:
    """Return a paragraph for each phase that has events between two positions."""
    words, told, count = Wording(setting), list[str](), 2 * setting.turns.index(before.turn)
    lies = partial(locate, setting.board, {**setting.towns, **setting.cities})
    voice = Voice(words, partial(_name_unit, setting), lies, _describe_manner, "the order had become impossible")
    for part in split_phases(before, events):
        if part.phase == "combat":
            for clash in clashes(part.events):
                told.append(" ".join((tell_battle(clash, voice, count), *_tell_cities(voice, clash.events))))
                count += 1
            continue
        lines = [*_tell_deeds(voice, part), *_tell_cities(voice, part.events)]
        told += [" ".join(lines)] if lines else []
        if part.before.turn != part.after.turn:
            told.append(f"Game turn {part.after.turn} began.")
    return tuple(told)


def _name_unit(setting: Setting, uid: str) -> str:
    """Return 'the 11th Panzer Division', 'the first group of the 61st Army', 'Grossdeutschland'."""
    counter = setting.counters[uid]
    name, _comma, part = counter.name.partition(", ")
    if not name[:1].isdigit():
        return counter.name
    plain, size = name.partition(" (")[0], counter.size.capitalize()
    whole = f"the {plain}" if counter.air or part or plain.endswith(size) else f"the {plain} {size}"
    return f"the {part} of {whole}" if part else whole


def _describe_manner(fought: Fought) -> str:
    """9.0-d4, 9.0-d1: return the manner of an attack."""
    if fought.rule == "9.0-d4":
        return ", from the air"
    return ", with close support" if any(shift.rule == "9.0-d1" for shift in fought.shifts) else ""


def _tell_deeds(voice: Voice, part: Part) -> Iterator[str]:
    """Yield sentences on a side's actions in a phase."""
    if moves := [event for event in part.events if isinstance(event, Moved)]:
        went = [(moved.unit, moved.path[-1]) for moved in moves]
        yield sentence(_tell_moves(voice, part.side, went, "moved", "moved", "to"))
    for how, one, many in (("arrives", "arrived", "arrived"), ("deployed", "was set up", "were set up")):
        came = [
            (placed.unit, placed.place) for placed in part.events if isinstance(placed, Placed) and placed.how == how
        ]
        if came:
            yield sentence(_tell_moves(voice, part.side, came, one, many, "at"))
    for table, what in ((PATROL, "patrolled"), (INTERDICTION, "kept watch on the roads")):
        if flown := [marked for marked in part.events if isinstance(marked, Marked) and marked.table == table]:
            where = joined(list(dict.fromkeys(voice.at(marked.value) for marked in flown))[:FEW])
            yield sentence(f"{part.side.capitalize()} aircraft {what} {where}")
    for event in part.events:
        if isinstance(event, Scheduled) and event.value:
            yield from _tell_declared(voice, part.side, event)


def _tell_moves(voice: Voice, side: str, who: Sequence[tuple[str, str]], one: str, many: str, at: str) -> str:
    """Return units with their places; units near the same town share a place."""
    if len(who) > FEW:
        return f"{number(len(who), f'{side.capitalize()} unit')} {many}"
    together: dict[str, dict[str, str]] = {}
    for uid, place in who:
        together.setdefault(voice.to(place), {})[uid] = place
    told = []
    for where, places in together.items():
        apart = where.replace("a hex ", "hexes ") if len({*places.values()}) > 1 else where
        told.append(f"{voice.names(places)} {many if len(places) > 1 else one} {at} {apart}")
    return joined(told)


def _tell_declared(voice: Voice, side: str, event: Scheduled) -> Iterator[str]:
    """7.0, 9.0-d4, 8.0: yield sentences on declared attacks and answers."""
    if event.key == BATTLES:
        where = joined([voice.at(battle["hex"]) for battle in event.value])
        yield sentence(f"the {side.capitalize()} side prepared {number(len(event.value), 'attack')}: {where}")
    elif event.key == RAIDS:
        yield sentence(f"{side.capitalize()} aircraft set out against {number(len(event.value), 'base')}")
    elif event.key == POLICY or event.key.startswith(STANDING):
        yield sentence(f"the {side.capitalize()} side chose its defenders' retreats and advances")


def _tell_cities(voice: Voice, events: Sequence[Event]) -> Iterator[str]:
    """14.0-control: yield sentences on cities that changed hands."""
    for event in events:
        if isinstance(event, Marked) and event.table == CITIES:
            yield sentence(f"{voice.to(event.key)} was in {event.value.capitalize()} hands now")
