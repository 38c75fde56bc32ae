"""The ways in which something can be wrong, grouped by whose fault it is, each with its exit status.

A message always says what was found, what was expected and what to do next; ``where`` says in which line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

EXIT_RULES = 1
EXIT_UNREADABLE = 2
EXIT_TRUST = 3
EXIT_OURS = 70
EXIT_INTERRUPTED = 130
EXIT_UNHEARD = 141
"""Nobody has read what was printed to its end; what shells give a program whose pipe is closed."""


_PLAIN_WORD = re.compile(r"[\w./\\:~@%+=,-]+")


def shell_word(path: object) -> str:
    """Return a path as a command in a message names it: in double quotes if a shell would part or change it."""
    word = str(path)
    return word if _PLAIN_WORD.fullmatch(word) else f'"{word}"'


@dataclass(frozen=True)
class Where:
    """A place in a file: ``file`` as the person named it, ``line`` from 1 (0: the file as a whole)."""

    file: str
    line: int = 0

    def __str__(self) -> str:
        file = self.file.replace("\n", "\\n")  # a name must not print as a line of ours (T29)
        return f"{file}:{self.line}" if self.line else file


@dataclass(frozen=True)
class Violation:
    """One way in which orders break the rules.

    ``rule`` is a paragraph of the ruleset's rulebook, ``order`` the order as its writer would recognise it,
    ``path`` the place in the message (keys and list positions) from which ``where`` was found. ``waits``: an order that
    is still to come sets it right, so that whoever gives one order after the other is not stopped by it.
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
    """Something is wrong and a person should be told; ``exit_status`` is what the command ends with."""

    exit_status = EXIT_OURS
    remedy = ""
    """What to do about it, where ``message`` does not say so."""

    def __init__(self, message: str, where: Where | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.where = where

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


class FileError(KurskError):
    """A file cannot be read for what it should be: size, YAML, schema. Ask for it again."""

    exit_status = EXIT_UNREADABLE


class OutdatedError(FileError):
    """The game pins an adjudication that decided this place otherwise, or other data: nobody is accused (44, 75)."""


class SeveralError(FileError):
    """Different turns are in a file where one was wanted."""


class UsageError(KurskError):
    """The command was asked for something that cannot be done here."""

    exit_status = EXIT_UNREADABLE


class OwnWordsError(UsageError):
    """The same in words that repeat nothing of what was asked: an answer by mail may say them to anybody."""


class DiskError(UsageError):
    """A file of one's own cannot be written or read now, on a full disk say.

    Nothing is wrong with what was to be put there, or taken with its help.
    """


class SpoiltError(DiskError):
    """A file of one's own is not what it was, or nobody may look into it: what it held is lost if it is moved away."""


EXTRAS = {
    "board": ("flask", "waitress"),
    "cluster": ("distributed",),
    "mail": ("imapclient", "flufl.bounce"),
    "shell": ("prompt_toolkit",),
    "tournament": ("rustworkx", "networkx", "icalendar", "jinja2"),
}
"""Extra -> the packages that it brings, as pyproject.toml has them."""


class MissingError(UsageError):
    """An extra is not installed: ``what`` needs it. The words say what to type, wherever the program came from."""

    def __init__(self, what: str, extra: str) -> None:
        packages = " ".join(EXTRAS[extra])
        super().__init__(
            f"{what} needs more packages: 'pip install {packages}' into the same environment, or "
            f"pip install '.[{extra}]' in the folder of the sources"
        )


class ExposedKeyWarning(UserWarning):
    """Somebody else on this machine can read a private key, and with it play as its owner."""


class StoppedError(KurskError):
    """The command was interrupted, and something of it stands all the same."""

    exit_status = EXIT_INTERRUPTED


class NoRecordError(UsageError):
    """Only who plays a game can do this, and the private folder knows nothing of it: perhaps it is the wrong one."""


_EVIDENCE = (
    "keep this file: 'kursk prove' of it and the game's folder says what it shows; ask its writer for the right one"
)
_ADVICE = {
    "sender": "ask its writer for the right message",
    "opening": _EVIDENCE,
    "reveal": _EVIDENCE,
    "dice": _EVIDENCE,
}


class TrustError(KurskError):
    """Signature, sender, predecessor, opening, reveal, dice or state hash does not hold.

    ``fault`` is one word of: canonical, head, signature, sender, chain, order, opening, reveal, dice, state. What to do
    about some of them is always the same, and stands behind the message where the whole is shown.
    """

    exit_status = EXIT_TRUST

    def __init__(self, fault: str, message: str, where: Where | None = None) -> None:
        super().__init__(message, where)
        self.fault = fault
        self.remedy = _ADVICE.get(fault, "")

    def __str__(self) -> str:
        return f"{super().__str__()}; {self.remedy}" if self.remedy else super().__str__()


class RulesError(KurskError):
    """Orders break the rules; ``violations`` holds every one of them, ``side`` whose orders they are.

    ``received``: they stand in a signed message, which is void; otherwise in a draft.
    """

    exit_status = EXIT_RULES

    def __init__(self, violations: tuple[Violation, ...], side: str = "", *, received: bool = False) -> None:
        super().__init__("\n".join(str(v) for v in violations))
        self.violations = violations
        self.side = side
        self.received = received
