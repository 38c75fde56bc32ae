"""replay: a game as one HTML file."""

from __future__ import annotations

from pathlib import Path

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import PATH, note, said_options, say
from kursk_pbem.cli.games import game_argument
from kursk_pbem.game import folders, histories
from kursk_pbem.game import replay as replays
from kursk_pbem.report import replay as replay_page


@cli.command()
@game_argument("game")
@click.option("-o", "--output", type=PATH, help="The file to write; otherwise replay.html in the game's folder.")
@click.option("--force", is_flag=True, help="Replace a file that is there and differs.")
@said_options
def replay_command(game: Path, output: Path | None, force: bool, quiet: bool) -> None:
    """Write a game as one HTML file that anyone can step through: map, reports, charts, luck.

    The file needs no network and contains only what both sides have mailed. Every message is verified first.
    """
    whole = histories.at(game)
    text = replay_page.page(replays.of(whole))
    path = output or (game if game.is_dir() else game.parent) / "replay.html"
    written = folders.write(path, text, force=force)
    note(game=whole.game.chain.game, out=path, wrote=[path] if written else [])
    say(f"{'wrote' if written else 'unchanged:'} {path}: open it in a browser, or mail it", quiet=quiet)
