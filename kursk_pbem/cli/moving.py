"""save and open: everything in one file, for safe keeping or for a move."""

from __future__ import annotations

from pathlib import Path

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import PATH, ask, home, said_options, say, yes_option
from kursk_pbem.errors import EXIT_RULES, DiskError


@cli.command()
@click.argument("file", metavar="FILE.zip", type=PATH)
@said_options
def save_command(file: Path, quiet: bool) -> None:
    """Save your keys, names, settings and games in one new FILE.

    The file contains your keys: show it to nobody. Settings of mail accounts and keys in .ssh are not in the file.
    """
    from kursk_pbem.desk.own import register
    from kursk_pbem.desk.rescue import moving
    from kursk_pbem.game import disk

    if file.exists() or not file.parent.is_dir():
        raise DiskError(f"{file} {'exists already' if file.exists() else 'has no folder'}: choose another name")
    lost = [known for known in register.list_games(home(), Path()) if not known.here]  # this finds moved folders, too
    data, unsigned = moving.save_everything(home())
    disk.create(file, data)
    say(f"wrote {file}", quiet=quiet, wrote=[file], unsigned=unsigned)
    for known in lost:
        say(f"the folder of {known} is missing here, so the saved file does not contain this game", quiet=quiet)
    if unsigned:
        say(f"The file is unsigned, so 'kursk open' will warn that it may be a stranger's: {unsigned}", quiet=quiet)


@cli.command()
@click.argument("file", metavar="FILE.zip", type=PATH)
@yes_option
@said_options
def open_command(file: Path, yes: bool, quiet: bool) -> int:
    """Show keys and games in a saved FILE, ask, and open them: the games continue in this private folder.

    The command replaces nothing here. From another player's file, only newer messages of your games count.
    """
    from kursk_pbem.desk.rescue import moving

    if not file.is_file():
        raise DiskError(f"there is no file {file}")
    with file.open("rb") as stream:
        opening = moving.survey_saved(stream, home())
    for line in opening.lines:
        say(line, quiet=quiet)
    ask("Open the saved folder, and use its keys as yours?" if opening.own else "Open the saved folder?", yes=yes)
    opened = moving.open_saved(opening)
    for game, newest in opened.games.items():
        say(f"opened game {game[:8]}, newest message {newest}", quiet=quiet)
    for game, why in opened.left.items():
        say(f"game {game[:8]} was not opened: {why}", quiet=quiet)
    say(f"opened {len(opened.games)} games in {home()}", quiet=quiet, opened=opened.games, left=opened.left)
    return EXIT_RULES if opened.left else 0
