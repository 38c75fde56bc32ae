"""Where the line to a server breaks off while it is asked for mails: no mail keeps out those behind it for good (T49).

An honest server may close the line at one mail, each time: it lies there damaged, its structure is too long, it is too
slow to search. Where two rounds have broken off among the same mails each is asked for by itself, and no question comes
before; where two more do at the same one it is passed by, and told. A cut by chance costs a round, and no mail.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kursk_pbem.errors import DiskError
from kursk_pbem.post import place
from kursk_pbem.post.servers.account import Account
from kursk_pbem.post.servers.smtp import UnreachableError

_TOGETHER, _ALONE = 2, 2
"""Rounds that break off among the same mails, and at one of them, before they are asked for otherwise."""


@dataclass
class Asked:
    """What was asked for when the line broke off; ``head``: the header of the mail that is asked for, if it was given.

    It was among the mails from ``first`` to ``last``, so often (``cuts``); at one of them, ``mail``, so many ``times``.
    """

    path: Path
    said: dict[str, Any]
    head: bytes = b""

    def alone(self, uid: int) -> bool:
        """Whether a mail is asked for by itself."""
        return self._number("cuts") >= _TOGETHER and self._number("first") <= uid <= self._number("last")

    def passed(self, uid: int) -> str:
        """Why a mail is asked for no more, in words, '' if it is; ``head`` is its header then, as far as that came."""
        if not self.alone(uid) or self._number("mail") != uid or self._number("times") < _ALONE:
            return ""
        self.head = str(self.said.get("head", "")).encode("latin-1", "replace")
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
            with suppress(DiskError):  # what broke off is told
                place.put(self.path, self._broken(uids))
            raise
        if not self.alone(uids[0]) or uids[-1] == self._number("last"):
            self.path.unlink(missing_ok=True)
        elif self._number("mail") == uids[0]:  # no word of a mail is kept for longer
            self.said = {name: self.said[name] for name in ("folder", "first", "last", "cuts")}
            place.put(self.path, self.said)

    def _broken(self, uids: list[int]) -> dict[str, Any]:
        if not self.alone(uids[0]):
            cuts = self._number("cuts") if self._number("first") == uids[0] else 0
            return {"folder": self.said["folder"], "first": uids[0], "last": uids[-1], "cuts": cuts + 1}
        times, head = 0, self.head.decode("latin-1")
        if self._number("mail") == uids[0]:
            times, head = self._number("times"), head or str(self.said.get("head", ""))
        return {**self.said, "mail": uids[0], "times": times + 1, "head": head}

    def _number(self, name: str) -> int:
        value = self.said.get(name)
        return value if isinstance(value, int) else 0


def begin(home: Path, account: Account) -> Asked:
    """What is known of the folder of an account. DiskError.

    Whatever its UIDVALIDITY is: some servers have another in every session, and number their mails as before.
    """
    path = place.root(home) / "in" / account.name / "asked"
    said = place.load(path)
    return Asked(path, said if said.get("folder") == account.folder else {"folder": account.folder})
