"""Collect messages for a proof: from files, from folders, or from a proof."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kursk_pbem.audit import forfeits, proof_file, prove
from kursk_pbem.audit.forfeits import Declared
from kursk_pbem.audit.prove import Conviction, Outcome
from kursk_pbem.errors import FileError, TrustError, UsageError, Where
from kursk_pbem.frozen import frozen
from kursk_pbem.game import things
from kursk_pbem.game.copies import Copies


@frozen
class Found:
    """The result of a search for fraud: convictions, reasons, number of messages, and whether the input was a proof.

    ``declared``: the forfeits that the referee declared.
    """

    convictions: tuple[Conviction, ...]
    reasons: tuple[str, ...]
    messages: int
    proof: bool = False
    declared: tuple[Declared, ...] = ()


def prove_all(paths: Sequence[Path]) -> Found:
    """Judge all messages found in files, mails, archives and folders, or check whether a proof shows its claim.

    Raises FileError if a named file is unreadable; an unreadable file inside a folder only adds a reason. Raises
    TrustError if a proof does not show the claim. Raises UsageError without a message, or if a proof is named with
    other files.
    """
    found = Copies()
    for path in paths:
        before = len(found.messages) + len(found.papers)
        for thing in things.list_things(path):
            if isinstance(thing, FileError):
                found.refuse(path, thing)
            elif not proof_file.is_proof(thing.raw):
                others = len(found.others)
                found.read(thing)
                found.faults += found.others[others:] if thing.name.endswith(".yaml") else []
            elif thing.name == str(path):
                if len(paths) > 1:
                    raise UsageError(f"{path} is a proof, and a proof needs no other files: give only the proof")
                return _read_proof(thing.raw, thing.name)
        if not path.is_dir() and len(found.messages) + len(found.papers) == before:
            raise FileError([f"{path} holds no message", *found.others, *found.faults][-1])
    if not found.messages and not found.papers:
        raise UsageError("found no message in " + ", ".join(map(str, paths)))
    found.open_blocks()
    outcome = prove.judge_messages(found.messages)
    papers = [paper for paper in found.papers if paper.text("game") not in outcome.early]
    declared, why = forfeits.declared(papers, found.messages)
    reasons = (*outcome.reasons, *why, *(f"left out as unreadable: {fault}" for fault in dict.fromkeys(found.faults)))
    return Found(
        outcome.convictions, reasons, len({message.id for message in found.messages}), declared=tuple(declared)
    )


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
    """Return a line with the convicted side, the claim and the false message."""
    return (
        f"{conviction.side} is convicted of {prove.CLAIMS[conviction.claim]} in message {conviction.seq} of game "
        f"{conviction.game[:16]}: {conviction.why}"
    )
