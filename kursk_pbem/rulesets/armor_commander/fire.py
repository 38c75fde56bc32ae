"""5.1 to 5.7: the red chip: targets, ranges, hits and blasts.

``list_shots`` finds everything that is known before a die is rolled; drafts, possible moves and odds use the list too.
All shots of a unit are simultaneous (A-22): losses apply after the last die.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel import plane
from kursk_pbem.kernel.events import Noted, Tested
from kursk_pbem.kernel.plane import inches
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.armor_commander.movement import measure_rounded_up
from kursk_pbem.rulesets.armor_commander.orders import Order
from kursk_pbem.rulesets.armor_commander.position import PLOT, Field, make_field
from kursk_pbem.rulesets.armor_commander.saves import Effect, roll_saves
from kursk_pbem.rulesets.armor_commander.setting import GUN, HIT, TANK, Setting, Weapon

SILENT = " does not fire"
"""The words after the id of a model with a lost shot."""


@frozen
class Shot:
    """5.2 to 5.5: a shot from the present position. Without ``target`` or ``band`` (range band), the shot cannot hit.

    ``why``: the reason why the shot cannot hit. ``far``: the distance, rounded up for display. ``needs``: the lowest
    die that hits. ``effects``: the effects of a hit.
    """

    shooter: str
    target: str
    weapon: str
    far: int
    band: str
    needs: int
    effects: tuple[Effect, ...]
    why: str = ""

    @property
    def hit_chance(self) -> Fraction:
        """The chance that the shot hits its target."""
        return Fraction(7 - self.needs, 6) if self.band else Fraction(0)

    @property
    def lost_rule(self) -> str:
        """The paragraph that makes a hit impossible: 5.4 (out of range) or 5.2 (no visible target)."""
        return "5.4" if self.target else "5.2"

    @property
    def description(self) -> str:
        """Distance, range band and needed die roll in words: '12 inches, long range: hits at 5 or more'."""
        return self.why or f"{inches(self.far)} inches, {self.band} range: hits at {self.needs} or more"


def list_shots(table: Field, order: Order) -> list[Shot]:
    """A-4, A-52: return a shot for each of the unit's models on the table, sorted by the models' ids."""
    return [_aim_shot(table, mid, order.aim_of(mid)) for mid in table.list_unit(order.unit) if order.aim_of(mid)]


def _aim_shot(table: Field, shooter: str, entries: tuple[str, ...]) -> Shot:
    """5.2, A-5, A-39: aim at the first entry on the table; in a unit at its nearest visible model, then lowest id."""
    for entry in entries:
        standing = table.find_models(entry)
        if not standing:
            continue
        seen = [mid for mid in standing if table.can_see(shooter, mid)]
        if not seen:
            return _make_lost_shot(shooter, f"does not see {entry}")
        here = table.at[shooter]
        return measure_shot(table, shooter, min(seen, key=lambda mid: (plane.square(here, table.at[mid]), mid)))
    return _make_lost_shot(shooter, "has no target left")


def _make_lost_shot(shooter: str, why: str) -> Shot:
    return Shot(shooter, "", "", 0, "", 0, (), why)


def measure_shot(table: Field, shooter: str, target: str) -> Shot:
    """5.3 to 5.5, A-6, A-7: return a shot at a visible target.

    The distance is measured from center to center. A shot beyond the last range band cannot hit.
    """
    models = table.setting.models
    weapon = table.setting.find_weapon(models[shooter].kind, models[target].kind)
    if weapon is None:
        return _make_lost_shot(shooter, f"may not fire at {target}")
    a, b = table.at[shooter], table.at[target]
    far, band = measure_rounded_up((a, b)), weapon.find_band(a, b)  # a distance beyond a limit must not look legal
    if not band:
        why = f"{inches(far)} inches: out of range, the shot is lost"
        return Shot(shooter, target, weapon.name, far, "", 0, (), why)
    return Shot(shooter, target, weapon.name, far, band, HIT[band], tuple(list_effects(table, weapon, shooter, target)))


def list_effects(table: Field, weapon: Weapon, shooter: str, target: str) -> Iterator[Effect]:
    """5.6, 6.1 to 6.9, A-10: yield the effects of a hit on the target, and on the models in the blast around it.

    In its own blast a tank has neither facing nor cover (A-36). In a blast each of a gun's crew saves (A-35).
    """
    models = table.setting.models
    side = models[target].kind == TANK and table.find_arc(shooter, target) != plane.FRONT
    obscured = table.is_obscured(shooter, target)
    yield Effect(target, models[target].kind, blast=False, obscured=obscured, flank=side)
    if not weapon.blast:
        return
    for mid, place in table.at.items():
        if mid == target or not plane.is_within(table.at[target], place, weapon.blast + models[mid].radius):
            continue
        if models[mid].kind == GUN:
            yield Effect(mid, GUN, blast=True, obscured=table.is_in_cover(shooter, mid), flank=False)
        else:
            own = mid == shooter
            flank = not own and table.find_arc(shooter, mid) != plane.FRONT
            yield Effect(mid, TANK, blast=True, obscured=not own and table.is_obscured(shooter, mid), flank=flank)


def carry_out(umpire: Umpire[Setting], order: Order) -> dict[str, int]:
    """5.1 to 5.7, A-41: roll the dice for the fire of a unit. Return the losses of each gun's crew."""
    shots = list_shots(make_field(umpire.setting, umpire.state), order)
    hits = [fired for fired in shots if _roll_shot(umpire, fired)]
    if not shots:
        umpire.emit(Noted("5.1", f"{order.unit} has no model left with orders to fire"))
    return roll_saves(umpire, [(fired.shooter, effect) for fired in hits for effect in fired.effects])


def _roll_shot(umpire: Umpire[Setting], fired: Shot) -> bool:
    """5.4, 5.5, A-34: roll for a shot and return whether it hits; report a lost shot."""
    if not fired.band:
        at = f" at {fired.target}" if fired.target else ""
        umpire.emit(Noted(fired.lost_rule, f"{fired.shooter}{SILENT}{at}: {fired.description}"))
        return False
    label = f"{fired.shooter}/hit"
    die = umpire.roll(label, "5.5", of=PLOT, whose=umpire.setting.models[fired.shooter].side)
    hit = int(die) >= fired.needs
    chance = fired.hit_chance if hit else 1 - fired.hit_chance
    needs, text = f"at {fired.target}, {fired.description}", "hit" if hit else "miss"
    umpire.emit(Tested("5.5", fired.shooter, fired.weapon, label, die, needs, hit, text, str(chance), fired.target))
    return hit
