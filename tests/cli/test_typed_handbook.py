"""Every console block of docs/players.md, typed in the order of the page, in one folder, at the seats of the text."""

from __future__ import annotations

import re
import shlex
import shutil

import pytest
from helpers.typed_mail import Mail
from helpers.typed_pages import ROOT, Page

from kursk_pbem.cli import run
from kursk_pbem.desk.ground import clock
from kursk_pbem.formats import times

pytestmark = pytest.mark.long
TEXT = (ROOT / "docs" / "players.md").read_text(encoding="utf-8")
CONSENTS = ("--yes", "--unsent")
"""What a person answers to a question: yes, and that no earlier message was mailed by hand."""


class Evening:
    """Players with a folder and a private folder each; ``mail``: the folder of all turn files of the newest game."""

    def __init__(self, root, monkeypatch, capsys):
        self.root, self.patch, self.capsys = root, monkeypatch, capsys
        self.page = Page("docs/players.md")
        self.names = {}
        for seat in ("anna", "boris", "ref"):
            (root / seat).mkdir()
            self.say(seat, f"kursk keygen {seat}")
        self.patch.setenv("HOME", str(root / "anna"))
        for seat in ("anna", "boris", "ref"):
            for path in root.glob("*/*.pub"):
                if not (root / seat / path.name).exists():
                    shutil.copyfile(path, root / seat / path.name)
            shutil.copyfile(root / "ref" / "ref.pub", root / seat / "referee.pub")

    def say(self, seat, line, place=""):
        """Type a line at a seat; return the output."""
        self.patch.setenv("KURSK_HOME", str(self.root / "homes" / self.names.get("home", seat)))
        self.patch.chdir(self.root / seat / place)
        words = [self.names.get(word, word) for word in shlex.split(line)[1:]]
        status = run(words)
        said = self.capsys.readouterr()
        for consent in CONSENTS:
            if status and consent in said.err:
                status = run([*words, consent])
                said = self.capsys.readouterr()
        assert status == 0, (seat, line, words, said)
        return said.out

    def next(self, seat, count=1, place=""):
        """Type the next lines of the page at a seat; return the last output."""
        said = ""
        for line in self.page.take(count):
            said = self.say(seat, line, place)
        return said

    def take(self, seat, number):
        """Let the name of a turn file mean the newest game's file, as if saved from a mail."""
        (path,) = (self.root / seat).glob(f"{self.game}/{number:04}.yaml")
        self.names[path.name] = str(path)

    @property
    def game(self):
        """The folder of the newest game of Anna or the referee."""
        found = [*self.root.glob("anna/game-*"), *self.root.glob("ref/game-*")]
        return max(found, key=lambda path: path.stat().st_mtime_ns).name

    def begin_again(self):
        """Begin a second game, up to Anna's message 2."""
        before = {path.name for path in self.root.glob("anna/game-*")}
        self.say("anna", "kursk propose battle-for-kursk/citadel --as german --opponent boris.pub")
        ((game,)) = {path.name for path in self.root.glob("anna/game-*")} - before
        self.accept(game, "second")
        return game

    def accept(self, game, place):
        """Let Boris accept a proposal of Anna in a folder of his, and mail message 1."""
        (self.root / "boris" / place).mkdir()
        self.say("boris", f"kursk accept {self.root}/anna/{game}/0000.yaml --name Boris", place)
        self.say("boris", "kursk sign", f"{place}/{game}")
        self.say("anna", f"kursk inbox {self.root}/boris/{place}/{game}/0001.yaml")

    def play_to_message_5(self, game, place):
        """Let both players sign the drafts as proposed, up to message 5; the referee signs receipts up to message 4."""
        folders = {"anna": game, "boris": f"{place}/{game}"}
        for seq in range(2, 6):
            writer, reader = ("anna", "boris") if seq % 2 == 0 else ("boris", "anna")
            self.say(writer, "kursk sign", folders[writer])
            self.say(reader, f"kursk inbox {self.root}/{writer}/{folders[writer]}/{seq:04}.yaml")
        for seq in range(6):
            shutil.copyfile(self.root / "boris" / folders["boris"] / f"{seq:04}.yaml", self.root / f"ref/{seq:04}.yaml")
            if seq < 5:
                self.say("ref", f"kursk referee receipt ./{seq:04}.yaml --days 7 --key ref")


def test_every_block_of_the_players_handbook_is_typed_in_order(tmp_path, monkeypatch, capsys):
    evening = Evening(tmp_path, monkeypatch, capsys)
    shutil.rmtree(tmp_path / "homes" / "anna")
    evening.next("anna")
    shutil.copyfile(tmp_path / "anna" / "me.pub", tmp_path / "ref" / "anna.pub")
    evening.next("anna")
    first = evening.game
    evening.take("anna", 0)
    evening.next("boris", 3)
    evening.take("boris", 1)
    evening.next("anna")
    evening.next("anna", 3)
    second = evening.begin_again()
    evening.next("anna", 2, second)
    evening.next("boris", 1, first)
    mails = tmp_path / "anna" / "Mail" / "kursk"
    mails.mkdir(parents=True)
    shutil.copyfile(tmp_path / "boris" / first / "0001.yaml", mails / "0001.yaml")
    evening.names["~/Mail/kursk"] = str(mails)
    evening.next("anna", 3)
    with Mail(tmp_path, monkeypatch) as mail:
        evening.next("anna", 2)
        mail.carry()
    assert "boris@example.org" in {reader for reader, _raw in mail.carried}
    evening.say("anna", "kursk demo")
    (demo,) = tmp_path.glob("anna/kursk-demo/german/game-*")
    said = evening.say("anna", f"kursk play --from {demo}/7 --as russian --level recruit")
    evening.names |= {"1a2b": str(demo), "9c0d": re.search(r"what-if/game-([0-9a-f]{8})", said)[1]}
    evening.next("anna", 4)
    evening.next("anna")
    relayed = evening.game
    evening.accept(relayed, "fourth")
    evening.play_to_message_5(relayed, "fourth")
    evening.names["me"] = "ref"
    evening.next("ref")
    with clock.fix_time(times.add_days(clock.now(), 8)):
        evening.next("ref")
    del evening.names["me"]
    evening.next("ref")
    rolled = max(tmp_path.glob("ref/game-*"), key=lambda path: path.stat().st_mtime_ns).name
    (tmp_path / "boris" / "third").mkdir()
    evening.say("boris", f"kursk accept {tmp_path}/ref/{rolled}/0000.yaml", "third")
    evening.say("boris", "kursk sign", f"third/{rolled}")
    evening.names["0001.yaml"] = f"{tmp_path}/boris/third/{rolled}/0001.yaml"
    told = "  your message 2 is signed: 'kursk outbox' lists its letter\n"
    assert told in TEXT
    assert told in evening.next("ref")
    shutil.copytree(tmp_path / "anna" / first, tmp_path / "anna" / "mails")
    shutil.rmtree(tmp_path / "anna" / first)
    evening.names |= {"home": "lost", "game-1a2b3c4d5e6f7081": first}
    evening.next("anna")
    assert (tmp_path / "anna" / first / "0002.yaml").exists()
    evening.page.close()
