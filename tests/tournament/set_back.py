"""A tournament by mail whose director's machine is set back to random older copies, with or without sent mail."""

import random
import shutil

from helpers.cup_by_mail import Cup

from kursk_pbem.tournament import private
from kursk_pbem.tournament.book import reading
from kursk_pbem.tournament.director import asking

FOLDER, ONESELF, NOWHERE = "folder", "oneself", "nowhere"
"""Where the director finds own letters: in the folder of sent mails, in copies to oneself, or nowhere."""


class SetBackCup(Cup):
    """A tournament; ``times``: how often the director's machine is set back; ``copies``: of own letters.

    The machine is the program's private folder with the mail store, and the folders of tournament and games.
    """

    def __init__(self, root, time, *, times, copies, chance=0.06, most=40, seed=1, **more):
        super().__init__(root, time, seed=seed, **more)
        self.mishaps, self.times, self.chance, self.most = random.Random(seed + 2), times, chance, most
        self.kept, self.lost, self.began, self.said = [], [], False, []
        if copies != FOLDER:
            self.ref.sent = None
        if copies == NOWHERE:
            post = self.office.post
            self.office.post = lambda raw, by, to: to == by or post(raw, by, to)

    def book(self):
        """Return the log's content; the number of its papers says nothing here."""
        return reading.read_folder(self.folder)

    def keep(self):
        """Keep a copy of the machine."""
        self.figures["kept"] += 1
        place = self.root / f"kept-{self.figures['kept']}"
        shutil.copytree(self.ref.friend.place, place, ignore=shutil.ignore_patterns("*-wal", "*-shm"))
        self.kept.append((place, len(self.book().log)))
        if len(self.kept) > self.most:
            shutil.rmtree(self.kept.pop(0)[0])

    def set_back(self):
        """Put an older copy in the place of the machine, and start the program there."""
        place, length = self.mishaps.choice(self.kept)
        self.lost.append(len(self.book().log) - length)
        shutil.rmtree(self.ref.friend.place)
        shutil.copytree(place, self.ref.friend.place)
        self.ref.sits()
        self.figures["set back"] += 1

    def direct(self, *words, status=0):
        """Run a command of the director after the answers to the desk's question, or after seven days."""
        while self.began and asking.list_silent(private.list_records(self.ref.friend.home)[0], self.book()):
            self.days(1)
        super().direct(*words, status=status)

    def next_round(self):
        """Type ``pair`` each day until the next round is paired: a machine set back may have lost a draw unsent."""
        before = self.book().round
        while self.book().round <= before:
            self.direct("tournament", "pair")
            self.days(1)

    def _note(self, day):
        self.said += day.done
        super()._note(day)

    def round_of_post(self):
        if self.began:
            if self.figures["set back"] < self.times and self.kept and self.mishaps.random() < self.chance:
                self.set_back()
            self.keep()
        super().round_of_post()
