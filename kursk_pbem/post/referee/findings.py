"""What is told of what is wrong with mails: no number of strangers hides what is wrong with a player's mail (T49)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field

from kursk_pbem.errors import KurskError
from kursk_pbem.post.envelope import Mail

ANYBODY = "*"
"""Stands among addresses for all: some of them are not known."""
MOST = 20
"""Findings that are told one by one."""
EACH = 3
"""Findings of one player's mails that come first: whoever writes that address as the sender hides no other player's."""
PLAYERS, PLAYERS_MORE, NOBODYS, OF_GAMES, STRANGERS = range(5)
"""Whose a mail seems to be, in the order in which it is told: a player's; the same beyond EACH; one of which nothing
is known, or none; one that merely says that it is about a game; any other."""


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


def kind(mail: Mail, known: Collection[str]) -> tuple[int, str]:
    """Whose a mail seems to be, and by which of the addresses ``known``; ANYBODY among them makes nobody a stranger."""
    if players := sorted(mail.senders.intersection(known)):
        return PLAYERS, sender if (sender := mail.sender.lower()) in players else players[0]
    return OF_GAMES if mail.ours or ANYBODY in known else STRANGERS, ""
