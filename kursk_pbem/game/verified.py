"""A cache of verified messages on a player's own computer, so that commands verify only new messages (decision 56).

The file ``verified`` in the private record has the game before the newest message. The file is bound to the bytes of
every covered message file, to this program, to the adjudication of the game, and by a MAC to the player's secret in
this game. If anything differs, the file is ignored and everything is verified again, with the same result. The newest
message is always verified. An auditor's ``verify`` never uses this file.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from kursk_pbem import __version__
from kursk_pbem.errors import DiskError, KurskError, UsageError, Where
from kursk_pbem.formats import data
from kursk_pbem.formats.canonical import canon, sha256_hex
from kursk_pbem.frozen import frozen
from kursk_pbem.game import disk, folders, games, histories, journal
from kursk_pbem.game.games import Game
from kursk_pbem.game.histories import History
from kursk_pbem.game.journal import Record
from kursk_pbem.kernel.state import from_plain
from kursk_pbem.report.luck import Luck
from kursk_pbem.trust import commit
from kursk_pbem.trust.chains import Chain, Seals

NAME = "verified"
_FORM = "1"
_MAC = 64
"""Hex digits of the MAC, the first line of the file."""
_MAX_CACHE = 64 * 1024 * 1024


def load(folder: Path, home: Path) -> History:
    """Return the verified history of a game folder with the referee's papers. Raises like :func:`histories.load`.

    Newly verified messages are cached only if the private folder ``home`` has a record of this game.
    """
    if (own := _find_record(folder, home)) is None:
        return histories.load(folder)
    held = _load_cached(own, folder)
    if held is None:
        history = histories.load(folder, what_if=own.what_if)
    else:
        history = histories.add_papers(folder, histories.continue_history(folder, held.game))
    if len(history.newest) > 1:
        _save_cache(own, history, held.files if held is not None else ())
    return history


def load_plain(path: Path, home: Path) -> History:
    """Return a history like :func:`histories.load_until`, but without cache and secrets, and also of what-if games."""
    return histories.load_until(path, find_what_if(path if path.is_dir() else path.parent, home))


def find_what_if(folder: Path, home: Path) -> int | None:
    """Return the number of the message after which this player's what-if game begins; None for another game."""
    own = _find_record(folder, home)
    return own.what_if if own is not None else None


def load_until(path: Path, home: Path) -> History:
    """Return a history like :func:`histories.load_until`, with the help of the cache."""
    if path.is_dir():
        return load(path, home)
    if _NUMBERED.fullmatch(path.name) and not path.exists() and folders.proposal_path(path.parent).exists():
        raise UsageError(_describe_missing(load(path.parent, home), int(path.name[:4])), Where(str(path)))
    message = folders.read_message(path)
    own = _find_record(path.parent, home)
    held = _load_cached(own, path.parent, message.seq) if own is not None else None
    if held is None:
        return load_plain(path, home)
    return histories.need_end(histories.continue_history(path.parent, held.game, message.seq), message, path)


_NUMBERED = re.compile(r"[0-9]{4}\.yaml")


def _describe_missing(history: History, seq: int) -> str:
    """Tell which messages exist and which message is due, for a message that does not exist."""
    game, last = history.game, history.last.seq
    due = "the game is over" if game.over else f"message {last + 1} is due, from {game.due}: {game.brings}"
    return f"message {seq} of game {game.chain.game[:8]} is missing: the last is message {last}; {due}"


def _find_record(folder: Path, home: Path) -> Record | None:
    """Return the player's record of a game. ``None`` for an auditor, an archive, or an unreadable folder."""
    try:
        first = folders.proposal_path(folder)
        return journal.find(home, folders.read_message(first).id) if first.suffix == ".yaml" else None
    except KurskError:
        return None


@frozen
class _Cached:
    """A cached game, and the SHA-256 of each covered message file."""

    game: Game
    files: tuple[str, ...]


def _load_cached(own: Record, folder: Path, until: int | None = None) -> _Cached | None:
    """Return the cached game if the folder's files match and more files follow.

    ``until``: the number of the last wanted message, ``None`` for the newest.
    """
    told = _read_cache(own)
    if told is None:
        return None
    try:
        files = folders.message_files(folder)
        covered = len(told["files"])
        if not 0 < covered < (len(files) if until is None else min(len(files), until + 1)):
            return None
        if any(sha256_hex(folders.read_bytes(path)) != was for path, was in zip(files, told["files"], strict=False)):
            return None
        game = _from_plain(games.begin(folders.read_numbered(files[0], 0), own.what_if), told)
    except (KurskError, ValueError, TypeError, KeyError, AttributeError, IndexError):
        return None  # complete verification reports the fault, if there is one
    return _Cached(game, tuple(told["files"])) if game is not None and game.chain.next_seq == covered else None


