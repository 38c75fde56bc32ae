"""9.0-d4 Air superiority: attacks from the air on ground elements, before attacks on the ground (S-1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from kursk_pbem.kernel.events import Force, Fought, Row
from kursk_pbem.kernel.hexes.fights import column_of, count_faces
from kursk_pbem.kernel.hexes.policies import filed_policy
from kursk_pbem.kernel.orders import Filing, Path
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.kursk_1971 import air, losses
from kursk_pbem.rulesets.kursk_1971.orders import Raid
from kursk_pbem.rulesets.kursk_1971.position import PATROL, Position, view
from kursk_pbem.rulesets.kursk_1971.setting import DESTROYED, ENEMY, Setting

RAIDS = "superiority"  # agenda, orders
NOTHING = "NE"
MEANING = {DESTROYED: "ground element and aircraft are destroyed", NOTHING: "no effect"}


def declare_raids(umpire: Umpire[Setting], filing: Filing) -> None:
    """9.0-d4, S-25, S-52: declare attacks from the air, each on one ground element. The aircraft take off."""
    targets: set[str] = set()
    raids = []
    for order, path in umpire.each(filing, RAIDS, "9.0-d4", "two attacks have this id"):
        raid, before = Raid.from_plain(order), len(umpire.violations)
        _check_target(umpire, filing.writer, raid, targets, path)
        if len(umpire.violations) > before:
            continue
        hex_ = view(umpire).where[raid.base]
        if not raid.aircraft:
            umpire.refuse("9.0-d4", "an attack needs an aircraft", raid.id, (*path, "aircraft"))
        for number, uid in enumerate(raid.aircraft):
            if why := air.find_mission_fault(view(umpire), filing.writer, uid, hex_):
                umpire.refuse("9.0-d4", f"{uid} {why}", raid.id, (*path, "aircraft", number))
            else:
                air.take_off(umpire, uid, air.SUPERIORITY)
        raids.append(raid.to_plain())
    if raids:
        umpire.declare("9.0-d4", RAIDS, raids)


def _check_target(umpire: Umpire[Setting], side: str, raid: Raid, targets: set[str], path: Path) -> None:
    counter, at = umpire.setting.counters.get(raid.base), (*path, "base")
    if counter is None or counter.side != ENEMY[side] or not counter.air or raid.base not in view(umpire).where:
        umpire.refuse("9.0-d4", f"{raid.base} is no enemy air unit on the map", raid.id, at)
    elif raid.base in targets:
        umpire.refuse("9.0-d4", f"{raid.base} is attacked already", raid.id, at)
    targets.add(raid.base)


def list_raids(agenda: Mapping[str, Any]) -> tuple[Raid, ...]:
    """Return the declared air superiority attacks, in the order of declaration."""
    return tuple(Raid.from_plain(raid) for raid in agenda.get(RAIDS, ()))


def share_patrols(pos: Position, raids: Sequence[Raid], policy: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """9.0-d4, S-25, S-43, S-52, S-57: return the patrols that defend each base, fixed before the first die.

    The owner's policy decides if possible. Otherwise the patrols of a hex are shared equally, and the lowest id gets
    the remainder.
    """
    shared: dict[str, tuple[str, ...]] = {}
    bases = [raid.base for raid in raids if raid.base in pos.where]
    for hex_ in sorted({pos.where[base] for base in bases}):
        here = sorted(base for base in bases if pos.where[base] == hex_)
        patrols = pos.list_aircraft(PATROL, pos.side(here[0]), hex_)
        wanted = {base: tuple(uids) for base, uids in policy.get(PATROL, {}).items() if base in here}
        named = [uid for uids in wanted.values() for uid in uids]
        if wanted and len(set(named)) == len(named) and set(named) <= set(patrols):
            shared |= {base: wanted.get(base, ()) for base in here}
            continue
        share, rest = divmod(len(patrols), len(here))
        for number, base in enumerate(here):
            first = number * share + (rest if number else 0)
            shared[base] = tuple(patrols[first : first + share + (0 if number else rest)])
    return shared


def resolve_raids(umpire: Umpire[Setting]) -> None:
    """9.0-d4, S-25, S-57: fight air attacks in the order of declaration. Patrols are shared before the first die."""
    waiting = list_raids(umpire.state.agenda)
    if not waiting:
        return
    owner = umpire.setting.counters[waiting[0].base].side
    shared = share_patrols(view(umpire), waiting, filed_policy(umpire.state.agenda, owner))
    for raid in waiting:
        fight_raid(umpire, raid, shared.get(raid.base, ()))


def die_label(raid: Raid) -> str:
    """Return the label of an air superiority attack's die."""
    return f"{raid.id}/air"


def find_column(setting: Setting, raid: Raid, patrols: tuple[str, ...]) -> int:
    """9.0-d4: return the column of the table, or -1 below it. Each aircraft, ground element and patrol counts 1."""
    return column_of(len(raid.aircraft), 1 + len(patrols), setting.raid_columns)


def count_results(setting: Setting, number: int) -> dict[str, int]:
    """Return the number of die faces for each result in a column."""
    return count_faces(setting.raids, number, (DESTROYED, NOTHING)) if number >= 0 else {}


def fight_raid(umpire: Umpire[Setting], raid: Raid, shared: tuple[str, ...]) -> None:
    """9.0-d4, S-50: fight one attack from the air. Below the table no die is rolled. Only the target can be lost."""
    pos = view(umpire)
    if raid.base not in pos.where:
        raise AssertionError(f"{raid.id}: {raid.base} has left its place")
    patrols = tuple(uid for uid in shared if umpire.state.mark(PATROL, uid))
    number = find_column(umpire.setting, raid, patrols)
    if number < 0:
        umpire.emit(make_fought(pos, raid, patrols))
        return
    side = pos.side(raid.aircraft[0])
    face = umpire.roll(die_label(raid), "9.0-d4", of=RAIDS, whose=side)
    told = umpire.setting.raids[number, int(face)]
    umpire.emit(make_fought(pos, raid, patrols, face, told))
    if told == DESTROYED:
        losses.eliminate_unit(umpire, "9.0-e", raid.base, "destroyed from the air")


def make_fought(pos: Position, raid: Raid, patrols: tuple[str, ...], face: str = "", told: str = "") -> Fought:
    """9.0-d4: return the calculation of an attack from the air, with the die if it was rolled."""
    setting, number = pos.setting, find_column(pos.setting, raid, patrols)
    mine, theirs = pos.side(raid.aircraft[0]), pos.side(raid.base)
    # patrols are not attacked: they add to the sum, but are no defenders
    why = "its ground element", *(f"1 more by the patrol of {uid}" for uid in patrols)
    defence = Row(raid.base, pos.state.units[raid.base].place, "1", why, str(1 + len(patrols)))
    aircraft = tuple(Row(uid, pos.state.units[uid].place, "1", ("aircraft",), "1") for uid in raid.aircraft)
    ratio = setting.raid_columns[number] if number >= 0 else f"below {setting.raid_columns[0]}"
    attack, against = Force(mine, aircraft, str(len(raid.aircraft))), Force(theirs, (defence,), defence.counts)
    column = ratio if number >= 0 else ""
    fought = Fought("9.0-d4", raid.id, defence.place, attack, against, ratio, (), ratio, column)
    if number < 0:
        return replace(fought, note="too few aircraft: no die falls [9.0-d4]")
    if not face:
        return fought
    meaning, chance = MEANING[told], f"{count_results(setting, number)[told]}/6"
    return replace(fought, label=die_label(raid), dice=face, result=told, meaning=meaning, chance=chance)
