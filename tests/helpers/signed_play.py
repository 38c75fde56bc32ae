"""Two players at two desks with keys, private folders, drafts and signatures; signed random games.

A :class:`Table` uses only the game layer; a :class:`RefereedTable` has a third desk for the dice. The desks stay open
from message to message. Sometimes a desk is opened again from its files, as every command does.
"""

from __future__ import annotations

import copy
import random
import shutil
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from helpers import intake, person, registry
from helpers.person import Person
from helpers.reached import Reached
from helpers.registry import Content, Kit, Mind
from kursk_pbem.audit import verify
from kursk_pbem.desk.deals import begin, director
from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.own import desks
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.desk.turn import play
from kursk_pbem.errors import UsageError
from kursk_pbem.game import entropy, folders, games, journal
from kursk_pbem.game.games import Game
from kursk_pbem.kernel.events import Event, Fought, Tested
from kursk_pbem.kernel.ruleset import REFEREE
from kursk_pbem.trust import messages
from kursk_pbem.trust.messages import Message


@dataclass
class Player(Person):
    """A side with an open desk of one game; ``place`` holds key and game folder."""

    side: str
    place: Path
    desk: Desk = field(init=False, repr=False)

    @property
    def folder(self) -> Path:
        """The folder of the game."""
        return self.desk.folder

    def draft(self) -> Path:
        """Return the file of the due draft."""
        return folders.draft_path(self.folder, self.desk.seq)

    def fill(self, content: Content | str) -> Path:
        """Write choices (a mapping, or YAML text) into the due draft."""
        path = self.draft()
        draft = messages.read_draft(folders.read_bytes(path), str(path))
        kept = messages.emit_message({k: v for k, v in draft.content.items() if k not in games.CHOICE_FIELDS})
        said = content if isinstance(content, str) else messages.emit_message(content)
        path.write_text(kept + said, encoding="ascii")
        return path

    def choose(self, mind: Mind) -> Content:
        """Return the choices of a random player for the due message."""
        return person.choose(self.desk, mind)

    def check(self) -> drafts.Checked:
        """Check the saved draft."""
        path = self.draft()
        return drafts.check_draft(self.desk, drafts.read_draft(self.desk, folders.read_bytes(path), str(path)))

    def sign(self, checked: drafts.Checked | None = None) -> Path:
        """Sign the saved draft; return the file to mail."""
        self.desk = play.sign_message(self.desk, checked or self.check(), None)
        return self.desk.newest

    def take(self, letter: Path) -> play.Received:
        """Take a letter at the open desk."""
        got = play.take_message(self.desk, messages.read_message(folders.read_bytes(letter), str(letter)))
        self.desk = got.desk
        return got

    def copied(self, place: Path) -> Player:
        """Return the player at a copy of the place, with an equal desk."""
        player, folder = Player(self.side, place), place / self.folder.name
        history, game = self.desk.history, self.desk.game.chain.game
        history = replace(history, past=folder if history.past else None)
        player.desk = replace(self.desk, folder=folder, history=history, own=journal.find(player.home, game))
        assert player.desk.own is not None
        return player

    def sit(self) -> Desk:
        """Open the desk again from its files."""
        self.desk = desks.open_desk(self.folder, self.home)
        return self.desk

    def answer(self) -> Path | None:
        """Sign the due message at a referee's desk; return None if no message is due."""
        answered = director.sign_answer(self.desk, None)
        if answered is None:
            return None
        self.desk = answered
        return answered.newest

    def adjudicate(self, letter: Path, near: Path | None = None) -> play.Received:
        """Take a letter like the command, with the game opened again."""
        got = intake.receive(folders.read_bytes(letter), str(letter), self.home, near)
        self.desk = got.desk
        return got


