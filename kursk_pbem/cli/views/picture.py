"""picture: a turn or a game as a picture or a film."""

from __future__ import annotations

from pathlib import Path

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import PATH, home, note, said_options, say
from kursk_pbem.cli.games import SEEN, game_argument
from kursk_pbem.cli.handing import force_option
from kursk_pbem.cli.many import track
from kursk_pbem.desk.own import desks
from kursk_pbem.errors import UsageError
from kursk_pbem.game import folders, verified


@cli.command("picture")
@game_argument("game", want=SEEN)
@click.option("-o", "--output", type=PATH, help="The file to write, .png or .gif; otherwise turn.gif or game.gif.")
@click.option("--from", "start", type=click.IntRange(min=0), metavar="N", help="Begin with message N.")
@click.option("--game", "whole", is_flag=True, help="The whole game; of a long game the greatest battle of each turn.")
@click.option("--map", "full", is_flag=True, help="The whole map; otherwise the part where something happens.")
@click.option("--dark", is_flag=True, help="In dark colors.")
@click.option("--own", is_flag=True, help="Also your newest message, although 'kursk post' has not mailed it yet.")
@force_option
@said_options
def picture_command(
    game: Path,
    output: Path | None,
    start: int | None,
    whole: bool,
    full: bool,
    dark: bool,
    own: bool,
    force: bool,
    quiet: bool,
) -> None:
    """Write a turn as a picture (.png) or a film (.gif) that every chat, forum and mail program shows.

    GAME may be a message such as 0007.yaml. A turn begins with the last message of the player who reads the newest
    message. The film shows the position before, the moves, each battle before and after its dice, and the position
    after. The picture shows the last position. Both contain only what both sides have mailed, and every message is
    verified first. The command needs two packages more: 'pip install resvg-py pillow'.
    """
    from kursk_pbem.film import pixels, stage, stills

    path = output or Path("game.gif" if whole else "turn.gif")
    kind = path.suffix[1:].upper()
    if kind not in (pixels.PNG, pixels.GIF):
        raise click.UsageError("the name of the picture's file must end in .png or .gif")
    if ".draft" in game.suffixes:
        raise UsageError(f"{game} is a draft: a picture shows signed messages; 'kursk map' shows the draft")
    history, unmailed = verified.load_plain(game, home()), None
    if not own:
        last, history = history.last.seq, desks.leave_out_unmailed(history, home())
        unmailed = last if history.last.seq < last else None
    if unmailed:
        left = f"left out: your message {unmailed} is not answered, nor sent by 'kursk post'; add --own to draw it"
        say(left, quiet=quiet)
    film = stills.make_film(history, 0 if whole and start is None else start)
    shown = stage.Stage(film, whole=full, dark=dark)
    data = pixels.draw_film(shown, kind, lambda drawn, number: track(drawn, number, "drawing"))
    written = folders.write(path, data, force=force)
    number = len(film.stills) if kind == pixels.GIF else 1
    game_id = history.game.chain.game
    note(game=game_id, out=path, wrote=[path] if written else [], stills=number, unmailed=unmailed)
    many = f"{number} stills, " if number > 1 else ""
    say(f"{'wrote' if written else 'unchanged:'} {path}: {many}{len(data) // 1_000 + 1:,} kB", quiet=quiet)
