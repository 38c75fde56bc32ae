"""4.3, 5.2 to 5.5, 6.1 to 6.9: what may be done from a position: how far, whom one sees, what hits and what saves."""

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

HEADING = "What can be fired at from where models stand now [5.2]"
NOTES = (
    "A path may bend. Cohesion of 6.00 inches is looked at when the whole unit has moved (4.4).",
    "A unit moves or fires, never both (4.6).",
)
TRIED = "Straight ahead is tried by quarters of an inch; 'kursk moves --to 31,9.5' asks about that place or any other."
SEALED = "A deployment is sealed: 'kursk moves' counts from the scenario's places, the map shows those of your draft."
MANY = 12
"""Models that are named in one line of shots; of more it is said how many there are."""


def outlook(setting: Setting, state: State, unit: str) -> Outlook:
    """What the side that writes next may do, or one unit or model. UsageError if there is none on the table."""
    table = make_field(setting, state)
    if deploying(setting, state):
        return _deployment(table, unit)
    if unit and not table.find_models(unit):
        raise UsageError(f"{unit} is no unit or model on the table")
    who = table.find_models(unit) or table.list_models(state.side)
    if not who and table.list_undeployed():
        return Outlook(state.side, (), (), ("Nobody of this side is on the table: its deployment is not shown yet.",))
    side = setting.models[who[0]].side if who else state.side
    movers = tuple(_mover(table, mid, ways=bool(unit), around=unit in table.at) for mid in who)
    able = [mid for mid in who if not table.is_pinned(setting.models[mid].unit)]
    targets = tuple(_targets(table, able, other(SIDES, side)))
    alone = [unit] if unit in table.at else []
    lines = [line for mid in alone for line in (*sights.of_models(table, alone), *sights.arcs(table, mid))]
    mates = {mid: at for mid, at in table.at.items() if table.is_mobile(mid)}
    ranges = tuple(place for mid in alone for place in (*sights.ranges(table, mid), *reach.keeps(setting, mid, mates)))
    phase = MovePhase("move", "4.3", (*NOTES, *wrecks(table)), movers, verb="move")
    return Outlook(
        side,
        (phase,),
        targets,
        (TRIED,) if unit and not all(_held(table, mid) for mid in who) else (),
        HEADING,
        at="at",
        sights=tuple(lines),
        ranges=ranges,
    )


def wrecks(table: Field) -> tuple[str, ...]:
    """A-32: a line on the wrecks that bar the end of a move, if there are any."""
    there = [f"{mid} {plane.text(place)}" for mid, place in table.list_wrecks()]
    return (f"Wrecks, on which no move may end: {'; '.join(there)}.",) if there else ()


def deploying(setting: Setting, state: State) -> bool:
    """Whether the message that is due deploys."""
    return bool({sequence.DEPLOY, sequence.PLACE} & set(sequence.find_stages(setting)[state.stage].phases))


def stands(setting: Setting, state: State, side: str) -> dict[str, setup.Stand]:
    """2.2: where the models of a side stand, or are to stand while nobody has put them elsewhere."""
    places = setup.list_scenario_places(setting, side)
    for mid in (mid for mid in places if state.units[mid].place != OFF_MAP):
        places[mid] = plane.point(state.units[mid].place), state.mark(FACING, mid)
    return places


