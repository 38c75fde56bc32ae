"""Verdicts as plain data, and the file of ``verify --results``, which lets an interrupted verification continue.

A line of the file is a JSON object. ``unit``: a digest of this program, the folder names and all verified bytes.
``verdicts``: the output of ``verify --json`` for each game. The file is unsigned, so a writer of the file can lie.
``again`` verifies all games and reports different verdicts.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

from kursk_pbem import __version__
from kursk_pbem.audit import units
from kursk_pbem.audit.one_file import Finding
from kursk_pbem.audit.played import Forfeited, Played, Timed
from kursk_pbem.audit.units import Task
from kursk_pbem.errors import EXIT_TRUST, FileError, KurskError, UsageError, Where
from kursk_pbem.formats import data
from kursk_pbem.game.reply_times import Times

_BEGIN = '{"unit": "'
_LASTING = (0, EXIT_TRUST)
"""Verdicts that follow from the bytes alone. Other verdicts may depend on this machine."""
MAX_LINE = 64 << 20
"""Maximum number of bytes of a line."""


@cache
def identify_program() -> str:
    """Return the version and a digest of the program's modules, schemas and scenarios, equal on every machine.

    Verdicts of a different program are never reused.
    """
    digest = hashlib.sha256()
    package = Path(__file__).resolve().parents[1]
    for kind, top in (("", package), *((kind, data.find_folder(kind)) for kind in ("schemas", "scenarios"))):
        for path in sorted(top.rglob("*")):
            name = path.relative_to(top).as_posix()
            if path.suffix in {".py", ".yaml", ".json"} and not name.startswith("_data/"):
                digest.update(f"{kind}/{name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return f"{__version__} ({digest.hexdigest()[:16]})"


def is_lasting(finding: Finding) -> bool:
    """Return whether a verdict follows from the files alone, so that it is equal on every machine."""
    return finding.status in _LASTING


def to_plain(finding: Finding) -> dict[str, Any]:
    """Return a verdict as plain data, as ``verify --json`` prints it, without the facts for a tournament."""
    told = asdict(replace(finding, kept=None, played=None))
    return {name: value for name, value in told.items() if name not in ("kept", "played")}


def to_line(verdicts: Sequence[Finding]) -> str:
    """Return the verdicts on a unit of work as one line of JSON, for workers and for the file of verdicts."""
    return json.dumps([_to_complete(finding) for finding in verdicts], ensure_ascii=True, sort_keys=True)


def _to_complete(finding: Finding) -> dict[str, Any]:
    played = {"played": asdict(finding.played)} if finding.played is not None else {}
    return to_plain(finding) | played


def from_line(line: str) -> list[Finding]:
    """Return the verdicts in a line of JSON. Raises ValueError, TypeError or KeyError if the line has a wrong form."""
    return _parse_findings(json.loads(line))


def _parse_findings(told: Sequence[Mapping[str, Any]]) -> list[Finding]:
    found = []
    for plain in told:
        times = {side: Times(**taken) for side, taken in plain["times"].items()}
        played = {"played": _parse_played(plain["played"])} if "played" in plain else {}
        found.append(Finding(**{**plain, "times": times, **played}))
    return found


def _parse_played(told: Mapping[str, Any]) -> Played:
    timed = {
        kind: tuple(Timed(**(paper | {"log": tuple(paper["log"])})) for paper in told[kind])
        for kind in ("receipts", "extensions")
    }
    lost = told["forfeit"]
    forfeit = Forfeited(**(lost | {"log": tuple(lost["log"])})) if lost is not None else None
    return Played(**{**told, "ids": tuple(told["ids"]), **timed, "forfeit": forfeit})


class Results:
    """An open file of verdicts. Units of work with unchanged bytes are not verified again.

    ``again``: verify every unit. ``tell``: a function to call if a new verdict differs from the file (``lies``: True).
    """

    def __init__(self, path: Path, tell: Callable[[str], object], *, again: bool = False) -> None:
        """Open or make the file. Raises UsageError if impossible, FileError for a file of a different kind."""
        self.path, self.again, self.tell, self.lies = path, again, tell, False
        self._places: dict[str, int] = {}
        self._stream: BinaryIO
        try:
            self._stream = path.open("a+b")
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror or error}") from None
        try:
            self._look_through()
        except BaseException:
            self._stream.close()
            raise

    def close(self) -> None:
        """Close the file of verdicts."""
        self._stream.close()

    def get(self, tasks_: Sequence[Task]) -> list[Finding] | None:
        """Return the saved verdicts on the games of a unit of work, or ``None`` if these games must be verified."""
        return None if self.again or (digest := _hash_units(tasks_)) is None else self._said(digest, tasks_)

    def put(self, tasks_: Sequence[Task], verdicts: Sequence[Finding]) -> None:
        """Save the verdicts on the games of a unit of work, if every verdict follows from the files alone."""
        if not all(map(is_lasting, verdicts)) or (digest := _hash_units(tasks_)) is None:
            return
        said, before = to_line(verdicts), self._said(digest, tasks_)
        if before is not None:
            if to_line(before) == said:
                return
            self.lies = True
            for old, new in zip(before, verdicts, strict=True):
                if to_line([old]) != to_line([new]):
                    self.tell(f"{self.path} has a different verdict on {new.path}: {old.text}")
        line = f'{_BEGIN}{digest}", "verdicts": {said}}}\n'
        if len(line) > MAX_LINE:
            return
        self._places[digest] = self._stream.seek(0, 2)
        self._stream.write(line.encode("ascii"))
        self._stream.flush()

    def _said(self, digest: str, tasks_: Sequence[Task]) -> list[Finding] | None:
        if (place := self._places.get(digest)) is None:
            return None
        self._stream.seek(place)
        with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError, RecursionError):
            verdicts = _parse_findings(json.loads(self._stream.readline(MAX_LINE))["verdicts"])
            if [finding.path for finding in verdicts] == [str(task.path) for task in tasks_]:
                return verdicts
        return None

    def _look_through(self) -> None:
        """Find the place of each unit. A cut last line is removed; a different kind of line raises FileError."""
        self._stream.seek(0)
        place, begin = 0, _BEGIN.encode("ascii")
        for number, line in enumerate(iter(lambda: self._stream.readline(MAX_LINE), b""), 1):
            try:
                self._places[json.loads(line if line.endswith(b"\n") else b"")["unit"]] = place
            except (ValueError, TypeError, KeyError, RecursionError):
                if line.endswith(b"\n") or len(line) == MAX_LINE or line[: len(begin)] != begin[: len(line)]:
                    why = "the line holds no verdicts; give --results a file written by 'kursk verify'"
                    raise FileError(why, Where(str(self.path), number)) from None
                self._stream.truncate(place)
                return
            place += len(line)


def _hash_units(tasks_: Sequence[Task]) -> str | None:
    """Return a digest of the input of the verdicts; ``None`` for files and unreadable games."""
    digest = hashlib.sha256(identify_program().encode())
    for task in tasks_:
        if not task.game:
            return None
        try:
            files = units.read_contents(task.path)
        except (KurskError, OSError):
            return None
        told = [
            str(task.path),
            task.head,
            task.account,
            [(name, hashlib.sha256(raw).hexdigest()) for name, raw in files],
        ]
        digest.update(json.dumps(told).encode() + b"\n")
    return digest.hexdigest()
