"""A tournament in a folder: a director and entrants, each with a place and a private folder.

Everyone uses commands and mails files; :meth:`World.post` delivers letters. Random players play the games at their
desks, and resign early unless told to continue.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from helpers import person, registry
from helpers.person import Person
from kursk_pbem.desk.deals import begin
from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.ground import clock
from kursk_pbem.desk.own import desks
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.desk.turn import play
from kursk_pbem.formats import times
from kursk_pbem.game import entropy, folders
from kursk_pbem.tournament import boards, letters, private
from kursk_pbem.tournament.book import reading
from kursk_pbem.tournament.records import Board, Book
from kursk_pbem.trust import messages

START = "2027-01-01T12:00:00Z"


@dataclass
class Participant(Person):
    """A director or entrant of a tournament, with an inbox."""

    name: str
    place: Path
    world: World = field(repr=False)
    tournament: Path = Path()

    @contextmanager
    def sitting(self, **environment: str) -> Iterator[pytest.MonkeyPatch]:
        """Run commands as this person inside the block, at the world's time."""
        with super().sitting(**environment) as patch, clock.fix_time(self.world.time):
            yield patch

    def kursk(self, *words: object, status: int | None = 0, told: str = "", answer: str = "") -> str:
        """Run a command, and note it."""
        self.world.commands.setdefault(self.name, []).append(" ".join(map(str, words)))
        return super().kursk(*words, status=status, told=told, answer=answer)

    def letters(self) -> list[Path]:
        """Return the person's unsent letters."""
        found = []
        for own in private.list_records(self.home):
            found += letters.list_unsent(own.letters)
        return found


