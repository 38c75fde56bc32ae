"""Plausible orders for the fuzzer's target ``adjudicate``: units, hexes and paths from the map.

The orders are legal often enough to reach deep rules, and wrong in every way that the form allows."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from fuzz_corpus import Pool, any_value, change_tree
from fuzz_games import Moment

from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.state import State, Unit
from kursk_pbem.rulesets.battle_for_kursk.answers import WHEN
from kursk_pbem.rulesets.battle_for_kursk.position import Position, position
from kursk_pbem.rulesets.battle_for_kursk.posture import label as posture_label
from kursk_pbem.rulesets.battle_for_kursk.setting import ENEMY, POSTURES, SIDES

EVERYTHING: dict[str, Any] = {
    "choice": {"posture/turn-1": {"posture": "engage", "reaction": "no"}, "posture/turn-b": {"posture": "pause"}},
    "waive": "posture",
    "orders": {
        "distribution": ["r-1", "r-2"],
        "objective": "1808",
        "returns": [{"unit": "g-1", "hex": "0601"}],
        "replacements": [{"unit": "g-3-pz", "gain": "flip"}, {"unit": "g-4", "gain": "place", "hex": "1808"}],
        "give-ups": ["g-5"],
        "movement": [],
        "armor-and-rail": [{"unit": "g-2-ss", "path": ["2016", "2015"]}, {"unit": "g-6", "to": "2114"}],
        "battles": [
            {
                "id": "b1",
                "hex": "2113",
                "attackers": ["g-48-pz"],
                "retreat": ["toward 2113", "2110-2009"],
                "losses": ["g-52"],
                "advance": ["g-48-pz if-free"],
                "offensive": {"lead": "g-48-pz", "support": ["g-3-pz"]},
            }
        ],
    },
    "policy": {
        "stand-fast": "doomed",
        "units": {"r-1": {"exchange-dr": "always"}},
        "hexes": {"2113": {}},
        "battles": {"b1": {"exchange-drl": "full"}},
    },
    "decisions": {"b1": "accept"},
    "seal": {"posture/turn-2": {"posture": "pause"}, "plans/2": {"b1": {"losses": ["g-52"]}}},
}
"""Return choices with every existing field."""
MOST = {"battles": 200, "armor-and-rail": 500, "movement": 500, "distribution": 500, "give-ups": 500}
"""Entries of lists that the form allows."""
AWAY = ("off-map", "eliminated")
NOWHERE = ("9999", "0000", "0101", "3939")
GUARDS = ("", "", " if-free", " if-supplied", " if-", " if-free if-free")
ANSWERS = ("stand-fast", "exchange-dr", "exchange-drl")


class Orders:
    """The fields of a message of Battle for Kursk: see ``Hostile`` in tools/fuzz_orders.py."""

    everything = EVERYTHING

    def make_likely(self, rng: random.Random, moment: Moment) -> dict[str, Any]:
        """Fill the fields of the stage, and sometimes other fields, from the map."""
        pool, stage = _Pool(moment), moment.middle.stage
        side = pool.side
        found: dict[str, Any] = {}
        turn, turns = moment.middle.turn, moment.game.setting.turns
        following = turns[min(turns.index(turn) + 1, len(turns) - 1)] if turn in turns else turn

        def now(*stages: str) -> bool:
            return rng.random() < (0.95 if stage in stages else 0.03)

        if now("posture", "weather-answer"):
            found["choice"] = {posture_label(turn): pool.posture(rng)}
            found["waive"] = rng.choice(("posture", "posture", ""))
        if now("opening", "weather", "first-weather", "resumed", "russian-dice", "russian-orders"):
            day = turn if stage in ("opening", "weather", "first-weather", "resumed") else following
            found["seal"] = {posture_label(day): pool.posture(rng)}
        if now("german-answer", "russian-answer") or (moment.game.chain.refereed and rng.random() < 0.3):
            found["policy"] = pool.policy(rng)
        if now("german-decision", "russian-decision"):
            pending = moment.middle.agenda.get("pending", {})
            bid = pending.get("battle", "b1") if rng.random() < 0.9 else "b1"
            found["decisions"] = {bid: rng.choice([*pending.get("options", []), "accept", "stand-fast", "exchange"])}
        orders: dict[str, Any] = {}
        if now("opening"):
            orders["distribution"] = rng.choices(pool.own, k=rng.choice((0, 3, 25)))
        if now("posture", "german-orders", "russian-orders"):
            orders |= pool.player_turn(rng, side)
        if now("german-dice", "russian-dice") or (not orders.get("battles") and rng.random() < 0.4):
            orders["movement"] = pool.moves(rng)
        if orders:
            found["orders"] = orders
        return found

    def make_pool(self, moment: Moment) -> Pool:
        """Return values that replace units by units and hexes by near hexes, mostly."""
        return _Pool(moment).like

    def fill_lists(self, rng: random.Random, orders: dict[str, Any], moment: Moment) -> dict[str, Any]:
        """Nearly the same entries a hundred times."""
        return _many(rng, orders, _Pool(moment))

    def is_sealable(self, orders: Mapping[str, Any]) -> bool:
        """Return whether the battles have the form that the ruleset expects."""
        return _has_form(orders)

    def list_labels(self, moment: Moment) -> tuple[list[str], list[str]]:
        """The dice of the battles that wait; the posture of the turn, and plans."""
        agenda = moment.game.state.agenda
        dice = [f"{each['id']}/combat" for each in agenda.get("battles", ())]
        waits = moment.game.state.stage.endswith("-dice") and "declared" in agenda
        return dice, [posture_label(moment.middle.turn), *([f"plans/{agenda['declared']}"] if waits else [])]

    def make_sealed(self, rng: random.Random, moment: Moment, label: str) -> Any:
        """Return a posture or plans, sometimes the maximum number of plans."""
        pool = _Pool(moment)
        value: Any = pool.posture(rng) if label.startswith("posture") else pool.plans(rng)
        return _many(rng, value, pool) if rng.random() < 0.05 else value

    def make_changes(self, rng: random.Random, moment: Moment) -> dict[str, Any]:
        """Return another position for a short time, without moves of engaged units; empty if the result is no
        position."""
        pool, state = _Pool(moment), moment.game.state
        engaged = {
            uid
            for each in state.agenda.get("battles", ())
            for uid in (each["defender"], *each["attackers"], *each.get("support", ()))
        }
        taken = {unit.place for unit in state.units.values()}
        units: dict[str, Any] = {}
        for uid in rng.sample(pool.units, rng.choice((0, 4, 20, 60))):
            if uid in engaged:
                continue
            beside = pool.near(rng, pool.place(rng.choice(pool.units)))
            place = rng.choice(("eliminated", "off-map", beside, beside, beside, rng.choice(pool.rim)))
            if place in NOWHERE or (place in pool.board.index and place in taken):
                continue
            taken.add(place)
            units[uid] = [place, "0" if place == "eliminated" else rng.choice("12")]
        chosen = [side for side in SIDES if state.mark(side, "posture") and rng.random() < 0.3]
        other = [name for name in state.tracks if rng.random() < 0.2]
        return {
            "units": units,
            "postures": {side: rng.choice(POSTURES) for side in chosen},
            "tracks": {name: rng.choice("0123" if "offensives" in name else "01") for name in other},
        }

    def apply_changes(self, state: State, changes: Mapping[str, Any]) -> State:
        """Change the places of some units, postures and markers."""
        units = {**state.units, **{uid: Unit(place, int(steps)) for uid, (place, steps) in changes["units"].items()}}
        marks = dict(state.marks)
        for side, word in changes["postures"].items():
            marks[side] = {**marks[side], "posture": word}
        tracks = {**state.tracks, **{name: int(value) for name, value in changes["tracks"].items()}}
        return state.with_(units=units, marks=marks, tracks=tracks)


class _Pool:
    """The units and hexes on the map of a position."""

    def __init__(self, moment: Moment) -> None:
        self.moment = moment
        self.side = moment.writer if moment.writer in SIDES else SIDES[0]  # a referee orders like a player
        self.setting = moment.game.setting
        self.state = moment.middle
        self.units = sorted(self.setting.counters)
        self.own = [uid for uid in self.units if self.setting.counters[uid].side == self.side]
        self.board = self.setting.board
        self.hexes = sorted(self.board.index)
        self.rim = [self.board.labels[each] for side in SIDES for each in bits(self.setting.edges[side])]
        self.pos: Position = position(self.setting, self.state)

    def like(self, rng: random.Random, old: Any) -> Any:
        """Return another value of the kind of this value, mostly."""
        if rng.random() < 0.08 or not isinstance(old, str):
            return any_value(rng, old)
        if old in self.setting.counters:
            return rng.choice(self.own if rng.random() < 0.6 else self.units)
        if old in self.board.index:
            return self.near(rng, old)
        for words in (POSTURES, WHEN, ("yes", "no"), ("flip", "place"), ("accept", "stand-fast", "exchange"), SIDES):
            if old in words:
                return rng.choice(words)
        unit, blank, rest = old.partition(" ")
        if blank and unit in self.setting.counters:
            return rng.choice(self.own) + rng.choice(GUARDS)
        if blank and rest in self.board.index:
            return f"{rng.choice(('toward', 'away', 'at'))} {self.near(rng, rest)}"
        return any_value(rng, old)

    def near(self, rng: random.Random, hex_: str) -> str:
        """Return a hex, mostly adjacent to this hex."""
        if rng.random() < 0.1:
            return rng.choice(NOWHERE)
        if hex_ not in self.board.index or rng.random() < 0.2:
            return rng.choice(self.hexes)
        return rng.choice([self.board.labels[each] for each in bits(self.board.near[self.board.index[hex_]])])

    def place(self, uid: str) -> str:
        """Return the hex of a unit, or any hex for a unit off the map."""
        unit = self.state.units.get(uid)
        return unit.place if unit and unit.place in self.board.index else self.hexes[0]

    def walk(self, rng: random.Random, uid: str) -> list[str]:
        """Hex by hex from where a unit stands."""
        way = [self.place(uid)]
        for _ in range(rng.choice((1, 1, 2, 3, 5, 8))):
            way.append(self.near(rng, way[-1]))
        return way[1:]

    def standing(self, rng: random.Random, side: str, count: int) -> list[str]:
        """Units of a side that are on the map."""
        able = [uid for uid in sorted(self.pos.where) if self.setting.counters[uid].side == side]
        return rng.sample(able, min(count, len(able)))

    def moves(self, rng: random.Random) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        for uid in self.standing(rng, self.side, rng.choice((0, 2, 6, 15))):
            way = self.walk(rng, uid)
            found.append({"unit": uid, "path": way} if rng.random() < 0.5 else {"unit": uid, "to": way[-1]})
        return found

    def player_turn(self, rng: random.Random, side: str) -> dict[str, Any]:
        """Return the orders of a player turn; each list may be empty."""
        orders: dict[str, Any] = {}
        if rng.random() < 0.2:
            orders["objective"] = rng.choice([self.board.labels[each] for each in sorted(self.setting.cities)])
        lost = {place: [uid for uid in self.own if self.state.units[uid].place == place] for place in AWAY}
        reduced = [uid for uid in self.own if self.state.units[uid].steps == 1 and uid in self.pos.where]
        if lost["off-map"] and rng.random() < 0.8:
            orders["returns"] = [{"unit": uid, "hex": rng.choice(self.hexes)} for uid in lost["off-map"]]
        gains = [{"unit": uid, "gain": "flip"} for uid in rng.sample(reduced, min(len(reduced), rng.randrange(5)))]
        back = lost["eliminated"][:3]
        gains += [{"unit": uid, "gain": "place", "hex": self.place(rng.choice(self.own))} for uid in back]
        if gains and rng.random() < 0.6:
            orders["replacements"] = gains
        if rng.random() < 0.2:
            orders["give-ups"] = self.standing(rng, side, rng.randrange(4))
        if rng.random() < 0.5:
            orders["armor-and-rail"] = self.moves(rng)
        if rng.random() < 0.7:
            orders["battles"] = self.battles(rng, side)
        return orders

    def battles(self, rng: random.Random, side: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        for number in range(rng.choice((1, 1, 2, 4, 9))):
            target = self.place(rng.choice(self.standing(rng, ENEMY[side], 1) or self.units))
            around = self.board.near[self.board.index[target]] & self.pos.occupied[side]
            near = [self.pos.unit(each) for each in bits(around)]
            attackers = rng.sample(near, rng.randint(1, len(near))) if near else self.standing(rng, side, 2)
            battle: dict[str, Any] = {
                "id": rng.choice((f"b{number}", f"b{number}", "b1")),
                "hex": target,
                "attackers": attackers,
            }
            if attackers and rng.random() < 0.5:
                lead = rng.choice(attackers)
                behind = self.board.near[self.pos.where[lead]] & self.pos.occupied[side]
                battle["offensive"] = {"lead": lead, "support": [self.pos.unit(each) for each in bits(behind)][:3]}
            found.append(battle | (self.plan(rng, attackers) if rng.random() < 0.6 else {}))
        return found

    def plan(self, rng: random.Random, attackers: list[str]) -> dict[str, Any]:
        hexes = [self.near(rng, rng.choice(self.hexes)) for _ in range(3)]
        way = f"{hexes[0]}-{self.near(rng, hexes[0])}"
        wishes = [f"toward {hexes[0]}", f"away {hexes[1]}", hexes[2], way, "toward", "-"]
        units = [*attackers, rng.choice(self.units)]
        return {
            "retreat": rng.sample(wishes, rng.randrange(4)),
            "losses": rng.sample(units, rng.randint(0, len(units))),
            "advance": [uid + rng.choice(GUARDS) for uid in rng.sample(units, rng.randint(0, len(units)))],
        }

    def plans(self, rng: random.Random) -> dict[str, Any]:
        """Return plans for the pending battles."""
        battles = self.moment.game.state.agenda.get("battles", ())
        return {each["id"]: self.plan(rng, list(each["attackers"])) for each in battles}

    def posture(self, rng: random.Random) -> dict[str, str]:
        return {"posture": rng.choice(POSTURES), "reaction": rng.choice(("yes", "no"))}

    def policy(self, rng: random.Random) -> dict[str, Any]:
        def answers() -> dict[str, Any]:
            return {key: rng.choice(WHEN) for key in ANSWERS if rng.random() < 0.7}

        found: dict[str, Any] = answers()
        battles = [each["id"] for each in self.state.agenda.get("battles", ())]
        for table, names in (("battles", battles), ("units", self.own), ("hexes", self.hexes)):
            if names and rng.random() < 0.5:
                found[table] = {rng.choice(names): answers() for _ in range(3)}
        return found


def _many(rng: random.Random, tree: dict[str, Any], pool: _Pool) -> dict[str, Any]:
    """Return a player turn with full lists: up to a hundred nearly equal entries."""
    found: dict[str, Any] = {}
    for key, value in tree.items():
        found[key] = _many(rng, value, pool) if isinstance(value, dict) else value
        if isinstance(value, list) and value:
            pieces = [change_tree(rng, {"": rng.choice(value)}, 1, pool.like, 0.0).get("", "x") for _ in range(100)]
            found[key] = (pieces * 30)[: MOST.get(key, 2500)]
    return found


def _has_form(orders: Mapping[str, Any]) -> bool:
    """Return whether the ruleset may look for plans in the orders: the form of the orders must be checked before."""
    battles = orders.get("battles", [])
    if not isinstance(battles, list) or not all(isinstance(each, dict) for each in battles):
        return False
    lists = [each.get(key, []) for each in battles for key in ("retreat", "losses", "advance")]
    return all(isinstance(each, list) for each in lists) and all(isinstance(each.get("id"), str) for each in battles)
