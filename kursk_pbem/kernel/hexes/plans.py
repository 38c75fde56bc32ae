"""Plans for battles: wishes in order, sealed or open, and the decision at which dice may stop.

A plan is a mapping of kinds of wishes (``retreat``, ``losses``) to lists of words. The opponent sees a sealed plan only
later, so meaningless parts have no effect and never stop a game.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Protocol, Self

from kursk_pbem.kernel.decisions import Decision
from kursk_pbem.kernel.events import Decided, Noted, Scheduled
from kursk_pbem.kernel.hexes.board import Board
from kursk_pbem.kernel.hexes.policies import BATTLES
from kursk_pbem.kernel.orders import Filing, Path
from kursk_pbem.kernel.state import PENDING
from kursk_pbem.kernel.umpire import Umpire

MOST_WISHES, LONGEST_WISH = 50, 101  # of an open plan, in the schemas
WAYS = ("toward", "away")
"""Words before the hex in a wish for a retreat."""
DECIDED = "decided"  # agenda: battle -> chosen option


def label(seq: int | str) -> str:
    """Return the label under which plans are sealed: the plans for the battles of message ``seq``."""
    return f"plans/{seq}"


def read_plan(value: Any, kinds: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return a plan as kind -> wishes. A single word is read as a list; a value of a wrong form as no wish.

    Number and length of wishes have the same limits as in an open plan, because the opponent must mail the plan while
    the dice are stopped.
    """
    plan = {}
    for kind in kinds:
        listed = value.get(kind) if isinstance(value, dict) else None
        wishes = [listed] if isinstance(listed, str) else listed if isinstance(listed, list) else []
        words = [wish for wish in wishes if isinstance(wish, str)][:MOST_WISHES]
        plan[kind] = tuple(wish for wish in words if len(wish) <= LONGEST_WISH)
    return plan


