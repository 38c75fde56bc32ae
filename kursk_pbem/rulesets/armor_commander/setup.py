"""2.1 to 2.4: the first position, and the deployments: one sealed, the other open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from kursk_pbem.kernel import plane
from kursk_pbem.kernel.events import Marked, Noted, Placed
from kursk_pbem.kernel.orders import Filing, Path
from kursk_pbem.kernel.picture import Point
from kursk_pbem.kernel.plane import inches
from kursk_pbem.kernel.state import OFF_MAP, State, Unit
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.armor_commander.movement import describe_gaps
from kursk_pbem.rulesets.armor_commander.orders import MAX_UNITS, Mistake, check_facing, check_place
from kursk_pbem.rulesets.armor_commander.position import DEPLOYMENT, FACING
from kursk_pbem.rulesets.armor_commander.setting import COHESION, TANK, Setting

Stand = tuple[Point, str]
"""A model's place and its facing by the clock ('' for a gun)."""


def make_first_state(setting: Setting) -> State:
    """2.1: return the first position. No model is on the table, and the side that seals its orders writes first."""
    units = {mid: Unit(OFF_MAP, model.crew) for mid, model in setting.models.items()}
    return State(setting.turns[0], setting.sealer, "deploy", units)


def arrange_models(setting: Setting) -> State:
    """2.2: return the first position with all models at the scenario's places."""
    units = {mid: Unit(plane.text(model.place), model.crew) for mid, model in setting.models.items()}
    faces = {mid: model.face for mid, model in setting.models.items() if model.kind == TANK}
    return make_first_state(setting).with_(units=units, marks={FACING: faces})


def list_scenario_places(setting: Setting, side: str) -> dict[str, Stand]:
    """2.2: return a side's places in the scenario, by model. They apply if the side deploys nothing."""
    return {
        mid: (model.place, model.face if model.kind == TANK else "")
        for mid, model in setting.models.items()
        if model.side == side
    }


def read_deployment(setting: Setting, side: str, entries: Any) -> tuple[dict[str, Stand], list[Mistake]]:
    """2.2, 2.3: return the places by model from a side's deployment, and all mistakes.

    A wrong facing (6.6) hides no other mistake. If every entry can be read, the models are also checked together.
    """
    places, slips, written, read = list_scenario_places(setting, side), list[Mistake](), set[str](), True
    if not isinstance(entries, list | tuple) or len(entries) > MAX_UNITS:
        return places, [Mistake("2.2", (), "write a list: [{id: MODEL, at: 'X, Y', face: '12'}]")]
    for number, entry in enumerate(entries):
        at: Path = (number,)
        wrong = list(_check_entry(setting, side, entry, at))
        unread = any(slip.rule != "6.6" for slip in wrong)
        if not unread and entry["id"] in written:
            wrong, unread = [Mistake("2.2", (*at, "id"), "the model is deployed already")], True
        slips += wrong
        if unread:
            read = False
        else:
            place, face = places[entry["id"]]
            turn = face if wrong else entry.get("face", face)
            places[entry["id"]] = plane.point(entry["at"]) if "at" in entry else place, turn
            written.add(entry["id"])
    return places, [*slips, *(check_together(setting, side, places) if read else ())]


def _check_entry(setting: Setting, side: str, entry: Any, at: Path) -> Iterator[Mistake]:
    """2.2: check the form of an entry."""
    model = setting.models.get(str(entry.get("id"))) if isinstance(entry, Mapping) else None
    if model is None or set(entry) - {"id", "at", "face"}:
        yield Mistake("2.2", at, "write {id: MODEL, at: 'X, Y', face: '12'}")
    elif model.side != side:
        yield Mistake("2.2", (*at, "id"), f"{model.id} is no model of yours")
    else:
        slip = check_place(entry["at"], (*at, "at")) if "at" in entry else None
        yield from [slip] if slip is not None else []
        yield from check_facing(setting, model.id, entry.get("face", "12"), (*at, "face"), "face" in entry)


def check_together(setting: Setting, side: str, places: Mapping[str, Stand]) -> Iterator[Mistake]:
    """2.2, 2.3, A-40, A-42, A-44: yield a deployment's mistakes: zone, terrain, touching bases and cohesion."""
    models, zone = setting.models, setting.zones[side]
    for mid, (place, _face) in places.items():
        if not zone.holds(place):
            yield Mistake("2.2", (), f"{mid} at {plane.text(place)} is outside the deployment zone")
        for ground in setting.find_ground(place):
            if models[mid].kind == TANK or not ground.cover:
                only = "a tank" if models[mid].kind == TANK else "a gun without cover"
                yield Mistake(
                    "2.3", (), f"{mid} at {plane.text(place)} is in {ground.name}, and not allowed for {only}"
                )
    for (one, (a, _)), (other, (b, _)) in combinations(places.items(), 2):
        if plane.is_within(a, b, models[one].radius + models[other].radius):
            yield Mistake("2.3", (), f"the bases of {one} and {other} touch")
    for unit in setting.list_units(side):
        spots = {mid: places[mid][0] for mid in unit.models}
        if apart := describe_gaps(spots, chain=setting.chain):
            yield Mistake("4.4", (), f"{apart} of {unit.id} are more than {inches(COHESION)} inches apart")


def seal_deployment(umpire: Umpire[Setting], filing: Filing) -> None:
    """2.2, 3.2: seal the deployment of the side that writes first. Only this side's computer can check it."""
    if DEPLOYMENT not in filing.secret:
        umpire.refuse("2.2", "seal your deployment; an empty list is allowed", DEPLOYMENT, ("seal",))
    _refuse_mistakes(umpire, filing.writer, filing.sealed.get(DEPLOYMENT, []), ("seal", DEPLOYMENT))
    umpire.declare("2.2", DEPLOYMENT, {"label": DEPLOYMENT})


def _refuse_mistakes(umpire: Umpire[Setting], side: str, entries: Any, path: Path) -> dict[str, Stand]:
    places, slips = read_deployment(umpire.setting, side, entries)
    for slip in slips:
        umpire.refuse(slip.rule, slip.why, side, (*path, *slip.field))
    return places


def give_open_deployment(umpire: Umpire[Setting], filing: Filing) -> None:
    """2.2: place the models of the other side, which does not know the sealed deployment yet."""
    places = _refuse_mistakes(umpire, filing.writer, filing.order("deployment"), ("orders", "deployment"))
    _place_models(umpire, places)
    umpire.answer("2.2")


def is_revealed(_umpire: Umpire[Setting], filing: Filing) -> bool:
    """Return whether a message must reveal the deployment. If an earlier offer revealed it, return False."""
    return DEPLOYMENT in filing.reveal


def reveal_deployment(umpire: Umpire[Setting], filing: Filing) -> None:
    """2.2, A-46: reveal the sealed deployment. If it is illegal, the models get the scenario's places."""
    places, slips = read_deployment(umpire.setting, filing.writer, filing.reveal[DEPLOYMENT])
    if slips:
        umpire.emit(Noted("2.2", "the sealed deployment is illegal: the scenario's places apply"))
        places = list_scenario_places(umpire.setting, filing.writer)
    _place_models(umpire, places)


def _place_models(umpire: Umpire[Setting], places: Mapping[str, Stand]) -> None:
    """2.2, A-14: place models on the table, tanks with a facing."""
    for mid, (spot, face) in places.items():
        how = f"facing {face} o'clock" if face else "deployed"
        umpire.emit(Placed("2.2", mid, plane.text(spot), umpire.state.units[mid].steps, how))
        if face:
            umpire.emit(Marked("2.2", FACING, mid, face))
