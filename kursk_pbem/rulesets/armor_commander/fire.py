"""5.1 to 5.7: the red chip: who fires at whom, how far it is, who is hit, whom a blast reaches.

``volley`` finds out everything that is known before a die falls; draft, outlook and odds use it too. All shots of a
unit are simultaneous (A-22): nobody falls before the last die of them is rolled.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from kursk_pbem.kernel import plane
from kursk_pbem.kernel.events import Noted, Tested
from kursk_pbem.kernel.plane import inches
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.armor_commander.movement import upwards
from kursk_pbem.rulesets.armor_commander.orders import Order
from kursk_pbem.rulesets.armor_commander.position import PLOT, Field, field
from kursk_pbem.rulesets.armor_commander.saves import Effect, losses
from kursk_pbem.rulesets.armor_commander.setting import GUN, HIT, TANK, Setting, Weapon

SILENT = " does not fire"
"""What is said behind a model whose shot is lost."""


@dataclass(frozen=True)
class Shot:
    """5.2 to 5.5: a shot as it stands now. ``target`` '' or ``band`` '': none is fired, ``why`` says why.

    ``far`` is shown only, rounded up; ``needs`` is the least die that hits; ``effects`` is what a hit does to whom.
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
    def hits(self) -> Fraction:
        """The chance of a hit."""
        return Fraction(7 - self.needs, 6) if self.band else Fraction(0)

    @property
    def lost_by(self) -> str:
        """The paragraph by which a shot is lost that is not fired: its range, or that there is no target to see."""
        return "5.4" if self.target else "5.2"

    @property
    def told(self) -> str:
        """How far, in which band, at which die: 'long range: hits at 5 or more'."""
        return self.why or f"{inches(self.far)} inches, {self.band} range: hits at {self.needs} or more"


def volley(table: Field, order: Order) -> list[Shot]:
    """A-4, A-52: one shot for each model of the unit that stands, by id, whatever the order of the file."""
    return [_aimed(table, mid, order.aim_of(mid).at) for mid in table.of_unit(order.unit) if order.aim_of(mid).at]


def _aimed(table: Field, shooter: str, entries: tuple[str, ...]) -> Shot:
    """5.2, A-5, A-39: the first entry that is not destroyed; of a unit its nearest model in sight, ties lowest id."""
    setting = table.setting
    for entry in entries:
        standing = table.of_unit(entry) if entry in setting.units else [entry] if entry in table.at else []
        if not standing:
            continue
        seen = [mid for mid in standing if table.sees(shooter, mid)]
        if not seen:
            return _none(shooter, f"does not see {entry}")
        here = table.at[shooter]
        return shot(table, shooter, min(seen, key=lambda mid: (plane.square(here, table.at[mid]), mid)))
    return _none(shooter, "has no target left on its list")


def _none(shooter: str, why: str) -> Shot:
    return Shot(shooter, "", "", 0, "", 0, (), why)


def shot(table: Field, shooter: str, target: str) -> Shot:
    """5.3 to 5.5, A-6, A-7: measured from centre to centre after the target was named; beyond the last band it is lost.

    The two see each other.
    """
    models = table.setting.models
    weapon = table.setting.weapon(models[shooter].kind, models[target].kind)
    if weapon is None:
        return _none(shooter, f"may not fire at {target}")
    a, b = table.at[shooter], table.at[target]
    far, band = upwards((a, b)), weapon.band(a, b)  # what is just beyond a limit is not shown as on it
    if not band:
        why = f"{inches(far)} inches: out of range, the shot is lost"
        return Shot(shooter, target, weapon.name, far, "", 0, (), why)
    return Shot(shooter, target, weapon.name, far, band, HIT[band], tuple(effects(table, weapon, shooter, target)))


def effects(table: Field, weapon: Weapon, shooter: str, target: str) -> Iterator[Effect]:
    """5.6, 6.1 to 6.9: what a hit does: to the target, and to whom the blast about its centre reaches (A-10).

    A tank in its own blast has neither facing nor cover (A-36). A stand saves by its crew, all of it (A-35).
    """
    models = table.setting.models
    side = models[target].kind == TANK and table.arc(shooter, target) != plane.FRONT
    obscured = table.obscured(shooter, target)
    yield Effect(target, models[target].kind, blast=False, obscured=obscured, flank=side)
    if not weapon.blast:
        return
    for mid, place in table.at.items():
        if mid == target or not plane.is_within(table.at[target], place, weapon.blast + models[mid].radius):
            continue
        if models[mid].kind == GUN:
            yield Effect(mid, GUN, blast=True, obscured=table.in_cover(shooter, mid), flank=False)
        else:
            own = mid == shooter
            flank = not own and table.arc(shooter, mid) != plane.FRONT
            yield Effect(mid, TANK, blast=True, obscured=not own and table.obscured(shooter, mid), flank=flank)


def carry_out(umpire: Umpire[Setting], order: Order) -> dict[str, int]:
    """5.1 to 5.7: a unit fires; returns the casualties of each crew, by gun.

    Dice are named by who shoots, who saves and which crew (A-41).
    """
    shots = volley(field(umpire.setting, umpire.state), order)
    hits = [fired for fired in shots if _fire(umpire, fired)]
    if not shots:
        umpire.emit(Noted("5.1", f"nobody of {order.unit} who was to fire is left"))
    return losses(umpire, [(fired.shooter, effect) for fired in hits for effect in fired.effects])


def _fire(umpire: Umpire[Setting], fired: Shot) -> bool:
    """5.4, 5.5, A-34: whether a shot hits; one that is not fired is said to be lost."""
    if not fired.band:
        at = f" at {fired.target}" if fired.target else ""
        umpire.emit(Noted(fired.lost_by, f"{fired.shooter}{SILENT}{at}: {fired.told}"))
        return False
    label = f"{fired.shooter}/hit"
    die = umpire.roll(label, "5.5", of=PLOT, whose=umpire.setting.models[fired.shooter].side)
    hit = int(die) >= fired.needs
    chance = fired.hits if hit else 1 - fired.hits
    needs, text = f"at {fired.target}, {fired.told}", "hit" if hit else "miss"
    umpire.emit(Tested("5.5", fired.shooter, fired.weapon, label, die, needs, hit, text, str(chance), fired.target))
    return hit
