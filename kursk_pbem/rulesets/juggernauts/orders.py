"""What a player writes under ``orders``, typed, each order with its place in the file; and how battles wait for dice.

Plans are lists of words (J-64): ``push`` 0, 1 or 2 hexes; ``losses`` units; ``advance`` ``UNIT``, ``UNIT HEX`` through
the hex attacked, ``UNIT only HEX`` past it; ``exchange`` no; ``forced`` results; ``cancel`` ``unless BATTLE`` or
``below 2:1``; ``breakthrough`` ``HEX`` or ``join BATTLE``; ``exploit`` as advance, after that attack. A plan
that was sealed comes unseen: whatever in it does not make sense counts as not written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from kursk_pbem.kernel.hexes import plans
from kursk_pbem.kernel.hexes.policies import BATTLES
from kursk_pbem.kernel.orders import Path
from kursk_pbem.rulesets.juggernauts.setting import GERMAN, Setting

FORCED = ("D1", "D", "X", "AD")
GERMAN_ONLY = ("cancel", "breakthrough", "exploit")


@dataclass(frozen=True)
class Plan(plans.Wishes):
    """An attacker's wishes for one battle."""

    push: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()
    advance: tuple[str, ...] = ()
    exchange: tuple[str, ...] = ()
    forced: tuple[str, ...] = ()
    cancel: tuple[str, ...] = ()
    breakthrough: tuple[str, ...] = ()
    exploit: tuple[str, ...] = ()

    @property
    def others(self) -> tuple[str, ...]:
        """The ids of other attacks that the plan waits for or joins."""
        words = [wish.partition("unless ") for wish in self.cancel]
        words += [wish.partition("join ") for wish in self.breakthrough]
        return tuple(name for before, word, name in words if word and not before)


PLAN_KEYS = Plan.kinds()


@dataclass(frozen=True)
class Battle:
    """One attack: units by id, the hex attacked as an index.

    ``binds``: labels of hexes that must be attacked because of it (3.0-must). ``through``: a breakthrough attack.
    """

    id: str
    hex: int
    attackers: tuple[str, ...]
    pressed: bool = False
    plan: Plan = Plan()
    binds: tuple[str, ...] = ()
    through: bool = False
    at: Path = field(default=(), compare=False)

    @classmethod
    def from_plain(cls, entry: Mapping[str, Any], index: Mapping[str, int], at: Path = ()) -> Battle:
        """A battle from an order, or as it waits in the agenda; a hex that is none is -1."""
        hex_, pressed = index.get(entry["hex"], -1), entry.get("pressed") == "yes"
        plan, bound = Plan.from_plain(entry.get("plan", entry)), tuple(entry.get("binds", ()))
        return cls(entry["id"], hex_, tuple(entry["attackers"]), pressed, plan, bound, at=at)

    def to_plain(self, label: str) -> dict[str, Any]:
        """The battle as it waits in the agenda; an open plan with it, a sealed one only as a hash elsewhere."""
        entry = {"id": self.id, "hex": label, "attackers": list(self.attackers)}
        more = {"pressed": "yes" if self.pressed else "", "binds": list(self.binds), "plan": self.plan.to_plain()}
        return entry | {key: value for key, value in more.items() if value}


def battles_of(setting: Setting, agenda: Mapping[str, Any]) -> tuple[Battle, ...]:
    """The battles that wait in the agenda, in the order in which they will be fought."""
    return tuple(Battle.from_plain(battle, setting.board.index) for battle in agenda.get(BATTLES, ()))


def plan_slips(setting: Setting, side: str, battle: Battle, plan: Plan) -> Iterator[tuple[str, str]]:
    """What in a plan can never apply: (key, sentence). For its owner's own check, before it is sealed."""
    for key, known in _WORDS.items():
        for wish in (wish for wish in vars(plan)[key] if wish not in known):
            yield key, f"'{wish}' is not one of {', '.join(known)}"
    for wish in plan.losses:
        if wish not in battle.attackers:
            yield "losses", f"{wish} takes no part in this battle"
    for key in ("advance", "exploit"):
        yield from ((key, slip) for slip in _advance_slips(setting, battle, vars(plan)[key]))
    yield from _german_slips(setting, side, plan)


_WORDS = {"push": ("0", "1", "2"), "exchange": ("no", "yes"), "forced": (*FORCED, "yes")}


def _advance_slips(setting: Setting, battle: Battle, wishes: tuple[str, ...]) -> Iterator[str]:
    for wish in wishes:
        uid, *rest = wish.split(" ")
        if uid not in battle.attackers:
            yield f"{uid} takes no part in this battle"
        if rest and (rest[-1] not in setting.board.index or rest[:-1] not in ([], ["only"])):
            yield f"'{wish}' is not UNIT, UNIT HEX or UNIT only HEX"


def _german_slips(setting: Setting, side: str, plan: Plan) -> Iterator[tuple[str, str]]:
    """3.0-cancel, 2.0-breakthrough: what only German plans hold."""
    for key in GERMAN_ONLY if side != GERMAN else ():
        if vars(plan)[key]:
            yield key, "only German attacks have such a plan"
    for wish in plan.cancel:
        first, _space, second = wish.partition(" ")
        if not (first == "unless" and second) and not (first == "below" and second in setting.columns):
            known = f"'unless BATTLE' or 'below ODDS', which are {', '.join(setting.columns)}"
            yield "cancel", f"'{wish}' is not {known}"
    for wish in plan.breakthrough:
        if wish not in setting.board.index and not wish.startswith("join "):
            yield "breakthrough", f"'{wish}' is not HEX or 'join BATTLE'"
