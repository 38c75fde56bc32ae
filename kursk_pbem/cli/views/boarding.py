"""board, app: the game in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import PATH, home, key_option, release, say

if TYPE_CHECKING:
    from kursk_pbem.desk.seat.room import Room


@cli.command()
@key_option
@click.option("--port", default=0, type=click.IntRange(0, 65535), help="The port; the default is a free port.")
@click.option("--no-open", is_flag=True, help="Do not open a browser; print the file to open.")
def board_command(key: Path | None, port: int, no_open: bool) -> None:
    """Open your games in the browser: look, compose a turn with the mouse, sign, take mails. Ctrl-C ends it.

    The board answers only on this machine, and only the browser that it opened. The program asks for a key's passphrase
    here, not in the browser.
    """
    from kursk_pbem.desk.seat.room import Room
    from kursk_pbem.post import board_mail
    from kursk_pbem.post.tournaments import directing

    room = Room(home(), Path.cwd(), key, board_mail.games_folder(home()), log=directing.by_log)
    serve(room, port=port, no_open=no_open)


def serve(room: Room, first: str = "", *, port: int = 0, no_open: bool = False) -> None:
    """Serve the board until it ends. ``first``: the page to open; without a page, the page shown last."""
    from kursk_pbem.board.serve import Board

    served = Board(room, port)
    served.access.first = first or served.access.first
    if no_open or not served.show():
        say(f"open {served.opening.resolve()} in your browser; the file works once")
    say(f"the board is at {served.access.address}; Ctrl-C ends the board")
    release()
    if served.run():
        say("the board was unused for hours, and has ended; 'kursk board' opens the board again")


@cli.command()
@click.argument("folder", type=PATH, required=False)
@click.option("--serve", is_flag=True, required=True, expose_value=False, help="Serve it on this machine until Ctrl-C.")
@click.option("--port", default=8743, type=click.IntRange(1, 65535), help="The port; the browser keeps games by port.")
def app(folder: Path | None, port: int) -> None:
    """Serve the program as a web page: it runs in the browser, and stores its games there.

    FOLDER is the page's folder; the default is what 'make app' has built, here or in the checkout. Do not use it on a
    machine with other users: the browser keeps your keys by address, and another user can take the port later.
    """
    from kursk_pbem.board import hosting

    here = hosting.BUILT if hosting.BUILT.is_dir() else Path("build", "app")  # installed, and typed in a checkout
    with hosting.host_page(folder or here, port) as server:
        say(f"the page is at http://localhost:{port}/; Ctrl-C ends the page's server")
        release()
        server.serve_forever()
