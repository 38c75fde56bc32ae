"""The interface of a rule system: one frozen value of data and functions, without base classes and discovery."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from kursk_pbem.formats import canonical
from kursk_pbem.frozen import frozen
from kursk_pbem.kernel import scenario
from kursk_pbem.kernel.events import Event, Fought
from kursk_pbem.kernel.orders import Filing, Path
from kursk_pbem.kernel.review import Check
from kursk_pbem.kernel.scenario import Scenario
from kursk_pbem.kernel.state import VERDICT, State
from kursk_pbem.kernel.umpire import Umpire, other
from kursk_pbem.kernel.words import Words

if TYPE_CHECKING:
    from kursk_pbem.kernel.brief import Part, Table, Unused
    from kursk_pbem.kernel.forecast import Turn
    from kursk_pbem.kernel.ideas import Ideas
    from kursk_pbem.kernel.outlook import Chances, Outlook
    from kursk_pbem.kernel.picture import Picture, Piece, Sight
    from kursk_pbem.kernel.verbs import Verb

REFEREE = canonical.REFEREE
"""The writer of the stages with a referee's dice."""
PLAYERS = scenario.PLAYERS

ORDERS, ANSWER, DICE, DECISION, SEAL = "orders", "answer", "dice", "decision", "seal"
"""Kinds of stages: the main content of a message. The referee's sequence depends on the kinds (``refereed``)."""


Run = Callable[[Umpire[Any], Filing], None]
When = Callable[[Umpire[Any], Filing], bool]
Rows = tuple[tuple[str, ...], ...]
Account = Callable[[Any, State, Sequence[Event], State], tuple[str, ...]]
Plans = tuple[tuple[Event, ...], tuple["Sight", ...]]


def has_orders(key: str) -> When:
    """Return a condition for phases: the message contains orders under this key."""
    return lambda _umpire, filing: bool(filing.order(key))


def is_waiting(key: str) -> When:
    """Return a condition for phases: the agenda contains an entry under this key."""
    return lambda umpire, _filing: key in umpire.state.agenda


@frozen
class Phase:
    """A named part of the sequence of play. ``run``: the function of the rules that carries it out.

    ``reads``: the fields of a message that the phase reads: ``choice``, ``waive``, ``policy``, ``orders/movement``.
    ``rolls``: the phase rolls dice. ``when``: the condition under which the phase takes place (None: always); if the
    phase does not take place, ``when`` refuses orders for it. ``key``, ``rule``: the title and paragraph in reports,
    with a side if ``sided``. A phase that is not ``announced`` has no title.
    """

    key: str
    rule: str
    run: Run
    reads: tuple[str, ...] = ()
    rolls: bool = False
    when: When | None = None
    announced: bool = True
    sided: bool = True


@frozen
class Split:
    """How a stage with dice is divided between referee and player. ``brings``: what the referee's message contains.

    ``left``: what the player's message contains. ``always``: the player's message always follows; otherwise only if one
    of its phases takes place.
    """

    brings: str
    left: str
    always: bool = False


@frozen
class Stage:
    """A kind of message: the longest part of the sequence of play for which its writer knows everything needed.

    ``duties``: the first phases, without choices (reveals, dice). ``phases``: the choices. ``brings``: the content in a
    few words. ``then``: the stages that can follow in the same turn. ``ends``: the stages that can begin the next turn.
    ``mode``: whose dice the stage is for, '' for both. ``side``: the active side while the referee writes. ``split``:
    how the stage is divided if a referee rolls its dice.
    """

    key: str
    rule: str
    writer: str
    duties: tuple[Phase, ...]
    phases: tuple[Phase, ...]
    brings: str
    then: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    kind: str = ORDERS
    mode: str = ""
    side: str = ""
    split: Split | None = None

    @property
    def rolls(self) -> bool:
        """Whether the duties of the stage include dice."""
        return any(phase.rolls for phase in self.duties)


@frozen
class Option:
    """A game option on which players agree. ``values``: the usual value is first. ``text``: a sentence of explanation.

    ``many``: the values are too many to list.
    """

    key: str
    values: tuple[str, ...]
    text: str
    many: bool = False

    @property
    def shown(self) -> str:
        """The values as text: ``default or ask``."""
        return f"{self.values[0]}, {self.values[1]} to {self.values[-1]}" if self.many else " or ".join(self.values)


@frozen
class Hint:
    """A comment in a draft: ``path`` of the key, the possibilities, and the proposed value; None: only the comment."""

    path: tuple[str, ...]
    lines: tuple[str, ...]
    value: Any = None


@frozen
class Verdict:
    """The end of a game: ``winner`` ('' for a draw), ``how`` the game ended, and a sentence for people."""

    winner: str
    how: str
    text: str


