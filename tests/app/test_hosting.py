"""The page's folder, served by `kursk app --serve`."""

import errno
import socket
import threading
from http.client import HTTPConnection

import pytest

from kursk_pbem.board import hosting
from kursk_pbem.errors import UsageError

INDEX = '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'">'


def test_the_served_page_has_its_policy_and_right_types(tmp_path):
    for name, text in {"index.html": INDEX, "app.json": "{}", "worker.js": "", "engine.wasm": ""}.items():
        (tmp_path / name).write_text(text)
    with hosting.host_page(tmp_path, 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for path, kind in (("/", "text/html"), ("/worker.js", "text/javascript"), ("/engine.wasm", "application/wasm")):
            connection = HTTPConnection("127.0.0.1", server.server_port)
            connection.request("GET", path)
            answer = connection.getresponse()
            assert (answer.status, answer.headers["Content-Type"]) == (200, kind)
            assert answer.headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
            connection.close()
        server.shutdown()


def test_a_folder_without_a_page_is_refused(tmp_path):
    with pytest.raises(UsageError, match="no web page is in"), hosting.host_page(tmp_path, 0):
        pass


@pytest.mark.parametrize(("family", "address"), [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")])
def test_a_stranger_at_one_of_the_two_addresses_of_localhost(tmp_path, family, address):
    (tmp_path / "index.html").write_text(INDEX)
    (tmp_path / "app.json").write_text("{}")
    with socket.socket(family) as stranger:
        stranger.bind((address, 0))
        stranger.listen()
        port = stranger.getsockname()[1]
        with pytest.raises(UsageError, match=f"port {port} cannot be used"), hosting.host_page(tmp_path, port):
            pass
    with hosting.host_page(tmp_path, 0) as server, socket.socket(family) as stranger:
        stranger.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with pytest.raises(OSError, match="in use"):
            stranger.bind((address, server.server_port))


def test_a_machine_without_the_second_address(tmp_path, monkeypatch):
    def bind(self, address):
        if self.family == socket.AF_INET6:
            raise OSError(errno.EADDRNOTAVAIL, "Cannot assign requested address")
        before(self, address)

    before = socket.socket.bind
    monkeypatch.setattr(socket.socket, "bind", bind)
    (tmp_path / "index.html").write_text(INDEX)
    (tmp_path / "app.json").write_text("{}")
    with hosting.host_page(tmp_path, 0) as server:
        assert server.server_address[0] == "127.0.0.1"
