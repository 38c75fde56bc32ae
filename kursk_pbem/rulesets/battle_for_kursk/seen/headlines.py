"""A summary in a few lines, most important first: points, objective, battles, cities, orders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kursk_pbem.kernel.account.battles import clashes, write_headline
from kursk_pbem.kernel.account.lines import DESTROYED, ORDERS, POINTS, TAKEN, Line, joined, rank_lines, spot
from kursk_pbem.kernel.brief import Part, split_phases
from kursk_pbem.kernel.events import Decided, Event, Marked, Moved, Placed, Removed, Scheduled, StepsLost, Tracked
from kursk_pbem.kernel.hexes.policies import BATTLES, POLICY
from kursk_pbem.kernel.state import ANSWERED, STANDING, VERDICT, State
from kursk_pbem.kernel.words import plural
from kursk_pbem.rulesets.battle_for_kursk.position import position
from kursk_pbem.rulesets.battle_for_kursk.posture import weather_due
from kursk_pbem.rulesets.battle_for_kursk.replacements import WORD, count_points, point_type
from kursk_pbem.rulesets.battle_for_kursk.seen.unused import find_takers
from kursk_pbem.rulesets.battle_for_kursk.seen.wording import Wording
from kursk_pbem.rulesets.battle_for_kursk.setting import GERMAN, RUSSIAN, SIDES, Setting
from kursk_pbem.rulesets.battle_for_kursk.victory import score


def make_headlines(setting: Setting, before: State, events: Sequence[Event], after: State) -> tuple[str, ...]:
    """Return at most seven lines about the events between two positions."""
    words, phases = Wording(setting), list(split_phases(before, events))
    own = [[part for part in phases if part.side == side] for side in SIDES]
    return rank_lines(
        [
            *_list_points(setting, before, after),
            *_list_objective(words, before, events, after),
            *(write_headline(clash, words) for clash in clashes(events)),
            *_list_cities(setting, before, after),
            *(_postures(events) if all(own) else (line for part in own for line in _list_orders(setting, part, after))),
            *_turn(before, after),
        ]
    )


def _list_points(setting: Setting, before: State, after: State) -> Iterator[Line]:
    """5.0: yield the victory points, if changed or decisive."""
    was, now = score(setting, before).total, score(setting, after).total
    if was != now or after.mark(VERDICT, "how"):
        yield POINTS, f"Victory points: {_lead(now)}{f' (before: {_lead(was)})' if was != now else ''}"


def _lead(total: int) -> str:
    leader = RUSSIAN if total > 0 else GERMAN
    return f"{leader.capitalize()} {abs(total)} ahead" if total else "even"


def _list_objective(words: Wording, before: State, events: Sequence[Event], after: State) -> Iterator[Line]:
    """12.1: yield lines about the objective: won, moved or turned over."""
    was = before.mark("objective", "hex")
    lay = [each.value for each in events if isinstance(each, Marked) and (each.table, each.key) == ("objective", "hex")]
    where = spot(words, (lay or [was])[-1])
    if (winner := after.mark("objective", "won")) and not before.mark("objective", "won"):
        yield POINTS, f"{words.side(winner)} side wins the Strategic Objective, {where}"
    elif after.mark("objective", "hex") != was:
        yield POINTS, f"The Strategic Objective is now {where}, {words.side(after.mark('objective', 'side'))} side"


def _list_cities(setting: Setting, before: State, after: State) -> Iterator[Line]:
    """10.0: yield the cities with a new owner, a line for every side."""
    taken: dict[str, list[str]] = {}
    for hex_, name in setting.city_names.items():
        label, home = setting.board.labels[hex_], setting.city_side[hex_]
        now = after.mark("control", label, home)
        if now != before.mark("control", label, home):
            taken.setdefault(now, []).append(name)
    for side in sorted(taken):
        yield TAKEN, f"Taken by the {side.capitalize()} side: {joined(taken[side])}"


def _list_orders(setting: Setting, phases: list[Part], after: State) -> Iterator[Line]:
    """Yield the orders of one side: posture, battles before their dice, moves, replacements."""
    events = [event for part in phases for event in part.events if part.phase not in ("combat", "turn")]
    side, chosen = phases[0].side if phases else "", _find_chosen(events)
    told = [f"posture {chosen.pop(side)}"] if side in chosen else []
    declared = any(isinstance(event, Scheduled) and event.key == BATTLES and event.value for event in events)
    words = Wording(setting)
    if declared and (waiting := after.agenda.get(BATTLES, ())):
        names = ", ".join(f"{words.unit(order['defender'])} in {spot(words, order['hex'])}" for order in waiting)
        told.append(f"{plural(len(waiting), 'attack')} ({names})")
    moves = sum(isinstance(event, Moved) for event in events)
    told += [plural(moves, "move")] if moves else []
    gains = len({event.unit for event in events if isinstance(event, Placed)})  # returned units may gain a step, too
    told += [f"{plural(gains, 'unit')} reinforced"] if gains else []
    lost = [event.unit for event in events if isinstance(event, Removed)]
    if lost:
        yield DESTROYED, f"Given up altogether: {joined([words.unit(uid) for uid in lost])}"
    given = [words.unit(event.unit) for event in events if isinstance(event, (StepsLost, Removed))]
    told += [f"{plural(len(given), 'step')} given up ({', '.join(given)})"] if given else []
    told += [left for part in phases if part.phase == "replacement" for left in _list_unspent(setting, part)]
    filed = [event.key for event in events if isinstance(event, Scheduled) and event.value]
    told += ["a posture sealed"] if any(key.startswith("sealed/posture") for key in filed) else []
    told += ["standing answers"] if any(key.startswith(STANDING) for key in filed) else []
    if told:
        yield ORDERS, f"{side.capitalize()} orders: {', '.join(told)}"
    yield from ((ORDERS, f"{enemy.capitalize()} posture: {chosen[enemy]}") for enemy in chosen)
    if any(part.phase == "answer" for part in phases):
        yield from _describe_answer(events, after)


def _describe_answer(events: Sequence[Event], after: State) -> Iterator[Line]:
    """9.0: yield the decision of an answer, or whether the defenders have orders."""
    if ANSWERED in after.agenda:
        made = [
            f"The decision on {each.subject}: {each.chosen}"
            for each in events
            if isinstance(each, Decided) and each.rule != "12.0-3"
        ]
        ordered = "Orders for the defenders" if after.agenda.get(POLICY) else "No special orders for the defenders"
        yield ORDERS, "".join(made) or f"{ordered}; the battles come next"


def _postures(events: Sequence[Event]) -> Iterator[Line]:
    """12.0: yield the postures; for messages of both sides, results show the other orders."""
    chosen = {event.table: event.value for event in events if isinstance(event, Marked) and event.key == "posture"}
    if chosen:
        yield (
            ORDERS,
            f"Postures: {', '.join(f'{side.capitalize()} {chosen[side]}' for side in SIDES if side in chosen)}",
        )


def _find_chosen(events: Sequence[Event]) -> dict[str, str]:
    """12.0, 12.0-3: return every side's present posture and its origin, including reactions."""
    waived = any(isinstance(event, Scheduled) and event.key == "waived" and event.value for event in events)
    how = " without waiting for the enemy" if waived else ""
    spent = [event for event in events if isinstance(event, Tracked) and event.rule == "12.0-2" and event.by]
    price = {event.track: f" for {plural(-event.by, 'Offensive marker')}" for event in spent}
    chosen = {
        event.table: event.value + price.get(f"offensives-{event.table}", "") + how
        for event in events
        if isinstance(event, Marked) and event.key == "posture" and event.value
    }
    reacts = [event.owner for event in events if isinstance(event, Decided) and event.rule == "12.0-3"]
    return chosen | {side: f"{chosen[side]} by Emergency Reaction" for side in reacts}


def _list_unspent(setting: Setting, part: Part) -> Iterator[str]:
    """10.4: yield unspent replacement points of every kind with possible uses."""
    net = count_points(setting, part.before, part.side)
    for event in part.events:
        if isinstance(event, Placed) and event.how != "return":
            net[point_type(setting, event.unit)] -= 1
    for kind, number in net.items():
        if number > 0 and find_takers(position(setting, part.after), part.side, kind):
            yield f"{plural(number, f'{WORD[kind]} point')} unspent"


def _turn(before: State, after: State) -> Iterator[Line]:
    """4.0, 11.0: yield the new turn with its weather, or the weather die."""
    weather = "the weather die is due" if weather_due(after) else "mud" if after.tracks["mud"] else "dry"
    if before.turn != after.turn:
        yield ORDERS, f"Turn {after.turn} begins: {weather}"
    elif weather_due(before) and not weather_due(after):
        yield ORDERS, f"The weather of turn {after.turn}: {weather}"
