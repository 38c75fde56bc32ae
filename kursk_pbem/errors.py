"""Errors grouped by responsibility, each with an exit status.

A message contains the problem, the expectation and the next step; ``where`` contains the line.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

from kursk_pbem.frozen import frozen

EXIT_RULES = 1
EXIT_UNREADABLE = 2
EXIT_TRUST = 3
EXIT_OURS = 70
EXIT_INTERRUPTED = 130
EXIT_UNHEARD = 141
"""Exit status if the reader of a pipe closed it before the end of the output; shells use the same status."""


_PLAIN_WORD = re.compile(r"[\w./\\:~@%+=,-]+")


def shell_word(path: object) -> str:
    """Return a path as a user must type it in a command: in double quotes if a shell would split or change the path."""
    word = str(path)
    return word if _PLAIN_WORD.fullmatch(word) else f'"{word}"'


@frozen
class Where:
    """A place in a file: ``file`` as named by the person, ``line`` from 1 (0: the whole file)."""

    file: str
    line: int = 0

    def __str__(self) -> str:
        file = self.file.replace("\n", "\\n")  # a file name must not imitate a line of the program (T29)
        return f"{file}:{self.line}" if self.line else file


@frozen
class Violation:
    """A broken rule.

    ``rule``: a paragraph of the rulebook. ``order``: the order, named as its writer knows it. ``path``: the place in
    the message (keys and list positions) behind ``where``. ``waits``: a later order may repair the problem, so the
    program accepts the order while the player types further orders.
    """

    rule: str
    message: str
    order: str = ""
    path: tuple[str | int, ...] = ()
    where: Where | None = None
    waits: bool = False

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        order = f"{self.order}: " if self.order else ""
        return f"{place}[{self.rule}] {order}{self.message}"


class KurskError(Exception):
    """An error with a message for the user; the command then ends with ``exit_status``."""

    exit_status = EXIT_OURS
    remedy = ""
    """The next step for the user, if ``message`` does not contain it."""

    def __init__(self, message: str, where: Where | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.where = where

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


class FileError(KurskError):
    """A file does not have the expected form (size, YAML, schema). The remedy is a new copy from the sender."""

    exit_status = EXIT_UNREADABLE


class AlteredError(FileError):
    """The signature does not fit the text of a turn, so one of the two was changed on the way."""


class OutdatedError(FileError):
    """The game was begun with other rules code or scenario data than installed; no player is at fault (44, 75)."""


class EarlyError(OutdatedError):
    """A game, tournament, proof or saved folder is from before release 1.0. The message ends with TOO_EARLY."""


TOO_EARLY = "is from before release 1.0; this program does not judge it"


class NewerError(FileError):
    """A file is from a later release. The file is right, so another copy does not help; an update of kursk does."""


class SeveralError(FileError):
    """A file contains several turns instead of one."""


class UsageError(KurskError):
    """The command cannot do what the user asked, for example because a file is missing or an option does not fit."""

    exit_status = EXIT_UNREADABLE


class OwnWordsError(UsageError):
    """A UsageError whose message repeats none of the user's input, so it may be mailed to strangers."""


class ChangedError(UsageError):
    """A text has changed since its writer read it. ``text``: the present text. ``stamp``: the hash of this text."""

    def __init__(self, message: str, text: str, stamp: str) -> None:
        super().__init__(message)
        self.text, self.stamp = text, stamp


class DiskError(UsageError):
    """A file of the player cannot be written or read now, for example because the disk is full.

    The content of the file and other input are correct.
    """


class SpoiltError(DiskError):
    """A private file of the player is damaged or unreadable. Moving the file away would lose its content."""


class LostError(DiskError):
    """The journal lists a message, but the file of the message is missing or changed. No player is at fault."""


EXTRAS = {
    "agents": ("mcp", "pettingzoo"),
    "cluster": ("distributed",),
    "pictures": ("resvg-py", "pillow"),
    "tournament": ("rustworkx", "networkx", "icalendar"),
}
"""The packages of each optional extra, as in pyproject.toml."""


class MissingError(UsageError):
    """``what`` needs an optional package that is not installed. The message contains the command that installs it."""

    def __init__(self, what: str, extra: str) -> None:
        packages = " ".join(EXTRAS[extra])
        super().__init__(
            f"{what} needs more packages: 'pip install {packages}' into the same environment, or "
            f"pip install '.[{extra}]' in the folder of the sources"
        )


def load_library(module: str, what: str, extra: str) -> Any:
    """Return a module of an optional extra. ``what``: what needs the module, in words. Raises MissingError."""
    try:
        return import_module(module)
    except ImportError:
        raise MissingError(what, extra) from None


class ExposedKeyWarning(UserWarning):
    """Another user of this machine can read a private key, and so play as its owner."""


class NoRecordError(UsageError):
    """The command needs a private record of the game, and the private folder has none. Perhaps the folder is wrong."""


_EVIDENCE = "keep this file: 'kursk prove' shows the evidence; ask the sender for the right file"
_ADVICE = {
    "sender": "ask the sender for the right message",
    "opening": _EVIDENCE,
    "reveal": _EVIDENCE,
    "dice": _EVIDENCE,
}


class TrustError(KurskError):
    """Signature, sender, predecessor, opening, reveal, dice or state hash is wrong.

    ``fault``: one word of canonical, head, signature, sender, chain, order, opening, reveal, dice, state. For some
    faults the complete message contains a fixed remedy.
    """

    exit_status = EXIT_TRUST

    def __init__(self, fault: str, message: str, where: Where | None = None) -> None:
        super().__init__(message, where)
        self.fault = fault
        self.remedy = _ADVICE.get(fault, "")

    def __str__(self) -> str:
        return f"{super().__str__()}; {self.remedy}" if self.remedy else super().__str__()


class VoidError(KurskError):
    """A signed message is void, because another message with its number counts. No player is at fault."""

    exit_status = EXIT_RULES


class RulesError(KurskError):
    """Orders break the rules. ``violations`` contains every violation; ``side`` is the side that gave the orders.

    ``received``: True if the orders are in a signed message, which is then void; False if they are in a draft.
    """

    exit_status = EXIT_RULES

    def __init__(self, violations: tuple[Violation, ...], side: str = "", *, received: bool = False) -> None:
        super().__init__("\n".join(str(v) for v in violations))
        self.violations = violations
        self.side = side
        self.received = received
