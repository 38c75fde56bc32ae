"""The choices for the parts of an order, as lists for forms; places are clicked on the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from kursk_pbem.kernel import plane
from kursk_pbem.kernel.picture import Point
from kursk_pbem.kernel.plane import CLOCK, inches
from kursk_pbem.kernel.verbs import CHOICE, ORDER, UNIT, WISHES, Clause, OrderContext
from kursk_pbem.rulesets.armor_commander import plotting, sequence
from kursk_pbem.rulesets.armor_commander.ahead import divide, has_room
from kursk_pbem.rulesets.armor_commander.movement import explain_stuck, is_legal
from kursk_pbem.rulesets.armor_commander.position import DEPLOYMENT, FACING, Field, make_field
from kursk_pbem.rulesets.armor_commander.seen.outlook import explain_refusal, find_places, list_shots, sum_up
from kursk_pbem.rulesets.armor_commander.setting import AP, GUN, HE, TANK

Among = tuple[tuple[str, str], ...]
Entry = dict[str, Any]

HOURS = {"12": "the upper edge", "3": "the right edge", "6": "the lower edge", "9": "the left edge"}
FAR = (600, 500, 400, 300, 200, 100)
"""The offered distances for straight moves, in hundredths of an inch."""


def find_entries(ask: OrderContext, *, deploying: bool = False) -> tuple[tuple[str, str], list[Entry]]:
    """Return the list of orders in a draft as (path, entries). ``deploying``: return the deployment instead."""
    phases = sequence.list_stages(ask.setting)[ask.state.stage].phases
    sealed = bool({sequence.PLOT, sequence.DEPLOY} & set(phases))
    name = DEPLOYMENT if deploying else plotting.name_seal(ask.state.turn)
    path = ("seal", name) if sealed else ("orders", "deployment" if deploying else "units")
    return path, list((ask.draft.get(path[0]) or {}).get(path[1]) or [])


def find_order(ask: OrderContext, uid: str) -> Entry:
    """Return the draft's order for a unit, or {} if the unit has no order."""
    return next((entry for entry in find_entries(ask)[1] if entry.get("id") == uid), {})


def find_move(ask: OrderContext, mid: str) -> Entry:
    """Return the draft's move of a model, or an empty move."""
    moves = find_order(ask, ask.setting.models[mid].unit).get("moves", ())
    return next((mover for mover in moves if mover.get("id") == mid), {"id": mid})


def _table(ask: OrderContext) -> Field:
    return make_field(ask.setting, ask.state)


def _offer_models(ask: OrderContext, who: Iterable[str]) -> Among:
    table = _table(ask)
    return tuple((mid, f"{ask.setting.models[mid].name}, at {plane.text(table.at[mid])}") for mid in who)


def _list_movers(table: Field, side: str) -> list[str]:
    """4.3, 6.4, 7.4: return the models that may have a path."""
    able = [mid for mid in table.list_models(side) if table.is_mobile(mid) and not explain_stuck(table, mid)]
    return [mid for mid in able if not table.is_pinned(table.setting.models[mid].unit)]


def _offer_facing(chosen: str, text: str = "faces at the end", needed: str = "") -> Clause:
    return Clause("face", text, CHOICE, _list_hours(), tuple(chosen.split()), needed=needed)


def _list_hours() -> Among:
    return tuple((hour, HOURS.get(hour, "")) for hour in CLOCK)


