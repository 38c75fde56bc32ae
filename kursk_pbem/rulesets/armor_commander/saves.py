"""6.1 to 6.9: what becomes of those who are hit: saves of tanks, guns and crews, and what a failed one means."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from kursk_pbem.kernel import plane
from kursk_pbem.kernel.events import Marked, Noted, Removed, StepsLost, Tested, Unmarked
from kursk_pbem.kernel.state import ELIMINATED
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.armor_commander.position import FACING, IMMOBILE, PINNED, PLOT, WRECK
from kursk_pbem.rulesets.armor_commander.setting import GUN, TANK, Setting

SAVE = 5
"""6.3, 6.8: the least die that saves, before it is changed."""


@dataclass(frozen=True)
class Effect:
    """What a hit does to a model of a kind: ``blast``: only the blast reaches it (6.4).

    ``obscured`` counts for tanks and guns (6.5, A-33) and, as cover, for crews (6.9); ``flank``: side or rear (6.6);
    ``off_table``: fire from beyond the table, of which this sheet has none (6.7, A-25).
    """

    model: str
    kind: str
    blast: bool
    obscured: bool
    flank: bool
    off_table: bool = False

    @property
    def crew(self) -> bool:
        """6.2, A-12: whether the crew saves, each with a die; the gun does only if it is hit itself."""
        return self.kind == GUN and self.blast

    @property
    def changes(self) -> tuple[tuple[int, str], ...]:
        """6.5 to 6.7, 6.9, A-33: Return what is added to the die."""
        lines = []
        if self.obscured:
            lines.append((1, "in cover" if self.crew else "half obscured"))
        if self.flank and self.kind == TANK:
            lines.append((-1, "side or rear armor"))
        if self.off_table and (self.kind == TANK or self.crew):
            lines.append((1 if self.kind == TANK else -1, "fire from off the table"))
        return tuple(lines)

    @property
    def added(self) -> int:
        """The sum of the changes."""
        return sum(by for by, _why in self.changes)

    def saves(self, dice: str) -> bool:
        """6.1, 6.3, A-13: the highest die with its changes is 5 or more; no die saves or fails by itself."""
        return max(map(int, dice)) + self.added >= SAVE

    @property
    def chance(self) -> Fraction:
        """The chance of one save: of a tank with two dice, of a gun or one of a crew with one."""
        fails = Fraction(min(6, max(0, SAVE - self.added - 1)), 6)
        return 1 - (fails**2 if self.kind == TANK else fails)

    @property
    def told(self) -> str:
        """'saves at 5 or more with the better die, +1 half obscured'."""
        better = " with the better die" if self.kind == TANK else ""
        return f"saves at {SAVE} or more{better}" + "".join(f", {by:+d} {why}" for by, why in self.changes)


def losses(umpire: Umpire[Setting], hits: Iterable[tuple[str, Effect]]) -> dict[str, int]:
    """5.6, A-47: everybody who was hit saves, first who is hit itself, then whom blasts reach; casualties by gun.

    All dice fall before anybody falls; only a crew is saved again by who is left of it (A-35).
    """
    in_turn = sorted(hits, key=lambda hit: (hit[1].blast, hit[0], hit[1].model))
    lost: dict[str, int] = {}
    doomed: dict[str, bool] = {}  # destroyed, or only immobile
    for shooter, effect in in_turn:
        if effect.crew:
            left = 0 if doomed.get(effect.model) else umpire.state.units[effect.model].steps - lost.get(effect.model, 0)
            if left:
                lost[effect.model] = lost.get(effect.model, 0) + _crew(umpire, shooter, effect, left)
        elif not _save(umpire, shooter, effect):
            doomed[effect.model] = not effect.blast or doomed.get(effect.model, False)
    return _fall(umpire, doomed, lost)


def _save(umpire: Umpire[Setting], shooter: str, effect: Effect) -> bool:
    """6.1 to 6.6: a tank saves with two dice, a gun with one."""
    label = f"{shooter}/{'blast' if effect.blast else 'save'}/{effect.model}"
    rule = "6.2" if effect.kind == GUN else "6.1"
    side = umpire.setting.models[effect.model].side
    dice = umpire.roll(label, rule, of=PLOT, n=1 if effect.kind == GUN else 2, whose=side)
    saved = effect.saves(dice)
    if saved and effect.kind == GUN and int(dice) < SAVE:
        umpire.repaired(2, "6.5")
    text = "saved" if saved else "it may no longer move" if effect.blast else "destroyed"
    chance = effect.chance if saved else 1 - effect.chance
    what = "Save against the blast" if effect.blast else "Save"
    umpire.emit(Tested(rule, effect.model, what, label, dice, effect.told, saved, text, str(chance)))
    return saved


def _crew(umpire: Umpire[Setting], shooter: str, effect: Effect, left: int) -> int:
    """6.8, 6.9, A-12: each of a crew under the blast saves with a die; how many do not."""
    label = f"{shooter}/crew/{effect.model}"
    dice = umpire.roll(label, "6.8", of=PLOT, n=left, whose=umpire.setting.models[effect.model].side)
    fallen = sum(not effect.saves(die) for die in dice)
    chance = binomial(left, 1 - effect.chance)[fallen]
    text = f"{fallen} {'casualty' if fallen == 1 else 'casualties'}"
    what, passed = f"Saves of {left} crew", not fallen
    umpire.emit(Tested("6.8", effect.model, what, label, dice, effect.told, passed, text, str(chance)))
    return fallen


def binomial(dice: int, chance: Fraction) -> list[Fraction]:
    """The chance that 0, 1, ... of so many dice do it, each with the same chance."""
    line = [Fraction(1)]
    for _die in range(dice):
        line = one_more(line, chance)
    return line


def one_more(line: list[Fraction], chance: Fraction) -> list[Fraction]:
    """The chances of 0, 1, ... with something more that happens with a chance of its own."""
    nothing = Fraction(0)
    return [a * (1 - chance) + b * chance for a, b in zip([*line, nothing], [nothing, *line], strict=True)]


def _fall(umpire: Umpire[Setting], doomed: dict[str, bool], lost: dict[str, int]) -> dict[str, int]:
    """6.3, 6.4, 6.8, A-11: who failed is destroyed or immobile; a crew loses who fell, with the last of it the gun."""
    casualties = {}
    for mid in sorted({*doomed, *lost}):
        left = umpire.state.units[mid].steps - lost.get(mid, 0)
        if doomed.get(mid) or not left:
            _destroy(umpire, mid, "6.3" if doomed.get(mid) else "6.8")
        elif mid in doomed and not umpire.state.mark(IMMOBILE, mid):
            umpire.emit(Marked("6.4", IMMOBILE, mid, "yes"))
        elif mid in doomed:
            umpire.emit(Noted("6.4", f"{mid} could not move before"))
        elif lost.get(mid):
            umpire.emit(StepsLost("6.8", mid, lost[mid], left, "blast"))
            casualties[mid] = lost[mid]
    return casualties


def _destroy(umpire: Umpire[Setting], mid: str, rule: str) -> None:
    """6.3, A-32: a model leaves the table with its marks; where wrecks stay its place is kept."""
    place = umpire.state.units[mid].place
    umpire.emit(Removed(rule, mid, ELIMINATED, "destroyed"))
    for table in (FACING, IMMOBILE, PINNED):
        if umpire.state.mark(table, mid):
            umpire.emit(Unmarked(rule, table, mid))
    if umpire.setting.wrecks_stay:
        umpire.emit(Marked(rule, WRECK, mid, plane.text(plane.point(place))))
