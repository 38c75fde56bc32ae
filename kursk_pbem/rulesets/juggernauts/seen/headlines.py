"""Headlines and prose of a message, written from its events alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from kursk_pbem.kernel.account import lines as say
from kursk_pbem.kernel.account.battles import clashes, write_headline
from kursk_pbem.kernel.account.prose import Voice, tell_battle
from kursk_pbem.kernel.brief import Part, split_phases
from kursk_pbem.kernel.events import Event, Fought, Marked, Moved, Placed, Removed, Scheduled, Tested
from kursk_pbem.kernel.hexes.compass import locate
from kursk_pbem.kernel.hexes.policies import BATTLES, POLICY
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.words import plural, some
from kursk_pbem.rulesets.juggernauts import marks
from kursk_pbem.rulesets.juggernauts.air import STRIKES
from kursk_pbem.rulesets.juggernauts.seen.wording import Wording
from kursk_pbem.rulesets.juggernauts.setting import PANTHER, Setting

FEW = 3


def make_headlines(setting: Setting, before: State, events: Sequence[Event], after: State) -> tuple[str, ...]:
    """Return the headlines of a report: attacks, cities, lines, air units, units run over, arrivals and orders."""
    words = Wording(setting)
    told = [*(write_headline(clash, words) for clash in clashes(events)), *_taken(setting, before, after, words)]
    fought = {event for clash in clashes(events) for event in clash.events}
    for event in events:
        match event:
            case Removed(unit=uid, why=why) if event not in fought:
                told.append((say.DESTROYED, f"{words.unit(uid)} destroyed: {why.removeprefix('destroyed ')}"))
            case Placed(unit=uid, place=label, how="arrives" | "return"):
                told.append((say.ORDERS, f"{words.unit(uid)} arrives in {say.spot(words, label)}"))
            case Tested(subject=uid, passed=False, what="Movement"):
                told.append((say.ORDERS, f"{words.unit(uid)} breaks down on the move"))
            case Tested(rule="20.2", text=text):
                told.append((say.COSTLY, text))
            case Tested(rule="20.4", subject=uid, passed=True):
                told.append((say.GROUND, f"{words.unit(uid)} hit from the air"))
            case Scheduled(key=key, value=[*strikes]) if key == STRIKES and strikes:
                spots = some([say.spot(words, strike["hex"]) for strike in strikes], 6)
                told.append((say.ORDERS, f"{plural(len(strikes), 'air strike')} ordered on {spots}"))
    if (shaken := len(after.marks.get(marks.DISRUPTED, {})) - len(before.marks.get(marks.DISRUPTED, {}))) > 0:
        told.append((say.ORDERS, f"{plural(shaken, 'more unit')} Disrupted than before"))
    if (waiting := after.agenda.get(BATTLES, ())) and waiting != before.agenda.get(BATTLES):
        spots = some([say.spot(words, order["hex"]) for order in waiting], 6)
        told.append((say.ORDERS, f"{plural(len(waiting), 'attack')} ordered on {spots}"))
    if moves := sum(isinstance(event, Moved) and event.how == "move" for event in events):
        told.append((say.ORDERS, f"{plural(moves, 'unit')} moved"))
    return say.rank_lines(dict.fromkeys(told))


def _taken(setting: Setting, before: State, after: State, words: Wording) -> Iterator[say.Line]:
    """Yield captured cities, and lines lost."""
    for label in sorted({*before.marks.get(marks.CONTROL, {}), *after.marks.get(marks.CONTROL, {})}):
        home = setting.city_side[setting.board.index[label]]
        if (now := after.mark(marks.CONTROL, label, home)) != before.mark(marks.CONTROL, label, home):
            goal = any(
                label in labels
                for goals in setting.victory.values()
                for labels in goals.values()
                if isinstance(labels, tuple)
            )
            yield say.POINTS if goal else say.TAKEN, f"{say.spot(words, label)} is {words.side(now)}"
    if lost := [label for label in after.marks.get(marks.BREACHED, {}) if not before.mark(marks.BREACHED, label)]:
        yield say.TAKEN, f"Lines broken in {', '.join(lost[:6])}{' and elsewhere' if len(lost) > 6 else ''}"


def tell_story(setting: Setting, before: State, events: Sequence[Event], _after: State) -> tuple[str, ...]:
    """Return a paragraph for each attack, and for each phase with moves or other events."""
    words, told = Wording(setting), list[str]()
    voice = Voice(words, lambda uid: f"the {words.unit(uid)}", partial(locate, setting.board, setting.cities), _manner)
    for part in split_phases(before, events):
        for at, clash in enumerate(clashes(part.events)):
            told.append(" ".join((tell_battle(clash, voice, at), *_shaken(clash.events, voice))))
        told += _besides(part, voice, setting)
    return tuple(told)


def _manner(fought: Fought) -> str:
    """Return the manner of an attack."""
    said = [what for what, _who in fought.roles]
    pressed = ", pressing the attack" * any(what.startswith("Pressed") for what in said)
    return pressed + ", after an artillery preparation" * ("prepared by" in said)


def _shaken(events: Sequence[Event], voice: Voice) -> Iterator[str]:
    """4.0: yield the units Disrupted in an attack."""
    names = [voice.name(event.key) for event in events if isinstance(event, Marked) and event.table == marks.DISRUPTED]
    if names:
        yield say.sentence(f"{say.joined(names)} {'was' if len(names) == 1 else 'were'} Disrupted")


def _besides(part: Part, voice: Voice, setting: Setting) -> Iterator[str]:
    """Yield moves, arrivals, breakdowns, run-over units, planned attacks and answers."""
    moves = [event for event in part.events if isinstance(event, Moved) and event.how == "move"]
    if len(moves) > FEW:
        yield say.sentence(f"{say.number(len(moves), 'unit')} moved")
    elif moves:
        yield say.sentence(
            say.joined([f"{voice.name(moved.unit)} went to {voice.to(moved.path[-1])}" for moved in moves])
        )
    for event in part.events:
        match event:
            case Tested(subject=uid, passed=False) if uid in setting.counters and event.what == "Movement":
                if setting.counters[uid].kind == PANTHER:
                    yield say.sentence(f"{voice.name(uid)} broke down on the way")
            case Placed(unit=uid, place=label, how="arrives" | "return"):
                yield say.sentence(f"{voice.name(uid)} arrived at {voice.to(label)}")
            case Removed(unit=uid, rule="13.4"):
                yield say.sentence(f"{voice.name(uid)} was run over")
            case Tested(rule="20.2", text=text):
                yield say.sentence(f"the {text.replace(' is ', ' was ', 1)}")
            case Tested(rule="20.4", subject=uid, passed=True):
                yield say.sentence(f"{voice.name(uid)} was hit from the air")
            case Scheduled(key=key, value=[*orders]) if key == BATTLES and orders:
                where, many = say.joined([voice.at(one["hex"]) for one in orders]), say.number(len(orders), "attack")
                yield say.sentence(f"the {part.side.capitalize()} side prepared {many}: {where}")
            case Scheduled(key=key, value=value) if key == POLICY and value:
                yield say.sentence(f"the {part.side.capitalize()} side gave answers for the defenders")
