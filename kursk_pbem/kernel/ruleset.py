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
    """A named part of the sequence of play."""

    key: str  # the title in reports
    rule: str  # the paragraph in reports
    run: Run  # the function that carries the phase out
    reads: tuple[str, ...] = ()  # the fields of a message for this phase, such as ``choice`` or ``orders/movement``
    rolls: bool = False  # the phase rolls dice
    when: When | None = None  # the condition for the phase (None: always), which also refuses useless orders
    announced: bool = True  # reports print the title
    sided: bool = True  # the title names the side


@frozen
class Split:
    """The two halves of a stage with dice if a referee rolls: a message by the referee, and a message by the player."""

    brings: str  # the content of the referee's message
    left: str  # the content of the player's message
    always: bool = False  # the player's message always follows; if False, only if a phase of the message takes place


@frozen
class Stage:
    """A kind of message: as much of the sequence of play as its writer can play with what is known then."""

    key: str
    rule: str
    writer: str
    duties: tuple[Phase, ...]  # the first phases, without choices (reveals, dice)
    phases: tuple[Phase, ...]  # the phases with choices
    brings: str  # the content in a few words
    then: tuple[str, ...] = ()  # the stages that can follow in the same turn
    ends: tuple[str, ...] = ()  # the stages that can begin the next turn
    kind: str = ORDERS
    mode: str = ""  # the stage is only for players' or only for a referee's dice; '' for both
    side: str = ""  # the active side while the referee writes
    split: Split | None = None  # how the stage is divided if a referee rolls the dice

    @property
    def rolls(self) -> bool:
        """Whether the duties of the stage include dice."""
        return any(phase.rolls for phase in self.duties)


@frozen
class Option:
    """A game option on which the players agree."""

    key: str
    values: tuple[str, ...]  # the usual value is first
    text: str  # a sentence of explanation
    many: bool = False  # the values are too many to list

    @property
    def shown(self) -> str:
        """The values as text: ``default or ask``."""
        return f"{self.values[0]}, {self.values[1]} to {self.values[-1]}" if self.many else " or ".join(self.values)


@frozen
class Hint:
    """A comment in a draft, perhaps with a proposed value."""

    path: tuple[str, ...]  # the keys of the commented value
    lines: tuple[str, ...]  # the possibilities
    value: Any = None  # the proposed value; None for a comment only


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
    """The functions of a system that read a scenario."""

    check: Check  # check the data before play
    load: Callable[[Scenario, Mapping[str, str], str], Any]
    """Return the typed setting for the agreed options, and for the dice of ``PLAYERS`` or a ``REFEREE``."""
    setup: Callable[[Any], State]  # return the first position
    resume: Callable[[Any, State], State | str]
    """Turn a last position into the first position of a new game, or return why no game can begin there."""
    arrange: Callable[[Any], State] | None = None  # the first position with all pieces, if players deploy pieces
    places: tuple[str, ...] = ("units", "units", "*", "hex")  # keys to a unit's place; the last ``*`` is the unit


@frozen(kw_only=True)
class Play:
    """The functions of a system that play the game by the rules."""

    stages: Callable[[Any], Mapping[str, Stage]]  # the stages by key, for players' dice or a referee's dice
    follow: Callable[[Umpire[Any], Filing, str], str]  # the key of the next stage; '' for the first possible stage
    seals: Run  # refuse unnecessary seals, even if the game has just ended
    policy: Callable[[Mapping[str, Any]], tuple[Path, str] | None]  # reason against a standing policy, or None
    verdict: Callable[[Any, State], Verdict | None]  # the end of the game
    invariants: Callable[[Any, State], list[str]]  # the errors of a position
    seal: Callable[[Mapping[str, Any], int], tuple[dict[str, Any], dict[str, Any]]] = lambda orders, _seq: (
        dict(orders),
        {},
    )
    """Take the hidden orders out of a draft: return the public orders, and label -> value."""
    guesses: Callable[[str], tuple[Any, ...]] = lambda _label: ()  # the possible values of a label, if few
    misnamed: Callable[[Any, str, Mapping[str, Any]], Iterable[tuple[Path, str]]] = lambda _setting, _side, _policy: ()
    """The unknown names in a side's policy."""
    margin: Callable[[Any, State], int | None] = lambda _setting, _state: None
    """Victory points of the first side minus those of the second side, or None."""
    kept: Mapping[str, int] = field(default_factory=dict)
    """First word of a label -> length in bytes to which sealed values are padded, so that the length stays hidden."""


