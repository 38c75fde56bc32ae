"""What players say of units and hexes in ``kursk order``: found among what there is, and written as plain orders.

A setting has ``counters`` with a ``side``, a ``name`` and a ``short`` one, and a ``board``. Units and places are given
as ``names.Known``: id or label -> other names, for a system may add names of its own to `own` and `named`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from kursk_pbem.errors import UsageError
from kursk_pbem.formats.text import show
from kursk_pbem.kernel import names
from kursk_pbem.kernel.hexes import plans
from kursk_pbem.kernel.hexes.board import Board
from kursk_pbem.kernel.hexes.plans import WAYS
from kursk_pbem.kernel.names import Known
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.verbs import ALL, Asking, Edit, listed

UNIT = "unit of yours"
_FILLERS = ("to", "via", "by", "in")

# What there is


def of(ask: Asking, side: str) -> dict[str, tuple[str, ...]]:
    """The units of a side by id, with their other names."""
    counters = ask.setting.counters.items()
    return {uid: (counter.short, counter.name) for uid, counter in counters if counter.side == side}


def own(ask: Asking) -> dict[str, tuple[str, ...]]:
    """The units of the writer's side by id, with their other names."""
    return of(ask, ask.state.side)


def on_map(board: Board, state: State, units: Known) -> dict[str, Sequence[str]]:
    """Those of some units that stand on the map."""
    return {uid: others for uid, others in units.items() if state.units[uid].place in board.index}


def named(board: Board, towns: Mapping[int, str]) -> dict[str, tuple[str, ...]]:
    """The hexes of the map by label, with the names of towns (hex -> name)."""
    return {label: (towns[hex_],) if hex_ in towns else () for label, hex_ in board.index.items()}


# What is said


def told(ask: Asking, uids: Iterable[str]) -> str:
    """'48 Pz (g-48-pz), LII (g-52)'."""
    return ", ".join(f"{ask.setting.counters[uid].short} ({uid})" for uid in uids)


def whole(words: Sequence[str]) -> bool:
    """Whether all are meant: the one word 'all'."""
    return [word.lower() for word in words] == [ALL]


def some(words: Sequence[str], units: Known, able: Known) -> list[str]:
    """Units by name, or all that are able; a name is looked for among those first."""
    return list(able) if whole(words) else list(names.several(words, units, UNIT, able))


def parted(words: Sequence[str], units: Known, places: Known, example: str) -> tuple[str, tuple[str, ...]]:
    """The name of a unit or several, and the hexes behind it; UsageError if one of the two is missing."""
    said = [word for word in words if word.lower() not in _FILLERS]
    spots = names.last(said[1:], places)  # the first word belongs to a unit
    if not spots:
        raise no_place(said, units, places, example)
    unit = said[: len(said) - names.count_words(spots)]
    return " ".join(unit), tuple(names.find(spot, places, "hex") for spot in spots)


def target(words: Sequence[str], known: Known) -> int:
    """How many words at the beginning name one thing, the most that do: 1 in 'oboyan 48 pz'.

    If none do, one that has its digits where names have them ('2042 all'), otherwise all of them.
    """
    fits = (size for size in range(len(words) - 1, 0, -1) if len(names.matches(" ".join(words[:size]), known)) == 1)
    shapes = {tuple(map(str.isdigit, name)) for name in known}
    return next(fits, 1 if words and tuple(map(str.isdigit, words[0])) in shapes else len(words))


def by_id(ask: Asking, key: str, words: Sequence[str], places: Known) -> list[str]:
    """The same words, the first of them the hex of a declared attack if it is the id of one and names no place.

    UsageError if it is the id of one attack and the name, not the label, of a place that is not attacked in it.
    """
    hexes = {str(order.get("id")).lower(): order["hex"] for order in listed(ask, key) if "hex" in order}
    meant, towns = hexes.get((first := "".join(words[:1])).lower(), first), names.matches(first, places)
    if meant != first and towns and meant not in towns and first.upper() not in places:
        raise UsageError(f"{first!r} is the name of the attack on {meant}, and {towns[0]} is called so too: say a hex")
    return [first if towns else meant, *words[1:]] if words else []


def attacked(state: State, words: Sequence[str], places: Known, foes: Known, what: str = "hex or enemy unit") -> str:
    """The hex that is meant by its label, its town, or an enemy unit in it; UsageError says ``what`` there is not."""
    said = " ".join(words)
    meant = said.upper() if said.upper() in places else names.find(said, {**places, **foes}, what)
    return state.units[meant].place if meant in foes else meant


