"""Two players at two desks, as they play by mail: keys, private folders, drafts, signatures; and signed random games.

A :class:`Table` plays through the game layer only; at a :class:`RefereedTable` a third desk rolls the dice. The desks
stay open from message to message; now and then they are opened anew from their files, as a command would do every time.
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

from helpers import intake, registry
from helpers.reached import Reached
from helpers.registry import Kit, Mind
from kursk_pbem.audit import verify
from kursk_pbem.desk import begin, desks, offers, play
from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.referee import director
from kursk_pbem.errors import UsageError
from kursk_pbem.game import entropy, folders, games, journal
from kursk_pbem.game.games import Game
from kursk_pbem.kernel.events import Event, Fought, Tested
from kursk_pbem.kernel.ruleset import REFEREE
from kursk_pbem.kernel.state import OVER
from kursk_pbem.trust import keys, messages
from kursk_pbem.trust.messages import Message


@dataclass
class Player:
    """One side: ``place`` holds his key and game folder, ``home`` is his private folder."""

    side: str
    place: Path
    desk: Desk = field(init=False, repr=False)

    @property
    def home(self) -> Path:
        return self.place / "private"

    @property
    def key(self) -> Path:
        return self.place / "me"

    @property
    def folder(self) -> Path:
        return self.desk.folder

    def copied(self, place: Path) -> Player:
        """The same player at a copy of the place; the desk there holds what it held."""
        player, folder = Player(self.side, place), place / self.folder.name
        history, game = self.desk.history, self.desk.game.chain.game
        history = replace(history, past=folder if history.past else None)
        player.desk = replace(self.desk, folder=folder, history=history, own=journal.find(player.home, game))
        assert player.desk.own is not None
        return player

    def sit(self) -> Desk:
        """Open the desk anew from what lies on the disk."""
        self.desk = desks.open_desk(self.folder, self.home)
        return self.desk

    def draft(self) -> Path:
        return folders.draft_path(self.folder, self.desk.seq)

    def fill(self, content: dict[str, Any] | str) -> Path:
        """Write choices (a mapping, or YAML text) into the draft that is due."""
        path = self.draft()
        draft = messages.read_draft(folders.read_bytes(path), str(path))
        kept = messages.emit_message({k: v for k, v in draft.content.items() if k not in games.CHOICE_FIELDS})
        path.write_text(
            kept + (content if isinstance(content, str) else messages.emit_message(content)), encoding="ascii"
        )
        return path

    def check(self) -> drafts.Checked:
        path = self.draft()
        return drafts.check_draft(self.desk, drafts.read_draft(self.desk, folders.read_bytes(path), str(path)))

    def sign(self, checked: drafts.Checked | None = None) -> Path:
        """Sign the draft as it lies there; the file to mail."""
        self.desk = play.sign_message(self.desk, checked or self.check(), None)
        return self.desk.newest

    def take(self, letter: Path) -> play.Received:
        """Take a letter at the open desk."""
        got = play.take_message(self.desk, messages.read_message(folders.read_bytes(letter), str(letter)))
        self.desk = got.desk
        return got

    def answer(self) -> Path | None:
        """At a referee's desk: sign the message that he owes, as ``adjudicate`` does there; None if he owes none."""
        answered = director.sign_answer(self.desk, None)
        if answered is None:
            return None
        self.desk = answered
        return answered.newest

    def adjudicate(self, letter: Path, near: Path | None = None) -> play.Received:
        """Take a letter as the command does: the game is found and opened anew."""
        got = intake.receive(folders.read_bytes(letter), str(letter), self.home, near)
        self.desk = got.desk
        return got


class Table:
    """Two players under ``root``. ``begin`` proposes and accepts; ``turn`` plays one message.

    ``scenario``: '' for the first one of the sample system. ``relay``: the public key of a referee, '' without one. A
    player is also found under the name of the side: ``table.german``. ``sha256``: that of the scenario's data, '' for
    those of today.
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
            player.place.mkdir(parents=True)
            keys.generate_key_pair(player.key, entropy.random_bytes())

    def __getattr__(self, side: str) -> Player:
        if side == "players" or side not in self.players:
            raise AttributeError(side)
        return self.players[side]

    def copy(self, root: Path) -> Self:
        """The same game under another root, for one test alone: what is played once is gone on with in many ways."""
        shutil.copytree(self.root, root)
        table = copy.copy(self)
        table.root = root
        table.players = {side: player.copied(root / side) for side, player in self.players.items()}
        return table

    def other(self, side: str) -> str:
        return self.kit.ruleset.other(side)

    @property
    def game(self) -> Game:
        """The game as the first player has it."""
        return next(iter(self.players.values())).desk.game

    def begin(self) -> Table:
        """Proposed by the one side, taken by the other; message 1 is due."""
        proposer = self.players[self.kit.proposer(self.scenario, self.options)]
        acceptor = self.players[self.other(proposer.side)]
        opponent = keys.read_public(acceptor.place / "me.pub")
        proposal = begin.Proposal(self.scenario, proposer.side, opponent, self.kit.names, self.options, self.relay)
        proposal = replace(proposal, sha256=self.sha256)
        path = begin.propose_game(proposal, proposer.key, proposer.place, proposer.home).newest
        proposer.desk = desks.open_desk(path.parent, proposer.home)
        acceptor.desk = begin.accept_proposal(
            self.mail(path, acceptor.side), acceptor.key, acceptor.place, acceptor.home
        )
        return self

    def mail(self, path: Path, to: str) -> Path:
        """A copy in the receiver's inbox."""
        inbox = self.players[to].place / "inbox"
        inbox.mkdir(exist_ok=True)
        return Path(shutil.copyfile(path, inbox / path.name))

    @property
    def due(self) -> Player:
        """Who writes the next message."""
        game = self.game
        return self.players[game.chain.writer(game.chain.next_seq)]

    def turn(self, content: dict[str, Any]) -> Path:
        """The player who is due fills in, signs and mails; the other takes it. The file as mailed."""
        self.due.fill(content)
        return self.send()

    def send(self, checked: drafts.Checked | None = None) -> Path:
        """The same with what lies in the draft, or with another message than that (an offer, a reply)."""
        return self.post(checked)[0]

    def post(self, checked: drafts.Checked | None = None) -> tuple[Path, play.Received]:
        """The same: the file as mailed, and what came of it at the other desk."""
        writer = self.due
        receiver = self.players[self.other(writer.side)]
        letter = self.mail(writer.sign(checked), receiver.side)
        return letter, receiver.take(letter)


