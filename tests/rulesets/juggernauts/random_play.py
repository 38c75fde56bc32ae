"""A random player of Juggernauts: legal content, checked by its own umpire."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

from helpers.registry import Content

from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.hexes.grid import POINTY_NAMES
from kursk_pbem.kernel.hexes.policies import BATTLES
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import ANSWER
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.juggernauts import air, arrivals, battles, marks, movement, readiness, sequence, setup
from kursk_pbem.rulesets.juggernauts.orders import FORCED
from kursk_pbem.rulesets.juggernauts.position import Position, position, view
from kursk_pbem.rulesets.juggernauts.seen import possible
from kursk_pbem.rulesets.juggernauts.setting import ENEMY, GERMAN, RUSSIAN, Setting


class Chooser:
    """A player with random legal choices: towards the enemy, with attacks that are not hopeless."""

    def __init__(self, setting: Setting, rng: random.Random) -> None:
        self.setting, self.rng = setting, rng

    def content(self, state: State, seq: int) -> Content:
        """Return the content of the message that ``state``, after its duties, requires."""
        stage = sequence.list_stages(self.setting)[state.stage]
        if stage.key in ("german-half", "german-rest"):
            label = setup.HALF if stage.key == "german-half" else setup.REST
            return {"seal": {label: self.placed(state)}}
        if stage.key in ("russian-half", "russian-rest"):
            placed = self.placed(state)
            return {"orders": {"placement": placed}} if placed else {}
        if stage.kind == ANSWER and not self.setting.refereed:
            return {"policy": found} if (found := self.answer(state)) else {}
        keys = {phase.key for phase in stage.phases}
        found: Content = {}
        if "allocation" in keys or "replacements" in keys:
            orders = self.orders(state, seq, keys)
            found = {"orders": orders} if orders else {}
        if self.setting.refereed and self.rng.random() < 0.2 and "policy" in keys:
            hexes = [*bits(position(self.setting, state).occupied[state.side])]
            found["policy"] = self.standing(state.side) | self.named(state, hexes)
        return found

    # Set-up

    def placed(self, state: State) -> dict[str, str]:
        """Return a placement of armour on the own side; in the first round exactly half."""
        setting, side, rng = self.setting, state.side, self.rng
        first = not any(state.mark(marks.PLACED, uid) for uid in setup.list_free_units(setting, side))
        left = [uid for uid in setup.list_free_units(setting, side) if not state.mark(marks.PLACED, uid)]
        names = (
            rng.sample(left, setup.count_half(setting, side)) if first else [uid for uid in left if rng.random() < 0.7]
        )
        chosen: dict[str, str] = {}
        for uid in sorted(names):
            labels = [label for label in setting.board.index if setup.can_stand(setting, uid, label)]
            rng.shuffle(labels)
            for label in [setting.counters[uid].hex, *labels] if rng.random() < 0.3 else labels:
                trial = {**chosen, uid: label}
                if not [why for who, why in setup._find_mistakes(setting, state, side, trial) if who]:
                    chosen[uid] = label
                    break
        return chosen

    # Answers

    def answer(self, state: State) -> Content:
        """Return an answer with or without its rights."""
        rng, found = self.rng, self.standing(state.side)
        for each in state.agenda.get(BATTLES, ()):
            if rng.random() < 0.4:
                found.setdefault("battles", {})[each["id"]] = self.wishes(each["hex"])
            elif rng.random() < 0.2:
                found.setdefault("hexes", {})[each["hex"]] = self.wishes(each["hex"])
        hexes = [self.setting.board.index[each["hex"]] for each in state.agenda.get(BATTLES, ())]
        return found | self.named(state, hexes)

    def named(self, state: State, hexes: list[int]) -> Content:
        """Return answers for some stacked units; often only some units of a hex have No Retreat! orders (J-80)."""
        pos, rng, found = position(self.setting, state), self.rng, dict[str, Any]()
        for hex_ in hexes:
            stack = pos.here(hex_, state.side)
            firm = rng.sample(stack, rng.randint(1, len(stack) - 1)) if len(stack) > 1 and rng.random() < 0.5 else ()
            for uid in stack if len(stack) > 1 else ():
                if firm or rng.random() < 0.3:
                    found[uid] = self.wishes(self.setting.board.labels[hex_])
                    found[uid] |= {"no-retreat": "yes" if uid in firm else "no"} if firm else {}
        return {"units": found} if found else {}

    def standing(self, side: str) -> Content:
        """Return answers for the whole side."""
        rng = self.rng
        found: Content = {"withdraw": rng.choice("012")}
        if rng.random() < 0.3:
            found["no-retreat"] = rng.choice(["yes", "no"])
        if self.setting.air and rng.random() < 0.5:
            found["intercept"] = [
                plane for plane, each in self.setting.planes.items() if rng.random() < 0.7 and each.side == side
            ]
        return found

    def wishes(self, label: str) -> dict[str, Any]:
        """Return answers for one hex."""
        rng, found = self.rng, dict[str, Any]()
        if rng.random() < 0.5:
            found["no-retreat"] = rng.choice(["yes", "no"])
        if rng.random() < 0.5:
            found["withdraw"] = rng.choice("012")
        if rng.random() < 0.3:
            found["retreat"] = [rng.choice([f"away {label}", f"toward {label}", label])]
        if rng.random() < 0.3:
            found["crowd"] = rng.choice(["stay", "lose", "on"])
        return found

    # Player turns

    def orders(self, state: State, seq: int, keys: set[str]) -> Content:
        """Return a player turn, or a Blitzkrieg or Proriv."""
        shadow: Umpire[Setting] = Umpire(self.setting, state, seq)
        side, found = state.side, Content()
        if "wedges" in keys:
            found |= self.formations(position(self.setting, state))
        if "guns" in keys:
            found |= self.guns(position(self.setting, state), side)
        filing = Filing(seq, side, orders=found)
        if "wedges" in keys or "guns" in keys:
            readiness.entrench(shadow, filing)
        if "wedges" in keys:  # a Panzerkeil ends only in this turn
            readiness.form_wedges(shadow, filing)
        if "guns" in keys:
            readiness.set_artillery(shadow, filing)
        if "allocation" in keys:
            found |= self.moves(shadow, side, seq)
            if "strikes" in keys and self.setting.air:
                found |= self.strikes(shadow, side, seq)
            found |= self.attacks(shadow, side, seq)
        waits = BATTLES in found or shadow.state.agenda.keys() & {movement.PATHS, air.STRIKES}
        if "replacements" in keys and not waits:
            found |= self.returns(shadow.state)
        assert not shadow.violations, shadow.violations
        return found

    def formations(self, pos: Position) -> Content:
        able = [uid for uid in pos.where if readiness.can_form(pos, uid) and self.rng.random() < 0.8]
        return {"panzerkeil": [{"unit": uid, "facing": self.rng.choice(POINTY_NAMES)} for uid in able]} if able else {}

    def guns(self, pos: Position, side: str) -> Content:
        guns = [uid for uid in pos.where if pos.counter(uid).kind == "artillery" and pos.side(uid) == side]
        able = [uid for uid in guns if not pos.is_marked("disrupted", uid)]
        turned = {
            key: [uid for uid in able if pos.is_marked(marks.EMPLACED, uid) == laid and self.rng.random() < chance]
            for key, laid, chance in (("emplace", False, 0.8), ("road", True, 0.3))
        }
        return {key: uids for key, uids in turned.items() if uids}

    def moves(self, shadow: Umpire[Setting], side: str, seq: int) -> Content:
        """Return moves of some units, usually towards the enemy or an enemy city."""
        setting, rng, board = self.setting, self.rng, self.setting.board
        second, found = movement.second_step(shadow.state), []
        enemies = list(bits(view(shadow).occupied[ENEMY[side]]))
        goals = [board.index[label] for label in setting.victory[side]["take"]]
        units = [uid for uid in sorted(view(shadow).where) if not movement.check_unit(view(shadow), side, uid)]
        units.sort(key=lambda uid: setting.counters[uid].kind == "panther")
        for uid in units:
            if rng.random() > (0.5 if second else 0.4):
                continue
            ends = list(movement.find_ends(view(shadow), uid, second=second))
            if not ends:
                continue
            aims = goals if rng.random() < 0.3 else enemies
            near = [min(board.distance(end, aim) for aim in aims) for end in ends]
            end = ends[near.index(min(near))] if rng.random() < 0.7 else rng.choice(ends)
            move = {"unit": uid, "to": board.labels[end]}
            if found or rng.random() < 0.3:  # a second 'to' may find a way over hexes that a friend has left
                way = movement.find_ends(view(shadow), uid, second=second)[end]
                move = {"unit": uid, "path": [board.labels[hex_] for hex_ in way.path]}
            trial: Umpire[Setting] = Umpire(setting, shadow.state, seq)
            movement.move_units(trial, Filing(seq, side, orders={"movement": [move]}))
            if not trial.violations:
                found.append(move)
                if setting.counters[uid].kind == "panther":
                    held = movement.PATHS, trial.state.agenda[movement.PATHS]
                    shadow.declare("14.4", *held)
                else:
                    shadow.emit(*trial.events)
        return {"movement": found} if found else {}

    def strikes(self, shadow: Umpire[Setting], side: str, seq: int) -> Content:
        """Return air strikes on hexes in range."""
        pos, found, hexes = view(shadow), list[Content](), set[int]()
        for plane, each in self.setting.planes.items():
            able = [
                hex_
                for hex_ in bits(pos.occupied[ENEMY[side]])
                if hex_ not in hexes and each.side == side and air.is_in_range(pos, plane, hex_)
            ]
            if able and air.is_ready(pos.state, plane, "strike") and self.rng.random() < 0.7:
                hexes.add(hex_ := self.rng.choice(able))
                found.append({"id": f"s{len(found) + 1}", "hex": self.setting.board.labels[hex_], "planes": [plane]})
        air.declare_strikes(shadow, Filing(seq, side, orders={"aircraft": found}))
        return {"aircraft": found} if found else {}

    def attacks(self, shadow: Umpire[Setting], side: str, seq: int) -> Content:
        """Return attacks that are not hopeless, with the attacks that these require."""
        rng, found = self.rng, list[dict[str, Any]]()
        pos = movement.place_panthers(self.setting, shadow.state)
        second = movement.second_step(shadow.state)
        listed = list(possible.attacks(pos, side, second=second))
        rng.shuffle(listed)
        least = rng.choice([0, 3, 4, 5, 6])
        for each in listed:
            if each.odds.reached < least or rng.random() < 0.25:
                continue
            group = self.group(pos, side, each, found, second=second)
            trial: Umpire[Setting] = Umpire(self.setting, shadow.state, seq)
            battles.declare_attacks(trial, Filing(seq, side, orders={BATTLES: [*found, *group]}))
            if group and not trial.violations:
                found += group
        for order, later in pairwise(found):
            if "breakthrough" in order and rng.random() < 0.5:
                order["breakthrough"].insert(0, f"join {later['id']}")
        return {BATTLES: found} if found else {}

    def group(
        self, pos: Position, side: str, first: possible.Chance, had: list[dict[str, Any]], *, second: bool
    ) -> list[dict[str, Any]]:
        """Return an attack and attacks on its required hexes, as long as units are left."""
        labels, used = self.setting.board.labels, {uid for each in had for uid in each["attackers"]}
        done = {each["hex"] for each in had}
        found: list[dict[str, Any]] = []
        todo = [labels[first.battle.hex]]
        while todo:
            label = todo.pop(0)
            if label in done:
                continue
            done.add(label)
            hex_ = self.setting.board.index[label]
            beside = [uid for there in bits(self.setting.board.near[hex_]) for uid in pos.here(there, side)]
            able = [
                uid
                for uid in beside
                if uid not in used and not battles.check_attacker(pos, side, uid, hex_, second=second)
            ]
            if not able:
                return []
            keep = 1 if len(able) > 1 and todo else 0
            chosen = sorted(able[: max(1, len(able) - keep)])
            used |= {*chosen}
            found.append(self.battle(f"a{len(had) + len(found) + 1}", label, chosen, side))
            battle = battles.Battle("x", hex_, tuple(chosen))
            todo += battles.find_required(pos, battle)
        return found

    def battle(self, bid: str, label: str, attackers: list[str], side: str) -> dict[str, Any]:
        """Return an attack with a complete plan."""
        rng, board = self.rng, self.setting.board
        near = [board.labels[hex_] for hex_ in board.neighbours[board.index[label]]]
        found: dict[str, Any] = {"id": bid, "hex": label, "attackers": attackers}
        if rng.random() < 0.15:
            found["pressed"] = "yes"
        if rng.random() < 0.7:
            found["advance"] = [
                rng.choice([uid, f"{uid} {rng.choice(near)}", f"{uid} only {rng.choice(near)}"])
                for uid in rng.sample(attackers, len(attackers))
            ]
        if rng.random() < 0.4:
            found["push"] = [rng.choice("012")]
        if rng.random() < 0.3:
            found["losses"] = [rng.choice(attackers)]
        if rng.random() < 0.3:
            found["forced"] = [rng.choice(FORCED)]
        if rng.random() < 0.1:
            found["exchange"] = ["no"]
        if side == GERMAN:
            if rng.random() < 0.1:
                found["cancel"] = [rng.choice(["below 2:1", "unless a1" if bid != "a1" else "below 3:1"])]
            if rng.random() < 0.5:
                found["breakthrough"] = rng.sample(near, 2)
                found["exploit"] = [attackers[0]]
        return found

    def returns(self, state: State) -> Content:
        """Return an affordable tank unit."""
        pos, saved = position(self.setting, state), state.tracks[arrivals.FACTORS]
        saved += self.setting.factors
        lost = [uid for uid in arrivals.list_lost_tanks(pos) if pos.counter(uid).attack <= saved]
        places = [label for label in self.setting.arrivals["replacements"] if arrivals.can_return_to(pos, label)]
        if state.side != RUSSIAN or not lost or not places or self.rng.random() < 0.3:
            return {}
        return {"replacements": [{"unit": self.rng.choice(lost), "hex": self.rng.choice(places)}]}
