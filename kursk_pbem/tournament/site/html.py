"""Pieces of HTML by construction: every text and every attribute is escaped here and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NewType

from kursk_pbem.report.svgtext import escape

Html = NewType("Html", str)
"""A piece of a page. Only the functions of this module make one, so no name or note of anybody becomes markup."""

NOTHING = Html("")
VOID = ("meta", "link")


def text(words: str | int) -> Html:
    """Words as they are read."""
    return Html(escape(str(words)))


def name(words: str) -> Html:
    """What somebody has called themselves: it may run from right to left and turns nothing around it."""
    return tag("bdi", text(words))


def tag(kind: str, *inner: Html, **attributes: str) -> Html:
    """An element; ``class_`` is class, an underscore in an attribute's name is a hyphen, an empty one is left out."""
    said = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"' for key, value in attributes.items() if value
    )
    return Html(f"<{kind}{said}>" if kind in VOID else f"<{kind}{said}>{''.join(inner)}</{kind}>")


def join(parts: Iterable[Html], between: str = "") -> Html:
    """Pieces one after the other, with words between them."""
    return Html(escape(between).join(parts))


def lines(parts: Iterable[Html]) -> Html:
    """Pieces in lines of their own."""
    return Html("\n".join(parts))


def link(to: str, inner: Html, **attributes: str) -> Html:
    """A way to another page of the site, or to a place in one."""
    return tag("a", inner, href=to, **attributes)


def items(parts: Iterable[Html], **attributes: str) -> Html:
    """A list; nothing without anything in it."""
    entries = [tag("li", html) for html in parts]
    return tag("ul", lines(entries), **attributes) if entries else NOTHING


@dataclass(frozen=True)
class Column:
    """A column of a table. ``kind``: classes of its cells: ``number`` stands right, ``more`` is left out on a phone.

    ``means``: what the heading stands for, where it is short.
    """

    title: str
    kind: str = ""
    means: str = ""


def table(caption: str, columns: Sequence[Column], rows: Iterable[Sequence[Html]], named: int = 0) -> Html:
    """A table with a caption; the cells of column ``named`` are the headings of their rows."""
    head = [
        tag(
            "th",
            tag("abbr", text(column.title), title=column.means) if column.means else text(column.title),
            scope="col",
            class_=column.kind,
        )
        for column in columns
    ]
    body = [
        tag("tr", *(_cell(cell, columns[at].kind, heads=at == named) for at, cell in enumerate(row))) for row in rows
    ]
    inner = (tag("caption", text(caption)), tag("thead", tag("tr", *head)), tag("tbody", lines(body)))
    return tag("table", *inner)


def _cell(inner: Html, kind: str, *, heads: bool) -> Html:
    return tag("th", inner, scope="row", class_=kind) if heads else tag("td", inner, class_=kind)


def pairs(terms: Iterable[tuple[str, Html]]) -> Html:
    """Terms with what they are."""
    return tag("dl", lines(tag("div", tag("dt", text(term)), tag("dd", inner)) for term, inner in terms))
