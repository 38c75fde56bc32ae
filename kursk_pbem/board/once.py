"""Repeated forms: a form that is sent twice runs once, and the second request gets the first answer.

Two requests with an equal mark and equal content are one form. The player can repeat a refused form. Forms run one
after the other, because all of them change the private folder. So the views need no lock.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Flask, Response, make_response, request
from markupsafe import Markup

from kursk_pbem.errors import UsageError

FIELD = "once"
READ_ONLY = frozenset(("try_order", "show_link", "verify_archive"))
"""The views with a posted form that may run twice, because the form changes no data."""
MAX_KEPT = 4 << 20
"""Maximum total size of the saved answers in bytes. The oldest answers are deleted first."""


def make_mark() -> Markup:
    """Return a hidden field with a new random mark. By this mark the board notices a form sent twice."""
    return Markup('<input type="hidden" name="{}" value="{}">').format(FIELD, secrets.token_urlsafe(16))


class Answers:
    """The saved answers to sent forms: digest of a form -> answer."""

    def __init__(self) -> None:
        self._kept: dict[str, Response] = {}
        self._bytes = 0

    def find(self, form: str) -> Response | None:
        """Return the saved answer to a form that was sent before, or None."""
        held = self._kept.get(form)
        return Response(held.get_data(), held.status_code, held.headers) if held is not None else None

    def keep(self, form: str, answer: Response) -> None:
        """Save the answer to a form, unless the answer is an error."""
        if answer.status_code >= 400:
            return
        self._kept[form] = Response(answer.get_data(), answer.status_code, answer.headers)
        self._bytes += len(answer.get_data())
        while self._bytes > MAX_KEPT and len(self._kept) > 1:
            self._bytes -= len(self._kept.pop(next(iter(self._kept))).get_data())


def guard(app: Flask, changing: threading.RLock) -> None:
    """Make every view that changes data run once for a sent form, with the player's lock ``changing``.

    Call this function after adding the routes.
    """
    answers = Answers()
    posts = {rule.endpoint for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())}
    for endpoint in posts - READ_ONLY:
        app.view_functions[endpoint] = _run_once(answers, changing, app.view_functions[endpoint])
    app.jinja_env.globals["mark"] = make_mark


def _run_once(answers: Answers, changing: threading.RLock, view: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(view)
    def answer_once(**where: Any) -> Response:
        form = _digest_form()
        with changing:
            answer = answers.find(form)
            if answer is None:
                answer = make_response(view(**where))
                answers.keep(form, answer)
            return answer

    return answer_once


def _digest_form() -> str:
    """Return a digest of the submitted form: mark, path and content. Raises UsageError if the mark is missing."""
    if not request.form.get(FIELD):
        raise UsageError("the form lacks its mark against sending twice: load the page, and send the form again")
    told = hashlib.sha256(repr((request.path, sorted(request.form.items(multi=True)))).encode("utf-8", "replace"))
    for name, file in sorted(request.files.items(multi=True), key=lambda pair: pair[0]):
        told.update(f"{name}\0{file.filename}\0".encode("utf-8", "replace"))
        told.update(hashlib.file_digest(file.stream, "sha256").digest())  # type: ignore[arg-type]
        file.stream.seek(0)
    return told.hexdigest()
