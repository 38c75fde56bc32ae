"""A second reckoning of air strikes (20.0) and of retreats into full hexes (12.0), from the text of the rules alone.

The module moves labels of hexes and writes plain sets, so it is slow and simple.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from kursk_pbem.kernel.state import State
from rulesets.juggernauts.second_referee import Field, Hex, far, file, ground, line_at

BOMBING = {"german": ("D-Rudel", "D", "D", "D*", "-", "AA"), "russian": ("D", "D", "D*", "-", "-", "AA")}
MEETING = ("Russian Shot Down", "Russian", "Russian", "", "German", "German Shot Down")
"""The rows of the interception table: the unit that turns back; a row without a side turns the bomber back."""
RANGE = {"german": 7, "russian": 5}
RUDEL = "g-lf6"
FOE = {"german": "russian", "russian": "german"}
ARMOUR = ("panzer", "tiger", "ferdinand", "panther", "tank")


def side_of(plane: str) -> str:
    return "german" if plane.startswith("g-") else "russian"


class Sky(Field):
    """A position in which units are moved, Disrupted and lost one after the other."""

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.lost: set[str] = set()
        self.spared, self.onward = 0, 0
        """The numbers of units lost by choice, and of units that went on from a full hex."""

    def put(self, uid: str, hex_: Hex) -> None:
        """Move a unit into a hex; the line of the hex changes hands."""
        self.at[uid] = hex_
        if line := line_at(hex_):
            table = self.marks.setdefault("breached", {})
            if line[0] == self.side(uid):
                table.pop(hex_, None)
            else:
                table[hex_] = "yes"
        for table in ("entrenched", "emplaced"):
            self.marks.get(table, {}).pop(uid, None)
        self.forget()

    def remove(self, uid: str) -> None:
        """Take a unit off the map."""
        del self.at[uid]
        self.lost.add(uid)
        for table in ("disrupted", "entrenched", "emplaced", "panzerkeil"):
            self.marks.get(table, {}).pop(uid, None)
        self.forget()

    def forget(self) -> None:
        """Reckon zones, supply and stacks anew."""
        self.known, self.fed, self.stacks = {}, {}, {}
        for uid, place in sorted(self.at.items()):
            self.stacks.setdefault(place, []).append(uid)

    def disrupt(self, uid: str) -> None:
        """4.0: Disrupt a unit; a second Disruption takes its entrenchment."""
        if self.is_("disrupted", uid):
            self.marks.get("entrenched", {}).pop(uid, None)
        self.marks.setdefault("disrupted", {})[uid] = "yes"

    def shock(self, uid: str) -> None:
        """14.1, 14.3: Disrupt a unit by a combat result: no Ferdinands and no Panzerkeil survive a Disruption."""
        if self.units[uid]["kind"] == "ferdinand":
            self.remove(uid)
            return
        self.disrupt(uid)
        self.marks.get("panzerkeil", {}).pop(uid, None)

    # 8.0, 12.0

    def way_of(self, uid: str, origins: set[Hex], ways: set[tuple[Hex, ...]]) -> tuple[Hex, ...]:
        """J-30: return the way that ends farthest from attackers, then nearest to the own edge, then lowest."""

        row, column = ("W", "1") if self.side(uid) == "german" else ("A", "17")

        def edge(hex_: Hex) -> int:
            return min(steps for there, steps in far(hex_).items() if there[0] == row or there[1:] == column)

        def rank(way: tuple[Hex, ...]) -> tuple[int, int, list[tuple[str, int]]]:
            near = min(far(each)[way[-1]] for each in origins)
            return -near, edge(way[-1]), [(hex_[0], int(hex_[1:])) for hex_ in reversed(way)]

        return min(ways, key=rank)

    def open_steps(self, uid: str, home: Hex, origins: set[Hex], here: Hex) -> list[Hex]:
        """12.0: return the steps with room from a full hex; ``home``: the attacked hex."""
        stand, self.at[uid] = self.at[uid], home
        found = self.steps(uid, origins, here)
        self.at[uid] = stand
        return [there for there in found if self.room(uid, there)]

    def fall_back(self, uid: str, origins: set[Hex], length: int, driven: int, crowd: Mapping[str, str]) -> None:
        """8.0, 12.0: retreat a unit; in a full hex its owner's choice decides: stay, lose or on."""
        home = self.at[uid]
        ways = self.chosen_among(uid, origins, length, driven)
        if not ways:
            return
        way = self.way_of(uid, origins, ways)
        full = not self.room(uid, way[-1])
        if full and crowd.get(uid) == "lose":
            self.remove(uid)
            self.spared += 1
            return
        for hex_ in way:
            self.put(uid, hex_)
        if not full:
            return
        for other in list(self.here(way[-1], self.side(uid))):
            self.disrupt(other)
        for other in list(self.here(way[-1])) if len(way) == 1 else ():
            steps = self.open_steps(other, home, origins, way[-1]) if crowd.get(other) == "on" else []
            away = [there for there in steps if self.away(origins, way[-1], there)]
            if steps:
                (there,) = self.way_of(other, origins, {(each,) for each in away or steps})
                self.put(other, there)
                self.onward += 1

    def suffer(
        self, hex_: Hex, result: str, push: int, origins: set[Hex], said: Mapping[str, Mapping[str, str]]
    ) -> None:
        """2.0-d, 2.0-dn, 6.0, 14.2 to 14.4: apply D, D1 or D2 to units of which some have No Retreat! orders."""
        firm = {uid for uid in self.here(hex_) if said.get(uid, {}).get("no-retreat") == "yes"}
        number = int(result[1:] or 0)
        for uid in sorted(firm) if number == 2 else ():
            self.remove(uid)
        for uid in list(self.here(hex_)):
            kind, emplaced = self.units[uid]["kind"], self.is_("emplaced", uid)
            held = emplaced and bool(firm)
            if uid not in firm and (
                (kind == "panther" and number == 2)
                or (kind == "artillery" and not held and (number == 2 or (number == 1 and emplaced)))
            ):
                self.remove(uid)
            else:
                self.shock(uid)
        crowd = {uid: answer.get("crowd", "stay") for uid, answer in said.items()}
        for uid in list(self.here(hex_)):
            wanted = int(said.get(uid, {}).get("withdraw", "0"))
            driven, most = self.goes(result, push, wanted, firm=uid in firm)
            if most:
                self.fall_back(uid, origins, most, driven, crowd)

    # 20.0

    def based(self, side: str, city: Hex) -> bool:
        """20.3: return whether a city or town belongs to a side and is in supply."""
        last = self.marks.get("control", {}).get(city, file("map")["cities"][city]["side"])
        probe = copy.copy(self)
        probe.at = {**self.at, f"{side[0]}-base": city}
        probe.units = {**self.units, f"{side[0]}-base": {"side": side}}
        return last == side and not self.here(city, FOE[side]) and probe._supplied(f"{side[0]}-base")

    def reaches(self, plane: str, hex_: Hex) -> bool:
        side = side_of(plane)
        near = [city for city in file("map")["cities"] if far(hex_)[city] <= RANGE[side]]
        return any(self.based(side, city) for city in near)

    def grounded(self, plane: str, use: str) -> bool:
        """20.1, 20.4: return whether an air unit cannot fly: used in the turn, after an AA, or shot down."""
        return self.is_("flown", f"{plane}/{use}") or self.is_("down", plane)

    def may_strike(self, strikes: Sequence[Mapping[str, Any]]) -> bool:
        """20.1, 20.3: return whether strikes are legal: each in range, each air unit once, Russians apart."""
        flown, hit = set[str](), set[Hex]()
        for strike in strikes:
            planes, hex_ = strike["planes"], strike["hex"]
            side = side_of(planes[0])
            if not self.here(hex_, FOE[side]) or (side == "russian" and (len(planes) > 1 or hex_ in hit)):
                return False
            for plane in planes:
                if plane in flown or self.grounded(plane, "strike") or not self.reaches(plane, hex_):
                    return False
                flown.add(plane)
            hit.add(hex_)
        return True

    def fly(self, strikes: Sequence[Mapping[str, Any]], meet: Sequence[str], dice: Sequence[str]) -> None:
        """20.1, 20.2, 20.4: meet the bombers, then bomb. ``dice``: the faces in the order of the throws."""
        faces = iter(dice)
        bombers = [(plane, strike["hex"]) for strike in strikes for plane in strike["planes"]]
        for plane, _hex in bombers:
            self.marks.setdefault("flown", {})[f"{plane}/strike"] = "yes"
        away, met = set[str](), set[str]()
        for fighter in dict.fromkeys(meet):
            near = [bomber for bomber, hex_ in bombers if bomber not in away and self.reaches(fighter, hex_)]
            free = [bomber for bomber in near if bomber not in met] or (near if side_of(fighter) == "german" else [])
            if self.grounded(fighter, "meet") or not free:
                continue
            met.add(free[0])
            self.marks.setdefault("flown", {})[f"{fighter}/meet"] = "yes"
            row = MEETING[int(next(faces)) - 1]
            side = row.partition(" ")[0].lower() or side_of(free[0])
            loser = free[0] if side == side_of(free[0]) else fighter
            if row.endswith("Down"):
                self.marks.setdefault("down", {})[loser] = "2"
            away |= {loser} & {free[0]}
        for bomber, hex_ in bombers:
            if bomber not in away:
                self.bomb(bomber, hex_, faces)

    def bomb(self, plane: str, hex_: Hex, faces: Any) -> None:
        """20.1, 20.4: attack each unit of a hex, the strongest first; an AA ends the mission."""
        side = side_of(plane)
        units = sorted(self.here(hex_, FOE[side]), key=lambda uid: (-self.number(uid, "defence"), uid))
        for uid in units:
            if uid in self.lost:
                continue
            result = BOMBING[side][int(next(faces)) - 1]
            line = self.line(hex_)
            safe = (
                self.units[uid]["kind"] in ARMOUR
                or self.is_("entrenched", uid)
                or ground(hex_) == "forest"
                or (line is not None and line[0] == self.side(uid))
            )
            if result == "AA":
                self.marks.setdefault("flown", {})[f"{plane}/strike"] = "next"
                return
            if result == "-" or (result == "D*" and safe):
                continue
            tanks = [each for each in self.here(hex_, FOE[side]) if self.units[each]["kind"] == "tank"]
            corps = [each for each in tanks if self.units[each]["size"] == "corps"] or tanks
            prey = min(corps) if corps and result == "D-Rudel" and plane == RUDEL else ""
            if uid != prey:
                self.shock(uid)
            if prey:
                self.remove(prey)
