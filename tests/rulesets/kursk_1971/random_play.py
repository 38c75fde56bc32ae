"""Random legal play of Kursk (1971) at the kernel: messages are built from offers of the rules."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from kursk_pbem.kernel.adjudicate import Adjudication, adjudicate, keep_position
from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import ANSWER, REFEREE
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.kursk_1971 import RULESET, air, battles, combat, movement, raids, setup
from kursk_pbem.rulesets.kursk_1971.position import INTERDICTION, PATROL, Position, position, view
from kursk_pbem.rulesets.kursk_1971.raids import list_raids
from kursk_pbem.rulesets.kursk_1971.setting import ENEMY, SOVIET, Setting
from kursk_pbem.testing import SeededDice

Content = dict[str, Any]


class Chooser:
    """Chooses random legal content for a message, with many attacks."""

    def __init__(self, setting: Setting, rng: random.Random) -> None:
        self.setting, self.rng = setting, rng

    def content(self, state: State, seq: int) -> Content:
        """Return orders or policy for the message due in ``state``, after duties."""
        stage = RULESET.stage(self.setting, state)
        found: Content = {}
        if stage.kind == ANSWER and not self.setting.refereed:
            return {"policy": self.answer(state)} if self.rng.random() < 0.8 else {}
        orders = self.orders(state, seq, {phase.key for phase in stage.phases})
        if orders:
            found["orders"] = orders
        if self.setting.refereed and self.rng.random() < 0.3:
            found["policy"] = self.wishes(state.side)
        return found

    def orders(self, state: State, seq: int, phases: set[str]) -> Content:
        """Return a player's orders, phase by phase, on a copy of the position."""
        shadow: Umpire[Setting] = Umpire(self.setting, state, seq, None)
        orders: Content = {}
        if "deployment" in phases:
            self.deployment(shadow, orders, seq)
        if "movement" in phases:
            self.interception(shadow, orders, seq)
            self.arrivals(shadow, orders)
            self.moves(shadow, movement.INITIAL, orders)
            self.raids(shadow, orders, seq)
            self.battles(shadow, orders, seq)
        if "motorized" in phases and not ({"battles", "superiority"} & orders.keys()):
            self.moves(shadow, movement.MOTOR, orders)
            self.missions(shadow, orders, seq)
        assert not shadow.violations, shadow.violations
        return {key: value for key, value in orders.items() if value}

    def deployment(self, shadow: Umpire[Setting], orders: Content, seq: int) -> None:
        """Deploy some units elsewhere, with the line still held."""
        side, rng, setting = shadow.state.side, self.rng, self.setting
        own = setting.board.names(setting.own_side[side])
        found: list[Content] = []
        for uid in rng.sample(sorted(setting.start), 8):
            if setting.counters[uid].side == side:
                order = {"hex": rng.choice(own), "units": [uid]}
                trial: Umpire[Setting] = Umpire(setting, shadow.state, seq, None)
                setup.deploy(trial, Filing(seq, side, orders={"deployment": [order]}))
                if not trial.violations:
                    shadow.emit(*trial.events)
                    found.append(order)
        orders["deployment"] = found

    def interception(self, shadow: Umpire[Setting], orders: Content, seq: int) -> None:
        side, found = shadow.state.side, []
        marks = shadow.state.marks
        targets = sorted({label for table in (PATROL, INTERDICTION) for label in marks.get(table, {}).values()})
        for label in targets:
            hex_ = self.setting.board.index[label]
            for uid in air.list_ready(view(shadow), side):
                pos = view(shadow)
                if air.find_prey(pos, side, hex_) and air.is_in_range(pos, uid, hex_) and self.rng.random() < 0.4:
                    order = {"unit": uid, "hex": label}
                    air.intercept(shadow, Filing(seq, side, orders={"interception": [order]}))
                    found.append(order)
        orders["interception"] = found

    def arrivals(self, shadow: Umpire[Setting], orders: Content) -> None:
        side, found = shadow.state.side, []
        spots = self.setting.board.names(self.setting.entry[side])
        for uid in movement.list_reinforcements(self.setting, view(shadow), side):
            label = self.rng.choice(spots)
            if self.rng.random() < 0.9 and movement.find_entry_fault(view(shadow), side, uid, label) is None:
                order = {"unit": uid, "hex": label}
                self.do(shadow, movement.move_initially, {"reinforcements": [order]})
                found.append(order)
        orders["reinforcements"] = found

    def do(self, shadow: Umpire[Setting], phase: Any, orders: Content) -> None:
        phase(shadow, Filing(shadow.seq, shadow.state.side, orders=orders))

    def moves(self, shadow: Umpire[Setting], phase: str, orders: Content) -> None:
        """Return moves, mostly toward the enemy."""
        side, rng, setting = shadow.state.side, self.rng, self.setting
        start = view(shadow)
        arrived = (
            {
                order["unit"]: movement.entry_price(start, order["unit"], start.where[order["unit"]])
                for order in orders.get("reinforcements", ())
            }
            if phase == movement.INITIAL
            else {}
        )
        units = [uid for uid in start.units(side) if not movement.find_move_fault(start, uid, phase)]
        supplied = {uid: start.is_supplied(uid) or uid in arrived for uid in units}
        rng.shuffle(units)
        found = []
        for uid in units:
            if rng.random() < (0.85 if setting.counters[uid].air else 0.5):
                continue
            pos = view(shadow)
            points = movement.count_allowance(setting, uid, supplied=supplied[uid]) - arrived.get(uid, 0)
            ways = movement.find_reach(pos, uid, points)
            if not ways:
                continue
            front = [there for there in ways if setting.board.near[there] & pos.enemies(side)]
            there = rng.choice(front if front and rng.random() < 0.7 else sorted(ways))
            labels = [setting.board.labels[hex_] for hex_ in ways[there].path]
            order = {"unit": uid, "to": labels[-1]} if rng.random() < 0.5 else {"unit": uid, "path": labels}
            found.append(order)
            movement.enter_hexes(shadow, "3.0-c", uid, labels, phase, str(ways[there].mp))
            if setting.counters[uid].air:
                air.take_off(shadow, uid, INTERDICTION)  # it stays on the ground
        orders[phase] = found

    def raids(self, shadow: Umpire[Setting], orders: Content, seq: int) -> None:
        side, found = shadow.state.side, []
        for base in air.list_air_units(view(shadow), ENEMY[side]):
            pos = view(shadow)
            near = [uid for uid in air.list_ready(pos, side) if air.is_in_range(pos, uid, pos.where[base])]
            if near and self.rng.random() < 0.15:
                aircraft = self.rng.sample(near, self.rng.randint(1, len(near)))
                order = {"id": f"r{len(found) + 1}", "base": base, "aircraft": aircraft}
                self.do(shadow, raids.declare_raids, {"superiority": [order]})
                found.append(order)
        orders["superiority"] = found

    def battles(self, shadow: Umpire[Setting], orders: Content, seq: int) -> None:
        side, rng, setting = shadow.state.side, self.rng, self.setting
        pos, used, found = view(shadow), set(), []
        targets = list(bits(pos.enemies(side)))
        rng.shuffle(targets)
        for hex_ in targets:
            near = [
                uid
                for here in bits(setting.board.near[hex_] & pos.occupied[side])
                for uid in pos.stack(here)
                if uid not in used and battles.find_attacker_fault(pos, side, uid, hex_) is None
            ]
            if not near or rng.random() < 0.5:
                continue
            order = self.battle(pos, hex_, near, len(found) + 1)
            if order is None:
                continue
            flyers = [uid for uid in air.list_ready(view(shadow), side) if air.is_in_range(pos, uid, hex_)]
            if flyers and rng.random() < 0.4:
                order |= {"support": rng.choice(flyers), "unsupported": rng.choice(["skip", "attack"])}
            trial: Umpire[Setting] = Umpire(setting, shadow.state, seq, None)
            self.do(trial, battles.declare_battles, {"battles": [order]})
            if trial.violations:  # e.g. no strength at all out of supply
                continue
            if "support" in order:
                air.take_off(shadow, order["support"], air.SUPPORT)
            used |= {*order["attackers"]}
            found.append(order)
        orders["battles"] = found

    def battle(self, pos: Position, hex_: int, near: list[str], number: int) -> Content | None:
        """Return an attack by most units adjacent to a hex, limited units with partners."""
        rng, labels = self.rng, self.setting.board.labels
        who = rng.sample(near, rng.randint(max(1, len(near) - 2), len(near)))
        while who and (slip := battles.find_partner_fault(pos, who)):
            assert slip
            limited = [uid for uid in who if self.setting.counters[uid].limited]
            who.remove(rng.choice(limited))
        if not who:
            return None
        order: Content = {"id": f"b{number}", "hex": labels[hex_], "attackers": who}
        if rng.random() < 0.6:
            able = combat.find_followers(pos, pos.side(who[0]), 1 << hex_)
            order["advance"] = rng.sample(able, rng.randint(1, len(able)))
        if rng.random() < 0.3:
            order["losses"] = rng.sample(who, rng.randint(1, len(who)))
        if rng.random() < 0.4:
            order["retreat"] = self.retreats(pos.stack(hex_))
        return order

    def retreats(self, units: Any) -> list[str]:
        rng, spots = self.rng, self.setting.board.names(self.setting.board.all)
        way = f"{rng.choice(['toward ', 'away ', ''])}{rng.choice(spots)}"
        named = rng.sample(sorted(units), rng.randint(1, min(4, len(units))))
        return [way, *(f"{uid} {rng.choice(['toward', 'away'])} {rng.choice(spots)}" for uid in named)]

    def missions(self, shadow: Umpire[Setting], orders: Content, seq: int) -> None:
        side, rng = shadow.state.side, self.rng
        found: Content = {PATROL: [], INTERDICTION: []}
        here = view(shadow)
        spots = sorted({*bits(here.find_zone(side)), *(here.where[uid] for uid in air.list_air_units(here, side))})
        for mission in (PATROL, INTERDICTION):
            for uid in air.list_ready(view(shadow), side):
                pos = view(shadow)
                near = [hex_ for hex_ in spots if air.is_in_range(pos, uid, hex_)]
                hex_ = rng.choice(near) if near and rng.random() < 0.5 else -1
                if hex_ < 0 or (mission == INTERDICTION and air.is_blocked(pos, side, hex_)):
                    continue
                order = {"unit": uid, "hex": self.setting.board.labels[hex_]}
                self.do(shadow, air.launch_aircraft, {mission: [order]})
                found[mission].append(order)
        orders |= found

    def answer(self, state: State) -> Content:
        """Return an answer to the declared attacks."""
        pos, rng = position(self.setting, state), self.rng
        found = self.wishes(state.side)
        for raid in list_raids(state.agenda):
            patrols = pos.list_aircraft(PATROL, state.side, pos.where[raid.base])
            if patrols and rng.random() < 0.6 and PATROL not in found:
                found[PATROL] = {raid.base: rng.sample(patrols, rng.randint(1, len(patrols)))}
        waiting = battles.list_battles(self.setting, state.agenda)
        for battle in (each for each in waiting if rng.random() < 0.5):
            own = pos.stack(battle.hex)
            beside = self.setting.board.labels[pos.where[battle.attackers[0]]]
            wishes = {"retreat": self.retreats([*own, *battle.attackers]), "advance": [f"{own[0]} {beside}"]}
            found.setdefault("battles", {})[battle.id] = wishes
        return found

    def wishes(self, side: str) -> Content:
        """Return answers valid for any attack."""
        own = sorted(uid for uid, counter in self.setting.counters.items() if counter.side == side)
        rng, spots = self.rng, self.setting.board.names(self.setting.board.all)
        found: Content = {"retreat": [f"away {rng.choice(spots)}"], "advance": rng.sample(own, 40)}
        if rng.random() < 0.3:
            found["hexes"] = {rng.choice(spots): {"advance": [own[0]], "retreat": self.retreats(own)}}
        return found