class Wishes(Protocol):
    """A base for a dataclass of wishes for a battle. Each field contains the wishes of one kind, such as losses."""

    @classmethod
    def from_plain(cls, value: Any) -> Self:
        """Return a plan from a value of any form. Parts of a wrong form count as no wish."""
        return cls(**read_plan(value, cls.kinds()))

    @classmethod
    def kinds(cls) -> tuple[str, ...]:
        """Return the kinds of wishes, in the order of the fields."""
        return tuple(cls.__annotations__)

    @classmethod
    def seal(cls, orders: Mapping[str, Any], seq: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """Take the hidden plans out of a draft's battles. Return the public orders, and {label: plans}."""
        return separate_plans(orders, seq, cls.kinds())

    def unless(self, opened: Any, battle: str) -> Self:
        """Return the plan for ``battle`` in the revealed value ``opened``; if it has none, return this plan."""
        hidden = of_battle(opened, battle)
        return self.from_plain(hidden) if hidden else self

    def to_plain(self) -> dict[str, list[str]]:
        """Return the plan as a message contains it, without kinds that have no wish."""
        return {kind: list(wishes) for kind, wishes in vars(self).items() if wishes}

    def text(self) -> str:
        """Return the plan as text for a report, '' without a wish. Very long plans are cut off."""
        return _describe_wishes(vars(self))


def _describe_wishes(plan: Mapping[str, Sequence[str]]) -> str:
    shown = {kind: [wish[:40] for wish in wishes[:20]] for kind, wishes in plan.items()}
    return "; ".join(f"{kind} {', '.join(wishes)}" for kind, wishes in shown.items() if wishes)


def describe_plan(order: Mapping[str, Any], kinds: Sequence[str], *, possible: bool) -> str:
    """Return the plan of a new order as text to append, with a warning if the plan names no unit to advance.

    ``possible``: the attack can take place. Otherwise the warning is left out.
    """
    wishes = _describe_wishes({kind: order.get(kind) or () for kind in kinds})
    parts = (wishes, "nobody advances" if possible and not order.get("advance") else "")
    return "".join(f"; {part}" for part in parts if part)


def announce_plan(umpire: Umpire[Any], rule: str, battle: str, plan: Wishes) -> None:
    """Tell readers the plan of a battle when its dice are rolled. An empty plan is not told."""
    if any(vars(plan).values()):
        umpire.tell(_note_plan, rule, battle, plan)


def _note_plan(rule: str, battle: str, plan: Wishes) -> Noted:
    return Noted(rule, f"plan for {battle}: {plan.text()}", battle)


def separate_plans(orders: Mapping[str, Any], seq: int, kinds: Sequence[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Take the plans out of ``orders: battles``. Return the orders without plans, and {label: {battle: plan}}."""
    battles = orders.get(BATTLES) or ()
    shown = [{key: value for key, value in battle.items() if key not in kinds} for battle in battles]
    hidden = {battle["id"]: plan for battle in battles if (plan := {k: battle[k] for k in kinds if battle.get(k)})}
    return {**orders, BATTLES: shown} if shown else dict(orders), {label(seq): hidden} if hidden else {}


def any_ordered(umpire: Umpire[Any], filing: Filing, rule: str, what: str) -> bool:
    """Return whether a message orders battles. Refuse plans without any battle. ``what``: the word for a battle."""
    sealed = label(filing.seq)
    if not filing.order(BATTLES) and (sealed in filing.secret or sealed in filing.sealed):
        umpire.refuse(rule, f"plans are sealed, but no {what} is declared", sealed, ("secret", sealed))
    return bool(filing.order(BATTLES))


def of_battle(opened: Any, battle: str) -> Any:
    """Return the plan of ``battle`` from a revealed value of any form; None if the value contains no such plan."""
    return (opened.get(battle) if isinstance(opened, dict) else None) or None


def sealed_anew(
    umpire: Umpire[Any], rule: str, value: Any, left: Collection[str], kinds: Sequence[str]
) -> Iterator[tuple[str, Any, Path]]:
    """Yield (battle, plan, path) for each plan that this message seals again. ``left``: battles still to be fought."""
    sealed = label(umpire.seq)
    if not isinstance(value, dict):
        form = f"write {{battle: {{{', '.join(f'{kind}: []' for kind in kinds)}}}}}"
        umpire.refuse(rule, form, sealed, ("seal", sealed))
        return
    for battle, plan in value.items():
        path: Path = ("seal", sealed, battle)
        if battle in left:
            yield battle, plan, path
        else:
            umpire.refuse(rule, "is no battle that is still to be fought", battle, path)


def way_slip(wish: str, board: Board, steps: int) -> str:
    """Return why a wish does not name a way of up to ``steps`` hexes, or ''."""
    words = wish.split(" ")
    hexes = words[1:] if words[0] in WAYS else wish.split("-")
    if 1 <= len(hexes) <= steps and all(hex_ in board.index for hex_ in hexes):
        return ""
    forms = ", ".join("-".join(["HEX"] * number) for number in range(1, steps + 1))
    return f"'{wish}' is not {forms}, 'toward HEX' or 'away HEX'"


def choose_way(board: Board, ranked: Sequence[tuple[int, ...]], wishes: Sequence[str]) -> tuple[int, ...]:
    """Return the way that the first possible wish selects, or the first of ``ranked`` if no wish is possible.

    ``toward HEX`` selects the way that ends nearest to a hex, and ``away HEX`` the way that ends farthest away. ``HEX``
    selects a way with this end, ``HEX-HEX`` exactly this way. Of several suitable ways the first of ``ranked`` wins.
    """
    for wish in wishes:
        words = wish.split(" ")
        if len(words) == 2 and words[0] in WAYS and words[1] in board.index:
            target, sign = board.index[words[1]], 1 if words[0] == "toward" else -1
            return min(ranked, key=lambda way: sign * board.distance(way[-1], target))
        for way in ranked:
            if wish in (board.labels[way[-1]], "-".join(board.labels[hex_] for hex_ in way)):
                return way
    return ranked[0]


def stop_dice(umpire: Umpire[Any], decision: Decision) -> None:
    """Put a decision without an answer on the agenda, with its options, so that the dice stop."""
    waiting = {"owner": decision.owner, "battle": decision.subject, "kind": decision.kind}
    umpire.emit(Scheduled(decision.rule, PENDING, {**waiting, "options": list(decision.options)}))


def take_decision(umpire: Umpire[Any], filing: Filing, rule: str, decided: str) -> bool:
    """Carry out the decision in a message of the decision's owner; return True. Refuse a bad decision and return False.

    ``decided``: the paragraph of the decision.
    """
    pending = umpire.state.agenda[PENDING]
    battle, options = pending["battle"], pending["options"]
    for other in filing.decisions:
        if other != battle:
            umpire.refuse(rule, f"only {battle} waits for a decision", other, ("decisions", other))
    chosen = filing.decisions.get(battle, "")
    if chosen not in options:
        umpire.refuse(rule, f"decide one of {', '.join(options)}", battle, ("decisions", battle))
        return False
    umpire.emit(
        Decided(decided, pending["kind"], filing.writer, battle, chosen, "filed"),
        Scheduled(rule, PENDING, None),
        Scheduled(rule, DECIDED, {battle: chosen}),
    )
    return True
