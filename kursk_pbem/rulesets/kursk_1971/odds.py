"""7.0 Strengths, odds, limited units and the die of an attack. Whole numbers only."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.events import DIE, Row, Shift
from kursk_pbem.kernel.hexes.fights import clamp_value, count_faces, level_of, odds_text
from kursk_pbem.kernel.hexes.stands import kept
from kursk_pbem.rulesets.kursk_1971.orders import Battle
from kursk_pbem.rulesets.kursk_1971.position import Position
from kursk_pbem.rulesets.kursk_1971.setting import (
    ATTACK_ONLY,
    BRACKETED,
    DEFENCE_ONLY,
    HIGHEST_DIE,
    LOWEST_DIE,
    RESULTS,
    Setting,
)

FACES = range(1, 7)
HALVED = "halved (out of supply)"


@frozen
class Odds:
    """The arithmetic of an attack. ``level``: the odds, 1 is 1:1, 0 is 1:2, even beyond the table.

    ``attack``, ``defence``: unit -> strength that counts. ``rows``: the rows of both sides for a report. ``shifts``:
    die modifiers. ``automatic``: the defenders have no strength, so no die is rolled (S-3). ``fresh``: defenders not
    attacked before (S-38). ``caught``: limited units without a regular unit in their hex; any regular unit eliminates
    them (7.0-g).
    """

    attack: Mapping[str, int]
    defence: Mapping[str, int]
    rows: tuple[tuple[Row, ...], tuple[Row, ...]]
    level: int
    column: int
    shifts: tuple[Shift, ...]
    automatic: bool
    fresh: tuple[str, ...]
    caught: bool = False

    @property
    def ratio(self) -> str:
        """The odds as a ratio such as 3:1, or '' if the defenders have no strength."""
        return odds_text(self.level) if not self.automatic else ""

    @property
    def powerless(self) -> bool:
        """7.0-g, S-3: whether the attackers have no strength. Against limited units alone they do not need any."""
        return not self.caught and not sum(self.attack.values())

    @property
    def modifier(self) -> int:
        """The sum of the die roll modifiers."""
        return sum(shift.by for shift in self.shifts)


def match_limited(
    pos: Position, stack: Collection[str], kinds: Collection[str], spent: Collection[str] = ()
) -> set[str]:
    """7.0-d to 7.0-f, S-18, S-35: return the limited units of a stack that have a regular unit as partner.

    A regular unit is the partner of one limited unit of each kind: the strongest, or the lowest id if equally strong.
    Units in ``spent`` can be partners, and need no partner (S-38).
    """
    counters = pos.setting.counters
    regular = sum(counters[uid].regular for uid in stack)
    limited: set[str] = set()
    for kind in kinds:
        own = [uid for uid in stack if counters[uid].limited == kind and uid not in spent]
        limited |= {*sorted(own, key=lambda uid: (-counters[uid].worth, uid))[:regular]}
    return limited


def drop_unmatched(pos: Position, uids: Collection[str]) -> list[str]:
    """7.0-e, 7.0-f: return the units that can attack a hex, without limited units that lack a partner."""
    units: set[str] = set()
    for hex_ in sorted({pos.where[uid] for uid in uids}):
        here = [uid for uid in uids if pos.where[uid] == hex_]
        units |= match_limited(pos, here, (ATTACK_ONLY, BRACKETED))
    return [uid for uid in uids if uid in units or not pos.setting.counters[uid].limited]


def halve_unsupplied(pos: Position, uid: str, strength: int) -> tuple[int, tuple[str, ...]]:
    """6.0-a, 6.0-b, S-20: return a strength and the reason for it. Out of supply it is half, rounded down."""
    supplied = pos.is_supplied(uid) or not strength
    return (strength, ()) if supplied else (strength // 2, (HALVED,))


def _count_attacker(pos: Position, uid: str) -> tuple[Row, int]:
    printed = pos.setting.counters[uid].attack
    counts, changes = halve_unsupplied(pos, uid, printed)
    return Row(uid, pos.state.units[uid].place, str(printed), changes, str(counts)), counts


def _count_defender(pos: Position, uid: str, active: Collection[str], attacked: Collection[str]) -> tuple[Row, int]:
    """7.0-d to 7.0-g, S-26, S-38: return a unit's strength in the defence of its hex."""
    counter, changes = pos.setting.counters[uid], tuple[str, ...]()
    if uid in attacked:
        counts, changes = 0, ("attacked before",)
    elif counter.limited and uid not in active:
        counts, changes = 0, ("attacks only" if counter.limited == ATTACK_ONLY else "no regular unit of its own",)
    else:
        counts, changes = halve_unsupplied(pos, uid, counter.defence)
    return Row(uid, pos.state.units[uid].place, str(counter.defence), changes, str(counts)), counts


