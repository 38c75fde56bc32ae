"""``kursk adjudicate`` alone looks where mails were found last."""

import shutil

import pytest
from helpers.commands import refused, well
from helpers.signed_play import Table
from rulesets.battle_for_kursk.first_turn import OPENING, ORDERS

from kursk_pbem.game import entropy


@pytest.fixture
def begun(tmp_path, monkeypatch):
    """The Russian has opened, the German has ordered; nothing is taken by command yet."""
    with entropy.fixed("lately"):
        table = Table(tmp_path / "table").begin()
        table.turn(OPENING)
        table.due.fill(ORDERS)
        table.due.sign()
    monkeypatch.setenv("KURSK_HOME", str(table.russian.home))
    return table


def test_nothing_is_guessed_where_no_mail_was_found(begun, capsys):
    assert "name the file that came" in refused(capsys, 2, "adjudicate")


@pytest.mark.parametrize("box", [False, True])
def test_the_next_turn_is_found_where_the_last_one_lay(begun, capsys, tmp_path, box):
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
    well(capsys, "adjudicate", place if box else mails / first.name)
    arrives(second)
    assert not (begun.russian.folder / "0002.yaml").exists()
    assert f"looking in {place}" in well(capsys, "adjudicate")
    assert (begun.russian.folder / "0002.yaml").exists()
    if not box:
        shutil.rmtree(mails)
        assert "it is gone: name the file" in refused(capsys, 2, "adjudicate")
