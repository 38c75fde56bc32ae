"""Verify another player's archive without a key. The program saves no file and adds no game."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flask import Flask, Response, redirect, render_template, request, url_for

from kursk_pbem.errors import UsageError

if TYPE_CHECKING:
    from kursk_pbem.tournament.proof.archives import Verdict

MAX_UPLOAD, MAX_FILES = 64 << 20, 20_000
"""Maximum bytes and files of an uploaded archive."""


class Checked:
    """The archive verified last, in a temporary folder. The folder stays until the next archive or the board's end."""

    def __init__(self) -> None:
        self.name = ""
        self.verdict: Verdict | None = None
        self._delete: Callable[[], object] = lambda: None  # deletes the folder, at the latest at the end of the program

    def verify(self, name: str, uploads: list[Any]) -> None:
        """Verify uploaded files, and forget the archive verified before. Raises KurskError if a file is unreadable."""
        from kursk_pbem.tournament.proof import archives  # noqa: PLC0415  few visits verify an archive

        self.name, self.verdict = name, None
        self._delete()
        place = Path(tempfile.mkdtemp(prefix="kursk-verify-"))
        self._delete = weakref.finalize(self, shutil.rmtree, place, ignore_errors=True)
        archives.unpack(((each.filename or "file", each.stream) for each in uploads), place)
        self.verdict = archives.verify_place(place)

    def replay(self, number: int, back: str) -> tuple[str, str]:
        """Return game ``number``'s replay page, with a link to ``back``, and a security policy. Raises UsageError."""
        from kursk_pbem.tournament.proof import archives  # noqa: PLC0415  as above

        rows = self.verdict.rows if self.verdict else ()
        if not 0 <= number < len(rows) or rows[number].finding.status:
            raise UsageError("the board no longer has this game: verify the archive again")
        return archives.render_replay(rows[number], back)


def add_routes(app: Flask) -> None:
    """Add the routes of the page that verifies archives."""
    checked = Checked()

    @app.get("/verify")
    def show_verdict() -> str:
        return render_template("verified.html", name=checked.name, verdict=checked.verdict)

    @app.post("/verify")
    def verify_archive() -> Any:
        uploads = [each for each in request.files.getlist("archive") if each.filename]
        if not uploads:
            raise UsageError("you chose no file: choose an archive (a zip), or the files of a game")
        first = (uploads[0].filename or "").partition("/")[0]
        checked.verify(first if len(uploads) == 1 or "/" in (uploads[0].filename or "") else "the files", uploads)
        return redirect(url_for("show_verdict"), 303)

    @app.get("/verify/<int:number>")
    def replay_verified(number: int) -> Response:
        page, policy = checked.replay(number, url_for("show_verdict"))
        return Response(page, headers={"Content-Security-Policy": f"{policy}; frame-ancestors 'self'"})
