"""The program as a web page, served from a folder of static files on 127.0.0.1 (decision 92)."""

from __future__ import annotations

import re
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from kursk_pbem.errors import UsageError

BUILT = Path(__file__).resolve().parents[2] / "build" / "app"
"""The folder that ``make app`` writes in a checkout."""
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
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def log_message(self, format: str, *_given: Any) -> None:  # noqa: A002  the name of the overridden method
        """Print nothing."""


def host_page(folder: Path, port: int) -> ThreadingHTTPServer:
    """Return a server of the page in a folder. Raises UsageError if the folder has no page or the port is in use."""
    index = folder / "index.html"
    found = _POLICY.search(index.read_text(encoding="utf-8")) if (folder / "app.json").is_file() else None
    if found is None:
        raise UsageError(f"{folder} contains no page: build the page with 'make app' in a checkout, or name its folder")
    try:
        return ThreadingHTTPServer(("127.0.0.1", port), partial(_Handler, directory=str(folder), policy=found[1]))
    except OSError as error:
        raise UsageError(
            f"port {port} cannot be used: {error.strerror}; end the program that uses the port. "
            "With another --port the browser shows other games, because it keeps games by address"
        ) from None
