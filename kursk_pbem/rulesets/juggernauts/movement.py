"""13.0 Operational movement: factors and bonus, zones of control (10.0), lines, run-over, stacking; Panthers (14.4).

A unit has two marches: one with its factors, and one with its bonus, which avoids zones of armies and korps that are
not Disrupted. Both check a declared path and feed the search for ways.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

from kursk_pbem.kernel.events import Marked, Tested
from kursk_pbem.kernel.hexes import ways
from kursk_pbem.kernel.hexes.board import Mask
from kursk_pbem.kernel.hexes.marches import first_of
from kursk_pbem.kernel.hexes.ways import March, Move, Refusal, Slip, Steps, Way
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.kernel.words import plural
from kursk_pbem.rulesets.juggernauts import entry, marks
from kursk_pbem.rulesets.juggernauts.position import Position, position, view
from kursk_pbem.rulesets.juggernauts.setting import ENEMY, PANTHER, Setting

PATHS = "panthers"  # agenda: unit -> its hex and the hexes of its ordered path
RULES = {ways.ENDED: "10.0", ways.NO_WAY: "10.0-move", ways.DEAR: "13.1", ways.TOO_FAR: "13.1"}
MOST_PANTHER = 3  # 14.4: half of a die roll of six


def allowance(pos: Position, uid: str, *, second: bool) -> int:
    """13.1, 13.3: return the movement factors without bonus; for a Panther, the most of its die (J-43, J-67)."""
    counter = pos.counter(uid)
    return min(counter.move - second, MOST_PANTHER if counter.kind == PANTHER else counter.move)


def make_marches(pos: Position, uid: str, held: Mask, *, second: bool) -> tuple[March, March]:
    """13.1, 13.2: return how a unit can move with its factors, and how it can move with its bonus.

    ``held``: hexes that have (or had in this phase) friendly units (10.0-friends). A unit loses the bonus if it enters
    or leaves the zone of an army or korps that is not Disrupted, unless a friend is in the hex (J-23).
    """
    side, start, setting = pos.side(uid), pos.where[uid], pos.setting
    foe, factors = ENEMY[side], allowance(pos, uid, second=second)
    zone, near = pos.zone(foe), setting.board.near
    closed = pos.occupied[foe] & ~pos.weak(foe)
    ezoc, hot, others = zone.mask, zone.hot, pos.occupied[side]
    if pos.here(start, side) == (uid,):
        others &= ~(1 << start)
    lines = setting.first_lines[foe] & pos.active[foe]
    table = costs = setting.around_lines(setting.by_land[pos.counter(uid).tank], lines)
    if ezoc >> start & 1:
        first = tuple([step for step in table(start) if _can_change_zone(pos, side, start, step[0], held)])

        def costs(here: int) -> Steps:
            return first if here == start else table(here)

    plain = March(start, factors, costs, closed, ezoc)
    shut = near[start] if hot >> start & 1 and not others >> start & 1 else hot & ~others
    return plain, March(start, factors + pos.counter(uid).bonus, costs, closed | shut, ezoc)


def _can_change_zone(pos: Position, side: str, start: int, there: int, held: Mask) -> bool:
    """10.0-move, 10.0-friends, J-21: return whether a unit may step from one enemy zone into another."""
    if not pos.ezoc(side) >> there & 1 or held >> there & 1:
        return True
    return not pos.is_move_barred(side, start, there)


def find_ends(pos: Position, uid: str, *, second: bool = False, held: Mask = 0) -> dict[int, Way]:
    """13.0: return the hexes where a unit's move can end, with cheapest paths, around full hexes if possible."""
    pair = make_marches(pos, uid, held or pos.occupied[pos.side(uid)], second=second)
    return first_of(_avoid_full(pos, uid, pair))


def _avoid_full(pos: Position, uid: str, pair: tuple[March, March]) -> tuple[March, ...]:
    """13.0, 12.0: return the marches in order of preference: first around full hexes, and without the bonus."""
    crowded = pos.full(uid)
    around = (March(m.start, m.allowance, m.costs, m.closed | crowded, m.ends, m.full, m.brief) for m in pair)
    return (*around, *pair) if crowded else pair


def find_ordered_way(pos: Position, uid: str, order: Move, pair: tuple[March, March]) -> Way | Slip:
    """13.0: return the path of an ordered move, or its first error. ``pair``: the movement without and with bonus."""
    board, (plain, faster) = pos.setting.board, pair
    if order.to in board.index:
        there, around = board.index[order.to], board.around(board.index[order.to])
        widest = March(plain.start, faster.allowance, plain.costs, plain.closed, plain.ends)
        best = ways.way_to(widest, there, around)  # no march has a better way
        closed = faster.closed if best and best.mp > plain.allowance else 0
        if best and not any(closed >> hex_ & 1 or not pos.has_room(uid, hex_) for hex_ in best.path):
            return best
        for march in _avoid_full(pos, uid, pair) if best else ():
            if best := ways.way_to(march, there, around):
                return best
    way = ways.find_way(board, pair[0], order)
    other = way if isinstance(way, Way) else ways.find_way(board, pair[1], order)
    return other if isinstance(other, Way) else way


