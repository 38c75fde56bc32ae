"""Strict YAML (protocol 4.2): bytes become text, lists and mappings only.

The reader uses libyaml's *events*, never its object graph: no tag is resolved, no alias is followed, and every scalar
stays text as written. ``0113`` is not 75, ``NO`` is not False, ``<<`` is an ordinary key.

Nesting cannot crash this reader. Deep nesting overflows the stack of libyaml's recursive *composer* in CSafeLoader, but
this reader never calls the composer; the parser keeps its stack on the heap. Parsing 262 kB of ``[`` to the end would
take minutes, because the parser walks its list of possible keys for every token. But the reader stops at depth 12, and
the parser looks ahead at most 1024 characters: 6 ms, mostly the check of the bytes. PyYAML's own parser, used without
libyaml, has the same design.
"""

from __future__ import annotations

import re
from dataclasses import field
from functools import cache, cached_property
from typing import Any, Literal, NoReturn, TypeAlias

from kursk_pbem.errors import FileError, Where
from kursk_pbem.formats import yamlalike
from kursk_pbem.formats.canonical import MAX_BYTES, MAX_DEPTH, NOT_ADJUDICATED, Plain
from kursk_pbem.formats.text import free_text_fault, machine_fault, odd_at, show, to_utf8
from kursk_pbem.frozen import frozen

MAX_NODES = 20_000
MAX_SCALAR = 4096
TOO_MANY = f"more than {MAX_NODES} values, the limit; is this the right file?"
TOO_DEEP = f"lists and mappings in one another, more than {MAX_DEPTH} deep; is there a bracket too many?"
NO_MAPPING = "this file does not begin with a line 'key: value', as a mapping does; is this the right file?"
ALIAS = "an alias (*name) is not allowed here; write the value out"

Kind = Literal["message", "scenario", "tournament", "invitation"]
Path = tuple[str | int, ...]

_Lines: TypeAlias = "int | tuple[int, dict[str, _Lines]] | tuple[int, list[_Lines]]"

_FOREIGN_BYTE = re.compile(rb"[^\x20-\x7e\r\n]")
_KNOWN_BYTES = bytes((10, 13, *range(0x20, 0x7F)))
_LETTER = re.compile(r"[^\x00-\x7f]")
_DIRECTIVE = re.compile(rb"(?:\A|[\r\n])%")
_FIELD = re.compile(rb"^([A-Za-z-]+):( [^ #\n])?", re.MULTILINE)
_PLAIN_FIELDS = re.compile(rb"(?:#[^\n]*+\n|[ ]*+\n)*+[A-Za-z-]+:")
_ODD_FIELD = re.compile(rb"^(?:['\"]|[A-Za-z-]++[ ]++:)", re.MULTILINE)
"""A field in a form that could hide among the lines of a value."""
_FREE_TEXT = {
    "message": frozenset(("note", "names", "signature")),
    "scenario": NOT_ADJUDICATED,
    "tournament": frozenset(("name", "note", "title", "why", "signature", "countersignature")),
    "invitation": frozenset(("name", "note", "signature")),
}


@frozen
class Document:
    """A parsed file: its ``data``, its ``name`` in errors, and its bytes ``raw`` (empty if there is no file).

    ``above``: how many outer keys of the data's paths the file does not contain. ``values``: the number of values and
    keys; ``holders``: the number of lists and mappings among these. Lines are computed on demand, because nearly every
    file is correct and needs no lines.
    """

    data: dict[str, Plain]
    name: str
    raw: bytes = field(default=b"", repr=False, compare=False)
    above: int = field(default=0, repr=False, compare=False)
    values: int = field(default=0, repr=False, compare=False)
    holders: int = field(default=0, repr=False, compare=False)

    @cached_property
    def _lines(self) -> _Lines:
        """The line of every value: a tree of the same form as the data."""
        return _find_lines(self.raw) if self.raw else 0

    @cached_property
    def _fields(self) -> dict[str, int]:
        """The lines of fields that occur once with their value, because parsing the file again is slow.

        0 for fields without a clear line.
        """
        lines: dict[str, int] = {}
        line, at = 1, 0
        plain = b"\r" not in self.raw and _PLAIN_FIELDS.match(self.raw) and not _ODD_FIELD.search(self.raw)
        for found in _FIELD.finditer(self.raw if plain else b""):
            line, at = line + self.raw.count(b"\n", at, found.start()), found.start()
            key = found[1].decode("ascii")
            lines[key] = line if found[2] and key not in lines else 0
        return lines

    def where(self, path: Path = ()) -> Where:
        """Return file and line of the value at ``path`` (keys, list positions), or of its nearest existing parent."""
        if len(path) == 1 and not self.above and path[0] in self.data and (line := self._fields.get(str(path[0]), 0)):
            return Where(self.name, line)
        lines = self._lines
        for step in path[self.above :]:
            if isinstance(lines, int):
                break
            inner: Any = lines[1]
            try:
                lines = inner[step]
            except (KeyError, IndexError, TypeError):
                break
        return Where(self.name, lines if isinstance(lines, int) else lines[0])


