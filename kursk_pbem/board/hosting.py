"""The program as a web page, served from a folder of static files on this machine (decision 92).

A browser asks ``localhost`` at ::1 and at 127.0.0.1. A stranger with one of the two could read the stored keys.
"""

from __future__ import annotations

import errno
import re
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from kursk_pbem.errors import UsageError, shell_word

BUILT = Path(__file__).resolve().parents[2] / "build" / "app"
"""The folder of the web page, written by ``make app`` in a checkout."""
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)">')


class _Handler(SimpleHTTPRequestHandler):
    extensions_map = {  # noqa: RUF012  as in the base class
        **SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",  # some systems call scripts text/plain, and browsers refuse such modules
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
        ".webmanifest": "application/manifest+json",
    }

    def __init__(self, *given: Any, policy: str, **more: Any) -> None:
        self._policy = policy
        super().__init__(*given, **more)

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", f"{self._policy}; frame-ancestors 'none'")
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")  # a page that opened this one keeps no hold
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def log_message(self, format: str, *_given: Any) -> None:  # noqa: A002  the name of the overridden method
        """Print nothing."""


class _Server(ThreadingHTTPServer):
    allow_reuse_address = sys.platform != "win32"  # there it would let other programs take the port


class _SixthServer(_Server):
    address_family = socket.AF_INET6


@contextmanager
def host_page(folder: Path, port: int) -> Iterator[ThreadingHTTPServer]:
    """Serve the web page in a folder on 127.0.0.1, and also on ::1 if this machine has this address.

    Raises UsageError if the folder has no page, or if one of the two ports is in use.
    """
    index = folder / "index.html"
    found = _POLICY.search(index.read_text(encoding="utf-8")) if (folder / "app.json").is_file() else None
    if found is None:
        raise UsageError(f"no web page is in {folder}: type 'make app' in a checkout, or 'kursk app --serve FOLDER'")
    handler = partial(_Handler, directory=str(folder), policy=found[1])
    with ExitStack() as stack:
        try:
            server = stack.enter_context(_Server(("127.0.0.1", port), handler))
            twin = _open_twin(server.server_port, handler)
        except OSError as error:
            raise UsageError(
                f"port {port} cannot be used: {error.strerror}; end the program that uses the port, or type 'kursk "
                f"app --serve {shell_word(folder)} --port PORT'. The browser keeps separate games for each port"
            ) from None
        if twin is not None:
            stack.enter_context(twin)
            Thread(target=twin.serve_forever, daemon=True).start()
            stack.callback(twin.shutdown)
        yield server


def _open_twin(port: int, handler: Any) -> ThreadingHTTPServer | None:
    """Return the server on ::1, or None if this machine has no ::1. Raises OSError if the port is in use."""
    try:
        return _SixthServer(("::1", port), handler)
    except OSError as error:
        if error.errno in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
            return None
        raise
