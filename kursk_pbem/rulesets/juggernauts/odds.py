"""1.0, 15.1: factors, ratio, shifts and column of an attack in one position. No floats.

The ladder of columns runs from 1:5 to 7:1, with 3:2; below 1:5, the ladder continues as 1:6, 1:7 ... before the shifts
(J-39). A ``level`` is an index of the ladder: 0 is 1:5, -1 is 1:6, 11 is 7:1, ``SURE`` an automatic DE.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.events import HIGH, LOW, Row, Shift
from kursk_pbem.kernel.hexes.board import Mask, bits
from kursk_pbem.kernel.hexes.grid import POINTY_NAMES
from kursk_pbem.kernel.hexes.stands import Stack, kept
from kursk_pbem.rulesets.juggernauts import marks
from kursk_pbem.rulesets.juggernauts.orders import Battle
from kursk_pbem.rulesets.juggernauts.position import Position
from kursk_pbem.rulesets.juggernauts.setting import ENEMY, GERMAN, RESULTS, RUSSIAN, Setting

LAST, SURE = 11, 12
LEAST, ONE_TO_ONE = 0, 4
MEANING = {
    "DE": "defenders eliminated",
    "D2": "defenders retreat 0 to 2 hexes as the attacker chooses and are Disrupted",
    "D1": "defenders retreat 0 or 1 hexes as the attacker chooses and are Disrupted",
    "D": "defenders Disrupted; withdrawal possible without No Retreat! orders",
    "X": "exchange",
    "AD": "attackers Disrupted",
    "D/AE": "attackers lose at least as many factors as the defence has; defenders Disrupted",
    "AE": "attackers lose at least as many factors as the defence has",
}
OPENS = {GERMAN: ("D2", "DE"), RUSSIAN: ("D1", "D2", "DE")}
"""15.3, 15.4: the results that open a line, by its owner."""


@frozen
class Defence:
    """The defence of a hex: ``units`` with modified factors, the factors of its ``line``, and the rows of a report."""

    units: Mapping[str, int]
    line: int
    rows: tuple[Row, ...]

    @property
    def total(self) -> int:
        """The sum of the defence factors after all changes."""
        return self.line + sum(self.units.values())


@frozen
class Odds:
    """The arithmetic of an attack."""

    attackers: tuple[Row, ...]
    attack: int
    defence: Defence
    level: int
    shifts: tuple[Shift, ...]
    pressed: bool
    side: str

    @property
    def reached(self) -> int:
        """1.0, J-39: the level of the odds after shifts. A level above the table means the result DE without a die."""
        return min(self.level + sum(shift.by for shift in self.shifts), SURE)

    @property
    def allowed(self) -> bool:
        """1.0-least: whether the attack is allowed: its odds are at least 1:5."""
        return self.attack > 0 and self.defence.total > 0 and self.reached >= LEAST

    @property
    def presses(self) -> bool:
        """7.0, J-69: whether a Pressed Attack takes effect: its worst column is at least 1:5, and a die is needed."""
        return self.pressed and self.reached - find_press_cost(self.side) >= LEAST and self.reached < SURE


def describe_result(odds: Odds, result: str) -> str:
    """2.0, 15.2 to 15.4: return the meaning of a result. Without a defender it tells what happens to the line."""
    if odds.defence.units or result in ("X", "AD", "AE"):
        return MEANING[result]
    if result == "D/AE":
        return f"{MEANING['AE']}; the line holds"
    return "line broken; attackers may enter" if result in OPENS[ENEMY[odds.side]] else "the line holds"


def find_press_cost(side: str) -> int:
    """7.0: return by how many columns a Pressed Attack is worse on the three worst faces of the die."""
    return 1 if side == GERMAN else 2


def find_level(attack: int, defence: int) -> int:
    """1.0, J-2: return the odds as a level (column) of the table, rounded in favor of the defender."""
    if not attack or not defence:
        return -99
    if attack < defence:
        return 5 - -(-defence // attack)
    whole = attack // defence
    if whole >= 8:
        return SURE
    return whole + 4 if whole > 1 else ONE_TO_ONE + (2 * attack >= 3 * defence)


def name_column(setting: Setting, level: int) -> str:
    """Return the odds of a level as text: level 0 is '1:5', -1 is '1:6', 11 is '7:1', and 12 is 'more than 7:1'."""
    if level < LEAST:
        return f"1:{5 - level}"
    return setting.columns[level] if level <= LAST else "more than 7:1"


def find_defence(pos: Position, hex_: int, origins: Mask) -> Defence:
    """15.1, 15.2, J-3: return the defence of a hex, with terrain and line. ``origins``: the attackers' hexes."""
    line = pos.line(hex_)
    side = line.owner if line and not pos.at.get(hex_) else next((pos.side(uid) for uid in pos.stack(hex_)), "")
    worth = {uid: pos.counter(uid).defence for uid in pos.here(hex_, side)}
    added: dict[str, list[str]] = {uid: [] for uid in worth}

    def add(uid: str, by: int, why: str) -> None:
        worth[uid] += by
        added[uid].append(f"+{by} {why}")

    for uid in worth:
        if pos.is_marked(marks.ENTRENCHED, uid):
            add(uid, 1, "entrenched")
    for by, why, who in _find_ground(pos, hex_, tuple(worth)):
        # J-46: the unit of the greatest factor receives the bonus
        add(min(who, key=lambda uid: (-worth[uid], uid)), by, why)
    holds = find_line_factor(pos, hex_, origins, side)
    rows = [Row(uid, "", str(pos.counter(uid).defence), tuple(added[uid]), str(worth[uid])) for uid in worth]
    if holds and line:
        rows.append(Row(line.name, "", str(holds), (), str(holds)))
    return Defence(worth, holds, tuple(rows))