def make_verdict(tell: Callable[[str, str], str]) -> Callable[[Any, State], Verdict | None]:
    """Return a function for the end of a game. ``tell(winner, how)``: the sentence; the winner is '' for a draw."""

    def find_verdict(_setting: Any, state: State) -> Verdict | None:
        how, winner = state.mark(VERDICT, "how"), state.mark(VERDICT, "winner").replace("draw", "")
        return Verdict(winner, how, tell(winner, how)) if how else None

    return find_verdict


@frozen(kw_only=True)
class Data:
    """How a system reads a scenario.

    ``check``: check the data before play. ``load``: return the typed setting for the agreed options and the dice of
    ``PLAYERS`` or a ``REFEREE``. ``setup``: return the first position. ``resume``: turn the last position of another
    game into the first position of a new game, without seals, or return why the new game cannot begin there; ``resume``
    leaves such a first position unchanged. ``arrange``: return the first position with all pieces in place, if players
    deploy them. ``places``: the keys that lead to a unit's place in the data; the last ``*`` is the unit.
    """

    check: Check
    load: Callable[[Scenario, Mapping[str, str], str], Any]
    setup: Callable[[Any], State]
    resume: Callable[[Any, State], State | str]
    arrange: Callable[[Any], State] | None = None
    places: tuple[str, ...] = ("units", "units", "*", "hex")


@frozen(kw_only=True)
class Play:
    """The rules of play.

    ``stages``: the stages by key, for players' or a referee's dice (``refereed``). ``follow``: return the next stage,
    '' for the first possible one in the table. ``seals``: refuse unnecessary seals, even if the game has just ended.
    ``seal``: take the hidden orders out of a draft: (public orders, label -> value). ``guesses``: return the possible
    values of a label, if there are few. ``policy``: return place and reason if a policy cannot be a standing policy, or
    None. ``misnamed``: return the unknown names in a side's policy. ``verdict``: return the end of the game.
    ``invariants``: return the errors of a position. ``margin``: victory points of the first side minus those of the
    second, or None. ``kept``: first word of a label -> length in bytes to which a sealed value is padded, so that its
    length stays hidden.
    """

    stages: Callable[[Any], Mapping[str, Stage]]
    follow: Callable[[Umpire[Any], Filing, str], str]
    seals: Run
    policy: Callable[[Mapping[str, Any]], tuple[Path, str] | None]
    verdict: Callable[[Any, State], Verdict | None]
    invariants: Callable[[Any, State], list[str]]
    seal: Callable[[Mapping[str, Any], int], tuple[dict[str, Any], dict[str, Any]]] = lambda orders, _seq: (
        dict(orders),
        {},
    )
    guesses: Callable[[str], tuple[Any, ...]] = lambda _label: ()
    misnamed: Callable[[Any, str, Mapping[str, Any]], Iterable[tuple[Path, str]]] = lambda _setting, _side, _policy: ()
    margin: Callable[[Any, State], int | None] = lambda _setting, _state: None
    kept: Mapping[str, int] = field(default_factory=dict)


@frozen(kw_only=True)
class Seen:
    """The displays for people.

    ``words``: the names of a setting. ``standing``: the table below a report, rows of (what, side, side) or (what,
    value). ``quiet``: whether a message has no choices for its writer. ``hints``: comments and proposals for a draft.
    ``picture``: the position as shapes. ``odds``: the chances of waiting actions, with the sealed values known on this
    computer. ``declared``: the arithmetic of every waiting attack, before the roll. ``turn``: all waiting actions in
    order, or None, for the odds of a whole turn (``kernel.forecast``).

    ``outlook``: what the next writer, or one unit, can do. ``begun``: the position in which a phase of a draft begins.
    ``refereed``: advice before players agree to a referee: what becomes open, and which questions are never asked.
    ``unused``: what a draft leaves unused, most costly first, from the position after the duties and the events of the
    choices. ``verbs``: the verbs of ``kursk order``. ``why``: the reasons, phase by phase, why a unit must not end a
    move in a place. ``tables``: the printed tables. ``track``: the turns with their scheduled events.

    ``headlines``: at most eight lines about one or several messages, most important first, without ids and paragraphs.
    ``story``: prose for reading aloud. ``command``: an entry of a draft as one types it after ``kursk order``, or '';
    if all are typed in order into an empty draft, the draft gets the same entries. ``hidden``: meaning and cost of a
    sealed value for its side, if the value is not clear by itself. ``plans``: waiting orders as events, as if carried
    out now, and their lines of sight, with the sealed values known on this computer. ``looks``: all forms in which a
    counter is drawn during a game. ``figures``: every figure of a counter with its meaning, such as ('8', 'strength'),
    and ('', condition).
    """

    words: Callable[[Any], Words]
    standing: Callable[[Any, State], Rows]
    quiet: Callable[[Any, State], bool]
    hints: Callable[[Any, State, int], tuple[Hint, ...]]
    picture: Callable[[Any, State], Picture]
    odds: Callable[[Any, State, Mapping[str, Any]], tuple[Chances, ...]]
    outlook: Callable[[Any, State, str], Outlook]
    refereed: str
    unused: Callable[[Any, State, Sequence[Event], Filing], tuple[Unused, ...]]
    verbs: Callable[[Any], tuple[Verb, ...]]
    why: Callable[[Any, State, str, str], tuple[str, ...]]
    tables: Callable[[Any], tuple[Table, ...]]
    track: Callable[[Any, State], tuple[Table, ...]]
    headlines: Account
    story: Account
    begun: Callable[[Any, Part], State] = lambda _setting, part: part.after
    plans: Callable[[Any, State, Mapping[str, Any]], Plans] = lambda _setting, _state, _sealed: ((), ())
    hidden: Callable[[Any, State, str, str, Any], tuple[str, ...]] = lambda _setting, _state, _side, _label, _value: ()
    command: Callable[[dict[str, Any], Path, Any], str] = lambda _choices, _path, _order: ""
    declared: Callable[[Any, State, Mapping[str, Any]], tuple[Fought, ...]] = lambda _setting, _state, _sealed: ()
    turn: Callable[[Any, State, Mapping[str, Any]], Turn | None] = lambda _setting, _state, _sealed: None
    looks: Callable[[Any, Piece], Iterable[Piece]] = lambda _setting, piece: (piece,)
    figures: Callable[[Any, Piece], tuple[tuple[str, str], ...]] = lambda _setting, piece: ((piece.figures, ""),)


