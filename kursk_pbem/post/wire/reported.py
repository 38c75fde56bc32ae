"""Bounces: the returned letter and its failed addresses (RFC 3464, and reports in prose).

``flufl.bounce`` parses the forms of bounces. The Message-ID of a letter begins with ``k1.``.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message as Parts

from kursk_pbem.frozen import frozen

logging.getLogger("flufl.bounce").addHandler(logging.NullHandler())  # the library logs errors handled here
_ID = re.compile(rb"k1\.(?:words\.)?([0-9a-f]{32})\.([0-9]{1,4})@")
_FIELD = re.compile(rb"(?:^|>)Message-ID:\s{0,9}(?:<|&lt;)" + _ID.pattern, re.IGNORECASE | re.MULTILINE)
_WHY = re.compile(rb"^Diagnostic-Code:[ \t]*[a-z]+;[ \t]*([^\r\n]{1,300})", re.IGNORECASE | re.MULTILINE)
_MAX_READ = 64 * 1024
"""Maximum bytes read of a bounce: reasons and the letter's header are at its beginning."""
_MAX_READERS = 100


@frozen
class Bounce:
    """A returned letter.

    ``digest`` and ``edition``: from its Message-ID. ``readers``: the failed addresses in lower case. ``why``: the
    server's words.
    """

    digest: str
    edition: int
    readers: tuple[str, ...]
    why: str


def read_bounce(raw: bytes) -> Bounce | None:
    """Return the letter returned by a server's mail, or None for other mails."""
    mail = message_from_bytes(raw[:_MAX_READ])
    texts = [raw[:_MAX_READ], *_decode_texts(mail)]
    found = _search_texts(_FIELD, texts) or _search_texts(_ID, texts)
    if found is None:
        return None
    from flufl.bounce import scan_message  # noqa: PLC0415  slow to load

    failed = sorted(address.decode("ascii", "replace").lower() for address in scan_message(mail))
    if not failed:
        return None
    why = _search_texts(_WHY, texts)
    told = why[1].decode("latin-1").strip() if why else ""
    return Bounce(found[1].decode("ascii"), int(found[2]), tuple(failed[:_MAX_READERS]), told)


def _decode_texts(mail: Parts) -> Iterator[bytes]:
    """Yield the encoded parts of a mail."""
    for part in mail.walk():
        if str(part.get("Content-Transfer-Encoding", "")).strip().lower() in ("base64", "quoted-printable"):
            decoded = part.get_payload(decode=True)
            yield decoded if isinstance(decoded, bytes) else b""


def _search_texts(pattern: re.Pattern[bytes], texts: list[bytes]) -> re.Match[bytes] | None:
    return next((match for text in texts if (match := pattern.search(text)) is not None), None)
