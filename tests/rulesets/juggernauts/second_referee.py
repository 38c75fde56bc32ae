"""A second referee, from the text of the rules alone: zones, supply, moves, odds, results, retreats.

The module uses only the scenario's files and the form of a position. Hexes are labels and sets are Python sets, so the
code is slow and simple.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parents[3] / "scenarios/juggernauts/july-1943"
COLUMNS = ((1, 5), (1, 4), (1, 3), (1, 2), (1, 1), (3, 2), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (7, 1))
SIDES = ("NE", "E", "SE", "SW", "W", "NW")
Hex = str


@cache
def file(name: str) -> Any:
    """Return one file of the scenario."""
    return yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))


@cache
def on_map(letter: int, column: int) -> bool:
    return 0 <= letter < 23 and 1 <= column <= 17


@cache
def around(hex_: Hex) -> dict[str, Hex]:
    """Return the neighbours by direction. Even letters (B, D ...) are half a hex further east."""
    letter, column = ord(hex_[0]) - 65, int(hex_[1:])
    east = letter % 2
    steps = {"NE": (-1, east), "E": (0, 1), "SE": (1, east), "SW": (1, east - 1), "W": (0, -1), "NW": (-1, east - 1)}
    return {
        name: f"{chr(65 + letter + down)}{column + right}"
        for name, (down, right) in steps.items()
        if on_map(letter + down, column + right)
    }


@cache
def far(start: Hex) -> dict[Hex, int]:
    """Return the hexes with their distances."""
    found, edge = {start: 0}, [start]
    while edge:
        edge = [
            there
            for here in edge
            for there in around(here).values()
            if there not in found and not found.update({there: found[here] + 1})
        ]
    return found


@cache
def rivers() -> set[frozenset[Hex]]:
    return {frozenset(side.split("-")) for each in file("map")["rivers"].values() for side in each["hexsides"]}


@cache
def line_at(hex_: Hex) -> tuple[str, str, frozenset[Hex]] | None:
    """Return owner, line and front of the line in a hex."""
    for name, line in file("map")["lines"].items():
        if hex_ in line["front"]:
            return line["owner"], name, frozenset(line["front"][hex_])
    return None


@cache
def ground(hex_: Hex) -> str:
    return next((kind for kind, hexes in file("map")["terrain"].items() if hex_ in hexes), "clear")


class Field:
    """A position: units by hex, and marks."""

    def __init__(self, state: Any) -> None:
        self.units = file("units")["units"]
        self.at = {uid: unit.place for uid, unit in state.units.items() if unit.place[1:].isdigit()}
        self.marks = {key: dict(value) for key, value in state.marks.items()}
        self.known: dict[tuple[Hex, str, bool], set[Hex]] = {}
        self.fed: dict[str, bool] = {}
        self.stacks: dict[Hex, list[str]] = {}
        for uid, place in sorted(self.at.items()):
            self.stacks.setdefault(place, []).append(uid)

    def is_(self, mark: str, key: str) -> bool:
        return key in self.marks.get(mark, {})

    def side(self, uid: str) -> str:
        return str(self.units[uid]["side"])

    def number(self, uid: str, key: str) -> int:
        return int(self.units[uid][key])

    def here(self, hex_: Hex, side: str = "") -> list[str]:
        return [uid for uid in self.stacks.get(hex_, ()) if side in ("", self.side(uid))]

    def line(self, hex_: Hex) -> tuple[str, str, frozenset[Hex]] | None:
        return None if self.is_("breached", hex_) else line_at(hex_)

    def first(self, hex_: Hex, owner: str) -> bool:
        line = self.line(hex_)
        return bool(line and line[0] == owner and line[1].endswith("1st"))

    # 10.0, 16.1

    def exerts(self, source: Hex, hex_: Hex, side: str) -> bool:
        """Return whether a zone of ``side`` extends to the next hex: not through the front of an enemy line."""
        line = self.line(hex_)
        return hex_ in around(source).values() and not (line and line[0] != side and source in line[2])

    def holders(self, hex_: Hex, side: str, *, fresh: bool = False) -> set[Hex]:
        """Return the hexes from which ``side`` controls a hex; ``fresh``: only by undisrupted armies and korps."""
        if (hex_, side, fresh) not in self.known:
            self.known[hex_, side, fresh] = self._holders(hex_, side, fresh=fresh)
        return self.known[hex_, side, fresh]

    def _holders(self, hex_: Hex, side: str, *, fresh: bool) -> set[Hex]:
        found, pairs = set(), []
        sources = [source for source in around(hex_).values() if self.exerts(source, hex_, side)]
        for uid in (uid for source in sources for uid in self.here(source, side)):
            if self.units[uid].get("bracket"):
                continue
            size, shaken = self.units[uid]["size"], self.is_("disrupted", uid)
            if size == "army" or (size == "korps" and not uid.startswith("h-")):
                found |= {self.at[uid]} if not (fresh and shaken) else set()
            elif size == "division" and not shaken:
                pairs.append(self.at[uid])
        return found | (set(pairs) if len(pairs) > 1 and not fresh else set())

    def supplied(self, uid: str) -> bool:
        """Return whether a path leads from the unit to a friendly edge."""
        if uid not in self.fed:
            self.fed[uid] = self._supplied(uid)
        return self.fed[uid]

    def _supplied(self, uid: str) -> bool:
        side = self.side(uid)
        foe = "german" if side == "russian" else "russian"

        def open_(hex_: Hex) -> bool:
            firm = any(self.units[each].get("bracket") != "square" for each in self.here(hex_, side))
            return not self.here(hex_, foe) and (firm or not self.holders(hex_, foe))

        seen = {self.at[uid]} if open_(self.at[uid]) else set()
        todo = list(seen)
        while todo:
            here = todo.pop()
            letter, column = here[0], int(here[1:])
            if (letter == "W" or column == 1) if side == "german" else (letter == "A" or column == 17):
                return True
            for there in around(here).values():
                line = self.line(there)
                into = line and line[0] == foe and line[1].endswith("1st") and here in line[2]
                if there not in seen and not into and open_(there):
                    seen.add(there)
                    todo.append(there)
        return False

    # 13.0

    def cost(self, uid: str, here: Hex, there: Hex) -> int:
        tank = self.units[uid]["kind"] in ("panzer", "tiger", "ferdinand", "panther", "tank")
        return 1 + (tank and frozenset((here, there)) in rivers())

    def reach(self, uid: str, *, second: bool) -> set[Hex]:
        """13.0, 10.0: return the possible last hexes of a move; a Panther rolls its best die."""
        side, start = self.side(uid), self.at[uid]
        foe = "german" if side == "russian" else "russian"
        panther = self.units[uid]["kind"] == "panther"
        most = 3 if panther else self.number(uid, "move") - second
        found: set[Hex] = set()
        been: set[tuple[Hex, int, bool]] = set()

        def quiet(hex_: Hex) -> bool:
            """Return whether a step keeps the bonus."""
            friends = [each for each in self.here(hex_, side) if each != uid]
            return not self.holders(hex_, foe, fresh=True) or bool(friends)

        def enter(here: Hex, there: Hex) -> bool:
            enemies = self.here(there, foe)
            if enemies and not (len(enemies) == 1 and self.units[enemies[0]].get("bracket") == "square"):
                return False
            line = self.line(there)
            if line and line[0] == foe and line[1].endswith("1st") and here in line[2]:
                return False
            leaves, meets = self.holders(here, foe), self.holders(there, foe)
            if here != start or not leaves or not meets or self.here(there, side):
                return True
            fronts = [(a, b) for a, b in ((here, there), (there, here)) if (wall := self.line(a)) and b in wall[2]]
            return not leaves & meets and not fronts and frozenset((here, there)) not in rivers()

        def go(here: Hex, spent: int, calm: bool) -> None:
            for there in around(here).values():
                total, still = spent + self.cost(uid, here, there), calm and quiet(there)
                if total <= most + (self.number(uid, "bonus") if still else 0) and enter(here, there):
                    if there != start:
                        found.add(there)
                    if not self.holders(there, foe) and (there, total, still) not in been:
                        been.add((there, total, still))
                        go(there, total, still)

        go(start, 0, quiet(start))
        return found

    # 1.0

    def defence(self, hex_: Hex, origins: set[Hex]) -> int:
        """15.0: return the printed factors and the additions."""
        units, line = self.here(hex_), self.line(hex_)
        foot = [uid for uid in units if self.units[uid]["kind"] == "infantry"]
        total = sum(self.number(uid, "defence") + self.is_("entrenched", uid) for uid in units)
        total += ground(hex_) == "forest" and bool(foot)
        total += ground(hex_) == "hill" and bool(units)
        if file("map")["cities"].get(hex_, {}).get("kind") == "major":
            total += min(2, sum(self.number(uid, "defence") for uid in foot))
        if line and (not units or self.side(units[0]) == line[0]):
            before = origins <= line[2]
            if line[1] == "german-1st":
                total += 2 if before else 1
            elif before:
                total += 2 if line[1] == "russian-1st" else bool(units)
        return int(total)

    def shifts(self, hex_: Hex, attackers: list[str]) -> int:
        """4.0, 14.1, 15.6, 16.2: return the shifts."""
        units, found = self.here(hex_), 0
        found += any(self.is_("disrupted", uid) for uid in units) + any(not self.supplied(uid) for uid in units)
        found -= any(not self.supplied(uid) for uid in attackers)
        total = sum(self.number(uid, "attack") for uid in attackers)
        dry = [uid for uid in attackers if frozenset((self.at[uid], hex_)) not in rivers()]
        found -= sum(self.number(uid, "attack") for uid in dry) * 2 <= total
        led = [
            uid
            for uid in attackers
            if self.is_("panzerkeil", uid) and around(self.at[uid]).get(self.marks["panzerkeil"][uid]) == hex_
        ]
        found += min(2, len(led))
        worst = [-2]
        for uid in (each for each in units if self.is_("panzerkeil", each)):
            front = SIDES.index(self.marks["panzerkeil"][uid])
            for name, there in around(hex_).items():
                if there in {self.at[each] for each in attackers}:
                    worst.append({0: -1, 1: -1, 5: -1, 2: 0, 4: 0, 3: 1}[(SIDES.index(name) - front) % 6])
        return found + (max(worst) if max(worst) > -2 else 0)

    def column(self, hex_: Hex, attackers: list[str]) -> int:
        """Return the final column: below 0 not allowed, 12 more than 7:1."""
        defence = self.defence(hex_, {self.at[uid] for uid in attackers})
        attack = sum(self.number(uid, "attack") for uid in attackers)
        if not attack or not defence:
            return -99
        ratio = Fraction(attack, defence)
        if ratio >= 8:
            return 12
        below = [number for number, (a, d) in enumerate(COLUMNS) if Fraction(a, d) <= ratio]
        start = max(below) if below else 5 + -(-defence // attack) * -1
        return min(start + self.shifts(hex_, attackers), 12)

    # 3.0

    def together(self, hex_: Hex, attackers: list[str]) -> set[Hex]:
        """Return the hexes that must also be attacked."""
        found, origins = set(), {self.at[uid] for uid in attackers}
        german = self.side(attackers[0]) == "german"
        for other in set(around(hex_).values()):
            beside = origins & set(around(other).values())
            units = [uid for uid in self.here(other) if not self.is_("disrupted", uid)]
            line = self.line(other)
            if not beside:
                continue
            if german:
                armies = [uid for uid in units if self.units[uid]["size"] == "army"]
                behind = line and line[0] == "russian" and beside & line[2]
                found |= {other} if self.here(hex_) and armies and behind else set()
            else:
                korps = [uid for uid in units if self.units[uid]["size"] == "korps" and uid.startswith("g-")]
                found |= {other} if (self.here(hex_) and korps) else set()
                found |= {other} if self.first(hex_, "german") and self.first(other, "german") else set()
        return found

    # 2.0, 6.0, 15.2

    def goes(self, result: str, push: int, withdraw: int, *, firm: bool) -> tuple[int, int]:
        """Return the hexes that a defender is driven, and the hexes in all; ``firm``: with No Retreat! orders."""
        n = int(result[1:] or 0)
        driven = 0 if firm else min(push, n)
        return driven, 0 if firm else driven + max(0, min(withdraw - driven, 2 - n))

    def falls(self, hex_: Hex, owner: str, survivors: int) -> bool:
        """Return whether an exchange takes the owner's line: only if no unit survives in the hex."""
        line = self.line(hex_)
        return line is not None and line[0] == owner and not survivors

    # 8.0

    def steps(self, uid: str, origins: set[Hex], here: Hex) -> list[Hex]:
        """Return the possible hexes of one retreat step, even past other sides of attackers' hexes."""
        side, home = self.side(uid), self.at[uid]
        foe, found = "german" if side == "russian" else "russian", []
        for there in around(here).values():
            own, wall = self.line(there), self.line(there)
            fort = bool(own and own[0] == side)
            zone = bool(self.holders(there, foe))
            touches = {*around(here).values()} & {*around(there).values()} & origins
            if (
                self.here(there, foe)
                or far(home)[there] <= far(home)[here]
                or any(far(each)[there] < far(each)[here] for each in origins)
                or (zone and not fort and not self.here(there, side))
                or (touches and not (fort and not zone))
                or (wall and wall[0] == foe and wall[1].endswith("1st") and here in wall[2])
            ):
                continue
            found.append(there)
        return found

    def away(self, origins: set[Hex], here: Hex, there: Hex) -> bool:
        return all(far(each)[there] > far(each)[here] for each in origins)

    def retreats(self, uid: str, origins: set[Hex], length: int) -> set[tuple[Hex, ...]]:
        """Return all ways of a length out of the attacked hex, each step away from attackers if possible."""
        home = self.at[uid]
        ways: set[tuple[Hex, ...]] = {(home,)}
        for _step in range(length):
            longer = set()
            for way in ways:
                found = self.steps(uid, origins, way[-1])
                away = [there for there in found if self.away(origins, way[-1], there)]
                longer |= {(*way, there) for there in away or found}
            ways = longer
        assert all(there in around(here).values() for way in ways for here, there in pairwise(way))
        return {way[1:] for way in ways}

    def room(self, uid: str, hex_: Hex) -> bool:
        """12.0: return whether a stack is legal: three Germans, two korps, one panzerkorps; two Russians, an ArtKor."""
        stack = [*self.here(hex_, self.side(uid)), uid]
        if self.side(uid) == "russian":
            return (
                sum(self.units[each]["kind"] != "artillery" for each in stack) <= 2
                and len(stack) <= 3
                and (len(stack) < 3 or any(self.units[each]["kind"] == "artillery" for each in stack))
            )
        korps = [each for each in stack if self.units[each]["size"] == "korps"]
        return len(stack) <= 3 and len(korps) <= 2 and sum(self.units[each]["kind"] == "panzer" for each in korps) <= 1

    def chosen_among(self, uid: str, origins: set[Hex], length: int, driven: int) -> set[tuple[Hex, ...]]:
        """12.0, 8.0: return the ways that exceed no limit and pass no attacker's hex without need."""
        for number in range(length, 0, -1):
            ways = self.retreats(uid, origins, number)
            roomy = {way for way in ways if self.room(uid, way[-1])}
            if not roomy and ways:
                every: set[tuple[Hex, ...]] = {(self.at[uid],)}
                for _step in range(number):
                    every = {(*way, there) for way in every for there in self.steps(uid, origins, way[-1])}
                every = {way for way in every if self.room(uid, way[-1])}
                better = {
                    way[: at + 2] for way in every for at in range(number) if self.away(origins, way[at], way[at + 1])
                }
                begun = {way[:-1] for way in better}
                roomy = {
                    way[1:]
                    for way in every
                    if all(way[: at + 2] in better or way[: at + 1] not in begun for at in range(number))
                }
            if roomy or (ways and number <= driven):
                return roomy or ways
        return set()
