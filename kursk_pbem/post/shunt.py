"""The one handler of unexpected errors: a mail that this program fails at is set aside, and the round goes on."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from kursk_pbem.errors import DiskError, KurskError
from kursk_pbem.formats.canonical import sha256_hex
from kursk_pbem.post import place


def folder_of(home: Path) -> Path:
    """Return the folder of what was set aside: files ``ID.txt``, each a traceback with the mail below it."""
    return place.root(home) / "shunted"


@contextmanager
def guarded(home: Path, mails: Sequence[tuple[str, bytes]], tell: Callable[[KurskError], None]) -> Iterator[None]:
    """Deal with mails or letters inside. An unexpected error saves them with its traceback, and is told.

    ``mails``: what each is called, and its bytes; ``tell``: is given what is told of them.
    """
    try:
        yield
    except KurskError as error:
        tell(error)
    except OSError as error:
        tell(DiskError(f"{error.filename or mails[0][0]}: {error.strerror}"))
    except Exception:  # noqa: BLE001  no other place catches what nobody foresaw
        trace = traceback.format_exc().encode("utf-8", "backslashreplace")
        for name, raw in mails:
            path = folder_of(home) / f"{sha256_hex(raw)[:16]}.txt"
            place.put(path, trace + b"\n" + raw)
            tell(KurskError(f"{name}: the program failed at it, and set it aside. Send {path} to its maintainers"))
