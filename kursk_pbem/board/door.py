"""Access to a board: one player, on this machine, with a token used only once.

The token becomes a cookie. ``Host`` must be the board's own name, against DNS rebinding. A changing request must come
from a page of the board. Browsers send cookies to all ports of a host, so the cookie is limited to a secret path, and
all pages are below this path.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from hmac import compare_digest
from typing import Any

from flask import Flask, Response, abort, g, make_response, render_template, request

from kursk_pbem.desk import clock

COOKIE = "kursk-board"
ENTER = "/enter/"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # with "no-referrer" a browser hides the origin of our forms
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
READING = ("GET", "HEAD")
USED = "this browser has not been let in: the address that 'kursk board' opens works once"
Wsgi = Callable[[dict[str, Any], Any], Iterable[bytes]]


def _secret() -> str:
    return secrets.token_urlsafe(32)


@dataclass
class Door:
    """The door of one board: ``port``, ``token`` for one use ('' after use), ``session``.

    All pages are below ``root``; the first page is ``first``. ``seen``: monotonic time of the player's last request.
    """

    port: int
    token: str = field(default_factory=_secret, repr=False)
    root: str = field(default_factory=lambda: f"/{_secret()}", repr=False)
    session: str = field(default="", repr=False)
    first: str = ""
    seen: float = field(default_factory=clock.read_monotonic, repr=False)

    @property
    def host(self) -> str:
        """The only valid host name of this board."""
        return f"127.0.0.1:{self.port}"

    @property
    def address(self) -> str:
        """The address of the board without token and path."""
        return f"http://{self.host}"

    @property
    def way_in(self) -> str:
        """The address that opens the board once."""
        return f"{self.address}{ENTER}{self.token}"

    def guard(self, app: Flask) -> None:
        """Admit only the holder of the token, and send the policy with every answer."""
        app.before_request(self._look)
        app.add_url_rule(f"{ENTER}<token>", "enter", self._enter, provide_automatic_options=False)
        app.wsgi_app = self._below(app.wsgi_app)  # type: ignore[method-assign, assignment]

        @app.after_request
        def send(answer: Response) -> Response:
            for name, value in HEADERS.items():
                answer.headers[name] = value
            return answer

    def _below(self, inner: Wsgi) -> Wsgi:
        """Return the application with the pages below the secret path."""

        def moved(environ: dict[str, Any], start: Any) -> Iterable[bytes]:
            path = environ.get("PATH_INFO", "")
            if path.startswith(f"{self.root}/"):
                environ["SCRIPT_NAME"], environ["PATH_INFO"] = self.root, path[len(self.root) :]
            elif not path.startswith(ENTER):
                environ["PATH_INFO"] = ENTER  # an address without a page, for any request
            return inner(environ, start)

        return moved

    def _look(self) -> None:
        if request.host != self.host:
            abort(403, "this is not the name of this board")
        if request.endpoint == "enter":
            return
        held = request.cookies.get(COOKIE, "")
        if not self.session or not compare_digest(held.encode(), self.session.encode()):
            abort(403, USED)
        if request.method not in READING and request.headers.get("Origin") != self.address:
            abort(403, "this request does not come from a page of this board")
        g.inside = True
        self.seen = clock.read_monotonic()

    def _enter(self, token: str) -> Response:
        """Exchange the token for a cookie. The next page is ours, so that a strict cookie is sent.

        Only GET opens the door, so that previews and checkers do not use up the token.
        """
        if request.method != "GET":
            abort(405)
        if not self.token or not compare_digest(token.encode(), self.token.encode()):
            abort(403, "this address does not open the board, or has been used: it works once")
        self.token, self.session = "", _secret()
        self.seen = clock.read_monotonic()
        answer = make_response(render_template("enter.html", home=f"{self.root}/{self.first}"))
        answer.set_cookie(COOKIE, self.session, httponly=True, samesite="Strict", path=f"{self.root}/")
        return answer
