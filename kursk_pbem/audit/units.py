"""Units of verification: a file, a game folder, or a family of successor games. Units are independent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from kursk_pbem.audit import one_file
from kursk_pbem.audit.one_file import Finding
from kursk_pbem.errors import FileError, UsageError, Where
from kursk_pbem.formats.canonical import MAX_BYTES
from kursk_pbem.formats.files import forget_files
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders

_READ = re.compile(
    r"[0-9]{4}\.(yaml|json|json\.sig)|state-[0-9]{4}\.json"
    r"|((receipt|extension)-[0-9a-f-]*|forfeit)\.(yaml|json)(\.sig)?"
)


@frozen
class Task:
    """A game folder or file to verify. The other fields are parameters of `verify_file` and `verify_game`.

    One process verifies and compares all tasks with one ``family``. ``account``: also return the facts for a
    tournament.
    """

    path: Path
    game: bool
    head: str = ""
    key: str = ""
    seq: int | None = None
    family: str = ""
    account: bool = False


Unit: TypeAlias = "tuple[list[int], list[Any]]"
"""Work for one process: the positions in the request, and the tasks or the single job there."""


def list_tasks(paths: Iterable[Path | Finding], head: str, key: str, seq: int | None) -> list[Task | Finding]:
    """Return a task for every file and game in the folders, in order. A folder without games becomes a verdict.

    A verdict in ``paths`` stays at its place.
    """
    work: list[Task | Finding] = []
    for path in paths:
        if isinstance(path, Finding):
            work.append(path)
            continue
        if not _is_folder(path):
            work.append(Task(path, game=False, head=head, key=key, seq=seq))
            continue
        games = [path] if folders.read_game_id(path, "damaged") else list(folders.find_games(path))
        work += [Task(folder, game=True, head=head) for folder in games]
        if not games:
            error = UsageError(f"{path} holds no game: a game begins with message 0, 0000.yaml")
            work.append(one_file.make_failure(str(path), error))
    return _group_families(work)


def _group_families(work: Sequence[Task | Finding]) -> list[Task | Finding]:
    """Set the family of tasks whose games are successors."""
    places = [task.path for task in work if isinstance(task, Task) and task.game]
    if len(places) < 2:
        return list(work)
    from kursk_pbem.audit import verify  # noqa: PLC0415  the rules, which a file alone does not need

    names = verify.find_families(places)
    return [
        replace(task, family=names.get(task.path, "")) if isinstance(task, Task) and task.game else task
        for task in work
    ]


def _is_folder(path: Path) -> bool:
    """Return whether a path is a folder; False if unknown, because the reader reports the reason."""
    try:
        return path.is_dir()
    except OSError:
        return False


def group_units(work: Sequence[Task | Finding]) -> list[Unit]:
    """Group ``work`` into units of work: a task, or a family of games, with the positions of the tasks in ``work``."""
    units: list[Unit] = []
    of_family: dict[str, Unit] = {}
    for place, task in enumerate(work):
        if not isinstance(task, Task):
            continue
        unit = of_family.get(task.family) if task.family else None
        if unit is None:
            unit = ([], [])
            units.append(unit)
            of_family[task.family] = unit
        unit[0].append(place)
        unit[1].append(task)
    return units


class Job(Protocol):
    """Work other than verification, such as a game between programs. A job can be pickled."""

    def run(self) -> str:
        """Do the work and return the result."""


def run_unit(tasks_: Sequence[Any]) -> list[Any]:
    """Do a unit of work: return the verdicts on its tasks, or the results of its jobs."""
    return verify_unit(tasks_) if isinstance(tasks_[0], Task) else [job.run() for job in tasks_]


def verify_unit(tasks_: Sequence[Task]) -> list[Finding]:
    """Return the verdicts on a unit of work, without histories. Compare successor games with their earlier games."""
    verdicts = [_verify_task(task) for task in tasks_]
    if any(finding.continues for finding in verdicts):
        from kursk_pbem.audit import verify  # noqa: PLC0415  as above

        verdicts = verify.join(verdicts)
    forget_files()
    return [replace(finding, kept=None) if finding.kept is not None else finding for finding in verdicts]


def _verify_task(task: Task) -> Finding:
    if not task.game:
        return one_file.verify_file(task.path, task.key, task.head, task.seq)
    from kursk_pbem.audit import verify  # noqa: PLC0415  as above

    return verify.verify_game(task.path, task.head, keep=bool(task.family), account=task.account)


def read_contents(folder: Path) -> list[tuple[str, bytes]]:
    """Return the files that are needed to verify a game (T23), as name -> bytes. Raises FileError or OSError."""
    files = []
    for path in sorted(folder.iterdir()):
        if _READ.fullmatch(path.name):
            raw = folders.read_bytes(path)
            if len(raw) > MAX_BYTES:
                raise FileError("the file is too long for a message", Where(str(path)))
            files.append((path.name, raw))
    return files
