"""Serving a board on this machine: a free port on 127.0.0.1, opened through a file that only its owner can read."""

from __future__ import annotations

import logging
import socket
import webbrowser
from typing import Any

from waitress import create_server, wasyncore

from kursk_pbem.board import app
from kursk_pbem.board.door import Door
from kursk_pbem.desk import clock
from kursk_pbem.desk.room import Room
from kursk_pbem.errors import UsageError
from kursk_pbem.game import folder as folders

OPENING = "board-{port}.html"
"""The file in the private folder that leads to the board; an address on a command line could be read by others."""
IDLE = 4 * 60 * 60
"""Seconds without a page that asks for anything, after which a board ends by itself."""
_TICK = 0.5  # seconds between two looks at whether it is to end


class Board:
    """A board that is ready to be served: its ``door``, and the file that opens it."""

    def __init__(self, room: Room, port: int = 0, idle: float = IDLE) -> None:
        held = _listen(port)
        self.door = Door(held.getsockname()[1])
        self.opening = room.home / OPENING.format(port=self.door.port)
        self._idle, self._ends = idle, False
        logging.getLogger("waitress").setLevel(logging.ERROR)  # that a page asks for much at once concerns nobody
        made = app.create(room, self.door)
        self._sockets: dict[int, Any] = {}
        self._server = create_server(made, map=self._sockets, sockets=[held], threads=8, ident="kursk",
                                     clear_untrusted_proxy_headers=True)  # fmt: skip
        room.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        folders.write(self.opening, _leads_to(self.door.way_in), force=True, private=True)

    def show(self) -> bool:
        """Open it in the player's browser; whether one was found."""
        return webbrowser.open(self.opening.resolve().as_uri())

    def run(self) -> bool:
        """Answer until somebody interrupts, or until no page has asked for anything for hours: then True."""
        try:
            while not self._ends and self.left > 0:
                wasyncore.loop(timeout=_TICK, use_poll=True, map=self._sockets, count=1)
        except KeyboardInterrupt:
            self._ends = True
        finally:
            self._server.task_dispatcher.shutdown()
            self._server.close()
            wasyncore.close_all(self._sockets, ignore_all=True)  # what browsers still hold open
            self.opening.unlink(missing_ok=True)
        return not self._ends

    def stop(self) -> None:
        """Let ``run`` come to its end, from another thread."""
        self._ends = True

    @property
    def left(self) -> float:
        """Seconds until it ends by itself."""
        return self.door.seen + self._idle - clock.ticking()


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
