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


_WIDE = {**dict.fromkeys(" .,:;/|!'", 290), **dict.fromkeys("-()[]", 340), **dict.fromkeys("ijlftrI", 330)}
_WIDE |= {**dict.fromkeys("mwMW", 880), **dict.fromkeys("abcdeghknopqsuvxyz0123456789+", 570)}


def fitted(text: str, size: int, room: int) -> tuple[int, int]:
    """The size of letters, and how long the text then is, so that it takes at most ``room``: in any font.

    Whoever draws it says the length (``textLength``), so that a font with wider letters is drawn narrower.
    """
    wide = max(1, sum(_WIDE.get(letter, 700) for letter in text))
    fits = min(size, room * 1_000 // wide)
    return fits, fits * wide // 1_000
