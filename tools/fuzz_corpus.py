"""Sources of inputs: good files, nasty pieces, and ways to spoil files."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests"

SPECIAL = (
    b"&a ",
    b"*a",
    b"*a : b",
    b"!!python/object/apply:os.system [ls]",
    b"!!binary aGk=",
    b"! ",
    b"!!map",
    b"!<x> ",
    b"%YAML 1.1\n---\n",
    b"%TAG ! tag:x,2000:\n",
    b"---\n",
    b"...\n",
    b"<<: *a\n",
    b"<<: {a: b}\n",
    b"? ",
    b"? [a]\n: b\n",
    b"? |\n  a\n: b\n",
    b"- ",
    b"-\n",
    b": ",
    b":",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b"[[[[[[[[[[[[[[",
    b"{a: {a: {a: {a: ",
    b"|\n",
    b"|+\n",
    b"|-\n",
    b">\n",
    b">-\n",
    b"|9\n",
    b"|0\n",
    b"| # x\n",
    b"'",
    b"''",
    b'"',
    b'"\\',
    b'"\\x00"',
    b'"\\u202e"',
    b'"\\uD800"',
    b'"\\UFFFFFFFF"',
    b'"\\U0010FFFF"',
    b'"\\N"',
    b'"\\P"',
    b'"\\_"',
    b'"\\\n  x"',
    b'"\\u0423"',
    b"0113",
    b"0x1F",
    b"1_000",
    b"1e3",
    b".inf",
    b"~",
    b"null",
    b"yes",
    b"NO",
    b"=",
    b"12:30",
    b"-0",
    b"2026-01-01",
    b"\t",
    b"\r",
    b"\r\n",
    b"\n",
    b"\n\n\n",
    b"\x00",
    b"\x07",
    b"\x1b[2J",
    b"\x7f",
    b"\x85",
    b"\xa0",
    b"\xc2\x85",
    b"\xe2\x80\xa8",
    b"\xe2\x80\xae",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xd0\xa3",
    b"\xf0\x9f\x98\x80",
    b"#",
    b" # x",
    b"\n# x\n",
    b"    ",
    b"@",
    b"`",
    b"a: b: c\n",
    b"key: 'value'\n",
    b"kursk-pbem: '1'\n",
    b"signature: |\n",
    b"state:\n",
    b"state: {type: state}\n",
    b"type: turn\n",
    b"seq: '1'\n",
    b'note: "\\u0423"\n',
    b"> ",
    b"=\n",
    b"=3D",
    b"-----BEGIN SSH SIGNATURE-----\n",
    b"-----END SSH SIGNATURE-----\n",
    b"__proto__: x\n",
    b"__class__: x\n",
)
"""Pieces with a meaning for a YAML reader, a terminal or a mail program."""

UNITS = (
    b"[",
    b"{",
    b"- ",
    b"- - ",
    b"? ",
    b"a: ",
    b"{a: ",
    b"[[],",
    b"a: b\n",
    b"- x\n",
    b"x ",
    b"'",
    b"''",
    b'"',
    b"\\",
    b"#",
    b"# x\n",
    b"\n",
    b" ",
    b" \n",
    b"k: |\n  x\n",
    b"&a ",
    b"!a ",
    b"---\n",
    b"\r",
    b"*a ",
    b",",
    b"a,",
    b"[a],",
    b"{},",
    b'"\\u0423",',
    b"kursk-pbem: '1'\n",
    b": ",
    b":\n",
    b"-\n",
    b"a:\n ",
    b"%a\n",
    b"|\n",
    b">\n\n",
)
"""Units that fill a file up to the maximum size."""

LIMIT = 262_144


def read_all(pattern: str, most: int = 0) -> list[bytes]:
    """Return the files of the test tree that match a pattern. ``most``: maximum number, evenly spread."""
    found = sorted(TESTS.glob(pattern))
    step = max(1, len(found) // most) if most else 1
    return [path.read_bytes() for path in found[::step]]


def spoil_bytes(rng: random.Random, raw: bytes, others: list[bytes], tokens: tuple[bytes, ...] = SPECIAL) -> bytes:
    """Change bytes in one to six places."""
    data = bytearray(raw)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        at = rng.randrange(len(data) + 1)
        size = rng.choice((1, 1, 2, 8, 60, 500))
        match rng.randrange(10):
            case 0:
                data[at : at + 1] = bytes((rng.randrange(256),))
            case 1:
                del data[at : at + size]
            case 2:
                data[at:at] = rng.randbytes(rng.choice((1, 4, 30)))
            case 3:
                data[at:at] = data[at : at + size] * rng.choice((1, 2, 30))
            case 4 | 5:
                data[at : at + rng.choice((0, 0, 1, size))] = rng.choice(tokens)
            case 6 if others:
                other = rng.choice(others)
                from_ = rng.randrange(len(other) + 1)
                data[at : at + rng.choice((0, size))] = other[from_ : from_ + size * 4]
            case 7:
                _spoil_lines(rng, data)
            case 8:
                data[at:] = b"" if rng.random() < 0.5 else data[:at]
            case _:
                data[at : at + 1] = bytes((rng.choice(b"'\"{}[]:,-#&*!|>%@` \n0aA"),))
    return bytes(data)


def _spoil_lines(rng: random.Random, data: bytearray) -> None:
    """Swap, double, drop or indent whole lines."""
    lines = bytes(data).split(b"\n")
    one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(5):
        case 0:
            lines[one], lines[two] = lines[two], lines[one]
        case 1:
            lines.insert(one, lines[two])
        case 2:
            del lines[one]
        case 3:
            lines[one] = b" " * rng.choice((1, 2, 7)) + lines[one]
        case _:
            lines[one] = lines[one].lstrip()
    data[:] = b"\n".join(lines)


def fill_file(rng: random.Random, raw: bytes, size: int = LIMIT) -> bytes:
    """Fill a file with copies of a unit up to about ``size``."""
    unit = rng.choice(UNITS) * rng.choice((1, 1, 3)) + rng.choice((b"", b"", rng.choice(UNITS)))
    at = rng.choice((0, len(raw), rng.randrange(len(raw) + 1), raw.find(b"\n") + 1))
    room = size + rng.choice((-1, -20, 0, 1)) - len(raw)
    return raw[:at] + unit * max(0, room // len(unit)) + raw[at:]


Pool = Callable[[random.Random, Any], Any]
"""A function that makes a replacement for a value."""

STRINGS = (
    "",
    "x",
    "0",
    "1",
    "-1",
    "01",
    "999999999",
    "0113",
    "2113",
    "9999",
    "yes",
    "no",
    "german",
    "russian",
    "referee",
    "a" * 64,
    "a" * 65,
    "0" * 64,
    "0" * 32,
    "engage",
    "pause",
    "turn-1",
    "posture/turn-1",
    "plans/2",
    "x" * 300,
    " ",
    "a b",
    "'",
    '"',
    "\\",
    "{",
    "#",
    ": ",
    "- ",
    "~",
    "A/B.c-d",
    "-x",
    "ssh-ed25519 AAAA",
    "<<",
    "2110-2009",
    "toward 2113",
    "away 9999",
    "g-1",
    "r-13",
    "always",
    "state",
    "__class__",
)
ODD = ("\n", "a\nb", "\u0423\u0440\u0430", "\U0001f600", "\u202e", "\x00", "\x1b[2J", "\u2028", "\ufeff", "x\n", "\x7f")


def any_value(rng: random.Random, _old: Any) -> Any:
    """Return a random plain value of any form."""
    match rng.randrange(9):
        case 0:
            return {}
        case 1:
            return []
        case 2:
            return [rng.choice(STRINGS) for _ in range(rng.randrange(4))]
        case 3:
            return {rng.choice(STRINGS): any_value(rng, None) for _ in range(rng.randrange(3))}
        case 4:
            value: Any = "x"
            for _ in range(rng.choice((2, 9, 13))):
                value = [value] if rng.random() < 0.5 else {"a": value}
            return value
        case _:
            return rng.choice(STRINGS)


def find_paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value in a tree; the root is ()."""
    yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from find_paths(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from find_paths(inner, (*path, number))


def change_tree(rng: random.Random, tree: Any, times: int, pool: Pool = any_value, wild: float = 1.0) -> Any:
    """Copy a tree and change some places: replace values, rename keys, or drop, double and move parts.

    A change that is not ``wild`` only replaces texts, or drops, doubles and shuffles parts of lists.
    """
    tree = copy.deepcopy(tree)
    for _ in range(times):
        where = [path for path in find_paths(tree) if path]
        if not where:
            return tree
        *way, last = rng.choice(where)
        holder = tree
        for step in way:
            holder = holder[step]
        if rng.random() >= wild:
            _change_gently(rng, holder, last, pool)
            continue
        if rng.random() < 0.11:
            holder[last] = copy.deepcopy(_pick_part(rng, tree))
        else:
            _change_wildly(rng, holder, last, pool)
    return tree


def _change_wildly(rng: random.Random, holder: Any, last: Any, pool: Pool) -> None:
    value = holder[last]
    match rng.randrange(8):
        case 0:
            del holder[last]
        case 1 | 2 | 3:
            holder[last] = pool(rng, value)
        case 4 if isinstance(holder, dict):
            key = str(pool(rng, last)) if rng.random() < 0.5 else rng.choice(STRINGS)
            holder[key] = holder.pop(last)
        case 4 | 5 if isinstance(holder, list):
            holder[last:last] = [copy.deepcopy(value)] * rng.choice((1, 1, 2, 25))
        case 5:
            holder[rng.choice(STRINGS)] = copy.deepcopy(value)
        case 6:
            holder[last] = [value] if rng.random() < 0.5 else {rng.choice(STRINGS): value}
        case _ if isinstance(value, list):
            rng.shuffle(value)
        case _ if isinstance(value, str) and value:
            at = rng.randrange(len(value))
            holder[last] = value[:at] + rng.choice(("", value[at] * 2, "0", "Z", " ")) + value[at + 1 :]


def _change_gently(rng: random.Random, holder: Any, last: Any, pool: Pool) -> None:
    value = holder[last]
    if isinstance(holder, list) and rng.random() < 0.4:
        holder[last : last + 1] = [copy.deepcopy(value)] * rng.choice((0, 0, 2))
    elif isinstance(value, str):
        holder[last] = pool(rng, value)
    elif isinstance(value, list):
        rng.shuffle(value)


def _pick_part(rng: random.Random, tree: Any) -> Any:
    """Return a small part of a tree."""
    path = rng.choice(list(find_paths(tree)))
    for step in path:
        tree = tree[step]
    return tree if len(json.dumps(tree)) < 5000 else "x"


def fatten_message(rng: random.Random, tree: dict[str, Any]) -> dict[str, Any]:
    """Return a message near the maximum size in bytes, values or levels."""
    letter = rng.choice(('"', "\\", "'", "a", "0", "-", " ", "\u0423", "\U0001f600"))
    text = letter * rng.choice((1, 6, 30, 60, 62, 4096))
    match rng.randrange(4):
        case 0:
            bulk: Any = [text] * min(rng.choice((LIMIT // 2, LIMIT)) // (len(text) + 3) + rng.randrange(-60, 3), 19_900)
        case 1:
            values = sum(1 + isinstance(path[-1], str) for path in find_paths(tree) if path)  # a key counts as a value
            bulk = ["a"] * max(0, 20_000 - values + rng.randrange(-8, 8))
        case 2:
            bulk = {f"k{number}": text[:60] for number in range(rng.choice((3000, 9000, 9900)))}
        case _:
            bulk = text
            for _ in range(rng.randrange(7, 14)):
                bulk = [bulk] if rng.random() < 0.5 else {"a": bulk}
    where = rng.choice(("orders", "policy", "choice", "reveal", "note", "state"))
    if where == "reveal":
        return {**tree, "reveal": {"plans/2": {"salt": "0" * 32, "value": bulk}}}
    if where == "state":
        return {**tree, "state": {"type": "state", "a": bulk}}
    return {**tree, where: bulk if where == "note" else {"a": bulk}}


def write_yaml(rng: random.Random, tree: dict[str, Any]) -> bytes:
    """Write a mapping as YAML in a random layout. Most layouts keep the data."""
    style = _Style(rng)
    head = rng.choice((b"", b"", b"---\n", b"# x\n\n"))
    tail = rng.choice((b"", b"", b"...\n", b"# the end"))
    text = "".join(f"{line}\n" for line in style.write_mapping(tree, 0)) if tree else "{}\n"
    raw = head + text.encode("ascii", "backslashreplace") + tail
    return raw.replace(b"\n", rng.choice((b"\n", b"\n", b"\n", b"\r\n", b"\r")))


class _Style:
    """Writes a file with a random style for each value."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.indent = rng.choice((1, 2, 2, 4))
        self.flow = rng.choice((0.0, 0.1, 0.9))

    def write_mapping(self, tree: dict[str, Any], indent: int) -> Iterator[str]:
        pad = " " * indent
        for key, value in tree.items():
            mark = f"{pad}{self.write_text(key)}:"
            if isinstance(value, str) or not value or self.rng.random() < self.flow:
                yield f"{mark} {self.write_inline(value)}{self.rng.choice(('', '', ' ', ' # x'))}"
            else:
                yield mark
                yield from self.write_block(value, indent + self.indent)

    def write_block(self, value: Any, indent: int) -> Iterator[str]:
        if isinstance(value, dict):
            yield from self.write_mapping(value, indent)
            return
        for each in value:
            if isinstance(each, str) or not each or self.rng.random() < self.flow:
                yield f"{' ' * indent}- {self.write_inline(each)}"
            else:
                yield f"{' ' * indent}-"
                yield from self.write_block(each, indent + self.indent)

    def write_inline(self, value: Any) -> str:
        if isinstance(value, str):
            return self.write_text(value)
        if isinstance(value, dict):
            return (
                "{"
                + ", ".join(f"{self.write_text(key)}: {self.write_inline(each)}" for key, each in value.items())
                + "}"
            )
        return "[" + ", ".join(map(self.write_inline, value)) + "]"

    def write_text(self, text: str) -> str:
        plain = text.isascii() and text.isprintable()
        if text and all(c.isalnum() or c in "/." for c in text) and plain and self.rng.random() < 0.7:
            return text
        if plain and self.rng.random() < 0.5:
            return "'" + text.replace("'", "''") + "'"
        return '"' + "".join(_escape_letter(c) for c in text) + '"'


def _escape_letter(c: str) -> str:
    if c in '"\\':
        return "\\" + c
    if " " <= c <= "~":
        return c
    return f"\\U{ord(c):08x}"
