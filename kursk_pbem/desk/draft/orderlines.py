"""The orders of a draft one by one, in words; and how an order goes on, for somebody who has typed its first word."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import reduce
from operator import getitem
from typing import Any

from kursk_pbem.desk.draft import vocabulary
from kursk_pbem.kernel.orders import Path
from kursk_pbem.kernel.verbs import Asking, Verb

ABOUT = ("unit", "hex")
"""What an order is about, if it says so under these keys: it needs no word before it."""
NAMED = ("id", "unit", "hex", "base")
"""The keys that say which order of a list it is."""
WHOLE = ("path", "at")
"""The keys of which a part says something else."""
Spoken = Callable[[dict[str, Any], Path, Any], str]
"""The words that write what stands at a place of the choices of a draft (``Seen.spoken``)."""
MOST = 30
"""How much of what may stand in an order is listed for somebody who asks."""


def listed(choices: Mapping[str, Any]) -> list[tuple[Path, str]]:
    """The orders of a draft one by one: where each stands, and its words."""
    return [(path, line(path, value)) for path, value in entries(choices)]


def entries(choices: Mapping[str, Any]) -> Iterator[tuple[Path, Any]]:
    """The same as plain data: where each order stands, and its value."""
    for top, held in choices.items():
        yield from ((path, value) for path, value in _each((top,), held) if value not in ("", [], {}))


def line(path: Path, value: Any) -> str:
    """An order on a line: 'orders movement: unit g-24-pz, to 2219'; what stands alone at the top as it is typed."""
    if len(path) == 1 and isinstance(value, str):
        return f"{path[0]} {value}"
    return f"{' '.join(str(step) for step in path if isinstance(step, str))}: {_words(value)}"


def told(choices: dict[str, Any], verbs: Iterable[Verb], spoken: Spoken) -> list[tuple[Path, str]]:
    """The same as a person types them; what no words write is told by its word, and by what it says."""
    orders, known = [], tuple(verbs)
    for path, words in listed(choices):
        field = "/".join(str(step) for step in path if isinstance(step, str))
        verb = next((verb for verb in known if field in verb.fields), None)
        value = at(choices, path)
        plainly = f"{verb.name} {_plainly(value)}" if verb else words
        named = len(path) > 2 and isinstance(path[-1], str)
        said = spoken(choices, path[:-1], {path[-1]: value}) if named else spoken(choices, path, value)
        orders.append((path, said or plainly))
    return orders


def _plainly(value: Any) -> str:
    """A value on a line: '2011: attackers g-20 g-46-pz; losses g-20'."""
    if not isinstance(value, Mapping):
        return _words(value)
    about = [str(value[key]) for key in ABOUT if isinstance(value.get(key), str)]
    about = about or [str(value["id"])] if "id" in value else about
    more = [f"{key} {_words(inner)}" for key, inner in value.items() if key not in (*ABOUT, "id") and inner]
    return f"{' '.join(about)}: {'; '.join(more)}" if about and more else " ".join((*about, *more))


def _each(path: Path, held: Any) -> Iterator[tuple[Path, Any]]:
    """The entries of a field: orders of a list each for itself, otherwise one for each key.

    What each attack, hex or unit is told is an order of its own, a choice that is sealed under its own name is one.
    """
    if isinstance(held, list) and any(isinstance(value, Mapping) for value in held):
        yield from (((*path, number), value) for number, value in enumerate(held))
    elif isinstance(held, Mapping) and (len(path) == 1 or (len(path) == 2 and str(path[1]).split("/")[0] not in held)):
        for key, value in held.items():
            yield from _each((*path, key), value)
    else:
        yield path, held


def _words(value: Any) -> str:
    """A value on a line: 'unit g-24-pz, to 2219'."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_words(inner)}" for key, inner in value.items())
    return " ".join(map(_words, value)) if isinstance(value, list) else str(value)


def beyond(one: Mapping[str, Any], other: Mapping[str, Any], kept: Sequence[str] = ()) -> dict[str, Any]:
    """What the orders of one draft hold that those of another do not, as choices of a draft; of an order a part.

    ``kept``: the keys that each part keeps (``Seen.kept``).
    """
    more: dict[str, Any] = {}
    for path, value in lacking(entries(one), entries(other)):
        if part := _part(path, value, other, kept):
            _put(more, path, part)
    return more


