"""Random legal play of Battle for Kursk at the kernel: the rules offer the parts of every message.

``play(scenario, seed)`` runs a game to its end and yields each adjudication; the seed also gives the dice. In a
refereed setting a referee rolls, and a referee's message follows each message of a player. The signed games of
``make fuzz`` use the chooser, too."""

from __future__ import annotations

import random
from typing import Any

from kursk_pbem.kernel.adjudicate import Adjudication, adjudicate, keep_position
from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import REFEREE, Ruleset
from kursk_pbem.kernel.state import ELIMINATED, State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.battle_for_kursk import RULESET, entry, movement, posture, replacements
from kursk_pbem.rulesets.battle_for_kursk.answers import WHEN
from kursk_pbem.rulesets.battle_for_kursk.position import position
from kursk_pbem.rulesets.battle_for_kursk.setting import ENEMY, REDUCED, Setting
from kursk_pbem.testing import SeededDice


class Chooser:
    """A random chooser of legal content for a message; the choices are aggressive."""

    def __init__(self, kursk: Setting, rng: random.Random) -> None:
        self.setting, self.rng = kursk, rng

    def content(self, state: State, seq: int) -> dict[str, Any]:
        """Return the content for ``state`` after duties: orders, choice, waive, policy, seal."""
        found = self.called_for(state, seq)
        if self.setting.refereed and self.rng.random() < 0.3:  # a policy may be in any message
            found["policy"] = self.standing(state.side)
        return found

    def called_for(self, state: State, seq: int) -> dict[str, Any]:
        """Return the content of the stage, without the fields that any message may have."""
        match state.stage:
            case "opening":
                return self.opening(state)
            case "reveal" | "first-binding":
                return {}
            case "resumed" if posture.weather_due(state):
                return {}
            case "weather" | "first-weather" | "resumed":
                return {"seal": {posture.label(state.turn): self.posture(state, state.side)}}
            case "weather-answer":
                return {"choice": {posture.label(state.turn): self.posture(state, state.side)}}
            case "german-decision" | "russian-decision":
                pending = state.agenda["pending"]
                return {"decisions": {pending["battle"]: self.rng.choice(pending["options"])}}
            case "german-dice" | "russian-dice" if "pending" in state.agenda:
                return self.plan_again(state, seq)
            case "german-answer" | "russian-answer":
                return {"policy": self.policy()} if self.rng.random() < 0.7 else {}
            case "posture":
                shadow: Umpire[Setting] = Umpire(self.setting, state, seq, None)
                out = self.choice(shadow, seq)
                return {**out, **self.turn(shadow, seq)} if "waive" in out else out
            case _:
                return self.turn(Umpire(self.setting, state, seq, None), seq)

    def opening(self, state: State) -> dict[str, Any]:
        """The distribution of the short scenario, and the posture of the first turn."""
        orders = {"orders": {"distribution": self.distribution(state)}} if self.setting.distribution else {}
        if posture.weather_due(state):
            return orders
        return {**orders, "seal": {posture.label(state.turn): self.posture(state, state.side)}}

    def plan_again(self, state: State, seq: int) -> dict[str, Any]:
        """New plans for the battles that come after a decision."""
        left = state.agenda["battles"][1:]
        plans = {each["id"]: {"advance": each["attackers"]} for each in left if self.rng.random() < 0.5}
        return {"seal": {f"plans/{seq}": plans}} if plans else {}

    def policy(self) -> dict[str, str]:
        """Return an answer to all declared battles."""
        return {key: self.rng.choice(WHEN) for key in ("stand-fast", "exchange-dr", "exchange-drl")}

    def standing(self, side: str) -> dict[str, Any]:
        """Return open standing answers, also for some units and hexes."""
        found: dict[str, Any] = {key: when for key, when in self.policy().items() if self.rng.random() < 0.7}
        own = [uid for uid, counter in self.setting.counters.items() if counter.side == side]
        named = {"units": own, "hexes": self.setting.board.names(self.setting.board.all)}
        for table, names in named.items():
            if self.rng.random() < 0.5:
                found[table] = {self.rng.choice(names): self.policy()}
        return found

    def choice(self, shadow: Umpire[Setting], seq: int) -> dict[str, Any]:
        """The German posture, and mostly no waiting for the Russian one."""
        state = shadow.state
        value = self.posture(state, state.side)
        out: dict[str, Any] = {"choice": {posture.label(state.turn): value}}
        if self.rng.random() < 0.7 and not (value["posture"] == "pause" and value["reaction"] == "yes"):
            out["waive"] = "posture"
        posture.choose(shadow, Filing(seq, state.side, choice=out["choice"], waive=out.get("waive", "")))
        return out

    def turn(self, shadow: Umpire[Setting], seq: int) -> dict[str, Any]:
        """Return the orders of a player turn or its part after the dice, with the next sealed posture if due."""
        stage, side, turn = shadow.state.stage, shadow.state.side, shadow.state.turn
        out: dict[str, Any] = {}
        orders: dict[str, Any] = {}
        if stage in ("posture", "german-orders", "russian-orders"):
            self.orders(shadow, side, orders, seq)
        phases = self.setting.phases[shadow.state.mark(side, "posture")]
        if "movement" in phases and not orders.get("battles"):
            self.moves(shadow, side, "movement", orders)
        if orders:
            out["orders"] = orders
        if stage in ("russian-orders", "russian-dice") and not orders.get("battles"):
            number = self.setting.turns.index(turn) + 1
            following = self.setting.turns[number] if number < len(self.setting.turns) else ""
            rolled = self.setting.weather_die and following and self.setting.boxes[following].mud_die
            if following and not rolled:
                out["seal"] = {posture.label(self.setting.turns[number]): self.next_posture(shadow.state, side)}
        return out

    def distribution(self, state: State) -> list[str]:
        chosen: list[str] = []
        for kind, steps in self.setting.distribution.items():
            able = [
                uid
                for uid, unit in sorted(state.units.items())
                if self.setting.counters[uid].side == "russian"
                and unit.steps == REDUCED
                and self.setting.counters[uid].infantry == (kind == "infantry")
            ]
            chosen += self.rng.sample(able, min(steps, len(able)))
        return chosen

    def posture(self, state: State, side: str) -> dict[str, str]:
        names = list(posture.list_affordable(state, side))
        return {"posture": self.rng.choice([*names, names[-1]]), "reaction": self.rng.choice(["yes", "no"])}

    def next_posture(self, state: State, side: str) -> dict[str, str]:
        now = state.mark(side, "posture")
        names = posture.POSTURES[: posture.POSTURES.index(now) + 2]
        return {"posture": self.rng.choice([*names, names[-1]]), "reaction": self.rng.choice(["yes", "no"])}

    def orders(self, shadow: Umpire[Setting], side: str, orders: dict[str, Any], seq: int) -> None:
        rng, kursk = self.rng, self.setting
        spots = posture.objective_choices(kursk, shadow.state, side)
        if spots and rng.random() < 0.5:
            orders["objective"] = rng.choice(spots)
            posture.move_objective(shadow, Filing(seq, side, orders=orders))
        self.replacements(shadow, side, orders, seq)
        phases = kursk.phases[shadow.state.mark(side, "posture")]
        if "armor-and-rail" in phases:
            self.moves(shadow, side, "armor-and-rail", orders)
        if "combat" in phases:
            battles = self.battles(shadow, side)
            if battles:
                orders["battles"] = battles

    def replacements(self, shadow: Umpire[Setting], side: str, orders: dict[str, Any], seq: int) -> None:
        rng, kursk = self.rng, self.setting
        replacements._return_units(shadow, Filing(seq, side))
        net = replacements.count_points(kursk, shadow.state, side)
        gains: list[dict[str, str]] = []
        gained: set[str] = set()
        for kind in ("IRP", "ARP"):
            for _ in range(max(0, net[kind])):
                pos = position(kursk, shadow.state)
                options: list[dict[str, str]] = []
                for uid, unit in sorted(shadow.state.units.items()):
                    if kursk.counters[uid].side != side or uid in gained or replacements.point_type(kursk, uid) != kind:
                        continue
                    if unit.steps == REDUCED and uid in pos.where and replacements.in_communication(pos, uid):
                        options.append({"unit": uid, "gain": "flip"})
                    if unit.place == ELIMINATED:
                        options += [
                            {"unit": uid, "gain": "place", "hex": kursk.board.labels[hex_]}
                            for hex_ in replacements.find_placements(pos, uid)
                        ]
                if not options or rng.random() < 0.1:
                    continue
                pick = rng.choice(options)
                gains.append(pick)
                gained.add(pick["unit"])
                replacements._gain_steps(shadow, Filing(seq, side, orders={"replacements": [pick]}), {kind: 1})
        if gains:
            orders["replacements"] = gains
        due = replacements.proposed_give_ups(position(kursk, shadow.state), side, net)
        if due:
            orders["give-ups"] = due
            for uid in due:
                replacements.lose(shadow, "10.6", uid, 1, "given up")

    def moves(self, shadow: Umpire[Setting], side: str, key: str, orders: dict[str, Any]) -> None:
        rng, kursk = self.rng, self.setting
        pos = position(kursk, shadow.state)
        riders = {pos.unit(hex_) for hex_ in bits(movement.rail_riders(pos, side))}
        units = [uid for uid in sorted(pos.where) if kursk.counters[uid].side == side]
        rng.shuffle(units)
        found: list[dict[str, Any]] = []
        for uid in units:
            if rng.random() < 0.4:
                continue
            how = movement.MOVE
            if key == "armor-and-rail" and kursk.counters[uid].infantry:
                if uid not in riders:
                    continue
                how = movement.RAIL
            pos = position(kursk, shadow.state)
            ways = movement.reach(pos, uid, how)
            if not ways:
                continue
            near_enemy = [there for there in ways if pos.ezoc(side) >> there & 1]
            there = rng.choice(near_enemy if near_enemy and rng.random() < 0.5 else sorted(ways))
            labels = tuple(kursk.board.labels[hex_] for hex_ in ways[there].path)
            if rng.random() < 0.5:
                found.append({"unit": uid, "to": labels[-1]})
            else:
                found.append({"unit": uid, "path": list(labels)})
            try:
                entry.move(shadow, "8.0", uid, labels, how)
            except Exception as end:  # the game ends here: nothing later counts
                if type(end).__name__ != "GameEnded":
                    raise
                break
        if found:
            orders[key] = found

    def battles(self, shadow: Umpire[Setting], side: str) -> list[dict[str, Any]]:
        rng, kursk = self.rng, self.setting
        pos = position(kursk, shadow.state)
        used: set[str] = set()
        out: list[dict[str, Any]] = []
        markers = shadow.state.tracks[f"offensives-{side}"]
        targets = list(bits(pos.occupied[ENEMY[side]]))
        rng.shuffle(targets)
        for hex_ in targets:
            near = sorted(
                pos.unit(h) for h in bits(kursk.board.near[hex_] & pos.occupied[side]) if pos.unit(h) not in used
            )
            if not near or rng.random() < 0.3:
                continue
            attackers = rng.sample(near, rng.randint(max(1, len(near) - 1), len(near)))
            battle: dict[str, Any] = {"id": f"b{len(out) + 1}", "hex": kursk.board.labels[hex_], "attackers": attackers}
            used |= {*attackers}
            leads = [u for u in attackers if kursk.counters[u].armor or kursk.counters[u].type == "shock"]
            if leads and markers and rng.random() < 0.7:
                lead = rng.choice(leads)
                support = [
                    uid
                    for h in bits(kursk.board.near[pos.where[lead]] & pos.occupied[side] & ~kursk.board.near[hex_])
                    if (uid := pos.unit(h)) not in used
                    and kursk.counters[uid].formation == kursk.counters[lead].formation
                ]
                if support:
                    markers -= 1
                    used |= {*support}
                    battle["offensive"] = {"lead": lead, "support": support}
            if rng.random() < 0.5:
                battle["advance"] = [f"{u}{rng.choice(['', ' if-free', ' if-supplied'])}" for u in attackers]
            if rng.random() < 0.3:
                battle["losses"] = attackers[:1]
            if rng.random() < 0.3:
                aim = rng.choice(kursk.board.names(kursk.board.all))
                battle["retreat"] = [f"{rng.choice(['toward', 'away'])} {aim}"]
            out.append(battle)
        return out


