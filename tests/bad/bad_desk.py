"""The machines for bad files: their files, and the answers of commands.

``SIDE N`` is the machine of a side in the demonstration's game, with the messages before number N; ``SIDE 0`` has only
keys. ``german 9`` has offered a draw in message 8. ``archive 8`` is the game in the form for auditors, and ``scenario
NAME`` a copy of the campaign with this name. Recipes of another system use machines of its own demonstration, or of a
game with the proposed draft as every message (``registry.Kit``).
"""

from __future__ import annotations

import copy
import io
import os
import shutil
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any
from unittest import mock

from helpers import registry
from helpers.demo_game import play_demo
from helpers.signed_play import Table

from kursk_pbem.cli import run
from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.own import desks
from kursk_pbem.formats import data
from kursk_pbem.game import entropy, folders, scenarios, verified
from kursk_pbem.trust import keys, messages, sshsig
from kursk_pbem.trust.keys import Signer

Content = dict[str, Any]
CAMPAIGN = "battle-for-kursk/campaign"
LAST = 7
"""The last message of the game of another system."""
FILE, GAME = "FILE", "GAME"
"""Placeholders in a command for the bad file and the folder of the game."""


@dataclass(frozen=True)
class Bad:
    """A bad file: its ``command``, its machine ``at``, and a function to make the file.

    ``made`` returns equal bytes in every run. ``name``: the file's name on the machine, '' for the recipe's name;
    ``beside``: further files next to the bad file.
    """

    command: str
    at: str
    made: Callable[[Base], bytes]
    name: str = ""
    beside: Callable[[Base], Mapping[str, bytes]] | None = None


@dataclass(frozen=True)
class Said:
    """A command's exit status, standard output and standard error, with paths shortened."""

    status: int
    out: str
    err: str


