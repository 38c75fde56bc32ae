"""prove: the messages that prove fraud."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kursk_pbem.audit import gather, proof_file
from kursk_pbem.audit import prove as proofs
from kursk_pbem.cli import cli, inside
from kursk_pbem.cli.common import PATH, complain, in_json, said_options, say, say_json
from kursk_pbem.cli.games import completion_of, pick_paths
from kursk_pbem.game import folders

if TYPE_CHECKING:
    from kursk_pbem.audit.forfeits import Declared
    from kursk_pbem.audit.prove import Conviction

SHOWN = 30
"""Maximum number of printed reasons without a conviction."""


@cli.command()
@click.argument("typed", metavar="[GAME | PATH]...", nargs=-1, shell_complete=completion_of("games"))
@click.option("--dir", "parent", type=PATH, default=Path(), help="The folder for proofs; created if missing.")
@said_options
def prove_command(typed: tuple[str, ...], parent: Path, quiet: bool) -> int:
    """Look for fraud in messages: write a proof against a side, or print the reasons against a proof.

    A PATH is a mail, a mailbox, a zip or tar, a message file (then also name message 0), or a folder with all messages
    in and below it, such as each player's copy of a game. The command works out a proof again, and never believes a
    proof's claim. From a referee's forfeit, receipt and message 0, the command shows the referee's declaration.

    Exit status: 0 for a conviction, or a loss by the referee's word; 1 for neither; 2 if a file cannot be read; 3 if a
    proof does not show its claim.
    """
    judged = gather.prove_all([*map(inside.save_pasted, pick_paths(typed))])
    status = 0 if judged.convictions or judged.declared else 1
    convicted = []
    for conviction in judged.convictions:
        say(_describe_conviction(conviction), quiet=quiet)  # before a full disk stops the proof
        path = parent / proof_file.file_name(conviction)
        written = not judged.proof
        if written:
            folders.make(parent)
            folders.write(path, proof_file.write_proof(conviction))
            say(f"wrote {path}: other people can check the proof with 'kursk prove'", quiet=quiet)
        convicted.append(_plain_conviction(conviction) | {"wrote": str(path) if written else ""})
    if in_json():
        declared = [asdict(declared) for declared in judged.declared]
        reasons = list(judged.reasons)
        say_json("prove", {"status": status, "convicted": convicted, "declared": declared, "reasons": reasons})
        return status
    for told in judged.declared:
        say(_describe_declaration(told), quiet=quiet)
    if status:
        what = "message was" if judged.messages == 1 else "messages were"
        complain(f"no cheating found: {judged.messages} {what} checked")
        for reason in judged.reasons[:SHOWN]:
            complain(reason)
        if len(judged.reasons) > SHOWN:
            complain(f"and {len(judged.reasons) - SHOWN} more")
    return status


def _plain_conviction(conviction: Conviction) -> dict[str, object]:
    return {
        "game": conviction.game,
        "side": conviction.side,
        "key": proofs.show_fingerprint(conviction),
        "claim": conviction.claim,
        "seq": conviction.seq,
        "why": conviction.why,
        "messages": [conviction.head.id, *(message.id for message in conviction.evidence)],
        "rules": proof_file.make_claim(conviction)[proof_file.RULES],
    }


def _describe_declaration(declared: Declared) -> str:
    """Return the paper of a forfeit as text."""
    lost = f"{declared.side} has lost game {declared.game[:16]} by silence"
    lines = [
        f"{lost}, on the referee's word",
        f"  {declared.seq:04d}   came at {declared.received}, and the answer was due {declared.due}",
        f"  {declared.seq + 1:04d}   had not come when the referee declared the game lost, at {declared.declared}",
        f"  key    {declared.key} (referee), pinned in message 0",
        "  the times are the referee's word, without a proof",
    ]
    return "\n".join((*lines, *(f"  {note}" for note in declared.notes)))


def _describe_conviction(conviction: Conviction) -> str:
    """Return a conviction as text: the side, the claim and the messages."""
    name = " ".join(conviction.head.mapping("names").get(conviction.side, "").split("\n"))  # no name begins a line
    lines = [gather.describe_conviction(conviction), f"  key    {proofs.show_fingerprint(conviction)} ({name})"]
    lines += [
        f"  {message.seq:04d}   {message.id}, {message.sender}" for message in (conviction.head, *conviction.evidence)
    ]
    if conviction.before is not None:
        rules = proof_file.make_claim(conviction)[proof_file.RULES]
        lines.append(f"  by the rules {rules[:16]}, from the position that message {conviction.seq - 1} left")
    return "\n".join(lines)
