"""Access to a board that runs inside a web page: one visitor, no cookie and no port (decision 92).

The secret path alone opens the board: pages of other sites cannot know the path, so their forms do not arrive.
"""

from __future__ import annotations

from typing import ClassVar

from flask import g

from kursk_pbem.board.access import HEADERS, POLICY, BoardAccess

HOST = "127.0.0.1"
"""The host name in the page's requests. Links and redirects of the board are paths, so the name is never visible."""


class IndoorAccess(BoardAccess):
    """The access data of a board inside a web page. ``root``: the secret path, made by the page."""

    headers: ClassVar[dict[str, str]] = {
        **HEADERS,
        "Content-Security-Policy": POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
    }

    def __init__(self, root: str) -> None:
        super().__init__(80, token="", root=root)

    def _check_request(self) -> None:
        g.inside = True
