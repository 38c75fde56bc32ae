"""The state of a tournament by its log. Only the modules of this package change the records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from kursk_pbem.frozen import frozen
from kursk_pbem.tournament.pairing.sides import number_order
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.rules import Rules

DRAWN_GAME, NOBODY = "draw", "nobody"
"""Values of ``winner`` besides the sides."""
WITHDREW, ADJOURNED, SILENCE, WORD, AGREED, POINTS = "withdrawn", "adjourned", "silence", "word", "agree", "points"
"""Methods of judgement for an unfinished game."""
FORFEIT = "forfeit"

PLAYED, BYE, ASKED, ANNOUNCED, MISSED = "played", "bye", "asked", "announced", "missed"
LATE, GONE, FREE, WALKOVER = "late", "gone", "free", "walkover"
"""Ways to spend a round: a game, a bye, a requested bye, an announced or unannounced absence; before entry, after
withdrawal, free by the table, or with an opponent who has left."""
SPENT = {
    BYE: "bye",
    ASKED: "bye, asked for",
    ANNOUNCED: "absent, announced",
    MISSED: "absent",
    LATE: "not there yet",
    GONE: "withdrawn",
    FREE: "free",
    WALKOVER: "no opponent: withdrawn",
}
"""Reason for a round without a game -> the reason in words."""


@dataclass
class Entrant:
    """An entrant. ``commits`` and ``plays``: by draw (of lots). In a list, the newest entry is last."""

    entry: str  # id of the entry, never changed
    name: str
    guest: bool
    shown: bool  # False: public pages show only the number
    keys: list[tuple[int, str]]  # (first log paper of the key, key)
    names: list[tuple[int, str]] = field(default_factory=list)  # as keys; empty without a substitute
    commits: dict[int, tuple[str, str]] = field(default_factory=dict)  # (commitment, key)
    plays: dict[int, str] = field(default_factory=dict)  # wishes for rounds
    number: str = ""  # given by the first draw
    joined: int = 1  # first round
    left: int = -1  # last round before a withdrawal
    out: str = ""  # reason for never getting a number
    substituted: int = 0  # log paper of the latest substitution

    @property
    def key(self) -> str:
        """The key that the entrant has after the newest log paper."""
        return self.keys[-1][1]

    def key_at(self, seq: int) -> str:
        """Return the key that an entrant had when log paper number ``seq`` was signed."""
        return next((key for since, key in reversed(self.keys) if since <= seq), self.keys[0][1])

    @property
    def called(self) -> str:
        """The name for pages and tables: all players who had the entrant number. If hidden, the number itself."""
        if self.shown:
            return ", then ".join(name for _since, name in self.names) or self.name
        return f"number {self.number}" if self.number else "an entrant"

    def name_at(self, seq: int) -> str:
        """Return the name of the player when log paper number ``seq`` was signed."""
        return next((name for since, name in reversed(self.names) if since <= seq), self.name)

    def gone(self, round_: int) -> bool:
        """Return whether the entrant withdrew before a round began."""
        return 0 <= self.left < round_


@dataclass
class Draw:
    """A drawing of lots: the entrants who take part (its field), their revealed secrets, and the seed."""

    number: int
    entries: tuple[str, ...]
    seq: int
    witness: str = ""  # commitment of the witness
    openings: dict[str, Paper] = field(default_factory=dict)  # by entry
    named: tuple[str, ...] = ()  # entries named as missing
    warned: int = -1  # log paper "missing"
    closed: int = -1  # log paper "closed"
    reveal: Paper | None = None
    drawn: int = -1  # log paper "drawn"
    seed: bytes = b""
    missing: tuple[str, ...] = ()  # entries without a counted opening


@frozen
class Outcome:
    """The result or adjournment of a board."""

    winner: str  # a side, DRAWN_GAME or NOBODY
    how: str
    margin: int | None
    game: str
    head: str
    by: str  # method of judgement, "" for a finished game
    seq: int  # log paper, or its correction

    @property
    def counts_as_played(self) -> bool:
        """Whether the game ended by play or by agreement. A forfeit does not count as played."""
        return self.how != FORFEIT

    @property
    def final(self) -> bool:
        """Whether the outcome is a result. An adjournment is not a result."""
        return self.by != ADJOURNED


@dataclass
class Board:
    """One game of a round."""

    name: str
    round: int
    system: int
    sides: dict[str, str]  # number by side
    seq: int
    sides_known: bool = True  # False: bids are due
    paid: dict[str, int] = field(default_factory=dict)  # victory points paid by a bid, by side
    game: str = ""  # message 0
    game_seq: int = -1  # log paper
    outcome: Outcome | None = None
    sealed: dict[str, Paper] = field(default_factory=dict)
    bids_seq: int = -1
    unopened: list[str] = field(default_factory=list)

    @property
    def meeting(self) -> str:
        """The name of a meeting of two entrants: its board's name without the last letter (a, b or c)."""
        return self.name.rstrip("abc")

    @property
    def numbers(self) -> tuple[str, str]:
        """The entrant numbers of the players, the first side's number first."""
        first, second = self.sides.values()
        return first, second

    @property
    def decided(self) -> bool:
        """Whether the board has an outcome. An adjournment is also an outcome."""
        return self.outcome is not None

    def side_of(self, number: str) -> str:
        """Return the side of the entrant with a number. Raises StopIteration if the entrant plays on another board."""
        return next(side for side, who in self.sides.items() if who == number)

    def against(self, number: str) -> str:
        """Return the entrant number of the opponent. ``number``: the entrant's own number."""
        return next(who for who in self.sides.values() if who != number)


