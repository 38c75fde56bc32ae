"""Text shown to a player before signing, with a digest that the confirmation returns (decision 49).

If anything differs from the shown text, the digest differs. The program then shows the new text instead of signing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kursk_pbem.formats.canonical import canon, sha256_hex
from kursk_pbem.frozen import frozen

MOST_KEPT = 50
"""Number of kept texts, for describing changes."""


@frozen
class Shown:
    """A text shown before signing. ``of``: the data that the text describes."""

    text: str
    of: Mapping[str, Any] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """The digest of a shown text and its data, 64 hex digits."""
        return sha256_hex(canon({"text": self.text, "of": self.of}))


@dataclass
class Asked:
    """The texts that were shown and wait for the player's confirmation: digest -> text, oldest first."""

    texts: dict[str, str] = field(default_factory=dict, repr=False)

    def keep(self, shown: Shown) -> None:
        """Keep a shown text until the player confirms the text."""
        self.texts[shown.digest] = shown.text
        while len(self.texts) > MOST_KEPT:
            del self.texts[next(iter(self.texts))]

    def changes(self, digest: str, now: Shown) -> list[str]:
        """Return a sentence for each difference between the text shown with this digest and the text ``now``."""
        before = self.texts.get(digest)
        if before is None:
            return ["Your page is too old: read the text again."]
        import difflib  # noqa: PLC0415  few texts change between reading and signing

        words = {"-": "No more: ", "+": "New: "}
        lines = [*difflib.unified_diff(before.splitlines(), now.text.splitlines(), n=0, lineterm="")][2:]
        said = [words[line[0]] + line[1:].strip() for line in lines if line[0] in words and line[1:].strip()]
        return said or ["The text is unchanged, but the data to be signed has changed."]
