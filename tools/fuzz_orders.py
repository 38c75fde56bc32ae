"""Contents of messages for the target ``adjudicate``: almost legal choices, and lies next to right choices.

The kit of a ruleset (``hostile``) supplies plausible orders, unseen sealed values and other positions. Without
``hostile``, the tool changes the choices of the random player (:class:`Plain`).
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, Protocol

from fuzz_corpus import ODD, STRINGS, Pool, any_value, change_tree
from fuzz_games import Moment
from helpers.registry import Kit

from kursk_pbem.formats import precheck
from kursk_pbem.kernel.state import State
from kursk_pbem.trust.messages import READING_ORDER

HASH = "ab" * 32
DRAW, SUCCESSOR = {"kind": "draw"}, {"kind": "successor", "game": HASH}


class Hostile(Protocol):
    """A ruleset's knowledge of its orders. ``everything``: choices with every field."""

    everything: Mapping[str, Any]

    def make_likely(self, rng: random.Random, moment: Moment) -> dict[str, Any]:
        """Return fields of the stage, and sometimes foreign fields."""

    def make_pool(self, moment: Moment) -> Pool:
        """Return a function that replaces a value, usually by a similar value."""

    def fill_lists(self, rng: random.Random, orders: dict[str, Any], moment: Moment) -> dict[str, Any]:
        """Fill the lists of the orders up to their limits."""

    def is_sealable(self, orders: Mapping[str, Any]) -> bool:
        """Return whether the ruleset may search the orders for plans. The ruleset expects orders of the right form."""

    def list_labels(self, moment: Moment) -> tuple[list[str], list[str]]:
        """Return the labels of expected dice, and labels of possible further seals."""

    def make_sealed(self, rng: random.Random, moment: Moment, label: str) -> Any:
        """Return a value of any form for a label."""

    def make_changes(self, rng: random.Random, moment: Moment) -> dict[str, Any]:
        """Return changes from a moment to another position, or an empty mapping."""

    def apply_changes(self, state: State, changes: Mapping[str, Any]) -> State:
        """Return the position after the changes."""


class Plain:
    """A ruleset with only a random player."""

    everything: Mapping[str, Any] = {}

    def __init__(self, kit: Kit) -> None:
        self.kit = kit

    def make_likely(self, rng: random.Random, moment: Moment) -> dict[str, Any]:
        return dict(self.kit.chooser(moment.game.setting, rng).content(moment.middle, moment.seq))

    def make_pool(self, moment: Moment) -> Pool:
        units = moment.middle.units
        groups = (sorted(units), sorted({unit.place for unit in units.values()}), [*self.kit.sides])

        def replace_value(rng: random.Random, old: Any) -> Any:
            alike = next((group for group in groups if old in group), None) if isinstance(old, str) else None
            return rng.choice(alike) if alike and rng.random() < 0.9 else any_value(rng, old)

        return replace_value

    def fill_lists(self, rng: random.Random, orders: dict[str, Any], moment: Moment) -> dict[str, Any]:
        return {key: each * 500 if isinstance(each, list) else each for key, each in orders.items()}

    def is_sealable(self, orders: Mapping[str, Any]) -> bool:
        return precheck.is_accepted({"orders": dict(orders)}, self.kit.ruleset.schema)

    def list_labels(self, moment: Moment) -> tuple[list[str], list[str]]:
        return [], []

    def make_sealed(self, rng: random.Random, moment: Moment, label: str) -> Any:
        return any_value(rng, None)

    def make_changes(self, rng: random.Random, moment: Moment) -> dict[str, Any]:
        return {}

    def apply_changes(self, state: State, changes: Mapping[str, Any]) -> State:
        return state


