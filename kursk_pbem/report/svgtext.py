"""Pieces of XML by construction: every text and every attribute is escaped here and nowhere else."""

from __future__ import annotations

_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})


def escape(text: str) -> str:
    """A text as it stands in XML or HTML; control characters, which XML does not have, become '?'."""
    return "".join(
        c if c >= " " and c != "\x7f" and not 0xD800 <= ord(c) <= 0xDFFF and c not in "\ufffe\uffff" else "?"
        for c in text
    ).translate(_TEXT)


def attribute(**values: str | int) -> str:
    """Attributes with a space before each; ``class_`` is class, and an underscore is a hyphen (``aria_label``)."""
    return "".join(
        f' {name if name == "viewBox" else name.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for name, value in values.items()
        if value != ""
    )


def element(name: str, inner: str = "", **values: str | int) -> str:
    """An element whose ``inner`` is XML already; without any it is empty."""
    return f"<{name}{attribute(**values)}>{inner}</{name}>" if inner else f"<{name}{attribute(**values)}/>"
