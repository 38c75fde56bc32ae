"""A second referee, written only from texts and rulings, to check the code: plain loops over labels.

The referee reads the scenario's files and shares nothing with the ruleset. A position is ``places`` (unit -> label) and
``flown`` (air unit -> interdicted label); ``stand`` sets the position.
"""

from __future__ import annotations

from functools import cache
from heapq import heappop, heappush

ENEMY = {"german": "soviet", "soviet": "german"}
WOODS = ("forest", "swamp")
COLUMNS = ("1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1", "7:1", "8:1", "9:1")


@cache
def around(label):
    """Return the adjacent hexes on a map without edges; odd columns are half a hex higher."""
    column, row = int(label[:2]), int(label[2:])
    upper = row - column % 2
    pairs = [(column, row - 1), (column, row + 1)]
    pairs += [(column + step, upper + down) for step in (-1, 1) for down in (0, 1)]
    return [f"{c:02d}{r:02d}" for c, r in pairs if 1 <= c <= 34 and 1 <= r <= 32]


def apart(one, other):
    """Return the distance of two labels; each column crossed gives half a hex up or down."""
    (column, height), (there, level) = ((int(x[:2]), 2 * int(x[2:]) - int(x[:2]) % 2) for x in (one, other))
    across = abs(column - there)
    return across + max(0, abs(height - level) - across) // 2


