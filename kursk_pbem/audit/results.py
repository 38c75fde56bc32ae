"""Verdicts as plain data, and the file in which ``verify --results`` keeps them, so that it can go on where it stopped.

A line of the file is a JSON object: ``unit``, a digest of this program, of the names of the folders and of all bytes
that were verified; and ``verdicts``, what ``verify --json`` says of each game. Nobody has signed it: whoever can write
the file can lie in it. Whoever wants to know verifies ``again``, and what the file said otherwise is named.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import stat
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

from kursk_pbem.audit import edition, units
from kursk_pbem.audit.one_file import Finding
from kursk_pbem.audit.played import Forfeited, Played, Timed
from kursk_pbem.audit.units import Task
from kursk_pbem.errors import EXIT_TRUST, FileError, KurskError, UsageError, Where
from kursk_pbem.formats import files
from kursk_pbem.game.reply_times import Times

_BEGIN = '{"unit": "'
_LASTING = (0, EXIT_TRUST)
"""Verdicts that follow from the bytes alone. Others may have come of this machine: no scenario, no permission."""
MAX_LINE = 64 << 20
"""Bytes of a line: more is neither kept nor read."""


def lasts(finding: Finding) -> bool:
    """Whether a verdict follows from the bytes alone, so that it is the same on every machine."""
    return finding.status in _LASTING


def to_plain(finding: Finding) -> dict[str, Any]:
    """A verdict as ``verify --json`` shows it, without what a tournament asks of a game."""
    return {
        "path": finding.path,
        "status": finding.status,
        "text": finding.text,
        "game": finding.game,
        "head": finding.head,
        "messages": finding.messages,
        "fault": finding.fault,
        "continues": finding.continues,
        "scenario": finding.scenario,
        "names": dict(finding.names),
        "turn": finding.turn,
        "points": finding.points,
        "winner": finding.winner,
        "how": finding.how,
        "times": {side: asdict(taken) for side, taken in finding.times.items()},
    }


def to_line(verdicts: Sequence[Finding]) -> str:
    """The verdicts on a unit in one line of JSON, with everything: what a worker sends back, and what is kept."""
    return json.dumps([_whole(finding) for finding in verdicts], ensure_ascii=True, sort_keys=True)


def _whole(finding: Finding) -> dict[str, Any]:
    played = {"played": asdict(finding.played)} if finding.played is not None else {}
    return to_plain(finding) | played


def from_line(line: str) -> list[Finding]:
    """The verdicts of :func:`to_line`. ValueError, TypeError or KeyError if it is no such line."""
    return [_finding(told) for told in json.loads(line)]


def _finding(told: Mapping[str, Any]) -> Finding:
    plain = dict(told)
    plain["times"] = {side: Times(**taken) for side, taken in plain["times"].items()}
    if "played" in plain:
        plain["played"] = _played(plain["played"])
    return Finding(**plain)


def _played(told: Mapping[str, Any]) -> Played:
    timed = {
        kind: tuple(Timed(**(paper | {"log": tuple(paper["log"])})) for paper in told[kind])
        for kind in ("receipts", "extensions")
    }
    lost = told["forfeit"]
    forfeit = Forfeited(**(lost | {"log": tuple(lost["log"])})) if lost is not None else None
    return Played(**{**told, "ids": tuple(told["ids"]), **timed, "forfeit": forfeit})


class Results:
    """A file of verdicts, open: those of units that hold the same bytes as before are not found again.

    ``again``: all are found again. ``tell`` is told of each that the file knew otherwise, and ``lies`` is then True.
    """

    def __init__(self, path: Path, tell: Callable[[str], object], *, again: bool = False) -> None:
        """Open the file, or make it. UsageError if that cannot be, FileError if it is something else."""
        self.path, self.again, self.tell, self.lies = path, again, tell, False
        self._places: dict[str, int] = {}
        self._stream: BinaryIO
        try:
            self._stream = _open(path)
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror}") from None
        try:
            self._look_through()
        except BaseException:
            self._stream.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def get(self, tasks_: Sequence[Task]) -> list[Finding] | None:
        """The verdicts on these games that stand in the file; None if they are to be found."""
        return None if self.again or (digest := _digest(tasks_)) is None else self._said(digest, tasks_)

    def put(self, tasks_: Sequence[Task], verdicts: Sequence[Finding]) -> None:
        """Keep verdicts that have just been found, if they follow from the bytes alone."""
        if not all(map(lasts, verdicts)) or (digest := _digest(tasks_)) is None:
            return
        said, before = to_line(verdicts), self._said(digest, tasks_)
        if before is not None:
            if to_line(before) == said:
                return
            self.lies = True
            for old, new in zip(before, verdicts, strict=True):
                if to_line([old]) != to_line([new]):
                    self.tell(f"{self.path} says otherwise of {new.path}: {old.text}")
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
            told = json.loads(self._stream.readline(MAX_LINE))["verdicts"]
            verdicts = from_line(json.dumps(told))
            paths = [finding.path for finding in verdicts]
            if paths == [str(task.path) for task in tasks_] and all(map(_printable, told)):
                return verdicts
        return None

    def _look_through(self) -> None:
        """Where each unit stands. A last line that was cut off goes; any other that is none is no file of ours."""
        self._stream.seek(0)
        place, begin = 0, _BEGIN.encode("ascii")
        for number, line in enumerate(iter(lambda: self._stream.readline(MAX_LINE), b""), 1):
            try:
                self._places[json.loads(line if line.endswith(b"\n") else b"")["unit"]] = place
            except (ValueError, TypeError, KeyError, RecursionError):
                if line.endswith(b"\n") or len(line) == MAX_LINE or line[: len(begin)] != begin[: len(line)]:
                    why = "this line holds no verdicts; --results names a file that only 'kursk verify' writes"
                    raise FileError(why, Where(str(self.path), number)) from None
                self._stream.truncate(place)
                return
            place += len(line)


def _open(path: Path) -> BinaryIO:
    """Open an ordinary file to read it and to add to it, or make it. Raises OSError for a pipe or a device, at once."""
    handle = os.open(
        path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    )
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, files.NOT_ORDINARY)
    return os.fdopen(handle, "a+b")


def _printable(told: object) -> bool:
    """Return whether all texts of a verdict can be printed: others come from a file that somebody else has written."""
    if isinstance(told, str):
        return all(line.isprintable() for line in told.split("\n"))
    inner = told.items() if isinstance(told, dict) else told if isinstance(told, list | tuple) else ()
    return all(map(_printable, inner))


def _digest(tasks_: Sequence[Task]) -> str | None:
    """What the verdicts on these games follow from; None where they are no games, or cannot be read."""
    digest = hashlib.sha256(edition.own().encode())
    for task in tasks_:
        if not task.game:
            return None
        try:
            files = units.contents(task.path)
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
