"""A message that the journal has and the folder lacks is told as missing, and the printed command brings it back."""

import re
import shutil
from functools import cache

import pytest
from helpers.agreements import send
from helpers.commands import commands_in
from helpers.signed_play import RefereedTable, Table
from rulesets.battle_for_kursk.first_turn import ENGAGE, OPENING, ORDERS

from kursk_pbem.cli import run
from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.rescue import restore
from kursk_pbem.game import entropy, folders

WAITS = ("wait for", "writes the message", "when the mail comes", "is for", "not come yet", "Complete:")


def accept_proposal(root):
    """Message 0 only: the Russian has accepted the game, and message 1 is not signed."""
    return Table(root).begin()


def seal_choice(root):
    """The Russian has sealed a posture, and the German has an untouched draft."""
    table = accept_proposal(root)
    table.turn(OPENING)
    return table


def edit_draft(root):
    table = seal_choice(root)
    table.german.fill(ORDERS)
    return table


def delete_draft(root):
    table = seal_choice(root)
    table.german.draft().unlink()
    return table


def offer_draw(root):
    table = seal_choice(root)
    table.turn({"choice": {"posture/turn-1": ENGAGE}})
    send(table, drafts.make_offer(table.due.desk, "draw"))
    return table


def end_game(root):
    table = seal_choice(root)
    table.turn({"choice": {"posture/turn-1": ENGAGE}})
    table.send(drafts.make_resignation(table.due.desk))
    return table


def roll_dice(root):
    """A referee rolls the dice, so each desk receives the messages of two others."""
    table = RefereedTable(root).begin()
    table.turn(OPENING)
    return table


def lose_record(root):
    """Both players have restored the game from mails, without the private folder."""
    table = end_game(root)
    for player in table.players.values():
        mails = shutil.copytree(player.folder, player.place / "mails", ignore=shutil.ignore_patterns("*.txt"))
        shutil.rmtree(player.home)
        shutil.rmtree(player.folder)
        restore.restore_game(player.folder, [mails], player.key, player.home, None)
    return table


MOST = {"end_game": ("german",), "lose_record": ("german",), "delete_draft": ("german",), "edit_draft": ("german",)}
STATES = (accept_proposal, seal_choice, edit_draft, delete_draft, offer_draw, end_game, roll_dice, lose_record)
DESKS = [
    (state, side)
    for state in STATES
    for side in MOST.get(state.__name__, ("german", "russian", "referee")[: 3 if state is roll_dice else 2])
]


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """Return a function that plays the game of a state once."""

    @cache
    def play(state):
        with entropy.fix_random_bytes(state.__name__):
            return state(tmp_path_factory.mktemp(state.__name__) / "table")

    return play


class Person:
    """A player at a copy of the place, with a folder of copies of all mails."""

    def __init__(self, player, root, monkeypatch, capsys):
        self.place, self.capsys = shutil.copytree(player.place, root / "place"), capsys
        self.folder, self.game = self.place / player.folder.name, player.folder.name[5:13]
        self.mails = shutil.copytree(self.folder, root / "saved mails", ignore=shutil.ignore_patterns("*.draft.*"))
        self.draft = any(self.folder.glob("*.draft.yaml"))
        monkeypatch.setenv("KURSK_HOME", str(self.place / "private"))
        monkeypatch.chdir(self.place)

    def types(self, *words):
        """Type a command; return its status and its output as one line."""
        self.capsys.readouterr()
        status = run([str(word) for word in words])
        return status, " ".join("".join(self.capsys.readouterr()).split())

    def answers(self):
        """Return the answers of commands, with no draft if no draft was there at first."""
        for path in () if self.draft else self.folder.glob("*.draft.yaml"):
            path.unlink()
        return [self.types(*words) for words in (("status",), ("status", self.game), ("check", self.game))]

    @property
    def files(self):
        """The messages, and the journal, which must not change."""
        journal = self.place / "private" / "games" / self.folder.name[5:] / "journal"
        paths = [*journal.iterdir(), *self.folder.glob("[0-9][0-9][0-9][0-9].yaml")]
        return {path: path.read_bytes() for path in paths}

    def lose(self, seq):
        folders.message_path(self.folder, seq).unlink()

    def heal(self, said):
        """Type the printed command, in place of MAILS the folder with copies."""
        typed = commands_in(said, "restore", MAILS=self.mails) or commands_in(said, "sign")
        assert typed, said
        for words in typed[:1]:
            assert self.types(*words)[0] == 0, said


