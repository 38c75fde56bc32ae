"""The umpire: the only hand that rules code has on the world.

Rules read ``umpire.setting`` and ``umpire.state``; they change the position by ``emit``, throw dice by ``roll``, ask by
``ask`` and refuse by ``refuse``. They have no clock, no files and no other source of chance.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NoReturn, Protocol, TypeVar, cast

from kursk_pbem.errors import Violation
from kursk_pbem.kernel.decisions import Decision, settle
from kursk_pbem.kernel.events import HIGH, Advanced, Decided, Event, Marked, Rolled, Scheduled, apply
from kursk_pbem.kernel.orders import Filing, Path
from kursk_pbem.kernel.scenario import Scenario
from kursk_pbem.kernel.state import ANSWERED, DECLARED, OVER, STANDING, VERDICT, State


class Setting(Protocol):
    """What the spine, desks and commands may know of the setting of a game; the rest is the ruleset's own."""

    @property
    def scenario(self) -> Scenario:
        """The printed game."""

    @property
    def refereed(self) -> bool:
        """Whether a referee rolls the dice."""

    @property
    def sides(self) -> tuple[str, str]:
        """The two sides, as the ruleset lists them."""


S = TypeVar("S", bound=Setting)
D = TypeVar("D")


class Dice(Protocol):
    """The dice of one message. ``seq`` is the message whose opening makes them."""

    @property
    def seq(self) -> int:
        """The number of the message that opens the nonce of these dice."""

    def roll(self, label: str, n: int) -> str:
        """``n`` digits from 1 to 6 of the stream ``label``; the same every time."""


@dataclass(frozen=True, eq=False)
class View(Generic[S, D]):
    """Something that follows from a position: ``build(setting, state)`` from nothing, ``after`` from what it was.

    ``after(setting, value, state, event)``: what it is in ``state``, to which ``event`` has led; equal to what
    ``build`` makes of that state.
    """

    build: Callable[[S, State], D]
    after: Callable[[S, D, State, Event], D]


class GameEnded(Exception):  # noqa: N818 - not an error: the rules end the game here and now
    """Raised by ``Umpire.finish``: nothing later in the message is carried out."""


def ripe(agenda: Mapping[str, Any]) -> int:
    """The first message whose dice may fall for what waits on the agenda, whoever rolls (see ``Umpire.roll``)."""
    standing = [int(value["seq"]) for key, value in agenda.items() if key.startswith(STANDING)]
    return max([int(agenda[DECLARED]) + 2, *(seq + 1 for seq in [int(agenda.get(ANSWERED, 0)), *standing])])


def other(sides: tuple[str, str], side: str) -> str:
    """The opponent of a side."""
    return sides[1] if side == sides[0] else sides[0]


