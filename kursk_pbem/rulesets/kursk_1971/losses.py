"""Losses: victory points (14.0-strength), Kampfgruppen (10.0), aircraft with their bases (9.0-e), exchanges."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from kursk_pbem.kernel.events import Placed, Removed, Tracked
from kursk_pbem.kernel.hexes.fights import take_losses
from kursk_pbem.kernel.state import ELIMINATED, OFF_MAP, State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.kursk_1971 import air, retreat
from kursk_pbem.rulesets.kursk_1971.position import POINTS
from kursk_pbem.rulesets.kursk_1971.setting import ENEMY, GERMAN, KAMPFGRUPPE, Setting


def count_points(setting: Setting, uid: str) -> int:
    """14.0-strength, 10.0-c, S-41: return the victory points for an eliminated unit. Air units give no points."""
    counter = setting.counters[uid]
    if counter.type == KAMPFGRUPPE:
        return setting.kampfgruppe_points * counter.worth
    return counter.worth * (setting.motorized_points if counter.motorized else 1)


def score_points(umpire: Umpire[Setting], rule: str, victim: str, number: int) -> None:
    """Give victory points to the enemy of the side ``victim``."""
    if number:
        track = POINTS.format(ENEMY[victim])
        umpire.emit(Tracked(rule, track, umpire.state.tracks[track] + number, number))


def eliminate_unit(umpire: Umpire[Setting], rule: str, uid: str, why: str) -> None:
    """9.0-e, S-26: remove a unit for good. If it is a ground element, its aircraft is removed, too."""
    setting = umpire.setting
    if setting.counters[uid].air:
        air.lose_aircraft(umpire, uid)
    umpire.emit(Removed(rule, uid, ELIMINATED, why))
    score_points(umpire, "14.0-strength", setting.counters[uid].side, count_points(setting, uid))


def find_kampfgruppe(setting: Setting, state: State, uid: str) -> str:
    """10.0-a, 10.0-b, S-39, S-52: return the Kampfgruppe that replaces a lost division, or '' if none is free.

    The first free Kampfgruppe of the right kind is used. A destroyed Kampfgruppe never returns.
    """
    counter = setting.counters[uid]
    if not setting.battlegroups or counter.side != GERMAN or not counter.motorized or not counter.regular:
        return ""
    values = f"{counter.attack}-{counter.move}"
    free = (kg for kg in setting.reserve if state.units[kg].place == OFF_MAP)
    return next((kg for kg in free if values in setting.counters[kg].replaces), "")


def destroy_units(
    umpire: Umpire[Setting],
    rule: str,
    uids: Collection[str],
    why: str,
    supplied: Collection[str],
    wishes: Sequence[str],
) -> None:
    """8.0-ax, 8.0-dx, S-27, S-39: destroy units. Then retreat the Kampfgruppen that replace lost divisions.

    ``supplied``: units that were in supply when attacked. ``wishes``: wishes of the player who chooses retreats.
    """
    form_kampfgruppen(umpire, rule, remove_units(umpire, rule, uids, why, supplied), why, wishes)


def remove_units(
    umpire: Umpire[Setting], rule: str, uids: Collection[str], why: str, supplied: Collection[str]
) -> list[str]:
    """10.0-a, S-27, S-39: eliminate units. Return the divisions among them that a Kampfgruppe can replace.

    These divisions stay until the other units of both sides have left. Then `form_kampfgruppen` moves them.
    """
    able = [uid for uid in uids if uid in supplied and find_kampfgruppe(umpire.setting, umpire.state, uid)]
    for uid in sorted({*uids} - {*able}):
        eliminate_unit(umpire, rule, uid, why)
    return able


def form_kampfgruppen(
    umpire: Umpire[Setting], rule: str, able: Collection[str], why: str, wishes: Sequence[str]
) -> None:
    """10.0-a, S-39, S-40: retreat lost divisions in turn, and replace each by a Kampfgruppe.

    The player who chooses the retreats also chooses their sequence. The hex must have room for the division.
    """
    for uid in retreat.order_units(able, wishes, umpire.setting.counters):
        group = find_kampfgruppe(umpire.setting, umpire.state, uid)
        if not group:
            eliminate_unit(umpire, rule, uid, f"{why}; no Kampfgruppe is left")
        elif not retreat.retreat_unit(umpire, "10.0-a", uid, wishes):
            eliminate_unit(umpire, rule, uid, f"{why}; no hex for a Kampfgruppe")
        else:
            _replace_division(umpire, uid, group)


def _replace_division(umpire: Umpire[Setting], uid: str, group: str) -> None:
    """10.0-b, 10.0-c: replace a retreated division by a Kampfgruppe; the enemy scores three times the difference."""
    setting, place = umpire.setting, umpire.state.units[uid].place
    lost = setting.counters[uid].worth - setting.counters[group].worth
    umpire.emit(Removed("10.0-a", uid, ELIMINATED, "replaced by a Kampfgruppe"))
    umpire.emit(Placed("10.0-b", group, place, 1, KAMPFGRUPPE))
    score_points(umpire, "10.0-c", GERMAN, setting.motorized_points * lost)


def retreat_units(umpire: Umpire[Setting], rule: str, uids: Collection[str], wishes: Sequence[str]) -> None:
    """8.0-ar, 8.0-br, 8.0-dr, S-40: retreat units in turn. A unit without a hex to retreat to is destroyed (S-27)."""
    for uid in retreat.order_units(uids, wishes, umpire.setting.counters):
        if not retreat.retreat_unit(umpire, rule, uid, wishes):
            eliminate_unit(umpire, rule, uid, "no hex to retreat to")


def choose_payment(setting: Setting, counts: Mapping[str, int], due: int, wishes: Sequence[str]) -> list[str]:
    """8.0-ex, S-15, S-16, S-47: return the attackers lost in an exchange, worth ``due`` or more. ``counts``: strengths.

    1. If the attackers together are worth too little, return every attacker. 2. If the player's list is worth enough,
    take units from its front until the debt is paid. 3. Otherwise take the units that exceed the debt by least. In a
    tie take the fewest motorized units, then the lowest ids.
    """
    if sum(counts.values()) < due:
        return sorted(counts)
    taken = take_losses(counts, due, wishes)
    if sum(counts[uid] for uid in taken) >= due:
        return taken
    best: dict[int, tuple[int, tuple[str, ...]]] = {0: (0, ())}
    for uid in sorted(counts, reverse=True):  # ids of a choice must ascend
        moved, worth = setting.counters[uid].motorized, counts[uid]
        for paid, (wheels, others) in sorted(best.items(), reverse=True):
            if worth and paid < due:
                price = (wheels + moved, (uid, *others))
                best[paid + worth] = min(best.get(paid + worth, price), price)
    return list(best[min(paid for paid in best if paid >= due)][1])
