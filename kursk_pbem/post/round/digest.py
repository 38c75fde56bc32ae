"""The results of a run, short enough to read: if a kind has too many results, the rest are only counted."""

from __future__ import annotations

from dataclasses import dataclass, field

from kursk_pbem.errors import EXIT_UNREADABLE, KurskError, UsageError
from kursk_pbem.post.mailbox.envelope import FILE, PLACE
from kursk_pbem.post.round.outcome import HERE, UNKNOWN, GameTaken
from kursk_pbem.post.round.reading import Contents
from kursk_pbem.trust.turns import NUMBERED

MOST = 20
"""Maximum number of results kept of a faulty game, and maximum number of lines and of faults."""
MOST_GAMES = 100
"""After this number of games, games that are not played here are only counted."""


@dataclass
class Digest:
    """The results of processing some mails, as short lines, errors and counts."""

    games: list[GameTaken] = field(default_factory=list)  # the outcomes of turns, by game
    cards: list[str] = field(default_factory=list)  # lines about address cards
    returned: list[str] = field(default_factory=list)  # lines about returned letters
    done: list[str] = field(default_factory=list)  # lines about other results
    faults: list[KurskError] = field(default_factory=list)  # errors of mails and papers
    mails: int = 0  # the number of processed mails
    talk: int = 0  # the number of mails without a turn
    strange: list[KurskError] = field(default_factory=list)  # other contents than words in such mails of a named folder
    asked: bool = False  # the owner has named a folder
    unread: list[KurskError] = field(default_factory=list)  # unreadable files of that folder
    more: int = 0  # the number of results that are only counted
    status: int = 0  # the worst exit status

    @property
    def nothing(self) -> bool:
        """True if the run has no results."""
        return not any((self.games, self.cards, self.returned, self.done, self.faults, self.more))

    @property
    def lines(self) -> list[str]:
        """A short line for each result, errors first, then accepted turns."""
        outcomes = [outcome for game in self.games for outcome in game.outcomes if outcome.state != HERE]
        wrong = [outcome.line for outcome in outcomes if outcome.error is not None]
        came = [outcome.line for outcome in outcomes if outcome.error is None and outcome.state != UNKNOWN]
        return [*wrong, *map(str, self.faults), *self.rest, *self.cards, *self.returned, *self.done, *came]

    @property
    def rest(self) -> list[str]:
        """A line about the results that were counted but not listed, or ''."""
        return [f"and {self.more} similar results"] if self.more else []

    def add_game(self, taken: GameTaken) -> None:
        """Add the results of a mail in a game. Too many refused or repeated turns are counted but not listed."""
        there = next((game for game in self.games if game.game == taken.game), None) or GameTaken(taken.game)
        there.desk = taken.desk or there.desk
        room = MOST if there.desk is not None or len(self.games) < MOST_GAMES else 0
        room -= sum(outcome.dull for outcome in there.outcomes)
        for outcome in taken.outcomes:
            mail = outcome.piece.mail
            if outcome.error is not None:
                self._raise_status(outcome.error)
            elif outcome.state == UNKNOWN and mail is not None and mail.asked == FILE:
                self.status = max(self.status, EXIT_UNREADABLE)
            room -= outcome.dull
            if outcome.dull and room < 0:
                self.more += 1
            else:
                there.outcomes.append(outcome.without_body())
        if there.outcomes and not any(game is there for game in self.games):
            self.games.append(there)

    def add_fault(self, fault: KurskError) -> None:
        """Add an error about a mail or a paper."""
        self._raise_status(fault)
        if len(self.faults) >= MOST:
            self.more += 1
        elif str(fault) not in map(str, self.faults):
            self.faults.append(fault)

    def add_talk(self, contents: Contents, *, owed: bool) -> None:
        """Count a mail without a turn. If the owner named the mail's file, add a line about the file.

        ``owed``: whether the program waits for a message of the mail's writer.
        """
        mail, words, hides = contents.mail, contents.words, contents.may_hide and contents.mail.asked == PLACE
        numbered = hides and NUMBERED.fullmatch(mail.name) is not None and not mail.fault
        self.talk += 1
        for reason in contents.reasons if mail.asked == FILE or (owed and not words) or numbered else ():
            self.add_fault(reason)
        if owed and words:
            self.add_line(f"{mail.name}: a mail without a turn")
        self.strange += contents.reasons if mail.asked == PLACE and not words and len(self.strange) < MOST else ()
        self.unread += contents.reasons if hides and len(self.unread) < MOST else ()
        self.asked |= mail.asked == PLACE

    def name_strange(self) -> None:
        """Add a line for each unreadable file. If the named folder has no usable mail, tell its contents."""
        if self.nothing and self.asked:
            nothing = UsageError(f"{self.talked}: look for the mail with the turn, or ask for it again")
            for reason in self.strange or [nothing]:
                self.add_fault(reason)
        for reason in self.unread:
            if str(reason) not in map(str, self.faults):
                self.add_line(f"not counted: {reason}")

    @property
    def talked(self) -> str:
        """The number of mails without a turn, in words."""
        return f"{self.talk} mail{'' if self.talk == 1 else 's'} without a turn"

    def _raise_status(self, fault: KurskError) -> None:
        self.status = max(self.status, fault.exit_status)
        fault.__traceback__ = fault.__context__ = None  # both would keep the whole mail in memory

    def add_line(self, line: str, kind: list[str] | None = None) -> None:
        """Add a line once to the list ``done``, or to another list."""
        there = self.done if kind is None else kind
        if len(there) >= MOST:
            self.more += 1
        elif line not in there:
            there.append(line)