class World:
    """A director, entrants, their mail and their time."""

    def __init__(self, root: Path, time: str = START) -> None:
        self.root, self.time = root, time
        self.commands: dict[str, list[str]] = {}
        self.director = self.person("director")
        self.entrants: dict[str, Participant] = {}
        self.rng = random.Random(7)

    def person(self, name: str) -> Participant:
        made = Participant(name, self.root / name, self)
        with entropy.fix_random_bytes(f"key of {name}"):
            made.make_key()
        return made

    def later(self, days: int) -> None:
        self.time = times.add_days(self.time, days)

    @property
    def folder(self) -> Path:
        return self.director.tournament

    def book(self, folder: Path | None = None) -> Book:
        """Return the book from the director's folder."""
        return reading.read_folder(folder or self.folder)

    # Begin of a tournament

    def new(self, *words: object, edit: dict[str, str] | None = None) -> Path:
        """Write and sign the rules as director; ``edit``: replacements in the form."""
        self.director.tournament = self.root / "spring"
        self.director.kursk("tournament", "new", self.folder, "--round", 90, *words)
        form = self.folder / "rules.yaml"
        text = form.read_text(encoding="ascii")
        for old, new in (edit or {}).items():
            assert old in text, old
            text = text.replace(old, new)
        form.write_text(text, encoding="ascii")
        with entropy.fix_random_bytes("tournament"):
            self.director.kursk("tournament", "new", self.folder, "--yes")
        return self.folder / "log" / "0000.yaml"

    def enter(self, names: Iterable[str], *more: str) -> None:
        """Enter people by the rules; their letters go to the director's inbox."""
        for name in names:
            who = self.person(name)
            self.entrants[name] = who
            rules = who.inbox / "rules.yaml"
            shutil.copyfile(self.folder / "log" / "0000.yaml", rules)
            self._enter(who, rules, *more)

    def _enter(self, who: Participant, path: Path, *more: str) -> None:
        who.kursk("tournament", "enter", path, who.name, "--dir", who.place, "--yes", *more)
        (who.tournament,) = who.place.glob("tournament-*")

    def stand_in(self, name: str, number: str) -> Participant:
        """Offer a new person as stand-in for a number; the director receives the paper."""
        who = self.entrants[name] = self.person(name)
        papers = who.inbox / "papers"
        for kind in ("log", "papers"):
            shutil.copytree(self.folder / kind, papers / kind)
        who.kursk("tournament", "stand-in", papers, number, name.title(), "--dir", who.place)
        (who.tournament,) = who.place.glob("tournament-*")
        self.collect()
        return who

    # Mail

    def post(self) -> int:
        """Deliver letters: entrants take them, the director's stay in the inbox. Return their number."""
        number = 0
        people = {letters.reader_digits(who.public): who for who in self.entrants.values()}
        for who in [self.director, *self.entrants.values()]:
            for path in who.letters():
                number += 1
                if who is self.director:
                    owner = people.get(path.name[:8])
                    if owner is not None:
                        shutil.copyfile(path, owner.inbox / path.name)
                elif path.name[:8] in people:
                    shutil.copyfile(path, people[path.name[:8]].inbox / path.name)
                else:
                    shutil.copyfile(path, self.director.inbox / f"{who.name}-{path.name}")
            self.mark_sent(who)
        return number

    def mark_sent(self, who: Participant) -> None:
        """Move the letters of a person to the sent letters."""
        for own in private.list_records(who.home):
            letters.mark_sent(own.letters)

    def take(self, *, only: Iterable[str] | None = None, silent: Iterable[str] = ()) -> None:
        """Take the tournament's mail as entrants, except for the ``silent``."""
        for name, who in self.entrants.items():
            waiting = sorted([*who.inbox.glob("*-log-*.eml"), *who.inbox.glob("*-reveal-*.eml")])
            waiting += sorted(who.inbox.glob("*-bid-open-*.eml"))
            if waiting and name not in silent and (only is None or name in only):
                who.kursk("tournament", "inbox", *waiting, "--in", who.tournament)
                for path in waiting:
                    path.unlink()

    def inbox(self, status: int = 0) -> str:
        """Take everything in the inbox as director."""
        if not any(self.director.inbox.iterdir()):
            return ""
        said = self.director.kursk("tournament", "inbox", self.director.inbox, "--in", self.folder, status=status)
        for path in self.director.inbox.iterdir():
            path.unlink()
        return said

    def inform(self) -> None:
        """Deliver the letters, and let all entrants take the director's."""
        self.post()
        self.take()

    def collect(self) -> str:
        """Deliver the letters, and take everything as director."""
        self.post()
        return self.inbox()

    def pair(self, *more: str) -> str:
        return self.director.kursk("tournament", "pair", self.folder, *more)

    def begin(self) -> None:
        """Close the field, let all entrants open, draw and pair the first round."""
        self.collect()
        self.director.kursk("tournament", "close", self.folder)
        self.exchange()
        self.pair()
        self.inform()

    def next_round(self) -> None:
        """Announce the standings, close the draw, and pair the round."""
        self.pair()
        self.exchange()
        self.pair()
        self.inform()

    def exchange(self, silent: Iterable[str] = ()) -> None:
        """Deliver the director's letters, let the entrants answer, take the answers."""
        self.post()
        self.take(silent=silent)
        self.collect()

    # Games

    def by_number(self, number: str) -> Participant:
        """Return the present person of a number."""
        key = self.book().entrant(number).key
        return next(who for who in self.entrants.values() if who.public == key)

    def players_of(self, board: Board) -> dict[str, Participant]:
        """Return the players of a board by side, the proposer first."""
        first = boards.find_proposer(self.book(), board)
        sides = sorted(board.sides, key=lambda side: board.sides[side] != first)
        return {side: self.by_number(board.sides[side]) for side in sides}

    def play(self, board: Board, moves: int = 3, loser: str = "", **more: Any) -> Playing:
        """Play a board's game up to message ``moves``; then the side ``loser`` resigns. The director has copies."""
        return Playing(self, board).go(moves, loser, **more)

    def play_round(self, losers: dict[str, str] | None = None, moves: int = 3, skip: Iterable[str] = ()) -> None:
        """Play every open board of the newest round; the side in ``losers``, or a random side, resigns."""
        book = self.book()
        for board in book.of_round(book.round):
            if not board.decided and board.name not in skip:
                loser = (losers or {}).get(board.name) or self.rng.choice(list(board.sides))
                self.play(board, moves, loser)

    def propose_wild(
        self, board: Board, people: dict[str, Participant], more: dict[str, Any], keeper: Participant | None = None
    ) -> Path:
        """Propose a handwritten game as the first of the people; return message 0. ``more``: fields of message 0."""
        (side, proposer), (_other, acceptor) = people.items()
        system, names = self.book().rules.systems[0], boards.player_names(self.book(), board)
        referee = (keeper or self.director).public
        proposal = begin.Proposal(system.scenario, side, acceptor.public, names, system.options, referee, more=more)
        with proposer.sitting(), entropy.fix_random_bytes("wild"):
            return begin.propose_game(proposal, proposer.key, proposer.place, proposer.home).newest

    def wild(
        self,
        board: Board,
        people: dict[str, Participant],
        more: dict[str, Any],
        loser: str = "german",
        keeper: Participant | None = None,
    ) -> str:
        """Play an unofficial game in the director's folder of games, or at the place of a keeper; return its id."""
        side, other = people
        proposer, acceptor = people.values()
        path = self.propose_wild(board, people, more, keeper)
        playing = Playing(self, board)
        playing.people = people
        playing.desks[side] = desks.open_desk(path.parent, proposer.home)
        with acceptor.sitting(), entropy.fix_random_bytes("wild accept"):
            letter = playing._mail(path, acceptor)
            playing.desks[other] = begin.accept_proposal(letter, acceptor.key, acceptor.place, acceptor.home)
        playing.go(3, loser, copy=False)
        place = (keeper.place if keeper else self.folder / "games") / path.parent.name
        shutil.copytree(path.parent, place, ignore=shutil.ignore_patterns("*.txt", "*.draft.yaml"))
        return folders.read_message(path).id

    def verify(self, *more: str, status: int = 0) -> str:
        return self.director.kursk("tournament", "verify", self.folder, *more, status=status)


