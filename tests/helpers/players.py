"""A player at a desk of tests, with key, private folder, drafts and signatures."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from helpers import intake
from helpers.registry import Content, Mind
from kursk_pbem.desk.deals import director
from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.own import desks
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.desk.turn import play
from kursk_pbem.game import entropy, folders, games, journal
from kursk_pbem.kernel.state import OVER
from kursk_pbem.trust import keys, messages


@dataclass
class Player:
    """A side with key, private folder, drafts and signatures: ``place`` holds key and game folder."""

    side: str
    place: Path
    desk: Desk = field(init=False, repr=False)

    @property
    def home(self) -> Path:
        """The private folder."""
        return self.place / "private"

    @property
    def key(self) -> Path:
        """The file of the key."""
        return self.place / "me"

    @property
    def folder(self) -> Path:
        """The folder of the game."""
        return self.desk.folder

    def make_key(self) -> str:
        """Make the key; return its public half."""
        self.place.mkdir(parents=True)
        keys.generate_key_pair(self.key, entropy.random_bytes())
        return keys.read_public(self.place / "me.pub")

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

    def choose(self, player: Mind) -> Path:
        """Write the choices of a random player into the due draft."""
        state = desks.preview_duties(self.desk, self.desk.record_of_writer()).middle
        return self.fill({} if state.stage == OVER else player.content(state, self.desk.seq))

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
