"""docs/directors.md: the printed recipes, typed to the end of a tournament.

With an account, programs play all games to their end, and answer after half their term. The ladder over years is typed
after this tournament.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from contextlib import chdir
from pathlib import Path

import pytest
from helpers.mail_servers import decode_texts
from helpers.person import listening
from helpers.tourney import Participant, World
from helpers.typed_mail import Mail
from helpers.typed_pages import ROOT, list_blocks

from kursk_pbem.cli import run
from kursk_pbem.desk.own import desks
from kursk_pbem.game import entropy, folders, journal
from kursk_pbem.post.round import early_turns
from kursk_pbem.practice import opponent
from kursk_pbem.tournament.proof import verify

pytestmark = pytest.mark.long
PAGE = "docs/directors.md"
TEXT = (ROOT / PAGE).read_text(encoding="utf-8")
SETUP, WITH_ACCOUNT, WITHOUT_ACCOUNT, ENTRANT, LADDER = list_blocks(PAGE)
KEYGEN, EXPORT, WRITTEN, SIGNED = SETUP
INBOX, CLOSE, WRITE, MARK, INBOX_AGAIN, PAIR = WITHOUT_ACCOUNT
FORMER = re.compile(r"\bdraws?\b|\bopenings?\b", re.IGNORECASE)
"""Words for lots and reveals that letters no longer use."""
TIED = re.compile(r"game is a draw|\bDraw\b")
"""How letters tell a tie, which is still a draw."""
STEPS = 40
"""More half terms than a round has."""


class Director(Participant):
    """The director, whose key has the name of the page."""

    @property
    def key(self) -> Path:
        return self.place / "director"


class Club(World):
    """A tournament of the recipe: the director types the lines of the page, in a folder with nothing else.

    ``players``: the number of entrants; an odd one has a bye in each round.
    """

    players = 4

    def begin_recipe(self) -> None:
        """Type the lines that begin a tournament."""
        shutil.rmtree(self.director.place)
        self.director.place.mkdir()
        self.director = Director("director", self.director.place, self)
        self.type(self.director, KEYGEN)
        assert Path(EXPORT.rpartition("=")[2].replace("~", str(self.director.place))) == self.director.key
        self.type(self.director, WRITTEN)
        self.type(self.director, SIGNED)
        self.director.tournament = self.director.place / "spring"

    def type(self, who: Participant, line: str, *more: str) -> str:
        """Type a line of the page in a person's folder, and answer questions with yes; return the output."""
        with chdir(who.place), who.sitting(), listening() as said:
            status, text = run([*shlex.split(line)[1:], *more]), said()
        if status == 2 and "give --yes" in text:
            return self.type(who, line, *more, "--yes")
        assert status == 0, (who.name, line, status, text)
        return text

    def check_end(self) -> None:
        """Check that play decided all boards, in both games of each meeting, in less than the days of a round."""
        book = self.book()
        assert book.ended
        assert book.rules.terms.round <= 90
        assert len(book.boards) == 2 * (self.players // 2) * book.rules.rounds
        assert {board.outcome.by for board in book.boards.values()} == {""}  # nobody judged a board
        assert not {board.outcome.how for board in book.boards.values()} & {"forfeit", "resignation"}
        proof = verify.verify_tournament(self.folder)
        assert (proof.status, proof.missing) == (0, ()), proof.text


class ByHand(Club):
    """A director without an account, whose mails are files. ``sent`` has the text of every letter."""

    sent: str = ""

    def post(self) -> int:
        """Type the line that writes the letters, and deliver them."""
        people = (self.director, *self.entrants.values())
        self.sent += "".join(path.read_text("utf-8") for who in people for path in who.letters())
        self.type(self.director, WRITE)
        drafts = list(self.director.place.glob(f"letters/kursk-{self.book().id[:8]}-*"))
        assert len(drafts) == len(self.director.letters())
        number = super().post()
        shutil.rmtree(self.director.place / "letters", ignore_errors=True)
        return number

    def begin(self) -> None:
        """Type the lines up to the pairing of the first round."""
        self.post()
        self.inbox()
        self.type(self.director, CLOSE)
        self.exchange()
        self.pair()
        self.post()
        self.take()

    def mark_sent(self, who: Participant) -> None:
        """Type the line that marks letters as sent, receipts of games too: none is written again."""
        if who is not self.director:
            super().mark_sent(who)
        elif who.letters():
            self.type(who, MARK)
            assert "no letter to mail" in self.type(who, "kursk outbox")

    def inbox(self, status: int = 0) -> str:
        """Type the line that takes a folder of mails."""
        if not any(self.director.inbox.iterdir()):
            return ""
        self.director.inbox.rename(self.director.place / "mails")
        said = self.type(self.director, INBOX)
        shutil.rmtree(self.director.place / "mails")
        return said

    def pair(self, *_more: str) -> str:
        return self.type(self.director, PAIR)


class ByMail(Club):
    """A director and entrants with mail accounts, and 'kursk post' at every desk."""

    players = 3
    mail: Mail

    def open_accounts(self, names: list[str]) -> None:
        """Type the lines that make accounts, for the director and all entrants, and enter."""
        account = "kursk post setup --address games@example.org"
        assert f"`{account}`" in TEXT
        self.type(self.director, account)
        keygen, enter, add, post = ENTRANT
        for name in names:
            who = self.entrants[name] = Participant(name, self.root / name, self)
            who.place.mkdir()
            shutil.copyfile(self.folder / "log" / "0000.yaml", who.place / "0000.yaml")
            self.type(who, account.replace("games", name))
            self.type(who, keygen)
            self.type(who, enter.replace('"Anna"', name))
            self.type(who, add)
            self.type(who, post)

    def entrants_post(self) -> None:
        """Let every entrant's program fetch, take and send; then carry the mails."""
        for who in self.entrants.values():
            self.type(who, ENTRANT[-1])
        self.mail.carry()

    def round_of_post(self) -> None:
        """Let every program fetch, take and send, the director's last."""
        self.entrants_post()
        self.type(self.director, WITH_ACCOUNT[0], "--times", "1")
        self.mail.carry()

    def step(self) -> None:
        """Let half a term pass: every entrant answers, and the director pairs if the status says so."""
        self.later(self.book().rules.terms.days // 2)
        self.entrants_post()
        for who in self.entrants.values():
            self._play(who)
        self.round_of_post()
        if "kursk tournament pair" in self.type(self.director, "kursk tournament"):
            self.type(self.director, WITH_ACCOUNT[4])
            self.round_of_post()

    def _play(self, who: Participant) -> None:
        """Propose and accept the due games, and let the program of level 1 write the due messages."""
        self.type(who, "kursk tournament propose")
        with who.sitting():
            waiting = early_turns.list_games(who.home)
        for game in waiting:
            self.type(who, f"kursk accept {game}")
        for own in journal.load_records(who.home)[0]:
            with who.sitting():
                desk = desks.open_desk(who.place / folders.folder_name(own.game), who.home)
                while desk.mine and not desk.game.over:
                    desk = opponent.write_due(desk, 1)


def test_the_recipe_without_an_account_ends(tmp_path):
    assert INBOX_AGAIN == INBOX
    world = ByHand(tmp_path)
    world.begin_recipe()
    world.enter([f"player-{number}" for number in range(1, world.players + 1)])
    world.begin()
    for number in range(1, world.book().rules.rounds + 1):
        if number > 1:
            world.next_round()
        world.play_round()
        world.later(1)
        world.inbox()
    world.pair()
    world.type(world.director, WITH_ACCOUNT[-2])
    assert world.book().ended
    world.verify()
    assert {found[0] for found in FORMER.finditer(TIED.sub("", world.sent))} == set()


@pytest.mark.long("test-all")
@pytest.mark.parametrize("seed", ["20270103", "20270104"])
def test_the_recipe_with_an_account_ends_by_play(tmp_path, monkeypatch, ended, seed):
    """The seeds were written down before the first run. The archive is the first of a ladder."""
    _watch, inbox, confirm, close, _pair, end, publish = WITH_ACCOUNT
    world = ByMail(tmp_path)
    with Mail(tmp_path, monkeypatch, lambda: world.time) as world.mail, entropy.fix_random_bytes(seed):
        world.begin_recipe()
        world.open_accounts([f"p{number}-{seed}" for number in range(1, world.players + 1)])
        world.round_of_post()
        for line in (inbox, confirm, close):
            world.type(world.director, line)
        world.round_of_post()
        for _step in range(STEPS * world.book().rules.rounds):
            world.step()
            if "kursk tournament end" in world.type(world.director, "kursk tournament"):
                break
        world.type(world.director, end)
        world.type(world.director, publish, "--no-pictures")  # pictures take minutes
    world.check_end()
    letters = b"\n".join(decode_texts(raw) for _reader, raw in world.mail.carried).decode()
    assert "Reminder: your message 1 is due" not in letters  # the director's first letter carried the proposal
    assert {found[0] for found in FORMER.finditer(TIED.sub("", letters))} == set()
    type_ladder(world, ended)


def type_ladder(world: Club, autumn: World) -> None:
    """Type the lines of a club with two tournaments: the finished one, and another."""
    place = world.director.place
    autumn.director.kursk("tournament", "publish", "--no-pictures", autumn.folder, "-o", place / "autumn-site")
    *copies, rate = LADDER
    for line in copies:
        subprocess.run(shlex.split(line), cwd=place, check=True)
    world.type(world.director, rate)
    assert (place / "ladder" / "index.html").exists()
