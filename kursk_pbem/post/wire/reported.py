"""Bounces: which letter came back, and which addresses it did not reach (RFC 3464, and what servers write in words).

``flufl.bounce`` knows the forms of bounces. A letter is known by its Message-ID, which begins with ``k1.``.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message as Parts

from kursk_pbem.errors import MissingError

logging.getLogger("flufl.bounce").addHandler(logging.NullHandler())  # it logs what we handle
_ID = re.compile(rb"k1\.(?:words\.)?([0-9a-f]{32})\.([0-9]{1,4})@")
_FIELD = re.compile(rb"(?:^|>)Message-ID:\s{0,9}(?:<|&lt;)" + _ID.pattern, re.IGNORECASE | re.MULTILINE)
_WHY = re.compile(rb"^Diagnostic-Code:[ \t]*[a-z]+;[ \t]*([^\r\n]{1,300})", re.IGNORECASE | re.MULTILINE)
_MAX_READ = 64 * 1024
"""Bytes of a bounce that are read: its reasons and the header of the letter are at its beginning."""
_MAX_READERS = 100


@dataclass(frozen=True)
class Bounce:
    """A letter that came back.

    ``digest`` and ``edition`` are those of its Message-ID. ``readers``: the addresses that it did not reach, in small
    letters. ``why``: the words of the server, as they came.
    """

    digest: str
    edition: int
    readers: tuple[str, ...]
    why: str


def read(raw: bytes) -> Bounce | None:
    """Return what a mail from a mail server says of one of our letters that came back, None if it says nothing.

    Raises MissingError without the extra.
    """
    mail = message_from_bytes(raw[:_MAX_READ])
    texts = [raw[:_MAX_READ], *_texts(mail)]
    found = _search(_FIELD, texts) or _search(_ID, texts)
    if found is None:
        return None
    try:
        from flufl.bounce import scan_message  # noqa: PLC0415  an extra
    except ImportError:
        raise MissingError("reading what mail servers say of letters that came back", "mail") from None
    failed = sorted(address.decode("ascii", "replace").lower() for address in scan_message(mail))
    if not failed:
        return None
    why = _search(_WHY, texts)
    told = why[1].decode("latin-1").strip() if why else ""
    return Bounce(found[1].decode("ascii"), int(found[2]), tuple(failed[:_MAX_READERS]), told)


def _texts(mail: Parts) -> Iterator[bytes]:
    """Yield the parts of a mail that an encoding hides."""
    for part in mail.walk():
        if str(part.get("Content-Transfer-Encoding", "")).strip().lower() in ("base64", "quoted-printable"):
            decoded = part.get_payload(decode=True)
            yield decoded if isinstance(decoded, bytes) else b""


def _search(pattern: re.Pattern[bytes], texts: list[bytes]) -> re.Match[bytes] | None:
    return next((match for text in texts if (match := pattern.search(text)) is not None), None)