class RefereedTable(Table):
    """Two players and the referee who rolls their dice. ``turn`` plays a player's message and the referee's behind it.

    Everybody takes every message of the others.
    """

    def __init__(self, root: Path, scenario: str = "", options: Mapping[str, str] | None = None) -> None:
        super().__init__(root, scenario, options)
        self.results: list[str] = []  # of all messages
        self.players[REFEREE] = self.referee = Player(REFEREE, root / REFEREE)
        self.referee.place.mkdir(parents=True)
        keys.generate_key_pair(self.referee.key, entropy.random_bytes())

    def begin(self) -> RefereedTable:
        """Proposed by the referee, taken by both players; message 1 is due."""
        referee = self.referee
        public = {side: keys.read_public(self.players[side].place / "me.pub") for side in self.kit.sides}
        match = director.Match(self.scenario, public, self.kit.names, self.options, sha256=self.sha256)
        path = director.propose_game(match, referee.key, referee.place, referee.home).newest
        referee.desk = desks.open_desk(path.parent, referee.home)
        for side in self.kit.sides:
            player = self.players[side]
            player.desk = begin.accept_proposal(self.mail(path, side), player.key, player.place, player.home)
        return self

    def copy(self, root: Path) -> Self:
        """The same, the referee too."""
        table = super().copy(root)
        table.results, table.referee = [*self.results], table.players[REFEREE]
        return table

    @property
    def game(self) -> Game:
        """The game as the referee has it."""
        return self.referee.desk.game

    def send(self, checked: drafts.Checked | None = None) -> Path:
        """The player who is due signs and mails, and the referee answers. The player's file as mailed."""
        writer = self.due
        letter = self.spread(writer.sign(checked), writer.side)
        if (answer := self.referee.answer()) is not None:
            self.spread(answer, REFEREE)
        return letter

    def spread(self, path: Path, writer: str) -> Path:
        """A message goes to everybody but its writer. A copy as mailed."""
        letters = [(self.players[side], self.mail(path, side)) for side in self.players if side != writer]
        taken = [player.take(letter) for player, letter in letters]
        assert taken[0].result is not None
        self.results += results(taken[0].result.events)
        return letters[0][1]


@dataclass
class Played:
    """What came of a random game."""

    seed: int
    scenario: str
    options: Mapping[str, str]
    refereed: bool = False
    messages: int = 0
    end: str = ""
    results: Counter[str] = field(default_factory=Counter)
    reached: Reached = field(default_factory=Reached)


def results(events: Iterable[Event]) -> list[str]:
    """What battles and tests came to."""
    found = [event.result for event in events if isinstance(event, Fought) and event.result]
    return found + [event.text for event in events if isinstance(event, Tested)]


def play_game(kit: Kit, root: Path, seed: int, most: int = 400) -> Played:
    """Play a signed random game of the seed under ``root``, at most ``most`` messages; AssertionError if it fails.

    Every message is verified by the other desk, both folders whole at the end; each twelfth letter or so is taken by
    a desk that is opened anew. In every fifth game a referee rolls the dice.
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
                state = desks.preview_duties(writer.desk, writer.desk.record_of_writer()).middle
                over = state.stage == OVER
                writer.fill({} if over else chooser.content(state, writer.desk.seq))
                path = writer.sign()
            letter = table.mail(path, receiver.side)
            got = receiver.adjudicate(letter, None) if rng.random() < 0.08 else receiver.take(letter)
            _same(table, got.message)
            assert got.result is not None
            played.results.update(results(got.result.events))
    return _verified(table, played)


def play_refereed_game(kit: Kit, root: Path, seed: int, most: int = 400) -> Played:
    """The same with a referee who rolls the dice, at three desks; now and then a draw is offered."""
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
                _same(table, folders.read_message(path))
    played.results.update(table.results)
    return _verified(table, played)


def _random_message(writer: Player, chooser: Mind, rng: random.Random, gives_up: int) -> drafts.Checked | None:
    """An offer or a reply, a resignation; otherwise None, and the draft is filled in."""
    desk = writer.desk
    if desk.game.chain.offer:
        return drafts.make_reply(desk, "accept" if rng.random() < 0.02 else "decline")
    if desk.seq == gives_up:
        return drafts.make_resignation(desk)
    if desk.seq > desk.game.chain.bound and rng.random() < 0.05:
        try:
            return offers.make_draw_offer(desk)
        except UsageError:  # one was declined in this turn
            pass
    state = desks.preview_duties(desk, desk.record_of_writer()).middle
    writer.fill({} if state.stage == OVER else chooser.content(state, desk.seq))
    return None


def _verified(table: Table, played: Played) -> Played:
    """All folders are verified whole, and agree; how it ended."""
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


def _same(table: Table, message: Message) -> None:
    """All desks hold the same game and wrote the same files."""
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
