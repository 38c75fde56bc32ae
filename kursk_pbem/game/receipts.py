"""A referee's papers in a game folder (protocol 2.10): read with the game, taken in from mails.

``receipt-NNNN.yaml`` is about message NNNN, ``forfeit.yaml`` about the last; in an archive they end in ``.json`` and
``.json.sig``. A second receipt of one message has part of its id in its name: all are kept, the earliest counts. Every
extension has it: ``extension-NNNN-ID.yaml``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from kursk_pbem.errors import DiskError, FileError, TrustError, Where
from kursk_pbem.formats import files
from kursk_pbem.formats.canonical import MAX_BYTES
from kursk_pbem.game import disk, folders
from kursk_pbem.trust import papers, referee
from kursk_pbem.trust.chains import Chain
from kursk_pbem.trust.papers import EXTENSION, FORFEIT, Paper
from kursk_pbem.trust.referee import Papers
from kursk_pbem.trust.terms import ContradictionError

NAMES = re.compile(
    r"(receipt|extension(?=-[0-9]{4}-))-([0-9]{4})(?:-[0-9a-f]{16})?\.(?:yaml|json)|(forfeit)\.(?:yaml|json)"
)


def path_of(folder: Path, paper: Paper) -> Path:
    """Where a paper lies in a game folder, the first of its kind."""
    name = FORFEIT if paper.type == FORFEIT else f"{paper.type}-{paper.seq:04d}"
    name += f"-{paper.id[:16]}" if paper.type == EXTENSION else ""
    return folder / f"{name}.yaml"


def evidence_path(folder: Path, paper: Paper) -> Path:
    """Where a paper is kept that contradicts the game or another one; it is none of the game's own files."""
    number = "" if paper.type == FORFEIT else f"{paper.seq:04d}-"
    return folder / f"evidence-{paper.type}-{number}{paper.id[:16]}.yaml"


def read_file(path: Path) -> Paper:
    """A paper from a file, as mailed or (``.json``, its signature beside it) in the archive form. FileError."""
    if path.suffix != ".json":
        return _read(folders.read_bytes(path), str(path))
    armour = folders.read_bytes(folders.signature_path(path)).decode("ascii", "replace")
    return papers.read_archive(folders.read_bytes(path), armour, str(path))


_read = files.cache_reader(papers.read_paper)


def of_folder(folder: Path) -> list[Paper]:
    """Every paper in a game folder, in order of the names; of an archive the archived ones. Nothing is checked yet.

    FileError, UsageError; TrustError for one that is not what its name says.
    """
    ending = folders.proposal_path(folder).suffix
    try:
        names = sorted(path.name for path in folder.iterdir() if path.suffix == ending)
    except OSError as error:
        raise DiskError(f"{folder} cannot be read: {error.strerror}") from None
    return [read_named(folder / name, said) for name in names if (said := NAMES.fullmatch(name))]


def read_named(path: Path, said: re.Match[str]) -> Paper:
    """The same of one file; ``said``: what its name says by ``NAMES``."""
    paper = read_file(path)
    if paper.type != (said[1] or said[3]) or (said[2] and int(said[2]) != paper.seq):
        why = f"this file holds a {paper.type} about message {paper.seq}, which its name does not say"
        raise TrustError("order", why, paper.where("type"))
    return paper


def load(folder: Path, chain: Chain, *, over: bool) -> Papers:
    """The papers of a game folder, weighed. ``over``: whether its messages alone have ended the game.

    FileError, TrustError.
    """
    signed_papers = of_folder(folder)
    return referee.weigh_papers(chain, signed_papers, over=over) if signed_papers else referee.NONE


@dataclass(frozen=True)
class Taken:
    """What came of a paper: all there are now, and the file it was written to (None: it was here before)."""

    papers: Papers
    wrote: Path | None


def take(folder: Path, chain: Chain, held: Papers, paper: Paper, *, over: bool) -> Taken:
    """Take a paper into a game folder. ``held`` are those it holds, ``over`` as in :func:`load`.

    TrustError if it does not hold; one that contradicts what is here, by the referee's own signature, is kept beside
    it and not taken in. UsageError if a file cannot be written.
    """
    try:
        weighed = referee.weigh_papers(chain, (paper,), over=over, known=held)
    except ContradictionError as error:
        path = evidence_path(folder, paper)
        if folders.evidence_wanted(path):
            write(path, paper)
        kept = f"This file is kept as {path}" if path.exists() else "Others like it are kept"
        raise TrustError(error.fault, f"{error.message}. {kept}", error.where) from None
    if any(other.id == paper.id for other in held.all):
        return Taken(weighed, None)
    path = path_of(folder, paper)
    if not write(path, paper):
        if paper.type == EXTENSION:
            raise DiskError(f"{path} is already there and differs; move it away")
        path = path.with_name(f"{path.stem}-{paper.id[:16]}.yaml")
        if paper.type == FORFEIT or not write(path, paper):
            raise DiskError(f"{path} is already there and differs; move it away")
    return Taken(weighed, path)


def write(path: Path, paper: Paper) -> bool:
    """Write a paper whole, or find it there already. False if another file has the name: it stays. UsageError."""
    data = papers.emit_paper(paper).encode("ascii")
    try:
        if disk.create(path, data, 0o644):  # it is for everybody
            return True
        return files.read(path, MAX_BYTES) == data
    except OSError as error:
        raise DiskError(f"{path} cannot be written: {error.strerror}") from None


def find(game: str, name: str, places: list[Path]) -> Path:
    """The folder of a game among these places; FileError if it is none of them."""
    for place in places:
        try:
            if folders.read_message(folders.message_path(place, 0)).id == game:
                return place
        except FileError:
            continue
    raise FileError(
        f"no folder of the game {game[:16]} is known here; put this file beside the game's 0000.yaml", Where(name)
    )
