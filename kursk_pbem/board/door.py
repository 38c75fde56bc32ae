"""Who may come in: one player, from this machine, with the key that the program handed out once.

The one-time token opens the door once and becomes a cookie; ``Host`` must be ours, so that no name of somebody else's
can be made to point here (DNS rebinding); a request that changes anything must come from a page of ours.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from hmac import compare_digest

from flask import Flask, Response, abort, make_response, render_template, request

COOKIE = "kursk-board"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
READING = ("GET", "HEAD")


@dataclass
class Door:
    """The door of one board: its ``port``, the ``token`` that opens it once ('' when it is used), the ``session``."""

    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    session: str = field(default="", repr=False)

    @property
    def address(self) -> str:
        """Where the board is, without the token."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def way_in(self) -> str:
        """The address that opens it, once."""
        return f"{self.address}/enter/{self.token}"

    def guard(self, app: Flask) -> None:
        """Let nobody in but the one who has the token, and send every answer with its policy."""
        app.before_request(self._look)
        app.add_url_rule("/enter/<token>", "enter", self._enter)

        @app.after_request
        def send(answer: Response) -> Response:
            for name, value in HEADERS.items():
                answer.headers[name] = value
            return answer

    def _look(self) -> None:
        if request.host not in (f"127.0.0.1:{self.port}", f"localhost:{self.port}"):
            abort(403, "this is not the name of this board")
        if request.endpoint in ("enter", "static"):
            return
        held = request.cookies.get(f"{COOKIE}-{self.port}", "")
        if not self.session or not compare_digest(held.encode(), self.session.encode()):
            abort(403, "open the board with 'kursk board': the address that it opens works once")
        if request.method not in READING and request.headers.get("Origin") != f"http://{request.host}":
            abort(403, "this request does not come from a page of this board")

    def _enter(self, token: str) -> Response:
        """The token becomes a cookie. The page that leads on is ours, so that a strict cookie goes with it."""
        if not self.token or not compare_digest(token.encode(), self.token.encode()):
            abort(403, "this address has been used: 'kursk board' opens another one")
        self.token, self.session = "", secrets.token_urlsafe(32)
        answer = make_response(render_template("enter.html"))
        answer.set_cookie(f"{COOKIE}-{self.port}", self.session, httponly=True, samesite="Strict", path="/")
        return answer
