"""Serving a board on this machine: a free port on 127.0.0.1, opened through a file that only its owner can read."""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
import webbrowser
from pathlib import Path
from typing import Any

from waitress import create_server, wasyncore

from kursk_pbem.board import app
from kursk_pbem.board.door import Door
from kursk_pbem.board.opening import Opening
from kursk_pbem.desk import clock
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.errors import UsageError

IDLE = 4 * 60 * 60
"""Seconds without a page that asks for anything, after which a board ends by itself."""
MANY = 100
"""Connections beyond which those go on which nothing has come for longest. A browser holds six."""
_TICK = 0.5  # seconds between two looks at whether it is to end
_QUEUE = 512  # connections that wait to be taken, while others are closed
_ENDS = ("SIGTERM", "SIGHUP")


class Board:
    """A board that is ready to be served: its ``door``, and the file that opens it."""

    def __init__(self, room: Room, port: int = 0, idle: float = IDLE) -> None:
        room.sweep()
        held = _listen(port)
        self.door = Door(held.getsockname()[1])
        self.door.first = f"game/{room.was}/" if room.was else ""
        self._idle, self._ends = idle, False
        logging.getLogger("waitress").setLevel(logging.ERROR)  # that a page asks for much at once concerns nobody
        made = app.create(room, self.door)
        self._sockets: dict[int, Any] = {}
        self._server = create_server(
            made,
            map=self._sockets,
            sockets=[held],
            threads=8,
            ident="kursk",
            connection_limit=4 * MANY,
            clear_untrusted_proxy_headers=True,
        )
        self._opening = Opening(room.home, self.door.port, self.door.way_in)

    @property
    def opening(self) -> Path:
        """The file that opens it."""
        return self._opening.path

    def show(self) -> bool:
        """Open it in the player's browser; whether one was found."""
        return webbrowser.open(self.opening.resolve().as_uri())

    def run(self) -> bool:
        """Answer until somebody interrupts, or until no page has asked for anything for hours: then True."""
        before = self._hear()
        try:
            while not self._ends and self.left > 0:
                wasyncore.loop(timeout=_TICK, use_poll=True, map=self._sockets, count=1)
                self._thin()
        except KeyboardInterrupt:
            self._ends = True
        finally:
            self._server.task_dispatcher.shutdown()
            self._server.close()
            for channel in list(self._server.active_channels.values()):  # with the files that they were sending
                channel.handle_close()
            wasyncore.close_all(self._sockets, ignore_all=True)  # what browsers still hold open
            self._opening.close()
            for number, handler in before.items():
                signal.signal(number, handler)
        return not self._ends

    def _hear(self) -> dict[int, Any]:
        """End in order also when the system or a closed terminal says so; what was done about that before."""
        if threading.current_thread() is not threading.main_thread():
            return {}
        numbers = [getattr(signal, name) for name in _ENDS if hasattr(signal, name)]
        numbers = [
            number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN
        ]  # as 'nohup' wants it
        return {number: signal.signal(number, lambda *_: self.stop()) for number in numbers}

    def _thin(self) -> None:
        """Close what has been idle for longest where there are many connections.

        Any program of this machine may open some and say nothing; the player's own browser must still come in.
        """
        channels = list(self._server.active_channels.values())
        if len(channels) > MANY:
            idle = sorted(
                (channel for channel in channels if not channel.requests), key=lambda channel: channel.last_activity
            )
            for channel in idle[: len(channels) - MANY]:
                channel.will_close = True

    def stop(self) -> None:
        """Let ``run`` come to its end, from another thread."""
        self._ends = True

    @property
    def left(self) -> float:
        """Seconds until it ends by itself."""
        return self.door.seen + self._idle - clock.read_monotonic()


def _listen(port: int) -> socket.socket:
    held = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if os.name != "nt":  # there it would let another program take the port as well
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # after a board that has just ended
    try:
        held.bind(("127.0.0.1", port))
    except OSError as error:
        held.close()
        why = f"port {port} cannot be used: {error.strerror}; leave --port out, and a free one is found"
        raise UsageError(why) from None
    held.listen(_QUEUE)
    return held
