"""The private record of a tournament: role, key, secret, and a journal of what was signed, entry by entry.

It lies in ``tournaments/<16 digits>/`` of the private folder. A paper is entered here before it is written anywhere
else, so whoever is cut off signs the same bytes again, and nobody signs two papers under one number (protocol 2.6).
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kursk_pbem.errors import DiskError, NoRecordError, UsageError
from kursk_pbem.formats import files
from kursk_pbem.formats.canonical import MAX_BYTES
from kursk_pbem.game import disk
from kursk_pbem.tournament import FOLDER, chance
from kursk_pbem.tournament.papers import forms
from kursk_pbem.trust.keys import Signer

DIRECTOR, ENTRANT = "director", "entrant"
LETTERS = "letters"
_RECORD = "tournament.json"
_NEXT_KEY = "next-key"  # former releases kept one, without the number of a draw


@dataclass(frozen=True)
class Record:
    """What is kept of one tournament. ``key`` and ``folder`` are whole paths, ``secret`` has 32 bytes."""

    path: Path
    tournament: str
    role: str
    key: str
    folder: str
    secret: bytes = field(repr=False)

    @property
    def letters(self) -> Path:
        """Where letters wait to be sent."""
        return self.path / LETTERS

    def entry(self, name: str) -> str:
        """What was signed under a name (``0007``, ``open-3``), '' if nothing was. UsageError if it cannot be read."""
        path = self._entry_path(name)
        try:
            return files.read(path, 2 * MAX_BYTES).decode("ascii")
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeDecodeError) as error:
            raise DiskError(f"{path} cannot be read: {error}") from None

    def entries(self) -> list[str]:
        """The names of all that was signed."""
        return sorted(path.stem for path in (self.path / "journal").glob("*.yaml"))

    def enter(self, name: str, text: str) -> str:
        """Put down what is signed under a name; what stands there then, perhaps from before. UsageError."""
        path = self._entry_path(name)
        try:
            disk.create(path, text.encode("ascii"))
        except OSError as error:
            raise DiskError(f"{path} cannot be written: {error.strerror}") from None
        return self.entry(name)

    def next_keys(self) -> list[str]:
        """The files of the keys with which the owner wants to go on, that of the latest draw first."""
        names = (name for name in self.entries() if name.startswith(_NEXT_KEY))
        numbered = sorted(names, key=lambda name: int(name[len(_NEXT_KEY) + 1 :] or -1), reverse=True)
        return [self.entry(name).strip() for name in numbered]

    def wants(self, key: str, draw: int) -> None:
        """Put down the file of a key with which the owner wants to go on, as is said for a draw. UsageError."""
        self.enter(f"{_NEXT_KEY}-{draw}", key)

    def _entry_path(self, name: str) -> Path:
        return self.path / "journal" / f"{name}.yaml"


def secret(signer: Signer, of: str) -> bytes:
    """The secret of a key for one tournament, 32 bytes; ``of``: its id, for a director the nonce of paper 0, in hex."""
    return chance.own_secret(signer.raw(forms.SECRET_NAMESPACE, bytes.fromhex(of)))


def create(home: Path, record_of: Mapping[str, str], secret_: bytes) -> Record:
    """Begin the record of a tournament: ``tournament``, ``role``, ``key``, ``folder``. The same again is no harm."""
    path = _path(home, record_of["tournament"])
    data = {**record_of, "secret": secret_.hex()}
    data |= {name: _relative(record_of[name], home) for name in ("key", "folder")}
    try:
        home.parent.mkdir(parents=True, exist_ok=True)
        for folder in (home, root(home), path, path / "journal", path / LETTERS):
            folder.mkdir(mode=0o700, exist_ok=True)
        with contextlib.suppress(OSError):  # not every file system has modes
            path.chmod(0o700)
        disk.create(path / _RECORD, (json.dumps(data, sort_keys=True, indent=1) + "\n").encode("ascii"))
    except OSError as error:
        raise DiskError(f"the private folder {path} cannot be written: {error.strerror}") from None
    record = find(home, record_of["tournament"])
    if record is None or record.role != record_of["role"]:
        raise UsageError(f"{path} is that of another tournament or role; use another KURSK_HOME for another person")
    return record


def move(home: Path, own: Record, key: str, secret_: bytes) -> Record:
    """Put down another key and its secret. UsageError if it cannot be written."""
    path = own.path / _RECORD
    data = json.loads(path.read_text(encoding="utf-8"))
    data |= {"key": _relative(key, home), "secret": secret_.hex()}
    try:
        disk.replace(path, (json.dumps(data, sort_keys=True, indent=1) + "\n").encode("ascii"), mode=0o600)
    except OSError as error:
        raise DiskError(f"{path} cannot be written: {error.strerror}") from None
    return find(home, own.tournament) or own


def root(home: Path) -> Path:
    """Where the records of all tournaments lie."""
    return home / FOLDER


def _path(home: Path, tournament: str) -> Path:
    return root(home) / tournament[:16]


def _relative(path: str, home: Path) -> str:
    try:
        return Path(os.path.relpath(os.path.realpath(path), os.path.realpath(home))).as_posix()
    except ValueError:  # another drive
        return path


def find(home: Path, tournament: str) -> Record | None:
    """The record of a tournament on this machine, None if there is none. DiskError if it cannot be read."""
    path = _path(home, tournament)
    if path not in disk.inside(root(home)) or (record := _read(home, path)) is None:
        return None
    if record.tournament != tournament:
        raise UsageError(f"{path} holds another tournament that begins alike; move it away")
    return record


def _read(home: Path, path: Path) -> Record | None:
    """The record in a folder, None if there is none. DiskError."""
    try:
        data = json.loads(files.read(path / _RECORD, MAX_BYTES))
        key, folder = (os.path.normpath(Path(os.path.realpath(home)) / data[name]) for name in ("key", "folder"))
        record = Record(path, data["tournament"], data["role"], key, folder, bytes.fromhex(data["secret"]))
        good = record.role in (DIRECTOR, ENTRANT) and _path(home, record.tournament) == path
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise DiskError(f"the private record {path} cannot be read: {type(error).__name__}") from None
    if not good:
        raise DiskError(f"the private record {path} cannot be read: it describes no tournament")
    return record


def every(home: Path) -> list[Record]:
    """All tournaments of this private folder, in order of their ids. UsageError."""
    records, faults = survey(home)
    if faults:
        raise faults[0]
    return records


def survey(home: Path) -> tuple[list[Record], list[UsageError]]:
    """Those that can be read, in order of their ids, and why others cannot."""
    records, faults = list[Record](), list[UsageError]()
    try:
        there = disk.inside(root(home))
    except DiskError as error:
        return [], [error]
    for path in there:
        try:
            if (record := _read(home, path)) is not None:
                records.append(record)
        except UsageError as error:
            faults.append(error)
    return records, faults


def need(home: Path, tournament: str, role: str) -> Record:
    """The record of a role in a tournament. NoRecordError, UsageError."""
    record = find(home, tournament)
    if record is None:
        raise NoRecordError(f"this private folder knows nothing of the tournament {tournament[:16]}")
    if record.role != role:
        raise UsageError(f"here you are the {record.role} of this tournament: this is for its {role}")
    return record
