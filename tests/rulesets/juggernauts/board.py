"""A vocabulary for tests of rules: positions written as text, and attacks with chosen dice.

``place("T15: r-57a | S15: g-48pzk; disrupted r-57a; turn 3")`` places these units and takes all others off the map. The
neighbours of T15 are S15 (NW), S16 (NE), T16 (E), U16 (SE), U15 (SW) and T14 (W), because row T is an eastern row:
clear ground without rivers behind the Russian lines. Germans have supply from the south edge, Russians from the east.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from kursk_pbem.game import scenarios
from kursk_pbem.kernel import events as kinds
from kursk_pbem.kernel.adjudicate import adjudicate
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import PLAYERS, REFEREE
from kursk_pbem.kernel.state import ELIMINATED, State, Unit
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.kernel.verbs import OrderContext, edit_draft
from kursk_pbem.rulesets.juggernauts import RULESET, air, battles, combat, marks, movement
from kursk_pbem.rulesets.juggernauts.answers import POLICIES
from kursk_pbem.rulesets.juggernauts.movement import PATHS
from kursk_pbem.rulesets.juggernauts.position import Position, position
from kursk_pbem.rulesets.juggernauts.seen.verbs import list_verbs
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
    """Return the shipped scenario."""
    options = {"deployment": deployment, "aircraft": flown}
    return load(scenarios.load(JULY), options, REFEREE if refereed else PLAYERS)


def place(text: str, setting: Setting | None = None) -> State:
    """Return a position from text: hexes with units, then words: disrupted, keil UNIT FACES, city HEX SIDE, stage."""
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
    """Dice with chosen faces in order; the last face repeats."""

    def __init__(self, seq: int, faces: str) -> None:
        self.seq, self.faces, self.labels = seq, list(faces), list[str]()

    def roll(self, label: str, n: int) -> str:
        self.labels.append(label)
        return "".join(self.faces.pop(0) if len(self.faces) > 1 else self.faces[0] for _ in range(n))


def attack(hex_: str, attackers: str, **plan: Any) -> dict[str, Any]:
    """Return an order for an attack; plans are words such as ``advance="g-2ss"``, separated by commas."""
    name = plan.pop("name", "b1")
    order: dict[str, Any] = {"id": name, "hex": hex_, "attackers": attackers.split()}
    if plan.pop("pressed", False):
        order["pressed"] = "yes"
    return {**order, **{key: value.split(",") for key, value in plan.items()}}


def declare_attacks(state: State, *orders: dict[str, Any], setting: Setting | None = None) -> Umpire[Setting]:
    """Declare attacks in message 1."""
    umpire: Umpire[Setting] = Umpire(setting or july(), state, 1)
    battles.declare_attacks(umpire, Filing(1, state.side, orders={"battles": list(orders)}))
    return umpire


def wait_for_answer(state: State, *orders: dict[str, Any], setting: Setting | None = None) -> State:
    """Declare German attacks; return the position in which the Russian side answers."""
    return declare_attacks(state, *orders, setting=setting).state.with_(side="russian", stage="german-answer")


def list_unused(state: State, *, seq: int = 1, setting: Setting | None = None, **content: Any) -> list[Any]:
    """Carry out legal choices of the side to write; return the notes of unused possibilities."""
    setting, filing = setting or july(), Filing(seq, state.side, **content)
    result = adjudicate(RULESET, setting, state, filing, Faces(seq, "1"))
    assert not result.violations
    return list(RULESET.seen.unused(setting, result.middle, result.events[result.duties :], filing))


def asking(
    state: State,
    draft: dict[str, Any] | None = None,
    *,
    setting: Setting | None = None,
    ahead: Callable[..., State] | None = None,
) -> OrderContext:
    """Return the context in which a verb writes; ``ahead`` gives the position after the orders of the draft."""
    return OrderContext(setting or july(), state, 1, draft or {}, ahead or (lambda _draft, _phase: state))


def offered(name: str, ask: OrderContext, *words: str) -> dict[str, Any]:
    """Return the clauses of an order's form after these words, by their own word."""
    return {clause.word: clause for clause in find_verb(name).clauses(ask, words)}


