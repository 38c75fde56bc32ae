"""The board of the page: one room and one application, called by the worker without a server."""

import hashlib
import importlib.machinery
import io
import json
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


def keep_parsed():
    """Read each file of a scenario once: the build keeps what the slow YAML reader of the page makes of it."""
    from kursk_pbem.formats import strictyaml

    read = strictyaml.read_edited

    def read_edited(raw, name, kind="message"):
        if kind != "scenario":
            return read(raw, name, kind)
        kept = HERE / "parsed" / hashlib.sha256(raw).hexdigest()
        if not kept.exists():
            made = read(raw, name, kind)
            kept.parent.mkdir(exist_ok=True)
            kept.write_text(json.dumps([made.data, made.values, made.holders]), encoding="utf-8")
        data, values, holders = json.loads(kept.read_bytes())
        return strictyaml.Document(data, name, raw, values=values, holders=holders)

    strictyaml.read_edited = read_edited


def open_board(root):
    """Open the player's room; return the function that answers a request, and the first page."""
    from kursk_pbem.board import app, indoors
    from kursk_pbem.desk.seat.room import Room
    from kursk_pbem.post import board_mail
    from kursk_pbem.post.tournaments import directing

    keep_parsed()
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
