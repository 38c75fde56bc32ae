"""Which mails may hold a turn that no search finds: what their headers and structures say (RFC 3501, 7.4.2).

Servers search in texts that they can decode, by what fields say of them. Where a field says nothing that they know, or
a part is called no text, nobody has looked for a turn there. Pictures, and what office programs write, are left alone.
Whatever a server or the library gives for a structure is walked through, in linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from kursk_pbem.post.envelope import ABOUT_FILE, Mail

_OURS = re.compile(
    r"kursk-(?:[0-9a-f]{8}-|card)|\.ya?ml(?![a-z0-9])|'(?:x-|vnd\.)?yaml'|(?<![a-z0-9_-])[0-9]{4}\.txt(?![a-z0-9])",
    re.IGNORECASE,
)
"""A part that may hold a turn, by its name or kind: those of a game folder are mailed by hand, as 0003.yaml or .txt."""
_JOINTS = re.compile(r"""['"], b['"](?:file)?name\*[0-9]{1,3}\*?['"], b['"]|(?<!\\)(?:\\[nrt])++ *+""", re.IGNORECASE)
"""Between the pieces of a long name (RFC 2231), in either mark of Python; where its lines are folded."""
_HIGH = re.compile(r"\\x[0-9a-f]{2}")
"""A byte that is no letter of ASCII, as Python shows it: it ends a word."""
_MOST = 1024 * 1024
"""Letters of a structure that is read, more than 1,000 parts have."""
_KIND = re.compile(r"[^\s/;()<>@,:\\\"?=\[\]]+/[^\s/;()<>@,:\\\"?=\[\]]+ ?(?:;|\Z)")
"""How a Content-Type begins that servers read."""
_PLAIN, _CODED = ("7bit", "8bit", "binary"), ("base64", "quoted-printable")
"""The encodings that there are (RFC 2045); servers read no text that is in another, such as utf-8."""
_NAME = re.compile(rb"(file)?name(?:\*[0-9]{0,3}\*?)?", re.IGNORECASE)
_LONGEST = 1200
"""Bytes at the end of a name that are decoded."""
_ENDING = re.compile(rb"\.([a-z0-9]{1,10})[^a-z0-9]{0,3}\Z", re.IGNORECASE)
_OUR_ENDING = re.compile(rb"ya?ml.*|ya?m?|eml|mht(?:ml)?|te?xt|dat|bin|tmp|json|xml", re.IGNORECASE)
"""That of a turn file, of one whose name was cut, of a mail in a file, and what programs call a file of words."""
_SHOWN = ("text", "image", "audio", "video", "font", "model")
"""Kinds of parts that are searched, or of which none holds a turn."""
_OF_OTHERS = re.compile(
    r"vnd\..*|pgp-.*|(?:x-)?(?:pkcs.*|pdf|zip|gzip|msword|rtf)|ics|postscript|javascript|(?:.*\+)?(?:json|xml)",
    re.IGNORECASE,
)
"""Of applications: what a part of that kind holds is known without its name."""


def hidden(mail: Mail) -> bool:
    """Whether the header of a mail says of its text what servers do not read, or says it twice."""
    kinds, codings = mail.every("Content-Type"), mail.every("Content-Transfer-Encoding")
    if len(kinds) > 1 or len(codings) > 1:
        return True
    known = all(_known(coding) for coding in codings)
    return not (known and all(_KIND.match(kind) for kind in kinds))


def _known(coding: str) -> bool:
    return coding.strip().lower() in (*_PLAIN, *_CODED)


def may_hold(structure: Any) -> bool:
    """Whether a part of a mail with this structure, as the library gives it, may hold a turn; so if there is none."""
    named = _HIGH.sub(" ", _named(repr(structure)))
    if _OURS.search(named) is not None or ABOUT_FILE.search(named.encode("ascii", "replace")) is not None:
        return True
    return any(map(_may_hold, _parts(structure)))


def names(structure: Any) -> bytes:
    """What the parts of a mail are called, and what else stands in its structure; nothing where that is too much."""
    said = repr(structure)
    return _named(said).encode("ascii", "replace") if len(said) <= _MOST else b""


def _named(structure: str) -> str:
    """A structure, and the same with the names of parts as they are read; '.yaml' where that is too much."""
    if len(structure) > _MOST:
        return ".yaml"
    whole = _JOINTS.sub("", structure).encode("ascii", "replace")
    return f"{structure}\n{whole.decode('latin-1')}"


def _is_made(one: Any) -> bool:
    return isinstance(one, tuple | list)


def _parts(structure: Any) -> Iterator[Any]:
    """What a structure is made of: those of its parts that hold no others, and mails in it with what they hold.

    The library puts the parts of a multipart into a list, but not those of one in a mail that is a part. Of a multipart
    whose parts are all empty () is given: its boundary is lost, and what it holds stands nowhere else.
    """
    left = [structure]
    while left:
        one = left.pop()
        inner = list(takewhile(_is_made, one)) if _is_made(one) else []
        left += inner
        if not inner:
            yield one
            if _text(one, 0) == "message" and _is_made(_at(one, 8)):
                left.append(_at(one, 8))
        elif all(_at(each, 6) == 0 and not _is_made(_at(each, 0)) for each in inner):
            yield ()


def _at(part: Any, place: int) -> Any:
    return part[place] if _is_made(part) and len(part) > place else None


def _text(part: Any, place: int) -> str:
    """A word of a part in small letters; '' for what is none."""
    word = _at(part, place)
    return word.decode("latin-1").strip().lower() if isinstance(word, bytes) else ""


def _may_hold(part: Any) -> bool:
    """Whether one part may hold a turn, and servers do not look for it there."""
    kind, coding = _text(part, 0), _text(part, 5)
    if not kind or not _text(part, 1) or (_at(part, 5) is not None and not _known(coding)):
        return True
    if kind == "message":  # none is searched in one that is encoded, nor in a turn that is taken for a header
        envelope = _at(part, 7)
        return coding in _CODED or (_is_made(envelope) and not any(envelope)) or _at(_at(part, 8), 6) == 0
    if kind in _SHOWN:
        return False
    endings = [found[1] for name in _names(part) if (found := _ENDING.search(name))]
    if not endings:
        return _OF_OTHERS.fullmatch(_text(part, 1)) is None
    return any(map(_OUR_ENDING.fullmatch, endings))


def _names(part: Any) -> list[bytes]:
    """The names of the file of a part, as they are read: that of its kind, and that of how it is to be shown."""
    names: list[bytes] = []
    for said in (_at(part, 2), *(_at(one, 1) for one in part[7:] if _is_made(one) and len(one) == 2)):
        pieces: dict[bytes | None, bytes] = {}
        for key, value in zip(said[::2], said[1::2], strict=False) if _is_made(said) else ():
            if isinstance(key, bytes) and isinstance(value, bytes) and (of := _NAME.fullmatch(key)):
                pieces[of[1]] = (pieces.get(of[1], b"") + value)[-_LONGEST:]
        names += pieces.values()
    return names