class Orders:
    """Makes and spoils the contents of a ruleset's messages."""

    def __init__(self, kit: Kit) -> None:
        self.kit, self.sides = kit, kit.sides
        self.own: Hostile = kit.hostile() if kit.hostile else Plain(kit)

    def spoil_choices(
        self, rng: random.Random, moment: Moment, choices: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the signed choices, perhaps with a few changes, and the hidden choices."""
        like = self.own.make_pool(moment)
        found = change_tree(rng, choices, rng.choice((0, 0, 0, 1, 1, 2, 5)), like, 0.15) if choices else {}
        orders = found.get("orders", {})
        if rng.random() < 0.04 and isinstance(orders, dict):
            found["orders"] = orders = self.own.fill_lists(rng, orders, moment)
        if rng.random() < 0.6 and isinstance(orders, dict) and self.own.is_sealable(orders):
            orders, plans = moment.game.ruleset.seal(moment.game.setting, orders, moment.seq)
            seal = found.get("seal", {})
            found |= {"orders": orders, "seal": {**seal, **plans} if isinstance(seal, dict) else seal}
        hidden: dict[str, Any] = {}
        if isinstance(found.get("seal"), dict) and rng.random() < 0.97:
            hidden = found.pop("seal")
            found["secret"] = dict.fromkeys(hidden, HASH)
        if rng.random() < 0.03:
            found["secret"] = {rng.choice((f"plans/{moment.seq}", "plans/2", "x", *self.list_labels(moment))): HASH}
        if rng.random() < 0.05:
            found["note"] = rng.choice((*STRINGS, *ODD, "'" * 300, "\u0423" * 4096, "x\n" * 2000, "> quoted\n-- \n"))
        return {key: each for key, each in found.items() if each not in ({}, [], "") or rng.random() < 0.1}, hidden

    def list_labels(self, moment: Moment) -> list[str]:
        """Return the labels of known and possible seals."""
        return [*moment.game.chain.outstanding_seals(moment.writer), *self.own.list_labels(moment)[1]]

    def make_reveals(self, rng: random.Random, moment: Moment) -> dict[str, Any]:
        """Return reveals of any form for known and possible seals."""
        found: dict[str, Any] = {}
        for name in self.list_labels(moment):
            value = self.own.make_sealed(rng, moment, name)
            found[name] = change_tree(rng, {"": value}, rng.choice((0, 0, 1, 1, 3)), self.own.make_pool(moment)).get(
                "", ""
            )
        return found

    def make_agreement(self, rng: random.Random) -> dict[str, Any]:
        """Make an offer, a reply or a resignation, right or almost right."""
        offer = rng.choice((DRAW, DRAW, SUCCESSOR, {"kind": "successor"}))
        open_ = rng.choice((DRAW, SUCCESSOR))  # the chain refuses other kinds of offers
        made: dict[str, Any] = rng.choice(
            (
                {"type": "resign", "choices": {}},
                {"type": "offer", "choices": {"offer": offer}},
                {"type": "reply", "choices": {"reply": rng.choice(("accept", "decline"))}, "offered": open_},
                {"offered": open_},
            )
        )
        return made

    def make_lies(self, rng: random.Random, moment: Moment) -> dict[str, Any]:
        """Make false fields next to right choices."""
        dice = {label: str(rng.randint(1, 6)) for label in self.own.list_labels(moment)[0]}
        dice |= rng.choice(({}, {}, {"weather/turn-6": "3"}, {"b1/combat": "66"}, {"zz": "0"}))
        pending = {"owner": rng.choice(self.sides), "battle": "b1", "kind": "x", "options": ["accept", "refuse"]}
        lies: dict[str, Any] = {
            "dice": dice,
            "pending": change_tree(rng, pending, rng.randrange(3)),
            "state-in": HASH,
            "state-out": "0" * 64,
            "open": HASH,
            "commit": HASH,
            "prev": HASH,
            "game": HASH,
            "nonce": HASH,
            "next": HASH,
            "mix": "x",
            "seq": rng.choice(("0", "1", "999999999", "01", "x")),
            "from": rng.choice((*self.sides, "referee", "x")),
            "offer": rng.choice((DRAW, SUCCESSOR, {**DRAW, "game": HASH}, {})),
            "secret": {"plans/2": HASH},
            "reveal": {},
            "reply": rng.choice(("accept", "decline", "x")),
            "names": {self.sides[0]: "x"},
            "options": dict(self.kit.options),
            "continues": {"game": HASH, "seq": "2", "id": HASH},
            "dice-from": "referee",
            "kursk-pbem": "2",
            **{key: self.own.everything.get(key, ["x"]) for key in CHOSEN},
        }
        return {key: lies[key] for key in rng.sample(sorted(lies), rng.choice((1, 1, 2)))}

    def spoil_position(self, rng: random.Random, plain: Mapping[str, Any]) -> Any:
        """Return a position with parts that the rules never make."""
        places = sorted({unit["place"] for unit in plain["units"].values()})
        uids = sorted(plain["units"])

        def replace_value(rng: random.Random, old: Any) -> Any:
            return rng.choice((*self.sides, *"01239", rng.choice(places), rng.choice(uids), "x", any_value(rng, old)))

        if rng.random() < 0.4:
            return change_tree(rng, dict(plain), rng.choice((1, 1, 2, 4)), replace_value)
        state: dict[str, Any] = {**plain, "units": {uid: dict(unit) for uid, unit in plain["units"].items()}}
        for _ in range(rng.choice((0, 1, 3, 30))):
            unit = state["units"][rng.choice(uids)]
            unit["place"] = rng.choice((*places, "".join(rng.sample(unit["place"], len(unit["place"])))))
            if "steps" in unit:
                unit["steps"] = rng.choice("011223")
        state["tracks"] = {key: rng.choice((value, "0", "1", "3", "4", "-1")) for key, value in plain["tracks"].items()}
        state["turn"] = rng.choice((plain["turn"], plain["turn"], "8", "A", "1", "7"))
        stages = [*self.kit.ruleset.play.stages(self.kit.setting(self.kit.scenarios[0])), "over"]
        state["stage"] = plain["stage"] if rng.random() < 0.4 else rng.choice(stages)
        state["side"] = rng.choice((plain["side"], plain["side"], *self.sides))
        return state

    def spoil_proposal(self, rng: random.Random, moment: Moment) -> dict[str, Any]:
        """Make the fields of another message 0."""
        head, (first, second), rid = moment.game.chain.head, self.sides, self.kit.id
        names: tuple[dict[str, str], ...] = ({}, {first: "\u0423" * 200}, {first: "'" * 150, second: "\n"}, {"x": "y"})
        right = dict(self.kit.options)
        options = (
            {},
            right,
            *({name: value} for name, value in right.items()),
            *({name: "x"} for name in right),
            *({name: ""} for name in right),
            {"x": "y"},
        )
        scenarios = (*self.kit.scenarios, f"{rid}/../{rid}", f"{rid}/x", f"{rid}/")
        others: dict[str, Any] = {
            "options": rng.choice(options),
            "names": rng.choice(names),
            "nonce": HASH,
            "commit": HASH,
            "note": rng.choice((*STRINGS, *ODD)),
            "from": rng.choice((*self.sides, "referee")),
            "scenario": {"id": rng.choice(scenarios), "sha256": rng.choice((HASH, head["scenario"]["sha256"]))},
            "ruleset": {"id": rng.choice((rid, "x")), "version": rng.choice(("1", "2", "0"))},
            "keys": {**head["keys"], rng.choice((first, "referee", "x")): rng.choice([*head["keys"].values()])},
            "state-out": rng.choice((HASH, moment.game.state.sha256())),
            "dice-from": rng.choice(("players", "referee", None)),
        }
        found = {key: others[key] for key in rng.sample(sorted(others), rng.choice((0, 1, 1, 2)))}
        if rng.random() < 0.2:
            tree = change_tree(rng, dict(head), rng.choice((1, 2)))
            found = {key: tree.get(key) for key in {*READING_ORDER, *tree} if tree.get(key) != head.get(key)}
        return found


CHOSEN = ("waive", "policy", "decisions")
"""Fields of choices in the wrong message."""
