"""The private folder: the secrets that let a player sign. It must never be inside a game folder (protocol 2.6).

Each game has ``game.json`` (side, paths, cached secret) and a journal with one file a slot. A slot file is created only
once, by a hard link or a rename that fails if the file exists. Therefore two processes can never sign two messages for
one slot. The slot file is on the disk before the message is released. It contains the message's text and the plain text
of its seals. After a loss, ``restore`` rebuilds the entries from mail copies.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from kursk_pbem.errors import DiskError, UsageError
from kursk_pbem.frozen import frozen
from kursk_pbem.game import disk

SIGNED, RECEIVED, RESTORED = "signed", "received", "restored"
OWN = (SIGNED, RESTORED)
_SECRET = re.compile(r"\A(?:[0-9a-f]{2})+\Z")


@frozen
class Slot:
    """A journal entry for one message. ``kind``: signed, received or restored. ``text``: a message by the player.

    ``at``: the time of the signature or of the arrival, '' if unknown.

    ``restored``: a message that the player signed before the journal was lost. ``seals``: label -> {salt, value}, which
    the next message must reveal.
    """

    seq: int
    kind: str
    id: str
    text: str = field(default="", repr=False)
    seals: Mapping[str, Any] = field(default_factory=dict, repr=False)
    at: str = ""


@frozen
class Record:
    """A player's private record of one game. ``hidden``: the secret for nonces and salts (protocol 3.7), as hex.

    ``what_if``: the message after which a what-if game begins, None for a real game.
    """

    path: Path
    game: str
    side: str
    key: str
    folder: str
    hidden: str = field(repr=False)
    opponent: str = ""
    """The player's private name for the opponent, never mailed. If '', messages use the name in message 0."""
    what_if: int | None = None

    @property
    def secret(self) -> bytes:
        """The secret from which nonces and salts follow. Commands that only show a game never read it."""
        return decode_secret(self.hidden)

    @property
    def home(self) -> Path:
        """The private folder with this record."""
        return self.path.parents[1]

    def read_slot(self, seq: int) -> Slot | None:
        """Return the journal entry of message ``seq``, or None. Raises UsageError if the entry is unreadable."""
        try:
            data = json.loads(_slot_path(self.path, seq).read_text(encoding="utf-8"))
            slot = Slot(seq, data["kind"], data["id"], data.get("text", ""), data.get("seals", {}), data.get("at", ""))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            why = f"cannot be read: {_describe_error(error)}"
            raise DiskError(f"the journal entry {_slot_path(self.path, seq)} {why}") from None
        if slot.kind not in (*OWN, RECEIVED) or not isinstance(slot.id, str):
            raise DiskError(f"the journal entry {_slot_path(self.path, seq)} cannot be read: the file is no entry")
        return slot

    def enter(self, slot: Slot) -> Slot:
        """Write a journal entry to the disk and return it. If the message has an entry, return the old entry."""
        data: dict[str, Any] = {"kind": slot.kind, "id": slot.id, **({"at": slot.at} if slot.at else {})}
        if slot.kind in OWN:
            data |= {"text": slot.text, "seals": slot.seals}
        path = _slot_path(self.path, slot.seq)
        if _write_once(path, data):
            return slot
        held = self.read_slot(slot.seq)
        if held is None:
            raise DiskError(f"the journal entry {path} cannot be read")
        return held

    def drop(self, seq: int, *, void: bool = False) -> None:
        """Remove the entry of a received message that does not count, or the last entries of a what-if game.

        Raises UsageError for a message that the player has signed, unless ``void`` is set.
        """
        held, path = self.read_slot(seq), _slot_path(self.path, seq)
        if held is not None and held.kind != RECEIVED and not void and (self.what_if is None or seq <= self.what_if):
            raise UsageError(f"{path} records your own message, and cannot be deleted")
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise DiskError(f"{path} cannot be removed: {error.strerror}") from None

    @property
    def seqs(self) -> tuple[int, ...]:
        """The message numbers of all journal entries, in order."""
        paths = (self.path / "journal").glob("[0-9][0-9][0-9][0-9].json")
        return tuple(sorted(int(path.stem) for path in paths))

    @property
    def forgotten(self) -> bool:
        """Whether the player has dismissed the game, whose folder is gone."""
        return (self.path / "forgotten.json").exists()

    def forget(self) -> None:
        """Record that the player has dismissed the game. Keep the rest of the record."""
        _write_once(self.path / "forgotten.json", {"game": self.game})

    @property
    def withdrawn(self) -> bool:
        """Whether the player has withdrawn the proposal of the game."""
        return (self.path / "withdrawn.json").exists()

    def withdraw(self) -> None:
        """Record that the player has withdrawn the proposal. Message 0 stays signed."""
        _write_once(self.path / "withdrawn.json", {"game": self.game})


def decode_secret(hidden: str) -> bytes:
    """Return a secret from its hex digits."""
    return bytes.fromhex(hidden)


def read_own_seals(home: Path, game: str, seq: int) -> dict[str, Any]:
    """Return the sealed values (label -> value) of the player's own message ``seq`` from the journal."""
    slot = Record(_game_path(home, game), game, "", "", "", "").read_slot(seq)
    return {label: entry["value"] for label, entry in slot.seals.items()} if slot and slot.kind in OWN else {}


