"""What the log says so far: a plain record that only the modules of this room write, paper by paper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from kursk_pbem.tournament.pairing.sides import order
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.rules import Rules

DRAWN_GAME, NOBODY = "draw", "nobody"
"""What stands in ``winner`` where it is no side."""
WITHDREW, ADJOURNED, SILENCE, WORD, AGREED, POINTS = "withdrawn", "adjourned", "silence", "word", "agree", "points"
"""By what an unfinished game is judged."""
FORFEIT = "forfeit"

PLAYED, BYE, ASKED, ANNOUNCED, MISSED = "played", "bye", "asked", "announced", "missed"
LATE, GONE, FREE, WALKOVER = "late", "gone", "free", "walkover"
"""How somebody spends a round: with a game, a bye, a bye that they asked for, absent with a word or without one; before
they came, after they left; free by the table of a round robin, or because the one they should meet has left."""
SPENT = {
    BYE: "bye",
    ASKED: "bye, asked for",
    ANNOUNCED: "absent, announced",
    MISSED: "absent",
    LATE: "not there yet",
    GONE: "withdrawn",
    FREE: "free",
    WALKOVER: "no opponent: they have left",
}
"""How a round without a game is spent, in words."""


@dataclass
class Entrant:
    """One who has entered. ``entry``: the id of the entry, which stays whoever plays; ``number`` from the draw on.

    ``keys``: (number of the log paper from which it counts, key), the newest last. ``commits``: draw -> (commitment,
    key). ``names``: as ``keys``, for who has played. ``plays``: draw -> the wish for its round.
    ``joined``: the first round; ``left``: the last round before they
    withdrew, -1 while they have not. ``out``: why they never got a number.
    """

    entry: str
    name: str
    guest: bool
    shown: bool
    keys: list[tuple[int, str]]
    names: list[tuple[int, str]] = field(default_factory=list)
    commits: dict[int, tuple[str, str]] = field(default_factory=dict)
    plays: dict[int, str] = field(default_factory=dict)
    number: str = ""
    joined: int = 1
    left: int = -1
    out: str = ""
    substituted: int = 0

    @property
    def key(self) -> str:
        """Whose it is now."""
        return self.keys[-1][1]

    def key_at(self, seq: int) -> str:
        """Whose it was when log paper ``seq`` was written."""
        return next((key for since, key in reversed(self.keys) if since <= seq), self.keys[0][1])

    @property
    def called(self) -> str:
        """What pages and tables call it: everybody who has played, or the number if they wish so."""
        if self.shown:
            return ", then ".join(name for _since, name in self.names) or self.name
        return f"number {self.number}" if self.number else "an entrant"

    def name_at(self, seq: int) -> str:
        """Who played for it when log paper ``seq`` was written."""
        return next((name for since, name in reversed(self.names) if since <= seq), self.name)

    def gone(self, round_: int) -> bool:
        """Whether they had withdrawn before a round."""
        return 0 <= self.left < round_


@dataclass
class Draw:
    """One draw: the entries that take part, their openings (entry -> papers), who did not open; then its seed.

    ``witness``: what the witness committed to, '' without one. ``named``, ``warned``: the entries that ``missing``
    names, and its number. ``closed``, ``drawn``: numbers of these log papers.
    """

    number: int
    entries: tuple[str, ...]
    seq: int
    witness: str = ""
    openings: dict[str, list[Paper]] = field(default_factory=dict)
    named: tuple[str, ...] = ()
    warned: int = -1
    closed: int = -1
    reveal: Paper | None = None
    drawn: int = -1
    seed: bytes = b""
    missing: tuple[str, ...] = ()

    @property
    def void(self) -> bool:
        """Whether it came to nothing, as in version 1 if too many did not open."""
        return self.drawn >= 0 and not self.seed

    def opened(self) -> dict[str, Paper]:
        """Entry -> the one opening of it; whoever sent two different ones has lost the place in this draw."""
        return {entry: papers[0] for entry, papers in self.openings.items() if len(papers) == 1}


@dataclass(frozen=True)
class Outcome:
    """How a board ended: ``winner`` a side, DRAWN_GAME or NOBODY; ``by`` how it was judged, '' for a played game.

    ``seq``: the log paper that says so, a correction if there is one.
    """

    winner: str
    how: str
    margin: int | None
    game: str
    head: str
    by: str
    seq: int

    @property
    def counts_as_played(self) -> bool:
        """Whether it came about on the board or by agreement about it: no forfeit, nobody's absence."""
        return self.how != FORFEIT

    @property
    def final(self) -> bool:
        """Whether nothing is awaited any more."""
        return self.by != ADJOURNED


@dataclass
class Board:
    """One game of a round. ``sides``: side -> number; ``paid``: side -> victory points given away by a bid.

    ``games``: (id of message 0, log paper that names it), the newest last. ``sides_known``: no bids are awaited.
    """

    name: str
    round: int
    system: int
    sides: dict[str, str]
    seq: int
    sides_known: bool = True
    paid: dict[str, int] = field(default_factory=dict)
    games: list[tuple[str, int]] = field(default_factory=list)
    outcome: Outcome | None = None
    sealed: dict[str, Paper] = field(default_factory=dict)
    bids_seq: int = -1
    unopened: list[str] = field(default_factory=list)

    @property
    def meeting(self) -> str:
        """The meeting that it is part of: its name without the letter."""
        return self.name.rstrip("abc")

    @property
    def numbers(self) -> tuple[str, str]:
        """Who plays, first side first."""
        first, second = self.sides.values()
        return first, second

    @property
    def game(self) -> str:
        """The game that counts, '' before it has begun."""
        return self.games[-1][0] if self.games else ""

    @property
    def decided(self) -> bool:
        """Whether it has an outcome, be it that it goes on and counts as a draw so far."""
        return self.outcome is not None

    def side_of(self, number: str) -> str:
        """The side of an entrant. StopIteration for one who does not play here."""
        return next(side for side, who in self.sides.items() if who == number)

    def against(self, number: str) -> str:
        """The opponent of an entrant."""
        return next(who for who in self.sides.values() if who != number)


