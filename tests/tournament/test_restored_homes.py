"""A Swiss by mail servers: players lose, restore and exchange their private folders, and nobody is accused.

A player types only ``post``, ``accept`` and ``sign``; the draft is filled at random instead of ``order``. The mailbox
and the sent mails stay on the mail server.
"""

import io
import shutil
from contextlib import redirect_stderr, redirect_stdout

import pytest
from desk.two_machines import Ledger
from helpers import mail_servers, postal
from helpers.cup_by_mail import Cup
from helpers.postmen import Member

from kursk_pbem.cli import run
from kursk_pbem.errors import KurskError
from kursk_pbem.post.round import early_turns
from kursk_pbem.tournament.proof import verify
from kursk_pbem.tournament.score import table

PARTS = ("private", "game-*", "tournament-*")


class Answers(io.StringIO):
    """A terminal with a person, who reads what is ``said`` and says yes, but has not mailed the letters."""

    def __init__(self, said):
        super().__init__()
        self.said, self.seen = said, 0

    def isatty(self):
        return True

    def readline(self, *_size):
        told, self.seen = self.said.getvalue()[self.seen :], len(self.said.getvalue())
        return "n\n" if "Have you mailed" in told else "y\n"


class Seat(Member):
    """A player with two machines at one mail account. ``kept``: the old copies of this player's machines."""

    def __init__(self, friend, cup):
        super().__init__(friend, cup.office)
        self.cup, self.imap, self.kept = cup, mail_servers.Imap(cup.certificates, tls=False), []
        self.imap.__enter__()
        self.away = cup.root / f"{friend.name}-away"
        mail_servers.account(friend, cup.certificates, self.imap.port, cup.smtp.port, tls="none")

    def types(self, *words):
        """Type a command; return status and output. Mails go to the post office, and copies to the sent mails."""
        said, ledger, place = io.StringIO(), self.cup.ledger, self.friend.place
        with pytest.MonkeyPatch.context() as patch, self.friend.sitting():
            patch.setattr("sys.stdin", Answers(said))
            with redirect_stdout(said), redirect_stderr(said):
                status = run([str(word) for word in words])
        typed, text = " ".join(map(str, words)), said.getvalue()
        self.cup.log.append(f"{self.cup.time.now:%m-%d %H} {self.friend.name}$ {typed} [{status}] {text}")
        assert status != 3, self.cup.tell()
        ledger.collect(place.glob("game-*/????.yaml"))
        for sender, reader, raw in self.cup.smtp.post.mails:
            self.office.post(raw, sender, reader)
            self.imap.sent[len(self.imap.sent) + 1] = self.imap.mails.pop(self.imap.add(raw))
        self.cup.smtp.post.mails.clear()
        return status, text

    def post(self):
        for _arrived, raw in self.office.take(self.address):
            self.imap.add(raw)
        return self.types("post")

    def plays(self):
        """Look into the mailbox, accept proposals, sign the due messages, and mail them."""
        self.post()
        typed = len(self.cup.log)
        for short in early_turns.list_games(self.friend.home):
            self.types("accept", short)
        for own in self.friend.records():
            try:
                if self.friend.fill(own.game, self.cup.dice) is not None:
                    self.types("sign", own.game[:8], "--yes")
            except KurskError as error:
                self.cup.log.append(f"{self.friend.name}: no draft: {error}")
        if len(self.cup.log) > typed:
            self.post()

    # Machines

    def puts(self, giver, taker):
        """Put a copy of a machine in place of another one; the key stays."""
        for old in [path for part in PARTS for path in taker.glob(part)]:
            shutil.rmtree(old)
        taker.mkdir(exist_ok=True)
        for each in [path for part in PARTS for path in giver.glob(part)]:
            shutil.copytree(each, taker / each.name)

    def keeps(self):
        self.kept.append(self.cup.root / f"{self.friend.name}-kept-{len(self.kept)}")
        self.puts(self.friend.place, self.kept[-1])

    def loses(self):
        """Lose the machine, and put an old copy in its place."""
        self.puts(self.cup.dice.choice(self.kept), self.friend.place)

    def exchanges(self):
        """Exchange the two machines; the first time the other machine is a copy."""
        if not self.away.exists():
            self.puts(self.friend.place, self.away)
        aside = self.away.with_name("aside")
        aside.mkdir()
        for giver, taker in ((self.friend.place, aside), (self.away, self.friend.place), (aside, self.away)):
            for path in [path for part in PARTS for path in giver.glob(part)]:
                path.rename(taker / path.name)
        aside.rmdir()


