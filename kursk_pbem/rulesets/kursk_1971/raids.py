"""9.0-d4 Air superiority: attacks from the air on ground elements, fought before any attack on the ground (S-1)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from kursk_pbem.kernel.events import Force, Fought, Row
from kursk_pbem.kernel.hexes.fights import column_of, faces
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.kursk_1971 import losses
from kursk_pbem.rulesets.kursk_1971.battles import RAIDS, filed, raids_of, shares
from kursk_pbem.rulesets.kursk_1971.orders import Raid
from kursk_pbem.rulesets.kursk_1971.position import PATROL, Position, view
from kursk_pbem.rulesets.kursk_1971.setting import DESTROYED, Setting

NOTHING = "NE"
MEANING = {DESTROYED: "ground element and aircraft are destroyed", NOTHING: "no effect"}


def resolve_raids(umpire: Umpire[Setting]) -> None:
    """9.0-d4, S-25, S-57: in the order declared; patrols were shared out before the first die."""
    waiting = raids_of(umpire.state.agenda)
    if not waiting:
        return
    owner = umpire.setting.counters[waiting[0].base].side
    shared = shares(view(umpire), waiting, filed(umpire.state.agenda, owner))
    for raid in waiting:
        _fight(umpire, raid, shared.get(raid.base, ()))


def die_label(raid: Raid) -> str:
    """The label of the die of an attack from the air."""
    return f"{raid.id}/air"


def column(setting: Setting, raid: Raid, patrols: tuple[str, ...]) -> int:
    """9.0-d4: an aircraft attacks with 1, a ground element defends with 1, each patrol over it with 1; -1 below all."""
    return column_of(len(raid.aircraft), 1 + len(patrols), setting.raid_columns)


def chances(setting: Setting, number: int) -> dict[str, int]:
    """Result -> faces of the die (of six) in a column."""
    return faces(setting.raids, number, (DESTROYED, NOTHING)) if number >= 0 else {}


def _fight(umpire: Umpire[Setting], raid: Raid, shared: tuple[str, ...]) -> None:
    """9.0-d4, S-50: the die decides; patrols and attackers lose nothing. Below the table none is thrown."""
    pos = view(umpire)
    if raid.base not in pos.where:
        raise AssertionError(f"{raid.id}: {raid.base} has left its place")
    patrols = tuple(uid for uid in shared if umpire.state.mark(PATROL, uid))
    number = column(umpire.setting, raid, patrols)
    if number < 0:
        umpire.emit(fought(pos, raid, patrols))
        return
    side = pos.side(raid.aircraft[0])
    face = umpire.roll(die_label(raid), "9.0-d4", of=RAIDS, whose=side)
    told = umpire.setting.raids[number, int(face)]
    umpire.emit(fought(pos, raid, patrols, face, told))
    if told == DESTROYED:
        losses.eliminate(umpire, "9.0-e", raid.base, "destroyed from the air")


def fought(pos: Position, raid: Raid, patrols: tuple[str, ...], face: str = "", told: str = "") -> Fought:
    """9.0-d4: the arithmetic of an attack from the air, with its die if one has fallen."""
    setting, number = pos.setting, column(pos.setting, raid, patrols)
    mine, theirs = pos.side(raid.aircraft[0]), pos.side(raid.base)
    defence = [_row(pos, raid.base, "its ground element"), *(_row(pos, uid, "patrol") for uid in patrols)]
    ratio = setting.raid_columns[number] if number >= 0 else f"below {setting.raid_columns[0]}"
    found = chances(setting, number)
    return Fought(
        "9.0-d4",
        raid.id,
        pos.state.units[raid.base].place,
        Force(mine, tuple(_row(pos, uid, "aircraft") for uid in raid.aircraft), str(len(raid.aircraft))),
        Force(theirs, tuple(defence), str(len(defence))),
        ratio,
        (),
        ratio,
        ratio if number >= 0 else "",
        (),
        die_label(raid) if face else "",
        face,
        "",
        told,
        MEANING.get(told, ""),
        f"{found[told]}/6" if told else "",
        "" if number >= 0 else "too few aircraft: no die falls [9.0-d4]",
    )


def _row(pos: Position, uid: str, what: str) -> Row:
    return Row(uid, pos.state.units[uid].place, "1", (what,), "1")


def exact(found: Mapping[str, int]) -> tuple[tuple[str, Fraction], ...]:
    """The same chances as fractions."""
    return tuple((told, Fraction(number, 6)) for told, number in found.items())
