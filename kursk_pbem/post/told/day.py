"""What came of a run, as it is told: no more than a person can read, and of too many of a kind their number."""

from __future__ import annotations

from dataclasses import dataclass, field

from kursk_pbem.errors import KurskError
from kursk_pbem.post.round.outcome import HERE, UNKNOWN, GameTaken

MOST = 20
"""Outcomes that are kept of one game in which something is wrong, and lines and faults."""
MOST_GAMES = 100
"""Games after which those that are not played here are told by their number alone."""


@dataclass
class Day:
    """What came of a run.

    ``games``: what became of the turns, by game. ``cards``, ``returned``, ``done``: lines about cards, letters that
    came back, and all else. ``faults``: what is wrong with mails and papers. ``mails``: how many were looked through.
    ``more``: how many things are told by their number alone. ``status``: the exit status of the worst that was found.
    """

    games: list[GameTaken] = field(default_factory=list)
    cards: list[str] = field(default_factory=list)
    returned: list[str] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    faults: list[KurskError] = field(default_factory=list)
    mails: int = 0
    more: int = 0
    status: int = 0

    @property
    def nothing(self) -> bool:
        """Return whether nothing is to be told of it."""
        return not any((self.games, self.cards, self.returned, self.done, self.faults, self.more))

    @property
    def lines(self) -> list[str]:
        """Return all that is told of it in a few words: what is wrong first, then what came."""
        outcomes = [outcome for game in self.games for outcome in game.outcomes if outcome.state != HERE]
        wrong = [outcome.line for outcome in outcomes if outcome.error is not None]
        came = [outcome.line for outcome in outcomes if outcome.error is None and outcome.state != UNKNOWN]
        return [*wrong, *map(str, self.faults), *self.rest, *self.cards, *self.returned, *self.done, *came]

    @property
    def rest(self) -> list[str]:
        """Return a line about what is told by its number alone; none without."""
        return [f"and {self.more} more things like these"] if self.more else []

    def add_game(self, taken: GameTaken) -> None:
        """Add what one mail brought of a game. Of many refused or known turns only their number is kept."""
        there = next((game for game in self.games if game.game == taken.game), None) or GameTaken(taken.game)
        there.desk = taken.desk or there.desk
        room = MOST if there.desk is not None or len(self.games) < MOST_GAMES else 0
        room -= sum(outcome.dull for outcome in there.outcomes)
        for outcome in taken.outcomes:
            if outcome.error is not None:
                self._note(outcome.error)
            room -= outcome.dull
            if outcome.dull and room < 0:
                self.more += 1
            else:
                there.outcomes.append(outcome.without_body())
        if there.outcomes and not any(game is there for game in self.games):
            self.games.append(there)

    def add_fault(self, fault: KurskError) -> None:
        """Add what is wrong with a mail or a paper."""
        self._note(fault)
        if len(self.faults) >= MOST:
            self.more += 1
        elif str(fault) not in map(str, self.faults):
            self.faults.append(fault)

    def _note(self, fault: KurskError) -> None:
        self.status = max(self.status, fault.exit_status)
        fault.__traceback__ = fault.__context__ = None  # which hold the whole mail

    def add_line(self, line: str, kind: list[str] | None = None) -> None:
        """Add a line to ``done``, or to one of the other lists, once."""
        there = self.done if kind is None else kind
        if len(there) >= MOST:
            self.more += 1
        elif line not in there:
            there.append(line)
