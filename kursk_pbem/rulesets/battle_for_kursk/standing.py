"""Standing orders: the defender's answers (D-8) and the attacker's plans (D-9 to D-12), and how they are read.

Grammar and defaults are rulings K-73 to K-78. A plan that was sealed comes from its owner unseen: whatever in it does
not make sense counts as not written, and never stops the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from kursk_pbem.rulesets.battle_for_kursk.odds import Battle
from kursk_pbem.rulesets.battle_for_kursk.setting import FULL, REDUCED

STAND_FAST, EXCHANGE_DR, EXCHANGE_DRL = "stand-fast", "exchange-dr", "exchange-drl"
WHEN = ("never", "doomed", "full", "reduced", "always")
DEFAULT_POLICY = {STAND_FAST: "doomed", EXCHANGE_DR: "doomed", EXCHANGE_DRL: "always"}  # K-75

ACCEPT, STAND, EXCHANGE = "accept", "stand-fast", "exchange"

IF_FREE, IF_SUPPLIED = "if-free", "if-supplied"
GUARDS = (IF_FREE, IF_SUPPLIED)

MOST_WISHES, LONGEST_WISH = 50, 101  # of an open plan, in the schema


@dataclass(frozen=True)
class Plan:
    """An attacker's wishes for one battle, each a list tried in order (K-76 to K-78)."""

    retreat: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()
    advance: tuple[str, ...] = ()

    def to_plain(self) -> dict[str, Any]:
        """The plan as it is written in a message."""
        lists = {"retreat": self.retreat, "losses": self.losses, "advance": self.advance}
        return {key: list(wishes) for key, wishes in lists.items() if wishes}

    def text(self) -> str:
        """The plan for a report; what its owner made absurdly long is cut."""
        lists = (("retreat", self.retreat), ("losses", self.losses), ("advance", self.advance))
        return "; ".join(f"{name} {', '.join(wish[:40] for wish in wishes[:20])}" for name, wishes in lists if wishes)


def plan_of(value: Any) -> Plan:
    """A plan from whatever stands in a file: lists of words, a single word for a list of one, nothing else.

    Of a list as many wishes count as an open plan may have, and none that is longer than a wish can be: a plan waits in
    the position while the dice stop, and the enemy has to mail that.
    """

    def words(key: str) -> tuple[str, ...]:
        listed = value.get(key, []) if isinstance(value, dict) else []
        if isinstance(listed, str):
            listed = [listed]
        wishes = [item for item in listed if isinstance(item, str)] if isinstance(listed, list) else []
        return tuple(wish for wish in wishes[:MOST_WISHES] if len(wish) <= LONGEST_WISH)

    return Plan(words("retreat"), words("losses"), words("advance"))


def plan_slips(battle: Battle, plan: Plan, is_hex: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """What in a plan can never apply: (key, sentence). For its owner's own check, before it is sealed."""
    for wish in plan.retreat:
        words = wish.split(" ")
        hexes = words[1:] if words[0] in ("toward", "away") else wish.split("-")
        if len(hexes) not in (1, 2) or any(label not in is_hex for label in hexes):
            yield "retreat", f"'{wish}' is not HEX, HEX-HEX, 'toward HEX' or 'away HEX'"
    for wish in plan.losses:
        if wish not in battle.participants:
            yield "losses", f"{wish} takes no part in this battle"
    for wish in plan.advance:
        uid, _space, guard = wish.partition(" ")
        if uid not in battle.attackers:
            yield "advance", f"{uid} is no front-line attacker of this battle"
        if guard and guard not in GUARDS:
            yield "advance", f"'{guard}' is not {IF_FREE} or {IF_SUPPLIED}"


def filed(agenda: Mapping[str, Any], owner: str) -> Mapping[str, Any]:
    """The policy of a side as it waits in the agenda: for the battles declared, or standing in the open (K-87)."""
    if standing := agenda.get(f"policy-{owner}"):
        return dict(standing["policy"])
    return dict(agenda.get("policy", {}))


def lookup(policy: Mapping[str, Any], key: str, battle: Battle, hex_label: str) -> tuple[str, bool]:
    """When an option is taken, and whether its owner said so: by battle, unit, hex, whole side, default (K-73)."""
    for table, name in (("battles", battle.id), ("units", battle.defender), ("hexes", hex_label)):
        entries = policy.get(table, {}).get(name, {})
        if key in entries:
            return entries[key], True
    if key in policy:
        return policy[key], True
    return DEFAULT_POLICY[key], False


def keys_of(result: str, options: tuple[str, ...]) -> tuple[str, ...]:
    """The keys of a policy that bear on a result, given what the hex offers (K-74)."""
    if result == "DRL":
        return (EXCHANGE_DRL,)
    return tuple(key for key, option in ((STAND_FAST, STAND), (EXCHANGE_DR, EXCHANGE)) if option in options)


def holds(when: str, steps: int, *, doomed: bool) -> bool:
    """K-74: whether a condition holds for a defender with ``steps`` before the result."""
    return {
        "never": False,
        "doomed": doomed,
        "full": steps == FULL,
        "reduced": steps == REDUCED,
        "always": True,
    }[when]


def answer(result: str, options: tuple[str, ...], applies: Mapping[str, bool], steps: int) -> str:
    """K-74: the option that a policy takes for a result as rolled; ``applies``: key -> whether its condition holds."""
    if result == "DRL":
        return EXCHANGE if EXCHANGE in options and applies[EXCHANGE_DRL] else ACCEPT
    stand = STAND in options and applies[STAND_FAST]
    exchange = EXCHANGE in options and applies[EXCHANGE_DR]
    if stand and exchange:  # both kill a reduced unit, but one of them costs the enemy something
        return EXCHANGE if steps == REDUCED else STAND
    return STAND if stand else EXCHANGE if exchange else ACCEPT
