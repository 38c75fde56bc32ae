"""20.0 The air rules, an option: strikes, interception, bombing (J-68), and the marks of used air units."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kursk_pbem.kernel.events import Marked, Tested, Unmarked
from kursk_pbem.kernel.hexes.policies import filed_policy
from kursk_pbem.kernel.orders import Filing, Path
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.juggernauts import entry, marks
from kursk_pbem.rulesets.juggernauts.answers import INTERCEPT
from kursk_pbem.rulesets.juggernauts.odds import find_lucky_faces, find_row
from kursk_pbem.rulesets.juggernauts.position import Position, view
from kursk_pbem.rulesets.juggernauts.setting import ENEMY, GERMAN, Setting

STRIKES = "strikes"  # agenda
MISSED = {"none": "-, no effect", "AA": "AA, the mission ends"}
OUT = 2  # player turns until an air unit shot down returns


def is_ready(state: State, plane: str, use: str) -> bool:
    """20.1: return whether an air unit can still strike or intercept bombers in this turn."""
    return not state.mark(marks.FLOWN, f"{plane}/{use}") and not state.mark(marks.DOWN, plane)


def _explain_rest(state: State, plane: str, flown: set[str]) -> str:
    """20.1, 20.4: return why an air unit cannot strike; a mark of an earlier turn follows an AA."""
    if state.mark(marks.DOWN, plane):
        return "is shot down and does not fly yet"
    if plane in flown:
        return "strikes once in a turn, and is ordered twice"
    aborted = state.mark(marks.FLOWN, f"{plane}/strike") == "next"
    return (
        "does not strike after an AA" if aborted else "has struck in this turn, or rests after an AA of the last turn"
    )


def is_in_range(pos: Position, plane: str, hex_: int) -> bool:
    """20.3: return whether a supplied city or town of the air unit's side is near enough to a hex."""
    side, board = pos.setting.planes[plane].side, pos.setting.board
    bases = (city for city in pos.setting.cities if pos.owner(board.labels[city]) == side)
    supply = pos.supply(side)
    return any(supply >> city & 1 and board.distance(city, hex_) <= pos.setting.ranges[side] for city in bases)


def declare_strikes(umpire: Umpire[Setting], filing: Filing) -> None:
    """20.1: declare air strikes on enemy units. Several Luftwaffe units may strike together; Russian units may not."""
    listed, flown, targets = [], set[str](), set[str]()
    for order, path in umpire.each(filing, "aircraft", "20.1", "two strikes have the same name"):
        before = len(umpire.violations)
        for why, at in _find_mistakes(view(umpire), filing.writer, order, flown, targets):
            umpire.refuse("20.1", why, order["id"], (*path, *at))
        flown |= {*order["planes"]}
        targets.add(order["hex"])
        if len(umpire.violations) == before:
            listed.append({"id": order["id"], "hex": order["hex"], "planes": list(order["planes"])})
            umpire.emit(*(Marked("20.1", marks.FLOWN, f"{plane}/strike", marks.YES) for plane in order["planes"]))
    if listed:
        umpire.declare("20.1", STRIKES, listed)


def _find_mistakes(
    pos: Position, side: str, order: Mapping[str, Any], flown: set[str], targets: set[str]
) -> Iterator[tuple[str, Path]]:
    """20.1, 20.3: yield every mistake in a strike with its place in the order."""
    hex_, planes = pos.setting.board.index.get(order["hex"], -1), order["planes"]
    if not pos.setting.air:
        yield "no aircraft fly in the game (option aircraft)", ()
    elif hex_ < 0 or not pos.here(hex_, ENEMY[side]):
        yield f"no enemy unit is in {order['hex']}", ("hex",)
    elif side != GERMAN and (len(planes) > 1 or order["hex"] in targets):
        yield "Russian air units do not strike together", ("planes",)
    elif not planes or len(set(planes)) < len(planes):
        yield "a strike needs air units; name no air unit twice", ("planes",)
    else:
        for number, plane in enumerate(planes):
            entry_ = pos.setting.planes.get(plane)
            if entry_ is None or entry_.side != side:
                yield f"{plane} is no air unit of yours", ("planes", number)
            elif plane in flown or not is_ready(pos.state, plane, "strike"):
                yield f"{plane} {_explain_rest(pos.state, plane, flown)}", ("planes", number)
            elif not is_in_range(pos, plane, hex_):
                yield f"{order['hex']} is out of range of {plane}", ("planes", number)


