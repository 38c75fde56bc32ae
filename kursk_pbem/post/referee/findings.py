"""What is told of what is wrong with mails: no number of strangers hides what is wrong with a player's mail (T49)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from kursk_pbem.errors import FileError, KurskError
from kursk_pbem.post.mailbox.envelope import Mail

ANYBODY = "*"
"""Stands among addresses for all: some of them are not known."""
MOST = 20
"""Findings that are told one by one."""
EACH = 3
"""Findings of one player's mails that come first: whoever writes that address as the sender hides no other player's."""
PLAYERS, NOBODYS, PLAYERS_MORE, OF_GAMES, STRANGERS = range(5)
"""Whose a mail seems to be, in the order in which it is told: a player's; nobody's, as what is wrong with files of this
desk, or with a mail of which nothing is known; a player's beyond EACH; one that merely says that it is about a game;
any other. Anybody can write a player's address twenty times, and would hide what is wrong with files of this desk."""


@dataclass
class Findings:
    """What is wrong with mails, by whose they seem to be; at most MOST of each kind, and of the others how many.

    ``of``: how many there were of each player, who goes by an address.
    """

    kinds: tuple[list[KurskError], ...] = field(default_factory=lambda: ([], [], [], [], []))
    left: int = 0
    of: Counter[str] = field(default_factory=Counter)

    def put(self, fault: KurskError, kind: int = NOBODYS, player: str = "") -> None:
        """Put one down; without a ``player`` nobody's are counted."""
        if player:
            self.of[player] += 1
            kind = PLAYERS_MORE if self.of[player] > EACH else kind
        if len(self.kinds[kind]) < MOST:
            self.kinds[kind].append(fault)
        else:
            self.left += 1

    @property
    def _every(self) -> list[KurskError]:
        """All that are kept, in order."""
        return [fault for kind in self.kinds for fault in kind]

    @property
    def told(self) -> list[KurskError]:
        """Those that are told."""
        return self._every[:MOST]

    @property
    def more(self) -> int:
        """How many there are beyond them."""
        return self.left + len(self._every[MOST:])

    def few(self, most: int) -> list[str]:
        """The first of them in words, and how many more there are."""
        more = self.left + len(self._every[most:])
        return [*map(str, self._every[:most]), *([f"and {more} more"] if more else [])]

    @property
    def written(self) -> dict[str, Any]:
        """What is put down of them until they are told."""
        return {"kinds": [[str(fault) for fault in kind] for kind in self.kinds], "left": self.left, "of": self.of}


def read(written: Mapping[str, Any]) -> Findings:
    """Findings as they were put down; none if nothing was, or the file says something else."""
    match written:
        case {"kinds": [*kinds], "left": int(left), "of": {**counted}} if all(
            isinstance(n, int) for n in counted.values()
        ):
            of = Counter({str(player): number for player, number in counted.items()})
            result = Findings(left=left, of=of)
            for there, faults in zip(result.kinds, kinds, strict=False):
                there.extend(FileError(str(fault)) for fault in (faults if isinstance(faults, list) else ()))
            return result
    return Findings()


def kind(mail: Mail, known: Collection[str]) -> tuple[int, str]:
    """Whose a mail seems to be, and by which of the addresses ``known``; ANYBODY among them makes nobody a stranger."""
    if players := sorted(mail.senders.intersection(known)):
        return PLAYERS, sender if (sender := mail.sender.lower()) in players else players[0]
    if not mail.raw:  # not even its header is known
        return NOBODYS, ""
    return OF_GAMES if mail.ours or ANYBODY in known else STRANGERS, ""
