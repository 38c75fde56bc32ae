"""Differences between libyaml and PyYAML's own parser, and between YAML 1.1 and 1.2: refused with either parser.

Not every machine has libyaml, and a verdict must not depend on this (T26). A search over half a million small files
found three differences. A question mark in or before a plain text between brackets. A colon after a plain text,
directly before a comma or a bracket. A comment directly after ``|`` or ``>``. Keys marked with ``?`` are refused
everywhere: ``{?foo: 1}`` has a marked key in YAML 1.1, and the key ``?foo`` in YAML 1.2.
"""

from __future__ import annotations

import re
from typing import Any

_COLON_BEFORE = re.compile(rb":[,\[\]{}]")
_BLOCK_HEAD = re.compile(rb"[|>][-+0-9]{0,2}#")

_MARKED_KEY = "a key with ? before is not allowed here; write 'key: value', and write a text with ? in quotes"
_QUESTION = "between brackets write a text with ? in quotes"
COLON = "a ':' directly before a comma or a bracket; write a blank after the ':', or the text in quotes"
COMMENT = "a comment directly after | or >; write a blank between, or delete the comment"


def find_fault(raw: bytes, loader: Any) -> tuple[str, Any] | None:
    """Return the first text that other parsers may read unlike ``loader``, as (fault, place); None without such."""
    perhaps = b"?" in raw or _COLON_BEFORE.search(raw) or (b"#" in raw and _BLOCK_HEAD.search(raw))
    return _find_parser_difference(raw, loader) if perhaps else None


def _find_parser_difference(raw: bytes, loader: Any) -> tuple[str, Any] | None:
    from yaml import scan, tokens  # noqa: PLC0415  rarely needed

    opens, closes = (
        (tokens.FlowSequenceStartToken, tokens.FlowMappingStartToken),
        (tokens.FlowSequenceEndToken, tokens.FlowMappingEndToken),
    )
    inside, plain = 0, False
    for token in scan(raw, Loader=loader):
        at = token.start_mark.index
        inside += isinstance(token, opens) - isinstance(token, closes)
        if isinstance(token, tokens.KeyToken) and raw[at : at + 1] == b"?":
            return _MARKED_KEY, token.start_mark
        if isinstance(token, tokens.ValueToken) and inside and plain and raw[at + 1 : at + 2] in b",?[]{}":
            return COLON, token.start_mark
        plain = False
        if isinstance(token, tokens.ScalarToken):
            plain = token.plain
            if plain and inside and "?" in token.value:
                return _QUESTION, token.start_mark
            if not plain and _BLOCK_HEAD.match(raw, at):
                return COMMENT, token.start_mark
    return None