def lacking(some: Iterable[tuple[Path, Any]], others: Iterable[tuple[Path, Any]]) -> Iterator[tuple[Path, Any]]:
    """The entries that are not among others; where in its list an entry stands does not count."""
    known = [(field(path), value) for path, value in others]
    return ((path, value) for path, value in some if (field(path), value) not in known)


def alone(path: Path, value: Any) -> dict[str, Any]:
    """The choices of a draft that holds nothing but what stands at one place of another."""
    choices: dict[str, Any] = {}
    _put(choices, path, value)
    return choices


def _put(choices: dict[str, Any], path: Path, value: Any) -> None:
    """Put a value where it stands in a draft, at the end of its list."""
    *above, last = _keys(path)
    held = choices
    for key in above:
        held = held.setdefault(key, {})
    if isinstance(path[-1], int):
        held.setdefault(last, []).append(value)
    else:
        held[last] = value


def field(path: Path) -> str:
    """The field of a draft that a place lies in, without positions in lists."""
    return "/".join(_keys(path))


def _keys(path: Path) -> list[str]:
    return [step for step in path if isinstance(step, str)]


def _part(path: Path, mine: Any, other: Mapping[str, Any], kept: Sequence[str]) -> Any:
    """An order, or of one that another draft holds too what that has not; something empty for nothing."""
    held, about = at(other, path), dict[str, Any]()
    if isinstance(path[-1], int):
        about = {key: mine[key] for key in NAMED if key in mine}
        among = at(other, path[:-1]) or ()
        held = next((order for order in among if all(order.get(key) == about[key] for key in about)), None)
    if not held or type(held) is not type(mine):
        return mine
    more = _beyond(mine, held)
    if "hex" in about and "attackers" not in more:
        about.pop("id", "")  # 'as NAME' stands behind the units of an attack
    return (
        {**about, **{key: mine[key] for key in kept if key in mine}, **more}
        if isinstance(more, dict) and more
        else more
    )


def _beyond(mine: Any, held: Any) -> Any:
    """What a value holds beyond another: of lists and mappings a part, of all else, and of a new order, the whole."""
    if isinstance(mine, Mapping) and isinstance(held, Mapping):
        parts = {key: value if key in WHOLE else _beyond(value, held.get(key)) for key, value in mine.items()}
        return {key: part for key, part in parts.items() if part and mine[key] != held.get(key)}
    if isinstance(mine, list) and isinstance(held, list):
        more = [entry for entry in mine if entry not in held]
        return more or (mine if sorted(map(str, mine)) == sorted(map(str, held)) and mine != held else [])
    return "" if mine == held else mine


def at(choices: Any, path: Path) -> Any:
    """What stands at a place of a draft, None if nothing does."""
    with suppress(KeyError, IndexError, TypeError):
        return reduce(getitem, path, choices)
    return None


def parts(verb: Verb) -> set[str]:
    """The words that begin its parts: 'losses', 'advance', 'retreat' of an attack; 'to' and 'with' are none."""
    return set(re.findall("[a-z][a-z-]+", verb.usage)).intersection((*vocabulary.parts(), *vocabulary.every()))


def usage(verb: Verb, ask: Asking, most: int = MOST) -> str:
    """Return how an order with this word goes on: an example, the form, and at most ``most`` choices."""
    clauses = verb.clauses(ask, ()) if verb.clauses else ()
    among = [f"  {word}{f' ({text})' if text else ''}" for clause in clauses for word, text in clause.among]
    more = [f"  and {len(among) - most} more: 'kursk order {verb.name} --all' lists them"] if len(among) > most else []
    lines = [f"say more, as in '{verb.example}': {verb.explain(ask)}", f"  {verb.name} {verb.usage}"]
    now = ["now there are"] if among else ["now there is nothing that it could name"] if verb.clauses else []
    notes = [f"  {note}" for clause in clauses if not clause.word for note in clause.notes]
    return "\n".join((*lines, *now, *among[:most], *more, *notes))