class Table:
    """Two players under ``root``. ``begin`` proposes and accepts; ``turn`` plays a message.

    ``scenario``: '' for the first scenario of the sample system. ``relay``: the public key of a referee, or ''. A
    player is also an attribute by side: ``table.german``. ``sha256``: the hash of the scenario's data, '' for the
    present data.
    """

    sha256 = ""

    def __init__(
        self, root: Path, scenario: str = "", options: Mapping[str, str] | None = None, relay: str = ""
    ) -> None:
        self.scenario = scenario or registry.kit().scenarios[0]
        self.kit = registry.of_scenario(self.scenario)
        self.root, self.options, self.relay = root, dict(options or {}), relay
        self.players = {side: Player(side, root / side) for side in self.kit.sides}
        for player in self.players.values():
            player.make_key()

    def __getattr__(self, side: str) -> Player:
        if side == "players" or side not in self.players:
            raise AttributeError(side)
        return self.players[side]

    def copy(self, root: Path) -> Self:
        """Copy the game to another root, for a single test."""
        shutil.copytree(self.root, root)
        table = copy.copy(self)
        table.root = root
        table.players = {side: player.copied(root / side) for side, player in self.players.items()}
        return table

    def other(self, side: str) -> str:
        return self.kit.ruleset.other(side)

    @property
    def game(self) -> Game:
        """The game at the first player's desk."""
        return next(iter(self.players.values())).desk.game

    def begin(self) -> Table:
        """Propose and accept; message 1 is due."""
        proposer = self.players[self.kit.proposer(self.scenario, self.options)]
        acceptor = self.players[self.other(proposer.side)]
        said = (self.scenario, proposer.side, acceptor.public, self.kit.names, self.options, self.relay)
        proposal = begin.Proposal(*said, sha256=self.sha256)
        path = begin.propose_game(proposal, proposer.key, proposer.place, proposer.home).newest
        proposer.desk = desks.open_desk(path.parent, proposer.home)
        acceptor.desk = begin.accept_proposal(
            self.mail(path, acceptor.side), acceptor.key, acceptor.place, acceptor.home
        )
        return self

    def mail(self, path: Path, to: str) -> Path:
        """Copy a file into the receiver's inbox."""
        return Path(shutil.copyfile(path, self.players[to].inbox / path.name))

    @property
    def due(self) -> Player:
        """The writer of the next message."""
        game = self.game
        return self.players[game.chain.writer(game.chain.next_seq)]

    def turn(self, content: dict[str, Any]) -> Path:
        """Fill in, sign and mail as the side to move; the opponent takes the letter. Return the mailed file."""
        self.due.fill(content)
        return self.send()

    def send(self, checked: drafts.Checked | None = None) -> Path:
        """Sign and mail the draft, or another message (an offer, a reply); return the mailed file."""
        return self.post(checked)[0]

    def post(self, checked: drafts.Checked | None = None) -> tuple[Path, play.Received]:
        """Sign and mail; return the mailed file and the result at the opponent's desk."""
        writer = self.due
        receiver = self.players[self.other(writer.side)]
        letter = self.mail(writer.sign(checked), receiver.side)
        return letter, receiver.take(letter)


class RefereedTable(Table):
    """Two players and a referee with the dice. ``turn`` plays a player's message and the referee's answer.

    Everyone takes the messages of the other two.
    """

    def __init__(self, root: Path, scenario: str = "", options: Mapping[str, str] | None = None) -> None:
        super().__init__(root, scenario, options)
        self.results: list[str] = []  # of all messages
        self.players[REFEREE] = self.referee = Player(REFEREE, root / REFEREE)
        self.referee.make_key()

    def begin(self) -> RefereedTable:
        """Propose as referee, accept as both players; message 1 is due."""
        referee = self.referee
        public = {side: self.players[side].public for side in self.kit.sides}
        match = director.Match(self.scenario, public, self.kit.names, self.options, sha256=self.sha256)
        path = director.propose_game(match, referee.key, referee.place, referee.home).newest
        referee.desk = desks.open_desk(path.parent, referee.home)
        for side in self.kit.sides:
            player = self.players[side]
            player.desk = begin.accept_proposal(self.mail(path, side), player.key, player.place, player.home)
        return self

    def copy(self, root: Path) -> Self:
        """Copy the table with the referee."""
        table = super().copy(root)
        table.results, table.referee = [*self.results], table.players[REFEREE]
        return table

    @property
    def game(self) -> Game:
        """The game at the referee's desk."""
        return self.referee.desk.game

    def send(self, checked: drafts.Checked | None = None) -> Path:
        """Sign and mail as the side to move; the referee answers. Return the player's mailed file."""
        writer = self.due
        letter = self.spread(writer.sign(checked), writer.side)
        if (answer := self.referee.answer()) is not None:
            self.spread(answer, REFEREE)
        return letter

    def sent(self, seq: int) -> Message:
        """Return a message from the referee's folder."""
        return folders.read_message(folders.message_path(self.referee.folder, seq))

    def spread(self, path: Path, writer: str) -> Path:
        """Mail a message to all except its writer; return a mailed copy."""
        letters = [(self.players[side], self.mail(path, side)) for side in self.players if side != writer]
        taken = [player.take(letter) for player, letter in letters]
        assert taken[0].result is not None
        self.results += list_results(taken[0].result.events)
        return letters[0][1]


@dataclass
class Played:
    """The result of a random game."""

    seed: int
    scenario: str
    options: Mapping[str, str]
    refereed: bool = False
    messages: int = 0
    end: str = ""
    results: Counter[str] = field(default_factory=Counter)
    reached: Reached = field(default_factory=Reached)


