"""Two people with two machines each, who copy, save, open, lose, restore and play at random, by files.

Both machines of a person use the same path: the machine in use lies at ``place``, the other one at ``away``. The sent
mails, the received mails, the saved files and the backups outlive every machine.

The people are honest and forgetful. They sign on any machine, also on a machine that lags behind: then a number has two
messages, and the longer line counts.
"""

import random
import re
import shutil
from collections import Counter
from contextlib import suppress
from pathlib import Path

from helpers import crash_play, postal

from kursk_pbem.errors import KurskError
from kursk_pbem.game import folders, journal

MISSING = re.compile(r"missing|not here|lacks|LOST|no message 0")
TWO = re.compile(r"different messages [0-9]+ are here, \S+ and (\S+), and nothing follows")
ACCUSING = re.compile(r"convicted|that is fraud|has signed two")
GAMES = 2
"""Number of games at a time; a game ends after ``LONG`` steps at the latest."""
LONG = 90
WEIGHTS = {
    "plays": 42, "mails": 12, "takes": 28, "copies": 5, "keeps": 4, "goes_back": 4, "saves": 5, "opens": 7,
    "loses": 5, "restores": 8,
}  # fmt: skip


class Ledger:
    """All messages ever signed. ``keys``: the side of each key, by game; ``read``: file content -> its entry."""

    def __init__(self):
        self.ids, self.keys, self.read = {}, {}, {}

    def collect(self, paths):
        for path in paths:
            if (raw := path.read_bytes()) in self.read:
                continue
            message = folders.read_message(path)
            game = message.id if message.seq == 0 else message.content["game"]
            self.keys.setdefault(game, {}).update({key: side for side, key in message.mapping("keys").items()})
            entry = self.read[raw] = game, message.sender, message.seq
            self.ids.setdefault(entry, set()).add(message.id)

    def newest(self, game, key):
        """Return the number of the newest message that a key has signed, 0 without one."""
        side = self.keys[game][key]
        return max((seq for known, name, seq in self.ids if (known, name) == (game, side)), default=0)

    def length(self, game):
        return max(seq for known, _side, seq in self.ids if known == game)


