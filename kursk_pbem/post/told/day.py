"""What came of a run, as it is told: no more than a person can read, and of too many of a kind their number."""

from __future__ import annotations

from dataclasses import dataclass, field

from kursk_pbem.errors import KurskError
from kursk_pbem.post.round.outcome import HERE, UNKNOWN, GameTaken

MOST = 20
"""Outcomes that are kept of one game in which something is wrong, and lines of each kind."""
MOST_GAMES = 100
"""Games after which those that are not played here are told by their number alone."""


@dataclass
class Day:
    """What came of a run.

    ``games``: what became of the turns, by game. ``cards``, letters that were ``returned`` and what else was ``done``
    are lines; ``faults``: what is wrong with mails and papers. ``mails``: how many were looked through. ``more``: how
    many things are told by their number alone.
    """

    games: list[GameTaken] = field(default_factory=list)
    cards: list[str] = field(default_factory=list)
    returned: list[str] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    faults: list[KurskError] = field(default_factory=list)
    mails: int = 0
    more: int = 0
    worst: int = 0

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

    @property
    def status(self) -> int:
        """Return the exit status of the worst that was found; 0 if nothing is wrong."""
        return self.worst

    def add_game(self, taken: GameTaken) -> None:
        """Add what one mail brought of a game. Of many refused or known turns only their number is kept."""
        there = next((game for game in self.games if game.game == taken.game), None)
        if there is None and taken.desk is None and len(self.games) >= MOST_GAMES:
            self.more += len(taken.outcomes)
            return
        if there is None:
            there = GameTaken(taken.game)
            self.games.append(there)
        there.desk = taken.desk or there.desk
        for outcome in taken.outcomes:
            dull = outcome.error is not None or outcome.state in (HERE, UNKNOWN)
            if outcome.error is not None:
                self.worst = max(self.worst, outcome.error.exit_status)
                outcome.error.__traceback__ = outcome.error.__context__ = None  # which hold the whole mail
            if dull and sum(each.error is not None or each.state in (HERE, UNKNOWN) for each in there.outcomes) >= MOST:
                self.more += 1
            else:
                there.outcomes.append(outcome.without_body())
        if not there.outcomes:
            self.games.remove(there)

    def add_fault(self, fault: KurskError) -> None:
        """Add what is wrong with a mail or a paper."""
        self.worst = max(self.worst, fault.exit_status)
        fault.__traceback__ = fault.__context__ = None  # which hold the whole mail
        if len(self.faults) >= MOST:
            self.more += 1
        elif str(fault) not in map(str, self.faults):
            self.faults.append(fault)

    def add_lines(self, kind: list[str], lines: list[str]) -> None:
        """Add lines to one of the lists, each once."""
        for line in lines:
            if len(kind) >= MOST:
                self.more += 1
            elif line not in kind:
                kind.append(line)