def _slot_path(path: Path, seq: int) -> Path:
    return path / "journal" / f"{seq:04d}.json"


def _games_folder(home: Path) -> Path:
    return home / "games"


def _game_path(home: Path, game: str) -> Path:
    return _games_folder(home) / game[:16]


def create(home: Path, record_of: Mapping[str, str], secret: bytes) -> Record:
    """Create the private record of a game, or return the existing record. Raises UsageError if the side differs.

    ``record_of``: ``game``, ``side``, ``key``, ``folder`` and perhaps ``opponent``. Saves paths relative to ``home``.
    Only the owner can read new folders; the permissions of existing folders stay.
    """
    path = _game_path(home, record_of["game"])
    disk.make_private(path / "journal")
    with contextlib.suppress(OSError):  # some file systems have no modes
        path.chmod(0o700)
    _write_once(path / "game.json", _make_entries(home, record_of, secret))
    held = find(home, record_of["game"])
    if held is None or held.side != record_of["side"]:
        raise UsageError(f"{path} belongs to another game or side; use another KURSK_HOME for another player")
    return held


def _make_entries(home: Path, record_of: Mapping[str, str], secret: bytes) -> dict[str, str]:
    paths = {name: make_relative(record_of[name], home) for name in ("key", "folder")}
    return {**record_of, **paths, "secret": secret.hex()}


def move(home: Path, own: Record, key: str, folder: str) -> Record:
    """Save the new paths of a game's key and folder, and return the record. Raises UsageError if writing fails."""
    record_of = {"game": own.game, "side": own.side, "key": key, "folder": folder}
    record_of |= {"opponent": own.opponent} if own.opponent else {}
    record_of |= {"what-if": str(own.what_if)} if own.what_if is not None else {}
    disk.replace(own.path / "game.json", _as_bytes(_make_entries(home, record_of, own.secret)), mode=0o600)
    return find(home, own.game) or own


def make_relative(path: str, home: Path) -> str:
    """Return a path relative to the private folder ``home``, so that both can move together. Links are resolved."""
    try:
        return Path(os.path.relpath(os.path.realpath(path), os.path.realpath(home))).as_posix()
    except ValueError:  # another drive on Windows
        return path


def find_game_id(home: Path, name: str) -> str:
    """Return the id of the recorded game whose folder has this name, such as ``game-1a2b...``; '' if unknown."""
    path = home / "games" / name.removeprefix("game-") / "game.json"
    try:
        return str(json.loads(path.read_text(encoding="utf-8"))["game"]) if name.startswith("game-") else ""
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return ""  # a later search by id reports the fault


def find(home: Path, game: str) -> Record | None:
    """Return the record of a game on this machine, or ``None``. Raises UsageError if the record is unreadable."""
    record = _read(home, _game_path(home, game))
    if record is not None and record.game != game:
        raise UsageError(
            f"{record.path} contains another game with a similar id. Do not move it. The new game cannot be played here"
        )
    return record


def load_records(home: Path) -> tuple[list[Record], list[UsageError]]:
    """Return the records of all games on this machine, sorted by id, and an error for each damaged record.

    Raises DiskError if the folder cannot be read, because an empty list would hide the games.
    """
    records: list[Record] = []
    faults: list[UsageError] = []
    for path in disk.list_folder(_games_folder(home)):
        try:
            if record := _read(home, path):
                records.append(record)
        except UsageError as error:
            faults.append(error)
    return records, faults


def _read(home: Path, path: Path) -> Record | None:
    """Return the record in a folder, or None. Raises DiskError if the record is unreadable."""
    try:
        data = json.loads((path / "game.json").read_text(encoding="utf-8"))
        key, folder = (os.path.normpath(Path(os.path.realpath(home)) / data[name]) for name in ("key", "folder"))
        what_if = int(data["what-if"]) if "what-if" in data else None
        (hidden,) = _SECRET.findall(data["secret"])  # checked, but not decoded
        if not os.access(path / "journal", os.R_OK | os.X_OK):
            disk.list_folder(path / "journal")
        called = " ".join(str(data.get("opponent", "")).split())  # a name taken from a proposal may contain line breaks
        return Record(path, data["game"], data["side"], key, folder, hidden, called, what_if)
    except (FileNotFoundError, NotADirectoryError):
        if not _games_folder(home).is_dir():
            disk.list_folder(_games_folder(home))
        return None
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise DiskError(f"the private record {path} cannot be read: {_describe_error(error)}") from None


def _describe_error(error: Exception) -> str:
    """Return the fault of a private file without its content: some errors quote the whole file."""
    if isinstance(error, OSError):
        return str(error.strerror)
    return f"the file is damaged ({type(error).__name__}); move the file away and type 'kursk restore'"


def _write_once(path: Path, data: Mapping[str, Any]) -> bool:
    """Create a private file on the disk and return True. If the file exists, change nothing and return False."""
    return disk.create(path, _as_bytes(data))


def _as_bytes(data: Mapping[str, Any]) -> bytes:
    return (json.dumps(data, sort_keys=True, indent=1) + "\n").encode("ascii")
