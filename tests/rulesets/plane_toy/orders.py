"""2.0, 3.0: sealed and open orders, simultaneous moves, fire and saves, the end of a turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

from kursk_pbem.kernel.events import LOW, Advanced, Moved, Noted, Removed, Scheduled, StepsLost, Tested
from kursk_pbem.kernel.orders import Filing, Path
from kursk_pbem.kernel.state import ANSWERED, DECLARED, ELIMINATED, State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.kernel.words import plural
from rulesets.plane_toy.setting import COVER, SIDES, Setting, inches, point, root, square

PLOT, SHOWN, OPEN = "plot", "shown", "in-the-open"  # agenda


def label(turn: str) -> str:
    """Return the label of a turn's sealed orders."""
    return f"plot/turn-{turn}"


def slips(setting: Setting, state: State, side: str, order: Any) -> Iterator[tuple[str, str, str]]:
    """2.1, 2.2: yield the errors of an order for one model: (paragraph, field, sentence)."""
    if not isinstance(order, Mapping) or not isinstance(order.get("id"), str) or set(order) - {"id", "to", "fire"}:
        yield "2.1", "", "write {id: MODEL, to: 'X, Y', fire: MODEL}"
        return
    uid = order["id"]
    if uid not in setting.alive(state, side):
        yield "2.1", "id", "is no model of yours on the table"
        return
    if "to" in order:
        try:
            to = point(order["to"])
        except (ValueError, TypeError) as error:
            yield "2.2", "to", str(error)
        else:
            far, speed = square(setting.where(state, uid), to), setting.models[uid].speed
            if far > speed**2:
                yield "2.2", "to", f"is {inches(root(far))} inches away, and it moves {inches(speed)}"
            elif not setting.fits(to):
                yield "2.2", "to", "lies in the water or off the table"
    if "fire" in order and (order["fire"] not in setting.models or setting.models[order["fire"]].side == side):
        yield "3.0", "fire", f"{order['fire']} is no enemy model"


def plot(umpire: Umpire[Setting], filing: Filing) -> None:
    """2.0: seal north's orders; north's own program checks first."""
    name = label(umpire.state.turn)
    if name not in filing.secret:
        umpire.refuse("2.0", "the orders of the turn must be sealed", name, ("seal",))
    sealed = filing.sealed.get(name, [])
    if not isinstance(sealed, list):
        umpire.refuse("2.1", "write a list of orders", name, ("seal", name))
        sealed = []
    _check(umpire, filing.writer, [(order, ("seal", name, number)) for number, order in enumerate(sealed)])
    umpire.declare("2.0", PLOT, {"label": name})


def order(umpire: Umpire[Setting], filing: Filing) -> None:
    """2.0: record south's open orders."""
    placed = list(umpire.each(filing, "models", "2.1", "this model has orders already"))
    _check(umpire, filing.writer, placed)
    umpire.emit(Scheduled("2.0", OPEN, [dict(each) for each, _path in placed]))
    umpire.answer("2.0")


def _check(umpire: Umpire[Setting], side: str, placed: list[tuple[Any, Path]]) -> None:
    for each, path in placed:
        for rule, field, why in slips(umpire.setting, umpire.state, side, each):
            name = str(each.get("id", "")) if isinstance(each, Mapping) else ""
            umpire.refuse(rule, why, name, (*path, field) if field else path)


def seals(umpire: Umpire[Setting], filing: Filing) -> None:
    """2.0: refuse other seals."""
    expected = label(umpire.state.turn) if umpire.state.agenda.get(DECLARED) == str(filing.seq) else ""
    for name in filing.secret:
        if name != expected:
            where = "seal" if name in filing.sealed else "secret"
            umpire.refuse("2.0", "nothing of this name is to be sealed now", name, (where, name))


def is_shown(umpire: Umpire[Setting], filing: Filing) -> bool:
    return label(umpire.state.turn) in filing.reveal


def show(umpire: Umpire[Setting], filing: Filing) -> None:
    """2.0: reveal north's orders, without the meaningless ones."""
    value = filing.reveal[label(umpire.state.turn)]
    good = readable(umpire.setting, umpire.state, filing.writer, value)
    if not isinstance(value, list) or len(good) < len(value):
        umpire.emit(Noted("2.1", "orders that make no sense are left out"))
    umpire.emit(Scheduled("2.0", SHOWN, good))


def readable(setting: Setting, state: State, side: str, value: Any) -> list[dict[str, Any]]:
    """Return the possible orders, one for each model."""
    found: dict[str, dict[str, Any]] = {}
    for each in value if isinstance(value, list) else []:
        if not list(slips(setting, state, side, each)):
            found.setdefault(each["id"], dict(each))
    return list(found.values())


def waits(umpire: Umpire[Setting], _filing: Filing) -> bool:
    return PLOT in umpire.state.agenda


def is_plotted(umpire: Umpire[Setting], _filing: Filing) -> bool:
    return PLOT not in umpire.state.agenda


