"""Where the line to a server breaks off while it is asked for mails: no mail keeps out those behind it for good (T49).

An honest server may close the line at one mail, each time: it lies there damaged, its structure is too long, it is too
slow to search. Where two rounds have broken off among the same mails each is asked for by itself, and no question comes
before; where two more do at the same one it is passed by, and told. A cut by chance costs a round, and no mail.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kursk_pbem.errors import DiskError
from kursk_pbem.post import place
from kursk_pbem.post.servers.account import Account
from kursk_pbem.post.servers.smtp import UnreachableError

_TOGETHER, _ALONE = 2, 2
"""Rounds that break off among the same mails, and at one of them, before they are asked for otherwise."""
_MOST = 64
"""Mails that are known to break off the line, the last ones."""


@dataclass
class Asked:
    """What was asked for when the line broke off; ``head``: the header of the mail that is asked for, if it was given.

    It was among the mails from ``first`` to ``last``, so often (``cuts``). ``mails``: at which of them, each with how
    many ``times``, and its header. ``anew``: the server has numbered anew. Some do in every session, and give the same
    numbers: there a mail that was passed by comes again, and is known as one that breaks off the line.
    """

    path: Path
    folder: str
    anew: bool
    first: int = 0
    last: int = 0
    cuts: int = 0
    mails: dict[int, tuple[int, str]] = field(default_factory=dict)
    head: bytes = b""

    def together(self, uids: list[int], most: int) -> list[int]:
        """Those of these mails that are asked for next, at most so many; none with one that is asked for by itself."""
        return uids[: next((number for number in range(1, min(len(uids), most)) if self._parts(uids, number)), most)]

    def _parts(self, uids: list[int], number: int) -> bool:
        return self.alone(uids[number - 1]) or self.alone(uids[number])

    def alone(self, uid: int) -> bool:
        """Whether a mail is asked for by itself."""
        return uid in self.mails or (self.cuts >= _TOGETHER and self.first <= uid <= self.last)

    def passed(self, uid: int) -> str:
        """Why a mail is asked for no more, in words, '' if it is; ``head`` is its header then, as far as that came."""
        times, head = self.mails.get(uid, (0, ""))
        if times < _ALONE:
            return ""
        self.head = head.encode("latin-1", "replace")
        why = f"the server breaks off each time it is asked for this mail (UID {uid}), which is passed by"
        return f"{why}: save it with your mail program, and 'kursk inbox FILE' takes it; or ask for it again"

    @contextmanager
    def among(self, uids: list[int]) -> Iterator[None]:
        """Inside here these mails are asked for: it is put down if the line breaks off, and nothing else counts.

        A disk that is full stops a round, too, and no mail is passed by for that.
        """
        self.head = b""
        try:
            yield
        except UnreachableError:
            self._broke(uids)
            with suppress(DiskError):  # what broke off is told
                self.keep()
            raise
        known = (self.cuts, len(self.mails))
        if self.last <= uids[-1] or (self.first == uids[0] and self.cuts < _TOGETHER):
            self.first = self.last = self.cuts = 0
        if not (self.anew and self.passed(uids[0])):
            self.mails.pop(uids[0], None)
        if known != (self.cuts, len(self.mails)):
            self.keep()

    def _broke(self, uids: list[int]) -> None:
        if not self.alone(uids[0]):
            cuts = self.cuts if self.first == uids[0] else 0
            self.first, self.last, self.cuts = uids[0], uids[-1], cuts + 1
            return
        times, head = self.mails.pop(uids[0], (0, ""))
        self.mails[uids[0]] = times + 1, self.head.decode("latin-1") or head
        for uid in list(self.mails)[:-_MOST]:
            del self.mails[uid]

    def keep(self) -> None:
        """Put down what is known; nothing where nothing is. DiskError."""
        if not (self.cuts or self.mails):
            self.path.unlink(missing_ok=True)
            return
        mails = {str(uid): {"times": times, "head": head} for uid, (times, head) in self.mails.items()}
        span = {"first": self.first, "last": self.last, "cuts": self.cuts}
        place.put(self.path, {"folder": self.folder, **span, "mails": mails})


def begin(home: Path, account: Account, following: int) -> Asked:
    """What is known of the folder of an account; ``following``: its next number, 0 if it has numbered anew. DiskError.

    What lies below that number is asked for no more.
    """
    path = place.root(home) / "in" / account.name / "asked"
    asked, said = Asked(path, account.folder, not following), place.load(path)
    if said.get("folder") == account.folder:
        asked.first, asked.last, asked.cuts = (_number(said.get(name)) for name in ("first", "last", "cuts"))
        mails = dict(_mails(said.get("mails")))
        asked.mails = {uid: one for uid, one in mails.items() if uid >= following}
        if len(asked.mails) < len(mails):  # no word of a mail is kept for longer
            asked.keep()
    return asked


def _mails(said: Any) -> Iterator[tuple[int, tuple[int, str]]]:
    """The mails of which something is put down, in order; without what says no number."""
    for name, one in said.items() if isinstance(said, dict) else ():
        if name.isascii() and name.isdecimal() and isinstance(one, dict):
            yield int(name), (_number(one.get("times")), str(one.get("head", "")))


def _number(value: Any) -> int:
    return value if isinstance(value, int) else 0
