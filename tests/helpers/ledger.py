"""A tournament in memory: its log, its people and their secrets, without folders, letters and games.

Results are simply put down. The director's own functions do what follows by itself.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from kursk_pbem.formats import times
from kursk_pbem.tournament import chance
from kursk_pbem.tournament.book import draws, plan, reading
from kursk_pbem.tournament.book.people import find_open_draw
from kursk_pbem.tournament.book.records import DRAWN_GAME, Book, Entrant
from kursk_pbem.tournament.director import rounds, setup
from kursk_pbem.tournament.pairing import solve as solving
from kursk_pbem.tournament.papers import fields, forms, store
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.trust import keys, sshsig
from kursk_pbem.trust.keys import Signer

START = "2027-01-01T12:00:00Z"
NONCE = bytes(range(32))


def key_of(name: str) -> Signer:
    """A key that follows from a name."""
    return keys.from_seed(name.encode().ljust(32, b".")[:32])


def secret_of(name: str) -> bytes:
    return (b"secret of " + name.encode()).ljust(32, b".")[:32]


@dataclass
class Ledger:
    """The director's log in memory. ``form``: fields of the rules that are not the usual ones; None leaves one out."""

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
        head |= {"nonce": NONCE.hex(), "key": self.signer.public, "commit": commit, "program": "test"}
        return reading.begin_book(forms.sign_paper({**head, **said}, self.signer, "log/0000.yaml"), {})

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
        """As the director's desk does it."""
        paper = self.compose(kind, said, time)
        reading.check_link(self.book.rules.key, self.book.head, paper)
        reading.apply_paper(self.book, paper, self.solve)
        self.done.append(words or kind)
        return paper

    # People

    def player(self, kind: str, name: str, said: dict[str, Any], seen: int | None = None, **more: Any) -> Paper:
        """A paper that somebody signs; nobody has acknowledged it yet."""
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
        """Whether somebody plays the round of a draw, usually the next one."""
        draw = self.book.next_draw if draw is None else draw
        return self.player(fields.PLAYS, name, {"draw": str(draw), "plays": plays})

    def witness(self, draw: int, name: str = "witness") -> Paper:
        return self.player(fields.WITNESS, name, {"draw": str(draw), "commit": self.commit(name, draw)})

    def reveal(self, draw: int, name: str = "witness", seen: int | None = None) -> Paper:
        following = max(draw + 1, self.book.next_draw)
        said = {"draw": str(draw), "open": chance.derive_opening(secret_of(name), draw).hex(), "next": str(following)}
        return self.player(fields.REVEAL, name, {**said, "commit": self.commit(name, following)}, seen)

    def opening(self, name: str, draw: int, after: int | None = None, **more: Any) -> Paper:
        """An opening; ``after``: the draw for which it commits."""
        following = max(draw + 1, self.book.next_draw) if after is None else after
        secret = chance.derive_opening(secret_of(name), draw).hex()
        said = {"draw": str(draw), "open": secret, "next": str(following), "commit": self.commit(name, following)}
        return self.player(fields.OPEN, name, {**said, "games": [], **more})

    def receive(self, *found: Paper) -> None:
        """The director acknowledges papers."""
        self.book.papers.update({paper.id: paper for paper in found})
        self.sign(fields.RECEIVED, {"papers": [paper.id for paper in found]})

    def enter(self, names: Iterable[str], **more: str) -> Ledger:
        self.receive(*(self.entry(name, **more) for name in names))
        return self

    def name_of(self, entrant: Entrant) -> str:
        return next(name for name in (entrant.name, *self.names.values()) if key_of(name).public == entrant.key)

    def of(self, name: str) -> Entrant:
        """Who has the key of a name now."""
        found = self.book.by_key(key_of(name).public)
        assert found is not None
        return found

    # What follows

    def close(self) -> None:
        rounds.close_field(self)  # type: ignore[arg-type]

    def open_all(self, silent: Iterable[str] = ()) -> None:
        """Everybody in the field of the open draw opens, but the silent."""
        draw = find_open_draw(self.book)
        assert draw is not None
        there = [self.book.entrants[entry].name for entry in draw.entries]
        found = [self.opening(self.names.get(name, name), draw.number) for name in there if name not in silent]
        if found:
            self.receive(*found)

    def warn(self) -> None:
        """The director names who is missing."""
        draw = find_open_draw(self.book)
        assert draw is not None
        absent = sorted(set(draw.entries) - set(draw.opened()))
        self.sign(fields.MISSING, {"draw": str(draw.number), "entrants": absent})

    def close_draw(self) -> None:
        """The openings that count are fixed; who is missing is named before, and has until the end of the term."""
        draw = find_open_draw(self.book)
        assert draw is not None
        if set(draw.entries) - set(draw.opened()):
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
        """Entries, the first draw, the first round."""
        self.enter(names)
        self.close()
        self.open_all()
        self.draw()
        rounds.pair_round(self)  # type: ignore[arg-type]
        return self

    def pair(self) -> None:
        rounds.pair_round(self)  # type: ignore[arg-type]

    def bids(self) -> None:
        rounds.log_bids(self)  # type: ignore[arg-type]

    def announce(self) -> None:
        rounds.announce_table(self)  # type: ignore[arg-type]

    def next_round(self, silent: Iterable[str] = (), plays: dict[str, str] | None = None) -> None:
        """Standings, and for a Swiss the draw; then the next round."""
        self.announce()
        if self.book.rules.format == "swiss":
            if plays:
                self.receive(*(self.wish(name, said) for name, said in plays.items()))
            self.close()
            self.open_all(silent)
            self.draw()
        self.pair()

    def game(self, board: str, id_: str = "") -> str:
        id_ = id_ or chance.draw_lot(bytes(32), "game", board).hex()
        self.sign(fields.GAME, {"board": board, "game": id_})
        return id_

    def result(self, board: str, winner: str = "", how: str = "win", margin: int | None = None) -> None:
        """Put down how a board ended; the winner is a side, draw, or '' for the first side."""
        place = self.book.boards[board]
        game = place.game or self.game(board)
        said = {"board": board, "game": game, "head": chance.draw_lot(bytes(32), "head", board).hex()}
        said |= {"winner": winner or next(iter(place.sides)), "how": how}
        self.sign(fields.RESULT, {**said, **({} if margin is None else {"margin": str(margin)})})

    def results(self, winners: dict[str, str] | None = None, margins: dict[str, int] | None = None) -> None:
        """Put down results of all open boards: the first side wins where nothing else is said."""
        for name, board in list(self.book.boards.items()):
            if not board.decided:
                self.result(name, (winners or {}).get(name, ""), margin=(margins or {}).get(name))

    def save(self, folder: Path) -> Path:
        """The folder of this tournament, as a director publishes it; no games in it."""
        for paper in self.book.log:
            store.write_paper(store.log_path(folder, paper.seq), paper)
        for paper in self.book.papers.values():
            store.write_paper(store.paper_path(folder, paper), paper)
        return folder

    def lie(self, kind: str, said: dict[str, Any], time: str = "") -> Paper:
        """Sign the next log paper and hold it against nothing; the book does not take it."""
        paper = self.compose(kind, said, time)
        self.book.log.append(paper)
        return paper

    def play(self, choose: Any) -> Ledger:
        """The whole tournament: ``choose(board)`` gives winner and margin of each board."""
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
                self.close()
                self.open_all()
                self.draw()
            self.pair()


PEOPLE = [f"player-{number:02d}" for number in range(1, 17)]


def by_chance(seed, draws=0.2):
    """A chooser of results: winner and margin of a board."""
    rng = random.Random(seed)

    def choose(board):
        if rng.random() < draws:
            return DRAWN_GAME, 0
        side = rng.choice(list(board.sides))
        return side, rng.randrange(1, 9) * (1 if side == next(iter(board.sides)) else -1)

    return choose


def by_number(board):
    """The lower number wins, by as much as it is lower."""
    first, second = map(int, board.numbers)
    return (next(iter(board.sides)) if first < second else list(board.sides)[1]), second - first
