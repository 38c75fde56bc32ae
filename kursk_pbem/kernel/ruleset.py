"""How a rule system is plugged in: one frozen value of data and functions, no base class, no discovery."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any, Protocol

from kursk_pbem.formats import canonical
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.outlook import BattleChances, Outlook
from kursk_pbem.kernel.review import Check
from kursk_pbem.kernel.scenario import Scenario
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.umpire import Umpire


class Names(Protocol):
    """What a report needs to know of a setting: names as players say them."""

    def unit(self, uid: str) -> str:
        """'II SS Panzer Corps'."""

    def place(self, label: str) -> str:
        """'Belgorod' or the bare label."""

    def side(self, side: str) -> str:
        """'German'."""

    def owner(self, uid: str) -> str:
        """The side of a unit."""

    def phase(self, key: str) -> str:
        """'Combat Phase'."""


REFEREE = canonical.REFEREE
"""The writer of the stages in which a referee rolls the dice."""


def party(writer: str, name: str = "") -> str:
    """Who writes, in words: 'the referee', or 'the German side' by the ``name`` of a side, else its id."""
    return "the referee" if writer == REFEREE else f"the {name or writer} side"


Run = Callable[[Umpire[Any], Filing], None]


@dataclass(frozen=True)
class Phase:
    """A named part of the sequence of play; ``run`` is one function of the rules.

    ``reads``: the fields of a message that it looks at: ``choice``, ``waive``, ``policy``, ``orders/movement``.
    ``rolls``: it throws dice.
    """

    key: str
    rule: str
    run: Run
    reads: tuple[str, ...] = ()
    rolls: bool = False


@dataclass(frozen=True)
class Stage:
    """What one message holds: the longest run of the sequence without information that its writer must not have yet.

    ``duties`` come first and leave the writer no choice (reveals, dice); ``phases`` are his own. ``brings`` says in a
    few words what the message holds; ``then`` are the stages that may follow in the same turn, ``ends`` those with
    which the next turn begins.
    """

    key: str
    rule: str
    writer: str
    duties: tuple[Phase, ...]
    phases: tuple[Phase, ...]
    brings: str
    then: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()

    @property
    def rolls(self) -> bool:
        """Whether dice fall among the duties."""
        return any(phase.rolls for phase in self.duties)


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


@dataclass(frozen=True)
class Standing:
    """What the table at the end of a report shows: rows of (what, German, Russian) or (what, value)."""

    rows: tuple[tuple[str, ...], ...]
    owed: str


@dataclass(frozen=True)
class Cell:
    """One hex of a text map: its label and what stands in it, a few short lines of ASCII from top to bottom.

    ``edge``: the characters at its left: the first stands for the upper side, the second for the upper left, the third
    and fourth for the lower left.
    """

    label: str
    lines: tuple[str, ...]
    edge: str = "+|||"


@dataclass(frozen=True)
class Ruleset:
    """One rule system.

    ``version`` is the adjudication number, raised with every change of behaviour. ``stages`` by key; ``proposer`` is
    the side that writes message 0. ``resume`` makes of a position that both sides agree to go on from the first one
    of the new game, without seals, or says why none can begin there; such a first position it gives back as it is.
    ``options`` are the game options with their values, the usual one first; ``load`` makes the typed setting of a
    scenario under the options agreed on, ``setup`` its first position; ``advance`` sets turn, side and stage after a
    message, and refuses seals that nothing calls for, also where the game has just ended; ``seal`` takes what is to
    be hidden out of a draft's orders: (public orders, label -> value); ``guesses`` are the values that a label can
    seal, where they can be counted; ``hints`` are what a draft tells its writer, ``quiet`` says that he has nothing
    to choose; ``over`` is the last stage's key; ``map_cells`` are the hexes of a text map, ``legend`` explains their
    signs. ``odds`` are the chances of the battles declared in a position (with the sealed values known at the desk),
    ``outlook`` is what the side that writes next may do, or one unit ('' for all). ``scenario_schema`` and ``check``
    look at the data of a scenario before it is played. ``refereed`` is the same system where a referee rolls the
    dice: another sequence of messages, the same rules (None: it cannot be played so).
    """

    id: str
    title: str
    version: int
    sides: tuple[str, str]
    proposer: str
    schema: str
    rulebook: FilePath
    stages: Mapping[str, Stage]
    over: str
    options: Mapping[str, tuple[str, ...]]
    load: Callable[[Scenario, Mapping[str, str]], Any]
    setup: Callable[[Any], State]
    resume: Callable[[Any, State], State | str]
    advance: Run
    seal: Callable[[Mapping[str, Any], int], tuple[dict[str, Any], dict[str, Any]]]
    guesses: Callable[[str], tuple[Any, ...]]
    hints: Callable[[Any, State, int], tuple[Hint, ...]]
    quiet: Callable[[Any, State], bool]
    verdict: Callable[[Any, State], Verdict | None]
    standing: Callable[[Any, State], Standing]
    invariants: Callable[[Any, State], list[str]]
    names: Callable[[Any], Names]
    map_cells: Callable[[Any, State], tuple[Cell, ...]]
    legend: tuple[str, ...]
    odds: Callable[[Any, State, Mapping[str, Any]], tuple[BattleChances, ...]]
    outlook: Callable[[Any, State, str], Outlook]
    scenario_schema: str
    check: Check
    refereed: Ruleset | None = None

    def mails_to_come(self, stage: str) -> tuple[int, int]:
        """The least and the greatest number of messages from this stage to the end of the turn, decisions apart.

        Where a referee rolls, each message of a player takes one of his, with dice or without.
        """
        counts = sorted(self._ways(stage, frozenset()))
        return (counts[0], counts[-1]) if counts else (0, 0)

    def writer(self, state: State) -> str:
        """Who writes the message that a position calls for: a side or, for his dice, the referee."""
        return REFEREE if self.stages[state.stage].writer == REFEREE else state.side

    def _ways(self, stage: str, seen: frozenset[str]) -> set[int]:
        """Lengths of all ways to the end of the turn that pass no stage twice (a decision between dice leads back)."""
        here = self.stages[stage]
        # A message of a player that a referee has no dice for is handed on by a message that is no stage of its own.
        handed = self.proposer == REFEREE and here.writer != REFEREE
        found = {2 if handed else 1} if here.ends else set()
        for after in here.then:
            if after not in seen:
                own = 1 + (handed and self.stages[after].writer != REFEREE)
                found |= {length + own for length in self._ways(after, seen | {stage})}
        return found

    def other(self, side: str) -> str:
        """The opponent of a side."""
        return self.sides[1] if side == self.sides[0] else self.sides[0]
