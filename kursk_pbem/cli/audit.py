"""verify: a game from its files alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import PATH, json_option, quiet_option, say, say_json
from kursk_pbem.errors import UsageError

if TYPE_CHECKING:
    from kursk_pbem.game.single import Finding


@cli.command()
@click.argument("paths", nargs=-1, required=True, type=PATH)
@click.option("--head", default="", help="The id the last message must have (32 or 64 hex digits, from a report).")
@click.option("--key", "key", type=PATH, help="For one file: the sender's public key.")
@json_option
@quiet_option
def verify(paths: tuple[Path, ...], head: str, key: Path | None, as_json: bool, quiet: bool) -> int:
    """Verify games: signatures, chain, openings, dice, legality, every position. One line a game.

    A folder is taken with every game below it. One file alone: its signature, its form and its own position.
    """
    found = [finding for path in paths for finding in _findings(path, head, key)]
    for each in found:
        if as_json:
            say_json(
                {
                    "path": each.path, "status": each.status, "text": each.text, "game": each.game,
                    "head": each.head, "messages": each.messages, "fault": each.fault,
                }
            )  # fmt: skip
        elif each.status:
            click.echo(f"kursk: {each.text}", err=True)
        else:
            say(each.text, quiet=quiet)
    return max(each.status for each in found)


def _findings(path: Path, head: str, key: Path | None) -> list[Finding]:
    if not path.exists():
        raise UsageError(f"{path}: there is no such file or folder")
    if not path.is_dir():
        from kursk_pbem.game import single
        from kursk_pbem.trust import keys

        return [single.verify_file(path, keys.read_public(key) if key else "")]
    from kursk_pbem.game import verify as verifying

    games = [verifying.verify_game(folder, head) for folder in verifying.find_games(path)]
    if not games:
        raise UsageError(f"{path} holds no game: no folder in it has a 0000.yaml")
    return games
