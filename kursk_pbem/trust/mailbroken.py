"""Pages of HTML that show words of a turn which their marks or entities break, as what marks words in a page does.

Their sources hold no such word, so they are looked for by themselves. Most pages show none, which is found out in a
small part of the time that it takes to show them. In linear time.
"""

from __future__ import annotations

import re
from collections import deque

from kursk_pbem.trust import mailhtml
from kursk_pbem.trust.mailbytes import NOT_ALNUM

_MARK, _ENTITY = re.compile(rb"<[^<>]{0,4000}+>"), re.compile(rb"&#?[A-Za-z0-9]{1,32}+;?")
_BEGINS = re.compile(rb"<(?:html|body|div|p)[ \t\r\n>]", re.IGNORECASE)
"""A mark that need not be closed."""
_LETTER = re.compile(
    rb"&#(?:0*+(?:4[89]|5[0-7]|6[5-9]|[78][0-9]|9[07-9]|1[01][0-9]|12[0-2])(?![0-9=])"
    rb"|[xX]0*+(?:3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa])(?![0-9A-Fa-f=]))"
)
"""The entity of a letter or digit, which hardly a page has."""
_WORDS = {
    b"kurskpbem": b"kursk-pbem:",
    b"kursktournament": b"kursk-tournament:",
    b"BEGINSSHSIGNATURE": b"BEGIN SSH SIGNATURE",
}
"""By what a turn or paper is known, of which nothing but letters and digits is left; and as that is written."""
_GAME, _GAME_WRITTEN = re.compile(rb"game[0-9a-f]{64}"), re.compile(rb"game:[ \t]*['\"]?[0-9a-f]{64}")
_WHOLE = deque[int](maxlen=16)
"""The last texts in which nothing is broken: a mail is looked through several times."""


class Looks:
    """Looks into the pages of a mail, ``left``: at so many marks and entities more (T27)."""

    def __init__(self, left: int) -> None:
        self.left = left

    def shown(self, text: bytes) -> bytes:
        """What a page shows, if that holds words of a turn which its source does not; otherwise nothing."""
        if hash(text) in _WHOLE or not _is_page(text) or (many := mailhtml.marks(text)) > self.left:
            return b""
        self.left -= many
        bare = _MARK.sub(b"", text)
        if _LETTER.search(bare) is not None or _lacks(text, _ENTITY.sub(b"", bare)):
            shown = mailhtml.plain(text)
            if _lacks(text, shown):
                return shown
        _WHOLE.append(hash(text))
        return b""


def _is_page(text: bytes) -> bool:
    return mailhtml.is_page(text) or _BEGINS.search(text) is not None


def _lacks(source: bytes, shown: bytes) -> bool:
    """Whether one of those words is shown more often, whatever is between its letters, than the source holds it."""
    letters = shown.translate(None, NOT_ALNUM)
    if any(letters.count(word) > source.count(written) for word, written in _WORDS.items()):
        return True
    return b"game" in letters and len(_GAME.findall(letters)) > len(_GAME_WRITTEN.findall(source))
