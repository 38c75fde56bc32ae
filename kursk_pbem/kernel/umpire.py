"""The umpire: the only hand that rules code has on the world.

Rules read ``umpire.setting`` and ``umpire.state``; they change the position by ``emit``, throw dice by ``roll``, ask by
``ask`` and refuse by ``refuse``. They have no clock, no files and no other source of chance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, cast

from kursk_pbem.errors import Violation
from kursk_pbem.kernel.decisions import Decision, settle
from kursk_pbem.kernel.events import Decided, Event, Rolled, apply
from kursk_pbem.kernel.orders import Path
from kursk_pbem.kernel.state import State

S = TypeVar("S")
D = TypeVar("D")


class Dice(Protocol):
    """The dice of one message. ``seq`` is the message whose opening makes them."""

    @property
    def seq(self) -> int:
        """The number of the message that opens the nonce of these dice."""

    def roll(self, label: str, n: int) -> str:
        """``n`` digits from 1 to 6 of the stream ``label``; the same every time."""


@dataclass(frozen=True)
class View(Generic[S, D]):
    """Something that follows from a position: ``build(setting, state)`` from nothing, ``after`` from what it was.

    ``after(setting, value, state, event)``: what it is in ``state``, to which ``event`` has led; equal to what
    ``build`` makes of that state.
    """

    build: Callable[[S, State], D]
    after: Callable[[S, D, State, Event], D]


class GameEnded(Exception):  # noqa: N818 - not an error: the rules end the game here and now
    """Raised by ``Umpire.end``: nothing later in the message is carried out."""


class Umpire(Generic[S]):
    """One message in the making: the position as it is now, what has happened, what was refused."""

    def __init__(self, setting: S, state: State, seq: int, dice: Dice | None, *, refereed: bool = False) -> None:
        self.setting = setting
        self.state = state
        self.seq = seq
        self.events: list[Event] = []
        self.violations: list[Violation] = []
        self.rolled: dict[str, str] = {}
        self._dice = dice
        self._refereed = refereed
        self._states: list[State] = []  # after each event
        self._derived: dict[View[S, Any], tuple[int, Any]] = {}  # how many events went into it, what it is

    def emit(self, *events: Event) -> None:
        """Let something happen: the only way in which the position changes."""
        for event in events:
            self.events.append(event)
            self.state = apply(self.state, event)
            self._states.append(self.state)

    def roll(self, label: str, rule: str, *, declared: int, answered: int, n: int = 1) -> str:
        """``n`` dice of this message for a battle declared in message ``declared`` and answered in ``answered``.

        THE LAW OF FRESHNESS (docs/protocol.md): whoever opens the nonce of message k fixed what the die depends on
        in k-2 or before, the other side in k-1 or before; so nobody who can compute a die still chooses. A referee,
        who opens and chooses nothing, may roll for what both sides fixed in k-1 or before.
        """
        if self._dice is None:
            raise AssertionError(f"{label}: dice where no dice may fall")
        k = self._dice.seq
        latest = k - 1 if self._refereed else k - 2
        if not (self.seq == k and declared <= latest and answered <= k - 1):
            raise AssertionError(f"{label}: a die of message {k} for inputs of messages {declared} and {answered}")
        if label in self.rolled:
            raise AssertionError(f"{label}: rolled twice")
        digits = self._dice.roll(label, n)
        self.rolled[label] = digits
        self.emit(Rolled(rule, label, digits))
        return digits

    def ask(self, decision: Decision) -> str:
        """The answer to a choice that a player has; always one of its options. Pending if it must be waited for."""
        if len(decision.options) == 1:
            return decision.options[0]
        chosen, source = settle(decision)
        self.emit(Decided(decision.rule, decision.kind, decision.owner, decision.subject, chosen, source))
        return chosen

    def refuse(self, rule: str, message: str, order: str = "", path: Path = ()) -> None:
        """Put down that an order breaks a rule; the caller leaves the order out and goes on."""
        self.violations.append(Violation(rule, message, order, path))

    def derived(self, view: View[S, D]) -> D:
        """What follows from the position as it is now: built once, then led on by each event since."""
        seen, value = self._derived.get(view, (-1, None))
        if seen < 0:
            value = view.build(self.setting, self.state)
        else:
            for event, state in zip(self.events[seen:], self._states[seen:], strict=True):
                value = view.after(self.setting, value, state, event)
        self._derived[view] = len(self.events), value
        return cast("D", value)

    def end(self) -> None:
        """The rules end the game at this instant."""
        raise GameEnded
