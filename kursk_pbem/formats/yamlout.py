"""The only writer of YAML: plain data as mailed (protocol 3.6), and as a form to fill in.

The output is pure ASCII. Mailed data are in block style, in lines of at most 72 columns. In a form a short mapping or
list is on the line of its key. Plain words and hashes are bare. Other strings and strings of digits are in quotes, so
looser YAML readers see the same text. A value too long for the line of its key is on the next line; longer text is
folded in double quotes. Only SSH keys and long keys of mappings may exceed the columns, because neither can be broken.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from kursk_pbem.formats.text import is_machine

WIDTH = 72

_BARE = re.compile(r"[A-Za-z][A-Za-z0-9./-]*")
_HASH = re.compile(r"(?![0-9e]*$)(?:[0-9a-f]{64}|[0-9a-f]{32})")
_NOT_BARE = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null"))
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n"}
_ESCAPED = {"u": len("\\u1234"), "U": len("\\U12345678")}
_MOST = 8192
"""Maximum number of remembered strings, and of letters."""


def yaml_lines(data: Mapping[str, Any], indent: int = 0) -> list[str]:
    """Return the YAML lines of a mapping in the order of its keys, each line indented by ``indent`` blanks."""
    out: list[str] = []
    pad = " " * indent
    written = _WRITTEN
    for key, value in data.items():
        head = f"{pad}{written[key]}:"
        if type(value) is str and len(value) < WIDTH:
            text = written[value]
            if len(head) + len(text) < WIDTH:
                out.append(f"{head} {text}")
                continue
        _put_value(out, head, value, indent)
    return out


def form_lines(key: str, value: Any, indent: int, width: int) -> list[str]:
    """Return the lines of an entry in a form. The value is on the key's line if ``width`` suffices, otherwise below."""
    return _write_below(f"{' ' * indent}{_WRITTEN[key]}:", value, indent, width)


def write_scalar(text: str) -> str:
    """Return a string on one line: bare, in single quotes, or with escapes in double quotes."""
    return _WRITTEN[text]


def write_flow(value: Any) -> str:
    """Return a value on one line: ``{posture: engage, reaction: 'no'}``, ``[g-52, '2113']``."""
    if isinstance(value, str):
        return _WRITTEN[value]
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_WRITTEN[key]}: {write_flow(inner)}" for key, inner in value.items()) + "}"
    return "[" + ", ".join(map(write_flow, value)) + "]"


class _Written(dict[str, str]):
    """Remembered written strings, because a position repeats a few hundred strings thousands of times."""

    def __missing__(self, text: str) -> str:
        written = _write_scalar(text)
        if len(text) <= WIDTH:  # a stranger's long strings would fill the memory
            if len(self) >= _MOST:
                self.clear()
            self[text] = written
        return written


class _Letters(dict[int, str]):
    """Remembered forms of letters in double quotes, by code point."""

    def __missing__(self, code: int) -> str:
        if len(self) >= _MOST:
            self.clear()
        self[code] = written = chr(code) if 0x20 <= code <= 0x7E else escape(chr(code))
        return written


_WRITTEN = _Written()
_LETTERS = _Letters()


def _write_scalar(text: str) -> str:
    if _BARE.fullmatch(text):
        return f"'{text}'" if text.lower() in _NOT_BARE else text
    if _HASH.fullmatch(text):
        return text
    if is_machine(text):
        return "'" + text.replace("'", "''") + "'"
    return f'"{_escape_text(text)}"'


def _escape_text(text: str) -> str:
    """Return text for double quotes, like :func:`escape` for each letter, but fast enough for millions of letters."""
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return text if text.isascii() and text.isprintable() else text.translate(_LETTERS)


def escape(character: str) -> str:
    """Return a character as it is written inside double quotes."""
    if character in _ESCAPES:
        return _ESCAPES[character]
    if " " <= character <= "~":
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _put_value(out: list[str], head: str, value: Any, indent: int) -> None:
    """Write ``value`` after ``head`` (a key or a dash at column ``indent``) or below."""
    inner = indent + 2
    if isinstance(value, list | tuple):
        _put_list(out, head, value, indent)
    elif not isinstance(value, str):
        if value:
            out.append(head)
            out += yaml_lines(value, inner)
        else:
            out.append(f"{head} {{}}")
    elif len(value) > WIDTH and not value.startswith("ssh-ed25519 "):  # the written form is not shorter
        out.append(head)
        out += _fold_text(value, inner)
    else:
        text = _WRITTEN[value]
        if len(head) + 1 + len(text) <= WIDTH:
            out.append(f"{head} {text}")
        elif inner + len(text) <= WIDTH or value.startswith("ssh-ed25519 "):
            out += [head, " " * inner + text]
        else:
            out.append(head)
            out += _fold_text(value, inner)