def resolve_strikes(umpire: Umpire[Setting], _filing: Filing) -> None:
    """20.1, 20.2: carry out all interceptions of strikes, then the bombing by the units not intercepted."""
    strikes, index = umpire.state.agenda[STRIKES], umpire.setting.board.index
    flying = [(strike["id"], plane, index[strike["hex"]]) for strike in strikes for plane in strike["planes"]]
    stopped = _intercept_bombers(umpire, flying)
    for number, (strike, plane, hex_) in enumerate(flying, 1):
        if (strike, plane) not in stopped:
            _bomb_hex(umpire, f"{strike}/{number}", plane, hex_)


def _intercept_bombers(umpire: Umpire[Setting], flying: list[tuple[str, str, int]]) -> set[tuple[str, str]]:
    """20.2: meet bombers, if possible those that no unit has met yet; return strike and air unit of stopped bombers."""
    side = ENEMY[umpire.setting.planes[flying[0][1]].side]
    met: set[tuple[str, str]] = set()
    stopped: set[tuple[str, str]] = set()
    listed = dict.fromkeys(filed_policy(umpire.state.agenda, side).get(INTERCEPT, ()))
    for number, plane in enumerate(listed, 1):
        if plane not in umpire.setting.planes or not is_ready(umpire.state, plane, "meet"):
            continue
        near = [
            flight for flight in flying if flight[:2] not in stopped and is_in_range(view(umpire), plane, flight[2])
        ]
        open_ = [flight for flight in near if flight[:2] not in met] or (near if side == GERMAN else [])
        if open_:
            strike, bomber, _hex = open_[0]
            met.add((strike, bomber))
            umpire.emit(Marked("20.2", marks.FLOWN, f"{plane}/meet", marks.YES))
            if _roll_interception(umpire, f"{strike}/met-{number}", plane, bomber):
                stopped.add((strike, bomber))
    return stopped


def _roll_interception(umpire: Umpire[Setting], label: str, plane: str, bomber: str) -> bool:
    """20.2: roll for an interception; return whether the bomber turns back."""
    planes, meeting = umpire.setting.planes, umpire.setting.meeting
    side = planes[plane].side
    die = umpire.roll(label, "20.2", of=STRIKES, whose=side, good=find_lucky_faces(umpire.setting, low=side == GERMAN))
    fates = [_find_loser(umpire.setting, row, plane, bomber) for row in meeting]
    loser, down = fate = fates[find_row(umpire.setting, int(die)) - 1]
    text = f"{planes[loser].name} is {'shot down' if down else 'intercepted'}"
    what, chance = f"Interception by {planes[plane].name}", f"{fates.count(fate)}/6"
    umpire.emit(Tested("20.2", bomber, what, label, die, "by the table", loser == bomber, text, chance))
    if down:
        umpire.emit(Marked("20.2", marks.DOWN, loser, str(OUT)))
    return loser == bomber


def _find_loser(setting: Setting, row: str, plane: str, bomber: str) -> tuple[str, bool]:
    """20.2, J-68: return the losing air unit of a table row, and whether that unit is shot down."""
    whose, _dash, down = row.partition("-")
    return (bomber if whose in ("bomber", setting.planes[bomber].side) else plane), bool(down)


