"""Canonical JSON (protocol 3.1), its hashes, and the prefix for other hash inputs.

The data consist of strings, lists and mappings, without numbers, booleans and null. For this subset the form is RFC
8785. Canonical JSON begins with ``{``. Other hash inputs begin with :data:`DS`, so no input has two meanings.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any, NoReturn, TypeAlias

from kursk_pbem.errors import FileError, Where

Plain: TypeAlias = "str | list[Plain] | dict[str, Plain]"

DS = b"kursk-pbem/v1/"
"""The first bytes of every hash input that is not canonical JSON (protocol 3), so no two kinds of input are equal."""

REFEREE = "referee"
"""The referee's name in ``from``, ``keys``, ``dice-from`` and a stage table. No ruleset has a side with this name."""

MAX_BYTES = 262_144
MAX_DEPTH = 12

DECOR = "decor"
"""The key, at the top of a map, of data for drawing only. No rule reads these data."""
NOT_ADJUDICATED = frozenset(
    ("title", "name", "short", "label", "note", "notes", "provenance", "source", "colour", DECOR)
)
"""Keys of scenario data that no adjudication uses, so the scenario's hash omits these keys (protocol 2.2)."""

_TEXTS = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)
_STEPS = [(byte in b"[{") - (byte in b"]}") for byte in range(256)]
"""Byte outside texts -> change of the depth."""
_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, check_circular=False).encode


def canon(obj: Mapping[str, Any] | Sequence[Any] | str) -> bytes:
    """Return the canonical JSON of plain data as bytes. Plain data are strings, lists, mappings with string keys."""
    return _encode(obj).encode("utf-8")


def ordered(data: Any) -> Any:
    """Return the data with every mapping's keys in canonical order, because signatures cover only this order."""
    if isinstance(data, str):  # the most frequent case
        return data
    if isinstance(data, list):
        return [item if isinstance(item, str) else ordered(item) for item in data]
    if isinstance(data, dict) or isinstance(data, Mapping):  # noqa: SIM101  one test of both is slow
        return {key: value if isinstance(value := data[key], str) else ordered(value) for key in sorted(data)}
    return data


def sha256_hex(data: bytes) -> str:
    """Return the SHA-256 of ``data`` in lower-case hex, 64 digits."""
    return hashlib.sha256(data).hexdigest()


def shorten(one: str, other: str, least: int = 16) -> tuple[str, str]:
    """Return the beginnings of two hashes: equally long, at least ``least`` digits, and long enough to differ (T40)."""
    same = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    most = least * (same // least + 1)
    return one[:most], other[:most]


def state_hash(state: Mapping[str, Any]) -> str:
    """Return the hash of a state mapping (protocol 3.2), 64 hex digits. Raises ValueError without ``type: state``."""
    if state.get("type") != "state":
        raise ValueError("a state mapping needs 'type': 'state', so that no state has the hash of a message")
    return sha256_hex(canon(state))


def scenario_hash(data: Mapping[str, Any]) -> str:
    """Return the hash of merged scenario data without the keys NOT_ADJUDICATED (protocol 2.2); 64 hex digits."""
    return sha256_hex(canon(_keep_adjudicated(data)))


def _keep_adjudicated(data: Any) -> Any:
    if isinstance(data, Mapping):
        return {
            key: value if type(value) is str else _keep_adjudicated(value)
            for key, value in data.items()
            if key not in NOT_ADJUDICATED
        }
    if isinstance(data, list | tuple):
        return [_keep_adjudicated(value) for value in data]
    return data


def parse_canonical(raw: bytes, name: str, most: int = MAX_BYTES) -> dict[str, Plain]:
    """Read canonical JSON strictly (protocol 3.1): the bytes must equal ``canon`` of the data.

    ``name``: the file, in errors. ``most``: maximum bytes. Raises FileError for a blank, a repeated key, a number, a
    different order of keys, too much length or depth, or a top level without mapping.
    """
    where = Where(name)

    def refuse(fault: str) -> NoReturn:
        msg = f"this is not canonical JSON: {fault}. Ask for the file again, or take the .yaml file of the same message"
        raise FileError(msg, where)

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(items)
        if len(result) != len(items):
            refuse("a key occurs twice in one mapping")
        return result

    def number(text: str) -> NoReturn:
        refuse(f"it holds the number or constant {text[:20]}, and everything is text in quotes")

    if len(raw) > most:
        refuse(f"it has {len(raw)} bytes, and {most} are the most")
    if is_too_deep(raw):  # asked first, because the recursion of json.loads ends the engine of a web page
        refuse(f"the file is nested more than {MAX_DEPTH} deep")
    try:
        data = json.loads(
            raw.decode("utf-8"), object_pairs_hook=pairs, parse_float=number, parse_int=number, parse_constant=number
        )
        if not isinstance(data, dict):
            refuse("the top level is not a mapping in braces")
        _check_plain(data, refuse)
        again = canon(data)
    except UnicodeDecodeError as error:
        refuse(f"the file cannot be read (byte {error.start + 1} is no UTF-8)")
    except json.JSONDecodeError as error:
        refuse(f"the file cannot be read (something is missing or too much at character {error.pos + 1})")
    except ValueError:  # a lone surrogate, impossible in UTF-8
        refuse("the file cannot be read (an escape names no character)")
    if again != raw:
        refuse(
            "a blank or line end is before or after the content"
            if again == raw.strip()
            else "blanks, escapes or the order of keys differ from the one allowed spelling"
        )
    return data


def is_too_deep(raw: bytes) -> bool:
    """Return whether JSON is nested so deeply that reading it could crash the Python engine of a web page."""
    return max(accumulate(map(_STEPS.__getitem__, _TEXTS.sub(b"", raw))), default=0) > MAX_DEPTH


def _check_plain(value: Any, refuse: Any) -> None:
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            if not isinstance(inner, str):
                _check_plain(inner, refuse)
    elif not isinstance(value, str):
        refuse("it holds true, false or null without quotes, and everything is text in quotes")
