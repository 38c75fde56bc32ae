"""The board of the page: one room and one application, called by the worker without a server."""

import importlib.machinery
import importlib.util
import io
import os
import sys
from pathlib import Path

HERE = Path(__file__).parent


class Rest:
    """An importer of the modules that few sessions need: the worker fetches their archive at the first import."""

    def __init__(self, fetch):
        self.fetch, self.names = fetch, set((HERE / "rest.txt").read_text(encoding="utf-8").split())

    def find_spec(self, name, _path=None, _target=None):
        if name not in self.names:
            return None
        if self.fetch:
            self.fetch()
            self.fetch = None
            importlib.invalidate_caches()
        parent = HERE.joinpath(*name.split(".")[:-1])
        return importlib.machinery.PathFinder.find_spec(name, [str(parent)])


if not hasattr(os, "link"):

    def _no_link(*_given):
        raise OSError(52, "no links here")

    os.link = _no_link


def open_board(root):
    """Open the player's room; return the function that answers a request, and the first page."""
    from kursk_pbem.board import app, indoors
    from kursk_pbem.desk.seat.room import Room
    from kursk_pbem.post import board_mail
    from kursk_pbem.post.tournaments import directing

    home = Path(os.environ["KURSK_HOME"])
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.chdir(home)
    room = Room(home, home, None, board_mail.games_folder(home), log=directing.by_log)
    room.sweep()
    board = app.create_app(room, indoors.IndoorAccess(root)).wsgi_app

    def ask(method, path, query, headers, body):
        given = {name.upper().replace("-", "_"): value for name, value in headers}
        environ = {
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": "",
            "PATH_INFO": path.encode().decode("latin-1"),
            "QUERY_STRING": query,
            "SERVER_NAME": indoors.HOST,
            "SERVER_PORT": "80",
            "HTTP_HOST": indoors.HOST,
            "SERVER_PROTOCOL": "HTTP/1.1",
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(body),
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": False,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
            "CONTENT_LENGTH": str(len(body)),
            "CONTENT_TYPE": given.get("CONTENT_TYPE", ""),
            **{f"HTTP_{name}": value for name, value in given.items() if name in ("ACCEPT", "SEC_FETCH_DEST")},
        }
        got = []
        parts = board(environ, lambda status, heads, _error=None: got.extend((int(status[:3]), heads)))
        data = b"".join(parts)
        parts.close()
        return got[0], [list(pair) for pair in got[1]], data

    return ask, f"{root}/" + (f"game/{room.was}/" if room.was else "")