def _find_ground(pos: Position, hex_: int, uids: tuple[str, ...]) -> Iterator[tuple[int, str, list[str]]]:
    """15.5, 15.7, 15.8: yield the bonus of city, forest and hill, with the units that may receive each."""
    foot, terrain = [uid for uid in uids if pos.counter(uid).infantry], pos.setting.terrain[hex_]
    if terrain == "forest" and foot:
        yield 1, "forest", foot
    if terrain == "hill" and uids:
        yield 1, "hill", list(uids)
    own = sum(pos.counter(uid).defence for uid in foot)
    if pos.setting.major >> hex_ & 1 and own:
        yield min(2, own), pos.setting.cities[hex_], foot


def find_line_factor(pos: Position, hex_: int, origins: Mask, side: str) -> int:
    """15.2, 15.3, 15.4, J-28: return a line's defence factors: fewer or none if an attacker is not in its front."""
    line = pos.line(hex_)
    if not line or line.owner != side or (line.needs_unit and not pos.here(hex_, side)):
        return 0
    return line.behind if origins & ~line.front else line.ahead


@kept
def find_odds(pos: Position, battle: Battle) -> Odds:
    """1.0: return the odds of an attack with the units where they are now (J-4)."""
    counters = pos.setting.counters
    origins = sum({1 << pos.where[uid] for uid in battle.attackers})
    against, side = find_defence(pos, battle.hex, origins), counters[battle.attackers[0]].side
    worth = {uid: counters[uid].attack for uid in battle.attackers}
    attack = sum(worth.values())
    rows = tuple(Row(uid, pos.state.units[uid].place, str(own), (), str(own)) for uid, own in worth.items())
    level = find_level(attack, against.total)
    shifts = () if level == SURE else tuple(_find_shifts(pos, battle, attack, origins))
    return Odds(rows, attack, against, level, shifts, battle.pressed, side)


