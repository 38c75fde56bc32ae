"""The umpire: the only connection between rules and game.

Rules read ``umpire.setting`` and ``umpire.state``. Rules change the position by ``emit``, roll dice by ``roll``, ask by
``ask`` and refuse by ``refuse``. Rules have no clock, no files and no other source of chance.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, NamedTuple, NoReturn, Protocol, TypeVar, cast

from kursk_pbem.errors import Violation
from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.decisions import Decision, settle_decision
from kursk_pbem.kernel.events import HIGH, Advanced, Decided, Event, Marked, Rolled, Scheduled, apply
from kursk_pbem.kernel.orders import Filing, Path
from kursk_pbem.kernel.scenario import Scenario
from kursk_pbem.kernel.state import ANSWERED, DECLARED, OVER, STANDING, VERDICT, State


class Setting(Protocol):
    """The fields of a game's setting that the kernel, desks and commands use. Further fields belong to the ruleset."""

    @property
    def scenario(self) -> Scenario:
        """The scenario with the printed data."""

    @property
    def refereed(self) -> bool:
        """Whether a referee rolls the dice."""

    @property
    def sides(self) -> tuple[str, str]:
        """The two sides, in the ruleset's order."""


S = TypeVar("S", bound=Setting)
D = TypeVar("D")


class Dice(Protocol):
    """The dice of one message. The message number ``seq`` reveals the secrets from which these dice follow."""

    @property
    def seq(self) -> int:
        """The number of the message that reveals the players' secrets for these dice."""

    def roll(self, label: str, n: int) -> str:
        """Return ``n`` digits from 1 to 6. The same label and number always give the same digits."""


@frozen(eq=False)
class View(Generic[S, D]):
    """A value computed from a position. ``build(setting, state)``: compute the value. ``after``: update it.

    ``after(setting, value, state, *events)``: return the value in ``state``, which follows from the facts ``events``.
    The result must equal ``build`` of this state.
    """

    build: Callable[[S, State], D]
    after: Callable[..., D]

    def of(self, setting: S, state: State) -> D:
        """Return the view's value in a position. The position keeps the value for later calls."""
        known = state.views.get(self)
        if known is None or known[0] is not setting:
            known = state.views[self] = setting, self.build(setting, state)
        return cast("D", known[1])


class GameEnded(Exception):  # noqa: N818 - not an error: the rules end the game here and now
    """Raised by ``Umpire.finish`` when the game ends. The rest of the message has no effect."""


class Words(NamedTuple):
    """An explanation that is made only when somebody reads it, by ``make(*given)``. The arguments never change."""

    make: Callable[..., Event]
    given: tuple[Any, ...]


def make_words(told: Iterable[Event | Words]) -> list[Event]:
    """Return the events. Explanations that are not made yet are made now."""
    return [event.make(*event.given) if isinstance(event, Words) else event for event in told]


def first_ripe(agenda: Mapping[str, Any]) -> int:
    """Return the number of the first message allowed to roll dice for the declared actions (see ``Umpire.roll``)."""
    standing = [int(value["seq"]) for key, value in agenda.items() if key.startswith(STANDING)]
    return max([int(agenda[DECLARED]) + 2, *(seq + 1 for seq in [int(agenda.get(ANSWERED, 0)), *standing])])


def other(sides: tuple[str, str], side: str) -> str:
    """Return the opponent of a side."""
    return sides[1] if side == sides[0] else sides[0]


