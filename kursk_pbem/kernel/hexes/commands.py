"""Conversion of a draft's orders to a player's words, for systems with hexes.

Typed into a draft without these orders, the words write the same plain data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kursk_pbem.kernel.orders import Path

Entry = Mapping[str, Any]


def write_move(verb: str, order: Entry) -> str:
    """Return the order text for a move: 'move g-24-pz 2218 2219'."""
    ends = order.get("to") or order.get("hex")
    return f"{verb} {order['unit']} {ends or ' '.join(order.get('path', ()))}".rstrip()


def clauses(order: Entry, keys: Iterable[str]) -> str:
    """Return the values under some keys as words, each after its key: ' losses g-52 advance g-48-pz if-free'."""
    return "".join(f" {key} {_join_words(order[key])}" for key in keys if order.get(key))


def write_attack(order: Entry, keys: Iterable[str]) -> str:
    """Return the order text for an attack: 'attack 2015 with g-48-pz g-52 as oboyan losses g-52'.

    ``keys``: the order's other keys, written last. An order that only adds wishes to an earlier attack names no units:
    'attack 2015 losses g-52'.
    """
    return f"attack {order['hex']}" + clauses(
        {**order, "with": order.get("attackers"), "as": order.get("id")}, ("with", "as", *keys)
    )


def write_flight(verb: str, orders: Sequence[Entry], at: int) -> str:
    """Return the order text for a flight to a hex. The text also names the units of earlier flights to this hex."""
    hex_ = orders[at]["hex"]
    return f"{verb} {hex_} with {' '.join(order['unit'] for order in orders[: at + 1] if order['hex'] == hex_)}"


def write_answer(path: Path, value: Any) -> str:
    """Return the order text for an answer: 'answer retreat away 2113'. A table gives one order for each entry."""
    key = str(path[-1])
    if isinstance(value, Mapping):
        return ", ".join(f"answer {name}{clauses(said, said)}" for name, said in value.items() if any(said.values()))
    return f"answer{clauses({key: value}, (key,))}"


def _join_words(value: str | Sequence[str]) -> str:
    return value if isinstance(value, str) else " ".join(value)
