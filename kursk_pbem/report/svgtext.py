"""XML by construction: texts and attributes are escaped only here."""

from __future__ import annotations

_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})


def escape(text: str) -> str:
    """Return a text escaped for XML or HTML; control characters become '?'."""
    return "".join(
        c if c >= " " and c != "\x7f" and not 0xD800 <= ord(c) <= 0xDFFF and c not in "\ufffe\uffff" else "?"
        for c in text
    ).translate(_TEXT)


def attribute(**values: str | int) -> str:
    """Return attributes, each after a space; ``class_`` is class, and an underscore is a hyphen (``aria_label``)."""
    return "".join(
        f' {name if name == "viewBox" else name.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for name, value in values.items()
        if value != ""
    )


def element(name: str, inner: str = "", **values: str | int) -> str:
    """Return an element. ``inner``: XML; without it the element is empty."""
    return f"<{name}{attribute(**values)}>{inner}</{name}>" if inner else f"<{name}{attribute(**values)}/>"


_WIDE = {**dict.fromkeys(" .,:;/|!'", 290), **dict.fromkeys("-()[]", 340), **dict.fromkeys("ijlftrI", 330)}
_WIDE |= {**dict.fromkeys("mwMW", 880), **dict.fromkeys("abcdeghknopqsuvxyz0123456789+", 570)}


def fit_letters(text: str, size: int, room: int) -> tuple[int, int]:
    """Return a letter size and a text length that fit ``room`` in any font.

    The drawing sets the length (``textLength``), so that wider fonts are drawn narrower.
    """
    wide = max(1, sum(_WIDE.get(letter, 700) for letter in text))
    fits = min(size, room * 1_000 // wide)
    return fits, fits * wide // 1_000
