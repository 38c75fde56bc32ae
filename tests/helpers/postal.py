"""People who play by mail: a place, a private folder and a key for each person, and any number of games.

The games use the smallest toy, so tests can play many games quickly. The caller must plug in the toys.
"""

from __future__ import annotations

import copy
import random
import shutil
from contextlib import contextmanager
from pathlib import Path

from helpers import person, registry
from helpers.intake import receive
from helpers.person import Person
from kursk_pbem.desk.deals import begin, director
from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.own import desks
from kursk_pbem.desk.referee import timekeeper
from kursk_pbem.desk.referee.timekeeper import Term
from kursk_pbem.desk.turn import play
from kursk_pbem.game import folders, journal
from kursk_pbem.trust import messages


class Friend(Person):
    """A player of any number of games."""

    def __init__(self, root, name):
        self.name, self.place = name, root / name
        self.make_key()

    @property
    def address(self):
        return f"{self.name}@example.test"

    def copy(self, root):
        """Return the player at a copy of the machine, below another folder."""
        other = copy.copy(self)
        other.place = shutil.copytree(self.place, root / self.name)
        return other

    def folder(self, game):
        return self.place / folders.folder_name(game)

    def desk(self, game):
        return desks.open_desk(self.folder(game), self.home)

    def records(self):
        return journal.load_records(self.home)[0]

    def accept(self, raw):
        message = messages.read_message(raw, "0000.yaml")
        return begin.join(message, self.key, self.place, self.home)

    def fill(self, game, rng=None):
        """Write random choices into the due draft; return the desk and the checked draft, or None if none is due."""
        desk = self.desk(game)
        if not desk.mine or desk.game.chain.offer:
            return None
        chooser = registry.kit(desk.game.ruleset.id).chooser(
            desk.game.setting, rng or random.Random(f"{game}{desk.seq}")
        )
        if not folders.draft_path(desk.folder, desk.seq).exists():
            drafts.write_draft(desk)
        return desk, drafts.fill_draft(desk, person.choose(desk, chooser))

    def sign(self, game, rng=None):
        """Sign the due message with random choices; return the desk, or None if none is due here."""
        filled = self.fill(game, rng)
        return filled and play.sign_message(*filled, None)

    @contextmanager
    def sitting(self, **environment):
        """Run commands as this player inside the block, in the player's place."""
        with super().sitting(**environment) as patch:
            patch.chdir(self.place)
            yield patch


def propose_game(proposer, acceptor, relay="", scenario="hex-toy/fords"):
    """Propose a game; return message 0 as mailed, and the game's id."""
    kit = registry.of_scenario(scenario)
    side = kit.proposer(scenario, {})
    names = {side: proposer.name.capitalize(), kit.ruleset.other(side): acceptor.name.capitalize()}
    said = begin.Proposal(scenario, side, acceptor.public, names, {}, relay)
    desk = begin.propose_game(said, proposer.key, proposer.place, proposer.home)
    return desk.newest.read_bytes(), desk.game.chain.game


def began(proposer, acceptor, relay="", scenario="hex-toy/fords"):
    """Propose and accept a game; return its id. Message 1 is due."""
    raw, game = propose_game(proposer, acceptor, relay, scenario)
    acceptor.accept(raw)
    return game


def begin_rolled(ref, *players):
    """Propose a game as a referee who rolls, and accept it as both players; return its id."""
    game = propose_rolled(ref, *players)
    for player in players:
        player.accept(folders.message_path(ref.folder(game), 0).read_bytes())
    return game


def propose_rolled(ref, *players):
    """Propose a game as a referee who rolls; return its id."""
    sides = dict(zip(registry.kit("hex-toy").sides, (player.public for player in players), strict=True))
    match = director.Match("hex-toy/fords", sides, {}, {})
    return director.propose_game(match, ref.key, ref.place, ref.home).game.chain.game


def give_receipt(ref, giver, game, days=7):
    """Take the proposal of a relayed game as its referee, and sign the receipt."""
    proposal = ref.place / "proposal.yaml"
    shutil.copyfile(folders.message_path(giver.folder(game), 0), proposal)
    timekeeper.sign_receipt(timekeeper.open_folder(proposal, ref.home, Term(days=days)), ref.key, Term(days=days))
    proposal.unlink()


def carried(game, seq, giver, *takers):
    """Carry a message by hand to other players, who accept it; return the file."""
    path = folders.message_path(giver.folder(game), seq)
    for taker in takers:
        letter = Path(shutil.copyfile(path, taker.place / f"by-hand-{seq}.yaml"))
        receive(letter.read_bytes(), str(letter), taker.home, taker.place)
    return path


def read_signed_parts(folder):
    """Return the signed parts of the messages in a folder; the position after them is optional (protocol 3.6)."""
    return [path.read_bytes().partition(b"\nstate:\n")[0].rstrip() for path in folders.message_files(folder)]


def make_friends(root, *names):
    """Return friends with these names."""
    return [Friend(root, name) for name in names]


def others(who, game, root, number=20):
    """Return other valid next messages of a player."""
    for seed in range(number):
        machine = who.copy(root / f"other-{seed}")
        machine.sign(game, random.Random(f"other {seed}"))
        yield folders.message_files(machine.folder(game))[-1].read_bytes()
