"""Nearly legal orders for the fuzzer: orders of the random player with changed units, hexes, words and seals."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from fuzz_corpus import Pool, any_value
from fuzz_games import Moment

from kursk_pbem.formats import precheck
from kursk_pbem.kernel.hexes.grid import POINTY_NAMES
from kursk_pbem.kernel.hexes.policies import BATTLES
from kursk_pbem.kernel.state import ELIMINATED, State, Unit
from kursk_pbem.rulesets.juggernauts import RULESET, marks, setup
from kursk_pbem.rulesets.juggernauts.orders import FORCED, PLAN_KEYS
from rulesets.juggernauts.random_play import Chooser

WORDS = (POINTY_NAMES, ("yes", "no"), ("0", "1", "2"), FORCED)


class Orders:
    """Nearly legal contents of a message."""

    everything: Mapping[str, Any] = {
        "orders": {
            "placement": {"g-5pz": "D6"},
            "panzerkeil": [{"unit": "g-2ss", "facing": "NE"}],
            "emplace": ["r-4ak"],
            "road": ["r-4ak"],
            "movement": [{"unit": "g-2ss", "to": "P9"}, {"unit": "g-5pz", "path": ["D7"]}],
            "battles": [
                {
                    "id": "b1",
                    "hex": "P8",
                    "attackers": ["g-48pzk"],
                    "pressed": "yes",
                    **{key: ["g-48pzk"] for key in PLAN_KEYS},
                }
            ],
            "aircraft": [{"id": "s1", "hex": "I9", "planes": ["g-lf4"]}],
            "replacements": [{"unit": "r-9tc", "hex": "A12"}],
        },
        "policy": {
            "no-retreat": "yes",
            "withdraw": "2",
            "retreat": ["away I9"],
            "intercept": ["r-2va"],
            "crowd": "on",
            "battles": {"b1": {"withdraw": "1"}},
            "hexes": {"J8": {"no-retreat": "yes"}},
            "units": {"r-4ak": {"no-retreat": "no", "withdraw": "2", "retreat": ["I9"], "crowd": "lose"}},
        },
        "seal": {setup.HALF: {"g-5pz": "D6"}},
    }

    def make_likely(self, rng: random.Random, moment: Moment) -> dict[str, Any]:
        """Return the random player's choices, sometimes with misplaced fields."""
        found = dict(Chooser(moment.game.setting, rng).content(moment.middle, moment.seq))
        if rng.random() < 0.1:
            key = rng.choice(sorted(self.everything["orders"]))
            found["orders"] = {**found.get("orders", {}), key: self.everything["orders"][key]}
        if rng.random() < 0.05:
            found["policy"] = self.everything["policy"]
        return found

    def make_pool(self, moment: Moment) -> Pool:
        """Return another unit for a unit, and usually a nearby hex for a hex."""
        setting = moment.game.setting
        board, units = setting.board, sorted((*setting.counters, *setting.planes))

        def other(rng: random.Random, old: Any) -> Any:
            if rng.random() < 0.08 or not isinstance(old, str):
                return any_value(rng, old)
            if old in units:
                return rng.choice(units)
            if old in board.index:
                near = board.neighbours[board.index[old]]
                return board.labels[rng.choice(near)] if rng.random() < 0.7 else rng.choice(sorted(board.index))
            for words in WORDS:
                if old in words:
                    return rng.choice(words)
            first, blank, rest = old.partition(" ")
            return f"{other(rng, first)} {rest}" if blank and first in units else any_value(rng, old)

        return other

    def fill_lists(self, rng: random.Random, orders: dict[str, Any], moment: Moment) -> dict[str, Any]:
        """Return the same entries a hundred times."""
        return {key: each * rng.choice((2, 100)) if isinstance(each, list) else each for key, each in orders.items()}

    def is_sealable(self, orders: Mapping[str, Any]) -> bool:
        """Return whether there are attacks of the expected form."""
        return precheck.is_accepted({"orders": dict(orders)}, RULESET.schema)

    def list_labels(self, moment: Moment) -> tuple[list[str], list[str]]:
        """Return the labels of waiting dice, plans and placements."""
        agenda = moment.game.state.agenda
        dice = [f"{each['id']}/combat" for each in agenda.get(BATTLES, ())]
        dice += [f"{uid}/move" for uid in agenda.get("panthers", ())]
        waits = [f"plans/{agenda['declared']}"] if "declared" in agenda else []
        return dice, [setup.HALF, setup.REST, *waits]

    def make_sealed(self, rng: random.Random, moment: Moment, label: str) -> Any:
        """Return plans or a placement of any form."""
        if rng.random() < 0.2:
            return any_value(rng, None)
        units = sorted(moment.game.setting.counters)
        if label.startswith("deployment"):
            labels = sorted(moment.game.setting.board.index)
            return {rng.choice(units): rng.choice(labels) for _ in range(rng.choice((1, 9)))}
        words = [
            "0",
            "2",
            "no",
            "D1",
            "unless b1",
            "below 2:1",
            "join b1",
            *rng.choices(units, k=4),
            f"{rng.choice(units)} J8",
            f"{rng.choice(units)} only J8",
            "J8",
        ]
        listed = [each["id"] for each in moment.game.state.agenda.get(BATTLES, ())] or ["b1"]
        return {
            bid: {key: rng.choices(words, k=rng.choice((1, 3, 60))) for key in rng.sample(PLAN_KEYS, 3)}
            for bid in listed
        }

    def make_changes(self, rng: random.Random, moment: Moment) -> dict[str, Any]:
        """Return a state with some free units in other hexes without enemies, and with changed markers."""
        state, setting = moment.game.state, moment.game.setting
        side_of = {unit.place: setting.counters[uid].side for uid, unit in state.units.items()}
        units: dict[str, Any] = {}
        engaged = {
            *state.agenda.get("panthers", ()),
            *(uid for each in state.agenda.get(BATTLES, ()) for uid in each["attackers"]),
        }
        for uid in rng.sample(sorted(state.units.keys() - engaged), rng.choice((0, 4, 20))):
            place = rng.choice((ELIMINATED, "off-map", *rng.choices(sorted(setting.board.index), k=4)))
            side = setting.counters[uid].side
            if side_of.get(place, side) == side:
                side_of[place] = side
                units[uid] = place
        return {"units": units, "disrupted": rng.sample(sorted(state.units), rng.choice((0, 5)))}

    def apply_changes(self, state: State, changes: Mapping[str, Any]) -> State:
        """Return the position after these changes."""
        moved = {uid: Unit(place, int(place != ELIMINATED)) for uid, place in changes["units"].items()}
        units = {**state.units, **moved}
        off = {uid for uid, unit in units.items() if unit.place in (ELIMINATED, "off-map")}
        found = {
            table: {key: word for key, word in entries.items() if key not in off or table == marks.ACTED}
            for table, entries in state.marks.items()
        }
        found[marks.DISRUPTED] = dict.fromkeys((uid for uid in changes["disrupted"] if uid not in off), "yes")
        return state.with_(units=units, marks={table: entries for table, entries in found.items() if entries})