def read(raw: bytes, name: str, kind: Kind = "message") -> Document:
    """Read a strict YAML file; ``name`` is its name in error messages.

    ``kind`` determines the places of free text (protocol 4.3). In a message they are ``note``, ``names`` and
    ``signature`` of the top level. A tournament's paper has its own top-level keys. In scenario files they are the keys
    that are never adjudicated, at any depth. The file is ASCII; other letters are escapes in double quotes. Raises
    FileError with file and line, the problem and a remedy.
    """
    _check_size(raw, name)
    if raw.translate(None, _KNOWN_BYTES) and (match := _FOREIGN_BYTE.search(raw)):  # ten times faster than the search
        _refuse_byte(raw, match.start(), name, edits=False)
    return _build_document(raw, name, kind)


def read_edited(raw: bytes, name: str, kind: Kind = "message") -> Document:
    """Read a file that a person edits, such as a draft, like :func:`read`. Raises FileError.

    The file may be in UTF-8 or UTF-16 and begin with a byte order mark. Free text and comments may contain letters
    beyond ASCII. The document contains the text in UTF-8.
    """
    _check_size(raw, name)
    raw = to_utf8(raw)
    if raw.translate(None, _KNOWN_BYTES) and (at := odd_at(raw)) is not None:
        _refuse_byte(raw, at, name, edits=True)
    return _build_document(raw, name, kind)


def _build_document(raw: bytes, name: str, kind: Kind) -> Document:
    if b"%" in raw and (match := _DIRECTIVE.search(raw)):
        line = re.sub(rb"\r\n?", b"\n", raw[: match.end()]).count(b"\n") + 1
        msg = "a line beginning with % is a YAML directive, and not allowed here; delete the line"
        raise FileError(msg, Where(name, line))
    try:
        return _Builder(name, kind).build(raw)
    except RecursionError:
        raise FileError("this file is nested too deeply for a turn file. Ask for the file again", Where(name)) from None


def _check_size(raw: bytes, name: str) -> None:
    if len(raw) > MAX_BYTES:
        raise FileError(f"the file has more than the allowed {MAX_BYTES} bytes; is it the right file?", Where(name))


def _refuse_byte(raw: bytes, at: int, name: str, *, edits: bool) -> NoReturn:
    """Raise FileError for the byte at ``at``; ``edits``: the reader can edit the file."""
    from kursk_pbem.formats import yamlwords  # noqa: PLC0415  only where something is wrong

    line = re.sub(rb"\r\n?", b"\n", raw[:at]).count(b"\n") + 1
    column = at - max(raw.rfind(b"\n", 0, at), raw.rfind(b"\r", 0, at))
    raise FileError(yamlwords.name_byte(raw, at, column, edits=edits), Where(name, line))


@cache
def event_parser() -> Any:
    """Return PyYAML's event parser, preferably libyaml's."""
    import yaml  # noqa: PLC0415  13 ms, only where a file is read

    return getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def _find_lines(raw: bytes) -> _Lines:
    """Return the lines of a file after a successful reading, so the file is well formed and not deep."""
    loader = event_parser()(raw)
    try:
        loader.get_event()  # start of the stream
        loader.get_event()  # start of the document
        return _find_line(loader.get_event, loader.get_event())
    finally:
        loader.dispose()


def _find_line(get: Any, event: Any) -> _Lines:
    """Return the line of the value that begins with ``event``, and the lines of its parts."""
    from yaml import events as ev  # noqa: PLC0415

    line: int = event.start_mark.line + 1
    if type(event) is ev.MappingStartEvent:
        entries: dict[str, _Lines] = {}
        while type(key := get()) is not ev.MappingEndEvent:
            entries[key.value] = _find_line(get, get())
        return line, entries
    if type(event) is ev.SequenceStartEvent:
        items: list[_Lines] = []
        while type(item := get()) is not ev.SequenceEndEvent:
            items.append(_find_line(get, item))
        return line, items
    return line


