"""Lists of a draft's orders in words, and the usage of an order word."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import reduce
from operator import getitem
from typing import Any

from kursk_pbem.desk.draft import vocabulary
from kursk_pbem.desk.ground import machine
from kursk_pbem.kernel.orders import Path
from kursk_pbem.kernel.verbs import OrderContext, Verb

ABOUT = ("unit", "hex")
"""Keys of the unit, place or battle of an order, shown without the key."""
Spoken = Callable[[dict[str, Any], Path, Any], str]
"""A function that returns the order words for a value in a draft (``Seen.command``)."""
MOST = 30
"""Maximum number of choices that the usage lists for a word."""


def list_lines(choices: Mapping[str, Any]) -> list[tuple[Path, str]]:
    """Return the path and the text of every order in a draft's choices."""
    return [(path, format_line(path, value)) for path, value in list_entries(choices)]


def list_entries(choices: Mapping[str, Any]) -> Iterator[tuple[Path, Any]]:
    """Yield the path and the value of every order in a draft's choices."""
    for top, held in choices.items():
        yield from ((path, value) for path, value in _list_field((top,), held) if value not in ("", [], {}))


def format_line(path: Path, value: Any) -> str:
    """Return an order as a line, such as 'orders movement: unit g-24-pz, to 2219'. Free text stays as typed."""
    if len(path) == 1 and isinstance(value, str):
        return f"{path[0]} {value}"
    return f"{' '.join(str(step) for step in path if isinstance(step, str))}: {_format_value(value)}"


def describe_orders(choices: dict[str, Any], verbs: Iterable[Verb], spoken: Spoken) -> list[tuple[Path, str]]:
    """Return the path of each order, and the words to type; an order without such words is described."""
    orders, known = [], tuple(verbs)
    for path, words in list_lines(choices):
        field = "/".join(str(step) for step in path if isinstance(step, str))
        verb = next((verb for verb in known if field in verb.fields), None)
        value = get_value(choices, path)
        plainly = f"{verb.name} {_describe_value(value)}" if verb else words
        named = len(path) > 2 and isinstance(path[-1], str)
        said = spoken(choices, path[:-1], {path[-1]: value}) if named else spoken(choices, path, value)
        orders.append((path, said or plainly))
    return orders


def _describe_value(value: Any) -> str:
    """Return a value as a line: '2011: attackers g-20 g-46-pz; losses g-20'."""
    if not isinstance(value, Mapping):
        return _format_value(value)
    about = [str(value[key]) for key in ABOUT if isinstance(value.get(key), str)]
    about = about or [str(value["id"])] if "id" in value else about
    more = [f"{key} {_format_value(inner)}" for key, inner in value.items() if key not in (*ABOUT, "id") and inner]
    return f"{' '.join(about)}: {'; '.join(more)}" if about and more else " ".join((*about, *more))


def _list_field(path: Path, held: Any) -> Iterator[tuple[Path, Any]]:
    """Yield the entries of a field: the orders of a list, otherwise one entry for each key.

    Answers about an attack, hex or unit are separate entries, and so are values sealed under their own label.
    """
    if isinstance(held, list) and any(isinstance(value, Mapping) for value in held):
        yield from (((*path, number), value) for number, value in enumerate(held))
    elif isinstance(held, Mapping) and (len(path) == 1 or (len(path) == 2 and str(path[1]).split("/")[0] not in held)):
        for key, value in held.items():
            yield from _list_field((*path, key), value)
    else:
        yield path, held


def _format_value(value: Any) -> str:
    """Return a value as a line: 'unit g-24-pz, to 2219'."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_format_value(inner)}" for key, inner in value.items())
    return " ".join(map(_format_value, value)) if isinstance(value, list) else str(value)


def find_missing(some: Iterable[tuple[Path, Any]], others: Iterable[tuple[Path, Any]]) -> Iterator[tuple[Path, Any]]:
    """Return the entries of ``some`` that ``others`` lacks. The position in a list does not matter."""
    known = [(join_keys(path), value) for path, value in others]
    return ((path, value) for path, value in some if (join_keys(path), value) not in known)


def isolate_entry(path: Path, value: Any) -> dict[str, Any]:
    """Return the choices of a draft that contains only one entry: ``value`` at ``path``."""
    *above, last = _select_keys(path)
    held: dict[str, Any] = {last: [value] if isinstance(path[-1], int) else value}
    for key in reversed(above):
        held = {key: held}
    return held


def join_keys(path: Path) -> str:
    """Return the keys of a path as one text, without the positions in lists."""
    return "/".join(_select_keys(path))


def _select_keys(path: Path) -> list[str]:
    return [step for step in path if isinstance(step, str)]


def get_value(choices: Any, path: Path) -> Any:
    """Return the value at a path in the choices of a draft; None if the path leads nowhere."""
    with suppress(KeyError, IndexError, TypeError):
        return reduce(getitem, path, choices)
    return None


def list_part_words(verb: Verb) -> set[str]:
    """Return the words that begin the parts of an order with this verb, such as 'losses', 'advance', 'retreat'."""
    return set(re.findall("[a-z][a-z-]+", verb.usage)).intersection(
        (*vocabulary.list_parts(), *vocabulary.list_words())
    )


def describe_usage(verb: Verb, ask: OrderContext, most: int = MOST) -> str:
    """Return help for an order: an example, the parts to type, and at most ``most`` possible words."""
    clauses = verb.clauses(ask, ()) if verb.clauses else ()
    among = [f"  {word}{f' ({text})' if text else ''}" for clause in clauses for word, text in clause.among]
    told = machine.leave_out_commands(f"  and {len(among) - most} more: 'kursk order {verb.name} --all' lists them")
    more = [told] if len(among) > most else []
    lines = [f"say more, as in '{verb.example}': {verb.explain(ask)}", f"  {verb.name} {verb.usage}"]
    now = ["now there are"] if among else ["now there is no choice"] if verb.clauses else []
    notes = [f"  {note}" for clause in clauses if not clause.word for note in clause.notes]
    return "\n".join((*lines, *now, *among[:most], *more, *notes))
