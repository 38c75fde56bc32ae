"""Players' words for units and hexes in ``kursk order``: search, and conversion to plain orders.

A setting has ``counters`` with ``side``, ``name`` and ``short``, and a ``board``. Units and places are ``names.Known``:
id or label -> other names, because a system may add its own names to `list_own` and `named`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from kursk_pbem.errors import UsageError
from kursk_pbem.formats.text import show
from kursk_pbem.kernel import names, verbs
from kursk_pbem.kernel.hexes.board import Board
from kursk_pbem.kernel.hexes.plans import WAYS
from kursk_pbem.kernel.names import Known
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.verbs import ALL, PLACE, Among, Clause, Edit, OrderContext, list_entries

UNIT = "unit of yours"
_FILLERS = ("to", "via", "by", "in")

# Names


def side_units(ask: OrderContext, side: str) -> dict[str, tuple[str, ...]]:
    """Return the units of a side: id -> other names."""
    counters = ask.setting.counters.items()
    return {uid: (counter.short, counter.name) for uid, counter in counters if counter.side == side}


def list_own(ask: OrderContext) -> dict[str, tuple[str, ...]]:
    """Return the units of the player who types the order: id -> other names."""
    return side_units(ask, ask.state.side)


def on_map(board: Board, state: State, units: Known) -> dict[str, Sequence[str]]:
    """Return the ``units`` on the map."""
    return {uid: others for uid, others in units.items() if state.units[uid].place in board.index}


def name_hexes(board: Board, towns: Mapping[int, str]) -> dict[str, tuple[str, ...]]:
    """Return the hexes of the map: label -> names of the town in the hex. ``towns``: index -> name."""
    return {label: (towns[hex_],) if hex_ in towns else () for label, hex_ in board.index.items()}


# Words of a player


def name_units(ask: OrderContext, uids: Iterable[str]) -> str:
    """Return units as text, each with short name and id: '48 Pz (g-48-pz), LII (g-52)'."""
    return ", ".join(f"{ask.setting.counters[uid].short} ({uid})" for uid in uids)


def means_all(words: Sequence[str]) -> bool:
    """Return whether the words are the single word 'all'."""
    return [word.lower() for word in words] == [ALL]


def find_units(words: Sequence[str], units: Known, able: Known) -> list[str]:
    """Return the units that the words name, or all ``able`` units for 'all'. Prefer an able unit if several match."""
    return list(able) if means_all(words) else list(names.find_several(words, units, UNIT, able))


def split_places(words: Sequence[str], units: Known, places: Known, example: str) -> tuple[str, tuple[str, ...]]:
    """Split typed words into the words for units and the hexes after them. Raises UsageError if one is missing."""
    said = [word for word in words if word.lower() not in _FILLERS]
    spots = names.find_last(said[1:], places)  # the first word is part of a unit's name
    if not spots:
        raise no_place(said, units, places, example)
    unit = said[: len(said) - names.count_words(spots)]
    return " ".join(unit), tuple(names.find(spot, places, "hex") for spot in spots)


def count_target(words: Sequence[str], known: Known) -> int:
    """Return how many of the first words name the target of an attack: 1 in 'oboyan 48 pz'. The longest name counts.

    If no name fits, return 1 if the first word has digits like a label ('2042 all'). Otherwise count all words but a
    last 'all'.
    """
    fits = (size for size in range(len(words) - 1, 0, -1) if len(names.match(" ".join(words[:size]), known)) == 1)
    shapes = {tuple(map(str.isdigit, name)) for name in known}
    usual = words and tuple(map(str.isdigit, words[0])) in shapes
    return next(fits, 1 if usual else len(words) - (len(words) > 1 and means_all(words[-1:])))


def by_id(ask: OrderContext, key: str, words: Sequence[str], places: Known) -> list[str]:
    """Return the typed words. If the first word is the id of a declared attack, replace the id by the attacked hex.

    An id that is also a place stays. Raises UsageError if the first word is the id of an attack and names a town
    elsewhere.
    """
    hexes = {str(order.get("id")).lower(): order["hex"] for order in list_entries(ask, key) if "hex" in order}
    meant, towns = hexes.get((first := "".join(words[:1])).lower(), first), names.match(first, places)
    if meant != first and towns and meant not in towns and first.upper() not in places:
        raise UsageError(f"{first!r} names the attack on {meant}, and also the town {towns[0]}: type the hex")
    return [first if towns else meant, *words[1:]] if words else []


def find_hex(state: State, words: Sequence[str], places: Known, foes: Known, what: str = "hex or enemy unit") -> str:
    """Return the hex that a label, a town or an enemy unit names. Raises UsageError with ``what`` if no hex fits."""
    said = " ".join(words)
    meant = said.upper() if said.upper() in places else names.find(said, {**places, **foes}, what)
    return state.units[meant].place if meant in foes else meant


def read_ways(
    words: Sequence[str], places: Known, units: Known = MappingProxyType({}), steps: int = 1, first: Known | None = None
) -> list[str]:
    """Return wishes for retreats of up to ``steps`` hexes, from typed words such as 'away kursk 2110-2009'.

    A wish may begin with a unit of ``units``. If a name fits several units, a unit in ``first`` wins: 'gd 2110' becomes
    'g-gd 2110'.
    """
    meant, whose, way = list[str](), "", ""
    for at, word in enumerate(words):
        spots = word.split("-") if steps > 1 else [word]
        # 'to' before a place means 'toward', otherwise Tomarovka
        place = all(len(names.match(spot, places)) == 1 for spot in spots) and not (
            word.lower() == "to" and names.match("".join(words[at + 1 : at + 2]), places)
        )
        if word.lower() in WAYS or (word.isalpha() and not place and any(one.startswith(word.lower()) for one in WAYS)):
            way = f"{names.choose_one(word, WAYS, 'the way of a retreat')} "
        elif units and not place:
            whose, way = f"{whose} {word}".strip(), ""
        else:
            who = names.find(whose, {**units, **places}, "unit or hex", first) + " " if whose else ""
            meant.append(who + way + "-".join(names.find(spot, places, "hex") for spot in spots))
            whose, way = "", ""
    if whose or way:
        head = (names.find(whose, {**units, **places}, "unit or hex", first) if whose else "") + f" {way}"
        raise UsageError(f"type a hex or a city after '{head.strip()}', as in 'away kursk'")
    return meant


def read_wishes(words: Iterable[tuple[str, str]], units: Known, there: Known) -> list[str]:
    """Return wishes for units from typed words. If a name fits several units, a unit in ``there`` wins.

    ``words``: pairs of a typed word and an ending, '' for a word of a unit's name. The pairs ('48', ''), ('pz', ''),
    ('if-free', ' if-free') become 'g-48-pz if-free'. Raises UsageError for an ending without a unit.
    """
    meant, run = list[str](), list[str]()
    for word, end in words:
        if end:
            meant += names.find_several(run, units, UNIT, there)
            if not meant:
                raise UsageError(f"type a unit before {word}, as in '48 pz {word}'")
            meant[-1] += end
            run = []
        else:
            run.append(word)
    return [*meant, *names.find_several(run, units, UNIT, there)]


def no_place(words: Sequence[str], units: Known, places: Known, example: str) -> UsageError:
    """Return an error for typed words in which a unit or its place is missing, unknown or misplaced."""
    if words and len(names.match(" ".join(words), units)) == 1:
        return UsageError(f"the hex is missing: say where {' '.join(words)} goes, as in '{example}'")
    if (
        len(words) > 1
        and not {words[0], words[0].upper()}.isdisjoint(places)
        and len(names.match(" ".join(words[1:]), units)) == 1
    ):
        return UsageError(f"type the hex after the unit: {' '.join((*words[1:], words[0]))!r}")
    if len(words) > 1 and len(names.match(" ".join(words[:-1]), units)) == 1:
        return UsageError(f"there is no hex {show(words[-1])}; a city goes by its name{names.near(words[-1], places)}")
    unknown = [show(word) for word in words if not names.match(word, units) and not names.match(word, places)]
    what = f"no unit of yours and no hex is called {' or '.join(unknown)}; " if unknown else ""
    many = "; a comma stands between two orders" if unknown and len(words) > 3 else ""
    return UsageError(f"{what}name a unit and a hex or city, as in '{example}'{many}")


# Changes of a draft


def remove_orders(ask: OrderContext, key: str, value: str, field: str = "unit") -> tuple[Edit, ...]:
    """Return edits that remove the orders under ``key`` whose ``field`` has this ``value``, the last order first."""
    orders = enumerate(list_entries(ask, key))
    at = [number for number, order in orders if isinstance(order, Mapping) and order.get(field) == value]
    return tuple(Edit(("orders", key, number)) for number in reversed(at))


def replace_order(
    ask: OrderContext, key: str, order: Mapping[str, Any], said: str, field: str = "unit"
) -> tuple[Edit, ...]:
    """Return edits that add an order in place of earlier orders with the same unit (or another ``field``)."""
    return (*remove_orders(ask, key, order[field], field), Edit(("orders", key), order, add=True, said=said))


def make_move(uid: str, hexes: Sequence[str]) -> dict[str, Any]:
    """Return the order for a move: to a hex, or along a path if there are several hexes."""
    return {"unit": uid, "to": hexes[0]} if len(hexes) == 1 else {"unit": uid, "path": list(hexes)}


def list_moved(ask: OrderContext, *keys: str) -> dict[str, str]:
    """Return the moves in the draft under some keys: unit -> last hex."""
    orders = (order for key in keys for order in list_entries(ask, key))
    return {order["unit"]: order.get("to") or order["path"][-1] for order in orders}


def offer_moves(
    words: Sequence[str], able: Among, list_ends: Callable[[str], Iterable[tuple[str, str]]], moved: Mapping[str, str]
) -> tuple[Clause, ...]:
    """Return the form for a move: the units that can move or, after a unit, its possible destinations with their costs.

    ``moved``: unit -> hex for moves in the draft. The form lists no moved units, but a player may type them.
    """
    free = tuple(unit for unit in able if unit[0] not in moved)
    if not words or words[0] not in {*dict(free), *moved}:
        return (Clause("", "unit that moves", verbs.UNIT, free),)
    chosen = (moved[words[0]],) if words[0] in moved else ()
    return (Clause("to", "hex", PLACE, tuple(list_ends(words[0])), chosen, needed="to"),)


def find_entry(ask: OrderContext, key: str, field: str, value: str) -> tuple[int, dict[str, Any]]:
    """Return position and copy of the first order under ``key`` whose ``field`` is ``value``; -1 and {} if none."""
    orders: Iterator[tuple[int, Any]] = enumerate(list_entries(ask, key))
    return next(((at, dict(order)) for at, order in orders if order.get(field) == value), (-1, {}))


def put_entry(key: str, at: int, order: Mapping[str, Any], said: str) -> Edit:
    """Return the edit that writes an order into the list ``key``: at position ``at``, or for -1 at the end."""
    return Edit(("orders", key, at) if at >= 0 else ("orders", key), order, add=at < 0, said=said)


def battle_id(ask: OrderContext, key: str, town: str, usual: str) -> str:
    """Return an id for a new battle: the name of the town, or else ``usual``. A number is added if the id is taken."""
    base = "".join(sign if sign.isalnum() else "-" for sign in town.lower() if sign.isascii())[:28] or usual
    taken = {order.get("id") for order in list_entries(ask, key) if isinstance(order, Mapping)}
    return next(name for name in (base, *(f"{base}-{number}" for number in range(2, 999))) if name not in taken)
