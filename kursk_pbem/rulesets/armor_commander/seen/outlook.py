"""4.3, 5.2 to 5.5, 6.1 to 6.9: the possibilities in a position: moves, visible enemies, hits and saves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel import plane
from kursk_pbem.kernel.outlook import MovePhase, Mover, Outlook, Target
from kursk_pbem.kernel.picture import Point
from kursk_pbem.kernel.plane import CLOCK, inches
from kursk_pbem.kernel.state import OFF_MAP, State
from kursk_pbem.kernel.umpire import other
from kursk_pbem.kernel.words import some
from kursk_pbem.rulesets.armor_commander import fire, movement, sequence, setup
from kursk_pbem.rulesets.armor_commander.ahead import find_straight_end, has_room
from kursk_pbem.rulesets.armor_commander.fire import Shot
from kursk_pbem.rulesets.armor_commander.position import FACING, Field, make_field
from kursk_pbem.rulesets.armor_commander.seen import reach, sights
from kursk_pbem.rulesets.armor_commander.setting import COHESION, SIDES, TANK, Setting

HEADING = "Possible targets from the present places [5.2]"
NOTES = (
    "A path may bend. Cohesion of 6.00 inches is looked at when the whole unit has moved (4.4).",
    "A unit moves or fires, but never moves and fires (4.6).",
)
TRIED = "Only straight moves are tried, in steps of a quarter inch. A model may reach other places, too."
SEALED = "A deployment is sealed: reach counts from the scenario's places, the map shows your draft."
MANY = 12
"""The maximum number of named models in a line of shots."""


def make_outlook(setting: Setting, state: State, unit: str) -> Outlook:
    """Return what the next side, a unit or a model can do. Raises UsageError if the unit or model is off the table."""
    table = make_field(setting, state)
    if is_deploying(setting, state):
        return _show_deployment(table, unit)
    if unit and not table.find_models(unit):
        raise UsageError(f"{unit} is no unit or model on the table")
    who = table.find_models(unit) or table.list_models(state.side)
    if not who and table.list_undeployed():
        return Outlook(
            state.side, (), (), ("No model of the side is on the table, because the deployment is not shown yet.",)
        )
    side = setting.models[who[0]].side if who else state.side
    movers = tuple(_make_mover(table, mid, ways=bool(unit), around=unit in table.at) for mid in who)
    able = [mid for mid in who if not table.is_pinned(setting.models[mid].unit)]
    targets = tuple(_list_targets(table, able, other(SIDES, side)))
    alone = [unit] if unit in table.at else []
    lines = [line for mid in alone for line in (*sights.list_sights(table, alone), *sights.list_arcs(table, mid))]
    mates = {mid: at for mid, at in table.at.items() if table.is_mobile(mid)}
    ranges = tuple(
        place for mid in alone for place in (*sights.list_ranges(table, mid), *reach.list_mates(setting, mid, mates))
    )
    phase = MovePhase("move", "4.3", (*NOTES, *list_wrecks(table)), movers, verb="move")
    return Outlook(
        side,
        (phase,),
        targets,
        (TRIED,) if unit and not all(_find_hold(table, mid) for mid in who) else (),
        HEADING,
        at="at",
        sights=tuple(lines),
        ranges=ranges,
    )


def list_wrecks(table: Field) -> tuple[str, ...]:
    """A-32: return a sentence about the wrecks on which no move may end, or () without wrecks."""
    there = [f"{mid} {plane.text(place)}" for mid, place in table.list_wrecks()]
    return (f"Wrecks (no move may end on a wreck): {'; '.join(there)}.",) if there else ()


def is_deploying(setting: Setting, state: State) -> bool:
    """Return whether the next message contains the deployment of a side."""
    return bool({sequence.DEPLOY, sequence.PLACE} & set(sequence.list_stages(setting)[state.stage].phases))


def find_places(setting: Setting, state: State, side: str) -> dict[str, setup.Stand]:
    """2.2: return the places of a side's models. Before the deployment, return the scenario's places."""
    places = setup.list_scenario_places(setting, side)
    for mid in (mid for mid in places if state.units[mid].place != OFF_MAP):
        places[mid] = plane.point(state.units[mid].place), state.mark(FACING, mid)
    return places


def _show_deployment(table: Field, unit: str) -> Outlook:
    """2.2, 2.3: return the models of the deploying side, each with its zone and the bases in the way."""
    setting, side = table.setting, table.state.side
    places = find_places(setting, table.state, side)
    chosen = [mid for mid in places if unit in ("", mid, setting.models[mid].unit)]
    if not chosen:
        raise UsageError(f"{unit} is no model of the {side.capitalize()} side, which deploys now")
    movers = []
    for mid in chosen:
        place, face = places[mid]
        mine = setting.models[mid].radius
        near = tuple((at, mine + setting.models[model].radius) for model, (at, _face) in places.items() if model != mid)
        turns = _list_turns(f"deploy {mid} face", face) if face else ()
        movers.append(
            Mover(
                mid,
                plane.text(place),
                "",
                (),
                f"anywhere in the deployment zone, {_describe_terrain(setting, mid)}",
                setting.zones[side].outline,
                near,
                turns,
            )
        )
    notes = [f"No bases touch, and the tanks of a unit {describe_cohesion(setting)} (2.3, 4.4)."]
    if sequence.DEPLOY in sequence.list_stages(setting)[table.state.stage].phases:
        notes.append(SEALED)
    phase = MovePhase("place", "2.2", tuple(notes), tuple(movers), verb="deploy")
    mates = {mid: at for mid, (at, _face) in places.items()}
    kept = reach.list_mates(setting, unit, mates) if unit in setting.models else ()
    return Outlook(side, (phase,), (), (), HEADING, at="at", ranges=kept)


def describe_cohesion(setting: Setting) -> str:
    """4.4: return the rule of cohesion as a sentence. The rule depends on an option of the game."""
    far = f"{inches(COHESION)} inches"
    return f"form a chain with steps of at most {far}" if setting.chain else f"are at most {far} apart"


def _describe_terrain(setting: Setting, mid: str) -> str:
    """2.3: describe the terrain allowed at deployment."""
    return "out of terrain" if setting.models[mid].kind == TANK else "in terrain only in cover, and then without moves"


def _list_turns(order: str, face: str) -> tuple[str, ...]:
    """Return two orders that turn a tank by half an hour, left and right."""
    clock = list(CLOCK)
    at = clock.index(face)
    return tuple(f"{order} {clock[(at + step) % len(clock)]}" for step in (-1, 1))


def describe_reach(table: Field, mid: str) -> str:
    """4.3: return in words how far a model can move."""
    far = f"anywhere within {inches(table.setting.moves[table.setting.models[mid].kind])} inches"
    return (_find_hold(table, mid) or (f"{far}, not through terrain, near an enemy or onto another model",))[0]


def _find_hold(table: Field, mid: str) -> tuple[str, str] | None:
    """4.5, 6.4, 7.4: return why a model may not move, with the paragraph, or None."""
    model = table.setting.models[mid]
    if not table.is_mobile(mid):
        return "immobile: may fire, but neither move nor turn", "6.4"
    if table.is_pinned(model.unit):
        return "pinned: no chip this turn", "7.4"
    return (
        (f"{what}: no way out{', but may turn' * (model.kind == TANK)}", "4.5")
        if (what := movement.explain_stuck(table, mid))
        else None
    )


def explain_refusal(setting: Setting, state: State, unit: str, to: str) -> tuple[str, ...]:
    """4.3, 4.5: return why a model may not move to a place, or be placed there in the deployment (2.2, 2.3)."""
    table = make_field(setting, state)
    try:
        *by, end = map(plane.point, to.split("; "))
    except ValueError as error:
        raise UsageError(str(error)) from None
    if is_deploying(setting, state):
        return _explain_place(setting, state, unit, end)
    if unit not in table.at:
        raise UsageError(f"{unit} is not a single model on the table")
    model = setting.models[unit]
    if held := _find_hold(table, unit):
        return (f"{held[0]} [{held[1]}]",)
    which = "the way" if by else "the straight way"
    way = table.at[unit], *by, end
    bars = [
        f"{which} {bar.why} [{bar.rule}]"
        for bar in movement.find_bars(table, model.side, way, setting.moves[model.kind])
    ]
    if not has_room(table, unit, end):
        bars.append(f"the move would end on {_describe_under(table, unit, end)} [4.3]")
    return tuple(bars)


def _explain_place(setting: Setting, state: State, unit: str, end: Point) -> tuple[str, ...]:
    """2.2, 2.3: return the faults of a model in a place. Missing cohesion can still be repaired."""
    places = find_places(setting, state, state.side)
    if unit not in places:
        raise UsageError(f"{unit} is no single model of the {state.side.capitalize()} side, which deploys now")
    there = {**places, unit: (end, places[unit][1])}
    return tuple(
        f"{slip.why} [{slip.rule}]"
        for slip in setup.check_together(setting, state.side, there)
        if unit in slip.why.split() and slip.rule != "4.4"
    )


def _make_mover(table: Field, mid: str, *, ways: bool, around: bool) -> Mover:
    """Return a model; ``ways``: with its reach by the clock; ``around``: with the outline of its reach."""
    free = not _find_hold(table, mid)
    ends = _find_ends(table, mid) if ways and free else {}
    ways_there = (f"at {name} {f'to {end}' if end else 'nowhere'}" for name, end in ends.items())
    told = "; ".join((describe_reach(table, mid), *ways_there)).replace("; at ", "; straight ahead at ", 1)
    face = table.state.mark(FACING, mid)
    turns = _list_turns(f"face {mid}", face) if face and table.is_mobile(mid) else ()
    if not (around and free):
        return Mover(mid, plane.text(table.at[mid]), "", (), told, turns=turns)
    return Mover(
        mid,
        plane.text(table.at[mid]),
        "",
        (),
        told,
        reach.find_outline(table, mid),
        reach.list_holes(table, mid),
        turns,
        tuple((name, end) for name, end in ends.items() if end),
    )


def _find_ends(table: Field, mid: str) -> dict[str, str]:
    """4.3, 4.5: return the farthest straight end in each of the 24 directions, or ''."""
    ends = {name: find_straight_end(table, mid, vector) for name, vector in CLOCK.items()}
    return {name: plane.text(end) if end else "" for name, end in ends.items()}


def _describe_under(table: Field, mid: str, end: Point) -> str:
    """4.3, A-31, A-32: describe the wreck or base under a model's end. Only a mobile friend may leave."""
    models = table.setting.models
    if wreck := table.find_wreck(mid, end):
        return f"the wreck of {wreck}"
    radius = models[mid].radius
    under = [one for one, at in table.at.items() if one != mid and plane.over(end, at, radius + models[one].radius)]
    goes = all(models[one].side == models[mid].side and not _find_hold(table, one) for one in under)
    return f"the base of {' and '.join(under)}{', unless the model there moves' if goes else ''}"


