"""6.1 to 6.9: saves of tanks, guns and crews, and the effects of failed saves."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel import plane
from kursk_pbem.kernel.events import Marked, Noted, Removed, StepsLost, Tested, Unmarked
from kursk_pbem.kernel.state import ELIMINATED
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.armor_commander.position import FACING, IMMOBILE, PINNED, PLOT, WRECK
from kursk_pbem.rulesets.armor_commander.setting import GUN, TANK, Setting

SAVE = 5
"""6.3, 6.8: the lowest die that saves, before modifiers."""


@frozen
class Effect:
    """The effect of a hit on a model. ``blast``: only the blast reaches the model (6.4).

    ``obscured``: for tanks and guns, terrain obscures them (6.5, A-33); for crews, they are in cover (6.9). ``flank``:
    side or rear armor (6.6). ``off_table``: the fire comes from off the table (6.7), which the printed rules do not use
    (A-25).
    """

    model: str
    kind: str
    blast: bool
    obscured: bool
    flank: bool
    off_table: bool = False

    @property
    def by_crew(self) -> bool:
        """6.2, A-12: whether each member of a gun's crew rolls (after a blast), or the gun (after a direct hit)."""
        return self.kind == GUN and self.blast

    @property
    def modifiers(self) -> tuple[tuple[int, str], ...]:
        """6.5 to 6.7, 6.9, A-33: the modifiers of the save's die roll, each with its reason."""
        lines = []
        if self.obscured:
            lines.append((1, "in cover" if self.by_crew else "half obscured"))
        if self.flank and self.kind == TANK:
            lines.append((-1, "side or rear armor"))
        if self.off_table and (self.kind == TANK or self.by_crew):
            lines.append((1 if self.kind == TANK else -1, "fire from off the table"))
        return tuple(lines)

    @property
    def modifier(self) -> int:
        """The sum of the die roll modifiers."""
        return sum(by for by, _why in self.modifiers)

    def is_saved(self, dice: str) -> bool:
        """6.1, 6.3, A-13: return whether a save succeeds: the highest die, with modifiers, is at least 5."""
        return max(map(int, dice)) + self.modifier >= SAVE

    @property
    def chance(self) -> Fraction:
        """The chance that a save succeeds. A tank rolls two dice. A gun, or a member of its crew, rolls one die."""
        fails = Fraction(min(6, max(0, SAVE - self.modifier - 1)), 6)
        return 1 - (fails**2 if self.kind == TANK else fails)

    @property
    def description(self) -> str:
        """The save in words, such as 'saves at 5 or more with the better die, +1 half obscured'."""
        better = " with the better die" if self.kind == TANK else ""
        return f"saves at {SAVE} or more{better}" + "".join(f", {by:+d} {why}" for by, why in self.modifiers)


def roll_saves(umpire: Umpire[Setting], hits: Iterable[tuple[str, Effect]]) -> dict[str, int]:
    """5.6, A-47: roll the saves for direct hits, then for blasts; return the crew losses of each gun.

    Losses apply after all dice. However, crew lost to one blast does not save against the next blast (A-35).
    """
    in_turn = sorted(hits, key=lambda hit: (hit[1].blast, hit[0], hit[1].model))
    lost: dict[str, int] = {}
    doomed: dict[str, bool] = {}  # True: destroyed, False: immobile
    for shooter, effect in in_turn:
        if effect.by_crew:
            left = 0 if doomed.get(effect.model) else umpire.state.units[effect.model].steps - lost.get(effect.model, 0)
            if left:
                lost[effect.model] = lost.get(effect.model, 0) + _roll_crew(umpire, shooter, effect, left)
        elif not _roll_save(umpire, shooter, effect):
            doomed[effect.model] = not effect.blast or doomed.get(effect.model, False)
    return _apply_losses(umpire, doomed, lost)


def _roll_save(umpire: Umpire[Setting], shooter: str, effect: Effect) -> bool:
    """6.1 to 6.6: roll a save: two dice for a tank, one for a gun."""
    label = f"{shooter}/{'blast' if effect.blast else 'save'}/{effect.model}"
    rule = "6.2" if effect.kind == GUN else "6.1"
    side = umpire.setting.models[effect.model].side
    dice = umpire.roll(label, rule, of=PLOT, n=1 if effect.kind == GUN else 2, whose=side)
    saved = effect.is_saved(dice)
    text = "saved" if saved else "immobile from now on" if effect.blast else "destroyed"
    chance = effect.chance if saved else 1 - effect.chance
    what = "Save against the blast" if effect.blast else "Save"
    umpire.emit(Tested(rule, effect.model, what, label, dice, effect.description, saved, text, str(chance)))
    return saved


def _roll_crew(umpire: Umpire[Setting], shooter: str, effect: Effect, left: int) -> int:
    """6.8, 6.9, A-12: roll a die for each of a crew in a blast; return the number of casualties."""
    label = f"{shooter}/crew/{effect.model}"
    dice = umpire.roll(label, "6.8", of=PLOT, n=left, whose=umpire.setting.models[effect.model].side)
    fallen = sum(not effect.is_saved(die) for die in dice)
    chance = count_successes(left, 1 - effect.chance)[fallen]
    text = f"{fallen} {'casualty' if fallen == 1 else 'casualties'}"
    what, passed = f"Saves of {left} crew", not fallen
    umpire.emit(Tested("6.8", effect.model, what, label, dice, effect.description, passed, text, str(chance)))
    return fallen


def count_successes(dice: int, chance: Fraction) -> list[Fraction]:
    """Return the chances of 0, 1, ... successes in some rolls. ``chance``: the chance that one roll succeeds."""
    line = [Fraction(1)]
    for _die in range(dice):
        line = add_event(line, chance)
    return line


def add_event(line: list[Fraction], chance: Fraction) -> list[Fraction]:
    """Return the chances of 0, 1, ... successes after one more roll. ``line``: the chances before this roll."""
    nothing = Fraction(0)
    return [a * (1 - chance) + b * chance for a, b in zip([*line, nothing], [nothing, *line], strict=True)]


def _apply_losses(umpire: Umpire[Setting], doomed: dict[str, bool], lost: dict[str, int]) -> dict[str, int]:
    """6.3, 6.4, 6.8, A-11: remove or immobilize models with failed saves; reduce crews, and guns without crew fall."""
    casualties = {}
    for mid in sorted({*doomed, *lost}):
        left = umpire.state.units[mid].steps - lost.get(mid, 0)
        if doomed.get(mid) or not left:
            _remove_model(umpire, mid, "6.3" if doomed.get(mid) else "6.8")
        elif mid in doomed and not umpire.state.mark(IMMOBILE, mid):
            umpire.emit(Marked("6.4", IMMOBILE, mid, "yes"))
        elif mid in doomed:
            umpire.emit(Noted("6.4", f"{mid} could not move before"))
        elif lost.get(mid):
            umpire.emit(StepsLost("6.8", mid, lost[mid], left, "blast"))
            casualties[mid] = lost[mid]
    return casualties


def _remove_model(umpire: Umpire[Setting], mid: str, rule: str) -> None:
    """6.3, A-32: remove a model and its marks; mark its place if wrecks stay."""
    place = umpire.state.units[mid].place
    umpire.emit(Removed(rule, mid, ELIMINATED, "destroyed"))
    for table in (FACING, IMMOBILE, PINNED):
        if umpire.state.mark(table, mid):
            umpire.emit(Unmarked(rule, table, mid))
    if umpire.setting.wrecks_stay:
        umpire.emit(Marked(rule, WRECK, mid, plane.text(plane.point(place))))