class Owner(postal.Friend):
    """A person with two machines; ``at``: the machine in use, 0 or 1."""

    def __init__(self, root, name, world):
        super().__init__(root, name)
        self.world, self.at, self.away, self.stock = world, 0, root / f"{name}-away", root / f"{name}-stock"
        for each in ("sent", "saved", "kept"):
            (self.stock / each).mkdir(parents=True)
        self.box = []
        self.away.mkdir()
        for each in ("me", "me.pub"):
            shutil.copy(self.place / each, self.away)

    def sits(self, at):
        """Go to one of the two machines."""
        if at != self.at:
            aside = self.place.with_name("aside")
            self.place.rename(aside)
            self.away.rename(self.place)
            aside.rename(self.away)
            self.at = at

    def types(self, *words):
        """Run a command on the machine in use; return status and output. Nobody is accused."""
        with self.sitting():
            said = crash_play.run_command([str(word) for word in words])
        text = " ".join(f"{said['out']} {said['err']}".split())
        self.world.log.append(
            f"{self.world.step} {self.name}{self.at}$ {self.shorten(words)} [{said['status']}] {text}"
        )
        assert said["status"] in (0, 1, 2) or MISSING.search(text), self.world.tell()  # a gap is status 3
        assert not ACCUSING.search(text), self.world.tell()
        self.world.ledger.collect(self.files())
        return said["status"], text

    def shorten(self, words):
        shown = [str(word).replace(f"{self.place.parent}/", "") for word in words]
        return " ".join(shown[:4]) + (f" ... {len(shown) - 4} more" if len(shown) > 4 else "")

    # Files

    def folder(self, game):
        """Return the folder of a game, on the machine in use: opened games lie in the private folder."""
        own = journal.find(self.home, game)
        return Path(own.folder) if own is not None else super().folder(game)

    def sent(self, game=""):
        return sorted((self.stock / "sent").glob(f"*{game[:8]}-*.yaml"))

    def received(self, game=""):
        due = {path for step, path in self.box if step <= self.world.step}
        return sorted(path for path in due if game[:8] in path.name)

    # Steps, each with a random game

    def plays(self, game):
        """Sign the due message, and mail it mostly."""
        try:
            desk = self.desk(game)
        except KurskError:
            self.restores(game)
            return
        if not desk.mine:
            return
        with suppress(KurskError):  # a sealed text is lost, and the command says so
            if self.fill(game, self.world.dice) is None:
                return
        if self.types("sign", game[:8], "--yes")[0] == 0:
            self.world.figures["signed"] += 1
            if self.world.dice.random() < 0.85:
                self.mails(game)

    def mails(self, game):
        """Mail the newest own message, sometimes an older one."""
        if own := self.written(game):
            self.world.carries(self, game, own[-1] if self.world.dice.random() < 0.8 else self.world.dice.choice(own))

    def files(self):
        """Return all signed messages on the machine in use."""
        return sorted([*self.place.glob("game-*/????.yaml"), *self.home.glob("board/game-*/????.yaml")])

    def written(self, game):
        """Return the own messages of a game on the machine in use."""
        read, side = self.world.ledger.read, self.world.ledger.keys[game][self.public]
        own = {path.name: path for path in self.files() if read[path.read_bytes()][:2] == (game, side)}
        return [own[name] for name in sorted(own)]

    def takes(self, game):
        """Take some or all mails, old ones too, in any order; sometimes also the copies of sent mails."""
        mails, dice = self.received(), self.world.dice
        mails = [path for path in mails if dice.random() < dice.choice((0.1, 0.5, 1))]
        mails += self.sent(game) if dice.random() < 0.1 else []
        dice.shuffle(mails)
        if mails:
            self.types("inbox", *mails)

    def copies(self, game):
        """Copy the private folder to the other machine, mostly with the games."""
        self.puts(self.place, self.away, games=self.world.dice.random() < 0.7)

    def keeps(self, game):
        """Make a backup."""
        kept = self.stock / "kept" / f"{self.world.step:04d}"
        kept.mkdir()
        self.puts(self.place, kept, games=True)

    def goes_back(self, game):
        """Put a backup in place of this machine's private folder, mostly with the games."""
        if kept := sorted((self.stock / "kept").iterdir()):
            self.puts(self.world.dice.choice(kept[-3:]), self.place, games=self.world.dice.random() < 0.7)

    @staticmethod
    def puts(giver, taker, *, games):
        for old in [taker / "private", *(taker.glob("game-*") if games else ())]:
            shutil.rmtree(old, ignore_errors=True)
        for each in [giver / "private", *(giver.glob("game-*") if games else ())]:
            if each.is_dir():
                shutil.copytree(each, taker / each.name)

    def saves(self, game):
        self.types("save", self.stock / "saved" / f"{len(self.world.log):06d}.zip")

    def opens(self, game, newest=3):
        """Open one of the newest saved files."""
        if saved := sorted((self.stock / "saved").iterdir())[-newest:]:
            self.types("open", self.world.dice.choice(saved), "--yes")

    def loses(self, game):
        """Lose the private folder, the folder of a game, or both; the key stays."""
        lost = self.world.dice.choice(([self.home], [self.folder(game)], [self.home, *self.place.glob("game-*")]))
        for each in lost:
            shutil.rmtree(each, ignore_errors=True)

    def restores(self, game):
        """Restore a game from the received mails, mostly with the sent mails."""
        mails = self.received(game) + (self.sent(game) if self.world.dice.random() < 0.8 else [])
        self.heals(game, mails)

    def heals(self, game, mails):
        known = journal.find(self.home, game) is not None
        where = (game[:8],) if known else (self.folder(game), "--key", self.key)
        told = self.types("restore", *where, *mails)[1]
        while (second := TWO.search(told)) and (path := Path(second[1])) in mails:  # the sender remembers the first
            mails = [mail for mail in mails if mail.read_bytes() != path.read_bytes()]
            told = self.types("restore", *where, *mails)[1]
        proposals = [path for path in (*mails, self.folder(game) / "0000.yaml") if path.name.endswith("0000.yaml")]
        if "type 'kursk accept'" in told and not self.world.ledger.newest(game, self.public) and proposals[0].exists():
            self.types("accept", proposals[0], "--key", self.key)

    def finishes(self, game):
        """Take everything, mail everything, and sign if a message is due; return what was said."""
        begun = len(self.world.log)
        mails = self.received(game) + self.sent(game)
        told = self.types("inbox", *mails)[1]
        here = self.folder(game).is_dir() and journal.find(self.home, game) is not None
        if not here or f"'kursk restore {game[:8]}' puts one aside" in told:
            self.heals(game, mails)
        self.plays(game)
        for path in self.written(game):
            self.world.carries(self, game, path, sure=True)
        self.types("status", game[:8])
        return "\n".join(self.world.log[begun:])