def written(name: str, ask: OrderContext, text: str) -> dict[str, Any]:
    """Return the draft after an order as typed."""
    return edit_draft(ask.draft, find_verb(name).write(ask, text.split()))


def find_verb(name: str) -> Any:
    """Return the verb of an order; aircraft have a verb, too."""
    return next(verb for verb in list_verbs(july(flown="flown")) if verb.name == name)


def order_strikes(state: State, *strikes: tuple[str, str], setting: Setting | None = None) -> Umpire[Setting]:
    """Declare air strikes of (hex, air units) in message 1, named s0, s1 and so on."""
    setting = setting or july(flown="flown")
    umpire: Umpire[Setting] = Umpire(setting, state, 1)
    listed = [{"id": f"s{number}", "hex": hex_, "planes": who.split()} for number, (hex_, who) in enumerate(strikes)]
    air.declare_strikes(umpire, Filing(1, state.side, orders={"aircraft": listed}))
    return umpire


def list_refusals(state: State, *orders: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the paragraph and sentence of each violation by these attacks."""
    return [(each.rule, each.message) for each in declare_attacks(state, *orders).violations]


def fight(
    state: State,
    *orders: dict[str, Any],
    dice: str = "1",
    policy: Any = None,
    second: bool = False,
    setting: Setting | None = None,
) -> Umpire[Setting]:
    """Declare attacks in message 1, answer in message 2, and fight in message 3."""
    setting = setting or july()
    umpire = declare_attacks(state, *orders, setting=setting)
    assert not umpire.violations, umpire.violations
    return resolve(umpire, dice, policy or {}, second=second)


def resolve(umpire: Umpire[Setting], dice: str, policy: Any, *, second: bool = False) -> Umpire[Setting]:
    """Answer waiting attacks in message 2 and roll in message 3."""
    side, setting = umpire.state.side, umpire.setting
    answer: Umpire[Setting] = Umpire(setting, umpire.state.with_(side=ENEMY[side]), 2)
    POLICIES.answer(answer, Filing(2, ENEMY[side], policy=policy))
    assert not answer.violations, answer.violations
    state = answer.state.with_(side=side, stage=f"{side}-{'second-' if second else ''}dice")
    last: Umpire[Setting] = Umpire(setting, state, 3, Faces(3, dice))
    filing = Filing(3, side)
    for due, run in (
        (PATHS, movement.roll_panthers),
        (air.STRIKES, air.resolve_strikes),
        ("battles", combat.resolve_attacks),
    ):
        if due in last.state.agenda:
            run(last, filing)
    combat.clear_agenda(last, filing)
    assert not RULESET.play.invariants(setting, last.state)
    return last


def order_moves(state: State, *orders: Any, setting: Setting | None = None) -> Umpire[Setting]:
    """Order moves in message 1: (unit, hex) or (unit, 'S15 S16'); a path of one hex ends with a blank."""
    umpire: Umpire[Setting] = Umpire(setting or july(), state, 1)
    listed = [{"unit": uid, "path": way.split()} if " " in way else {"unit": uid, "to": way} for uid, way in orders]
    movement.move_units(umpire, Filing(1, state.side, orders={"movement": listed}))
    return umpire


def at(umpire: Umpire[Setting], uid: str) -> str:
    return umpire.state.units[uid].place


def is_(umpire: Umpire[Setting], table: str, key: str) -> bool:
    return bool(umpire.state.mark(TABLES.get(table, table), key))


def list_fought(umpire: Umpire[Setting], number: int = 0) -> kinds.Fought:
    return [event for event in umpire.events if isinstance(event, kinds.Fought)][number]


def list_notes(umpire: Umpire[Setting], rule: str = "") -> list[str]:
    return [event.text for event in umpire.events if isinstance(event, kinds.Noted) and rule in ("", event.rule)]