def play(kursk: Setting, seed: int, most: int = 400, start: State | None = None):
    """Yield the state before, the filing and the adjudication of each message of a random game, to its end; ``start``:
    the first state.

    Referee messages that only continue the game are counted but not yielded, because such messages adjudicate
    nothing."""
    rng = random.Random(seed)
    chooser, ruleset = Chooser(kursk, rng), RULESET
    state = start or ruleset.data.setup(kursk)
    seq = 1
    sealed: dict[str, dict[str, Any]] = {"german": {}, "russian": {}}
    while state.stage != "over":
        assert seq < most, f"seed {seed}: the game does not end"
        side = ruleset.writer(kursk, state)
        dice = SeededDice(rng, seq)
        if kursk.refereed and (seq % 2 == 0) != (side == REFEREE):
            assert seq % 2 == 0, f"seed {seed}, message {seq}: {state.stage} is the referee's"
            result = keep_position(state)
        elif side == REFEREE:
            filing = Filing(seq, REFEREE)
            result = adjudicate(ruleset, kursk, state, filing, dice)
            yield state, filing, result
        else:
            filing, result, hidden = _of_player(chooser, ruleset, state, seq, sealed[side], dice)
            sealed[side] = hidden
            assert not result.violations, f"seed {seed}, message {seq}: {[str(v) for v in result.violations]}"
            yield state, filing, result
        state = result.after
        seq += 1


def _of_player(
    chooser: Chooser, ruleset: Ruleset, state: State, seq: int, reveal: dict[str, Any], dice: SeededDice
) -> tuple[Filing, Adjudication, dict[str, Any]]:
    """Return a message of the due side, its adjudication, and its sealed values by label."""
    side, kursk = state.side, chooser.setting
    duties = adjudicate(ruleset, kursk, state, Filing(seq, side, reveal=reveal, resigns=True), dice)
    if duties.middle.stage == "over":
        return Filing(seq, side, reveal=reveal), duties, {}
    content = chooser.content(duties.middle, seq)
    orders, plans = ruleset.seal(kursk, content.get("orders", {}), seq)
    hidden = {**content.get("seal", {}), **plans}
    filing = Filing(
        seq,
        side,
        reveal=reveal,
        choice=content.get("choice", {}),
        waive=content.get("waive", ""),
        orders=orders,
        policy=content.get("policy", {}),
        decisions=content.get("decisions", {}),
        secret=dict.fromkeys(hidden, "0" * 64),
        sealed=hidden,
    )
    return filing, adjudicate(ruleset, kursk, state, filing, dice), hidden
