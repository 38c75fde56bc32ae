"""A small vocabulary for tests: a table made on the spot, orders as a player writes them, dice by their labels.

``world`` makes a setting: models by id, ``g-pz-`` and ``s-t-`` for tanks, ``-gun-`` for guns. ``begin`` is the position
in which both sides order; ``play`` carries the orders of both out with the dice that are told, and refuses to throw
others. ``refused`` says what is wrong with orders.
"""

from __future__ import annotations

from kursk_pbem.kernel.adjudicate import adjudicate
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import PLAYERS, REFEREE
from kursk_pbem.kernel.scenario import Scenario
from kursk_pbem.kernel.state import State, Unit
from kursk_pbem.rulesets.armor_commander import RULESET, check, plotting
from kursk_pbem.rulesets.armor_commander import setting as settings
from kursk_pbem.rulesets.armor_commander.position import FACING, make_field

SIDES = {"g": "german", "s": "soviet"}
TABLES = {
    "weapons": {
        "tank-ap": {"close": "12.00", "effective": "24.00", "long": "36.00"},
        "tank-he": {"effective": "12.00", "long": "24.00", "blast": "2.00"},
        "gun": {"close": "12.00", "effective": "36.00", "long": "48.00"},
    },
    "move": {"tank": "6.00", "gun": "6.00"},
    "terrain": {
        "wood": {"drawn": "forest", "blocks": "yes", "cover": "no"},
        "orchard": {"drawn": "forest", "blocks": "no", "cover": "yes"},
        "water": {"drawn": "water", "blocks": "no", "cover": "no"},
    },
}
LEFT = ["0.00, 0.00", "40.00, 0.00", "40.00, 90.00", "0.00, 90.00"]
RIGHT = ["50.00, 0.00", "99.00, 0.00", "99.00, 90.00", "50.00, 90.00"]


def box(left, low, right, high):
    """The outline of a rectangle, in whole inches."""
    return [f"{x}.00, {y}.00" for x, y in ((left, low), (right, low), (right, high), (left, high))]


def data(models, ground=None, crew="4", radius="0.50", **head):
    """Scenario data: models by id with (place, facing), ground by name with (kind, outline)."""
    units = {}
    for mid, (place, *face) in models.items():
        gun = "-gun-" in mid
        uid = mid if gun else {"g": "g-panzer", "s": "s-tanks"}[mid[0]]
        unit = units.setdefault(
            uid, {"name": uid, "side": SIDES[mid[0]], "type": "gun" if gun else "tank", "radius": radius, "models": {}}
        )
        if gun:
            unit["crew"] = crew
        unit["models"][mid] = {"place": place, **({"face": face[0]} if face else {})}
    scenario = {
        "id": "armor-commander/test",
        "title": "Test",
        "ruleset": "armor-commander",
        "turns": ["1", "2", "3", "4"],
        "seals": "german",
        "zones": {"german": LEFT, "soviet": RIGHT},
    }
    pieces = {name: {"kind": kind, "outline": outline} for name, (kind, outline) in (ground or {}).items()}
    chart = {"size": "99.00, 90.00", "ground": pieces}
    return {"scenario": scenario | head, "map": chart, "units": {"units": units}, "tables": TABLES}


def world(models, ground=None, options=None, *, refereed=False, **more):
    """The setting of such data."""
    scenario = Scenario("armor-commander/test", "Test", "armor-commander", data(models, ground, **more), "0" * 64, ())
    return settings.load(scenario, options or {}, REFEREE if refereed else PLAYERS)


def findings(**changes):
    """What the check says about data."""
    return [str(each.text) for each in check.check(data(**changes))]


