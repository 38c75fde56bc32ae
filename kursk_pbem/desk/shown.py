"""What a player is shown before they sign, and its digest: a confirmation brings it back (decision 49).

Whatever else has happened meanwhile, to the draft, to a proposal that was kept, to the game: what differs from what was
shown has another digest, and is shown anew instead of being signed.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kursk_pbem.formats.canonical import canon, sha256_hex

MOST_KEPT = 50
"""Texts that are kept to say later what has changed."""


@dataclass(frozen=True)
class Shown:
    """``text`` is what is read; ``of`` is all that it stands for, as plain data: what is signed, sealed, named."""

    text: str
    of: Mapping[str, Any] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """What changes when a word of the text or anything behind it does: 64 hex digits."""
        return sha256_hex(canon({"text": self.text, "of": self.of}))


@dataclass
class Asked:
    """What has been shown and not been confirmed yet: text by digest, the oldest first."""

    texts: dict[str, str] = field(default_factory=dict, repr=False)

    def keep(self, shown: Shown) -> None:
        """Remember what is shown now."""
        self.texts[shown.digest] = shown.text
        while len(self.texts) > MOST_KEPT:
            del self.texts[next(iter(self.texts))]

    def changes(self, digest: str, now: Shown) -> list[str]:
        """What is different now from what was shown under a digest, a sentence each."""
        before = self.texts.get(digest)
        if before is None:
            return ["It was shown by a page that is too old: read it again."]
        words = {"-": "No more: ", "+": "New: "}
        lines = [*difflib.unified_diff(before.splitlines(), now.text.splitlines(), n=0, lineterm="")][2:]
        said = [words[line[0]] + line[1:].strip() for line in lines if line[0] in words and line[1:].strip()]
        return said or ["What you read is the same, but not all that would be signed with it."]
