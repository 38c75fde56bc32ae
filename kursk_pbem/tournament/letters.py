"""Letters of a tournament as drafts for any mail program: one file each, always the same bytes, never an address kept.

What a letter carries is attached, so no mail program changes it; ``X-Unsent: 1`` opens it ready to be sent. Headers are
made of closed alphabets, so nothing that somebody wrote can add one (T46).
"""

from __future__ import annotations

import binascii
import hashlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from kursk_pbem.errors import UsageError
from kursk_pbem.formats import files
from kursk_pbem.game import disk, folders

SENT = "sent"
_NOT_IN_HEADERS = re.compile(r"[^ A-Za-z0-9.,:;()'/+-]")
_LONGEST_SUBJECT = 70
_WIDTH = 72


def subject(tournament: str, words: str) -> str:
    """The subject of a letter: the tournament's first digits, and words with every odd letter as ``?``."""
    return f"[kursk {tournament[:8]}] {_NOT_IN_HEADERS.sub('?', words)[:_LONGEST_SUBJECT]}"


def compose(subject_: str, body: Sequence[str], attached: Mapping[str, str], head: str) -> bytes:
    """A letter as an ``.eml``: its lines, the attachments (name -> text, ASCII), and the log's head at its end."""
    text = "\n".join([*body, "", f"Newest log paper: {head[:32]}"])
    mark = "kursk-" + hashlib.sha256("\0".join([text, *attached, *attached.values()]).encode()).hexdigest()[:24]
    lines = [
        "X-Unsent: 1",
        f"Subject: {subject_}",
        "MIME-Version: 1.0",
        f'Content-Type: multipart/mixed; boundary="{mark}"',
        "",
        f"--{mark}",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: 8bit",
        "",
        text,
    ]
    for name, inside in attached.items():
        lines += [
            f"--{mark}",
            f'Content-Type: application/yaml; name="{name}"',
            f'Content-Disposition: attachment; filename="{name}"',
            "Content-Transfer-Encoding: base64",
            "",
            *_base64(inside.encode("ascii")),
        ]
    return "\n".join([*lines, f"--{mark}--", ""]).encode("utf-8")


def _base64(data: bytes) -> list[str]:
    coded = binascii.b2a_base64(data, newline=False).decode("ascii")
    return [coded[at : at + _WIDTH] for at in range(0, len(coded), _WIDTH)]


def write(place: Path, name: str, letter: bytes) -> Path | None:
    """Put a letter down, whole and for its owner alone; None if it is there or was sent. UsageError."""
    folders.make(place)
    path = place / f"{name}.eml"
    if (place / SENT / path.name).exists():
        return None
    try:
        if disk.create(path, letter):
            return path
        if files.read(path, len(letter)) == letter:
            return None
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None
    raise UsageError(
        f"{path} is there already and says something else: send it, then 'kursk tournament letters --sent'"
    )


def names(place: Path) -> list[str]:
    """The names of all letters there ever were, sent ones too, sorted."""
    return sorted({path.stem for pattern in ("*.eml", f"{SENT}/*.eml") for path in place.glob(pattern)})


def waiting(place: Path) -> list[Path]:
    """The letters that are not marked as sent."""
    return sorted(place.glob("*.eml"))


def mark_sent(place: Path) -> int:
    """Mark all letters as sent; how many there were."""
    found = waiting(place)
    folders.make(place / SENT)
    for path in found:
        path.replace(place / SENT / path.name)
    return len(found)
