"""Figures are true wherever a command shows them: prices, totals, positions before dice (issue 54, point 3)."""

import json
import shutil

import pytest
from helpers.commands import well
from helpers.signed_play import Table
from rulesets.battle_for_kursk.first_turn import OPENING, ORDERS

from kursk_pbem.cli import run
from kursk_pbem.game import entropy

REPOSITION = {"posture": "reposition", "reaction": "no"}


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    """Copy both players' places: the German before message 4 and its dice, the Russian before message 5."""
    root = tmp_path_factory.mktemp("figures")
    with entropy.fix_random_bytes("figures"):
        table = Table(root / "table").begin()
        table.turn({**OPENING, "seal": {"posture/turn-1": REPOSITION}})
        table.turn(ORDERS)
        table.turn({})
        shutil.copytree(table.german.place, root / "german")
        table.turn({})
        shutil.copytree(table.russian.place, root / "russian")
    return root, table.german.folder.name


@pytest.fixture
def seat(places, tmp_path, monkeypatch):
    """Set the environment to a side in a copy of its place; return the game folder."""
    root, name = places

    def take(side):
        place = tmp_path / side
        shutil.copytree(root / side, place)
        monkeypatch.setenv("KURSK_HOME", str(place / "private"))
        assert run(["setup", "draft", str(place / name), "--force", "-q"]) == 0
        return place / name

    return take


def test_12_0_price_of_a_sealed_posture_is_told_by_order_check_and_sign(capsys, seat):
    """Bug: a marker was spent without a warning; only the comments of the draft stated the price."""
    russian = seat("russian")
    price = "it costs 1 Offensive marker of 3, 2 left"
    assert price in well(capsys, "order", russian, "posture", "engage")
    checked = " ".join(well(capsys, "check", russian).split())
    assert f"posture engage; reaction no {price}; paid when the posture is shown" in checked
    found = json.loads(well(capsys, "check", russian, "--json"))
    assert any(price in line for line in found["hidden"])
    assert price in " ".join(well(capsys, "sign", russian, "--yes").split())


def test_own_dice_come_first_until_they_are_mailed(capsys, seat):
    """The dice fall when the answer is taken; check began with 'Nothing is ordered', and report with message 0."""
    german = seat("german")
    for command in ("check", "sign"):
        run([command, str(german)])  # nobody answers the question of sign
        said = capsys.readouterr().out.splitlines()
        assert said[0].startswith("DRAFT, NOT SENT")
        assert said[1].startswith("  Your dice: the dice show ")
    report = well(capsys, "report", german)
    assert report.startswith("Your dice: the dice show ")
    assert report.count("Report of message") == 1
    assert "Report of message 3" in report
    assert "what message 4, turn 1 does before you choose" in report
    assert well(capsys, "report", german, "--all").count("Report of message") == 4
    russian = seat("russian")
    assert "dice: " not in well(capsys, "report", russian)
    assert well(capsys, "report", "anna/last") == well(capsys, "report", russian)


def test_status_says_that_its_table_is_from_before_the_dice(capsys, seat):
    """Bug: the output had two truths: the changes by the dice, and a table from before the dice."""
    said = well(capsys, "status", seat("german"))
    told, fallen, table = said.partition("after message 3, before your dice:\n")
    assert fallen
    assert "YOUR DICE HAVE FALLEN" in told
    assert "units on the map" in table
    assert "before your dice" not in well(capsys, "status", seat("russian"))


def test_9_0_an_order_for_a_second_battle_says_what_is_fought_before_it(capsys, tmp_path, monkeypatch):
    """Bug: the odds in the line of the order ignored the earlier battles."""
    with entropy.fix_random_bytes("orders"):
        table = Table(tmp_path / "orders").begin()
        table.turn(OPENING)
    monkeypatch.setenv("KURSK_HOME", str(table.german.place / "private"))
    folder = table.german.folder
    well(capsys, "order", folder, "posture", "engage")
    assert "fought earlier" not in well(capsys, "order", folder, "attack", "1912", "with", "g-20", "g-46-pz")
    said = well(capsys, "order", folder, "attack", "2011", "with", "g-41-pz", "g-47-pz")
    assert "b2011: odds as of now; b1912, fought earlier, can change the odds" in said
    assert "battles with effects on later battles" in well(capsys, "check", folder)
