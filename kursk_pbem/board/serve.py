"""The server of the board on 127.0.0.1. A file that only its owner can read opens the board."""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
import webbrowser
from typing import Any

from waitress import create_server, wasyncore

from kursk_pbem.board import app
from kursk_pbem.board.access import BoardAccess
from kursk_pbem.desk.ground import clock, jsonfiles
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.errors import UsageError
from kursk_pbem.game import disk

MAX_IDLE = 4 * 60 * 60
"""The board ends after this many seconds without a request."""
MAX_CONNECTIONS = 400
"""Maximum number of connections. A browser uses six; other programs on this machine may hold more."""
_TICK = 0.5  # seconds between two checks for the end
_SILENT = 20  # seconds until the server closes a silent connection
_QUEUE = 512  # connections in the queue of the system
_ENDS = ("SIGTERM", "SIGHUP")


class Board:
    """A server of the board, ready to run. ``access``: the access data.

    ``opening``: the file that opens the board in a browser. Only the owner can read the file; other users could read
    an address on a command line.
    """

    def __init__(self, room: Room, port: int = 0, idle: float = MAX_IDLE) -> None:
        held = _listen(port)
        self.access = BoardAccess(held.getsockname()[1])
        self.access.first = f"game/{room.was}/" if room.was else ""
        self._idle, self._ends = idle, False
        logging.getLogger("waitress").setLevel(logging.ERROR)  # no warnings about a queue of requests
        made = app.create_app(room, self.access)
        self._sockets: dict[int, Any] = {}
        self._server = create_server(
            made,
            map=self._sockets,
            sockets=[held],
            threads=8,
            ident="kursk",
            connection_limit=MAX_CONNECTIONS,
            channel_timeout=_SILENT,
            cleanup_interval=_SILENT // 2,
            clear_untrusted_proxy_headers=True,
        )
        self.opening = disk.make_private(room.home) / f"board-{self.access.port}.html"
        jsonfiles.write_private(self.opening, _make_page(self.access.login_url).encode("ascii"))

    def show(self) -> bool:
        """Open the board in the player's browser; return whether the machine has a browser."""
        return webbrowser.open(self.opening.resolve().as_uri())

    def run(self) -> bool:
        """Answer requests until a signal, or for MAX_IDLE seconds without a request. Return whether the board idled."""
        before = self._handle_signals()
        try:
            while not self._ends and self.left > 0:
                wasyncore.loop(timeout=_TICK, use_poll=True, map=self._sockets, count=1)
        except KeyboardInterrupt:
            self._ends = True
        finally:
            self._server.task_dispatcher.shutdown()
            self._server.close()
            for channel in list(self._server.active_channels.values()):  # also close the files of unfinished answers
                channel.handle_close()
            wasyncore.close_all(self._sockets, ignore_all=True)  # browsers may hold more connections open
            self.opening.unlink(missing_ok=True)
            for number, handler in before.items():
                signal.signal(number, handler)
        return not self._ends

    def _handle_signals(self) -> dict[int, Any]:
        """Stop also on SIGTERM and SIGHUP; return the earlier handlers."""
        if threading.current_thread() is not threading.main_thread():
            return {}
        numbers = [getattr(signal, name) for name in _ENDS if hasattr(signal, name)]
        numbers = [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]  # for 'nohup'
        return {number: signal.signal(number, lambda *_: self.stop()) for number in numbers}

    def stop(self) -> None:
        """Make ``run`` end. Another thread calls this method."""
        self._ends = True

    @property
    def left(self) -> float:
        """The seconds until the board ends because it is idle."""
        return self.access.seen + self._idle - clock.read_monotonic()


def _listen(port: int) -> socket.socket:
    held = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if os.name != "nt":  # on Windows the option lets another program use the port, too
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # the last board may have just left the port
    try:
        held.bind(("127.0.0.1", port))
    except OSError as error:
        held.close()
        why = f"port {port} cannot be used: {error.strerror}; leave out --port to use a free port"
        raise UsageError(why) from None
    held.listen(_QUEUE)
    return held


def _make_page(address: str) -> str:
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><title>kursk</title>\n'
        f'<meta http-equiv="refresh" content="0;url={address}"></head>\n'
        f'<body><p><a href="{address}">To the board</a></p></body>\n</html>\n'
    )
