"""A tournament in memory: its log, its people and their secrets, without folders, letters and games.

Tests record results directly. The director's own functions do the rest.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from kursk_pbem.audit.one_file import Finding
from kursk_pbem.audit.played import Played
from kursk_pbem.formats import times
from kursk_pbem.tournament import chance
from kursk_pbem.tournament.book import draws, plan, reading
from kursk_pbem.tournament.book.people import find_open_draw
from kursk_pbem.tournament.director import rounds, setup
from kursk_pbem.tournament.pairing import solve as solving
from kursk_pbem.tournament.papers import fields, forms, store
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.records import DRAWN_GAME, Board, Book, Entrant
from kursk_pbem.trust import keys, sshsig
from kursk_pbem.trust.keys import Signer

START = "2027-01-01T12:00:00Z"
NONCE = bytes(range(32))


def key_of(name: str) -> Signer:
    """Return a key that depends on a name."""
    return keys.from_seed(name.encode().ljust(32, b".")[:32])


def secret_of(name: str) -> bytes:
    return (b"secret of " + name.encode()).ljust(32, b".")[:32]


def make_finding(book: Book, board: Board) -> Finding:
    """Return a verified game played with the players' keys at its beginning."""
    keys = {side: book.entrant(number).key_at(board.game_seq) for side, number in board.sides.items()}
    played = Played({"keys": keys}, (), over=True, winner="", how="", bound=True, owes="", margin=None)
    return Finding("", 0, "", played=played)


