"""Ten positions with one right move: rings, bases, cities and the last turn. The top level finds eight."""

from kursk_pbem.kernel.state import ELIMINATED, Unit
from kursk_pbem.practice import levels
from kursk_pbem.practice.kursk_1971.tactics import Attacks
from kursk_pbem.practice.play import Table
from kursk_pbem.rulesets.kursk_1971 import RULESET
from kursk_pbem.rulesets.kursk_1971.movement import find_reach
from kursk_pbem.rulesets.kursk_1971.position import position
from kursk_pbem.rulesets.kursk_1971.setting import ENEMY, GERMAN, SOVIET
from rulesets.kursk_1971.kit import KIT

KURSK = KIT.setting("kursk-1971/july4-historical")
CITY = "1717"


class Played:
    """The orders of the top level in a position with few units, and the position after its moves."""

    def __init__(self, side, places, turn="3", points=(0, 0)):
        self.side, self.foe = side, ENEMY[side]
        state = RULESET.data.setup(KURSK)
        units = {uid: Unit(places.get(uid, ELIMINATED), 1) for uid in state.units}
        tracks = {**state.tracks, "points-german": points[0], "points-soviet": points[1]}
        self.state = state.with_(units=units, turn=turn, side=side, stage=f"{side}-orders", tracks=tracks)
        content = levels.think(RULESET, KURSK, self.state, 5, {}, max(RULESET.levels), "position")
        self.orders = content.get("orders", {})
        self.after = position(KURSK, Table(RULESET, KURSK, self.state, 5).take_choices(content).state)

    def attacks(self, label):
        return any(battle["hex"] == label for battle in self.orders.get("battles", ()))

    def is_shut(self, label):
        hex_ = KURSK.board.index[label]
        closed = self.after.enemies(self.foe) | self.after.find_controlled(self.foe)
        return not KURSK.board.near[hex_] & ~closed

    def stands(self, uid):
        return KURSK.board.labels[self.after.where[uid]]


def close_a_ring_from_behind():
    places = {"s-1gt": "2218", "g-gd": "2016", "g-lah": "2017", "g-dr": "2018", "g-6pz": "2019", "g-7pz": "2020"}
    played = Played(GERMAN, places)
    return played.attacks("2218") and played.is_shut("2218")


def close_a_ring_as_the_soviets():
    places = {"g-gd": "2018", "s-1gt": "2216", "s-2gt": "2217", "s-5gt": "2218", "s-3m": "2219", "s-2t": "2220"}
    played = Played(SOVIET, places)
    return played.attacks("2018") and played.is_shut("2018")


def close_the_last_way_out():
    """Infantry is beside the corps already; one tank can reach the far side."""
    places = {"s-1gt": "2218", "g-106": "2118", "g-161": "2119", "g-gd": "2016"}
    played = Played(GERMAN, places)
    return played.attacks("2218") and played.is_shut("2218")


def take_a_bare_base():
    return Played(GERMAN, {"s-air2": "2218", "s-18": "2421", "g-6pz": "2016"}).attacks("2218")


def leave_a_ring():
    """The division would be ringed by three tank corps; only a long march saves it."""
    places = {"g-6pz": "1926", "s-1gt": "2124", "s-2gt": "2229", "s-5gt": "2226", "s-3m": "2223"}
    played = Played(GERMAN, places)
    return Attacks(played.after).make_potential().count(SOVIET) < 100


LAST_CHANCE = {"g-6pz": "2118", "g-7pz": "2119", "s-16g": "2218", "s-17g": "2218"}
"""An attack that should lose a little, but may also win."""


def attack_in_the_last_turn_if_behind():
    return Played(GERMAN, LAST_CHANCE, "6", (20, 26)).attacks("2218")


def stay_in_the_last_turn_if_ahead():
    return not Played(GERMAN, LAST_CHANCE, "6", (60, 22)).orders.get("battles")


def enter_the_city_in_the_last_turn():
    return Played(GERMAN, {"g-6pz": "1513", "s-1gt": "2321"}, "6").stands("g-6pz") == CITY


def guard_the_city():
    """One corps reaches the city before the Germans can enter it."""
    played = Played(SOVIET, {"g-6pz": "1413", "s-1gt": "2017"}, "5")
    return KURSK.board.index[CITY] not in find_reach(played.after, "g-6pz", 8)


def guard_the_own_base():
    played = Played(GERMAN, {"g-air1": "1926", "g-106": "1828", "s-1gt": "2326"})
    return Attacks(played.after).make_potential().count(SOVIET) < 300


POSITIONS = (
    close_a_ring_from_behind,
    close_a_ring_as_the_soviets,
    close_the_last_way_out,
    take_a_bare_base,
    leave_a_ring,
    attack_in_the_last_turn_if_behind,
    stay_in_the_last_turn_if_ahead,
    enter_the_city_in_the_last_turn,
    guard_the_city,
    guard_the_own_base,
)


def test_the_top_level_finds_eight_of_ten_right_moves():
    missed = [find.__name__ for find in POSITIONS if not find()]
    assert len(missed) <= 2, missed


def test_divisions_leave_a_place_where_a_ring_can_close():
    corps = {"s-1gt": "2318", "s-2gt": "2224", "s-5gt": "2216", "s-3m": "2321", "s-2t": "2225"}
    played = Played(GERMAN, {"g-gd": "2020", "g-57": "1817", "g-106": "1924", **corps})
    place = played.stands("g-gd")
    answer = Played(SOVIET, {"g-gd": place, "g-57": "1717", "g-106": "1924", **corps})
    assert not (answer.attacks(place) and answer.is_shut(place))


def test_reserves_march_though_friends_stand_beside_them():
    played = Played(SOVIET, {"s-32g": "3401", "s-33g": "3402", "g-6pz": "1926"}, "4")
    assert {played.stands("s-32g"), played.stands("s-33g")}.isdisjoint({"3401", "3402"})


def test_corps_return_to_their_army():
    played = Played(SOVIET, {"s-70-2": "2013", "s-70-3": "2017", "g-6pz": "1814"})
    assert all(played.after.is_supplied(uid) for uid in ("s-70-2", "s-70-3"))


def test_nobody_attacks_without_hope_in_the_last_turn():
    places = {"g-106": "2118", "g-161": "2118", "s-16g": "2218", "s-17g": "2218", "s-18g": "2218"}
    assert not Played(GERMAN, places, "6", (20, 80)).orders.get("battles")