def find_terrain_shift(pos: Position, battle: Battle) -> list[Shift]:
    """3.0-combat-terrain, 7.0-river, 7.0-forest, 7.0-fortified, S-4, S-31: return the worst die modifier of terrain."""
    setting, hex_ = pos.setting, battle.hex
    side = pos.side(pos.stack(hex_)[0])
    shifts = []
    kind = setting.terrain[hex_]
    if setting.die.get(kind, 0):
        shifts.append(Shift("7.0-forest", setting.die[kind], f"defender in {kind}", DIE))
    if (setting.forts[side] | setting.strongholds[side]) >> hex_ & 1:
        what = "line" if setting.forts[side] >> hex_ & 1 else "city"
        shifts.append(Shift("7.0-fortified", setting.die["fortification"], f"defender in its fortified {what}", DIE))
    if all((pos.where[uid], hex_) in setting.rivers for uid in battle.attackers):
        shifts.append(Shift("7.0-river", setting.die["river"], "all attackers across a river", DIE))
    worst = min(shifts, key=lambda shift: shift.by, default=None)
    return [worst] if worst else []


def assess(pos: Position, battle: Battle, attacked: Collection[str] = (), *, support: bool = True) -> Odds:
    """7.0-procedure: return the odds of an attack now. ``support``: whether its aircraft takes part."""
    return _assess(pos, battle if support or not battle.support else replace(battle, support=""), frozenset(attacked))


@kept
def _assess(pos: Position, battle: Battle, attacked: Collection[str]) -> Odds:
    """7.0-procedure, 7.0-k, S-3: return the odds of an attack now, rounded in favor of the defender.

    ``attacked``: units attacked before in this phase (S-38).
    """
    setting, stack = pos.setting, pos.stack(battle.hex)
    active = match_limited(pos, stack, (DEFENCE_ONLY, BRACKETED), attacked)
    mine = {uid: _count_attacker(pos, uid) for uid in battle.attackers}
    theirs = {uid: _count_defender(pos, uid, active, attacked) for uid in stack}
    attack, defence = ({uid: counts for uid, (_row, counts) in counted.items()} for counted in (mine, theirs))
    rows = tuple(tuple(row for row, _counts in counted.values()) for counted in (mine, theirs))
    total, against = sum(attack.values()), sum(defence.values())
    automatic = not against
    level = level_of(total, against) if against else 0
    shifts = [] if automatic else find_terrain_shift(pos, battle)
    if battle.support and not automatic:
        shifts.append(Shift("9.0-d1", setting.limits["support"], f"close support by {battle.support}", DIE))
    fresh = tuple(uid for uid in stack if uid not in attacked)
    caught = any(setting.counters[uid].limited for uid in fresh) and not any(
        setting.counters[uid].regular for uid in stack
    )
    column = clamp_value(level, *setting.levels)
    return Odds(attack, defence, (rows[0], rows[1]), level, column, tuple(shifts), automatic, fresh, caught)


def find_result(setting: Setting, odds: Odds, face: int) -> str:
    """8.0, S-5: return the combat result of a die after its modifiers."""
    return setting.crt[odds.column, clamp_value(face + odds.modifier, LOWEST_DIE, HIGHEST_DIE)]


def count_results(setting: Setting, odds: Odds) -> dict[str, int]:
    """Return the number of die faces for each combat result."""
    table = {(odds.column, face): find_result(setting, odds, face) for face in FACES}
    return count_faces(table, odds.column, RESULTS)
