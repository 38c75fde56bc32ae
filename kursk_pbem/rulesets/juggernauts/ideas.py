"""What a player of Juggernauts thinks about: the worth of a position, and plans for a message.

Cities decide, not losses (18.0): the German needs Kursk, the Russian needs Orel and one of four cities in the rear, and
nobody may lose a city that has to be held. Strength opens and bars the ways there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kursk_pbem.kernel.hexes.board import Board, Mask, bits
from kursk_pbem.kernel.hexes.grid import POINTY_NAMES
from kursk_pbem.kernel.hexes.policies import BATTLES
from kursk_pbem.kernel.hexes.stands import Stack, kept
from kursk_pbem.kernel.ideas import POINT, Idea, Ideas, Whim
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import OVER, VERDICT, State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.juggernauts import battles, marks, movement, readiness, sequence, setup
from kursk_pbem.rulesets.juggernauts.odds import LAST, find_defence, find_level, find_odds, read_result
from kursk_pbem.rulesets.juggernauts.orders import Battle
from kursk_pbem.rulesets.juggernauts.position import Position, position, view
from kursk_pbem.rulesets.juggernauts.setting import ARTILLERY, ENEMY, FIRST, FULL, GERMAN, PANTHER, Setting

Content = dict[str, Any]
# Worth of a factor, of a city that decides, and of the game; quarters of the factors that come to attack from so many
# hexes; factors from one hex; least gain of a move; reach of a city's pull in hexes.
FACTOR, CITY, WIN, NEAR, ROOM, MARGIN, MOST = 60, 40 * POINT, 400 * POINT, (0, 4, 3, 2, 1), 9, 10, 14
PLANS = (
    Idea("drive", "Drive on the cities", "Armour marches on the cities that decide, and attacks what bars the way."),
    Idea("battle", "Main battle", "Attacks wherever it should gain more than it costs, on the way to the cities."),
    Idea("pincer", "Pincer", "Closes the ways out of enemy stacks, so that a retreat destroys them."),
    Idea("guard", "Guard the cities", "Stands before its own cities in danger, and attacks only with good odds."),
)
# Least gain of an attack; care for own risks in percent; pull of enemy and own cities; worth of closing the ways out.
TEMPERS = {
    "battle": (40, 50, 40, 30, 0),
    "drive": (0, 25, 90, 20, 0),
    "pincer": (40, 50, 40, 30, 200),
    "guard": (80, 60, 40, 60, 0),
}


def _list_goals(setting: Setting, side: str) -> tuple[tuple[int, int], ...]:
    goals, index = setting.victory[side], setting.board.index
    worth = {**dict.fromkeys(goals.get("more", ()), CITY // 4), **dict.fromkeys(goals.get("any", ()), CITY)}
    return tuple((index[label], price) for label, price in {**worth, **dict.fromkeys(goals["take"], CITY)}.items())


def _find_cost(pos: Position, who: Iterable[str]) -> int:
    return FACTOR * sum([pos.counter(uid).attack + pos.counter(uid).defence for uid in who])


def _find_gain(results: Sequence[str], kill: int, mine: int, lost: int, shut: int, extra: int) -> int:
    """Return the mean gain; ``lost``: cost of the factors to pay; ``extra``: worth of an empty hex."""
    gains = {
        "DE": kill + extra,
        "D2": kill + extra if shut else kill * 2 // 5 + extra,
        "D": kill // 6,
        "AD": -mine // 4,
    }
    gains |= {
        "D1": kill // 5 if shut else kill // 4 + extra,
        "X": max(0, kill - lost + extra),
        "D/AE": kill // 6 - lost,
        "AE": -lost,
    }
    return sum([gains[told] for told in results]) // 6


def _list_results(setting: Setting, level: int) -> tuple[str, ...]:
    return tuple([setting.crt[max(level, 0), row] if level <= LAST else "DE" for row in range(1, 7)])


def _find_ways_out(pos: Position, hex_: int, side: str) -> Mask:
    return pos.setting.board.near[hex_] & ~(pos.enemies(side) | pos.ezoc(side))


@kept
def _find_threat(pos: Position, hex_: int, side: str) -> int:
    rings, foes, total = pos.setting.board.around(hex_), pos.enemies(side), 0
    for far in range(1, len(NEAR)) if rings[len(NEAR) - 1] & foes else ():
        for there in bits(rings[far] & ~rings[far - 1] & foes):
            able = [pos.counter(uid) for uid in pos.at[there] if not pos.is_marked(marks.DISRUPTED, uid)]
            total += sum([each.attack * NEAR[far] for each in able if each.move + each.bonus >= far - 1])
    return min(total // 4, ROOM * (pos.setting.board.near[hex_] & ~pos.occupied[side]).bit_count())


@kept
def _find_risk(pos: Position, hex_: int, stack: Stack, side: str) -> int:
    if not stack or not (threat := _find_threat(pos, hex_, side)):
        return 0
    line, kill, shut = pos.line(hex_), _find_cost(pos, stack), not _find_ways_out(pos, hex_, side)
    worth = sum([pos.counter(uid).defence for uid in stack]) + (line.ahead if line and line.owner == side else 0)
    level = find_level(threat, worth) + any(pos.is_marked(marks.DISRUPTED, uid) for uid in stack)
    odds, mine = _list_results(pos.setting, level), threat * 2 * FACTOR
    return max(0, _find_gain(odds, kill, mine, min(worth, threat) * 2 * FACTOR, shut, 0))


def _find_danger(pos: Position, hex_: int, stack: Sequence[str], side: str) -> int:
    threat, worth = _find_threat(pos, hex_, side), sum([pos.counter(uid).defence for uid in stack])
    odds = _list_results(pos.setting, find_level(threat, worth)) if threat and worth else ("DE" if threat else "",) * 6
    return sum([told in ("DE", "D2", "D1") for told in odds])


def _find_goals(pos: Position, side: str, drive: int, guard: int) -> list[tuple[int, int]]:
    """Return the pull of cities on a side: wanted cities, lost cities, and own cities in danger."""
    wants, keeps, found = _list_goals(pos.setting, side), _list_goals(pos.setting, ENEMY[side]), list[tuple[int, int]]()
    for hex_, price in (*wants, *keeps):
        near = [uid for there in bits(pos.setting.board.around(hex_)[1]) for uid in pos.here(there, side)]
        own = pos.owner(pos.setting.board.labels[hex_]) == side
        pull = guard * _find_danger(pos, hex_, near, side) // 6 if own else drive
        found += [(hex_, pull * price // CITY)] if pull and not (own and (hex_, price) in wants) else []
    return found


def _find_pull(board: Board, goals: Sequence[tuple[int, int]], here: int) -> int:
    pulls = [(pull, board.distance(here, goal)) for goal, pull in goals]
    return max([0, *(pull * (max(0, MOST - far) + 20 * (not far)) for pull, far in pulls)])


def evaluate(setting: Setting, state: State, side: str) -> int:
    """Return cities, the nearness of strength to them, strength, and a share of what each side may lose next."""
    pos, (one, other), labels = position(setting, state), setting.sides, setting.board.labels
    acts = state.side if state.stage.endswith(("-orders", "-half", "-rest")) else ENEMY[state.side]
    total = WIN * ((state.mark(VERDICT, "winner") == one) - (state.mark(VERDICT, "winner") == other))
    for owner in (one, other) if state.stage != OVER else ():
        goals, supply, late = _find_goals(pos, owner, 40, 30), pos.supply(owner), 1 if owner == acts else 2
        worth = sum([price for hex_, price in _list_goals(setting, owner) if pos.owner(labels[hex_]) == owner])
        for hex_ in bits(pos.occupied[owner]):
            stack, good = pos.here(hex_, owner), supply >> hex_ & 1
            costs = [_find_cost(pos, [uid]) * (3 + good - pos.is_marked(marks.DISRUPTED, uid)) // 4 for uid in stack]
            power = sum([pos.counter(uid).attack for uid in stack]) * _find_pull(setting.board, goals, hex_) // 4
            worth += sum(costs) + power - _find_risk(pos, hex_, stack, owner) * late // 6
        risks = [
            price * _find_danger(pos, hex_, pos.here(hex_, owner), owner)
            for hex_, price in _list_goals(setting, ENEMY[owner])
            if pos.owner(labels[hex_]) == owner
        ]
        total += (worth - sum(risks) * late // 18) * (1 if owner == one else -1)
    return total if side == one else -total


class _General:
    """The writer of a message by a plan, phase by phase, on a copy of the position."""

    def __init__(self, setting: Setting, state: State, seq: int, plan: str, whim: Whim) -> None:
        self.setting, self.board, self.whim, self.second = setting, setting.board, whim, movement.second_step(state)
        self.side, self.foe, late = state.side, ENEMY[state.side], setting.turns.index(state.turn)
        self.gain, care, drive, guard, self.shut = TEMPERS[plan]  # in later turns cities count more, risks less
        self.shadow: Umpire[Setting] = Umpire(setting, state, seq)
        self.pos, self.orders, self.busy, self.care = view(self.shadow), Content(), set[str](), care * (8 - late)
        self.goals, self.keep = (
            _find_goals(self.pos, self.side, drive * (4 + late) // 4, guard),
            dict(_list_goals(setting, self.foe)),
        )
        self.pulls = {hex_: _find_pull(self.board, self.goals, hex_) for hex_ in bits(self.board.all)}
        keys = {phase.key for phase in sequence.list_stages(setting)[state.stage].phases}
        for act in [self._turn] * ("wedges" in keys) + [self._emplace] * ("guns" in keys):
            act(self.pos)
        if "allocation" in keys:
            self._move(view(self.shadow))
            self._attack(movement.place_panthers(setting, self.shadow.state))

    def _turn(self, pos: Position) -> None:
        board, able = self.board, [uid for uid in pos.units(self.side) if readiness.can_form(pos, uid)]
        for uid in able:
            to = max(bits(board.near[pos.where[uid]]), key=self.pulls.__getitem__)
            way = POINTY_NAMES[board.grid.direction(board.places[pos.where[uid]], board.places[to])]
            self.orders.setdefault("panzerkeil", []).append({"unit": uid, "facing": way})
        readiness.form_wedges(self.shadow, Filing(self.shadow.seq, self.side, orders=self.orders))

    def _emplace(self, pos: Position) -> None:
        able = (uid for uid in pos.units(self.side) if not pos.is_marked(marks.DISRUPTED, uid))
        guns = [uid for uid in able if pos.counter(uid).kind == ARTILLERY]
        near = {uid: self.board.near[pos.where[uid]] & pos.occupied[self.foe] != 0 for uid in guns}
        for key, there in (("emplace", True), ("road", False)):
            found = [uid for uid in guns if near[uid] == there != pos.is_marked(marks.EMPLACED, uid)]
            self.orders |= {key: found} if found else {}
        readiness.set_artillery(self.shadow, Filing(self.shadow.seq, self.side, orders=self.orders))

    def _move(self, pos: Position) -> None:
        self.pos, self.stacks = pos, {hex_: pos.at[hex_] for hex_ in bits(pos.occupied[self.side])}
        units = [uid for uid in pos.units(self.side) if not movement.check_unit(pos, self.side, uid)]
        self.ends = {
            uid: movement.find_ends(pos, uid, second=self.second) for uid in units if pos.counter(uid).kind != PANTHER
        }
        self.close = {
            uid: {at for at, way in ends.items() if way.mp <= movement.allowance(pos, uid, second=self.second)}
            for uid, ends in self.ends.items()
        }
        first = sum([1 << hex_ for hex_ in bits(pos.active[self.foe]) if self.setting.lines[hex_].grade == FIRST])
        targets = bits(pos.occupied[self.foe] | first & ~pos.occupied[self.side])
        waiting = sorted([found for hex_ in targets if (found := self._imagine(hex_))[0] > self.gain])
        while waiting:
            found = self._imagine(waiting.pop()[1])
            if waiting and self.gain < found[0] < waiting[-1][0]:
                waiting = sorted([*waiting, found])
            elif found[0] > self.gain:
                self.busy.update(uid for uid, there in found[2] if self._go(uid, there))
        self._move_others()

    def _go(self, uid: str, there: int) -> bool:
        pos, way = view(self.shadow), self.ends.get(uid, {}).get(there)
        if not way or not all(pos.has_room(uid, hex_) for hex_ in way.path):
            return pos.where[uid] == there
        orders = [{"unit": uid, "path": [self.board.labels[hex_] for hex_ in way.path]}]
        trial: Umpire[Setting] = Umpire(self.setting, self.shadow.state, self.shadow.seq)
        if there not in self.close[uid]:  # with the bonus, where a friend may have left the way
            movement.move_units(trial, Filing(self.shadow.seq, self.side, orders={"movement": orders}))
        if not trial.violations:
            movement.carry_out(self.shadow, uid, way, again=self.second)
            self.orders.setdefault("movement", []).extend(orders)
            self.stacks |= {hex_: view(self.shadow).here(hex_, self.side) for hex_ in (pos.where[uid], there)}
            del self.ends[uid]
        return not trial.violations

    def _can_attack(self, pos: Position, uid: str, hex_: int) -> bool:
        return not battles.check_attacker(pos, self.side, uid, hex_, second=self.second)

    def _list_able(self, pos: Position, hex_: int) -> list[str]:
        beside = (pos.here(there, self.side) for there in bits(self.board.near[hex_]))
        return sorted([uid for stack in beside for uid in stack if self._can_attack(pos, uid, hex_)])

    def _fits(self, uid: str, stack: Stack) -> bool:
        return self.setting.has_room(tuple([each for each in stack if each != uid]), self.setting.alike[uid])

    def _imagine(self, hex_: int) -> tuple[int, int, tuple[tuple[str, int], ...]]:
        """Return the best attack on a hex: expected gain, hex, units with their hexes."""
        now, counters, wet = view(self.shadow), self.setting.counters, self.setting.rivers
        held = {at: self.stacks.get(at, ()) for at in bits(self.board.near[hex_] & ~self.pos.occupied[self.foe])}
        options = [(0, uid, at) for at in held for uid in held[at] if self._can_attack(now, uid, hex_)]
        options += [(1, uid, at) for uid in self.ends for at in held if at in self.close[uid]]
        options.sort(key=lambda each: (each[0], -counters[each[1]].attack, (each[2], hex_) in wet, each))
        stack, outs, who = now.stack(hex_), _find_ways_out(now, hex_, self.foe), dict[str, int]()
        kill, power, mine, origins, best = _find_cost(now, stack), 0, 0, 0, (-1, hex_, tuple[tuple[str, int], ...]())
        extra = max(0, self.pulls[hex_] - max([self.pulls[at] for at in held], default=0)) + 60 * (not stack)
        shaken, mood = any(now.is_marked(marks.DISRUPTED, uid) for uid in stack), 3 * self.whim(f"at {hex_}")
        for _moves, uid, at in options:
            if uid in who or uid in self.busy or not (uid in held[at] or self._fits(uid, held[at])):
                continue
            held[at], who[uid], origins = (*(each for each in held[at] if each != uid), uid), at, origins | 1 << at
            power, mine = power + counters[uid].attack, mine + _find_cost(now, [uid])
            mood -= self._regret(uid, at) + 8
            outs &= ~(self.board.near[at] | 1 << at) if counters[uid].zone == FULL else ~(1 << at)
            defence = find_defence(now, hex_, origins).total
            odds = _list_results(self.setting, find_level(power, defence) + shaken if defence else LAST)
            lost, shut = min(mine, defence * 2 * FACTOR), not outs
            gain = mood + _find_gain(odds, kill + self.shut * shut, mine, lost, shut, extra)
            best = max(best, (gain, hex_, tuple(who.items())))
        return best

    def _expose(self, hex_: int, before: Stack, after: Stack) -> int:
        price = self.keep.get(hex_, 0) if self.pos.owner(self.board.labels[hex_]) == self.side else 0
        now, then = (_find_danger(self.pos, hex_, stack, self.side) if price else 0 for stack in (before, after))
        return price * (then - now) // 9

    def _leave(self, uid: str) -> tuple[int, Stack]:
        here, rest = self.pos.where[uid], tuple([each for each in self.stacks[self.pos.where[uid]] if each != uid])
        return self._expose(here, self.stacks[here], rest), rest

    def _regret(self, uid: str, at: int) -> int:
        best = max([self.pulls[end] for end in self.ends.get(uid, ())], default=self.pulls[at]) - self.pulls[at]
        left = 0 if at == self.pos.where[uid] else self._leave(uid)[0]
        return max(0, best) * (2 if self.setting.counters[uid].move > 1 else 1) // 2 + left

    def _move_others(self) -> None:
        pos, side = self.pos, self.side
        for uid in sorted(self.ends.keys() - self.busy, key=lambda uid: (-_find_cost(pos, [uid]), uid)):
            here, fast, (bare, rest) = pos.where[uid], self.setting.counters[uid].move > 1, self._leave(uid)
            leave = _find_risk(pos, here, self.stacks[here], side) - _find_risk(pos, here, rest, side)
            best, to = MARGIN + bare, here
            for spot in self.ends[uid]:
                had = self.stacks.get(spot, ())
                if self._fits(uid, had):
                    value = (self.pulls[spot] - self.pulls[here]) * (1 + fast) - self._expose(spot, had, (*had, uid))
                    more = _find_risk(pos, spot, (*had, uid), side) - _find_risk(pos, spot, had, side)
                    value += (leave - more) * self.care // 800 + self.whim(f"stand {self.board.labels[spot]}") // 3
                    best, to = max((best, to), (value, spot))
            self._go(uid, to)

    def _attack(self, pos: Position) -> None:
        found, done = list[Content](), list[Battle]()
        reach = bits(self.board.spread(pos.occupied[self.side]))
        near = {hex_: self._list_able(pos, hex_) for hex_ in reach if not battles.check_target(pos, self.side, hex_)}
        chances = [Battle("x", hex_, tuple(able)) for hex_, able in near.items() if able]
        for gain, hex_ in sorted([(self._judge(pos, battle), battle.hex) for battle in chances], reverse=True):
            group = self._group(pos, hex_, done) if gain > self.gain // 2 else []
            if sum([self._judge(pos, battle) for battle in group]) > self.gain // 2:
                orders = [self._write_order(pos, battle) for battle in group]
                trial: Umpire[Setting] = Umpire(self.setting, self.shadow.state, self.shadow.seq)
                battles.declare_attacks(trial, Filing(self.shadow.seq, self.side, orders={BATTLES: [*found, *orders]}))
                found, done = (found, done) if trial.violations else ([*found, *orders], [*done, *group])
        self.orders |= {BATTLES: found} if found else {}

    def _group(self, pos: Position, hex_: int, done: Sequence[Battle]) -> list[Battle]:
        """Return an attack with all required attacks; [] if units for a required attack are missing."""
        found, todo, near = list[Battle](), [hex_] * (hex_ not in [each.hex for each in done]), self.board.near
        for target in todo:  # the list grows
            able = {*self._list_able(pos, target)} - {uid for each in (*done, *found) for uid in each.attackers}
            if not able:
                return []
            battle = Battle("x", target, tuple(sorted(able)))
            met = {self.board.labels[each] for each in (*todo, *(other.hex for other in done))}
            needs = [self.board.index[label] for label in battles.find_required(pos, battle) if label not in met]
            for need in needs:  # the weakest able unit stays for each
                other = [uid for uid in able if near[need] >> pos.where[uid] & 1 and len(able) > 1]
                able -= {min(other, key=lambda uid: (pos.counter(uid).attack, uid), default="")}
            found.append(Battle("x", target, tuple(sorted(able))))
            todo += needs
        return found

    def _judge(self, pos: Position, battle: Battle) -> int:
        odds, stack, shut = find_odds(pos, battle), pos.stack(battle.hex), not _find_ways_out(pos, battle.hex, self.foe)
        if not odds.allowed:
            return -CITY
        results = [read_result(self.setting, odds, die) for die in range(1, 7)]
        kill, mine = _find_cost(pos, stack) + self.shut * shut, _find_cost(pos, battle.attackers)
        near = max(self.pulls[pos.where[uid]] for uid in battle.attackers)
        lost, extra = min(mine, odds.defence.total * 2 * FACTOR), max(0, self.pulls[battle.hex] - near)
        return _find_gain(results, kill, mine, lost, shut, extra + 60 * (not stack))

    def _write_order(self, pos: Position, battle: Battle) -> Content:
        label, counters, foes = self.board.labels[battle.hex], self.setting.counters, pos.occupied[self.foe]
        able = [uid for uid in battle.attackers if counters[uid].kind != ARTILLERY and pos.where[uid] not in self.keep]
        goers = sorted(able, key=lambda uid: (-counters[uid].tank, -counters[uid].attack, uid))
        beyond = [self.board.labels[hex_] for hex_ in bits(self.board.near[battle.hex] & foes)]
        wedges = [uid for uid in battle.attackers if pos.is_marked(marks.KEIL, uid) and beyond]
        order: Content = {"id": f"a{label.lower()}", "hex": label, "attackers": [*battle.attackers]}
        return (
            order
            | ({"advance": goers} if goers else {})
            | ({"breakthrough": beyond, "exploit": wedges} if wedges else {})
        )


def propose(setting: Setting, state: State, seq: int, plan: str, _own: Mapping[str, Any], whim: Whim) -> Content:
    """Return the content of the next message by a plan; armour is placed in its historical hexes."""
    stage, side = sequence.list_stages(setting)[state.stage], state.side
    if stage.key.endswith(("-half", "-rest")):
        most = setup.count_half(setting, side) if stage.key.endswith("-half") else 0
        placed = {uid: setting.counters[uid].hex for uid in setup.list_free_units(setting, side)[:most]}
        sealed = {"seal": {setup.HALF if placed else setup.REST: placed}}
        return sealed if side == GERMAN else {"orders": {"placement": placed}} if placed else {}
    return {"orders": orders} if (orders := _General(setting, state, seq, plan, whim).orders) else {}


IDEAS = Ideas(PLANS, evaluate, propose, lambda _setting, _state, _label, _whim: {})  # no plan: the defaults
