"""The private data folder: what makes a player able to sign, and must never lie in a game folder (protocol 2.6).

Per game: ``game.json`` (side, paths, the cached secret) and the journal, one file a slot. A slot file comes into being
whole and once, by a hard link or a rename that fails if it exists, so two processes can never sign two messages for
one slot; it is on disk before the message is released, and holds the message's text and the plain text of its seals.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kursk_pbem.errors import UsageError

SIGNED, RECEIVED = "signed", "received"


@dataclass(frozen=True)
class Slot:
    """One journal entry: ``kind`` signed or received, the message's id, and for one's own: its text and its seals.

    ``seals``: label -> {salt, value}, what the next message must reveal.
    """

    seq: int
    kind: str
    id: str
    text: str = field(default="", repr=False)
    seals: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Record:
    """What this player knows of one game. ``secret`` is the root of his nonces and salts (protocol 3.7)."""

    path: Path
    game: str
    side: str
    key: str
    folder: str
    secret: bytes = field(repr=False)

    def slot(self, seq: int) -> Slot | None:
        """The journal entry of a slot, None if there is none."""
        try:
            data = json.loads(_slot_path(self.path, seq).read_text(encoding="utf-8"))
            slot = Slot(seq, data["kind"], data["id"], data.get("text", ""), data.get("seals", {}))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise UsageError(f"the journal entry {_slot_path(self.path, seq)} cannot be read: {_why(error)}") from None
        if slot.kind not in (SIGNED, RECEIVED) or not isinstance(slot.id, str):
            raise UsageError(f"the journal entry {_slot_path(self.path, seq)} cannot be read: it is no entry")
        return slot

    def enter(self, slot: Slot) -> Slot:
        """Put a slot into the journal and onto the disk; the entry that is there if another was first."""
        data = {"kind": slot.kind, "id": slot.id}
        if slot.kind == SIGNED:
            data |= {"text": slot.text, "seals": slot.seals}  # type: ignore[dict-item]
        path = _slot_path(self.path, slot.seq)
        if _write_once(path, json.dumps(data, sort_keys=True, indent=1)):
            return slot
        held = self.slot(slot.seq)
        if held is None:
            raise UsageError(f"the journal entry {path} cannot be read")
        return held


def _slot_path(path: Path, seq: int) -> Path:
    return path / "journal" / f"{seq:04d}.json"


def _game_path(home: Path, game: str) -> Path:
    return home / "games" / game[:16]


def create(home: Path, record_of: Mapping[str, str], secret: bytes) -> Record:
    """Begin the record of a game: keys ``game``, ``side``, ``key``, ``folder``. The same again is no harm.

    Paths are kept relative to ``home``, so that both can be moved together.
    """
    path = _game_path(home, record_of["game"])
    try:
        (path / "journal").mkdir(mode=0o700, parents=True, exist_ok=True)
        for each in (home, home / "games", path):
            with contextlib.suppress(OSError):  # not every file system has modes
                each.chmod(0o700)
        paths = {name: _relative(record_of[name], home) for name in ("key", "folder")}
        data = {**record_of, **paths, "secret": secret.hex()}
        _write_once(path / "game.json", json.dumps(data, sort_keys=True, indent=1))
    except OSError as error:
        raise UsageError(f"the private folder {path} cannot be written: {error.strerror}") from None
    held = find(home, record_of["game"])
    if held is None or held.side != record_of["side"]:
        raise UsageError(f"{path} belongs to another game or side; use another KURSK_HOME for another player")
    return held


def _relative(path: str, home: Path) -> str:
    try:
        return Path(os.path.relpath(path, home)).as_posix()
    except ValueError:  # another drive
        return path


def find(home: Path, game: str) -> Record | None:
    """The record of a game on this machine, None if there is none."""
    path = _game_path(home, game)
    try:
        data = json.loads((path / "game.json").read_text(encoding="utf-8"))
        key, folder = (os.path.normpath(home / data[name]) for name in ("key", "folder"))
        record = Record(path, data["game"], data["side"], key, folder, bytes.fromhex(data["secret"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise UsageError(f"the private record {path} cannot be read: {_why(error)}") from None
    if record.game != game:
        raise UsageError(f"{path} holds another game that begins alike; move it away")
    return record


def _why(error: Exception) -> str:
    """What is wrong with a private file, and nothing of what it holds: some errors carry all of it."""
    return str(error.strerror) if isinstance(error, OSError) else f"it is damaged ({type(error).__name__})"


def _write_once(path: Path, text: str) -> bool:
    """Create a file with its whole content, on disk, or leave the one that is there; true if it was created."""
    handle, name = tempfile.mkstemp(prefix=".kursk-", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text + "\n")
            file.flush()
            os.fsync(file.fileno())
        try:
            _claim(temporary, path)
        except FileExistsError:
            return False
        _sync_folder(path.parent)
        return True
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


def _claim(temporary: Path, path: Path) -> None:
    """Give a complete file its name, unless the name is taken: FileExistsError."""
    if os.name == "nt":
        temporary.rename(path)  # fails there if it exists
        return
    try:
        path.hardlink_to(temporary)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links: the name is still claimed once, though not in one step
        with path.open("xb") as file:
            file.write(temporary.read_bytes())
            file.flush()
            os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Make a new name last on systems where a folder can be synced."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