class RestoredCup(Cup):
    """A tournament; ``chance``: of each mishap, at each visit of a player."""

    def __init__(self, root, time, *, players, seed, chance=0.04, **more):
        self.certificates = mail_servers.write_certificates(root)
        self.smtp = mail_servers.Smtp(root, tls="none")
        self.smtp.__enter__()
        self.ledger, self.log, self.chance = Ledger(), [], chance
        super().__init__(root, time, players=players, seed=seed, **more)

    def tell(self):
        return "\n".join(line[:1500] for line in self.log[-30:])

    def comes(self, name):
        friend = postal.make_friends(self.root, name)[0]
        self.players[name] = player = Seat(friend, self)
        player.knows(self.ref)
        return player

    def _note(self, day):
        if not isinstance(day, tuple):
            super()._note(day)

    def enter(self):
        super().enter()
        for player in self.players.values():
            player.keeps()

    def comes_late(self, name):
        """Let a person enter who has nothing but the rules file."""
        player = self.comes(name)
        shutil.copy(self.folder / "log" / "0000.yaml", player.friend.place / "rules.yaml")
        player.types("tournament", "enter", "rules.yaml", name, "--yes")
        player.post()
        player.keeps()

    def _visit(self, _name, player):
        """Let a player look into the mailbox, if a mail has come or something has happened to the machine."""
        there = any(arrives <= self.time.now for arrives, _raw in self.office.boxes.get(player.address, ()))
        for mishap in (player.keeps, player.loses, player.exchanges):
            if player.kept and self.dice.random() < self.chance:
                self.figures[mishap.__name__] += 1
                self.log.append(f"{player.friend.name} {mishap.__name__}")
                mishap()
                there = True
        if there or self.dice.random() < 0.1:
            player.plays()

    def closes(self):
        """End the servers, and write down everything that was typed and said."""
        (self.root / "log.txt").write_text("\n".join(self.log), encoding="utf-8")
        self.smtp.__exit__()
        for player in self.players.values():
            player.imap.__exit__()


pytestmark = [pytest.mark.long]


@pytest.mark.parametrize("seed", [1, 2])
def test_T37_a_swiss_with_restored_homes_places_everyone(time, tmp_path, seed):
    """One player enters late, with the rules file alone."""
    cup = RestoredCup(tmp_path, time, players=8, seed=seed)
    late = {"begin: '14'": "begin: '10'", "until: '1'": "until: '2'"}
    cup.new("--swiss", 3, "--system", "hex-toy/fords", "--roll", edit=late)
    try:
        cup.enter()
        cup.comes_late("zoe")
        cup.days(1)
        cup.direct("tournament", "inbox")
        cup.direct("people", "confirm", "--all", "--yes")
        cup.over()
        cup.direct("tournament", "inbox")
        for _round in (2, 3):
            cup.next_round()
            cup.over()
        cup.direct("tournament", "pair")
        cup.direct("tournament", "end")
        cup.days(3)
    finally:
        cup.closes()
    cup.ledger.collect(cup.folder.glob("games/game-*/????.yaml"))
    proof = verify.verify_tournament(cup.folder)
    assert proof.status in (0, 1), proof
    assert len(table.compute_standings(proof.book).rows) == 9
    assert min(cup.figures[mishap] for mishap in ("keeps", "loses", "exchanges")) > 5
    assert cup.bad == []