def move(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """4.1, 4.3: return what a player can choose for 'move': a model, places clicked on the picture, a facing."""
    table = _table(ask)
    movers = _list_movers(table, ask.state.side)
    if not words or words[0] not in movers:
        return (Clause("", "model", UNIT, _offer_models(ask, movers), notes=() if movers else ("No model can move.",)),)
    old = find_move(ask, words[0])
    path = tuple(place.replace(",", "") for place in old.get("path", ()))
    way = Clause("", "goes by places; the last place is the end", WISHES, tuple(_list_near(table, words[0])), path)
    if ask.setting.models[words[0]].kind == GUN:
        return (way,)
    return way, _offer_facing(old.get("face", ""))


def _list_near(table: Field, mid: str) -> Iterator[tuple[str, str]]:
    """4.3, 4.5: yield legal ends one inch away, in the main directions of the clock."""
    side, start = table.setting.models[mid].side, table.at[mid]
    for end, text in _list_ends(start):
        if is_legal(table, side, start, end) and has_room(table, mid, end):
            yield plane.text(end).replace(",", ""), text


def _list_ends(start: Point) -> Iterator[tuple[Point, str]]:
    """Yield the points one inch away, in the main directions of the clock."""
    for hour, text in HOURS.items():
        across, up = CLOCK[hour]
        yield (start[0] + divide(across * plane.INCH), start[1] + divide(up * plane.INCH)), f"one inch towards {text}"


def advance(ask: OrderContext, _words: Sequence[str]) -> tuple[Clause, ...]:
    """4.1, 4.3: return what a player can choose for 'advance': unit or model, direction, distance, facing of tanks."""
    table, side = _table(ask), ask.state.side
    movers = _list_movers(table, side)
    units = [
        uid
        for uid in dict.fromkeys(table.setting.models[mid].unit for mid in movers)
        if uid not in table.at and any(table.is_mobile(mid) for mid in table.list_unit(uid))
    ]
    among = tuple((uid, f"{table.setting.units[uid].name}, all mobile models") for uid in units)
    return (
        Clause("", "who", UNIT, (*among, *_offer_models(ask, movers)), notes=() if movers else ("No model can move.",)),
        Clause("", "straight towards", CHOICE, _list_hours()),
        Clause("", "inches", CHOICE, tuple((inches(far), "") for far in FAR)),
        _offer_facing("", "tanks face at the end"),
    )[: 4 if movers else 1]


def face(ask: OrderContext, _words: Sequence[str]) -> tuple[Clause, ...]:
    """6.6: return what a player can choose for 'face': a mobile tank, and a direction in half hours of the clock."""
    table = _table(ask)
    tanks = [
        mid
        for mid in table.list_models(ask.state.side)
        if table.is_mobile(mid) and table.setting.models[mid].kind == TANK
    ]
    among = tuple(
        (mid, f"faces {table.state.mark(FACING, mid)}{f', ordered to {hour}' if hour else ''}")
        for mid in tanks
        for hour in [find_move(ask, mid).get("face")]
    )
    return (
        Clause("", "tank", UNIT, among, notes=() if tanks else ("No tank can turn.",)),
        Clause("", "faces", CHOICE, _list_hours()),
    )[: 2 if tanks else 1]


def fire(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """5.1, 5.2, 5.7: return what a player can choose for 'fire': unit or model, enemies by preference, rounds."""
    table, setting, side = _table(ask), ask.setting, ask.state.side
    units = [unit for unit in setting.list_units(side) if table.list_unit(unit.id) and not table.is_pinned(unit.id)]
    whole = {unit.id: (unit.name, table.list_unit(unit.id)) for unit in units}
    single = {mid: ("alone", [mid]) for unit in units for mid in table.list_unit(unit.id) if mid != unit.id}
    if not words or words[0] not in {**whole, **single}:
        return (_who_fires(table, {**whole, **single}),)
    who = words[0]
    uid = who if who in setting.units else setting.models[who].unit
    order = find_order(ask, uid)
    aim = order if who == uid else next((shot for shot in order.get("shots", ()) if shot.get("id") == who), {})
    shooters = table.find_models(who)
    at = Clause(
        "at",
        "at, in order of preference",
        ORDER,
        tuple(_list_targets(table, shooters)),
        tuple(aim.get("at", ())),
        needed="at",
    )
    if setting.units[uid].kind == GUN:
        return (at,)
    rounds = ((AP, "at tanks"), (HE, "at guns"))
    return at, Clause("with", "rounds, instead of fitting rounds", CHOICE, rounds, tuple(aim.get("rounds", "").split()))


def _who_fires(table: Field, shooters: Mapping[str, tuple[str, Sequence[str]]]) -> Clause:
    """5.2: offer the units with visible targets, and name the others; without any visible target offer all units."""
    seen = {who: _within_sight(table, models) for who, (_name, models) in shooters.items()}
    able = [who for who in shooters if seen[who]] or [*shooters]
    among = tuple((who, f"{shooters[who][0]}, can fire at {seen[who] or 'no enemy'} now") for who in able)
    blind = ", ".join(who for who in shooters if who not in able)
    told = f"Without a target now: {blind}. A typed order can still name targets."
    return Clause("", "who fires", UNIT, among, notes=(told,) if blind else ())


def _within_sight(table: Field, shooters: Sequence[str]) -> int:
    """Return the number of present targets of some models."""
    return sum(
        bool(list_shots(table, shooters, foe)) for foe in table.list_enemies(table.setting.models[shooters[0]].side)
    )


def _list_targets(table: Field, shooters: Sequence[str]) -> Iterator[tuple[str, str]]:
    """5.2, A-26: yield possible targets: visible ones by chance, whole units, then the others."""
    setting, first = table.setting, table.setting.models[shooters[0]]
    foes = [
        foe
        for foe in table.list_enemies(first.side)
        if setting.find_weapon(first.kind, setting.models[foe].kind) is not None
    ]
    volleys = {foe: list_shots(table, shooters, foe) for foe in foes}
    seen = [foe for foe in foes if volleys[foe]]
    seen.sort(key=lambda foe: (-sum(shot.hit_chance for shot in volleys[foe]), min(shot.far for shot in volleys[foe])))
    yield from ((foe, f"{sum_up(volleys[foe], len(shooters))}, {setting.models[foe].name}") for foe in seen)
    for uid in dict.fromkeys(setting.models[foe].unit for foe in foes):
        if uid not in foes:
            yield uid, f"{setting.units[uid].name}, the nearest in sight"
    yield from ((foe, f"{setting.models[foe].name}, out of sight or range") for foe in foes if foe not in seen)


def rest(ask: OrderContext, _words: Sequence[str]) -> tuple[Clause, ...]:
    """3.2: return what a player can choose for 'rest': the units that have an order in the draft."""
    chips = tuple(
        (uid, f"{entry.get('chip')} chip")
        for entry in find_entries(ask)[1]
        if (uid := str(entry.get("id"))) in ask.setting.units
    )
    return (Clause("", "unit", UNIT, chips),)


def deploy(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """2.2: return what a player can choose for 'deploy': a model, a place in its zone, a facing."""
    there = find_places(ask.setting, ask.state, ask.state.side)
    written = {entry.get("id"): entry for entry in find_entries(ask, deploying=True)[1]}
    if not words or words[0] not in there:
        among = tuple(
            (mid, f"{ask.setting.models[mid].name}, at {written.get(mid, {}).get('at', plane.text(at))}")
            for mid, (at, _face) in there.items()
        )
        return (Clause("", "model", UNIT, among),)
    mine = written.get(words[0], {})
    place = tuple(place.replace(",", "") for place in (mine.get("at", ""),) if place)
    start = plane.point(mine["at"]) if place else there[words[0]][0]
    at = Clause("", "is at", WISHES, tuple(_list_spots(ask, words[0], start)), place, needed="deploy")
    if ask.setting.models[words[0]].kind == GUN:
        return (at,)
    return at, _offer_facing(mine.get("face", ""), "faces", needed="deploy")


def _list_spots(ask: OrderContext, mid: str, start: Point) -> Iterator[tuple[str, str]]:
    """2.2, 2.3: yield allowed places one inch away, in the main directions of the clock."""
    for end, text in _list_ends(start):
        if not explain_refusal(ask.setting, ask.state, mid, plane.text(end)):
            yield plane.text(end).replace(",", ""), text