def _read_cache(own: Record) -> dict[str, Any] | None:
    """Return the content of a cache file that this program wrote for this player, otherwise ``None``."""
    try:
        with (own.path / NAME).open("rb") as stream:
            raw = stream.read(_MAX_CACHE)
    except OSError:
        return None
    mac, _line, body = raw[:_MAC], raw[_MAC : _MAC + 1], raw[_MAC + 1 :]
    if not hmac.compare_digest(mac, _make_mac(own, body)):
        return None
    try:
        told = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return told if isinstance(told, dict) and told.get("made") == _make_stamp(own) else None


def _make_mac(own: Record, body: bytes) -> bytes:
    return hmac.new(commit.desk_key(own.secret), body, hashlib.sha256).hexdigest().encode("ascii")


def _make_stamp(own: Record) -> list[str]:
    """Return the program, game and side that a cache file must match."""
    return [_FORM, __version__, digest_program(), own.game, own.side]


@lru_cache(maxsize=1)
def digest_program() -> str:
    """Return a digest of the names, sizes and times of the program's modules and schemas; '' without such files.

    Releases differ by their number. The digest distinguishes versions during development.
    """
    digest = hashlib.sha256()
    try:
        for top, ending in ((Path(__file__).parents[1], ".py"), (data.find_folder("schemas"), ".json")):
            for folder, below, names in os.walk(top):
                below.sort()
                for name in sorted(names):
                    if name.endswith(ending):
                        stat = os.stat(os.path.join(folder, name))  # noqa: PTH116, PTH118  faster than pathlib
                        digest.update(f"{name}\0{stat.st_size}\0{stat.st_mtime_ns}\n".encode())
    except OSError:
        return ""
    return digest.hexdigest()


def _save_cache(own: Record, history: History, files: Sequence[str]) -> None:
    """Cache all messages except the newest. ``files``: digests of the files before the newest steps.

    A failure to write is harmless: the messages are verified again.
    """
    read = [sha256_hex(step.message.document.raw) for step in history.newest[:-1]]
    body = canon({"made": _make_stamp(own), "files": [*files, *read], **_to_plain(history.last_step.before)})
    with contextlib.suppress(DiskError):
        disk.replace(own.path / NAME, _make_mac(own, body) + b"\n" + body, mode=0o600)


def _to_plain(game: Game) -> dict[str, Any]:
    """Return a verified game as plain data, without the fields of message 0."""
    chain = game.chain
    return {
        "version": _version(game),
        "state": game.state.to_plain(),
        "luck": game.luck.to_plain(),
        "rolled": "yes" if game.rolled else "",
        "resigned": game.resigned,
        "declined": [list(pair) for pair in sorted(game.declined)],
        "chain": {
            "writers": list(chain.writers),
            "ids": list(chain.ids),
            "openings": [_to_hex(value) for value in chain.openings],
            "commitments": [_to_hex(value) for value in chain.commitments],
            "seals": {side: {"seq": str(seal.seq), "hashes": dict(seal.hashes)} for side, seal in chain.seals.items()},
            "reveals": dict(chain.reveals),
            "ended": "yes" if chain.ended else "",
            "offer": dict(chain.offer),
            "offerer": chain.offerer,
            "declined": chain.declined,
            "agreed": dict(chain.agreed),
            "contents": [value.hex() for value in chain.contents],
        },
    }


def _version(game: Game) -> str:
    """Return the adjudication of the game and the newest adjudication of the rules."""
    return f"{game.version} of {game.ruleset.version}"


def _from_plain(begun: Game, told: dict[str, Any]) -> Game | None:
    """Return the game from plain data, ``None`` for another game. ``begun``: the game after message 0."""
    held = told["chain"]
    if held["ids"][0] != begun.chain.game or told["version"] != _version(begun):
        return None
    return replace(
        begun,
        chain=_restore_chain(begun.chain, held),
        state=from_plain(told["state"]),
        luck=Luck.from_plain(told["luck"]),
        rolled=bool(told["rolled"]),
        resigned=told["resigned"],
        declined=frozenset((side, turn) for side, turn in told["declined"]),
    )


def _restore_chain(begun: Chain, held: dict[str, Any]) -> Chain:
    return replace(
        begun,
        writers=tuple(held["writers"]),
        ids=tuple(held["ids"]),
        openings=tuple(_from_hex(text) for text in held["openings"]),
        commitments=tuple(_from_hex(text) for text in held["commitments"]),
        seals={side: Seals(int(seal["seq"]), seal["hashes"]) for side, seal in held["seals"].items()},
        reveals=held["reveals"],
        ended=bool(held["ended"]),
        offer=held["offer"],
        offerer=held["offerer"],
        declined=held["declined"],
        agreed=held["agreed"],
        contents=tuple(bytes.fromhex(text) for text in held["contents"]),
    )


def _to_hex(value: bytes | None) -> str:
    return value.hex() if value is not None else ""


def _from_hex(text: str) -> bytes | None:
    return bytes.fromhex(text) if text else None