def _bomb_hex(umpire: Umpire[Setting], label: str, plane: str, hex_: int) -> None:
    """20.1, 20.4, J-79: roll for every ground unit, the strongest first; anti-aircraft fire ends the mission."""
    setting, side = umpire.setting, umpire.setting.planes[plane].side
    table, what = setting.bombing[side], f"Bombing by {setting.planes[plane].name}"
    targets = sorted(view(umpire).here(hex_, ENEMY[side]), key=lambda uid: (-setting.counters[uid].defence, uid))
    for number, uid in enumerate(targets, 1):
        if uid not in view(umpire).where:
            continue
        name = f"{label}-{number}"
        die = umpire.roll(name, "20.1", of=STRIKES, whose=side, good=find_lucky_faces(setting))
        result = table[find_row(setting, int(die)) - 1]
        hit = result not in ("none", "AA") and not (result == "D*" and _is_protected(view(umpire), uid))
        text = MISSED.get(result, f"{result}, {'hit' if hit else 'missed'}")
        umpire.emit(Tested("20.4", uid, what, name, die, "by the table", hit, text, f"{table.count(result)}/6"))
        if result == "AA":
            umpire.emit(Marked("20.4", marks.FLOWN, f"{plane}/strike", "next"))
            return
        if hit:
            _apply_hit(umpire, plane, uid, hex_, rudel=result == "D-Rudel")


def _is_protected(pos: Position, uid: str) -> bool:
    """20.4: return whether a unit ignores a D*: armour, or an entrenched unit, a forest hex or a friendly line hex."""
    hex_ = pos.where[uid]
    line = pos.line(hex_)
    sheltered = pos.is_marked(marks.ENTRENCHED, uid) or pos.setting.terrain[hex_] == "forest"
    return pos.counter(uid).tank or sheltered or bool(line and line.owner == pos.side(uid))


def _apply_hit(umpire: Umpire[Setting], plane: str, uid: str, hex_: int, *, rudel: bool) -> None:
    """20.4, J-68: Disrupt the unit; a D-Rudel by Rudel's air unit also destroys a tank corps or other tank unit."""
    setting, there = umpire.setting, view(umpire).here(hex_, ENEMY[umpire.setting.planes[plane].side])
    struck = there if rudel and setting.planes[plane].rudel else ()
    tanks = [uid for uid in struck if setting.counters[uid].kind == "tank"]
    destroyed = min(tanks, key=lambda tank: (setting.counters[tank].size != "corps", tank), default="")
    if uid != destroyed:
        entry.disrupt_in_place(umpire, "20.4", uid, "bombed")
    if destroyed:
        entry.eliminate_unit(umpire, "20.4", destroyed, "destroyed from the air")


def return_planes(umpire: Umpire[Setting], *, turn: bool) -> None:
    """20.1, 20.4: count the player turns that shot-down units have waited. At a turn's end, make all others ready."""
    for plane, left in sorted(umpire.state.marks.get(marks.DOWN, {}).items()):
        waits = Marked("20.4", marks.DOWN, plane, str(int(left) - 1))
        umpire.emit(waits if int(left) > 1 else Unmarked("20.4", marks.DOWN, plane))
    for use, word in sorted(umpire.state.marks.get(marks.FLOWN, {}).items()) if turn else ():
        stays = Marked("20.4", marks.FLOWN, use, marks.YES)
        umpire.emit(stays if word == "next" else Unmarked("20.1", marks.FLOWN, use))


def find_wrong_planes(setting: Setting, state: State) -> list[str]:
    """20.0: return a sentence for each marker on an air unit that no game can produce."""
    planes = setting.planes if setting.air else {}
    uses = {f"{plane}/{use}" for plane in planes for use in ("strike", "meet")}
    flown, down = (state.marks.get(table, {}).items() for table in (marks.FLOWN, marks.DOWN))
    wrong = [f"{use} cannot be flown" for use, word in flown if use not in uses or word not in (marks.YES, "next")]
    lost = [plane for plane, left in down if plane not in planes or left not in ("1", str(OUT))]
    return wrong + [f"{plane} cannot be down" for plane in lost]
