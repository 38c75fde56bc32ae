"""Process each form once: a second sending gets the answer of the first.

This covers double clicks, reloads and repeating browsers. Each changing form has a mark, and the same mark with the
same content is the same form. Refused forms may be sent again.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from flask import Flask, Response, make_response, request
from markupsafe import Markup

from kursk_pbem.errors import UsageError

FIELD = "once"
ASKS = frozenset(("tried",))
"""Posted forms that change nothing."""
MOST_KEPT = 4 << 20
"""Maximum number of bytes of saved answers; the oldest are dropped first."""
WAIT = 60.0
"""Seconds to wait for the answer to the first sending."""
_LONGEST = 64


def mark() -> Markup:
    """Return the hidden field with the mark of a form."""
    return Markup('<input type="hidden" name="{}" value="{}">').format(FIELD, secrets.token_urlsafe(16))


class Answers:
    """The saved answers by form."""

    def __init__(self) -> None:
        self._kept: dict[str, Response] = {}
        self._bytes = 0
        self._under_way: set[str] = set()
        self._one = threading.Condition()

    @contextmanager
    def turn(self, form: str) -> Iterator[None]:
        """Hold the lock of a form in this context. Raises UsageError if another request never ends."""
        with self._one:
            if not self._one.wait_for(lambda: form not in self._under_way, WAIT):
                raise UsageError("this was sent before, and is still being done: wait, and load the page again")
            self._under_way.add(form)
        try:
            yield
        finally:
            with self._one:
                self._under_way.discard(form)
                self._one.notify_all()

    def of(self, form: str) -> Response | None:
        """Return the answer to a form, or ``None``."""
        held = self._kept.get(form)
        return Response(held.get_data(), held.status_code, held.headers) if held is not None else None

    def keep(self, form: str, answer: Response) -> None:
        """Save the answer to a form if the work was done."""
        if answer.status_code >= 400:
            return
        with self._one:
            self._kept[form] = Response(answer.get_data(), answer.status_code, answer.headers)
            self._bytes += len(answer.get_data())
            while self._bytes > MOST_KEPT and len(self._kept) > 1:
                self._bytes -= len(self._kept.pop(next(iter(self._kept))).get_data())


def guard(app: Flask) -> None:
    """Process every changing form once. Called after all routes are added."""
    answers = Answers()
    posts = {rule.endpoint for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())}
    for endpoint in posts - ASKS:
        app.view_functions[endpoint] = _once(answers, app.view_functions[endpoint])
    app.jinja_env.globals["mark"] = mark


def _once(answers: Answers, view: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(view)
    def answered(**where: Any) -> Response:
        form = _form()
        with answers.turn(form):
            answer = answers.of(form)
            if answer is None:
                answer = make_response(view(**where))
                answers.keep(form, answer)
            return answer

    return answered


def _form() -> str:
    """Return a digest of the submitted form: mark, path and content."""
    form_mark = request.form.get(FIELD, "")
    if not form_mark or len(form_mark) > _LONGEST:
        raise UsageError("this form has no mark of its own: load the page again, and send it from there")
    told = hashlib.sha256(repr((request.path, sorted(request.form.items(multi=True)))).encode("utf-8", "replace"))
    for name, file in sorted(request.files.items(multi=True), key=lambda pair: pair[0]):
        told.update(f"{name}\0{file.filename}\0".encode("utf-8", "replace"))
        told.update(hashlib.file_digest(file.stream, "sha256").digest())  # type: ignore[arg-type]
        file.stream.seek(0)
    return told.hexdigest()
