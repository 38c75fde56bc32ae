"""A referee's papers in a game folder (protocol 2.10).

``receipt-NNNN.yaml`` is about message NNNN, ``forfeit.yaml`` about the last message. In an archive the names end in
``.json`` and ``.json.sig``. The name of a second receipt includes part of the id. All receipts are kept: the
earliest tells the arrival, and the latest sets the term. Extensions always have the id: ``extension-NNNN-ID.yaml``.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from kursk_pbem.errors import DiskError, FileError, TrustError
from kursk_pbem.formats import files
from kursk_pbem.frozen import frozen
from kursk_pbem.game import disk, folders
from kursk_pbem.trust import papers, referee
from kursk_pbem.trust.chains import Chain
from kursk_pbem.trust.papers import EXTENSION, FORFEIT, RECEIPT, Paper
from kursk_pbem.trust.referee import Papers
from kursk_pbem.trust.terms import ContradictionError

NAMES = re.compile(
    r"(receipt|extension(?=-[0-9]{4}-))-([0-9]{4})(?:-[0-9a-f]{16})?\.(?:yaml|json)|(forfeit)\.(?:yaml|json)"
)


def paper_path(folder: Path, paper: Paper) -> Path:
    """Return the path for a paper's file, if the game folder has no other paper of this kind yet."""
    name = FORFEIT if paper.type == FORFEIT else f"{paper.type}-{paper.seq:04d}"
    name += f"-{paper.id[:16]}" if paper.type == EXTENSION else ""
    return folder / f"{name}.yaml"


def evidence_path(folder: Path, paper: Paper) -> Path:
    """Return the path for a paper that contradicts the game or another paper. The file is not part of the game."""
    number = "" if paper.type == FORFEIT else f"{paper.seq:04d}-"
    return folder / f"evidence-{paper.type}-{number}{paper.id[:16]}.yaml"


def read_file(path: Path) -> Paper:
    """Return the paper in a file (``.json``: from an archive, with a signature file). Raises FileError."""
    if path.suffix != ".json":
        return _read(folders.read_bytes(path), str(path))
    armour = folders.read_bytes(folders.signature_path(path)).decode("ascii", "replace")
    return papers.read_archive(folders.read_bytes(path), armour, str(path))


_read = files.cache_reader(papers.read_paper)


def read_papers(folder: Path) -> list[Paper]:
    """Return every paper in a game folder or an archive, unchecked, sorted by file name.

    Raises FileError, UsageError, and TrustError if a paper differs from its file name.
    """
    ending = folders.proposal_path(folder).suffix
    names = [path.name for path in disk.list_folder(folder) if path.suffix == ending]
    return [read_named(folder / name, said) for name in names if (said := NAMES.fullmatch(name))]


def read_named(path: Path, said: re.Match[str]) -> Paper:
    """Return the paper in a file. ``said``: the matched file name. Raises TrustError if paper and file name differ."""
    paper = read_file(path)
    if paper.type != (said[1] or said[3]) or (said[2] and int(said[2]) != paper.seq):
        why = f"the file holds a {paper.type} about message {paper.seq}, but the name differs"
        raise TrustError("order", why, paper.where("type"))
    return paper


def load(folder: Path, chain: Chain, *, over: bool, end: int | None = None) -> Papers:
    """Return a game folder's papers and their effect. ``over``: a message, not a forfeit, ended the game.

    ``end``: leave out the papers about later messages.
    """
    signed_papers = [paper for paper in read_papers(folder) if end is None or paper.seq <= end]
    return referee.weigh_papers(chain, signed_papers, over=over) if signed_papers else referee.NONE


@frozen
class Taken:
    """The result of accepting a paper: all ``papers`` of the game, and the new file (``None`` if the paper is old)."""

    papers: Papers
    wrote: Path | None


def take(folder: Path, chain: Chain, held: Papers, paper: Paper, *, over: bool) -> Taken:
    """Save a paper in a game folder. ``held``: the papers already there; ``over``: as in :func:`load`.

    Raises TrustError if the paper is invalid. If the paper contradicts a paper of the same referee, it is saved as
    evidence and refused. Raises UsageError if a file cannot be written.
    """
    try:
        weighed = referee.weigh_papers(chain, (paper,), over=over, known=held)
    except ContradictionError as error:
        keep_evidence(folder, paper)
        path = evidence_path(folder, paper)
        kept = f"The file is kept as {path}" if path.exists() else "Similar files are kept already"
        raise TrustError(error.fault, f"{error.message}. {kept}", error.where) from None
    if any(other.id == paper.id for other in held.all):
        return Taken(weighed, None)
    path = paper_path(folder, paper)
    for name in (path.name, f"{path.stem}-{paper.id[:16]}.yaml") if paper.type == RECEIPT else (path.name,):
        if write(folder / name, paper):
            return Taken(weighed, folder / name)
    raise DiskError(f"{path} exists already and differs; move the file away")


def keep_evidence(folder: Path, paper: Paper) -> Path | None:
    """Save a paper that has no effect as evidence, up to a limit. Return the new file or None. Raises DiskError."""
    path = evidence_path(folder, paper)
    return path if folders.evidence_wanted(path) and write(path, paper) else None


def list_evidence(folder: Path) -> list[Paper]:
    """Return the papers without effect that a game folder keeps as evidence. Skip unreadable files."""
    found = []
    for path in sorted(folder.glob("evidence-*-*.yaml")):
        with suppress(FileError):
            found.append(read_file(path))
    return found


def drop_papers(folder: Path, chain: Chain) -> None:
    """Turn papers without effect into evidence: papers about void messages, and a forfeit for an answered message."""
    for paper in read_papers(folder):
        if referee.is_about_void(chain, paper) or (paper.type == FORFEIT and paper.seq < chain.next_seq - 1):
            keep_evidence(folder, paper)
            Path(paper.document.name).unlink(missing_ok=True)


def regain_papers(folder: Path, chain: Chain, *, over: bool) -> None:
    """Accept receipts and extensions again from the evidence, if their messages count again. Raises DiskError."""
    for paper in list_evidence(folder):
        if paper.type != FORFEIT and paper.seq < chain.next_seq and not referee.is_about_void(chain, paper):
            with suppress(TrustError):
                take(folder, chain, load(folder, chain, over=over), paper, over=over)


def write(path: Path, paper: Paper) -> bool:
    """Write a paper unless the file exists; return whether the file now contains this paper. Raises UsageError."""
    data = papers.emit_paper(paper).encode("ascii")
    return disk.create(path, data, 0o644) or folders.read_bytes(path) == data  # papers are public
