"""Collect messages for a proof: from files, from folders, or from a proof."""

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
    """The result: convictions, reasons for no conviction, number of messages, and whether the input was a proof.

    ``declared``: the referee's declared forfeits.
    """

    convictions: tuple[Conviction, ...]
    reasons: tuple[str, ...]
    messages: int
    proof: bool = False
    declared: tuple[Declared, ...] = ()


def prove_all(paths: Sequence[Path]) -> Found:
    """Judge all messages in files and folders together, or check a single proof against the claim.

    Raises FileError for an unreadable file; in a folder such a file becomes a reason. Raises TrustError if a proof does
    not show the claim. Raises UsageError if no message is found, or if a proof is not the only file.
    """
    pool: list[Message] = []
    signed: list[Paper] = []
    left_out: list[str] = []
    for path in paths:
        if not path.is_dir():
            raw = folders.read_bytes(path)
            if proof_file.is_proof(raw):
                if len(paths) > 1:
                    raise UsageError(f"{path} is a proof, complete without more files: give the proof alone")
                return _read_proof(proof_file.read_bytes(path) if len(raw) > MAX_BYTES else raw, str(path))
            _sort(inbox.read_any_file(path), pool, signed)
            continue
        for file in _find_files(path):
            try:
                _sort(_read(file), pool, signed)
            except KurskError as error:
                left_out.append(f"left out as unreadable: {error}")
    if not pool and not signed:
        raise UsageError("found no message in " + ", ".join(map(str, paths)))
    outcome = prove.judge_messages(pool)
    declared, why = forfeits.declared(signed, pool)
    reasons = (*outcome.reasons, *why, *left_out)
    return Found(outcome.convictions, reasons, len({message.id for message in pool}), declared=tuple(declared))


def _sort(item: Message | Paper, pool: list[Message], signed: list[Paper]) -> None:
    if isinstance(item, Paper):
        signed.append(item)
    else:
        pool.append(item)


def _read(path: Path) -> Message | Paper:
    """Return a message or a paper from a file of a folder; mails are not searched. Raises KurskError."""
    folders.need_one_line(path)
    if path.suffix == ".json":
        return receipts.read_file(path) if receipts.NAMES.fullmatch(path.name) else folders.read_message(path)
    raw = folders.read_bytes(path)
    return papers.read_paper(raw, str(path)) if papers.is_paper(raw) else folders.read_message(path)


def _read_proof(raw: bytes, name: str) -> Found:
    said, pool = proof_file.read(raw, name)
    outcome: Outcome = prove.judge_messages(pool)
    for conviction in outcome.convictions:
        if proof_file.is_claimed(conviction, said) and len(pool) == len(conviction.evidence) + 1:
            return Found((conviction,), (), len(pool), proof=True)
    if outcome.ruleless and not outcome.convictions and said["claim"] in proof_file.BY_RULES:
        return Found((), outcome.reasons, len(pool), proof=True)
    shown = "; ".join(describe_conviction(conviction) for conviction in outcome.convictions) or "no side is convicted"
    why = "" if outcome.convictions else "; ".join(outcome.reasons)
    other = proof_file.describe_rules(said, pool)
    raise TrustError(
        "head",
        f"the proof does not show the claim. The messages show: {shown}" + (f" ({why})" if why else "") + other,
        Where(name),
    )


def describe_conviction(conviction: Conviction) -> str:
    """Return one line: the convicted side, the claim, the false message."""
    return (
        f"{conviction.side} is convicted of {prove.CLAIMS[conviction.claim]} in message {conviction.seq} of game "
        f"{conviction.game[:16]}: {conviction.why}"
    )


def _find_files(folder: Path) -> Iterator[Path]:
    """Yield the possible message files at or below a folder, without drafts and proofs."""
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
