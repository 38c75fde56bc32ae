"""Explanations of errors in YAML files, for the writer. Imported only after an error."""

from __future__ import annotations

from typing import Any

from kursk_pbem.formats.text import show
from kursk_pbem.formats.yamlalike import COLON, COMMENT

_BEFORE = (
    "the text here does not fit the text before; look for a quote closed too early or not at all, or for a bracket "
    "too many"
)
_DIGITS = "an escape with too few digits: \\x has two, \\u four, \\U eight"
_BRACKET = "a comma is missing here, or the bracket OPENED is not closed"
_COLON = "a ':' is not possible here; compare the indentation with the next lines. Write a text with ': ' in quotes"
_ESCAPE = "in double quotes a \\ begins an escape, but this escape does not exist; write \\\\, or take single quotes"
_ENTRY = "a '- ' inside a line; begin a new line for each entry of a list"

_HERE = {  # part of a parser's message -> explanation; the place of the error is where the parser stopped
    "mapping values are not allowed": _COLON,
    "cannot start any token": "write a text beginning with @ ` or % in quotes",
    "unknown escape character": _ESCAPE,
    "hexdecimal": _DIGITS,
    "hexadecimal": _DIGITS,
    "invalid Unicode character": "the escape names no character; correct the escape",
    "expected ',' or '}'": _BRACKET,
    "expected ',' or ']'": _BRACKET,
    "expected key": _BEFORE,
    "<block end>": _BEFORE,
    "node content": "a value is missing here; look for a missing end, or for a comma or bracket too many",
    "sequence entries are not allowed": _ENTRY,
    "expected '-' indicator": "this line is in a list, but does not begin with '- '",
    "found unexpected ':'": COLON,
    "chomping or indentation indicators": COMMENT,
    "comment or line break": "| or > must be the end of the line",
    "document start": "the file continues after the end of the text (...); delete the rest",
}
_WHERE_IT_BEGINS = {  # likewise, for errors at the beginning of the wrong part
    "could not find expected ':'": "no ':' with a blank after it, as in 'key: value'",
    "unexpected end of stream": "the quote that begins here is not closed",
    "unexpected document": "the quote that begins here is not closed",
}


def describe_error(error: Any) -> tuple[str, int]:
    """Return an explanation of a PyYAML error, and its line (from 1, or 0 if unknown)."""
    problem = str(getattr(error, "problem", None) or getattr(error, "reason", None) or "unreadable")
    mark, begins = getattr(error, "problem_mark", None), getattr(error, "context_mark", None)
    for part, meant in _WHERE_IT_BEGINS.items():
        if part in problem:
            return meant, _line(begins or mark)
    for part, meant in _HERE.items():
        if part in problem:
            return meant.replace("OPENED", f"of line {_line(begins)}" if begins else "before it"), _line(mark)
    said = show(problem)[1:-1]
    return f"this cannot be read ({said}); compare quotes, brackets and indentation with the lines before", _line(mark)


def _line(mark: Any) -> int:
    return 0 if mark is None else int(mark.line) + 1


_INSTEAD = {
    "\u2018": "'",
    "\u2019": "'",
    "\u201c": '"',
    "\u201d": '"',
    "\u2013": "-",
    "\u2014": "-",
    "\u00a0": "a blank",
}
"""Replacements of plain characters by word processors and mail programs."""


def name_byte(raw: bytes, at: int, column: int, *, edits: bool = False) -> str:
    """Return a description of the forbidden byte at ``at``, with a remedy. The byte is no printable ASCII or line end.

    ``edits``: the user edits this file, so letters in UTF-8 are allowed.
    """
    if raw.startswith(b"\xef\xbb\xbf"):
        return "the file begins with a byte order mark; save it again as plain text (ASCII) without one"
    if raw and not any(raw[:100]):
        return "the file holds only zeros, because copying failed; copy the file again, or ask for it again"
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff") or 0 in raw[:2]:
        return "the file is written in UTF-16; save it again as plain text (ASCII)"
    byte = raw[at]
    if byte == 9:
        return f"in column {column} is a TAB; use blanks"
    if byte < 32 or byte == 127:
        return f"in column {column} is the control character 0x{byte:02x}; delete it"
    letter = raw[at : at + 4].decode("utf-8", "ignore")[:1]
    if not letter or not raw.startswith(letter.encode("utf-8"), at):
        letter = ""
    if edits and letter:
        why = "an invisible character or a character that changes other characters"
        return f"in column {column} is U+{ord(letter):04X}, {why}; delete it"
    if edits:
        return f"in column {column} is the byte 0x{byte:02x}, no letter in UTF-8; save the file as UTF-8"
    if letter in _INSTEAD:
        why = "'corrected' by a mail program or an editor"
        return f"in column {column} is U+{ord(letter):04X}, {why}; write {_INSTEAD[letter]} instead"
    what = f"U+{ord(letter):04X}" if letter else f"0x{byte:02x}"
    how = ascii(letter)[1:-1].replace("\\x", "\\u00") if letter else "\\u00fc"
    return (
        f"in column {column} is {what}, but only plain ASCII is allowed here; in a note or name write "
        f'"{how}", in double quotes'
    )
