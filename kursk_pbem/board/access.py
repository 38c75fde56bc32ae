"""Access to the board: one player, from this machine, with a token that works once.

The token becomes a cookie. ``Host`` must be the name of the board, against DNS rebinding. A request to change data must
come from a page of the board. The cookie belongs to a secret path, because browsers send cookies to all ports.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from hmac import compare_digest
from typing import Any, ClassVar

from flask import Flask, Response, abort, g, make_response, render_template, request

from kursk_pbem.desk.ground import clock

COOKIE, _POLICY = "kursk-board", "Content-Security-Policy"
ENTER = "/enter/"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # with "no-referrer" browsers send our forms without an origin
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
KEPT = {**HEADERS, "Cache-Control": "private, max-age=86400, immutable"}
"""Headers of scripts and styles: a browser keeps the files, because each start of a board makes new addresses."""
READING = ("GET", "HEAD")
HOST = "127.0.0.1"
"""The name of the board in requests. Links and redirects are paths, so a web page never shows the name."""
USED = "this browser has no access: the address of 'kursk board' works once; start 'kursk board' again"
Wsgi = Callable[[dict[str, Any], Any], Iterable[bytes]]


def _make_secret() -> str:
    return secrets.token_urlsafe(32)


@dataclass
class BoardAccess:
    """The access data of one board. ``token``: opens the board once, '' after use. ``session``: value of the cookie.

    ``root``: secret path of all pages. ``first``: first page. ``seen``: monotonic time of the player's last request.
    """

    headers: ClassVar[dict[str, str]] = HEADERS
    kept: ClassVar[dict[str, str]] = KEPT
    port: int
    token: str = field(default_factory=_make_secret, repr=False)
    root: str = field(default_factory=lambda: f"/{_make_secret()}", repr=False)
    session: str = field(default="", repr=False)
    first: str = ""
    seen: float = field(default_factory=clock.read_monotonic, repr=False)

    @property
    def host(self) -> str:
        """The only host name that a request to the board may use."""
        return f"{HOST}:{self.port}"

    @property
    def address(self) -> str:
        """The web address of the board, without its token and path."""
        return f"http://{self.host}"

    @property
    def login_url(self) -> str:
        """The web address that opens the board, usable only once."""
        return f"{self.address}{ENTER}{self.token}"

    def guard(self, app: Flask) -> None:
        """Make an application refuse requests without the board's cookie, and add security headers to answers."""
        app.before_request(self._check_request)
        app.add_url_rule(f"{ENTER}<token>", "enter", self._use_token, provide_automatic_options=False)
        app.wsgi_app = self._mount_at_root(app.wsgi_app)  # type: ignore[method-assign, assignment]

        @app.after_request
        def add_headers(answer: Response) -> Response:
            own = {_POLICY: answer.headers[_POLICY]} if _POLICY in answer.headers else {}  # of a replay
            keep = answer.status_code == 200 and request.path.startswith(("/static/", "/map.css"))
            answer.headers.update({**(self.kept if keep else self.headers), **own})
            return answer

    def _mount_at_root(self, inner: Wsgi) -> Wsgi:
        """Return the application with all pages below the secret path."""

        def serve_at_root(environ: dict[str, Any], start: Any) -> Iterable[bytes]:
            path = environ.get("PATH_INFO", "")
            if path.startswith(f"{self.root}/"):
                environ["SCRIPT_NAME"], environ["PATH_INFO"] = self.root, path[len(self.root) :]
            elif not path.startswith(ENTER):
                environ["PATH_INFO"] = ENTER  # no page exists here: every other path is refused
            return inner(environ, start)

        return serve_at_root

    def _check_request(self) -> None:
        if request.host != self.host:
            abort(403, "the address of this board has another name: use the address that 'kursk board' opened")
        if request.endpoint == "enter":
            return
        held = request.cookies.get(COOKIE, "")
        if not self.session or not compare_digest(held.encode(), self.session.encode()):
            abort(403, USED)
        if request.method not in READING and request.headers.get("Origin") != self.address:
            abort(403, "the request came from a page of another program, so the board refuses it")
        g.inside = True
        self.seen = clock.read_monotonic()

    def _use_token(self, token: str) -> Response:
        """Exchange the token for a cookie. Only GET uses the token, because previews and link checkers send HEAD."""
        if request.method != "GET":
            abort(405)
        if not self.token or not compare_digest(token.encode(), self.token.encode()):
            abort(403, "this address is wrong or was used before: it works once; start 'kursk board' again")
        self.token, self.session = "", _make_secret()
        self.seen = clock.read_monotonic()
        # a redirect would not carry the strict cookie, but a link on our own page does
        answer = make_response(render_template("enter.html", home=f"{self.root}/{self.first}"))
        answer.set_cookie(COOKIE, self.session, httponly=True, samesite="Strict", path=f"{self.root}/")
        return answer


class IndoorAccess(BoardAccess):
    """The access data of a board inside a web page: one visitor, no cookie and no port (decision 92).

    ``root``: the secret path, made by the page. Other sites do not know the path, so no form from there arrives.
    """

    headers: ClassVar[dict[str, str]] = {
        **HEADERS,
        "Content-Security-Policy": POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
    }
    kept: ClassVar[dict[str, str]] = headers

    def __init__(self, root: str) -> None:
        super().__init__(80, token="", root=root)

    def _check_request(self) -> None:
        g.inside = True