def check_unit(pos: Position, side: str, uid: str) -> Refusal | None:
    """4.0, 13.0, 13.3: return why a unit may not move now, or None."""
    if why := pos.explain_not_own(side, uid):
        return Refusal("13.0", why)
    if pos.is_marked(marks.DISRUPTED, uid):
        return Refusal("4.0", "is Disrupted and does not move")
    if pos.is_marked(marks.EMPLACED, uid):
        return Refusal("14.2", "is emplaced and does not move: put the korps on the road first")
    if pos.is_marked(marks.ACTED, uid):
        return Refusal("13.3", "has already moved or attacked in the player turn")
    return None


def move_units(umpire: Umpire[Setting], filing: Filing) -> None:
    """13.0, 19.2-2, 19.3-2: move units in the order of the message. Panthers move after all other units (J-59)."""
    held = view(umpire).occupied[filing.writer]
    second, paths, pairs = second_step(umpire.state), dict[str, Any](), dict[str, tuple[March, March]]()

    def ready(uid: str) -> March | Refusal:
        pos = view(umpire)
        if refusal := check_unit(pos, filing.writer, uid):
            return refusal
        pairs[uid] = make_marches(pos, uid, held, second=second)
        return pairs[uid][0]

    def go(order: Move, march: March) -> Refusal | None:
        nonlocal held
        pos = view(umpire)
        way = find_ordered_way(pos, order.unit, order, pairs[order.unit])
        if isinstance(way, Slip):
            return explain_slip(pos, march, order, way)
        if pos.counter(order.unit).kind == PANTHER:
            labels = umpire.setting.board.labels
            paths[order.unit] = [labels[hex_] for hex_ in (pos.where[order.unit], *way.path)]
        else:
            carry_out(umpire, order.unit, way, again=second)
        held |= pos.occupied[filing.writer] | 1 << way.path[-1]
        return None

    listed = ways.read_moves(filing, "movement")
    counters = umpire.setting.counters
    late = [move for move in listed if move.unit in counters and counters[move.unit].kind == PANTHER]
    ways.run_moves(umpire, [*(move for move in listed if move not in late), *late], "13.0", ready, go)
    if paths:
        umpire.declare("14.4", PATHS, paths)


def second_step(state: State) -> bool:
    """13.3: return whether the stage belongs to Blitzkrieg or Proriv, the second movement and combat of a turn."""
    return state.stage.endswith("-dice") or "-second-" in state.stage


def explain_slip(pos: Position, march: March, order: Move, slip: Slip) -> Refusal:
    """Return the paragraph and the reason for refusing a move to a hex."""
    labels, side = pos.setting.board.labels, pos.side(order.unit)
    target = pos.setting.board.index.get(order.to, -1)
    if target in pos.setting.board.neighbours[march.start] and not march.closed >> target & 1:
        slip = Slip(ways.NO_WAY, march.start, target)  # only the step itself can be illegal
    if slip.kind == ways.NO_WAY:
        here, there = labels[slip.here], labels[slip.there]
        if pos.is_barred(side, slip.here, slip.there):
            return Refusal("15.2", f"{there} is a fortified hex of the enemy: attack {there} from {here}")
        return Refusal(
            "10.0-move", f"from {here} to {there} the unit would leave an enemy zone of control and enter another"
        )
    if slip.kind == ways.NOWHERE and (step := _find_barred_step(pos, march, order.unit, slip.there)):
        return step._replace(
            why=f"no way leads to {labels[slip.there]} from {labels[slip.here]}; on the shortest {step.why}"
        )
    holder, bonus = ", ".join(pos.stack(slip.there)), pos.counter(order.unit).bonus
    beyond = slip.kind == ways.TOO_FAR and bonus and slip.points > march.allowance + bonus
    march = replace(march, allowance=march.allowance + bonus) if beyond else march
    text = ways.describe_slip(pos.setting.board, march, slip, holder if slip.kind == ways.CLOSED else "")
    if slip.why:
        cause = explain_slip(pos, march, order, slip.why)
        return Refusal(cause.rule, f"{text}: {cause.why}")
    return Refusal(RULES.get(slip.kind, "13.0"), f"{text} with the bonus" if beyond else text)