@dataclass
class Round:
    """A paired round, or the deciding games of a round (``method`` decider/1)."""

    number: int
    seq: int
    time: str
    method: str
    due: str
    boards: list[str]
    spent: dict[str, str]  # numbers without a game: the reason
    walkovers: dict[str, str] = field(default_factory=dict)  # number -> absent opponent


@dataclass
class Clock:
    """Time that the director has given to an entrant or ``all``: more days, or no deadline before ``until``."""

    seq: int
    time: str
    who: str
    days: int
    until: str
    said: int = 0  # log paper of the latest correction


@dataclass
class Book:
    """The state of a tournament by its log."""

    rules: Rules
    papers: dict[str, Paper] = field(repr=False)  # available papers of players, by id
    log: list[Paper] = field(default_factory=list, repr=False)
    received: dict[str, int] = field(default_factory=dict, repr=False)
    refused: dict[str, int] = field(default_factory=dict)
    void: dict[str, str] = field(default_factory=dict)
    others: dict[str, Paper] = field(default_factory=dict, repr=False)  # the director's papers on other lines, by id
    voided: dict[str, int] = field(default_factory=dict)  # their ids, with the log paper that named them
    entrants: dict[str, Entrant] = field(default_factory=dict)
    numbers: dict[str, str] = field(default_factory=dict)
    draws: list[Draw] = field(default_factory=list)
    commit: str = ""
    witness: dict[int, str] = field(default_factory=dict)
    rounds: list[Round] = field(default_factory=list)
    boards: dict[str, Board] = field(default_factory=dict)
    clocks: list[Clock] = field(default_factory=list)
    signed: dict[tuple[str, str], list[Paper]] = field(default_factory=dict)  # by (type, subject)
    tables: dict[int, str] = field(default_factory=dict)  # announced hashes by round
    announced: dict[int, Any] = field(default_factory=dict, repr=False)  # tables until a correction
    ties: dict[int, list[tuple[str, str]]] = field(default_factory=dict)  # of a knock-out, by round
    finalists: list[str] = field(default_factory=list)  # once paired
    ended: bool = False

    @property
    def id(self) -> str:
        """The id of the tournament, as 64 hex digits."""
        return self.rules.id

    @property
    def head(self) -> Paper:
        """The newest log paper."""
        return self.log[-1]

    @property
    def signed_log(self) -> dict[str, Paper]:
        """All papers that the director has signed for this log or for another version of the log, by id."""
        return {**self.others, **{paper.id: paper for paper in self.log}}

    def log_head(self) -> dict[str, str]:
        """Return the number and the id of the newest log paper, as fields of a paper."""
        return {"seq": str(self.head.seq), "id": self.head.id}

    @property
    def next_draw(self) -> int:
        """The number of the first draw that is not closed for entrants yet."""
        return len(self.draws)

    @property
    def begun(self) -> Draw | None:
        """The draw that gave the entrants their numbers, or None before this draw."""
        return next((draw for draw in self.draws if draw.seed), None)

    @property
    def seed(self) -> bytes:
        """The seed of the newest finished draw (32 bytes), or 32 zero bytes before the first draw."""
        return next((draw.seed for draw in reversed(self.draws) if draw.seed), bytes(32))

    @property
    def round(self) -> int:
        """The number of the newest round, or 0 before the first round."""
        return self.rounds[-1].number if self.rounds else 0

    def board_of(self, game: str) -> Board | None:
        """Return the board of a game, or None before the log names the game."""
        return next((board for board in self.boards.values() if board.game == game), None)

    def entrant(self, number: str) -> Entrant:
        """Return the entrant with an entrant number. Raises KeyError for an unknown number."""
        return self.entrants[self.numbers[number]]

    def ranked(self) -> list[Entrant]:
        """Return the entrants without guests, sorted by entrant number."""
        return [self.entrant(number) for number in sorted(self.numbers, key=number_order) if not number.startswith("g")]

    def guests(self) -> list[Entrant]:
        """Return the guests, sorted by number."""
        return [self.entrant(number) for number in sorted(self.numbers, key=number_order) if number.startswith("g")]

    def by_key(self, key: str) -> Entrant | None:
        """Return the entrant who now uses a key, or None."""
        return next((entrant for entrant in self.entrants.values() if entrant.key == key and not entrant.out), None)

    def of_round(self, number: int) -> Iterator[Board]:
        """Return the boards of a round, including boards of deciding games."""
        return (board for board in self.boards.values() if board.round == number)

    def undecided(self) -> list[Board]:
        """Return the boards without an outcome."""
        return [board for board in self.boards.values() if not board.decided]

    def going(self) -> list[Board]:
        """Return the boards without an outcome, and the boards that are adjourned."""
        return [board for board in self.boards.values() if board.outcome is None or not board.outcome.final]

    def absent_from(self, board: Board) -> list[str]:
        """Return the sides of a board whose players withdrew, or were replaced, after the pairing."""
        there = [(side, self.entrant(number)) for side, number in board.sides.items()]
        return [side for side, entrant in there if entrant.left >= 0 or entrant.substituted > board.seq]

    def of_kind(self, kind: str, about: str) -> list[Paper]:
        """Return the acknowledged papers of a type about a board or an entrant number, in order of arrival."""
        return self.signed.get((kind, about), [])

    def of_entrant(self, kind: str, entrant: Entrant) -> list[Paper]:
        """Return an entrant's acknowledged papers of a type. Papers from before the entrants' numbering come first."""
        return [*self.of_kind(kind, entrant.entry), *(self.of_kind(kind, entrant.number) if entrant.number else ())]