@dataclass
class Ledger:
    """The director's log in memory. ``form``: unusual fields of the rules; None removes a field."""

    format: str = "swiss"
    rounds_: int = 3
    form: dict[str, Any] = field(default_factory=dict)
    scenarios: tuple[str, ...] = ("battle-for-kursk/citadel",)
    time: str = START
    done: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    solve: Any = solving.solve_round

    @cached_property
    def signer(self) -> Signer:
        return key_of("director")

    @cached_property
    def record(self) -> Any:
        return SimpleNamespace(secret=secret_of("director"))

    @cached_property
    def book(self) -> Book:
        wish = setup.RulesOptions("Spring", self.format, self.scenarios, self.rounds_ if self.format == "swiss" else 0)
        said = {**setup.usual_rules(wish), **self.form}
        said = {name: value for name, value in said.items() if value is not None}
        first = chance.derive_opening(secret_of("director"), 0)
        commit = chance.compute_commitment(NONCE, sshsig.public_key(self.signer.public), 0, first).hex()
        head = {"kursk-tournament": "2", "type": "rules", "seq": "0", "from": "director", "time": self.time}
        head |= {"nonce": NONCE.hex(), "key": self.signer.public, "commit": commit, "program": "test", "times": "log"}
        return reading.open_log([forms.sign_paper({**head, **said}, self.signer, "log/0000.yaml")], {})

    def now(self) -> str:
        return self.time

    def later(self, days: int) -> Ledger:
        self.time = times.add_days(self.time, days)
        return self

    def compose(self, kind: str, said: dict[str, Any], time: str = "") -> Paper:
        seq = len(self.book.log)
        head = {"kursk-tournament": "2", "type": kind, "tournament": self.book.id, "seq": str(seq)}
        head |= {"prev": self.book.head.id, "from": "director", "time": time or self.time}
        return forms.sign_paper({**head, **said}, self.signer, f"log/{seq:04d}.yaml")

    def sign(self, kind: str, said: dict[str, Any], words: str = "", time: str = "") -> Paper:
        """Sign a log paper and add it, as the director's desk does."""
        paper = self.compose(kind, said, time)
        reading.check_link(self.book.rules.key, self.book.head, paper)
        reading.apply_paper(self.book, paper, self.solve)
        self.done.append(words or kind)
        return paper

    # People

    def player(self, kind: str, name: str, said: dict[str, Any], seen: int | None = None, **more: Any) -> Paper:
        """Return a paper signed by a person, not acknowledged yet."""
        log = self.book.log[-1 if seen is None else seen]
        head = {"kursk-tournament": "2", "type": kind, "tournament": self.book.id, "from": key_of(name).public}
        head |= {"seen": {"seq": str(log.seq), "id": log.id}, "time": self.time}
        return forms.sign_paper({**head, **said}, key_of(name), f"{kind} of {name}", **more)

    def commit(self, name: str, draw: int) -> str:
        secret = chance.derive_opening(secret_of(name), draw)
        key = sshsig.public_key(key_of(name).public)
        return chance.compute_commitment(bytes.fromhex(self.book.id), key, draw, secret).hex()

    def entry(self, name: str, draw: int = 0, **more: str) -> Paper:
        said = {"name": name, "draw": str(draw), "commit": self.commit(name, draw), **more}
        return self.player(fields.ENTRY, name, said)

    def wish(self, name: str, plays: str, draw: int | None = None) -> Paper:
        """Return a person's wish to play or skip a round, usually of the next draw."""
        draw = self.book.next_draw if draw is None else draw
        return self.player(fields.PLAYS, name, {"draw": str(draw), "plays": plays})

    def witness(self, draw: int, name: str = "witness") -> Paper:
        return self.player(fields.WITNESS, name, {"draw": str(draw), "commit": self.commit(name, draw)})

    def reveal(self, draw: int, name: str = "witness", seen: int | None = None) -> Paper:
        following = max(draw + 1, self.book.next_draw)
        said = {"draw": str(draw), "open": chance.derive_opening(secret_of(name), draw).hex(), "next": str(following)}
        return self.player(fields.REVEAL, name, {**said, "commit": self.commit(name, following)}, seen)

    def opening(self, name: str, draw: int, after: int | None = None, **more: Any) -> Paper:
        """Return an opening; ``after``: the draw to commit for."""
        following = max(draw + 1, self.book.next_draw) if after is None else after
        secret = chance.derive_opening(secret_of(name), draw).hex()
        said = {"draw": str(draw), "open": secret, "next": str(following), "commit": self.commit(name, following)}
        return self.player(fields.OPEN, name, {**said, "games": [], **more})

    def receive(self, *found: Paper) -> None:
        """Acknowledge papers as the director."""
        self.book.papers.update({paper.id: paper for paper in found})
        self.sign(fields.RECEIVED, {"papers": [paper.id for paper in found]})

    def enter(self, names: Iterable[str], **more: str) -> Ledger:
        self.receive(*(self.entry(name, **more) for name in names))
        return self

    def name_of(self, entrant: Entrant) -> str:
        return next(name for name in (entrant.name, *self.names.values()) if key_of(name).public == entrant.key)

    def of(self, name: str) -> Entrant:
        """Return the entrant with the key of a name."""
        found = self.book.by_key(key_of(name).public)
        assert found is not None
        return found

    # Consequences

    def close(self) -> None:
        rounds.close_field(self)  # type: ignore[arg-type]

    def open_field(self, silent: Iterable[str] = ()) -> None:
        """Close the field of the next draw, and open for all of the field except the silent."""
        self.close()
        self.open_all(silent)

    def draw_field(self, silent: Iterable[str] = ()) -> None:
        """Close the field, open for all except the silent, and draw."""
        self.open_field(silent)
        self.draw()

    def open_all(self, silent: Iterable[str] = ()) -> None:
        """Open for all entrants in the field of the open draw, except the silent."""
        draw = find_open_draw(self.book)
        assert draw is not None
        there = [self.book.entrants[entry].name for entry in draw.entries]
        found = [self.opening(self.names.get(name, name), draw.number) for name in there if name not in silent]
        if found:
            self.receive(*found)

    def warn(self) -> None:
        """Name the missing entrants as the director."""
        draw = find_open_draw(self.book)
        assert draw is not None
        absent = sorted(set(draw.entries) - set(draw.openings))
        self.sign(fields.MISSING, {"draw": str(draw.number), "entrants": absent})

    def close_draw(self) -> None:
        """Fix the openings that count, after a warning and the end of the deadline if an opening is missing."""
        draw = find_open_draw(self.book)
        assert draw is not None
        if set(draw.entries) - set(draw.openings):
            if draw.warned < 0:
                self.time = max(self.time, times.add_days(draws.answers_until(self.book, draw), -draws.NOTICE))
                self.warn()
            self.time = max(self.time, times.add_days(draws.closes_at(self.book, draw), 1))
        rounds.close_draw(self, draw)  # type: ignore[arg-type]

    def draw(self) -> None:
        draw = find_open_draw(self.book)
        assert draw is not None
        if draw.closed < 0:
            self.close_draw()
        rounds.log_drawn(self, draw)  # type: ignore[arg-type]

    def begin(self, names: Iterable[str]) -> Ledger:
        """Enter the names, close the first draw, pair the first round."""
        self.enter(names)
        self.draw_field()
        rounds.pair_round(self)  # type: ignore[arg-type]
        return self

    def pair(self) -> None:
        rounds.pair_round(self)  # type: ignore[arg-type]

    def bids(self) -> None:
        rounds.log_bids(self)  # type: ignore[arg-type]

    def announce(self) -> None:
        rounds.announce_table(self)  # type: ignore[arg-type]

    def next_round(self, silent: Iterable[str] = (), plays: dict[str, str] | None = None) -> None:
        """Announce the standings, and for a Swiss close the draw; then pair the next round."""
        self.announce()
        if self.book.rules.format == "swiss":
            if plays:
                self.receive(*(self.wish(name, said) for name, said in plays.items()))
            self.draw_field(silent)
        self.pair()

    def game(self, board: str, id_: str = "") -> str:
        id_ = id_ or chance.draw_lot(bytes(32), "game", board).hex()
        self.sign(fields.GAME, {"board": board, "game": id_})
        return id_

    def result(self, board: str, winner: str = "", how: str = "win", margin: int | None = None) -> None:
        """Record the result of a board; the winner is a side, a draw, or '' for the first side."""
        place = self.book.boards[board]
        game = place.game or self.game(board)
        said = {"board": board, "game": game, "head": chance.draw_lot(bytes(32), "head", board).hex()}
        said |= {"winner": winner or next(iter(place.sides)), "how": how}
        self.sign(fields.RESULT, {**said, **({} if margin is None else {"margin": str(margin)})})

    def results(self, winners: dict[str, str] | None = None, margins: dict[str, int] | None = None) -> None:
        """Record results of all open boards; the first side wins by default."""
        for name, board in list(self.book.boards.items()):
            if not board.decided:
                self.result(name, (winners or {}).get(name, ""), margin=(margins or {}).get(name))

    def end_round(self, winners: dict[str, str] | None = None) -> None:
        """Record the results of all open boards, and announce the standings."""
        self.results(winners)
        self.announce()

    def withdraw(self, number: str) -> None:
        """Record that the player of a number leaves: the player's paper, and the director's."""
        paper = self.player(fields.WITHDRAW, self.name_of(self.book.entrant(number)), {})
        self.receive(paper)
        self.sign(fields.WITHDRAWN, {"number": number, "why": "ill", "papers": [paper.id]})

    def save(self, folder: Path) -> Path:
        """Write the folder of the tournament as published, without games."""
        for paper in self.book.log:
            store.write_paper(store.log_path(folder, paper.seq), paper)
        for paper in self.book.papers.values():
            store.write_paper(store.paper_path(folder, paper), paper)
        return folder

    def lie(self, kind: str, said: dict[str, Any], time: str = "") -> Paper:
        """Sign the next log paper without checks; the book does not apply the paper."""
        paper = self.compose(kind, said, time)
        self.book.log.append(paper)
        return paper

    def play(self, choose: Any) -> Ledger:
        """Play the whole tournament: ``choose(board)`` returns winner and margin of a board."""
        while True:
            for name, board in list(self.book.boards.items()):
                if not board.decided:
                    winner, margin = choose(board)
                    self.result(name, winner, margin=margin)
            if plan.find_level_ties(self.book):
                self.pair()
                continue
            self.announce()
            if plan.find_hindrance(self.book) == plan.NO_ROUND:
                return self
            if self.book.rules.format == "swiss" and self.book.round < self.book.rules.rounds:
                self.draw_field()
            self.pair()


PEOPLE = [f"player-{number:02d}" for number in range(1, 17)]


def by_chance(seed, draws=0.2):
    """Return a random chooser of results."""
    rng = random.Random(seed)

    def choose(board):
        if rng.random() < draws:
            return DRAWN_GAME, 0
        side = rng.choice(list(board.sides))
        return side, rng.randrange(1, 9) * (1 if side == next(iter(board.sides)) else -1)

    return choose


def by_number(board):
    """Let the lower number win by the difference of the numbers."""
    first, second = map(int, board.numbers)
    return (next(iter(board.sides)) if first < second else list(board.sides)[1]), second - first
