"""Games of toys by commands: players type every step, and hand mails over as files."""

from __future__ import annotations

import contextlib
import io
import json
import random
from pathlib import Path
from typing import Any

from helpers.person import choose
from helpers.registry import Content, Kit

from kursk_pbem.cli import run
from kursk_pbem.desk.own import desks
from kursk_pbem.game import folders, games, histories
from kursk_pbem.kernel.ruleset import REFEREE
from kursk_pbem.trust import messages


def one_line(text: str) -> str:
    """Return a text without line ends."""
    return " ".join(text.split())


class Players:
    """The players of a game, with homes, keys and game folders below ``root``.

    ``told``: the player, the command and the output of every step.
    """

    def __init__(self, root: Path, kit: Kit, patch: Any, *, seed: int = 1, refereed: bool = False) -> None:
        self.root, self.kit, self.patch, self.refereed = root, kit, patch, refereed
        self.who = (*kit.sides, REFEREE) if refereed else kit.sides
        self.folder: dict[str, Path] = {}
        self.past: dict[str, histories.History] = {}
        self.told: list[tuple[str, str, str]] = []
        self.rng = random.Random(seed)
        for each in self.who:
            (root / each).mkdir()
            self.type(each, "keygen", self.key(each))

    def key(self, who: str) -> Path:
        return self.root / who / "key"

    def type(self, who: str, *arguments: Any, status: int = 0) -> str:
        """Type a command for a player; return the output."""
        self.patch.setenv("KURSK_HOME", str(self.root / who / "home"))
        self.patch.setenv("KURSK_KEY", str(self.key(who)))
        words = [str(each) for each in arguments]
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            found = run(words)
        shown = said.getvalue().replace(str(self.root), "")
        self.told.append((who, " ".join(words).replace(str(self.root), ""), shown))
        assert found == status, shown
        return shown

    def begin(self, *options: str) -> None:
        """Propose a game as the proper player, and add the proposal to the other inboxes."""
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
        """Return a player's copy of the game."""
        who = who or self.who[-1]
        known = self.past[who].steps if who in self.past else ()
        self.past[who] = histories.load(self.folder[who], known)
        return self.past[who].game

    @property
    def due(self) -> str:
        """The writer of the next message, '' after the end of the game."""
        game = self.game()
        return "" if game.over else game.chain.writer(game.chain.next_seq)

    def draft(self, who: str) -> Path:
        return folders.draft_path(self.folder[who], self.game(who).chain.next_seq)

    def content(self, who: str) -> Content:
        """Return a random message of a side."""
        self.game(who)
        desk = desks.open_desk(self.folder[who], self.root / who / "home", self.past[who])
        return choose(desk, self.kit.chooser(desk.game.setting, self.rng))

    def fill(self, who: str, content: Content) -> Path:
        """Replace the choices of the draft; return the draft's path."""
        path = self.draft(who)
        draft = messages.read_draft(folders.read_bytes(path), str(path))
        kept = {key: value for key, value in draft.content.items() if key not in games.CHOICE_FIELDS}
        path.write_text(messages.emit_message(kept | content), encoding="ascii")
        return path

    def mail(self, who: str, seq: int) -> None:
        """Hand a message to the other players; a referee's answer to both players."""
        letter = folders.message_path(self.folder[who], seq)
        for each in self.who:
            if each != who:
                self.type(each, "inbox", "--report", letter)
        if self.refereed and who != REFEREE and folders.message_path(self.folder[REFEREE], seq + 1).exists():
            self.mail(REFEREE, seq + 1)

    def turn(self, content: Content | None = None) -> int:
        """Write, check, sign and mail the next message; return the number."""
        who, seq = self.due, self.game().chain.next_seq
        path = self.fill(who, self.content(who) if content is None else content)
        said = self.type(who, "check", path)
        if "kursk odds" in said:
            self.type(who, "odds", path)
        self.type(who, "sign", path, "--yes")
        self.mail(who, seq)
        return seq

    def look(self, who: str) -> dict[str, str]:
        """Return the output of every read-only command; check the output for programs."""
        folder = self.folder[who]
        draft, state = self.draft(who), self.game(who).state
        self.type(who, "setup", "draft", folder, "--force")
        unit = next(uid for uid in sorted(state.units) if state.units[uid].steps)
        for command in ("status", "moves", "odds"):
            json.loads(self.type(who, command, folder, "--json"))
        shown = {command: self.type(who, command, folder) for command in ("status", "map", "moves", "odds")}
        return shown | {
            "draft": draft.read_text(encoding="ascii"),
            "moves of one": self.type(who, "moves", folder, unit),
            "map around": self.type(who, "map", folder, "--around", unit),
        }
