"""``kursk inbox`` without arguments reads the place in which mails were found last."""

import shutil

import pytest
from helpers.commands import refused, well
from helpers.signed_play import Table
from rulesets.battle_for_kursk.first_turn import OPENING, ORDERS

from kursk_pbem.game import entropy


@pytest.fixture
def begun(tmp_path, monkeypatch):
    """Return a game with an opening by the Russian and orders by the German; no command has taken messages yet."""
    with entropy.fix_random_bytes("lately"):
        table = Table(tmp_path / "table").begin()
        table.turn(OPENING)
        table.due.fill(ORDERS)
        table.due.sign()
    monkeypatch.setenv("KURSK_HOME", str(table.russian.home))
    return table


def test_nothing_is_guessed_where_no_mail_was_found(begun, capsys):
    well(capsys, "people", "add", "Anna", "anna@example.org")  # makes the folder of the mail, and no account
    for words in (("inbox",), ("inbox", "--report")):
        assert "type 'kursk inbox FILE' to read one mail" in refused(capsys, 2, *words)


def test_named_folders_are_remembered_without_a_turn_and_named(begun, capsys, tmp_path):
    places = [tmp_path / name for name in ("mails", "more")]
    for place in places:
        place.mkdir()
    where = f"nothing new in {places[0]} and {places[1]}: no mail is there; hidden files"
    assert where in well(capsys, "inbox", *places)
    shutil.copy(begun.german.folder / "0002.yaml", places[1])
    assert "0003.draft.yaml" in well(capsys, "inbox")
    (places[1] / "0002.yaml").unlink()
    assert where in well(capsys, "inbox")


def test_subfolders_that_a_server_hides_in_a_maildir_are_read(begun, capsys, tmp_path):
    """Servers keep the folder Archive/2026 in ``.Archive.2026``."""
    box = tmp_path / "Maildir"
    for folder in (box, box / ".Archive.2026"):
        for part in ("cur", "new", "tmp"):
            (folder / part).mkdir(parents=True)
    for part, seq in (("tmp", 1), ("cur", 2)):
        shutil.copy(begun.german.folder / f"000{seq}.yaml", box / ".Archive.2026" / part / f"1.{seq}:2,S")
    assert "message 2 of the game" in well(capsys, "adjudicate", box)
    assert "0003.draft.yaml" in well(capsys, "inbox", box)
    assert well(capsys, "inbox", box) == f"nothing new in {box}\n"


@pytest.mark.parametrize("box", [False, True])
def test_the_next_turn_is_found_where_the_last_one_lay(begun, capsys, monkeypatch, tmp_path, box):
    mails = tmp_path / "mails"
    mails.mkdir()
    first, second = (begun.german.folder / f"000{seq}.yaml" for seq in (0, 2))
    place = mails / "inbox.mbox" if box else mails

    def arrives(path):
        if box:
            with place.open("a") as file:
                file.write(f"From anna Fri Nov 20 10:00:00 2026\nFrom: anna\nSubject: turn\n\n{path.read_text()}\n\n")
        else:
            shutil.copy(path, mails / path.name)

    arrives(first)
    well(capsys, "inbox", place if box else mails / first.name)
    arrives(second)
    assert not (begun.russian.folder / "0002.yaml").exists()
    monkeypatch.setattr("kursk_pbem.kernel.account.lines.MOST", 0)
    said = well(capsys, "inbox")
    assert f"looking in {place}" in said
    assert " more\n" in said  # not 'told below': the output has no report
    assert (begun.russian.folder / "0002.yaml").exists()
    if not box:
        shutil.rmtree(mails)
        assert "is gone: type a new place" in refused(capsys, 2, "inbox")


def test_a_mail_that_was_saved_into_the_game_folder_is_told_once(begun, capsys, monkeypatch):
    """The attachment has the name of the message and is in the right place, but the player has not read its report."""
    folder = begun.russian.folder
    for seq in (0, 2):
        shutil.copy(begun.german.folder / f"000{seq}.yaml", folder)
    monkeypatch.chdir(folder)
    said = well(capsys, "inbox", ".")
    assert "German orders: " in said
    assert "0003.draft.yaml" in said
    again = well(capsys, "inbox", ".")
    assert "German orders: " not in again
    assert "here already: message 0 of german, message 1 of russian, message 2 of german" in again
