"""Bounces: the returned letter and its failed addresses (RFC 3464, and reports in prose).

``flufl.bounce`` parses the forms of bounces. The Message-ID of a letter begins with ``k1.``. Some servers replace the
Message-ID; then the thread in ``References`` and the subject identify the letter.
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
_THREAD = re.compile(rb"k1\.game\.([0-9a-f]{32})@")
_SUBJECT = re.compile(
    rb"^Subject:[ \t]*(\[kursk [0-9a-f]{8}\][^\r\n]*(?:\r?\n[ \t][^\r\n]*)*)", re.IGNORECASE | re.MULTILINE
)
_FULL = re.compile(
    rb"(?<![0-9.])[45]\.2\.2(?![0-9.])|over ?quota|quota (?:has been )?exceeded|(?:mail|in)box (?:is )?full",
    re.IGNORECASE,
)
_WHY = re.compile(rb"^Diagnostic-Code:[ \t]*[a-z]+;[ \t]*([^\r\n]{1,300})", re.IGNORECASE | re.MULTILINE)
_MAX_READ = 64 * 1024
"""Maximum bytes read of a bounce: reasons and the letter's header are at its beginning."""
_MAX_READERS = 100


@frozen
class Bounce:
    """A returned letter.

    ``digest`` and ``edition``: from its Message-ID, otherwise '' and 0: then ``thread`` (the first digits of the game)
    and ``subject`` identify the letter. ``readers``: the failed addresses in lower case. ``why``: the server's words.
    ``full``: a mailbox was full, so sending later may succeed.
    """

    digest: str
    edition: int
    readers: tuple[str, ...]
    why: str
    thread: str = ""
    subject: str = ""
    full: bool = False


def read_bounce(raw: bytes) -> Bounce | None:
    """Return the letter reported as returned by a server's mail, or None for other mails."""
    mail = message_from_bytes(raw[:_MAX_READ])
    texts = [raw[:_MAX_READ], *_decode_texts(mail)]
    found, thread = _search_texts(_FIELD, texts) or _search_texts(_ID, texts), _search_texts(_THREAD, texts)
    if found is None and thread is None:
        return None
    from flufl.bounce import scan_message  # noqa: PLC0415  slow to load

    failed = sorted(address.decode("ascii", "replace").lower() for address in scan_message(mail))
    if not failed:
        return None
    why, subject, full = (_search_texts(pattern, texts) for pattern in (_WHY, _SUBJECT, _FULL))
    said = why[1] if why else full[0] if full else b""
    return Bounce(
        digest=found[1].decode("ascii") if found else "",
        edition=int(found[2]) if found else 0,
        readers=tuple(failed[:_MAX_READERS]),
        why=said.decode("latin-1").strip(),
        thread=thread[1].decode("ascii") if thread else "",
        subject=" ".join(subject[1].decode("latin-1").split()) if subject else "",
        full=full is not None,
    )


def _decode_texts(mail: Parts) -> Iterator[bytes]:
    """Yield the encoded parts of a mail."""
    for part in mail.walk():
        if str(part.get("Content-Transfer-Encoding", "")).strip().lower() in ("base64", "quoted-printable"):
            decoded = part.get_payload(decode=True)
            yield decoded if isinstance(decoded, bytes) else b""


def _search_texts(pattern: re.Pattern[bytes], texts: list[bytes]) -> re.Match[bytes] | None:
    return next((match for text in texts if (match := pattern.search(text)) is not None), None)