def _deployment(table: Field, unit: str) -> Outlook:
    """2.2, 2.3: the models of the side that deploys, each anywhere in its zone where no base touches another."""
    setting, side = table.setting, table.state.side
    places = stands(setting, table.state, side)
    chosen = [mid for mid in places if unit in ("", mid, setting.models[mid].unit)]
    if not chosen:
        raise UsageError(f"{unit} is nobody of the {side.capitalize()} side, which deploys now")
    movers = []
    for mid in chosen:
        place, face = places[mid]
        mine = setting.models[mid].radius
        near = tuple((at, mine + setting.models[model].radius) for model, (at, _face) in places.items() if model != mid)
        turns = _turns(f"deploy {mid} face", face) if face else ()
        movers.append(
            Mover(
                mid,
                plane.text(place),
                "",
                (),
                f"anywhere in the deployment zone, {_off_terrain(setting, mid)}",
                setting.zones[side].outline,
                near,
                turns,
            )
        )
    notes = [f"No bases touch, and the tanks of a unit {joined(setting)} (2.3, 4.4)."]
    if sequence.DEPLOY in sequence.find_stages(setting)[table.state.stage].phases:
        notes.append(SEALED)
    phase = MovePhase("place", "2.2", tuple(notes), tuple(movers), verb="deploy")
    mates = {mid: at for mid, (at, _face) in places.items()}
    kept = reach.keeps(setting, unit, mates) if unit in setting.models else ()
    return Outlook(side, (phase,), (), (), HEADING, at="at", ranges=kept)


def joined(setting: Setting) -> str:
    """4.4: how the tanks of a unit keep together, by the option of the game."""
    far = f"{inches(COHESION)} inches"
    return f"are joined, each within {far} of some other" if setting.chain else f"stand within {far} of each other"


def _off_terrain(setting: Setting, mid: str) -> str:
    """2.3: what terrain a model may be deployed in."""
    return "out of terrain" if setting.models[mid].kind == TANK else "in terrain only where it is cover, to stay there"


def _turns(order: str, face: str) -> tuple[str, ...]:
    """Whole orders that turn a tank by half an hour, to the left and to the right."""
    clock = list(CLOCK)
    at = clock.index(face)
    return tuple(f"{order} {clock[(at + step) % len(clock)]}" for step in (-1, 1))


def within(table: Field, mid: str) -> str:
    """4.3: how far a model may go."""
    far = f"anywhere within {inches(table.setting.moves[table.setting.models[mid].kind])} inches"
    return (_held(table, mid) or (f"{far}, not through terrain, near an enemy or onto another model",))[0]


def _held(table: Field, mid: str) -> tuple[str, str] | None:
    """4.5, 6.4, 7.4: why a model stays where it is, with the paragraph; None if it may move."""
    model = table.setting.models[mid]
    if not table.is_mobile(mid):
        return "immobile: it may fire, but neither move nor turn", "6.4"
    if table.is_pinned(model.unit):
        return "pinned: it has no chip this turn", "7.4"
    return (
        (f"{what}: it has no way out{', but may turn' * (model.kind == TANK)}", "4.5")
        if (what := movement.explain_stuck(table, mid))
        else None
    )


def why(setting: Setting, state: State, unit: str, to: str) -> tuple[str, ...]:
    """4.3, 4.5: why a model may not go to a place, straight or by others that stand before it; nothing if it may.

    While one deploys: why it may not stand there (2.2, 2.3). UsageError if it is no model.
    """
    table = make_field(setting, state)
    try:
        *by, end = map(plane.point, to.split("; "))
    except ValueError as error:
        raise UsageError(str(error)) from None
    if deploying(setting, state):
        return _why_not_there(setting, state, unit, end)
    if unit not in table.at:
        raise UsageError(f"{unit} is no single model on the table")
    model = setting.models[unit]
    if held := _held(table, unit):
        return (f"{held[0]} [{held[1]}]",)
    which = "the way" if by else "the straight way"
    way = table.at[unit], *by, end
    bars = [
        f"{which} {bar.why} [{bar.rule}]"
        for bar in movement.find_bars(table, model.side, way, setting.moves[model.kind])
    ]
    if not has_room(table, unit, end):
        bars.append(f"it would end on {_under(table, unit, end)} [4.3]")
    return tuple(bars)