class Referee:
    """The rules of one scenario with its options."""

    def __init__(self, data, *, printed=False, integrity=True):
        chart, head, self.tables = data["map"], data["scenario"], data["tables"]
        self.units, self.printed, self.integrity = data["units"]["units"], printed, integrity
        self.kind = {label: kind for kind, labels in chart["terrain"].items() if kind in WOODS for label in labels}
        self.rivers = {frozenset(side.split("-")) for river in chart["rivers"].values() for side in river["hexsides"]}
        self.rails = {
            frozenset(pair)
            for line in chart["railroads"].values()
            for pair in zip(line["path"], line["path"][1:], strict=False)
        }
        self.exits, self.edges = chart["exits"], chart["edges"]
        self.lines = {side: set() for side in ENEMY}
        for name in head["lines"]:
            line = chart["fortifications"][name]
            self.lines[line["owner"]] |= {*line["hexes"]} - {*head.get("void", ())}
        self.forts = {side: self.lines[side] | {*chart["fortified"][side]} for side in ENEMY}

    def side(self, uid):
        return self.units[uid]["side"]

    def regular(self, uid):
        return not self.units[uid].get("limited") and self.units[uid]["type"] != "air"

    def fits(self, stack):
        small = sum(self.units[uid]["size"] not in ("division", "corps") for uid in stack)
        large = len(stack) - small
        if self.printed:
            while small > 1:  # one small unit is free, three more are a corps
                small, large = small - 3, large + 1
            return large <= 3
        return large <= 3 and len(stack) <= 4

    def stand(self, places, flown):
        """Set the position: stacks by hex, and hexes controlled from ground and air."""
        self.places, self.stacks, self.lines_of, self.fed, self.from_rails = places, {}, {}, {}, {}
        for uid, here in places.items():
            self.stacks.setdefault(here, []).append(uid)
        self.ground = {side: self.controlled(side) for side in ENEMY}
        self.air = {side: {there for uid, there in flown.items() if self.side(uid) != side} for side in ENEMY}

    def controlled(self, side):
        """4.0: return the hexes controlled by enemy units of a side."""
        found = set()
        for uid, here in self.places.items():
            unit = self.units[uid]
            small = unit["size"] not in ("division", "corps") and unit["type"] != "kampfgruppe"
            if unit["side"] == side or not self.regular(uid) or (small and not self.printed):
                continue
            found |= {there for there in around(here) if not (self.printed and there in self.kind)}
        return found

    def reach(self, uid, points):
        """3.0, 4.0: return hex -> points of the cheapest way."""
        side, unit = self.side(uid), self.units[uid]
        wheels = unit["motorized"] == "yes" or unit["type"] == "air"
        zone = self.ground[side] | self.air[side]
        best, heap = {}, [(0, self.places[uid])]
        while heap:
            spent, here = heappop(heap)
            if here in best:
                continue
            best[here] = spent
            for there in around(here):
                stack = self.stacks.get(there, [])
                if stack and (self.side(stack[0]) != side or (uid not in stack and not self.fits([*stack, uid]))):
                    continue
                cost = 1 + (wheels and there in self.kind) + 2 * (there in self.forts[ENEMY[side]])
                cost += 3 * (there in zone) + 2 * (here in zone)
                if spent + cost <= points:
                    heappush(heap, (spent + cost, there))
        return best

    def line(self, side, start, gone=""):
        """6.0: return the distance of a hex to a railway off the own edge, None above ten; ``gone`` has left."""
        if (side, start, gone) not in self.lines_of:
            self.lines_of[side, start, gone] = self.line_anew(side, start, gone)
        return self.lines_of[side, start, gone]

    def line_anew(self, side, start, gone):
        own = {here for uid, here in self.places.items() if self.side(uid) == side and uid != gone}
        if start in own and not gone:  # equal for every unit in the stack
            if side not in self.from_rails:
                self.from_rails[side] = self.spread(side, own)
            return self.from_rails[side].get(start)
        return self.spread(side, own | {start}).get(start)

    def spread(self, side, own):
        """6.0: return hex -> distance from railways off the own edge, ten at most."""
        foes = {here for uid, here in self.places.items() if self.side(uid) != side}
        shut = foes | ((self.ground[side] | self.air[side]) - own)
        ring, ahead = set(), [label for label in self.exits[side] if label not in shut]
        while ahead:
            here = ahead.pop()
            ring.add(here)
            ahead += [
                there
                for there in around(here)
                if there not in shut and there not in ring and frozenset((here, there)) in self.rails
            ]
        far = dict.fromkeys(ring, 0)
        for number in range(1, 11):
            ring = {there for here in ring for there in around(here) if there not in far and there not in shut}
            far |= dict.fromkeys(ring, number)
        return far

    def supplied(self, uid):
        if uid not in self.fed:
            self.fed[uid] = self.supplied_anew(uid)
        return self.fed[uid]

    def supplied_anew(self, uid):
        unit = self.units[uid]
        if self.line(unit["side"], self.places[uid]) is None:
            return False
        most = {"2-4": 3, "3-5": 5}.get(f"{unit['attack']}-{unit['move']}") if unit["side"] == "soviet" else None
        mates = [
            each
            for each in self.places
            if each != uid and unit.get("army") and self.units[each].get("army") == unit["army"]
        ]
        near = [each for each in mates if most and apart(self.places[uid], self.places[each]) <= most]
        return bool(near) or not (most and self.integrity)

    def strength(self, key, uids):
        total = 0
        for uid in uids:
            value = int(self.units[uid][key])
            total += value if self.supplied(uid) else value // 2
        return total

    def odds(self, attackers, there, spent=()):
        """7.0: return attack, defense, column (None without a die) and modifier; ``spent``: attacked before (S-38)."""
        stack = self.stacks[there]
        partners = sum(map(self.regular, stack))
        fresh = [uid for uid in stack if uid not in spent]
        defenders = [uid for uid in fresh if self.regular(uid)]
        for kind in ("defence-only", "bracketed"):
            few = sorted(
                (uid for uid in fresh if self.units[uid].get("limited") == kind),
                key=lambda uid: (-int(self.units[uid]["defence"]), uid),
            )
            defenders += few[:partners]
        attack = self.strength("attack", attackers)
        defence = self.strength("defence", defenders)
        if not defence:
            return attack, 0, None, 0
        ratio = f"{attack // defence}:1" if attack >= defence else f"1:{-(-defence // attack)}" if attack else "none"
        if ratio not in COLUMNS:
            ratio = "9:1" if attack >= defence else "1:3"
        terrain = [0, -1 if there in self.kind else 0, -1 if there in self.forts[self.side(stack[0])] else 0]
        if all(frozenset((self.places[uid], there)) in self.rivers for uid in attackers):
            terrain.append(-2)
        return attack, defence, ratio, min(terrain)

    def retreats(self, uid):
        """8.0-ar, S-33: return the legal retreat hexes of a unit.

        9.0-d2, 4.0-d: interdiction is a zone of control in its hex, which bars retreats.
        """
        side, found = self.side(uid), {}
        for there in around(self.places[uid]):
            stack = self.stacks.get(there, [])
            if there in self.ground[side] | self.air[side] or any(self.side(each) != side for each in stack):
                continue
            if self.fits([*stack, uid]):
                found[there] = self.line(side, there, gone=uid)
        lines = [number for number in found.values() if number is not None]
        if not lines:
            found = {there: min(apart(there, edge) for edge in self.edges[side]) for there in found}
        least = min(lines or found.values(), default=None)
        return sorted(there for there, number in found.items() if number == least)

    def points(self, uid):
        """14.0: return the points for an eliminated unit, Kampfgruppen included."""
        unit = self.units[uid]
        worth = max(int(unit["attack"]), int(unit["defence"]))
        return worth * (5 if unit["type"] == "kampfgruppe" else 3 if unit["motorized"] == "yes" else 1)
