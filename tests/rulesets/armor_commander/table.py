"""A small vocabulary for tests: tables, orders, and dice by label.

``world`` makes a setting: models by id, ``g-pz-`` and ``s-t-`` for tanks, ``-gun-`` for guns. ``begin`` returns the
position with orders due. ``play`` carries out the orders of both sides with the given dice, and refuses other dice.
``refused`` returns the mistakes in orders.
"""

from __future__ import annotations

from kursk_pbem.kernel.adjudicate import adjudicate
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import PLAYERS, REFEREE
from kursk_pbem.kernel.scenario import Scenario
from kursk_pbem.kernel.state import State, Unit
from kursk_pbem.kernel.umpire import other
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
    """Return the outline of a rectangle, in whole inches."""
    return [f"{x}.00, {y}.00" for x, y in ((left, low), (right, low), (right, high), (left, high))]


def data(models, ground=None, crew="4", radius="0.50", **head):
    """Return scenario data: models by id with (place, facing), ground by name with (kind, outline)."""
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
    """Return the setting of such data."""
    scenario = Scenario("armor-commander/test", "Test", "armor-commander", data(models, ground, **more), "0" * 64, ())
    return settings.load(scenario, options or {}, REFEREE if refereed else PLAYERS)


def findings(**changes):
    """Return the findings of the check."""
    return [str(each.text) for each in check.check_scenario(data(**changes))]


def opener(setting):
    """Return the side with open orders."""
    return other(setting.sides, setting.sealer)


def begin(setting, turn="1", first="german", **marks):
    """Return the position before the open orders, with the scenario's deployment."""
    units = {mid: Unit(settings.plane.text(model.place), model.crew) for mid, model in setting.models.items()}
    facing = {mid: model.face for mid, model in setting.models.items() if model.kind == "tank"}
    tables = {FACING: facing, "initiative": {"first": first}, **marks}
    tables = {key: value for key, value in tables.items() if value}
    agenda = {"plot": {"label": plotting.name_seal(turn)}, "declared": "3"}
    return State(turn, opener(setting), "orders", units, tables, {}, agenda)


def moved(state, places):
    """Return the position with some models in other places."""
    return state.with_(units={**state.units, **{mid: Unit(at, state.units[mid].steps) for mid, at in places.items()}})


def crew(state, left):
    """Return the position with reduced crews; 0 for a destroyed gun."""
    changed = {mid: Unit(state.units[mid].place if steps else "eliminated", steps) for mid, steps in left.items()}
    facing = {mid: face for mid, face in state.marks[FACING].items() if left.get(mid) != 0}
    return state.with_(units={**state.units, **changed}, marks={**state.marks, FACING: facing})


class Told:
    """Given dice by label; any other label is a mistake in the test. German has the next initiative."""

    def __init__(self, seq, dice):
        self.seq, self.left = seq, {"initiative/1/german": "6", "initiative/1/soviet": "1"} | dice
        self.rolled = {}

    def roll(self, label, n):
        digits = self.left.pop(label)
        assert len(digits) == n, f"{label}: {n} dice"
        self.rolled[label] = digits
        return digits


def opened(setting, state, german=(), soviet=()):
    """Adjudicate the message with the open orders."""
    orders = {"german": list(german), "soviet": list(soviet)}[opener(setting)]
    return adjudicate(RULESET, setting, state, Filing(4, opener(setting), orders={"units": orders}), None)


def play(setting, state, german=(), soviet=(), dice=None):
    """Carry out both sides' orders and return the events. Every given die must be rolled."""
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
    """Return (rule, sentence) of each mistake in a side's orders."""
    judged = plotting.judge_orders(make_field(setting, state), side, list(orders))[1]
    return [(slip.rule, slip.why) for _number, slip in judged]


def green(unit, *moves):
    """Return a green chip; a move is (model, place, place, ...), with 'face 3' last for a facing."""
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
    """Return a red chip; ``g_pz_1="s-t-1"`` sets the target of a single model."""
    order = {"id": unit, "chip": "red", **({"at": list(at)} if at else {})}
    if shots:
        order["shots"] = [{"id": mid.replace("_", "-"), "at": target.split()} for mid, target in shots.items()]
    return order


def trials(result, what=""):
    """Return (label, dice, needs, passed) of each test."""
    return [
        (each.label, each.dice, each.needs, each.passed)
        for each in result.events
        if type(each).__name__ == "Tested" and each.what.startswith(what)
    ]


def notes(result):
    """Return the notes, without the announcements of the acting side."""
    told = [event.text for event in result.events if type(event).__name__ == "Noted"]
    return [text for text in told if not text.endswith((" carries out its chips:", " has no chip to carry out"))]
