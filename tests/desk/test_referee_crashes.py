"""A referee's papers after interruptions at every system call: complete or absent, and repaired by the same command."""

import os
import shutil

import pytest
from helpers.relaying import Relayed, day
from rulesets.battle_for_kursk.first_turn import OPENING, ORDERS

from desk.crashed import check_plain_failure, different, run_all
from kursk_pbem.audit import verify
from kursk_pbem.cli import run
from kursk_pbem.game import entropy, folders, histories

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
RECEIPT = ("--received", day(3), "--days", "10", "--key", "me")


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Return a table with messages 0 to 3, received in the folder ``game`` of the referee."""
    with entropy.fix_random_bytes("a referee's crashes"):
        table = Relayed(tmp_path_factory.mktemp("relayed") / "table").begin()
        for content in (OPENING, ORDERS, {}):
            table.turn(content)
    (table.place / "game").mkdir()
    for seq in range(4):
        shutil.copy(folders.message_path(table.german.folder, seq), table.place / "game")
    shutil.copy(table.letter(3), table.place / "letter.yaml")
    return table


def again(each, monkeypatch, capsys, *words):
    status, said = each.command(monkeypatch, capsys, *words)
    assert status == 0, said


@pytest.mark.parametrize("mode", ["kill", "fill"])
def test_receipt_and_forfeit_cut_off_at_every_call(table, tmp_path, monkeypatch, capsys, mode):
    place = tmp_path / "place"
    shutil.copytree(table.place, place)
    for words, name in (
        (("referee", "receipt", "game", *RECEIPT), "receipt-0003.yaml"),
        (("referee", "forfeit", "game", "--declared", day(14), "--key", "me", "--yes"), "forfeit.yaml"),
    ):
        cut = run_all(mode, place, tmp_path / f"{mode}-{words[1]}", *words)
        assert cut[-1].through
        assert len(cut) > 4
        wanted = (cut[-1].place / "game" / name).read_bytes()
        for each in different(cut):
            path = each.place / "game" / name
            assert not path.exists() or path.read_bytes() == wanted
            assert verify.verify_game(each.place / "game").status == 0
            if mode == "fill" and not each.through:
                check_plain_failure(each.said, os.strerror(28))
                assert not each.litter
            again(each, monkeypatch, capsys, *words)
            assert path.read_bytes() == wanted
        shutil.rmtree(place)
        shutil.copytree(cut[-1].place, place)
    assert histories.load(place / "game").game.verdict.how == "forfeit"


def test_a_message_that_comes_and_its_receipt_cut_off_at_every_call(table, tmp_path, monkeypatch, capsys):
    place = tmp_path / "place"
    shutil.copytree(table.place, place)
    (place / "game" / "0003.yaml").unlink()
    shutil.move(place / "letter.yaml", place / "game" / "letter.yaml")
    words = ("referee", "receipt", "game/letter.yaml", *RECEIPT)
    cut = run_all("kill", place, tmp_path / "cut", *words)
    assert len(cut) > 12
    for each in different(cut):
        folder = each.place / "game"
        assert not (folder / "receipt-0003.yaml").exists() or (folder / "0003.yaml").exists()
        again(each, monkeypatch, capsys, *words)
        assert histories.load(folder).game.papers.due(3) == day(13)


def test_a_player_takes_a_receipt_cut_off_at_every_call(table, tmp_path, monkeypatch, capsys):
    place = tmp_path / "place"
    shutil.copytree(table.place, place)
    with monkeypatch.context() as there:
        there.chdir(place)
        assert run(["referee", "receipt", "game", *RECEIPT, "-q"]) == 0
    home = tmp_path / "german"
    shutil.copytree(table.german.place, home)
    shutil.move(place / "game" / "receipt-0003.yaml", home / "inbox" / "receipt.yaml")
    words = ("inbox", "--report", "inbox/receipt.yaml")
    cut = run_all("kill", home, tmp_path / "cut", *words)
    assert len(cut) > 4
    for each in different(cut):
        again(each, monkeypatch, capsys, *words)
        assert histories.load(each.folder).game.papers.due(3) == day(13)
