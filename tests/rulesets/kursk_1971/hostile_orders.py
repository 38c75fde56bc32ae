"""Almost valid orders for the fuzzer's target ``adjudicate``: units, hexes, paths of the map.

Many orders are legal, to reach deep into the rules; others are wrong in every way that the schema allows.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from fuzz_corpus import Pool, any_value, change_tree
from fuzz_games import Moment

from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.state import State, Unit
from kursk_pbem.rulesets.kursk_1971.position import Position, position
from kursk_pbem.rulesets.kursk_1971.setting import ENEMY, SIDES
from rulesets.kursk_1971.random_play import Chooser

EVERYTHING: dict[str, Any] = {
    "orders": {
        "deployment": [{"hex": "1724", "units": ["g-gd", "g-t"]}],
        "interception": [{"unit": "g-air1", "hex": "1717"}],
        "reinforcements": [{"unit": "s-10t", "hex": "3416"}],
        "movement": [{"unit": "g-gd", "to": "1723"}],
        "superiority": [{"id": "r1", "base": "s-air1", "aircraft": ["g-air1"]}],
        "battles": [
            {
                "id": "b1",
                "hex": "1823",
                "attackers": ["g-gd"],
                "support": "g-air4",
                "unsupported": "attack",
                "retreat": ["s-23g toward 1717", "away 1925"],
                "losses": ["g-gd"],
                "advance": ["g-gd"],
            }
        ],
        "motorized": [{"unit": "g-t", "path": ["1824", "1823"]}],
        "patrol": [{"unit": "g-air2", "hex": "1708"}],
        "interdiction": [{"unit": "g-air3", "hex": "1717"}],
    },
    "policy": {
        "retreat": ["away 1717"],
        "advance": ["s-23g 1724"],
        "patrol": {"s-air1": ["s-air2"]},
        "battles": {"b1": {"retreat": ["1821"]}},
        "hexes": {"1823": {"advance": ["s-23g"]}},
    },
    "seal": {"plans/2": {"b1": {"losses": ["g-gd"]}}},
}
"""Choices with every field."""
MOST = {
    "battles": 200,
    "movement": 500,
    "motorized": 500,
    "superiority": 100,
    "deployment": 500,
    "patrol": 200,
    "interdiction": 200,
    "interception": 200,
    "reinforcements": 200,
}
"""Entries of lists that the form allows."""
NOWHERE = ("9999", "0000", "3533")


class Orders:
    """The content of messages of Kursk (1971): see ``Hostile`` in tools/fuzz_orders.py."""

    everything = EVERYTHING

    def make_likely(self, rng: random.Random, moment: Moment) -> dict[str, Any]:
        """Return orders of the random player, sometimes with an entry of ``EVERYTHING``."""
        found: dict[str, Any] = {}
        side = moment.middle.side
        if moment.writer == side and moment.middle.stage != "over":
            found = dict(Chooser(moment.game.setting, rng).content(moment.middle, moment.game.chain.next_seq))
        if rng.random() < 0.1:
            key = rng.choice(sorted(EVERYTHING["orders"]))
            found["orders"] = {**found.get("orders", {}), key: EVERYTHING["orders"][key]}
        if rng.random() < 0.1:
            found["policy"] = EVERYTHING["policy"]
        return found

    def make_pool(self, moment: Moment) -> Pool:
        """Replace a value, mostly a unit by a unit and a hex by a near hex."""
        return _Pool(moment).like

    def fill_lists(self, rng: random.Random, orders: dict[str, Any], moment: Moment) -> dict[str, Any]:
        """Return orders with about a hundred similar entries."""
        return _many(rng, orders, _Pool(moment))

    def is_sealable(self, orders: Mapping[str, Any]) -> bool:
        """Return whether the orders contain well-formed attacks."""
        battles = orders.get("battles", [])
        if not isinstance(battles, list) or not all(isinstance(each, dict) for each in battles):
            return False
        lists = [each.get(key, []) for each in battles for key in ("retreat", "losses", "advance")]
        named = all(isinstance(each.get("id"), str) for each in battles)
        return named and all(isinstance(each, list) for each in lists)

    def list_labels(self, moment: Moment) -> tuple[list[str], list[str]]:
        """Return the labels of the waiting dice, and the plans."""
        agenda = moment.game.state.agenda
        dice = [f"{each['id']}/combat" for each in agenda.get("battles", ())]
        dice += [f"{each['id']}/air" for each in agenda.get("superiority", ())]
        waits = moment.game.state.stage.endswith("-dice") and "declared" in agenda
        return dice, [f"plans/{agenda['declared']}"] if waits else []

    def make_sealed(self, rng: random.Random, moment: Moment, _label: str) -> Any:
        """Return plans, sometimes the largest number of plans."""
        pool = _Pool(moment)
        value = {
            each["id"]: {key: [pool.wish(rng) for _ in range(3)] for key in ("retreat", "losses", "advance")}
            for each in moment.game.state.agenda.get("battles", ())
        }
        return _many(rng, value, pool) if rng.random() < 0.05 else value

    def make_changes(self, rng: random.Random, moment: Moment) -> dict[str, Any]:
        """Return a changed position: moved units, never into enemies or out of declared attacks."""
        pool, state = _Pool(moment), moment.game.state
        held = {
            unit.place: pool.setting.counters[uid].side for uid, unit in state.units.items() if unit.place.isdigit()
        }
        agenda = state.agenda
        engaged = {uid for each in agenda.get("battles", ()) for uid in (*each["attackers"], each.get("support", ""))}
        engaged |= {uid for each in agenda.get("superiority", ()) for uid in (each["base"], *each["aircraft"])}
        fought = {each["hex"] for each in agenda.get("battles", ())}
        units: dict[str, Any] = {}
        for uid in rng.sample(pool.units, rng.choice((0, 4, 20))):
            place = rng.choice(("eliminated", pool.near(rng, pool.place(rng.choice(pool.units)))))
            side = pool.setting.counters[uid].side
            if uid in engaged or state.units[uid].place in fought:
                continue
            if place == "eliminated" or (place in pool.board.index and held.setdefault(place, side) == side):
                units[uid] = [place, "0" if place == "eliminated" else "1"]
        tracks = {name: rng.choice("0159") for name in state.tracks if rng.random() < 0.2}
        return {"units": units, "tracks": tracks}

    def apply_changes(self, state: State, changes: Mapping[str, Any]) -> State:
        """Move units and change points; aircraft of missing bases have landed."""
        units = {**state.units, **{uid: Unit(place, int(steps)) for uid, (place, steps) in changes["units"].items()}}
        there = {uid for uid, unit in units.items() if unit.place.isdigit()}
        marks = {
            table: {key: word for key, word in entries.items() if table == "cities" or key in there}
            for table, entries in state.marks.items()
        }
        tracks = {**state.tracks, **{name: int(value) for name, value in changes["tracks"].items()}}
        return state.with_(units=units, marks={name: each for name, each in marks.items() if each}, tracks=tracks)


class _Pool:
    """The units and hexes of a moment."""

    def __init__(self, moment: Moment) -> None:
        self.side = moment.writer if moment.writer in SIDES else SIDES[0]  # a referee writes orders of the first side
        self.setting, self.state = moment.game.setting, moment.middle
        self.units = sorted(self.setting.counters)
        self.own = [uid for uid in self.units if self.setting.counters[uid].side == self.side]
        self.foes = [uid for uid in self.units if self.setting.counters[uid].side == ENEMY[self.side]]
        self.board = self.setting.board
        self.hexes = sorted(self.board.index)
        self.pos: Position = position(self.setting, self.state)

    def like(self, rng: random.Random, old: Any) -> Any:
        """Return another value, mostly of the same kind."""
        if rng.random() < 0.08 or not isinstance(old, str):
            return any_value(rng, old)
        if old in self.setting.counters:
            return rng.choice(self.own if rng.random() < 0.6 else self.units)
        if old in self.board.index:
            return self.near(rng, old)
        if old in ("skip", "attack"):
            return rng.choice(("skip", "attack"))
        return self.wish(rng) if " " in old else any_value(rng, old)

    def wish(self, rng: random.Random) -> str:
        """Return a wish for a retreat, a loss or an advance, mostly useless."""
        hex_, uid = rng.choice((*self.hexes[:50], *NOWHERE)), rng.choice(self.units)
        return rng.choice((f"toward {hex_}", f"{uid} away {hex_}", uid, hex_, f"{uid} {hex_}", "x", "toward"))

    def near(self, rng: random.Random, hex_: str) -> str:
        """Return a hex, mostly adjacent."""
        if rng.random() < 0.1:
            return rng.choice(NOWHERE)
        if hex_ not in self.board.index or rng.random() < 0.2:
            return rng.choice(self.hexes)
        return rng.choice([self.board.labels[each] for each in bits(self.board.near[self.board.index[hex_]])])

    def place(self, uid: str) -> str:
        """Return the hex of a unit, or another hex for a unit off the map."""
        unit = self.state.units.get(uid)
        return unit.place if unit and unit.place in self.board.index else self.hexes[0]


def _many(rng: random.Random, tree: dict[str, Any], pool: _Pool) -> dict[str, Any]:
    """Fill each list to its limit with similar entries."""
    found: dict[str, Any] = {}
    for key, value in tree.items():
        found[key] = _many(rng, value, pool) if isinstance(value, dict) else value
        if isinstance(value, list) and value:
            pieces = [change_tree(rng, {"": rng.choice(value)}, 1, pool.like, 0.0).get("", "x") for _ in range(100)]
            found[key] = (pieces * 30)[: MOST.get(key, 2500)]
    return found
