"""The private record of a tournament: role, key, secret, and a journal of signed papers.

The record is in ``tournaments/<16 digits>/`` of the private folder. A paper enters the journal before any other write.
After a crash the program signs the same bytes again, and never two papers under one number (protocol 2.6).
"""

from __future__ import annotations

import json
import os
from dataclasses import field
from pathlib import Path

from kursk_pbem.desk.ground import jsonfiles
from kursk_pbem.errors import DiskError, NoRecordError, UsageError
from kursk_pbem.formats import files
from kursk_pbem.formats.canonical import MAX_BYTES
from kursk_pbem.frozen import frozen
from kursk_pbem.game import disk, journal
from kursk_pbem.tournament import FOLDER, chance
from kursk_pbem.tournament.papers import forms
from kursk_pbem.trust.keys import Signer

DIRECTOR, ENTRANT = "director", "entrant"
LETTERS = "letters"
_RECORD = "tournament.json"
_NEXT_KEY = "next-key-"


@frozen
class Record:
    """The record of one tournament. ``key`` and ``folder``: absolute paths; ``secret``: 32 bytes."""

    path: Path
    tournament: str
    role: str
    key: str
    folder: str
    secret: bytes = field(repr=False)

    @property
    def letters(self) -> Path:
        """The folder that contains the letters."""
        return self.path / LETTERS

    def entry(self, name: str) -> str:
        """Return the signed text with a name such as ``0007`` or ``open-3``, or ''."""
        path = self._entry_path(name)
        try:
            return files.read(path, 2 * MAX_BYTES).decode("ascii")
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeDecodeError) as error:
            raise DiskError(f"{path} cannot be read: {error}") from None

    def entries(self) -> list[str]:
        """Return the names under which signed texts are saved."""
        return sorted(path.stem for path in (self.path / "journal").glob("*.yaml"))

    def enter(self, name: str, text: str) -> str:
        """Save a signed text under a name. Return the saved text, which may be an earlier text."""
        path = self._entry_path(name)
        disk.create(path, text.encode("ascii"))
        return self.entry(name)

    def remove(self, name: str) -> None:
        """Remove a signed text that is saved elsewhere, too. Raises DiskError."""
        try:
            self._entry_path(name).unlink(missing_ok=True)
        except OSError as error:
            raise DiskError(f"{self._entry_path(name)} cannot be removed: {error.strerror}") from None

    def next_keys(self) -> list[str]:
        """Return the files of keys to which the entrant wants to change, from the latest draw to the earliest."""
        names = (name for name in self.entries() if name.startswith(_NEXT_KEY))
        numbered = sorted(names, key=lambda name: int(name.removeprefix(_NEXT_KEY)), reverse=True)
        return [self.entry(name).strip() for name in numbered]

    def wants(self, key: str, draw: int) -> None:
        """Save the path of the key to which the entrant wants to change, and the number of the draw for this key."""
        self.enter(f"{_NEXT_KEY}{draw}", key)

    def _entry_path(self, name: str) -> Path:
        return self.path / "journal" / f"{name}.yaml"


def derive_secret(signer: Signer, of: str) -> bytes:
    """Return the 32-byte secret of a key. ``of``: the tournament, or for a director paper 0's nonce, in hex."""
    return chance.derive_secret(signer.raw(forms.SECRET_NAMESPACE, bytes.fromhex(of)))


def create_record(home: Path, tournament: str, role: str, key: Path, folder: Path, secret: bytes) -> Record:
    """Create a tournament's private record, unless it exists. ``key``: the key's file."""
    path, data = _record_path(home, tournament), {"tournament": tournament, "role": role, "secret": secret.hex()}
    data |= {name: journal.make_relative(str(place), home) for name, place in (("key", key), ("folder", folder))}
    for part in (path / "journal", path / LETTERS):
        disk.make_private(part)
    disk.create(path / _RECORD, (json.dumps(data, sort_keys=True, indent=1) + "\n").encode("ascii"))
    record = find_record(home, tournament)
    if record is None or record.role != role:
        raise UsageError(f"{path} belongs to a different tournament or role; use another KURSK_HOME for another person")
    return record


def change_key(home: Path, own: Record, key: str, secret_: bytes) -> Record:
    """Save another key and its secret in a private record. Return the record."""
    path = own.path / _RECORD
    data = json.loads(path.read_text(encoding="utf-8"))
    data |= {"key": journal.make_relative(key, home), "secret": secret_.hex()}
    jsonfiles.write_object(path, data)
    return find_record(home, own.tournament) or own


def _record_path(home: Path, tournament: str) -> Path:
    return home / FOLDER / tournament[:16]


def find_record(home: Path, tournament: str) -> Record | None:
    """Return the private record of a tournament, or None. Raises DiskError if the record is unreadable."""
    path = _record_path(home, tournament)
    if path not in disk.list_folder(home / FOLDER) or (record := _read_record(home, path)) is None:
        return None
    if record.tournament != tournament:
        raise UsageError(f"{path} belongs to a different tournament with a similar id; move the folder away")
    return record


def _read_record(home: Path, path: Path) -> Record | None:
    """Return the record in a folder, or None. Raises DiskError if the record cannot be read."""
    try:
        data, root = json.loads(files.read(path / _RECORD, MAX_BYTES)), os.path.realpath(home)
        key, folder = (os.path.normpath(os.path.join(root, data[name])) for name in ("key", "folder"))  # noqa: PTH118
        record = Record(path, data["tournament"], data["role"], key, folder, bytes.fromhex(data["secret"]))
        good = record.role in (DIRECTOR, ENTRANT) and _record_path(home, record.tournament) == path
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise DiskError(f"the private record {path} cannot be read: {type(error).__name__}") from None
    if not good:
        raise DiskError(f"the private record {path} cannot be read: no valid record of a tournament")
    return record


def list_records(home: Path) -> list[Record]:
    """Return all readable private records, sorted by id. Raises the first UsageError."""
    records, faults = survey_records(home)
    if faults:
        raise faults[0]
    return records


def survey_records(home: Path) -> tuple[list[Record], list[UsageError]]:
    """Return the readable private records, sorted by id, and the errors of the other records."""
    records, faults = list[Record](), list[UsageError]()
    try:
        there = disk.list_folder(home / FOLDER)
    except DiskError as error:
        return [], [error]
    for path in there:
        try:
            if (record := _read_record(home, path)) is not None:
                records.append(record)
        except UsageError as error:
            faults.append(error)
    return records, faults


def need_record(home: Path, tournament: str, role: str) -> Record:
    """Return the private record of a tournament. Raises NoRecordError without a record, UsageError for another role."""
    record = find_record(home, tournament)
    if record is None:
        raise NoRecordError(f"the private folder has no record of the tournament {tournament[:16]}")
    if record.role != role:
        raise UsageError(f"you are the {record.role} of this tournament, and only the {role} can do this")
    return record
