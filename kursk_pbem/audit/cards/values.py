"""The smallest parts of a card: words, quoted texts, lists in brackets, mappings in braces, and tables.

A table is a list of paths with a value at the end: ``patrol s-air1 3014, flown s-air1 patrol`` is
``{patrol: {s-air1: 3014}, flown: {s-air1: patrol}}``. The word ``gone`` is None: the entry is missing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kursk_pbem.errors import UsageError

COMMA, SEMICOLON = ",", ";"
_GONE = "gone"
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],;]|[^\s{}\[\],;"]+')
_PLAIN = re.compile(r'[^\s{}\[\],;"]*[^\s{}\[\],;":]')
"""A word without quotes. A word with a colon at its end is a key."""


def read_line(text: str) -> list[Any]:
    """Return the values in a line of a card: texts (also ',' and ';'), lists, mappings, None. Raises UsageError."""
    values, left = _read_values(_TOKEN.findall(text), "")
    if left or _TOKEN.sub("", text).strip():
        raise UsageError(f"a bracket or quotation mark has no partner in {text!r}")
    return values


def _read_values(tokens: Sequence[str], end: str) -> tuple[list[Any], Sequence[str]]:
    """Return the values up to the token ``end``, and the tokens after it. Raises UsageError."""
    values: list[Any] = []
    while tokens:
        word, tokens = tokens[0], tokens[1:]
        if word == end:
            return values, tokens
        if word == "[":
            inner, tokens = _read_values(tokens, "]")
            values.append([join(part) for part in split(inner, COMMA)])
        elif word == "{":
            inner, tokens = _read_values(tokens, "}")
            values.append({_read_key(part): join(part[1:]) for part in split(inner, COMMA)})
        elif word[0] == '"':
            values.append(json.loads(word))
        else:
            values.append(None if word == _GONE else word)
    if end:
        raise UsageError(f"{end!r} is missing")
    return values, tokens


def _read_key(part: Sequence[Any]) -> str:
    """Return the key at the beginning of an entry in braces: a word with a colon. Raises UsageError."""
    if not isinstance(part[0], str) or part[0][-1:] != ":":
        raise UsageError(f"an entry in braces must begin with a key and a colon, not with {part[0]!r}")
    return part[0][:-1]


def join(part: Sequence[Any]) -> Any:
    """Return a single value unchanged; join several words into one text with blanks. Raises UsageError for no value."""
    if len(part) == 1:
        return part[0]
    if not all(isinstance(word, str) for word in part):
        raise UsageError(f"a comma is missing in {part!r}")
    return " ".join(part)


def split(values: Sequence[Any], separator: str) -> list[list[Any]]:
    """Split values into parts at each ``separator``. Return no part if there are no values."""
    parts: list[list[Any]] = [[]]
    for value in values:
        if value == separator:
            parts.append([])
        else:
            parts[-1].append(value)
    return [part for part in parts if part]


def write_value(value: Any) -> str:
    """Return a value as a card shows it: a word, a quoted text, a list, a mapping, or ``gone``."""
    if value is None:
        return _GONE
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_write_key(key)} {_write_inner(inner)}' for key, inner in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_write_inner, value))}]"
    return str(value) if _is_plain(value) else json.dumps(value)


def _write_inner(value: Any) -> str:
    """Return the text of a value in brackets or braces, where several words need no quotes."""
    plain = isinstance(value, str) and all(map(_is_plain, value.split(" ")))
    return str(value) if plain else write_value(value)


def _is_plain(word: Any) -> bool:
    return isinstance(word, str) and word != _GONE and bool(_PLAIN.fullmatch(word))


def _write_key(key: str) -> str:
    return f"{key}:" if _PLAIN.fullmatch(key) else json.dumps(f"{key}:")


def read_table(values: Sequence[Any]) -> dict[str, Any]:
    """Return a table on a card as a mapping. Raises UsageError if the table is wrong."""
    table: dict[str, Any] = {}
    for *path, value in split(values, COMMA):
        if not path or not all(isinstance(step, str) for step in path):
            raise UsageError(f"{value!r} in a table has no key; write each entry as KEY VALUE, or as KEY KEY VALUE")
        inner = table
        for step in path[:-1]:
            inner = inner.setdefault(step, {})
            if not isinstance(inner, dict):
                raise UsageError(f"{step!r} in a table has a value and also entries: keep the value or the entries")
        inner[path[-1]] = value
    return table


def write_table(table: Mapping[str, Any]) -> str:
    """Return a mapping as the text of a table on a card."""
    return ", ".join(_list_entries(table))


def _list_entries(table: Mapping[str, Any]) -> Iterator[str]:
    """Yield the entries of a table; mappings with several long entries stay in braces, which are shorter."""
    for key, value in table.items():
        word, whole = write_value(key), f"{write_value(key)} {write_value(value)}"
        parts = [f"{word} {entry}" for entry in _list_entries(value)] if isinstance(value, dict) else []
        if parts and len(", ".join(parts)) <= len(whole) + len(word):
            yield from parts
        else:
            yield whole