def _why_not_there(setting: Setting, state: State, unit: str, end: Point) -> tuple[str, ...]:
    """2.2, 2.3: what is wrong with a model in a place; that it is far from its unit can still be repaired."""
    places = stands(setting, state, state.side)
    if unit not in places:
        raise UsageError(f"{unit} is no single model of the {state.side.capitalize()} side, which deploys now")
    there = {**places, unit: (end, places[unit][1])}
    return tuple(
        f"{slip.why} [{slip.rule}]"
        for slip in setup.check_together(setting, state.side, there)
        if unit in slip.why.split() and slip.rule != "4.4"
    )


def _mover(table: Field, mid: str, *, ways: bool, around: bool) -> Mover:
    """A model; with ``ways`` also how far it comes straight ahead by the clock, if it may move at all.

    ``around``: the outline of all ends straight ahead too, for pictures of one model.
    """
    free = not _held(table, mid)
    told = f"{within(table, mid)}; straight ahead {_ends(table, mid)}" if ways and free else within(table, mid)
    face = table.state.mark(FACING, mid)
    turns = _turns(f"face {mid}", face) if face and table.is_mobile(mid) else ()
    if not (around and free):
        return Mover(mid, plane.text(table.at[mid]), "", (), told, turns=turns)
    return Mover(
        mid, plane.text(table.at[mid]), "", (), told, reach.outline(table, mid), reach.holes(table, mid), turns
    )


def _ends(table: Field, mid: str) -> str:
    """4.3, 4.5: the farthest of some places on a straight line in each of the 24 directions."""
    ends = ((name, find_straight_end(table, mid, vector)) for name, vector in CLOCK.items())
    return "; ".join(f"at {name} to {plane.text(end)}" if end else f"at {name} nowhere" for name, end in ends)


def _under(table: Field, mid: str, end: Point) -> str:
    """4.3, A-31, A-32: on what a base would stand; only a friend who can move may have gone by then."""
    models = table.setting.models
    if wreck := table.find_wreck(mid, end):
        return f"the wreck of {wreck}"
    radius = models[mid].radius
    under = [one for one, at in table.at.items() if one != mid and plane.over(end, at, radius + models[one].radius)]
    goes = all(models[one].side == models[mid].side and not _held(table, one) for one in under)
    return f"the base of {' and '.join(under)}{', unless that goes' if goes else ''}"


def _targets(table: Field, who: list[str], side: str) -> Iterator[Target]:
    for foe in table.list_models(side):
        volley = shots(table, who, foe)
        if lines := tuple(shot_lines(volley)):
            chances: dict[str, Fraction] = {}
            for shot in volley:
                unit = table.setting.models[shot.shooter].unit
                chances[unit] = chances.get(unit, Fraction(0)) + shot.hit_chance
            best = min(chances, key=lambda unit: (-chances[unit], unit))
            brief, at = briefly(volley, len(who)), plane.text(table.at[foe])
            yield Target((foe,), at, None, (), lines=lines, verb="fire", who=best, brief=brief)


def shots(table: Field, shooters: Sequence[str], target: str) -> list[Shot]:
    """5.2 to 5.4: the shots that models could fire at one, from where all stand now: allowed, in sight, in range."""
    models = table.setting.models
    volley = [
        fire.measure_shot(table, mid, target)
        for mid in shooters
        if table.setting.find_weapon(models[mid].kind, models[target].kind) and table.can_see(mid, target)
    ]
    return [shot for shot in volley if shot.band]


def briefly(volley: Sequence[Shot], many: int) -> str:
    """The shots of ``many`` shooters at one target: '4+ hits, so many inches', '5+ for 6 of 8, from so many'."""
    needs = sorted(shot.needs for shot in volley)
    told = " and ".join(f"{die}+ for {needs.count(die)}" for die in dict.fromkeys(needs))
    far = inches(min(shot.far for shot in volley))
    return f"{needs[0]}+ hits, {far} inches" if many == 1 else f'{told} of {many}, from {far}"'


def shot_lines(volley: Sequence[Shot]) -> Iterator[str]:
    """A line for all who hit and are saved alike: 'AP round, long range: hits at 5 or more (1/3); it saves ...'."""
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
