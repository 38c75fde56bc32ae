"""The public folder of a tournament: ``log/``, ``papers/``, ``games/``, ``evidence/``. Files are never overwritten."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import field
from pathlib import Path

from kursk_pbem.errors import KurskError, TrustError, UsageError, Where
from kursk_pbem.formats.canonical import shorten
from kursk_pbem.frozen import frozen
from kursk_pbem.game import disk, folders
from kursk_pbem.tournament.papers import forms
from kursk_pbem.tournament.papers.forms import Paper

LOG, PAPERS, GAMES, EVIDENCE = "log", "papers", "games", "evidence"
_NUMBERED = re.compile(r"[0-9]{4,5}\.yaml")
_NAMED = re.compile(r"[0-9a-f]{16}\.yaml")
_KEPT = re.compile(r"[a-z0-9-]+\.yaml")
MOST_KEPT, MOST_LINES = 16, 1_000
"""Maximum papers kept as evidence: from one sender, and of other lines. Thousands would fill the disk."""


@frozen
class Contents:
    """The papers of a folder: the log in order, and the players' papers by id."""

    log: tuple[Paper, ...]
    papers: dict[str, Paper] = field(repr=False)
    others: dict[str, Paper] = field(default_factory=dict, repr=False)  # log papers kept as evidence


def log_path(folder: Path, seq: int) -> Path:
    """Return the path of log paper number ``seq``."""
    return folder / LOG / f"{seq:04d}.yaml"


def paper_path(folder: Path, paper: Paper) -> Path:
    """Return the path of a player's paper. The beginning of the paper's id is its name."""
    return folder / PAPERS / f"{paper.id[:16]}.yaml"


def evidence_path(folder: Path, paper: Paper) -> Path:
    """Return the path of a contradictory paper kept as evidence."""
    number = f"{paper.seq:04d}-" if paper.of_log else ""
    return folder / EVIDENCE / f"{paper.type}-{number}{paper.id[:16]}.yaml"


def is_tournament(path: Path) -> bool:
    """Return whether a path is a tournament's folder."""
    return log_path(path, 0).is_file()


def read_paper(path: Path, seen: str = "") -> Paper:
    """Return the paper in a file. ``seen``: the name of the file in messages."""
    return forms.read_paper(folders.read_bytes(path), seen or str(path))


def load_papers(folder: Path) -> Contents:
    """Return all papers of a folder. Check of each paper only its format and its file name."""
    if not is_tournament(folder):
        raise UsageError(f"{folder} is not the folder of a tournament: log/0000.yaml is missing")
    log = tuple(_read_log(folder))
    by_id: dict[str, Paper] = {}
    for path in _list_files(folder / PAPERS, _NAMED):
        paper = read_paper(path, f"{PAPERS}/{path.name}")
        if paper.of_log:
            raise TrustError("order", f"a log paper ({paper.type}) is among the players' papers", paper.where("type"))
        by_id[paper.id] = paper
    ours = {paper.id for paper in log}
    others = {paper.id: paper for paper in read_evidence(folder) if paper.of_log and paper.id not in ours}
    return Contents(log, by_id, others)


def _read_log(folder: Path) -> Iterator[Paper]:
    paths = sorted(_list_files(folder / LOG, _NUMBERED), key=lambda path: (len(path.name), path.name))
    for number, path in enumerate(paths):
        name = f"{LOG}/{path.name}"
        if int(path.stem) != number:
            raise TrustError("chain", f"log paper {number} is missing, but later log papers are here", Where(name))
        paper = read_paper(path, name)
        if not paper.of_log:
            raise TrustError("order", f"a player's paper of type {paper.type} is in the log", paper.where("type"))
        yield paper


def read_evidence(folder: Path, part: str = EVIDENCE) -> list[Paper]:
    """Return those papers kept as evidence, or in another ``part`` of the folder, that are readable."""
    kept = []
    for path in _list_files(folder / part, _KEPT):
        with contextlib.suppress(KurskError):
            kept.append(read_paper(path, f"{part}/{path.name}"))
    return kept


def _list_files(folder: Path, form: re.Pattern[str]) -> list[Path]:
    return [path for path in disk.list_folder(folder) if form.fullmatch(path.name)]


def write_paper(path: Path, paper: Paper) -> None:
    """Write a paper, unless this paper exists. Raises TrustError if another paper has its file name."""
    folders.make(path.parent)
    try:
        folders.write(path, forms.emit_paper(paper))
    except UsageError:
        if not path.is_file():
            raise
        if (there := read_paper(path)).id != paper.id:  # not an equal paper in another layout
            two = " and ".join(shorten(there.id, paper.id))
            raise TrustError("chain", f"two different papers have this file name ({two})", Where(str(path))) from None


def replace_log(folder: Path, fork: int, line: Iterable[Paper]) -> None:
    """Replace the log papers from number ``fork`` on by papers of ``line``. The old papers become evidence.

    After a crash the log may be too short. The next call completes the log.
    """
    old = [path for path in _list_files(folder / LOG, _NUMBERED) if int(path.stem) >= fork]
    for path in old:
        keep_evidence(folder, read_paper(path))
    for path in sorted(old, key=lambda path: -int(path.stem)):
        path.unlink(missing_ok=True)
    for paper in line:
        if paper.seq >= fork:
            write_paper(log_path(folder, paper.seq), paper)
        evidence_path(folder, paper).unlink(missing_ok=True)


def keep_evidence(folder: Path, paper: Paper) -> str:
    """Keep a contradictory paper as evidence, up to a limit. Return what was done, in words."""
    path, most = evidence_path(folder, paper), MOST_LINES if paper.of_log else MOST_KEPT
    if not path.exists() and sum(other.sender == paper.sender for other in read_evidence(folder)) >= most:
        return f"not kept: the limit of {most} papers of one key is reached"
    write_paper(path, paper)
    return f"kept as {path}"
