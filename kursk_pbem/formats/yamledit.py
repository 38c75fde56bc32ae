"""Changes one place of a YAML text and keeps the rest as written: comments, blank lines, order, layout.

The reader's events determine the place of each value; only these characters are replaced. A change that would damage
the surroundings is refused. The caller must read the new text again and compare.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from kursk_pbem.errors import UsageError
from kursk_pbem.formats.strictyaml import Path, event_parser
from kursk_pbem.formats.yamlout import form_lines, write_flow, write_scalar

WIDTH = 79


@dataclass
class _Node:
    """A value: offsets of its first character and after its last, ``column`` of the first from 0, and its content."""

    start: int
    end: int
    column: int
    text: str = ""
    kind: str = "text"
    flow: bool = False
    keys: list[_Node] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    values: list[_Node] = field(default_factory=list)

    def leaves(self) -> Iterator[tuple[int, int]]:
        """Yield the places of its texts, including keys."""
        if self.kind == "text":
            yield self.start, self.end
        for number, value in enumerate(self.values):
            if self.keys:
                yield self.keys[number].start, self.keys[number].end
            yield from value.leaves()

    def plain(self) -> Any:
        """Return its content as plain data."""
        if self.kind == "map":
            return {name: value.plain() for name, value in zip(self.names, self.values, strict=True)}
        return self.text if self.kind == "text" else [value.plain() for value in self.values]


def put_value(text: str, path: Path, value: Any) -> str:
    """Return the text with ``value`` at ``path``; create missing mappings. Raises UsageError if the place is wrong."""
    node, rest = _walk_path(text, path)
    if rest and (node.kind == "list" or any(isinstance(step, int) for step in rest)):
        _refuse_change(text, node, "the list has no such entry")
    if len(rest) == 1:
        return _insert_key(text, node, path, value)
    if rest:
        for step in reversed(rest[1:]):
            value = {step: value}
        return put_value(text, path[: len(path) - len(rest) + 1], value)
    if isinstance(value, Mapping) and node.kind == "map" and value and node.values:
        return _merge_mapping(text, node, path, value)
    if node.kind == "list" and node.values and value == []:
        for number in reversed(range(len(node.values))):
            text = drop_entry(text, (*path, number))
        return text
    return _replace_value(text, node, path, value)


def add_entry(text: str, path: Path, value: Any) -> str:
    """Return the text with ``value`` appended to the list at ``path``. Raises UsageError if the place is wrong."""
    node, rest = _walk_path(text, path)
    if rest or not node.values:
        return put_value(text, path, [value])
    if node.kind != "list":
        _refuse_change(text, node, "no list is at this place")
    final = node.values[-1]
    if not node.flow:
        return _after_line(text, final.end, _write_item(value, node.column))
    line = text[_line_start(text, final.end) : final.end]
    piece = write_flow(value)
    if len(line) + len(piece) + 4 <= WIDTH:
        return _replace_span(text, final.end, final.end, f", {piece}")
    pad = " " * node.values[0].column
    return _replace_span(text, final.end, final.end, f",{_find_newline(text)}{pad}{piece}")


def drop_entry(text: str, path: Path) -> str:
    """Return the text without the value at ``path``; keep an emptied parent. Raises UsageError if impossible."""
    node, rest = _walk_path(text, path)
    if rest:
        return text
    parent, _none = _walk_path(text, path[:-1])
    number = parent.names.index(str(path[-1])) if parent.kind == "map" else int(path[-1])
    if parent.flow:
        return _drop_in_line(text, parent, number)
    key = parent.keys[number] if parent.kind == "map" else None
    start = key.start if key else _find_dash(text, parent, node)
    first = _line_start(text, start)
    if text[first:start].strip():
        _refuse_change(text, node, "it begins in the line of another entry")
    last = _line_end(text, node.end)
    kept = [" " * parent.column + comment for comment in _find_comments(text, parent if key else node, start, last)]
    lines = "".join(comment + _find_newline(text) for comment in kept)
    left = text[:first] + lines + text[last:].removeprefix("\r").removeprefix("\n")
    if len(parent.values) > 1 or len(path) == 1:
        return left
    return _mark_empty(left, text, path, "{}" if parent.kind == "map" else "[]")


def _mark_empty(left: str, text: str, path: Path, sign: str) -> str:
    """Return the text with a sign for an empty value after the key of the block at ``path``."""
    outer, _rest = _walk_path(text, path[:-2])
    if outer.kind != "map":
        _refuse_change(text, outer, "the list would be empty")
    colon = text.index(":", outer.keys[outer.names.index(str(path[-2]))].end) + 1
    return _replace_span(left, colon, colon, f" {sign}")


def _walk_path(text: str, path: Path) -> tuple[_Node, Path]:
    """Return the value at a path, or its nearest existing ancestor, and the remaining steps."""
    node = _parse_text(text)
    for number, step in enumerate(path):
        if node.kind == "map" and step in node.names:
            node = node.values[node.names.index(str(step))]
        elif node.kind == "list" and isinstance(step, int) and step < len(node.values):
            node = node.values[step]
        else:
            return node, path[number:]
    return node, ()


def _insert_key(text: str, node: _Node, path: Path, value: Any) -> str:
    """Append a new key to a mapping."""
    key = str(path[-1])
    if not node.values:
        return _replace_value(text, node, path[:-1], {key: value})
    final = node.values[-1]
    if node.flow:
        return _replace_span(text, final.end, final.end, f", {write_flow({key: value})[1:-1]}")
    return _after_line(text, final.end, _write_entry(key, value, node.column))


def _merge_mapping(text: str, node: _Node, path: Path, value: Mapping[str, Any]) -> str:
    """Replace a mapping key by key, so the surroundings of equal values stay."""
    for name in node.names:
        if name not in value:
            text = drop_entry(text, (*path, name))
    for name, inner in value.items():
        here, rest = _walk_path(text, (*path, name))
        if rest or here.plain() != inner:
            text = put_value(text, (*path, name), inner)
    return text


def _replace_value(text: str, node: _Node, path: Path, value: Any) -> str:
    """Replace a value."""
    if any(_find_comments(text, node, node.start, node.end)):
        _refuse_change(text, node, "a comment is inside")
    parent, _rest = _walk_path(text, path[:-1])
    if parent.flow:
        return _replace_span(text, node.start, node.end, write_flow(value))
    if parent.kind == "list":
        lines = _write_item(value, parent.column)
        return _replace_block(text, _find_dash(text, parent, node), node.end, lines)
    key = parent.keys[parent.names.index(str(path[-1]))]
    return _replace_block(text, key.start, node.end, _write_entry(str(path[-1]), value, key.column))


def _replace_block(text: str, start: int, end: int, lines: list[str]) -> str:
    """Replace an entry by lines. Keep a comment after the entry in the first line."""
    head, *rest = lines
    behind = text[end : _line_end(text, end)]
    pieces = [head.lstrip(" ") + behind, *rest]
    return text[:start] + _find_newline(text).join(pieces) + text[end + len(behind) :]


def _drop_in_line(text: str, parent: _Node, number: int) -> str:
    """Remove an entry between brackets with its comma."""
    starts = [key.start for key in parent.keys] or [value.start for value in parent.values]
    ends = [value.end for value in parent.values]
    if len(ends) == 1:
        start, end = parent.start + 1, parent.end - 1
    elif number + 1 < len(ends):
        start, end = starts[number], starts[number + 1]
    else:
        start, end = ends[number - 1], ends[number]
    if any(_find_comments(text, parent, start, end)):
        _refuse_change(text, parent.values[number], "a comment is next to the value, between the brackets")
    return _replace_span(text, start, end, "")


def _find_comments(text: str, node: _Node, start: int, end: int) -> Iterator[str]:
    """Yield the comments from ``start`` to ``end``, the range of ``node`` or of its parts."""
    at = start
    for first, last in [*((a, b) for a, b in node.leaves() if start <= a < end), (end, end)]:
        for line in text[at : max(first, at)].splitlines():
            _before, sign, words = line.partition("#")
            if sign:
                yield f"#{words}".rstrip()
        at = last


def _write_entry(key: str, value: Any, column: int) -> list[str]:
    """Return the lines that write an entry of a mapping. A list of orders has a line for each order."""
    if isinstance(value, list) and any(not isinstance(item, str) for item in value):
        return [f"{' ' * column}{write_scalar(key)}:", *(line for item in value for line in _write_item(item, column))]
    return form_lines(key, value, column, WIDTH)


def _write_item(value: Any, column: int) -> list[str]:
    """Return the lines of an entry of a list, with a dash in ``column``."""
    line = f"{' ' * column}- {write_flow(value)}"
    if len(line) <= WIDTH or not isinstance(value, Mapping) or not value:
        return [line]
    lines = [line for key, inner in value.items() for line in _write_entry(key, inner, column + 2)]
    return [f"{' ' * column}- {lines[0].lstrip(' ')}", *lines[1:]]


def _find_dash(text: str, parent: _Node, node: _Node) -> int:
    """Return the offset of the dash before an entry of a block list."""
    start = _line_start(text, node.start)
    while text[start + parent.column : start + parent.column + 1] != "-" or start + parent.column >= node.start:
        if start <= parent.start:
            _refuse_change(text, node, "the '-' is in the wrong place")
        start = _line_start(text, start - 1)
    return start + parent.column


def _after_line(text: str, at: int, lines: list[str]) -> str:
    """Insert lines after the line in which a value ends at ``at``."""
    newline, end = _find_newline(text), _line_end(text, at)
    whole = newline.join(lines)
    return f"{text[:end]}{newline}{whole}{text[end:]}"


def _replace_span(text: str, start: int, end: int, piece: str) -> str:
    return text[:start] + piece + text[end:]


def _find_newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def _line_end(text: str, at: int) -> int:
    """Return the end of the line that contains ``at``, before its line end."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end - (text[end - 1] == "\r")


