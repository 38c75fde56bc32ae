"""9.0 Tactical advances after combat by plan (J-47), and breakdowns of Panthers on an advance (14.4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.events import LOW, Noted, Tested
from kursk_pbem.kernel.hexes.board import Mask
from kursk_pbem.kernel.hexes.policies import BATTLES
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.juggernauts import entry, marks
from kursk_pbem.rulesets.juggernauts.odds import OPENS
from kursk_pbem.rulesets.juggernauts.orders import Battle
from kursk_pbem.rulesets.juggernauts.position import Position, view
from kursk_pbem.rulesets.juggernauts.retreat import Way
from kursk_pbem.rulesets.juggernauts.setting import ARTILLERY, CAVALRY, ENEMY, FIRST, GERMAN, PANTHER, Setting

TWO = ("DE", "D2")  # results after which tanks and cavalry advance two hexes
ROUGH = ("forest", "swamp")


@frozen
class Aftermath:
    """The end of an attack: its final ``result``, the changed defence, and the retreats of the defenders.

    ``gone``: how many hexes the longest retreat has. ``route``: every hex that a defender entered (J-80).
    ``earlier``: the end under adjudication 4, which did not count the hexes after an overfull hex (J-45).
    """

    battle: Battle
    result: str
    defence: int
    gone: int = 0
    route: Mask = 0
    earlier: Aftermath | None = None

    def follow(self, ways: Iterable[Way]) -> Aftermath:
        """J-47, J-80: return this result of an attack, with the retreats of the defenders added."""
        every = [*ways]
        route = sum(1 << hex_ for hex_ in {hex_ for way in every for hex_ in way})
        return replace(self, gone=max(map(len, every), default=0), route=route)


def find_length(pos: Position, uid: str, after: Aftermath) -> int:
    """9.0, J-31, J-47: return how many hexes a unit may advance unless a river, forest or swamp stops it earlier."""
    counter = pos.counter(uid)
    if after.result in TWO:
        return 2 if counter.tank or counter.kind == CAVALRY else 1
    return max(1, after.gone)


def is_barred_by_line(pos: Position, uid: str, here: int, there: int, after: Aftermath) -> bool:
    """9.0, 15.2 to 15.4, J-51: return whether an active first line keeps a unit out of an adjacent hex."""
    side, line = pos.side(uid), pos.line(there)
    if not line or line.owner == side or line.grade != FIRST:
        return False
    if there == after.battle.hex:
        # 15.3: behind its front, a German line still has strength; 15.4: a Russian line has none
        return bool(line.front >> here & 1 or line.behind > 0) and after.result not in OPENS[line.owner]
    return line.owner == GERMAN and bool(line.front >> here & 1)


def is_stopped_by_zone(pos: Position, uid: str, here: int, there: int, after: Aftermath, *, first: bool) -> bool:
    """9.0: return whether a zone of control stops a step of an advance. Tanks may still cross the attacked hex."""
    side, hex_ = pos.side(uid), after.battle.hex
    ezoc = pos.ezoc(side)
    through = there == hex_ or not first
    if through and (after.result == "DE" or pos.counter(uid).tank):
        return False
    if not ezoc >> here & 1:
        return False
    if not first:
        return True  # 10.0: the unit had to stop in the hex before
    if pos.occupied[side] >> there & 1 or not ezoc >> there & 1:
        return False
    return pos.is_move_barred(side, here, there)


def find_path(pos: Position, uid: str, wish: str, after: Aftermath, filled: int, friends: Mask) -> Way | str:
    """9.0, J-31, J-65: return the path of a planned advance, or why the advance is impossible.

    ``wish``: the path in the plan. ``filled``: attack factors already in the attacked hex. ``friends``: hexes with
    friends before the advance.
    """
    board, start, hex_ = pos.setting.board, pos.where[uid], after.battle.hex
    _unit, *words = wish.split(" ")
    target = board.index.get(words[-1], -1) if words else hex_
    past = words[:-1] == ["only"]
    path = (target,) if past or target == hex_ else (hex_, target)
    if target < 0 or not board.near[path[-2] if len(path) > 1 else start] >> target & 1:
        return "the way does not exist"
    if past and not board.near[hex_] >> target & 1:
        return f"{board.labels[target]} is not beside the hex attacked"
    if past and friends >> target & 1:
        return f"{board.labels[target]} is not empty"
    if len(path) > (1 if past else find_length(pos, uid, after)) or (
        len(path) > 1 and _is_rough(pos, uid, start, path)
    ):
        return "the unit may advance only one hex"
    own = pos.counter(uid).attack if len(path) > 1 else 0
    strays = past or (len(path) > 1 and not after.route >> target & 1)
    if strays and not past and not (pos.counter(uid).tank or pos.counter(uid).kind == CAVALRY):
        return "only tanks and cavalry leave the way of the retreat"
    if strays and filled + own < after.defence:
        return "fewer factors enter the attacked hex than the defence had"
    here = start
    for number, there in enumerate(path):
        if pos.occupied[ENEMY[pos.side(uid)]] >> there & 1:
            return f"{board.labels[there]} is not empty"
        if is_barred_by_line(pos, uid, here, there, after):
            return f"the line in {board.labels[there]} still holds"
        if is_stopped_by_zone(pos, uid, here, there, after, first=number == 0):
            return f"a zone of control stops the advance before {board.labels[there]}"
        here = there
    return path


def _is_rough(pos: Position, uid: str, start: int, path: Sequence[int]) -> bool:
    """9.0: return whether a river, forest or swamp on the way limits a tank unit to one hex."""
    if not pos.counter(uid).tank:
        return False
    steps = list(zip((start, *path), path, strict=False))
    return any(step in pos.setting.rivers for step in steps) or any(pos.setting.terrain[hex_] in ROUGH for hex_ in path)


def advance_attackers(umpire: Umpire[Setting], after: Aftermath, wishes: Sequence[str]) -> tuple[str, ...]:
    """9.0: advance the attackers in the order of the plan. Return the units that have advanced."""
    pos, battle, filled, gone = view(umpire), after.battle, 0, list[str]()
    side = pos.side(battle.attackers[0])
    friends = pos.occupied[side]
    if pos.here(battle.hex, ENEMY[side]):
        return ()
    for wish in wishes:
        uid = wish.partition(" ")[0]
        pos = view(umpire)
        if uid not in battle.attackers or uid not in pos.where or uid in gone:
            continue
        able = pos.counter(uid).kind != ARTILLERY and not pos.is_marked(marks.DISRUPTED, uid)
        path = find_path(pos, uid, wish, after, filled, friends) if able else "it may not"
        if isinstance(path, str):
            umpire.emit(Noted("9.0", f"{uid} does not advance: {path}", battle.id))
            continue
        if after.earlier and isinstance(find_path(pos, uid, wish, after.earlier, filled, friends), str):
            umpire.repaired(5, "9.0")
        gone.append(uid)
        filled += pos.counter(uid).attack if battle.hex in path else 0
        _advance_unit(umpire, uid, path, battle)
    return tuple(gone)


def _advance_unit(umpire: Umpire[Setting], uid: str, path: Sequence[int], battle: Battle) -> None:
    """9.0, 12.0, 14.4: move a unit into every hex of its path; a Panther rolls for a breakdown in each."""
    labels, counter = umpire.setting.board.labels, umpire.setting.counters[uid]
    crowded = [labels[hex_] for hex_ in path if not view(umpire).has_room(uid, hex_)]
    if counter.kind != PANTHER:
        entry.move_unit(umpire, "9.0", uid, tuple(labels[hex_] for hex_ in path), "advance")
    for number, hex_ in enumerate(path if counter.kind == PANTHER else (), 1):
        entry.move_unit(umpire, "9.0", uid, (labels[hex_],), "advance")
        label = f"{battle.id}/{uid}-{number}"
        die = umpire.roll(label, "14.4", of=BATTLES, whose=counter.side, good=LOW)
        runs = int(die) <= 3
        text = "runs on" if runs else "breaks down"
        umpire.emit(Tested("14.4", uid, "Advance", label, die, "breaks down at 4 or more", runs, text, "3/6"))
        if not runs:
            entry.disrupt_unit(umpire, "14.4", uid, "broke down")
            break
    if crowded:
        entry.disrupt_unit(umpire, "12.0", uid, f"over the stacking limit in {', '.join(crowded)}")