def play(
    setting: Setting, seed: int, most: int = 400, start: State | None = None
) -> Iterator[tuple[State, Filing, Adjudication]]:
    """Yield (state before, filing, adjudication) of a random game to its end; ``start``: first position."""
    rng = random.Random(seed)
    chooser, state, seq = Chooser(setting, rng), start or RULESET.data.setup(setting), 1
    sealed: dict[str, dict[str, Any]] = {side: {} for side in RULESET.sides}
    while state.stage != "over":
        assert seq < most, f"seed {seed}: the game does not end"
        writer = RULESET.writer(setting, state)
        dice = SeededDice(rng, seq)
        if setting.refereed and (seq % 2 == 0) != (writer == REFEREE):
            keep_position(state)
            seq += 1
            continue
        reveal = sealed.get(writer, {})
        probe = adjudicate(RULESET, setting, state, Filing(seq, writer, reveal=reveal, resigns=True), dice)
        content = {} if writer == REFEREE else chooser.content(probe.middle, seq)
        shown, hidden = RULESET.seal(setting, content.get("orders", {}), seq)
        secret = dict.fromkeys(hidden, "0" * 64)
        filing = Filing(
            seq, writer, reveal=reveal, orders=shown, policy=content.get("policy", {}), secret=secret, sealed=hidden
        )
        result = adjudicate(RULESET, setting, state, filing, dice)
        assert not result.violations, f"seed {seed}, message {seq}: {result.violations}"
        yield state, filing, result
        if writer != REFEREE:
            sealed[writer] = hidden
        state, seq = result.after, seq + 1


__all__ = ["SOVIET", "Chooser", "SeededDice", "play"]