def move(umpire: Umpire[Setting], _filing: Filing) -> None:
    """2.2: move all models at once."""
    for each in _all(umpire.state):
        start = umpire.state.units[each["id"]].place
        if each.get("to", start) != start:
            umpire.emit(Moved("2.2", each["id"], start, (each["to"],), "move"))


def _all(state: State) -> list[Mapping[str, Any]]:
    found = [*state.agenda.get(SHOWN, ()), *state.agenda.get(OPEN, ())]
    return sorted(found, key=lambda each: str(each["id"]))


@dataclass(frozen=True)
class Shot:
    """3.0, 3.1: a shot at the present places: ``far`` in hundredths; no ``dice`` out of range."""

    shooter: str
    target: str
    far: int
    dice: int
    needs: int
    saves: int

    @property
    def told(self) -> str:
        """Return '9.50 inches: 4 dice, hits at 5 or more, saved at 2 or less'."""
        if not self.dice:
            return f"{inches(self.far)} inches: out of range"
        saved = f"saved at {self.saves} or less" if self.saves else "not saved"
        return f"{inches(self.far)} inches: {self.dice} dice, hits at {self.needs} or more, {saved}"


def shot(setting: Setting, state: State, shooter: str, target: str) -> Shot:
    """3.0: return the values of a shot; beyond half the range, and against cover, the numbers change."""
    model, there = setting.models[shooter], setting.where(state, target)
    far = square(setting.where(state, shooter), there)
    saves = setting.models[target].save + setting.on(COVER, there)
    needs = model.hit + (4 * far > model.range**2)
    return Shot(shooter, target, root(far), model.dice if far <= model.range**2 else 0, needs, saves)


def fire(umpire: Umpire[Setting], _filing: Filing) -> None:
    """3.0 to 3.2: roll every shot before removing models; then end the turn."""
    setting = umpire.setting
    lost: dict[str, int] = {}
    for each in _all(umpire.state):
        if "fire" in each and umpire.state.units[each["fire"]].steps:
            found = shot(setting, umpire.state, each["id"], each["fire"])
            lost[each["fire"]] = lost.get(each["fire"], 0) + (_fire(umpire, found) if found.dice else 0)
            if not found.dice:
                umpire.emit(Noted("3.0", f"{found.shooter} does not fire at {found.target}, {found.told}"))
    for uid, steps in sorted(lost.items()):
        left = umpire.state.units[uid].steps - steps
        if left <= 0:
            umpire.emit(Removed("3.2", uid, ELIMINATED, "fire"))
        elif steps:
            umpire.emit(StepsLost("3.2", uid, steps, left, "fire"))
    umpire.settle("3.0", (PLOT, SHOWN, OPEN, DECLARED, ANSWERED))
    _end(umpire)


def _fire(umpire: Umpire[Setting], found: Shot) -> int:
    """3.0, 3.1: return hits without a save."""
    setting, name = umpire.setting, f"{found.shooter}/fire"
    dice = umpire.roll(name, "3.0", of=PLOT, n=found.dice, whose=setting.models[found.shooter].side)
    hits = sum(int(die) >= found.needs for die in dice)
    chance = binomial(found.dice, Fraction(7 - found.needs, 6))[hits]
    needs = f"hits at {found.needs} or more"
    what = f"Fire at {found.target}"
    umpire.emit(Tested("3.0", found.shooter, what, name, dice, needs, hits > 0, plural(hits, "hit"), str(chance)))
    if not (hits and found.saves):
        return hits
    name = f"{found.shooter}/save"
    dice = umpire.roll(name, "3.1", of=PLOT, n=hits, whose=setting.models[found.target].side, good=LOW)
    saved = sum(int(die) <= found.saves for die in dice)
    chance = binomial(hits, Fraction(found.saves, 6))[saved]
    needs = f"saved at {found.saves} or less"
    umpire.emit(Tested("3.1", found.target, "Save", name, dice, needs, saved == hits, f"{saved} saved", str(chance)))
    return hits - saved


def binomial(dice: int, chance: Fraction) -> list[Fraction]:
    """Return the chance of 0, 1, ... successes of some dice."""
    return [comb(dice, k) * chance**k * (1 - chance) ** (dice - k) for k in range(dice + 1)]


def _end(umpire: Umpire[Setting]) -> None:
    """1.2, 4.0: begin the next turn or end the game."""
    setting, state = umpire.setting, umpire.state
    left = {side: sum(state.units[uid].steps for uid in setting.alive(state, side)) for side in SIDES}
    if state.turn == setting.turns[-1] or not all(left.values()):
        umpire.emit(Noted("4.0", ", ".join(f"{side} has {steps} steps left" for side, steps in left.items())))
        one, other = SIDES
        winner = "" if left[one] == left[other] else max(left, key=lambda side: left[side])
        umpire.finish("4.0", winner, "steps" if winner else "even")
    umpire.emit(Advanced("1.2", setting.turns[setting.turns.index(state.turn) + 1], state.side, state.stage))
