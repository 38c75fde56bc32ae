"""export: a game in the form for auditors."""

from __future__ import annotations

from pathlib import Path

import click

from kursk_pbem.audit import export as exports
from kursk_pbem.cli import cli
from kursk_pbem.cli.common import PATH, note, said_options, say
from kursk_pbem.cli.games import game_argument


@cli.command()
@game_argument("folder")
@click.option("-o", "--out", required=True, type=PATH, help="The folder to write into; it is made if it is not there.")
@said_options
def export_command(folder: Path, out: Path, quiet: bool) -> None:
    """Write the archive form of GAME: the signed data as NNNN.json, signatures, keys, and how to check them.

    The command exports only a game that verifies. Standard tools can check the result: sha256sum, ssh-keygen, and the
    script of 'kursk help verify_game.py'. A differing file in the folder is never overwritten.
    """
    done = exports.export(folder, out)
    chain = done.game.chain
    what = f"wrote {out}" if done.written else f"{out} was complete"
    count = f"{chain.next_seq} message{'s' if chain.next_seq > 1 else ''}"
    written = sorted(path.name for path in done.written)
    note(game=chain.game, head=chain.head_id, messages=chain.next_seq, out=out, written=written)
    say(f"{what}: {count}, head {chain.head_id[:32]}", quiet=quiet)