def _refuse_change(text: str, node: _Node, why: str) -> NoReturn:
    line = text.count("\n", 0, node.start) + 1
    raise UsageError(f"line {line} of the draft cannot be changed safely: {why}; change the line in your editor")


def _parse_text(text: str) -> _Node:
    """Return the places of the values in a text that the strict reader accepts."""
    from yaml.events import MappingStartEvent, ScalarEvent, SequenceStartEvent  # noqa: PLC0415

    reader = event_parser()(text.encode("utf-8"))
    kinds = {ScalarEvent: "", MappingStartEvent: "map", SequenceStartEvent: "list"}
    try:
        reader.get_event()  # start of the stream
        reader.get_event()  # start of the document
        return _read_node(reader.get_event, reader.get_event(), kinds)
    finally:
        reader.dispose()


def _read_node(get: Any, event: Any, kinds: Mapping[type, str]) -> _Node:
    """Return the value that begins with ``event``; ``kinds``: the kind of value that an event begins."""
    first = event.start_mark
    node = _Node(first.index, event.end_mark.index, first.column)
    kind = kinds[type(event)]
    if not kind:
        node.text = event.value
        return node
    node.flow, node.kind = bool(event.flow_style), kind
    while type(inner := get()) in kinds:
        if kind == "map":
            node.keys.append(_read_node(get, inner, kinds))
            node.names.append(inner.value)
            inner = get()
        node.values.append(_read_node(get, inner, kinds))
    node.end = inner.end_mark.index if node.flow else node.values[-1].end
    return node