@pytest.mark.some(4)
@pytest.mark.parametrize(("state", "side"), DESKS, ids=lambda each: getattr(each, "__name__", each))
def test_each_missing_message_comes_back_by_the_command(state, side, tables, tmp_path, monkeypatch, capsys):
    """The folder was believed: a lost message of the opponent was waited for, and the game was called complete."""
    person = Person(tables(state).players[side], tmp_path, monkeypatch, capsys)
    before, answers = person.files, person.answers()
    for seq in range(len(folders.message_files(person.folder))):
        for words in (("status", person.game), ("check", person.game), ("order", "note", "hello"))[seq % 2 :]:
            person.lose(seq)
            status, said = person.types(*words)
            assert (status, *(word for word in WAITS if word in said)) in ((0,), (2,)), said
            assert re.search(rf"message {seq}\b", said), said
            person.heal(said)
            assert person.files == before, said
        person.lose(seq)
        status, said = person.types("restore", person.game)
        if status:  # the journal has no text of a received message
            assert f"message {seq} came on 20" in said or state is lose_record, said
            assert (status in (1, 2), "Complete" in said) == (True, False), said
            assert person.types("sign", person.game, "--yes")[0] == 2
            assert person.types("restore", person.game, person.mails)[0] == 0
        assert person.files == before
        assert person.answers() == answers


@pytest.mark.some(2)
@pytest.mark.parametrize("state", [seal_choice, roll_dice], ids=["players", "referee"])
def test_each_damaged_message_comes_back_by_the_command(state, tables, tmp_path, monkeypatch, capsys):
    """The same sentence for a file that was changed, at the command that reads it and at a command that does not."""
    person = Person(tables(state).players["german"], tmp_path, monkeypatch, capsys)
    before = person.files
    for path in folders.message_files(person.folder):
        for changed in (b"no: [\n", before[path][:200], before[path].replace(b"AAAA", b"AAAB"), b""):
            for words in (("status", person.game), ("check", person.game), ("report", f"{person.game}/{path.stem}")):
                path.write_bytes(changed)
                status, said = person.types(*words)
                assert status == 2, said
                assert re.search(rf"message {int(path.stem)} (came|was signed) on 20", said), said
                assert re.search(rf"so the file was changed later: move \S*{path.name} away", said), said
                path.unlink()
                person.heal(said)
                assert person.files == before


def test_a_report_of_a_missing_message_names_the_command(tables, tmp_path, monkeypatch, capsys):
    """The report called the missing message due from the opponent."""
    person = Person(tables(end_game).players["german"], tmp_path, monkeypatch, capsys)
    person.lose(3)
    for words in (("report", f"{person.game}/3"), ("map", f"{person.game}/3")):
        status, said = person.types(*words)
        assert status == 2
        assert re.search(r"message 3 came on 20.* and is missing from", said), said


def test_a_new_mail_brings_the_missing_newest(tables, tmp_path, monkeypatch, capsys):
    """With referee's dice two messages follow each other. The first is gone, and the second carries it."""
    table = tables(roll_dice)
    person = Person(table.players["german"], tmp_path, monkeypatch, capsys)
    journal = person.place / "private" / "games" / person.folder.name[5:] / "journal"
    for path in (folders.message_path(person.folder, 2), folders.report_path(person.folder, 2), journal / "0002.json"):
        path.unlink()  # message 2 has not come
    person.lose(1)
    assert person.types("inbox", person.mails / "0002.yaml")[0] == 0
    assert folders.message_path(person.folder, 1).exists()
    assert folders.message_path(person.folder, 2).exists()


def test_the_first_copy_of_a_missing_message_heals_the_game(tables, tmp_path, monkeypatch, capsys):
    """A mail of the missing message is as good as the command, and nothing waits after it."""
    person = Person(tables(end_game).players["german"], tmp_path, monkeypatch, capsys)
    before, answers = person.files, person.answers()
    person.lose(3)
    status, said = person.types("inbox", person.mails / "0003.yaml")
    assert status == 0, said
    assert "missing" not in said
    assert (person.files, person.answers()) == (before, answers)