def list_results(events: Iterable[Event]) -> list[str]:
    """Return the results of battles and tests."""
    found = [event.result for event in events if isinstance(event, Fought) and event.result]
    return found + [event.text for event in events if isinstance(event, Tested)]


def play_game(kit: Kit, root: Path, seed: int, most: int = 400) -> Played:
    """Play a signed random game of the seed under ``root``, at most ``most`` messages. Raises AssertionError.

    The other desk verifies every message, and both folders are verified at the end. About every twelfth letter is taken
    by a newly opened desk. A referee rolls the dice in every fifth game.
    """
    if seed % 5 == 4:
        return play_refereed_game(kit, root, seed, most)
    scenario, options = kit.of_seed(seed)
    played = Played(seed, scenario, options)
    rng = random.Random(seed)
    with entropy.fix_random_bytes(f"random game {seed}"):
        table = Table(root, scenario, options).begin()
        chooser = kit.chooser(table.game.setting, rng)
        gives_up = rng.randint(3, 60) if rng.random() < 0.1 else 0
        while not table.game.over and table.game.chain.next_seq < most:
            writer = table.due
            receiver = table.players[table.other(writer.side)]
            if writer.desk.seq == gives_up:
                path = writer.sign(drafts.make_resignation(writer.desk))
            else:
                writer.fill(writer.choose(chooser))
                path = writer.sign()
            letter = table.mail(path, receiver.side)
            got = receiver.adjudicate(letter, None) if rng.random() < 0.08 else receiver.take(letter)
            _compare_desks(table, got.message)
            assert got.result is not None
            played.results.update(list_results(got.result.events))
    return _verify_table(table, played)


def play_refereed_game(kit: Kit, root: Path, seed: int, most: int = 400) -> Played:
    """Play a signed random game with a referee at a third desk, with some draw offers."""
    scenario, options = kit.of_seed(seed)
    played = Played(seed, scenario, options, refereed=True)
    rng = random.Random(seed)
    with entropy.fix_random_bytes(f"random refereed game {seed}"):
        table = RefereedTable(root, scenario, options).begin()
        chooser = kit.chooser(table.game.setting, rng)
        gives_up = rng.randrange(5, 61, 2) if rng.random() < 0.1 else 0
        while not table.game.over and table.game.chain.next_seq < most:
            writer, seq = table.due, table.referee.desk.seq
            table.send(_random_message(writer, chooser, rng, gives_up))
            assert table.game.over or table.referee.desk.seq == seq + 2
            for player in table.players.values():
                if rng.random() < 0.03:
                    player.sit()
            for path in folders.message_files(table.referee.folder)[seq:]:
                _compare_desks(table, folders.read_message(path))
    played.results.update(table.results)
    return _verify_table(table, played)


def _random_message(writer: Player, chooser: Mind, rng: random.Random, gives_up: int) -> drafts.Checked | None:
    """Return an offer, a reply or a resignation; None means: fill in the draft."""
    desk = writer.desk
    if desk.game.chain.offer:
        return drafts.make_reply(desk, "accept" if rng.random() < 0.02 else "decline")
    if desk.seq == gives_up:
        return drafts.make_resignation(desk)
    if desk.seq > desk.game.chain.bound and rng.random() < 0.05:
        try:
            return drafts.make_offer(desk, "draw")
        except UsageError:  # an offer was declined in this turn
            pass
    writer.fill(writer.choose(chooser))
    return None


def _verify_table(table: Table, played: Played) -> Played:
    """Verify all folders, compare the desks, and record the end of the game."""
    game = table.game
    played.messages = game.chain.next_seq
    played.end = game.verdict.how if game.verdict else "unfinished"
    for player in table.players.values():
        found = verify.verify_game(player.folder, game.chain.head_id, keep=True)
        assert found.status == 0, found.text
        assert found.messages == played.messages
    assert found.kept is not None
    for step in found.kept.steps:
        if step.result is not None:
            played.reached.add(step.result.events)
    return played


def _compare_desks(table: Table, message: Message) -> None:
    """Check that all desks hold an equal game and wrote equal files."""
    first, *others = [player.desk for player in table.players.values()]
    invariants = first.game.ruleset.play.invariants(first.game.setting, first.game.state)
    assert not invariants, invariants
    for desk in others:
        assert first.game.chain == desk.game.chain
        assert first.game.state == desk.game.state
        assert first.game.luck == desk.game.luck
        for path in (folders.message_path, folders.report_path):
            mine, theirs = (path(each.folder, message.seq).read_bytes() for each in (first, desk))
            assert mine == theirs, f"{path(first.folder, message.seq).name} differs between the two desks"
