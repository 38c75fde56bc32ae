"""Plain text in columns, wrapped to equal bytes on every machine, for mails and screen readers.

The standard library follows the Unicode database of the installed Python. Reports must not depend on the Python
version, so this module wraps without the library.
"""

from __future__ import annotations

from kursk_pbem.formats.text import isolated

WIDTH = 78

_WIDE_FROM = "\u1100"  # letters from here on may take two columns; count two


def count_columns(text: str) -> int:
    """Return the number of columns that a text needs at most."""
    if text.isascii():
        return len(text)
    return sum(2 if character >= _WIDE_FROM else 1 for character in text)


def wrap(
    text: str, first: str = "", rest: str | None = None, width: int = WIDTH, *, cut_words: bool = True
) -> list[str]:
    """Return a text as lines of at most ``width`` columns. ``first``, ``rest``: put before lines.

    Several blanks and line ends become one blank, so that no text can look like a line of the program. No line ends at
    a no-break space (U+00A0), which becomes a plain space. ``cut_words``: cut words longer than a line.
    """
    follow = first if rest is None else rest
    lines: list[str] = []
    line, taken, empty = first, count_columns(first), True
    for word in text.replace("\n", " ").split(" "):
        if not word:
            continue
        left, more = word, count_columns(word)
        if not empty and taken + 1 + more > width:
            lines.append(line)
            line, taken, empty = follow, count_columns(follow), True
        while cut_words and taken + more + (not empty) > width:
            room = width - taken
            cut = next(n for n in range(max(room, 1), 0, -1) if n == 1 or count_columns(left[:n]) <= room)
            lines.append(line + left[:cut])
            left, line = left[cut:], follow
            more, taken = count_columns(left), count_columns(follow)
        line += left if empty else f" {left}"
        taken += more + (not empty)
        empty = False
    return [done.replace("\u00a0", " ").rstrip(" ") for done in (*lines, line)]


def quote_text(text: str) -> list[str]:
    """Return the lines of a text that a person wrote. Each line begins with a mark."""
    lines = (line for part in text.split("\n") for line in wrap(part, width=WIDTH - 2))
    return [f"> {isolated(line, whole=True)}".rstrip(" ") for line in lines]


__all__ = ["WIDTH", "count_columns", "isolated", "quote_text", "wrap"]