@dataclass
class Round:
    """One paired round, or one with the deciding games of a round (``method`` decider/1).

    ``spent``: number -> how those spend it who have no game. ``walkovers``: number -> who should have met them there.
    """

    number: int
    seq: int
    time: str
    method: str
    due: str
    boards: list[str]
    spent: dict[str, str]
    walkovers: dict[str, str] = field(default_factory=dict)


@dataclass
class Clock:
    """Time that the director gave: to a number or ``all``; so many days more, or no term before ``until``.

    ``said``: the number of the paper that says it now, where that is a correction; otherwise 0.
    """

    seq: int
    time: str
    who: str
    days: int
    until: str
    said: int = 0


@dataclass
class Book:
    """A tournament as its log says so far. ``papers``: every player's paper that is here, by id.

    ``signed``: (type, what it is about) -> acknowledged papers. ``tables``: round -> hash of the standings announced.
    ``announced``: round -> the whole table, as long as no result in it is corrected. ``witness``: draw -> what the
    witness committed to. ``scheduled``: number -> meetings that a round robin holds for them.
    ``ties``: round of a knock-out -> its ties as they were paired, a free place too. ``finalists``: who plays the
    finals after pods, once they are paired.
    """

    rules: Rules
    papers: dict[str, Paper] = field(repr=False)
    log: list[Paper] = field(default_factory=list, repr=False)
    received: dict[str, int] = field(default_factory=dict, repr=False)
    refused: dict[str, int] = field(default_factory=dict)
    void: dict[str, str] = field(default_factory=dict)
    entrants: dict[str, Entrant] = field(default_factory=dict)
    numbers: dict[str, str] = field(default_factory=dict)
    draws: list[Draw] = field(default_factory=list)
    commit: str = ""
    witness: dict[int, str] = field(default_factory=dict)
    rounds: list[Round] = field(default_factory=list)
    boards: dict[str, Board] = field(default_factory=dict)
    clocks: list[Clock] = field(default_factory=list)
    signed: dict[tuple[str, str], list[Paper]] = field(default_factory=dict)
    tables: dict[int, str] = field(default_factory=dict)
    announced: dict[int, Any] = field(default_factory=dict, repr=False)
    scheduled: dict[str, int] = field(default_factory=dict)
    ties: dict[int, list[tuple[str, str]]] = field(default_factory=dict)
    finalists: list[str] = field(default_factory=list)
    ended: bool = False

    @property
    def id(self) -> str:
        """The tournament, 64 hex digits."""
        return self.rules.id

    @property
    def head(self) -> Paper:
        """The newest log paper."""
        return self.log[-1]

    def log_head(self) -> dict[str, str]:
        """Return what papers say of the log: number and id of its newest paper."""
        return {"seq": str(self.head.seq), "id": self.head.id}

    @property
    def next_draw(self) -> int:
        """The number of the first draw whose field is not closed yet."""
        return len(self.draws)

    @property
    def begun(self) -> Draw | None:
        """The draw that gave the numbers, None before it."""
        return next((draw for draw in self.draws if draw.seed), None)

    @property
    def seed(self) -> bytes:
        """The newest seed, 32 bytes; zeros before the first."""
        return next((draw.seed for draw in reversed(self.draws) if draw.seed), bytes(32))

    @property
    def round(self) -> int:
        """The number of the newest round, 0 before the first."""
        return self.rounds[-1].number if self.rounds else 0

    def entrant(self, number: str) -> Entrant:
        """Who has a number. KeyError."""
        return self.entrants[self.numbers[number]]

    def ranked(self) -> list[Entrant]:
        """Everybody with a number in order of it, without guests."""
        return [self.entrant(number) for number in sorted(self.numbers, key=order) if not number.startswith("g")]

    def guests(self) -> list[Entrant]:
        """The guests in order of their numbers."""
        return [self.entrant(number) for number in sorted(self.numbers, key=order) if number.startswith("g")]

    def by_key(self, key: str) -> Entrant | None:
        """Whose key it is now, None for a stranger's."""
        return next((entrant for entrant in self.entrants.values() if entrant.key == key and not entrant.out), None)

    def of_round(self, number: int) -> Iterator[Board]:
        """The boards of a round, deciding games too."""
        return (board for board in self.boards.values() if board.round == number)

    def undecided(self) -> list[Board]:
        """The boards without any outcome."""
        return [board for board in self.boards.values() if not board.decided]

    def going(self) -> list[Board]:
        """The boards that are played on: without any outcome, or adjourned."""
        return [board for board in self.boards.values() if board.outcome is None or not board.outcome.final]

    def absent_from(self, board: Board) -> list[str]:
        """Return the sides of a board whose players have left, or handed their number on since it was paired."""
        there = [(side, self.entrant(number)) for side, number in board.sides.items()]
        since = len(self.log) if self.rules.former else board.seq
        return [side for side, entrant in there if entrant.left >= 0 or entrant.substituted > since]

    def of_kind(self, kind: str, about: str) -> list[Paper]:
        """The acknowledged papers of a type about something (a board, a number), as they came."""
        return self.signed.get((kind, about), [])

    def of_entrant(self, kind: str, entrant: Entrant) -> list[Paper]:
        """The acknowledged papers of a type by an entrant or about one, those of before the numbers first."""
        return [*self.of_kind(kind, entrant.entry), *(self.of_kind(kind, entrant.number) if entrant.number else ())]
