"""Whether a mail ends before its parts do: then some of it was lost on its way (RFC 2046, 5.1).

What its header, and those of its parts, call their boundary is compared with the lines that are there. In linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from email.message import Message as Headers
from itertools import islice

_MOST_KIND = 2000
"""Characters of a Content-Type that are read."""
_MOST_INNER = 10
"""Parts made of parts that are looked at; the whole mail is looked through for each."""
_BOUNDARY = re.compile(r"""boundary\s{0,9}=\s{0,9}(?:"([^"]{1,70})"|([^\s";]{1,70}))""", re.IGNORECASE)
_NO_ASCII, _ODD = re.compile(r"[^\t\r\n -~]"), "\x7f"
"""What stands in no boundary: the library stumbles over some of it."""
_INNER = re.compile(
    rb"^content-type[ \t]{0,9}:[ \t]{0,9}(?=multipart/)((?:[^\r\n]|\r?\n[ \t]){1,%d})" % _MOST_KIND,
    re.IGNORECASE | re.MULTILINE,
)


def cut_off(kind: str, raw: bytes) -> bool:
    """Whether a mail with this Content-Type is made of parts of which the end is missing.

    Its own parts need not even have begun. Of parts within a part that counts alone which has begun: a mail that came
    back may hold nothing but the header of what was sent.
    """
    marks = list(_marks(kind)) if "multipart/" in kind[:_MOST_KIND].lower() else []
    if marks and not any(mark + b"--" in raw for mark in marks):
        return True
    return any(_unfinished(said[1].decode("latin-1"), raw) for said in islice(_INNER.finditer(raw), _MOST_INNER))


def _unfinished(kind: str, raw: bytes) -> bool:
    marks = list(_marks(kind))
    return any(b"\n" + mark in raw for mark in marks) and not any(b"\n" + mark + b"--" in raw for mark in marks)


def _marks(kind: str) -> Iterator[bytes]:
    """How the line before a part may begin: as the library reads what is said of it, and as it stands there."""
    kind = " ".join(_NO_ASCII.sub(_ODD, kind[:_MOST_KIND]).split())
    header = Headers()
    header["Content-Type"] = kind
    said, read = _BOUNDARY.search(kind), None
    with suppress(ValueError, LookupError, AttributeError, TypeError):  # of names in character sets that are none
        read = header.get_boundary()
    for boundary in (read, re.sub(r"\\(.)", r"\1", said[1] or said[2]) if said else None):
        if boundary and _ODD not in boundary and boundary.isascii():
            yield b"--" + boundary.encode("ascii")
