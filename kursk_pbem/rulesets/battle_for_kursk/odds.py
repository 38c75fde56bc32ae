"""9.0 to 9.2.1, 11.2: strengths, ratio, shifts and column of a battle. Exact fractions, no floats."""

from __future__ import annotations

from fractions import Fraction

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.events import Row, Shift
from kursk_pbem.kernel.hexes.fights import count_faces, fraction_text, level_of, odds_text
from kursk_pbem.kernel.hexes.stands import kept
from kursk_pbem.rulesets.battle_for_kursk.orders import Battle
from kursk_pbem.rulesets.battle_for_kursk.position import Position, is_mud
from kursk_pbem.rulesets.battle_for_kursk.setting import ENEMY, MAJOR, Setting

RESULTS = ("AL", "NE", "DR", "EX", "DRL", "DE")  # in the table's order for the attacker


@frozen
class Odds:
    """The arithmetic of a battle. ``level``: 1 is 1:1, 0 is 1:2, -1 is 1:3. ``column``: 0 means no attack (9.1)."""

    attackers: tuple[Row, ...]
    attack: Fraction
    defence: int
    level: int
    shifts: tuple[Shift, ...]
    column: int

    @property
    def ratio(self) -> str:
        """The odds before column shifts, as a ratio such as '3:1'."""
        return odds_text(self.level)

    @property
    def reached(self) -> str:
        """The odds after column shifts, before the limits of the table."""
        return odds_text(self.level + sum(shift.by for shift in self.shifts))


def compute_attack(pos: Position, uid: str) -> tuple[Row, Fraction]:
    """9.0 (1), 11.2, TEC: return the strength with which a front-line unit attacks (K-45)."""
    printed = pos.strength(uid)
    counts = Fraction(printed)
    changes: list[str] = []
    if pos.setting.terrain[pos.where[uid]] in pos.setting.halved_from:
        counts /= 2
        changes.append("halved (from marsh)")
    if is_mud(pos.state) and pos.setting.counters[uid].armor:
        counts /= 2
        changes.append("halved (armor in mud)")
    return Row(uid, pos.state.units[uid].place, str(printed), tuple(changes), fraction_text(counts)), counts


def terrain_shifts(pos: Position, battle: Battle) -> list[Shift]:
    """9.2: yield the column shifts of the defender's hex: forest, rough, Major City, active fortification (K-48)."""
    setting, shifts = pos.setting, []
    terrain = setting.terrain[battle.hex]
    if setting.shift.get(terrain, 0):
        shifts.append(Shift("9.2", setting.shift[terrain], f"defender in {terrain}"))
    city = setting.cities.get(battle.hex, "")
    if setting.shift.get(city, 0):
        what = "a Major City" if city == MAJOR else "a city"
        shifts.append(Shift("9.2", setting.shift[city], f"defender in {what} ({setting.city_names[battle.hex]})"))
    if pos.fortified(battle.defender):
        shifts.append(Shift("9.2", setting.shift["fortification"], "defender in its own active fortification"))
    return shifts


def river_shift(pos: Position, battle: Battle) -> list[Shift]:
    """9.2: yield the column shift if all front-line attackers cross a river, or all cross a Major River (K-49)."""
    kinds = {pos.setting.rivers.get((pos.where[uid], battle.hex)) for uid in battle.attackers}
    if None in kinds:
        return []
    kind = "major" if kinds == {MAJOR} else "river"
    what = "a Major River" if kind == "major" else "a river"
    return [Shift("9.2-river", pos.setting.river_shift[kind], f"all attackers across {what}")]


def communication_shifts(pos: Position, battle: Battle) -> list[Shift]:
    """7.2, 9.2, K-50: return the column shifts if the defender, or each attacking unit, is not In Communication."""
    side = pos.side(battle.defender)
    shifts = []
    if not pos.communication(side) >> battle.hex & 1:
        shifts.append(Shift("9.2-communication", 1, "defender not In Communication"))
    reached = pos.communication(ENEMY[side])
    if not any(reached >> pos.where[uid] & 1 for uid in battle.participants):
        shifts.append(Shift("9.2-communication", -1, "no attacking unit In Communication"))
    return shifts


@kept
def assess(pos: Position, battle: Battle) -> Odds:
    """9.0-1, 9.0-2, 9.0-3, 9.2.1-net: return a battle's odds, rounded in favor of the defender (K-47)."""
    rows = [compute_attack(pos, uid) for uid in battle.attackers]
    attack = sum((counts for _line, counts in rows), Fraction(0))
    defence = pos.strength(battle.defender)
    level = level_of(attack, defence)
    shifts = [*terrain_shifts(pos, battle), *river_shift(pos, battle), *communication_shifts(pos, battle)]
    if battle.support:
        shifts.append(Shift("9.2.1", len(battle.support), f"Offensive with {len(battle.support)} in support"))
    final = level + sum(shift.by for shift in shifts)
    column = min(final, 6) if final >= 1 else 0  # 9.1, K-51
    return Odds(tuple(line for line, _counts in rows), attack, defence, level, tuple(shifts), column)


def count_results(setting: Setting, column: int) -> dict[str, int]:
    """Return the number of die faces for each result that is possible in a column."""
    return count_faces(setting.crt, column, RESULTS)