def begin(setting, turn="1", first="german", **marks):
    """The position in which the second side orders: everybody stands where the scenario puts them."""
    units = {mid: Unit(settings.plane.text(model.place), model.crew) for mid, model in setting.models.items()}
    facing = {mid: model.face for mid, model in setting.models.items() if model.kind == "tank"}
    tables = {FACING: facing, "initiative": {"first": first}, **marks}
    tables = {key: value for key, value in tables.items() if value}
    agenda = {"plot": {"label": plotting.name_seal(turn)}, "declared": "3"}
    return State(turn, setting.opener, "orders", units, tables, {}, agenda)


def moved(state, places):
    """The same position with some models elsewhere."""
    return state.with_(units={**state.units, **{mid: Unit(at, state.units[mid].steps) for mid, at in places.items()}})


def crew(state, left):
    """The same position with so many left of some crews; 0 for destroyed."""
    changed = {mid: Unit(state.units[mid].place if steps else "eliminated", steps) for mid, steps in left.items()}
    facing = {mid: face for mid, face in state.marks[FACING].items() if left.get(mid) != 0}
    return state.with_(units={**state.units, **changed}, marks={**state.marks, FACING: facing})


class Told:
    """Dice that fall as told; any other label is a fault of the test. The next initiative is the German's."""

    def __init__(self, seq, dice):
        self.seq, self.left = seq, {"initiative/1/german": "6", "initiative/1/soviet": "1"} | dice
        self.rolled = {}

    def roll(self, label, n):
        digits = self.left.pop(label)
        assert len(digits) == n, f"{label}: {n} dice"
        self.rolled[label] = digits
        return digits


def opened(setting, state, german=(), soviet=()):
    """The message of the side that orders in the clear, as adjudicated."""
    orders = {"german": list(german), "soviet": list(soviet)}[setting.opener]
    return adjudicate(RULESET, setting, state, Filing(4, setting.opener, orders={"units": orders}), None)


def play(setting, state, german=(), soviet=(), dice=None):
    """Both sides' orders carried out: what the message with the dice did. No die that is told stays unthrown."""
    before = opened(setting, state, german, soviet)
    assert not before.violations, [str(each) for each in before.violations]
    told = Told(5, dice or {})
    orders = {"german": list(german), "soviet": list(soviet)}[setting.sealer]
    filing = Filing(5, setting.sealer, reveal={plotting.name_seal(state.turn): orders}, resigns=True)
    result = adjudicate(RULESET, setting, before.after, filing, told)
    unthrown = {label for label in told.left if not label.startswith("initiative/")}
    assert not unthrown, unthrown
    assert not RULESET.play.invariants(setting, result.after)
    return result


def refused(setting, state, side, *orders):
    """(rule, sentence) of everything that is wrong with the orders of a side."""
    judged = plotting.judge_orders(make_field(setting, state), side, list(orders))[1]
    return [(slip.rule, slip.why) for _number, slip in judged]


def green(unit, *moves):
    """A green chip; a move is (model, place, place, ...) with 'face 3' last for a facing."""
    entries = []
    for mid, *places in moves:
        entry = {"id": mid}
        if places and places[-1].startswith("face "):
            entry["face"] = places.pop().removeprefix("face ")
        if places:
            entry["path"] = list(places)
        entries.append(entry)
    return {"id": unit, "chip": "green", "moves": entries}


def red(unit, *at, **shots):
    """A red chip; ``g_pz_1="s-t-1"`` names a target of a single model."""
    order = {"id": unit, "chip": "red", **({"at": list(at)} if at else {})}
    if shots:
        order["shots"] = [{"id": mid.replace("_", "-"), "at": target.split()} for mid, target in shots.items()]
    return order


def trials(result, what=""):
    """(label, dice, needs, passed) of the tests that fell."""
    return [
        (each.label, each.dice, each.needs, each.passed)
        for each in result.events
        if type(each).__name__ == "Tested" and each.what.startswith(what)
    ]


def notes(result):
    """The notes of it, but for whose turn it is to act."""
    told = [event.text for event in result.events if type(event).__name__ == "Noted"]
    return [text for text in told if not text.endswith((" carries out its chips:", " has no chip to carry out"))]