class _Builder:
    """The builder of the data from events."""

    def __init__(self, name: str, kind: Kind) -> None:
        self.name = name
        self.anywhere = kind == "scenario"
        self.free_keys = _FREE_TEXT[kind]
        self.values = self.holders = 0

    def refuse(self, message: str, mark: Any) -> NoReturn:
        raise FileError(f"{message} (column {mark.column + 1})", Where(self.name, mark.line + 1))

    def build(self, raw: bytes) -> Document:
        from yaml import YAMLError  # noqa: PLC0415

        loader = None
        try:
            loader = event_parser()(raw)
            data = self.consume(loader.get_event)
            alike = raw if raw.isascii() else _LETTER.sub("x", raw.decode("utf-8")).encode("ascii")
            if fault := yamlalike.find_fault(alike, event_parser()):
                self.refuse(*fault)
            return Document(data, self.name, raw, values=self.values, holders=self.holders)
        except YAMLError as error:
            from kursk_pbem.formats import yamlwords  # noqa: PLC0415  only where something is wrong

            msg, line = yamlwords.describe_error(error)
            raise FileError(msg, Where(self.name, line)) from None
        except (ValueError, OverflowError):  # PyYAML's own parser: an escape such as "\UFFFFFFFF"
            raise FileError("this escape sequence stands for no character; correct it", Where(self.name)) from None
        finally:
            if loader is not None:
                loader.dispose()

    def consume(self, get: Any) -> dict[str, Plain]:  # noqa: C901, PLR0912, PLR0915  one loop, because calls would cost 1 ms
        from yaml import events as ev  # noqa: PLC0415

        scalar, seq_start, map_start, seq_end, map_end = (
            ev.ScalarEvent,
            ev.SequenceStartEvent,
            ev.MappingStartEvent,
            ev.SequenceEndEvent,
            ev.MappingEndEvent,
        )
        self.start_of_document(get, ev)
        stack: list[tuple[Any, Any, bool]] = []  # enclosing containers, with key and freedom
        data: Any = None  # innermost open container, key without value, free text or not
        key: str | None = None
        free = False
        top: Any = None
        mapping = False
        nodes = 0
        while True:
            event = get()
            kind = type(event)
            if kind is scalar:
                value = event.value
                if event.tag is not None or event.anchor is not None or len(value) > MAX_SCALAR:
                    self.refuse_scalar(event)
                if not (value.isascii() and value.isprintable()):
                    self.check_text(event, key, free=free and (not mapping or key is not None), depth=len(stack))
            elif kind is map_end or kind is seq_end:
                data, key, free = stack.pop()
                if data is None:
                    break
                mapping = type(data) is dict
                key = None
                continue
            elif kind is map_start or kind is seq_start:
                if event.tag is not None or event.anchor is not None:
                    self.refuse_extra(event)
                value = {} if kind is map_start else []
            else:
                self.refuse(ALIAS, event.start_mark)
            nodes += 1
            if nodes > MAX_NODES:
                self.refuse(TOO_MANY, event.start_mark)
            # attach the value to the innermost container
            if data is None:
                if kind is not map_start:
                    self.refuse(NO_MAPPING, event.start_mark)
                top = value
            elif not mapping:
                data.append(value)
            elif key is None:
                if kind is not scalar or value in data:
                    self.refuse_key(event)
                key = value
                continue
            else:
                data[key] = value
            if kind is scalar:
                key = None
                continue
            if len(stack) >= MAX_DEPTH:
                self.refuse(TOO_DEEP, event.start_mark)
            self.holders += 1
            stack.append((data, key, free))
            free = free or ((len(stack) == 2 or self.anywhere) and key in self.free_keys)
            data, key, mapping = value, None, kind is map_start
        self.end_of_document(get, ev)
        self.values = nodes
        plain: dict[str, Plain] = top
        return plain

    def start_of_document(self, get: Any, ev: Any) -> None:
        get()  # start of the stream
        event = get()
        if type(event) is ev.StreamEndEvent:
            msg = "this file is empty but for comments; "
            msg += (
                "it should hold a part of a scenario"
                if self.anywhere
                else "ask for the file again, or write your draft again with 'kursk setup draft'"
            )
            raise FileError(msg, Where(self.name))
        if event.version is not None or event.tags:
            self.refuse("a YAML directive (a line with %) is not allowed here; delete it", event.start_mark)

    def end_of_document(self, get: Any, ev: Any) -> None:
        get()  # end of the document
        after = get()
        if type(after) is not ev.StreamEndEvent:
            self.refuse("a second document begins here (---); one file contains one turn", after.start_mark)

    def refuse_extra(self, event: Any) -> NoReturn:
        what = "an anchor (&name)" if event.anchor is not None else "a tag (!name)"
        self.refuse(f"{what} is not allowed here; write the value out, as plain text", event.start_mark)

    def refuse_scalar(self, event: Any) -> NoReturn:
        if event.tag is not None or event.anchor is not None:
            self.refuse_extra(event)
        size = len(event.value)
        self.refuse(f"a text of {size} characters, and {MAX_SCALAR} are the most; shorten it", event.start_mark)

    def refuse_key(self, event: Any) -> NoReturn:
        twice = f"the key {show(event.value)} occurs twice; keep one" if hasattr(event, "value") else ""
        self.refuse(twice or "a key must be a plain word, as in 'key: value', no list or mapping", event.start_mark)

    def check_text(self, event: Any, key: str | None, *, free: bool, depth: int) -> None:
        """Refuse text outside U+0020 to U+007E (protocol 4.2), except in free text. Keys are never free."""
        free = free or (key is not None and key in self.free_keys and (depth == 1 or self.anywhere))
        if not free and "\n" in event.value:
            self.refuse(
                f"{show(event.value)} runs over several lines (U+000A); is a line after it indented that "
                "should not be, or a quote not closed?",
                event.start_mark,
            )
        if not free:
            self.refuse(
                f"the character {machine_fault(event.value)} in {show(event.value)}; only plain ASCII is "
                "allowed here, so type the word again (other letters only in notes and names)",
                event.start_mark,
            )
        if fault := free_text_fault(event.value):
            self.refuse(
                f"the character {fault} in {show(event.value)} is not allowed even in notes and names, because "
                "the character is invisible or changes other characters; delete the character",
                event.start_mark,
            )
