"""The one handler of unexpected errors: sets a failing mail, letter or game aside.

A bug of this program must not look like a bad mail, and must not stop a round. So the traceback is saved with the mail.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from kursk_pbem.errors import KurskError, UsageError
from kursk_pbem.formats.canonical import sha256_hex
from kursk_pbem.post.mailbox import post_folder


@contextmanager
def guard_task(
    home: Path, name: str, raw: bytes, tell: Callable[[KurskError], object], but: type[Exception] | None = None
) -> Iterator[None]:
    """Catch and report the errors of the task inside a ``with`` block, so later tasks continue.

    An unexpected exception saves a traceback and ``raw`` in ``post/shunted/ID.txt``. ``name``: the name of the task in
    messages. ``but``: a type of exception to be raised again.
    """
    try:
        yield
    except (KurskError, OSError) as error:
        if but is not None and isinstance(error, but):
            raise
        tell(post_folder.as_fault(error))
    except Exception:  # noqa: BLE001  no other place catches unexpected errors
        trace = traceback.format_exc().encode("utf-8", "backslashreplace")
        path = post_folder.locate(home) / "shunted" / f"{sha256_hex(raw or name.encode('utf-8', 'replace'))[:16]}.txt"
        post_folder.write_file(path, trace + b"\n" + raw)
        tell(UsageError(f"{name}: skipped because of an error in the program; send {path} to the maintainers"))


def run_task(home: Path, what: str, work: Callable[..., Iterable[str]], *of: object) -> Iterator[str]:
    """Run a task and yield the task's lines. After an error, yield a line about the error; later tasks continue."""
    wrong = list[KurskError]()
    with guard_task(home, what, b"", wrong.append):
        yield from work(*of)
    yield from (f"{what}: {error}" for error in wrong)