class Umpire(Generic[S]):
    """One message in the making: the position as it is now, what has happened, what was refused."""

    def __init__(self, setting: S, state: State, seq: int, dice: Dice | None = None, *, refereed: bool = False) -> None:
        self.setting = setting
        self.state = state
        self.seq = seq
        self.events: list[Event] = []
        self.violations: list[Violation] = []
        self.rolled: dict[str, str] = {}
        self.since: tuple[int, str] = (1, "")  # the newest adjudication that a decision needed, and its paragraph
        self._dice = dice
        self._refereed = refereed
        self._derived: dict[View[S, Any], Any] = {}
        self._since: dict[View[S, Any], list[tuple[Event, State]]] = {}  # events that a view has not seen yet

    def goes_on(self, dice: Dice | None = None) -> Umpire[S]:
        """An umpire for what comes next from the position as it is now, with other dice or none; views are known."""
        following = Umpire(self.setting, self.state, self.seq, dice)
        following._derived = {view: self.derived(view) for view in self._derived}
        following._since = {view: [] for view in self._derived}
        return following

    def emit(self, *events: Event) -> None:
        """Let something happen: the only way in which the position changes."""
        for event in events:
            self.events.append(event)
            self.state = apply(self.state, event)
            for unseen in self._since.values():
                unseen.append((event, self.state))

    def each(self, filing: Filing, key: str, rule: str, twins: str) -> Iterator[tuple[Any, Path]]:
        """Every entry of the list ``orders: key`` with its place in the file; ``twins`` refuses a second of one id."""
        seen: set[str] = set()
        for number, order in enumerate(filing.order(key)):
            path: Path = ("orders", key, number)
            if order["id"] in seen:
                self.refuse(rule, twins, order["id"], (*path, "id"))
            seen.add(order["id"])
            yield order, path

    def declare(self, rule: str, key: str, value: Any) -> None:
        """Put ``value`` on the agenda under ``key``, where it waits for dice, and remember in which message."""
        self.emit(Scheduled(rule, key, value), Scheduled(rule, DECLARED, str(self.seq)))

    def answer(self, rule: str) -> None:
        """Remember in which message what waits on the agenda was answered; a right left unused is an answer too."""
        self.emit(Scheduled(rule, ANSWERED, str(self.seq)))

    def settle(self, rule: str, keys: Iterable[str]) -> None:
        """Take what waits on the agenda under some keys off it: it has been dealt with."""
        self.emit(*(Scheduled(rule, key, None) for key in keys if key in self.state.agenda))

    def next_turn(self, rule: str, turns: Sequence[str]) -> None:
        """Let the next of the ``turns`` begin; who writes then, and what, is said behind it."""
        after = turns[turns.index(self.state.turn) + 1]
        self.emit(Advanced(rule, after, self.state.side, self.state.stage))

    def roll(self, label: str, rule: str, *, of: str, n: int = 1, whose: str = "", good: str = HIGH) -> str:
        """``n`` dice of this message for what waits on the agenda under ``of`` ('' where nobody chooses anything).

        THE LAW OF FRESHNESS (docs/auditors.md 2.4): whoever opens the nonce of message k fixed what the die depends on
        in k-2 or before, the other side in k-1 or before; so nobody who can compute a die still chooses. A referee,
        who opens and chooses nothing, may roll for what both sides fixed in k-1 or before.
        """
        if self._dice is None:
            raise AssertionError(f"{label}: dice where no dice may fall")
        k, agenda = self._dice.seq, self.state.agenda
        latest = k - 1 if self._refereed else k - 2
        if of and of not in agenda:
            raise AssertionError(f"{label}: a die for {of}, which does not wait on the agenda")
        declared = int(agenda[DECLARED]) if of else latest
        standing = (int(value["seq"]) for key, value in agenda.items() if key.startswith(STANDING))
        answered = max([int(agenda.get(ANSWERED, declared)), *standing]) if of else latest
        if not (self.seq == k and declared <= latest and answered <= k - 1):
            raise AssertionError(f"{label}: a die of message {k} for inputs of messages {declared} and {answered}")
        if label in self.rolled:
            raise AssertionError(f"{label}: rolled twice")
        digits = self._dice.roll(label, n)
        self.rolled[label] = digits
        self.emit(Rolled(rule, label, digits, whose, good))
        return digits

    def ask(self, decision: Decision) -> str:
        """The answer to a choice that a player has; always one of its options. Pending if it must be waited for."""
        if len(decision.options) == 1:
            return decision.options[0]
        chosen, source = settle(decision)
        self.emit(Decided(decision.rule, decision.kind, decision.owner, decision.subject, chosen, source))
        return chosen

    def seals(self, filing: Filing, rule: str, expected: Collection[str]) -> None:
        """Refuse whatever a message seals under another label than those ``expected``."""
        for label in filing.secret:
            if label not in expected:
                where = "seal" if label in filing.sealed else "secret"
                self.refuse(rule, "nothing of this name is to be sealed now", label, (where, label))

    def refuse(self, rule: str, message: str, order: str = "", path: Path = (), *, waits: bool = False) -> None:
        """Put down that an order breaks a rule, or ``waits`` for others; the caller leaves it out and goes on."""
        self.violations.append(Violation(rule, message, order, path, waits=waits))

    def repaired(self, version: int, rule: str) -> None:
        """Say that adjudication ``version`` decides this place otherwise than those before it (decision 44).

        A game that pins an earlier one is not decided by this program from here on; it is never decided in two ways.
        """
        self.since = max(self.since, (version, rule))

    def derived(self, view: View[S, D]) -> D:
        """What follows from the position as it is now: built once, then led on by each event since."""
        unseen = self._since.setdefault(view, [])
        if view not in self._derived:
            self._derived[view] = view.build(self.setting, self.state)
        for event, state in unseen:
            self._derived[view] = view.after(self.setting, self._derived[view], state, event)
        unseen.clear()
        return cast("D", self._derived[view])

    def finish(self, rule: str, winner: str, how: str) -> NoReturn:
        """The rules end the game at this instant: what waits lapses, nothing later in the message is carried out.

        ``winner`` is a side or '' for a draw, ``how`` a word of the ruleset's verdict. Raises GameEnded.
        """
        state = self.state
        self.emit(
            *(Scheduled(rule, key, None) for key in sorted(state.agenda)),
            Marked(rule, VERDICT, "winner", winner or "draw"),
            Marked(rule, VERDICT, "how", how),
            Advanced(rule, state.turn, other(self.setting.sides, state.side), OVER),
        )
        raise GameEnded
