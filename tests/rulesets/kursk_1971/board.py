"""A bare board and short names for tests of the rules: places, orders, dice.

The map is clear, without rivers and lines, with one railway along row 16; tests add terrain. Counters and tables are
from the historical scenario. Units without a place are off the map.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from kursk_pbem.game import scenarios
from kursk_pbem.kernel.adjudicate import adjudicate
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import PLAYERS, REFEREE
from kursk_pbem.kernel.state import ELIMINATED, OFF_MAP, State, Unit
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.kernel.verbs import OrderContext, edit_draft
from kursk_pbem.rulesets.kursk_1971 import RULESET, setting
from kursk_pbem.rulesets.kursk_1971.position import POINTS, position
from kursk_pbem.rulesets.kursk_1971.seen.verbs import list_verbs

HISTORICAL = "kursk-1971/july4-historical"
RAILWAY = [f"{column:02d}16" for column in range(1, 35)]


@lru_cache(maxsize=64)
def _bare(forest, swamp, rivers, lines, cities, options, refereed):
    shipped = scenarios.load(HISTORICAL)
    chart = {
        **shipped.data["map"],
        "terrain": {"forest": list(forest), "swamp": list(swamp)},
        "rivers": {"river": {"name": "River", "kind": "river", "hexsides": list(rivers)}},
        "railroads": {"line": {"name": "Line", "path": RAILWAY}},
        "exits": {"german": ["0116"], "soviet": ["3416"]},
        "fortifications": {
            f"{side}-line": {"name": "Line", "owner": side, "hexes": list(hexes)} for side, hexes in lines
        },
        "fortified": {side: [hex_ for owner, hex_ in cities if owner == side] for side in setting.SIDES},
    }
    head = {**shipped.data["scenario"], "lines": [f"{side}-line" for side, _hexes in lines], "void": []}
    data = {**shipped.data, "map": chart, "scenario": head}
    return setting.load(replace(shipped, data=data), dict(options), REFEREE if refereed else PLAYERS)


def bare(*, forest=(), swamp=(), rivers=(), lines=(), cities=(), refereed=False, **options):
    """Return the setting of a bare map; ``lines`` and ``cities`` are fortified: (side, hexes), (side, hex)."""
    named = tuple((side, tuple(hexes)) for side, hexes in lines)
    chosen = tuple((key.replace("_", "-"), value) for key, value in sorted(options.items()))
    return _bare(tuple(forest), tuple(swamp), tuple(rivers), named, tuple(cities), chosen, refereed)


@lru_cache(maxsize=16)
def shipped(name="july4-historical", **options):
    """Return the setting of a shipped scenario."""
    chosen = {key.replace("_", "-"): value for key, value in options.items()}
    return setting.load(scenarios.load(f"kursk-1971/{name}"), chosen)


def at(game, places, side="german", turn="1", stage="orders", **marks):
    """Return a position: hex -> units, writer; marks as ``patrol={'s-air1': '1816'}``; zero points."""
    units = {uid: Unit(OFF_MAP if uid in (*game.arrivals, *game.reserve) else ELIMINATED, 0) for uid in game.counters}
    units = {uid: Unit(unit.place, int(unit.place == OFF_MAP)) for uid, unit in units.items()}
    for label, who in places.items():
        for uid in who.split():
            units[uid] = Unit(label, 1)
    tracks = {POINTS.format(each): 0 for each in game.sides}
    return State(turn, side, f"{side}-{stage}", units, marks=marks, tracks=tracks)


class Dice:
    """Dice chosen by a test: label -> digits; other dice may not fall."""

    def __init__(self, seq, faces):
        self.seq, self.faces = seq, faces

    def roll(self, label, n):
        assert len(self.faces[label]) == n
        return self.faces[label]


def play(game, state, orders=None, *, policy=None, seq=2, faces=None, sealed=None, writer=""):
    """Adjudicate one message of its writer."""
    filing = Filing(
        seq,
        writer or state.side,
        orders=orders or {},
        policy=policy or {},
        sealed=sealed or {},
        secret=dict.fromkeys(sealed or {}, "0" * 64),
    )
    return adjudicate(RULESET, game, state, filing, Dice(seq, faces or {}))


def legal(game, state, orders=None, **more):
    """Return the position after a legal message."""
    result = play(game, state, orders, **more)
    assert result.violations == ()
    return result.after


def refused(game, state, orders=None, **more):
    """Return the paragraphs broken by a message."""
    result = play(game, state, orders, **more)
    assert result.violations
    return [each.rule for each in result.violations]


def said(game, state, orders=None, **more):
    """Return the text of a refusal."""
    return "\n".join(f"{each.order}: {each.message}" for each in play(game, state, orders, **more).violations)


def fight(game, state, *battles, raids=(), faces, policy=None):
    """Declare, answer and roll in three messages; return the adjudication of the dice. ``faces``: id -> die."""
    orders = {key: list(value) for key, value in (("battles", battles), ("superiority", raids)) if value}
    side = state.side
    declared = legal(game, state, orders)
    assert declared.stage == f"{side}-answer"
    answered = legal(game, declared, policy=policy, seq=3)
    kinds = {each["id"]: "air" if each in raids else "combat" for each in (*battles, *raids)}
    labels = {f"{name}/{kinds[name]}": face for name, face in faces.items()}
    result = play(game, answered, seq=4, faces=labels)
    assert result.violations == ()
    return result


def attack(hex_, attackers, name="b1", **more):
    """Return an order for a ground attack; ``attackers``: one string."""
    return {"id": name, "hex": hex_, "attackers": attackers.split(), **more}


def raid(base, aircraft, name="r1"):
    """Return an order for an air superiority attack."""
    return {"id": name, "base": base, "aircraft": aircraft.split()}


def where(state, *uids):
    """Return the places of units."""
    found = [state.units[uid].place for uid in uids]
    return found[0] if len(found) == 1 else found


def points(state):
    """Return the points for strength: (German, Soviet)."""
    return tuple(state.tracks[POINTS.format(side)] for side in ("german", "soviet"))


def events(result, kind):
    """Return the events of one kind."""
    return [event for event in result.events if isinstance(event, kind)]


def pos(game, state):
    """Return the view of a position."""
    return position(game, state)


def go(unit, *path):
    """Return an order to move: to one hex, or along a path."""
    return {"unit": unit, "to": path[0]} if len(path) == 1 else {"unit": unit, "path": list(path)}


def asking(game, state, draft, seq=2):
    """Return the input of an order verb, with a started draft."""

    def reached(data, phase):
        umpire = Umpire(game, state, seq, None)
        filing = Filing(seq, state.side, orders=data.get("orders", {}), policy=data.get("policy", {}))
        keys = [each.key for each in RULESET.stage(game, state).phases]
        for each in RULESET.stage(game, state).phases[: keys.index(phase) + 1 if phase in keys else 0]:
            if each.when is None or each.when(umpire, filing):
                each.run(umpire, filing)
        return umpire.state

    return OrderContext(game, state, seq, draft, reached)


def ordered(game, state, *orders, draft=None):
    """Return the draft after typed orders, and the text about the last order."""
    draft, text = draft or {}, ""
    known = {verb.name: verb for verb in list_verbs(game)}
    for order in orders:
        name, *words = order.split()
        edits = known[name].write(asking(game, state, draft), words)
        draft, text = edit_draft(draft, edits), "; ".join(edit.said for edit in edits if edit.said)
    return draft, text
