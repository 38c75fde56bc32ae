"""The typed ``orders`` of a message, each with its place in the file, and battles that wait for dice.

Plans are lists of words (J-64): ``push`` 0, 1 or 2 hexes; ``losses`` units; ``advance`` ``UNIT``, ``UNIT HEX`` through
the attacked hex, ``UNIT only HEX`` past it; ``exchange`` no; ``forced`` results; ``cancel`` ``unless BATTLE`` or
``below 2:1``; ``breakthrough`` ``HEX`` or ``join BATTLE``; ``exploit`` like advance, after the second attack. The
umpire sees a sealed plan only after the dice: words without a meaning count as not written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.hexes import plans
from kursk_pbem.kernel.hexes.policies import BATTLES
from kursk_pbem.kernel.orders import Path
from kursk_pbem.rulesets.juggernauts.setting import GERMAN, Setting

FORCED = ("D1", "D", "X", "AD")
GERMAN_ONLY = ("cancel", "breakthrough", "exploit")


@frozen
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
        """The ids of other attacks that this plan names, to wait for them or to join them."""
        words = [wish.partition("unless ") for wish in self.cancel]
        words += [wish.partition("join ") for wish in self.breakthrough]
        return tuple(name for before, word, name in words if word and not before)


PLAN_KEYS = Plan.kinds()


@frozen
class Battle:
    """One attack. ``binds``: further hexes to be attacked (3.0-must). ``through``: the attack is a breakthrough."""

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
        """Return a battle from an order or from the agenda. An unknown hex becomes -1."""
        hex_, pressed = index.get(entry["hex"], -1), entry.get("pressed") == "yes"
        plan, bound = Plan.from_plain(entry.get("plan", entry)), tuple(entry.get("binds", ()))
        return cls(entry["id"], hex_, tuple(entry["attackers"]), pressed, plan, bound, at=at)

    def to_plain(self, label: str) -> dict[str, Any]:
        """Return the battle as plain data for the agenda. An open plan is included, but a sealed plan is not."""
        entry = {"id": self.id, "hex": label, "attackers": list(self.attackers)}
        more = {"pressed": "yes" if self.pressed else "", "binds": list(self.binds), "plan": self.plan.to_plain()}
        return entry | {key: value for key, value in more.items() if value}


def read_battles(setting: Setting, agenda: Mapping[str, Any]) -> tuple[Battle, ...]:
    """Return the battles of the agenda, in the order in which they are fought."""
    return tuple(Battle.from_plain(battle, setting.board.index) for battle in agenda.get(BATTLES, ()))


def find_plan_mistakes(setting: Setting, side: str, battle: Battle, plan: Plan) -> Iterator[tuple[str, str]]:
    """Yield each wish of a plan that can never apply, as (key, reason). The owner sees the reasons before sealing."""
    for key, known in _WORDS.items():
        for wish in (wish for wish in vars(plan)[key] if wish not in known):
            yield key, f"'{wish}' is not one of {', '.join(known)}"
    for wish in plan.losses:
        if wish not in battle.attackers:
            yield "losses", f"{wish} takes no part in the battle"
    for key in ("advance", "exploit"):
        yield from ((key, slip) for slip in _find_advance_mistakes(setting, battle, vars(plan)[key]))
    yield from _find_german_mistakes(setting, side, plan)


_WORDS = {"push": ("0", "1", "2"), "exchange": ("no", "yes"), "forced": (*FORCED, "yes")}


def _find_advance_mistakes(setting: Setting, battle: Battle, wishes: tuple[str, ...]) -> Iterator[str]:
    for wish in wishes:
        uid, *rest = wish.split(" ")
        if uid not in battle.attackers:
            yield f"{uid} takes no part in the battle"
        if rest and (rest[-1] not in setting.board.index or rest[:-1] not in ([], ["only"])):
            yield f"'{wish}' is wrong: write UNIT, UNIT HEX or UNIT only HEX"


def _find_german_mistakes(setting: Setting, side: str, plan: Plan) -> Iterator[tuple[str, str]]:
    """3.0-cancel, 2.0-breakthrough: yield the mistakes in wishes that only German plans may contain."""
    for key in GERMAN_ONLY if side != GERMAN else ():
        if vars(plan)[key]:
            yield key, "only German attacks allow the choice"
    for wish in plan.cancel:
        first, _space, second = wish.partition(" ")
        if not (first == "unless" and second) and not (first == "below" and second in setting.columns):
            known = f"'unless BATTLE' or 'below ODDS', which are {', '.join(setting.columns)}"
            yield "cancel", f"'{wish}' is not {known}"
    for wish in plan.breakthrough:
        if wish not in setting.board.index and not wish.startswith("join "):
            yield "breakthrough", f"'{wish}' is not HEX or 'join BATTLE'"
