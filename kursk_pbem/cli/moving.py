"""save and open: everything in one file, for safe keeping or for a move."""

from __future__ import annotations

from pathlib import Path

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import PATH, home, said_options, say
from kursk_pbem.errors import DiskError


@cli.command()
@click.argument("file", metavar="FILE.zip", type=PATH)
@click.option("--move", is_flag=True, help="Continue in another place: from now on this machine signs nothing.")
@said_options
def save_command(file: Path, move: bool, quiet: bool) -> None:
    """Save your games, keys and private records in one new FILE, for safe keeping or with --move for a move.

    The file contains your secrets: show it to nobody. Settings of mail accounts and keys in .ssh are not in the file.
    """
    from kursk_pbem.desk import moving
    from kursk_pbem.game import disk

    if file.exists() or not file.parent.is_dir():
        raise DiskError(f"{file} {'exists already' if file.exists() else 'has no folder'}: choose another name")
    disk.create(file, moving.save_everything(home(), move=move))
    told = "; nothing is signed here until you open a newer saved folder" if move else ""
    say(f"wrote {file}{told}", quiet=quiet, wrote=[file], moved=move)


@cli.command()
@click.argument("file", metavar="FILE.zip", type=PATH)
@said_options
def open_command(file: Path, quiet: bool) -> None:
    """Open a saved FILE here: your games continue in this private folder.

    A file with an older state of a game is refused. Before you sign, take the newest mail of each opened game.
    """
    from kursk_pbem.desk import moving

    if not file.is_file():
        raise DiskError(f"there is no file {file}")
    with file.open("rb") as stream:
        games, asking = moving.open_saved(stream, home())
    for game, newest in games.items():
        waits = ": take its newest mail before you sign" if game in asking else ""
        say(f"opened game {game[:8]}, newest message {newest}{waits}", quiet=quiet)
    say(f"opened {len(games)} games in {home()}", quiet=quiet, opened=games, asking=asking)