class TwoHomes:
    """The world of a seed: two people, their games with the step of the beginning, and a post that errs with files."""

    def __init__(self, root, seed):
        self.dice, self.root, self.step = random.Random(seed), root, 0
        self.log, self.figures, self.ledger, self.mailed = [], Counter(), Ledger(), []
        self.people = [Owner(root, name, self) for name in ("anna", "boris")]
        self.games = {}

    def tell(self):
        """Return the last steps, for a failure; write all steps to a file."""
        (self.root / "log.txt").write_text("\n".join(self.log), encoding="utf-8")
        return "\n".join(line[:400] for line in self.log[-45:])

    def other(self, who):
        return self.people[self.people[0] is who]

    def carries(self, who, game, path, *, sure=False):
        """Carry a file: it is lost, late, doubled, or in order. A copy stays with the sent mails."""
        number = len(self.mailed)
        letter = who.stock / "sent" / f"{number:05d}-{game[:8]}-{path.name}"
        shutil.copy(path, letter)
        self.mailed.append(letter)
        fate = 1 if sure else self.dice.random()
        for _copy in range(0 if fate < 0.25 else 2 if fate < 0.4 else 1):
            late = self.dice.randrange(5, 40) if not sure and self.dice.random() < 0.3 else 0
            self.other(who).box.append((self.step + late, letter))

    def begins(self):
        """Begin a game."""
        one, two = self.dice.sample(self.people, 2)
        try:
            raw, game = postal.propose_game(one, two)
        except KurskError as error:
            self.log.append(f"{self.step} {one.name}{one.at} proposes nothing: {error}")
            one.opens("")
            return
        self.games[game] = self.step
        self.ledger.collect(one.files())
        self.carries(one, game, folders.message_path(one.folder(game), 0))
        with suppress(KurskError):
            two.accept(raw)
        self.figures["games"] += 1

    def runs(self, steps):
        """Draw the steps; then end all games."""
        for _number in range(steps):
            self.step += 1
            for game in [game for game, since in self.games.items() if self.step - since >= LONG]:
                self.ends(game)
            if len(self.games) < GAMES:
                self.begins()
                continue
            who = self.dice.choice(self.people)
            if self.dice.random() < 0.3:
                who.sits(1 - who.at)
            name = self.dice.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
            self.figures[name] += 1
            self.log.append(f"{self.step} {who.name}{who.at} {name}")
            getattr(who, name)(self.dice.choice(list(self.games)))
        for game in list(self.games):
            self.ends(game)

    def ends(self, game):
        """With all mail delivered, the game goes on, or the program names what is missing."""
        before, said = self.ledger.length(game), ""
        for who in self.people * 2:
            for _machine in "12":
                who.sits(1 - who.at)
                said += who.finishes(game)
        end = "went on" if self.ledger.length(game) > before else "over" if "game is over" in said else ""
        end = end or ("missing" if MISSING.search(said) else "never mailed" if self.has_lost(game) else "")
        self.figures[end] += 1
        assert end, f"{said}\n{self.tell()}"
        self.judges(game)
        del self.games[game]

    def has_lost(self, game):
        """Return whether somebody lost the machine with a signed message before it was mailed."""
        mailed = {self.ledger.read[path.read_bytes()] for path in self.mailed}
        return any(entry[0] == game and entry not in mailed for entry in self.ledger.ids)

    def judges(self, game):
        """Verify and prove the files of everybody: nobody is convicted."""
        files = {path.read_bytes(): path for who in self.people for path in who.sent(game)}
        machines = [machine for who in self.people for machine in (who.place, who.away)]
        places = [place for machine in machines for place in machine.rglob(folders.folder_name(game))]
        for words in (["prove", *files.values(), *places], *(["verify", place] for place in places)):
            said = crash_play.run_command([str(word) for word in words])
            assert said["status"] in ((1, 2) if words[0] == "prove" else (0, 1, 2)), f"{said}\n{self.tell()}"
            assert "convicted" not in said["out"] + said["err"], said
