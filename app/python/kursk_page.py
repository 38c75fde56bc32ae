"""The board of the page: one room and one application, called by the worker without a server."""

import hashlib
import importlib.machinery
import io
import json
import os
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


def keep_templates(environment):
    """Compile all templates once: in the build."""
    from jinja2 import FileSystemBytecodeCache

    kept = HERE / "templates"
    built = not kept.exists()
    kept.mkdir(exist_ok=True)
    environment.bytecode_cache = FileSystemBytecodeCache(str(kept))
    for name in environment.list_templates(["html"]) if built else ():
        environment.get_template(name)


def make_home():
    """Return the private folder; make the folder if necessary."""
    home = Path(os.environ["KURSK_HOME"])
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.chdir(home.parent)  # the private folder must be free to be exchanged for an opened one
    return home


def open_board(root, origin=""):
    """Open the player's room for the page at ``origin``; return what answers a request, and the first page."""
    from werkzeug.test import create_environ, run_wsgi_app

    from kursk_pbem.board import access, app
    from kursk_pbem.desk.seat.room import Room

    keep_parsed()
    home = make_home()
    room = Room(home, home, page=f"{origin}/" if origin else "")
    made = app.create_app(room, access.IndoorAccess(root))
    keep_templates(made.jinja_env)
    board = made.wsgi_app

    def ask(method, path, query, headers, body):
        given = [(name, value) for name, value in headers if name in ("content-type", "accept", "sec-fetch-dest")]
        environ = create_environ(
            path, f"http://{access.HOST}", query, method, headers=given, input_stream=io.BytesIO(body)
        )
        environ["CONTENT_LENGTH"] = str(len(body))
        parts, status, heads = run_wsgi_app(board, environ, buffered=True)
        return int(status[:3]), [list(pair) for pair in heads], b"".join(parts)

    return ask, f"{root}/" + (f"game/{room.was}/" if room.was else "")


def open_opponent(root):
    """Open the desks of practice opponents; return the function that answers a request to a level, and the path."""
    from kursk_pbem.errors import KurskError
    from kursk_pbem.practice import opponent

    keep_parsed()
    home = make_home()

    def ask(_method, path, query, _headers, body):
        try:
            place = home / path.rpartition("/")[2]
            return 200, [], opponent.answer_request(place, bytes(body), stopped=query == "stopped")
        except KurskError as error:
            return 400, [], str(error).encode()

    return ask, f"{root}/"
