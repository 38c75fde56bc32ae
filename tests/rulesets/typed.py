"""A game of a toy as its players type it: every step is a command, every mail a file that is handed over."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from helpers.registry import Content, Kit

from kursk_pbem.cli import run
from kursk_pbem.desk import desk as desks
from kursk_pbem.game import folder as folders
from kursk_pbem.game import game as games
from kursk_pbem.game import history
from kursk_pbem.kernel.ruleset import REFEREE
from kursk_pbem.kernel.state import OVER
from kursk_pbem.trust import message as messages


class Players:
    """Those who play a game, each with a home, a key and a game folder below ``root``; and what they were told.

    ``told`` keeps all that any command has printed: (who typed, what was typed, what came).
    """

    def __init__(self, root: Path, kit: Kit, patch: Any, capsys: Any, seed: int, *, refereed: bool = False) -> None:
        self.root, self.kit, self.patch, self.capsys, self.refereed = root, kit, patch, capsys, refereed
        self.who = (*kit.sides, REFEREE) if refereed else kit.sides
        self.folder: dict[str, Path] = {}
        self.told: list[tuple[str, str, str]] = []
        self.rng = random.Random(seed)
        for each in self.who:
            (root / each).mkdir()
            self.type(each, "keygen", self.key(each))

    def key(self, who: str) -> Path:
        return self.root / who / "key"

    def type(self, who: str, *arguments: Any, status: int = 0) -> str:
        """A command as one of them types it; what is printed."""
        self.patch.setenv("KURSK_HOME", str(self.root / who / "home"))
        self.patch.setenv("KURSK_KEY", str(self.key(who)))
        words = [str(each) for each in arguments]
        found = run(words)
        said = self.capsys.readouterr()
        shown = (said.out + said.err).replace(str(self.root), "")
        self.told.append((who, " ".join(words).replace(str(self.root), ""), shown))
        assert found == status, shown
        return shown

    def begin(self, *options: str) -> None:
        """Proposed by whom the rules say, taken by all the others."""
        scenario = self.kit.scenarios[0]
        if self.refereed:
            proposer = REFEREE
            given = [f"--player={side}={self.key(side)}.pub" for side in self.kit.sides]
            given += [f"--player-name={side}={name}" for side, name in self.kit.names.items()]
            self.type(REFEREE, "propose", scenario, "--referee", *given, *options, "--dir", self.root / REFEREE)
        else:
            proposer = self.kit.proposer(scenario)
            other = self.kit.ruleset.other(proposer)
            given = ["--as", proposer, "--opponent", f"{self.key(other)}.pub", "--name", self.kit.names[proposer]]
            self.type(proposer, "propose", scenario, *given, *options, "--dir", self.root / proposer)
        (self.folder[proposer],) = (self.root / proposer).glob("game-*")
        for each in self.who:
            if each != proposer:
                self.type(each, "accept", folders.message_path(self.folder[proposer], 0), "--dir", self.root / each)
                (self.folder[each],) = (self.root / each).glob("game-*")

    def game(self, who: str = "") -> games.Game:
        return history.load(self.folder[who or self.who[-1]]).game

    @property
    def due(self) -> str:
        """Who writes the next message, '' when the game is over."""
        game = self.game()
        return "" if game.over else game.chain.writer(game.chain.next_seq)

    def draft(self, who: str) -> Path:
        return folders.draft_path(self.folder[who], self.game(who).chain.next_seq)

    def content(self, who: str) -> Content:
        """What the random player of a side would write now."""
        desk = desks.sit(self.folder[who], self.root / who / "home")
        state = desks.duties(desk, desk.record_of_writer()).middle
        chooser = self.kit.chooser(desk.game.setting, self.rng)
        return {} if state.stage == OVER else chooser.content(state, desk.seq)

    def fill(self, who: str, content: Content) -> Path:
        """Choices in the place of those of the draft; where it lies."""
        path = self.draft(who)
        draft = messages.read_draft(folders.read_bytes(path), str(path))
        kept = {key: value for key, value in draft.content.items() if key not in games.CHOICE_FIELDS}
        path.write_text(messages.emit(kept | content), encoding="ascii")
        return path

    def mail(self, who: str, seq: int) -> None:
        """Everybody else takes a message; a referee's answer is taken by all but the referee."""
        letter = folders.message_path(self.folder[who], seq)
        for each in self.who:
            if each != who:
                self.type(each, "adjudicate", letter)
        answer = folders.message_path(self.folder[REFEREE], seq + 1) if self.refereed else letter
        if who != REFEREE and answer != letter and answer.exists():
            for each in self.kit.sides:
                self.type(each, "adjudicate", answer)

    def turn(self, content: Content | None = None) -> int:
        """Whoever is due writes, checks, looks at the odds, signs and mails; the number of the message."""
        who, seq = self.due, self.game().chain.next_seq
        path = self.fill(who, self.content(who) if content is None else content)
        said = self.type(who, "check", path)
        if "kursk odds" in said:
            self.type(who, "odds", path)
        self.type(who, "sign", path, "--yes")
        self.mail(who, seq)
        return seq

    def look(self, who: str) -> None:
        """Everything that can be looked at."""
        folder, game = self.folder[who], self.game(who)
        unit = next(uid for uid, each in game.state.units.items() if each.steps)
        for command in (["status"], ["map"], ["moves"], ["odds"]):
            self.type(who, *command, folder)
            self.type(who, *command, folder, "--json") if command != ["map"] else None
        self.type(who, "moves", folder, unit)
        self.type(who, "map", folder, "--around", unit)
