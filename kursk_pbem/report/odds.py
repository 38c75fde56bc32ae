"""The chances of declared battles as text: the arithmetic, a row for each outcome, and sums.

Fractions are exact, and omitted if long. Per cents are rounded to one decimal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from kursk_pbem.errors import UsageError
from kursk_pbem.formats.text import show
from kursk_pbem.kernel.outlook import Chances, Outcome
from kursk_pbem.kernel.words import Words
from kursk_pbem.report import luck
from kursk_pbem.report.battle import describe_battle
from kursk_pbem.report.layout import count_columns, wrap
from kursk_pbem.report.lines import to_json as as_json
from kursk_pbem.report.luck import show_mixed, show_per_cent

_FACES = 6
_CONDITION = (
    "Each battle is computed as the first battle, with the answers and plans below the arithmetic. Different answers "
    "or plans, and earlier battles, may change the odds."
)


def find_battles(battles: Sequence[Chances], wanted: str) -> tuple[Chances, ...]:
    """Return the chances of one battle, named by id, place or title. '' means all battles. Raises UsageError."""
    word = wanted.lower()
    exact = [chances for chances in battles if word in (chances.subject.lower(), _find_place(chances).lower())]
    fitting = tuple(exact or [chances for chances in battles if word in f"{chances.subject} {chances.title}".lower()])
    if wanted and not fitting:
        known = ", ".join(dict.fromkeys(chances.subject or chances.title for chances in battles))
        there = f"declared are {known}" if known else "no battle is declared"
        raise UsageError(f"no battle is called {show(wanted)}; {there}")
    return fitting if wanted else tuple(battles)


def _find_place(chances: Chances) -> str:
    return chances.fought.place if chances.fought else ""


def render_odds(title: str, battles: Sequence[Chances], words: Words) -> str:
    """Return the chances of battles as text that ends with a newline."""
    lines = wrap(title, "", "  ")
    if len(battles) > 1:
        many = Counter(chances.subject for chances in battles)
        glances = (_summarize(chances, one=many[chances.subject] == 1) for chances in battles)
        lines += [text for glance in glances for text in wrap(glance, "  ", "      ")]
        # shots carry their own condition
        lines += wrap(_CONDITION) if any(chances.fought for chances in battles) else []
    for chances in battles:
        lines += ["", *_describe_battle(chances, words)]
    return "\n".join((*lines, ""))


def _summarize(chances: Chances, *, one: bool) -> str:
    """Return 'oboyan: hex is vacated 100.0%, defender is eliminated 16.7%'; with several cases also the case."""
    sums = ", ".join(f"{what.removeprefix('the ')} {show_per_cent(value)}" for what, value in chances.sums)
    case = "" if one else f", {chances.assumed[0]}"
    return f"{chances.subject or chances.title}{case}: {sums}" if sums else chances.title or chances.subject


def show_chance(value: Fraction) -> str:
    """Return a chance as a fraction, if possible in sixths, such as '2/6'. For a long fraction return ''."""
    if _FACES % value.denominator == 0:
        return f"{value.numerator * (_FACES // value.denominator)}/{_FACES}"
    return luck.show_fraction(value)


def show_fraction(value: Fraction) -> str:
    """Return a fraction and its per cent, such as '2/6 = 33.3%'. For a long fraction return only the per cent."""
    rounded = show_per_cent(value)
    if not show_chance(value):
        return rounded
    return f"{show_chance(value)} {'' if rounded[0] in '<>' else '= '}{rounded}"


def _describe_battle(chances: Chances, words: Words) -> Iterator[str]:
    if chances.fought is None:
        yield from wrap(chances.title, "", "    ")
    else:
        for level, text in describe_battle(chances.fought, words):
            yield from wrap(text, "  " * level, "  " * (level + 2))
    for text in (*([chances.caveat] if chances.caveat else []), *chances.assumed):
        yield from wrap(text[:1].upper() + text[1:], "  ", "      ")
    if chances.outcomes:
        yield from _make_table(chances.outcomes)
    for what, value in chances.sums:
        yield f"  chance that {what}: {show_fraction(value)}"
    for what, value in chances.means:
        yield f"  {what} on average: {show_mixed(value)}"


def _make_table(outcomes: Sequence[Outcome]) -> Iterator[str]:
    rows: list[tuple[str, ...]] = [
        (
            f"{len(one.faces)} throws" if len(one.faces) > _FACES else " ".join(one.faces) or "-",
            show_chance(one.chance),
            show_per_cent(one.chance),
            one.result,
        )
        for one in outcomes
    ]
    head: tuple[str, ...] = ("die", "chance", "%", "result")
    if rows[1:] and not any(one.faces for one in outcomes):  # too many dice for a list
        head, rows = head[1:], [row[1:] for row in rows]
    widths = [max(count_columns(row[place]) for row in (head, *rows)) for place in range(len(head))]

    def cells(row: Sequence[str]) -> str:
        return "  " + "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)) + "  "

    yield (cells(head) + "effect").rstrip()
    for row, one in zip(rows, outcomes, strict=True):
        first = cells(row)
        yield from wrap("; ".join(one.text), first, " " * len(first))


def to_json(battles: Sequence[Chances]) -> list[dict[str, Any]]:
    """Return the chances of battles as plain data. Each fraction is a text such as '1/3'."""
    return [
        {
            "id": chances.subject,
            "title": chances.title,
            "place": chances.fought.place if chances.fought else "",
            "arithmetic": as_json(chances.fought) if chances.fought else {},
            "caveat": chances.caveat,
            "assumed": list(chances.assumed),
            "outcomes": [
                {
                    "faces": list(one.faces),
                    "chance": str(one.chance),
                    "result": one.result,
                    "text": list(one.text),
                    **dict(one.figures),
                }
                for one in chances.outcomes
            ],
            "chances": {what: str(value) for what, value in chances.sums},
            "means": {what: str(value) for what, value in chances.means},
        }
        for chances in battles
    ]