def begin_two(root: Path, *words: object, edit: dict[str, str] | None = None) -> World:
    """Return a tournament of Anna and Boris after its first pairing. ``words``: the format, and more options."""
    world = World(root)
    world.new(*words, "--system", "battle-for-kursk/citadel", edit=edit)
    world.enter(["anna", "boris"])
    world.begin()
    return world


class Playing:
    """A game of a board, at the desks of its two players."""

    def __init__(self, world: World, board: Board) -> None:
        self.world, self.board = world, board
        self.people = {side: world.by_number(number) for side, number in board.sides.items()}
        self.desks: dict[str, Desk] = {}

    def begin(self) -> Playing:
        """Propose and accept as the two players."""
        book = self.world.book()
        if book.rules.refereed:
            return self._begin_rolled()
        found: dict[str, Path] = {}
        for side, who in self.people.items():
            with entropy.fix_random_bytes(f"{self.board.name} {side}"):
                who.kursk("tournament", "propose", self.board.name, "--dir", who.place, "--in", who.tournament)
            for path in who.place.glob("game-*/0000.yaml"):
                if folders.read_message(path).mapping("tournament").get("board") == self.board.name:
                    found[side] = path
        ((side, path),) = found.items()
        other = next(each for each in self.people if each != side)
        acceptor = self.people[other]
        letter = self._mail(path, acceptor)
        with entropy.fix_random_bytes(f"accept {self.board.name}"), acceptor.sitting():
            self.desks[other] = begin.accept_proposal(letter, acceptor.key, acceptor.place, acceptor.home)
        self.desks[side] = desks.open_desk(path.parent, self.people[side].home)
        self._copy(path)
        return self

    def _begin_rolled(self) -> Playing:
        place = self.world.folder / "games" / folders.folder_name(self.world.book().boards[self.board.name].game)
        for side, who in self.people.items():
            letter = self._mail(place / "0000.yaml", who)
            with who.sitting():
                self.desks[side] = begin.accept_proposal(letter, who.key, who.place, who.home)
        return self

    def due(self) -> tuple[Participant, Desk]:
        """Return the player who writes the next message, and the player's desk."""
        desk = next(iter(self.desks.values()))
        side = desk.game.chain.writer(desk.seq)
        return self.people[side], self.desks[side]

    def _mail(self, path: Path, to: Participant) -> Path:
        return Path(shutil.copyfile(path, to.inbox / f"{path.parent.name}-{path.name}"))

    def _copy(self, path: Path) -> None:
        """Copy a message to the director."""
        shutil.copyfile(path, self.world.director.inbox / f"{path.parent.name}-{path.name}")

    def go(self, moves: int, loser: str = "", copy: bool = True) -> Playing:
        """Play up to message ``moves``; then ``loser`` resigns as soon as possible."""
        if not self.desks:
            self.begin()
        first = next(iter(self.desks.values()))
        kit = registry.of_scenario(first.game.setting.scenario.id)
        chooser = kit.chooser(first.game.setting, self.world.rng)
        while not next(iter(self.desks.values())).game.over:
            desk = max(self.desks.values(), key=lambda each: each.seq)
            seq, side = desk.seq, desk.game.chain.writer(desk.seq)
            if side not in self.desks:
                if not self._rolled():
                    break
                continue
            if seq > moves and not loser:
                break
            resigns = side == loser and seq > moves and seq >= desk.game.chain.first_offer
            self._write(side, chooser, resigns=resigns, copy=copy)
        return self

    def _write(self, side: str, chooser: Any, *, resigns: bool, copy: bool) -> None:
        desk = self.desks[side]
        with entropy.fix_random_bytes(f"{self.board.name} {side} {desk.seq}"), self.people[side].sitting():
            if resigns:
                desk = play.sign_message(desk, drafts.make_resignation(desk), None)
            else:
                if not folders.draft_path(desk.folder, desk.seq).exists():
                    drafts.write_draft(desk)
                checked = drafts.fill_draft(desk, person.choose(desk, chooser))
                desk = play.sign_message(desk, checked, None)
        self.desks[side] = desk
        for other in self.people:
            if other != side:
                self._take(other, desk.newest)
        if copy:
            self._copy(desk.newest)

    def _take(self, side: str, path: Path) -> None:
        who = self.people[side]
        with who.sitting():
            self.desks[side] = play.take_message(
                self.desks[side], messages.read_message(folders.read_bytes(path), str(path))
            ).desk

    def _rolled(self) -> bool:
        """Let the director answer, and both players take the new messages."""
        self.world.inbox()
        place = self.world.folder / "games" / next(iter(self.desks.values())).folder.name
        newest = False
        for path in folders.message_files(place):
            message = folders.read_message(path)
            for side in self.people:
                if message.seq >= self.desks[side].seq:
                    self._take(side, path)
                    newest = True
        return newest
