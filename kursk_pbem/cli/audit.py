"""verify: a game from its files alone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import PATH, complain, json_option, quiet_option, say, say_json, seq_option
from kursk_pbem.errors import UsageError

if TYPE_CHECKING:
    from kursk_pbem.game.single import Finding


@cli.command()
@click.argument("paths", nargs=-1, required=True, type=PATH)
@click.option("--head", default="", help="The id the last message must have (32 or 64 hex digits, from a report).")
@click.option("--key", "key", type=PATH, help="For one file: the sender's public key.")
@seq_option
@json_option
@quiet_option
def verify(
    paths: tuple[Path, ...], head: str, key: Path | None, seq: int | None, as_json: bool, quiet: bool
) -> int:
    """Verify games: signatures, chain, openings, dice, legality, every position. One line a game.

    A folder is taken with every game below it; a game that continues another is held against it if both are named.
    One file alone: its signature, its form and its own position.
    """
    from kursk_pbem.game import keyring

    head = _head(head)
    public = keyring.public(key)
    found = _joined([finding for path in paths for finding in _findings(path, head, public, seq)])
    for each in found:
        if as_json:
            say_json(
                {
                    "path": each.path, "status": each.status, "text": each.text, "game": each.game,
                    "head": each.head, "messages": each.messages, "fault": each.fault,
                    "continues": each.continues,
                }
            )  # fmt: skip
        elif each.status:
            complain(each.text)
        else:
            say(each.text, quiet=quiet)
    return max(each.status for each in found)


def _joined(found: list[Finding]) -> list[Finding]:
    """The same, with games that continue another held against it."""
    if not any(each.continues for each in found):
        return found
    from kursk_pbem.game import verify as verifying

    return verifying.join(found)


def _head(head: str) -> str:
    """An id or its beginning as reports show it; a shorter one would fit by chance."""
    if head and not re.fullmatch("[0-9a-f]{32}|[0-9a-f]{64}", head.lower()):
        raise UsageError(f"--head {head!r} is no id: 32 or 64 hex digits, as reports and 'kursk status' show it")
    return head.lower()


def _is_folder(path: Path) -> bool:
    """Whether a path is a folder; where that cannot even be asked, whoever opens it says why."""
    try:
        return path.is_dir()
    except OSError:
        return False


def _findings(path: Path, head: str, key: str, seq: int | None) -> list[Finding]:
    """The verdict on a file, or on every game of a folder. What is not there is a verdict too: the others go on."""
    from kursk_pbem.game import single

    if not _is_folder(path):
        return [single.verify_file(path, key, head, seq)]
    from kursk_pbem.game import verify as verifying

    games = [verifying.verify_game(folder, head) for folder in verifying.find_games(path)]
    return games or [single.failed(str(path), UsageError(f"{path} holds no game: no folder in it has a 0000.yaml"))]
