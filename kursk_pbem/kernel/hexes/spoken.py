"""Orders of a draft as a player types them, for systems with hexes: the way back from plain data to words.

What is typed so into a draft without these orders writes the same plain data again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kursk_pbem.kernel.orders import Path

Entry = Mapping[str, Any]


def going(verb: str, order: Entry) -> str:
    """A unit and where it goes: 'move g-24-pz 2218 2219'."""
    ends = order.get("to") or order.get("hex")
    return f"{verb} {order['unit']} {ends or ' '.join(order.get('path', ()))}".rstrip()


def clauses(order: Entry, keys: Iterable[str]) -> str:
    """What stands under some keys, each behind its word: ' losses g-52 advance g-48-pz if-free'."""
    return "".join(f" {key} {_words(order[key])}" for key in keys if order.get(key))


def attack(order: Entry, keys: Iterable[str]) -> str:
    """'attack 2015 with g-48-pz g-52 as oboyan losses g-52'; ``keys`` are those behind hex, units and name.

    Of a part of an attack, which has neither units nor name: 'attack 2015 losses g-52'.
    """
    return f"attack {order['hex']}" + clauses(
        {**order, "with": order.get("attackers"), "as": order.get("id")}, ("with", "as", *keys)
    )


def over(verb: str, orders: Sequence[Entry], at: int) -> str:
    """Who flies to a hex: an order brings all those before it to the same hex, because they are said together."""
    hex_ = orders[at]["hex"]
    return f"{verb} {hex_} with {' '.join(order['unit'] for order in orders[: at + 1] if order['hex'] == hex_)}"


def answer(path: Path, value: Any) -> str:
    """What defenders do: 'answer retreat away 2113', or for each battle, hex or unit of a mapping its own."""
    key = str(path[-1])
    if isinstance(value, Mapping):
        return ", ".join(f"answer {name}{clauses(said, said)}" for name, said in value.items() if any(said.values()))
    return f"answer{clauses({key: value}, (key,))}"


def _words(value: str | Sequence[str]) -> str:
    return value if isinstance(value, str) else " ".join(value)
