"""A draft: the turn file of a message as a form to fill in, YAML with what is possible in comments.

ASCII, at most 79 columns; what the strict reader reads back is exactly the fields and values given.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from kursk_pbem.formats.yamlout import escape, form_lines, write_scalar
from kursk_pbem.kernel.ruleset import Hint
from kursk_pbem.kernel.state import Plain
from kursk_pbem.report.layout import wrap

WIDTH = 79
"""A terminal of 80 columns shows a draft without breaking its lines."""
_FIELD_WIDTH = 72  # of the envelope: as in the file that is mailed
_ORDER = ("choice", "waive", "orders", "decisions", "policy", "seal")

_FOREIGN = re.compile(r"[^ -~]")


def render(fields: Mapping[str, Plain], hints: Sequence[Hint], preface: Sequence[str], bare: bool = False) -> str:  # noqa: FBT001, FBT002
    """The text of a draft that ends in a newline.

    ``fields`` first, in their order; then the hints by their top key, each value below its comment. A hint without a
    value (None) shows only the comment. ``bare`` leaves all comments out.
    """
    out = [] if bare else [line for text in preface for line in _comment(text, 0)]
    for key, value in fields.items():
        out += form_lines(key, value, 0, _FIELD_WIDTH)
    for top in _tops(hints):
        if not bare:
            out.append("")
        out += _group(top, [hint for hint in hints if hint.path[0] == top], bare=bare)
    return "\n".join((*out, ""))


def _tops(hints: Iterable[Hint]) -> list[str]:
    """The top keys of the hints: those we know in their order, then others as they come."""
    tops = dict.fromkeys(hint.path[0] for hint in hints)
    return [*(top for top in _ORDER if top in tops), *(top for top in tops if top not in _ORDER)]


def _group(top: str, hints: list[Hint], *, bare: bool) -> Iterator[str]:
    """One top key: alone with its value, or a mapping with one entry a hint."""
    within = any(len(hint.path) > 1 and hint.value is not None for hint in hints)
    if within:
        yield f"{write_scalar(top)}:"
    indent = 2 if within else 0
    for number, hint in enumerate(hints):
        if not bare:
            if number:
                yield ""
            for text in hint.lines:
                yield from _comment(text, indent)
        if hint.value is not None:
            yield from form_lines(hint.path[-1], hint.value, indent, WIDTH)


def _comment(text: str, indent: int) -> list[str]:
    """A comment at the column of its key; what does not fit hangs two columns further in."""
    safe = _FOREIGN.sub(lambda match: escape(match.group()), text)
    inner = safe.lstrip(" ")
    first = " " * indent + "# " + " " * (len(safe) - len(inner))
    return wrap(inner, first, first + "  ", WIDTH)
