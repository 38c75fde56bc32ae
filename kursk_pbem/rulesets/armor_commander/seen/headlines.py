"""The events in a few lines and in prose: losses, immobile and pinned models, shots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from kursk_pbem.kernel.account import lines
from kursk_pbem.kernel.account.lines import COSTLY, DESTROYED, GROUND, ORDERS, VAIN, Line, joined, rank_lines, sentence
from kursk_pbem.kernel.brief import split_phases
from kursk_pbem.kernel.events import Event, Marked, Moved, Noted, Placed, Removed, Rolled, Scheduled, StepsLost, Tested
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.words import plural
from kursk_pbem.rulesets.armor_commander.fire import SILENT
from kursk_pbem.rulesets.armor_commander.position import IMMOBILE, INITIATIVE, OPEN, PINNED, PLOT
from kursk_pbem.rulesets.armor_commander.seen.wording import Wording
from kursk_pbem.rulesets.armor_commander.setting import SIDES, Setting


@dataclass
class Count:
    """What happened to the models of one side, by id in order. ``crew``: gun -> casualties."""

    gone: list[str] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)
    pinned: list[str] = field(default_factory=list)
    crew: dict[str, int] = field(default_factory=dict)
    moved: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)
    shots: int = 0
    hits: int = 0


def count_events(setting: Setting, events: Sequence[Event]) -> dict[str, Count]:
    """Return what happened to the models of both sides. A shot or hit counts for the side that fired it."""
    counts = {side: Count() for side in SIDES}
    for event in events:
        match event:
            case Removed(unit=uid):
                counts[setting.models[uid].side].gone.append(uid)
            case Marked(table=table, key=key) if table in (IMMOBILE, PINNED):
                side = counts[setting.models[key].side]
                (side.stuck if table == IMMOBILE else side.pinned).append(key)
            case StepsLost(unit=uid, lost=lost):
                crew = counts[setting.models[uid].side].crew
                crew[uid] = crew.get(uid, 0) + lost
            case Moved(unit=uid):
                counts[setting.models[uid].side].moved.append(uid)
            case Noted(text=text) if SILENT in text and (shooter := text.partition(SILENT)[0]) in setting.models:
                counts[setting.models[shooter].side].silent.append(shooter)
            case Tested(subject=uid, label=label, passed=hit) if label.endswith("/hit"):
                counts[setting.models[uid].side].shots += 1
                counts[setting.models[uid].side].hits += hit
            case _:
                pass
    for count in counts.values():  # a loss replaces earlier events of a model; a gun may be pinned twice
        count.stuck, count.pinned = (
            [uid for uid in dict.fromkeys(uids) if uid not in count.gone] for uids in (count.stuck, count.pinned)
        )
        count.crew = {uid: lost for uid, lost in count.crew.items() if uid not in count.gone}
    return counts


def make_headlines(setting: Setting, before: State, events: Sequence[Event], after: State) -> tuple[str, ...]:
    """Return the headlines about losses, shots, moves, initiative and orders."""
    return rank_lines([*_list_lines(setting, events), *_list_orders(before, events, after)])


def _list_lines(setting: Setting, events: Sequence[Event]) -> Iterator[Line]:
    words = Wording(setting)
    for side, count in count_events(setting, events).items():
        own = words.side(side)
        for uids, rank, what in (
            (count.gone, DESTROYED, "destroyed"),
            (count.stuck, COSTLY, "may no longer move"),
            (count.pinned, COSTLY, "pinned"),
        ):
            if uids:
                yield rank, f"{own}: {_count_names(words, uids)} {what}"
        if count.crew:
            fallen = plural(sum(count.crew.values()), "man").replace("mans", "men")
            yield COSTLY, f"{own}: {fallen} lost, crews fight on"
        if count.shots:
            hits = plural(count.hits, "hit")
            yield (GROUND if count.hits else VAIN), f"{own}: {plural(count.shots, 'shot')}, {hits}"
        if count.silent and not count.shots:
            yield VAIN, f"{own}: {_count_names(words, count.silent)} did not fire as ordered"
        if count.moved:
            yield GROUND, f"{own}: {plural(len(count.moved), 'model')} moved"


def _list_orders(before: State, events: Sequence[Event], after: State) -> Iterator[Line]:
    if deployed := sum(isinstance(event, Placed) for event in events):
        yield ORDERS, f"{plural(deployed, 'model')} deployed"
    if (first := after.mark(INITIATIVE, "first")) and any(
        isinstance(event, Marked) and event.table == INITIATIVE for event in events
    ):
        yield ORDERS, f"{first.capitalize()}: acts first in turn {after.turn}"
    given = "orders given" if after.agenda.get(OPEN) else "no unit gets a chip"
    for key, text in ((PLOT, "orders sealed"), (OPEN, given)):
        if key in after.agenda and key not in before.agenda:
            yield ORDERS, text


def _count_names(words: Wording, uids: Sequence[str]) -> str:
    """Return the names with numbers: 'two T-34, a ZiS-3'; 'T-34' for a single model."""
    named = Counter(map(words.unit, uids))
    return joined([name if len(uids) == 1 else f"{count} {name}" for name, count in named.items()])


def tell_story(setting: Setting, before: State, events: Sequence[Event], _after: State) -> tuple[str, ...]:
    """Return a paragraph for each action: what both sides did, by initiative, and then their losses."""
    paragraphs = []
    for part in split_phases(before, events):
        counts, acts_first = count_events(setting, part.events), part.before.mark(INITIATIVE, "first")
        told = [
            each for side in sorted(SIDES, key=acts_first.__ne__) for each in _list_prose(setting, side, counts[side])
        ]
        sentences = [sentence(line) for _lost, line in sorted(told, key=lambda each: each[0])]
        if part.phase == "initiative" and (first := part.after.mark(INITIATIVE, "first")):
            last = {event.whose: event.digits for event in part.events if isinstance(event, Rolled)}
            dice = joined([f"{side.capitalize()} {digits}" for side, digits in last.items()])
            who = f"the {first.capitalize()} side acts first in turn {part.after.turn}"
            sentences.append(sentence(f"{who}: the dice were {dice}"))
        if any(isinstance(event, Scheduled) and event.key == OPEN and event.value for event in part.events):
            sentences.append(sentence(f"the {part.side.capitalize()} side gave orders"))
        if sentences:
            paragraphs.append(" ".join(sentences))
    return tuple(paragraphs)


def _list_prose(setting: Setting, side: str, count: Count) -> Iterator[tuple[bool, str]]:
    """Yield (is a loss, words) for a side's deeds and losses."""
    own, words = side.capitalize(), Wording(setting)
    if count.moved:
        yield False, f"the {own} side moved {_spell_names(words, count.moved)}"
    if count.shots:
        hits = f"hit {lines.number(count.hits, 'time')}" if count.hits else "missed"
        yield False, f"the {own} side fired {lines.number(count.shots, 'shot')} and {hits}"
    if count.gone:
        yield True, f"the {own} side lost {_spell_names(words, count.gone)}"
    for uids, what in ((count.stuck, "could no longer move"), (count.pinned, "was pinned after casualties")):
        yield from ((True, f"a {own} {words.unit(uid)} {what}") for uid in uids)


def _spell_names(words: Wording, uids: Sequence[str]) -> str:
    """Return 'two T-34 and one ZiS-3'."""
    named = Counter(map(words.unit, uids))
    return joined([lines.number(count, name).removesuffix("s") for name, count in named.items()])