def _find_shifts(pos: Position, battle: Battle, attack: int, origins: Mask) -> Iterator[Shift]:
    """4.0-column, 14.1, 15.6, 16.2, J-4: yield the shifts of an attack, in order.

    4.0-column, J-78: one for any Disrupted defender. 14.1, J-52: one for each Panzerkeil that faces the attacked hex,
    at most two. 15.6, J-5: across a river, unless more than half of the factors are on the defenders' side of the
    river. 16.2: any attacker out of supply, any defender out of supply, at this moment.
    """
    defenders, rivers = pos.stack(battle.hex), pos.setting.rivers
    if any(pos.is_marked(marks.DISRUPTED, uid) for uid in defenders):
        yield Shift("4.0-column", 1, "a defender is Disrupted")
    led = [uid for uid in battle.attackers if measure_facing(pos, uid, battle.hex) == 0]
    yield from (Shift("14.1", 1, f"Panzerkeil of {pos.counter(uid).short}") for uid in led[:2])
    if by := _shift_for_defender(pos, defenders, origins):
        where = "from its rear" if by > 0 else "head-on or on a forward flank"
        yield Shift("14.1", by, f"Panzerkeil attacked {where}")
    dry = sum(pos.counter(uid).attack for uid in battle.attackers if (pos.where[uid], battle.hex) not in rivers)
    if 2 * dry <= attack:
        yield Shift("15.6", -1, "attack across a river")
    if not all(pos.is_supplied(uid) for uid in battle.attackers):
        yield Shift("16.2", -1, "an attacker is out of supply")
    if not all(pos.is_supplied(uid) for uid in defenders):
        yield Shift("16.2", 1, "a defender is out of supply")


def measure_facing(pos: Position, uid: str, there: int) -> int | None:
    """14.1, J-6: return how many hexsides (0 to 3) a hex is from a Panzerkeil's front, or None without the marker."""
    word = pos.state.mark(marks.KEIL, uid)
    if not word:
        return None
    grid, places = pos.setting.board.grid, pos.setting.board.places
    from_front = abs(grid.direction(places[pos.where[uid]], places[there]) - POINTY_NAMES.index(word))
    return min(from_front, 6 - from_front)


def _shift_for_defender(pos: Position, defenders: Stack, origins: Mask) -> int:
    """14.1, J-6, J-52: return the shift for an attacked Panzerkeil, by the worst side for the defender."""
    worst: list[int] = []
    for uid in defenders:
        sides = [measure_facing(pos, uid, origin) for origin in bits(origins)]
        far = max((side for side in sides if side is not None), default=-1)
        if far >= 0:
            worst.append({2: 0, 3: 1}.get(far, -1))
    return max(worst, default=0)


def find_row(setting: Setting, die: int) -> int:
    """1.0, J-1: return the row of the table for a die: as rolled in column A, reversed in column B."""
    return 7 - die if setting.die_b else die


def find_lucky_faces(setting: Setting, *, low: bool = True) -> str:
    """J-1: return the die faces that are lucky for a side. ``low``: whether the side wants low rows of the table."""
    return LOW if low != setting.die_b else HIGH


def read_result(setting: Setting, odds: Odds, die: int) -> str:
    """1.0, 7.0: return a die's result. A Pressed Attack reads rows 1 to 3 at better odds, the other rows at worse."""
    if odds.reached >= SURE:
        return "DE"
    row, level = find_row(setting, die), odds.reached
    if odds.presses:
        level += 1 if row <= 3 else -find_press_cost(odds.side)
    return "DE" if level > LAST else setting.crt[level, row]


def list_results(setting: Setting, odds: Odds) -> dict[str, tuple[str, ...]]:
    """Return the die faces for each possible result. An attack below 1:5 has no results."""
    by_die = [read_result(setting, odds, die) for die in range(1, 7)] if odds.allowed else []
    faces = {result: tuple(str(die) for die, got in enumerate(by_die, 1) if got == result) for result in RESULTS}
    return {result: dice for result, dice in faces.items() if dice}


def describe_pressed(setting: Setting, odds: Odds) -> str:
    """7.0, J-18: return in words the columns in which a Pressed Attack reads its die."""
    best, worst = ("4 to 6", "1 to 3") if setting.die_b else ("1 to 3", "4 to 6")
    high, low = (name_column(setting, odds.reached + by) for by in (1, -find_press_cost(odds.side)))
    return f"Pressed Attack: dice {best} are read at {high}, {worst} at {low} [7.0]"
