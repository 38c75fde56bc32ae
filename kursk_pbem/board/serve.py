"""Serve a board on this machine: a free port on 127.0.0.1, opened by a file that only the owner can read."""

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
"""Seconds without a request after which a board ends."""
MANY = 100
"""Number of connections after which the longest idle connections are closed. A browser holds six."""
_TICK = 0.5  # seconds between two checks for the end
_QUEUE = 512  # waiting connections while others are closed
_ENDS = ("SIGTERM", "SIGHUP")


class Board:
    """A board ready to serve: the ``door``, and the file that opens the board."""

    def __init__(self, room: Room, port: int = 0, idle: float = IDLE) -> None:
        room.sweep()
        held = _listen(port)
        self.door = Door(held.getsockname()[1])
        self.door.first = f"game/{room.was}/" if room.was else ""
        self._idle, self._ends = idle, False
        logging.getLogger("waitress").setLevel(logging.ERROR)  # many requests at once are no problem
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
        """The file that opens the board."""
        return self._opening.path

    def show(self) -> bool:
        """Open the board in the player's browser; return whether a browser was found."""
        return webbrowser.open(self.opening.resolve().as_uri())

    def run(self) -> bool:
        """Serve until an interruption, or until hours without requests: then return True."""
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
            for channel in list(self._server.active_channels.values()):  # with the files in transfer
                channel.handle_close()
            wasyncore.close_all(self._sockets, ignore_all=True)  # connections that browsers still hold
            self._opening.close()
            for number, handler in before.items():
                signal.signal(number, handler)
        return not self._ends

    def _hear(self) -> dict[int, Any]:
        """End orderly also on a signal of the system or a closed terminal; return the earlier handlers."""
        if threading.current_thread() is not threading.main_thread():
            return {}
        numbers = [getattr(signal, name) for name in _ENDS if hasattr(signal, name)]
        numbers = [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]  # for 'nohup'
        return {number: signal.signal(number, lambda *_: self.stop()) for number in numbers}

    def _thin(self) -> None:
        """Close the longest idle connections if there are many.

        Other programs on this machine may hold connections; the player's browser must still get one.
        """
        channels = list(self._server.active_channels.values())
        if len(channels) > MANY:
            idle = sorted(
                (channel for channel in channels if not channel.requests), key=lambda channel: channel.last_activity
            )
            for channel in idle[: len(channels) - MANY]:
                channel.will_close = True

    def stop(self) -> None:
        """Let ``run`` end, from another thread."""
        self._ends = True

    @property
    def left(self) -> float:
        """Return the seconds until the board ends."""
        return self.door.seen + self._idle - clock.read_monotonic()


def _listen(port: int) -> socket.socket:
    held = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if os.name != "nt":  # on Windows the option would share the port
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # the port of a board that has just ended
    try:
        held.bind(("127.0.0.1", port))
    except OSError as error:
        held.close()
        why = f"port {port} cannot be used: {error.strerror}; leave --port out, and a free one is found"
        raise UsageError(why) from None
    held.listen(_QUEUE)
    return held
