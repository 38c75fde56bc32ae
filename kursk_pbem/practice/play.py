"""Games at the kernel, without keys and files: for looks ahead, and for games of programs against each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from hashlib import sha256
from typing import Any

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.adjudicate import adjudicate, choose
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import REFEREE, Ruleset
from kursk_pbem.kernel.state import OVER, State
from kursk_pbem.kernel.umpire import Dice

Content = dict[str, Any]
Mind = Callable[[State, int, Mapping[str, Any]], Content]
"""(position after the duties, number, own sealed values) -> content of the message."""
CHOICES = ("choice", "waive", "policy", "decisions")


class IllegalContentError(Exception):
    """Raised if a proposed message breaks a rule: the code that proposed the message is wrong."""


@frozen
class HashedDice:
    """Dice from the hash of a seed. The same label in the same message always shows the same number."""

    seq: int
    seed: str

    def roll(self, label: str, n: int) -> str:
        """Return ``n`` die rolls as digits from 1 to 6."""
        number = int.from_bytes(sha256(f"{self.seed}/{self.seq}/{label}".encode()).digest(), "big")
        return "".join(str(number // 6**die % 6 + 1) for die in range(n))


@frozen
class Table:
    """A game without signatures, before message ``seq``. ``sealed``: side -> label -> sealed value."""

    ruleset: Ruleset
    setting: Any
    state: State
    seq: int = 1
    sealed: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def find_writer(self) -> str:
        """Return the side that writes the next message. In a refereed game the referee writes every second message."""
        return REFEREE if self.setting.refereed and self.seq % 2 == 0 else self.state.side

    @property
    def is_over(self) -> bool:
        """Return whether the game has ended."""
        return self.state.stage == OVER

    def show_duties(self, dice: Dice) -> Table:
        """Return the game after the next message's duties: dice and reveals. A referee's message is only duties."""
        writer = self.find_writer()
        if writer != REFEREE:
            filing = Filing(self.seq, writer, reveal=self.sealed.get(writer, {}), resigns=True)
        elif self.ruleset.writer(self.setting, self.state) == REFEREE:
            filing = Filing(self.seq, REFEREE)
        else:  # an empty message
            return replace(self, seq=self.seq + 1)
        state = adjudicate(self.ruleset, self.setting, self.state, filing, dice).middle
        return replace(self, state=state, seq=self.seq + (writer == REFEREE))

    def take_choices(self, content: Mapping[str, Any]) -> Table:
        """Return the game after a message's choices. The message's duties must be done. Raises IllegalContentError."""
        side = self.state.side
        orders, plans = self.ruleset.seal(self.setting, content.get("orders", {}), self.seq)
        hidden = {**content.get("seal", {}), **plans}
        choices = {key: content[key] for key in CHOICES if key in content}
        secret = dict.fromkeys(hidden, "0" * 64)
        filing = Filing(self.seq, side, orders=orders, secret=secret, sealed=hidden, **choices)
        state, violations = choose(self.ruleset, self.setting, self.state, filing)
        if violations:
            raise IllegalContentError(f"message {self.seq}, {self.state.stage}: {'; '.join(map(str, violations))}")
        return replace(self, state=state, seq=self.seq + 1, sealed={**self.sealed, side: hidden})

    def play_message(self, dice: Dice, minds: Mapping[str, Mind]) -> Table:
        """Return the game after the next message, with duties and choices. Raises IllegalContentError."""
        writer = self.find_writer()
        shown = self.show_duties(dice)
        if writer == REFEREE or shown.is_over:
            return shown
        return shown.take_choices(minds[writer](shown.state, shown.seq, self.sealed.get(writer, {})))
