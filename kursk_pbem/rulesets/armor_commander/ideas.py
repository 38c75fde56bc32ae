"""What a commander thinks about: the losses to come, the ground to hold, and six plans that differ in kind.

All numbers are whole: chances in ten-thousandths; worth in points, of which a won game has 1,000. The orders of the
enemy are guessed, never read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel import plane
from kursk_pbem.kernel.ideas import Idea, Ideas, Solve, Whim, be_calm
from kursk_pbem.kernel.picture import Point
from kursk_pbem.kernel.plane import CLOCK
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.umpire import other
from kursk_pbem.rulesets.armor_commander import ahead, movement, plotting, sequence, tactics, victory
from kursk_pbem.rulesets.armor_commander.position import DEPLOYMENT, FACING, INITIATIVE, OPEN, SHOWN, Field, make_field
from kursk_pbem.rulesets.armor_commander.saves import SAVE
from kursk_pbem.rulesets.armor_commander.setting import COHESION, GUN, HIT, HOLDS, SIDES, TANK, Group, Setting

FIRE, RUSH, AMBUSH, FLANK, CLEAR, WITHDRAW = "fire", "rush", "ambush", "flank", "clear", "withdraw"
PLANS = (
    Idea(FIRE, "Fire first", "The tanks fire if that gains more than a move, or move to better shots and ground."),
    Idea(WITHDRAW, "Break contact", "The tanks leave the sight of the enemy, and return for the last two turns."),
    Idea(AMBUSH, "Lie in wait", "The tanks stand where few enemies can hurt them, and fire at whatever appears."),
    Idea(CLEAR, "Clear the objective", "All fire at the two enemies nearest to the objective, or move to see them."),
    Idea(FLANK, "Turn a flank", "The tanks drive around the enemy tanks, and fire at side and rear armor."),
    Idea(RUSH, "Rush the objective", "The tanks drive to the objective by the shortest way, and fire from there."),
)
# A certain event; the worth of a won game; the rough worth of a model.
SURE, WON, LOSS = 10_000, 1_000, 140
# The greatest worth of a mood; the number of moves with an exact look.
MOOD, LOOK = 50, 3
# The way of a turn, this way around obstacles, and a long way, in hundredths of an inch.
STEP, SAFE, LAST = 600, 450, 2400
Entry = dict[str, Any]
# (shooter, target) -> the chance that a shot destroys the target.
Chances = dict[tuple[str, str], int]


def measure_chance(table: Field, shooter: str, target: str, *, hasty: bool) -> int:
    """5.2 to 6.6: return the chance that a shot destroys its target; ``hasty``: without obscurity and facing."""
    models, (a, b) = table.setting.models, (table.at[shooter], table.at[target])
    weapon = table.setting.find_weapon(models[shooter].kind, models[target].kind)
    band = weapon.find_band(a, b) if weapon else ""
    if not band or not table.setting.is_clear(*sorted((a, b))):
        return 0
    fails = SAVE - 1 - (not hasty and table.is_obscured(shooter, target))
    if models[target].kind == GUN:
        return (7 - HIT[band]) * fails * SURE // 36
    fails += not hasty and table.find_arc(shooter, target) != plane.FRONT
    return (7 - HIT[band]) * fails * fails * SURE // 216


def list_chances(table: Field, movers: Iterable[str] = (), *, hasty: bool = False) -> Chances:
    """Return the chances of all shots, or of the shots by and at ``movers``."""
    found, some = Chances(), set(movers)
    for one in table.list_models(SIDES[0]):
        for two in table.list_models(SIDES[1]):
            for pair in ((one, two), (two, one)) if not some or one in some or two in some else ():
                if chance := measure_chance(table, *pair, hasty=hasty):
                    found[pair] = chance
    return found


def aim(chances: Chances, shooters: Iterable[str], left: dict[str, int], worth: Mapping[str, int]) -> dict[str, str]:
    """Let each shooter choose the target with the greatest gain; ``left``: the chances of survival, changed here."""
    at = {}
    for shooter in shooters:
        gains = {
            foe: chances[shooter, foe] * alive * worth.get(foe, 1)
            for foe, alive in left.items()
            if (shooter, foe) in chances
        }
        best = max(gains, key=lambda foe: (gains[foe], foe), default="")
        if best and gains[best]:
            at[shooter] = best
            left[best] = left[best] * (SURE - chances[shooter, best]) // SURE
    return at


def count_kills(table: Field, chances: Chances, side: str, worth: Mapping[str, int]) -> int:
    """Return the mean worth of the losses by the best fire of a side, in ten-thousandths of a model."""
    left = dict.fromkeys(table.list_enemies(side), SURE)
    aim(chances, [mid for mid in table.list_models(side) if not table.is_pinned(mid)], left, worth)
    return sum((SURE - chance) * worth.get(foe, 1) for foe, chance in left.items())


def list_ways(table: Field, side: str, goal: Point) -> list[int]:
    """9.2: return the distances of a side's mobile models to the circle of an objective, the shortest first."""
    mobile = [mid for mid in table.list_models(side) if table.is_mobile(mid)]
    return sorted(max(0, plane.distance(table.at[mid], goal) - HOLDS) for mid in mobile)


