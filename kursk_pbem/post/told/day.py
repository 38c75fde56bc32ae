"""What came of a run, as it is told: no more than can be read, and of too many of a kind their number (T49)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Container
from dataclasses import dataclass, field

from kursk_pbem.errors import KurskError
from kursk_pbem.formats.text import show
from kursk_pbem.post import waiting
from kursk_pbem.post.outcome import (
    HERE,
    PROPOSED,
    REFUSED,
    UNKNOWN,
    VOID,
    GameTaken,
    Outcome,
    here_once,
    title,
    unknown,
)
from kursk_pbem.post.referee import findings
from kursk_pbem.post.sorting import forget

MOST = 20
"""Refusals that are told of one game, and of all that are not known here; proposals; cards."""


@dataclass
class _Room:
    """For how many refusals there is room, and how many found none."""

    left: int = field(default_factory=lambda: MOST)
    untold: int = 0

    def holds(self, outcome: Outcome) -> bool:
        """Whether there is room for one more outcome."""
        if outcome.state not in (REFUSED, UNKNOWN, VOID, PROPOSED):
            return True
        self.untold += self.left <= 0
        self.left -= 1
        return self.left >= 0


@dataclass
class Day:
    """What came of a run: ``games`` with anything in them, ``faults`` of mails and how many ``more``.

    ``cards``, letters that were ``returned``, and what a desk of a tournament or a referee's mailbox has ``done`` are
    told in words; ``refused``: papers of tournaments. ``mails``: how many were looked through, ``foreign`` how many of
    them had nothing of ours. ``untold``: how many refusals are told by their number alone, ``proposed`` how many
    proposals. ``before``: what a run that was broken off has told to nobody, ``broken`` the exit status
    of that.
    """

    games: list[GameTaken] = field(default_factory=list)
    cards: list[str] = field(default_factory=list)
    returned: list[str] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    refused: list[KurskError] = field(default_factory=list)
    faults: list[KurskError] = field(default_factory=list)
    more: int = 0
    mails: int = 0
    foreign: int = 0
    untold: int = 0
    proposed: int = 0
    worst: int = 0
    before: list[str] = field(default_factory=list)
    broken: int = 0

    @property
    def nothing(self) -> bool:
        """Whether nothing is to be told of it."""
        told = (self.games, self.cards, self.returned, self.done, self.refused, self.faults, self.before)
        return not any(told)

    @property
    def words(self) -> list[str]:
        """All that is told of it, in a few words: what is wrong first, then what came."""
        outcomes = [of for game in self.games for of in game.outcomes if of.state != HERE]
        wrong = [f"{_about(of)} is {of.state}: {of.error}{_by(of)}" for of in outcomes if of.error is not None]
        wrong += [unknown(of.piece) for of in outcomes if of.error is None and of.state == UNKNOWN]
        wrong += [*map(str, (*self.refused, *self.faults)), *self.rest, *self.cards, *self.returned, *self.done]
        came = (of for of in outcomes if of.error is None and of.state != UNKNOWN)
        return [*wrong, *(f"{_about(of)} ({of.state}): {'; '.join(of.told)}" for of in came)]

    @property
    def rest(self) -> list[str]:
        """What is told by its number alone."""
        lines = [f"and {self.untold} more turns that were refused, or are of no game here"] if self.untold else []
        return [*lines, *([f"and {self.more} more mails that are damaged"] if self.more else [])]

    @property
    def status(self) -> int:
        """The exit status of the worst that was found; 0 if nothing is wrong."""
        errors = [outcome.error for game in self.games for outcome in game.outcomes if outcome.error is not None]
        return max(self.worst, *(error.exit_status for error in (*errors, *self.refused, *self.faults)), self.broken)

    def add(self, other: Day) -> None:
        """Put down what came of more mails of the same run."""
        for listed in ("games", "cards", "returned", "done", "refused"):
            getattr(self, listed).extend(getattr(other, listed))
        self.mails += other.mails
        self.foreign += other.foreign
        self.untold += other.untold
        self.proposed += other.proposed
        self.worst = max(self.worst, other.worst)

    def shorten(self, circle: Callable[[], Container[str]], players: Callable[[], Collection[str]]) -> None:
        """Leave out refusals and proposals where there are too many to be read: one mail may hold thousands (T49).

        ``circle``: the keys of people who are known here, ``players``: their addresses, in small letters. No number of
        strangers hides what they propose, or what is refused of them.
        """
        if sum(game.desk is None for game in self.games) > MOST:
            known = circle()
            self.games.sort(key=lambda game: not any(_proposed_by(outcome) in known for outcome in game.outcomes))
        self.worst, proposed, rooms, here = self.status, _Room(), defaultdict[str, _Room](_Room), set[str]()
        for game in self.games:
            room = rooms["" if game.desk is None else game.game]
            listed = list(here_once(game.outcomes, here))
            if len(listed) > MOST:
                listed.sort(key=_Rank(players()))
            game.outcomes = [of for of in listed if (proposed if of.state == PROPOSED else room).holds(of)]
        self.untold += sum(room.untold for room in rooms.values())
        self.proposed += proposed.untold
        self.games = [game for game in self.games if game.outcomes]
        for error in (*self.refused, *(outcome.error for game in self.games for outcome in game.outcomes)):
            if error is not None:
                forget(error)


@dataclass
class _Rank:
    """In which order many outcomes are told: of each address of the ``players`` some first."""

    players: Collection[str]
    of: Counter[str] = field(default_factory=Counter)

    def __call__(self, outcome: Outcome) -> bool:
        """Whether one comes behind them."""
        mail = outcome.piece.mail
        who = findings.kind(mail, self.players)[1] if mail is not None else ""
        self.of[who] += 1
        return not who or self.of[who] > findings.EACH


def _about(outcome: Outcome) -> str:
    """What a piece is, and of which game."""
    return f"game {show(outcome.piece.game[:8])}: {title(outcome.piece)}"


def _by(outcome: Outcome) -> str:
    """By which mail it came."""
    return f" ({outcome.piece.mail.name})" if outcome.piece.mail is not None else ""


def _proposed_by(outcome: Outcome) -> str:
    """The key that has signed a proposal that waits; '' of anything else."""
    return waiting.signer(outcome.piece.turn) if outcome.state == PROPOSED else ""
