"""Serving a board on this machine: a free port on 127.0.0.1, opened through a file that only its owner can read."""

from __future__ import annotations

import socket
import webbrowser
from pathlib import Path

from waitress import create_server

from kursk_pbem.board import app
from kursk_pbem.board.door import Door
from kursk_pbem.desk.room import Room
from kursk_pbem.errors import UsageError
from kursk_pbem.game import folder as folders

OPENING = "board.html"
"""The file in the private folder that leads to the board; an address on a command line could be read by others."""


class Board:
    """A board that is ready to be served: its ``door``, and the file that opens it."""

    def __init__(self, room: Room, port: int = 0) -> None:
        held = _listen(port)
        self.door = Door(held.getsockname()[1])
        self.opening = room.home / OPENING
        made = app.create(room, self.door)
        self._server = create_server(made, sockets=[held], threads=4, ident="kursk", clear_untrusted_proxy_headers=True)
        room.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        folders.write(self.opening, _leads_to(self.door.way_in), force=True, private=True)

    def show(self) -> bool:
        """Open it in the player's browser; whether one was found."""
        return webbrowser.open(self.opening.resolve().as_uri())

    def run(self) -> None:
        """Answer until somebody interrupts."""
        try:
            self._server.run()
        finally:
            self._server.close()
            self.opening.unlink(missing_ok=True)


def _listen(port: int) -> socket.socket:
    held = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        held.bind(("127.0.0.1", port))
    except OSError as error:
        held.close()
        why = f"port {port} cannot be used: {error.strerror}; leave --port out, and a free one is found"
        raise UsageError(why) from None
    held.listen()
    return held


def _leads_to(address: str) -> str:
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><title>kursk</title>\n'
        f'<meta http-equiv="refresh" content="0;url={address}"></head>\n'
        f'<body><p><a href="{address}">To the board</a></p></body>\n</html>\n'
    )


def way_in(path: Path) -> str:
    """The address in an opening file."""
    return path.read_text(encoding="utf-8").partition('href="')[2].partition('"')[0]
