"""By which mail a turn came, and when: its Message-ID, and the times that a receipt rests on.

Written once, when the turn is first seen; so a receipt that is signed later says the same. Kept of what is in the game
or waits for it, and of nothing else: a player may sign as many turns as they like that are refused (T49).
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from kursk_pbem.errors import DiskError
from kursk_pbem.post import address as addresses
from kursk_pbem.post import place
from kursk_pbem.post.envelope import WORDS

_MOST = 64
"""Addresses of copies of a turn that waits (T49)."""


def _folder(home: Path, short: str) -> Path:
    return place.root(home) / "came" / short


def _path(home: Path, game: str, seq: int, turn: str) -> Path:
    return _folder(home, game[:16]) / f"{seq:04d}-{turn[:16]}.json"


def note(home: Path, game: str, seq: int, turn: str, **said: str) -> None:
    """Put down of a turn with this id what its mail said: ``message``, ``sender``, ``arrived``, ``fetched``."""
    place.once(_path(home, game, seq, turn), {"id": turn, **said})


def also(home: Path, game: str, seq: int, turn: str, sender: str, arrived: str) -> None:
    """Put down of a turn that waits that a copy came from elsewhere, or says when, as the first did not, or sooner.

    The first may have been an opponent's, whose line says a time still to come.
    """
    noted = place.load(path := _path(home, game, seq, turn))
    there = noted.get("also", {})
    if noted.get("id") != turn or not isinstance(there, dict):
        return
    more = dict(noted)
    if arrived and not noted.get("arrived"):
        more["arrived"] = arrived
    elif arrived and arrived < str(noted.get("sooner", noted.get("arrived"))):
        more["sooner"] = arrived
    if sender and sender.lower() not in {str(noted.get("sender", "")).lower(), *there} and len(there) < _MOST:
        more["also"] = {**there, sender.lower(): sender}
    if more != noted:
        place.put(path, more)


def senders(home: Path, game: str, seq: int, turn: str) -> list[str]:
    """From where copies of a turn came while it waited; none that cannot be read."""
    with suppress(DiskError):
        noted = place.load(_path(home, game, seq, turn))
        return _copies(noted) if noted.get("id") == turn else []
    return []


def _copies(noted: Mapping[str, Any]) -> list[str]:
    """From where copies came, by what is put down of a turn."""
    there = noted.get("also", {})
    return list(map(str, there.values())) if isinstance(there, dict) else []


def addresses_of(home: Path, short: str, name: str) -> set[str]:
    """The same in small letters, with where it came from first; ``name``: that of its file, where it waits."""
    with suppress(DiskError):
        noted = place.load(_folder(home, short) / f"{name}.json")
        return {text.lower() for text in (str(noted.get("sender", "")), *_copies(noted))} - {""}
    return set()


def said(home: Path, game: str, seq: int, turn: str) -> dict[str, str]:
    """What was put down of a turn; nothing if that is nothing, or of another that begins alike."""
    noted = place.load(_path(home, game, seq, turn))
    return {key: str(value) for key, value in noted.items()} if noted.get("id") == turn else {}


def any_of(home: Path, game: str, seq: int) -> bool:
    """Whether a message with a number came that is in the game or waits, or was, before its folder was set back."""
    return any(name.startswith(f"{seq:04d}-") for name in place.names(_folder(home, game[:16])))


def message_id(home: Path, game: str, seq: int, turn: str) -> str:
    """The Message-ID by which a turn came, '' if there is none that could stand in a header that others read.

    That of a letter in words, a reminder say that brought what was lost, shows who has it: the opponent is told no such
    thing (T56).
    """
    text = said(home, game, seq, turn).get("message", "")
    return text if addresses.is_message_id(text) and not text.startswith(WORDS) else ""


def sender(home: Path, game: str, seq: int, turn: str) -> str:
    """The address from which a turn came, before it waited perhaps; '' if that is of no person, or cannot be read."""
    with suppress(DiskError):
        return said(home, game, seq, turn).get("sender", "")
    return ""


def drop(home: Path, game: str, seq: int, turn: str) -> None:
    """Forget that of a turn which neither is in its game nor waits for it: nothing rests on when it came.

    Not that of another which begins alike.
    """
    path = _path(home, game, seq, turn)
    with suppress(DiskError):
        if place.load(path).get("id", turn) != turn:
            return
    if path.exists():
        path.unlink(missing_ok=True)
        with suppress(OSError):  # others of the game are noted
            path.parent.rmdir()


def forget(home: Path, short: str) -> None:
    """The same of all turns of a game, by the first 16 digits of its id: nobody has accepted it."""
    shutil.rmtree(_folder(home, short), ignore_errors=True)
