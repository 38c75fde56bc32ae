"""What of turns stands in a text and belongs to none that was read: a first line, a game, a signature by itself.

Nothing is counted, and no line is believed by itself: whoever wrote a turn that is quoted chooses what else stands in
it. A signature counts as that of a turn that was read only if it is the very same. In linear time.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from kursk_pbem.trust import mailbytes, mailhtml, mailtext

_QUOTE = rb"""(?:['"]|&(?:#39|#x27|#34|#x22|apos|quot);)?"""
_PARTS = re.compile(
    rb"(?m)^(?!\n)(?:\xef\xbb\xbf)?%b*+(?:(?P<turn>kursk-pbem:)%b"
    rb"|-----(?P<begin>BEGIN) SSH SIGNATURE-----"
    rb"|(?<![^\n])(?P<game>game):[ \t]*+['\"]?[0-9a-f]{64}['\"]?[ \t]*+$"
    rb"|(?:<[^<>\n]{0,200}>[ \t]*+)*+(?P<paper>kursk-tournament):[ \t]*+%b1%b[ \t]*+(?:<.*)?$"
    rb"|[ \t{]*+(?P<spoilt>['\"]?kursk-(?:pbem|tournament)['\"]?[ \t]*:))"
    % (mailtext.BLANK, mailtext.VERSION, _QUOTE, _QUOTE)
)
"""The lines of a turn, and of papers of tournaments, by which they are known; of what is quoted there is none."""
_PARTS_IN_PAGE = re.compile(
    rb"(?:(?P<turn>kursk-pbem)|(?P<paper>kursk-tournament)):[ \t]*+%b1%b(?!\d)"
    rb"|(?P<game>game):[ \t]*+%b[0-9a-f]{64}(?![0-9a-f])|-----(?P<begin>BEGIN) SSH SIGNATURE-----"
    rb"|(?m:^)[ \t{]*+(?P<spoilt>['\"]?kursk-(?:pbem|tournament)['\"]?[ \t]*:)" % (_QUOTE, _QUOTE, _QUOTE)
)
"""The same anywhere in the source of a page, whose lines need not be those that it shows."""
_QUOTED = re.compile(rb"[ \t]*+[>|]")
_BEGIN, _END = b"-----BEGIN SSH SIGNATURE-----", b"-----END"
MANY = 5000
"""Signatures in one text, and in all those of a mail; where there are more, not all of them were read (T27)."""
_LONGEST = 4000
"""Bytes of a signature in a text, with what a page puts between its lines."""
_OF_PAPERS = b"\0\0\0\x10kursk-tournament"
"""What the signatures of papers of tournaments say that they are for, and no other one."""


def signatures(armours: Iterable[str | None]) -> frozenset[bytes]:
    """What the signatures of turns say that were read; :func:`found` wants that."""
    said = (armour.encode("ascii", "replace").partition(_BEGIN)[2] for armour in armours if armour)
    return frozenset(map(_digits, said)) - {b""}


def found(text: bytes, read: Collection[bytes], *, in_page: bool = False, any_paper: bool = True) -> bool:
    """Whether something stands in a text that belongs to no turn that was ``read``; ``in_page``: in its source.

    ``any_paper``: any paper of a tournament counts as read, because nobody has looked for those.
    """
    text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if text.count(_BEGIN) > MANY:
        return True
    within, games, left = "", 0, mailtext.MAX_HTML
    for part in (_PARTS_IN_PAGE if in_page else _PARTS).finditer(text):
        kind = part.lastgroup or ""
        if in_page and is_quoted(text, part.start()):
            continue
        if kind in ("turn", "paper"):
            far = kind == "turn" and part.start(kind) - part.start() >= mailtext.MAX_PREFIX  # there none is looked for
            if within or far:
                return True
            within, games = kind, 0
        elif kind == "begin":
            said = text[part.end() : part.end() + _LONGEST].partition(_END)[0]
            if in_page and _BEGIN not in said and (marks := mailhtml.marks(said)):
                left -= marks
                said = mailhtml.plain(said) if left >= 0 else b""
            digits = _digits(said)
            if digits not in read and not (within == "paper" and any_paper and _of_paper(digits)):
                return True
            within = ""
        elif kind == "spoilt" or not within or games:
            return True
        else:
            games = 1
    return within != ""


def any_part(text: bytes) -> bool:
    """Whether a line of a text is one of a turn, or may have been."""
    text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return any(part.lastgroup != "paper" for part in _PARTS.finditer(text))


def is_quoted(text: bytes, at: int) -> bool:
    """Whether the line of a place is quoted, if it begins near enough."""
    near = max(0, at - _LONGEST)
    line = text.rfind(b"\n", near, at) + 1
    return (line > 0 or near == 0) and _QUOTED.match(text, line) is not None


def _digits(said: bytes) -> bytes:
    """What a signature says that stands behind its first line; nothing where another begins before it ends.

    Each place is looked at once so: many first lines before one last line cost no more than one.
    """
    said = said.partition(_END)[0]
    return b"" if _BEGIN in said else said.translate(None, mailbytes.NOT_BASE64)


def _of_paper(digits: bytes) -> bool:
    """Whether a signature below the first line of a paper of a tournament is that of a paper, or is none."""
    said = mailbytes.base64(digits[:200])
    return _OF_PAPERS in said or not said.startswith(b"SSHSIG")
