"""Messages gathered for a proof: from files, from folders with all that lies in them, from a proof."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kursk_pbem.audit import forfeits, proof_file, prove
from kursk_pbem.audit.forfeits import Declared
from kursk_pbem.audit.prove import Conviction, Outcome
from kursk_pbem.errors import KurskError, TrustError, UsageError, Where
from kursk_pbem.formats.canonical import MAX_BYTES
from kursk_pbem.game import folders, inbox, receipts
from kursk_pbem.trust import papers
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper


@dataclass(frozen=True)
class Found:
    """What came of it: the convictions, reasons why others convict nobody, number of messages, whether it was a proof.

    ``declared``: what a referee has declared.
    """

    convictions: tuple[Conviction, ...]
    reasons: tuple[str, ...]
    messages: int
    proof: bool = False
    declared: tuple[Declared, ...] = ()


def prove_all(paths: Sequence[Path]) -> Found:
    """Judge all messages in these files and folders together; or one proof alone, whose claim must be what it shows.

    FileError for a file that cannot be read; one found in a folder is a reason instead. TrustError for a proof that
    shows something else than it claims. UsageError where there is no message, or a proof is not given alone.
    """
    pool: list[Message] = []
    signed: list[Paper] = []
    left_out: list[str] = []
    for path in paths:
        if not path.is_dir():
            raw = folders.read_bytes(path)
            if proof_file.is_proof(raw):
                if len(paths) > 1:
                    raise UsageError(f"{path} is a proof, which stands by itself: give it alone")
                return _proof(proof_file.read_bytes(path) if len(raw) > MAX_BYTES else raw, str(path))
            _sort(inbox.read_any_file(path), pool, signed)
            continue
        for file in _files(path):
            try:
                _sort(_read(file), pool, signed)
            except KurskError as error:
                left_out.append(f"left out, because it cannot be read: {error}")
    if not pool and not signed:
        raise UsageError("there is no message in " + ", ".join(map(str, paths)))
    outcome = prove.outcome(pool)
    declared, why = forfeits.declared(signed, pool)
    reasons = (*outcome.reasons, *why, *left_out)
    return Found(outcome.convictions, reasons, len({message.id for message in pool}), declared=tuple(declared))


def _sort(item: Message | Paper, pool: list[Message], signed: list[Paper]) -> None:
    if isinstance(item, Paper):
        signed.append(item)
    else:
        pool.append(item)


def _read(path: Path) -> Message | Paper:
    """A message or a referee's paper among the files of a folder, where no mails are looked for. KurskError."""
    folders.need_one_line(path)
    if path.suffix == ".json":
        return receipts.read_file(path) if receipts.NAMES.fullmatch(path.name) else folders.read_message(path)
    raw = folders.read_bytes(path)
    return papers.read_paper(raw, str(path)) if papers.is_paper(raw) else folders.read_message(path)


def _proof(raw: bytes, name: str) -> Found:
    said, pool = proof_file.read(raw, name)
    outcome: Outcome = prove.outcome(pool)
    for conviction in outcome.convictions:
        if proof_file.claim(conviction) == said and len(pool) == len(conviction.evidence) + 1:
            return Found((conviction,), (), len(pool), proof=True)
    shown = "; ".join(sentence(conviction) for conviction in outcome.convictions) or "nobody is convicted"
    why = "" if outcome.convictions else "; ".join(outcome.reasons)
    raise TrustError(
        "head",
        f"this proof does not show what it claims. What its messages show: {shown}" + (f" ({why})" if why else ""),
        Where(name),
    )


def sentence(conviction: Conviction) -> str:
    """One line: the convicted side, the claim, the message that convicts it."""
    return (
        f"{conviction.side} is convicted of {prove.CLAIMS[conviction.claim]} in message {conviction.seq} of game "
        f"{conviction.game[:16]}: {conviction.why}"
    )


def _files(folder: Path) -> Iterator[Path]:
    """The messages in a folder and those below it, whatever they are called; drafts and proofs are none."""
    waiting = [folder]
    while waiting:
        path = waiting.pop()
        if path.is_dir():
            waiting += sorted((entry for entry in path.iterdir() if not entry.is_symlink()), reverse=True)
        elif path.suffix == ".json":
            if folders.signature_path(path).is_file():
                yield path
        elif path.suffix == ".yaml" and not path.name.endswith(".draft.yaml") and not path.name.startswith("proof-"):
            yield path