def _list_targets(table: Field, who: list[str], side: str) -> Iterator[Target]:
    for foe in table.list_models(side):
        volley = list_shots(table, who, foe)
        if lines := tuple(describe_shots(volley)):
            chances: dict[str, Fraction] = {}
            for shot in volley:
                unit = table.setting.models[shot.shooter].unit
                chances[unit] = chances.get(unit, Fraction(0)) + shot.hit_chance
            best = min(chances, key=lambda unit: (-chances[unit], unit))
            brief, at = sum_up(volley, len(who)), plane.text(table.at[foe])
            yield Target((foe,), at, None, (), lines=lines, verb="fire", who=best, brief=brief)


def list_shots(table: Field, shooters: Sequence[str], target: str) -> list[Shot]:
    """5.2 to 5.4: return the possible shots of some models at a target, from where the models are now."""
    models = table.setting.models
    volley = [
        fire.measure_shot(table, mid, target)
        for mid in shooters
        if table.setting.find_weapon(models[mid].kind, models[target].kind) and table.can_see(mid, target)
    ]
    return [shot for shot in volley if shot.band]


def sum_up(volley: Sequence[Shot], many: int) -> str:
    """Return a summary of the shots of ``many`` models: '4+ hits, 12 inches', '5+ for 6 of 8, from 9'."""
    needs = sorted(shot.needs for shot in volley)
    told = " and ".join(f"{die}+ for {needs.count(die)}" for die in dict.fromkeys(needs))
    far = inches(min(shot.far for shot in volley))
    return f"{needs[0]}+ hits, {far} inches" if many == 1 else f'{told} of {many}, from {far}"'


def describe_shots(volley: Sequence[Shot]) -> Iterator[str]:
    """Yield a sentence for each group of equal shots: 'AP round, long range: hits at 5 or more (1/3); it saves ...'."""
    alike: dict[str, list[str]] = {}
    for shot in volley:
        first, *others = shot.effects
        blast = f"; the blast also reaches {some([other.model for other in others], MANY)}" if others else ""
        told = f"{shot.weapon}, {shot.band} range: hits at {shot.needs} or more ({shot.hit_chance})"
        key = f"{told}; it {first.description} ({first.chance}){blast}"
        alike.setdefault(key, []).append(f"{shot.shooter} at {inches(shot.far)}")
    for key, who in alike.items():
        more = f" and {len(who) - MANY} more" if len(who) > MANY else ""
        yield f"{key}. {', '.join(who[:MANY])} inches{more}"