def ways(
    words: Sequence[str], places: Known, units: Known = MappingProxyType({}), steps: int = 1, first: Known | None = None
) -> list[str]:
    """'away kursk 2110-2009' as wishes for ways of so many hexes.

    Before each may stand one of ``units``, looked for among the ``first`` of them: 'gd 2110' is 'g-gd 2110'.
    """
    meant, whose, way = list[str](), "", ""
    for at, word in enumerate(words):
        spots = word.split("-") if steps > 1 else [word]
        # 'to' before a place is short for 'toward', otherwise for Tomarovka
        place = all(len(names.matches(spot, places)) == 1 for spot in spots) and not (
            word.lower() == "to" and names.matches("".join(words[at + 1 : at + 2]), places)
        )
        if word.lower() in WAYS or (word.isalpha() and not place and any(one.startswith(word.lower()) for one in WAYS)):
            way = f"{names.one_of(word, WAYS, 'the way of a retreat')} "
        elif units and not place:
            whose, way = f"{whose} {word}".strip(), ""
        else:
            who = names.find(whose, {**units, **places}, "unit or hex", first) + " " if whose else ""
            meant.append(who + way + "-".join(names.find(spot, places, "hex") for spot in spots))
            whose, way = "", ""
    if whose or way:
        raise plans.no_way((names.find(whose, {**units, **places}, "unit or hex", first) if whose else "") + f" {way}")
    return meant


def wishes(words: Iterable[tuple[str, str]], units: Known, there: Known) -> list[str]:
    """Units as wishes, those that are ``there`` first. Each word comes with what it ends the wish before it by, or ''.

    ('48', ''), ('pz', ''), ('if-free', ' if-free') are 'g-48-pz if-free'. UsageError: no unit stands before an end.
    """
    meant, run = list[str](), list[str]()
    for word, end in words:
        if end:
            meant += names.several(run, units, UNIT, there)
            if not meant:
                raise UsageError(f"a unit stands before {word}, as in '48 pz {word}'")
            meant[-1] += end
            run = []
        else:
            run.append(word)
    return [*meant, *names.several(run, units, UNIT, there)]


def no_place(words: Sequence[str], units: Known, places: Known, example: str) -> UsageError:
    """What is said of a unit and a place of which one is missing, or stands where the other belongs."""
    if words and len(names.matches(" ".join(words), units)) == 1:
        return UsageError(f"the hex is missing: say where {' '.join(words)} goes, as in '{example}'")
    if (
        len(words) > 1
        and not {words[0], words[0].upper()}.isdisjoint(places)
        and len(names.matches(" ".join(words[1:]), units)) == 1
    ):
        return UsageError(f"the hex stands behind the unit: {' '.join((*words[1:], words[0]))!r}")
    if len(words) > 1 and len(names.matches(" ".join(words[:-1]), units)) == 1:
        return UsageError(f"there is no hex {show(words[-1])}; a city goes by its name{names.near(words[-1], places)}")
    return UsageError(f"say which unit and which hex, a city by its name, as in '{example}'")


# What is written


def out(ask: Asking, key: str, value: str, field: str = "unit") -> tuple[Edit, ...]:
    """What takes out the orders under a key that have this value, the last first: those of a unit."""
    orders = enumerate(listed(ask, key))
    at = [number for number, order in orders if isinstance(order, Mapping) and order.get(field) == value]
    return tuple(Edit(("orders", key, number)) for number in reversed(at))


def instead(ask: Asking, key: str, order: Mapping[str, Any], said: str, field: str = "unit") -> tuple[Edit, ...]:
    """An order in the place of those under a key that have the same value in a field: of the same unit."""
    return (*out(ask, key, order[field], field), Edit(("orders", key), order, add=True, said=said))


def move(uid: str, hexes: Sequence[str]) -> dict[str, Any]:
    """A move to a hex, or by a path of several."""
    return {"unit": uid, "to": hexes[0]} if len(hexes) == 1 else {"unit": uid, "path": list(hexes)}


def entry(ask: Asking, key: str, field: str, value: str) -> tuple[int, dict[str, Any]]:
    """The entry with this value and where it stands in a list of the orders; -1 and nothing if there is none."""
    orders: Iterator[tuple[int, Any]] = enumerate(listed(ask, key))
    return next(((at, dict(order)) for at, order in orders if order.get(field) == value), (-1, {}))


def put(key: str, at: int, order: Mapping[str, Any], said: str) -> Edit:
    """An entry comes to stand at its place in a list of the orders, a new one (-1) at the end."""
    return Edit(("orders", key, at) if at >= 0 else ("orders", key), order, add=at < 0, said=said)


def battle_id(ask: Asking, key: str, town: str, usual: str) -> str:
    """The id of a new battle: the name of the town, otherwise the usual one; with a number where it is taken."""
    base = "".join(sign if sign.isalnum() else "-" for sign in town.lower() if sign.isascii())[:28] or usual
    taken = {order.get("id") for order in listed(ask, key) if isinstance(order, Mapping)}
    return next(name for name in (base, *(f"{base}-{number}" for number in range(2, 999))) if name not in taken)
