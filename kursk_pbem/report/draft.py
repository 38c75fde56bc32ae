"""A draft: the turn file of a message as a form, YAML with the possibilities in comments.

ASCII, at most 79 columns. The strict reader returns exactly the given fields and values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from kursk_pbem.formats.yamlout import escape, form_lines, write_scalar
from kursk_pbem.kernel.ruleset import Hint
from kursk_pbem.kernel.state import Plain
from kursk_pbem.report.layout import wrap

WIDTH = 79
"""A terminal of 80 columns shows a draft without line breaks."""
_FIELD_WIDTH = 72  # of the envelope, as in the mailed file
_ORDER = ("choice", "waive", "orders", "decisions", "policy", "seal")

_FOREIGN = re.compile(r"[^ -~]")


def render(fields: Mapping[str, Plain], hints: Sequence[Hint], preface: Sequence[str], bare: bool = False) -> str:  # noqa: FBT001, FBT002
    """Return the text of a draft, which ends with a newline.

    The ``fields`` come first, in order. Hints follow, grouped by the first key. A hint is a comment, with a value in
    the next line. A hint with the value ``None`` is only a comment. ``bare``: omit comments.
    """
    out = [] if bare else [line for text in preface for line in _format_comment(text, 0)]
    for key, value in fields.items():
        out += form_lines(key, value, 0, _FIELD_WIDTH)
    tops = dict.fromkeys(hint.path[0] for hint in hints)
    for top in sorted(tops, key=lambda top: _ORDER.index(top) if top in _ORDER else len(_ORDER)):
        if not bare:
            out.append("")
        out += _format_group(top, [hint for hint in hints if hint.path[0] == top], bare=bare)
    return "\n".join((*out, ""))


def _format_group(top: str, hints: list[Hint], *, bare: bool) -> Iterator[str]:
    """Yield one top key: with a single value, or as a mapping with an entry for each hint."""
    within = any(len(hint.path) > 1 and hint.value is not None for hint in hints)
    if within:
        yield f"{write_scalar(top)}:"
    indent = 2 if within else 0
    for number, hint in enumerate(hints):
        if not bare:
            if number:
                yield ""
            for text in hint.lines:
                yield from _format_comment(text, indent)
        if hint.value is not None:
            yield from form_lines(hint.path[-1], hint.value, indent, WIDTH)


def _format_comment(text: str, indent: int) -> list[str]:
    """Return a comment at the column of the key; further lines are indented by two columns."""
    safe = _FOREIGN.sub(lambda match: escape(match.group()), text)
    inner = safe.lstrip(" ")
    first = " " * indent + "# " + " " * (len(safe) - len(inner))
    return wrap(inner, first, first + "  ", WIDTH)
