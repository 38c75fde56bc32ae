"""A draft: the turn file of a message as a form to fill in, YAML with what is possible in comments.

ASCII, at most 79 columns; what the strict reader reads back is exactly the fields and values given. Every text that
a looser reader could take for something else stands in quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from kursk_pbem.kernel.ruleset import Hint
from kursk_pbem.kernel.state import Plain
from kursk_pbem.report.layout import wrap

WIDTH = 79
"""A terminal of 80 columns shows a draft without breaking its lines."""
_FIELD_WIDTH = 72  # of the envelope: as in the file that is mailed
_ORDER = ("choice", "waive", "orders", "decisions", "policy", "seal")

_BARE = re.compile(r"[A-Za-z][A-Za-z0-9./-]*")
_HASH = re.compile(r"(?![0-9e]*$)(?:[0-9a-f]{64}|[0-9a-f]{32})")
_NOT_BARE = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null"))
_FOREIGN = re.compile(r"[^ -~]")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n"}


def render(fields: Mapping[str, Plain], hints: Sequence[Hint], preface: Sequence[str], bare: bool = False) -> str:  # noqa: FBT001, FBT002
    """The text of a draft that ends in a newline.

    ``fields`` first, in their order; then the hints by their top key, each value below its comment. A hint without a
    value (None) shows only the comment. ``bare`` leaves all comments out.
    """
    out = [] if bare else [line for text in preface for line in _comment(text, 0)]
    for key, value in fields.items():
        out += _entry(key, value, 0, _FIELD_WIDTH)
    for top in _tops(hints):
        if not bare:
            out.append("")
        out += _group(top, [hint for hint in hints if hint.path[0] == top], bare=bare)
    return "\n".join((*out, ""))


def _tops(hints: Iterable[Hint]) -> list[str]:
    """The top keys of the hints: those we know in their order, then others as they come."""
    found = dict.fromkeys(hint.path[0] for hint in hints)
    return [*(top for top in _ORDER if top in found), *(top for top in found if top not in _ORDER)]


def _group(top: str, hints: list[Hint], *, bare: bool) -> Iterator[str]:
    """One top key: alone with its value, or a mapping with one entry a hint."""
    within = any(len(hint.path) > 1 and hint.value is not None for hint in hints)
    if within:
        yield f"{scalar(top)}:"
    indent = 2 if within else 0
    for number, hint in enumerate(hints):
        if not bare:
            if number:
                yield ""
            for text in hint.lines:
                yield from _comment(text, indent)
        if hint.value is not None:
            yield from _entry(hint.path[-1], hint.value, indent, WIDTH)


def _comment(text: str, indent: int) -> list[str]:
    """A comment at the column of its key; what does not fit hangs two columns further in."""
    safe = _FOREIGN.sub(lambda found: _escape(found.group()), text)
    inner = safe.lstrip(" ")
    first = " " * indent + "# " + " " * (len(safe) - len(inner))
    return wrap(inner, first, first + "  ", WIDTH)


def scalar(text: str) -> str:
    """One text on one line: bare, in single quotes, or with escapes in double quotes."""
    if _BARE.fullmatch(text):
        return f"'{text}'" if text.lower() in _NOT_BARE else text
    if _HASH.fullmatch(text):
        return text
    if not _FOREIGN.search(text):
        return "'" + text.replace("'", "''") + "'"
    return '"' + "".join(map(_escape, text)) + '"'


def _escape(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if " " <= character <= "~":
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def flow(value: Plain) -> str:
    """A value on one line: ``{posture: engage, reaction: 'no'}``, ``[g-52, '2113']``."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{scalar(key)}: {flow(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, str):
        return scalar(value)
    return "[" + ", ".join(map(flow, value)) + "]"


def _entry(key: str, value: Plain, indent: int, width: int) -> list[str]:
    return _below(" " * indent + scalar(key) + ":", value, indent, width)


def _below(head: str, value: Plain, indent: int, width: int) -> list[str]:
    """A value after ``head`` (a key or a dash at column ``indent``), or under it where it does not fit."""
    line = flow(value)
    pad = " " * (indent + 2)
    if len(head) + 1 + len(line) <= width:
        return [f"{head} {line}"]
    if isinstance(value, str):
        return [head, pad + line] if len(pad + line) <= width else [head, *_folded(value, pad, width)]
    if isinstance(value, Mapping):
        return [head, *(text for key, inner in value.items() for text in _entry(key, inner, indent + 2, width))]
    if all(isinstance(item, str) for item in value) and all(len(pad + scalar(item)) + 2 < width for item in value):
        return [head, *_listed([scalar(item) for item in value], pad, width)]
    return [head, *(text for item in value for text in _below(pad + "-", item, indent + 2, width))]


def _listed(texts: list[str], pad: str, width: int) -> list[str]:
    """A list of words in brackets over as many lines as it takes."""
    lines, line = [], pad + "[" + texts[0]
    for text in texts[1:]:
        line += ","
        if len(line) + len(text) + 2 > width:
            lines.append(line)
            line = pad + " " + text
        else:
            line += " " + text
    return [*lines, line + "]"]


def _folded(text: str, pad: str, width: int) -> list[str]:
    """A long text in double quotes over several lines, each but the last ending in a backslash."""
    room = max(width - len(pad) - 4, 20)
    lines, line = [], ""
    for character in text:
        piece = _escape(character)
        if len(line) + len(piece) > room:
            lines.append(line)
            line = ""
        line += piece
    lines.append(line)
    # A blank at the beginning of a line would be taken for indentation.
    rest = [f"\\{part}" if part.startswith(" ") else part for part in lines[1:]]
    whole = [f'"{lines[0]}', *rest]
    return [f"{pad}{part}\\" for part in whole[:-1]] + [f'{pad}{whole[-1]}"']