def _find_barred_step(pos: Position, march: March, uid: str, target: int) -> Refusal | None:
    """15.2: return the first forbidden step on the shortest way by land, as if no unit was on the map."""
    most, costs = len(pos.setting.board.labels), pos.setting.by_land[pos.counter(uid).tank]
    way = ways.way_to(replace(march, allowance=most, costs=costs, closed=0, ends=0), target)
    for here, there in pairwise((march.start, *(way.path if way else ()))):
        if pos.is_barred(pos.side(uid), here, there):
            labels = pos.setting.board.labels
            return Refusal("15.2", f"the line in {labels[there]} cannot be entered from the front, {labels[here]}")
    return None


def carry_out(umpire: Umpire[Setting], uid: str, way: Way, rule: str = "13.0", *, again: bool = False) -> None:
    """13.0, 12.0, 16.2: move a unit. If it ends over the stacking limit or out of supply, it is then Disrupted."""
    pos, labels = view(umpire), umpire.setting.board.labels
    supplied = pos.is_supplied(uid)  # J-56: at the start of the move
    crowded = [labels[hex_] for hex_ in way.path if not pos.has_room(uid, hex_)]
    entry.move_unit(umpire, rule, uid, tuple(labels[hex_] for hex_ in way.path), "move", str(way.mp))
    umpire.emit(Marked("13.3", marks.ACTED, uid, f"{marks.AGAIN if again else ''}{way.mp}"))
    if crowded:
        entry.disrupt_unit(umpire, "12.0", uid, f"over the stacking limit in {', '.join(crowded)}")
    if not supplied:
        entry.disrupt_unit(umpire, "16.2", uid, "moved out of supply")


def place_panthers(setting: Setting, state: State) -> Position:
    """J-43: return the position for declaring attacks. In it, Panthers are where their ordered moves end."""
    paths = state.agenda.get(PATHS, {})
    ends = {uid: replace(state.units[uid], place=path[-1]) for uid, path in paths.items()}
    return position(setting, state.with_(units={**state.units, **ends}) if ends else state)


def roll_panthers(umpire: Umpire[Setting], _filing: Filing) -> None:
    """14.4, J-25: roll for moving Panthers. A Panther that needs more than half of its die stops and is Disrupted."""
    for uid, (_start, *path) in sorted(umpire.state.agenda[PATHS].items()):
        label, counter = f"{uid}/move", umpire.setting.counters[uid]
        die = umpire.roll(label, "14.4", of=PATHS, whose=counter.side)
        far, mp = measure_way(umpire, uid, path, int(die))
        arrives = far == len(path)
        text = f"reaches {path[-1]}" if arrives else f"stops short of {path[far]}"
        faces = sum(measure_way(umpire, uid, path, face)[0] == far for face in range(1, 7))
        needs = f"allows {plural(halve_die(int(die)), 'movement factor')}"
        umpire.emit(Tested("14.4", uid, "Movement", label, die, needs, arrives, text, f"{faces}/6"))
        if far:
            carry_out(umpire, uid, Way(tuple(umpire.setting.board.index[label] for label in path[:far]), mp), "14.4")
        else:
            umpire.emit(Marked("13.3", marks.ACTED, uid, "0"))
        if not arrives:
            entry.disrupt_unit(umpire, "14.4", uid, "broke down")


def halve_die(die: int) -> int:
    """14.4: return half of a die, rounded up."""
    return (die + 1) // 2


def measure_way(umpire: Umpire[Setting], uid: str, path: list[str], die: int) -> tuple[int, int]:
    """14.4, J-43: return how many hexes of its path a Panther's die allows, and their cost. Its bonus is included."""
    pos, counter = view(umpire), umpire.setting.counters[uid]
    costs = list_costs(pos, uid, [umpire.state.units[uid].place, *path])
    longer = make_marches(pos, uid, pos.occupied[counter.side], second=False)[1]
    free = not any(longer.closed >> umpire.setting.board.index[label] & 1 for label in path)
    attacks = any(uid in battle["attackers"] for battle in umpire.state.agenda.get("battles", ()))
    limit = halve_die(die) + (counter.bonus if free and not attacks else 0)
    far = sum(cost <= limit for cost in costs)
    return far, costs[far - 1] if far else 0


def list_costs(pos: Position, uid: str, path: list[str]) -> list[int]:
    """13.1, 15.6: return the total cost after each step of a path. The path includes the hex of the start."""
    land, spent, costs = pos.setting.by_land[pos.counter(uid).tank], 0, []
    for here, there in pairwise(pos.setting.board.index[label] for label in path):
        spent += dict(land(here))[there]
        costs.append(spent)
    return costs
