"""What text may hold (protocol 3.1, 4.2, 4.3), and how foreign text is shown to a person.

Two classes: machine strings, U+0020 to U+007E, and free text for people (notes, names). Free text is held to fixed
ranges of code points: the Unicode database differs between Python versions, and with it would the verdict.
"""

from __future__ import annotations

import re

_NOT_IN_FREE_TEXT = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f"
    "\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\ufeff\ufff0-\uffff\U000e0000-\U0010ffff]"
)

SHOWN = 60
"""Characters of a foreign value that a message shows before it cuts it."""


def is_machine(text: str) -> bool:
    """Whether every character lies in U+0020 to U+007E (true of the empty string)."""
    return text.isascii() and text.isprintable()


def free_text_fault(text: str) -> str | None:
    """Return the first code point that protocol 4.3 refuses in free text, as ``U+202E``, or None if there is none."""
    found = _NOT_IN_FREE_TEXT.search(text)
    return f"U+{ord(found.group()):04X}" if found else None


def machine_fault(text: str) -> str | None:
    """Return the first code point outside U+0020 to U+007E, as ``U+202E``, or None if there is none."""
    return next((f"U+{ord(c):04X}" for c in text if not " " <= c <= "~"), None)


def show(text: str) -> str:
    """Quote foreign text for a message: printable ASCII only, cut after :data:`SHOWN` characters.

    What a file holds must not reach a terminal as it is: escape sequences, or letters that run right to left.
    """
    return ascii(text if len(text) <= SHOWN else text[:SHOWN] + "...")
