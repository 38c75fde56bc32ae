"""Permitted characters of text (protocol 3.1, 4.2, 4.3), and the display of foreign text.

There are two classes: machine strings, U+0020 to U+007E, and free text for people (notes, names). Free text has fixed
ranges of code points, because the Unicode database, and so a verdict, would differ between Python versions.
"""

from __future__ import annotations

import re

_NOT_IN_FREE_TEXT = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\xad"  # controls except LF, the soft hyphen
    "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U00016fe4\U0001d159"  # invisible letters, fillers
    "\u180b-\u180f\ufe00-\ufe0f"  # variation selectors; plane 14 is below
    "\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff0-\uffff"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # formats (category Cf)
    "\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\U000e0000-\U0010ffff]"  # surrogates, private, none, tags
)

_BYTE_ORDER = (b"\xff\xfe", b"\xfe\xff")

_LEFTWARD = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]+"
"""Ranges of right-to-left letters and digits."""

_RUNS = re.compile(f"\u2068[^\n\u2066-\u2069]*\u2069|({_LEFTWARD}(?:[ '.-]+{_LEFTWARD})*)")
"""Isolated text; otherwise right-to-left words with blanks between."""

_NOT_IN_HEADERS = re.compile(r"[^A-Za-z0-9 .,:;'()/&+!?\[\]-]+")

SHOWN = 60
"""Maximum number of characters that a message shows of another person's text."""


def is_machine(text: str) -> bool:
    """Return whether every character is in U+0020 to U+007E (True for the empty string)."""
    return text.isascii() and text.isprintable()


def free_text_fault(text: str) -> str | None:
    """Return the first code point forbidden in free text (protocol 4.3), such as ``U+202E``, or None."""
    match = _NOT_IN_FREE_TEXT.search(text)
    return f"U+{ord(match.group()):04X}" if match else None


def cut_foreign(text: str, most: int) -> str:
    """Return another person's text in one line of at most ``most`` characters, all permitted in free text."""
    return " ".join(_NOT_IN_FREE_TEXT.sub(" ", text).split())[:most]


def machine_fault(text: str) -> str | None:
    """Return the first code point outside U+0020 to U+007E, such as ``U+202E``, or None."""
    return next((f"U+{ord(c):04X}" for c in text if not " " <= c <= "~"), None)


def to_utf8(raw: bytes) -> bytes:
    """Return the bytes of an edited file as UTF-8 without a byte order mark.

    Editors save UTF-16 and byte order marks, and write no-break spaces. Undecodable bytes do not change.
    """
    if raw.isascii() and 0 not in raw[:2]:
        return raw
    wide = "utf-16-le" if raw[1:2] == b"\0" else "utf-16-be" if raw[:1] == b"\0" else "utf-8-sig"
    try:
        text = raw.decode("utf-16" if raw.startswith(_BYTE_ORDER) else wide)
    except UnicodeDecodeError:
        return raw
    return text.replace("\u00a0", " ").encode("utf-8")


def odd_at(raw: bytes) -> int | None:
    """Return the byte offset of the first byte or character that is forbidden in an edited file, or None.

    Carriage returns are allowed.
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start
    match = _NOT_IN_FREE_TEXT.search(text.replace("\r", "\n"))
    return len(text[: match.start()].encode("utf-8")) if match else None


def show(text: str) -> str:
    """Return another person's text quoted for a message, in printable ASCII, cut after :data:`SHOWN` characters.

    Raw text must not reach a terminal, because of escape sequences and right-to-left letters.
    """
    return ascii(text if len(text) <= SHOWN else text[:SHOWN] + "...")


def in_header(text: str, most: int) -> str:
    """Return a text for a mail header: one line of at most ``most`` characters, none of them forbidden (T46)."""
    kept = " ".join(_NOT_IN_HEADERS.sub(" ", text).split())
    return kept if len(kept) <= most else f"{kept[: most - 3].rstrip()}..."


def isolated(text: str, *, whole: bool = False) -> str:
    """Return a text with right-to-left words put between U+2068 and U+2069, so they cannot reverse the rest (T29).

    Right-to-left words with only blanks between them form one group. ``whole``: make each line one group,
    because a person wrote the whole line.
    """
    if text.isascii():
        return text
    if whole:
        return f"\u2068{text}\u2069" if _RUNS.search(text) else text
    return _RUNS.sub(lambda run: f"\u2068{run[1]}\u2069" if run[1] else run[0], text)