class Umpire(Generic[S]):
    """A message during its adjudication: present position, events and refusals."""

    def __init__(self, setting: S, state: State, seq: int, dice: Dice | None = None, *, refereed: bool = False) -> None:
        self.setting = setting
        self.state = state
        self.seq = seq
        self.told: list[Event | Words] = []
        self.violations: list[Violation] = []
        self.rolled: dict[str, str] = {}
        self.since: tuple[int, str] = (1, "")  # newest adjudication needed by a decision, and its paragraph
        self._dice = dice
        self._refereed = refereed
        self._derived: dict[View[S, Any], Any] = {}
        self._since: dict[View[S, Any], list[Event]] = {}  # facts not yet applied to a view

    def goes_on(self, dice: Dice | None = None) -> Umpire[S]:
        """Return an umpire for the next part of the message, with other dice or no dice. It keeps computed views."""
        following = Umpire(self.setting, self.state, self.seq, dice)
        following._derived = {view: self.derived(view) for view in self._derived}
        following._since = {view: [] for view in self._derived}
        return following

    def keep_views(self) -> None:
        """Save the computed views in the present position, for use by the next message."""
        for view in self._derived:
            self.state.views[view] = self.setting, self.derived(view)

    @property
    def events(self) -> list[Event]:
        """The events so far."""
        self.told[:] = make_words(self.told)
        return cast("list[Event]", self.told)

    def tell(self, make: Callable[..., Event], *given: Any) -> None:
        """Record an explanation for readers. ``make(*given)`` gives its text only when somebody reads the events."""
        self.told.append(Words(make, given))

    def emit(self, *events: Event) -> None:
        """Record events and change the position accordingly. No other method changes the position."""
        for event in events:
            self.told.append(event)
            after = apply(self.state, event)
            if after is not self.state:
                self.state = after
                for unseen in self._since.values():
                    unseen.append(event)

    def each(self, filing: Filing, key: str, rule: str, twins: str) -> Iterator[tuple[Any, Path]]:
        """Yield every entry of the list ``orders: key`` with its path. Refuse a repeated id with the text ``twins``."""
        seen: set[str] = set()
        for number, order in enumerate(filing.order(key)):
            path: Path = ("orders", key, number)
            if order["id"] in seen:
                self.refuse(rule, twins, order["id"], (*path, "id"))
            seen.add(order["id"])
            yield order, path

    def declare(self, rule: str, key: str, value: Any) -> None:
        """Put ``value`` on the agenda under ``key`` to wait for dice, and record the number of this message."""
        self.emit(Scheduled(rule, key, value), Scheduled(rule, DECLARED, str(self.seq)))

    def answer(self, rule: str) -> None:
        """Record the number of this message as the answer to the declared actions. An empty answer counts too."""
        self.emit(Scheduled(rule, ANSWERED, str(self.seq)))

    def settle(self, rule: str, keys: Iterable[str]) -> None:
        """Remove keys from the agenda, because their actions are resolved."""
        self.emit(*(Scheduled(rule, key, None) for key in keys if key in self.state.agenda))

    def next_turn(self, rule: str, turns: Sequence[str]) -> None:
        """Begin the next turn of ``turns``. The caller sets the writer and the stage afterwards."""
        after = turns[turns.index(self.state.turn) + 1]
        self.emit(Advanced(rule, after, self.state.side, self.state.stage))

    def roll(self, label: str, rule: str, *, of: str, n: int = 1, whose: str = "", good: str = HIGH) -> str:
        """Return ``n`` dice of this message for the agenda entry ``of`` ('' if the dice depend on no choice).

        THE LAW OF FRESHNESS (docs/auditors.md 2.4): nobody who can compute a die has a choice left that affects it. Let
        message k reveal the secrets of the die. Then the writer of message k made the last such choice in k-2 or
        before, and the opponent in k-1 or before. A referee makes no choices, so a referee may roll for choices made in
        k-1 or before.
        """
        if self._dice is None:
            raise AssertionError(f"{label}: dice where no dice may fall")
        k, agenda = self._dice.seq, self.state.agenda
        latest = k - 1 if self._refereed else k - 2
        if of and of not in agenda:
            raise AssertionError(f"{label}: a die for {of}, but {of} is not on the agenda")
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
        """Return a player's answer, always one of the options. Raises Pending if the dice must stop for the answer."""
        if len(decision.options) == 1:
            return decision.options[0]
        chosen, source = settle_decision(decision)
        self.emit(Decided(decision.rule, decision.kind, decision.owner, decision.subject, chosen, source))
        return chosen

    def seals(self, filing: Filing, rule: str, expected: Collection[str]) -> None:
        """Refuse every sealed label that is not in ``expected``."""
        for label in filing.secret:
            if label not in expected:
                where = "seal" if label in filing.sealed else "secret"
                self.refuse(rule, "nothing of this name is to be sealed now", label, (where, label))

    def refuse(self, rule: str, message: str, order: str = "", path: Path = (), *, waits: bool = False) -> None:
        """Record a broken rule. The caller skips the order and continues. ``waits``: a later order can repair this."""
        self.violations.append(Violation(rule, message, order, path, waits=waits))

    def repaired(self, version: int, rule: str) -> None:
        """Record that adjudication ``version`` changed this decision (decision 44).

        If the game was agreed under an earlier version, this program stops the game here, so no game has two decisions.
        """
        self.since = max(self.since, (version, rule))

    def derived(self, view: View[S, D]) -> D:
        """Return the value of a view in the present position. Later calls only apply the events since the last call."""
        unseen = self._since.get(view)
        if unseen is None:
            self._since[view], self._derived[view] = [], view.of(self.setting, self.state)
        elif unseen:
            self._derived[view] = view.after(self.setting, self._derived[view], self.state, *unseen)
            unseen.clear()
        return cast("D", self._derived[view])

    def finish(self, rule: str, winner: str, how: str) -> NoReturn:
        """End the game now: clear the agenda and skip the rest of the message. Raises GameEnded.

        ``winner``: a side, or '' for a draw. ``how``: the manner of the end, a word from the ruleset's verdicts.
        """
        state = self.state
        self.emit(
            *(Scheduled(rule, key, None) for key in sorted(state.agenda)),
            Marked(rule, VERDICT, "winner", winner or "draw"),
            Marked(rule, VERDICT, "how", how),
            Advanced(rule, state.turn, other(self.setting.sides, state.side), OVER),
        )
        raise GameEnded
