"""The page's folder, served by `kursk app --serve`."""

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
        with pytest.raises(UsageError, match="cannot be used"):
            hosting.host_page(tmp_path, server.server_port)
        server.shutdown()


def test_a_folder_without_a_page_is_refused(tmp_path):
    with pytest.raises(UsageError, match="contains no page"):
        hosting.host_page(tmp_path, 0)