class Base:
    """The demonstration's game with the messages and keys of its players.

    ``scenario``: the original of the copy ``scenario NAME``.
    """

    def __init__(self, demo: Path, scratch: Path, scenario: str = CAMPAIGN) -> None:
        self.demo, self.scenario = demo, scenario
        self.scratch = scratch
        self._places: dict[str, Path] = {}
        self._drafts: dict[str, str] = {}
        self._others: dict[str, Base] = {}
        sides = registry.of_scenario(scenario).sides
        self.folder = next((demo / sides[0]).glob("game-*"))
        self.signers: dict[str, Signer] = {side: keys.load_key(demo / side / "me") for side in sides}
        self.signers["stranger"] = keys.from_seed(b"the key of somebody else, so far")

    def of(self, ruleset: str) -> Base:
        """Return the machines of a system; the demonstration's machines by default."""
        if ruleset not in registry.KITS or ruleset == registry.SAMPLE:
            return self
        if ruleset not in self._others:
            place, drafted = self.scratch / ruleset, registry.kit(ruleset).drafted
            place.mkdir(parents=True)
            if drafted:
                _play_game(place / "played", drafted)
            else:
                play_demo(place / "played", ruleset=ruleset)
            self._others[ruleset] = Base(place / "played", place, drafted or registry.kit(ruleset).scenarios[0])
        return self._others[ruleset]

    # The players' messages

    @cached_property
    def read(self) -> list[messages.Message]:
        """The messages, followed by an offer of the German as message 8 and the Russian's reply as 9."""
        found = [folders.read_message(path) for path in folders.message_files(self.folder)]
        german, russian = (
            desks.open_desk(self.place(f"{side} 8"), self.home(f"{side} 8")) for side in ("german", "russian")
        )
        offered, _slot = drafts.sign_draft(german, drafts.make_offer(german, "draw"), self.signers["german"])
        russian = desks.add_message(russian, offered)
        path = folders.message_path(russian.folder, offered.seq)  # only for the game below the reply
        path.write_text(messages.emit_message(offered.content, offered.armour), encoding="ascii")
        replied, _slot = drafts.sign_draft(russian, drafts.make_reply(russian, "decline"), self.signers["russian"])
        path.unlink()
        return [*found, offered, replied]

    @cached_property
    def resignation(self) -> messages.Message:
        """The German's resignation as message 8."""
        german = desks.open_desk(self.place("german 8"), self.home("german 8"))
        return drafts.sign_draft(german, drafts.make_resignation(german), self.signers["german"])[0]

    def content(self, seq: int) -> Content:
        """Return a changeable copy of the content of message ``seq``."""
        return copy.deepcopy(dict(self.read[seq].content))

    def text(self, seq: int) -> str:
        """Return message ``seq`` as mailed, without the position."""
        return messages.emit_message(self.read[seq].content, self.read[seq].armour)

    def signed(self, content: Mapping[str, Any], by: str = "") -> str:
        """Return any content as mailed by its writer or another signer."""
        kept = {key: value for key, value in content.items() if value is not None}
        signer = self.signers[by or kept["from"]]
        return messages.emit_message(kept, signer.sign(sshsig.NAMESPACE, messages.signed_bytes(kept)))

    def draft(self, at: str) -> str:
        """Return the due draft of a machine, without comments."""
        if at not in self._drafts:
            self._drafts[at] = drafts.render_draft(desks.open_desk(self.place(at), self.home(at)), bare=True)
        return self._drafts[at]

    # The machines

    def machine(self, at: str) -> Path:
        """Return the folder of a machine, made at the first request."""
        if at not in self._places:
            side, _blank, number = at.partition(" ")
            place = self.scratch / at.replace(" ", "-")
            if side == "archive":
                self.run_at("german 8", ["export", str(self.place("german 8")), "-o", str(place / self.folder.name)])
            elif side == "scenario":
                self._copy(place, number)
            else:
                shutil.copytree(self.demo / side, place)
                _forget(place, int(number))
            self._places[at] = place
            if at == "german 9":
                self.run_at(at, ["offer", str(self.place(at)), "draw", "--yes"])
        return self._places[at]

    def shipped(self, file: str, name: str) -> bytes:
        """Return a file of the shipped scenario with another name of the scenario."""
        ruleset, _slash, own = self.scenario.partition("/")
        raw = (data.find_folder("scenarios") / ruleset / own / file).read_bytes()
        return raw.replace(self.scenario.encode("ascii"), f"{ruleset}/{name}".encode("ascii"), 1)

    def _copy(self, place: Path, name: str) -> None:
        ruleset, _slash, own = self.scenario.partition("/")
        shutil.copytree(data.find_folder("scenarios") / ruleset / own, place / ruleset / name)
        (place / ruleset / name / "scenario.yaml").write_bytes(self.shipped("scenario.yaml", name))

    def home(self, at: str) -> Path:
        return self.machine(at) / "private"

    def place(self, at: str) -> Path:
        """Return the game folder or scenario folder of a machine, or the machine's own folder."""
        machine = self.machine(at)
        patterns = "game-*", f"{self.scenario.partition('/')[0]}/*"
        return next((found for pattern in patterns for found in machine.glob(pattern)), machine)

    def run_at(self, at: str, words: list[str]) -> Said:
        out, err = io.StringIO(), io.StringIO()
        environment = {"KURSK_HOME": str(self.machine(at) / "private"), "KURSK_KEY": "", "KURSK_SCENARIOS": ""}
        with (
            mock.patch.dict(os.environ, environment),
            mock.patch.object(scenarios, "load", _load),
            redirect_stdout(out),
            redirect_stderr(err),
        ):
            del os.environ["KURSK_KEY"]
            status = run(words)
        return Said(status, self._shortened(at, out.getvalue()), self._shortened(at, err.getvalue()))

    def _shortened(self, at: str, text: str) -> str:
        for path in (self.place(at), self.machine(at), self.scratch):
            text = text.replace(f"{path}{os.sep}", "")
        return text.replace(str(self.place(at)), GAME)

    def say(self, file: str, bad: Bad, raw: bytes) -> Said:
        """Run the command of a bad file and restore all files. Raises AssertionError if the command wrote a file."""
        place, name = self.place(bad.at), bad.name or Path(file).name
        put = {name: raw, **(bad.beside(self) if bad.beside else {})}
        before = {other: (place / other).read_bytes() for other in put if (place / other).exists()}
        for other, content in put.items():
            (place / other).write_bytes(content)
            if other.endswith(".key"):
                (place / other).chmod(0o600)  # avoid a warning
        tree = _list_tree(self.machine(bad.at))
        words = {FILE: str(place / name), GAME: str(place), "ME": str(self.machine(bad.at) / "me")}
        words |= {"ME.pub": f"{words['ME']}.pub", "DRAFT": str(place / "0008.draft.yaml")}
        asked = bad.command if FILE in bad.command or GAME in bad.command else f"{bad.command} {FILE}"
        said = self.run_at(bad.at, [words.get(word, word) for word in asked.split()])
        written = _list_tree(self.machine(bad.at)) - tree
        names = ("evidence-", ".void.yaml")
        evidence = {path for path, *_rest in written if any(name in path.name for name in names)}
        for path in evidence:  # a refusal may leave evidence
            path.unlink()
        for other in put:
            (place / other).unlink()
            if other in before:
                (place / other).write_bytes(before[other])
        assert len(evidence) == len(written), written
        return said


_load = cache(scenarios.load)
"""Load a scenario only once; loading takes half the time of a command."""


def _play_game(root: Path, scenario: str) -> None:
    """Play a game with the proposed draft as every message."""
    with entropy.fix_random_bytes(f"bad files of {scenario}"):
        table = Table(root, scenario).begin()
        while table.game.chain.next_seq <= LAST:
            table.send()


def _forget(place: Path, number: int) -> None:
    """Remove message ``number`` and later messages; with number 0 the game."""
    if not number:
        shutil.rmtree(next(place.glob("game-*")))
        shutil.rmtree(place / "private")
        return
    for path in [*place.glob("game-*/*"), *place.glob("private/games/*/journal/*")]:
        digits = "".join(each for each in path.name if each.isdigit())
        if digits and int(digits) >= number and path.name != f"{number:04d}.draft.yaml":
            path.unlink()


def _list_tree(place: Path) -> set[tuple[Path, int, int]]:
    """Return every file below a folder with size and time, except the desk's cache."""
    files = (path for path in place.rglob("*") if path.is_file() and path.name != verified.NAME)
    return {(path, path.stat().st_size, path.stat().st_mtime_ns) for path in files}
