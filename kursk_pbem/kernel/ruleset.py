"""How a rule system is plugged in: one frozen value of data and functions, no base class, no discovery."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from kursk_pbem.formats import canonical
from kursk_pbem.kernel import scenario
from kursk_pbem.kernel.events import Event, Fought
from kursk_pbem.kernel.orders import Filing, Path
from kursk_pbem.kernel.review import Check
from kursk_pbem.kernel.scenario import Scenario
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.umpire import Umpire, other
from kursk_pbem.kernel.words import Words

if TYPE_CHECKING:
    from kursk_pbem.kernel.brief import Left, Part, Table
    from kursk_pbem.kernel.outlook import Chances, Outlook
    from kursk_pbem.kernel.picture import Picture, Sight
    from kursk_pbem.kernel.verbs import Verb

REFEREE = canonical.REFEREE
"""The writer of the stages in which a referee rolls the dice."""
PLAYERS = scenario.PLAYERS

ORDERS, ANSWER, DICE, DECISION, SEAL = "orders", "answer", "dice", "decision", "seal"
"""Kinds of stages: what a message mainly is. The referee's sequence follows from them (``refereed``)."""


Run = Callable[[Umpire[Any], Filing], None]
When = Callable[[Umpire[Any], Filing], bool]
Rows = tuple[tuple[str, ...], ...]
Account = Callable[[Any, State, Sequence[Event], State], tuple[str, ...]]
Plans = tuple[tuple[Event, ...], tuple["Sight", ...]]


def ordered(key: str) -> When:
    """That a message orders something under a key: `when` of a phase that takes place for nothing else."""
    return lambda _umpire, filing: bool(filing.order(key))


@dataclass(frozen=True)
class Phase:
    """A named part of the sequence of play; ``run`` is one function of the rules.

    ``reads``: the fields of a message that it looks at: ``choice``, ``waive``, ``policy``, ``orders/movement``.
    ``rolls``: it throws dice. ``when`` says whether it takes place now (None: always), and refuses what was ordered for
    it if it does not; with nothing ordered it only answers. Before it runs the spine announces it by ``key`` and
    ``rule``, of no side unless ``sided``; what is not ``announced`` has no title of its own in a report.
    """

    key: str
    rule: str
    run: Run
    reads: tuple[str, ...] = ()
    rolls: bool = False
    when: When | None = None
    announced: bool = True
    sided: bool = True


@dataclass(frozen=True)
class Split:
    """How a stage with dice falls apart where a referee rolls: what their message brings, what the player has ``left``.

    ``always``: the player's part comes whatever the dice did; otherwise only if one of its phases does.
    """

    brings: str
    left: str
    always: bool = False


