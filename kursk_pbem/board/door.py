"""Who may come in: one player, from this machine, with the key that the program handed out once.

The one-time token opens the door once and becomes a cookie; ``Host`` must be ours, so that no name of somebody else's
can be made to point here (DNS rebinding); a request that changes anything must come from a page of ours. Cookies know
no ports: so that no other server of this machine is sent ours, it belongs to a path that nobody can guess, below which
all pages lie.
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
    "Referrer-Policy": "same-origin",  # with "no-referrer" a browser says of our own forms that they come from nowhere
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
    """The door of one board: its ``port``, the ``token`` that opens it once ('' when it is used), the ``session``.

    All pages lie below ``root``; it leads to ``first``, below that. ``seen``: when the last request
    of the player came, by the clock that never goes back.
    """

    port: int
    token: str = field(default_factory=_secret, repr=False)
    root: str = field(default_factory=lambda: f"/{_secret()}", repr=False)
    session: str = field(default="", repr=False)
    first: str = ""
    seen: float = field(default_factory=clock.read_monotonic, repr=False)

    @property
    def host(self) -> str:
        """The one name of this board."""
        return f"127.0.0.1:{self.port}"

    @property
    def address(self) -> str:
        """Where the board is, without token and path."""
        return f"http://{self.host}"

    @property
    def way_in(self) -> str:
        """The address that opens it, once."""
        return f"{self.address}{ENTER}{self.token}"

    def guard(self, app: Flask) -> None:
        """Let nobody in but the one who has the token, and send every answer with its policy."""
        app.before_request(self._look)
        app.add_url_rule(f"{ENTER}<token>", "enter", self._enter, provide_automatic_options=False)
        app.wsgi_app = self._below(app.wsgi_app)  # type: ignore[method-assign, assignment]

        @app.after_request
        def send(answer: Response) -> Response:
            for name, value in HEADERS.items():
                answer.headers[name] = value
            return answer

    def _below(self, inner: Wsgi) -> Wsgi:
        """The application with its pages moved below the path that nobody can guess."""

        def moved(environ: dict[str, Any], start: Any) -> Iterable[bytes]:
            path = environ.get("PATH_INFO", "")
            if path.startswith(f"{self.root}/"):
                environ["SCRIPT_NAME"], environ["PATH_INFO"] = self.root, path[len(self.root) :]
            elif not path.startswith(ENTER):
                environ["PATH_INFO"] = ENTER  # where nothing is, whatever was asked for
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
        """The token becomes a cookie. The page that leads on is ours, so that a strict cookie goes with it.

        Only a GET opens: what looks at an address first, a preview or a checker, must not use it up.
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
