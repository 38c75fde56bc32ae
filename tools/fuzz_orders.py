"""Orders that look like some, for the target ``adjudicate``: units, hexes and paths as they stand on the map.

They are legal often enough to reach deep into the rules, and wrong in every way that a form allows.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from fuzz_corpus import ODD, STRINGS, any_value, changed
from fuzz_games import Moment

from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.rulesets.battle_for_kursk.position import Position, position
from kursk_pbem.rulesets.battle_for_kursk.posture import label as posture_label
from kursk_pbem.rulesets.battle_for_kursk.setting import ENEMY, POSTURES, SIDES
from kursk_pbem.rulesets.battle_for_kursk.standing import WHEN
from kursk_pbem.trust.message import READING_ORDER

HASH = "ab" * 32
MOST = {"battles": 200, "armor-and-rail": 500, "movement": 500, "distribution": 500, "give-ups": 500}
"""Entries of lists that the form allows."""
AWAY = ("off-map", "eliminated")
NOWHERE = ("9999", "0000", "0101", "3939")
GUARDS = ("", "", " if-free", " if-supplied", " if-", " if-free if-free")
ANSWERS = ("stand-fast", "exchange-dr", "exchange-drl")
SCENARIOS = tuple(f"battle-for-kursk/{name}" for name in ("citadel", "campaign", "../citadel", "x", ""))
DRAW, SUCCESSOR = {"kind": "draw"}, {"kind": "successor", "game": HASH}
OPTIONS: tuple[dict[str, str], ...] = (
    {}, {"weather": "die"}, {"uncovered": "ask"}, {"weather": "script", "uncovered": "ask"}, {"weather": "x"},
    {"x": "y"}, {"weather": ""},
)  # fmt: skip
NAMES = ({}, {"german": "\u0423" * 200}, {"german": "'" * 150, "russian": "\n"}, {"x": "y"})
STAGES = ("german-orders", "russian-orders", "resumed", "opening", "german-dice", "over")


class Orders:
    """Makes and spoils what a message holds."""

    def spoilt(
        self, rng: random.Random, moment: Moment, choices: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """The choices as they are signed, changed in a few places or in none; and what of them is only a hash there."""
        pool = _Pool(moment)
        found = changed(rng, choices, rng.choice((0, 0, 0, 1, 1, 2, 5)), pool.like, 0.15) if choices else {}
        orders = found.get("orders", {})
        if rng.random() < 0.04 and isinstance(orders, dict):
            found["orders"] = orders = _many(rng, orders, pool)
        if rng.random() < 0.6 and isinstance(orders, dict) and _has_form(orders):
            orders, plans = moment.game.ruleset.seal(orders, moment.seq)
            seal = found.get("seal", {})
            found |= {"orders": orders, "seal": {**seal, **plans} if isinstance(seal, dict) else seal}
        hidden: dict[str, Any] = {}
        if isinstance(found.get("seal"), dict) and rng.random() < 0.97:
            hidden = found.pop("seal")
            found["secret"] = dict.fromkeys(hidden, HASH)
        if rng.random() < 0.03:
            found["secret"] = {rng.choice((f"plans/{moment.seq}", "plans/2", "x", posture_label("5"))): HASH}
        if rng.random() < 0.05:
            found["note"] = rng.choice((*STRINGS, *ODD, "'" * 300, "\u0423" * 4096, "x\n" * 2000, "> quoted\n-- \n"))
        return {key: each for key, each in found.items() if each not in ({}, [], "") or rng.random() < 0.1}, hidden

    def likely(self, rng: random.Random, moment: Moment) -> dict[str, Any]:
        """Fields that the stage calls for, and now and then others, filled from the map."""
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

    def revealed(self, rng: random.Random, moment: Moment) -> dict[str, Any]:
        """What may have been sealed unseen: of any form."""
        pool, agenda = _Pool(moment), moment.game.state.agenda
        seals = moment.game.chain.outstanding(moment.writer)
        labels = [*seals] if rng.random() < 0.9 else [posture_label(moment.middle.turn)]
        if moment.game.state.stage.endswith("-dice") and "declared" in agenda:
            labels.append(f"plans/{agenda['declared']}")
        found: dict[str, Any] = {}
        for name in labels:
            value: Any = pool.posture(rng) if name.startswith("posture") else pool.plans(rng)
            value = _many(rng, value, pool) if rng.random() < 0.05 else value
            found[name] = changed(rng, {"": value}, rng.choice((0, 0, 1, 1, 3)), pool.like).get("", "")
        return found

    def elsewhere(self, rng: random.Random, moment: Moment) -> dict[str, Any]:
        """Another position for a moment: nothing that is engaged moves. Empty if what was found is no position."""
        pool, state = _Pool(moment), moment.game.state
        engaged = {uid for each in state.agenda.get("battles", ())
                   for uid in (each["defender"], *each["attackers"], *each.get("support", ()))}  # fmt: skip
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

    def by_agreement(self, rng: random.Random) -> dict[str, Any]:
        """An offer, a reply to one, or a resignation, as they should be or nearly."""
        offer = rng.choice((DRAW, DRAW, SUCCESSOR, {"kind": "successor"}))
        open_ = rng.choice((DRAW, SUCCESSOR))  # what the chain would not let in cannot wait for a reply
        made: dict[str, Any] = rng.choice((
            {"type": "resign", "choices": {}}, {"type": "offer", "choices": {"offer": offer}},
            {"type": "reply", "choices": {"reply": rng.choice(("accept", "decline"))}, "offered": open_},
            {"offered": open_},
        ))  # fmt: skip
        return made

    def lies(self, rng: random.Random, moment: Moment) -> dict[str, Any]:
        """False fields around right choices."""
        dice = {f"{each['id']}/combat": str(rng.randint(1, 6)) for each in moment.game.state.agenda.get("battles", ())}
        dice |= rng.choice(({}, {}, {"weather/turn-6": "3"}, {"b1/combat": "66"}, {"zz": "0"}))
        pending = {"owner": rng.choice(SIDES), "battle": "b1", "kind": "conversion", "options": ["accept", "exchange"]}
        lies: dict[str, Any] = {
            "dice": dice, "pending": changed(rng, pending, rng.randrange(3)), "state-in": HASH, "state-out": "0" * 64,
            "open": HASH, "commit": HASH, "prev": HASH, "game": HASH, "nonce": HASH, "next": HASH, "mix": "x",
            "seq": rng.choice(("0", "1", "999999999", "01", "x")), "from": rng.choice((*SIDES, "referee", "x")),
            "offer": rng.choice((DRAW, SUCCESSOR, {**DRAW, "game": HASH}, {})), "secret": {"plans/2": HASH},
            "reveal": {}, "reply": rng.choice(("accept", "decline", "x")), "names": {"german": "x"},
            "options": {"weather": "die"}, "continues": {"game": HASH, "seq": "2", "id": HASH}, "dice-from": "referee",
            "kursk-pbem": "2", "waive": ["posture"], "policy": {"stand-fast": "always"}, "decisions": {"b1": "accept"},
        }  # fmt: skip
        return {key: lies[key] for key in rng.sample(sorted(lies), rng.choice((1, 1, 2)))}

    def position(self, rng: random.Random, plain: Mapping[str, Any]) -> Any:
        """A position with something in it that the rules never made."""
        if rng.random() < 0.4:
            return changed(rng, dict(plain), rng.choice((1, 1, 2, 4)), _position_value)
        uids = sorted(plain["units"])
        state: dict[str, Any] = {**plain, "units": {uid: dict(unit) for uid, unit in plain["units"].items()}}
        for _ in range(rng.choice((0, 1, 3, 30))):
            unit = state["units"][rng.choice(uids)]
            place = state["units"][rng.choice(uids)]["place"]
            somewhere = f"{rng.randrange(1, 30):02d}{rng.randrange(1, 25):02d}"
            unit["place"] = rng.choice(("eliminated", "off-map", somewhere, place))
            unit["steps"] = rng.choice(("0", "1", "1", "2", "2", "3"))
        state["tracks"] = {key: rng.choice((value, "0", "1", "3", "4", "-1")) for key, value in plain["tracks"].items()}
        state["turn"] = rng.choice((plain["turn"], plain["turn"], "8", "A", "1", "7"))
        state["stage"] = plain["stage"] if rng.random() < 0.4 else rng.choice(STAGES)
        state["side"] = rng.choice((plain["side"], plain["side"], *SIDES))
        return state

    def proposal(self, rng: random.Random, moment: Moment) -> dict[str, Any]:
        """Fields of another message 0."""
        head = moment.game.chain.head
        others: dict[str, Any] = {
            "options": rng.choice(OPTIONS), "names": rng.choice(NAMES), "nonce": HASH, "commit": HASH,
            "note": rng.choice((*STRINGS, *ODD)), "from": rng.choice((*SIDES, "referee")),
            "scenario": {"id": rng.choice(SCENARIOS), "sha256": rng.choice((HASH, head["scenario"]["sha256"]))},
            "ruleset": {"id": rng.choice(("battle-for-kursk", "x")), "version": rng.choice(("1", "2", "0"))},
            "keys": {**head["keys"], rng.choice(("german", "referee", "x")): rng.choice([*head["keys"].values()])},
            "state-out": rng.choice((HASH, moment.game.state.sha256())),
            "dice-from": rng.choice(("players", "referee", None)),
        }  # fmt: skip
        found = {key: others[key] for key in rng.sample(sorted(others), rng.choice((0, 1, 1, 2)))}
        if rng.random() < 0.2:
            tree = changed(rng, dict(head), rng.choice((1, 2)))
            found = {key: tree.get(key) for key in {*READING_ORDER, *tree} if tree.get(key) != head.get(key)}
        return found


class _Pool:
    """What is on the map of a moment."""

    def __init__(self, moment: Moment) -> None:
        self.moment = moment
        self.side = moment.writer if moment.writer in SIDES else SIDES[0]  # a referee orders like anybody else
        self.setting = moment.game.setting
        self.state = moment.middle
        self.units = sorted(self.setting.counters)
        self.own = [uid for uid in self.units if self.setting.counters[uid].side == self.side]
        self.board = self.setting.board
        self.hexes = sorted(self.board.index)
        self.rim = [self.board.labels[each] for side in SIDES for each in bits(self.setting.edges[side])]
        self.pos: Position = position(self.setting, self.state)

    def like(self, rng: random.Random, old: Any) -> Any:
        """Another value of the same sort, mostly."""
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
        """A hex, mostly beside this one."""
        if rng.random() < 0.1:
            return rng.choice(NOWHERE)
        if hex_ not in self.board.index or rng.random() < 0.2:
            return rng.choice(self.hexes)
        return rng.choice([self.board.labels[each] for each in bits(self.board.near[self.board.index[hex_]])])

    def place(self, uid: str) -> str:
        """Where a unit stands, or a hex for one that stands nowhere."""
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
        """Orders of a player turn, each list filled or not."""
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
            near = [self.pos.at[each] for each in bits(around)]
            attackers = rng.sample(near, rng.randint(1, len(near))) if near else self.standing(rng, side, 2)
            battle: dict[str, Any] = {"id": rng.choice((f"b{number}", f"b{number}", "b1")), "hex": target,
                                      "attackers": attackers}
            if attackers and rng.random() < 0.5:
                lead = rng.choice(attackers)
                behind = self.board.near[self.pos.where[lead]] & self.pos.occupied[side]
                battle["offensive"] = {"lead": lead, "support": [self.pos.at[each] for each in bits(behind)][:3]}
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
        """Plans for the battles that wait."""
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
    """The same with as much in each list as there may be, nearly the same a hundred times."""
    found: dict[str, Any] = {}
    for key, value in tree.items():
        found[key] = _many(rng, value, pool) if isinstance(value, dict) else value
        if isinstance(value, list) and value:
            pieces = [changed(rng, {"": rng.choice(value)}, 1, pool.like, 0.0).get("", "x") for _ in range(100)]
            found[key] = (pieces * 30)[: MOST.get(key, 2500)]
    return found


def _has_form(orders: Mapping[str, Any]) -> bool:
    """Whether the ruleset may look for plans in them: it takes orders whose form has been checked."""
    battles = orders.get("battles", [])
    if not isinstance(battles, list) or not all(isinstance(each, dict) for each in battles):
        return False
    lists = [each.get(key, []) for each in battles for key in ("retreat", "losses", "advance")]
    return all(isinstance(each, list) for each in lists) and all(isinstance(each.get("id"), str) for each in battles)


def _position_value(rng: random.Random, old: Any) -> Any:
    return rng.choice((*AWAY, *SIDES, "0", "1", "2", "3", "9", "2113", "0601", "due", "x", any_value(rng, old)))