@dataclass(frozen=True)
class Stage:
    """What one message holds: the longest run of the sequence without information that its writer must not have yet.

    ``duties`` come first and leave the writer no choice (reveals, dice); ``phases`` are their own. ``brings`` says in a
    few words what the message holds; ``then`` are the stages that may follow in the same turn, ``ends`` those with
    which the next turn begins. ``mode``: it exists only with the players' or a referee's dice ('' with both);
    ``side``: whose turn it is while the referee writes; ``split``: of a stage with dice, where a referee rolls.
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
        """Whether dice fall among the duties."""
        return any(phase.rolls for phase in self.duties)


@dataclass(frozen=True)
class Option:
    """A game option that both sides agree on: its values, the usual one first, and what it means, in a sentence."""

    key: str
    values: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Hint:
    """One place of a draft: the key under which it stands, what is possible there, and what is proposed.

    ``value`` None: the key is left out and only the comment shows.
    """

    path: tuple[str, ...]
    lines: tuple[str, ...]
    value: Any = None


@dataclass(frozen=True)
class Verdict:
    """How a game ended: ``winner`` ('' for a draw) and in what way, a sentence each for people."""

    winner: str
    how: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Data:
    """What a scenario becomes.

    ``check`` looks at its data before it is played; ``load`` makes the typed setting under the options agreed on, for
    the dice of ``PLAYERS`` or of a ``REFEREE``; ``setup`` its first position. ``resume`` makes of a position that both
    sides agree to go on from the first one of the new game, without seals, or says why none can begin there; such a
    first position it gives back as it is.
    """

    check: Check
    load: Callable[[Scenario, Mapping[str, str], str], Any]
    setup: Callable[[Any], State]
    resume: Callable[[Any, State], State | str]


@dataclass(frozen=True, kw_only=True)
class Play:
    """How it is played.

    ``stages`` is the table of a setting by key, with the dice mode it was loaded for (``refereed.both``). ``follow``
    says which stage comes after a message ('' for its first in the table). ``seals`` refuses seals that nothing
    calls for, also where the game has just ended; ``seal`` takes what is to be hidden out of a draft's orders: (public
    orders, label -> value); ``guesses`` are the values that a label can seal, where they can be counted. ``policy``
    says where and why a policy cannot be a standing one (None if it can); ``misnamed`` which names in the policy of a
    side are not there. ``verdict``: how the game ended; ``invariants``: what is wrong with a position. ``margin``:
    victory points of the first side less the other's, as a position stands; None where the rules count none.
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


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What people see of it.

    ``words`` of a setting; ``standing`` is the table under a report, rows of (what, side, side) or (what, value);
    ``quiet`` says that a message leaves its writer nothing to choose; ``hints`` are what a draft tells its writer;
    ``picture`` the position in shapes; ``odds`` the chances of what waits for dice (with the sealed values known at the
    desk), ``declared`` the arithmetic of each attack of them, which needs no die; ``outlook`` what the side that writes
    next may do, or one unit ('' for all), asked of a phase of a draft in the position that ``begun`` makes of the one
    behind its orders; it may hold what was settled as the phase began. ``refereed`` says what a player should know
    before they let a referee roll: what is open then, and who is not waited for. ``left`` is what a draft
    leaves unused, the most costly first: from the position after its duties and the events of its choices. ``verbs``
    are the words of ``kursk order``. ``why`` says phase by phase why a unit may not end a move in a place. ``tables``
    are what is printed beside the map, ``track`` the turns with all that comes.
    ``headlines`` and ``story`` tell of events and the positions before and after them, of a message or of several,
    without ids and paragraphs: at most eight lines, what matters most first; and paragraphs of prose to be read aloud.
    ``spoken`` of the choices of a draft and a place in them: the words of ``kursk order`` that write what stands there;
    typed in their order into a draft without orders they write the same, '' if none do. ``kept`` are the keys of an
    order without which a part of it says nothing.
    ``hidden`` tells the ``side`` that seals a value under a label what it says and what it costs in the position after
    its message; nothing where the plain value says it all.
    ``plans``: what is ordered and waits, as the events that it would be if nothing came between, and its lines of
    sight; with the sealed values known at the desk, as ``odds``.
    """

    words: Callable[[Any], Words]
    standing: Callable[[Any, State], Rows]
    quiet: Callable[[Any, State], bool]
    hints: Callable[[Any, State, int], tuple[Hint, ...]]
    picture: Callable[[Any, State], Picture]
    odds: Callable[[Any, State, Mapping[str, Any]], tuple[Chances, ...]]
    outlook: Callable[[Any, State, str], Outlook]
    refereed: str
    left: Callable[[Any, State, Sequence[Event], Filing], tuple[Left, ...]]
    verbs: Callable[[Any], tuple[Verb, ...]]
    why: Callable[[Any, State, str, str], tuple[str, ...]]
    tables: Callable[[Any], tuple[Table, ...]]
    track: Callable[[Any, State], tuple[Table, ...]]
    headlines: Account
    story: Account
    begun: Callable[[Any, Part], State] = lambda _setting, part: part.after
    plans: Callable[[Any, State, Mapping[str, Any]], Plans] = lambda _setting, _state, _sealed: ((), ())
    hidden: Callable[[Any, State, str, str, Any], tuple[str, ...]] = lambda _setting, _state, _side, _label, _value: ()
    spoken: Callable[[dict[str, Any], Path, Any], str] = lambda _choices, _path, _order: ""
    kept: tuple[str, ...] = ()
    declared: Callable[[Any, State, Mapping[str, Any]], tuple[Fought, ...]] = lambda _setting, _state, _sealed: ()


@dataclass(frozen=True)
class Ruleset:
    """One rule system.

    ``version`` is the adjudication number, raised with every change of behaviour; games of earlier numbers go on as
    long as they meet no place that was decided otherwise (``Umpire.repaired``). ``releases`` are the newest releases
    that have adjudication 1, 2 and so on, for the earlier ones, as ``kursk-pbem 0.2.0``. ``schema`` and
    ``scenario_schema`` are names of JSON Schemas; ``rulings`` is the letter of its numbered rulings (``K`` of K-54), ''
    without.
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
    releases: tuple[str, ...] = ()

    def finishes(self, version: int) -> str:
        """Return the program, in words, that plays games of an earlier adjudication to their end (decision 44)."""
        known = version <= len(self.releases)
        return self.releases[version - 1] if known else "the release that began the game"

    @property
    def versions(self) -> tuple[str, ...]:
        """The adjudications under which a game may have been begun, as message 0 writes them."""
        return tuple(str(number) for number in range(1, self.version + 1))

    def other(self, side: str) -> str:
        """The opponent of a side."""
        return other(self.sides, side)

    def proposer(self, setting: Any, first: State | None = None) -> str:
        """Who writes message 0: the referee who rolls, or the side that does not owe the ``first`` choice."""
        return REFEREE if setting.refereed else self.other((first or self.data.setup(setting)).side)

    def stage(self, setting: Any, state: State) -> Stage:
        """What the message that a position calls for holds."""
        return self.play.stages(setting)[state.stage]

    def writer(self, setting: Any, state: State) -> str:
        """Who writes the message that a position calls for: a side or, for their dice, the referee."""
        return REFEREE if self.stage(setting, state).writer == REFEREE else state.side

    def quiet(self, setting: Any, state: State) -> bool:
        """Whether the message that ``state`` (after its duties) calls for leaves its writer nothing to choose."""
        idle = all(phase.reads == ("policy",) for phase in self.stage(setting, state).phases)
        answering = self.stage(setting, state).kind == ANSWER and not setting.refereed
        return (idle and not answering) or self.seen.quiet(setting, state)

    def seal(self, setting: Any, orders: Mapping[str, Any], seq: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """What of a draft's orders is shown and what is sealed; nothing where the dice of a referee follow at once."""
        return (dict(orders), {}) if setting.refereed else self.play.seal(orders, seq)

    def mails_to_come(self, setting: Any, stage: str) -> tuple[int, int]:
        """The least and the greatest number of messages from this stage to the end of the turn, decisions apart.

        Where a referee rolls, each message of a player takes one of theirs, with dice or without.
        """
        counts = sorted(_ways(self.play.stages(setting), stage, frozenset(), refereed=setting.refereed))
        return (counts[0], counts[-1]) if counts else (0, 0)


def _ways(stages: Mapping[str, Stage], stage: str, seen: frozenset[str], *, refereed: bool) -> set[int]:
    """Lengths of all ways to the end of the turn that pass no stage twice (a decision between dice leads back)."""
    here = stages[stage]
    # A message of a player that a referee has no dice for is handed on by a message that is no stage of its own.
    handed = refereed and here.writer != REFEREE
    lengths = {2 if handed else 1} if here.ends else set()
    for after in here.then:
        if after not in seen:
            own = 1 + (handed and stages[after].writer != REFEREE)
            lengths |= {length + own for length in _ways(stages, after, seen | {stage}, refereed=refereed)}
    return lengths