@frozen
class Ruleset:
    """A rule system.

    ``version``: the adjudication number, raised whenever a decision of the rules changes. Older games continue until
    the changed decision is met (``Umpire.repaired``). ``first``: the lowest accepted number; lower numbers are from
    before release 1.0. ``schema``, ``scenario_schema``: names of JSON Schemas. ``rulings``: the letter of the numbered
    rulings (``K`` of K-54), or ''. ``ideas``: return the ideas of a package's own practice opponent; ours are in
    ``practice``. ``levels``: the practice levels that play better than the level below (docs/practice.md).
    ``messages``: how many messages both players write in a turn, on average in finished games; 0 if not measured.
    """

    id: str
    title: str
    version: int
    sides: tuple[str, str]
    options: tuple[Option, ...]
    rulebook: FilePath
    rulings: str
    schema: str
    scenario_schema: str
    data: Data
    play: Play
    seen: Seen
    first: int = 1
    ideas: Callable[[], Ideas] | None = None
    levels: tuple[int, ...] = (1,)
    messages: int = 0

    @property
    def versions(self) -> tuple[str, ...]:
        """The adjudication numbers allowed in message 0 of a game."""
        return tuple(str(number) for number in range(self.first, self.version + 1))

    def other(self, side: str) -> str:
        """Return the opponent of a side."""
        return other(self.sides, side)

    def proposer(self, setting: Any, first: State | None = None) -> str:
        """Return who writes message 0: the referee, or the side that moves second. ``first``: the first position."""
        return REFEREE if setting.refereed else self.other((first or self.data.setup(setting)).side)

    def stage(self, setting: Any, state: State) -> Stage:
        """Return the stage of the next message in this position."""
        return self.play.stages(setting)[state.stage]

    def writer(self, setting: Any, state: State) -> str:
        """Return who writes the next message: a side, or the referee if the referee rolls dice."""
        return REFEREE if self.stage(setting, state).writer == REFEREE else state.side

    def quiet(self, setting: Any, state: State) -> bool:
        """Return whether the next message has no choices for its writer. ``state``: the position after its duties."""
        idle = all(phase.reads == ("policy",) for phase in self.stage(setting, state).phases)
        answering = self.stage(setting, state).kind == ANSWER and not setting.refereed
        return (idle and not answering) or self.seen.quiet(setting, state)

    def seal(self, setting: Any, orders: Mapping[str, Any], seq: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """Take the orders to be sealed out of a draft: (public, sealed). With a referee no orders are sealed."""
        return (dict(orders), {}) if setting.refereed else self.play.seal(orders, seq)

    def mails_to_come(self, setting: Any, stage: str) -> tuple[int, int]:
        """Return the least and the greatest number of messages from this stage to the end of the turn.

        Messages with decisions do not count. With a referee, a message of the referee follows every message of a
        player.
        """
        counts = sorted(_path_lengths(self.play.stages(setting), stage, frozenset(), refereed=setting.refereed))
        return (counts[0], counts[-1]) if counts else (0, 0)


def _path_lengths(stages: Mapping[str, Stage], stage: str, seen: frozenset[str], *, refereed: bool) -> set[int]:
    """Return the lengths of the paths to the end of the turn that visit no stage twice (decisions loop back)."""
    here = stages[stage]
    # After a player's message without dice the referee writes an empty message, which has no stage.
    handed = refereed and here.writer != REFEREE
    lengths = {2 if handed else 1} if here.ends else set()
    for after in here.then:
        if after not in seen:
            own = 1 + (handed and stages[after].writer != REFEREE)
            lengths |= {length + own for length in _path_lengths(stages, after, seen | {stage}, refereed=refereed)}
    return lengths
