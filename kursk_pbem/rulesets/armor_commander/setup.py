"""2.1 to 2.4: the first position, and the deployment that each side declares: one sealed, the other in the clear."""

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
from kursk_pbem.rulesets.armor_commander.movement import scattered
from kursk_pbem.rulesets.armor_commander.orders import MOST_UNITS, Slip, face_slips, place_slip
from kursk_pbem.rulesets.armor_commander.position import DEPLOYMENT, FACING
from kursk_pbem.rulesets.armor_commander.setting import COHESION, TANK, Setting

Stand = tuple[Point, str]
"""Where a model stands and the clock point that it faces ('' for a gun)."""


def setup(setting: Setting) -> State:
    """2.1: nobody is on the table yet; the side that seals its deployment writes first."""
    units = {mid: Unit(OFF_MAP, model.crew) for mid, model in setting.models.items()}
    return State(setting.turns[0], setting.sealer, "deploy", units)


def printed(setting: Setting, side: str) -> dict[str, Stand]:
    """2.2: where the scenario puts the models of a side; that stands for those of whom nothing is said."""
    return {
        mid: (model.place, model.face if model.kind == TANK else "")
        for mid, model in setting.models.items()
        if model.side == side
    }


def stands(setting: Setting, side: str, entries: Any) -> tuple[dict[str, Stand], list[Slip]]:
    """2.2, 2.3: the deployment of a side, and everything that is wrong with what was written.

    A facing that is none (6.6) hides no other mistake; how all stand together is said once every line can be read.
    """
    places, slips, written, read = printed(setting, side), list[Slip](), set[str](), True
    if not isinstance(entries, list | tuple) or len(entries) > MOST_UNITS:
        return places, [Slip("2.2", (), "write a list: [{id: MODEL, at: 'X, Y', face: '12'}]")]
    for number, entry in enumerate(entries):
        at: Path = (number,)
        wrong = list(_entry(setting, side, entry, at))
        unread = any(slip.rule != "6.6" for slip in wrong)
        if not unread and entry["id"] in written:
            wrong, unread = [Slip("2.2", (*at, "id"), "this model is deployed already")], True
        slips += wrong
        if unread:
            read = False
        else:
            place, face = places[entry["id"]]
            turn = face if wrong else entry.get("face", face)
            places[entry["id"]] = plane.point(entry["at"]) if "at" in entry else place, turn
            written.add(entry["id"])
    return places, [*slips, *(together(setting, side, places) if read else ())]


def _entry(setting: Setting, side: str, entry: Any, at: Path) -> Iterator[Slip]:
    """2.2: the form of one line."""
    model = setting.models.get(str(entry.get("id"))) if isinstance(entry, Mapping) else None
    if model is None or set(entry) - {"id", "at", "face"}:
        yield Slip("2.2", at, "write {id: MODEL, at: 'X, Y', face: '12'}")
    elif model.side != side:
        yield Slip("2.2", (*at, "id"), f"{model.id} is no model of yours")
    else:
        slip = place_slip(entry["at"], (*at, "at")) if "at" in entry else None
        yield from [slip] if slip is not None else []
        yield from face_slips(setting, model.id, entry.get("face", "12"), (*at, "face"), "face" in entry)


def together(setting: Setting, side: str, places: Mapping[str, Stand]) -> Iterator[Slip]:
    """2.2, 2.3, A-40, A-42, A-44: zone, terrain, bases that touch nothing, cohesion."""
    models, zone = setting.models, setting.zones[side]
    for mid, (place, _face) in places.items():
        if not zone.holds(place):
            yield Slip("2.2", (), f"{mid} at {plane.text(place)} is outside the deployment zone")
        for ground in setting.under(place):
            if models[mid].kind == TANK or not ground.cover:
                only = "a tank" if models[mid].kind == TANK else "a gun, because it is no cover"
                yield Slip("2.3", (), f"{mid} at {plane.text(place)} is in {ground.name}, which is no place for {only}")
    for (one, (a, _)), (other, (b, _)) in combinations(places.items(), 2):
        if plane.is_within(a, b, models[one].radius + models[other].radius):
            yield Slip("2.3", (), f"the bases of {one} and {other} touch")
    for unit in setting.of_side(side):
        spots = {mid: places[mid][0] for mid in unit.models}
        if apart := scattered(spots, chain=setting.chain):
            yield Slip("4.4", (), f"{apart} of {unit.id} are more than {inches(COHESION)} inches apart")


def deploy(umpire: Umpire[Setting], filing: Filing) -> None:
    """2.2, 3.2: the first side seals its deployment; its own desk looks at it before."""
    if DEPLOYMENT not in filing.secret:
        umpire.refuse("2.2", "your deployment must be sealed, be it an empty list", DEPLOYMENT, ("seal",))
    _refuse(umpire, filing.writer, filing.sealed.get(DEPLOYMENT, []), ("seal", DEPLOYMENT))
    umpire.declare("2.2", DEPLOYMENT, {"label": DEPLOYMENT})


def _refuse(umpire: Umpire[Setting], side: str, entries: Any, path: Path) -> dict[str, Stand]:
    places, slips = stands(umpire.setting, side, entries)
    for slip in slips:
        umpire.refuse(slip.rule, slip.why, side, (*path, *slip.field))
    return places


def place(umpire: Umpire[Setting], filing: Filing) -> None:
    """2.2: the other side deploys in the clear, and has not seen the first."""
    places = _refuse(umpire, filing.writer, filing.order("deployment"), ("orders", "deployment"))
    _put(umpire, places)
    umpire.answer("2.2")


def is_shown(_umpire: Umpire[Setting], filing: Filing) -> bool:
    """Whether the deployment is opened by this message: it is not by one that follows an offer that opened it."""
    return DEPLOYMENT in filing.reveal


def unveil(umpire: Umpire[Setting], filing: Filing) -> None:
    """2.2, A-46: the first side shows its deployment; of one that breaks a rule nothing counts."""
    places, slips = stands(umpire.setting, filing.writer, filing.reveal[DEPLOYMENT])
    if slips:
        umpire.emit(Noted("2.2", "the deployment that was sealed is illegal: all stand where the scenario puts them"))
        places = printed(umpire.setting, filing.writer)
    _put(umpire, places)


def _put(umpire: Umpire[Setting], places: Mapping[str, Stand]) -> None:
    """2.2, A-14: models come on the table, tanks with a facing."""
    for mid, (spot, face) in places.items():
        how = f"facing {face} o'clock" if face else "deployed"
        umpire.emit(Placed("2.2", mid, plane.text(spot), umpire.state.units[mid].steps, how))
        if face:
            umpire.emit(Marked("2.2", FACING, mid, face))
