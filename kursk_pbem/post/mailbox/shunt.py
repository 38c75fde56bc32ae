"""The one handler of unexpected errors: a mail, letter or game that this program fails at is set aside.

A bug of ours must not pass as a bad mail, and must not stop a round. So its traceback is kept with the mail.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from kursk_pbem.errors import KurskError, UsageError
from kursk_pbem.formats.canonical import sha256_hex
from kursk_pbem.post.mailbox import place


@contextmanager
def guarded(
    home: Path, name: str, raw: bytes, tell: Callable[[KurskError], object], but: type[Exception] | None = None
) -> Iterator[None]:
    """Deal with one of many inside: what is wrong with it is told, and the others go on.

    An unexpected exception writes its traceback, and ``raw`` below it, to ``post/shunted/ID.txt``. ``name``: what it is
    called in messages; ``but``: an exception that is raised all the same.
    """
    try:
        yield
    except (KurskError, OSError) as error:
        if but is not None and isinstance(error, but):
            raise
        tell(place.fault(error))
    except Exception:  # noqa: BLE001  no other place catches what nobody foresaw
        trace = traceback.format_exc().encode("utf-8", "backslashreplace")
        path = place.root(home) / "shunted" / f"{sha256_hex(raw or name.encode('utf-8', 'replace'))[:16]}.txt"
        place.put(path, trace + b"\n" + raw)
        tell(UsageError(f"{name}: the program failed at it, and set it aside; send {path} to the maintainers"))


def each(home: Path, what: str, work: Callable[..., Iterable[str]], *of: object) -> Iterator[str]:
    """Yield what some work tells, and why it could not be done: one of many stops no other."""
    wrong = list[KurskError]()
    with guarded(home, what, b"", wrong.append):
        yield from work(*of)
    yield from (f"{what}: {error}" for error in wrong)
