"""A small vocabulary for tests of rules: positions written as text, attacks fought with dice that fall as told.

``place("T15: r-57a | S15: g-48pzk; disrupted r-57a; turn 3")`` sets up these units and takes all others off the map.
Round T15, row T being an eastern one, lie S15 (NW), S16 (NE), T16 (E), U16 (SE), U15 (SW) and T14 (W): clear ground
behind the Russian lines, without rivers; Germans are supplied from the south edge, Russians from the east.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from kursk_pbem.game import scenarios
from kursk_pbem.kernel import events as kinds
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import PLAYERS, REFEREE
from kursk_pbem.kernel.state import ELIMINATED, State, Unit
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.juggernauts import RULESET, air, battles, combat, marks, movement
from kursk_pbem.rulesets.juggernauts.answers import POLICIES
from kursk_pbem.rulesets.juggernauts.movement import PATHS
from kursk_pbem.rulesets.juggernauts.position import Position, position
from kursk_pbem.rulesets.juggernauts.setting import ENEMY, Setting, load

JULY = "juggernauts/july-1943"
TABLES = {
    "disrupted": marks.DISRUPTED,
    "entrenched": marks.ENTRENCHED,
    "emplaced": marks.EMPLACED,
    "lost": marks.BREACHED,
}


@cache
def july(deployment: str = "historical", flown: str = "grounded", *, refereed: bool = False) -> Setting:
    """The shipped scenario."""
    options = {"deployment": deployment, "aircraft": flown}
    return load(scenarios.load(JULY), options, REFEREE if refereed else PLAYERS)


def place(text: str, setting: Setting | None = None) -> State:
    """A position from text: hexes with their units, then words: disrupted, keil UNIT FACES, city HEX SIDE, stage ..."""
    setting = setting or july()
    first, *words = [part.strip() for part in text.split(";")]
    stands = dict.fromkeys(setting.counters, Unit(ELIMINATED, 0))
    for group in filter(None, first.split("|")):
        label, _colon, uids = group.partition(":")
        for uid in uids.split():
            assert uid in stands, uid
            stands[uid] = Unit(label.strip(), 1)
    found: dict[str, dict[str, str]] = {}
    state = RULESET.data.setup(setting)
    changes: dict[str, Any] = {"stage": "german-orders", "side": "german", "tracks": dict(state.tracks)}
    for word in filter(None, words):
        key, *rest = word.split()
        if key in TABLES:
            found.setdefault(TABLES[key], {}).update(dict.fromkeys(rest, "yes"))
        elif key == "keil":
            found.setdefault(marks.KEIL, {})[rest[0]] = rest[1]
        elif key == "city":
            found.setdefault(marks.CONTROL, {})[rest[0]] = rest[1]
        elif key == "factors":
            changes["tracks"]["replacements"] = int(rest[0])
        elif key == "stage":
            changes |= {"stage": rest[0], "side": rest[0].partition("-")[0]}
        else:
            changes[key] = rest[0]
    return state.with_(units=stands, marks=found, agenda={}, **changes)


def pos(state: State, setting: Setting | None = None) -> Position:
    return position(setting or july(), state)


class Faces:
    """Dice that fall as told, one after the other; the last one again and again."""

    def __init__(self, seq: int, faces: str) -> None:
        self.seq, self.faces, self.labels = seq, list(faces), list[str]()

    def roll(self, label: str, n: int) -> str:
        self.labels.append(label)
        return "".join(self.faces.pop(0) if len(self.faces) > 1 else self.faces[0] for _ in range(n))


def attack(hex_: str, attackers: str, **plan: Any) -> dict[str, Any]:
    """An order for an attack; plans as words: ``advance="g-2ss"``, several parted by commas."""
    name = plan.pop("name", "b1")
    order: dict[str, Any] = {"id": name, "hex": hex_, "attackers": attackers.split()}
    if plan.pop("pressed", False):
        order["pressed"] = "yes"
    return {**order, **{key: value.split(",") for key, value in plan.items()}}


def declared(state: State, *orders: dict[str, Any], setting: Setting | None = None) -> Umpire[Setting]:
    """Attacks declared in message 1."""
    umpire: Umpire[Setting] = Umpire(setting or july(), state, 1)
    battles.declare(umpire, Filing(1, state.side, orders={"battles": list(orders)}))
    return umpire


def refused(state: State, *orders: dict[str, Any]) -> list[tuple[str, str]]:
    """(paragraph, sentence) of all that is wrong with these attacks."""
    return [(each.rule, each.message) for each in declared(state, *orders).violations]


def fight(
    state: State,
    *orders: dict[str, Any],
    dice: str = "1",
    policy: Any = None,
    second: bool = False,
    setting: Setting | None = None,
) -> Umpire[Setting]:
    """Attacks declared in message 1, answered in 2 and fought in 3."""
    setting = setting or july()
    umpire = declared(state, *orders, setting=setting)
    assert not umpire.violations, umpire.violations
    return resolve(umpire, dice, policy or {}, second=second)


def resolve(umpire: Umpire[Setting], dice: str, policy: Any, *, second: bool = False) -> Umpire[Setting]:
    """What waits is answered in message 2 and rolled for in 3."""
    side, setting = umpire.state.side, umpire.setting
    answer: Umpire[Setting] = Umpire(setting, umpire.state.with_(side=ENEMY[side]), 2)
    POLICIES.answer(answer, Filing(2, ENEMY[side], policy=policy))
    assert not answer.violations, answer.violations
    state = answer.state.with_(side=side, stage=f"{side}-{'second-' if second else ''}dice")
    last: Umpire[Setting] = Umpire(setting, state, 3, Faces(3, dice))
    filing = Filing(3, side)
    for due, run in ((PATHS, movement.panthers), (air.STRIKES, air.resolve), ("battles", combat.resolve)):
        if due in last.state.agenda:
            run(last, filing)
    combat.settle(last, filing)
    assert not RULESET.play.invariants(setting, last.state)
    return last


def moved(state: State, *orders: Any, setting: Setting | None = None) -> Umpire[Setting]:
    """Moves ordered in message 1: (unit, hex) or (unit, 'S15 S16'), with a blank for a path of one."""
    umpire: Umpire[Setting] = Umpire(setting or july(), state, 1)
    listed = [{"unit": uid, "path": way.split()} if " " in way else {"unit": uid, "to": way} for uid, way in orders]
    movement.movement(umpire, Filing(1, state.side, orders={"movement": listed}))
    return umpire


def slips(umpire: Umpire[Setting]) -> list[str]:
    return [each.rule for each in umpire.violations]


def reaches(state: State, uid: str, *, second: bool = False) -> set[str]:
    labels = july().board.labels
    return {labels[there] for there in movement.reach(pos(state), uid, second=second)}


def at(umpire: Umpire[Setting], uid: str) -> str:
    return umpire.state.units[uid].place


def is_(umpire: Umpire[Setting], table: str, key: str) -> bool:
    return bool(umpire.state.mark(TABLES.get(table, table), key))


def fought(umpire: Umpire[Setting], number: int = 0) -> kinds.Fought:
    return [event for event in umpire.events if isinstance(event, kinds.Fought)][number]


def notes(umpire: Umpire[Setting], rule: str = "") -> list[str]:
    return [event.text for event in umpire.events if isinstance(event, kinds.Noted) and rule in ("", event.rule)]
