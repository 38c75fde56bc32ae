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
"""Such mails, and spans of them, that are known, the last ones."""


@dataclass
class Asked:
    """What was asked for when the line broke off; ``head``: the header of the mail that is asked for, if it was given.

    ``spans``: among which mails, by the first of them, to which last one, and how often. ``mails``: at which of them,
    each how often, with its header. ``validity``: the UIDVALIDITY under which they have their numbers. ``wanders``:
    there was another one before; some servers have a new one in every session, and give the same numbers. ``anew``: all
    of them are met again in this round, and stay known until its end.
    """

    path: Path
    folder: str
    validity: int
    anew: bool
    wanders: bool = False
    spans: dict[int, tuple[int, int]] = field(default_factory=dict)
    mails: dict[int, tuple[int, str]] = field(default_factory=dict)
    head: bytes = b""

    def together(self, uids: list[int], most: int) -> list[int]:
        """Those of these mails that are asked for next, at most so many; none with one that is asked for by itself."""
        parts = (number for number in range(1, min(len(uids), most)) if self.alone(uids[number]))
        return uids[: 1 if self.alone(uids[0]) else next(parts, most)]

    def alone(self, uid: int) -> bool:
        """Whether a mail is asked for by itself."""
        spans = ((first, last) for first, (last, cuts) in self.spans.items() if cuts >= _TOGETHER)
        return uid in self.mails or any(first <= uid <= last for first, last in spans)

    def passed(self, uid: int) -> str:
        """Why a mail is asked for no more, in words, '' if it is; ``head`` is its header then, as far as that came."""
        if not self._breaks(uid):
            return ""
        self.head = self.mails[uid][1].encode("latin-1", "replace")
        why = f"the server breaks off each time it is asked for this mail (UID {uid}), which is passed by"
        return f"{why}: save it with your mail program, and 'kursk inbox FILE' takes it; or ask for it again"

    def _breaks(self, uid: int) -> bool:
        """Whether the line has broken off at a mail as often as is tried."""
        return uid in self.mails and self.mails[uid][0] >= _ALONE

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
        known = len(self.spans), len(self.mails)
        if not (self.anew and self._breaks(uids[0])):
            self.mails.pop(uids[0], None)
        self.spans = {first: span for first, span in self.spans.items() if not self._over(uids, first, *span)}
        if known != (len(self.spans), len(self.mails)):
            self.keep()

    def _over(self, uids: list[int], first: int, last: int, cuts: int) -> bool:
        """Whether a span need not be known any more, as the line has not broken off at these mails."""
        return first == uids[0] if cuts < _TOGETHER else last <= uids[-1] and not self.anew

    def _broke(self, uids: list[int]) -> None:
        if self.alone(uids[0]):
            times, head = self.mails.pop(uids[0], (0, ""))
            self.mails[uids[0]] = times + 1, self.head.decode("latin-1") or head
        else:
            _last, cuts = self.spans.pop(uids[0], (0, 0))
            self.spans[uids[0]] = uids[-1], cuts + 1
        self.mails = dict(list(self.mails.items())[-_MOST:])
        self.spans = dict(list(self.spans.items())[-_MOST:])

    def keep(self) -> None:
        """Put down what is known; nothing where nothing is. DiskError."""
        if not (self.spans or self.mails or self.wanders):
            try:
                self.path.unlink(missing_ok=True)
            except OSError as error:
                raise place.fault(error) from None
            return
        spans = {str(first): {"last": last, "cuts": cuts} for first, (last, cuts) in self.spans.items()}
        mails = {str(uid): {"times": times, "head": head} for uid, (times, head) in self.mails.items()}
        known = {"folder": self.folder, "validity": str(self.validity), "wanders": self.wanders}
        place.put(self.path, {**known, "spans": spans, "mails": mails})

    def over(self) -> None:
        """The end is reached: what bears such a number the next time may be another mail. DiskError."""
        if self.spans or self.mails or self.wanders:
            self.spans, self.mails, self.wanders = {}, {}, False
            self.keep()


def begin(home: Path, account: Account, validity: int, following: int) -> Asked:
    """What is known of the folder of an account; ``following``: its next number, 0 if it has numbered anew. DiskError.

    What lies below that number is asked for no more. Where the numbers are others for the first time nothing is known.
    """
    path = place.root(home) / "in" / account.name / "asked"
    asked, said = Asked(path, account.folder, validity, not following), place.load(path)
    if said.get("folder") != account.folder:
        return asked
    other = said.get("validity") != str(validity) or (validity > 0 and asked.anew)  # or it was set back
    asked.wanders = other or said.get("wanders") is True
    if other and validity and said.get("wanders") is not True:
        asked.keep()  # without a word of them
        return asked
    spans, mails = dict(_by_number(said.get("spans"))), dict(_by_number(said.get("mails")))
    ranges = {first: (_number(one.get("last")), _number(one.get("cuts"))) for first, one in spans.items()}
    asked.spans = {first: span for first, span in ranges.items() if span[0] >= following}
    broken = {uid: (_number(one.get("times")), str(one.get("head", ""))) for uid, one in mails.items()}
    asked.mails = {uid: one for uid, one in broken.items() if uid >= following}
    if len(asked.mails) < len(mails):  # no word of a mail is kept for longer
        asked.keep()
    return asked


def _by_number(said: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    """What is put down by numbers; without what stands at none."""
    for name, one in said.items() if isinstance(said, dict) else ():
        if name.isascii() and name.isdecimal() and isinstance(one, dict):
            yield int(name), one


def _number(value: Any) -> int:
    return value if isinstance(value, int) else 0