def _put_list(out: list[str], head: str, items: Sequence[Any], indent: int) -> None:
    if set(map(type, items)) <= {str} and max(map(len, items), default=0) <= WIDTH:
        texts = [_WRITTEN[item] for item in items]
        flow = f"[{', '.join(texts)}]"
        if len(head) + 1 + len(flow) <= WIDTH or not texts:
            out.append(f"{head} {flow}")
            return
        if all(indent + 4 + len(text) <= WIDTH for text in texts):
            out.append(head)
            out += _write_brackets(texts, indent + 2, WIDTH)
            return
    out.append(head)
    # Below a key the dashes are in its column; below a dash this is impossible.
    out += _write_items(items, indent + 2 if head.endswith("-") else indent)


def _write_items(items: Sequence[Any], indent: int) -> list[str]:
    out: list[str] = []
    dash = " " * indent + "-"
    for item in items:
        if isinstance(item, dict) and item:
            first, *rest = yaml_lines(item, indent + 2)
            out.append(f"{dash} {first[indent + 2 :]}")
            out += rest
        else:
            _put_value(out, dash, item, indent)
    return out


def _write_below(head: str, value: Any, indent: int, width: int) -> list[str]:
    """Return a value of a form after ``head`` (a key or a dash at column ``indent``), or below if too long."""
    line, inner = write_flow(value), indent + 2
    if len(head) + 1 + len(line) <= width:
        return [f"{head} {line}"]
    if isinstance(value, str):
        return [head, " " * inner + line] if inner + len(line) <= width else [head, *_fold_text(value, inner, width)]
    if isinstance(value, Mapping):
        return [head, *(text for key, entry in value.items() for text in form_lines(key, entry, inner, width))]
    if all(isinstance(item, str) and inner + len(_WRITTEN[item]) + 2 < width for item in value):
        return [head, *_write_brackets([_WRITTEN[item] for item in value], inner, width)]
    return [head, *(text for item in value for text in _write_below(" " * inner + "-", item, inner, width))]


def _write_brackets(texts: list[str], indent: int, width: int) -> list[str]:
    """Return a list in brackets, over several lines if necessary."""
    lines: list[str] = []
    line = " " * indent + "["
    for position, text in enumerate(texts):
        piece = text + ("," if position < len(texts) - 1 else "]")
        if len(line.rstrip()) + 1 + len(piece) > width and line.strip() != "[":
            lines.append(line.rstrip())
            line = " " * (indent + 1)
        line += piece + " "
    return [*lines, line.rstrip()]


def _fold_text(text: str, indent: int, width: int = WIDTH) -> list[str]:
    """Return text in double quotes, over several lines if necessary; a backslash ends every line except the last."""
    pad = " " * indent
    room = max(width - indent - 3, 20)  # without the pad, a quote, an escaped blank and the backslash
    parts: list[str] = []
    at, text = 0, _escape_text(text)
    while (end := _find_break(text, at, at + room)) < len(text):
        blank = text.rfind(" ", at + room // 2, end)
        cut = end if blank < 0 else blank + 1
        parts.append(text[at:cut])
        at = cut
    parts.append(text[at:])
    # A blank at the beginning of a line would count as indentation.
    parts = [f'"{parts[0]}', *(f"\\{part}" if part.startswith(" ") else part for part in parts[1:])]
    return [f"{pad}{part}\\" for part in parts[:-1]] + [f'{pad}{parts[-1]}"']


def _find_break(text: str, at: int, end: int) -> int:
    """Return the last position from ``at`` to ``end`` at which escaped text may be broken: outside an escape."""
    last = text.rfind("\\", at, end)
    if last >= 0:
        before = text[at : last + 1]
        odd = (len(before) - len(before.rstrip("\\"))) % 2  # after an even number the backslash itself is escaped
        if odd and last + _ESCAPED.get(text[last + 1], 2) > end:
            return last
    return min(end, len(text))