def value_strength(table: Field) -> int:
    """9.1, 9.3: return what the losses and the models on the table are worth to the first side."""
    lost = victory.count_losses(table)
    one, two = (sum(8 + 2 * table.is_mobile(mid) for mid in table.list_models(side)) for side in SIDES)
    return 60 * (lost[SIDES[1]] - lost[SIDES[0]]) + ahead.divide(500 * (one - two), max(one + two, 1))


def foresee_end(table: Field) -> int:
    """9.1 to 9.3: return 1, 0 or -1 for the first side, as if the game ended now."""
    one, two = (bool(table.list_models(side)) for side in SIDES)
    lost = victory.count_losses(table)
    holders = [victory.find_holder(table, objective) for objective in table.setting.objectives]
    held = holders.count(SIDES[0]) - holders.count(SIDES[1])
    lead = (one - two) or held or lost[SIDES[1]] - lost[SIDES[0]]
    return (lead > 0) - (lead < 0)


def value_ground(table: Field, turns: int) -> int:
    """9.2: return what the objectives are worth to the first side, with so many turns to come.

    A side whose two nearest models may come too late loses most; a shorter way is worth a little. In the last turns the
    present holder counts too.
    """
    total = 125 * max(0, 4 - turns) * foresee_end(table)
    for objective in table.setting.objectives:
        costs = []
        for side in SIDES:
            ways = [*list_ways(table, side, objective.at), 2 * LAST, 2 * LAST][:2]
            late = [min(max(way - SAFE * turns, 0), STEP) + min(way, LAST) // (2 * turns + 2) for way in ways]
            costs.append(2 * late[0] + late[1])
        total += ahead.divide(costs[1] - costs[0], 3)
    return total


def evaluate(setting: Setting, state: State, side: str) -> int:
    """Return the worth of a position for a side: the likely end by strength, ground and the fire to come."""
    sign = 1 if side == SIDES[0] else -1
    if (verdict := victory.find_verdict(setting, state)) is not None:
        return sign * WON * ((verdict.winner == SIDES[0]) - (verdict.winner == SIDES[1]))
    table = make_field(setting, state)
    if table.list_undeployed():
        return 0
    turns = len(setting.turns) - setting.turns.index(state.turn) - (OPEN in state.agenda or SHOWN in state.agenda)
    if not turns or not all(table.list_models(each) for each in SIDES):
        return sign * ahead.divide(foresee_end(table) * WON * 9 + value_strength(table), 10)
    chances = recall(state, ("chances",), lambda: list_chances(table))
    one, two = (count_kills(table, chances, each, {}) for each in SIDES)
    return sign * (value_strength(table) + value_ground(table, turns) + ahead.divide(LOSS * (one - two), 4 * SURE))


def recall(state: State, key: tuple[str, ...], make: Callable[[], Any]) -> Any:
    """Return a fact about a position that all plans need, made once."""
    if key not in state.views:
        state.views[key] = make()
    return state.views[key]


@frozen
class Scheme:
    """The thoughts of a side about its orders by a plan; ``turns``: the turns after this turn."""

    table: Field
    side: str
    plan: str
    whim: Whim
    turns: int
    chances: Chances

    @cached_property
    def worth(self) -> Mapping[str, int]:
        """How much each enemy is worth as a target."""
        at, foes = self.table.at, self.table.list_enemies(self.side)
        far = {
            foe: min((plane.distance(at[foe], goal.at) for goal in self.table.setting.objectives), default=0)
            for foe in foes
        }
        nearest = sorted(foes, key=lambda foe: far[foe])[:2] if self.plan == CLEAR else []
        return {foe: 4 if foe in nearest or (far[foe] <= HOLDS and not self.turns) else 1 for foe in foes}

    def choose_orders(self) -> list[Entry]:
        """3.2: give chips to guns first, because their targets may fall before the tanks fire."""
        found: list[Entry] = []
        left = dict.fromkeys(self.worth, SURE)
        for unit in sorted(self.table.setting.list_units(self.side), key=lambda each: each.kind == TANK):
            if self.table.list_unit(unit.id) and not self.table.is_pinned(unit.id):
                found += self.choose_order(unit, left, found)
        return found

    def choose_order(self, unit: Group, left: dict[str, int], others: list[Entry]) -> list[Entry]:
        """Return the best order of a unit: a list of one order, or none."""
        after = dict(left)
        at = aim(self.chances, self.table.list_unit(unit.id), after, self.worth)
        gain = LOSS * sum((left[foe] - after[foe]) * self.worth[foe] for foe in left) // SURE
        stay = self.judge(unit, self.table, self.chances) + gain + self.whim(f"{unit.id} fires") * MOOD // 100
        for score, entry in self.list_moves(unit):
            if score > stay and not plotting.judge_orders(self.table, self.side, [*others, entry])[1]:
                return [entry]
        left.update(after)
        return self.order_fire(unit, at)

    def judge(self, unit: Group, table: Field, chances: Chances) -> int:
        """Return the worth of a place of a unit by the plan. The enemy's next fire counts more than the own fire."""
        sign, goals = 1 if self.side == SIDES[0] else -1, table.setting.objectives
        mine = count_kills(table, chances, self.side, self.worth)
        theirs = count_kills(table, chances, other(SIDES, self.side), {})
        plan = FIRE if unit.kind == GUN or (self.turns < 2 and self.plan in (AMBUSH, WITHDRAW)) else self.plan
        if not self.turns:
            return sign * foresee_end(table) * WON * 9 // 10
        ground = sign * value_ground(table, self.turns)
        if plan == RUSH and goals:
            return ground - min(sum(list_ways(table, self.side, goal.at)) for goal in goals)
        if plan == FLANK:
            return self.judge_flank(unit, table) + LOSS * (20 * mine - 40 * theirs) // (100 * SURE)
        if plan in (AMBUSH, WITHDRAW):
            return ground + LOSS * ((20 if plan == AMBUSH else -40) * mine - 200 * theirs) // (100 * SURE)
        return ground + LOSS * (60 * mine - 80 * theirs) // (100 * SURE)

    def judge_flank(self, unit: Group, table: Field) -> int:
        """6.6: return how far a unit has come around the enemy tanks, and how near."""
        total = 0
        foes = [mid for mid in table.list_enemies(self.side) if table.setting.models[mid].kind == TANK]
        for mid in table.list_unit(unit.id) if foes else ():
            here = table.at[mid]
            foe = min(foes, key=lambda each: plane.square(here, table.at[each]))
            (x, y), far = CLOCK[table.state.mark(FACING, foe)], max(plane.distance(here, table.at[foe]), 1)
            ahead_of = (x * (here[0] - table.at[foe][0]) + y * (here[1] - table.at[foe][1])) // (far * 1000)
            total -= max(ahead_of, 600) // 2 + max(far - 1000, 0) // 4
        return total

    def order_fire(self, unit: Group, at: Mapping[str, str]) -> list[Entry]:
        """5.2: return an order to fire at the chosen targets, then at any enemy in sight."""
        models = self.table.setting.models
        kinds = {models[foe].unit: models[foe].kind for foe in self.worth}
        foes = [uid for uid, kind in kinds.items() if kind == TANK]
        foes += [uid for uid, kind in kinds.items() if kind == GUN and unit.kind == TANK]
        shots = [{"id": mid, "at": [foe, *foes]} for mid, foe in at.items()]
        return [{"id": unit.id, "chip": "red", "at": foes, **({"shots": shots} if shots else {})}] if foes else []

    def list_moves(self, unit: Group) -> list[tuple[int, Entry]]:
        """Return the best moves of a unit with their worth, best first: a hasty look at all, an exact look at a few."""
        hasty = recall(self.table.state, ("moves", unit.id), lambda: list(self.look_at_moves(unit)))
        ways = [
            (self.judge(unit, table, chances) + self.whim(f"{unit.id} {name}") * MOOD // 100, name, ends)
            for name, ends, table, chances in hasty
        ]
        found = []
        for _worth, name, ends in sorted(ways, key=lambda way: (-way[0], way[1]))[:LOOK]:
            faces, table, chances = recall(
                self.table.state, ("move", unit.id, name), partial(self.look_closely, unit, ends)
            )
            moves = [
                {"id": mid, "path": [plane.text(end)], **({"face": faces[mid]} if mid in faces else {})}
                for mid, end in ends.items()
            ]
            found.append(
                (
                    self.judge(unit, table, chances) + self.whim(f"{unit.id} {name}") * MOOD // 100,
                    {"id": unit.id, "chip": "green", "moves": moves},
                )
            )
        return sorted(found, key=lambda way: -way[0])

    def look_at_moves(self, unit: Group) -> Iterator[tuple[str, dict[str, Point], Field, Chances]]:
        """Yield the moves of a unit with the table and the hasty chances of fire afterwards."""
        for name, ends in self.list_ends(unit):
            table = replace(self.table, at={**self.table.at, **ends})
            yield name, ends, table, self.update_chances(table, ends, hasty=True)

    def look_closely(self, unit: Group, ends: Mapping[str, Point]) -> tuple[dict[str, str], Field, Chances]:
        """Return the facings of a move, with the table and the chances of fire afterwards."""
        faces, marks = self.choose_faces(unit, ends), self.table.state.marks
        state = self.table.state.with_(marks={**marks, FACING: {**marks.get(FACING, {}), **faces}})
        table = Field(self.table.setting, state, {**self.table.at, **ends})
        return faces, table, self.update_chances(table, ends, hasty=False)

    def update_chances(self, table: Field, ends: Mapping[str, Point], *, hasty: bool) -> Chances:
        """Return the chances of fire after a move."""
        kept = {pair: chance for pair, chance in self.chances.items() if not ends.keys() & set(pair)}
        return kept | list_chances(table, ends, hasty=hasty)

    def list_ends(self, unit: Group) -> Iterator[tuple[str, dict[str, Point]]]:
        """4.3 to 4.5: yield joint moves of a unit's models in one direction, each as far as it can go."""
        table, setting = self.table, self.table.setting
        movers = [mid for mid in table.list_unit(unit.id) if table.is_mobile(mid)]
        ways = dict(list(CLOCK.items())[::2])
        for goal in setting.objectives if movers else ():
            (a, b), (x, y) = table.at[movers[0]], goal.at
            far = max(plane.distance((a, b), (x, y)), 1)
            ways[goal.id] = ahead.divide((x - a) * ahead.LONG, far), ahead.divide((y - b) * ahead.LONG, far)
        for name, (x, y) in ways.items():
            for far in (setting.moves[unit.kind], setting.moves[unit.kind] // 2):
                ends = {}
                for mid in movers:
                    here = table.at[mid]
                    for by in (far, far // 2):
                        end = here[0] + ahead.divide(x * by), here[1] + ahead.divide(y * by)
                        if mid not in ends and movement.is_legal(table, self.side, here, end):
                            ends[mid] = end
                moved = replace(table, at={**table.at, **ends})
                together = plane.are_together([moved.at[mid] for mid in movers], COHESION, chain=setting.chain)
                if ends and together and all(ahead.has_room(moved, mid, ends[mid]) for mid in ends):
                    yield f"{name} {far}", ends

    def choose_faces(self, unit: Group, ends: Mapping[str, Point]) -> dict[str, str]:
        """6.6: turn each tank so that few dangerous enemies see its side or rear."""
        table, faces = self.table, {}
        for mid, end in ends.items() if unit.kind == TANK else ():
            foes = [
                (at, 10**9 * (1 + 3 * table.setting.is_clear(*sorted((at, end)))) // (plane.square(at, end) + 1))
                for at in (table.at[foe] for foe in self.worth)
            ]
            fears = {
                face: sum(fear for at, fear in foes if plane.find_arc(way, end, at) != plane.FRONT)
                for face, way in CLOCK.items()
            }
            faces[mid] = min(fears, key=lambda face: fears[face])
        return faces


def choose_orders(setting: Setting, state: State, side: str, plan: str, whim: Whim) -> list[Entry]:
    """Return the orders of a side by a plan."""
    table, turns = make_field(setting, state), len(setting.turns) - setting.turns.index(state.turn) - 1
    chances = recall(state, ("chances",), lambda: list_chances(table))
    return Scheme(table, side, plan, whim, turns, chances).choose_orders()


def propose(
    setting: Setting, state: State, _seq: int, plan: str, _own: Mapping[str, Any], whim: Whim
) -> dict[str, Any]:
    """Return the content of the next message by a plan."""
    phases = sequence.list_stages(setting)[state.stage].phases
    if sequence.DEPLOY in phases:
        return {"seal": {DEPLOYMENT: []}}
    if sequence.PLACE in phases:
        return {"orders": {"deployment": []}}
    if sequence.PLOT not in phases and sequence.ORDERS not in phases:
        return {}
    orders = choose_orders(setting, state, state.side, plan, whim)
    return (
        {"seal": {plotting.name_seal(state.turn): orders}} if sequence.PLOT in phases else {"orders": {"units": orders}}
    )


def guess(setting: Setting, state: State, label: str, whim: Whim) -> Any:
    """Return a likely sealed value of the enemy."""
    return [] if label == DEPLOYMENT else choose_orders(setting, state, setting.sealer, FIRE, whim)



def search(
    setting: Setting, state: State, seq: int, plan: str, own: Mapping[str, Any], whim: Whim, solve: Solve
) -> dict[str, Any]:
    """Return the content of the next message by a plan; the usual plan searches."""
    phases = sequence.list_stages(setting)[state.stage].phases
    if plan != FIRE or (sequence.PLOT not in phases and sequence.ORDERS not in phases) or whim is not be_calm:
        return propose(setting, state, seq, plan, own, whim)
    turns = len(setting.turns) - setting.turns.index(state.turn) - 1
    first = state.mark(INITIATIVE, "first") == state.side
    orders = tactics.search_orders(make_field(setting, state), state.side, turns, first, solve)
    return (
        {"seal": {plotting.name_seal(state.turn): orders}} if sequence.PLOT in phases else {"orders": {"units": orders}}
    )


IDEAS = Ideas(PLANS, evaluate, propose, guess, search, {2: 1500})
