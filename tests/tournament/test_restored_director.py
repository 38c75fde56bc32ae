"""A director by mailbox continues from older copies: nobody is convicted, everybody is placed."""

import os
import random
import shutil

import pytest
from helpers import sweeps
from helpers.cup_by_mail import Cup
from helpers.mailbags import letter

from kursk_pbem.tournament import private
from kursk_pbem.tournament.book import reading
from kursk_pbem.tournament.director import asking
from kursk_pbem.tournament.papers import fields, forms, store
from kursk_pbem.tournament.proof import equivocation, verify
from kursk_pbem.tournament.score import table
from kursk_pbem.trust import keys

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


@pytest.fixture
def drawn(time, tmp_path, request):
    """Return a tournament whose director draws, pairs, and continues from a copy before the draw."""
    cup = SetBackCup(tmp_path, time, players=3, times=1, copies=request.param)
    cup.new("--round-robin", "--system", "hex-toy/fords")
    cup.take_entries()
    cup.ref.post()
    cup.keep()
    cup.direct("tournament", "close")
    cup.opened()
    cup.ref.post()
    for player in cup.players.values():
        cup.time.passes(7200)
        player.post()
    cup.log = [paper.id for paper in cup.book().log]
    cup.set_back()
    assert len(cup.book().log) == 2
    cup.said.clear()
    return cup


def an_invented_name_closes_nothing(cup):
    """A player names a log paper that nobody has signed: the desk tells, asks for it, and goes on."""
    friend, book = cup.players["p01"].friend, cup.book()
    said = {"kursk-tournament": "2", "type": fields.ABSENT, "tournament": book.id, "from": friend.public}
    said |= {"seen": {"seq": "57", "id": "a" * 64}, "time": book.head.text("time")}
    said |= {"first": "2027-01-01T00:00:00Z", "last": "2027-01-09T00:00:00Z"}
    lie = forms.emit_paper(forms.sign_paper(said, keys.load_key(friend.key), "lie"))
    cup.office.put(letter(lie.encode("ascii"), friend.address, "my holidays"), cup.ref.address)
    cup.round_of_post()
    assert any("log paper 57 was seen by p01; this log ends with" in line for line in cup.said)
    cup.direct("tournament", "grant", "all", 1, "flood", "--yes")
    assert cup.book().head.type == fields.CLOCK


@pytest.mark.parametrize("drawn", sweeps.some([FOLDER, ONESELF], 2), indirect=True)
def test_own_copies_bring_the_log_back(drawn):
    drawn.round_of_post()
    assert [paper.id for paper in drawn.book().log][: len(drawn.log)] == drawn.log
    assert any("log papers 2 to " in line and "signed by you elsewhere, came back" in line for line in drawn.said)
    assert store.load_papers(drawn.folder).others == {}
    if drawn.ref.sent is not None:  # without the folder the name begins one question for each key
        an_invented_name_closes_nothing(drawn)


@pytest.mark.parametrize("drawn", [NOWHERE], indirect=True)
def test_the_programs_of_entrants_bring_the_log_back(drawn):
    """The openings carry the log up to what they name; ``restore`` asks everybody for the rest, and signs nothing."""
    drawn.direct("tournament", "restore")
    drawn.round_of_post()
    here = [paper.id for paper in drawn.book().log]
    assert here == drawn.log[:3]
    assert any("did not answer yet. The desk signs when all have answered" in line for line in drawn.bad)
    for player in drawn.players.values():
        drawn.time.passes(7200)
        player.post()
    drawn.time.passes(7200)
    drawn.round_of_post()
    assert [paper.id for paper in drawn.book().log][: len(drawn.log)] == drawn.log
    assert store.load_papers(drawn.folder).others == {}


def test_by_hand_the_folder_of_an_entrant_brings_the_papers_back(four):
    """The restored director has granted other days; the first grant is void, and missing until it is given again."""
    kept = [shutil.copytree(place, four.root / "kept" / place.name) for place in (four.folder, four.director.home)]
    grant = ("tournament", "grant", "all")
    four.director.kursk(*grant, 2, "flood", "--yes", "--in", four.folder)
    four.inform()
    for place, old in zip((four.folder, four.director.home), kept, strict=True):
        shutil.rmtree(place)
        old.rename(place)
    four.director.kursk(*grant, 5, "storm", "--yes", "--in", four.folder)
    anna = four.entrants["anna"]
    four.director.kursk("tournament", "inbox", anna.tournament / "log", "--in", four.folder)
    assert len(store.load_papers(four.folder).others) == 1
    four.director.kursk(*grant, 3, "fog", "--yes", "--in", four.folder)
    assert verify.verify_tournament(four.folder).status == 1
    four.director.kursk(*grant, 2, "flood", "--yes", "--in", four.folder)
    four.verify()
    four.inform()
    assert four.book(anna.tournament).head.id == four.book().head.id


def play(cup, rounds):
    cup.began = True
    cup.over()
    while cup.book().round < rounds:
        cup.next_round()
        cup.over()
    cup.began = False
    cup.direct("tournament", "pair")
    cup.days(8)
    cup.direct("tournament", "end")
    cup.days(4)
    return verify.verify_tournament(cup.folder)


def is_fair(cup, proof, players, copies):
    """Check that everybody has a place, and that no log convicts the director."""
    assert (proof.status, proof.missing) == (0, ()), (proof.text, proof.missing, cup.lost, cup.bad[-5:])
    assert cup.figures["set back"] >= min(cup.times, 3), cup.lost
    assert len(table.compute_standings(proof.book).rows) == players
    others = store.load_papers(cup.folder).others
    assert copies == NOWHERE or not others
    places = [cup.folder, *(place for player in cup.players.values() for place in player.friend.place.glob("tourn*"))]
    assert equivocation.compare_logs(places).pair is None


@pytest.mark.long("test-all")
@pytest.mark.skipif(os.name == "nt", reason="its helpers fork")
@pytest.mark.parametrize(
    ("copies", "dice"),
    [(FOLDER, ()), (ONESELF, ()), (NOWHERE, ()), (FOLDER, ("--roll",)), (ONESELF, ("--roll",))],
    ids=str,
)
def test_a_swiss_is_set_back_twice(time, tmp_path, copies, dice):
    """A director who rolls needs copies of own letters: the games are own papers, too."""
    cup = SetBackCup(tmp_path, time, players=4, times=2, copies=copies, chance=0.15)
    cup.new("--swiss", 2, "--system", "hex-toy/fords", *dice, edit={"begin: '14'": "begin: '20'"})
    cup.enter()
    is_fair(cup, play(cup, 2), 4, copies)