@frozen(kw_only=True)
class Seen:
    """The functions of a system that describe a game to people.

    ``odds``, ``declared``, ``turn`` and ``plans`` get the sealed values that are known on this computer.
    """

    words: Callable[[Any], Words]  # the names of units, places and sides in a setting
    standing: Callable[[Any, State], Rows]  # the table below a report: rows (what, side, side) or (what, value)
    quiet: Callable[[Any, State], bool]  # whether the next message has no choices for its writer
    hints: Callable[[Any, State, int], tuple[Hint, ...]]  # comments and proposed values for a draft
    picture: Callable[[Any, State], Picture]  # the position as shapes
    odds: Callable[[Any, State, Mapping[str, Any]], tuple[Chances, ...]]  # the chances of actions that wait for dice
    outlook: Callable[[Any, State, str], Outlook]  # the possible moves and attacks of the next writer, or of one unit
    refereed: str  # advice before players agree to a referee: what becomes open, and which questions are never asked
    unused: Callable[[Any, State, Sequence[Event], Filing], tuple[Unused, ...]]  # unused possibilities, best first
    verbs: Callable[[Any], tuple[Verb, ...]]  # the verbs of ``kursk order``
    why: Callable[[Any, State, str, str], tuple[str, ...]]  # the reasons against a move to a place, phase by phase
    tables: Callable[[Any], tuple[Table, ...]]  # the printed tables
    track: Callable[[Any, State], tuple[Table, ...]]  # the turns with their scheduled events
    headlines: Account  # at most eight lines about messages, the most important first, without ids and paragraphs
    story: Account  # prose for reading aloud
    begun: Callable[[Any, Part], State] = lambda _setting, part: part.after  # the position in which a phase begins
    plans: Callable[[Any, State, Mapping[str, Any]], Plans] = lambda _setting, _state, _sealed: ((), ())
    """The waiting orders as events, as if carried out now, and their lines of sight."""
    hidden: Callable[[Any, State, str, str, Any], tuple[str, ...]] = lambda _setting, _state, _side, _label, _value: ()
    """Meaning and cost of a sealed value for its side, if the value is not clear by itself."""
    command: Callable[[dict[str, Any], Path, Any], str] = lambda _choices, _path, _order: ""
    """An entry of a draft as typed after ``kursk order``, or ''. The typed lines give the same draft again."""
    declared: Callable[[Any, State, Mapping[str, Any]], tuple[Fought, ...]] = lambda _setting, _state, _sealed: ()
    """The arithmetic of every waiting attack, before the roll."""
    turn: Callable[[Any, State, Mapping[str, Any]], Turn | None] = lambda _setting, _state, _sealed: None
    """The actions of a turn that wait for dice, in order, for the odds of the whole turn; or None."""
    looks: Callable[[Any, Piece], Iterable[Piece]] = lambda _setting, piece: (piece,)
    """All forms in which a counter is drawn during a game."""
    figures: Callable[[Any, Piece], tuple[tuple[str, str], ...]] = lambda _setting, piece: ((piece.figures, ""),)
    """Every figure of a counter with its meaning, such as ('8', 'strength'), and ('', condition)."""


@frozen
class Ruleset:
    """A system of rules, with everything that the program needs to play and show the system."""

    id: str
    title: str
    version: int  # the adjudication number, raised when a decision of the rules changes (``Umpire.repaired``)
    sides: tuple[str, str]
    options: tuple[Option, ...]
    rulebook: FilePath
    rulings: str  # the letter of the numbered rulings, such as ``K`` of K-54, or ''
    schema: str  # the name of the JSON Schema of drafts
    scenario_schema: str  # the name of the JSON Schema of scenarios
    data: Data
    play: Play
    seen: Seen
    first: int = 1  # the lowest accepted ``version``; lower numbers are from before release 1.0
    ideas: Callable[[], Ideas] | None = None  # for a package with a practice opponent of its own
    levels: tuple[int, ...] = (1,)  # the practice levels that play better than the level below (docs/practice.md)
    messages: int = 0  # the average number of messages in a turn, by both players; 0 if not measured

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
        """Take the orders to be sealed out of a draft: return (public, sealed). With a referee, none is sealed."""
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
